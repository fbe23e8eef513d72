//! Everything that happened in an execution, as it was told.

use selvedge_model::{
    Access, AccessKind, Clock, Event, Moment, ObjectInfo, Observer, Operation, Record, Spot,
    ThreadInfo, Variable,
};

/// One thing that happened.
pub(super) struct Item {
    pub(super) thread: u32,
    pub(super) site: String,
    pub(super) what: What,
    /// What the thread had seen.
    pub(super) clock: Clock,
    /// What every thread was about to do.
    pub(super) pending: Vec<Operation>,
}

pub(super) enum What {
    Event(Event),
    Access(AccessKind, u32),
}

impl Item {
    pub(super) fn event(&self) -> Option<&Event> {
        match &self.what {
            What::Event(event) => Some(event),
            What::Access(..) => None,
        }
    }
}

#[derive(Default)]
pub(super) struct Trace {
    pub(super) items: Vec<Item>,
    pub(super) threads: Vec<ThreadInfo>,
    pub(super) objects: Vec<ObjectInfo>,
}

fn pending(moment: &Moment<'_>) -> Vec<Operation> {
    moment.threads.iter().map(|thread| thread.pending).collect()
}

impl Observer for Trace {
    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.items.push(Item {
            thread: event.thread.0,
            site: event.operation.site.to_string(),
            what: What::Event(*event),
            clock: moment.clock.clone(),
            pending: pending(moment),
        });
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        let (Variable::Data(object), Spot::Line(site)) = (access.variable, access.spot) else {
            panic!("only data behind locks is told of here");
        };
        self.items.push(Item {
            thread: access.thread.0,
            site: site.to_string(),
            what: What::Access(access.kind, object.0),
            clock: moment.clock.clone(),
            pending: pending(moment),
        });
    }

    fn end(&mut self, record: &Record<'_>) {
        self.threads = record.threads.to_vec();
        self.objects = record.objects.to_vec();
    }
}
