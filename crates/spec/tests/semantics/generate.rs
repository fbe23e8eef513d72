//! Schedules by the hundred, the same ones every time.

use selvedge_spec::{
    EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Span, Spec, ThreadName,
};
use std::num::NonZeroU32;

/// Numbers that look random (xorshift64*).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).expect("31 bits") % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The named events of the model.
pub(crate) const EVENTS: [&str; 3] = ["a", "b", "c"];
/// The names of its threads.
pub(crate) const THREADS: [&str; 2] = ["t", "u"];

/// So many schedules that make sense, each as it is read back from its text.
pub(crate) fn schedules(seed: u64, count: usize) -> Vec<Spec> {
    let mut numbers = Numbers::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        if let Ok(spec) = Spec::parse(&any_spec(&mut numbers).to_string()) {
            found.push(spec);
        }
    }
    found
}

/// A schedule that may make no sense.
pub(crate) fn any_spec(numbers: &mut Numbers) -> Spec {
    let orderings = (0..1 + numbers.below(2)).map(|_| ordering(numbers)).collect();
    Spec { orderings }
}

fn ordering(numbers: &mut Numbers) -> Ordering {
    let depth = 1 + numbers.below(3);
    let condition = formula(numbers, depth);
    Ordering { condition, event: event(numbers), span: Span::default() }
}

fn formula(numbers: &mut Numbers, depth: usize) -> Formula {
    let kind = match numbers.below(if depth == 0 { 6 } else { 14 }) {
        0..=2 => FormulaKind::Event(event(numbers)),
        3 | 4 => FormulaKind::BlockEvent(event(numbers)),
        5 => FormulaKind::Blocked(thread(numbers)),
        6 | 7 => FormulaKind::Not(Box::new(formula(numbers, depth - 1))),
        8 | 9 => FormulaKind::All(formulas(numbers, depth - 1)),
        10 | 11 => FormulaKind::Any(formulas(numbers, depth - 1)),
        _ => FormulaKind::Ordered(
            Box::new(formula(numbers, depth - 1)),
            Box::new(formula(numbers, depth - 1)),
        ),
    };
    Formula { kind, span: Span::default() }
}

fn formulas(numbers: &mut Numbers, depth: usize) -> Vec<Formula> {
    (0..2 + numbers.below(2)).map(|_| formula(numbers, depth)).collect()
}

fn thread(numbers: &mut Numbers) -> ThreadName {
    ThreadName(numbers.one_of(&THREADS).to_owned())
}

fn event(numbers: &mut Numbers) -> EventRef {
    let named = |numbers: &mut Numbers| EventName::Named(numbers.one_of(&EVENTS).to_owned());
    let name = match numbers.below(10) {
        0 => EventName::Start,
        1 => EventName::End,
        2 => EventName::Block,
        3 => EventName::Unblock,
        _ => named(numbers),
    };
    let is_tagged = !matches!(name, EventName::Named(_)) || numbers.below(3) == 0;
    let thread = is_tagged.then(|| thread(numbers));
    let occurrence = match numbers.below(8) {
        0 => Occurrence::Every,
        1 => Occurrence::Nth(NonZeroU32::new(2).expect("not 0")),
        _ => Occurrence::FIRST,
    };
    EventRef { name, thread, occurrence, span: Span::default() }
}
