//! A limit on the number of requests in each window of time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Lets a number of requests through in each window of time and turns the others away.
///
/// A window begins with the first request after the end of the one before.
#[derive(Debug)]
pub struct Limiter {
    limit: u32,
    window: Duration,
    window_began: Mutex<Instant>,
    admitted: AtomicU32,
}

impl Limiter {
    /// Admits `limit` requests in each `window`.
    pub fn new(limit: u32, window: Duration) -> Self {
        Self {
            limit,
            window,
            window_began: Mutex::new(Instant::now()),
            admitted: AtomicU32::new(0),
        }
    }

    /// Whether one more request may pass now.
    pub fn admit(&self) -> bool {
        self.begin_window_if_due();
        if self.admitted.load(Ordering::SeqCst) >= self.limit {
            return false;
        }
        self.admitted.fetch_add(1, Ordering::SeqCst);
        true
    }

    /// How many requests would still be admitted in this window.
    pub fn left(&self) -> u32 {
        self.limit.saturating_sub(self.admitted.load(Ordering::SeqCst))
    }

    fn begin_window_if_due(&self) {
        let now = Instant::now();
        let mut began = self.window_began.lock().unwrap();
        if now.duration_since(*began) >= self.window {
            *began = now;
            self.admitted.store(0, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn requests_over_the_limit_are_turned_away() {
        let limiter = Limiter::new(2, Duration::from_secs(60));
        assert!(limiter.admit());
        assert!(limiter.admit());
        assert!(!limiter.admit());
        assert_eq!(limiter.left(), 0);
    }

    #[test]
    fn the_next_window_has_a_limit_of_its_own() {
        let limiter = Limiter::new(1, Duration::from_millis(20));
        assert!(limiter.admit());
        assert!(!limiter.admit());
        thread::sleep(Duration::from_millis(25));
        assert!(limiter.admit());
    }

    #[test]
    fn a_burst_from_many_clients_is_cut_at_the_limit() {
        let limiter = Limiter::new(2, Duration::from_secs(60));
        let admitted = thread::scope(|scope| {
            let clients: Vec<_> = (0..3).map(|_| scope.spawn(|| limiter.admit())).collect();
            clients.into_iter().filter_map(|client| client.join().unwrap().then_some(())).count()
        });
        assert_eq!(admitted, 2);
    }
}
