//! Statics of our own, which stay as they are when those of the test are put back.

/// Puts a static into the section that [`statics`](crate::statics) leaves alone.
///
/// Every static that can change belongs there: what the engine, the mirrors and their watchers
/// know is not part of the state of the test.
#[doc(hidden)]
#[macro_export]
macro_rules! kept {
    ($($(#[$attribute:meta])* $visible:vis static $name:ident: $type:ty = $value:expr;)+) => {
        $(
            $(#[$attribute])*
            // SAFETY: The section holds nothing but statics of ours, which are ordinary data.
            #[cfg_attr(
                all(target_os = "linux", not(miri)),
                unsafe(link_section = "selvedge_keep")
            )]
            $visible static $name: $type = $value;
        )+
    };
}

/// Where the section lies.
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) fn range() -> std::ops::Range<usize> {
    use std::ptr::addr_of;
    unsafe extern "C" {
        static __start_selvedge_keep: u8;
        static __stop_selvedge_keep: u8;
    }
    // The linker defines both for a section of this name.
    addr_of!(__start_selvedge_keep) as usize..addr_of!(__stop_selvedge_keep) as usize
}

/// Nowhere: statics are not put back on this platform.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) fn range() -> std::ops::Range<usize> {
    0..0
}
