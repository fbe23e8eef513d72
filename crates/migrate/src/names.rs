//! Names for events and threads, as people would choose them: `finished_send1`, `starting_recv`,
//! `end@send_thread`.
//!
//! Source: Figure 4 names an event by the call that returned before it, or that comes after it, and by the
//! number of its statement. Here the number counts calls of that name in the test, and is left out if
//! there is only one.

use crate::gap::{Gap, Removed};
use crate::infer::{Event, Inferred};
use crate::source::{BodyId, Kind, Sources, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a thread, and whether it has it already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadName {
    /// The test gives it.
    Given(String),
    /// It has to be added.
    Added(String),
}

impl ThreadName {
    /// The name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Given(name) | Self::Added(name) => name,
        }
    }
}

/// All names that a schedule needs.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Those of events in gaps.
    pub events: BTreeMap<Event, String>,
    /// Those of threads whose ends matter.
    pub threads: BTreeMap<BodyId, ThreadName>,
}

/// Chooses names for what orderings are between.
pub fn choose(sources: &Sources, test: BodyId, inferred: &Inferred) -> Names {
    let nodes = inferred.orderings.iter().flat_map(|o| [o.before, o.after]);
    let mut events: Vec<_> = nodes.map(|node| node.event).collect();
    events.sort_by_key(|event| place(sources, *event));
    events.dedup();
    let numbers = Numbers::new(sources, test);
    let mut names = Names::default();
    let mut taken = BTreeSet::new();
    for event in events {
        match event {
            Event::Ended(body) => {
                let name = match given(sources, body, inferred) {
                    Some(name) => ThreadName::Given(name),
                    None => ThreadName::Added(unique(&mut taken, thread(sources, body))),
                };
                names.threads.insert(body, name);
            }
            Event::Finished(_) | Event::Starting(_) => {
                let name = numbers.name(event, &inferred.removed);
                names.events.insert(event, unique(&mut taken, name));
            }
        }
    }
    names
}

fn place(sources: &Sources, event: Event) -> (crate::source::FileId, usize, Event) {
    match event {
        Event::Finished(gap) | Event::Starting(gap) => {
            (gap.file(sources), gap.offset(sources), event)
        }
        Event::Ended(body) => {
            (sources.body(body).file, sources.block(sources.body(body).root).inner.end, event)
        }
    }
}

/// The name that the statement which starts a thread gives it.
fn given(sources: &Sources, body: BodyId, inferred: &Inferred) -> Option<String> {
    let statement = sources.body(body).within?;
    let named = sources.text(statement).contains(".name(");
    inferred.names.get(&body).filter(|_| named).cloned()
}

/// What a thread is called that has no name: after the first thing that it does.
fn thread(sources: &Sources, body: BodyId) -> String {
    let statements = &sources.block(sources.body(body).root).statements;
    let first = statements.iter().find_map(|&id| {
        let statement = sources.statement(id);
        statement.call.as_ref().filter(|_| statement.kind != Kind::Sleep)
    });
    format!("{}_thread", first.map_or("other", String::as_str))
}

fn unique(taken: &mut BTreeSet<String>, name: String) -> String {
    let mut result = name.clone();
    let mut number = 1;
    while !taken.insert(result.clone()) {
        number += 1;
        result = format!("{name}_{number}");
    }
    result
}

/// How often each call occurs in a test, and which one a statement has.
struct Numbers<'a> {
    sources: &'a Sources,
    of_call: BTreeMap<&'a str, Vec<StatementId>>,
}

impl<'a> Numbers<'a> {
    fn new(sources: &'a Sources, test: BodyId) -> Self {
        let mut of_call: BTreeMap<&str, Vec<StatementId>> = BTreeMap::new();
        for (id, statement) in sources.statements() {
            if let Some(call) = &statement.call
                && statement.kind != Kind::Sleep
                && sources.is_within(id, test)
            {
                of_call.entry(call).or_default().push(id);
            }
        }
        Self { sources, of_call }
    }

    fn name(&self, event: Event, removed: &Removed) -> String {
        match event {
            Event::Starting(Gap::Before(statement)) => format!("starting_{}", self.of(statement)),
            Event::Starting(Gap::End(_)) => "ending".to_owned(),
            Event::Finished(gap) => match gap.previous(self.sources, removed) {
                Some(statement) => format!("finished_{}", self.of(statement)),
                None => match gap {
                    Gap::Before(statement) => format!("before_{}", self.of(statement)),
                    Gap::End(_) => "begun".to_owned(),
                },
            },
            Event::Ended(_) => String::new(),
        }
    }

    fn of(&self, statement: StatementId) -> String {
        let entry = self.sources.statement(statement);
        let call = entry.call.as_deref().or(entry.binds.as_deref()).unwrap_or("step");
        let all = self.of_call.get(call).map_or(&[][..], Vec::as_slice);
        match all.iter().position(|other| *other == statement) {
            Some(at) if all.len() > 1 => format!("{call}{}", at + 1),
            _ => call.to_owned(),
        }
    }
}
