//! The screen while tests run: a line for each test that is being explored, and a bar for all.
//! Where there is no terminal, only finished tests are told of.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use selvedge_report::plain;
use std::collections::BTreeMap;
use std::time::Duration;

/// So often the screen is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// The screen.
#[derive(Debug)]
pub(crate) struct Screen {
    all: MultiProgress,
    bar: ProgressBar,
    tests: BTreeMap<usize, ProgressBar>,
}

impl Screen {
    /// A screen for so many tests.
    pub(crate) fn new(tests: usize) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let bar = all.add(ProgressBar::new(tests as u64));
        bar.set_style(style("   {prefix:>9} [{bar:27}] {pos}/{len} tests, {elapsed} {msg}"));
        bar.set_prefix("Exploring");
        bar.enable_steady_tick(TICK);
        Self { all, bar, tests: BTreeMap::new() }
    }

    /// A test begins.
    pub(crate) fn started(&mut self, job: usize, name: &str) {
        let line = self.all.insert_before(&self.bar, ProgressBar::new_spinner());
        line.set_style(style("{spinner:>12} {prefix} {msg}"));
        line.set_prefix(plain(name));
        line.enable_steady_tick(TICK);
        self.tests.insert(job, line);
    }

    /// A test goes on.
    pub(crate) fn progress(&mut self, job: usize, executions: u64) {
        if let Some(line) = self.tests.get(&job) {
            let rate = executions as f64 / line.elapsed().as_secs_f64().max(0.001);
            line.set_message(format!("{executions} executions, {rate:.0}/s"));
        }
    }

    /// A test was given up.
    pub(crate) fn stopped(&mut self, job: usize) {
        if let Some(line) = self.tests.remove(&job) {
            line.finish_and_clear();
        }
    }

    /// A test is over.
    pub(crate) fn finished(&mut self, job: usize, findings: usize) {
        self.stopped(job);
        self.bar.inc(1);
        if findings > 0 {
            self.bar.set_message(format!("{findings} found"));
        }
    }

    /// Prints above what moves.
    pub(crate) fn print(&self, text: &str) {
        self.all.suspend(|| anstream::eprintln!("{text}"));
    }

    /// Shows what a test printed, where it would have shown it itself.
    pub(crate) fn print_output(&self, output: &str) {
        if !output.is_empty() {
            self.all.suspend(|| anstream::print!("{output}"));
        }
    }

    /// Takes everything that moves away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
        for line in self.tests.values() {
            line.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the template is a constant")
        .progress_chars("=> ")
}
