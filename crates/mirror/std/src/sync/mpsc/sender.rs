//! The sending ends.

use super::queue::Channel;
use real::fmt;
use real::sync::Arc;
use real::sync::mpsc::{SendError, TrySendError};
use selvedge_engine::Controlled;
use selvedge_model::Site;

/// What [`Sender`] and [`SyncSender`] have in common: they are counted.
pub(super) struct SendingEnd<T> {
    channel: Arc<Channel<T>>,
    /// Where this end came to life; a destructor knows no better place.
    site: Site,
}

impl<T> SendingEnd<T> {
    /// The sender with which a channel begins.
    pub(super) fn first(channel: Arc<Channel<T>>, site: Site) -> Self {
        Self { channel, site }
    }

    fn another(&self, site: Site) -> Self {
        self.channel.add_sender();
        Self { channel: Arc::clone(&self.channel), site }
    }

    #[track_caller]
    fn send(&self, message: T) -> Result<(), SendError<T>> {
        match Controlled::current() {
            Some(controlled) => self.channel.send_inside(controlled, message, Site::caller()),
            None => self.channel.send_outside(message),
        }
    }

    #[track_caller]
    fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        match Controlled::current() {
            Some(controlled) => self.channel.try_send_inside(controlled, message, Site::caller()),
            None => self.channel.try_send_outside(message),
        }
    }
}

impl<T> Drop for SendingEnd<T> {
    fn drop(&mut self) {
        match Controlled::current() {
            Some(controlled) => self.channel.drop_sender_inside(controlled, self.site),
            None => self.channel.drop_sender_outside(),
        }
    }
}

/// The sending end of a [`channel`](super::channel()); see [`std::sync::mpsc::Sender`].
pub struct Sender<T>(pub(super) SendingEnd<T>);

impl<T> Sender<T> {
    /// Sends a message without ever waiting, or hands it back if there is no receiver any more.
    #[track_caller]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        self.0.send(t)
    }
}

impl<T> Clone for Sender<T> {
    /// Makes one more sender of the same channel.
    #[track_caller]
    fn clone(&self) -> Self {
        Self(self.0.another(Site::caller()))
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

/// The sending end of a [`sync_channel`](super::sync_channel); see
/// [`std::sync::mpsc::SyncSender`].
pub struct SyncSender<T>(pub(super) SendingEnd<T>);

impl<T> SyncSender<T> {
    /// Sends a message, waiting until there is room for it, or hands it back if there is no
    /// receiver any more.
    #[track_caller]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        self.0.send(t)
    }

    /// Sends a message if that is possible without waiting, or hands it back.
    #[track_caller]
    pub fn try_send(&self, t: T) -> Result<(), TrySendError<T>> {
        self.0.try_send(t)
    }
}

impl<T> Clone for SyncSender<T> {
    /// Makes one more sender of the same channel.
    #[track_caller]
    fn clone(&self) -> Self {
        Self(self.0.another(Site::caller()))
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}
