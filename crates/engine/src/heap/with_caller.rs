//! C functions that know who called them.
//!
//! Where a call returns to is known only before anything else happens, so these functions have no
//! prologue.

/// Defines a C function by one of ours that is told who called, in two arguments more: where the call
/// returns to, and the caller's frame.
///
/// The registers are those of the two arguments that follow the function's own, on either
/// architecture.
#[doc(hidden)]
#[macro_export]
macro_rules! with_caller {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),+) $(-> $result:ty)?
        = $ours:ident, $x86_return:literal, $x86_frame:literal, $arm_return:literal,
        $arm_frame:literal;)+) => {
        $(
            $(#[$doc])*
            // SAFETY: The signature and the meaning are those of the function that callers expect. The
            // stack and all registers are as the caller left them, but for two that carry no argument
            // of this function and that callees may change.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C" fn $name($($argument: $type),+) $(-> $result)? {
                #[cfg(target_arch = "x86_64")]
                core::arch::naked_asm!(
                    concat!("mov ", $x86_return, ", [rsp]"),
                    concat!("mov ", $x86_frame, ", rbp"),
                    "jmp {ours}",
                    ours = sym $ours,
                );
                #[cfg(target_arch = "aarch64")]
                core::arch::naked_asm!(
                    concat!("mov ", $arm_return, ", x30"),
                    concat!("mov ", $arm_frame, ", x29"),
                    "b {ours}",
                    ours = sym $ours,
                );
            }
        )+
    };
}
