//! Pauses after failures in a row.

use core::time::Duration;

/// Returns the pause after this number of failures in a row: `first` after one, doubled after each further one, at most `most`.
pub(crate) fn pause(first: Duration, most: Duration, failures: u32) -> Duration {
    let doubled = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
    first.saturating_mul(doubled).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pause = |failures| pause(Duration::from_secs(3), Duration::from_secs(100), failures).as_secs();
        assert_eq!([0, 1, 2, 3, 6, 7, 40, u32::MAX].map(pause), [3, 3, 6, 12, 96, 100, 100, 100]);
    }
}
