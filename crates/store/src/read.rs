//! What is read by whoever goes on with a campaign or reports it.

use crate::data::{
    Campaign, CampaignId, Commit, Found, KeptFinding, Measured, MetricSummary, Run, RunId, Slice,
    TestName, Time, Tree,
};
use crate::names::{Elements, as_sql, unknown};
use crate::open::WITH_CORPUS;
use crate::write::ending_of;
use crate::{Database, StoreError};
use rusqlite::{Connection, OptionalExtension, Row};
use selvedge_model::{
    CorpusEntry, CoveredRequirement, Frequency, Growth, Learned, LearnedMetric, Part, Remaining,
    Requirement,
};
use std::collections::BTreeMap;

pub use crate::names::Places;

impl Database {
    /// All campaigns, the oldest first.
    pub fn campaigns(&self) -> Result<Vec<Campaign>, StoreError> {
        self.look(|file| {
            let mut query = file.prepare(
                "SELECT id, family, shard, began, ended, commit_id, tree, selvedge, toolchain \
                 FROM campaigns ORDER BY began, id",
            )?;
            query.query_map([], read_campaign)?.collect()
        })
    }

    /// The tests of a campaign, by name.
    pub fn runs(&self, campaign: CampaignId) -> Result<Vec<Run>, StoreError> {
        self.look(|file| {
            let mut query = file.prepare(
                "SELECT runs.id, campaign, package, target, kind, name, build, settings, strategy, \
                 runs.seed, threads, ending, message, warnings, conditions, \
                 coalesce(sum(executions), 0), coalesce(sum(steps), 0), \
                 coalesce(sum(milliseconds), 0) \
                 FROM runs JOIN tests ON tests.id = runs.test \
                 LEFT JOIN slices ON slices.run = runs.id WHERE campaign = ?1 \
                 GROUP BY runs.id ORDER BY package, target, kind, name",
            )?;
            query.query_map([campaign.0], read_run)?.collect()
        })
    }

    /// The processes that explored a test, in the order of beginning.
    pub fn slices(&self, run: RunId) -> Result<Vec<Slice>, StoreError> {
        self.look(|file| {
            let mut query = file.prepare(
                "SELECT seed, began, executions, steps, milliseconds FROM slices WHERE run = ?1 \
                 ORDER BY number",
            )?;
            let slice = |row: &Row<'_>| {
                Ok(Slice {
                    seed: number(row, 0)?,
                    began: Time(number(row, 1)?),
                    executions: number(row, 2)?,
                    steps: number(row, 3)?,
                    milliseconds: number(row, 4)?,
                })
            };
            query.query_map([run.0], slice)?.collect()
        })
    }

    /// What was found in a run, in the order of being found. Of headlines, what fits on a few lines:
    /// very many runs may have found the same.
    pub fn found(&self, run: RunId) -> Result<Vec<Found>, StoreError> {
        self.look(|file| {
            let mut query = file.prepare(
                "SELECT id, kind, substr(headline, 1, 1000), execution FROM found \
                 JOIN findings ON findings.id = found.finding WHERE run = ?1 ORDER BY execution, id",
            )?;
            let found = |row: &Row<'_>| {
                Ok(Found {
                    id: row.get(0)?,
                    kind: row.get(1)?,
                    headline: row.get(2)?,
                    execution: number(row, 3)?,
                })
            };
            query.query_map([run.0], found)?.collect()
        })
    }

    /// The names of all findings, sorted.
    pub fn findings(&self) -> Result<Vec<String>, StoreError> {
        self.look(|file| {
            let mut query = file.prepare("SELECT id FROM findings ORDER BY id")?;
            query.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// The finding with a name, as it was found last; nothing if there is none.
    pub fn finding(&self, id: &str) -> Result<Option<KeptFinding>, StoreError> {
        self.look(|file| {
            let mut query = file.prepare(
                "SELECT id, kind, headline, json, explanation FROM findings WHERE id = ?1",
            )?;
            let finding = |row: &Row<'_>| {
                Ok(KeptFinding {
                    id: row.get(0)?,
                    kind: row.get(1)?,
                    headline: row.get(2)?,
                    json: row.get(3)?,
                    explanation: row.get(4)?,
                })
            };
            query.query_row([id], finding).optional()
        })
    }

    /// What metrics have seen in a run, by name.
    pub fn measured(&self, run: RunId, places: Places) -> Result<Vec<Measured>, StoreError> {
        self.look(|file| {
            let mut elements = Elements::new(file, places);
            let mut measured: BTreeMap<i64, Measured> = BTreeMap::new();
            for (metric, covered) in read_covered(file, run, &mut elements)? {
                let covered = if places == Places::Lines { once_each(covered) } else { covered };
                entry(file, &mut measured, metric)?.covered = covered;
            }
            for (metric, uncovered) in read_uncovered(file, run, &mut elements)? {
                let metric = entry(file, &mut measured, metric)?;
                metric.uncovered = uncovered;
                if places == Places::Lines {
                    metric.uncovered.retain(|one| {
                        !metric.covered.iter().any(|covered| covered.requirement == *one)
                    });
                }
            }
            for (metric, point) in read_growth(file, run)? {
                entry(file, &mut measured, metric)?.growth.push(point);
            }
            read_summaries(file, run, &mut measured)?;
            let mut measured: Vec<_> = measured.into_values().collect();
            measured.sort_by(|a, b| a.metric.cmp(&b.metric));
            Ok(measured)
        })
    }

    /// What is known of a test from a run, for whoever goes on with it. Of the growth, the last
    /// points only.
    pub fn known(&self, run: RunId) -> Result<Learned, StoreError> {
        let format = self.version()?;
        self.look(|file| {
            let mut elements = Elements::new(file, Places::AsSeen);
            let mut metrics = Vec::new();
            for (metric, covered) in read_covered(file, run, &mut elements)? {
                let last = file.query_row(
                    "SELECT execution, covered FROM growth WHERE run = ?1 AND metric = ?2 \
                     ORDER BY execution DESC LIMIT 1",
                    [run.0, metric],
                    |row| Ok(Growth { execution: number(row, 0)?, covered: number(row, 1)? }),
                );
                let growth = last.optional()?.into_iter().collect();
                metrics.push(LearnedMetric { metric: metric_name(file, metric)?, covered, growth });
            }
            let (executions, steps) = file.query_row(
                "SELECT coalesce(sum(executions), 0), coalesce(sum(steps), 0) FROM slices \
                 WHERE run = ?1",
                [run.0],
                |row| Ok((number(row, 0)?, number(row, 1)?)),
            )?;
            let corpus = match format < WITH_CORPUS {
                true => Vec::new(),
                false => read_corpus(file, run)?,
            };
            Ok(Learned { executions, steps, metrics, corpus })
        })
    }
}

/// The executions of a run that are worth going on from.
pub(crate) fn read_corpus(file: &Connection, run: RunId) -> rusqlite::Result<Vec<CorpusEntry>> {
    let mut query = file.prepare_cached("SELECT entry FROM corpus WHERE run = ?1 ORDER BY key")?;
    let entry = |row: &Row<'_>| serde_json::from_str(&row.get::<_, String>(0)?).map_err(as_sql);
    query.query_map([run.0], entry)?.collect()
}

/// A column with a number that may use all bits.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|number| number as u64)
}

fn read_campaign(row: &Row<'_>) -> rusqlite::Result<Campaign> {
    let shard = row.get::<_, Option<String>>(2)?;
    let shard = shard.map(|shard| shard.parse().map_err(as_sql)).transpose()?;
    let commit = match row.get::<_, Option<String>>(5)? {
        Some(id) => {
            let tree = match row.get::<_, Option<String>>(6)?.as_deref() {
                Some("clean") => Tree::Clean,
                _ => Tree::Changed,
            };
            Some(Commit { id, tree })
        }
        None => None,
    };
    Ok(Campaign {
        id: CampaignId(row.get(0)?),
        family: row.get(1)?,
        shard,
        began: Time(number(row, 3)?),
        ended: row.get::<_, Option<i64>>(4)?.map(|ended| Time(ended as u64)),
        commit,
        selvedge: row.get(7)?,
        toolchain: row.get(8)?,
    })
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<Run> {
    let settings: String = row.get(7)?;
    let ending = match row.get::<_, Option<String>>(11)? {
        Some(name) => Some(ending_of(&name, row.get(12)?).ok_or_else(|| unknown(&name))?),
        None => None,
    };
    let (warnings, conditions): (String, String) = (row.get(13)?, row.get(14)?);
    Ok(Run {
        id: RunId(row.get(0)?),
        campaign: CampaignId(row.get(1)?),
        test: TestName {
            package: row.get(2)?,
            target: row.get(3)?,
            kind: row.get(4)?,
            name: row.get(5)?,
        },
        build: number(row, 6)?,
        settings: serde_json::from_str(&settings).map_err(as_sql)?,
        strategy: row.get(8)?,
        seed: number(row, 9)?,
        executions: number(row, 15)?,
        steps: number(row, 16)?,
        milliseconds: number(row, 17)?,
        threads: number(row, 10)?,
        ending,
        warnings: serde_json::from_str(&warnings).map_err(as_sql)?,
        conditions: serde_json::from_str(&conditions).map_err(as_sql)?,
    })
}

/// What was covered, by metric, in the order of being covered.
fn read_covered(
    file: &Connection,
    run: RunId,
    elements: &mut Elements<'_>,
) -> rusqlite::Result<BTreeMap<i64, Vec<CoveredRequirement>>> {
    let mut query = file.prepare(
        "SELECT covered.requirement, metric, frequency, first, element FROM covered \
         JOIN requirements ON requirements.id = covered.requirement \
         LEFT JOIN parts ON parts.requirement = covered.requirement \
         WHERE run = ?1 ORDER BY covered.requirement, position",
    )?;
    let mut all: BTreeMap<i64, Vec<CoveredRequirement>> = BTreeMap::new();
    let mut rows = query.query([run.0])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let (id, metric): (i64, i64) = (row.get(0)?, row.get(1)?);
        let covered = all.entry(metric).or_default();
        if last.replace(id) != Some(id) {
            let frequency = match row.get::<_, i64>(2)? {
                1 => Frequency::Once,
                2 => Frequency::Twice,
                _ => Frequency::Often,
            };
            let requirement = Requirement { parts: Vec::new() };
            covered.push(CoveredRequirement { requirement, frequency, first: number(row, 3)? });
        }
        if let (Some(part), Some(last)) = (read_part(row, 4, elements)?, covered.last_mut()) {
            last.requirement.parts.push(part);
        }
    }
    for covered in all.values_mut() {
        covered.sort_by_key(|covered| covered.first);
    }
    Ok(all)
}

/// What was not covered, by metric, sorted and each once.
fn read_uncovered(
    file: &Connection,
    run: RunId,
    elements: &mut Elements<'_>,
) -> rusqlite::Result<BTreeMap<i64, Vec<Requirement>>> {
    let mut query = file.prepare(
        "SELECT uncovered.requirement, metric, element FROM uncovered \
         JOIN requirements ON requirements.id = uncovered.requirement \
         LEFT JOIN parts ON parts.requirement = uncovered.requirement \
         WHERE run = ?1 ORDER BY uncovered.requirement, position",
    )?;
    let mut all: BTreeMap<i64, Vec<Requirement>> = BTreeMap::new();
    let mut rows = query.query([run.0])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let (id, metric): (i64, i64) = (row.get(0)?, row.get(1)?);
        let uncovered = all.entry(metric).or_default();
        if last.replace(id) != Some(id) {
            uncovered.push(Requirement { parts: Vec::new() });
        }
        if let (Some(part), Some(last)) = (read_part(row, 2, elements)?, uncovered.last_mut()) {
            last.parts.push(part);
        }
    }
    for uncovered in all.values_mut() {
        uncovered.sort();
        uncovered.dedup();
    }
    Ok(all)
}

/// A part, unless the requirement has none.
fn read_part(
    row: &Row<'_>,
    column: usize,
    elements: &mut Elements<'_>,
) -> rusqlite::Result<Option<Part>> {
    row.get::<_, Option<i64>>(column)?.map(|element| elements.get(element)).transpose()
}

fn read_growth(file: &Connection, run: RunId) -> rusqlite::Result<Vec<(i64, Growth)>> {
    let mut query = file.prepare(
        "SELECT metric, execution, covered FROM growth WHERE run = ?1 ORDER BY metric, execution",
    )?;
    let point = |row: &Row<'_>| {
        Ok((row.get(0)?, Growth { execution: number(row, 1)?, covered: number(row, 2)? }))
    };
    query.query_map([run.0], point)?.collect()
}

fn read_summaries(
    file: &Connection,
    run: RunId,
    measured: &mut BTreeMap<i64, Measured>,
) -> rusqlite::Result<()> {
    let mut query = file.prepare(
        "SELECT metric, weight, average, aimed, covered, unseen, next, saturated FROM measured \
         WHERE run = ?1",
    )?;
    let mut rows = query.query([run.0])?;
    let count = |row: &Row<'_>, column| -> rusqlite::Result<Option<u64>> {
        Ok(row.get::<_, Option<i64>>(column)?.map(|count| count as u64))
    };
    while let Some(row) = rows.next()? {
        let metric = entry(file, measured, row.get(0)?)?;
        metric.summary = Some(MetricSummary {
            weight: count(row, 1)?,
            average: row.get(2)?,
            aimed: count(row, 3)?,
        });
        if let (Some(covered), Some(unseen), Some(next)) =
            (count(row, 4)?, row.get(5)?, row.get(6)?)
        {
            let (metric_name, saturated) = (metric.metric.clone(), count(row, 7)?);
            metric.remaining =
                Some(Remaining { metric: metric_name, covered, unseen, next, saturated });
        }
    }
    Ok(())
}

/// What is known of a metric so far.
fn entry<'a>(
    file: &Connection,
    measured: &'a mut BTreeMap<i64, Measured>,
    metric: i64,
) -> rusqlite::Result<&'a mut Measured> {
    use std::collections::btree_map::Entry;
    Ok(match measured.entry(metric) {
        Entry::Occupied(entry) => entry.into_mut(),
        Entry::Vacant(entry) => entry.insert(Measured {
            metric: metric_name(file, metric)?,
            covered: Vec::new(),
            uncovered: Vec::new(),
            growth: Vec::new(),
            summary: None,
            remaining: None,
        }),
    })
}

fn metric_name(file: &Connection, metric: i64) -> rusqlite::Result<String> {
    file.query_row("SELECT name FROM metrics WHERE id = ?1", [metric], |row| row.get(0))
}

/// Several instructions of one line are one place to people: what differs in these alone is one
/// requirement.
fn once_each(mut covered: Vec<CoveredRequirement>) -> Vec<CoveredRequirement> {
    covered.sort_by(|a, b| a.requirement.cmp(&b.requirement));
    covered.dedup_by(|other, one| {
        let same = other.requirement == one.requirement;
        if same {
            one.frequency = one.frequency.max(other.frequency);
            one.first = one.first.min(other.first);
        }
        same
    });
    covered.sort_by_key(|covered| covered.first);
    covered
}
