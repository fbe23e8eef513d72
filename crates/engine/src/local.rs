//! Thread-locals of controlled threads.
//!
//! All threads of an execution share one operating-system thread, so a real thread-local would be
//! shared by all of them. Mirrors keep theirs here, a list per thread, and run the destructors
//! when the thread ends.

use crate::context::Controlled;
use std::any::Any;
use std::ptr;

/// The identity of a `thread_local!`; stands in a static, so its address is its name.
#[derive(Debug)]
pub struct LocalId {
    /// Statics of size zero may share an address.
    _sized: u8,
}

impl LocalId {
    /// One for each `thread_local!`.
    #[expect(clippy::new_without_default, reason = "an identity has no default")]
    pub const fn new() -> Self {
        Self { _sized: 0 }
    }
}

/// The state of one thread-local of one thread.
enum Local {
    Alive(Box<dyn Any>),
    /// Has no destructor, and so can be used until the thread is gone, as a real one can.
    Undying(Box<dyn Any>),
    Destroyed,
}

/// The thread-locals of a thread, in the order of initialisation.
pub(crate) struct Locals {
    entries: Vec<(*const LocalId, Local)>,
}

impl Locals {
    pub(crate) const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Leaks what an abandoned thread kept in its thread-locals, as its frames are.
    pub(crate) fn abandon(&mut self) {
        self.entries.drain(..).for_each(std::mem::forget);
    }

    /// Where the values lie.
    fn addresses(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().filter_map(|(_, local)| match local {
            Local::Alive(value) | Local::Undying(value) => {
                Some(ptr::from_ref::<dyn Any>(&**value).addr())
            }
            Local::Destroyed => None,
        })
    }

    /// Takes the most recently initialised value out, to be dropped.
    fn pop_alive(&mut self) -> Option<Box<dyn Any>> {
        self.entries.iter_mut().rev().find_map(|(_, local)| match local {
            Local::Alive(_) => match std::mem::replace(local, Local::Destroyed) {
                Local::Alive(value) => Some(value),
                _ => None,
            },
            Local::Undying(_) | Local::Destroyed => None,
        })
    }
}

/// What is there of a thread-local.
#[derive(Clone, Copy, Debug)]
pub enum LocalState<T> {
    /// Its value, which stays where it is until the thread ends.
    Alive(*const T),
    /// It has not been initialised.
    Absent,
    /// Its destructor has run or is running.
    Destroyed,
}

impl crate::execution::Execution {
    /// Where the values of all thread-locals lie that are left.
    pub(crate) fn local_values(&self) -> Vec<usize> {
        self.threads.iter().flat_map(|thread| thread.locals.addresses()).collect()
    }
}

impl Controlled {
    /// Looks a thread-local of the running thread up.
    pub fn local<T: 'static>(self, id: &'static LocalId) -> LocalState<T> {
        let execution = &mut *self.execution();
        let locals = &execution.threads[execution.current.index()].locals;
        match locals.entries.iter().find(|(other, _)| ptr::eq(*other, id)) {
            Some((_, Local::Alive(value) | Local::Undying(value))) => {
                let value = value.downcast_ref::<T>().expect("a thread-local has one type");
                LocalState::Alive(ptr::from_ref(value))
            }
            Some((_, Local::Destroyed)) => LocalState::Destroyed,
            None => LocalState::Absent,
        }
    }

    /// Initialises a thread-local of the running thread and says where its value is. An earlier
    /// value is handed back.
    pub fn set_local<T: 'static>(self, id: &'static LocalId, value: T) -> (*const T, Option<T>) {
        // Before the engine's code begins: the value is the test's.
        let value: Box<dyn Any> = Box::new(value);
        let execution = &mut *self.execution();
        let locals = &mut execution.threads[execution.current.index()].locals;
        let local =
            if std::mem::needs_drop::<T>() { Local::Alive(value) } else { Local::Undying(value) };
        let earlier = match locals.entries.iter_mut().find(|(other, _)| ptr::eq(*other, id)) {
            Some((_, place)) => match std::mem::replace(place, local) {
                Local::Alive(earlier) | Local::Undying(earlier) => earlier.downcast().ok(),
                Local::Destroyed => None,
            },
            None => {
                locals.entries.push((id, local));
                None
            }
        };
        // Asked for only now, because moving a box ends what pointers into it were good for.
        let LocalState::Alive(place) = self.local(id) else { unreachable!("it was just set") };
        (place, earlier.map(|earlier: Box<T>| *earlier))
    }

    /// Runs the destructors of the running thread's thread-locals, last initialised first, those
    /// included that are initialised meanwhile.
    pub(crate) fn drop_locals(self) {
        loop {
            let execution = &mut *self.execution();
            let locals = &mut execution.threads[execution.current.index()].locals;
            match locals.pop_alive() {
                Some(value) => self.run_test_code(|| drop(value)),
                None => break,
            }
        }
    }
}
