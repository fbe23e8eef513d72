//! Futures and what may become of their polls.

use crate::help::{finding, outcomes, portfolio, silent};
use selvedge::future::poll_fn;
use selvedge::sync::{Arc, Mutex};
use selvedge::task::{block_on, cancellable, unruly};
use selvedge::{
    Builder, Choice, Finding, FindingKind, Rate, Replayed, Stopped, StrategyName, thread,
};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Waits are woken for a reason only, so that what goes wrong is due to polls.
fn calm(executions: u64) -> Builder {
    portfolio(executions).spurious(Rate::Off)
}

/// A program goes wrong because of one of these choices, again and again.
#[track_caller]
fn is_found(choices: &[Choice], builder: Builder, program: fn()) -> Finding {
    let found = finding(builder, program);
    assert_eq!(found.replayed, Replayed::Yes);
    let text = found.schedule.to_string();
    assert!(found.schedule.decisions.iter().any(|d| choices.contains(&d.choice)), "{text}");
    let again = Builder::new().set("replay", &text).explore(program).unwrap();
    assert_eq!(again.stopped, Stopped::Found, "{text}");
    let again = again.finding.expect("what has stopped it");
    assert_eq!((&again.kind, &again.steps), (&found.kind, &found.steps));
    found
}

/// What a future waits for and who is to be woken then.
#[derive(Default)]
struct Signal {
    raised: bool,
    waker: Option<Waker>,
}

/// What a future does with the waker of a poll when it has one already.
#[derive(Clone, Copy)]
enum Wakers {
    KeepFirst,
    TakeLast,
}

/// Is ready when the signal has been raised.
struct Raised {
    signal: Arc<Mutex<Signal>>,
    wakers: Wakers,
}

impl Future for Raised {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut signal = self.signal.lock().unwrap();
        if signal.raised {
            return Poll::Ready(());
        }
        match self.wakers {
            Wakers::KeepFirst => drop(signal.waker.get_or_insert_with(|| context.waker().clone())),
            Wakers::TakeLast => signal.waker = Some(context.waker().clone()),
        }
        Poll::Pending
    }
}

/// Runs a future that waits for a signal, which another thread raises.
fn with_signal<F: Future>(make: impl FnOnce(Arc<Mutex<Signal>>) -> F) {
    let signal = Arc::new(Mutex::new(Signal::default()));
    let theirs = Arc::clone(&signal);
    let raiser = thread::spawn(move || {
        let mut signal = theirs.lock().unwrap();
        signal.raised = true;
        let waker = signal.waker.take();
        drop(signal);
        waker.into_iter().for_each(Waker::wake);
    });
    block_on(make(signal));
    raiser.join().unwrap();
}

fn wait_for_signal<F: Future>(wakers: Wakers, wrap: fn(Raised) -> F) {
    with_signal(|signal| wrap(Raised { signal, wakers }));
}

#[test]
fn a_future_that_keeps_its_first_waker_is_found() {
    let program = || wait_for_signal(Wakers::KeepFirst, unruly);
    let found = is_found(&[Choice::OtherWaker], calm(1_000), program);
    assert!(matches!(found.kind, FindingKind::Stuck { .. }), "{:?}", found.kind);
    let text = selvedge::report::explain(
        &found,
        Default::default(),
        Default::default(),
        &selvedge::report::NoSources,
    );
    assert!(text.contains("poll (with another waker first)"), "{text}");
}

#[test]
fn a_future_that_takes_the_last_waker_is_left_alone() {
    silent(calm(500).polls(Rate::Eager), || wait_for_signal(Wakers::TakeLast, unruly));
    silent(calm(500), || wait_for_signal(Wakers::TakeLast, unruly));
}

#[test]
fn wakers_are_left_alone_without_a_wrapper_or_with_the_rate_off() {
    silent(calm(500).polls(Rate::Eager), || wait_for_signal(Wakers::KeepFirst, |raised| raised));
    silent(calm(500).polls(Rate::Off), || wait_for_signal(Wakers::KeepFirst, unruly));
}

#[test]
fn every_strategy_disturbs_polls() {
    use StrategyName::{Exhaustive, Pct, Portfolio, Pos, Random, RoundRobin, Surw, Urw};
    for strategy in [Portfolio, Random, Pct(3), Pos, Surw, Urw, RoundRobin, Exhaustive] {
        let program = || wait_for_signal(Wakers::KeepFirst, unruly);
        is_found(&[Choice::OtherWaker], calm(5_000).strategy(strategy), program);
    }
}

/// A function that fails if it is polled for no reason.
fn trusting(signal: Arc<Mutex<Signal>>) -> impl FnMut(&mut Context<'_>) -> Poll<()> {
    let mut polled = false;
    move |context| {
        let mut signal = signal.lock().unwrap();
        if signal.raised {
            return Poll::Ready(());
        }
        assert!(!std::mem::replace(&mut polled, true), "polled for no reason");
        signal.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

/// Whoever is polled with another waker is polled again as well.
const POLLED_AGAIN: &[Choice] = &[Choice::PolledAgain, Choice::OtherWaker];

#[test]
fn a_future_that_takes_a_poll_for_a_sign_is_found() {
    is_found(POLLED_AGAIN, calm(1_000), || {
        with_signal(|signal| unruly(std::future::poll_fn(trusting(signal))));
    });
    silent(calm(500), || with_signal(|signal| std::future::poll_fn(trusting(signal))));
}

#[test]
fn a_function_that_is_polled_needs_no_wrapper() {
    is_found(POLLED_AGAIN, calm(1_000), || with_signal(|signal| poll_fn(trusting(signal))));
}

/// A queue whose messages are confirmed: whoever takes one has another chance to wait.
type Queue = Arc<Mutex<VecDeque<u32>>>;

/// Is pending once.
fn pause() -> impl Future<Output = ()> {
    let mut paused = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut paused, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Takes a message, then waits: what it has taken is lost if it is dropped.
async fn take_then_wait(queue: Queue) -> u32 {
    let message = queue.lock().unwrap().pop_front().unwrap();
    pause().await;
    message
}

/// Waits first.
async fn wait_then_take(queue: Queue) -> u32 {
    pause().await;
    queue.lock().unwrap().pop_front().unwrap()
}

/// Nothing is lost if the first attempt to receive does not come to its end.
fn receive_twice<F: Future<Output = u32>>(receive: fn(Queue) -> F) {
    let queue = Queue::new(Mutex::new(VecDeque::from([1, 2])));
    let first = block_on(cancellable(receive(queue.clone()))).unwrap_or_else(|| {
        // As after a timeout: try again.
        block_on(receive(queue.clone()))
    });
    assert_eq!(first, 1, "a message was lost");
}

#[test]
fn a_future_that_can_not_be_dropped_early_is_found() {
    is_found(&[Choice::EarlyDrop], calm(1_000), || receive_twice(take_then_wait));
}

#[test]
fn a_future_that_can_be_dropped_early_is_left_alone() {
    silent(calm(500).polls(Rate::Eager), || receive_twice(wait_then_take));
}

#[test]
fn a_future_is_dropped_at_once_if_it_is_dropped_early() {
    let (ended, _) = outcomes(calm(200), || {
        let value = Arc::new(());
        let inner = Arc::clone(&value);
        let mut future = cancellable(async move {
            pause().await;
            drop(inner);
        });
        let ended = block_on(&mut future);
        assert_eq!(Arc::strong_count(&value), 1);
        ended.is_some()
    });
    assert_eq!(ended, [false, true].into());
}

#[test]
fn a_test_without_a_second_thread_is_repeated_for_what_it_has_wrapped() {
    let report = silent(calm(50), || block_on(unruly(pause())));
    assert_eq!(report.executions, 50);
    let report = silent(calm(50), || _ = block_on(cancellable(async {})));
    assert_eq!(report.executions, 50);
    let report = silent(calm(50).polls(Rate::Off), || block_on(unruly(pause())));
    assert_eq!((report.executions, report.stopped), (1, Stopped::Sequential));
    let report = silent(calm(50), || block_on(pause()));
    assert_eq!((report.executions, report.stopped), (1, Stopped::Sequential));
}

#[test]
fn outside_of_a_controlled_test_nothing_is_disturbed() {
    let mut polls = 0;
    let counted = poll_fn(|context| {
        polls += 1;
        context.waker().wake_by_ref();
        if polls == 3 { Poll::Ready(7) } else { Poll::Pending }
    });
    assert_eq!(block_on(cancellable(unruly(counted))), Some(7));
    assert_eq!(polls, 3);
    wait_for_signal(Wakers::KeepFirst, unruly);
}
