//! `cargo selvedge coverage`.

use super::test;
use crate::cli::{CoverageArgs, OutputArgs, TestArgs};
use crate::exit::Exit;
use crate::output::coverage::{growth_csv, json_lines, list, quality_table, table, uncovered};
use selvedge_report::plain_lines;

/// What is measured if nothing else is said: what the thesis behind most of them recommends, the
/// pairs of locks, and two that show what repetition adds.
const USUAL: &str = "sp, avio*, hbpair*, dupairs*, goldilock, sync, sites";

/// Runs the tests with metrics on, and tells of them.
pub(crate) fn run(args: CoverageArgs) -> anyhow::Result<Exit> {
    let metrics = match args.metrics.is_empty() {
        true => USUAL.to_owned(),
        false => args.metrics.join(","),
    };
    let mut explore = args.explore;
    // What is covered is what the exploration covers.
    explore.fresh = true;
    explore.settings.push(format!("metrics={metrics}"));
    if args.quality {
        explore.settings.push(format!("series={}x{}", args.series, args.length));
    }
    let tests = TestArgs {
        filters: args.filters,
        runner: args.runner,
        explore,
        output: OutputArgs::default(),
        cargo: args.cargo,
    };
    test::run_then(&tests, None, |campaign| {
        let measured = campaign.measured();
        if let Some(path) = &args.json {
            fs_err::write(path, json_lines(&measured)?)?;
        }
        if let Some(path) = &args.csv {
            fs_err::write(path, growth_csv(&measured))?;
        }
        anstream::print!("{}", plain_lines(&table(&measured)));
        if args.quality {
            anstream::print!("\n{}", plain_lines(&quality_table(&measured)));
        }
        if args.list {
            anstream::print!("\n{}", plain_lines(&list(&measured)));
        }
        anstream::print!("{}", plain_lines(&uncovered(&measured)));
        Ok(())
    })
}
