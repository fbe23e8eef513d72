//! `cargo selvedge migrate`: tests that sleep become tests with schedules.
//!
//! The way of a test: it is found (`candidates`), runs in a copy that tells what it does (`logged`, with
//! `copy`, `manifest`, `compose`, `build` and `runs`), what it is about is inferred (`selvedge_migrate`),
//! and the migrated test is verified in further copies, on real threads (`verify`) and under control
//! (`engine`). What is left over is removed (`tidy`), everything is told (`told`, `diff`), and what was agreed
//! to is written (`apply`).

mod apply;
mod build;
mod candidates;
mod compose;
mod copy;
mod diff;
mod engine;
mod logged;
mod manifest;
mod merge;
mod runs;
mod tidy;
mod told;
mod verify;
mod work;

use crate::cli::{MigrateArgs, MigrateFormat};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::project::{Project, Toolchain};
use build::{Built, Job, build};
use candidates::{Candidate, Filter, Found};
use cargo_metadata::diagnostic::Diagnostic;
use copy::{Changed, Originals};
use manifest::Library;
use selvedge_migrate::rewrite::Sleeps;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use work::{Refusal, Status, Work};

/// One call of the command.
struct Session<'a> {
    args: &'a MigrateArgs,
    toolchain: &'a Toolchain,
    found: &'a Found,
    originals: &'a Originals,
    library: &'a Library,
    /// The folders of packages with tests that are migrated.
    packages: BTreeSet<PathBuf>,
    /// Where copies are.
    folder: PathBuf,
    /// The manifest that cargo is given, below the root.
    manifest: &'a Path,
    at_a_time: usize,
}

/// Does all of it.
pub(crate) fn run(args: &MigrateArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let project = Project::of(&toolchain, &args.cargo)?;
    let filter = match args.exact {
        true => Filter::Names(&args.filters),
        false => Filter::Parts(&args.filters),
    };
    let found = candidates::find(&project, &args.cargo, filter)?;
    for error in &found.broken {
        output::error(&format!("{error}; tests in this file are left as they are"));
    }
    if found.candidates.is_empty() {
        let exit = if found.broken.is_empty() { Exit::NothingToRun } else { Exit::BuildFailed };
        return Err(Failure::with(exit, "no test that was asked for sleeps"));
    }
    if args.list {
        list(&found);
        return Ok(Exit::Clean);
    }
    let library = Library::find(args.selvedge_path.as_deref())?;
    let originals = Originals::of(&project)?;
    let manifest = match &args.cargo.manifest_path {
        Some(path) => std::path::absolute(path)?,
        None => manifest_here(&project)?,
    };
    let manifest = manifest.strip_prefix(project.root()).unwrap_or(Path::new("Cargo.toml"));
    let session = Session {
        args,
        toolchain: &toolchain,
        found: &found,
        originals: &originals,
        library: &library,
        packages: found.candidates.iter().map(|candidate| candidate.folder.clone()).collect(),
        folder: project.folder.join("migrate"),
        manifest,
        at_a_time: std::thread::available_parallelism().map_or(1, NonZero::get),
    };
    let mut works: Vec<_> = found.candidates.iter().cloned().map(Work::new).collect();
    let before = session.log(&mut works)?;
    if works.iter().any(Work::is_open) {
        session.check(&mut works)?;
    }
    if works.iter().any(Work::is_open) {
        session.run_migrated(&mut works)?;
        session.explore(&mut works)?;
    }
    if args.merge {
        session.merge(&mut works)?;
    }
    session.conclude(&project, works, &before)
}

/// The manifest of the package in whose folder the command was called.
fn manifest_here(project: &Project) -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir()?;
    let own = here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file());
    Ok(own.unwrap_or_else(|| project.root().join("Cargo.toml")))
}

/// Names the tests that sleep, and where.
fn list(found: &Found) {
    for candidate in &found.candidates {
        let test = &candidate.test;
        let file = found.sources.body(test.body).file;
        let place = found.sources.place(file, test.function.start);
        anstream::println!("{} ({place})", candidate.label());
    }
}

impl Candidate {
    /// Its name as that of a folder.
    fn file_name(&self) -> String {
        self.label().replace("::", "-").replace(['/', ' '], "-")
    }
}

impl Session<'_> {
    /// The root of the copy. There is one: cargo takes packages for the same that have the same place in
    /// their workspaces, and would mix up several copies in one target folder.
    fn root(&self) -> PathBuf {
        self.folder.join("copy")
    }

    /// Makes the copy one with these files changed.
    fn copy(&self, changed: &Changed) -> anyhow::Result<()> {
        self.originals.copy(&self.root(), self.library, &self.packages, changed)
    }

    /// Makes the copy one with these files changed, which does this, and builds it.
    fn build(&self, what: &str, changed: &Changed) -> anyhow::Result<Built> {
        self.copy(changed)?;
        output::Status::Building.say(&format!("a copy that {what}"));
        build(Job {
            toolchain: self.toolchain,
            cargo: &self.args.cargo,
            root: &self.root(),
            manifest: self.manifest,
            target: &self.folder.join("build"),
        })
    }

    /// Tells what became of the tests, asks, and writes.
    fn conclude(
        &self,
        project: &Project,
        mut works: Vec<Work>,
        before: &[Diagnostic],
    ) -> anyhow::Result<Exit> {
        self.refuse_files(project, &mut works);
        works.iter().for_each(|work| told::tell(self.found, work));
        if self.args.format == MigrateFormat::Json {
            let report = told::Report::of(self.found, &works);
            serde_json::to_writer_pretty(std::io::stdout().lock(), &report)?;
            anstream::println!();
        }
        let refused = works.iter().any(|work| matches!(work.status, Status::Refused(_)));
        let exit = if refused { Exit::Findings } else { Exit::Clean };
        let asks = !self.args.apply
            && self.args.format == MigrateFormat::Text
            && std::io::stdin().is_terminal();
        if asks {
            self.ask(&mut works)?;
        }
        if !works.iter().any(Work::is_open) {
            return Ok(exit);
        }
        let changed = compose::migrated(self.found, &works, Sleeps::Removed);
        let mut changed = self.tidy(changed, before)?;
        let originals = self.with_manifests(project, &works, &mut changed)?;
        if !asks && self.args.format == MigrateFormat::Text {
            for (file, text) in &changed {
                let original = originals.get(file).map_or("", String::as_str);
                anstream::print!("{}", diff::diff(file, original, text));
            }
        }
        if self.args.apply || asks {
            apply::write(project.root(), &originals, &changed)?;
            output::Status::Finished.say(&format!("{} files written", changed.len()));
        } else if self.args.format == MigrateFormat::Text {
            output::note("nothing has been written; --apply does");
        }
        Ok(exit)
    }

    /// Refuses tests in files that can not be written, if they are to be.
    fn refuse_files(&self, project: &Project, works: &mut [Work]) {
        if !self.args.apply {
            return;
        }
        for work in works.iter_mut().filter(|work| work.is_open()) {
            let Some(migration) = &work.migration else { continue };
            let edits = migration.edits(&self.found.sources, Sleeps::Removed);
            let obstacle = edits.keys().find_map(|&file| {
                let file = self.found.sources.file(file);
                apply::obstacle(project.root(), &file.path, &file.text)
            });
            if let Some(obstacle) = obstacle {
                work.refuse(Refusal::File(obstacle));
            }
        }
    }

    /// Asks about each test. Those that are not wanted are dropped.
    fn ask(&self, works: &mut [Work]) -> anyhow::Result<()> {
        let mut all = false;
        for index in 0..works.len() {
            if !works[index].is_open() || all {
                continue;
            }
            let alone = compose::migrated(self.found, &works[index..=index], Sleeps::Removed);
            for (path, text) in &alone {
                let file = self.found.sources.files().find(|(_, file)| file.path == *path);
                anstream::print!("{}", diff::diff(path, file.map_or("", |(_, f)| &f.text), text));
            }
            anstream::print!(
                "Apply this to {}? [y]es, [n]o, [a]ll, [q]uit ",
                works[index].candidate.label()
            );
            std::io::stdout().flush()?;
            let mut answer = String::new();
            std::io::stdin().lock().read_line(&mut answer)?;
            match answer.trim() {
                "y" | "yes" => {}
                "a" | "all" => all = true,
                "q" | "quit" | "" => {
                    works[index..].iter_mut().for_each(|work| work.status = Status::Left);
                    return Ok(());
                }
                _ => works[index].status = Status::Left,
            }
        }
        Ok(())
    }

    /// Adds the manifests that need the library. Gives the originals of all files that change.
    fn with_manifests(
        &self,
        project: &Project,
        works: &[Work],
        changed: &mut Changed,
    ) -> anyhow::Result<BTreeMap<PathBuf, String>> {
        let mut originals = BTreeMap::new();
        for (_, file) in self.found.sources.files() {
            if changed.contains_key(&file.path) {
                originals.insert(file.path.clone(), file.text.clone());
            }
        }
        let uses_library = |work: &&Work| {
            let migration = work.migration.as_ref();
            work.is_open() && migration.is_some_and(|m| !m.inferred.orderings.is_empty())
        };
        let folders: BTreeSet<_> =
            works.iter().filter(uses_library).map(|work| &work.candidate.folder).collect();
        for folder in folders {
            let file = folder.join("Cargo.toml");
            let text = fs_err::read_to_string(project.root().join(&file))?;
            if let Some(new) = manifest::with_library(&text, self.library)? {
                originals.insert(file.clone(), text);
                changed.insert(file, new);
            }
        }
        Ok(originals)
    }
}
