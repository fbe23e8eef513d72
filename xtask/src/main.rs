//! Chores of the workspace that are more than one shell line.
//!
//! `inventory` and `probes` keep the proof up to date that the mirrored std has the same interface
//! as the real one; see [`parity`]. `corpus` measures which of the known bugs of published crates
//! are found; see [`corpus`]. `migration` migrates sleep-based tests of published crates; see [`migration`].
//! `field` runs other people's suites under control; see [`field`].
//! `browser` looks at the page of a report in a real browser; see [`browser`].
//! `budget` counts the instructions of a step; see [`budget`].
//! `howto` follows the how-to pages in a copy of the sources; see [`howto`].

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to whoever runs it")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod browser;
mod budget;
mod corpus;
mod field;
mod howto;
mod migration;
mod package;
mod parity;
mod selvedge;

/// What every step of a chore returns: a chore is run by a developer who reads the message.
type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const HELP: &str = "\
usage: cargo run -p xtask -- <chore> [--check]

chores:
  inventory   write the list of std's stable interface from the installed HTML docs
  probes      write the probes that use every item of that list
  corpus      look for the bugs of published crates and write corpus/RESULTS.md; with names
              behind it, look for those only and write nothing; with `async` behind it,
              check what is found in the asynchronous tests of corpus/async; with `saturation`
              behind it, count what stopping at saturation loses and write corpus/SATURATION.md;
              each search is kept, so one that was interrupted goes on where it was
  migration   migrate sleep-based tests of published crates and write benches/MIGRATION.md
              and the tables of the book; with names of crates behind it, migrate the tests of
              those only and print the tables; with `tables` behind it, migrate nothing and use
              what was kept
  field       run the suites of published crates under control, with default options, and
              write their table into the book; with `quick` behind it, only what CI has time for;
              with names of crates (or `projects`) behind it, those only and without the table;
              a crate that is not on the list is named with its version (`rusqlite@0.37.0`);
              with `native` behind it, only what `cargo test` says, which is kept for later;
              with `page` behind it, measure nothing and write the table from what was kept
  browser     look at pages of reports in chromium (Debian: chromium, chromium-driver)
  budget      count the instructions that steps of small programs take (Debian: valgrind) and
              hold them against benches/budget.toml; with `--update`, write that file
  howto       do what docs/howto says, literally, to a copy of the sources below target, and run
              the tests that the pages end with
  help        print this text

options:
  --check     write nothing; fail if a file on disk differs from what would be written
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let mut check = false;
    let mut update = Update::No;
    let mut chores = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "--check" => check = true,
            "--update" => update = Update::Yes,
            option if option.starts_with('-') => {
                return Err(format!("unknown option `{option}`\n\n{HELP}").into());
            }
            chore => chores.push(chore),
        }
    }
    match chores[..] {
        ["inventory"] => deliver(&[parity::inventory()?], check),
        ["probes"] => deliver(&parity::probes()?, check),
        ["corpus"] => deliver(&[corpus::measure_all(root()?)?], check),
        ["corpus", "async"] => corpus::check_async(root()?),
        ["corpus", "saturation"] => deliver(&[corpus::measure_saturation(root()?)?], check),
        ["corpus", ref names @ ..] => corpus::measure(root()?, names),
        ["migration"] => deliver(&migration::measure_all(root()?)?, check),
        ["migration", "tables"] => deliver(&migration::pages(root()?)?, check),
        ["migration", "tables", ref names @ ..] => migration::show(root()?, names),
        ["migration", ref names @ ..] => migration::measure(root()?, names),
        ["field"] => deliver(&[field::measure_all(root()?)?], check),
        ["field", "quick"] => field::quick(root()?),
        ["field", "native"] => field::native(root()?),
        ["field", "page"] => deliver(&[field::page(root()?)?], check),
        ["field", ref names @ ..] => field::some(root()?, names),
        ["browser"] => browser::check(),
        ["budget"] => match update {
            Update::No => budget::check(root()?),
            Update::Yes => deliver(&[budget::measure_all(root()?)?], check),
        },
        ["howto"] => howto::follow(root()?),
        ["help"] => {
            print!("{HELP}");
            Ok(())
        }
        [] => Err(format!("which chore?\n\n{HELP}").into()),
        _ => Err(format!("unknown chore `{}`\n\n{HELP}", chores.join(" ")).into()),
    }
}

/// Whether a budget is written anew or held.
enum Update {
    Yes,
    No,
}

/// A file that a chore makes, with its path relative to the root of the workspace.
struct Output {
    path: PathBuf,
    text: String,
}

/// The root of the workspace.
fn root() -> Result<&'static Path> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?)
}

/// Writes the outputs, or compares them with the files that are there.
fn deliver(outputs: &[Output], check: bool) -> Result<()> {
    let root = root()?;
    for output in outputs {
        let file = root.join(&output.path);
        let shown = output.path.display();
        if check {
            let found = fs::read_to_string(&file)
                .map_err(|error| format!("failed to read {shown}: {error}"))?;
            if found != output.text {
                return Err(format!("{shown} is out of date; run the chore without --check").into());
            }
            println!("{shown} is up to date");
        } else {
            if let Some(directory) = file.parent() {
                fs::create_dir_all(directory).map_err(|error| {
                    format!("failed to create {}: {error}", directory.display())
                })?;
            }
            fs::write(&file, &output.text)
                .map_err(|error| format!("failed to write {shown}: {error}"))?;
            println!("wrote {shown}");
        }
    }
    Ok(())
}
