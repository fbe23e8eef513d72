//! Mirror of `std::io::IsTerminal`, which nobody else may implement.

use super::{Stderr, StderrLock, Stdin, StdinLock, Stdout, StdoutLock};

/// Whether a stream is a terminal; see [`std::io::IsTerminal`].
pub trait IsTerminal {
    /// Returns `true` if the descriptor refers to a terminal.
    fn is_terminal(&self) -> bool;
}

impl<T: real::io::IsTerminal> IsTerminal for T {
    fn is_terminal(&self) -> bool {
        real::io::IsTerminal::is_terminal(self)
    }
}

macro_rules! streams {
    ($($type:ty = $stream:ident,)+) => {$(
        impl IsTerminal for $type {
            fn is_terminal(&self) -> bool {
                real::io::IsTerminal::is_terminal(&real::io::$stream())
            }
        }

        #[cfg(unix)]
        impl real::os::fd::AsRawFd for $type {
            fn as_raw_fd(&self) -> real::os::fd::RawFd {
                real::os::fd::AsRawFd::as_raw_fd(&real::io::$stream())
            }
        }

        #[cfg(unix)]
        impl real::os::fd::AsFd for $type {
            fn as_fd(&self) -> real::os::fd::BorrowedFd<'_> {
                let file = real::os::fd::AsRawFd::as_raw_fd(self);
                // SAFETY: The standard streams are never closed.
                unsafe { real::os::fd::BorrowedFd::borrow_raw(file) }
            }
        }
    )+};
}

streams! {
    Stdin = stdin,
    StdinLock<'_> = stdin,
    Stdout = stdout,
    StdoutLock<'_> = stdout,
    Stderr = stderr,
    StderrLock<'_> = stderr,
}
