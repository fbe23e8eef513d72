//! Critical sections: who holds which lock from where to where.

use selvedge_model::{Act, Event, Hold, ObjectId};

/// A lock in the hands of a thread. Positions are numbers of events in the execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) object: u32,
    /// From here on others may read; the end if it is never downgraded, the beginning if it was
    /// taken for reading.
    exclusive_until: u32,
    /// Where the lock was given back; never if it was not.
    end: u32,
}

const NEVER: u32 = u32::MAX;

impl Section {
    /// How the lock is held all the time until the event at a position begins; nothing if it is given
    /// back before.
    pub(crate) fn hold_until(&self, position: u32) -> Option<Hold> {
        match self.end >= position {
            false => None,
            true if self.exclusive_until >= position => Some(Hold::Exclusive),
            true => Some(Hold::Shared),
        }
    }
}

/// The critical sections of an execution, while its events are gone through.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    all: Vec<Section>,
    /// Those that each thread is in, by number.
    open: Vec<Vec<u32>>,
}

impl Sections {
    pub(crate) fn get(&self, number: u32) -> &Section {
        &self.all[number as usize]
    }

    /// The sections that a thread is in.
    pub(crate) fn open(&self, thread: usize) -> &[u32] {
        self.open.get(thread).map_or(&[], Vec::as_slice)
    }

    /// Takes the event at a position into account; the number of the section that it begins, or goes
    /// on with as a reader, if any.
    pub(crate) fn apply(&mut self, position: u32, event: &Event) -> Option<u32> {
        let (thread, act) = (event.thread.index(), Act::from(event));
        match (act.gives_back(), act.meaning.locks()) {
            (Some((lock, _)), Some(Hold::Shared)) => self.downgrade(thread, lock, position),
            (Some((lock, _)), _) => {
                self.close(thread, lock, position);
                None
            }
            (None, Some(hold)) => Some(self.open_section(thread, act.object, hold)),
            (None, None) => None,
        }
    }

    fn open_section(&mut self, thread: usize, lock: ObjectId, hold: Hold) -> u32 {
        if self.open.len() <= thread {
            self.open.resize_with(thread + 1, Vec::new);
        }
        let exclusive_until = match hold {
            Hold::Exclusive | Hold::Initialising => NEVER,
            Hold::Shared => 0,
        };
        let number = self.all.len() as u32;
        self.all.push(Section { object: lock.0, exclusive_until, end: NEVER });
        self.open[thread].push(number);
        number
    }

    fn find(&self, thread: usize, lock: ObjectId) -> Option<usize> {
        let open = self.open.get(thread)?;
        open.iter().rposition(|&section| self.all[section as usize].object == lock.0)
    }

    fn close(&mut self, thread: usize, lock: ObjectId, position: u32) {
        if let Some(index) = self.find(thread, lock) {
            let section = &mut self.all[self.open[thread].remove(index) as usize];
            section.end = position;
            section.exclusive_until = section.exclusive_until.min(position);
        }
    }

    fn downgrade(&mut self, thread: usize, lock: ObjectId, position: u32) -> Option<u32> {
        let number = self.open[thread][self.find(thread, lock)?];
        self.all[number as usize].exclusive_until = position;
        Some(number)
    }
}
