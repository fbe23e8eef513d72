//! Shards of one campaign: which there are, which are missing, and which attempt of each counts.
//!
//! A shard may be run again: because its machine went away, or by mistake. One attempt counts, the
//! same one everywhere: one that came to its end before one that did not, then the one with the most
//! executions, then the later one.

use crate::data::{Campaign, CampaignId, Commit, Shard};
use crate::{Database, StoreError};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

/// The parts of a campaign that was run in several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// What the parts have in common.
    pub family: i64,
    /// The state of the user's repository, if it was a checkout.
    pub commit: Option<Commit>,
    /// How many parts there are.
    pub count: u32,
    /// Those that came to their end, sorted.
    pub ended: Vec<u32>,
    /// Those that did not, sorted.
    pub unfinished: Vec<u32>,
}

impl Parts {
    /// The first and the last of each stretch of parts that are not there.
    pub fn missing(&self) -> Vec<(u32, u32)> {
        let mut there: Vec<_> = self.ended.iter().chain(&self.unfinished).copied().collect();
        there.push(self.count.saturating_add(1));
        there.sort_unstable();
        let mut missing = Vec::new();
        let mut next = 1;
        for part in there {
            if next < part {
                missing.push((next, part - 1));
            }
            next = next.max(part.saturating_add(1));
        }
        missing
    }
}

impl Database {
    /// All campaigns that were run in parts, the oldest first.
    pub fn parts(&self) -> Result<Vec<Parts>, StoreError> {
        let mut all = Vec::new();
        for campaigns in self.whole_campaigns()? {
            let Some(Campaign { family, commit, shard: Some(Shard { count, .. }), .. }) =
                campaigns.first()
            else {
                continue;
            };
            let (mut ended, mut unfinished) = (Vec::new(), Vec::new());
            for campaign in &campaigns {
                let Some(Shard { index, .. }) = campaign.shard else { continue };
                if campaign.ended.is_some() { &mut ended } else { &mut unfinished }.push(index);
            }
            ended.sort_unstable();
            unfinished.sort_unstable();
            let (family, commit, count) = (*family, commit.clone(), *count);
            all.push(Parts { family, commit, count, ended, unfinished });
        }
        Ok(all)
    }

    /// Campaigns with their shards, the oldest first. Of each shard the attempt that counts.
    pub(crate) fn whole_campaigns(&self) -> Result<Vec<Vec<Campaign>>, StoreError> {
        let superseded = self.look(superseded)?;
        let mut families: Vec<Vec<Campaign>> = Vec::new();
        for campaign in self.campaigns()? {
            if superseded.contains(&campaign.id) {
                continue;
            }
            let known = families.iter_mut().find(|family| {
                let same = |other: &Campaign| {
                    other.shard.is_some()
                        && other.family == campaign.family
                        && other.commit == campaign.commit
                };
                campaign.shard.is_some() && family.iter().any(same)
            });
            match known {
                Some(family) => family.push(campaign),
                None => families.push(vec![campaign]),
            }
        }
        Ok(families)
    }
}

/// What the attempts of one shard have in common.
type Same = (i64, String, Option<String>, Option<String>);

/// The attempts that do not count.
fn superseded(file: &Connection) -> rusqlite::Result<Vec<CampaignId>> {
    let mut query = file.prepare(
        "SELECT campaigns.id, family, shard, commit_id, tree, \
         ended IS NOT NULL, coalesce((SELECT sum(min(executions, 1 << 40)) FROM slices \
         JOIN runs ON runs.id = slices.run WHERE runs.campaign = campaigns.id), 0), \
         began FROM campaigns WHERE shard IS NOT NULL",
    )?;
    let mut attempts: BTreeMap<Same, Vec<(bool, i64, i64, i64)>> = BTreeMap::new();
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let same = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        let rank = (row.get(5)?, row.get(6)?, row.get(7)?, row.get(0)?);
        attempts.entry(same).or_default().push(rank);
    }
    let mut superseded = Vec::new();
    for mut attempts in attempts.into_values() {
        attempts.sort_unstable();
        attempts.pop();
        superseded.extend(attempts.into_iter().map(|(.., id)| CampaignId(id)));
    }
    Ok(superseded)
}

/// The tables with what belongs to a run.
pub(crate) const OF_RUNS: [&str; 7] =
    ["slices", "covered", "uncovered", "growth", "measured", "found", "corpus"];

/// Forgets the attempts that do not count. What they have found stays.
pub(crate) fn forget_superseded(file: &Connection) -> rusqlite::Result<()> {
    for CampaignId(campaign) in superseded(file)? {
        for table in OF_RUNS {
            let delete = format!(
                "DELETE FROM main.{table} WHERE run IN \
                 (SELECT id FROM main.runs WHERE campaign = ?1)"
            );
            file.execute(&delete, params![campaign])?;
        }
        file.execute("DELETE FROM main.runs WHERE campaign = ?1", [campaign])?;
        file.execute("DELETE FROM main.campaigns WHERE id = ?1", [campaign])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn what_is_missing_is_told_in_stretches() {
        let parts = |count, ended: &[u32], unfinished: &[u32]| Parts {
            family: 1,
            commit: None,
            count,
            ended: ended.to_vec(),
            unfinished: unfinished.to_vec(),
        };
        assert_eq!(parts(3, &[1, 2, 3], &[]).missing(), []);
        assert_eq!(parts(9, &[2, 6], &[5, 6]).missing(), [(1, 1), (3, 4), (7, 9)]);
        assert_eq!(parts(u32::MAX, &[1], &[]).missing(), [(2, u32::MAX - 1)]);
    }
}
