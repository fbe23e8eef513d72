//! A test's source, logs of it by lines, and what comes of them.

use selvedge_migrate::edit::apply;
use selvedge_migrate::infer::{Inferred, Runs, infer};
use selvedge_migrate::log::Log;
use selvedge_migrate::rewrite::{Migration, Sleeps};
use selvedge_migrate::source::{FileId, Scope, Sources};

/// A file with one test.
pub(crate) struct Subject {
    pub(crate) sources: Sources,
}

impl Subject {
    pub(crate) fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        sources.add("tests/queue.rs", text, &[], Scope::All).expect("it parses");
        Self { sources }
    }

    /// A log whose entries are `milliseconds thread kind info`; statements are given by their lines.
    pub(crate) fn log(&self, text: &str) -> Log {
        let mut lines = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let fields: Vec<_> = line.split_whitespace().collect();
            let (time, thread, kind) = (fields[0], fields[1], fields[2]);
            let info = fields.get(3).copied().unwrap_or("");
            let info = match kind {
                "call" | "return" => self.statement(info).to_string(),
                "sleep_call" => "1".to_owned(),
                _ => info.to_owned(),
            };
            let time = (time.parse::<f64>().expect("a time") * 1e6) as u64;
            lines.push_str(&format!("{time}\t{thread}\t{kind}\t{info}\n"));
        }
        Log::parse(&lines).expect("it is a log")
    }

    /// The statement that begins in a line; `7.2` is the second one.
    fn statement(&self, place: &str) -> usize {
        let (line, which) = place.split_once('.').unwrap_or((place, "1"));
        let (line, which): (usize, usize) =
            (line.parse().expect("a line"), which.parse().expect("a number"));
        let mut found = self.sources.statements().filter(|(_, statement)| {
            self.sources.line_column(FileId(0), statement.range.start).0 == line
        });
        found.nth(which - 1).unwrap_or_else(|| panic!("no statement in line {place}")).0.0
    }

    pub(crate) fn infer(&self, logs: &[Log]) -> Inferred {
        let test = self.sources.tests()[0].body;
        infer(&self.sources, Runs { logs, test, confidence: 0.5 })
    }

    pub(crate) fn migrate(&self, logs: &[&str]) -> Migration {
        let logs: Vec<_> = logs.iter().map(|log| self.log(log)).collect();
        Migration::new(&self.sources, self.sources.tests()[0].clone(), self.infer(&logs))
    }

    pub(crate) fn text(&self, migration: &Migration, sleeps: Sleeps) -> String {
        let edits = migration.edits(&self.sources, sleeps);
        let text = &self.sources.file(FileId(0)).text;
        apply(text, edits.get(&FileId(0)).map_or(&[], Vec::as_slice))
    }
}
