//! Signals from one controlled thread to another, and who a thread is.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::{endings, passes, results, settings};
use selvedge_engine::Ending;
use selvedge_std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use selvedge_std::sync::{Arc, Mutex};
use selvedge_std::thread::{self, JoinHandle};
use std::io::{ErrorKind, Read, Write, pipe};
use std::mem;
use std::os::fd::AsRawFd;
use std::os::unix::thread::JoinHandleExt;
use std::ptr;
use std::sync::Once;

/// The thread on which a handler has run last in this execution, and how often one has.
static LAST: AtomicU64 = AtomicU64::new(0);
static TIMES: AtomicU64 = AtomicU64::new(0);

selvedge_std::thread_local! {
    static HERE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

extern "C" fn note(_: i32) {
    HERE.with(|here| here.set(here.get() + 1));
    LAST.store(me(), Ordering::Relaxed);
    TIMES.fetch_add(1, Ordering::SeqCst);
}

fn me() -> u64 {
    // SAFETY: Has no preconditions.
    unsafe { libc::pthread_self() }
}

/// A signal whose handler ends system calls.
fn ending_signal() -> i32 {
    libc::SIGRTMIN() + 1
}

/// A signal whose handler lets them start again.
fn restarting_signal() -> i32 {
    libc::SIGRTMIN() + 2
}

/// Executions of all tests of this file find the same handlers, and are the only ones that use what they
/// note for as long as the result lives.
fn install() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    static ONCE: Once = Once::new();
    let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    ONCE.call_once(|| {
        selvedge_libc::install();
        for (signal, flags) in [(ending_signal(), 0), (restarting_signal(), libc::SA_RESTART)] {
            handle(signal, flags, note);
        }
    });
    alone
}

fn handle(signal: i32, flags: i32, handler: extern "C" fn(i32)) {
    // SAFETY: The handlers use atomics and thread-locals without a destructor only; the structure lives
    // as long as the call.
    unsafe {
        let mut action = mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = flags;
        assert_eq!(libc::sigaction(signal, &raw const action, ptr::null_mut()), 0);
    }
}

/// Begins an execution.
fn begin() {
    LAST.store(0, Ordering::Relaxed);
    TIMES.store(0, Ordering::Relaxed);
}

fn kill<T>(thread: &JoinHandle<T>, signal: i32) {
    // SAFETY: The thread has not been joined.
    assert_eq!(unsafe { libc::pthread_kill(thread.as_pthread_t(), signal) }, 0);
}

/// Sends a signal until the thread has ended, as those do who can not know whether it waits already.
fn kill_until_done<T>(thread: JoinHandle<T>, signal: i32) -> T {
    while !thread.is_finished() {
        kill(&thread, signal);
        thread::yield_now();
    }
    thread.join().unwrap()
}

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap()
}

#[test]
fn each_thread_has_an_identity_of_its_own() {
    let _alone = install();
    passes(|| {
        let one = thread::spawn(me);
        let two = thread::spawn(me);
        let known = (one.as_pthread_t(), two.as_pthread_t());
        let told = (one.join().unwrap(), two.join().unwrap());
        assert_eq!(known, told);
        // SAFETY: Has no preconditions.
        assert!(unsafe { libc::pthread_equal(told.0, told.1) } == 0);
        assert!(told.0 != me() && told.1 != me());
    });
    assert_ne!(std::thread::spawn(me).join().unwrap(), me());
}

#[test]
fn what_the_c_library_knows_of_a_thread_can_be_asked() {
    let _alone = install();
    passes(|| {
        let other = thread::spawn(|| {
            // SAFETY: The structures live as long as the calls.
            unsafe {
                let mut attributes = mem::zeroed::<libc::pthread_attr_t>();
                assert_eq!(libc::pthread_getattr_np(me(), &raw mut attributes), 0);
                libc::pthread_attr_destroy(&raw mut attributes);
                let mut name = [0; 16];
                assert_eq!(libc::pthread_getname_np(me(), name.as_mut_ptr(), name.len()), 0);
                let mut clock = 0;
                assert_eq!(libc::pthread_getcpuclockid(me(), &raw mut clock), 0);
                let mut set = mem::zeroed::<libc::cpu_set_t>();
                assert_eq!(libc::pthread_getaffinity_np(me(), size_of_val(&set), &raw mut set), 0);
                assert_eq!(libc::pthread_cancel(me()), libc::ENOSYS);
            }
        });
        // SAFETY: The thread is joined once.
        unsafe {
            assert_eq!(libc::pthread_join(other.into_pthread_t(), ptr::null_mut()), 0);
            assert_eq!(libc::pthread_join(me(), ptr::null_mut()), libc::EDEADLK);
        }
    });
}

#[test]
fn an_identity_means_nobody_outside_of_its_execution() {
    let _alone = install();
    let identity = std::sync::Mutex::new(0);
    passes(|| {
        *identity.lock().unwrap() = thread::spawn(me).join().unwrap();
        // SAFETY: The identity is none of the C library's.
        let elsewhere = unsafe { libc::pthread_kill(me() & 0xffff | 0x5e1f_ed6e_0000_0000, 0) };
        assert_eq!(elsewhere, libc::ESRCH);
    });
    let identity = identity.into_inner().unwrap();
    // SAFETY: As above.
    unsafe {
        assert_eq!(libc::pthread_kill(identity, ending_signal()), libc::ESRCH);
        assert_eq!(libc::pthread_detach(identity), libc::ESRCH);
    }
}

#[test]
fn a_read_is_interrupted_on_the_thread_that_the_signal_is_for() {
    let _alone = install();
    passes(|| {
        begin();
        let (mut input, output) = pipe().unwrap();
        let other = thread::spawn(move || {
            let error = input.read(&mut [0]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Interrupted);
            assert_eq!(LAST.load(Ordering::Relaxed), me());
            HERE.with(std::cell::Cell::get)
        });
        let times = kill_until_done(other, ending_signal());
        assert!(times > 0 && HERE.with(std::cell::Cell::get) == 0);
        drop(output);
    });
}

#[test]
fn a_read_starts_again_if_the_handler_is_to_let_it() {
    let _alone = install();
    passes(|| {
        begin();
        let (mut input, mut output) = pipe().unwrap();
        let other = thread::spawn(move || {
            let mut byte = [0];
            assert_eq!(input.read(&mut byte).unwrap(), 1);
            byte[0]
        });
        kill(&other, restarting_signal());
        kill(&other, restarting_signal());
        output.write_all(&[7]).unwrap();
        assert_eq!(other.join().unwrap(), 7);
        assert_eq!(TIMES.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn what_is_there_is_read_although_a_signal_comes() {
    let _alone = install();
    let read = results(|| {
        begin();
        let (mut input, mut output) = pipe().unwrap();
        let other = thread::spawn(move || (input.read(&mut [0]).ok(), input));
        let writer = thread::spawn(move || output.write_all(&[7]).unwrap());
        kill(&other, ending_signal());
        writer.join().unwrap();
        other.join().unwrap().0
    });
    assert_eq!(read.into_iter().collect::<Vec<_>>(), [None, Some(1)]);
}

/// A call that is not done before a signal has come.
type Call = fn(i32) -> i64;

/// Those that fail whatever the handler is like.
const NEVER_AGAIN: [(&str, Call); 3] = [
    ("poll", |file| {
        let mut file = libc::pollfd { fd: file, events: libc::POLLIN, revents: 0 };
        // SAFETY: The file lives as long as the call.
        unsafe { libc::poll(&raw mut file, 1, -1) }.into()
    }),
    ("select", |file| {
        // SAFETY: The set lives as long as the calls.
        unsafe {
            let mut set = mem::zeroed::<libc::fd_set>();
            libc::FD_SET(file, &raw mut set);
            let (none, endless) = (ptr::null_mut(), ptr::null_mut());
            libc::select(file + 1, &raw mut set, none, none, endless).into()
        }
    }),
    ("epoll_wait", |_| {
        // SAFETY: The structures live as long as the calls, and there is one event.
        unsafe {
            let group = libc::epoll_create1(0);
            let mut event = mem::zeroed::<libc::epoll_event>();
            let result = libc::epoll_wait(group, &raw mut event, 1, -1);
            let reason = errno();
            libc::close(group);
            *libc::__errno_location() = reason;
            result.into()
        }
    }),
];

/// As above, and they end by themselves.
const SLEEPS: [(&str, Call); 2] = [
    ("nanosleep", |_| {
        let mut time = libc::timespec { tv_sec: 3600, tv_nsec: 0 };
        // SAFETY: The time lives as long as the call.
        let result = unsafe { libc::nanosleep(&raw const time, &raw mut time) };
        assert!((3500..=3600).contains(&time.tv_sec), "{} s are left", time.tv_sec);
        result.into()
    }),
    ("clock_nanosleep", |_| {
        let time = libc::timespec { tv_sec: 3600, tv_nsec: 0 };
        let clock = libc::CLOCK_MONOTONIC;
        // SAFETY: The time lives as long as the call.
        let error = unsafe { libc::clock_nanosleep(clock, 0, &raw const time, ptr::null_mut()) };
        // SAFETY: The C library hands out the address of the calling thread's own variable.
        unsafe { *libc::__errno_location() = error };
        if error == 0 { 0 } else { -1 }
    }),
];

/// Those that fail unless the handler lets them start again.
const IF_ASKED: [(&str, Call); 3] = [
    ("accept", |_| {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        // SAFETY: Nobody wants to know the address.
        unsafe { libc::accept(listener.as_raw_fd(), ptr::null_mut(), ptr::null_mut()) }.into()
    }),
    ("write", |_| {
        let (input, output) = pipe().unwrap();
        let full = [0u8; 1 << 20];
        loop {
            // SAFETY: The bytes live as long as the call.
            let written =
                unsafe { libc::write(output.as_raw_fd(), full.as_ptr().cast(), full.len()) };
            if written < 0 {
                drop(input);
                return -1;
            }
        }
    }),
    ("sem_wait", |_| {
        // SAFETY: The semaphore lives as long as the calls.
        unsafe {
            let mut semaphore = mem::zeroed::<libc::sem_t>();
            libc::sem_init(&raw mut semaphore, 0, 0);
            libc::sem_wait(&raw mut semaphore).into()
        }
    }),
];

/// One of those, which may also end for no reason.
const FUTEX: [(&str, Call); 1] = [("futex", |_| {
    let word = 0u32;
    let (wait, none) = (libc::FUTEX_WAIT, ptr::null::<libc::timespec>());
    // SAFETY: The word lives as long as the call.
    unsafe { libc::syscall(libc::SYS_futex, &raw const word, wait, 0, none, 0, 0) }
})];

/// Whatever comes of a call on a thread to which a signal is sent again and again.
fn outcomes(call: Call, signal: i32) -> Vec<(i64, i32)> {
    let outcomes = results(move || {
        begin();
        let (input, output) = pipe().unwrap();
        let other = thread::spawn(move || {
            let result = call(input.as_raw_fd());
            (result, if result < 0 { errno() } else { 0 })
        });
        let outcome = kill_until_done(other, signal);
        drop(output);
        outcome
    });
    outcomes.into_iter().collect()
}

const INTERRUPTED: (i64, i32) = (-1, libc::EINTR);
/// A sleep may also come to its end, as if everybody else were slow, and a wait for no reason.
const DONE: (i64, i32) = (0, 0);

#[test]
fn waiting_calls_fail_when_a_signal_has_come() {
    let _alone = install();
    for (name, call) in NEVER_AGAIN.into_iter().chain(IF_ASKED) {
        assert_eq!(outcomes(call, ending_signal()), [INTERRUPTED], "{name}");
    }
    for (name, call) in SLEEPS.into_iter().chain(FUTEX) {
        assert_eq!(outcomes(call, ending_signal()), [INTERRUPTED, DONE], "{name}");
    }
}

#[test]
fn some_calls_fail_whatever_the_handler_is_like() {
    let _alone = install();
    for (name, call) in NEVER_AGAIN {
        assert_eq!(outcomes(call, restarting_signal()), [INTERRUPTED], "{name}");
    }
    for (name, call) in SLEEPS {
        assert_eq!(outcomes(call, restarting_signal()), [INTERRUPTED, DONE], "{name}");
    }
}

#[test]
fn a_wait_for_a_child_is_interrupted() {
    let _alone = install();
    passes(|| {
        begin();
        let (input, output) = pipe().unwrap();
        let mut child = std::process::Command::new("cat").stdin(input).spawn().unwrap();
        let process = child.id() as i32;
        let other = thread::spawn(move || {
            // SAFETY: Nobody wants to know the status.
            let result = unsafe { libc::waitpid(process, ptr::null_mut(), 0) };
            assert_eq!((result, errno()), (-1, libc::EINTR));
        });
        kill_until_done(other, ending_signal());
        drop(output);
        assert!(child.wait().unwrap().success());
    });
}

/// The handler runs on a thread that waits for a lock, which has nothing to do with the kernel here.
#[test]
fn a_handler_runs_while_its_thread_waits_for_a_lock() {
    let _alone = install();
    passes(|| {
        begin();
        let lock = Arc::new(Mutex::new(0));
        let guard = lock.lock().unwrap();
        let other = {
            let lock = lock.clone();
            thread::spawn(move || *lock.lock().unwrap() += 1)
        };
        kill(&other, ending_signal());
        // Whoever waits for the handler with the lock in hand comes to an end.
        while TIMES.load(Ordering::SeqCst) == 0 && !other.is_finished() {
            thread::yield_now();
        }
        drop(guard);
        other.join().unwrap();
        assert_eq!(*lock.lock().unwrap(), 1);
    });
}

#[test]
fn a_handler_may_wake_its_own_thread() {
    let _alone = install();
    static SEMAPHORE: std::sync::atomic::AtomicPtr<libc::sem_t> =
        std::sync::atomic::AtomicPtr::new(ptr::null_mut());
    extern "C" fn post(_: i32) {
        // SAFETY: The semaphore is there for as long as the signal is sent.
        unsafe { libc::sem_post(SEMAPHORE.load(Ordering::SeqCst)) };
    }
    let signal = libc::SIGRTMIN() + 3;
    handle(signal, libc::SA_RESTART, post);
    passes(|| {
        // SAFETY: All zeroes are a value of it.
        let semaphore = Box::leak(Box::new(unsafe { mem::zeroed::<libc::sem_t>() }));
        SEMAPHORE.store(semaphore, Ordering::SeqCst);
        // SAFETY: The semaphore is never freed.
        unsafe { libc::sem_init(semaphore, 0, 0) };
        // SAFETY: As above.
        let other = thread::spawn(|| unsafe { libc::sem_wait(SEMAPHORE.load(Ordering::SeqCst)) });
        kill(&other, signal);
        assert_eq!(other.join().unwrap(), 0);
    });
}

#[test]
fn a_blocked_signal_waits_for_its_thread_and_not_for_another() {
    let _alone = install();
    passes(|| {
        begin();
        let (ready, go) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let other = {
            let (ready, go) = (ready.clone(), go.clone());
            thread::spawn(move || {
                mask(libc::SIG_BLOCK, ending_signal());
                ready.store(true, Ordering::SeqCst);
                while !go.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                assert_eq!(TIMES.load(Ordering::SeqCst), 0);
                mask(libc::SIG_UNBLOCK, ending_signal());
                assert_eq!(TIMES.load(Ordering::SeqCst), 1);
                assert_eq!(LAST.load(Ordering::SeqCst), me());
            })
        };
        while !ready.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        kill(&other, ending_signal());
        assert_eq!(TIMES.load(Ordering::SeqCst), 0);
        go.store(true, Ordering::SeqCst);
        other.join().unwrap();
    });
}

#[test]
fn what_one_thread_blocks_reaches_another() {
    let _alone = install();
    passes(|| {
        begin();
        mask(libc::SIG_BLOCK, restarting_signal());
        let other = thread::spawn(|| {
            assert!(is_blocked(restarting_signal()), "a thread begins with what its parent blocks");
            mask(libc::SIG_UNBLOCK, restarting_signal());
            // SAFETY: Has no preconditions.
            assert_eq!(unsafe { libc::raise(restarting_signal()) }, 0);
            assert_eq!((TIMES.load(Ordering::SeqCst), LAST.load(Ordering::SeqCst)), (1, me()));
        });
        other.join().unwrap();
        assert!(is_blocked(restarting_signal()));
        assert!(!is_blocked(ending_signal()));
    });
}

fn mask(how: i32, signal: i32) {
    // SAFETY: The set lives as long as the calls.
    unsafe {
        let mut set = mem::zeroed::<libc::sigset_t>();
        libc::sigaddset(&raw mut set, signal);
        assert_eq!(libc::pthread_sigmask(how, &raw const set, ptr::null_mut()), 0);
    }
}

fn is_blocked(signal: i32) -> bool {
    // SAFETY: The set lives as long as the calls.
    unsafe {
        let mut set = mem::zeroed::<libc::sigset_t>();
        assert_eq!(libc::pthread_sigmask(0, ptr::null(), &raw mut set), 0);
        libc::sigismember(&raw const set, signal) == 1
    }
}

#[test]
fn a_value_comes_with_its_signal() {
    let _alone = install();
    static VALUE: AtomicU64 = AtomicU64::new(0);
    extern "C" fn keep(_: i32, info: *const libc::siginfo_t, _: *mut std::ffi::c_void) {
        // SAFETY: The kernel hands out the facts about the signal, which was sent with a value.
        VALUE.store(unsafe { (*info).si_value().sival_ptr } as u64, Ordering::SeqCst);
    }
    let signal = libc::SIGRTMIN() + 4;
    // SAFETY: The handler uses an atomic only; the structure lives as long as the call.
    unsafe {
        let mut action = mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = keep as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        assert_eq!(libc::sigaction(signal, &raw const action, ptr::null_mut()), 0);
    }
    passes(|| {
        VALUE.store(0, Ordering::SeqCst);
        let other = thread::spawn(|| ());
        let value = libc::sigval { sival_ptr: 42 as *mut _ };
        // SAFETY: The thread has not been joined.
        let sent = unsafe { libc::pthread_sigqueue(other.as_pthread_t(), signal, value) };
        assert_eq!(sent, 0);
        other.join().unwrap();
        assert!([0, 42].contains(&VALUE.load(Ordering::SeqCst)));
    });
}

/// A handler that waits for somebody can not be run, and that is no fault of the test.
#[test]
fn an_execution_whose_handler_waits_is_given_up() {
    let _alone = install();
    extern "C" fn wait(_: i32) {
        // SAFETY: Has no preconditions.
        unsafe { libc::sleep(1) };
    }
    let signal = libc::SIGRTMIN() + 5;
    handle(signal, 0, wait);
    let endings = endings(settings(), || {
        let (mut input, output) = pipe().unwrap();
        let other = thread::spawn(move || input.read(&mut [0]).is_ok());
        kill(&other, signal);
        drop(output);
        other.join().unwrap();
    });
    assert!(endings.contains(&Ending::GivenUp));
    assert!(endings.iter().all(|ending| matches!(ending, Ending::Passed | Ending::GivenUp)));
}

#[test]
fn a_thread_that_reads_signals_gets_one() {
    let _alone = install();
    passes(|| {
        begin();
        mask(libc::SIG_BLOCK, ending_signal());
        let other = thread::spawn(|| {
            // SAFETY: The set and the number live as long as the calls.
            unsafe {
                let mut set = mem::zeroed::<libc::sigset_t>();
                libc::sigaddset(&raw mut set, ending_signal());
                let mut signal = 0;
                assert_eq!(libc::sigwait(&raw const set, &raw mut signal), 0);
                assert_eq!(signal, ending_signal());
                // There is no other.
                let (none, minute) = (ptr::null_mut(), libc::timespec { tv_sec: 60, tv_nsec: 0 });
                let again = libc::sigtimedwait(&raw const set, none, &raw const minute);
                assert_eq!((again, errno()), (-1, libc::EAGAIN));
            }
        });
        kill(&other, ending_signal());
        other.join().unwrap();
        assert_eq!(TIMES.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn a_thread_that_waits_for_a_handler_goes_on_after_it() {
    let _alone = install();
    passes(|| {
        begin();
        mask(libc::SIG_BLOCK, restarting_signal());
        let other = thread::spawn(|| {
            // So that the signal can also come when the thread is about to wait.
            thread::yield_now();
            // SAFETY: The set lives as long as the call.
            unsafe {
                let none = mem::zeroed::<libc::sigset_t>();
                assert_eq!((libc::sigsuspend(&raw const none), errno()), (-1, libc::EINTR));
            }
            assert!(is_blocked(restarting_signal()));
            assert_eq!((TIMES.load(Ordering::SeqCst), LAST.load(Ordering::SeqCst)), (1, me()));
        });
        thread::yield_now();
        kill(&other, restarting_signal());
        other.join().unwrap();
    });
}
