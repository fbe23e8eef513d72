//! Settings of a pool, which can change while it is in use.

use super::{Order, Pool};

impl Pool {
    pub(super) fn max_total(&self) -> usize {
        self.journal.lock().unwrap().push("max total");
        self.settings.read().unwrap().max_total
    }

    pub(super) fn max_idle(&self) -> usize {
        self.journal.lock().unwrap().push("max idle");
        self.settings.read().unwrap().max_idle
    }

    pub(super) fn min_idle(&self) -> usize {
        self.journal.lock().unwrap().push("min idle");
        self.settings.read().unwrap().min_idle
    }

    pub(super) fn is_newest_first(&self) -> bool {
        self.journal.lock().unwrap().push("is newest first");
        self.settings.read().unwrap().order == Order::NewestFirst
    }

    /// Whoever waits may now get an object.
    pub(super) fn set_max_total(&self, max_total: usize) {
        self.journal.lock().unwrap().push("set max total");
        self.settings.write().unwrap().max_total = max_total;
        let idle = self.idle.lock().unwrap();
        let waiting = idle.waiting;
        drop(idle);
        if waiting > 0 {
            self.returned.notify_all();
        }
        self.journal.lock().unwrap().push("set max total: done");
    }

    pub(super) fn set_max_idle(&self, max_idle: usize) {
        self.journal.lock().unwrap().push("set max idle");
        self.settings.write().unwrap().max_idle = max_idle;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("set max idle: done");
    }

    pub(super) fn set_min_idle(&self, min_idle: usize) {
        self.journal.lock().unwrap().push("set min idle");
        self.settings.write().unwrap().min_idle = min_idle;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("set min idle: done");
    }

    pub(super) fn set_order(&self, order: Order) {
        self.journal.lock().unwrap().push("set order");
        self.settings.write().unwrap().order = order;
        self.journal.lock().unwrap().push("set order: done");
    }

    /// Exchanges the order in which objects are lent.
    pub(super) fn flip_order(&self) {
        self.journal.lock().unwrap().push("flip order");
        let mut settings = self.settings.write().unwrap();
        settings.order = match settings.order {
            Order::NewestFirst => Order::OldestFirst,
            Order::OldestFirst => Order::NewestFirst,
        };
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("flip order: done");
    }

    /// Sets several at once, and adapts what is idle.
    pub(super) fn configure(&self, max_idle: usize, min_idle: usize) {
        self.journal.lock().unwrap().push("configure");
        let mut settings = self.settings.write().unwrap();
        settings.max_idle = max_idle;
        settings.min_idle = min_idle;
        let mut idle = self.idle.lock().unwrap();
        let surplus = idle.items.len().saturating_sub(max_idle);
        idle.total -= surplus;
        idle.items.drain(..surplus);
        self.factory.lock().unwrap().destroyed += surplus as u32;
        drop(idle);
        drop(settings);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("configure: done");
    }
}
