//! The command line of `sct`.

use selvedge::StrategyName;
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
usage: cargo run --release -p selvedge-benches -- sct [option...]

Executions until the bug of each port of SCTBench and ConVul is found, beside what others have
published. All of it takes a quarter of an hour, most of which are the strategies that never find
the bug of SafeStack.

options:
  --seeds N           so many searches for each program and strategy (20)
  --limit N           at most so many executions for each search (10000)
  --safe-stack N      the same for SafeStack, which needs more (1000000)
  --program NAME,...  only these programs
  --strategy NAME,... only these strategies (portfolio,surw,urw,pos,pct(3),random)
  --out FILE          write the report there; without it a run that leaves nothing out and
                      uses the usual seeds and limits writes benches/SCT.md
";

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Sct {
    pub(crate) seeds: u64,
    pub(crate) limit: u64,
    pub(crate) safe_stack: u64,
    /// All, if none is named.
    pub(crate) programs: Vec<String>,
    pub(crate) strategies: Vec<StrategyName>,
    pub(crate) out: Option<PathBuf>,
    /// The arguments as they were given.
    given: Vec<String>,
}

const STRATEGIES: [StrategyName; 6] = [
    StrategyName::Portfolio,
    StrategyName::Surw,
    StrategyName::Urw,
    StrategyName::Pos,
    StrategyName::Pct(3),
    StrategyName::Random,
];

impl Sct {
    /// The command that measures the same again.
    pub(crate) fn command(&self) -> String {
        let mut words = vec!["cargo run --release -p selvedge-benches -- sct"];
        words.extend(self.given.iter().map(String::as_str));
        words.join(" ")
    }

    /// Where the report goes, if anywhere.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let results = || concat!(env!("CARGO_MANIFEST_DIR"), "/SCT.md").into();
        self.out.clone().or_else(|| self.given.is_empty().then(results))
    }
}

/// Reads the arguments after `sct`; says what is wrong with them if something is.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Sct, String> {
    let given: Vec<String> = arguments.collect();
    let mut sct = Sct {
        seeds: 20,
        limit: 10_000,
        safe_stack: 1_000_000,
        programs: Vec::new(),
        strategies: STRATEGIES.to_vec(),
        out: None,
        given: given.clone(),
    };
    let mut words = given.iter();
    while let Some(option) = words.next() {
        if option == "--help" {
            return Err(HELP.to_owned());
        }
        let value = words.next().ok_or_else(|| format!("{option} needs a value\n\n{HELP}"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("'{value}' is no number"));
        match option.as_str() {
            "--seeds" => sct.seeds = number()?,
            "--limit" => sct.limit = number()?,
            "--safe-stack" => sct.safe_stack = number()?,
            "--program" => sct.programs = value.split(',').map(str::to_owned).collect(),
            "--strategy" => {
                let names = value
                    .split(',')
                    .map(|name| name.parse().map_err(|_| format!("there is no strategy '{name}'")));
                sct.strategies = names.collect::<Result<_, _>>()?;
            }
            "--out" => sct.out = Some(value.into()),
            _ => return Err(format!("'{option}' is no option\n\n{HELP}")),
        }
    }
    Ok(sct)
}
