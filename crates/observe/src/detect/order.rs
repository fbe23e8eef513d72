//! Order violations: what came first although it never does, or could have.
//!
//! Sources: Yu and Narayanasamy, *A case for an interleaving constrained shared-memory
//! multi-processor* (ISCA 2009), for the sets of predecessors; Zhang, Sun and Lu, *ConMem* (ASPLOS
//! 2010), for uses before initialisation.
//!
//! - *PSet*: for each use of a variable, the uses by other threads that came right before it while
//!   executions passed. If an execution fails in which another one came before, that is told.
//! - *Use before initialisation*: a thread looked at a `OnceLock` and found it filled by another
//!   thread, and nothing but that says that it had to be. Told only if it can be brought about.
//!
//! Deviations: (1) passing executions train until one fails, and only failing ones are checked; (2) a
//! use must have been seen [`TRAINED`] times; (3) two reads in a row are no order; (4) of the patterns
//! of ConMem only the use before initialisation, of `OnceLock`.
//!
//! May miss: orders that also occur without harm. May falsely report: an unusual order that has
//! nothing to do with the failure.

use super::scene::{Names, Scene};
use super::uses::{Use, origin};
use super::{Certainty, Detector, Suspicion, Verdict};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Confidence, DetectorName, Event, Hold, Instant, Link, LockAction, ObjectId, Record,
    Site, Spot, Steering, Stop, Treatment, Trouble, Variable, Warning,
};
use std::collections::{BTreeMap, BTreeSet};

/// A use must have been seen so often while executions passed.
const TRAINED: u64 = 10;
/// At most so many violations of one execution are told, those before the failure.
const MOST: usize = 3;

/// A use of variables of one origin.
type At = (Option<Site>, Spot);

/// Learns what comes before what.
#[derive(Default)]
pub(super) struct Order {
    seen: BTreeMap<At, u64>,
    allowed: BTreeSet<(At, Spot)>,
    /// The last use of each variable.
    last: FxHashMap<Variable, Use>,
    now: Vec<At>,
    unusual: Vec<(At, [Use; 2])>,
    judged: Vec<((At, Spot), Suspicion)>,
    /// How each initialisation began, and when it was done.
    initialised: FxHashMap<ObjectId, (Event, Option<Instant>)>,
    told: Vec<Suspicion>,
}

impl Order {
    fn uses(&mut self, now: Use, scene: &Scene<'_>) {
        if matches!(now.variable, Variable::Memory { .. }) {
            return;
        }
        let at = (origin(now.variable, scene), now.spot);
        self.now.push(at);
        if let Some(last) = self.last.insert(now.variable, now)
            && last.thread != now.thread
            && (last.how.writes() || now.how.writes())
            && !self.allowed.contains(&(at, last.spot))
        {
            self.unusual.push((at, [last, now]));
        }
    }

    /// A thread has found a value that another one has put there.
    fn found(&mut self, event: &Event, scene: &Scene<'_>) {
        let Some((call, Some(done))) = self.initialised.get(&event.operation.object) else {
            return;
        };
        // Something else has told the thread before that it is there.
        if scene.before.of(done.thread) >= done.time {
            return;
        }
        let names = scene.names();
        let stop = |of: &Event| Stop {
            thread: names.thread(of.thread).path,
            kind: of.operation.kind,
            at: of.operation.site.source(),
            holding: Vec::new(),
        };
        self.told.push(Suspicion {
            warning: Warning {
                kind: Trouble::OrderViolation,
                detector: DetectorName::Order,
                summary: "a value can be looked at before it is there".to_owned(),
                witness: vec![
                    names.role(event.thread, "looks at", event.operation),
                    names.role(call.thread, "only then initialises", call.operation),
                ],
                confidence: Confidence::Predicted,
                treatment: Treatment::Untried,
            },
            steering: Some(Steering { hold: vec![stop(call)], until: vec![stop(event)] }),
            certainty: Certainty::OnlyIfConfirmed,
        });
    }
}

fn suspicion([before, now]: &[Use; 2], names: &Names<'_>) -> Suspicion {
    Suspicion {
        warning: Warning {
            kind: Trouble::OrderViolation,
            detector: DetectorName::Order,
            summary: "the failing execution has an order that no passing one had".to_owned(),
            witness: vec![
                before.role(&format!("first {}", before.does()), names),
                now.role(&format!("then {}", now.does()), names),
            ],
            confidence: Confidence::Happened,
            treatment: Treatment::Untried,
        },
        steering: None,
        certainty: Certainty::Told,
    }
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(Order::default())
}

impl Detector for Order {
    fn begin(&mut self) {
        self.last.clear();
        self.now.clear();
        self.unusual.clear();
        self.judged.clear();
        self.initialised.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        if let Some(used) = Use::of_event(event) {
            self.uses(used, scene);
        }
        let object = event.operation.object;
        match (event.meaning().lock, event.meaning().link) {
            (LockAction::Takes(Hold::Initialising), _) => {
                self.initialised.insert(object, (*event, None));
            }
            (LockAction::GivesBack(Hold::Initialising), _) => {
                if let Some((_, done)) = self.initialised.get_mut(&object) {
                    *done = Some(scene.now);
                }
            }
            (_, Link::AfterInitialisation) if event.operation.kind.only_looks() => {
                self.found(event, scene);
            }
            _ => {}
        }
    }

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        self.uses(Use::of_access(access), scene);
    }

    fn end(&mut self, record: &Record<'_>) -> Vec<Suspicion> {
        let names = Names { threads: record.threads, objects: record.objects };
        let judged =
            self.unusual.iter().map(|(at, uses)| ((*at, uses[0].spot), suspicion(uses, &names)));
        self.judged = judged.collect();
        std::mem::take(&mut self.told)
    }

    fn judged(&mut self, verdict: Verdict) -> Vec<Suspicion> {
        let judged = std::mem::take(&mut self.judged);
        match verdict {
            Verdict::Passed => {
                self.now.drain(..).for_each(|at| *self.seen.entry(at).or_default() += 1);
                self.allowed.extend(judged.into_iter().map(|(key, _)| key));
                Vec::new()
            }
            Verdict::Failed => {
                let trained = |at: &At| self.seen.get(at).is_some_and(|n| *n >= TRAINED);
                let told = judged.into_iter().rev().filter(|((at, _), _)| trained(at));
                told.map(|(_, suspicion)| suspicion).take(MOST).collect()
            }
        }
    }
}
