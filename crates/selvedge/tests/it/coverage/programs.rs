//! Random programs that use everything that metrics look at, and that can not get stuck.

use selvedge::sync::atomic::{AtomicU32, Ordering};
use selvedge::sync::{Condvar, Mutex, OnceLock, RwLock, mpsc};
use selvedge::thread;
use std::time::Duration;

/// What a thread does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Load(usize, Ordering),
    Store(usize, Ordering),
    Add(usize, Ordering),
    Swap(usize, Ordering),
    Read(usize),
    Write(usize),
    ReadThenWrite(usize),
    Nested,
    Try(usize),
    RwRead,
    RwWrite,
    RwDowngrade,
    RwInMutex,
    Init,
    Get,
    Send,
    Receive,
    Wait,
    Notify,
    NotifyAll,
    Park,
    Unpark,
    SpawnInside,
}

/// What each thread does; the last one is the test's own.
#[derive(Debug)]
pub(crate) struct Program {
    threads: Vec<Vec<Act>>,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }

    fn act(&mut self) -> Act {
        let which = self.below(2) as usize;
        let of =
            |dice: &mut Self, orders: &[Ordering]| orders[dice.below(orders.len() as u64) as usize];
        let (load, store, both) = (
            of(self, &[Ordering::Relaxed, Ordering::Acquire, Ordering::SeqCst]),
            of(self, &[Ordering::Relaxed, Ordering::Release, Ordering::SeqCst]),
            of(self, &[Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel]),
        );
        match self.below(23) {
            0 => Act::Load(which, load),
            1 => Act::Store(which, store),
            2 => Act::Add(which, both),
            3 => Act::Swap(which, both),
            4 => Act::Read(which),
            5 => Act::Write(which),
            6 => Act::ReadThenWrite(which),
            7 => Act::Nested,
            8 => Act::Try(which),
            9 => Act::RwRead,
            10 => Act::RwWrite,
            11 => Act::RwDowngrade,
            12 => Act::RwInMutex,
            13 => Act::Init,
            14 => Act::Get,
            15 => Act::Send,
            16 => Act::Receive,
            17 => Act::Wait,
            18 => Act::Notify,
            19 => Act::NotifyAll,
            20 => Act::Park,
            21 => Act::Unpark,
            _ => Act::SpawnInside,
        }
    }
}

/// A program, the same for the same number.
pub(crate) fn random(seed: u64) -> Program {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
    let threads = 2 + dice.below(3);
    let acts = |dice: &mut Dice| (0..3 + dice.below(6)).map(|_| dice.act()).collect();
    Program { threads: (0..threads).map(|_| acts(&mut dice)).collect() }
}

/// What the threads of a program share.
struct Shared {
    atomics: [AtomicU32; 2],
    mutexes: [Mutex<u32>; 2],
    lock: RwLock<u32>,
    cell: OnceLock<u32>,
    condvar: Condvar,
    sender: Mutex<mpsc::Sender<u32>>,
    receiver: Mutex<mpsc::Receiver<u32>>,
    main: thread::Thread,
}

impl Program {
    pub(crate) fn run(&self) {
        let (sender, receiver) = mpsc::channel();
        let shared = Shared {
            atomics: [AtomicU32::new(0), AtomicU32::new(0)],
            mutexes: [Mutex::new(0), Mutex::new(0)],
            lock: RwLock::new(0),
            cell: OnceLock::new(),
            condvar: Condvar::new(),
            sender: Mutex::new(sender),
            receiver: Mutex::new(receiver),
            main: thread::current(),
        };
        let shared = &shared;
        let (own, others) = self.threads.split_last().expect("there is at least one thread");
        thread::scope(|scope| {
            let spawn = |acts: &Vec<Act>| {
                let acts = acts.clone();
                scope.spawn(move || acts.iter().for_each(|act| shared.act(*act)))
            };
            let handles: Vec<_> = others.iter().map(spawn).collect();
            own.iter().for_each(|act| shared.act(*act));
            handles.into_iter().for_each(|handle| handle.join().unwrap());
        });
    }
}

impl Shared {
    fn act(&self, act: Act) {
        let moment = Duration::from_millis(1);
        match act {
            Act::Load(which, order) => drop(self.atomics[which].load(order)),
            Act::Store(which, order) => self.atomics[which].store(7, order),
            Act::Add(which, order) => drop(self.atomics[which].fetch_add(1, order)),
            Act::Swap(which, order) => {
                let failed = match order {
                    Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
                    _ => Ordering::Relaxed,
                };
                let _ = self.atomics[which].compare_exchange(0, 5, order, failed);
            }
            Act::Read(which) => drop(*self.mutexes[which].lock().unwrap()),
            Act::Write(which) => *self.mutexes[which].lock().unwrap() = 3,
            Act::ReadThenWrite(which) => {
                let mut guard = self.mutexes[which].lock().unwrap();
                let next = *guard + 1;
                *guard = next;
            }
            Act::Nested => {
                let first = self.mutexes[0].lock().unwrap();
                let mut second = self.mutexes[1].lock().unwrap();
                *second += *first;
            }
            Act::Try(which) => {
                if let Ok(mut guard) = self.mutexes[which].try_lock() {
                    *guard = 1;
                }
            }
            Act::RwRead => drop(*self.lock.read().unwrap()),
            Act::RwWrite => *self.lock.write().unwrap() = 9,
            Act::RwDowngrade => {
                let mut writing = self.lock.write().unwrap();
                *writing += 1;
                let reading = selvedge::sync::RwLockWriteGuard::downgrade(writing);
                let _ = *reading;
            }
            Act::RwInMutex => {
                let mut guard = self.mutexes[0].lock().unwrap();
                *guard = *self.lock.read().unwrap();
            }
            Act::Init => drop(*self.cell.get_or_init(|| 4)),
            Act::Get => drop(self.cell.get().copied()),
            Act::Send => self.sender.lock().unwrap().send(1).unwrap(),
            Act::Receive => drop(self.receiver.lock().unwrap().try_recv()),
            Act::Wait => {
                let guard = self.mutexes[0].lock().unwrap();
                let (guard, _) = self.condvar.wait_timeout(guard, moment).unwrap();
                let _ = *guard;
            }
            Act::Notify => self.condvar.notify_one(),
            Act::NotifyAll => self.condvar.notify_all(),
            Act::Park => thread::park_timeout(moment),
            Act::Unpark => self.main.unpark(),
            Act::SpawnInside => {
                let child = thread::scope(|scope| {
                    scope.spawn(|| *self.mutexes[1].lock().unwrap() += 2).join()
                });
                child.unwrap();
            }
        }
    }
}
