//! One step in a few words.

use crate::names::Names;
use crate::words::count;
use selvedge_model::{
    Choice, Decision, Effect, Finding, Hold, Link, ObjectKind, OperationKind, Outcome, SiteOf,
    Source, Step, ThreadPath, WaitFor,
};

/// Whether an atomic is called by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicNames {
    /// There are several.
    Shown,
    /// There is only one, so it needs no name.
    Omitted,
}

/// The step in a few words: `lock mutex 1`, `fetch 1→2`, `notify_all condvar 1 (woke nobody)`.
pub(crate) fn describe(
    step: &Step,
    names: &Names<'_>,
    atomics: AtomicNames,
    quirk: Option<Quirk>,
) -> String {
    if let Some(mut values) = atomic(step) {
        if quirk == Some(Quirk::WeakFailure) {
            values += " (weak failure)";
        }
        return match (&step.object, atomics) {
            (Some(object), AtomicNames::Shown) => format!("{}: {values}", names.object(object)),
            _ => values,
        };
    }
    let object = match (step.effect, &step.object) {
        // Every thread parks itself.
        _ if step.kind.wait() == WaitFor::Token => None,
        // There is only one such object: it stands for all files, or for the written schedule.
        (_, Some(object)) if matches!(object.kind, ObjectKind::Files | ObjectKind::Schedule) => {
            None
        }
        (Effect::Thread(id), _) => names.thread(id).map(|thread| thread.path.to_string()),
        (_, Some(object)) => Some(names.object(object)),
        (_, None) => None,
    };
    let object = object.map(|name| format!(" {name}")).unwrap_or_default();
    let why = match step.effect.outcome() {
        Outcome::TimedOut => "time out",
        Outcome::Spurious => "spurious wake-up",
        Outcome::Done | Outcome::Refused => step.kind.verb(),
    };
    match step.kind.wait() {
        WaitFor::Notification => return format!("{why}, lock{object}"),
        WaitFor::Futex if step.effect.outcome() != Outcome::Done => {
            return format!("{why} on{object}");
        }
        _ => {}
    }
    let given_back = match (step.kind.link(), &step.second) {
        (Link::AwaitsNotification, Some(mutex)) => format!(", unlock {}", names.object(mutex)),
        _ => String::new(),
    };
    format!("{}{object}{given_back}{}", step.kind.verb(), outcome(step, quirk))
}

/// What an operation on an atomic did to the value.
fn atomic(step: &Step) -> Option<String> {
    let verb = step.kind.verb();
    let done = match step.effect {
        Effect::Read(read) => Some(format!("{verb} {}", value(read))),
        Effect::Wrote(written) => Some(format!("{verb} {}", value(written))),
        Effect::Changed { from, to } => Some(format!("{verb} {}→{}", value(from), value(to))),
        Effect::Kept(kept) => Some(format!("{verb} kept {}", value(kept))),
        _ => None,
    };
    match (step.age.is_old(), step.effect) {
        (false, _) => done,
        (true, Effect::Wrote(_)) => done.map(|done| format!("{done} (below)")),
        (true, _) => done.map(|done| format!("{done} (old)")),
    }
}

/// Pointers and the like read better in hexadecimal.
pub(crate) fn value(value: u64) -> String {
    match u32::try_from(value) {
        Ok(small) => small.to_string(),
        Err(_) => format!("{value:#x}"),
    }
}

/// What came of it, if that does not go without saying.
fn outcome(step: &Step, quirk: Option<Quirk>) -> String {
    if let Some(Quirk::Late(milliseconds)) = quirk {
        return match step.effect.outcome() {
            Outcome::TimedOut => format!(" (timed out, {milliseconds} ms late)"),
            Outcome::Done | Outcome::Refused | Outcome::Spurious => {
                format!(" ({milliseconds} ms late)")
            }
        };
    }
    match (step.effect, step.kind) {
        (_, OperationKind::Poll) => match quirk {
            Some(Quirk::PolledAgain) => " (and again, though not woken)".to_owned(),
            Some(Quirk::OtherWaker) => " (with another waker first)".to_owned(),
            Some(Quirk::EarlyDrop) => " (dropped instead)".to_owned(),
            _ => String::new(),
        },
        (Effect::Refused, kind) if kind.takes() == Some(Hold::Initialising) => {
            " (done before)".to_owned()
        }
        (Effect::Refused, kind) if kind.link() == Link::AfterInitialisation => {
            " (empty)".to_owned()
        }
        (Effect::Refused, OperationKind::IsFinished) => " (not yet)".to_owned(),
        (Effect::Refused, OperationKind::FutexWait | OperationKind::FutexRequeue) => {
            " (value changed)".to_owned()
        }
        (
            Effect::Refused,
            OperationKind::Send | OperationKind::SendDone | OperationKind::Receive,
        ) => " (closed)".to_owned(),
        (Effect::Refused, kind) if is_system_call(kind) => " (would block)".to_owned(),
        (Effect::Refused, _) => " (failed)".to_owned(),
        (Effect::TimedOut, _) => " (timed out)".to_owned(),
        (Effect::Spurious, OperationKind::Sleep) => " (interrupted)".to_owned(),
        (Effect::Spurious, kind) if is_system_call(kind) => " (interrupted)".to_owned(),
        (Effect::Spurious, _) => " (spurious)".to_owned(),
        (Effect::Woke(0), _) => " (woke nobody)".to_owned(),
        (Effect::Woke(n), _) if quirk == Some(Quirk::NotFirst) => match n {
            1 => " (woke one, not the first)".to_owned(),
            n => format!(" (woke {}, not the first)", count(n, "thread")),
        },
        (Effect::Woke(n), _) => format!(" (woke {})", count(n, "thread")),
        _ => String::new(),
    }
}

/// Whether the site of such a step is the place of what it does. What happens when a value goes
/// out of scope has no place of its own: its site is that of the value's creation, and quoting
/// the line there would mislead.
pub(crate) fn has_own_site(kind: OperationKind) -> bool {
    kind.site_of() == SiteOf::Operation
}

/// Whether the operation was met at the C library. Who called it there is not known; the site is
/// the place where Selvedge stands in for the function.
pub(crate) fn is_system_call(kind: OperationKind) -> bool {
    kind.site_of() == SiteOf::Library
}

/// Whether something is given back or goes away, which matters only if somebody uses that.
pub(crate) fn is_release(kind: OperationKind) -> bool {
    kind.site_of() == SiteOf::Creation
}

/// What the schedule says about a step and its effect does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quirk {
    /// A compare-exchange failed for no reason.
    WeakFailure,
    /// A future is polled once more after this.
    PolledAgain,
    /// A future was polled with another waker first.
    OtherWaker,
    /// A future was dropped early.
    EarlyDrop,
    /// The thread got to run so many milliseconds after its deadline.
    Late(u32),
    /// A notification woke another waiter than the one that had waited longest.
    NotFirst,
}

/// What was decided about a step.
pub(crate) fn quirk(finding: &Finding, index: usize) -> Option<Quirk> {
    let step = &finding.steps[index];
    let same_place = |thread: &ThreadPath, kind: OperationKind, at: &Source| {
        (thread, kind, at) == (&step.thread, step.kind, &step.at)
    };
    let decided = finding.schedule.decisions.iter().filter_map(|Decision { at, choice }| {
        let quirk = match choice {
            Choice::WeakFailure => Quirk::WeakFailure,
            Choice::PolledAgain => Quirk::PolledAgain,
            Choice::OtherWaker => Quirk::OtherWaker,
            Choice::EarlyDrop => Quirk::EarlyDrop,
            Choice::Wake(_) => Quirk::NotFirst,
            Choice::Delay(milliseconds) => Quirk::Late(*milliseconds),
            Choice::Switch(_)
            | Choice::RandomBytes(_)
            | Choice::Sees(_)
            | Choice::Below(_)
            | Choice::Timeout
            | Choice::Spurious
            | Choice::SpinOn => return None,
        };
        let here = at.source.as_ref().is_some_and(|source| same_place(&at.thread, at.kind, source));
        here.then_some((at.occurrence as usize, quirk))
    });
    let decided: Vec<_> = decided.collect();
    // Counting goes over all steps before this one; most steps do without.
    if decided.is_empty() {
        return None;
    }
    let before = finding.steps[..=index].iter();
    let occurrence = before.filter(|s| same_place(&s.thread, s.kind, &s.at)).count();
    decided.iter().find(|(number, _)| *number == occurrence).map(|(_, quirk)| *quirk)
}

/// Whether the steps touch more than one atomic.
pub(crate) fn atomic_names<'a>(steps: impl Iterator<Item = &'a Step>) -> AtomicNames {
    let mut numbers = steps
        .filter_map(|step| step.object.as_ref())
        .filter(|object| object.kind == ObjectKind::Atomic)
        .map(|object| object.number);
    let first = numbers.next();
    match numbers.all(|number| Some(number) == first) {
        true => AtomicNames::Omitted,
        false => AtomicNames::Shown,
    }
}
