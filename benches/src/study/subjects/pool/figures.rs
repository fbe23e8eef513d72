//! What can be asked of a pool.

use super::{Item, Pool, Stats};

impl Pool {
    pub(super) fn num_idle(&self) -> usize {
        self.journal.lock().unwrap().push("num idle");
        self.idle.lock().unwrap().items.len()
    }

    pub(super) fn num_lent(&self) -> usize {
        self.journal.lock().unwrap().push("num lent");
        self.lent.lock().unwrap().len()
    }

    pub(super) fn num_total(&self) -> usize {
        self.journal.lock().unwrap().push("num total");
        self.idle.lock().unwrap().total
    }

    pub(super) fn num_waiting(&self) -> usize {
        self.journal.lock().unwrap().push("num waiting");
        self.idle.lock().unwrap().waiting
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.journal.lock().unwrap().push("is exhausted");
        let max_total = self.settings.read().unwrap().max_total;
        let idle = self.idle.lock().unwrap();
        idle.items.is_empty() && idle.total >= max_total
    }

    pub(super) fn is_lent(&self, item: &Item) -> bool {
        self.journal.lock().unwrap().push("is lent");
        self.lent.lock().unwrap().contains_key(&item.id)
    }

    pub(super) fn lent_ids(&self) -> Vec<u32> {
        self.journal.lock().unwrap().push("lent ids");
        self.lent.lock().unwrap().keys().copied().collect()
    }

    pub(super) fn newest_lent(&self) -> Option<u32> {
        self.journal.lock().unwrap().push("newest lent");
        self.lent.lock().unwrap().last_key_value().map(|(&id, _)| id)
    }

    pub(super) fn idle_ids(&self) -> Vec<u32> {
        self.journal.lock().unwrap().push("idle ids");
        self.idle.lock().unwrap().items.iter().map(|item| item.id).collect()
    }

    pub(super) fn made(&self) -> u32 {
        self.journal.lock().unwrap().push("made");
        self.factory.lock().unwrap().made
    }

    pub(super) fn destroyed(&self) -> u32 {
        self.journal.lock().unwrap().push("destroyed");
        self.factory.lock().unwrap().destroyed
    }

    pub(super) fn times_lent(&self) -> u32 {
        self.journal.lock().unwrap().push("times lent");
        self.stats.lock().unwrap().lent
    }

    pub(super) fn times_returned(&self) -> u32 {
        self.journal.lock().unwrap().push("times returned");
        self.stats.lock().unwrap().returned
    }

    pub(super) fn times_refused(&self) -> u32 {
        self.journal.lock().unwrap().push("times refused");
        self.stats.lock().unwrap().refused
    }

    pub(super) fn times_discarded(&self) -> u32 {
        self.journal.lock().unwrap().push("times discarded");
        self.stats.lock().unwrap().discarded
    }

    pub(super) fn upkeep(&self) -> u32 {
        self.journal.lock().unwrap().push("upkeep");
        self.stats.lock().unwrap().upkeep
    }

    pub(super) fn reset_stats(&self) {
        self.journal.lock().unwrap().push("reset stats");
        *self.stats.lock().unwrap() = Stats::default();
        self.journal.lock().unwrap().push("reset stats: done");
    }

    /// How many are idle and lent, at one moment.
    pub(super) fn snapshot(&self) -> (usize, usize, usize) {
        self.journal.lock().unwrap().push("snapshot");
        let idle = self.idle.lock().unwrap();
        let lent = self.lent.lock().unwrap();
        (idle.items.len(), lent.len(), idle.total)
    }

    /// How busy the pool is, from 0 to 1.
    pub(super) fn load(&self) -> f64 {
        self.journal.lock().unwrap().push("load");
        let max_total = self.settings.read().unwrap().max_total;
        let lent = self.lent.lock().unwrap();
        lent.len() as f64 / max_total as f64
    }

    /// Everything in one line, under all locks.
    pub(super) fn describe(&self) -> String {
        self.journal.lock().unwrap().push("describe");
        let settings = self.settings.read().unwrap();
        let idle = self.idle.lock().unwrap();
        let lent = self.lent.lock().unwrap();
        let stats = self.stats.lock().unwrap();
        let (idle, lent) = (idle.items.len(), lent.len());
        format!("{idle} idle, {lent} of {} lent, {} times", settings.max_total, stats.lent)
    }
}
