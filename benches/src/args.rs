//! The command line.

use crate::sct;
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
usage: cargo run --release -p selvedge-benches -- [section...] [option...]
       cargo run --release -p selvedge-benches -- sct [option...]    (see sct --help)

sections (all of them unless some are named):
  speed      executions a second, cost of steps, threads and clocks
  metrics    what coverage metrics cost
  bugs       executions until a bug is found
  outcomes   which outcomes of litmus programs are seen
  memory     how much memory long executions and many executions take

options:
  --quick       smaller samples: two minutes instead of ten
  --full        the memory section runs ten million executions
  --out FILE    write the report there; without it a run of all sections that is not quick
                writes benches/RESULTS.md, and all other runs only print
  --help        print this text

cargo run --release -p selvedge-benches -- study --help says how guided exploration is compared
with random testing, and saturation --help how it is measured what stopping early loses.
";

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Quick,
    Usual,
    Full,
}

/// The parts of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SectionName {
    Speed,
    Metrics,
    Bugs,
    Outcomes,
    Memory,
}

impl SectionName {
    pub(crate) const ALL: [Self; 5] =
        [Self::Speed, Self::Metrics, Self::Bugs, Self::Outcomes, Self::Memory];

    fn word(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Metrics => "metrics",
            Self::Bugs => "bugs",
            Self::Outcomes => "outcomes",
            Self::Memory => "memory",
        }
    }
}

/// What is asked for.
#[derive(Debug)]
pub(crate) enum Request {
    Help,
    Run(Run),
    /// The ports of SCTBench and ConVul, which have a report of their own.
    Sct(sct::args::Sct),
    /// A job for a process of its own, see `child`.
    Child(Vec<String>),
    /// The study, which has options of its own.
    Study(Vec<String>),
    /// What stopping early loses and saves, which has options of its own.
    Saturation(Vec<String>),
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) sections: Vec<SectionName>,
    pub(crate) size: Size,
    pub(crate) out: Option<PathBuf>,
}

impl Run {
    /// The command that measures the same again.
    pub(crate) fn command(&self) -> String {
        let mut words = vec!["cargo run --release -p selvedge-benches"];
        if self.sections != SectionName::ALL || self.size != Size::Usual {
            words.push("--");
        }
        if self.sections != SectionName::ALL {
            words.extend(self.sections.iter().map(|section| section.word()));
        }
        match self.size {
            Size::Quick => words.push("--quick"),
            Size::Usual => {}
            Size::Full => words.push("--full"),
        }
        words.join(" ")
    }

    /// Where the report goes, if anywhere. Samples that are small or not of everything never
    /// take the place of a whole report unasked.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let whole = self.sections == SectionName::ALL && self.size != Size::Quick;
        let results = || concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md").into();
        self.out.clone().or_else(|| whole.then(results))
    }
}

/// Reads the arguments; says what is wrong with them if something is.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut run = Run { sections: Vec::new(), size: Size::Usual, out: None };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--child" => return Ok(Request::Child(arguments.collect())),
            "study" => return Ok(Request::Study(arguments.collect())),
            "saturation" => return Ok(Request::Saturation(arguments.collect())),
            "--help" => return Ok(Request::Help),
            "sct" => return sct::args::parse(arguments).map(Request::Sct),
            "--quick" => run.size = Size::Quick,
            "--full" => run.size = Size::Full,
            "--out" => run.out = Some(arguments.next().ok_or("--out needs a file")?.into()),
            word => match SectionName::ALL.into_iter().find(|section| section.word() == word) {
                Some(section) => run.sections.push(section),
                None => return Err(format!("'{word}' is no section and no option\n\n{HELP}")),
            },
        }
    }
    if run.sections.is_empty() {
        run.sections = SectionName::ALL.to_vec();
    }
    Ok(Request::Run(run))
}
