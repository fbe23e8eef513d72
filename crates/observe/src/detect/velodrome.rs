//! Marked blocks that did not happen as if in one go.
//!
//! Source: Flanagan, Freund and Yi, *Velodrome: a sound and complete dynamic atomicity checker for
//! multithreaded programs* (PLDI 2008).
//!
//! Each marked block is a transaction, and so is each single operation outside of blocks. A
//! transaction comes before another one if an operation of it does: in the same thread, on the same
//! lock or variable if one of the two changes it, by spawn and join, by a message. A circle says that
//! no order of whole transactions is equal to what happened. Transactions that nothing comes before
//! any more and that are over can be in no circle and are forgotten.
//!
//! Deviations: (1) transactions are the blocks that are marked with `selvedge::atomically`; (2) what
//! a wait was for counts as coming before it, whatever it was.
//!
//! May miss: nothing that happened, as far as accesses are seen. Never reports a block that was
//! serialisable, as far as locks, atomics and reported data are all that threads share.

use super::scene::Scene;
use super::uses::Use;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Act, Confidence, DetectorName, Effect, Event, Link, ObjectId, Operation, OperationKind,
    Record, Role, ThreadId, Treatment, Trouble, ValueUse, Variable, Warning,
};
use std::collections::BTreeMap;

/// A transaction takes about so many bytes, with its edges and what it did last to a variable.
const EACH: usize = 4 << 10;

/// A transaction, by its number.
type Id = u64;

#[derive(Default)]
struct Node {
    /// How the block began; nothing for a single operation.
    block: Option<(ThreadId, Operation)>,
    ended: bool,
    before: u32,
    /// Those that come after it, and what the two did that makes it so.
    after: BTreeMap<Id, [Role; 2]>,
}

/// Looks for circles of transactions.
#[derive(Default)]
pub(super) struct Velodrome {
    nodes: BTreeMap<Id, Node>,
    next: Id,
    /// The transaction that a thread is in, or was in last, and how deep.
    current: FxHashMap<ThreadId, (Id, u32)>,
    /// What was done last to each variable or lock: the writer, and the readers since.
    writes: FxHashMap<Variable, (Id, Role)>,
    reads: FxHashMap<Variable, Vec<(Id, Role)>>,
    /// The transactions of events that others may have waited for.
    events: FxHashMap<(ThreadId, u32), (Id, Role)>,
    told: Vec<Suspicion>,
}

impl Velodrome {
    fn new_node(
        &mut self,
        thread: ThreadId,
        block: Option<(ThreadId, Operation)>,
        role: &Role,
    ) -> Id {
        let id = self.next;
        self.next += 1;
        self.nodes.insert(id, Node { block, ..Node::default() });
        if let Some((before, _)) = self.current.insert(thread, (id, 0)) {
            self.edge(before, role.clone(), id, role.clone());
        }
        id
    }

    /// The transaction that the event belongs to. One outside of blocks is over at once.
    fn transaction(&mut self, thread: ThreadId, role: &Role) -> Id {
        match self.current.get(&thread) {
            Some(&(id, 1..)) => id,
            _ => {
                let id = self.new_node(thread, None, role);
                if let Some(node) = self.nodes.get_mut(&id) {
                    node.ended = true;
                }
                id
            }
        }
    }

    /// One transaction comes before another one.
    fn edge(&mut self, from: Id, did: Role, to: Id, does: Role) {
        if from == to || !self.nodes.contains_key(&from) || !self.nodes.contains_key(&to) {
            return;
        }
        if let Some(path) = self.path(to, from) {
            self.tell(&path, [did, does]);
            return;
        }
        let node = self.nodes.get_mut(&from).expect("looked up above");
        if let std::collections::btree_map::Entry::Vacant(entry) = node.after.entry(to) {
            entry.insert([did, does]);
            self.nodes.get_mut(&to).expect("looked up above").before += 1;
        }
    }

    /// A way from one transaction to another.
    fn path(&self, from: Id, to: Id) -> Option<Vec<Id>> {
        let mut stack = vec![vec![from]];
        let mut seen = std::collections::BTreeSet::from([from]);
        while let Some(path) = stack.pop() {
            let last = *path.last()?;
            if last == to {
                return Some(path);
            }
            for &next in self.nodes.get(&last)?.after.keys() {
                if seen.insert(next) {
                    let mut longer = path.clone();
                    longer.push(next);
                    stack.push(longer);
                }
            }
        }
        None
    }

    /// The path goes from a transaction to one that has just come before it.
    fn tell(&mut self, path: &[Id], last: [Role; 2]) {
        let mut witness = Vec::new();
        for pair in path.windows(2) {
            let Some([did, does]) = self.nodes.get(&pair[0]).and_then(|n| n.after.get(&pair[1]))
            else {
                continue;
            };
            for role in [did, does] {
                if witness.last() != Some(role) {
                    witness.push(role.clone());
                }
            }
        }
        for role in last {
            if witness.last() != Some(&role) {
                witness.push(role);
            }
        }
        let blocks = path.iter().filter_map(|id| self.nodes.get(id)?.block);
        let Some((_, block)) = blocks.into_iter().next() else { return };
        self.told.push(Suspicion {
            warning: Warning {
                kind: Trouble::AtomicityViolation,
                detector: DetectorName::Velodrome,
                summary: format!(
                    "what happened is no order of whole blocks (the block at {})",
                    block.site
                ),
                witness,
                confidence: Confidence::Happened,
                treatment: Treatment::Untried,
            },
            steering: None,
            certainty: Certainty::Told,
        });
    }

    fn uses(&mut self, id: Id, variable: Variable, how: ValueUse, role: &Role) {
        if let Some((writer, did)) = self.writes.get(&variable).cloned() {
            self.edge(writer, did, id, role.clone());
        }
        if how.writes() {
            for (reader, did) in self.reads.remove(&variable).unwrap_or_default() {
                self.edge(reader, did, id, role.clone());
            }
            self.writes.insert(variable, (id, role.clone()));
        } else {
            let readers = self.reads.entry(variable).or_default();
            readers.retain(|(reader, _)| *reader != id);
            readers.push((id, role.clone()));
        }
    }

    /// Forgets transactions that can be in no circle any more.
    fn collect(&mut self) {
        loop {
            let current: Vec<Id> = self.nodes.keys().copied().collect();
            let gone: Vec<Id> = current
                .into_iter()
                .filter(|id| self.nodes.get(id).is_some_and(|n| n.ended && n.before == 0))
                .collect();
            if gone.is_empty() {
                return;
            }
            for id in gone {
                let Some(node) = self.nodes.remove(&id) else { continue };
                for after in node.after.keys() {
                    if let Some(after) = self.nodes.get_mut(after) {
                        after.before -= 1;
                    }
                }
            }
        }
    }
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(Velodrome::default())
}

impl Detector for Velodrome {
    fn begin(&mut self) {
        self.nodes.clear();
        self.current.clear();
        self.writes.clear();
        self.reads.clear();
        self.events.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let names = scene.names();
        let thread = event.thread;
        match event.operation.kind {
            OperationKind::BlockEnter => {
                if let Some((_, depth @ 1..)) = self.current.get_mut(&thread) {
                    *depth += 1;
                    return;
                }
                let role = names.role(thread, "begins a block", event.operation);
                let id = self.new_node(thread, Some((thread, event.operation)), &role);
                self.current.insert(thread, (id, 1));
                return;
            }
            OperationKind::BlockLeave => {
                if let Some((id, depth @ 1..)) = self.current.get_mut(&thread) {
                    *depth -= 1;
                    if *depth == 0
                        && let Some(node) = self.nodes.get_mut(id)
                    {
                        node.ended = true;
                    }
                }
                self.collect();
                return;
            }
            _ => {}
        }
        let (used, act) = (Use::of_event(event), Act::from(event));
        let does = match (&used, event.operation.kind) {
            (Some(used), _) => used.does().to_owned(),
            (None, kind) => kind.name().to_owned(),
        };
        let role = names.role(thread, &does, event.operation);
        let id = self.transaction(thread, &role);
        if let Some(used) = used {
            self.uses(id, used.variable, used.how, &role);
        } else if let Some((lock, _)) = act.gives_back().or(act.takes()) {
            self.uses(id, Variable::Data(lock), ValueUse::Updates, &role);
        }
        if let Some(cause) = scene.cause
            && let Some((before, did)) = self.events.get(&(cause.thread, cause.time)).cloned()
        {
            self.edge(before, did, id, role.clone());
        }
        if let (Effect::Thread(child), Link::Starts) = (event.effect, event.meaning().link) {
            self.current.entry(child).or_insert((id, 0));
        }
        self.events.insert((thread, scene.now.time), (id, role));
        if self.nodes.len() > 64 {
            self.collect();
        }
    }

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        let used = Use::of_access(access);
        let role = used.role(used.does(), &scene.names());
        let id = self.transaction(used.thread, &role);
        let variable = match used.variable {
            // The lock of that number is another thing than what is behind it.
            Variable::Data(ObjectId(n)) => Variable::Memory { address: n as usize, size: 0 },
            memory @ Variable::Memory { .. } => memory,
        };
        self.uses(id, variable, used.how, &role);
    }

    fn weight(&self) -> usize {
        (self.nodes.len() + self.writes.len() + self.reads.len()) / 2 * EACH
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        std::mem::take(&mut self.told)
    }
}
