//! Which plain accesses to memory observers are told of.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod run;

use run::config;
use selvedge_engine::heap::Caller;
use selvedge_engine::memory::{Touch, touch};
use selvedge_engine::{Ending, Engine, Settings, Statics, Watch};
use selvedge_model::{
    Access, AccessKind, AccessMode, Config, Event, FindingKind, Moment, Observer, Toggle, Variable,
};
use selvedge_std::thread;
use std::sync::Arc;

/// Keeps the sizes of accesses, by which the tests here tell them apart.
#[derive(Default)]
struct Sizes(Vec<usize>);

impl Observer for Sizes {
    fn wants_events(&self) -> bool {
        false
    }

    fn event(&mut self, _event: &Event, _moment: &Moment<'_>) {}

    fn access(&mut self, access: &Access, _moment: &Moment<'_>) {
        if let Variable::Memory { size, .. } = access.variable {
            self.0.push(size);
        }
    }
}

/// What instrumented code says before it writes so many bytes.
fn write(bytes: *mut [u8], size: usize) {
    let address = bytes.cast::<u8>() as usize;
    let (kind, mode) = (AccessKind::Write, AccessMode::Plain);
    let caller = Caller { return_address: write as *const () as usize, frame: 0 };
    touch(Touch { kind, mode, address, size }, caller);
}

/// The sizes of the accesses that an execution tells of, and what it finds.
fn told(every_access: Toggle, test: &(dyn Fn() + Sync)) -> (Vec<usize>, Option<FindingKind>) {
    selvedge_libc::install();
    let config = Config { races: Toggle::On, ..config() };
    let settings = Settings { statics: Statics::Leave, every_access, ..Settings::new(&config) };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = selvedge_strategy::of_config(&config);
    let mut sizes = Sizes::default();
    strategy.begin();
    let outcome = engine.run(test, strategy.as_mut(), Some(&mut sizes));
    let finding = outcome.finding();
    assert_eq!(finding.is_none(), *outcome.ending() == Ending::Passed);
    (sizes.0, finding)
}

/// Writes before another thread has been started, and after.
fn before_and_after() {
    let mut bytes = vec![0_u8; 64].into_boxed_slice();
    write(&mut *bytes, 3);
    thread::spawn(|| ()).join().unwrap();
    write(&mut *bytes, 5);
}

#[test]
fn what_a_thread_does_before_there_are_others_is_not_told_since_it_can_not_race() {
    let (sizes, finding) = told(Toggle::Off, &before_and_after);
    assert_eq!((sizes.contains(&3), sizes.contains(&5)), (false, true), "{sizes:?}");
    assert_eq!(finding, None);
}

#[test]
fn who_wants_all_accesses_is_told_of_those_as_well() {
    let (sizes, finding) = told(Toggle::On, &before_and_after);
    assert_eq!((sizes.contains(&3), sizes.contains(&5)), (true, true), "{sizes:?}");
    assert_eq!(finding, None);
}

#[test]
fn an_access_to_freed_memory_is_found_also_before_there_are_others() {
    let (_, finding) = told(Toggle::Off, &|| {
        let bytes = Box::into_raw(vec![0_u8; 64].into_boxed_slice());
        // SAFETY: It comes from `into_raw`, and what is done to it later is only said, not done.
        drop(unsafe { Box::from_raw(bytes) });
        write(bytes, 3);
    });
    assert!(matches!(finding, Some(FindingKind::UseAfterFree { .. })), "{finding:?}");
}
