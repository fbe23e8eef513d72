//! Futures of code that was not written for us: polled for no reason, and with other wakers.

use crate::support::{Project, Ran};

/// A signal that another thread raises and a small executor, which polls only if it was woken.
const SOURCE: &str = r#"
use std::future::{poll_fn, Future};
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

#[derive(Default)]
struct Bell { rung: Mutex<bool>, condvar: Condvar }

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        *self.rung.lock().unwrap() = true;
        self.condvar.notify_one();
    }
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        let rung = bell.condvar.wait_while(bell.rung.lock().unwrap(), |rung| !*rung);
        *rung.unwrap() = false;
    }
}

#[derive(Default)]
struct Signal { raised: bool, waker: Option<Waker> }

pub fn wait_for_signal(register: fn(&mut Option<Waker>, &Waker)) {
    let signal = Arc::new(Mutex::new(Signal::default()));
    let theirs = signal.clone();
    let raiser = thread::spawn(move || {
        let mut signal = theirs.lock().unwrap();
        signal.raised = true;
        let waker = signal.waker.take();
        drop(signal);
        waker.into_iter().for_each(Waker::wake);
    });
    block_on(poll_fn(|context| {
        let mut signal = signal.lock().unwrap();
        if signal.raised {
            return Poll::Ready(());
        }
        register(&mut signal.waker, context.waker());
        Poll::Pending
    }));
    raiser.join().unwrap();
}

#[test]
fn keeps_the_first_waker() {
    wait_for_signal(|kept, new| { kept.get_or_insert_with(|| new.clone()); });
}

#[test]
fn takes_the_last_waker() {
    wait_for_signal(|kept, new| *kept = Some(new.clone()));
}
"#;

fn test(project: &Project, rate: &str) -> Ran {
    project.run(["test", "--set", &format!("polls={rate}")])
}

#[test]
fn a_waker_that_is_not_replaced_is_found_in_unmodified_code() {
    let project = Project::new("polls", &[("src/lib.rs", SOURCE)]);
    test(&project, "off").left_with(0).says(&["2 explored and passed"]);
    for rate in ["rare", "eager"] {
        let ran = test(&project, rate);
        ran.left_with(1).says(&["FOUND", "keeps_the_first_waker", "stuck"]);
        ran.says(&["Finished 1 finding, 1 explored and passed"]);
        ran.says(&["poll (with another waker first)", "future.as_mut().poll(&mut Context"]);
        project.run(["replay", &project.only_finding()]).left_with(1);
    }
}
