//! Locks and one-time initialisation: who gets in, and what those who only try find.

use super::{as_is, exactly};
use selvedge::sync::{Arc, LazyLock, Mutex, Once, OnceLock, RwLock, TryLockError, TryLockResult};
use selvedge::thread;

/// Whether an attempt to take a lock came through.
fn through<G>(attempt: TryLockResult<G>) -> bool {
    match attempt {
        Ok(_) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Poisoned(_)) => panic!("nobody panicked"),
    }
}

#[test]
fn a_mutex_orders_its_critical_sections_either_way() {
    exactly(["ab", "ba"], as_is, || {
        let word = Arc::new(Mutex::new(""));
        let other = Arc::clone(&word);
        let writer = thread::spawn(move || {
            let mut word = other.lock().unwrap();
            *word = if word.is_empty() { "b" } else { "ab" };
        });
        {
            let mut word = word.lock().unwrap();
            *word = if word.is_empty() { "a" } else { "ba" };
        }
        writer.join().unwrap();
        *word.lock().unwrap()
    });
}

#[test]
fn try_lock_finds_the_mutex_held_or_free() {
    exactly([false, true], as_is, || {
        let lock = Arc::new(Mutex::new(()));
        let other = Arc::clone(&lock);
        let holder = thread::spawn(move || drop(other.lock().unwrap()));
        let through = through(lock.try_lock());
        holder.join().unwrap();
        through
    });
}

#[test]
fn try_lock_by_both_lets_at_least_one_in() {
    exactly([(false, true), (true, false), (true, true)], as_is, || {
        let lock = Arc::new(Mutex::new(()));
        let other = Arc::clone(&lock);
        let rival = thread::spawn(move || through(other.try_lock()));
        let mine = through(lock.try_lock());
        (mine, rival.join().unwrap())
    });
}

#[test]
fn try_read_finds_a_writer_or_none() {
    exactly([false, true], as_is, || {
        let lock = Arc::new(RwLock::new(()));
        let other = Arc::clone(&lock);
        let writer = thread::spawn(move || drop(other.write().unwrap()));
        let through = through(lock.try_read());
        writer.join().unwrap();
        through
    });
}

#[test]
fn try_read_is_never_refused_because_of_a_reader() {
    exactly([true], as_is, || {
        let lock = Arc::new(RwLock::new(()));
        let other = Arc::clone(&lock);
        let reader = thread::spawn(move || drop(other.read().unwrap()));
        let through = through(lock.try_read());
        reader.join().unwrap();
        through
    });
}

#[test]
fn try_write_finds_a_reader_or_none() {
    exactly([false, true], as_is, || {
        let lock = Arc::new(RwLock::new(()));
        let other = Arc::clone(&lock);
        let reader = thread::spawn(move || drop(other.read().unwrap()));
        let through = through(lock.try_write());
        reader.join().unwrap();
        through
    });
}

#[test]
fn a_reader_sees_all_of_a_write_or_nothing_of_it() {
    exactly([(0, 0), (1, 1)], as_is, || {
        let lock = Arc::new(RwLock::new((0, 0)));
        let other = Arc::clone(&lock);
        let writer = thread::spawn(move || {
            let mut pair = other.write().unwrap();
            pair.0 = 1;
            thread::yield_now();
            pair.1 = 1;
        });
        let seen = *lock.read().unwrap();
        writer.join().unwrap();
        seen
    });
}

#[test]
fn a_once_lock_is_seen_before_and_after_it_is_set() {
    exactly([None, Some(1)], as_is, || {
        let cell = Arc::new(OnceLock::new());
        let other = Arc::clone(&cell);
        let setter = thread::spawn(move || other.set(1).unwrap());
        let seen = cell.get().copied();
        setter.join().unwrap();
        seen
    });
}

#[test]
fn a_once_lock_is_set_by_either_thread_and_by_one_only() {
    exactly([(1, true, false), (2, false, true)], as_is, || {
        let cell = Arc::new(OnceLock::new());
        let other = Arc::clone(&cell);
        let rival = thread::spawn(move || other.set(2).is_ok());
        let mine = cell.set(1).is_ok();
        let theirs = rival.join().unwrap();
        (*cell.get().unwrap(), mine, theirs)
    });
}

#[test]
fn a_lazy_lock_is_initialised_by_either_thread() {
    exactly(["other", "test"], as_is, || {
        let test = thread::current().id();
        let lazy = LazyLock::new(|| match thread::current().id() == test {
            true => "test",
            false => "other",
        });
        thread::scope(|scope| {
            let other = scope.spawn(|| *lazy);
            let mine = *lazy;
            assert_eq!(other.join().unwrap(), mine);
        });
        *lazy
    });
}

#[test]
fn call_once_runs_one_of_the_closures_and_everybody_waits_for_it() {
    exactly([1, 2], as_is, || {
        let once = Arc::new(Once::new());
        let ran = Arc::new(std::sync::Mutex::new(Vec::new()));
        let (once2, ran2) = (Arc::clone(&once), Arc::clone(&ran));
        let other = thread::spawn(move || {
            once2.call_once(|| ran2.lock().unwrap().push(2));
            assert!(once2.is_completed());
        });
        once.call_once(|| {
            thread::yield_now();
            ran.lock().unwrap().push(1);
        });
        assert!(once.is_completed());
        other.join().unwrap();
        let ran = ran.lock().unwrap();
        assert_eq!(ran.len(), 1);
        ran[0]
    });
}
