//! Data races as findings, and how it came to their accesses.
//!
//! To note the calls that lead to an access costs more than the access. So it is done only for
//! those that are known to race, when the schedule is run again.

use super::stacks::NO_CODE;
use super::weak::{Accessed, too_weak};
use crate::engine::Engine;
use crate::execution::Execution;
use crate::heap::Caller;
use selvedge_model::{CodeAddress, FindingKind, Race, RaceSide, RacingAccess, Spot, ThreadId};

/// An access whose callers are to be noted.
pub(super) struct Wanted {
    thread: ThreadId,
    time: u32,
    spot: CodeAddress,
    pub(super) frames: Vec<CodeAddress>,
    /// How many events there had been.
    step: Option<u64>,
}

impl Wanted {
    fn is(&self, side: &RaceSide) -> bool {
        self.thread == side.thread && self.time == side.time && Spot::Code(self.spot) == side.spot
    }
}

impl Engine {
    /// Notes who calls the two accesses of a race, from the next execution on.
    pub fn want_callers(&mut self, race: &Race) {
        let code = |side: &RaceSide| match side.spot {
            Spot::Code(spot) => Some(spot),
            Spot::Line(_) => None,
        };
        let wanted = [race.first, race.second].into_iter().filter_map(|side| {
            let RaceSide { thread, time, .. } = side;
            Some(Wanted { thread, time, spot: code(&side)?, frames: Vec::new(), step: None })
        });
        self.execution.memory.wanted = wanted.collect();
    }
}

impl Execution {
    /// A race of this execution as a finding.
    pub(crate) fn data_race(&self, race: &Race) -> FindingKind {
        let mut first = self.racing_access(&race.first);
        let mut second = self.racing_access(&race.second);
        let accessed = |side: &RaceSide, access: &RacingAccess| {
            Some(Accessed { thread: side.thread, after: access.after? as usize })
        };
        if let (Some(one), Some(other)) =
            (accessed(&race.first, &first), accessed(&race.second, &second))
            && let Some([release, acquire]) = too_weak(&self.events, one, other)
        {
            first.weak = release;
            second.weak = acquire;
        }
        FindingKind::DataRace {
            first: Box::new(first),
            second: Box::new(second),
            size: race.size,
            block: self.block_at(race.address),
        }
    }

    fn racing_access(&self, side: &RaceSide) -> RacingAccess {
        let wanted = self.memory.wanted.iter().find(|wanted| wanted.is(side));
        let (at, frames) = match (side.spot, wanted) {
            (Spot::Line(site), _) => (Some(site.source()), Vec::new()),
            (Spot::Code(_), Some(Wanted { frames, .. })) if !frames.is_empty() => {
                (None, frames.clone())
            }
            (Spot::Code(NO_CODE), _) => (None, Vec::new()),
            (Spot::Code(address), _) => (None, vec![address]),
        };
        let thread = self.report(side.thread);
        let after = wanted.and_then(|wanted| wanted.step);
        RacingAccess {
            thread,
            kind: side.kind,
            mode: side.mode,
            at,
            frames,
            after,
            line: None,
            weak: None,
        }
    }

    /// Notes the callers of an access, if they are asked for.
    #[inline]
    pub(crate) fn note_callers(&mut self, spot: CodeAddress, caller: Caller) {
        if self.memory.wanted.is_empty() {
            return;
        }
        let thread = self.current;
        let time = self.order.seen(thread).of(thread);
        let is_it =
            |wanted: &Wanted| wanted.thread == thread && wanted.time == time && wanted.spot == spot;
        if self.memory.wanted.iter().any(is_it) {
            let note = self.note(caller);
            let step = self.events.len() as u64;
            for wanted in self.memory.wanted.iter_mut().filter(|wanted| is_it(wanted)) {
                wanted.frames = note.frames().collect();
                wanted.step = Some(step);
            }
        }
    }
}
