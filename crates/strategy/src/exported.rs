//! What an execution has changed in a strategy, as bytes.
//!
//! Both ends are the same program, one a child of the other, so the bytes have no version and are
//! always well formed.

use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) fn to_bytes<T: Serialize>(changed: &T) -> Vec<u8> {
    postcard::to_stdvec(changed).expect("numbers and lists can be written")
}

pub(crate) fn from_bytes<T: DeserializeOwned>(exported: &[u8]) -> T {
    postcard::from_bytes(exported).expect("the strategy reads what it has written")
}
