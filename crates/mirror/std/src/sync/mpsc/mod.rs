//! Mirror of `std::sync::mpsc`; what channels mean to the engine is in
//! `engine/objects/channel.rs`.
//!
//! Both ends share what stands in `queue.rs`. What they do to it stands in `inside.rs` for controlled
//! executions and in `outside.rs` for everybody else.

mod inside;
mod iter;
mod outside;
mod queue;
mod receiver;
mod sender;

pub use iter::{IntoIter, Iter, TryIter};
pub use real::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};
pub use receiver::Receiver;
pub use sender::{Sender, SyncSender};

use queue::Channel;
use real::sync::Arc;
use selvedge_engine::Capacity;
use selvedge_model::Site;
use sender::SendingEnd;

/// Makes a channel that holds as many messages as are sent; see [`std::sync::mpsc::channel`].
#[must_use]
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sending, receiver) = ends(Capacity::Unbounded, Site::caller());
    (Sender(sending), receiver)
}

/// Makes a channel that holds at most `bound` messages; with 0, sender and receiver meet. See
/// [`std::sync::mpsc::sync_channel`].
#[must_use]
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let (sending, receiver) = ends(Capacity::Bounded(bound), Site::caller());
    (SyncSender(sending), receiver)
}

/// The two ends of a new channel.
fn ends<T>(capacity: Capacity, site: Site) -> (SendingEnd<T>, Receiver<T>) {
    let channel = Arc::new(Channel::new(capacity, site));
    (SendingEnd::first(Arc::clone(&channel), site), Receiver::new(channel, site))
}
