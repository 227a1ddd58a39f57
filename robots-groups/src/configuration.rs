//! Policies from configuration files, and values as documents (feature `serde`).
//!
//! A table changes fields of RFC 9309. A field that does not exist is an error.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::alphabet::Alphabet;
use crate::policy::{GroupPolicy, NameMatch};
use crate::selection::SelectionBasis;

/// The fields of a policy that a table changes.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GroupChanges {
    blank_line_ends_group: Option<bool>,
    alphabet: Option<Alphabet>,
    name_match: Option<NameMatch>,
    text_after_wildcard: Option<bool>,
    first_named_only: Option<bool>,
    first_general_only: Option<bool>,
}

impl GroupChanges {
    /// Changes the fields.
    pub fn apply(self, policy: &mut GroupPolicy) {
        let GroupPolicy {
            blank_line_ends_group,
            alphabet,
            name_match,
            text_after_wildcard,
            first_named_only,
            first_general_only,
        } = policy;
        set(blank_line_ends_group, self.blank_line_ends_group);
        set(alphabet, self.alphabet);
        set(name_match, self.name_match);
        set(text_after_wildcard, self.text_after_wildcard);
        set(first_named_only, self.first_named_only);
        set(first_general_only, self.first_general_only);
    }
}

fn set<T, V: Into<T>>(field: &mut T, value: Option<V>) {
    if let Some(value) = value {
        *field = value.into();
    }
}

/// Reads a table with the fields that differ from RFC 9309, such as `first-general-only = true`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for GroupPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let changes = GroupChanges::deserialize(deserializer)?;
        let mut policy = Self::RFC9309;
        changes.apply(&mut policy);
        Ok(policy)
    }
}

/// Writes the name for programs.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for SelectionBasis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
