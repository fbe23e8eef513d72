//! `cargo selvedge pin`, `accept` and `forget`: what becomes of a finding.

use crate::cli::{AcceptArgs, ForgetArgs, PinArgs, ProjectArgs};
use crate::exit::Exit;
use crate::findings::{Id, Regression, Regressions, Store};
use crate::output::Status;
use crate::project::{Project, Toolchain};
use std::path::Path;

/// Where findings are, and where they are committed.
struct Places {
    project: Project,
    store: Store,
    regressions: Regressions,
}

impl Places {
    fn of(args: &ProjectArgs) -> anyhow::Result<Self> {
        let (manifest, target) = (args.manifest_path.as_deref(), args.target_dir.as_deref());
        let project = Project::find(&Toolchain::find()?, manifest, target, &[])?;
        let store = Store::at(project.findings());
        let regressions = Regressions::of(project.root());
        Ok(Self { project, store, regressions })
    }

    /// A file as people name it.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.project.root()).unwrap_or(path).display().to_string()
    }

    fn write(&self, id: &Id, regression: &Regression, status: Status) -> anyhow::Result<()> {
        let path = self.regressions.write(id, regression)?;
        let Regression { test, problem, .. } = regression;
        status.say(&format!("{test} [{id}] {problem}: commit {}", self.shown(&path)));
        Ok(())
    }

    /// The one that is kept or committed and whose name begins like this.
    fn find(&self, beginning: &str) -> anyhow::Result<Id> {
        let kept = self.store.all()?.into_iter().map(|(id, _)| id);
        let mut ids: Vec<Id> =
            kept.chain(self.regressions.all()?.into_iter().map(|(id, _)| id)).collect();
        ids.sort();
        ids.dedup();
        Id::that_begins(&ids, beginning)
    }
}

/// Writes files that every run tries first.
pub(crate) fn pin(args: &PinArgs) -> anyhow::Result<Exit> {
    let places = Places::of(&args.project)?;
    for beginning in &args.ids {
        let (id, kept) = places.store.find(beginning)?;
        kept.check_names()?;
        places.write(&id, &Regression::of(&kept), Status::Pinned)?;
    }
    Ok(Exit::Clean)
}

/// Writes down that a finding is no reason to fail.
pub(crate) fn accept(args: &AcceptArgs) -> anyhow::Result<Exit> {
    let places = Places::of(&args.project)?;
    let (id, kept) = places.store.find(&args.id)?;
    kept.check_names()?;
    let mut regression = Regression::of(&kept);
    regression.accepted = Some(args.because.clone());
    places.write(&id, &regression, Status::Accepted)?;
    Ok(Exit::Clean)
}

/// Deletes what is known of findings.
pub(crate) fn forget(args: &ForgetArgs) -> anyhow::Result<Exit> {
    let places = Places::of(&args.project)?;
    let mut ids =
        args.ids.iter().map(|one| places.find(one)).collect::<anyhow::Result<Vec<_>>>()?;
    let kept: Vec<Id> = places.store.all()?.into_iter().map(|(id, _)| id).collect();
    if args.fixed {
        ids.extend(kept.iter().filter(|id| places.store.fixed(id).is_some()).cloned());
    }
    for id in &ids {
        if kept.contains(id) {
            places.store.forget(id)?;
        }
        match places.regressions.delete(id)? {
            Some(path) => Status::Forgotten.say(&format!("[{id}], with {}", places.shown(&path))),
            None => Status::Forgotten.say(&format!("[{id}]")),
        }
    }
    Ok(Exit::Clean)
}
