//! A written schedule that is in force: who stands before what, and whether that may happen.

use crate::thread::Thread;
use selvedge_model::{ObjectId, Site, ThreadId, ThreadSet};
use selvedge_spec::{
    Action, Letter, Mode, Monitor, Permission, Place, Seen, Spec, ThreadKey, Violation,
};
use std::borrow::Cow;
use std::fmt;

/// What schedules call the thread that runs the test's body.
const MAIN: &str = "main";

/// So many different events that a schedule does not mention are remembered.
const UNMENTIONED: usize = 256;

/// A schedule that is in force.
pub(crate) struct Written {
    /// What the test calls it.
    pub(crate) name: String,
    /// As it was written.
    pub(crate) text: String,
    mode: Mode,
    monitor: Monitor,
    /// The thread that runs the test's body.
    main: ThreadId,
    /// What its events are operations on: the order of any two of them can matter.
    pub(crate) object: ObjectId,
    /// Who has stopped before something that it mentions, in the order of arrival.
    pub(crate) standing: Vec<Standing>,
    /// Those of them that it does not let go on.
    pub(crate) held: ThreadSet,
    /// Those that have been reported as blocked.
    pub(crate) blocked: ThreadSet,
    violations: Vec<Violation>,
    /// Events that happened and that it does not mention, with the names of their threads.
    unmentioned: Vec<(String, Option<String>)>,
    /// The step before which nobody could go on.
    quiet_at: Option<u64>,
}

/// A thread that has stopped before something.
pub(crate) struct Standing {
    pub(crate) thread: ThreadId,
    pub(crate) before: Before,
    pub(crate) site: Site,
}

/// What a thread has stopped before.
pub(crate) enum Before {
    /// A named event.
    Event(String),
    /// Its first instruction.
    Start,
    /// Its end.
    End,
    /// The end of the test, by which all that is to happen has to have happened.
    Finish,
}

impl Before {
    fn action(&self) -> Option<Action<'_>> {
        match self {
            Self::Event(name) => Some(Action::Event(name)),
            Self::Start => Some(Action::Start),
            Self::End => Some(Action::End),
            Self::Finish => None,
        }
    }
}

impl fmt::Display for Before {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Event(name) => name,
            Self::Start => "start",
            Self::End => "end",
            Self::Finish => "the end of the test",
        })
    }
}

impl Written {
    pub(crate) fn new(
        spec: &Spec,
        name: &str,
        mode: Mode,
        main: ThreadId,
        object: ObjectId,
    ) -> Self {
        Self {
            name: name.to_owned(),
            text: spec.to_string(),
            mode,
            monitor: Monitor::new(spec),
            main,
            object,
            standing: Vec::new(),
            held: ThreadSet::new(),
            blocked: ThreadSet::new(),
            violations: Vec::new(),
            unmentioned: Vec::new(),
            quiet_at: None,
        }
    }

    /// Whether it matters which threads are blocked.
    pub(crate) fn watches_blocking(&self) -> bool {
        self.monitor.watches_blocking()
    }

    /// Whether threads are to be blocked for others to go on.
    pub(crate) fn needs_blocked_threads(&self) -> bool {
        self.mode == Mode::Enforce && self.watches_blocking()
    }

    /// Whether a thread that comes by this has to stop there.
    pub(crate) fn mentions(&self, threads: &[Thread], thread: ThreadId, before: &Before) -> bool {
        match before.action() {
            Some(action) => self.monitor.mentions(action, self.name_of(threads, thread)),
            None => true,
        }
    }

    fn name_of<'a>(&self, threads: &'a [Thread], thread: ThreadId) -> Option<&'a str> {
        let Thread { alias, name, .. } = &threads[thread.index()];
        match alias {
            Some(alias) => Some(alias),
            None if thread == self.main => Some(MAIN),
            None => name.as_deref(),
        }
    }

    fn letter<'a>(
        &self,
        threads: &'a [Thread],
        thread: ThreadId,
        action: Action<'a>,
    ) -> Letter<'a> {
        Letter { action, thread: ThreadKey(thread.0), name: self.name_of(threads, thread) }
    }

    /// Something has happened to a thread.
    pub(crate) fn report(
        &mut self,
        threads: &[Thread],
        thread: ThreadId,
        action: Action<'_>,
        place: Option<Place>,
    ) {
        let letter = self.letter(threads, thread, action);
        self.violations.extend(self.monitor.step(&letter, place));
    }

    /// What the thread stood before happens, if it stood before anything.
    pub(crate) fn happens(&mut self, threads: &[Thread], thread: ThreadId) -> bool {
        let Some(index) = self.standing.iter().position(|at| at.thread == thread) else {
            return false;
        };
        let Standing { before, site, .. } = self.standing.remove(index);
        if let Some(action) = before.action() {
            let place = matches!(before, Before::Event(_)).then(|| place_of(site));
            self.report(threads, thread, action, place);
        }
        true
    }

    /// Whether what a thread stands before may happen before this step.
    pub(crate) fn permits(&self, threads: &[Thread], at: &Standing, step: u64) -> bool {
        match self.permission(threads, at) {
            Permission::Now => true,
            Permission::WhenQuiet => self.quiet_at == Some(step),
            Permission::NotYet => false,
        }
    }

    fn permission(&self, threads: &[Thread], at: &Standing) -> Permission {
        match at.before.action() {
            Some(_) if self.mode == Mode::Check => Permission::Now,
            Some(action) => self.monitor.permission(&self.letter(threads, at.thread, action)),
            None if self.monitor.unmet().is_empty() => Permission::Now,
            // Those who are held at that moment will be for ever, which says more.
            None if self.held.iter().any(|held| held != at.thread) => Permission::NotYet,
            None => Permission::WhenQuiet,
        }
    }

    /// Whether somebody waits for the moment at which nobody can go on.
    pub(crate) fn awaits_quiet(&self, threads: &[Thread]) -> bool {
        self.standing.iter().any(|at| self.permission(threads, at) == Permission::WhenQuiet)
    }

    /// Nobody can go on before this step.
    pub(crate) fn is_quiet_at(&mut self, step: u64) {
        self.quiet_at = Some(step);
    }

    /// What a thread that is held waits for, in words.
    pub(crate) fn needs(&self, threads: &[Thread], at: &Standing) -> Vec<String> {
        match at.before.action() {
            Some(action) => {
                let needs = self.monitor.needs(&self.letter(threads, at.thread, action));
                needs.iter().map(ToString::to_string).collect()
            }
            None => self.monitor.unmet().iter().map(ToString::to_string).collect(),
        }
    }

    /// What has happened of what the schedule mentions.
    pub(crate) fn history(&self) -> &[selvedge_spec::Happened] {
        self.monitor.history()
    }

    /// A thread came by an event that the schedule does not mention, which may be a slip of the pen.
    pub(crate) fn note_unmentioned(&mut self, threads: &[Thread], thread: ThreadId, event: &str) {
        let name = self.name_of(threads, thread);
        let is_known = |(e, n): &(String, Option<String>)| e == event && n.as_deref() == name;
        if self.unmentioned.len() < UNMENTIONED && !self.unmentioned.iter().any(is_known) {
            self.unmentioned.push((event.to_owned(), name.map(str::to_owned)));
        }
    }

    /// Whether all was as the schedule says; if not, in words.
    pub(crate) fn verdict(&self, threads: &[Thread]) -> Result<(), String> {
        self.with_seen(threads, |seen| self.monitor.verdict(&self.violations, seen))
    }

    /// What may have been meant where the schedule names what never happened.
    pub(crate) fn hints(&self, threads: &[Thread]) -> Vec<String> {
        let unmet = self.monitor.unmet();
        self.with_seen(threads, |seen| {
            let told = unmet.iter().map(|unmet| (unmet, self.monitor.explain_unmet(unmet, seen)));
            let hints = told.filter(|(unmet, told)| *told != unmet.to_string());
            hints.map(|(_, told)| told).collect()
        })
    }

    /// What threads and events there were, for those who look for what was meant.
    fn with_seen<R>(&self, threads: &[Thread], look: impl FnOnce(&Seen<'_>) -> R) -> R {
        let happened = self.monitor.history().iter();
        let happened = happened.map(|happened| (&*happened.event, happened.name.as_deref()));
        let others = self.unmentioned.iter().map(|(event, name)| (&**event, name.as_deref()));
        let events: Vec<_> = happened.chain(others).collect();
        let names = (0..threads.len() as u32).filter_map(|id| self.name_of(threads, ThreadId(id)));
        let names: Vec<_> = names.collect();
        look(&Seen { events: &events, threads: &names })
    }
}

fn place_of(site: Site) -> Place {
    let source = site.source();
    Place { file: Cow::Owned(source.file), line: source.line, column: source.column }
}
