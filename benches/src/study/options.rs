//! What is measured, as the command line says.

use super::subjects::{self, Subject};
use std::path::PathBuf;

const HELP: &str = "\
usage: cargo run --release -p selvedge-benches -- study [option...]

Compares guided exploration with random testing on real threads; see benches/STUDY.md.

options:
  --runs N           runs of each technique under the engine (30)
  --noise-runs N     runs of each of the fifteen settings on real threads (10)
  --executions N     executions of a run (500)
  --long N           executions of a run in which saturation is looked for (2000)
  --window N         executions that have to be flat for saturation (50)
  --subject NAME     this subject only; may be given several times
  --save FILE        keep there what was measured on real threads
  --baselines FILE   take from there what was measured on real threads, and do not measure it
  --out FILE         write the tables there; without it a study of all subjects writes
                     benches/STUDY.md and the chapter of the book, and others only print
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) runs: u64,
    pub(crate) noise_runs: u64,
    pub(crate) executions: u64,
    pub(crate) long: u64,
    pub(crate) window: u64,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) save: Option<PathBuf>,
    pub(crate) baselines: Option<PathBuf>,
    pub(crate) out: Option<PathBuf>,
}

impl Options {
    /// Reads the arguments; says what is wrong with them if something is.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            runs: 30,
            noise_runs: 10,
            executions: 500,
            long: 2000,
            window: 50,
            subjects: Vec::new(),
            save: None,
            baselines: None,
            out: None,
        };
        while let Some(option) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{option} needs a value"));
            match option.as_str() {
                "--runs" => options.runs = number(&value()?)?,
                "--noise-runs" => options.noise_runs = number(&value()?)?,
                "--executions" => options.executions = number(&value()?)?,
                "--long" => options.long = number(&value()?)?,
                "--window" => options.window = number(&value()?)?,
                "--subject" => options.subjects.push(subject(&value()?)?),
                "--save" => options.save = Some(value()?.into()),
                "--baselines" => options.baselines = Some(value()?.into()),
                "--out" => options.out = Some(value()?.into()),
                "--help" => return Err(HELP.to_owned()),
                _ => return Err(format!("'{option}' is no option of the study\n\n{HELP}")),
            }
        }
        if options.subjects.is_empty() {
            options.subjects = subjects::ALL.to_vec();
        }
        options.long = options.long.max(options.executions);
        Ok(options)
    }

    /// Whether every subject is measured.
    pub(crate) fn is_whole(&self) -> bool {
        self.subjects.len() == subjects::ALL.len()
    }

    /// The command as it was given, as far as it matters for the figures.
    pub(crate) fn command(&self) -> String {
        let Self { runs, noise_runs, .. } = self;
        let real_threads = match self.baselines {
            None => format!("--noise-runs {noise_runs}"),
            Some(_) => "--baselines FILE".to_owned(),
        };
        format!("cargo run --release -p selvedge-benches -- study --runs {runs} {real_threads}")
    }
}

fn number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("'{text}' is no number from 1 on")),
    }
}

fn subject(name: &str) -> Result<Subject, String> {
    let found = subjects::ALL.into_iter().find(|subject| subject.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = subjects::ALL.iter().map(|subject| subject.name).collect();
        format!("there is no subject '{name}'; there are {}", names.join(", "))
    })
}
