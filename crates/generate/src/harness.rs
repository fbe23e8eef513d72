//! The program that interprets tests of one type.
//!
//! Each call is a function on a line of its own. What does not compile is taken out, by the lines that the compiler's
//! errors point at, and the rest is compiled again: so nobody has to know the rules of traits.

use crate::row::{Body, Handle, Held, Needs, Row, Runs, Shown, Way};
use crate::subject::Subject;
use crate::template::Filling;
use selvedge_harness::{Results, Role};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What stands on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Trait(usize),
    Constructor(usize),
    Call(usize),
    /// Compiles if the part may be shared.
    Sync(usize),
}

/// A program for one type.
#[derive(Clone, Debug)]
pub struct Harness {
    /// What it is for.
    pub subject: Subject,
    /// What was taken out, and the compiler's words for why.
    out: BTreeMap<Entry, String>,
    /// Calls whose results are not looked at, since the code that does so does not compile.
    simple: Vec<usize>,
    /// What stands on which line of the last source.
    lines: BTreeMap<usize, Entry>,
}

/// Whether the program has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// Something was taken out; it is to be compiled again.
    Something,
    /// No error points at anything that could be taken out.
    Nothing,
}

impl Harness {
    /// A program with all that the type has.
    pub fn new(subject: Subject) -> Self {
        Self { subject, out: BTreeMap::new(), simple: Vec::new(), lines: BTreeMap::new() }
    }

    /// The rows of its table of constructors.
    pub fn constructors(&self) -> Vec<&Row> {
        let all = self.subject.constructors.iter().enumerate();
        all.filter(|(at, _)| !self.out.contains_key(&Entry::Constructor(*at)))
            .map(|(_, row)| row)
            .collect()
    }

    /// The rows of its table of calls.
    pub fn calls(&self) -> Vec<&Row> {
        let all = self.subject.calls.iter().enumerate();
        all.filter(|(at, _)| !self.out.contains_key(&Entry::Call(*at)))
            .map(|(_, row)| row)
            .collect()
    }

    /// Calls that were taken out, and why.
    pub fn refused(&self) -> Vec<(&Row, &str)> {
        let refused = self.out.iter().filter_map(|(entry, why)| match entry {
            Entry::Call(at) => Some((&self.subject.calls[*at], why.as_str())),
            Entry::Trait(_) | Entry::Constructor(_) | Entry::Sync(_) => None,
        });
        refused.collect()
    }

    /// Why no constructor is left.
    pub fn refused_constructors(&self) -> Vec<(&Row, &str)> {
        let refused = self.out.iter().filter_map(|(entry, why)| match entry {
            Entry::Constructor(at) => Some((&self.subject.constructors[*at], why.as_str())),
            Entry::Trait(_) | Entry::Call(_) | Entry::Sync(_) => None,
        });
        refused.collect()
    }

    /// Leaves out calls for which this does not hold.
    pub fn retain(&mut self, keep: impl Fn(&Row) -> bool) {
        for (at, row) in self.subject.calls.iter().enumerate() {
            if !keep(row) {
                self.out
                    .insert(Entry::Call(at), "left out by the arguments of the command".to_owned());
            }
        }
    }

    /// Takes out what errors point at: lines with the compiler's words.
    pub fn learn(&mut self, errors: &[(usize, String)]) -> Learned {
        let mut learned = Learned::Nothing;
        for (line, words) in errors {
            let Some(&entry) = self.lines.get(line) else { continue };
            if self.out.contains_key(&entry) {
                continue;
            }
            learned = Learned::Something;
            match entry {
                Entry::Call(at)
                    if is_looked_at(&self.subject.calls[at]) && !self.simple.contains(&at) =>
                {
                    self.simple.push(at);
                }
                Entry::Call(_) | Entry::Trait(_) | Entry::Constructor(_) | Entry::Sync(_) => {
                    self.out.insert(entry, words.clone());
                }
            }
        }
        learned
    }

    /// The source of the program.
    pub fn source(&mut self) -> String {
        let mut source = Source::default();
        // Nobody reads the program, and warnings would hide the errors by which calls are taken out.
        source.line(None, "#![allow(warnings)]");
        source.line(None, "use selvedge_interpret::{self as rt, Context, V};");
        for (at, part) in self.subject.parts.iter().enumerate() {
            source.line(None, &format!("type P{at} = {};", part.fill(Filling::Harness)));
        }
        let is_in = |entry: Entry| !self.out.contains_key(&entry);
        for (at, path) in self.subject.traits.iter().enumerate() {
            if is_in(Entry::Trait(at)) {
                source.line(Some(Entry::Trait(at)), &format!("use {path} as _;"));
            }
        }
        let mut constructors = String::new();
        for (at, row) in self.subject.constructors.iter().enumerate() {
            let entry = Entry::Constructor(at);
            if is_in(entry) {
                source.line(Some(entry), &constructor(at, row, self.subject.parts.len()));
                write!(constructors, "{}, ", constructor_row(at, row))
                    .expect("a string takes everything");
            }
        }
        let mut calls = String::new();
        for (at, row) in self.subject.calls.iter().enumerate() {
            let entry = Entry::Call(at);
            if is_in(entry) {
                let looks = if self.simple.contains(&at) { Looks::Away } else { Looks::AtResults };
                source.line(Some(entry), &call(at, row, looks));
                write!(calls, "{}, ", call_row(at, row)).expect("a string takes everything");
            }
        }
        let mut parts = String::new();
        for at in 0..self.subject.parts.len() {
            let entry = Entry::Sync(at);
            let sharing = if is_in(entry) { "Sync" } else { "NotSync" };
            if is_in(entry) {
                source
                    .line(Some(entry), &format!("fn sync_{at}() {{ rt::needs_sync::<P{at}>() }}"));
            }
            write!(parts, "rt::Part {{ sharing: rt::Sharing::{sharing} }}, ")
                .expect("a string takes everything");
        }
        source.line(
            None,
            &format!(
                "static TABLE: rt::Table = rt::Table {{ name: {:?}, parts: &[{parts}], constructors: &[{constructors}], \
                 calls: &[{calls}] }};",
                self.subject.name
            ),
        );
        source.line(None, "fn main() -> std::process::ExitCode { rt::main(&TABLE) }");
        self.lines = source.lines;
        source.text
    }
}

#[derive(Default)]
struct Source {
    text: String,
    number: usize,
    lines: BTreeMap<usize, Entry>,
}

impl Source {
    fn line(&mut self, entry: Option<Entry>, code: &str) {
        self.number += 1;
        if let Some(entry) = entry {
            self.lines.insert(self.number, entry);
        }
        self.text.push_str(code);
        self.text.push('\n');
    }
}

/// Whether results are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    AtResults,
    Away,
}

fn is_looked_at(row: &Row) -> bool {
    row.body.handle.is_none() && row.body.shown != Shown::Nothing
}

fn roles(roles: &[Role]) -> String {
    let names = roles.iter().map(|role| match role {
        Role::Key => "rt::Role::Key",
        Role::Value => "rt::Role::Value",
        Role::Number => "rt::Role::Number",
        Role::Capacity => "rt::Role::Capacity",
    });
    names.collect::<Vec<_>>().join(", ")
}

fn lets(body: &Body) -> String {
    body.lets.iter().map(|one| one.fill(Filling::Harness) + " ").collect()
}

fn constructor(at: usize, row: &Row, parts: usize) -> String {
    let object = if parts == 1 { "one" } else { "two" };
    let type_ = if parts == 1 { "P0" } else { "(P0, P1)" };
    let (lets, call) = (lets(&row.body), row.body.call.fill(Filling::Harness));
    format!(
        "fn constructor_{at}(c: &mut Context) -> rt::Object {{ let st = c.stepper(); {lets}let made: {type_} = {call}; \
         rt::Object::{object}(made) }}"
    )
}

fn constructor_row(at: usize, row: &Row) -> String {
    format!(
        "rt::Constructor {{ name: {:?}, arguments: &[{}], make: constructor_{at} }}",
        row.name,
        roles(&row.roles)
    )
}

fn call(at: usize, row: &Row, looks: Looks) -> String {
    let (part, gone) = (row.part, "else { return c.gone() };");
    let object = match row.needs {
        Needs::Nothing => String::new(),
        Needs::Shared => format!("let Some(o) = c.shared::<P{part}>({part}) {gone} "),
        Needs::Exclusive => format!("let Some(o) = c.exclusive::<P{part}>({part}) {gone} "),
        Needs::Owned => format!("let Some(mut o) = c.take::<P{part}>({part}) {gone} "),
    };
    let lets = lets(&row.body);
    let body = match &row.body.handle {
        Some(handle) => with_handle(&row.body, handle),
        None => plain(&row.body, looks),
    };
    format!("fn call_{at}(c: &mut Context) {{ let st = c.stepper(); {object}{lets}{body} }}")
}

fn run(runs: Runs, call: &str) -> String {
    match runs {
        Runs::Plainly => call.to_owned(),
        Runs::Awaited => format!("rt::wait_for({call}, st)"),
        Runs::PolledOnce => format!("rt::poll_once({call}, st)"),
    }
}

fn plain(body: &Body, looks: Looks) -> String {
    let call = run(body.runs, &body.call.fill(Filling::Harness));
    let held = match body.held {
        Held::Yes => " st.step();",
        Held::No => "",
    };
    let shown = if looks == Looks::AtResults { body.shown } else { Shown::Nothing };
    match shown {
        Shown::Elements => format!(
            "let mut texts = Vec::new(); for one in {call}.into_iter().take(4) {{ texts.push(rt::text!(&one)); st.step(); }} \
             rt::sorted(c, texts);"
        ),
        Shown::Value | Shown::Shape(_) | Shown::Nothing => {
            format!("let r = {call}; {}{held} drop(r);", show(shown, body.runs))
        }
    }
}

/// Keeps `r`.
fn show(shown: Shown, runs: Runs) -> String {
    let of = |what: &str| format!("rt::show!(c, {what});");
    let inner = match shown {
        Shown::Shape(Way::Option) => "is_some()",
        Shown::Shape(Way::Result) => "is_ok()",
        Shown::Value => return of("&r"),
        Shown::Shape(Way::Plain) | Shown::Nothing | Shown::Elements => match runs {
            Runs::PolledOnce => return of("r.is_some()"),
            Runs::Plainly | Runs::Awaited => return of("\"_\""),
        },
    };
    match runs {
        Runs::PolledOnce => of(&format!("r.as_ref().map(|r| r.{inner})")),
        Runs::Plainly | Runs::Awaited => of(&format!("r.{inner}")),
    }
}

fn with_handle(body: &Body, handle: &Handle) -> String {
    let call = body.call.fill(Filling::Harness);
    let (open, otherwise) = match handle.way {
        Way::Plain => (format!("{{ let mut h = {call};"), ""),
        Way::Option => {
            (format!("if let Some(mut h) = {call} {{"), " else { c.put(format_args!(\"None\")) }")
        }
        Way::Result => {
            (format!("if let Ok(mut h) = {call} {{"), " else { c.put(format_args!(\"Err\")) }")
        }
    };
    let lets: String = handle.lets.iter().map(|one| one.fill(Filling::Harness) + " ").collect();
    let then = run(handle.runs, &handle.call.fill(Filling::Harness));
    let show = show(handle.shown, handle.runs);
    let held = match handle.held {
        Held::Yes => " st.step();",
        Held::No => "",
    };
    format!("{open} st.step(); {lets}{{ let r = {then}; {show}{held} }} st.step(); }}{otherwise}")
}

fn call_row(at: usize, row: &Row) -> String {
    let receiver = match row.needs {
        Needs::Nothing => "None",
        Needs::Shared => "Shared",
        Needs::Exclusive => "Exclusive",
        Needs::Owned => "Consumed",
    };
    let results = match row.manner.results {
        Results::Exact => "Exact",
        Results::Weak => "Weak",
        Results::Layout => "Layout",
    };
    let effect = if row.manner.bulk { "Bulk" } else { "Atomic" };
    let failing = if row.manner.tries { "UnderContention" } else { "ForAReason" };
    let polling = match row.body.runs {
        Runs::PolledOnce => "Once",
        Runs::Plainly | Runs::Awaited => "No",
    };
    format!(
        "rt::Call {{ name: {:?}, arguments: &[{}], part: {}, receiver: rt::Receiver::{receiver}, \
         results: rt::Results::{results}, effect: rt::Effect::{effect}, failing: rt::Failing::{failing}, \
         polling: rt::Polling::{polling}, call: call_{at} }}",
        row.name,
        roles(&row.roles),
        row.part
    )
}
