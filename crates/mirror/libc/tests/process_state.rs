//! What an execution does to its process is not seen by the next one.
//!
//! One test, because nobody else may use the process meanwhile.
#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

mod run;

use run::{config, executions};
use selvedge_campaign::{Watched, watched};
use selvedge_engine::{Ending, Settings};
use selvedge_model::{Config, Forked, Learned, Report};
use selvedge_std::thread;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, fs, io, mem, ptr};

#[test]
fn executions_begin_with_the_same_process() {
    folder();
    umask();
    variables();
    signals();
    limits();
    timers();
    standard_streams();
    left_files();
    children();
    what_can_not_be_put_back();
    nothing_is_touched_outside();
}

/// Runs the test some times; every execution must pass.
fn passes(test: &(dyn Fn() + Sync)) {
    executions(Settings::new(&config()), &config(), 5, test, |outcome| {
        assert_eq!(*outcome.ending(), Ending::Passed, "{:?}", outcome.finding());
    });
}

fn folder() {
    let here = env::current_dir().unwrap();
    passes(&|| {
        assert_eq!(env::current_dir().unwrap(), here);
        env::set_current_dir("/").unwrap();
        env::set_current_dir("/proc").unwrap();
    });
    passes(&|| {
        assert_eq!(env::current_dir().unwrap(), here);
        // SAFETY: The path is a string.
        unsafe { libc::syscall(libc::SYS_chdir, c"/".as_ptr()) };
        assert_eq!(env::current_dir().unwrap().as_os_str(), "/");
    });
    assert_eq!(env::current_dir().unwrap(), here);
}

fn umask() {
    passes(&|| {
        // SAFETY: Has no preconditions.
        unsafe {
            let before = libc::umask(0o123);
            assert_ne!(before, 0o123);
            assert_eq!(libc::umask(0o123), 0o123);
        }
    });
}

fn variables() {
    // SAFETY: There is no other thread that looks at the environment.
    unsafe { env::set_var("SELVEDGE_TEST_KEPT", "before") };
    let all: Vec<_> = env::vars_os().collect();
    passes(&|| {
        assert_eq!(env::vars_os().collect::<Vec<_>>(), all);
        // SAFETY: As above; the string is never freed.
        unsafe {
            env::set_var("SELVEDGE_TEST_NEW", "1");
            env::set_var("SELVEDGE_TEST_KEPT", "after, and longer than it was before");
            env::remove_var("PATH");
            for number in 0..200 {
                env::set_var(format!("SELVEDGE_TEST_{number}"), "x".repeat(number));
            }
            libc::putenv(mem::ManuallyDrop::new(*b"SELVEDGE_TEST_PUT=1\0").as_mut_ptr().cast());
            libc::putenv(Box::leak(Box::new(*b"SELVEDGE_TEST_PUT=2\0")).as_mut_ptr().cast());
        }
        assert_eq!(env::var("SELVEDGE_TEST_KEPT").unwrap(), "after, and longer than it was before");
    });
    // SAFETY: As above.
    passes(&|| unsafe {
        assert_eq!(env::vars_os().collect::<Vec<_>>(), all);
        libc::clearenv();
        env::set_var("SELVEDGE_TEST_NEW", "1");
    });
    assert_eq!(env::vars_os().collect::<Vec<_>>(), all);
}

fn action(signal: i32) -> usize {
    // SAFETY: The structure lives as long as the call.
    unsafe {
        let mut action = mem::zeroed::<libc::sigaction>();
        assert_eq!(libc::sigaction(signal, ptr::null(), &raw mut action), 0);
        action.sa_sigaction
    }
}

fn signals() {
    extern "C" fn handler(_: i32) {}
    passes(&|| {
        assert_eq!(action(libc::SIGUSR1), libc::SIG_DFL);
        assert_eq!(action(libc::SIGUSR2), libc::SIG_DFL);
        // SAFETY: The handler does nothing; the structures live as long as the calls.
        unsafe {
            libc::signal(libc::SIGUSR1, handler as *const () as usize);
            let mut new = mem::zeroed::<libc::sigaction>();
            new.sa_sigaction = handler as *const () as usize;
            libc::sigaction(libc::SIGUSR2, &raw const new, ptr::null_mut());
            libc::raise(libc::SIGUSR1);
        }
    });
    // What is blocked and comes is not delivered to whoever comes next: it would be the end.
    passes(&|| {
        // SAFETY: The sets live as long as the calls.
        unsafe {
            let mut set = mem::zeroed::<libc::sigset_t>();
            libc::pthread_sigmask(libc::SIG_SETMASK, ptr::null(), &raw mut set);
            assert_eq!(libc::sigismember(&raw const set, libc::SIGUSR1), 0);
            libc::sigaddset(&raw mut set, libc::SIGUSR1);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const set, ptr::null_mut());
            libc::raise(libc::SIGUSR1);
        }
    });
}

fn limits() {
    passes(&|| {
        // SAFETY: The structure lives as long as the calls.
        unsafe {
            let mut limit = mem::zeroed::<libc::rlimit>();
            libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit);
            let soft = limit.rlim_cur;
            limit.rlim_cur = if soft == 17 { panic!("what the last one left") } else { 17 };
            limit.rlim_max = limit.rlim_max.max(17);
            assert_eq!(libc::setrlimit(libc::RLIMIT_CORE, &raw const limit), 0);
        }
    });
}

fn timers() {
    passes(&|| {
        // SAFETY: The structures live as long as the calls; the timer raises nothing.
        unsafe {
            assert_eq!(libc::alarm(1_000), 0);
            let mut event = mem::zeroed::<libc::sigevent>();
            event.sigev_notify = libc::SIGEV_NONE;
            let mut timer = ptr::null_mut();
            let (clock, event, timer) = (libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer);
            assert_eq!(libc::timer_create(clock, event, timer), 0);
            // The kernel numbers them from 0, and what it is counted from grows with those that are left.
            assert_eq!(
                fs::read_to_string("/proc/self/timers").unwrap().matches("ClockID:").count(),
                1
            );
        }
    });
}

fn standard_streams() {
    let input = fs::read_link("/proc/self/fd/0").unwrap();
    passes(&|| {
        assert_eq!(fs::read_link("/proc/self/fd/0").unwrap(), input);
        // SAFETY: Nobody reads from the standard input.
        unsafe {
            assert_eq!(libc::close(0), 0);
            let other = OwnedFd::from(fs::File::open("/proc/self/status").unwrap());
            assert_eq!(other.as_raw_fd(), 0, "the lowest number that is free");
        }
    });
    passes(&|| {
        assert_eq!(fs::read_link("/proc/self/fd/0").unwrap(), input);
        let other = fs::File::open("/proc/self/status").unwrap();
        // SAFETY: As above.
        unsafe { assert_eq!(libc::dup2(other.as_raw_fd(), 0), 0) };
    });
    assert_eq!(fs::read_link("/proc/self/fd/0").unwrap(), input);
}

fn left_files() {
    let (first, second) = io::pipe().unwrap();
    drop(second);
    let number = first.as_raw_fd();
    drop(first);
    passes(&|| {
        let file = fs::File::open("/proc/self/status").unwrap();
        assert!(file.as_raw_fd() <= number, "numbers of files are used up: {file:?}");
        mem::forget(file);
        // SAFETY: Nobody else owns the copy.
        mem::forget(unsafe { OwnedFd::from_raw_fd(libc::dup(1)) });
        // Folders are closed by the C library itself.
        assert!(fs::read_dir("/proc/self").unwrap().count() > 0);
    });
}

fn children() {
    passes(&|| {
        let children = fs::read_to_string("/proc/thread-self/children").unwrap();
        assert_eq!(children.trim(), "");
        let child = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
        assert!(Command::new("true").status().unwrap().success());
        mem::forget(child);
    });
}

/// Explores the test.
fn explored(test: impl Fn() + Send + Sync + 'static) -> Report {
    selvedge_libc::install();
    let watched_test = Watched {
        config: Config { executions: 5, ..config() },
        metrics: Vec::new(),
        name: "test".to_owned(),
        known: Learned::default(),
        on_progress: &mut |_| {},
    };
    watched(watched_test, Arc::new(test)).unwrap().report
}

fn two_threads() {
    let threads = [0, 1].map(|_| thread::spawn(thread::yield_now));
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn what_can_not_be_put_back() {
    // SAFETY: Has no preconditions.
    let session = unsafe { libc::getsid(0) };
    let report = explored(move || {
        two_threads();
        // SAFETY: Have no preconditions.
        unsafe {
            assert_eq!(libc::getsid(0), session, "the session of the last execution");
            assert!(libc::setsid() > 0);
        }
    });
    assert_eq!(report.finding, None);
    assert_eq!(report.conditions.forked, Some(Forked::Process));
    assert_eq!(report.executions, 5);
    // A file that was there before may be the one by which this process is told what to do.
    let (reader, _writer) = io::pipe().unwrap();
    let number = reader.as_raw_fd();
    let report = explored(move || {
        two_threads();
        // SAFETY: The file is not used afterwards in the process that closes it.
        assert_eq!(unsafe { libc::close(number) }, 0);
    });
    assert_eq!(report.finding, None);
    assert_eq!(report.conditions.forked, Some(Forked::Process));
}

/// Ordinary threads do what they like.
fn nothing_is_touched_outside() {
    // SAFETY: Has no preconditions.
    unsafe {
        let before = libc::umask(0o27);
        assert_eq!(libc::umask(before), 0o27);
    }
    passes(&|| {});
}
