//! What executions have exercised: one file a metric.
//!
//! While an execution runs, next to nothing is done: accesses to memory are noted, and those metrics
//! that need to know what other threads are about to do are asked at each event. When it is over, its
//! events and accesses are turned into [`Fact`]s, which carry numbers instead of places, and each
//! metric goes through them. What it finds are tuples of numbers of this execution; they become
//! requirements when the numbers of objects and threads are replaced by identities that mean the same
//! in every execution.

mod covered;
mod fact;
mod found;
mod frequency;
mod identity;
mod metric;
mod metrics;
mod quality;
mod reader;
mod repeats;
mod sites;
mod tables;

pub use fact::{FIRST_WORD, Fact, Facts, NONE, SiteNumber, What};
pub use found::{Found, Member, PARTS, Tuple, tuple};
pub use metric::{Metric, PartKind};
pub use metrics::metric;
pub use sites::Sites;

use covered::Covered;
use identity::{Identities, World};
use reader::Reader;
use repeats::{Repeated, Repeats};
use selvedge_model::{
    Access, Event, Growth, Identity, KeptFor, Learned, LearnedMetric, MemoryChange, MetricChoice,
    MetricReport, Moment, NotKept, Observer, Record, Requirement, Series, Toggle, Weights,
};

/// A metric that is kept, with what it has seen.
struct Kept {
    metric: Box<dyn Metric>,
    /// Which of the identities it uses.
    identities: usize,
    found: Found,
    covered: Covered,
}

/// How far a metric has come.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// Its name.
    pub metric: String,
    /// How many requirements are covered.
    pub covered: u64,
    /// How many of them in exactly one execution.
    pub once: u64,
    /// How many of them in exactly two.
    pub twice: u64,
    /// How the number of covered requirements grew.
    pub growth: &'a [Growth],
}

/// How coverage is measured.
#[derive(Clone, Debug)]
pub struct CoverageSettings {
    /// How many places at the beginning of a thread make up its abstract identity.
    pub thread_sites: u32,
    /// What the states of `goldilocksc` count for.
    pub weights: Weights,
    /// The series over which the quality of the metrics is computed, if it is wanted.
    pub series: Option<Series>,
    /// What is noted of an execution's accesses to memory takes no more than so many bytes.
    pub memory: usize,
}

impl Default for CoverageSettings {
    fn default() -> Self {
        Self { thread_sites: 20, weights: Weights::default(), series: None, memory: 64 << 20 }
    }
}

/// The metrics that are kept, with what they have seen so far.
pub struct Coverage {
    settings: CoverageSettings,
    metrics: Vec<Kept>,
    identities: Vec<Identities>,
    sites: Sites,
    reader: Reader,
    repeats: Repeats,
    /// Whether accesses to plain memory are noted.
    plain_memory: Toggle,
}

impl Coverage {
    /// Keeps no metric yet.
    pub fn new(settings: CoverageSettings) -> Self {
        Self {
            reader: Reader::new(settings.memory / reader::WEIGHT),
            settings,
            metrics: Vec::new(),
            identities: Vec::new(),
            sites: Sites::default(),
            repeats: Repeats::default(),
            plain_memory: Toggle::On,
        }
    }

    /// From now on takes no notice of plain memory: requirements are about operations, and data behind locks.
    pub fn leave_memory_out(&mut self) {
        self.plain_memory = Toggle::Off;
    }

    /// Keeps the metrics that were chosen.
    pub fn of_choices(choices: &[MetricChoice], settings: CoverageSettings) -> Self {
        let mut coverage = Self::new(settings);
        for choice in choices {
            let metric = metric(choice.name, coverage.settings.weights);
            coverage.keep(metric, choice.identity);
        }
        coverage
    }

    /// Keeps another metric.
    ///
    /// # Panics
    ///
    /// Panics if its requirements have more than [`PARTS`] parts.
    pub fn keep(&mut self, metric: Box<dyn Metric>, identity: Identity) {
        let known = self.identities.iter().position(|known| known.level() == identity);
        let identities = known.unwrap_or_else(|| {
            self.identities.push(Identities::new(identity));
            self.identities.len() - 1
        });
        let covered = Covered::new(metric.parts(), self.settings.series);
        self.metrics.push(Kept { metric, identities, found: Found::default(), covered });
        let weight = reader::WEIGHT + reader::WEIGHT_IN_METRIC * self.metrics.len();
        self.reader.limit(self.settings.memory / weight);
    }

    fn begin_metrics(&mut self) {
        for kept in &mut self.metrics {
            kept.found.begin();
            kept.metric.begin();
        }
    }

    /// Keeps no more of an execution than what accesses to memory may take of it. For those who read
    /// what others have written: whether there was more is said by [`had_more`](Self::had_more), and
    /// then what is kept means nothing.
    pub(crate) fn limit(&mut self) {
        let each = self.settings.memory / reader::WEIGHT_IN_METRIC / self.metrics.len().max(1);
        self.metrics.iter_mut().for_each(|kept| kept.found.limit(each));
    }

    /// Whether an execution had more than was kept, or all of them more requirements than so many.
    pub(crate) fn had_more(&self, requirements: usize) -> bool {
        self.metrics.iter().any(|kept| kept.found.had_more())
            || self.counts().sum::<usize>() > requirements
    }

    /// How many requirements each metric has covered, in the order in which they are kept.
    pub fn counts(&self) -> impl Iterator<Item = usize> {
        self.metrics.iter().map(|kept| kept.covered.count())
    }

    /// There were so many executions in the campaign before the first one here, and this is what
    /// they have covered.
    pub fn go_on_from(&mut self, known: &Learned) {
        self.metrics.iter_mut().for_each(|kept| kept.covered.go_on_from(known.executions));
        self.learn(known);
    }

    /// Others have covered this, which is no news from now on. Metrics that are not kept here are
    /// left out.
    pub fn learn(&mut self, learned: &Learned) {
        let Self { metrics, identities, sites, .. } = self;
        for kept in metrics {
            let identities = &mut identities[kept.identities];
            let name = covered::name(kept.metric.as_ref(), identities);
            for learned in learned.metrics.iter().filter(|learned| learned.metric == name) {
                kept.covered.learn(&learned.covered, identities, sites);
            }
        }
    }

    /// What is new since this was last asked, of those metrics that have any news.
    pub fn news(&mut self) -> Vec<LearnedMetric> {
        let Self { metrics, identities, sites, .. } = self;
        let news = metrics.iter_mut().map(|kept| {
            kept.covered.news(kept.metric.as_ref(), &identities[kept.identities], sites)
        });
        news.filter(|news| !news.covered.is_empty() || !news.growth.is_empty()).collect()
    }

    /// What a metric has covered, without the first so many of it. Empty if it is not kept.
    pub fn covered_since(&self, metric: &str, first: usize) -> Vec<Requirement> {
        let is_it = |kept: &&Kept| {
            kept.covered.count() > first
                && covered::name(kept.metric.as_ref(), &self.identities[kept.identities]) == metric
        };
        let kept = self.metrics.iter().find(is_it);
        kept.map_or_else(Vec::new, |kept| {
            let identities = &self.identities[kept.identities];
            kept.covered.since(first, identities, &self.sites)
        })
    }

    /// How far each metric has come, in the order in which they are kept.
    pub fn standings(&self) -> impl Iterator<Item = Standing<'_>> {
        self.metrics.iter().map(|kept| {
            let (once, twice) = kept.covered.rare();
            let identities = &self.identities[kept.identities];
            let metric = covered::name(kept.metric.as_ref(), identities);
            let covered = kept.covered.count() as u64;
            Standing { metric, covered, once, twice, growth: kept.covered.growth() }
        })
    }

    /// What each metric has covered, in the order in which they are kept.
    pub fn reports(&self) -> Vec<MetricReport> {
        let report = |kept: &Kept| {
            let identities = &self.identities[kept.identities];
            let series = self.settings.series;
            kept.covered.report(kept.metric.as_ref(), identities, &self.sites, series)
        };
        self.metrics.iter().map(report).collect()
    }
}

impl Observer for Coverage {
    fn wants_events(&self) -> bool {
        self.metrics.iter().any(|kept| kept.metric.wants_events())
    }

    fn begin(&mut self) {
        self.reader.begin();
        if self.wants_events() {
            self.begin_metrics();
        }
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        for kept in self.metrics.iter_mut().filter(|kept| kept.metric.wants_events()) {
            kept.metric.event(event, moment, &mut self.sites, &mut kept.found);
        }
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        if self.plain_memory == Toggle::On {
            self.reader.access(access, moment.step, &mut self.sites);
        }
    }

    fn memory(&mut self, change: &MemoryChange, _moment: &Moment<'_>) {
        self.reader.memory(change);
    }

    fn not_kept(&self) -> Vec<NotKept> {
        let not_kept = |step| NotKept { what: KeptFor::Coverage, after: step as u64 };
        self.reader.not_kept().map(not_kept).into_iter().collect()
    }

    fn end(&mut self, record: &Record<'_>) {
        // What metrics were told of meanwhile is not in the record.
        let told = self.wants_events();
        let repeated = match told || self.reader.has_accesses() {
            true => Repeated::Unknown,
            false => self.repeats.look_up(record),
        };
        if let Repeated::As(number) = repeated {
            return self.metrics.iter_mut().for_each(|kept| kept.covered.repeat(number));
        }
        if !told {
            self.begin_metrics();
        }
        let Self { settings, metrics, identities, sites, reader, .. } = self;
        let thread_sites = settings.thread_sites as usize;
        reader.read(record, sites, |facts| {
            for kept in metrics.iter_mut() {
                kept.metric.facts(facts, &mut kept.found);
            }
        });
        let world = World { record, words: reader.words(), thread_sites };
        for identities in identities.iter_mut() {
            identities.begin(&world, sites);
        }
        for kept in metrics {
            kept.metric.end(record, sites, &mut kept.found);
            kept.covered.add(&kept.found, &mut identities[kept.identities], &world, sites);
            if repeated == Repeated::First {
                kept.covered.number();
            }
        }
        reader.end();
    }
}
