//! Groups of variables that are one thing in several parts.
//!
//! Source: Vaziri, Tip and Dolby, *Associating synchronization constraints with data in an
//! object-oriented language* (POPL 2006), and its dynamic check by Hammer, Dolby, Vaziri and Tip
//! (ICSE 2008): the problematic interleavings of two units of work on one or two variables of a set.
//!
//! Deviations: (1) sets are declared with `selvedge::belong_together`, units of work are the blocks
//! that are marked with `selvedge::atomically`; a use outside of blocks is a unit of its own; (2) the
//! last [`KEPT`] uses of a set are looked at instead of automata that run along.
//!
//! May miss: uses that lie further apart. Never reports an interleaving that did not happen; whether
//! it does harm depends on the program.

use super::scene::Scene;
use super::uses::Use;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Confidence, DetectorName, Effect, Event, ObjectId, OperationKind, Record, ThreadId,
    Treatment, Trouble, ValueUse, Variable, Warning,
};

/// So many uses of a set are kept.
const KEPT: usize = 64;

/// Looks for sets that are seen or changed in part.
#[derive(Default)]
pub(super) struct AtomicSets {
    /// Which set an object belongs to.
    set_of: FxHashMap<ObjectId, usize>,
    sets: Vec<Vec<(u64, Use)>>,
    /// The unit that each thread is in, and how deep.
    units: FxHashMap<ThreadId, (u64, u32)>,
    next_unit: u64,
    told: Vec<Suspicion>,
}

impl AtomicSets {
    fn uses(&mut self, now: Use, scene: &Scene<'_>) {
        let Variable::Data(object) = now.variable else { return };
        let Some(&set) = self.set_of.get(&object) else { return };
        let unit = match self.units.get(&now.thread) {
            Some(&(unit, 1..)) => unit,
            _ => {
                self.next_unit += 1;
                self.next_unit
            }
        };
        let uses = &mut self.sets[set];
        if let Some((name, witness)) = pattern(uses, unit, now) {
            let names = scene.names();
            let witness = witness.iter().map(|used| used.role(used.does(), &names)).collect();
            self.told.push(Suspicion {
                warning: Warning {
                    kind: Trouble::AtomicityViolation,
                    detector: DetectorName::AtomicSets,
                    summary: format!("what belongs together was interrupted ({name})"),
                    witness,
                    confidence: Confidence::Happened,
                    treatment: Treatment::Untried,
                },
                steering: None,
                certainty: Certainty::Told,
            });
        }
        if uses.len() == KEPT {
            uses.remove(0);
        }
        uses.push((unit, now));
    }
}

fn letter(how: ValueUse) -> char {
    if how.writes() { 'W' } else { 'R' }
}

/// The problematic interleaving that the use completes, if it does, by name.
fn pattern(uses: &[(u64, Use)], unit: u64, now: Use) -> Option<(String, Vec<Use>)> {
    let mine = uses.iter().enumerate().rev().filter(|(_, (other, _))| *other == unit);
    for (start, (_, first)) in mine {
        let between: Vec<_> =
            uses[start + 1..].iter().filter(|(other, _)| *other != unit).collect();
        let (a, c) = (first.how.writes(), now.how.writes());
        if first.variable == now.variable {
            let same = between.iter().find(|(_, b)| {
                let b_writes = b.how.writes();
                b.variable == now.variable
                    && matches!((a, b_writes, c), (_, true, _) | (true, false, true))
            });
            if let Some((_, b)) = same {
                let name = format!("{} {}' {}", letter(first.how), letter(b.how), letter(now.how));
                return Some((name, vec![*first, *b, now]));
            }
            continue;
        }
        // Another unit used both variables in between.
        for (index, (other, b)) in between.iter().enumerate() {
            let then = between[index + 1..].iter().find(|(unit, d)| {
                unit == other && d.variable != b.variable && d.how.writes() == b.how.writes()
            });
            let Some((_, d)) = then else { continue };
            let both = [b.variable, d.variable];
            let same_two = both.contains(&first.variable) && both.contains(&now.variable);
            let bad = matches!((a, b.how.writes(), c), (true, _, true) | (false, true, false));
            if same_two && bad {
                let (w, x) = (letter(first.how), letter(b.how));
                let order = if b.variable == first.variable { "1' 2'" } else { "2' 1'" };
                let name = format!("{w}1 {x}{} {x}{} {w}2", &order[..2], &order[3..]);
                return Some((name, vec![*first, *b, *d, now]));
            }
        }
    }
    None
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(AtomicSets::default())
}

impl Detector for AtomicSets {
    fn begin(&mut self) {
        self.set_of.clear();
        self.sets.clear();
        self.units.clear();
        self.next_unit = 0;
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        match (event.operation.kind, event.effect) {
            (OperationKind::Together, Effect::Read(number)) => {
                if number == 0 {
                    self.sets.push(Vec::new());
                }
                if let Some(last) = self.sets.len().checked_sub(1) {
                    self.set_of.insert(event.operation.object, last);
                }
            }
            (OperationKind::BlockEnter, _) => {
                let next = self.next_unit + 1;
                let (unit, depth) = self.units.entry(event.thread).or_insert((0, 0));
                *depth += 1;
                if *depth == 1 {
                    *unit = next;
                    self.next_unit = next;
                }
            }
            (OperationKind::BlockLeave, _) => {
                if let Some((_, depth)) = self.units.get_mut(&event.thread) {
                    *depth = depth.saturating_sub(1);
                }
            }
            _ => {
                if let Some(used) = Use::of_event(event) {
                    self.uses(used, scene);
                }
            }
        }
    }

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        self.uses(Use::of_access(access), scene);
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        std::mem::take(&mut self.told)
    }
}
