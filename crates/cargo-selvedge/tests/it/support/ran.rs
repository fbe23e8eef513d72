//! A call of the command that has come to its end.

use std::fmt;
use std::process::Command;

/// How it left and what it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Runs a command to its end.
    pub(crate) fn of(mut command: Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Requires an exit code.
    #[track_caller]
    pub(crate) fn left_with(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "\n{self}");
        self
    }

    /// Requires that something was said to people, all of it in one line.
    #[track_caller]
    pub(crate) fn says(&self, words: &[&str]) -> &Self {
        let said = self.stderr.lines().any(|line| words.iter().all(|word| line.contains(word)));
        assert!(said, "no line has {words:?}\n{self}");
        self
    }

    /// Requires that something was not said to people.
    #[track_caller]
    pub(crate) fn is_silent_about(&self, word: &str) -> &Self {
        assert!(!self.stderr.contains(word), "{word:?} was said\n{self}");
        self
    }

    /// The line of the standard error that has this in it.
    #[track_caller]
    pub(crate) fn line(&self, word: &str) -> &str {
        let line = self.stderr.lines().find(|line| line.contains(word));
        line.unwrap_or_else(|| panic!("no line has {word:?}\n{self}"))
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, stdout, stderr } = self;
        write!(f, "exit code {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}

/// The text with `[time]` in the place of every duration.
pub(crate) fn without_times(text: &str) -> String {
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_time = |word: &str| {
        let unit = word.strip_suffix("ms").or_else(|| word.strip_suffix('s'));
        unit.is_some_and(is_number)
    };
    let lines = text.lines().map(|line| {
        let words = line.split(' ').map(|word| {
            let bare = word.trim_start_matches('(').trim_end_matches(')');
            if is_time(bare) { word.replace(bare, "[time]") } else { word.to_owned() }
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}
