//! Who decides what happens in an execution, and who is told of it.

use crate::context::Place;
use crate::forked::Processes;
use crate::progress::Watch;
use crate::step::Listeners;
use crate::written::Written;
use selvedge_model::{
    Fault, Observer, Pick, Progress, Rate, Site, Strategy, ThreadId, Toggle, View,
};
use std::mem;
use std::ptr;
use std::sync::Arc;

/// The strategy, the observer and the others with whom the engine talks while an execution runs.
pub(crate) struct Partners {
    /// Borrowed for as long as an execution runs.
    pub(crate) strategy: *mut dyn Strategy,
    /// Borrowed in the same way.
    pub(crate) observer: Option<*mut dyn Observer>,
    /// Who of them is told of events.
    pub(crate) listeners: Listeners,
    /// Whether the strategy wants threads to stop before their first operation.
    pub(crate) first_stops: Toggle,
    /// At which continuation after a write to an atomic the strategy is asked, counted from 1; 0 if it
    /// has not said so yet.
    pub(crate) asked_at: u32,
    /// The written schedule that is in force, if there is one.
    pub(crate) written: Option<Box<Written>>,
    pub(crate) watch: Arc<Watch>,
    /// Where the thread that runs all this keeps its current execution.
    pub(crate) place: Place,
    /// Stands for the test's own thread, which nobody spawned.
    pub(crate) test_site: Site,
}

impl Partners {
    /// Nobody but the watcher.
    pub(crate) fn new(watch: Arc<Watch>) -> Self {
        Self {
            strategy: ptr::null_mut::<Nobody>(),
            observer: None,
            listeners: Listeners::None,
            first_stops: Toggle::Off,
            asked_at: 0,
            written: None,
            watch,
            place: Place::NOWHERE,
            test_site: Site::caller(),
        }
    }

    /// Borrows the strategy and the observer for one execution.
    ///
    /// # Safety
    ///
    /// Both must outlive the execution's run, which ends with [`take_back`](Self::take_back), and nobody
    /// else may use them meanwhile.
    pub(crate) unsafe fn lend(
        &mut self,
        strategy: &mut dyn Strategy,
        observer: Option<&mut dyn Observer>,
        processes: Processes,
    ) {
        let observed = observer.as_ref().is_some_and(|observer| observer.wants_events());
        self.listeners = match (strategy.wants_events(), observed) {
            (true, true) => Listeners::Both,
            (true, false) => Listeners::Strategy,
            (false, true) => Listeners::Others,
            (false, false) if processes == Processes::Forked => Listeners::Others,
            (false, false) => Listeners::None,
        };
        self.first_stops = match strategy.wants_first_stops() {
            true => Toggle::On,
            false => Toggle::Off,
        };
        self.asked_at = 0;
        // SAFETY: Only the lifetimes change; the caller promises that they are long enough.
        unsafe {
            self.strategy = mem::transmute::<*mut dyn Strategy, *mut dyn Strategy>(strategy);
            self.observer = observer
                .map(|observer| mem::transmute::<*mut dyn Observer, *mut dyn Observer>(observer));
        }
    }

    /// The execution's run is over.
    pub(crate) fn take_back(&mut self) {
        self.strategy = ptr::null_mut::<Nobody>();
        self.observer = None;
    }
}

/// Stands where a strategy will be, between two executions.
enum Nobody {}

impl Strategy for Nobody {
    fn name(&self) -> String {
        match *self {}
    }
    fn begin(&mut self) -> Progress {
        match *self {}
    }
    fn next_thread(&mut self, _: &View<'_>) -> ThreadId {
        match *self {}
    }
    fn pick(&mut self, _: &View<'_>, _: Pick<'_>, _: usize) -> usize {
        match *self {}
    }
    fn fault(&mut self, _: &View<'_>, _: Fault, _: Rate) -> bool {
        match *self {}
    }
    fn export(&self) -> Vec<u8> {
        match *self {}
    }
    fn import(&mut self, _: &[u8]) {
        match *self {}
    }
}
