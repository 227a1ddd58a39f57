//! Verdicts as documents for programs (feature `serde`).

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::verdict::{AccessResult, DecidingRule, Reason, Verdict};
use robots_groups::syntax::Span;

/// Writes the fields `allowed`, `reason`, `rule`, `site` and `text`. The schema is `robots-fetch/schema/verdict.json`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let site = match self.reason() {
            Reason::Site { result, status, code, cause, .. } => Some(Site { result, status, code, cause }),
            _ => None,
        };
        let mut fields = serializer.serialize_struct("Verdict", 5)?;
        fields.serialize_field("allowed", &self.is_allowed())?;
        fields.serialize_field("reason", self.reason().code())?;
        fields.serialize_field("rule", &self.rule())?;
        fields.serialize_field("site", &site)?;
        fields.serialize_field("text", &format_args!("{self}"))?;
        fields.end()
    }
}

/// Writes the fields `effect`, `line` and `span`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for DecidingRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("DecidingRule", 3)?;
        fields.serialize_field("effect", self.effect.name())?;
        fields.serialize_field("line", &self.line)?;
        fields.serialize_field("span", &Place(self.span))?;
        fields.end()
    }
}

/// The answer of a site without rules to apply.
struct Site {
    result: AccessResult,
    status: Option<u16>,
    code: &'static str,
    cause: &'static str,
}

impl Serialize for Site {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Site", 4)?;
        fields.serialize_field("result", &self.result)?;
        fields.serialize_field("status", &self.status)?;
        fields.serialize_field("code", self.code)?;
        fields.serialize_field("cause", self.cause)?;
        fields.end()
    }
}

/// Writes the name.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for AccessResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A span, whose type belongs to a lower crate.
struct Place(Span);

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Span", 2)?;
        fields.serialize_field("start", &self.0.start())?;
        fields.serialize_field("end", &self.0.end())?;
        fields.end()
    }
}
