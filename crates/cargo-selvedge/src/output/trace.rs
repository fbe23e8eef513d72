//! What is in a trace, for people.

use selvedge_model::{
    Access, AccessKind, AccessMode, Effect, Event, MemoryChange, Moment, ObjectId, ObjectInfo,
    ObjectKind, Observer, Race, RaceSide, Spot, ThreadId, Traced, Variable,
};
use selvedge_report::Sources;
use std::collections::BTreeMap;

/// A trace that was written, or why there is none.
pub(crate) fn describe(traced: &Traced) -> String {
    match traced {
        Traced::Written { file, bytes, executions, left_out, limit } => {
            let plural = if *executions == 1 { "" } else { "s" };
            let mut text =
                format!("{} ({executions} execution{plural}, {})", file.display(), size(*bytes));
            if *left_out > 0 {
                let limit = size(*limit);
                text.push_str(&format!("; no room for {left_out} more (trace_size is {limit})"));
            }
            text
        }
        Traced::Failed(why) => why.clone(),
    }
}

/// A number of bytes as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_048_576 => format!("{:.1}k", bytes as f64 / 1024.0),
        _ => format!("{:.1}M", bytes as f64 / 1_048_576.0),
    }
}

/// Counts what happens.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn add(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// A line for each kind of thing, by name.
    pub(crate) fn table(&self) -> String {
        self.counts.iter().map(|(what, count)| format!("  {what:18} {count:>10}\n")).collect()
    }
}

impl Observer for Tally {
    fn event(&mut self, event: &Event, _moment: &Moment<'_>) {
        self.add(event.operation.kind.name());
    }

    fn access(&mut self, access: &Access, _moment: &Moment<'_>) {
        self.add(match (access.kind, access.variable) {
            (AccessKind::Read, Variable::Data(_)) => "data read",
            (AccessKind::Write, Variable::Data(_)) => "data written",
            (AccessKind::Read, Variable::Memory { .. }) => "memory read",
            (AccessKind::Write, Variable::Memory { .. }) => "memory written",
        });
    }

    fn memory(&mut self, change: &MemoryChange, _moment: &Moment<'_>) {
        self.add(if change.end.is_some() { "memory freed" } else { "memory made" });
    }
}

/// Lists what happens.
pub(crate) struct Listing<'a> {
    pub(crate) tally: Tally,
    pub(crate) text: String,
    sources: &'a dyn Sources,
    /// How objects are called.
    names: Vec<String>,
    kinds: BTreeMap<ObjectKind, u32>,
}

impl<'a> Listing<'a> {
    /// Has seen nothing yet.
    pub(crate) fn new(sources: &'a dyn Sources) -> Self {
        Self {
            tally: Tally::default(),
            text: String::new(),
            sources,
            names: Vec::new(),
            kinds: BTreeMap::new(),
        }
    }

    fn object(&mut self, object: ObjectId, objects: &[ObjectInfo]) -> &str {
        for info in &objects[self.names.len()..] {
            let number = self.kinds.entry(info.kind).or_default();
            *number += 1;
            // Threads are called by their paths; all files are one object, and so is the schedule.
            self.names.push(match info.kind {
                ObjectKind::Thread | ObjectKind::Files | ObjectKind::Schedule => String::new(),
                kind => format!("{kind} {number}"),
            });
        }
        self.names.get(object.index()).map_or("", String::as_str)
    }

    fn line(&mut self, step: &str, thread: ThreadId, moment: &Moment<'_>, what: &str, at: &str) {
        let thread = moment.path(thread).to_string();
        self.text.push_str(&format!("{step:>7}  {thread:6} {what:44} {at}\n"));
    }
}

impl Observer for Listing<'_> {
    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.tally.event(event, moment);
        let operation = event.operation;
        let object = self.object(operation.object, moment.objects).to_owned();
        let what = format!("{:12} {object:12} {}", operation.kind, effect(event.effect, moment));
        let at = operation.site.to_string();
        self.line(&moment.step.to_string(), event.thread, moment, &what, &at);
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        self.tally.access(access, moment);
        let object = match access.variable {
            Variable::Data(object) => {
                format!("data of {}", self.object(object, moment.objects))
            }
            Variable::Memory { address, size } => format!("{size} bytes at {address:#x}"),
        };
        let what = format!("{:12} {object}", way(access.kind, access.mode));
        let at = spot(access.spot, self.sources);
        self.line("", access.thread, moment, &what, &at);
    }

    fn memory(&mut self, change: &MemoryChange, moment: &Moment<'_>) {
        self.tally.memory(change, moment);
        let MemoryChange { thread, address, size, end } = *change;
        let how = if end.is_some() { "free" } else { "new memory" };
        let at = end.map(|code| spot(Spot::Code(code), self.sources)).unwrap_or_default();
        self.line("", thread, moment, &format!("{how:12} {size} bytes at {address:#x}"), &at);
    }
}

fn effect(effect: Effect, moment: &Moment<'_>) -> String {
    match effect {
        Effect::Done => String::new(),
        Effect::Refused => "refused".to_owned(),
        Effect::Timed => "with a deadline".to_owned(),
        Effect::TimedOut => "timed out".to_owned(),
        Effect::Spurious => "for no reason".to_owned(),
        Effect::Read(value) => format!("{value}"),
        Effect::Wrote(value) => format!("= {value}"),
        Effect::Changed { from, to } => format!("{from} → {to}"),
        Effect::Kept(value) => format!("kept {value}"),
        Effect::Thread(thread) => format!("thread {}", moment.path(thread)),
        Effect::Woke(count) => format!("woke {count}"),
    }
}

fn way(kind: AccessKind, mode: AccessMode) -> String {
    let kind = match kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    };
    match mode {
        AccessMode::Plain => kind.to_owned(),
        AccessMode::Atomic => format!("{kind} (atomic)"),
        AccessMode::Volatile => format!("{kind} (volatile)"),
        AccessMode::Freeing => "frees".to_owned(),
    }
}

fn spot(spot: Spot, sources: &dyn Sources) -> String {
    match spot {
        Spot::Line(site) => site.to_string(),
        Spot::Code(code) => {
            sources.code(code).into_iter().next().unwrap_or_else(|| format!("code {code}"))
        }
    }
}

/// A data race of an execution.
pub(crate) fn race(execution: u64, race: &Race, sources: &dyn Sources) -> String {
    let side = |side: &RaceSide| {
        let RaceSide { thread, kind, mode, spot: at, .. } = *side;
        format!("  {:?} {} at {}\n", thread, way(kind, mode), spot(at, sources))
    };
    let (first, second) = (side(&race.first), side(&race.second));
    format!("data race of {} bytes in execution {execution}:\n{first}{second}", race.size)
}
