//! The migration study: what `cargo selvedge migrate` makes of tests of published crates that order
//! their threads by sleeping.
//!
//! `benches/migration/subjects.toml` lists the tests, `benches/migration/translations.toml` says for some of them what
//! their sleeps mean, written by hand. Each crate is taken from the registry into a folder below
//! `target/migration`; what the command says about its tests is kept there, so that crates can be done one by
//! one and the tables be made from whatever is there.
//!
//! Source of the method: V. Jagannath et al., *Improved Multithreaded Unit Testing* (ESEC/FSE 2011), section 6.
//!
//! Deviations: (1) places are gaps between statements, and those around a deleted sleep are one; the original
//! compares lines. (2) The end of a thread is the place at the end of its body. (3) Orderings are inferred from
//! inferred events; the original infers them from those that were written by hand.

mod answer;
mod command;
mod folder;
mod kept;
mod meaning;
mod place;
mod score;
mod subject;
mod table;
mod translation;

use crate::package::unpack;
use crate::{Output, Result};
use answer::Answer;
use kept::Kept;
use std::path::{Path, PathBuf};
use subject::Subject;
use table::Study;

/// Migrates the tests of every crate and gives back the pages.
pub(crate) fn measure_all(root: &Path) -> Result<Vec<Output>> {
    for subject in subject::read(root)? {
        measure_one(root, &subject)?;
    }
    pages(root)
}

/// Migrates the tests of the crates with these names and prints what came of them.
pub(crate) fn measure(root: &Path, names: &[&str]) -> Result<()> {
    for subject in &named(root, names)? {
        measure_one(root, subject)?;
    }
    show(root, names)
}

/// Prints what is kept of the crates with these names.
pub(crate) fn show(root: &Path, names: &[&str]) -> Result<()> {
    println!("\n{}", study(root, named(root, names)?)?.tables());
    Ok(())
}

fn named(root: &Path, names: &[&str]) -> Result<Vec<Subject>> {
    let mut subjects = subject::read(root)?;
    if let Some(unknown) = names.iter().find(|name| subjects.iter().all(|one| one.name != **name)) {
        return Err(format!("there is no crate `{unknown}` in {}", subject::FILE).into());
    }
    subjects.retain(|subject| names.contains(&subject.name.as_str()));
    Ok(subjects)
}

/// Makes the pages from what is kept. Crates of which nothing is are named as not measured.
pub(crate) fn pages(root: &Path) -> Result<Vec<Output>> {
    let is_kept = |subject: &Subject| Kept::is_there(root, subject);
    let (kept, unmeasured): (Vec<_>, Vec<_>) = subject::read(root)?.into_iter().partition(is_kept);
    let mut study = study(root, kept)?;
    study.unmeasured = unmeasured;
    let chapter = Path::new("book/src/migration-study.md");
    Ok(vec![
        Output { path: PathBuf::from("benches/MIGRATION.md"), text: study.page() },
        Output { path: chapter.to_owned(), text: study.chapter(root, chapter)? },
    ])
}

fn measure_one(root: &Path, subject: &Subject) -> Result<()> {
    println!("{} {}", subject.name, subject.version);
    let manifest = unpack(&folder::of(root), subject.package())?;
    let mut kept = Kept::default();
    for tests in &subject.tests {
        kept.calls.push(command::migrate(root, &manifest, subject, tests)?);
        kept.write(root, subject)?;
    }
    folder::clean(root)?;
    let answers = answers(subject, &kept)?;
    let verified = answers.iter().filter(|answer| answer.is_verified()).count();
    println!("  {verified} of {} migrated and verified", answers.len());
    Ok(())
}

/// What the calls say about the tests of a crate.
fn answers(subject: &Subject, kept: &Kept) -> Result<Vec<Answer>> {
    let calls = subject.tests.iter().zip(&kept.calls);
    let answers = calls.map(|(tests, call)| Answer::all(call, &tests.names));
    Ok(answers.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn study(root: &Path, subjects: Vec<Subject>) -> Result<Study> {
    let translations = translation::read(root)?;
    let crates = subjects.into_iter().map(|subject| {
        let answers = answers(&subject, &Kept::read(root, &subject)?)?;
        Ok((subject, answers))
    });
    let crates = crates.collect::<Result<_>>()?;
    Ok(Study { crates, unmeasured: Vec::new(), translations })
}
