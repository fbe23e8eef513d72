//! Variables that are used together here and apart there.
//!
//! Source: Artho, Havelund and Biere, *High-level data races* (STVR 2003).
//!
//! A view is the set of variables that a thread uses while it holds a lock. What one thread uses
//! together in a view that no other view of it contains (a maximal view) another one should use in
//! views that contain each other as far as they concern these variables. If it has two that do not,
//! it uses in parts what belongs together.
//!
//! Deviations: views of one lock are compared with each other only, and of one execution.
//!
//! May miss: variables that belong together and are never used together. May falsely report:
//! variables that are used together by chance.

use super::scene::{Names, Scene};
use super::uses::Use;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Act, Confidence, DetectorName, Event, ObjectId, Record, Role, ThreadId, Treatment,
    Trouble, Variable, Warning,
};
use std::collections::{BTreeMap, BTreeSet};

type View = BTreeSet<Variable>;

/// A view, with the first use of each of its variables.
type Used = (View, Vec<Use>);

/// At most so many views of a thread and a lock are kept.
const MOST: usize = 256;

/// Compares views.
#[derive(Default)]
pub(super) struct ViewConsistency {
    /// The views of the sections that threads are in, with their first uses.
    open: FxHashMap<(ThreadId, ObjectId), Used>,
    /// The views of each lock and thread.
    views: BTreeMap<ObjectId, BTreeMap<ThreadId, Vec<Used>>>,
}

impl ViewConsistency {
    fn uses(&mut self, now: Use, scene: &Scene<'_>) {
        if matches!(now.variable, Variable::Memory { .. }) {
            return;
        }
        for lock in scene.held.by(now.thread) {
            // What is behind the lock itself is in every view.
            if now.variable == Variable::Data(lock.object) {
                continue;
            }
            let (view, uses) = self.open.entry((now.thread, lock.object)).or_default();
            if view.insert(now.variable) {
                uses.push(now);
            }
        }
    }

    fn close(&mut self, thread: ThreadId, lock: ObjectId) {
        let Some(view) = self.open.remove(&(thread, lock)) else { return };
        let views = self.views.entry(lock).or_default().entry(thread).or_default();
        if views.len() < MOST && !views.iter().any(|(known, _)| *known == view.0) {
            views.push(view);
        }
    }
}

/// Two views of which neither contains the other, as far as they concern the given one.
fn apart<'a>(maximal: &View, views: &'a [Used]) -> Option<(&'a Used, &'a Used)> {
    let part = |view: &View| -> View { view.intersection(maximal).copied().collect() };
    for (index, one) in views.iter().enumerate() {
        for two in &views[index + 1..] {
            let (a, b) = (part(&one.0), part(&two.0));
            if !a.is_subset(&b) && !b.is_subset(&a) {
                return Some((one, two));
            }
        }
    }
    None
}

fn roles(does: &str, uses: &[Use], common: &View, names: &Names<'_>) -> Vec<Role> {
    let uses = uses.iter().filter(|used| common.contains(&used.variable));
    uses.map(|used| used.role(&format!("{does} {}", used.does()), names)).collect()
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(ViewConsistency::default())
}

impl Detector for ViewConsistency {
    fn begin(&mut self) {
        self.open.clear();
        self.views.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        if let Some(used) = Use::of_event(event) {
            self.uses(used, scene);
        }
        if let Some((lock, _)) = Act::from(event).gives_back() {
            self.close(event.thread, lock);
        }
    }

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        self.uses(Use::of_access(access), scene);
    }

    fn end(&mut self, record: &Record<'_>) -> Vec<Suspicion> {
        let names = Names { threads: record.threads, objects: record.objects };
        let mut told = Vec::new();
        for threads in self.views.values() {
            for (thread, views) in threads {
                let others = || threads.iter().filter(|(other, _)| *other != thread);
                for (view, uses) in views {
                    if views.iter().any(|(other, _)| other != view && view.is_subset(other)) {
                        continue;
                    }
                    for (_, theirs) in others() {
                        let Some((one, two)) = apart(view, theirs) else { continue };
                        let mut witness = roles("together", uses, view, &names);
                        witness.extend(roles("apart", &one.1, view, &names));
                        witness.extend(roles("apart", &two.1, view, &names));
                        told.push(Suspicion {
                            warning: Warning {
                                kind: Trouble::AtomicityViolation,
                                detector: DetectorName::Views,
                                summary: "variables are used together here and apart there, \
                                          under the same lock"
                                    .to_owned(),
                                witness,
                                confidence: Confidence::Predicted,
                                treatment: Treatment::Untried,
                            },
                            steering: None,
                            certainty: Certainty::Told,
                        });
                    }
                }
            }
        }
        told
    }
}
