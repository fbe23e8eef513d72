//! Waiting for any child. Alone in its process, since it takes all children for its own.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::settings;
use selvedge_engine::{Ending, Engine};
use selvedge_strategy::Random;
use std::sync::Arc;

#[test]
fn whoever_waits_for_any_child_gets_one() {
    selvedge_libc::install();
    let mut engine = Engine::new(settings(), Arc::default());
    let test = || {
        // SAFETY: The child does nothing but leave.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: Has no preconditions.
            unsafe {
                libc::usleep(1_000);
                libc::_exit(3);
            }
        }
        let mut status = 0;
        // SAFETY: The status lives as long as the call.
        assert_eq!(unsafe { libc::waitpid(-1, &raw mut status, 0) }, child);
        assert_eq!(libc::WEXITSTATUS(status), 3);
        // SAFETY: As above.
        assert_eq!(unsafe { libc::wait(&raw mut status) }, -1);
    };
    let outcome = engine.run(&test, &mut Random::new(7), None);
    assert_eq!(*outcome.ending(), Ending::Passed);
}
