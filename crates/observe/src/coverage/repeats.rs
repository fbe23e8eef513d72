//! Executions that repeat an earlier one.
//!
//! Small tests have few different executions, and most repeat one that was seen before, operation by
//! operation. What they cover is known: metrics need not look at them again.

use rustc_hash::FxHashMap;
use selvedge_model::{Act, Record, Site, Spot, Variable};

/// Longer executions hardly ever repeat each other.
const LONGEST: usize = 128;

/// So many different executions are remembered.
const MOST: usize = 1 << 14;

/// The different executions that were seen, by number.
#[derive(Default)]
pub(crate) struct Repeats {
    numbers: FxHashMap<u64, u32>,
}

/// What is known of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeated {
    /// It is as the one with this number.
    As(u32),
    /// It is the first of its kind, which has this number from now on.
    First,
    /// Nothing.
    Unknown,
}

impl Repeats {
    /// Looks the execution up.
    pub(crate) fn look_up(&mut self, record: &Record<'_>) -> Repeated {
        if record.events.len() + record.accesses.len() > LONGEST {
            return Repeated::Unknown;
        }
        let print = fingerprint(record);
        let next = self.numbers.len();
        if let Some(&number) = self.numbers.get(&print) {
            return Repeated::As(number);
        }
        if next == MOST {
            return Repeated::Unknown;
        }
        self.numbers.insert(print, next as u32);
        Repeated::First
    }
}

/// A number made of all that metrics see of an execution. Places go in by their address: the number
/// differs from run to run, but not whether two executions have the same one.
fn fingerprint(record: &Record<'_>) -> u64 {
    let mut hash = Hash(record.events.len() as u64);
    for event in record.events {
        let operation = event.operation;
        let (outcome, other) = (event.effect.outcome(), Act::other(event.effect));
        let tags =
            (operation.kind as u64) << 48 | (event.order as u64) << 56 | (outcome as u64) << 60;
        let who = u64::from(event.thread.0) << 32 | u64::from(operation.object.0);
        hash.add(who ^ u64::from(other).rotate_left(16), tags ^ address(operation.site));
        if let Some(newer @ 1..) = event.age.newer() {
            hash.add(newer as u64, tags);
        }
    }
    for (position, access) in record.accesses {
        let Variable::Data(object) = access.variable else { continue };
        let Spot::Line(site) = access.spot else { continue };
        hash.add(*position as u64, (access.kind as u64) << 48 ^ address(site));
        hash.add(u64::from(access.thread.0), u64::from(object.0));
    }
    for object in record.objects {
        let created = object.created.map_or(0, address);
        hash.add((object.kind as u64) << 48 ^ created, address(object.first));
    }
    for thread in record.threads {
        hash.add(thread.key, thread.spawned.map_or(0, address));
    }
    hash.0
}

fn address(site: Site) -> u64 {
    site.address() as u64
}

struct Hash(u64);

impl Hash {
    /// Multiplies and folds, so that every bit of both words counts in every bit of the result.
    #[inline]
    fn add(&mut self, one: u64, two: u64) {
        let wide = u128::from(self.0.rotate_left(23) ^ one ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(two ^ 0xd6e8_feb8_6659_fd93);
        self.0 = wide as u64 ^ (wide >> 64) as u64;
    }
}
