//! Panics under control: hooks, and who counts as panicking.

mod explore;

use explore::check;
use selvedge_std::panic::{self, AssertUnwindSafe};
use selvedge_std::sync::mpsc::channel;
use selvedge_std::sync::{Arc, Mutex};
use selvedge_std::thread;

#[test]
fn a_hook_is_called_for_the_panics_of_its_execution_and_gone_with_it() {
    check(["[\"before the hook\"] [\"one\", \"two\"]"], || {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let earlier = Arc::new(Mutex::new(Vec::new()));
        // Whatever earlier executions have set, this one begins without it.
        let theirs = Arc::clone(&earlier);
        panic::set_hook(Box::new(move |info| {
            theirs.lock().unwrap().push(info.payload_as_str().unwrap().to_owned());
        }));
        thread::spawn(|| panic!("before the hook")).join().unwrap_err();
        drop(panic::take_hook());
        thread::spawn(|| panic!("nobody is told")).join().unwrap_err();
        let theirs = Arc::clone(&seen);
        panic::set_hook(Box::new(move |info| {
            theirs.lock().unwrap().push(info.payload_as_str().unwrap().to_owned());
        }));
        thread::spawn(|| panic!("one")).join().unwrap_err();
        panic::catch_unwind(|| panic!("two")).unwrap_err();
        let (earlier, seen) = (earlier.lock().unwrap(), seen.lock().unwrap());
        format!("{earlier:?} {seen:?}")
    });
}

#[test]
fn threads_that_panic_at_the_same_time_each_get_their_hook() {
    check(["2"], || {
        let calls = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&calls);
        panic::set_hook(Box::new(move |_| *theirs.lock().unwrap() += 1));
        let threads = [(), ()].map(|()| thread::spawn(|| panic!("one of two")));
        threads.into_iter().for_each(|thread| drop(thread.join().unwrap_err()));
        drop(panic::take_hook());
        let calls = *calls.lock().unwrap();
        calls.to_string()
    });
}

#[test]
fn a_panic_that_goes_on_poisons_what_it_meets() {
    check(["true"], || {
        let lock = Mutex::new(());
        let caught = panic::catch_unwind(AssertUnwindSafe(|| {
            let payload = panic::catch_unwind(|| panic!("again")).unwrap_err();
            assert!(!thread::panicking());
            let _held = lock.lock().unwrap();
            panic::resume_unwind(payload);
        }));
        assert!(caught.is_err() && !thread::panicking());
        lock.is_poisoned().to_string()
    });
}

/// Stops in the middle of unwinding.
struct Waits<F: FnMut()>(F);

impl<F: FnMut()> Drop for Waits<F> {
    fn drop(&mut self) {
        assert!(thread::panicking());
        (self.0)();
    }
}

#[test]
fn who_has_caught_its_panic_is_calm_while_others_unwind() {
    check(["false"], || {
        let (unwinding, is_unwinding) = channel();
        let (go_on, goes_on) = channel::<()>();
        let other = thread::spawn(move || {
            let _waits = Waits(|| {
                unwinding.send(()).unwrap();
                goes_on.recv().unwrap();
            });
            panic!("on its way");
        });
        panic::catch_unwind(|| panic!("caught")).unwrap_err();
        is_unwinding.recv().unwrap();
        let panicking = thread::panicking();
        go_on.send(()).unwrap();
        other.join().unwrap_err();
        panicking.to_string()
    });
}

#[test]
fn the_hook_of_ordinary_threads_comes_behind_the_engines() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let theirs = Arc::clone(&seen);
    panic::set_hook(Box::new(move |info| {
        theirs.lock().unwrap().push(info.payload_as_str().unwrap_or_default().to_owned());
    }));
    let _ = std::thread::spawn(|| panic!("ordinary")).join();
    check(["caught"], || {
        panic::catch_unwind(|| panic!("under control")).unwrap_err();
        "caught".to_owned()
    });
    assert!(seen.lock().unwrap().contains(&"ordinary".to_owned()));
    assert!(!seen.lock().unwrap().contains(&"under control".to_owned()));
}
