//! `malloc` and its family, in front of the GNU C library's.
//!
//! They are called by everybody, in any thread, also before `main` and by the C library itself:
//! they must not allocate, and need nothing that has to be initialised. The code of a test on a
//! controlled thread is served by the engine; everybody else gets what the C library gives.
//!
//! Each function notes where it was called from before anything else happens, which only a
//! function without a prologue can.

use selvedge_engine::heap::{self, Caller, Content, Freed, Request};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
    fn __libc_free(pointer: *mut c_void);
}

/// Makes the linker take the functions below along, and the engine rely on them.
pub(crate) fn install() {
    heap::asks();
    std::hint::black_box((malloc as *const (), free as *const (), calloc as *const ()));
    std::hint::black_box((realloc as *const (), posix_memalign as *const ()));
}

/// What any block is aligned to.
const ALIGN: usize = 16;

selvedge_engine::with_caller! {
    /// Uninitialised memory.
    fn malloc(size: usize) -> *mut c_void = malloc_for, "rsi", "rdx", "x1", "x2";
    /// Memory that is given back.
    fn free(pointer: *mut c_void) = free_for, "rsi", "rdx", "x1", "x2";
    /// Memory of another size, with what was in it.
    fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void
        = realloc_for, "rdx", "rcx", "x2", "x3";
    /// Memory of zeros.
    fn calloc(count: usize, size: usize) -> *mut c_void = calloc_for, "rdx", "rcx", "x2", "x3";
    /// Aligned memory.
    fn memalign(align: usize, size: usize) -> *mut c_void
        = memalign_for, "rdx", "rcx", "x2", "x3";
    /// Aligned memory, in the words of C11.
    fn aligned_alloc(align: usize, size: usize) -> *mut c_void
        = memalign_for, "rdx", "rcx", "x2", "x3";
    /// Aligned memory, in the words of POSIX.
    fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int
        = posix_memalign_for, "rcx", "r8", "x3", "x4";
    /// An array of another length, with what was in it.
    fn reallocarray(pointer: *mut c_void, count: usize, size: usize) -> *mut c_void
        = reallocarray_for, "rcx", "r8", "x3", "x4";
}

extern "C" fn malloc_for(size: usize, return_address: usize, frame: usize) -> *mut c_void {
    let request = Request { size, align: ALIGN, content: Content::Any };
    match heap::allocate(request, Caller { return_address, frame }) {
        Some(block) => block.cast(),
        // SAFETY: What `malloc` would have done.
        None => unsafe { __libc_malloc(size) },
    }
}

extern "C" fn free_for(pointer: *mut c_void, return_address: usize, frame: usize) {
    if pointer.is_null() {
        return;
    }
    if heap::free(pointer.cast(), Caller { return_address, frame }) == Freed::Elsewhere {
        // SAFETY: The caller passes what the C library has allocated.
        unsafe { __libc_free(pointer) };
    }
}

extern "C" fn calloc_for(
    count: usize,
    size: usize,
    return_address: usize,
    frame: usize,
) -> *mut c_void {
    if let Some(bytes) = count.checked_mul(size) {
        let request = Request { size: bytes, align: ALIGN, content: Content::Zero };
        if let Some(block) = heap::allocate(request, Caller { return_address, frame }) {
            return block.cast();
        }
    }
    // SAFETY: What `calloc` would have done.
    unsafe { __libc_calloc(count, size) }
}

extern "C" fn memalign_for(
    align: usize,
    size: usize,
    return_address: usize,
    frame: usize,
) -> *mut c_void {
    if align.is_power_of_two() {
        let request = Request { size, align, content: Content::Any };
        if let Some(block) = heap::allocate(request, Caller { return_address, frame }) {
            return block.cast();
        }
    }
    // SAFETY: What `memalign` would have done, which refuses what is no alignment.
    unsafe { __libc_memalign(align, size) }
}

extern "C" fn posix_memalign_for(
    out: *mut *mut c_void,
    align: usize,
    size: usize,
    return_address: usize,
    frame: usize,
) -> c_int {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<*mut c_void>()) {
        return libc::EINVAL;
    }
    let block = memalign_for(align, size, return_address, frame);
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: The caller passes a place for the result.
    unsafe { *out = block };
    0
}

extern "C" fn realloc_for(
    pointer: *mut c_void,
    size: usize,
    return_address: usize,
    frame: usize,
) -> *mut c_void {
    if pointer.is_null() {
        return malloc_for(size, return_address, frame);
    }
    let caller = Caller { return_address, frame };
    let held = match heap::size_of(pointer.cast()) {
        Some(_) if size != 0 && heap::shrink(pointer.cast(), size) => return pointer,
        Some(held) => held,
        None if heap::keep(caller) => usable(pointer),
        // SAFETY: What `realloc` would have done, with memory of the C library's.
        None => return unsafe { __libc_realloc(pointer, size) },
    };
    let block = malloc_for(size, return_address, frame);
    if !block.is_null() {
        // SAFETY: Both have at least so many bytes, and the new one overlaps nothing.
        unsafe { ptr::copy_nonoverlapping::<u8>(pointer.cast(), block.cast(), held.min(size)) };
        free_for(pointer, return_address, frame);
    }
    block
}

extern "C" fn reallocarray_for(
    pointer: *mut c_void,
    count: usize,
    size: usize,
    return_address: usize,
    frame: usize,
) -> *mut c_void {
    match count.checked_mul(size) {
        Some(bytes) => realloc_for(pointer, bytes, return_address, frame),
        None => {
            // SAFETY: The place of the calling thread's error number.
            unsafe { *libc::__errno_location() = libc::ENOMEM };
            ptr::null_mut()
        }
    }
}

/// How much there is behind a pointer, at least what was asked for.
// SAFETY: The signature and the meaning are those of the C library.
#[unsafe(no_mangle)]
extern "C" fn malloc_usable_size(pointer: *mut c_void) -> usize {
    match heap::size_of(pointer.cast()) {
        Some(size) => size,
        None => usable(pointer),
    }
}

/// How much there is behind a pointer of the C library's. Its function has no second name, so it
/// is looked up.
fn usable(pointer: *mut c_void) -> usize {
    selvedge_engine::kept! {
        static REAL: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    }
    let mut real = REAL.load(Ordering::Relaxed);
    if real.is_null() {
        // SAFETY: The name is valid, and looking it up has no other preconditions.
        real = unsafe { libc::dlsym(libc::RTLD_NEXT, c"malloc_usable_size".as_ptr()) };
        REAL.store(real, Ordering::Relaxed);
    }
    if real.is_null() || pointer.is_null() {
        return 0;
    }
    // SAFETY: The next definition of the symbol is the C library's, with this signature; the
    // pointer is one of its own.
    unsafe {
        let real: extern "C" fn(*mut c_void) -> usize = std::mem::transmute(real);
        real(pointer)
    }
}
