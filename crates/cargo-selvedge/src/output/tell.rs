//! Lines in the style of cargo: a word, right-aligned, and what it is about.

use anstyle::{AnsiColor, Style};
use selvedge_model::{Finding, Warning};
use selvedge_report::{Colour, Context, Sources, plain_lines};
use std::time::Duration;

/// The words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Accepted,
    Blocking,
    Building,
    Built,
    Checking,
    Exploring,
    Left,
    Listing,
    Logging,
    Merged,
    Migrated,
    Refused,
    Resuming,
    Running,
    Passed,
    Once,
    TooLong,
    Stopped,
    Found,
    Failed,
    Warned,
    Finished,
    Fixed,
    Pinned,
    Replayed,
    Forgotten,
    Traced,
    Interrupted,
    Note,
}

impl Status {
    const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Fixed => "fixed",
            Self::Pinned => "Pinned",
            Self::Replayed => "Replayed",
            Self::Forgotten => "Forgotten",
            Self::Blocking => "Blocking",
            Self::Building => "Building",
            Self::Built => "Built",
            Self::Exploring => "Exploring",
            Self::Checking => "Checking",
            Self::Left => "Left",
            Self::Listing => "Listing",
            Self::Logging => "Logging",
            Self::Merged => "Merged",
            Self::Migrated => "Migrated",
            Self::Refused => "Refused",
            Self::Resuming => "Resuming",
            Self::Running => "Running",
            Self::Passed => "passed",
            Self::Once => "once",
            Self::TooLong => "too long",
            Self::Stopped => "stopped",
            Self::Found => "FOUND",
            Self::Failed => "FAILED",
            Self::Warned => "warning",
            Self::Finished => "Finished",
            Self::Traced => "Traced",
            Self::Interrupted => "Interrupted",
            Self::Note => "Note",
        }
    }

    const fn style(self) -> Style {
        let colour = match self {
            Self::Building
            | Self::Built
            | Self::Checking
            | Self::Exploring
            | Self::Finished
            | Self::Fixed
            | Self::Forgotten
            | Self::Listing
            | Self::Logging
            | Self::Merged
            | Self::Migrated
            | Self::Resuming
            | Self::Running
            | Self::Passed
            | Self::Pinned
            | Self::Replayed
            | Self::Traced => AnsiColor::Green,
            Self::Once => AnsiColor::BrightBlack,
            Self::Found | Self::Failed | Self::Refused => AnsiColor::Red,
            Self::Accepted
            | Self::Left
            | Self::Blocking
            | Self::TooLong
            | Self::Stopped
            | Self::Warned
            | Self::Interrupted
            | Self::Note => AnsiColor::Yellow,
        };
        colour.on_default().bold()
    }

    /// The whole line.
    pub(crate) fn line(self, text: &str) -> String {
        let style = self.style();
        format!("{style}{:>12}{style:#} {}", self.word(), plain_lines(text))
    }

    /// Prints the line where cargo prints its own.
    pub(crate) fn say(self, text: &str) {
        anstream::eprintln!("{}", self.line(text));
    }
}

/// Prints that something does not work.
pub(crate) fn error(text: &str) {
    let style = AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}error{style:#}: {}", plain_lines(text));
}

/// Prints something that people should know.
pub(crate) fn note(text: &str) {
    Status::Note.say(text);
}

/// A duration as people read it.
pub(crate) fn seconds(duration: Duration) -> String {
    match duration.as_secs_f64() {
        s if s < 0.9995 => format!("{:.0}ms", s * 1000.0),
        s if s < 59.95 => format!("{s:.1}s"),
        s => format!("{}m{:02}s", s as u64 / 60, s as u64 % 60),
    }
}

/// The explanation of a finding, for the terminal or for a file.
pub(crate) fn explain(
    finding: &Finding,
    test: &str,
    id: &str,
    colour: Colour,
    sources: &dyn Sources,
) -> String {
    let context = Context { test: Some(test), kept: Some(id) };
    selvedge_report::explain(finding, context, style(colour), sources)
}

/// What looks wrong, for the terminal.
pub(crate) fn warn(warning: &Warning, colour: Colour, sources: &dyn Sources) -> String {
    selvedge_report::warning(warning, style(colour), sources)
}

fn style(colour: Colour) -> selvedge_report::Style {
    let width = match colour {
        Colour::Ansi => terminal_width(),
        Colour::Plain => 100,
    };
    selvedge_report::Style { colour, width }
}

fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = columns.or_else(|| terminal_size::terminal_size().map(|(w, _)| usize::from(w.0)));
    columns.unwrap_or(100).clamp(60, 160)
}
