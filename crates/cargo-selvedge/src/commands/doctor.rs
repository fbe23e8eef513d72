//! `cargo selvedge doctor`: what is under control in this project, what is not, and why.

use crate::cli::DoctorArgs;
use crate::compile::OURS;
use crate::exit::Exit;
use crate::kit;
use crate::project::{Project, Toolchain};
use crate::settings::Settings;
use anstyle::AnsiColor;
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId, TargetKind};
use std::collections::{BTreeMap, BTreeSet};

/// Why a package is compiled as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// It runs in the compiler, not in tests.
    Host,
    /// The settings say so.
    Settings,
    /// It is Selvedge itself.
    Ours,
}

impl Why {
    const fn text(self) -> &'static str {
        match self {
            Self::Host => "runs while compiling, not in tests (build scripts, procedural macros)",
            Self::Settings => "listed as uninstrumented in the settings",
            Self::Ours => "is Selvedge itself; its own tests explore by themselves",
        }
    }
}

/// Prints what is under control.
pub(crate) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let project = Project::of(&toolchain, &args.cargo)?;
    let uninstrumented = Settings::all_uninstrumented(&project)?;
    section("toolchain");
    anstream::println!("  {} for {}", toolchain.release(), toolchain.host());
    anstream::println!("  mirrors of std: {}", kit::state(&toolchain)?);
    if !toolchain.host().ends_with("linux-gnu") {
        anstream::println!(
            "  what goes to the system behind std's back (futexes, clocks, memory) is not under \
             control on this system"
        );
    }
    packages(&project.metadata, &uninstrumented);
    native(&project.metadata);
    targets(&project.metadata);
    Ok(Exit::Clean)
}

fn section(title: &str) {
    let style = AnsiColor::Green.on_default().bold();
    anstream::println!("{style}{title}{style:#}");
}

/// Which packages are compiled against the mirrors.
fn packages(metadata: &Metadata, uninstrumented: &[String]) {
    let linked = linked(metadata);
    let mut apart: BTreeMap<Why, Vec<String>> = BTreeMap::new();
    let mut under_control = 0;
    for package in &metadata.packages {
        let name = package.name.to_string();
        let crate_name = name.replace('-', "_");
        let why = if uninstrumented.contains(&name) {
            Some(Why::Settings)
        } else if OURS.contains(&crate_name.as_str()) {
            Some(Why::Ours)
        } else if !linked.contains(&package.id) {
            Some(Why::Host)
        } else {
            None
        };
        match why {
            Some(why) => apart.entry(why).or_default().push(format!("{name} {}", package.version)),
            None => under_control += 1,
        }
    }
    section("packages");
    anstream::println!(
        "  {under_control} of {} are compiled against the mirrors: their locks, atomics, threads, \
         channels and thread-locals are under control",
        metadata.packages.len()
    );
    for (why, packages) in apart {
        anstream::println!("  {}: {}", why.text(), packages.join(", "));
    }
}

/// The packages that are linked into tests.
fn linked(metadata: &Metadata) -> BTreeSet<PackageId> {
    let is_macro = |package: &Package| {
        package.targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro))
    };
    let macros: BTreeSet<_> =
        metadata.packages.iter().filter(|p| is_macro(p)).map(|p| &p.id).collect();
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let nodes: BTreeMap<_, _> = nodes.map(|node| (&node.id, node)).collect();
    let mut seen = BTreeSet::new();
    let mut todo: Vec<_> = metadata.workspace_members.iter().collect();
    while let Some(id) = todo.pop() {
        if macros.contains(id) || !seen.insert(id.clone()) {
            continue;
        }
        for dependency in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
            let kinds = &dependency.dep_kinds;
            if kinds.iter().any(|kind| kind.kind != DependencyKind::Build) {
                todo.push(&dependency.pkg);
            }
        }
    }
    seen
}

/// Packages with code in other languages.
fn native(metadata: &Metadata) {
    let native: Vec<_> =
        metadata.packages.iter().filter(|package| package.links.is_some()).collect();
    if native.is_empty() {
        return;
    }
    section("code in other languages");
    for package in native {
        let links = package.links.as_deref().unwrap_or_default();
        anstream::println!("  {} {} links {links}", package.name, package.version);
    }
    anstream::println!(
        "  locks of such code are not under control, and threads that it starts are ordinary \
         threads; a test that meets one is told of"
    );
}

/// What `cargo test` would run and we do not.
fn targets(metadata: &Metadata) {
    section("tests");
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            if target.doctest && target.kind.contains(&TargetKind::Lib) {
                anstream::println!("  documentation tests of {} are not run", package.name);
            }
            if target.kind.contains(&TargetKind::ProcMacro) {
                anstream::println!(
                    "  unit tests of {} are not under control: a procedural macro is compiled for \
                     the compiler",
                    package.name
                );
            }
        }
    }
    anstream::println!(
        "  targets with `harness = false` are not run; #[selvedge::test] functions explore by \
         themselves"
    );
}
