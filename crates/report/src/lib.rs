//! Findings as text for people.
//!
//! A finding is explained in three parts: what is wrong (who holds what, who waits for whom), how
//! it came about (the steps that matter, a column for each thread), and how to see it again. All
//! of it is rendered from data; the only input beside the finding are lines of source, which come
//! through the trait [`Sources`].
//!
//! Text is laid out in characters: one that takes two columns on the screen shifts what follows
//! it in its row, nothing else.
#![forbid(unsafe_code)]

mod account;
mod again;
mod conditions;
mod diagram;
mod fold;
mod interleaving;
mod kinds;
mod left_out;
mod line;
mod names;
mod old_values;
mod operation;
mod page;
mod place;
mod plain;
mod printed;
mod relevant;
mod sources;
#[cfg(test)]
mod tests;
mod trace;
mod warnings;
mod words;

pub use conditions::conditions;
pub use diagram::{Diagram, Facts, Lane, Line as DiagramLine, Role, diagram};
pub use left_out::left_out;
pub use names::shortened;
pub use place::place;
pub use plain::{plain, plain_lines};
pub use relevant::waits;
pub use sources::{NoSources, SourceFiles, Sources};
pub use trace::trace;
pub use warnings::{untold, warning};

use account::Account;
use names::Names;
use page::Page;
use selvedge_model::Finding;

/// Whether colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Text only, for logs and files.
    #[default]
    Plain,
    /// Escape sequences of ANSI terminals.
    Ansi,
}

/// How the text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// With or without colours.
    pub colour: Colour,
    /// How many columns there are. Source text and the table of steps keep within them;
    /// messages, paths and the schedule are never cut.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { colour: Colour::Plain, width: 100 }
    }
}

/// What is known beside the finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context<'a> {
    /// The name of the test as `cargo test` takes it.
    pub test: Option<&'a str>,
    /// The name under which `cargo selvedge` keeps the finding, if it does.
    pub kept: Option<&'a str>,
}

/// What went wrong, in one line without colours: `deadlock: 2 threads wait for each other`.
pub fn headline(finding: &Finding) -> String {
    let account = Account::of(finding, &Names::of(finding));
    plain(&format!("{}: {}", account.kind, account.title))
}

/// The whole explanation of a finding, several lines, the last one ended too.
pub fn explain(
    finding: &Finding,
    context: Context<'_>,
    style: Style,
    sources: &dyn Sources,
) -> String {
    let names = Names::of(finding);
    let account = Account::of(finding, &names);
    let mut page = Page::new(style, sources);
    page.headline(&account);
    page.blocks(&account.blocks);
    page.notes(&account.notes);
    interleaving::write(&mut page, finding, &names, &account);
    old_values::write(&mut page, finding, &names);
    printed::write(&mut page, finding);
    again::write(&mut page, finding, context);
    page.finish()
}
