//! What is written while tests are explored.

use crate::data::{
    CampaignId, Ending, KeptFinding, NewCampaign, NewRun, RunId, SliceNumber, TestName, Time, Tree,
};
use crate::key::{key, key_of};
use crate::names::{Names, as_sql, intern};
use crate::{Database, StoreError};
use rusqlite::{Connection, params};
use selvedge_model::{
    CodeAddress, Conditions, CorpusEntry, CoveredRequirement, Frequency, Learned, Report, Source,
    Stopped,
};
use std::time::Duration;

/// Knows the lines of instructions.
pub trait Lines {
    /// The line of an instruction, if it is known.
    fn line(&self, address: CodeAddress) -> Option<Source>;
}

/// For those who meet no instructions.
impl Lines for () {
    fn line(&self, _: CodeAddress) -> Option<Source> {
        None
    }
}

impl Database {
    /// A campaign begins.
    pub fn begin_campaign(&mut self, new: &NewCampaign) -> Result<CampaignId, StoreError> {
        let NewCampaign { commit, toolchain, part } = new;
        self.at_once(|file, _| {
            // Campaigns of one file begin one after the other, whatever the clock says.
            let (id, began): (i64, i64) = file.query_row(
                "SELECT random(), max(?1, coalesce(max(began) + 1, 0)) FROM campaigns",
                [Time::now().0 as i64],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let tree = commit.as_ref().map(|commit| tree_name(commit.tree));
            let family = part.map_or(id, |part| part.family);
            file.execute(
                "INSERT INTO campaigns \
                 (id, family, shard, began, revision, commit_id, tree, selvedge, toolchain) \
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8)",
                params![
                    id,
                    family,
                    part.map(|part| part.shard.to_string()),
                    began,
                    commit.as_ref().map(|commit| &commit.id),
                    tree,
                    env!("CARGO_PKG_VERSION"),
                    toolchain,
                ],
            )?;
            Ok(CampaignId(id))
        })
    }

    /// Somebody goes on with a campaign.
    pub fn go_on(&mut self, campaign: CampaignId) -> Result<(), StoreError> {
        self.set_end(campaign, None)
    }

    /// A campaign has come to its end.
    pub fn end_campaign(&mut self, campaign: CampaignId) -> Result<(), StoreError> {
        self.set_end(campaign, Some(Time::now()))
    }

    fn set_end(&mut self, campaign: CampaignId, end: Option<Time>) -> Result<(), StoreError> {
        self.at_once(|file, _| {
            file.execute(
                "UPDATE campaigns SET ended = ?2, revision = revision + 1 WHERE id = ?1",
                params![campaign.0, end.map(|end| end.0 as i64)],
            )?;
            Ok(())
        })
    }

    /// A test is about to be explored, or to be explored further.
    pub fn begin_run(&mut self, campaign: CampaignId, new: &NewRun) -> Result<RunId, StoreError> {
        let NewRun { test, build, settings, strategy, seed } = new;
        self.at_once(|file, _| {
            let test = write_test(file, test)?;
            let id = key_of(campaign.0, [test]);
            let settings = serde_json::to_string(settings).map_err(as_sql)?;
            let conditions = serde_json::to_string(&Conditions::default()).map_err(as_sql)?;
            file.execute(
                "INSERT INTO runs (id, campaign, test, revision, build, settings, strategy, seed, \
                 threads, warnings, conditions) VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7, 0, '[]', ?8) \
                 ON CONFLICT (id) DO UPDATE SET revision = revision + 1, settings = ?5, ending = NULL",
                params![
                    id,
                    campaign.0,
                    test,
                    *build as i64,
                    settings,
                    strategy,
                    *seed as i64,
                    conditions
                ],
            )?;
            Ok(RunId(id))
        })
    }

    /// A process begins to explore a test.
    pub fn begin_slice(&mut self, run: RunId, seed: u64) -> Result<SliceNumber, StoreError> {
        self.at_once(|file, _| {
            let number: i64 = file.query_row(
                "SELECT coalesce(max(number) + 1, 0) FROM slices WHERE run = ?1",
                [run.0],
                |row| row.get(0),
            )?;
            file.execute(
                "INSERT INTO slices (run, number, seed, began, executions, steps, milliseconds) \
                 VALUES (?1, ?2, ?3, ?4, 0, 0, 0)",
                params![run.0, number, seed as i64, Time::now().0 as i64],
            )?;
            Ok(SliceNumber(number))
        })
    }

    /// A process has explored for so long by now, and this is new since it was last heard of.
    pub fn learn(
        &mut self,
        run: RunId,
        slice: SliceNumber,
        learned: &Learned,
        elapsed: Duration,
        lines: &dyn Lines,
    ) -> Result<(), StoreError> {
        self.at_once(|file, names| {
            file.prepare_cached(
                "UPDATE slices SET executions = executions + ?3, steps = steps + ?4, \
                 milliseconds = ?5 WHERE run = ?1 AND number = ?2",
            )?
            .execute(params![
                run.0,
                slice.0,
                learned.executions as i64,
                learned.steps as i64,
                elapsed.as_millis() as i64
            ])?;
            for metric in &learned.metrics {
                let number = intern(file, "metrics", &metric.metric)?;
                write_covered(file, names, run, number, &metric.covered, lines)?;
                let mut grow = file.prepare_cached(
                    "INSERT INTO growth (run, metric, execution, covered) VALUES (?1, ?2, ?3, ?4) \
                     ON CONFLICT DO UPDATE SET covered = max(covered, excluded.covered)",
                )?;
                for point in &metric.growth {
                    let (execution, covered) = (point.execution as i64, point.covered as i64);
                    grow.execute([run.0, number, execution, covered])?;
                }
            }
            write_corpus(file, run, &learned.corpus)?;
            touch(file, run)
        })
    }

    /// The exploration of a test has come to its end.
    pub fn end_run(
        &mut self,
        run: RunId,
        report: &Report,
        lines: &dyn Lines,
    ) -> Result<(), StoreError> {
        self.at_once(|file, names| {
            write_ending(file, run, &Ending::Stopped(report.stopped.clone()))?;
            let warnings = serde_json::to_string(&report.warnings).map_err(as_sql)?;
            let conditions = serde_json::to_string(&report.conditions).map_err(as_sql)?;
            file.execute(
                "UPDATE runs SET threads = max(threads, ?2), warnings = ?3, conditions = ?4 \
                 WHERE id = ?1",
                params![run.0, report.threads as i64, warnings, conditions],
            )?;
            write_summary(file, names, run, report, lines)?;
            touch(file, run)
        })
    }

    /// A test is explored no longer, without a report.
    pub fn give_up(&mut self, run: RunId, ending: &Ending) -> Result<(), StoreError> {
        self.at_once(|file, _| {
            write_ending(file, run, ending)?;
            touch(file, run)
        })
    }

    /// Something was found, in this execution of the run.
    pub fn keep(
        &mut self,
        run: RunId,
        finding: &KeptFinding,
        execution: u64,
    ) -> Result<(), StoreError> {
        let KeptFinding { id, kind, headline, json, explanation } = finding;
        self.at_once(|file, _| {
            file.execute(
                "INSERT OR REPLACE INTO findings (id, kind, headline, found, json, explanation) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![id, kind, headline, Time::now().0 as i64, json, explanation],
            )?;
            file.execute(
                "INSERT OR IGNORE INTO found (run, finding, execution) VALUES (?1, ?2, ?3)",
                params![run.0, id, execution as i64],
            )?;
            touch(file, run)
        })
    }
}

fn write_test(file: &Connection, test: &TestName) -> rusqlite::Result<i64> {
    let TestName { package, target, kind, name } = test;
    let id = key([package, target, kind, name].map(String::as_str));
    file.execute(
        "INSERT OR IGNORE INTO tests (id, package, target, kind, name) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![id, package, target, kind, name],
    )?;
    Ok(id)
}

fn write_covered(
    file: &Connection,
    names: &mut Names,
    run: RunId,
    metric: i64,
    covered: &[CoveredRequirement],
    lines: &dyn Lines,
) -> rusqlite::Result<()> {
    let mut cover = file.prepare_cached(
        "INSERT INTO covered (run, requirement, frequency, first) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT DO UPDATE SET frequency = min(3, frequency + excluded.frequency), \
         first = min(first, excluded.first)",
    )?;
    for CoveredRequirement { requirement, frequency, first } in covered {
        let requirement = names.requirement(file, metric, requirement, lines)?;
        let frequency = frequency_number(*frequency);
        cover.execute(params![run.0, requirement, frequency, *first as i64])?;
    }
    Ok(())
}

/// No more bytes than this are kept of executions of a run, since whoever goes on with it reads them all.
const MOST_OF_CORPUS: usize = 1 << 20;

fn write_corpus(file: &Connection, run: RunId, corpus: &[CorpusEntry]) -> rusqlite::Result<()> {
    let mut insert = file.prepare_cached(
        "INSERT OR IGNORE INTO corpus (run, key, entry) SELECT ?1, ?2, ?3 \
         WHERE (SELECT coalesce(sum(length(entry)), 0) FROM corpus WHERE run = ?1) + ?4 <= ?5",
    )?;
    for entry in corpus {
        let entry = serde_json::to_string(entry).map_err(as_sql)?;
        insert.execute(params![
            run.0,
            key([entry.as_str()]),
            entry,
            entry.len() as i64,
            MOST_OF_CORPUS as i64
        ])?;
    }
    Ok(())
}

/// What is said of metrics at the end.
fn write_summary(
    file: &Connection,
    names: &mut Names,
    run: RunId,
    report: &Report,
    lines: &dyn Lines,
) -> rusqlite::Result<()> {
    file.execute("DELETE FROM measured WHERE run = ?1", [run.0])?;
    file.execute("DELETE FROM uncovered WHERE run = ?1", [run.0])?;
    let aimed = report.guidance.iter();
    let aimed = aimed.map(|guidance| (&guidance.metric, &guidance.uncovered));
    let known = report.coverage.iter().map(|metric| (&metric.metric, &metric.uncovered));
    for (metric, uncovered) in known.chain(aimed) {
        let metric = intern(file, "metrics", metric)?;
        let mut insert = file.prepare_cached(
            "INSERT INTO uncovered (run, requirement) SELECT ?1, ?2 WHERE NOT EXISTS \
             (SELECT * FROM covered WHERE run = ?1 AND requirement = ?2) ON CONFLICT DO NOTHING",
        )?;
        for requirement in uncovered {
            let requirement = names.requirement(file, metric, requirement, lines)?;
            insert.execute([run.0, requirement])?;
        }
    }
    for metric in &report.coverage {
        file.execute(
            "INSERT INTO measured (run, metric, weight, average) VALUES (?1, ?2, ?3, ?4)",
            params![
                run.0,
                intern(file, "metrics", &metric.metric)?,
                metric.weight.map(|weight| weight as i64),
                metric.average
            ],
        )?;
    }
    for remaining in &report.remaining {
        file.execute(
            "INSERT INTO measured (run, metric, average, covered, unseen, next, saturated) \
             VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET covered = ?3, \
             unseen = ?4, next = ?5, saturated = ?6",
            params![
                run.0,
                intern(file, "metrics", &remaining.metric)?,
                remaining.covered as i64,
                remaining.unseen,
                remaining.next,
                remaining.saturated.map(|execution| execution as i64)
            ],
        )?;
    }
    if let Some(guidance) = &report.guidance {
        file.execute(
            "INSERT INTO measured (run, metric, average, aimed) VALUES (?1, ?2, 0, ?3) \
             ON CONFLICT DO UPDATE SET aimed = ?3",
            params![run.0, intern(file, "metrics", &guidance.metric)?, guidance.covered as i64],
        )?;
    }
    Ok(())
}

fn write_ending(file: &Connection, run: RunId, ending: &Ending) -> rusqlite::Result<()> {
    let (name, message) = ending_name(ending);
    file.execute(
        "UPDATE runs SET ending = ?2, message = ?3 WHERE id = ?1",
        params![run.0, name, message],
    )?;
    Ok(())
}

/// Something was written to a run.
fn touch(file: &Connection, run: RunId) -> rusqlite::Result<()> {
    file.prepare_cached("UPDATE runs SET revision = revision + 1 WHERE id = ?1")?
        .execute([run.0])?;
    Ok(())
}

pub(crate) const fn tree_name(tree: Tree) -> &'static str {
    match tree {
        Tree::Clean => "clean",
        Tree::Changed => "changed",
    }
}

pub(crate) const fn frequency_number(frequency: Frequency) -> i64 {
    match frequency {
        Frequency::Once => 1,
        Frequency::Twice => 2,
        Frequency::Often => 3,
    }
}

/// The names of endings in the file, which stay for ever.
fn ending_name(ending: &Ending) -> (&'static str, Option<&str>) {
    match ending {
        Ending::Stopped(Stopped::Found) => ("found", None),
        Ending::Stopped(Stopped::Executions) => ("executions", None),
        Ending::Stopped(Stopped::Time) => ("time", None),
        Ending::Stopped(Stopped::Exhausted) => ("exhausted", None),
        Ending::Stopped(Stopped::Saturated) => ("saturated", None),
        Ending::Stopped(Stopped::Long) => ("long", None),
        Ending::Stopped(Stopped::OwnMemory) => ("own-memory", None),
        Ending::Stopped(Stopped::Unfinished) => ("unfinished", None),
        Ending::Stopped(Stopped::Plain) => ("plain", None),
        Ending::Stopped(Stopped::Sequential) => ("sequential", None),
        Ending::Stopped(Stopped::Replayed) => ("replayed", None),
        Ending::Stopped(Stopped::Misfit(why)) => ("misfit", Some(why)),
        Ending::Died(how) => ("died", Some(how)),
        Ending::Failed(why) => ("failed", Some(why)),
    }
}

/// The ending with a name.
pub(crate) fn ending_of(name: &str, message: Option<String>) -> Option<Ending> {
    let message = message.unwrap_or_default();
    Some(match name {
        "found" => Ending::Stopped(Stopped::Found),
        "executions" => Ending::Stopped(Stopped::Executions),
        "time" => Ending::Stopped(Stopped::Time),
        "exhausted" => Ending::Stopped(Stopped::Exhausted),
        "saturated" => Ending::Stopped(Stopped::Saturated),
        "long" => Ending::Stopped(Stopped::Long),
        "own-memory" => Ending::Stopped(Stopped::OwnMemory),
        "unfinished" => Ending::Stopped(Stopped::Unfinished),
        "plain" => Ending::Stopped(Stopped::Plain),
        "sequential" => Ending::Stopped(Stopped::Sequential),
        "replayed" => Ending::Stopped(Stopped::Replayed),
        "misfit" => Ending::Stopped(Stopped::Misfit(message)),
        "died" => Ending::Died(message),
        "failed" => Ending::Failed(message),
        _ => return None,
    })
}
