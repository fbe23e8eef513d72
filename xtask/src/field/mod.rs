//! The field gate: what becomes of other people's projects under `cargo selvedge test` with default options.
//!
//! `field/crates.toml` lists published crates. The suite of each is run twice, by `cargo test` and by the command, and
//! the verdicts are compared test by test. `field/findings.toml` says of every finding what it is: true, the
//! test's own race, or false, each with an argument; a finding that it does not know fails the gate.
//! `field/projects.toml` lists small projects on which the command was once wrong, with what it has to say of each
//! of their tests.
//!
//! What was measured is kept below `target/field`, so that an interrupted gate goes on where it stopped. It
//! counts for the program that was measured and for no other.

mod compare;
mod control;
mod kept;
mod known;
mod native;
mod page;
mod process;
mod project;
mod subject;

use crate::selvedge::{Profile, Selvedge, compiler};
use crate::{Output, Result};
use compare::Comparison;
use control::Control;
use kept::{Kept, Side, folder};
use known::Known;
use native::Native;
use std::path::{Path, PathBuf};
use subject::{Part, Subject};

/// Where the table stands.
const PAGE: &str = "book/src/field.md";

/// Runs the whole gate and gives back its page.
pub(crate) fn measure_all(root: &Path) -> Result<Output> {
    let selvedge = Selvedge::build(root, Profile::Debug)?;
    project::check_all(root, &selvedge)?;
    let known = known::read(root)?;
    let mut measured = Vec::new();
    for subject in subject::read(root)? {
        measured.push(measure_one(root, &selvedge, subject)?);
    }
    judge(&measured, &known)?;
    Ok(page_of(&measured, &known))
}

/// Runs the part of the gate that CI has time for.
pub(crate) fn quick(root: &Path) -> Result<()> {
    let selvedge = Selvedge::build(root, Profile::Debug)?;
    project::check_all(root, &selvedge)?;
    let mut subjects = subject::read(root)?;
    subjects.retain(|subject| subject.part == Part::Quick);
    measure_and_judge(root, &selvedge, subjects)
}

/// Measures the crates with these names. A name may also be `projects`, and `NAME@VERSION` is any crate of the
/// registry.
pub(crate) fn some(root: &Path, names: &[&str]) -> Result<()> {
    let selvedge = Selvedge::build(root, Profile::Debug)?;
    let mut listed = subject::read(root)?;
    let mut subjects = Vec::new();
    for name in names {
        if *name == project::ALL {
            project::check_all(root, &selvedge)?;
        } else if let Some((name, version)) = name.split_once('@') {
            subjects.push(Subject::of_the_registry(name, version));
        } else if let Some(found) = listed.iter().position(|subject| subject.name == *name) {
            subjects.push(listed.swap_remove(found));
        } else {
            let file = subject::FILE;
            return Err(format!(
                "there is no crate `{name}` in {file}; say `{name}@VERSION` to measure it"
            )
            .into());
        }
    }
    measure_and_judge(root, &selvedge, subjects)
}

/// Makes the page from what is kept, without measuring anything.
pub(crate) fn page(root: &Path) -> Result<Output> {
    let known = known::read(root)?;
    let mut measured = Vec::new();
    for subject in subject::read(root)? {
        if let Some(kept) = Kept::read(root, &subject)? {
            measured.push((subject, kept));
        }
    }
    Ok(page_of(&measured, &known))
}

fn page_of(measured: &[(Subject, Kept)], known: &Known) -> Output {
    Output { path: PathBuf::from(PAGE), text: page::render(measured, known) }
}

fn measure_and_judge(root: &Path, selvedge: &Selvedge, subjects: Vec<Subject>) -> Result<()> {
    let known = known::read(root)?;
    let mut measured = Vec::new();
    for subject in subjects {
        measured.push(measure_one(root, selvedge, subject)?);
    }
    judge(&measured, &known)
}

/// Runs all suites under `cargo test`, so that later only the command's runs are left.
pub(crate) fn native(root: &Path) -> Result<()> {
    for subject in subject::read(root)? {
        println!("{} {}", subject.name, subject.version);
        let native = measure_native(root, &subject)?;
        println!("  {} tests", native.tests.len());
        kept::clean(root)?;
    }
    Ok(())
}

/// Both runs of a suite. A run under control that was kept counts if it is of this program.
fn measure_one(root: &Path, selvedge: &Selvedge, subject: Subject) -> Result<(Subject, Kept)> {
    println!("{} {}", subject.name, subject.version);
    let native = measure_native(root, &subject)?;
    let control = match kept::read(root, &subject, Side::Control)? {
        Some(Control { program, .. }) if program != selvedge.fingerprint => None,
        kept => kept,
    };
    let control = match control {
        Some(control) => control,
        None => {
            let control = control::run(root, selvedge, &subject.unpack(&folder(root))?)?;
            kept::write(root, &subject, Side::Control, &control)?;
            control
        }
    };
    kept::clean(root)?;
    let kept = Kept { native, control };
    println!("  {}", Comparison::of(&kept).sentence());
    Ok((subject, kept))
}

/// A suite under `cargo test`. A run that was kept counts if it is of this compiler.
fn measure_native(root: &Path, subject: &Subject) -> Result<Native> {
    let compiler = compiler()?;
    match kept::read::<Native>(root, subject, Side::Native)? {
        Some(native) if native.compiler == compiler => Ok(native),
        _ => {
            let native = native::run(root, &compiler, &subject.unpack(&folder(root))?)?;
            kept::write(root, subject, Side::Native, &native)?;
            Ok(native)
        }
    }
}

/// Says everything that is wrong, and fails if anything is.
fn judge(measured: &[(Subject, Kept)], known: &Known) -> Result<()> {
    let mut wrong = Vec::new();
    for (subject, kept) in measured {
        wrong.extend(known.objections(subject, kept));
    }
    if wrong.is_empty() {
        println!("\nthe gate holds for {} crates", measured.len());
        return Ok(());
    }
    Err(format!("the gate does not hold:\n{}", wrong.join("\n")).into())
}
