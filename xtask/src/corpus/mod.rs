//! The corpus: bugs of published crates, each with an ordinary test that can show it.
//!
//! `corpus/bugs.toml` lists them; `corpus/bugs/<name>` has the test, a project with the buggy version
//! of the crate and one with the fixed version. A bug counts as found if the test fails with the
//! buggy version within the budget, fails in the same way whenever its schedule is run again,
//! and never fails with the fixed version.

mod asynchronous;
mod bug;
mod command;
mod measure;
mod saturation;
mod table;

use crate::selvedge::{Profile, Selvedge};
use crate::{Output, Result};
pub(crate) use asynchronous::check as check_async;
use bug::Bug;
pub(crate) use saturation::measure as measure_saturation;
use std::path::{Path, PathBuf};

/// Looks for every bug and gives back the table of what was found.
pub(crate) fn measure_all(root: &Path) -> Result<Output> {
    let bugs = bug::read(root)?;
    let text = table::render(&measure_each(root, bugs)?);
    Ok(Output { path: PathBuf::from("corpus/RESULTS.md"), text })
}

/// Looks for the bugs with these names and prints what was found.
pub(crate) fn measure(root: &Path, names: &[&str]) -> Result<()> {
    let mut bugs = bug::read(root)?;
    if let Some(unknown) = names.iter().find(|name| bugs.iter().all(|bug| bug.name != **name)) {
        return Err(format!("there is no bug `{unknown}` in corpus/bugs.toml").into());
    }
    bugs.retain(|bug| names.contains(&bug.name.as_str()));
    println!("\n{}", table::rows(&measure_each(root, bugs)?));
    Ok(())
}

fn measure_each(root: &Path, bugs: Vec<Bug>) -> Result<Vec<(Bug, measure::Measured)>> {
    let selvedge = Selvedge::build(root, Profile::Release)?;
    bugs.into_iter()
        .map(|bug| {
            println!("{}", bug.name);
            let measured = measure::measure(&selvedge, root, &bug)?;
            println!("  {measured}");
            Ok((bug, measured))
        })
        .collect()
}
