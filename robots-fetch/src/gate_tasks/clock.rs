//! The time of a gate for tasks: the clock of its cache, which may be set, and which goes on while the machine sleeps.

use core::time::Duration;
use std::time::SystemTime;

use tokio::time::Instant;

use crate::message::freshness::later;

/// A difference that is no change of the clock.
const TOLERANCE: Duration = Duration::from_secs(1);

/// The time by which a request may reach its site later than another one, because tasks and networks are not punctual. A request
/// counts as one of its permit, or of the head of its answer if that has come earlier than this.
pub(super) const MARGIN: Duration = Duration::from_millis(25);

/// Two clocks that run side by side: the one of the cache, and the one of tokio, which stands still while the machine sleeps.
///
/// The time of the gate is the later one of both, counted from when they last agreed, within a second. So it goes on where only one
/// of them does, as in tests with the paused clock of tokio.
pub(super) struct Clock {
    /// When they last agreed.
    wall: SystemTime,
    runtime: Instant,
    last_wall: SystemTime,
}

/// A change of the clock since it was last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// It was set back by this much.
    Back(Duration),
    /// It was set forward, or the machine has slept.
    Forward(Duration),
}

impl Clock {
    pub(super) const fn new(wall: SystemTime, runtime: Instant) -> Self {
        Self { wall, runtime, last_wall: wall }
    }

    /// Returns the time of the gate, when the two clocks show these times.
    pub(super) fn read(&mut self, wall: SystemTime, runtime: Instant) -> (SystemTime, Change) {
        let expected = later(self.wall, runtime.saturating_duration_since(self.runtime));
        let was_set_back = self.last_wall.duration_since(wall).is_ok_and(|by| by > TOLERANCE);
        self.last_wall = wall;
        if !was_set_back && wall < expected {
            return (expected, Change::None);
        }
        let change = if was_set_back {
            Change::Back(expected.duration_since(wall).unwrap_or_default())
        } else {
            match wall.duration_since(expected) {
                Ok(by) if by > TOLERANCE => Change::Forward(by),
                // Small steps make no delay shorter. Together they become a change.
                _ => return (expected, Change::None),
            }
        };
        (self.wall, self.runtime) = (wall, runtime);
        (wall, change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_set_and_a_machine_sleeps() {
        let (wall, runtime) = (SystemTime::UNIX_EPOCH + Duration::from_secs(10_000), Instant::now());
        let seconds = Duration::from_secs;
        let mut clock = Clock::new(wall, runtime);
        let mut read =
            |of_wall: SystemTime, of_runtime: u64| clock.read(of_wall, runtime + seconds(of_runtime));
        assert_eq!(read(wall + seconds(5), 5), (wall + seconds(5), Change::None));
        // The machine slept for an hour.
        assert_eq!(read(wall + seconds(3606), 6), (wall + seconds(3606), Change::Forward(seconds(3600))));
        // Only the clock of tokio goes on.
        assert_eq!(read(wall + seconds(3606), 106), (wall + seconds(3706), Change::None));
        // The clock is set back by an hour, and a second passes.
        assert_eq!(read(wall + seconds(7), 107), (wall + seconds(7), Change::Back(seconds(3700))));
        assert_eq!(read(wall + seconds(8), 108), (wall + seconds(8), Change::None));
    }
}
