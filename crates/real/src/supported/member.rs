//! A thread that belongs to a group.

use super::group::Group;
use super::outsiders;
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Deref;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

thread_local! {
    /// The member that the thread is, unless it is inside of our own code. Has no destructor, so it
    /// is there as long as the thread is.
    static CURRENT: Cell<*const Member> = const { Cell::new(ptr::null()) };
}

/// A thread of a group.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) group: Arc<Group>,
    /// Its number in the group, from 0.
    pub(crate) key: u32,
    pub(crate) pulse: Arc<Pulse>,
}

/// What can be seen of a thread by others without a lock.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// The kernel's number for it; zero before it has begun.
    pub(crate) tid: AtomicI32,
    /// Whether it is in the system call by which it waits, or about to make it.
    pub(crate) in_kernel: AtomicBool,
    /// Whether it is inside of our own code, where it waits for nothing that is the test's.
    pub(crate) inside: AtomicBool,
    /// How often it has given way.
    pub(crate) yields: AtomicU32,
}

impl Pulse {
    /// The calling thread is the one.
    fn is_of_caller(&self) {
        // SAFETY: Has no preconditions.
        self.tid.store(unsafe { libc::gettid() }, Ordering::Release);
    }
}

impl Member {
    pub(crate) fn new(group: Arc<Group>, key: u32, pulse: Arc<Pulse>) -> Arc<Self> {
        Arc::new(Self { group, key, pulse })
    }

    /// Makes the calling thread this member until it ends.
    pub(crate) fn adopt(self: Arc<Self>) {
        self.pulse.is_of_caller();
        outsiders::enter(&self.group.open);
        let member = Arc::into_raw(self);
        // SAFETY: The key exists. What is stored is given back by `ended`, once.
        unsafe { libc::pthread_setspecific(key_of_end(), member.cast()) };
        CURRENT.set(member);
    }

    /// Makes the calling thread this member, until the guard is dropped.
    pub(crate) fn lend(self: Arc<Self>) -> Lent {
        self.pulse.is_of_caller();
        outsiders::enter(&self.group.open);
        Lent { before: CURRENT.replace(Arc::as_ptr(&self)), member: self }
    }
}

/// The calling thread is a member for a while.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) member: Arc<Member>,
    before: *const Member,
}

impl Drop for Lent {
    fn drop(&mut self) {
        CURRENT.set(self.before);
        outsiders::leave();
    }
}

/// The calling thread is inside of our own code. As long as this lives, the functions in front of
/// the C library's take it for a thread of nobody, so our own locks are none of the test's.
pub(crate) struct Inside(*const Member);

impl Inside {
    /// The member that the calling thread is. Nothing for all other threads, and inside of our
    /// own code.
    #[inline]
    pub(crate) fn enter() -> Option<Self> {
        let member = CURRENT.get();
        if member.is_null() {
            return None;
        }
        CURRENT.set(ptr::null());
        let inside = Self(member);
        inside.pulse.inside.store(true, Ordering::Release);
        Some(inside)
    }
}

impl Deref for Inside {
    type Target = Member;

    fn deref(&self) -> &Member {
        // SAFETY: `adopt` keeps the member alive until the thread has ended, and `lend` until the
        // guard is gone, which belongs to the thread. This guard never leaves the thread.
        unsafe { &*self.0 }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.pulse.inside.store(false, Ordering::Release);
        CURRENT.set(self.0);
    }
}

/// The key whose destructor tells of a thread's end, after the destructors of Rust's thread-locals.
fn key_of_end() -> libc::pthread_key_t {
    static KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: The pointer is one to a key, and the destructor takes what `adopt` stores.
        let error = unsafe { libc::pthread_key_create(&raw mut key, Some(ended)) };
        assert_eq!(error, 0, "no key is left by which a thread's end is seen");
        key
    })
}

/// Called when a thread that was adopted ends.
///
/// # Safety
///
/// The pointer is one that `adopt` has stored.
unsafe extern "C" fn ended(member: *mut c_void) {
    CURRENT.set(ptr::null());
    // SAFETY: It was made by `Arc::into_raw`, and the C library calls this once.
    let member = unsafe { Arc::from_raw(member.cast::<Member>().cast_const()) };
    member.pulse.inside.store(true, Ordering::Release);
    member.group.ended(member.key);
    outsiders::leave();
}
