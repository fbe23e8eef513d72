//! The locks of the C library on controlled threads, and between those and others.

#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::settings;
use selvedge_engine::{Ending, Engine};
use selvedge_model::{FindingKind, Strategy};
use selvedge_std::thread;
use selvedge_std::time::Instant;
use selvedge_strategy::Random;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Something that threads share by way of C.
struct Raw<T>(UnsafeCell<T>);

// SAFETY: Whoever uses it does so as the C library has it.
unsafe impl<T> Sync for Raw<T> {}
// SAFETY: As above.
unsafe impl<T> Send for Raw<T> {}

impl<T> Raw<T> {
    fn new(value: T) -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(value)))
    }

    fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// The endings of so many executions, and what went wrong in the first that did.
fn run(times: usize, test: impl Fn() + Sync) -> (Vec<Ending>, Option<FindingKind>) {
    selvedge_libc::install();
    let mut engine = Engine::new(settings(), Arc::default());
    let mut strategy = Random::new(7);
    let mut endings = Vec::new();
    let mut finding = None;
    for _ in 0..times {
        strategy.begin();
        let outcome = engine.run(&test, &mut strategy, None);
        endings.push(outcome.ending().clone());
        finding = finding.or_else(|| outcome.finding());
    }
    (endings, finding)
}

/// Runs the test many times; every execution must pass.
fn passes(test: impl Fn() + Sync) {
    let (_, finding) = run(200, test);
    assert_eq!(finding, None);
}

/// Runs the test many times; some must fail and some must not.
fn fails_now_and_then(test: impl Fn() + Sync) -> FindingKind {
    let (endings, finding) = run(200, test);
    assert!(endings.contains(&Ending::Passed), "{finding:?}");
    finding.expect("not every execution passes")
}

fn mutex() -> Arc<Raw<libc::pthread_mutex_t>> {
    Raw::new(libc::PTHREAD_MUTEX_INITIALIZER)
}

fn mutex_of_kind(kind: i32) -> Arc<Raw<libc::pthread_mutex_t>> {
    let mutex = mutex();
    let mut how = MaybeUninit::<libc::pthread_mutexattr_t>::uninit();
    // SAFETY: The attributes are initialised before they are used.
    unsafe {
        libc::pthread_mutexattr_init(how.as_mut_ptr());
        libc::pthread_mutexattr_settype(how.as_mut_ptr(), kind);
        libc::pthread_mutex_init(mutex.get(), how.as_ptr());
    }
    mutex
}

fn lock(mutex: &Raw<libc::pthread_mutex_t>) -> i32 {
    // SAFETY: The mutex is one.
    unsafe { libc::pthread_mutex_lock(mutex.get()) }
}

fn try_lock(mutex: &Raw<libc::pthread_mutex_t>) -> i32 {
    // SAFETY: As above.
    unsafe { libc::pthread_mutex_trylock(mutex.get()) }
}

fn unlock(mutex: &Raw<libc::pthread_mutex_t>) -> i32 {
    // SAFETY: As above.
    unsafe { libc::pthread_mutex_unlock(mutex.get()) }
}

/// A moment of the virtual calendar clock, so far ahead.
fn moment(ahead: Duration) -> libc::timespec {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: The time lives as long as the call.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut now) };
    now.tv_sec += ahead.as_secs() as i64;
    now
}

const SECONDS: Duration = Duration::from_secs(5);

#[test]
fn a_mutex_lets_one_thread_in_at_a_time() {
    passes(|| {
        let (mutex, inside) = (mutex(), Arc::new(AtomicUsize::new(0)));
        let threads = [0, 1, 2].map(|_| {
            let (mutex, inside) = (Arc::clone(&mutex), Arc::clone(&inside));
            thread::spawn(move || {
                assert_eq!(lock(&mutex), 0);
                assert_eq!(inside.fetch_add(1, SeqCst), 0);
                thread::yield_now();
                inside.fetch_sub(1, SeqCst);
                assert_eq!(unlock(&mutex), 0);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn two_mutexes_in_opposite_order_are_a_deadlock() {
    let found = fails_now_and_then(|| {
        let (a, b) = (mutex(), mutex());
        let other = {
            let (a, b) = (Arc::clone(&a), Arc::clone(&b));
            thread::spawn(move || [lock(&b), lock(&a), unlock(&a), unlock(&b)])
        };
        assert_eq!([lock(&a), lock(&b), unlock(&b), unlock(&a)], [0; 4]);
        assert_eq!(other.join().unwrap(), [0; 4]);
    });
    assert!(matches!(&found, FindingKind::Deadlock { cycle } if cycle.len() == 2), "{found:?}");
}

#[test]
fn kinds_of_mutexes_differ_when_they_are_locked_again() {
    passes(|| {
        let counting = mutex_of_kind(libc::PTHREAD_MUTEX_RECURSIVE);
        let other = Arc::clone(&counting);
        assert_eq!([lock(&counting), lock(&counting), try_lock(&counting)], [0; 3]);
        let other = thread::spawn(move || (try_lock(&other), unlock(&other)));
        assert_eq!(other.join().unwrap(), (libc::EBUSY, libc::EPERM));
        assert_eq!([(); 3].map(|()| unlock(&counting)), [0; 3]);
        let checking = mutex_of_kind(libc::PTHREAD_MUTEX_ERRORCHECK);
        assert_eq!([lock(&checking), lock(&checking)], [0, libc::EDEADLK]);
        assert_eq!(try_lock(&checking), libc::EBUSY);
        assert_eq!(unlock(&checking), 0);
    });
    let (endings, _) = run(1, || {
        let plain = mutex();
        lock(&plain);
        lock(&plain);
    });
    assert!(matches!(endings[0], Ending::Deadlock { .. }), "{endings:?}");
}

#[test]
fn a_wait_for_a_mutex_ends_in_virtual_time() {
    passes(|| {
        let began = Instant::now();
        let mutex = mutex();
        lock(&mutex);
        let other = Arc::clone(&mutex);
        let other = thread::spawn(move || {
            let until = moment(SECONDS);
            // SAFETY: The mutex is one, and the moment lives as long as the call.
            unsafe { libc::pthread_mutex_timedlock(other.get(), &raw const until) }
        });
        assert_eq!(other.join().unwrap(), libc::ETIMEDOUT);
        assert!(began.elapsed() >= Duration::from_secs(4));
        assert_eq!(unlock(&mutex), 0);
        let until = moment(SECONDS);
        // SAFETY: As above.
        let result = unsafe { libc::pthread_mutex_timedlock(mutex.get(), &raw const until) };
        assert_eq!(result, 0);
    });
    // Somebody gives it back in time.
    passes(|| {
        let mutex = mutex();
        lock(&mutex);
        let other = Arc::clone(&mutex);
        let other = thread::spawn(move || {
            let until = moment(SECONDS);
            // SAFETY: As above.
            let result = unsafe { libc::pthread_mutex_timedlock(other.get(), &raw const until) };
            (result == 0).then(|| unlock(&other));
        });
        thread::yield_now();
        unlock(&mutex);
        other.join().unwrap();
        assert_eq!(try_lock(&mutex), 0);
    });
}

/// A gate that somebody opens.
struct Gate {
    mutex: Arc<Raw<libc::pthread_mutex_t>>,
    condvar: Arc<Raw<libc::pthread_cond_t>>,
    open: Arc<AtomicI32>,
}

impl Gate {
    fn new() -> Self {
        let condvar = Raw::new(libc::PTHREAD_COND_INITIALIZER);
        Self { mutex: mutex(), condvar, open: Arc::new(AtomicI32::new(0)) }
    }

    fn wait(&self) {
        lock(&self.mutex);
        while self.open.load(SeqCst) == 0 {
            // SAFETY: The caller has the mutex.
            unsafe { libc::pthread_cond_wait(self.condvar.get(), self.mutex.get()) };
        }
        unlock(&self.mutex);
    }

    fn open(&self) {
        lock(&self.mutex);
        self.open.store(1, SeqCst);
        // SAFETY: The condition variable is one.
        unsafe { libc::pthread_cond_broadcast(self.condvar.get()) };
        unlock(&self.mutex);
    }

    fn share(&self) -> Self {
        let (mutex, condvar) = (Arc::clone(&self.mutex), Arc::clone(&self.condvar));
        Self { mutex, condvar, open: Arc::clone(&self.open) }
    }
}

#[test]
fn who_waits_is_notified() {
    passes(|| {
        let gate = Gate::new();
        let threads = [gate.share(), gate.share()].map(|gate| thread::spawn(move || gate.wait()));
        gate.open();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_notification_that_comes_too_early_is_lost() {
    let found = fails_now_and_then(|| {
        let gate = Gate::new();
        let other = gate.share();
        // SAFETY: The condition variable is one.
        let other =
            thread::spawn(move || unsafe { libc::pthread_cond_signal(other.condvar.get()) });
        lock(&gate.mutex);
        // SAFETY: The caller has the mutex.
        unsafe { libc::pthread_cond_wait(gate.condvar.get(), gate.mutex.get()) };
        unlock(&gate.mutex);
        other.join().unwrap();
    });
    assert!(matches!(found, FindingKind::Stuck { .. }), "{found:?}");
}

#[test]
fn a_wait_for_a_notification_ends_in_virtual_time() {
    passes(|| {
        let gate = Gate::new();
        let until = moment(SECONDS);
        let began = Instant::now();
        lock(&gate.mutex);
        let (condvar, mutex) = (gate.condvar.get(), gate.mutex.get());
        // A wait may also end for no reason.
        // SAFETY: The caller has the mutex, and the moment lives as long as the call.
        while unsafe { libc::pthread_cond_timedwait(condvar, mutex, &raw const until) } == 0 {}
        unlock(&gate.mutex);
        assert!(began.elapsed() >= Duration::from_secs(4));
    });
}

#[test]
fn threads_outside_use_the_same_objects() {
    let test = || {
        let gate = Gate::new();
        let (there, back) = (Gate::new(), gate.share());
        let waits = there.share();
        // Not under control.
        let outside = std::thread::spawn(move || {
            waits.wait();
            std::thread::sleep(Duration::from_millis(30));
            back.open();
        });
        there.open();
        gate.wait();
        outside.join().unwrap();
    };
    let (_, finding) = run(5, test);
    assert_eq!(finding, None);
}

#[test]
fn readers_share_and_writers_do_not() {
    passes(|| {
        let lock = Raw::new(libc::PTHREAD_RWLOCK_INITIALIZER);
        let inside = Arc::new(AtomicI32::new(0));
        let write = |lock: Arc<Raw<libc::pthread_rwlock_t>>, inside: Arc<AtomicI32>| {
            // SAFETY: The lock is one, here and below.
            thread::spawn(move || unsafe {
                assert_eq!(libc::pthread_rwlock_wrlock(lock.get()), 0);
                assert_eq!(libc::pthread_rwlock_rdlock(lock.get()), libc::EDEADLK);
                assert_eq!(inside.swap(-1, SeqCst), 0);
                thread::yield_now();
                assert_eq!(inside.swap(0, SeqCst), -1);
                assert_eq!(libc::pthread_rwlock_unlock(lock.get()), 0);
            })
        };
        let read = |lock: Arc<Raw<libc::pthread_rwlock_t>>, inside: Arc<AtomicI32>| {
            // SAFETY: As above.
            thread::spawn(move || unsafe {
                // Also twice: readers come first.
                assert_eq!(libc::pthread_rwlock_rdlock(lock.get()), 0);
                thread::yield_now();
                assert_eq!(libc::pthread_rwlock_rdlock(lock.get()), 0);
                assert!(inside.load(SeqCst) >= 0);
                assert_eq!(libc::pthread_rwlock_trywrlock(lock.get()), libc::EBUSY);
                assert_eq!(libc::pthread_rwlock_unlock(lock.get()), 0);
                assert_eq!(libc::pthread_rwlock_unlock(lock.get()), 0);
            })
        };
        let of = || (Arc::clone(&lock), Arc::clone(&inside));
        let threads = {
            let [(a, b), (c, d), (e, f)] = [of(), of(), of()];
            [write(a, b), read(c, d), read(e, f)]
        };
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn what_is_done_once_is_done_before_others_go_on() {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    extern "C" fn count() {
        thread::yield_now();
        COUNT.fetch_add(1, SeqCst);
    }
    passes(|| {
        COUNT.store(0, SeqCst);
        let once = Raw::new(libc::PTHREAD_ONCE_INIT);
        let threads = [0, 1].map(|_| {
            let once = Arc::clone(&once);
            thread::spawn(move || {
                // SAFETY: The object is one.
                assert_eq!(unsafe { pthread_once(once.get(), count) }, 0);
                assert_eq!(COUNT.load(SeqCst), 1);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

unsafe extern "C" {
    fn pthread_once(once: *mut libc::pthread_once_t, run: extern "C" fn()) -> i32;
}

#[test]
fn a_barrier_opens_when_all_are_there() {
    passes(|| {
        let barrier = Raw::new(MaybeUninit::<libc::pthread_barrier_t>::uninit());
        let arrived = Arc::new(AtomicUsize::new(0));
        // SAFETY: It is initialised here and used afterwards.
        unsafe { libc::pthread_barrier_init((*barrier.get()).as_mut_ptr(), std::ptr::null(), 3) };
        let threads = [0, 1, 2].map(|_| {
            let (barrier, arrived) = (Arc::clone(&barrier), Arc::clone(&arrived));
            thread::spawn(move || {
                arrived.fetch_add(1, SeqCst);
                // SAFETY: As above.
                let result = unsafe { libc::pthread_barrier_wait((*barrier.get()).as_mut_ptr()) };
                assert_eq!(arrived.load(SeqCst), 3);
                i32::from(result == libc::PTHREAD_BARRIER_SERIAL_THREAD)
            })
        });
        let leaders = threads.map(|thread| thread.join().unwrap());
        assert_eq!(leaders.iter().sum::<i32>(), 1);
    });
}

#[test]
fn a_spin_lock_is_a_lock() {
    passes(|| {
        let lock = Raw::new(0);
        // SAFETY: It is initialised here and used afterwards.
        unsafe { libc::pthread_spin_init(lock.get(), 0) };
        let inside = Arc::new(AtomicUsize::new(0));
        let threads = [0, 1].map(|_| {
            let (lock, inside) = (Arc::clone(&lock), Arc::clone(&inside));
            // SAFETY: As above.
            thread::spawn(move || unsafe {
                assert_eq!(libc::pthread_spin_lock(lock.get()), 0);
                assert_eq!(inside.fetch_add(1, SeqCst), 0);
                thread::yield_now();
                inside.fetch_sub(1, SeqCst);
                assert_eq!(libc::pthread_spin_unlock(lock.get()), 0);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

fn semaphore(value: u32) -> Arc<Raw<libc::sem_t>> {
    // SAFETY: It is a number of bytes to Rust.
    let semaphore = Raw::new(unsafe { std::mem::zeroed::<libc::sem_t>() });
    // SAFETY: As above.
    unsafe { libc::sem_init(semaphore.get(), 0, value) };
    semaphore
}

#[test]
fn a_semaphore_lets_as_many_in_as_it_says() {
    passes(|| {
        let (semaphore, inside) = (semaphore(2), Arc::new(AtomicUsize::new(0)));
        let threads = [0, 1, 2].map(|_| {
            let (semaphore, inside) = (Arc::clone(&semaphore), Arc::clone(&inside));
            // SAFETY: The semaphore is one, here and below.
            thread::spawn(move || unsafe {
                assert_eq!(libc::sem_wait(semaphore.get()), 0);
                assert!(inside.fetch_add(1, SeqCst) < 2);
                thread::yield_now();
                inside.fetch_sub(1, SeqCst);
                assert_eq!(libc::sem_post(semaphore.get()), 0);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let mut value = 0;
        // SAFETY: As above.
        unsafe { libc::sem_getvalue(semaphore.get(), &raw mut value) };
        assert_eq!(value, 2);
    });
    let (endings, finding) = run(1, || {
        // SAFETY: As above.
        unsafe { libc::sem_wait(semaphore(0).get()) };
    });
    assert_eq!(endings, [Ending::Stuck], "{finding:?}");
}

#[test]
fn a_wait_for_a_semaphore_ends_in_virtual_time() {
    passes(|| {
        let (semaphore, until) = (semaphore(0), moment(SECONDS));
        // SAFETY: The semaphore is one, and the moment lives as long as the call.
        unsafe {
            assert_eq!(libc::sem_trywait(semaphore.get()), -1);
            assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EAGAIN));
            assert_eq!(libc::sem_timedwait(semaphore.get(), &raw const until), -1);
        }
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::ETIMEDOUT));
    });
}
