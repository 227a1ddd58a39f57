//! Times in stored entries.

use core::time::Duration;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::entry::codec::error::DecodeError;

/// The time since or before 1970.
#[derive(Serialize, Deserialize)]
pub(super) enum Time {
    Since(Duration),
    Before(Duration),
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self::Since(since),
            Err(error) => Self::Before(error.duration()),
        }
    }
}

impl Time {
    pub(super) fn read(self) -> Result<SystemTime, DecodeError> {
        let time = match self {
            Self::Since(since) => SystemTime::UNIX_EPOCH.checked_add(since),
            Self::Before(before) => SystemTime::UNIX_EPOCH.checked_sub(before),
        };
        time.ok_or(DecodeError::Invalid("a time"))
    }
}
