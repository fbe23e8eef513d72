//! The rules of the oracle, each with a correct type that forced it: with the rule nothing is found, and without it something
//! is, so that the rule is what makes the difference.

use crate::support::{Came, call, order, run};
use selvedge_harness::{GenerateOrder, Level, Wrong};
use selvedge_interpret::{
    Call, Constructor, Context, Effect, Failing, Object, Part, Receiver, Results, Role, Sharing,
    Table, V, show,
};
use selvedge_std::sync::Mutex;
use selvedge_std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

const ONE_PART: &[Part] = &[Part { sharing: Sharing::Sync }];

/// A type with two counters, whose methods each table puts to its own use.
#[derive(Default)]
struct Two {
    first: AtomicUsize,
    second: AtomicUsize,
    lock: Mutex<usize>,
    removed: Mutex<Vec<V>>,
    kept: Mutex<Vec<V>>,
}

fn two(context: &Context) -> &'static Two {
    context.shared::<Two>(0).expect("nobody takes it")
}

const NEW: &[Constructor] =
    &[Constructor { name: "new", arguments: &[], make: |_| Object::one(Two::default()) }];

fn findings(calls: Vec<Call>, constructors: &'static [Constructor], order: &GenerateOrder) -> Came {
    let calls: &'static [Call] = Vec::leak(calls);
    let table = Table { name: "Two", parts: ONE_PART, constructors, calls };
    run(Box::leak(Box::new(table)), order)
}

fn test(calls: Vec<Call>) -> Came {
    findings(calls, NEW, &order(60))
}

/// Both counters, one after the other.
fn both(c: &mut Context) {
    let first = two(c).first.load(SeqCst);
    show!(c, (first, two(c).second.load(SeqCst)));
}

/// Both counters, behind the lock that `bump` has as well.
fn at_once(c: &mut Context) {
    let _all = two(c).lock.lock().unwrap();
    both(c);
}

fn bump(c: &mut Context) {
    let _all = two(c).lock.lock().unwrap();
    two(c).first.fetch_add(1, SeqCst);
    two(c).second.fetch_add(1, SeqCst);
}

/// A call that runs user code in its middle, and lets others in there.
fn with_closure(c: &mut Context, step: bool) {
    two(c).first.store(1, SeqCst);
    if step {
        c.stepper().step();
    }
    two(c).first.store(2, SeqCst);
}

#[test]
fn rule_1_others_may_come_in_where_user_code_runs() {
    let look = || call("look", &[], |c| show!(c, two(c).first.load(SeqCst)));
    let calls = |closure: fn(&mut Context)| vec![call("compute", &[], closure), look()];
    assert_eq!(test(calls(|c| with_closure(c, true))).violations, []);
    assert_eq!(test(calls(|c| with_closure(c, false))).findings().len(), 1);
}

/// Counts, unless somebody else has the lock.
fn try_add(c: &mut Context) {
    let added = two(c).lock.try_lock().is_ok_and(|mut count| {
        *count += 1;
        two(c).first.load(SeqCst);
        true
    });
    show!(c, added);
}

#[test]
fn rule_2_what_tries_may_fail_because_of_others() {
    let calls = |failing| {
        let add = Call { failing, ..call("try_add", &[], try_add) };
        let count = call("count", &[], |c| show!(c, *two(c).lock.lock().unwrap()));
        vec![add, count]
    };
    assert_eq!(test(calls(Failing::UnderContention)).violations, []);
    assert_eq!(test(calls(Failing::ForAReason)).findings().len(), 1);
}

#[test]
fn rule_3_sizes_may_tell_of_a_moment_that_never_was_but_not_when_all_is_quiet() {
    let calls =
        |results| vec![call("bump", &[], bump), Call { results, ..call("sizes", &[], both) }];
    assert_eq!(test(calls(Results::Weak)).violations, []);
    assert_eq!(test(calls(Results::Exact)).findings().len(), 1);
    // The count of a call that loses one is wrong for good.
    let lossy = call("lossy", &[], |c| {
        let first = two(c).first.load(SeqCst);
        two(c).first.store(first + 1, SeqCst);
    });
    let came = test(vec![lossy, Call { results: Results::Weak, ..call("sizes", &[], both) }]);
    assert_eq!(came.findings()[0].wrong, Wrong::Results);
}

/// Sets both counters to zero, one after the other.
fn clear(c: &mut Context) {
    two(c).first.store(0, SeqCst);
    two(c).second.store(0, SeqCst);
}

#[test]
fn rule_4_what_works_on_one_element_after_the_other_is_noted() {
    let calls = |effect| {
        let clear = Call { effect, ..call("clear", &[], clear) };
        vec![call("bump", &[], bump), clear, call("at_once", &[], at_once)]
    };
    let came = test(calls(Effect::Bulk));
    assert!(came.findings().is_empty() && !came.violations.is_empty());
    assert!(came.violations.iter().all(|one| one.level == Level::Note));
    assert_eq!(test(calls(Effect::Atomic)).findings().len(), 1);
}

#[test]
fn rule_5_how_a_type_is_laid_out_is_not_judged() {
    let calls =
        |results| vec![call("bump", &[], bump), Call { results, ..call("capacity", &[], both) }];
    assert_eq!(test(calls(Results::Layout)).violations, []);
    assert_eq!(test(calls(Results::Exact)).findings().len(), 1);
}

/// Keeps a value; what was there before is dropped later, or never.
fn replace(c: &mut Context, later: bool) {
    let old = std::mem::replace(&mut *two(c).kept.lock().unwrap(), vec![c.value(0)]);
    match later {
        true => old.into_iter().for_each(std::mem::forget),
        false => two(c).removed.lock().unwrap().extend(old),
    }
}

/// Forgets a value if two replace it at the same time.
fn replace_racily(c: &mut Context) {
    let busy = two(c).first.fetch_add(1, SeqCst) > 0;
    two(c).second.load(SeqCst);
    if busy {
        std::mem::forget(c.value(0));
    } else {
        replace(c, false);
    }
    two(c).first.fetch_sub(1, SeqCst);
}

#[test]
fn rule_7_values_that_are_left_count_only_if_no_order_leaves_any() {
    let calls = |replace: fn(&mut Context)| vec![call("replace", &[Role::Value], replace)];
    assert_eq!(test(calls(|c| replace(c, true))).violations, []);
    assert_eq!(test(calls(replace_racily)).findings()[0].wrong, Wrong::Leak);
}

const PICKY: &[Constructor] = &[Constructor {
    name: "picky",
    arguments: &[Role::Capacity],
    make: |c| {
        assert!(c.number(0) != 1, "one is too small");
        Object::one(Two::default())
    },
}];

#[test]
fn rule_8_a_constructor_that_panics_makes_no_test() {
    let calls = vec![call("bump", &[], bump), call("at_once", &[], at_once)];
    let came = findings(calls, PICKY, &order(60));
    assert_eq!(came.violations, []);
    let unjudged = came.summary.counts.unjudged;
    assert!(unjudged.void > 0 && came.summary.counts.executions > unjudged.void);
}

#[test]
fn rule_9_what_has_too_many_orders_is_counted_and_not_judged() {
    // Returns what nobody can explain, and has far too many orders.
    let racy = call("racy", &[], |c| {
        let first = two(c).first.load(SeqCst);
        two(c).first.store(first + 1, SeqCst);
        show!(c, first);
    });
    let order = GenerateOrder { length: Some(9), ..order(4) };
    let came = findings(vec![racy], NEW, &order);
    assert_eq!(came.violations, []);
    assert!(came.summary.counts.unjudged.orders > 0);
}

/// The sending end of something that looks whether the other end is there before it sends.
struct Sender(&'static Ends);
struct Receiver_(&'static Ends);

#[derive(Default)]
struct Ends {
    closed: AtomicBool,
    sent: AtomicUsize,
}

impl Drop for Receiver_ {
    fn drop(&mut self) {
        self.0.closed.store(true, SeqCst);
        self.0.sent.swap(0, SeqCst);
    }
}

#[test]
fn rule_10_what_an_end_does_while_the_other_is_dropped_is_noted() {
    let send = call("send", &[], |c| {
        let ends = c.exclusive::<Sender>(0).expect("it is this thread's").0;
        let open = !ends.closed.load(SeqCst);
        let sent = if open { ends.sent.fetch_add(1, SeqCst) } else { 0 };
        show!(c, (open, sent));
    });
    let calls = vec![
        Call { receiver: Receiver::Exclusive, ..send },
        Call {
            part: 1,
            receiver: Receiver::Consumed,
            ..call("drop", &[], |c| drop(c.take::<Receiver_>(1)))
        },
    ];
    let constructors: &'static [Constructor] = &[Constructor {
        name: "channel",
        arguments: &[],
        make: |_| {
            let ends: &'static Ends = Box::leak(Box::default());
            Object::two((Sender(ends), Receiver_(ends)))
        },
    }];
    let parts = &[Part { sharing: Sharing::NotSync }, Part { sharing: Sharing::NotSync }];
    let table = Table { name: "channel", parts, constructors, calls: Vec::leak(calls) };
    let came = run(Box::leak(Box::new(table)), &order(60));
    assert!(came.findings().is_empty(), "{:?}", came.violations);
}
