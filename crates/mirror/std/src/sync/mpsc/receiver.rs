//! The receiving end.

use super::iter::{IntoIter, Iter, TryIter};
use super::queue::Channel;
use real::cell::Cell;
use real::fmt;
use real::marker::PhantomData;
use real::panic::{RefUnwindSafe, UnwindSafe};
use real::sync::Arc;
use real::sync::mpsc::{RecvError, RecvTimeoutError, TryRecvError};
use real::time::{Duration, Instant};
use selvedge_engine::Controlled;
use selvedge_model::Site;

/// The receiving end of a channel; see [`std::sync::mpsc::Receiver`].
pub struct Receiver<T> {
    channel: Arc<Channel<T>>,
    /// Where the channel was made; a destructor knows no better place.
    site: Site,
    /// One thread at a time receives, though not always the same.
    not_sync: PhantomData<Cell<()>>,
}

impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}

impl<T> Receiver<T> {
    pub(super) fn new(channel: Arc<Channel<T>>, site: Site) -> Self {
        Self { channel, site, not_sync: PhantomData }
    }

    /// Takes a message if there is one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        match Controlled::current() {
            Some(controlled) => self.channel.try_receive_inside(controlled, Site::caller()),
            None => self.channel.try_receive_outside(),
        }
    }

    /// Waits for a message, or for all senders to be gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        let received = match Controlled::current() {
            Some(controlled) => self.channel.receive_inside(controlled, None, Site::caller()),
            None => self.channel.receive_outside(None),
        };
        received.map_err(|_| RecvError)
    }

    /// Waits for a message, or for all senders to be gone, for at most the given time.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        match Controlled::current() {
            Some(controlled) => {
                // A deadline beyond the end of the virtual clock is none.
                let timeout = u64::try_from(timeout.as_nanos()).ok().map(Duration::from_nanos);
                self.channel.receive_inside(controlled, timeout, Site::caller())
            }
            None => self.channel.receive_outside(Instant::now().checked_add(timeout)),
        }
    }

    /// The messages to come, until all senders are gone.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self }
    }

    /// The messages that are there, until there is none.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self }
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        match Controlled::current() {
            Some(controlled) => self.channel.drop_receiver_inside(controlled, self.site),
            None => self.channel.drop_receiver_outside(),
        }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
