//! What detectors see of an event beside the event itself.

use selvedge_model::{
    Clock, HeldLocks, Instant, Moment, ObjectId, ObjectInfo, ObjectKind, ObjectName, Operation,
    Place, Role, Site, ThreadId, ThreadInfo, ThreadReport,
};

/// The moment of an event.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// Threads and objects so far.
    pub(crate) moment: &'a Moment<'a>,
    /// Which locks are held, without what the event does.
    pub(crate) held: &'a HeldLocks<Site>,
    /// What the event's thread had seen for certain before the event, in whatever order locks are
    /// taken. Its own entry is that of the event.
    pub(crate) before: &'a Clock,
    /// The event.
    pub(crate) now: Instant,
    /// The event that this one had to wait for, if there is one.
    pub(crate) cause: Option<Instant>,
    /// How many events there were before, of all threads.
    pub(crate) index: u64,
}

impl Scene<'_> {
    /// Names for what there is now.
    pub(crate) fn names(&self) -> Names<'_> {
        Names { threads: self.moment.threads, objects: self.moment.objects }
    }
}

/// Names threads and objects of an execution for people.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) threads: &'a [ThreadInfo],
    pub(crate) objects: &'a [ObjectInfo],
}

impl Names<'_> {
    /// The thread. Its name is not known to observers and filled in later.
    pub(crate) fn thread(&self, thread: ThreadId) -> ThreadReport {
        let (threads, objects) = (self.threads, self.objects);
        let moment = Moment { clock: &Clock::new(), threads, objects, step: 0 };
        ThreadReport {
            path: moment.path(thread),
            name: None,
            spawned: self.threads[thread.index()].spawned.map(Site::source),
        }
    }

    /// The object, numbered among those of its kind. Threads, files and schedules are not
    /// called by numbers.
    pub(crate) fn object(&self, object: ObjectId) -> Option<ObjectName> {
        let ObjectInfo { kind, created, .. } = *self.objects.get(object.index())?;
        if matches!(kind, ObjectKind::Thread | ObjectKind::Files | ObjectKind::Schedule) {
            return None;
        }
        let before = &self.objects[..object.index()];
        let number = 1 + before.iter().filter(|other| other.kind == kind).count() as u32;
        Some(ObjectName { kind, number, created: created.map(Site::source) })
    }

    /// A part in a witness.
    pub(crate) fn role(&self, thread: ThreadId, does: &str, operation: Operation) -> Role {
        Role {
            thread: self.thread(thread),
            does: does.to_owned(),
            kind: Some(operation.kind),
            object: self.object(operation.object),
            at: Place::Line(operation.site.source()),
        }
    }
}
