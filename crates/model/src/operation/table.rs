//! What each kind of operation means: the one table that everybody asks.
//!
//! A row says what an operation takes and gives back, what it reads and writes, how it is linked to
//! the operations of other threads, what it may have to wait for, and how it is called. The match
//! has no arm for the rest, so a new kind does not compile without its row. Nobody else matches on
//! kinds of lock operations: who needs to know asks [`OperationKind::meaning`] or one of the questions
//! below.

use super::OperationKind as Kind;
use super::meaning::{
    Hold, Link, LockAction, Look, Meaning, Outcome, SiteOf, Telling, ValueUse, WaitFor,
};
use crate::OperationKind;

/// What a kind of operation means.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// By [`Outcome`].
    meanings: [Meaning; Outcome::ALL.len()],
    wait: WaitFor,
    waiting: &'static str,
    look: Look,
    site: SiteOf,
    telling: Telling,
    verb: &'static str,
}

const NOTHING: Meaning = Meaning { lock: LockAction::None, value: None, link: Link::None };

impl Row {
    /// An operation that means nothing to others, as it reads before the name of an object.
    const fn new(verb: &'static str) -> Self {
        Self {
            meanings: [NOTHING; Outcome::ALL.len()],
            wait: WaitFor::Never,
            waiting: "is about to use",
            look: Look::Never,
            site: SiteOf::Operation,
            telling: Telling::Plain,
            verb,
        }
    }

    /// What it does to a lock if it does what it is for.
    const fn lock(mut self, lock: LockAction) -> Self {
        self.meanings[Outcome::Done as usize].lock = lock;
        self
    }

    /// What it does to a lock whatever comes of it.
    const fn always(mut self, lock: LockAction) -> Self {
        let mut index = 0;
        while index < self.meanings.len() {
            self.meanings[index].lock = lock;
            index += 1;
        }
        self
    }

    /// How it uses the value of its object if it does what it is for.
    const fn value(mut self, value: ValueUse) -> Self {
        self.meanings[Outcome::Done as usize].value = Some(value);
        self
    }

    /// How it is linked to other threads if it does what it is for.
    const fn link(mut self, link: Link) -> Self {
        self.meanings[Outcome::Done as usize].link = link;
        self
    }

    /// What it means if it is refused.
    const fn refused(mut self, value: Option<ValueUse>, link: Link) -> Self {
        self.meanings[Outcome::Refused as usize] = Meaning { lock: LockAction::None, value, link };
        self
    }

    /// What it may have to wait for, and how that reads before the name of its object.
    const fn waits(mut self, wait: WaitFor, waiting: &'static str) -> Self {
        (self.wait, self.waiting) = (wait, waiting);
        self
    }

    const fn looks(mut self, look: Look) -> Self {
        self.look = look;
        self
    }

    const fn site(mut self, site: SiteOf) -> Self {
        self.site = site;
        self
    }

    const fn told(mut self, telling: Telling) -> Self {
        self.telling = telling;
        self
    }
}

/// An operation that takes a lock.
const fn takes(verb: &'static str, hold: Hold, waiting: &'static str) -> Row {
    Row::new(verb).lock(LockAction::Takes(hold)).waits(WaitFor::Lock(hold), waiting)
}

/// An operation that takes a lock if it is free.
const fn tries(verb: &'static str, hold: Hold) -> Row {
    Row::new(verb).lock(LockAction::Takes(hold)).looks(Look::Tries)
}

/// A guard that goes out of scope.
const fn gives_back(hold: Hold) -> Row {
    Row::new("unlock").lock(LockAction::GivesBack(hold)).site(SiteOf::Creation)
}

/// A call of the C library.
const fn call(verb: &'static str) -> Row {
    Row::new(verb).site(SiteOf::Library)
}

const fn row(kind: Kind) -> Row {
    match kind {
        Kind::ThreadStart => Row::new("start").site(SiteOf::Thread).told(Telling::Never),
        Kind::ThreadEnd => {
            Row::new("end").link(Link::Ends).site(SiteOf::Thread).told(Telling::Never)
        }
        Kind::Spawn => Row::new("spawn").link(Link::Starts),
        Kind::Join => {
            Row::new("join").link(Link::AfterEnd).waits(WaitFor::ThreadEnd, "waits for the end of")
        }
        Kind::IsFinished => Row::new("is_finished").link(Link::FindsEnded).looks(Look::Only),
        Kind::Yield => {
            Row::new("yield").waits(WaitFor::Turn, "spins").looks(Look::Only).told(Telling::Never)
        }
        Kind::Sleep => Row::new("sleep").waits(WaitFor::Time, "sleeps"),
        Kind::ClockRead => {
            Row::new("now").waits(WaitFor::Turn, "spins").looks(Look::Only).told(Telling::Never)
        }
        Kind::Park => Row::new("park").link(Link::TakesToken).waits(WaitFor::Token, "is parked"),
        Kind::Unpark => Row::new("unpark").link(Link::GivesToken),

        Kind::MutexLock => takes("lock", Hold::Exclusive, "waits for"),
        Kind::MutexTryLock => tries("try_lock", Hold::Exclusive),
        Kind::MutexUnlock => gives_back(Hold::Exclusive),
        Kind::RwRead => takes("read", Hold::Shared, "waits to read"),
        Kind::RwTryRead => tries("try_read", Hold::Shared),
        Kind::RwWrite => takes("write", Hold::Exclusive, "waits to write"),
        Kind::RwTryWrite => tries("try_write", Hold::Exclusive),
        Kind::RwReadUnlock => gives_back(Hold::Shared),
        Kind::RwWriteUnlock => gives_back(Hold::Exclusive),
        Kind::RwDowngrade => Row::new("downgrade").lock(LockAction::Downgrades),

        Kind::CondvarWait => {
            Row::new("wait on").lock(LockAction::GivesBackSecond).link(Link::AwaitsNotification)
        }
        // However a wait ended, the mutex was taken again.
        Kind::CondvarWake => Row::new("wake")
            .always(LockAction::Takes(Hold::Exclusive))
            .link(Link::Notified)
            .waits(WaitFor::Notification, "waits for a notify of"),
        Kind::NotifyOne => Row::new("notify_one").link(Link::Notifies),
        Kind::NotifyAll => Row::new("notify_all").link(Link::Notifies),

        Kind::OnceCall => takes("call_once", Hold::Initialising, "waits for")
            .refused(Some(ValueUse::Reads), Link::AfterInitialisation),
        // It may have failed, and is left all the same.
        Kind::OnceDone => Row::new("finish")
            .always(LockAction::GivesBack(Hold::Initialising))
            .value(ValueUse::Writes),
        Kind::OnceWait => Row::new("wait for")
            .value(ValueUse::Reads)
            .link(Link::AfterInitialisation)
            .waits(WaitFor::Initialisation, "waits for"),
        Kind::OnceGet => Row::new("look at")
            .value(ValueUse::Reads)
            .link(Link::AfterInitialisation)
            .looks(Look::Only),

        Kind::BarrierWait => Row::new("arrive at").link(Link::Arrives),
        Kind::BarrierPass => {
            Row::new("leave").link(Link::Passes).waits(WaitFor::Barrier, "waits at")
        }

        Kind::Send => Row::new("send to")
            .value(ValueUse::Writes)
            .link(Link::Sends)
            .refused(None, Link::AfterReceiver)
            .waits(WaitFor::Room, "waits for room in"),
        Kind::TrySend => Row::new("try_send to")
            .value(ValueUse::Writes)
            .link(Link::Sends)
            .refused(None, Link::AfterReceiver)
            .looks(Look::Tries),
        Kind::SendDone => Row::new("taken from")
            .link(Link::AfterReceipt)
            .refused(None, Link::TakesBack)
            .waits(WaitFor::Receipt, "waits until its message is taken from"),
        Kind::Receive => Row::new("recv from")
            .value(ValueUse::Reads)
            .link(Link::Receives)
            .refused(None, Link::AfterSenders)
            .waits(WaitFor::Message, "waits for a message of"),
        Kind::TryReceive => Row::new("try_recv from")
            .value(ValueUse::Reads)
            .link(Link::Receives)
            .refused(None, Link::AfterSenders)
            .looks(Look::Tries),
        Kind::SenderDrop => {
            Row::new("drop sender of").link(Link::EndsSending).site(SiteOf::Creation)
        }
        Kind::ReceiverDrop => {
            Row::new("drop receiver of").link(Link::EndsReceiving).site(SiteOf::Creation)
        }

        Kind::AtomicLoad => {
            Row::new("load").value(ValueUse::Reads).link(Link::Loads).looks(Look::Only)
        }
        Kind::AtomicStore => Row::new("store").value(ValueUse::Writes).link(Link::Stores),
        Kind::AtomicRmw => {
            Row::new("fetch").value(ValueUse::Updates).link(Link::Updates).looks(Look::Updates)
        }
        Kind::AtomicCas => Row::new("cas")
            .value(ValueUse::Updates)
            .link(Link::Updates)
            .refused(Some(ValueUse::Reads), Link::Loads)
            .looks(Look::Tries),
        Kind::Fence => Row::new("fence").link(Link::Fences).looks(Look::Only).told(Telling::Never),
        Kind::Continue => Row::new("continue").looks(Look::Only).told(Telling::Never),

        Kind::FutexWait => call("wait on").link(Link::AwaitsFutex),
        Kind::FutexWoken => {
            call("woken on").link(Link::WokenOnFutex).waits(WaitFor::Futex, "waits on")
        }
        Kind::FutexWake => call("wake").link(Link::WakesFutex),
        Kind::FutexRequeue => call("requeue").link(Link::WakesFutex),
        Kind::IoRead => call("read from a file")
            .link(Link::Hears)
            .waits(WaitFor::Input, "waits for something to read"),
        Kind::IoWrite => call("write to a file")
            .link(Link::Tells)
            .waits(WaitFor::Output, "waits for room to write"),
        Kind::IoWait => call("wait for files")
            .link(Link::Hears)
            .waits(WaitFor::Files, "waits for files to be ready, or for a process to end"),

        Kind::Poll => Row::new("poll").told(Telling::IfUnusual),
        Kind::BlockEnter => Row::new("begin an atomic block"),
        Kind::BlockLeave => Row::new("end the atomic block"),
        Kind::Together => Row::new("declare"),
        Kind::NamedEvent => Row::new("event"),
        Kind::Signal => call("signal"),
    }
}

static TABLE: [Row; OperationKind::ALL.len()] = {
    let mut table = [Row::new(""); OperationKind::ALL.len()];
    let mut index = 0;
    while index < table.len() {
        table[index] = row(OperationKind::ALL[index]);
        index += 1;
    }
    table
};

/// What is asked at every step, where a look at the table would show.
static LOOKS: [Look; OperationKind::ALL.len()] = {
    let mut looks = [Look::Never; OperationKind::ALL.len()];
    let mut index = 0;
    while index < looks.len() {
        looks[index] = row(OperationKind::ALL[index]).look;
        index += 1;
    }
    looks
};

/// As [`LOOKS`].
static GIVES_BACK: [bool; OperationKind::ALL.len()] = {
    let mut gives_back = [false; OperationKind::ALL.len()];
    let mut index = 0;
    while index < gives_back.len() {
        let Meaning { lock, link, .. } =
            row(OperationKind::ALL[index]).meanings[Outcome::Done as usize];
        gives_back[index] = matches!(lock, LockAction::GivesBack(_) | LockAction::Downgrades)
            || matches!(link, Link::Ends);
        index += 1;
    }
    gives_back
};

impl OperationKind {
    #[inline(always)]
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// What such an operation means when this has come of it.
    #[inline(always)]
    pub fn meaning(self, outcome: Outcome) -> &'static Meaning {
        &self.row().meanings[outcome as usize]
    }

    /// What a thread that is about to carry it out may have to wait for.
    #[inline(always)]
    pub fn wait(self) -> WaitFor {
        self.row().wait
    }

    /// That a thread waits to carry it out, as it reads before the name of its object: `waits to
    /// read`.
    pub fn waiting(self) -> &'static str {
        self.row().waiting
    }

    /// Whether a thread finds out by it what others have done.
    #[inline(always)]
    pub fn look(self) -> Look {
        LOOKS[self as usize]
    }

    /// Whether it never changes anything, so that two of them on one object can be swapped without
    /// anybody noticing.
    #[inline(always)]
    pub fn only_looks(self) -> bool {
        self.look() == Look::Only
    }

    /// How it takes a lock if it succeeds, if it does; see [`Meaning::locks`].
    #[inline(always)]
    pub fn locks(self) -> Option<Hold> {
        self.meaning(Outcome::Done).locks()
    }

    /// How it is linked to other threads if it succeeds.
    #[inline(always)]
    pub fn link(self) -> Link {
        self.meaning(Outcome::Done).link
    }

    /// How its thread has its object as a lock when it has succeeded, if it takes one.
    #[inline(always)]
    pub fn takes(self) -> Option<Hold> {
        self.meaning(Outcome::Done).lock.takes()
    }

    /// Whether the thread gives back what others wait for: a lock, or with its end itself.
    #[inline(always)]
    pub fn gives_back(self) -> bool {
        GIVES_BACK[self as usize]
    }

    /// Whether it is always carried out on an object: whoever follows locks and order has a place for
    /// each.
    pub fn has_object(self) -> bool {
        Outcome::ALL.iter().any(|&outcome| {
            let Meaning { lock, value, link } = *self.meaning(outcome);
            lock != LockAction::None
                || value.is_some()
                || !matches!(link, Link::None | Link::Fences)
        })
    }

    /// Whether it always concerns a second object.
    pub fn has_second(self) -> bool {
        let Meaning { lock, link, .. } = *self.meaning(Outcome::Done);
        lock == LockAction::GivesBackSecond || link == Link::Notified
    }

    /// Whose place its site is.
    pub fn site_of(self) -> SiteOf {
        self.row().site
    }

    /// Whether it is worth telling.
    pub fn telling(self) -> Telling {
        self.row().telling
    }

    /// What is done, as it reads before the name of an object: `wait on`.
    pub fn verb(self) -> &'static str {
        self.row().verb
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What waits for a lock takes it when it is done, in the way in which it wanted it.
    #[test]
    fn who_waits_for_a_lock_takes_it() {
        for &kind in OperationKind::ALL {
            if let Some(wanted) = kind.wait().lock() {
                assert_eq!(kind.takes(), Some(wanted), "{kind}");
            }
        }
    }

    /// Each way in which a lock is taken has an operation that gives it back.
    #[test]
    fn what_is_taken_can_be_given_back() {
        for &kind in OperationKind::ALL {
            let Some(hold) = kind.takes() else { continue };
            let back = LockAction::GivesBack(hold);
            let gives_back = |other: &Kind| other.meaning(Outcome::Done).lock == back;
            assert!(OperationKind::ALL.iter().any(gives_back), "{kind}");
        }
    }

    #[test]
    fn who_only_looks_writes_nothing_and_takes_nothing() {
        for &kind in OperationKind::ALL.iter().filter(|kind| kind.only_looks()) {
            for outcome in Outcome::ALL {
                let Meaning { lock, value, .. } = *kind.meaning(outcome);
                assert_eq!(lock, LockAction::None, "{kind}");
                assert!(!value.is_some_and(ValueUse::writes), "{kind}");
            }
        }
    }

    #[test]
    fn a_failed_compare_exchange_only_reads() {
        let refused = Kind::AtomicCas.meaning(Outcome::Refused);
        assert_eq!((refused.value, refused.link), (Some(ValueUse::Reads), Link::Loads));
    }

    #[test]
    fn a_wait_that_timed_out_has_its_mutex_again() {
        for outcome in Outcome::ALL {
            let lock = Kind::CondvarWake.meaning(outcome).lock;
            assert_eq!(lock, LockAction::Takes(Hold::Exclusive));
        }
        assert_eq!(Kind::MutexLock.meaning(Outcome::TimedOut).lock, LockAction::None);
    }
}
