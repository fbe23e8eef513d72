//! What has a text of its own is stored as that text, so that a stored finding reads like a
//! printed one: threads, kinds of operation, schedules.

use crate::{OperationKind, Schedule, ThreadPath};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! stored_as_text {
    ($($type:ty, $what:literal;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(|_| D::Error::custom(format!("'{text}' is no {}", $what)))
            }
        }
    )+};
}

stored_as_text! {
    OperationKind, "kind of operation";
    Schedule, "schedule";
    ThreadPath, "thread";
}
