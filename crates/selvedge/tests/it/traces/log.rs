//! Everything that an observer is told, as text.

use selvedge_model::{
    Access, Event, MemoryChange, Moment, ObjectInfo, Observer, Record, ThreadId, ThreadInfo,
};
use std::fmt::Debug;

/// Everything that it was told.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) calls: Vec<String>,
}

impl Log {
    fn add(&mut self, what: impl Debug, moment: &Moment<'_>) {
        let seen = (0..moment.threads.len() as u32).map(|thread| moment.clock.of(ThreadId(thread)));
        let seen: Vec<_> = seen.collect();
        let there = there(moment.threads, moment.objects);
        self.calls.push(format!("{what:?} {seen:?} {} {there}", moment.step));
    }
}

fn there(threads: &[ThreadInfo], objects: &[ObjectInfo]) -> String {
    format!("{threads:?} {objects:?}")
}

impl Observer for Log {
    fn begin(&mut self) {
        self.calls.push("begin".to_owned());
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.add(event, moment);
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        self.add(access, moment);
    }

    fn memory(&mut self, change: &MemoryChange, moment: &Moment<'_>) {
        self.add(change, moment);
    }

    fn end(&mut self, record: &Record<'_>) {
        let there = there(record.threads, record.objects);
        self.calls.push(format!("{:?} {:?} {there}", record.events, record.accesses));
    }
}
