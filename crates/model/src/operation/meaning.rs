//! The words in which the [table](super::table) says what operations mean.

/// What came of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It did what it is for.
    Done,
    /// It found the way barred, the other side gone, or another value than expected.
    Refused,
    /// It came to its deadline.
    TimedOut,
    /// It ended for no reason.
    Spurious,
}

impl Outcome {
    /// Every outcome, in the order of declaration.
    pub const ALL: [Self; 4] = [Self::Done, Self::Refused, Self::TimedOut, Self::Spurious];
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hold {
    /// Together with other readers.
    Shared,
    /// By one thread alone.
    Exclusive,
    /// By the thread that initialises what the others wait for.
    Initialising,
}

impl Hold {
    /// Whether two threads can not hold the lock in these ways at the same time.
    #[inline]
    pub const fn excludes(self, other: Self) -> bool {
        !matches!((self, other), (Self::Shared, Self::Shared))
    }
}

/// What an operation does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockAction {
    /// Nothing.
    None,
    /// It takes its object.
    Takes(Hold),
    /// It gives its object back.
    GivesBack(Hold),
    /// It turns exclusive possession of its object into shared possession.
    Downgrades,
    /// It gives its second object back, which it holds alone.
    GivesBackSecond,
}

impl LockAction {
    /// How the object is held from now on, if it was taken.
    #[inline(always)]
    pub const fn takes(self) -> Option<Hold> {
        match self {
            Self::Takes(hold) => Some(hold),
            Self::Downgrades => Some(Hold::Shared),
            Self::None | Self::GivesBack(_) | Self::GivesBackSecond => None,
        }
    }

    /// How the lock was held that is given back, if one is.
    #[inline(always)]
    pub const fn gives_back(self) -> Option<Hold> {
        match self {
            Self::GivesBack(hold) => Some(hold),
            Self::Downgrades | Self::GivesBackSecond => Some(Hold::Exclusive),
            Self::None | Self::Takes(_) => None,
        }
    }
}

/// How an operation uses the value that its object carries: an atomic's, a message, what a `Once`
/// initialises. Data behind a lock is used by [accesses](crate::Access) instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueUse {
    /// Only reads it.
    Reads,
    /// Only writes it.
    Writes,
    /// Reads and writes it in one go.
    Updates,
}

impl ValueUse {
    /// Whether the value is used.
    #[inline]
    pub const fn reads(self) -> bool {
        matches!(self, Self::Reads | Self::Updates)
    }

    /// Whether the value is replaced.
    #[inline]
    pub const fn writes(self) -> bool {
        matches!(self, Self::Writes | Self::Updates)
    }
}

/// How an operation is linked to those of other threads, beyond what it does to a lock.
///
/// [`Edges`](crate::Edges) turns links into what is left behind and picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Not at all.
    None,
    /// It starts a thread.
    Starts,
    /// It is the last that its thread does.
    Ends,
    /// It comes after the end of a thread.
    AfterEnd,
    /// It has found out that a thread has ended, which orders no memory.
    FindsEnded,
    /// It hands a thread its token.
    GivesToken,
    /// It uses its thread's token up.
    TakesToken,
    /// It comes after an initialisation.
    AfterInitialisation,
    /// It arrives at a barrier.
    Arrives,
    /// It leaves a barrier that has opened.
    Passes,
    /// It puts a message into a channel.
    Sends,
    /// It takes a message out of a channel.
    Receives,
    /// It comes after the receiver has taken its message.
    AfterReceipt,
    /// It takes its message back, since the receiver has gone away.
    TakesBack,
    /// It finds the receiver of a channel gone, or no room.
    AfterReceiver,
    /// It finds the senders of a channel gone, or no message.
    AfterSenders,
    /// It is the last sender of a channel, which goes away.
    EndsSending,
    /// It is the receiver of a channel, which goes away.
    EndsReceiving,
    /// It reads an atomic.
    Loads,
    /// It writes an atomic.
    Stores,
    /// It reads and writes an atomic in one go.
    Updates,
    /// It orders the accesses around it.
    Fences,
    /// It wakes threads that wait on a condition variable. What orders memory is their mutex.
    Notifies,
    /// It begins to wait on a condition variable.
    AwaitsNotification,
    /// It was woken by a notification of its second object.
    Notified,
    /// It begins to wait on a futex.
    AwaitsFutex,
    /// It wakes threads that wait on a futex.
    WakesFutex,
    /// It was woken on a futex.
    WokenOnFutex,
    /// It tells something to whoever looks at files.
    Tells,
    /// It learns what others have told by way of files.
    Hears,
}

/// What an operation means when something particular came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// What it does to a lock.
    pub lock: LockAction,
    /// How it uses the value of its object, if it does.
    pub value: Option<ValueUse>,
    /// How it is linked to what other threads do.
    pub link: Link,
}

impl Meaning {
    /// How its object is held as a lock from now on, if it was taken. To initialise something is not
    /// to take a lock.
    #[inline(always)]
    pub const fn locks(&self) -> Option<Hold> {
        match self.lock.takes() {
            Some(hold @ (Hold::Shared | Hold::Exclusive)) => Some(hold),
            Some(Hold::Initialising) | None => None,
        }
    }
}

/// What a thread that is about to carry an operation out may have to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// Nothing: it can always be carried out.
    Never,
    /// For the other threads to let it have its object.
    Lock(Hold),
    /// For a notification of its second object, and then for its object.
    Notification,
    /// For the end of an initialisation.
    Initialisation,
    /// For the end of a thread.
    ThreadEnd,
    /// For its thread's token.
    Token,
    /// For time to pass.
    Time,
    /// For somebody to wake the futex.
    Futex,
    /// For the others to arrive at a barrier.
    Barrier,
    /// For room in a channel.
    Room,
    /// For somebody to take its message.
    Receipt,
    /// For a message.
    Message,
    /// For something to read.
    Input,
    /// For room to write.
    Output,
    /// For files to be ready, or a process to end.
    Files,
    /// For another thread to change something: it is a turn of a loop that looks again and again.
    Turn,
}

impl WaitFor {
    /// How the lock is wanted, if a lock is waited for.
    #[inline]
    pub const fn lock(self) -> Option<Hold> {
        match self {
            Self::Lock(hold) => Some(hold),
            Self::Notification => Some(Hold::Exclusive),
            Self::Never
            | Self::Initialisation
            | Self::ThreadEnd
            | Self::Token
            | Self::Time
            | Self::Futex
            | Self::Barrier
            | Self::Room
            | Self::Receipt
            | Self::Message
            | Self::Input
            | Self::Output
            | Self::Files
            | Self::Turn => None,
        }
    }
}

/// Whether a thread finds out by an operation what others have done, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// It does something, and whoever does it does not do it to look.
    Never,
    /// It reads and writes, and may as well be carried out again and again until it reads something
    /// else.
    Updates,
    /// It does something if it can, and says so if it can not.
    Tries,
    /// It never changes anything: two of them on one object can be swapped.
    Only,
}

/// Whose place the site of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteOf {
    /// The operation's own.
    Operation,
    /// That of the creation of what goes out of scope. The operation has no place of its own, and
    /// to quote this one would mislead.
    Creation,
    /// That of the function of the C library that Selvedge stands in for; who called it is not known.
    Library,
    /// That at which the thread was spawned.
    Thread,
}

/// Whether a step is worth telling in an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// It is if another thread could have noticed it.
    Plain,
    /// It is if something unusual came of it.
    IfUnusual,
    /// Never: it is bookkeeping.
    Never,
}
