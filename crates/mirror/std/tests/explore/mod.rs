//! Runs every interleaving of a small test.

use selvedge_engine::{Ending, Engine, Settings, Usage, Watch};
use selvedge_model::{Config, Fault, Pick, Progress, Rate, Strategy, ThreadId, Toggle, View};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// More interleavings than any of the tests has.
const MANY: usize = 50_000;

/// Takes every decision in every way, depth first.
#[derive(Default)]
struct Everything {
    /// The decisions of the execution: what was chosen out of how many.
    path: Vec<(usize, usize)>,
    taken: usize,
}

impl Everything {
    fn choose(&mut self, choices: usize) -> usize {
        if self.taken == self.path.len() {
            self.path.push((0, choices));
        }
        let (chosen, before) = self.path[self.taken];
        assert_eq!(choices, before, "the test is not deterministic");
        self.taken += 1;
        chosen
    }

    /// Changes the last decision that can be changed.
    fn next(&mut self) -> Progress {
        self.taken = 0;
        while let Some((chosen, choices)) = self.path.pop() {
            if chosen + 1 < choices {
                self.path.push((chosen + 1, choices));
                return Progress::Continue;
            }
        }
        Progress::Exhausted
    }
}

impl Strategy for Everything {
    fn name(&self) -> String {
        "everything".to_owned()
    }

    fn begin(&mut self) -> Progress {
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        let enabled: Vec<_> = view.enabled.iter().collect();
        enabled[self.choose(enabled.len())]
    }

    fn pick(&mut self, _: &View<'_>, _: Pick<'_>, of: usize) -> usize {
        self.choose(of)
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, _: Rate) -> bool {
        self.choose(2) == 1
    }

    fn export(&self) -> Vec<u8> {
        unreachable!("its executions run in this process")
    }

    fn import(&mut self, _: &[u8]) {
        unreachable!("its executions run in this process")
    }
}

/// What came of running a test in every way.
pub(crate) struct Explored {
    /// Everything that the test can say, or how it can end otherwise.
    pub(crate) outcomes: BTreeSet<String>,
    /// How many ways there are.
    pub(crate) interleavings: usize,
}

/// Runs a test in every way.
pub(crate) fn explore(test: impl Fn() -> String + Sync) -> Explored {
    let config = Config { spurious: Rate::Off, clocks: Toggle::On, ..Config::default() };
    let settings = Settings { sharing: Usage::StopAlways, ..Settings::new(&config) };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut everything = Everything::default();
    let mut outcomes = BTreeSet::new();
    for interleavings in 1..=MANY {
        let said = Mutex::new(String::new());
        let body = || {
            let text = test();
            *said.lock().unwrap() = text;
        };
        let ending = engine.run(&body, &mut everything, None).ending().clone();
        outcomes.insert(match ending {
            Ending::Passed => said.into_inner().unwrap(),
            other => format!("{other:?}"),
        });
        if everything.next() == Progress::Exhausted {
            return Explored { outcomes, interleavings };
        }
    }
    panic!("the test has too many interleavings");
}

/// Checks everything that the test can say, and counts in how many ways it does so.
#[track_caller]
pub(crate) fn check<const N: usize>(
    expected: [&str; N],
    test: impl Fn() -> String + Sync,
) -> usize {
    let Explored { outcomes, interleavings } = explore(test);
    assert_eq!(outcomes, expected.map(str::to_owned).into());
    interleavings
}
