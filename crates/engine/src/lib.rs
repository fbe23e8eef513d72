//! One execution of a multithreaded test, fully under control.
//!
//! Every thread of the test is a fiber on one operating-system thread. A thread stops *before*
//! each operation that others may notice and publishes it; then a [`Strategy`] says whose turn it
//! is. The way of one lock operation: the mirror's `Mutex::lock` calls
//! [`Controlled::mutex_lock`] (`objects/mutex.rs`), which announces the operation
//! (`step.rs`), is chosen, takes the lock and records the event.
//!
//! [`Strategy`]: selvedge_model::Strategy

mod accesses;
mod account;
mod atomics;
mod child;
mod circle;
mod clock;
mod context;
mod crash;
mod deadlock;
mod delay;
mod diagnose;
mod effort;
mod ending;
mod engine;
mod execution;
mod fairness;
mod fiber;
mod file_times;
pub mod footprint;
mod forked;
mod happens_before;
mod hash_keys;
pub mod heap;
mod keep;
mod length;
mod loaded;
mod local;
mod log;
pub mod memory;
mod numbering;
mod object;
mod objects;
mod outcome;
mod output;
mod outside;
mod outside_threads;
mod own_files;
mod panic;
mod partners;
mod process_state;
mod progress;
mod random;
mod real_time;
mod registry;
mod remains;
mod rounds;
mod routine;
mod settings;
mod shared;
mod sharing;
mod signals;
mod solo;
mod spin;
mod stack;
mod stacks;
mod statics;
mod step;
mod thread;
mod thread_states;
mod time;
mod timer;
mod weak;
mod world;
mod written;

pub use accesses::Telling;
pub use clock::VirtualClock;
pub use context::Controlled;
pub use effort::Effort;
pub use ending::{Crash, Ending};
pub use engine::Engine;
pub use file_times::{FileKey, FileTime};
pub use forked::Processes;
pub use hash_keys::HashKeys;
pub use heap::{ArenaSettings, HeapUse};
pub use local::{LocalId, LocalState};
pub use numbering::Numbering;
pub use object::{Object, OutsideUse};
pub use objects::atomic::{Access, Word};
pub use objects::barrier::Arrival;
pub use objects::block::{BlockEdge, Member};
pub use objects::channel::{Capacity, ChannelFacts, End, Received, Sent};
pub use objects::condvar::Woken;
pub use objects::foreign::{Foreign, ForeignKind, Holder, Holding};
pub use objects::futex::{FutexRequeue, FutexWait, FutexWaited, FutexWake, Wakers};
pub use objects::future::{DropFate, PollFate, PollOf};
pub use objects::io::{Carries, Io, Patience, Readiness};
pub use objects::mutex::Written;
pub use objects::once::{OnceEntry, OnceExit, OnceUntil};
pub use objects::thread::{ThreadOptions, ThreadRef};
pub use outcome::Outcome;
pub use output::Printed;
pub use outside::FileInterest;
pub use own_files::Reach;
pub use panic::{PanicHook, install_panic_hook, replace_outside_hook};
pub use process_state::{ProcessPart, ProcessState};
pub use progress::{Interruption, Watch};
pub use random::{AskRandom, RANDOM_STREAMS};
pub use settings::{Limits, Settings, Until};
pub use sharing::Usage;
pub use signals::{AfterHandler, Reached, Restart, Signal};
pub use solo::{end_solo, go_solo};
pub use statics::{StaticTrace, Statics, allocator_leaves_trace};
pub use timer::{TimerSetting, TimerStart};
