//! The vocabulary that every part of Selvedge shares.
//!
//! A *test* is run many times; one run is an *execution*. In it *threads* carry out *operations*
//! on *objects*; an operation that was carried out is an *event*. Whatever could have gone
//! another way is a *decision*, and the decisions of an execution are its *schedule*. What went
//! wrong is a *finding*.
//!
//! This crate holds data and the two seams between the engine and the rest ([`Strategy`] and
//! [`Observer`]); it runs nothing, reads no clock and opens no file.
#![deny(unsafe_code)]

mod access;
mod act;
mod as_text;
mod call_stack;
mod clock;
mod conditions;
mod config;
mod edges;
mod event;
mod finding;
mod happens_before;
mod held_locks;
mod id;
mod learned;
mod memory_event;
mod metric;
mod observer;
mod operation;
mod place;
mod problem;
mod report;
mod requirement;
mod saturation;
mod schedule;
mod site;
mod strategy;
mod suggest;
mod thread_set;
mod warning;

pub use access::{Access, AccessKind, AccessMode, MemoryChange, Race, RaceSide, Spot, Variable};
pub use act::Act;
pub use call_stack::{AsyncTask, CallStack, CallStacks, LibraryLock, LibraryUse, StackNumber};
pub use clock::Clock;
pub use conditions::{
    Conditions, FailedExecution, Forked, KeptFor, LeftOut, NotKept, OutsideThread,
};
pub use config::{
    Config, ConfigError, ConfigErrorKind, EXECUTIONS, Isolation, LeakedThreads, MemoryModel,
    RandomBytes, Rate, Setting, StrategyName, Toggle,
};
pub use edges::{Edge, Edges, Element, Relation, atomic_edges};
pub use event::{Age, Effect, Event, Order};
pub use finding::{
    Finding, FindingKind, Held, HeldBack, LastNotify, NamedEvent, ObjectName, Panic, Replayed,
    SpinSite, Step, ThreadReport, Wait,
};
pub use happens_before::{Fenced, HappensBefore, Instant};
pub use held_locks::{HeldLock, HeldLocks};
pub use id::{ObjectId, ThreadId, ThreadPath, ThreadPathError};
pub use learned::{
    CorpusEntry, CoveredRequirement, Frequency, Learned, LearnedMetric, WrittenOperation,
};
pub use memory_event::{CodeAddress, MemoryBlock, MemoryEvent, MemoryUse, RacingAccess, TooWeak};
pub use metric::{
    GuidedMetric, Identity, MetricChoice, MetricName, Series, UnknownMetric, Weights,
};
pub use observer::{Moment, Observer};
pub use operation::{
    Hold, Link, LockAction, Look, Meaning, ObjectInfo, ObjectKind, Operation, OperationKind,
    Outcome, SiteOf, Telling, ValueUse, WaitFor,
};
pub use place::Place;
pub use problem::{NamedProblem, Problem, Whereabouts};
pub use report::{Report, Stopped, Traced, Verdict};
pub use requirement::{
    Growth, MetricReport, Named, NamedObject, NamedThread, Part, Quality, Requirement,
};
pub use saturation::{Guidance, Remaining, SATURATION};
pub use schedule::{
    Choice, Decision, Point, Schedule, ScheduleError, ScheduleErrorKind, ValueName,
};
pub use site::{Site, Source};
pub use strategy::{Fault, Pick, Progress, Record, Strategy, ThreadInfo, View, Written};
pub use suggest::closest;
pub use thread_set::ThreadSet;
pub use warning::{
    Confidence, DetectorName, DetectorSet, LooksAt, Role, Steering, Stop, Treatment, Trouble,
    Warning,
};
