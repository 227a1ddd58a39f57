//! Policies from configuration files, and values as documents (feature `serde`).
//!
//! A table changes fields of RFC 9309. A field that does not exist is an error.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::alphabet::Alphabet;
use crate::policy::{GroupPolicy, NameMatch};
use crate::selection::SelectionBasis;

robots_syntax::policy_changes! {
    #[derive(Clone, Copy, Debug)]
    pub struct GroupChanges of GroupPolicy {
        blank_line_ends_group: bool,
        alphabet: Alphabet,
        name_match: NameMatch,
        text_after_wildcard: bool,
        first_named_only: bool,
        first_general_only: bool,
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
