//! Mirrors of the macros that print. What a controlled thread prints is kept with its execution
//! (`engine/output.rs`); everybody else prints for real.

use crate::io::printing;
use real::fmt;
use selvedge_engine::Controlled;

/// Where a macro prints to.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Stream {
    Out,
    Error,
}

/// What the macros expand to.
#[doc(hidden)]
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it is the macros' business")]
pub fn print_to(stream: Stream, arguments: fmt::Arguments<'_>) {
    match (Controlled::current(), stream) {
        (Some(controlled), _) => printing(controlled, stream, || controlled.print(arguments)),
        (None, Stream::Out) => real::print!("{arguments}"),
        (None, Stream::Error) => real::eprint!("{arguments}"),
    }
}

/// Prints to the standard output; see [`std::print!`].
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => {
        $crate::print_to($crate::Stream::Out, ::core::format_args!($($arguments)*))
    };
}

/// Prints a line to the standard output; see [`std::println!`].
#[macro_export]
macro_rules! println {
    () => { $crate::print!("\n") };
    ($($arguments:tt)*) => {
        $crate::print_to(
            $crate::Stream::Out,
            ::core::format_args!("{}\n", ::core::format_args!($($arguments)*)),
        )
    };
}

/// Prints to the standard error; see [`std::eprint!`].
#[macro_export]
macro_rules! eprint {
    ($($arguments:tt)*) => {
        $crate::print_to($crate::Stream::Error, ::core::format_args!($($arguments)*))
    };
}

/// Prints a line to the standard error; see [`std::eprintln!`].
#[macro_export]
macro_rules! eprintln {
    () => { $crate::eprint!("\n") };
    ($($arguments:tt)*) => {
        $crate::print_to(
            $crate::Stream::Error,
            ::core::format_args!("{}\n", ::core::format_args!($($arguments)*)),
        )
    };
}

/// Prints the value of an expression and hands it on; see [`std::dbg!`].
#[macro_export]
macro_rules! dbg {
    () => {
        $crate::eprintln!("[{}:{}:{}]", ::core::file!(), ::core::line!(), ::core::column!())
    };
    ($value:expr $(,)?) => {
        // A match and not a let, so that what the expression borrows lives long enough.
        match $value {
            value => {
                $crate::eprintln!(
                    "[{}:{}:{}] {} = {:#?}",
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::core::stringify!($value),
                    &value
                );
                value
            }
        }
    };
    ($($value:expr),+ $(,)?) => { ($($crate::dbg!($value)),+,) };
}
