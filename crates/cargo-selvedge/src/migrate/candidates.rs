//! Which tests sleep: the sources of the project's tests, read module by module.

use crate::cargo_args::CargoArgs;
use crate::project::Project;
use cargo_metadata::{Package, Target, TargetKind};
use selvedge_migrate::source::{BodyId, Kind, Outline, ParseError, Scope, Sources, TestFn};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A test that may be migrated.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The package in which it is.
    pub(crate) package: String,
    /// The folder of that package, below the root of the workspace.
    pub(crate) folder: PathBuf,
    /// The kind of cargo's target.
    pub(crate) kind: String,
    /// The name of cargo's target.
    pub(crate) target: String,
    /// The test.
    pub(crate) test: TestFn,
}

impl Candidate {
    /// How people name it.
    pub(crate) fn label(&self) -> String {
        let binary = crate::compile::label(&self.package, &self.kind, &self.target);
        format!("{binary} {}", self.test.name)
    }
}

/// What was found in the sources.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// All test code.
    pub(crate) sources: Sources,
    /// The tests that sleep and were asked for.
    pub(crate) candidates: Vec<Candidate>,
    /// Files that do not parse.
    pub(crate) broken: Vec<ParseError>,
    /// The roots of crates of the first edition, in which the library has to be declared.
    pub(crate) old_roots: BTreeSet<PathBuf>,
}

/// Which tests were asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filter<'a> {
    /// Those that sleep and have one of these texts in their names; all if there is none.
    Parts(&'a [String]),
    /// Those with these names, even if no sleep is seen in them.
    Names(&'a [String]),
}

/// Looks for tests that sleep.
pub(crate) fn find(
    project: &Project,
    args: &CargoArgs,
    filter: Filter<'_>,
) -> anyhow::Result<Found> {
    let mut found = Found::default();
    for package in packages(project, args) {
        for target in package.targets.iter().filter(|target| is_meant(target, args)) {
            read(project, package, target, filter, &mut found)?;
        }
    }
    Ok(found)
}

/// The packages that cargo would test.
fn packages<'a>(project: &'a Project, args: &CargoArgs) -> Vec<&'a Package> {
    let members = project.metadata.workspace_packages();
    if !args.package.is_empty() {
        let is_named = |package: &&Package| args.package.iter().any(|name| *name == *package.name);
        return members.into_iter().filter(is_named).collect();
    }
    if args.workspace {
        let stays = |package: &&Package| !args.exclude.iter().any(|name| *name == *package.name);
        return members.into_iter().filter(stays).collect();
    }
    match project.metadata.root_package() {
        Some(package) => vec![package],
        None => project.metadata.workspace_default_packages(),
    }
}

/// Whether a target has tests and was asked for.
fn is_meant(target: &Target, args: &CargoArgs) -> bool {
    let all = !args.lib && !args.bins && !args.tests && args.bin.is_empty() && args.test.is_empty();
    match kind(target) {
        "test" => all || args.tests || args.test.contains(&target.name),
        "bin" => all || args.bins || args.tests || args.bin.contains(&target.name),
        "lib" => all || args.lib || args.tests,
        _ => false,
    }
}

/// The kind of a target, as [`crate::compile::Binary`] has it.
pub(super) fn kind(target: &Target) -> &'static str {
    match target.kind.first() {
        Some(TargetKind::Test) => "test",
        Some(TargetKind::Bin) => "bin",
        Some(
            TargetKind::Lib
            | TargetKind::RLib
            | TargetKind::DyLib
            | TargetKind::CDyLib
            | TargetKind::StaticLib,
        ) => "lib",
        _ => "other",
    }
}

/// Reads all files of a target.
fn read(
    project: &Project,
    package: &Package,
    target: &Target,
    filter: Filter<'_>,
    found: &mut Found,
) -> anyhow::Result<()> {
    let root = target.src_path.as_std_path().to_owned();
    let scope = if kind(target) == "test" { Scope::All } else { Scope::Tests };
    let own_files = found.sources.files().count();
    let first_test = found.sources.tests().len();
    let mut todo = vec![(root.clone(), Vec::new(), scope)];
    while let Some((path, modules, scope)) = todo.pop() {
        let Ok(relative) = path.strip_prefix(project.root()).map(Path::to_owned) else { continue };
        if found.sources.files().any(|(_, file)| file.path == relative) {
            continue;
        }
        // A module may be missing where the compiler does not look for it either.
        let Ok(text) = fs_err::read_to_string(&path) else { continue };
        match found.sources.add(&relative, text, &modules, scope) {
            Ok(outlines) => {
                for outline in outlines {
                    let folder = module_folder(&path, path == root);
                    if let Some(file) = file_of(&path, &folder, &outline) {
                        let mut modules = modules.clone();
                        modules.extend(outline.within.iter().cloned());
                        modules.push(outline.name);
                        todo.push((file, modules, outline.scope));
                    }
                }
            }
            Err(error) => found.broken.push(error),
        }
    }
    let helpers = sleeping_functions(&found.sources, own_files);
    let folder = package.manifest_path.parent().map(|folder| folder.as_std_path());
    let folder = folder.and_then(|folder| folder.strip_prefix(project.root()).ok());
    let tests = found.sources.tests()[first_test..].to_vec();
    let mut candidates = Vec::new();
    for test in tests {
        let is_meant = match filter {
            Filter::Names(names) => names.contains(&test.name),
            Filter::Parts(parts) => {
                (parts.is_empty() || parts.iter().any(|part| test.name.contains(part)))
                    && reaches(&found.sources, test.body, &helpers)
            }
        };
        if is_meant {
            candidates.push(Candidate {
                package: package.name.to_string(),
                folder: folder.unwrap_or(Path::new("")).to_owned(),
                kind: kind(target).to_owned(),
                target: target.name.clone(),
                test,
            });
        }
    }
    if !candidates.is_empty()
        && package.edition == cargo_metadata::Edition::E2015
        && let Ok(root) = root.strip_prefix(project.root())
    {
        found.old_roots.insert(root.to_owned());
    }
    found.candidates.extend(candidates);
    Ok(())
}

/// The folder in which the modules of a file are.
fn module_folder(path: &Path, is_root: bool) -> PathBuf {
    let parent = path.parent().unwrap_or(Path::new("")).to_owned();
    match path.file_stem() {
        Some(stem) if !is_root && stem != "mod" => parent.join(stem),
        _ => parent,
    }
}

/// The file of a module, if there is one.
fn file_of(path: &Path, folder: &Path, outline: &Outline) -> Option<PathBuf> {
    let inner = outline.within.iter().fold(folder.to_owned(), |folder, name| folder.join(name));
    let choices = match &outline.path {
        Some(own) if outline.within.is_empty() => vec![path.parent()?.join(own)],
        Some(own) => vec![inner.join(own)],
        None => {
            let name = &outline.name;
            vec![inner.join(format!("{name}.rs")), inner.join(name).join("mod.rs")]
        }
    };
    choices.into_iter().find(|choice| choice.is_file())
}

/// The functions with a sleep in them, directly or in a function that they name, by name.
fn sleeping_functions(sources: &Sources, first_file: usize) -> BTreeSet<String> {
    let mut named: BTreeMap<String, Vec<BodyId>> = BTreeMap::new();
    for (_, block) in sources.blocks().filter(|(_, block)| block.file.0 >= first_file) {
        let body = sources.body(block.body);
        let is_test = sources.tests().iter().any(|test| test.body == block.body);
        if let (Some(name), false) = (&body.function, is_test) {
            named.entry(name.clone()).or_default().push(block.body);
        }
    }
    let mut sleeping = BTreeSet::new();
    loop {
        let more: Vec<_> = named
            .iter()
            .filter(|(name, _)| !sleeping.contains(*name))
            .filter(|(_, bodies)| bodies.iter().any(|body| reaches(sources, *body, &sleeping)))
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            return sleeping;
        }
        sleeping.extend(more);
    }
}

/// Whether a sleep is seen in a function, or it names one with a sleep in it.
fn reaches(sources: &Sources, body: BodyId, sleeping: &BTreeSet<String>) -> bool {
    let file = sources.file(sources.body(body).file);
    let range = &sources.block(sources.body(body).root).inner;
    let own = sources
        .statements()
        .any(|(id, statement)| statement.kind == Kind::Sleep && sources.is_within(id, body));
    let in_macro = file.in_macros.iter().any(|mac| range.contains(&mac.at));
    let named = sources
        .bodies_within(body)
        .any(|inner| sources.body(inner).idents.iter().any(|ident| sleeping.contains(ident)));
    own || in_macro || named
}
