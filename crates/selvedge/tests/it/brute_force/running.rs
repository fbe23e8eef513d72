//! A program on the mirrors of `std`.

use super::Noted;
use super::program::{Op, Program};
use selvedge::sync::atomic::{AtomicU8, Ordering::SeqCst};
use selvedge::sync::mpsc::{Receiver, SyncSender, sync_channel};
use selvedge::sync::{Arc, Barrier, Condvar, Mutex, Once, RwLock};
use selvedge::thread::{self, JoinHandle, Thread};

/// What the threads share.
struct World {
    atomics: [AtomicU8; 2],
    mutexes: [Mutex<u8>; 2],
    lock: RwLock<u8>,
    condvar: Condvar,
    once: Once,
    barrier: Barrier,
    sender: SyncSender<u8>,
    main: Thread,
}

/// What a thread leaves: what it has seen, and the end of the channel that it had.
type Left = (Vec<u8>, Option<Receiver<u8>>);

/// One thread of the program.
struct Actor<'a> {
    world: &'a World,
    receiver: Option<Receiver<u8>>,
    others: Vec<JoinHandle<Left>>,
    noted: Vec<u8>,
}

/// Runs the program once.
pub(super) fn run(program: &Arc<Program>) -> Noted {
    let (sender, receiver) = sync_channel(1);
    let mut receiver = Some(receiver);
    let world = Arc::new(World {
        atomics: [AtomicU8::new(0), AtomicU8::new(0)],
        mutexes: [Mutex::new(0), Mutex::new(0)],
        lock: RwLock::new(0),
        condvar: Condvar::new(),
        once: Once::new(),
        barrier: Barrier::new(2),
        sender,
        main: thread::current(),
    });
    let count = program.threads.len();
    let others = (1..count).map(|number| {
        let (world, program) = (Arc::clone(&world), Arc::clone(program));
        let receiver = if number + 1 == count { receiver.take() } else { None };
        thread::spawn(move || {
            let mut actor = Actor { world: &world, receiver, others: vec![], noted: vec![] };
            actor.act(&program.threads[number]);
            // Nobody's channel is closed before all have ended.
            (actor.noted, actor.receiver)
        })
    });
    let others = others.collect();
    let mut actor = Actor { world: &world, receiver, others, noted: vec![] };
    actor.act(&program.threads[0]);
    let ended: Vec<_> = actor.others.drain(..).map(|other| other.join().unwrap()).collect();
    let mut noted = vec![std::mem::take(&mut actor.noted)];
    noted.extend(ended.iter().map(|(noted, _)| noted.clone()));
    noted.push(vec![
        world.atomics[0].load(SeqCst),
        world.atomics[1].load(SeqCst),
        *world.mutexes[0].lock().unwrap(),
        *world.mutexes[1].lock().unwrap(),
        *world.lock.read().unwrap(),
    ]);
    noted
}

impl Actor<'_> {
    fn act(&mut self, ops: &[Op]) {
        ops.iter().for_each(|op| self.step(op));
    }

    fn note(&mut self, value: u8) {
        self.noted.push(value);
    }

    fn step(&mut self, op: &Op) {
        let world = self.world;
        match op {
            Op::Load(atomic) => self.note(world.atomics[*atomic].load(SeqCst)),
            Op::Store(atomic, value) => world.atomics[*atomic].store(*value, SeqCst),
            Op::Add(atomic) => self.note(world.atomics[*atomic].fetch_add(1, SeqCst)),
            Op::Swap(atomic, value) => self.note(world.atomics[*atomic].swap(*value, SeqCst)),
            Op::Exchange(atomic, from, to) => {
                let found = world.atomics[*atomic].compare_exchange(*from, *to, SeqCst, SeqCst);
                self.note(found.unwrap_or_else(|found| 100 + found));
            }
            Op::Lock(mutex, inner) => {
                let mut guard = world.mutexes[*mutex].lock().unwrap();
                *guard += 1;
                self.note(*guard);
                self.act(inner);
            }
            Op::TryLock(mutex, inner) => match world.mutexes[*mutex].try_lock() {
                Ok(mut guard) => {
                    *guard += 1;
                    self.note(*guard);
                    self.act(inner);
                }
                Err(_) => self.note(100),
            },
            Op::Read(inner) => {
                let guard = world.lock.read().unwrap();
                self.note(*guard);
                self.act(inner);
            }
            Op::TryRead(inner) => match world.lock.try_read() {
                Ok(guard) => {
                    self.note(*guard);
                    self.act(inner);
                }
                Err(_) => self.note(100),
            },
            Op::Write(inner) => {
                let mut guard = world.lock.write().unwrap();
                *guard += 1;
                self.note(*guard);
                self.act(inner);
            }
            Op::TryWrite(inner) => match world.lock.try_write() {
                Ok(mut guard) => {
                    *guard += 1;
                    self.note(*guard);
                    self.act(inner);
                }
                Err(_) => self.note(100),
            },
            Op::Wait => {
                let guard = world.mutexes[0].lock().unwrap();
                let guard = world.condvar.wait(guard).unwrap();
                self.note(*guard);
            }
            Op::NotifyOne => world.condvar.notify_one(),
            Op::NotifyAll => world.condvar.notify_all(),
            Op::Once(inner) => {
                let mut mine = false;
                world.once.call_once(|| {
                    mine = true;
                    self.act(inner);
                });
                self.note(mine.into());
            }
            Op::Barrier => {
                let leads = world.barrier.wait().is_leader();
                self.note(leads.into());
            }
            Op::Send(value) => world.sender.send(*value).unwrap(),
            Op::TrySend(value) => self.note(world.sender.try_send(*value).is_ok().into()),
            Op::Receive => {
                let value = self.receiver.as_ref().unwrap().recv().unwrap();
                self.note(value);
            }
            Op::TryReceive => {
                let value = self.receiver.as_ref().unwrap().try_recv();
                self.note(value.unwrap_or(100));
            }
            Op::Park => thread::park(),
            Op::UnparkMain => world.main.unpark(),
            Op::Yield => thread::yield_now(),
            Op::Spin(atomic, value, turns) => {
                for turn in 0..*turns {
                    if world.atomics[*atomic].load(SeqCst) == *value {
                        return self.note(turn);
                    }
                    thread::yield_now();
                }
                self.note(100);
            }
            Op::IsFinished => {
                let ended = self.others.last().unwrap().is_finished();
                self.note(ended.into());
            }
        }
    }
}
