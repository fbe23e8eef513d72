//! A finding as data, for whoever draws it instead of printing it. The words and the choice of
//! steps are those of the explanation.

use crate::account::{Account, Block};
use crate::interleaving::drawn;
use crate::names::Names;
use crate::{Sources, relevant};
use selvedge_model::{Finding, FindingKind, Source};

/// A finding, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The headline.
    pub headline: String,
    /// Further lines that belong to it, such as those of a panic message.
    pub details: Vec<String>,
    /// What is wrong, by subject.
    pub facts: Vec<Facts>,
    /// What the reader can do or should know.
    pub notes: Vec<String>,
    /// The threads that have lines, in the order of their columns.
    pub lanes: Vec<Lane>,
    /// What happened, in order.
    pub lines: Vec<Line>,
    /// Where the objects in it were made.
    pub created: Vec<(String, Source)>,
}

/// What is known of one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Such as a thread.
    pub subject: String,
    /// Each fact, and where it shows.
    pub facts: Vec<(String, Option<Source>)>,
    /// The calls that led there, innermost first, by name or address.
    pub calls: Vec<String>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// As people call it.
    pub label: String,
    /// Its position in the finding.
    pub thread: usize,
    /// Where it was spawned; nowhere for the test's own thread.
    pub spawned: Option<Source>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The lane; none if it speaks of several threads.
    pub lane: Option<usize>,
    /// In words.
    pub text: String,
    /// Where, if that is known.
    pub at: Option<Source>,
    /// What it is.
    pub role: Role,
    /// The position of the (last) step that it stands for; the number of steps if it comes after
    /// all of them.
    pub step: usize,
    /// The first of the steps that it stands for, if it is a fold of one thread.
    pub hidden: Vec<Self>,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A step.
    Step,
    /// A step that gives something back.
    Release,
    /// It stands for steps that are not shown.
    Fold,
    /// It says how a thread ended.
    End,
    /// It is an access to memory that races.
    Race,
}

/// The finding, ready to be drawn.
pub fn diagram(finding: &Finding, sources: &dyn Sources) -> Diagram {
    let names = Names::of(finding);
    let account = Account::of(finding, &names);
    let rows = relevant::select(finding, &account.about);
    let (lanes, mut lines) = drawn::lines(finding, &names, &account, &rows);
    if let FindingKind::DataRace { first, second, .. } = &finding.kind {
        // Where debug information is at hand, it may know the line.
        let races = lines.iter_mut().filter(|line| line.role == Role::Race && line.at.is_none());
        for (line, access) in races.zip([first, second]) {
            line.at = access.frames.iter().find_map(|&call| sources.place(call));
        }
    }
    Diagram {
        headline: format!("{}: {}", account.kind, account.title),
        details: account.details.clone(),
        facts: account.blocks.iter().map(|block| facts(block, sources)).collect(),
        notes: account.notes.clone(),
        lanes,
        lines,
        created: drawn::created(finding, &names, &rows),
    }
}

fn facts(block: &Block<'_>, sources: &dyn Sources) -> Facts {
    let named: Vec<_> = block.calls.iter().flat_map(|&call| sources.code(call)).collect();
    let mut calls = match named.is_empty() {
        true => block.calls.iter().map(ToString::to_string).collect(),
        false => named,
    };
    calls.extend(block.callers.iter().cloned());
    let place = block.calls.iter().find_map(|&call| sources.place(call));
    let facts = block.facts.iter().map(|fact| {
        // An access has no line of its own, but the debug information may know it.
        let at = fact.at.cloned().or_else(|| place.clone());
        (fact.text.clone(), at)
    });
    Facts { subject: block.subject.clone(), facts: facts.collect(), calls }
}
