//! Further facts that a crawler relies on.

use robots_fetch::Entry;
use serde::Deserialize;

use super::duration;
use crate::row::description::Description;

/// Further facts about the last answer and the outage.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Facts {
    /// The status of the last answer; 0 without an answer.
    pub status: Option<u16>,
    /// Where the lifetime comes from, such as `max-age`.
    pub source: Option<String>,
    /// How long the answer would be fresh without the limits of the profile.
    pub asked: Option<String>,
    /// Whether the answer may be written to a disk or a server.
    pub storable: Option<bool>,
    /// Whether the answer has `must-revalidate`.
    pub must_revalidate: Option<bool>,
    /// The failed attempts of the outage; 0 without an outage.
    pub attempts: Option<u32>,
    /// How much longer the outage has to last until crawlers may access something else; 0 if that does not change.
    pub changes: Option<String>,
}

impl Facts {
    pub(super) fn validate(&self) -> Result<(), String> {
        [&self.asked, &self.changes].into_iter().flatten().try_for_each(|text| duration(text).map(|_| ()))
    }

    pub(super) fn describe(&self, description: &mut Description) {
        description.expect_if_given("status", self.status.as_ref());
        description.expect_if_given("source of the lifetime", self.source.as_ref());
        description.expect_if_given("asked lifetime", self.asked.as_ref());
        description.expect_if_given("storable", self.storable.as_ref());
        description.expect_if_given("must be revalidated", self.must_revalidate.as_ref());
        description.expect_if_given("failed attempts", self.attempts.as_ref());
        description.expect_if_given("access changes after", self.changes.as_ref());
    }

    /// Calls `hold` with each fact that the row names: key, value of the row, and value of `entry`.
    pub(super) fn compare(
        &self,
        entry: &Entry,
        hold: &mut impl FnMut(&'static str, Option<String>, String),
    ) -> Result<(), String> {
        let seconds = |text: &Option<String>| -> Result<Option<String>, String> {
            text.as_deref().map(|text| Ok(duration(text)?.as_secs().to_string())).transpose()
        };
        let text = |expected: Option<bool>| expected.map(|expected| expected.to_string());
        let status = self.status.map(|status| status.to_string());
        hold("status", status, entry.status().unwrap_or_default().to_string());
        hold("source", self.source.clone(), entry.lifetime_source().to_owned());
        hold("asked", seconds(&self.asked)?, entry.asked_lifetime().as_secs().to_string());
        hold("storable", text(self.storable), entry.is_storable().to_string());
        hold("must_revalidate", text(self.must_revalidate), entry.must_revalidate().to_string());
        let attempts = self.attempts.map(|attempts| attempts.to_string());
        hold("attempts", attempts, entry.outage().map_or(0, |outage| outage.attempts).to_string());
        let changes = entry.next_outage_access().map_or(0, |(after, _)| after.as_secs());
        hold("changes", seconds(&self.changes)?, changes.to_string());
        Ok(())
    }
}
