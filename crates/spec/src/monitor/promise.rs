//! What an ordering relies on whose event happened before it was known whether more of another
//! event would follow: `e#* -> f` holds at `f` if no `e` comes later.

use super::conditions::{Compiled, Condition};
use super::state::Position;
use super::{Last, Letter};

/// What a rule relies on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Promise {
    /// The rule with this index.
    pub(super) rule: usize,
    on: Reliance,
}

/// That there is no more of certain events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reliance {
    All(Vec<Reliance>),
    Any(Vec<Reliance>),
    /// No more of the event with this index.
    NoMore(usize),
    /// There was more.
    Broken,
}

impl Promise {
    /// What a condition that holds here only if there is no more of some events relies on.
    pub(super) fn new(rule: usize, position: Position<'_>, condition: &Condition) -> Self {
        Self { rule, on: Reliance::of(position, condition) }
    }

    /// Whether it does not hold any more when the letter happens.
    pub(super) fn is_broken(&self, rules: &Compiled, letter: &Letter<'_>) -> bool {
        self.on.is_broken(rules, letter)
    }

    /// The letter happens.
    pub(super) fn step(&mut self, rules: &Compiled, letter: &Letter<'_>) {
        self.on.step(rules, letter);
    }
}

impl Reliance {
    fn of(position: Position<'_>, condition: &Condition) -> Self {
        if position.satisfies(condition, Last::No) {
            return Self::All(Vec::new());
        }
        let all = |parts: &[Condition]| parts.iter().map(|part| Self::of(position, part)).collect();
        match condition {
            Condition::All(parts) => Self::All(all(parts)),
            Condition::Any(parts) => Self::Any(all(parts)),
            Condition::AllOf(event) => Self::NoMore(*event),
            Condition::Past(_) | Condition::BlockAfter(_) | Condition::Now(_) => Self::Broken,
        }
    }

    fn is_broken(&self, rules: &Compiled, letter: &Letter<'_>) -> bool {
        match self {
            Self::All(parts) => parts.iter().any(|part| part.is_broken(rules, letter)),
            Self::Any(parts) => parts.iter().all(|part| part.is_broken(rules, letter)),
            Self::NoMore(event) => rules.events[*event].is_letter(letter),
            Self::Broken => true,
        }
    }

    fn step(&mut self, rules: &Compiled, letter: &Letter<'_>) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter_mut().for_each(|part| part.step(rules, letter));
            }
            Self::NoMore(event) if rules.events[*event].is_letter(letter) => *self = Self::Broken,
            Self::NoMore(_) | Self::Broken => {}
        }
    }
}
