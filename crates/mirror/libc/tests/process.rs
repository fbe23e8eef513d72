//! Threads, processes and processors behind the mirror's back, inside an execution and outside.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::{passes, settings};
use selvedge_engine::{Ending, Engine, Settings};
use selvedge_strategy::Random;
use std::sync::Arc;

fn processors() -> (i64, i32) {
    // SAFETY: The set lives as long as the calls.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let size = size_of::<libc::cpu_set_t>();
        assert_eq!(libc::sched_getaffinity(0, size, &raw mut set), 0);
        (libc::sysconf(libc::_SC_NPROCESSORS_ONLN), libc::CPU_COUNT(&set))
    }
}

#[test]
fn there_are_as_many_processors_as_the_settings_say() {
    selvedge_libc::install();
    let mut engine = Engine::new(Settings { parallelism: 11, ..settings() }, Arc::default());
    let test = || assert_eq!(processors(), (11, 11));
    let ending = engine.run(&test, &mut Random::new(7), None).ending().clone();
    assert_eq!(ending, Ending::Passed);
}

#[test]
fn a_thread_that_is_not_under_control_is_noted() {
    selvedge_libc::install();
    let mut engine = Engine::new(settings(), Arc::default());
    let test = || {
        std::thread::yield_now();
        std::thread::spawn(|| assert!(selvedge_engine::Controlled::current().is_none()));
    };
    let outcome = engine.run(&test, &mut Random::new(7), None);
    let started = outcome.outside_threads();
    assert_eq!(started.len(), 1);
    assert_eq!(started[0].by.path, selvedge_model::ThreadPath::main());
    assert!(started[0].after.is_some());
    let outcome = engine.run(&|| (), &mut Random::new(7), None);
    assert_eq!(outcome.outside_threads(), []);
}

#[test]
fn a_child_is_not_under_control() {
    selvedge_libc::install();
    let mut engine = Engine::new(settings(), Arc::default());
    let test = || {
        // SAFETY: The child does nothing but look and leave.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let code = i32::from(selvedge_engine::Controlled::current().is_some());
            // SAFETY: Has no preconditions.
            unsafe { libc::_exit(code) };
        }
        let mut status = -1;
        // SAFETY: The status lives as long as the call.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0);
        assert!(selvedge_engine::Controlled::current().is_some());
    };
    let ending = engine.run(&test, &mut Random::new(7), None).ending().clone();
    assert_eq!(ending, Ending::Passed);
}

#[test]
fn outside_of_an_execution_the_processors_are_real() {
    selvedge_libc::install();
    let (online, allowed) = processors();
    assert!(online >= 1 && allowed >= 1);
    passes(|| assert_eq!(processors().0, settings().parallelism as i64));
    assert_eq!(processors(), (online, allowed));
}
