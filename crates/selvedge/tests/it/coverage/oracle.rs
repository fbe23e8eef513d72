//! The definitions of the metrics, applied by search over all pairs and triples of a trace.

use super::Text;
use super::trace::{Item, Trace, What};
use selvedge_model::OperationKind as Kind;
use selvedge_model::{AccessKind, Effect, MetricName, NamedObject, NamedThread, Operation};
use selvedge_model::{Place, ThreadId};
use std::collections::BTreeSet;

pub(super) struct Oracle<'a> {
    items: &'a [Item],
    trace: &'a Trace,
}

type Set = BTreeSet<Text>;

/// Whether an access reads and whether it writes.
type ReadsWrites = (bool, bool);

impl<'a> Oracle<'a> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        Self { items: &trace.items, trace }
    }

    pub(super) fn covers(&self, metric: MetricName) -> Set {
        match metric {
            MetricName::SyncPairs => self.sync_pairs(),
            MetricName::Avio => first(self.avio(), 3),
            MetricName::AvioStar => self.avio(),
            MetricName::HbPair => first(self.hb_pairs(), 3),
            MetricName::HbPairStar => self.hb_pairs(),
            MetricName::DuPairs => first(self.du_pairs(), 3),
            MetricName::DuPairsStar => self.du_pairs(),
            MetricName::ReadsFrom => self.reads_from(),
            MetricName::Eraser => first(self.eraser(), 3),
            MetricName::EraserStar => self.eraser(),
            MetricName::GoldiLock => first(self.goldilocks().0, 2),
            MetricName::GoldiLockStar => self.goldilocks().0,
            MetricName::GoldiLockSc => self.goldilocks().1,
            MetricName::GoodLock => first(self.good_lock(), 4),
            MetricName::GoodLockStar => self.good_lock(),
            MetricName::ConcurPairs => self.concur_pairs(),
            MetricName::Sync => self.sync(),
            MetricName::ConcurrentSites => self.concurrent_sites(),
            MetricName::NoisePairs => self.noise(),
            MetricName::Sites => self.items.iter().map(|item| vec![item.site.clone()]).collect(),
        }
    }

    // Names.

    fn thread(&self, thread: u32) -> String {
        let info = &self.trace.threads[thread as usize];
        let spawned = info.spawned.map(|site| site.source());
        let mark = spawned.is_some().then_some(info.key);
        NamedThread { spawned, mark }.to_string()
    }

    fn object(&self, object: u32) -> String {
        let origin = |index: usize| {
            let info = &self.trace.objects[index];
            (info.kind, info.created.unwrap_or(info.first))
        };
        let (kind, place) = origin(object as usize);
        let same = |&index: &usize| origin(index) == (kind, place);
        let number = (0..=object as usize).filter(same).count() as u32;
        let origin = Some(Place::Line(place.source()));
        NamedObject { kind: Some(kind), origin, number: Some(number) }.to_string()
    }

    fn set(members: impl IntoIterator<Item = String>) -> String {
        let members: BTreeSet<String> = members.into_iter().collect();
        format!("{{{}}}", members.into_iter().collect::<Vec<_>>().join(", "))
    }

    // What items are.

    fn takes(&self, at: usize) -> Option<(u32, bool)> {
        let event = self.items[at].event()?;
        let object = event.operation.object.0;
        let refused = event.effect == Effect::Refused;
        match event.operation.kind {
            Kind::CondvarWake | Kind::MutexLock | Kind::RwWrite => Some((object, true)),
            Kind::MutexTryLock | Kind::RwTryWrite if !refused => Some((object, true)),
            Kind::RwRead | Kind::RwDowngrade => Some((object, false)),
            Kind::RwTryRead if !refused => Some((object, false)),
            _ => None,
        }
    }

    fn gives(&self, at: usize) -> Option<(u32, bool)> {
        let event = self.items[at].event()?;
        let object = event.operation.object.0;
        match event.operation.kind {
            Kind::MutexUnlock | Kind::RwWriteUnlock | Kind::RwDowngrade => Some((object, true)),
            Kind::RwReadUnlock => Some((object, false)),
            Kind::CondvarWait => {
                // The mutex is the one that the thread takes back.
                let mut later = self.items[at + 1..].iter().filter_map(Item::event);
                let wake = later.find(|next| next.thread == event.thread)?;
                Some((wake.operation.object.0, true))
            }
            _ => None,
        }
    }

    fn plain(&self, at: usize) -> Option<(u32, bool)> {
        match self.items[at].what {
            What::Access(kind, object) => Some((object, kind == AccessKind::Write)),
            What::Event(_) => None,
        }
    }

    fn access(&self, at: usize) -> Option<(u32, ReadsWrites)> {
        if let Some((object, writes)) = self.plain(at) {
            return Some((object, (!writes, writes)));
        }
        let event = self.items[at].event()?;
        let refused = event.effect == Effect::Refused;
        let mode = match event.operation.kind {
            Kind::AtomicLoad => (true, false),
            Kind::AtomicStore => (false, true),
            Kind::AtomicRmw => (true, true),
            Kind::AtomicCas => (true, !matches!(event.effect, Effect::Kept(_))),
            Kind::Send => (false, true),
            Kind::TryReceive if !refused => (true, false),
            Kind::OnceDone => (false, true),
            Kind::OnceCall if refused => (true, false),
            Kind::OnceGet if !refused => (true, false),
            _ => return None,
        };
        Some((event.operation.object.0, mode))
    }

    /// The locks that a thread has right before an item, with how and where they were taken.
    fn held(&self, thread: u32, before: usize) -> Vec<(u32, bool, usize)> {
        let mut held = Vec::new();
        for at in 0..before {
            let Some((lock, exclusive)) = self.takes(at) else { continue };
            let given = |later: &usize| {
                self.items[*later].thread == thread && self.gives(*later) == Some((lock, exclusive))
            };
            if self.items[at].thread == thread && !(at + 1..before).any(|later| given(&later)) {
                held.push((lock, exclusive, at));
            }
        }
        held
    }

    fn last(&self, before: usize, is: impl Fn(usize) -> bool) -> Option<usize> {
        (0..before).rev().find(|&at| is(at))
    }

    fn site(&self, at: usize) -> String {
        self.items[at].site.clone()
    }

    // The metrics.

    fn sync_pairs(&self) -> Set {
        let mut set = Set::new();
        for j in 0..self.items.len() {
            for i in 0..j {
                let (Some((l, _)), Some((m, _))) = (self.takes(i), self.takes(j)) else { continue };
                let between =
                    (i + 1..j).any(|k| self.takes(k).is_some_and(|(other, _)| other == m));
                if l == m && !between {
                    set.insert(vec![self.site(i), self.site(j)]);
                }
            }
        }
        set
    }

    fn avio(&self) -> Set {
        let mut set = Set::new();
        let on = |at: usize, v: u32| self.access(at).is_some_and(|(object, _)| object == v);
        for j in 0..self.items.len() {
            let Some((v, _)) = self.access(j) else { continue };
            for i in 0..j {
                let t = self.items[j].thread;
                let mine = |at: usize| on(at, v) && self.items[at].thread == t;
                if !mine(i) || (i + 1..j).any(mine) {
                    continue;
                }
                let foreign = (i + 1..j).filter(|&k| on(k, v) && self.items[k].thread != t);
                if let Some(k) = foreign.max() {
                    set.insert(vec![
                        self.site(i),
                        self.site(j),
                        self.site(k),
                        self.object(v),
                        self.thread(t),
                        self.thread(self.items[k].thread),
                    ]);
                }
            }
        }
        set
    }

    /// The write that each read gets its value from.
    fn definitions(&self) -> Vec<(usize, Option<usize>)> {
        let mut pairs = Vec::new();
        let kind = |at: usize| self.items[at].event().map(|event| event.operation.kind);
        for j in 0..self.items.len() {
            let Some((v, (true, _))) = self.access(j) else { continue };
            let of_v = |at: &usize, wanted: fn(ReadsWrites) -> bool| {
                self.access(*at).is_some_and(|(object, mode)| object == v && wanted(mode))
            };
            let write = if kind(j) == Some(Kind::TryReceive) {
                // As many messages as were taken before lie before this one.
                let taken = (0..j).filter(|at| of_v(at, |(reads, _)| reads)).count();
                (0..j).filter(|at| of_v(at, |(_, writes)| writes)).nth(taken)
            } else {
                (0..j).rev().find(|at| of_v(at, |(_, writes)| writes))
            };
            pairs.push((j, write));
        }
        pairs
    }

    fn du_pairs(&self) -> Set {
        let pairs = self.definitions().into_iter().filter_map(|(read, write)| {
            let write = write?;
            let (v, _) = self.access(read)?;
            Some(vec![
                self.site(write),
                self.site(read),
                self.object(v),
                self.thread(self.items[write].thread),
                self.thread(self.items[read].thread),
            ])
        });
        pairs.collect()
    }

    fn reads_from(&self) -> Set {
        let text = |(read, write): (usize, Option<usize>)| {
            let from = write.map_or_else(|| "nothing".to_owned(), |write| self.site(write));
            vec![self.site(read), from]
        };
        self.definitions().into_iter().map(text).collect()
    }

    fn hb_pairs(&self) -> Set {
        let mut set = Set::new();
        let mut pair = |i: Option<usize>, j: usize, object: Option<u32>| {
            let Some(i) = i else { return };
            if self.items[i].thread != self.items[j].thread {
                set.insert(vec![
                    self.site(i),
                    self.site(j),
                    object.map_or_else(|| "nothing".to_owned(), |object| self.object(object)),
                    self.thread(self.items[i].thread),
                    self.thread(self.items[j].thread),
                ]);
            }
        };
        let is_inside = |at: usize| {
            let kind = self.items[at].event().map(|event| event.operation.kind);
            kind.is_some_and(|kind| !matches!(kind, Kind::ThreadStart | Kind::ThreadEnd))
        };
        for j in 0..self.items.len() {
            let Some(event) = self.items[j].event() else { continue };
            let object = event.operation.object.0;
            let of = |at: usize, kind: Kind| {
                let earlier = self.items[at].event();
                earlier.is_some_and(|e| e.operation.kind == kind && e.operation.object.0 == object)
            };
            if let Some((lock, exclusive)) = self.takes(j)
                && event.operation.kind != Kind::RwDowngrade
            {
                let given = self.last(j, |at| {
                    self.gives(at).is_some_and(|(l, how)| l == lock && (exclusive || how))
                });
                pair(given, j, Some(lock));
            }
            match event.operation.kind {
                Kind::AtomicLoad | Kind::AtomicRmw | Kind::AtomicCas if event.order.acquires() => {
                    pair(self.released(j, object), j, Some(object));
                }
                Kind::OnceCall => {
                    pair(self.last(j, |at| of(at, Kind::OnceDone)), j, Some(object));
                }
                Kind::OnceGet if event.effect == Effect::Done => {
                    pair(self.last(j, |at| of(at, Kind::OnceDone)), j, Some(object));
                }
                Kind::TryReceive => {
                    let definition = self.definitions().into_iter().find(|&(read, _)| read == j);
                    pair(definition.and_then(|(_, write)| write), j, Some(object));
                }
                Kind::Park if event.effect == Effect::Done => {
                    pair(self.last(j, |at| of(at, Kind::Unpark)), j, Some(object));
                }
                Kind::CondvarWake if event.effect == Effect::Done => {
                    let mine =
                        |at: usize| self.items[at].event().filter(|e| e.thread == event.thread);
                    let wait = self.last(j, |at| {
                        mine(at).is_some_and(|e| e.operation.kind == Kind::CondvarWait)
                    });
                    let condvar = wait.and_then(&mine).unwrap().operation.object;
                    let woke = self.last(j, |at| {
                        self.items[at].event().is_some_and(|e| {
                            e.operation.object == condvar
                                && matches!(e.effect, Effect::Woke(count) if count > 0)
                        })
                    });
                    pair(woke, j, Some(condvar.0));
                }
                Kind::Spawn => {
                    let Effect::Thread(ThreadId(child)) = event.effect else { unreachable!() };
                    let mut first = (j..self.items.len()).filter(|&at| is_inside(at));
                    let first = first.find(|&at| self.items[at].thread == child);
                    if let Some(first) = first {
                        pair(Some(j), first, None);
                    }
                }
                Kind::Join => {
                    let Effect::Thread(ThreadId(child)) = event.effect else { unreachable!() };
                    let last = self.last(j, |at| is_inside(at) && self.items[at].thread == child);
                    pair(last, j, None);
                }
                _ => {}
            }
        }
        set
    }

    /// The write of the release sequence that a read of the atomic at `j` sees.
    fn released(&self, j: usize, atomic: u32) -> Option<usize> {
        for at in (0..j).rev() {
            let Some((object, (_, true))) = self.access(at) else { continue };
            let event = self.items[at].event();
            let Some(event) = event.filter(|_| object == atomic) else { continue };
            if event.order.releases() {
                return Some(at);
            }
            if event.operation.kind == Kind::AtomicStore {
                return None;
            }
        }
        None
    }

    fn eraser(&self) -> Set {
        let mut set = Set::new();
        for k in 0..self.items.len() {
            let Some((v, _)) = self.plain(k) else { continue };
            let of_v = |at: &usize| self.plain(*at).is_some_and(|(object, _)| object == v);
            let all: Vec<usize> = (0..=k).filter(of_v).collect();
            let thread = |at: usize| self.items[at].thread;
            let second = all.iter().position(|&at| thread(at) != thread(all[0]));
            let shared = second.and_then(|second| {
                let owner = thread(all[second]);
                all[second..].iter().position(|&at| thread(at) != owner).map(|n| second + n)
            });
            let protecting = |at: usize| -> BTreeSet<u32> {
                let writes = self.plain(at).is_some_and(|(_, writes)| writes);
                let held = self.held(thread(at), at).into_iter();
                held.filter(|(_, exclusive, _)| *exclusive || !writes).map(|(l, ..)| l).collect()
            };
            let (state, locks) = match (second, shared) {
                (None, _) => ("exclusive", BTreeSet::new()),
                (Some(_), None) => ("exclusive'", BTreeSet::new()),
                (Some(_), Some(shared)) => {
                    let common = |until: usize| {
                        let sets = all[shared..=until].iter().map(|&at| protecting(at));
                        sets.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap()
                    };
                    let written = |until: usize| {
                        all[shared..=until].iter().any(|&at| self.plain(at).unwrap().1)
                    };
                    let last = all.len() - 1;
                    let raced =
                        (shared..=last).any(|until| written(until) && common(until).is_empty());
                    let state = match (raced, written(last)) {
                        (true, _) => "race",
                        (false, true) => "modified",
                        (false, false) => "shared",
                    };
                    (state, common(last))
                }
            };
            let locks = Self::set(locks.into_iter().map(|lock| self.object(lock)));
            set.insert(vec![
                self.site(k),
                state.to_owned(),
                locks,
                self.object(v),
                self.thread(thread(k)),
            ]);
        }
        set
    }

    /// The requirements of GoldiLock*, and those of GoldiLockSC.
    fn goldilocks(&self) -> (Set, Set) {
        let (mut star, mut sc) = (Set::new(), Set::new());
        for j in 0..self.items.len() {
            let Some((v, writes)) = self.plain(j) else { continue };
            let of_v = |at: &usize| self.plain(*at).is_some_and(|(object, _)| object == v);
            let is_write = |at: &usize| of_v(at) && self.plain(*at).unwrap().1;
            let write = (0..j).rev().find(is_write);
            let mut earlier: Vec<usize> = write.into_iter().collect();
            if writes {
                let since = write.map_or(0, |write| write + 1);
                let reads: Vec<usize> = (since..j).filter(of_v).collect();
                // Of each thread the last read counts.
                let is_last = |&&at: &&usize| {
                    let same = |&later: &usize| self.items[later].thread == self.items[at].thread;
                    !reads.iter().any(|later| *later > at && same(later))
                };
                earlier.extend(reads.iter().filter(is_last));
            }
            let me = self.items[j].thread;
            let mut verdict = (0, Self::set([self.thread(me)]));
            for (position, &i) in earlier.iter().enumerate() {
                let judged = self.judge(i, j);
                if position == 0 || judged.0 > verdict.0 {
                    verdict = judged;
                }
            }
            let state = ["SCT", "SCL", "LS", "E"][verdict.0].to_owned();
            sc.insert(vec![self.site(j), state]);
            star.insert(vec![self.site(j), verdict.1, self.object(v), self.thread(me)]);
        }
        (star, sc)
    }

    fn judge(&self, i: usize, j: usize) -> (usize, String) {
        let (then, now) = (self.items[i].thread, self.items[j].thread);
        if then == now {
            return (0, Self::set([self.thread(now)]));
        }
        let at_i = self.held(then, i);
        let at_j = self.held(now, j);
        let common = at_i.iter().find(|(lock, how, _)| {
            at_j.iter().any(|(other, how_now, _)| other == lock && (*how || *how_now))
        });
        if let Some((lock, ..)) = common {
            return (1, Self::set([self.object(*lock)]));
        }
        let mut lockset = Lockset::of(then);
        for at in i + 1..j {
            self.grow(&mut lockset, at);
            if lockset.has(&format!("t{now}")) {
                break;
            }
        }
        let ordered =
            self.items[j].clock.of(ThreadId(then)) >= self.items[i].clock.of(ThreadId(then));
        // Scopes that end without an operation order memory, too, but no rule sees that.
        assert!(ordered || !lockset.has(&format!("t{now}")), "the clocks know all order");
        let state = if lockset.has(&format!("t{now}")) { 2 } else { 3 };
        let names = lockset.elements.iter().map(|element| {
            let number: u32 = element[1..].split('#').next().unwrap().parse().unwrap();
            if element.starts_with('t') { self.thread(number) } else { self.object(number) }
        });
        (state, Self::set(names))
    }

    /// The rules of Goldilocks for one item. Elements are `t` and a thread, `w` and what writers
    /// leave, `r` and what readers leave, `o` and another object, `m` and a channel and a message.
    fn grow(&self, lockset: &mut Lockset, at: usize) {
        let Some(event) = self.items[at].event() else { return };
        let me = format!("t{}", event.thread.0);
        let object = event.operation.object.0;
        let mine = format!("o{object}");
        if let Some((lock, exclusive)) = self.gives(at) {
            let element = if exclusive { format!("w{lock}") } else { format!("r{lock}") };
            lockset.pass(&me, &element);
        }
        if let Some((lock, exclusive)) = self.takes(at)
            && event.operation.kind != Kind::RwDowngrade
        {
            lockset.pass(&format!("w{lock}"), &me);
            if exclusive {
                lockset.pass(&format!("r{lock}"), &me);
                lockset.elements.remove(&format!("r{lock}"));
            }
        }
        match event.operation.kind {
            Kind::AtomicLoad | Kind::AtomicStore | Kind::AtomicRmw | Kind::AtomicCas => {
                let store = event.operation.kind == Kind::AtomicStore;
                if !store && event.order.acquires() {
                    lockset.pass(&mine, &me);
                }
                if store {
                    lockset.elements.remove(&mine);
                }
                if self.access(at).is_some_and(|(_, (_, writes))| writes) && event.order.releases()
                {
                    lockset.pass(&me, &mine);
                }
            }
            Kind::OnceDone => {
                lockset.elements.remove(&mine);
                lockset.pass(&me, &mine);
            }
            Kind::OnceCall => lockset.pass(&mine, &me),
            Kind::OnceGet if event.effect == Effect::Done => lockset.pass(&mine, &me),
            Kind::Unpark => lockset.pass(&me, &mine),
            Kind::Park if event.effect == Effect::Done => lockset.pass(&mine, &me),
            Kind::Send => lockset.pass(&me, &format!("m{object}#{at}")),
            Kind::TryReceive => {
                let definition = self.definitions().into_iter().find(|&(read, _)| read == at);
                if let Some(sent) = definition.and_then(|(_, write)| write) {
                    lockset.pass(&format!("m{object}#{sent}"), &me);
                }
            }
            Kind::Spawn => {
                let Effect::Thread(ThreadId(child)) = event.effect else { unreachable!() };
                lockset.pass(&me, &format!("t{child}"));
            }
            Kind::Join => {
                let Effect::Thread(ThreadId(child)) = event.effect else { unreachable!() };
                lockset.pass(&format!("t{child}"), &me);
            }
            _ => {}
        }
    }

    fn good_lock(&self) -> Set {
        let mut set = Set::new();
        for j in 0..self.items.len() {
            let Some((lock, _)) = self.takes(j) else { continue };
            let t = self.items[j].thread;
            for (held, _, i) in self.held(t, j) {
                if held != lock {
                    set.insert(vec![
                        self.site(i),
                        self.site(j),
                        self.object(held),
                        self.object(lock),
                        self.thread(t),
                    ]);
                }
            }
        }
        set
    }

    fn concur_pairs(&self) -> Set {
        let events: Vec<&Item> = self.items.iter().filter(|item| item.event().is_some()).collect();
        let text = |pair: &[&Item]| {
            let switch = if pair[0].thread == pair[1].thread { "the same" } else { "another" };
            vec![pair[0].site.clone(), pair[1].site.clone(), format!("{switch} thread")]
        };
        events.windows(2).map(text).collect()
    }

    fn sync(&self) -> Set {
        let mut set = Set::new();
        let blocks = |pending: &Operation, lock: u32, exclusive: bool| {
            pending.object.0 == lock
                && match pending.kind {
                    Kind::MutexLock | Kind::RwWrite => true,
                    Kind::RwRead => exclusive,
                    _ => false,
                }
        };
        for (at, item) in self.items.iter().enumerate() {
            let Some(event) = item.event() else { continue };
            let refused = matches!(event.effect, Effect::Refused | Effect::Kept(_));
            let mode = match event.operation.kind {
                Kind::MutexLock | Kind::RwRead | Kind::RwWrite => Some("visited"),
                Kind::MutexTryLock
                | Kind::AtomicCas
                | Kind::TryReceive
                | Kind::OnceCall
                | Kind::OnceGet => Some(if refused { "refused" } else { "done" }),
                Kind::CondvarWake | Kind::Park => Some(match event.effect {
                    Effect::TimedOut => "timed out",
                    Effect::Spurious => "no reason",
                    _ => "waited",
                }),
                Kind::Send => Some("waited"),
                Kind::NotifyOne | Kind::NotifyAll => Some(match event.effect {
                    Effect::Woke(0) => "wakes nobody",
                    _ => "wakes",
                }),
                _ => None,
            };
            if let Some(mode) = mode {
                set.insert(vec![item.site.clone(), mode.to_owned()]);
            }
            // Whoever has a lock, up to now or from now on, blocks all that are about to take it.
            for holder in 0..item.pending.len() as u32 {
                let held = [self.held(holder, at), self.held(holder, at + 1)].concat();
                for (lock, exclusive, taken) in held {
                    for (waiter, pending) in item.pending.iter().enumerate() {
                        let others = waiter as u32 != holder && waiter as u32 != item.thread;
                        if others && blocks(pending, lock, exclusive) {
                            set.insert(vec![pending.site.to_string(), "blocked".to_owned()]);
                            set.insert(vec![self.site(taken), "blocking".to_owned()]);
                        }
                    }
                }
            }
        }
        set
    }

    fn concurrent_sites(&self) -> Set {
        let mut set = Set::new();
        let inside = |kind| !matches!(kind, Kind::ThreadStart | Kind::ThreadEnd);
        for item in self.items {
            let Some(event) = item.event().filter(|event| inside(event.operation.kind)) else {
                continue;
            };
            for (thread, pending) in item.pending.iter().enumerate() {
                if thread as u32 != item.thread && inside(pending.kind) {
                    let mut pair = [event.operation.site.to_string(), pending.site.to_string()];
                    // The order of the two does not matter.
                    pair.sort();
                    set.insert(pair.to_vec());
                }
            }
        }
        set
    }

    fn noise(&self) -> Set {
        let mut set = Set::new();
        let mut meet = |t: u32, site: String, j: usize| {
            let other = self.items[j].thread;
            if t != other {
                set.insert(vec![self.thread(t), site, self.thread(other), self.site(j)]);
            }
        };
        for j in 0..self.items.len() {
            if let Some((v, _)) = self.access(j) {
                let on_v = |at: usize| self.access(at).is_some_and(|(object, _)| object == v);
                if let Some(i) = self.last(j, on_v) {
                    let t = self.items[i].thread;
                    meet(t, self.site(i), j);
                    if let Some((.., taken)) = self.held(t, i).last() {
                        meet(t, self.site(*taken), j);
                    }
                }
            }
            if let Some((lock, _)) = self.takes(j) {
                let given = |at: usize| self.gives(at).is_some_and(|(l, _)| l == lock);
                let Some(i) = self.last(j, given) else { continue };
                let taken = |at: usize| self.takes(at).is_some_and(|(l, _)| l == lock);
                // A downgrade takes the lock as it gives it back.
                if (i..j).any(taken) {
                    continue;
                }
                let (_, how) = self.gives(i).unwrap();
                let t = self.items[i].thread;
                let mut held = self.held(t, i).into_iter().rev();
                if let Some((.., at)) = held.find(|&(l, h, _)| l == lock && h == how) {
                    meet(t, self.site(at), j);
                }
            }
        }
        set
    }
}

/// The elements of a lockset, as text.
struct Lockset {
    elements: BTreeSet<String>,
}

impl Lockset {
    fn of(thread: u32) -> Self {
        Self { elements: BTreeSet::from([format!("t{thread}")]) }
    }

    fn has(&self, element: &str) -> bool {
        self.elements.contains(element)
    }

    /// If the one is in it, so is the other.
    fn pass(&mut self, from: &str, to: &str) {
        if self.has(from) {
            self.elements.insert(to.to_owned());
        }
    }
}

/// The first parts of each requirement: the metric without a star.
fn first(set: Set, parts: usize) -> Set {
    set.into_iter().map(|text| text[..parts].to_vec()).collect()
}
