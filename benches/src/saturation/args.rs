//! The command line of `saturation`.

use std::path::PathBuf;

pub(crate) const HELP: &str = "\
usage: cargo run --release -p selvedge-benches -- saturation [option...]

How many bugs are lost, and how many executions saved, because an exploration stops when it is
saturated: all fixtures and all ports, with the default strategy. What was measured is kept, so a
run that was interrupted goes on where it was.

options:
  --seeds N           so many searches for each program (20)
  --limit N           at most so many executions for each search (20000)
  --program NAME,...  only these programs
  --rows FILE         what was measured is kept there (target/saturation.tsv); remove it to measure
                      anew
  --out FILE          write the table there; without it a run that leaves nothing out and uses the
                      usual seeds and limit writes it into the book
";

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) seeds: u64,
    pub(crate) limit: u64,
    /// All, if none is named.
    pub(crate) programs: Vec<String>,
    pub(crate) rows: PathBuf,
    pub(crate) out: Option<PathBuf>,
}

/// The usual size.
const SEEDS: u64 = 20;
/// See [`SEEDS`].
const LIMIT: u64 = 20_000;

impl Options {
    /// Reads the arguments after `saturation`; says what is wrong with them if something is.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            seeds: SEEDS,
            limit: LIMIT,
            programs: Vec::new(),
            rows: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/saturation.tsv").into(),
            out: None,
        };
        while let Some(option) = arguments.next() {
            if option == "--help" {
                return Err(HELP.to_owned());
            }
            let value = arguments.next().ok_or_else(|| format!("{option} needs a value\n\n{HELP}"));
            let value = value?;
            let number = || value.parse::<u64>().map_err(|_| format!("'{value}' is no number"));
            match option.as_str() {
                "--seeds" => options.seeds = number()?,
                "--limit" => options.limit = number()?,
                "--program" => options.programs = value.split(',').map(str::to_owned).collect(),
                "--rows" => options.rows = value.into(),
                "--out" => options.out = Some(value.into()),
                _ => return Err(format!("'{option}' is no option\n\n{HELP}")),
            }
        }
        Ok(options)
    }

    /// Whether all programs are measured with the usual seeds and limit.
    pub(crate) fn is_whole(&self) -> bool {
        self.programs.is_empty() && self.seeds == SEEDS && self.limit == LIMIT
    }
}
