//! What a section has to say, and how it is written down.

use std::fmt::Write;

/// Whether a figure is as good as it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Pass,
    Miss,
}

impl Verdict {
    /// Passes what is at least as large as the bar.
    pub(crate) fn at_least(bar: f64, figure: f64) -> Self {
        if figure >= bar { Self::Pass } else { Self::Miss }
    }

    /// Passes what is at most as large as the bar.
    pub(crate) fn at_most(bar: f64, figure: f64) -> Self {
        if figure <= bar { Self::Pass } else { Self::Miss }
    }

    /// Passes what is so.
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Pass } else { Self::Miss }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Miss => "**miss**",
        }
    }
}

/// How many bars were there and how many were missed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) missed: usize,
}

/// One section of the report, in Markdown.
pub(crate) struct Section {
    text: String,
    tally: Tally,
}

impl Section {
    pub(crate) fn new(title: &str) -> Self {
        Self { text: format!("## {title}\n"), tally: Tally::default() }
    }

    /// Adds a paragraph.
    pub(crate) fn say(&mut self, paragraph: &str) {
        self.text += &format!("\n{paragraph}\n");
    }

    /// The text for a verdict, which is counted.
    pub(crate) fn verdict(&mut self, verdict: Verdict) -> String {
        match verdict {
            Verdict::Pass => self.tally.passed += 1,
            Verdict::Miss => self.tally.missed += 1,
        }
        verdict.text().to_owned()
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        self.text += &table(heads, rows);
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }
}

/// A table, in Markdown, after an empty line.
pub(crate) fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = "\n".to_owned();
    let mut row = |cells: &mut dyn Iterator<Item = &str>| {
        for cell in cells {
            write!(text, "| {cell} ").expect("a string takes everything");
        }
        text += "|\n";
    };
    row(&mut heads.iter().copied());
    row(&mut heads.iter().map(|_| "---"));
    for cells in rows {
        debug_assert_eq!(cells.len(), heads.len(), "a row has one cell for each head");
        row(&mut cells.iter().map(String::as_str));
    }
    text
}
