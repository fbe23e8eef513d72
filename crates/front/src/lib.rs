//! How a function stands in front of the C library's.
//!
//! The linker prefers a definition of the program's own. [`in_front!`] makes one that asks whether
//! the calling thread is one that somebody looks after, and otherwise does what the C library does,
//! whose own definition is a [`Real`].
//!
//! With the GNU C library on Linux only. Elsewhere the crate is empty.
#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The C library's own definition of a function of type `F`.
#[derive(Debug)]
pub struct Real<F> {
    name: &'static CStr,
    /// Where it is, once somebody has asked.
    address: AtomicPtr<c_void>,
    function: PhantomData<F>,
}

impl<F: Copy> Real<F> {
    /// The function of the given name, which ends in a zero byte.
    ///
    /// # Safety
    ///
    /// The C library's function of that name must be of type `F`, which must be a pointer.
    pub const unsafe fn new(name: &'static str) -> Self {
        assert!(size_of::<F>() == size_of::<*mut c_void>(), "a function pointer");
        let name = match CStr::from_bytes_with_nul(name.as_bytes()) {
            Ok(name) => name,
            Err(_) => panic!("a name ends in a zero byte"),
        };
        Self { name, address: AtomicPtr::new(ptr::null_mut()), function: PhantomData }
    }

    /// The function. Looked up once; two threads that do so at the same time find the same.
    #[inline]
    pub fn get(&self) -> F {
        let mut address = self.address.load(Ordering::Relaxed);
        if address.is_null() {
            address = self.look_up();
        }
        // SAFETY: The address is that of a function of type `F`, as `new` was promised, and not
        // null.
        unsafe { std::mem::transmute_copy(&address) }
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        // SAFETY: The name is valid, and looking it up has no other preconditions.
        let address = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        if address.is_null() {
            // There is nobody to whom the call could be passed on, and no way to say so.
            // SAFETY: Has no preconditions.
            unsafe { libc::abort() };
        }
        self.address.store(address, Ordering::Relaxed);
        address
    }
}

/// Defines functions in front of those of the C library: the path of a function that says who
/// looks after the calling thread, and for each function
/// `fn name(arguments) -> result => inside;`
///
/// If there is somebody, `inside` is called with them and the arguments. If it has no answer, and for
/// all other threads, the C library's own function is called. The latter is `real::name` to the
/// module, and `install` makes the linker take all of them along.
#[macro_export]
macro_rules! in_front {
    (
        $current:path;
        $(fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty => $inside:path;)+
    ) => {
        /// The C library's own definitions.
        #[expect(non_upper_case_globals, reason = "they have the names of functions")]
        mod real {
            #[allow(unused_imports, reason = "the types of the signatures")]
            use super::*;

            $(
                pub(super) static $name:
                    $crate::Real<unsafe extern "C" fn($($type),*) -> $result> =
                    // SAFETY: The signature is that of the C library's header.
                    unsafe { $crate::Real::new(concat!(stringify!($name), "\0")) };
            )+
        }

        $(
            // SAFETY: The signature is that of the C library's header, and so is what it does for
            // everybody whom nobody looks after.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                if let Some(current) = $current() {
                    // SAFETY: The arguments are as the function's contract has them.
                    if let Some(result) = unsafe { $inside(current, $($argument),*) } {
                        return result;
                    }
                }
                // SAFETY: As above.
                unsafe { real::$name.get()($($argument),*) }
            }
        )+

        /// Makes the linker take the functions along, and finds the C library's own ones.
        pub(crate) fn install() {
            $(
                std::hint::black_box($name as *const ());
                real::$name.get();
            )+
        }
    };
}
