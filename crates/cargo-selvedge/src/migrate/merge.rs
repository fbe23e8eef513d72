//! Tests that differ in their sleeps only, made one. What was made is verified once more; if that does
//! not work, they stay apart.

use super::Session;
use super::work::{Merged, Status, Work};
use crate::output;
use selvedge_migrate::merge::{groups, merge};

impl Session<'_> {
    /// Merges what can be merged.
    pub(super) fn merge(&self, works: &mut [Work]) -> anyhow::Result<()> {
        let open: Vec<_> = (0..works.len()).filter(|&index| works[index].is_open()).collect();
        let migrations: Vec<_> =
            open.iter().filter_map(|&index| works[index].migration.as_ref()).collect();
        let sources = &self.found.sources;
        let mut united = Vec::new();
        for group in groups(sources, &migrations) {
            let members: Vec<_> = group.iter().map(|&at| migrations[at]).collect();
            let indices: Vec<_> = group.iter().map(|&at| open[at]).collect();
            if let Some(migration) = merge(sources, &members) {
                united.push((indices, migration));
            }
        }
        if united.is_empty() {
            return Ok(());
        }
        let mut trial = works.to_vec();
        for (indices, migration) in united {
            let into = migration.test.name.clone();
            for (&index, case) in indices.iter().zip(&migration.cases) {
                trial[index].merged = Some(Merged { into: into.clone(), case: case.name.clone() });
            }
            trial[indices[0]].united = Some(migration);
        }
        self.run_migrated(&mut trial)?;
        self.explore(&mut trial)?;
        let failed: Vec<_> = trial
            .iter()
            .filter(|work| matches!(work.status, Status::Refused(_)))
            .filter_map(|work| Some(work.merged.as_ref()?.into.clone()))
            .collect();
        for (work, trial) in works.iter_mut().zip(trial) {
            let Some(merged) = trial.merged.clone() else { continue };
            if failed.contains(&merged.into) {
                output::note(&format!(
                    "{} is not merged with others: the merged test does not verify",
                    work.candidate.label()
                ));
            } else {
                *work = trial;
            }
        }
        Ok(())
    }
}
