//! The standard input.

use real::fmt;
use real::io::{self, BufRead, IoSliceMut, Read};
use real::string::String;
use real::vec::Vec;
use selvedge_engine::{Controlled, Object, Written};
use selvedge_model::Site;

selvedge_engine::kept! {
    static IN: Object = Object::new(Site::caller());
}

/// A handle to the standard input; see [`std::io::Stdin`].
pub struct Stdin {
    _private: (),
}

/// A locked reference to the standard input; see [`std::io::StdinLock`].
#[must_use = "if unused stdin will immediately unlock"]
pub struct StdinLock<'a> {
    /// Dropped before the lock that keeps threads of an execution apart.
    real: io::StdinLock<'a>,
    _held: Option<Held>,
}

/// Holds the lock of the engine's.
struct Held(Site);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(controlled) = Controlled::current() {
            controlled.mutex_unlock(&IN, self.0, Written::Yes);
        }
    }
}

/// A new handle to the standard input; see [`std::io::stdin`].
#[must_use]
pub fn stdin() -> Stdin {
    Stdin { _private: () }
}

impl Stdin {
    /// Locks this handle to the standard input.
    #[track_caller]
    pub fn lock(&self) -> StdinLock<'static> {
        let held = Controlled::current().map(|controlled| {
            let site = Site::caller();
            controlled.mutex_lock(&IN, site);
            Held(site)
        });
        StdinLock { real: io::stdin().lock(), _held: held }
    }

    /// Locks this handle and reads a line of input, appending it to the specified buffer.
    #[track_caller]
    pub fn read_line(&self, line: &mut String) -> io::Result<usize> {
        self.lock().read_line(line)
    }

    /// Consumes this handle and returns an iterator over input lines.
    #[must_use = "`self` will be dropped if the result is not used"]
    #[track_caller]
    pub fn lines(self) -> io::Lines<StdinLock<'static>> {
        self.lock().lines()
    }
}

impl fmt::Debug for Stdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stdin").finish_non_exhaustive()
    }
}

impl fmt::Debug for StdinLock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdinLock").finish_non_exhaustive()
    }
}

impl Read for StdinLock<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.real.read(buffer)
    }

    fn read_vectored(&mut self, parts: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.real.read_vectored(parts)
    }

    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.real.read_to_end(bytes)
    }

    fn read_to_string(&mut self, text: &mut String) -> io::Result<usize> {
        self.real.read_to_string(text)
    }

    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        self.real.read_exact(buffer)
    }
}

impl BufRead for StdinLock<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.real.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.real.consume(count);
    }

    fn read_until(&mut self, byte: u8, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.real.read_until(byte, bytes)
    }

    fn read_line(&mut self, line: &mut String) -> io::Result<usize> {
        self.real.read_line(line)
    }
}

macro_rules! read {
    ($($type:ty),+) => {$(
        impl Read for $type {
            #[track_caller]
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.lock().read(buffer)
            }

            #[track_caller]
            fn read_vectored(&mut self, parts: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                self.lock().read_vectored(parts)
            }

            #[track_caller]
            fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
                self.lock().read_to_end(bytes)
            }

            #[track_caller]
            fn read_to_string(&mut self, text: &mut String) -> io::Result<usize> {
                self.lock().read_to_string(text)
            }

            #[track_caller]
            fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
                self.lock().read_exact(buffer)
            }
        }
    )+};
}

read!(Stdin, &Stdin);
