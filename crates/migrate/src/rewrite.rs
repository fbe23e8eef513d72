//! The edits of a migrated test: events are added, threads are named, sleeps are taken away, and the
//! attribute gets the schedule.

use crate::edit::{Edit, begins_line, indentation, line_end, line_start};
use crate::gap::{Gap, Removed};
use crate::infer::{Blocking, Event, Inferred, Node, Ordering};
use crate::names::{Names, ThreadName, choose};
use crate::source::{BlockId, BodyId, Braces, FileId, Kind, Sources, StatementId, Tail, TestFn};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of the sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleeps {
    /// They are taken away.
    Removed,
    /// They stay, so that a run without control can be checked.
    Kept,
}

/// The name of the library in paths, which old editions write in another way.
pub const LIBRARY: &str = "selvedge";

/// A test, and what it is to become.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The test.
    pub test: TestFn,
    /// What it is about.
    pub inferred: Inferred,
    /// What its events and threads are called.
    pub names: Names,
    /// The schedules that it has, if these are several.
    pub cases: Vec<Case>,
    /// Tests that it takes the place of.
    pub absorbed: Vec<TestFn>,
}

/// One of several schedules of a test.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it says.
    pub orderings: Vec<Ordering>,
}

/// Edits, file by file.
pub type Edits = BTreeMap<FileId, Vec<Edit>>;

impl Migration {
    /// Chooses names.
    pub fn new(sources: &Sources, test: TestFn, inferred: Inferred) -> Self {
        let names = choose(sources, test.body, &inferred);
        Self { test, inferred, names, cases: Vec::new(), absorbed: Vec::new() }
    }

    /// The orderings, as a schedule has them.
    pub fn schedule(&self) -> Vec<String> {
        self.inferred.orderings.iter().map(|ordering| self.ordering(ordering)).collect()
    }

    /// An ordering, as a schedule has it.
    pub fn ordering(&self, ordering: &Ordering) -> String {
        let before = self.node(ordering.before);
        let before = match ordering.blocking {
            Blocking::Yes => format!("[{before}]"),
            Blocking::No => before,
        };
        format!("{before} -> {}", self.node(ordering.after))
    }

    /// An event, as a schedule names it.
    pub fn node(&self, node: Node) -> String {
        let name = match node.event {
            Event::Ended(body) => {
                let name = self.names.threads.get(&body).map_or("", ThreadName::as_str);
                if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    format!("end@{name}")
                } else {
                    format!("end@\"{name}\"")
                }
            }
            event => self.names.events.get(&event).cloned().unwrap_or_default(),
        };
        match node.occurrence {
            1 => name,
            number => format!("{name}#{number}"),
        }
    }

    /// The edits that make the migrated test of the original.
    pub fn edits(&self, sources: &Sources, sleeps: Sleeps) -> Edits {
        let mut edits = Edits::new();
        let file = sources.body(self.test.body).file;
        let text = &sources.file(file).text;
        let own = edits.entry(file).or_default();
        if let Some(attribute) = self.attribute(indentation(text, self.test.attribute.start)) {
            own.push(Edit { at: self.test.attribute.clone(), text: attribute });
        }
        for test in &self.absorbed {
            let mut start = line_start(text, test.range.start);
            // The blank line before it goes, too.
            if text[..start].ends_with("\n\n") {
                start -= 1;
            }
            own.push(Edit::delete(start..line_end(text, test.range.end)));
        }
        self.body_edits(sources, sleeps, &mut edits);
        edits
    }

    /// The attribute of the migrated test; nothing if it needs no schedule.
    fn attribute(&self, spaces: &str) -> Option<String> {
        if !self.cases.is_empty() {
            let lines: String = self
                .cases
                .iter()
                .map(|case| {
                    let all: Vec<_> = case.orderings.iter().map(|o| self.ordering(o)).collect();
                    let line = format!("{spaces}    {} = \"{}\",\n", case.name, all.join(", "));
                    if line.len() <= 101 {
                        return line;
                    }
                    let all: String = all
                        .iter()
                        .map(|ordering| format!("{spaces}        {ordering},\n"))
                        .collect();
                    format!("{spaces}    {} = \"\n{all}{spaces}    \",\n", case.name)
                })
                .collect();
            return Some(format!("#[{LIBRARY}::test(schedule(\n{lines}{spaces}))]"));
        }
        let schedule = self.schedule();
        (!schedule.is_empty()).then(|| attribute(&schedule, spaces))
    }

    /// The edits without that of the attribute.
    fn body_edits(&self, sources: &Sources, sleeps: Sleeps, edits: &mut Edits) {
        let editor =
            Editor { sources, removed: &self.inferred.removed, sleeps, names: &self.names };
        for gap in editor.gaps() {
            editor.gap(gap, edits);
        }
        for (&body, name) in &self.names.threads {
            if let ThreadName::Added(name) = name {
                editor.name(body, name, edits);
            }
        }
        editor.braces(edits);
    }
}

/// The attribute with a schedule, in one line if that is short enough.
fn attribute(schedule: &[String], indentation: &str) -> String {
    let line = format!("#[{LIBRARY}::test(schedule = \"{}\")]", schedule.join(", "));
    if indentation.len() + line.len() <= 100 && !line.contains("\\\"") {
        return line;
    }
    let mut text = format!("#[{LIBRARY}::test(schedule = \"\n");
    for ordering in schedule {
        text.push_str(&format!("{indentation}    {ordering},\n"));
    }
    text.push_str(&format!("{indentation}\")]"));
    text
}

struct Editor<'a> {
    sources: &'a Sources,
    removed: &'a Removed,
    sleeps: Sleeps,
    names: &'a Names,
}

impl Editor<'_> {
    /// All gaps in which something changes.
    fn gaps(&self) -> BTreeSet<Gap> {
        let of_events = self.names.events.keys().filter_map(|event| match event {
            Event::Finished(gap) | Event::Starting(gap) => Some(*gap),
            Event::Ended(_) => None,
        });
        let of_sleeps =
            self.removed.iter().map(|&sleep| Gap::at(self.sources, self.removed, sleep));
        of_events.chain(of_sleeps).collect()
    }

    fn event(&self, event: Event) -> Option<String> {
        let name = self.names.events.get(&event)?;
        Some(format!("{LIBRARY}::event!({name});"))
    }

    fn gap(&self, gap: Gap, edits: &mut Edits) {
        let file = gap.file(self.sources);
        let edits = edits.entry(file).or_default();
        let (finished, starting) =
            (self.event(Event::Finished(gap)), self.event(Event::Starting(gap)));
        let sleeps = gap.sleeps(self.sources, self.removed);
        match (&sleeps[..], self.sleeps) {
            ([], _) => {
                let events: Vec<_> = finished.into_iter().chain(starting).collect();
                match gap {
                    Gap::Before(statement) => self.before(statement, &events, edits),
                    Gap::End(block) => self.at_end(block, &events, edits),
                }
            }
            ([first, others @ ..], Sleeps::Removed) => {
                let events: Vec<_> = finished.into_iter().chain(starting).collect();
                if events.is_empty() {
                    self.remove(*first, edits);
                } else {
                    self.replace(*first, &events, edits);
                }
                others.iter().for_each(|sleep| self.remove(*sleep, edits));
            }
            ([first, ..], Sleeps::Kept) => {
                self.before(*first, finished.as_slice(), edits);
                if let (Some(starting), Some(last)) = (starting, sleeps.last()) {
                    self.after(*last, &starting, edits);
                }
            }
        }
    }

    fn text(&self, file: FileId) -> &str {
        &self.sources.file(file).text
    }

    /// Several statements, in lines of their own if the place is at the beginning of a line.
    fn join(&self, file: FileId, at: usize, events: &[String]) -> (String, String) {
        let text = self.text(file);
        let between = if begins_line(text, at) {
            format!("\n{}", indentation(text, at))
        } else {
            " ".to_owned()
        };
        (events.join(&between), between)
    }

    fn before(&self, statement: StatementId, events: &[String], edits: &mut Vec<Edit>) {
        if events.is_empty() {
            return;
        }
        let entry = self.sources.statement(statement);
        let at = entry.range.start;
        let (events, between) = self.join(entry.file, at, events);
        edits.push(Edit::insert(at, format!("{events}{between}")));
    }

    /// Behind a sleep that stays.
    fn after(&self, sleep: StatementId, event: &str, edits: &mut Vec<Edit>) {
        let entry = self.sources.statement(sleep);
        let missing = if entry.tail == Tail::Value { ";" } else { "" };
        edits.push(Edit::insert(entry.range.end, format!("{missing} {event}")));
    }

    fn at_end(&self, block: BlockId, events: &[String], edits: &mut Vec<Edit>) {
        if events.is_empty() {
            return;
        }
        let entry = self.sources.block(block);
        let text = self.text(entry.file);
        if let Some(&last) = entry.statements.last() {
            let statement = self.sources.statement(last);
            let is_unit = |text: &str| {
                ["assert", "debug_assert", "println", "eprintln", "print!", "eprint!"]
                    .iter()
                    .any(|name| text.starts_with(name))
            };
            match statement.tail {
                Tail::No => {}
                Tail::Value if is_unit(self.sources.text(last)) => {
                    edits.push(Edit::insert(statement.range.end, ";"));
                }
                Tail::Value if self.sources.is_call(last) => {
                    edits.push(Edit::insert(statement.range.start, "let value = "));
                    let (events, between) = self.join(entry.file, statement.range.start, events);
                    let rest = format!(";{between}{events}{between}value");
                    edits.push(Edit::insert(statement.range.end, rest));
                    return;
                }
                // A loop or a branch, which is a statement without a semicolon, too.
                Tail::Value => {}
            }
        }
        let close = entry.inner.end;
        if begins_line(text, close) && entry.braces == Braces::Written {
            let spaces = entry.statements.last().map_or_else(
                || format!("{}    ", indentation(text, close)),
                |&last| {
                    let start = self.sources.statement(last).range.start;
                    indentation(text, start).to_owned()
                },
            );
            let lines: String = events.iter().map(|event| format!("{spaces}{event}\n")).collect();
            edits.push(Edit::insert(line_start(text, close), lines));
        } else {
            let trailing = text[..close].len() - text[..close].trim_end().len();
            edits.push(Edit::insert(close - trailing, format!(" {}", events.join(" "))));
        }
    }

    /// Puts events in the place of a sleep.
    fn replace(&self, sleep: StatementId, events: &[String], edits: &mut Vec<Edit>) {
        let entry = self.sources.statement(sleep);
        let (events, _) = self.join(entry.file, entry.range.start, events);
        edits.push(Edit { at: entry.range.clone(), text: events });
    }

    /// Takes a sleep away, with its line if there is nothing else in it.
    fn remove(&self, sleep: StatementId, edits: &mut Vec<Edit>) {
        let entry = self.sources.statement(sleep);
        let text = self.text(entry.file);
        let range = entry.range.clone();
        let rest = &text[range.end..line_end(text, range.end)];
        if !begins_line(text, range.start) || !rest.trim().is_empty() {
            // A comment that stands behind it stays.
            let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let spaces = if begins_line(text, range.start) { spaces } else { 0 };
            edits.push(Edit::delete(range.start..range.end + spaces));
            return;
        }
        let (mut start, mut end) = (line_start(text, range.start), line_end(text, range.end));
        let before = text[..start].trim_end_matches([' ', '\t']);
        let previous = before
            .strip_suffix('\n')
            .map_or("", |rest| rest.rsplit('\n').next().unwrap_or("").trim());
        let next = text[end..line_end(text, end)].trim();
        if next.is_empty() && (previous.is_empty() || previous.ends_with('{')) {
            end = line_end(text, end);
        } else if next.starts_with('}') && previous.is_empty() && start > 0 {
            start = line_start(text, start - 1);
        }
        edits.push(Edit::delete(start..end));
    }

    /// Names a thread at the beginning of its code.
    fn name(&self, body: BodyId, name: &str, edits: &mut Edits) {
        let root = self.sources.block(self.sources.body(body).root);
        let call = format!("{LIBRARY}::name_thread!(\"{name}\");");
        let text = self.text(root.file);
        let edits = edits.entry(root.file).or_default();
        if root.braces == Braces::Missing {
            edits.insert(0, Edit::insert(root.inner.start, format!("{call} ")));
            return;
        }
        let first = root.statements.first().map(|&first| self.sources.statement(first).range.start);
        match first.filter(|&first| begins_line(text, first)) {
            Some(first) => {
                let spaces = indentation(text, first);
                edits.insert(0, Edit::insert(root.inner.start, format!("\n{spaces}{call}")));
            }
            None => edits.insert(0, Edit::insert(root.inner.start, format!(" {call}"))),
        }
    }

    /// Gives braces to closures that have got statements.
    fn braces(&self, edits: &mut Edits) {
        for (id, block) in self.sources.blocks() {
            if block.braces == Braces::Written || !self.changes(id) {
                continue;
            }
            let edits = edits.entry(block.file).or_default();
            edits.insert(0, Edit::insert(block.inner.start, "{ "));
            edits.push(Edit::insert(block.inner.end, " }"));
        }
    }

    /// Whether something is added to or taken from a block.
    fn changes(&self, id: BlockId) -> bool {
        let named = self.names.threads.iter().any(|(&body, name)| {
            self.sources.body(body).root == id && matches!(name, ThreadName::Added(_))
        });
        let gaps = self.gaps();
        let of_event = |gap: &Gap| {
            self.event(Event::Finished(*gap)).is_some()
                || self.event(Event::Starting(*gap)).is_some()
        };
        let sleeps = self.sources.block(id).statements.iter().any(|&statement| {
            self.sleeps == Sleeps::Removed
                && self.sources.statement(statement).kind == Kind::Sleep
                && self.removed.contains(&statement)
        });
        named || sleeps || gaps.iter().any(|gap| gap.block(self.sources) == id && of_event(gap))
    }
}
