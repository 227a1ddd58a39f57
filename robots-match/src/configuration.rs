//! Policies from configuration files (feature `serde`).
//!
//! A table changes fields of a document: that of its key `document`, or RFC 9309. A field that does not exist is an error.

use robots_groups::GroupChanges;
use robots_groups::syntax::SyntaxChanges;
use serde::de::{Deserialize, Deserializer, Error};

use crate::document::Document;
use crate::policy::{Form, MatchPolicy, Precedence, ReservedBytes};
use crate::profile::Profile;
use crate::verdict::AccessResult;

/// Names of the variants of an enum, as strings.
macro_rules! named {
    ($(mod $module:ident for $of:ident { $($name:literal $variant:ident,)* })*) => { $(
        mod $module {
            #[derive(serde::Deserialize)]
            pub(super) enum Text { $(#[serde(rename = $name)] $variant,)* }

            impl From<Text> for super::$of {
                fn from(name: Text) -> Self {
                    match name { $(Text::$variant => Self::$variant,)* }
                }
            }
        }
    )* };
}

named! {
    mod form for Form {
        "as-written" AsWritten, "non-ascii-encoded" NonAsciiEncoded, "normal" Normal, "decoded-but-slash" DecodedButSlash,
    }
    mod reserved for ReservedBytes { "as-written" AsWritten, "equal" Equal, }
    mod precedence for Precedence { "most-bytes" MostBytes, "first" First, }
    mod result for AccessResult {
        "success" Success, "redirect" Redirect, "unavailable" Unavailable, "unreachable" Unreachable, "throttled" Throttled,
        "restricted" Restricted,
    }
}

robots_groups::syntax::policy_changes! {
    struct MatchChanges of MatchPolicy {
        pattern: form::Text,
        path: form::Text,
        reserved: reserved::Text,
        wildcards: bool,
        precedence: precedence::Text,
        empty_pattern: bool,
        index_page_allows_directory: bool,
        robots_txt_always_allowed: bool,
        semicolon_ends_authority: bool,
    }
}

/// Reads the name of a document: `rfc9309`, `draft-koster-rep-00`, `google` or `koster-1996`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = alloc::string::String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

/// Reads the name.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for AccessResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        result::Text::deserialize(deserializer).map(Self::from)
    }
}

/// Reads a table with the fields that differ from RFC 9309, such as `wildcards = false`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for MatchPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let changes = MatchChanges::deserialize(deserializer)?;
        let mut policy = Self::RFC9309;
        changes.apply(&mut policy);
        Ok(policy)
    }
}

/// Reads a table with the fields of the document that it names, and those that differ:
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use robots_match::Profile;
///
/// let text = "document = 'google'\n[groups]\nfirst-general-only = true\n[syntax]\nmax-size = 'none'\n";
/// let profile: Profile = toml::from_str(text).unwrap();
/// let mut expected = Profile::GOOGLE;
/// expected.groups.first_general_only = true;
/// expected.syntax.max_size = None;
/// assert_eq!(profile, expected);
/// assert!(toml::from_str::<Profile>("[groups]\nfirst-genral-only = true\n").is_err());
/// # }
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            document: Option<Document>,
            #[serde(default)]
            syntax: SyntaxChanges,
            #[serde(default)]
            groups: GroupChanges,
            #[serde(default)]
            matching: MatchChanges,
        }

        let table = Table::deserialize(deserializer)?;
        let mut profile = Self::from(table.document.unwrap_or_default());
        table.syntax.apply(&mut profile.syntax);
        table.groups.apply(&mut profile.groups);
        table.matching.apply(&mut profile.matching);
        Ok(profile)
    }
}
