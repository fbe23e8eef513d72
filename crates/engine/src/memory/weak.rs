//! Which memory ordering was too weak to keep two accesses from racing.
//!
//! A race is often between data and a flag that was meant to hand it over: one thread writes the data and stores the
//! flag, the other loads the flag and reads the data. For each such pair of a store and a load, the order of the
//! execution is computed anew as if both had asked for all the ordering that there is; if the accesses are ordered then,
//! what the two lack is the reason.
//!
//! Misses: hand-overs by way of a third thread, or by several flags that are all too weak. Claims nothing else: edges that
//! no event tells of are left out here, and with fewer edges there is less order.

use selvedge_model::{
    Act, Element, Event, HappensBefore, Instant, Link, Operation, Order, Relation, ThreadId,
    TooWeak,
};

/// So many operations of each thread are looked at, those next to the accesses.
const NEAR: usize = 16;

/// An access: who, and how many events there had been.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessed {
    pub(super) thread: ThreadId,
    pub(super) after: usize,
}

/// What the store of the first thread and the load of the second lacked, if that is why their accesses race.
pub(super) fn too_weak(
    events: &[Event],
    first: Accessed,
    second: Accessed,
) -> Option<[Option<TooWeak>; 2]> {
    let between = events.get(first.after..second.after)?;
    let indexed = || between.iter().enumerate().map(|(at, event)| (first.after + at, event));
    let link = |event: &Event| event.meaning().link;
    let stores = indexed().filter(|(_, event)| {
        event.thread == first.thread && matches!(link(event), Link::Stores | Link::Updates)
    });
    let loads = indexed().rev().filter(|(_, event)| {
        event.thread == second.thread && matches!(link(event), Link::Loads | Link::Updates)
    });
    for (load, loading) in loads.take(NEAR) {
        for (store, storing) in stores.clone().take(NEAR) {
            let is_pair = store < load && storing.operation.object == loading.operation.object;
            if is_pair && are_ordered(events, first, second, [store, load]) {
                let release = (!storing.order.releases()).then(|| lacks(storing, "Release"));
                let acquire = (!loading.order.acquires()).then(|| lacks(loading, "Acquire"));
                return Some([release, acquire]);
            }
        }
    }
    None
}

fn lacks(event: &Event, ordering: &str) -> TooWeak {
    let Operation { kind, site, .. } = event.operation;
    TooWeak { kind, at: site.source(), needs: ordering.to_owned() }
}

/// Whether the first access comes before the second if these events ask for all the ordering that there is.
fn are_ordered(
    events: &[Event],
    first: Accessed,
    second: Accessed,
    strengthened: [usize; 2],
) -> bool {
    let mut order = HappensBefore::new(Relation::HappensBefore);
    let mut accessed: Option<Instant> = None;
    for (index, event) in events[..second.after].iter().enumerate() {
        if index == first.after {
            accessed = Some(order.next(first.thread));
        }
        let mut act = Act::from(event);
        if strengthened.contains(&index) {
            act.order = Order::Both;
        }
        order.apply(&act, |element| !matches!(element, Element::Signal(_)));
        order.tick(event.thread);
    }
    accessed.is_some_and(|accessed| accessed.is_seen_by(order.clock(second.thread)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{Age, Effect, ObjectId, OperationKind, Site};

    fn event(thread: u32, kind: OperationKind, effect: Effect, order: Order) -> Event {
        let operation = Operation::new(kind, ObjectId(1), Site::caller());
        Event { thread: ThreadId(thread), order, age: Age::ONLY, operation, effect }
    }

    /// What the store of thread 1 and the load of thread 2 lack, if data is written before the one and read after
    /// the other.
    fn lacked(store: Order, load: Order) -> Option<[Option<String>; 2]> {
        let events = [
            event(1, OperationKind::AtomicStore, Effect::Wrote(1), store),
            event(2, OperationKind::AtomicLoad, Effect::Read(1), load),
        ];
        let first = Accessed { thread: ThreadId(1), after: 0 };
        let second = Accessed { thread: ThreadId(2), after: 2 };
        let needs = |weak: Option<TooWeak>| weak.map(|weak| weak.needs);
        too_weak(&events, first, second).map(|both| both.map(needs))
    }

    #[test]
    fn what_a_hand_over_lacks_is_named() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(lacked(Order::Relaxed, Order::Acquire), Some([some("Release"), None]));
        assert_eq!(lacked(Order::Release, Order::Relaxed), Some([None, some("Acquire")]));
        let both = Some([some("Release"), some("Acquire")]);
        assert_eq!(lacked(Order::Relaxed, Order::Relaxed), both);
    }

    #[test]
    fn a_load_that_comes_too_early_would_order_nothing() {
        let events = [
            event(2, OperationKind::AtomicLoad, Effect::Read(0), Order::Relaxed),
            event(1, OperationKind::AtomicStore, Effect::Wrote(1), Order::Relaxed),
        ];
        let first = Accessed { thread: ThreadId(1), after: 1 };
        let second = Accessed { thread: ThreadId(2), after: 2 };
        assert_eq!(too_weak(&events, first, second), None);
    }
}
