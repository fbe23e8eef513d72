//! `cargo selvedge list`.

use crate::cli::ListArgs;
use crate::exit::Exit;
use crate::findings::{Id, Regression, Regressions, Store};
use crate::project::{Project, Toolchain};
use selvedge_report::{headline, plain};

/// Shows the findings that have been kept.
pub(crate) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let (manifest, target) = (args.manifest_path.as_deref(), args.target_dir.as_deref());
    let project = Project::find(&toolchain, manifest, target, &[])?;
    let store = Store::at(project.findings());
    let pinned = Regressions::of(project.root()).all()?;
    let all = store.all()?;
    if all.is_empty() && pinned.is_empty() {
        anstream::println!("no findings have been kept");
    }
    let known: Vec<_> = all.iter().map(|(id, _)| id.clone()).collect();
    for (id, kept) in all {
        match kept {
            Ok(kept) => anstream::println!(
                "{}  {} {}\n              {}{}",
                plain(id.as_str()),
                plain(&kept.package),
                plain(&kept.test),
                headline(&kept.finding),
                life(&id, store.fixed(&id), &pinned),
            ),
            Err(error) => {
                let why = format!("{error:#}");
                anstream::println!("{}  can not be read: {}", plain(id.as_str()), plain(&why));
            }
        }
    }
    for (id, one) in pinned.iter().filter(|(id, _)| !known.contains(id)) {
        let Regression { package, test, problem, .. } = one;
        anstream::println!(
            "{}  {} {}\n              {}{}",
            plain(id.as_str()),
            plain(package),
            plain(test),
            plain(problem),
            life(id, None, &pinned),
        );
    }
    Ok(Exit::Clean)
}

/// What became of a finding, in lines below it.
fn life(id: &Id, fixed: Option<String>, pinned: &[(Id, Regression)]) -> String {
    let pinned = pinned.iter().find(|(other, _)| other == id);
    let pinned = pinned.map(|(_, one)| match &one.accepted {
        Some(why) => format!("accepted: {}", plain(why)),
        None => "pinned: every run tries it first".to_owned(),
    });
    let fixed = fixed.map(|how| format!("fixed: {}", plain(&how)));
    let lines = pinned.into_iter().chain(fixed);
    lines.map(|line| format!("\n              {line}")).collect()
}
