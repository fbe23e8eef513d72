//! Goldilocks: who may access a variable now, by locksets that grow as order is passed on.
//!
//! Source: T. Elmas, S. Qadeer, S. Tasiran, *Goldilocks: Efficiently Computing the Happens-Before
//! Relation Using Locksets* (2006/2007); states as in Z. Letko's thesis (2012), section 5.6.
//!
//! Deviations: (1) reads and writes are kept apart, so that two reads are no race. (2) Locksets are
//! computed when they are needed, from the edges since the earlier access, and only until the
//! accessing thread is in. (3) Two short circuits: the same thread, and a lock that was held then
//! and is held now, by one of both exclusively. (4) An access that meets several earlier ones
//! counts as the hardest of them, and the first of those that are equally hard. (5) Atomic accesses
//! to memory need no order among themselves. (6) After a race the analysis goes on as if the two
//! accesses had been ordered.
//!
//! May miss nothing that [`Edges`] tells apart. Falsely reports what is
//! ordered by fences alone.

use crate::coverage::{Fact, SiteNumber};
use selvedge_model::{
    AccessKind, AccessMode, Edge, Edges, Element, HeldLock, HeldLocks, ObjectId, Relation, ThreadId,
};

/// How an access was found to be ordered after an earlier one, from the cheapest proof to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The earlier access was the same thread's, or there was none.
    SameThread,
    /// A lock that was held then is held now.
    CommonLock,
    /// The lockset has the thread in it.
    Lockset,
    /// It has not: nothing orders the two.
    Race,
}

impl Check {
    /// The names, in the order of the states.
    pub const NAMES: &'static [&'static str] = &["SCT", "SCL", "LS", "E"];
}

/// What may be in a lockset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// This thread may access the variable.
    Thread(u32),
    /// Whoever takes this may.
    Element(Element),
}

/// An access to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Who.
    pub thread: u32,
    /// Where.
    pub site: SiteNumber,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// Only plain accesses race with each other, and with all others.
    pub mode: AccessMode,
}

impl Visit {
    /// Whether the two need an order.
    fn conflicts(&self, other: &Self) -> bool {
        (self.kind == AccessKind::Write || other.kind == AccessKind::Write)
            && (self.mode == AccessMode::Plain || other.mode == AccessMode::Plain)
    }

    fn is_plain_write(&self) -> bool {
        (self.kind, self.mode) == (AccessKind::Write, AccessMode::Plain)
    }
}

/// What an access came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How hard it was to find out.
    pub state: Check,
    /// What decided: the thread or the lock of a short circuit, or the computed lockset.
    pub owners: Vec<Owner>,
    /// The earlier accesses that nothing orders before this one.
    pub races: Vec<Visit>,
}

/// An access that later ones must be ordered after.
#[derive(Clone, Debug)]
struct Earlier {
    visit: Visit,
    held: Vec<HeldLock<SiteNumber>>,
    /// How many edges there were.
    position: usize,
}

/// What is known of a variable: the last plain write, and what came after it, the last access of each
/// thread in each way.
#[derive(Clone, Debug, Default)]
pub struct Variable {
    earlier: Vec<Earlier>,
}

/// What the threads of an execution have passed on.
#[derive(Default)]
pub struct Goldilocks {
    edges: Edges,
    held: HeldLocks<SiteNumber>,
    log: Vec<(u32, Edge)>,
    counts: [u64; Check::NAMES.len()],
}

impl Goldilocks {
    /// A new execution begins.
    pub fn begin(&mut self) {
        self.edges.begin();
        self.held.clear();
        self.log.clear();
    }

    /// How many accesses were decided in each state, in all executions.
    pub fn counts(&self) -> [u64; Check::NAMES.len()] {
        self.counts
    }

    /// Follows an operation.
    pub fn see(&mut self, fact: &Fact) {
        fact.hold(&mut self.held);
        let (log, thread) = (&mut self.log, fact.thread);
        self.edges.of(&fact.act(), Relation::HappensBefore, |edge| match edge {
            Edge::Join(Element::Signal(_)) | Edge::Take(Element::Signal(_)) => {}
            Edge::Glimpse(_) | Edge::JoinFenced(_) | Edge::Fence(_) => {}
            edge => log.push((thread, edge)),
        });
    }

    /// A thread accesses an atomic of which it is not known how that orders anything: as strong as
    /// it could be.
    pub fn pass(&mut self, thread: u32, atomic: u32, kind: AccessKind) {
        let element = Element::Atomic(ObjectId(atomic), 0);
        self.log.push((thread, Edge::Take(element)));
        if kind == AccessKind::Write {
            self.log.push((thread, Edge::Join(element)));
        }
    }

    /// Says what comes of an access to a variable.
    pub fn access(&mut self, variable: &mut Variable, visit: Visit) -> Verdict {
        let held = self.held.by(ThreadId(visit.thread));
        let owners = vec![Owner::Thread(visit.thread)];
        let mut verdict = Verdict { state: Check::SameThread, owners, races: Vec::new() };
        let mut first = true;
        for earlier in variable.earlier.iter().filter(|earlier| earlier.visit.conflicts(&visit)) {
            let (state, owners) = judge(&self.log, earlier, visit.thread, held);
            if std::mem::take(&mut first) || state > verdict.state {
                (verdict.state, verdict.owners) = (state, owners);
            }
            if state == Check::Race {
                verdict.races.push(earlier.visit);
            }
        }
        self.counts[verdict.state as usize] += 1;
        let now = Earlier { visit, held: held.to_vec(), position: self.log.len() };
        if visit.is_plain_write() {
            variable.earlier.clear();
        } else {
            let Visit { thread, kind, mode, .. } = visit;
            variable.earlier.retain(|earlier| {
                let Visit { thread: by, kind: its, mode: way, .. } = earlier.visit;
                earlier.visit.is_plain_write() || (by, its, way) != (thread, kind, mode)
            });
        }
        variable.earlier.push(now);
        verdict
    }
}

/// How an access of `thread`, with these locks in hand, is ordered after an earlier one.
fn judge(
    log: &[(u32, Edge)],
    earlier: &Earlier,
    thread: u32,
    held: &[HeldLock<SiteNumber>],
) -> (Check, Vec<Owner>) {
    if earlier.visit.thread == thread {
        return (Check::SameThread, vec![Owner::Thread(thread)]);
    }
    let common = earlier.held.iter().find(|then| {
        held.iter().any(|now| now.object == then.object && now.hold.excludes(then.hold))
    });
    if let Some(common) = common {
        return (Check::CommonLock, vec![Owner::Element(Element::Lock(common.object))]);
    }
    let mut owners = vec![Owner::Thread(earlier.visit.thread)];
    for &(actor, edge) in &log[earlier.position..] {
        let acts = owners.contains(&Owner::Thread(actor));
        match edge {
            Edge::Leave(element) | Edge::LeaveFenced(element) | Edge::Forget(element) => {
                owners.retain(|owner| *owner != Owner::Element(element));
                if acts && edge == Edge::Leave(element) {
                    owners.push(Owner::Element(element));
                }
            }
            Edge::Carry(from, to) if owners.contains(&Owner::Element(from)) => {
                add(&mut owners, Owner::Element(to));
            }
            Edge::Join(element) if acts => add(&mut owners, Owner::Element(element)),
            Edge::Take(element) if owners.contains(&Owner::Element(element)) => {
                add(&mut owners, Owner::Thread(actor));
            }
            Edge::Start(child) if acts => add(&mut owners, Owner::Thread(child.0)),
            _ => {}
        }
        if owners.contains(&Owner::Thread(thread)) {
            return (Check::Lockset, owners);
        }
    }
    (Check::Race, owners)
}

fn add(owners: &mut Vec<Owner>, owner: Owner) {
    if !owners.contains(&owner) {
        owners.push(owner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(thread: u32, kind: AccessKind) -> Visit {
        Visit { thread, site: thread, kind, mode: AccessMode::Plain }
    }

    #[test]
    fn proofs_are_counted_by_how_hard_they_were() {
        let (mut goldilocks, mut variable) = (Goldilocks::default(), Variable::default());
        let mut state = |goldilocks: &mut Goldilocks, thread, kind| {
            goldilocks.access(&mut variable, visit(thread, kind)).state
        };
        assert_eq!(state(&mut goldilocks, 1, AccessKind::Write), Check::SameThread);
        assert_eq!(state(&mut goldilocks, 1, AccessKind::Read), Check::SameThread);
        goldilocks.pass(1, 7, AccessKind::Write);
        goldilocks.pass(2, 7, AccessKind::Read);
        assert_eq!(state(&mut goldilocks, 2, AccessKind::Write), Check::Lockset);
        assert_eq!(state(&mut goldilocks, 3, AccessKind::Read), Check::Race);
        assert_eq!(goldilocks.counts(), [2, 0, 1, 1]);
    }
}
