//! Goldilocks: who may access a variable now, by locksets that grow as order is passed on.
//!
//! Source: T. Elmas, S. Qadeer, S. Tasiran, *Goldilocks: Efficiently Computing the Happens-Before
//! Relation Using Locksets* (2006/2007); states as in Z. Letko's thesis (2012), section 5.6.
//!
//! Deviations: (1) reads and writes are kept apart, so that two reads are no race. (2) Locksets are
//! computed when they are needed, from the edges since the earlier access, and only until the
//! accessing thread is in. (3) Two short circuits: the same thread, and a lock that was held then
//! and is held now, by one of both exclusively. (4) An access that meets several earlier ones
//! counts as the hardest of them, and the first of those that are equally hard.
//!
//! May miss nothing that the edges of [`edges`](super::edges) tell apart. Falsely reports what is
//! ordered by fences alone.

use super::edges::{Edge, Edges, Element};
use super::held::{HeldLock, HeldLocks};
use crate::coverage::{Fact, Hold, Mode, SiteNumber};
use rustc_hash::FxHashMap;

/// How an access was found to be ordered after an earlier one, from the cheapest proof to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The earlier access was the same thread's, or there was none.
    SameThread,
    /// A lock that was held then is held now.
    CommonLock,
    /// The lockset has the thread in it.
    Lockset,
    /// It has not: nothing orders the two.
    Race,
}

impl State {
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

/// What an access came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How hard it was to find out.
    pub state: State,
    /// What decided: the thread or the lock of a short circuit, or the computed lockset.
    pub owners: Vec<Owner>,
    /// Where the earlier access was, if there was one.
    pub earlier: Option<SiteNumber>,
}

/// An access that later ones must be ordered after.
struct Earlier {
    thread: u32,
    site: SiteNumber,
    held: Vec<HeldLock>,
    /// How many edges there were.
    position: usize,
}

#[derive(Default)]
struct Variable {
    write: Option<Earlier>,
    /// Those since the last write, one for each thread.
    reads: Vec<Earlier>,
}

/// All variables of an execution.
#[derive(Default)]
pub struct Goldilocks {
    edges: Edges,
    held: HeldLocks,
    log: Vec<(u32, Edge)>,
    variables: FxHashMap<u32, Variable>,
}

impl Goldilocks {
    /// A new execution begins.
    pub fn begin(&mut self) {
        self.edges.begin();
        self.held.clear();
        self.log.clear();
        self.variables.clear();
    }

    /// Follows the execution; says what came of an access to plain data.
    pub fn see(&mut self, fact: &Fact) -> Option<Verdict> {
        let Some(mode) = fact.plain_access() else {
            self.held.see(fact);
            let (log, thread) = (&mut self.log, fact.thread);
            self.edges.of(fact, |edge| match edge {
                Edge::Leave(Element::Signal(_)) | Edge::Take(Element::Signal(_)) => {}
                edge => log.push((thread, edge)),
            });
            return None;
        };
        let held = self.held.of(fact.thread);
        let variable = self.variables.entry(fact.object).or_default();
        let reads = if mode == Mode::Read { &[][..] } else { &variable.reads[..] };
        let mut verdict = Verdict {
            state: State::SameThread,
            owners: vec![Owner::Thread(fact.thread)],
            earlier: None,
        };
        for earlier in variable.write.iter().chain(reads) {
            let (state, owners) = judge(&self.log, earlier, fact.thread, held);
            if verdict.earlier.is_none() || state > verdict.state {
                verdict = Verdict { state, owners, earlier: Some(earlier.site) };
            }
        }
        let (thread, site) = (fact.thread, fact.site);
        let now = Earlier { thread, site, held: held.to_vec(), position: self.log.len() };
        match mode {
            Mode::Read => {
                variable.reads.retain(|read| read.thread != thread);
                variable.reads.push(now);
            }
            Mode::Write | Mode::Update => {
                variable.reads.clear();
                variable.write = Some(now);
            }
        }
        Some(verdict)
    }
}

/// How an access of `thread`, with these locks in hand, is ordered after an earlier one.
fn judge(
    log: &[(u32, Edge)],
    earlier: &Earlier,
    thread: u32,
    held: &[HeldLock],
) -> (State, Vec<Owner>) {
    if earlier.thread == thread {
        return (State::SameThread, vec![Owner::Thread(thread)]);
    }
    let common = earlier.held.iter().find(|then| {
        held.iter().any(|now| {
            now.lock == then.lock && (now.hold == Hold::Exclusive || then.hold == Hold::Exclusive)
        })
    });
    if let Some(common) = common {
        return (State::CommonLock, vec![Owner::Element(Element::Lock(common.lock))]);
    }
    let mut owners = vec![Owner::Thread(earlier.thread)];
    for &(actor, edge) in &log[earlier.position..] {
        let acts = owners.contains(&Owner::Thread(actor));
        match edge {
            Edge::Leave(element) | Edge::End(element) => {
                owners.retain(|owner| *owner != Owner::Element(element));
                if acts && edge == Edge::Leave(element) {
                    owners.push(Owner::Element(element));
                }
            }
            Edge::Join(element) if acts => add(&mut owners, Owner::Element(element)),
            Edge::Take(element) if owners.contains(&Owner::Element(element)) => {
                add(&mut owners, Owner::Thread(actor));
            }
            Edge::Start(child) if acts => add(&mut owners, Owner::Thread(child)),
            Edge::Await(child) if owners.contains(&Owner::Thread(child)) => {
                add(&mut owners, Owner::Thread(actor));
            }
            _ => {}
        }
        if owners.contains(&Owner::Thread(thread)) {
            return (State::Lockset, owners);
        }
    }
    (State::Race, owners)
}

fn add(owners: &mut Vec<Owner>, owner: Owner) {
    if !owners.contains(&owner) {
        owners.push(owner);
    }
}
