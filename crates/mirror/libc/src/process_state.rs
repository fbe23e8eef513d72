//! Functions that change the state of the process; how it is put back is in `engine/process_state.rs`.

use libc::{
    c_char, c_uint, gid_t, itimerval, mode_t, pid_t, posix_spawn_file_actions_t, posix_spawnattr_t,
    rlimit, rlimit64, sigaction as Action, sigevent, sighandler_t, timer_t, uid_t,
};
use selvedge_engine::{Carries, Controlled, ProcessPart, ProcessState};
use std::ffi::{c_int, c_long, c_ulong};

in_front! {
    fn chdir(path: *const c_char) -> c_int => inside_folder;
    fn fchdir(file: c_int) -> c_int => inside_folder;
    fn umask(mask: mode_t) -> mode_t => inside_umask;
    fn setenv(name: *const c_char, value: *const c_char, overwrite: c_int) -> c_int =>
        inside_setenv;
    fn unsetenv(name: *const c_char) -> c_int => inside_environment;
    fn putenv(string: *mut c_char) -> c_int => inside_environment;
    fn clearenv() -> c_int => inside_clearenv;
    fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int => inside_sigaction;
    fn signal(number: c_int, handler: sighandler_t) -> sighandler_t => inside_signal;
    fn setrlimit(resource: c_uint, limit: *const rlimit) -> c_int => inside_limit;
    fn setrlimit64(resource: c_uint, limit: *const rlimit64) -> c_int => inside_limit64;
    fn prlimit(process: pid_t, resource: c_uint, new: *const rlimit, old: *mut rlimit) -> c_int =>
        inside_prlimit;
    fn prlimit64(
        process: pid_t,
        resource: c_uint,
        new: *const rlimit64,
        old: *mut rlimit64,
    ) -> c_int => inside_prlimit64;
    fn alarm(seconds: c_uint) -> c_uint => inside_alarm;
    fn ualarm(first: c_uint, interval: c_uint) -> c_uint => inside_ualarm;
    fn setitimer(which: c_int, new: *const itimerval, old: *mut itimerval) -> c_int =>
        inside_interval;
    fn timer_create(clock: c_int, event: *mut sigevent, timer: *mut timer_t) -> c_int =>
        inside_timer;
    fn timer_delete(timer: timer_t) -> c_int => inside_delete;
    fn posix_spawn(
        child: *mut pid_t,
        path: *const c_char,
        files: *const posix_spawn_file_actions_t,
        attributes: *const posix_spawnattr_t,
        arguments: *const *mut c_char,
        environment: *const *mut c_char,
    ) -> c_int => inside_spawn;
    fn posix_spawnp(
        child: *mut pid_t,
        path: *const c_char,
        files: *const posix_spawn_file_actions_t,
        attributes: *const posix_spawnattr_t,
        arguments: *const *mut c_char,
        environment: *const *mut c_char,
    ) -> c_int => inside_spawn_by_path;
    fn setsid() -> pid_t => for_good_0;
    fn setpgid(process: pid_t, group: pid_t) -> c_int => for_good_2;
    fn setuid(user: uid_t) -> c_int => for_good_1;
    fn seteuid(user: uid_t) -> c_int => for_good_1;
    fn setreuid(real_user: uid_t, user: uid_t) -> c_int => for_good_2;
    fn setresuid(real_user: uid_t, user: uid_t, saved: uid_t) -> c_int => for_good_3;
    fn setgid(group: gid_t) -> c_int => for_good_1;
    fn setegid(group: gid_t) -> c_int => for_good_1;
    fn setregid(real_group: gid_t, group: gid_t) -> c_int => for_good_2;
    fn setresgid(real_group: gid_t, group: gid_t, saved: gid_t) -> c_int => for_good_3;
    fn setgroups(count: usize, groups: *const gid_t) -> c_int => for_good_2;
    fn chroot(path: *const c_char) -> c_int => for_good_1;
    fn unshare(flags: c_int) -> c_int => for_good_1;
    fn setns(file: c_int, kind: c_int) -> c_int => for_good_2;
    fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int => for_good_3;
    fn prctl(option: c_int, a: c_ulong, b: c_ulong, c: c_ulong, d: c_ulong) -> c_int =>
        inside_prctl;
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn for_good_0<R>(controlled: Controlled) -> Option<R> {
    controlled.needs_process();
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn for_good_1<A, R>(controlled: Controlled, _: A) -> Option<R> {
    controlled.needs_process();
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn for_good_2<A, B, R>(controlled: Controlled, _: A, _: B) -> Option<R> {
    controlled.needs_process();
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn for_good_3<A, B, C, R>(controlled: Controlled, _: A, _: B, _: C) -> Option<R> {
    controlled.needs_process();
    None
}

/// Most of what can be set concerns nobody else; what takes something away can not be had back.
///
/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_prctl(
    controlled: Controlled,
    option: c_int,
    _: c_ulong,
    _: c_ulong,
    _: c_ulong,
    _: c_ulong,
) -> Option<c_int> {
    let for_good = [
        libc::PR_SET_SECCOMP,
        libc::PR_SET_NO_NEW_PRIVS,
        libc::PR_CAPBSET_DROP,
        libc::PR_SET_PDEATHSIG,
    ];
    if for_good.contains(&option) {
        controlled.needs_process();
    }
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_folder<A>(controlled: Controlled, _: A) -> Option<c_int> {
    controlled.about_to_change(ProcessState::Folder);
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_umask(controlled: Controlled, _: mode_t) -> Option<mode_t> {
    controlled.about_to_change(ProcessState::Umask);
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_environment<A>(controlled: Controlled, _: A) -> Option<c_int> {
    about_to_change_environment(controlled);
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_setenv(
    controlled: Controlled,
    _: *const c_char,
    _: *const c_char,
    _: c_int,
) -> Option<c_int> {
    about_to_change_environment(controlled);
    None
}

/// Who reads a variable afterwards knows what was before.
fn about_to_change_environment(controlled: Controlled) {
    controlled.about_to_change(ProcessState::Environment);
    controlled.carries(Carries::Both);
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_clearenv(controlled: Controlled) -> Option<c_int> {
    about_to_change_environment(controlled);
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_sigaction(
    controlled: Controlled,
    signal: c_int,
    new: *const Action,
    _: *mut Action,
) -> Option<c_int> {
    if !new.is_null() {
        about_to_change_handler(controlled, signal);
    }
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_signal(
    controlled: Controlled,
    number: c_int,
    _: sighandler_t,
) -> Option<sighandler_t> {
    about_to_change_handler(controlled, number);
    None
}

/// On whichever thread the handler runs, it knows what was before.
fn about_to_change_handler(controlled: Controlled, signal: c_int) {
    controlled.about_to_change(ProcessState::Signal(signal));
    controlled.carries(Carries::Release);
}

/// A limit that is lowered for good can not be had back, unless by somebody who may do everything.
fn limit(controlled: Controlled, resource: c_uint, hard: u64) {
    let mut now = rlimit64 { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: The structure lives as long as the call; to ask who this is has no preconditions.
    let lowers = unsafe {
        libc::getrlimit64(resource, &raw mut now) == 0
            && hard < now.rlim_max
            && libc::geteuid() != 0
    };
    if lowers {
        controlled.needs_process();
    }
    controlled.about_to_change(ProcessState::Limit(resource as c_int));
}

/// # Safety
///
/// The arguments are as setrlimit(2) has them.
unsafe fn inside_limit(
    controlled: Controlled,
    resource: c_uint,
    new: *const rlimit,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    if let Some(new) = unsafe { new.as_ref() } {
        limit(controlled, resource, new.rlim_max);
    }
    None
}

/// # Safety
///
/// The arguments are as setrlimit(2) has them.
unsafe fn inside_limit64(
    controlled: Controlled,
    resource: c_uint,
    new: *const rlimit64,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    if let Some(new) = unsafe { new.as_ref() } {
        limit(controlled, resource, new.rlim_max);
    }
    None
}

/// # Safety
///
/// The arguments are as prlimit(2) has them.
unsafe fn inside_prlimit(
    controlled: Controlled,
    _: pid_t,
    resource: c_uint,
    new: *const rlimit,
    _: *mut rlimit,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_limit(controlled, resource, new) }
}

/// # Safety
///
/// The arguments are as prlimit(2) has them.
unsafe fn inside_prlimit64(
    controlled: Controlled,
    _: pid_t,
    resource: c_uint,
    new: *const rlimit64,
    _: *mut rlimit64,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_limit64(controlled, resource, new) }
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_alarm(controlled: Controlled, _: c_uint) -> Option<c_uint> {
    controlled.about_to_change(ProcessState::Timer(libc::ITIMER_REAL as c_int));
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_ualarm(controlled: Controlled, _: c_uint, _: c_uint) -> Option<c_uint> {
    controlled.about_to_change(ProcessState::Timer(libc::ITIMER_REAL as c_int));
    None
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_interval(
    controlled: Controlled,
    which: c_int,
    _: *const itimerval,
    _: *mut itimerval,
) -> Option<c_int> {
    controlled.about_to_change(ProcessState::Timer(which));
    None
}

/// # Safety
///
/// The arguments are as timer_create(2) has them.
unsafe fn inside_timer(
    controlled: Controlled,
    clock: c_int,
    event: *mut sigevent,
    timer: *mut timer_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe {
        let result = real::timer_create.get()(clock, event, timer);
        if result == 0 {
            controlled.made(ProcessPart::Timer(timer.read() as usize));
        }
        Some(result)
    }
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_delete(controlled: Controlled, timer: timer_t) -> Option<c_int> {
    controlled.unmade(ProcessPart::Timer(timer as usize));
    None
}

/// Notes the child that was started, unless that has failed.
///
/// # Safety
///
/// If it has not, there is its number.
unsafe fn note_child(controlled: Controlled, result: c_int, child: *const pid_t) -> Option<c_int> {
    if result == 0 && !child.is_null() {
        // SAFETY: Passed on to the caller.
        controlled.made(ProcessPart::Child(unsafe { child.read() }));
    }
    Some(result)
}

/// # Safety
///
/// The arguments are as posix_spawn(3) has them.
unsafe fn inside_spawn(
    controlled: Controlled,
    child: *mut pid_t,
    path: *const c_char,
    files: *const posix_spawn_file_actions_t,
    attributes: *const posix_spawnattr_t,
    arguments: *const *mut c_char,
    environment: *const *mut c_char,
) -> Option<c_int> {
    // Whoever gets to know of its end knows what was before its beginning.
    controlled.carries(Carries::Release);
    let spawn = real::posix_spawn.get();
    // SAFETY: Passed on to the caller.
    unsafe {
        let result = spawn(child, path, files, attributes, arguments, environment);
        note_child(controlled, result, child)
    }
}

/// # Safety
///
/// The arguments are as posix_spawn(3) has them.
unsafe fn inside_spawn_by_path(
    controlled: Controlled,
    child: *mut pid_t,
    path: *const c_char,
    files: *const posix_spawn_file_actions_t,
    attributes: *const posix_spawnattr_t,
    arguments: *const *mut c_char,
    environment: *const *mut c_char,
) -> Option<c_int> {
    // Whoever gets to know of its end knows what was before its beginning.
    controlled.carries(Carries::Release);
    let spawn = real::posix_spawnp.get();
    // SAFETY: Passed on to the caller.
    unsafe {
        let result = spawn(child, path, files, attributes, arguments, environment);
        note_child(controlled, result, child)
    }
}

/// System calls by number that change the process.
///
/// # Safety
///
/// The arguments are as the system call has them.
pub(crate) unsafe fn by_number(
    controlled: Controlled,
    number: c_long,
    [a, b, c, d, _]: [c_long; 5],
) -> Option<c_long> {
    match number {
        libc::SYS_chdir | libc::SYS_fchdir => controlled.about_to_change(ProcessState::Folder),
        libc::SYS_umask => controlled.about_to_change(ProcessState::Umask),
        libc::SYS_rt_sigaction => controlled.about_to_change(ProcessState::Signal(a as c_int)),
        libc::SYS_rt_sigprocmask => controlled.about_to_change(ProcessState::SignalMask),
        libc::SYS_setitimer => controlled.about_to_change(ProcessState::Timer(a as c_int)),
        libc::SYS_prlimit64 => {
            // SAFETY: The function takes the arguments of the system call.
            return Some(
                unsafe { libc::prlimit64(a as _, b as _, c as *const _, d as *mut _) }.into(),
            );
        }
        libc::SYS_setsid
        | libc::SYS_setpgid
        | libc::SYS_setuid
        | libc::SYS_setgid
        | libc::SYS_setresuid
        | libc::SYS_setresgid
        | libc::SYS_setgroups
        | libc::SYS_chroot
        | libc::SYS_unshare
        | libc::SYS_setns
        | libc::SYS_seccomp
        | libc::SYS_close_range => controlled.needs_process(),
        _ => {}
    }
    None
}
