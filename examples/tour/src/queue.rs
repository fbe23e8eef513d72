//! A queue of jobs between those who have work and those who do it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

/// A queue with room for a number of jobs. Every job that was accepted is handed to a worker, also
/// if the queue is closed in the meantime.
#[derive(Debug)]
pub struct Queue<J> {
    capacity: usize,
    jobs: Mutex<VecDeque<J>>,
    changed: Condvar,
    closed: AtomicBool,
}

/// The queue takes no jobs any more; here is the one that was too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed<J>(pub J);

impl<J> Queue<J> {
    /// A queue with room for so many jobs.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            jobs: Mutex::default(),
            changed: Condvar::new(),
            closed: AtomicBool::new(false),
        }
    }

    /// Adds a job, as soon as there is room for it, unless the queue is closed.
    pub fn push(&self, job: J) -> Result<(), Closed<J>> {
        if self.is_closed() {
            return Err(Closed(job));
        }
        let jobs = self.jobs.lock().unwrap();
        let mut jobs = self.changed.wait_while(jobs, |jobs| jobs.len() == self.capacity).unwrap();
        jobs.push_back(job);
        self.changed.notify_all();
        Ok(())
    }

    /// The next job, as soon as there is one; nothing if the queue is closed and empty.
    pub fn pop(&self) -> Option<J> {
        let jobs = self.jobs.lock().unwrap();
        let no_news = |jobs: &mut VecDeque<J>| jobs.is_empty() && !self.is_closed();
        let job = self.changed.wait_while(jobs, no_news).unwrap().pop_front();
        self.changed.notify_all();
        job
    }

    /// Takes no more jobs from now on. Those that are there are still handed out.
    pub fn close(&self) {
        let _jobs = self.jobs.lock().unwrap();
        self.closed.store(true, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// Whether jobs are turned away.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;
    use std::thread;

    #[test]
    fn jobs_come_out_in_the_order_in_which_they_went_in() {
        let queue = Queue::new(3);
        for job in 1..=3 {
            queue.push(job).unwrap();
        }
        queue.close();
        assert_eq!(iter::from_fn(|| queue.pop()).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_closed_queue_gives_the_job_back() {
        let queue = Queue::new(1);
        queue.close();
        assert_eq!(queue.push("late"), Err(Closed("late")));
    }

    #[test]
    fn a_full_queue_makes_the_producer_wait_for_the_worker() {
        let queue = Queue::new(1);
        thread::scope(|scope| {
            scope.spawn(|| {
                (1..=3).for_each(|job| queue.push(job).unwrap());
                queue.close();
            });
            assert_eq!(iter::from_fn(|| queue.pop()).collect::<Vec<_>>(), [1, 2, 3]);
        });
    }

    #[test]
    fn what_was_accepted_before_the_shutdown_is_done() {
        let queue = Queue::new(4);
        thread::scope(|scope| {
            let worker = scope.spawn(|| iter::from_fn(|| queue.pop()).count());
            let producer = scope.spawn(|| (1..=3).filter(|&job| queue.push(job).is_ok()).count());
            queue.close();
            assert_eq!(worker.join().unwrap(), producer.join().unwrap());
        });
    }
}
