//! The answers of the implementation to rows about access, for snapshots.

use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::{Cause, Entry, SiteProfile};

use super::{Answer, Played, Timeline, by_script};
use crate::row::Answered;

impl Timeline {
    /// Returns the answers after the steps of each variant.
    pub(crate) fn after_each_step<'f>(
        &self,
        file: impl Fn(&str) -> Option<&'f [u8]>,
        profile: &SiteProfile,
    ) -> Vec<Answered> {
        let variants = self.scripted_answers().map(Answer::variants).max().unwrap_or(1);
        let mut all = Vec::new();
        for variant in 0..variants {
            let played = self.play(variant, &file, profile, &mut by_script, |played| {
                let parts = parts(&played)?;
                let question = match (&played.requests, self.steps.len()) {
                    (_, 1) => String::new(),
                    (Some(_), _) => played.step.at.clone(),
                    (None, _) => format!("{} check", played.step.at),
                };
                all.push(Answered { question, served: played.answers, parts });
                Ok(())
            });
            if let Err(wrong) = played {
                all.extend(Answered::one("", vec![wrong]));
            }
        }
        all
    }
}

/// Returns the access result, the access, the lifetimes, the number of requests if it is not that of the answers, and the
/// decisions about the paths of the row.
fn parts(played: &Played<'_>) -> Result<Vec<String>, String> {
    let (step, entry, now) = (played.step, played.entry, played.now);
    // The status is part of the question.
    let cause = entry.cause().map(Cause::code).filter(|code| *code != "status");
    let cause = cause.map_or_else(String::new, |code| format!(" ({code})"));
    let access = step.access(entry, now)?.name();
    let mut first = format!("{}{cause} {access} {}", entry.access_result(), lifetimes(entry, now));
    if let Some(requests) = played.requests.as_ref().filter(|made| made.len() != played.answers.len()) {
        first.push_str(&format!(", requests {}", requests.len()));
    }
    let mut parts = vec![first];
    let permission = entry.permission(&step.crawler()?, now);
    parts.extend(step.decided(&permission)?);
    Ok(parts)
}

/// Returns how long the answer is fresh, and when the next retrieval is due if that is another time.
fn lifetimes(entry: &Entry, now: SystemTime) -> String {
    let [fresh, next] = [entry.fresh_until(), entry.next_retrieval()]
        .map(|time| time.duration_since(now).unwrap_or_default());
    if fresh == next {
        format!("fresh {}", in_units(fresh))
    } else {
        format!("fresh {}, next in {}", in_units(fresh), in_units(next))
    }
}

/// Writes a duration as rows do, such as `23h 59m 59s`.
fn in_units(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let parts = [
        (seconds / (24 * 60 * 60), "d"),
        (seconds / (60 * 60) % 24, "h"),
        (seconds / 60 % 60, "m"),
        (seconds % 60, "s"),
    ];
    let written: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, unit)| format!("{number}{unit}"))
        .collect();
    if written.is_empty() { "0s".to_owned() } else { written.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::duration;

    #[test]
    fn durations_are_written_as_in_rows() {
        for text in ["0s", "1m", "23h 59m 59s", "30d", "1d 1s"] {
            assert_eq!(in_units(duration(text).unwrap()), text);
        }
    }
}
