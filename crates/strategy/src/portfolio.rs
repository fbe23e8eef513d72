//! Portfolio: a mixture of strategies that shifts the budget to what pays off.
//!
//! No single strategy wins everywhere: a fair coin misses orders in which a thread must be held
//! back, priorities need many tries on tight races, uniform walks depend on an estimate, a
//! systematic search drowns in long tests. The portfolio gives each a share of the executions. What
//! an execution pays is whether it showed something that had not been seen ([`News`]); the shares
//! follow what each strategy has paid of late. What one has learned, all know: there is one profile
//! of the test, one record of what was seen, and one corpus of executions to go on from.
//!
//! Source: the observation that samplers complement each other is in Thomson et al. (TOPC 2016);
//! shares and turns are our own.
//!
//! May miss: what all its members miss. Never starves a member: each keeps a share.

use crate::exported::{from_bytes, to_bytes};
use crate::opening::Opening;
use crate::pairs::News;
use crate::shared::{Knowledge, Shared, is_continuation};
use crate::tsa::{Tsa, Wakes};
use crate::{Fest, Pct, Period, Pos, Random, Rff, Rng, Selection, Surw};
use selvedge_model::{
    Config, CorpusEntry, Event, Fault, Guidance, ObjectId, Pick, Progress, Rate, Record,
    Requirement, Strategy, ThreadId, View,
};

/// The mixture.
pub struct Portfolio {
    members: Vec<Member>,
    /// Who decides in the first executions.
    book: &'static [usize],
    /// The member that decides in this execution.
    active: usize,
    shared: Knowledge,
    /// The threads that were chosen in this execution.
    chosen: Vec<ThreadId>,
    executions: u64,
}

struct Member {
    strategy: Box<dyn Strategy>,
    /// What it has paid of late, from 0 to 1.
    pay: f64,
    /// What its pay is worth in the long run; chosen so that no bug of the benchmark is found much
    /// later than by the best single strategy.
    base: f64,
    /// What it is worth more at the beginning.
    early: f64,
    /// The executions that it is still owed.
    credit: f64,
    /// Whether it is asked at operations that never conflicted.
    asked: Asked,
}

/// Where a member is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// At every choice: it has its own idea of what matters.
    Always,
    /// Mostly where the running thread is about to do what was in a conflict in some execution, as in
    /// Morpheus (partial order sampling with a history of conflicts): nearly all operations of most
    /// tests never are, and a switch there only makes those that matter less likely.
    WhereItMatters,
}

/// The positions of the first members.
const OPENING: usize = 0;
/// See [`OPENING`].
const PERIOD: usize = 1;
/// See [`OPENING`].
const RFF: usize = 2;
/// Who decides in the first executions: what needs no knowledge, then what needs little.
const BOOK: [usize; 9] = [OPENING, OPENING, OPENING, PERIOD, PERIOD, OPENING, RFF, PERIOD, PERIOD];

/// After so many executions it is thought to be known which operations conflict.
const KNOWN_AFTER: u64 = 64;
/// One in so many choices is put to every member.
const ASKED_ONE_IN: u64 = 16;

/// How fast the past fades.
const FADE: f64 = 0.05;
/// After so many executions, half of the beginning is over.
const EARLY: f64 = 48.0;
/// After so many the beginning is over.
const OVER: u64 = 48 * 64;
/// Every execution is looked at for something new at first, later on one in so many.
const LOOK_AT_ALL: u64 = 256;
/// See [`LOOK_AT_ALL`].
const LOOK_AT_ONE_IN: u64 = 4;

impl Portfolio {
    /// All of them; their seeds come from this one.
    pub fn new(seed: u64, wakes: Wakes) -> Self {
        let mut portfolio = Self::empty();
        let shared = Knowledge::clone(&portfolio.shared);
        let mut rng = Rng::new(seed);
        portfolio.members.push(Member {
            strategy: Box::new(Opening::new(seed)),
            pay: 0.0,
            base: 0.0,
            early: 0.0,
            // Its turns are in the book.
            credit: f64::NEG_INFINITY,
            asked: Asked::Always,
        });
        let mut add = |asked, base: f64, early: f64, make: &dyn Fn(u64) -> Box<dyn Strategy>| {
            // The order of the first turns differs from seed to seed.
            let credit = rng.below(1 << 20) as f64 / f64::from(1 << 20);
            let strategy = make(rng.bits());
            portfolio.members.push(Member { strategy, pay: 1.0, base, early, credit, asked });
        };
        // What is systematic comes to its end, and what follows hints has fewer of them in time.
        add(Asked::Always, 0.8, 20.0, &|seed| Box::new(Period::new(seed, &shared)));
        add(Asked::Always, 1.6, 6.0, &|seed| Box::new(Rff::new(seed, &shared)));
        add(Asked::Always, 0.8, 0.0, &|seed| Box::new(Fest::new(seed, &shared)));
        add(Asked::Always, 1.6, 0.0, &|seed| {
            Box::new(Surw::new(seed, Selection::OneObject, &shared))
        });
        add(Asked::Always, 1.0, 1.0, &|seed| {
            Box::new(Surw::new(seed, Selection::Everything, &shared))
        });
        add(Asked::WhereItMatters, 0.8, 0.0, &|seed| Box::new(Random::new(seed)));
        // Says what is possible and was not seen.
        add(Asked::Always, 0.4, 0.0, &|seed| Box::new(Tsa::new(seed, wakes)));
        add(Asked::WhereItMatters, 0.6, 1.0, &|seed| Box::new(Pos::new(seed)));
        // Priorities shine where the others fail for long, and lose on what they find at once.
        add(Asked::WhereItMatters, 1.0, 0.0, &|seed| Box::new(Pct::new(seed, 3)));
        add(Asked::WhereItMatters, 0.4, 0.0, &|seed| Box::new(Pct::new(seed, 2)));
        portfolio.book = &BOOK;
        portfolio
    }

    /// A single strategy that learns from what it sees.
    pub(crate) fn of_one<S: Strategy + 'static>(make: impl FnOnce(&Knowledge) -> S) -> Self {
        let mut portfolio = Self::empty();
        let strategy = Box::new(make(&portfolio.shared));
        portfolio.members.push(Member {
            strategy,
            pay: 1.0,
            base: 1.0,
            early: 0.0,
            credit: 0.0,
            asked: Asked::Always,
        });
        portfolio
    }

    fn empty() -> Self {
        Self {
            members: Vec::new(),
            book: &[],
            active: 0,
            shared: Shared::nothing(),
            chosen: Vec::new(),
            executions: 0,
        }
    }

    /// The member whose turn it is: each gets its share, spread evenly over the executions.
    fn turn(&mut self) -> usize {
        if let Some(&member) = self.book.get(self.executions as usize) {
            return member;
        }
        // In the end it is so little that it makes no difference to a sum.
        let early = match self.executions < OVER {
            true => 0.5_f64.powf(self.executions as f64 / EARLY),
            false => 0.0,
        };
        let total: f64 = self.members.iter().map(|member| member.share(early)).sum();
        for member in &mut self.members {
            member.credit += member.share(early) / total;
        }
        let credits = self.members.iter().map(|member| member.credit).enumerate();
        let (richest, _) = credits.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
        self.members[richest].credit -= 1.0;
        richest
    }
}

impl Portfolio {
    /// Whether all atomics show their newest values in this execution, also if memory is weak. Most bugs need no old
    /// ones, and are found the sooner the fewer of them disturb. About every other execution is so, whoever decides in
    /// it.
    fn is_sequential(&self) -> bool {
        self.executions.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0
    }

    /// Whether the member that decides is to be asked.
    fn matters(&self, view: &View<'_>) -> bool {
        let every_so_often =
            self.chosen.len() as u64 % ASKED_ONE_IN == self.executions % ASKED_ONE_IN;
        if self.members[self.active].asked == Asked::Always
            || self.executions < KNOWN_AFTER
            || every_so_often
            || !view.could_continue()
        {
            return true;
        }
        let pending = view.pending(view.current);
        let mut shared = self.shared.borrow_mut();
        let Shared { profile, pairs, .. } = &mut *shared;
        let place = profile.places.get((pending.kind, pending.site));
        pending.object == ObjectId::NONE || place.is_none_or(|place| pairs.is_conflicting(place))
    }
}

impl Member {
    fn share(&self, early: f64) -> f64 {
        (self.base + self.early * early) * (0.25 + self.pay)
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Portfolio::new(config.seed, Wakes::of(config)))
}

impl Strategy for Portfolio {
    fn name(&self) -> String {
        let name = self.members[self.active].strategy.name();
        if self.members.len() == 1 { name } else { format!("portfolio: {name}") }
    }

    fn begin(&mut self) -> Progress {
        self.chosen.clear();
        self.active = self.turn();
        self.members[self.active].strategy.begin()
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        let chosen = match self.matters(view) {
            true => self.members[self.active].strategy.next_thread(view),
            false => view.current,
        };
        // To go on after a write is no choice to repeat: most of them are not put to anybody.
        if chosen != view.current || !is_continuation(view) {
            self.chosen.push(chosen);
        }
        chosen
    }

    fn continuations(&mut self) -> u32 {
        self.members[self.active].strategy.continuations()
    }

    fn pick(&mut self, view: &View<'_>, pick: Pick<'_>, of: usize) -> usize {
        match pick {
            Pick::Value(_) | Pick::Place(_) if self.is_sequential() => 0,
            Pick::Waiter | Pick::RandomBytes | Pick::Delay(_) | Pick::Value(_) | Pick::Place(_) => {
                self.members[self.active].strategy.pick(view, pick, of)
            }
        }
    }

    fn fault(&mut self, view: &View<'_>, fault: Fault, rate: Rate) -> bool {
        self.members[self.active].strategy.fault(view, fault, rate)
    }

    fn wants_events(&self) -> bool {
        self.members[self.active].strategy.wants_events()
    }

    fn wants_first_stops(&self) -> bool {
        self.members[self.active].strategy.wants_first_stops()
    }

    fn event(&mut self, event: &Event) {
        self.members[self.active].strategy.event(event);
    }

    fn end(&mut self, record: &Record<'_>) {
        self.executions += 1;
        let looks =
            self.executions <= LOOK_AT_ALL || self.executions.is_multiple_of(LOOK_AT_ONE_IN);
        if looks {
            let news: News = self.shared.borrow_mut().learn(record, &self.chosen);
            let pay = &mut self.members[self.active].pay;
            *pay += FADE * (news.pay() - *pay);
        }
        // Every member learns from every execution, whoever decided in it.
        for member in &mut self.members {
            member.strategy.end(record);
        }
    }

    fn learn(&mut self, metric: &str, covered: &[Requirement]) {
        for member in &mut self.members {
            member.strategy.learn(metric, covered);
        }
    }

    fn untold(&mut self) -> Vec<CorpusEntry> {
        self.shared.borrow_mut().untold()
    }

    fn take_up(&mut self, corpus: &[CorpusEntry]) {
        self.shared.borrow_mut().take_up(corpus);
    }

    fn guidance(&self) -> Option<Guidance> {
        self.members.iter().find_map(|member| member.strategy.guidance())
    }

    fn export(&self) -> Vec<u8> {
        let member = self.members[self.active].strategy.export();
        to_bytes(&(member, &self.chosen))
    }

    fn import(&mut self, exported: &[u8]) {
        let (member, chosen): (Vec<u8>, _) = from_bytes(exported);
        self.chosen = chosen;
        self.members[self.active].strategy.import(&member);
    }
}
