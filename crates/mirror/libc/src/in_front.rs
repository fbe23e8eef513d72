//! Functions in front of the C library's, for controlled threads.

/// Defines functions in front of those of the C library: `fn name(arguments) -> result => inside;`
///
/// On a controlled thread `inside` is called with the engine and the arguments. If it has no
/// answer, and for all other threads, the C library's own function is called. The latter is
/// `real::name` to the module, and `install` makes the linker take all of them along.
macro_rules! in_front {
    ($($functions:tt)+) => {
        selvedge_front::in_front! { selvedge_engine::Controlled::current; $($functions)+ }
    };
}
