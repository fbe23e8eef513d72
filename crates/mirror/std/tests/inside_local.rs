//! Thread-locals and clocks under control.

mod explore;

use explore::check;
use selvedge_std::sync::mpsc::{Sender, channel};
use selvedge_std::time::{Instant, SystemTime, UNIX_EPOCH};
use selvedge_std::{hint, thread, thread_local};
use std::cell::{Cell, RefCell};
use std::time::Duration;

thread_local! {
    static PLAIN: Cell<u32> = Cell::new(1);
    static WITH_DESTRUCTOR: WithDestructor = const { WithDestructor };
    static LAST_WORDS: RefCell<Option<LastWords>> = panic!("the tests set it first");
}

struct WithDestructor;

impl Drop for WithDestructor {
    fn drop(&mut self) {}
}

/// Tells in its destructor which thread-locals are there.
struct LastWords(Sender<String>);

impl Drop for LastWords {
    fn drop(&mut self) {
        let own = LAST_WORDS.try_with(|_| ()).is_ok();
        let other = WITH_DESTRUCTOR.try_with(|_| ()).is_ok();
        self.0.send(format!("{} {own} {other}", PLAIN.get())).unwrap();
    }
}

#[test]
fn each_controlled_thread_has_its_own_value() {
    PLAIN.set(100);
    check(["[12, 13], 1"], || {
        let threads = [2, 3].map(|number| {
            thread::spawn(move || {
                let before = PLAIN.replace(10);
                thread::yield_now();
                PLAIN.set(PLAIN.get() + number);
                thread::yield_now();
                assert_eq!(before, 1);
                PLAIN.get()
            })
        });
        format!("{:?}, {}", threads.map(|thread| thread.join().unwrap()), PLAIN.get())
    });
    assert_eq!(PLAIN.get(), 100, "the value of the thread outside");
}

#[test]
fn values_go_when_the_thread_ends_the_last_first() {
    // What was made later has gone, what has no destructor has not.
    check(["7 false false"], || {
        let (tx, rx) = channel();
        let thread = thread::spawn(move || {
            LAST_WORDS.set(Some(LastWords(tx)));
            WITH_DESTRUCTOR.with(|_| ());
            PLAIN.set(7);
        });
        thread.join().unwrap();
        rx.recv().unwrap()
    });
    check(["1 false true"], || {
        let (tx, rx) = channel();
        let thread = thread::spawn(move || {
            WITH_DESTRUCTOR.with(|_| ());
            LAST_WORDS.set(Some(LastWords(tx)));
        });
        thread.join().unwrap();
        rx.recv().unwrap()
    });
}

#[test]
fn an_initialiser_may_use_its_own_key() {
    thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
        static NESTED: u32 = {
            let depth = DEPTH.replace(DEPTH.get() + 1);
            if depth < 2 { NESTED.with(|inner| inner + 1) } else { 10 }
        };
    }
    check(["12"], || NESTED.with(|value| value.to_string()));
}

#[test]
fn time_is_virtual_and_the_same_in_every_execution() {
    check(["1735689600.0000004s, 3600.0000002s"], || {
        let (instant, date) = (Instant::now(), SystemTime::now());
        thread::sleep(Duration::from_secs(3600));
        let slept = date.elapsed().unwrap();
        assert!(instant.elapsed() > slept);
        format!("{:?}, {slept:?}", date.duration_since(UNIX_EPOCH).unwrap())
    });
}

#[test]
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn the_clock_of_the_processor_is_virtual() {
    use selvedge_std::arch::x86_64::{__rdtscp, _rdtsc};
    const HOUR: Duration = Duration::from_secs(3600);
    // SAFETY: There is a place for the processor's number.
    let cycles = || unsafe { (_rdtsc(), __rdtscp(&mut 0)) };
    check(["true"], move || {
        let before = cycles();
        let instant = Instant::now();
        thread::sleep(HOUR);
        let after = cycles();
        let nanos = u64::try_from(instant.elapsed().as_nanos()).unwrap();
        let passed = [after.0 - before.0, after.1 - before.1];
        let slept = HOUR.as_nanos() as u64;
        passed.iter().all(|cycles| (slept..nanos + 1000).contains(cycles)).to_string()
    });
    // Outside of an execution it is the real one.
    let (first, second) = cycles();
    assert!(first < second);
}

#[test]
fn a_loop_that_waits_for_time_to_pass_comes_to_an_end() {
    let wait = || {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(60) {}
    };
    check(["waited"], || {
        wait();
        "waited".to_owned()
    });
}

#[test]
fn a_spinning_thread_lets_others_go() {
    use selvedge_std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::sync::Arc;

    check(["seen"], || {
        let flag = Arc::new(AtomicBool::new(false));
        let setter = {
            let flag = Arc::clone(&flag);
            thread::spawn(move || flag.store(true, SeqCst))
        };
        while !flag.load(SeqCst) {
            hint::spin_loop();
        }
        setter.join().unwrap();
        "seen".to_owned()
    });
}

#[test]
fn the_test_thread_has_the_name_that_it_has_without_control() {
    let name = std::thread::current().name().map(str::to_owned);
    check([&*format!("{name:?}")], || {
        let controlled = thread::current();
        let unnamed = thread::spawn(|| thread::current().name().map(str::to_owned));
        assert_eq!(unnamed.join().unwrap(), None);
        format!("{:?}", controlled.name())
    });
}

#[test]
fn identifiers_of_threads_differ_and_say_the_same_in_every_execution() {
    let outside = thread::current().id();
    let expected = "ThreadId(1) ThreadId(2) ThreadId(2)";
    check([expected], || {
        let main = thread::current().id();
        let other = thread::spawn(|| thread::current().id());
        let known = other.thread().id();
        let other = other.join().unwrap();
        assert!(main != other && main != outside && other == known);
        format!("{main:?} {other:?} {known:?}")
    });
}
