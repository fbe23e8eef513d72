//! The beginning and the names of threads, waiting for their end, and giving way.

use crate::supported::group::Purpose;
use crate::supported::looks::POLLS;
use crate::supported::member::{Inside, Member};
use crate::supported::scheduled::WaitsAt;
use crate::supported::wait::Asked;
use libc::{c_char, c_int, pthread_attr_t, pthread_t};
use std::ffi::{CStr, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What a thread begins with. May unwind: `pthread_exit` does.
type Start = extern "C-unwind" fn(*mut c_void) -> *mut c_void;

selvedge_front::in_front! {
    Inside::enter;
    fn pthread_create(
        thread: *mut pthread_t,
        attributes: *const pthread_attr_t,
        start: Start,
        argument: *mut c_void,
    ) -> c_int => create;
    fn pthread_join(thread: pthread_t, result: *mut *mut c_void) -> c_int => join;
    fn pthread_setname_np(thread: pthread_t, name: *const c_char) -> c_int => set_name;
    fn sched_yield() -> c_int => give_way;
}

/// What a new thread of a group needs to know.
struct Birth {
    member: Arc<Member>,
    start: Start,
    argument: *mut c_void,
}

/// # Safety
///
/// The arguments are as pthread_create(3) has them.
unsafe fn create(
    parent: Inside,
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> Option<c_int> {
    let member = parent.group.child(parent.key);
    let key = member.key;
    let birth = Box::into_raw(Box::new(Birth { member, start, argument }));
    // SAFETY: Passed on to the caller; `born` takes what it is given here.
    let error =
        unsafe { real::pthread_create.get()(thread, attributes, born, birth.cast::<c_void>()) };
    if error != 0 {
        parent.group.not_started(key);
        // SAFETY: It was made above, and nobody else has got it.
        drop(unsafe { Box::from_raw(birth) });
    }
    Some(error)
}

extern "C-unwind" fn born(birth: *mut c_void) -> *mut c_void {
    // SAFETY: `create` has made it of a box, for this call only.
    let Birth { member, start, argument } = *unsafe { Box::from_raw(birth.cast::<Birth>()) };
    member.adopt();
    start(argument)
}

/// # Safety
///
/// The arguments are as pthread_join(3) has them.
unsafe fn join(member: Inside, thread: pthread_t, result: *mut *mut c_void) -> Option<c_int> {
    let asked = Asked { at: WaitsAt::Join, timeout: None };
    Some(member.group.wait(&member, asked, || {
        // SAFETY: Passed on to the caller.
        unsafe { real::pthread_join.get()(thread, result) }
    }))
}

/// `std` names a new thread before it calls anything of its user. It cuts the name to what the
/// kernel takes, but knows the whole.
///
/// # Safety
///
/// The arguments are as pthread_setname_np(3) has them.
unsafe fn set_name(member: Inside, thread: pthread_t, name: *const c_char) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    if thread != unsafe { libc::pthread_self() } || name.is_null() {
        return None;
    }
    // SAFETY: The name ends in a zero byte, as the caller has promised.
    let short = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let current = std::thread::current();
    let whole = current.name().filter(|whole| whole.starts_with(&*short));
    member.group.named(member.key, whole.unwrap_or(&short));
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn give_way(member: Inside) -> Option<c_int> {
    let before = member.pulse.yields.fetch_add(1, Ordering::Relaxed);
    if before % POLLS == POLLS - 1
        && let Purpose::Scheduled(scheduled) = &member.group.purpose
    {
        scheduled.lock().call_keeper();
    }
    None
}
