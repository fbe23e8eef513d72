//! The standard output and the standard error.

use real::fmt;
use real::io::{self, IoSlice, Write};
use real::marker::PhantomData;
use real::panic::{RefUnwindSafe, UnwindSafe};
use real::process::Stdio;
use real::sync::MutexGuard;
use selvedge_engine::{Controlled, Object};
use selvedge_model::Site;

selvedge_engine::kept! {
    static OUT: Object = Object::new(Site::caller());
    static ERROR: Object = Object::new(Site::caller());
}

/// Holds a lock of the engine's, which its thread may take again.
struct Held {
    object: &'static Object,
    site: Site,
}

impl Held {
    fn new(controlled: Controlled, object: &'static Object, site: Site) -> Self {
        controlled.lock_again(object, site);
        Self { object, site }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(controlled) = Controlled::current() {
            controlled.unlock_again(self.object, self.site);
        }
    }
}

/// Runs `print` for a macro that prints. It waits for whoever has locked the stream; as long as
/// nobody has, to print is nothing that others notice.
pub(crate) fn printing(controlled: Controlled, stream: crate::Stream, print: impl FnOnce()) {
    let object = match stream {
        crate::Stream::Out => &OUT,
        crate::Stream::Error => &ERROR,
    };
    let _held = controlled
        .is_locked_elsewhere(object)
        .then(|| Held::new(controlled, object, Site::caller()));
    print();
}

/// Who has a lock.
enum Side<L> {
    /// A thread of an execution.
    Controlled { _held: Held },
    /// An ordinary thread.
    Outside(L),
}

macro_rules! stream {
    ($stream:ident $lock:ident $handle:ident = $object:ident, $what:literal) => {
        #[doc = concat!("A handle to the standard ", $what, ", as std has it.")]
        pub struct $stream {
            _private: (),
        }

        #[doc = concat!("A locked reference to the standard ", $what, ", as std has it.")]
        #[must_use = "if unused the stream will immediately unlock"]
        pub struct $lock<'a> {
            side: Side<io::$lock<'static>>,
            /// As the real one: it stays on its thread.
            not_send: PhantomData<(&'a (), MutexGuard<'static, ()>)>,
        }

        #[doc = concat!("A new handle to the standard ", $what, ", as std has it.")]
        #[must_use]
        pub fn $handle() -> $stream {
            $stream { _private: () }
        }

        impl $stream {
            /// Locks this handle to the stream.
            #[track_caller]
            pub fn lock(&self) -> $lock<'static> {
                let side = match Controlled::current() {
                    Some(controlled) => {
                        Side::Controlled { _held: Held::new(controlled, &$object, Site::caller()) }
                    }
                    None => Side::Outside(io::$handle().lock()),
                };
                $lock { side, not_send: PhantomData }
            }
        }

        impl Write for $lock<'_> {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                match &mut self.side {
                    Side::Controlled { .. } => {
                        if let Some(controlled) = Controlled::current() {
                            controlled.print_bytes(bytes);
                        }
                        Ok(bytes.len())
                    }
                    Side::Outside(real) => real.write(bytes),
                }
            }

            fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
                match &mut self.side {
                    Side::Controlled { .. } => {
                        let mut count = 0;
                        for part in parts {
                            count += self.write(part)?;
                        }
                        Ok(count)
                    }
                    Side::Outside(real) => real.write_vectored(parts),
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                match &mut self.side {
                    Side::Controlled { .. } => Ok(()),
                    Side::Outside(real) => real.flush(),
                }
            }
        }

        impl Write for &$stream {
            #[track_caller]
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.lock().write(bytes)
            }

            #[track_caller]
            fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
                self.lock().write_vectored(parts)
            }

            #[track_caller]
            fn flush(&mut self) -> io::Result<()> {
                self.lock().flush()
            }

            #[track_caller]
            fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
                self.lock().write_all(bytes)
            }

            #[track_caller]
            fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> io::Result<()> {
                self.lock().write_fmt(arguments)
            }
        }

        impl Write for $stream {
            #[track_caller]
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                (&*self).write(bytes)
            }

            #[track_caller]
            fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
                (&*self).write_vectored(parts)
            }

            #[track_caller]
            fn flush(&mut self) -> io::Result<()> {
                (&*self).flush()
            }

            #[track_caller]
            fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
                (&*self).write_all(bytes)
            }

            #[track_caller]
            fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> io::Result<()> {
                (&*self).write_fmt(arguments)
            }
        }

        impl UnwindSafe for $stream {}
        impl RefUnwindSafe for $stream {}
        impl UnwindSafe for $lock<'_> {}
        impl RefUnwindSafe for $lock<'_> {}

        impl fmt::Debug for $stream {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($stream)).finish_non_exhaustive()
            }
        }

        impl fmt::Debug for $lock<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($lock)).finish_non_exhaustive()
            }
        }

        impl From<$stream> for Stdio {
            fn from(_: $stream) -> Self {
                io::$handle().into()
            }
        }
    };
}

stream!(Stdout StdoutLock stdout = OUT, "output");
stream!(Stderr StderrLock stderr = ERROR, "error");
