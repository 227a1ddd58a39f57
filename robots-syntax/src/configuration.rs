//! Policies from configuration files, and values as documents (feature `serde`).
//!
//! A table changes fields of RFC 9309. A field that does not exist is an error.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::body::BodyKind;
use crate::deviation::Deviation;
use crate::line::Effect;
use crate::policy::{ByteOrderMark, Grammar, Spellings, SyntaxPolicy, WhiteSpace};
use crate::span::Span;

/// A number, or `none` for no limit: TOML has no null.
#[derive(Clone, Copy, Debug)]
struct Limit(Option<usize>);

impl From<Limit> for Option<usize> {
    fn from(limit: Limit) -> Self {
        limit.0
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl Visitor<'_> for Read {
            type Value = Limit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or \"none\"")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Limit, E> {
                Ok(Limit(Some(usize::try_from(number).unwrap_or(usize::MAX))))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Limit, E> {
                let number =
                    usize::try_from(number).map_err(|_| E::custom("the number is negative or too large"))?;
                Ok(Limit(Some(number)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Limit, E> {
                if text == "none" {
                    Ok(Limit(None))
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Str(text), &self))
                }
            }

            fn visit_unit<E: Error>(self) -> Result<Limit, E> {
                Ok(Limit(None))
            }
        }

        deserializer.deserialize_any(Read)
    }
}

/// The fields of a policy that a table changes.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SyntaxChanges {
    grammar: Option<Grammar>,
    byte_order_mark: Option<ByteOrderMark>,
    spellings: Option<Spellings>,
    colon_optional: Option<bool>,
    white_space: Option<WhiteSpace>,
    nul_ends_line: Option<bool>,
    max_line: Option<Limit>,
    max_size: Option<Limit>,
}

impl SyntaxChanges {
    /// Changes the fields.
    pub fn apply(self, policy: &mut SyntaxPolicy) {
        let SyntaxPolicy {
            grammar,
            byte_order_mark,
            spellings,
            colon_optional,
            white_space,
            nul_ends_line,
            max_line,
            max_size,
        } = policy;
        set(grammar, self.grammar);
        set(byte_order_mark, self.byte_order_mark);
        set(spellings, self.spellings);
        set(colon_optional, self.colon_optional);
        set(white_space, self.white_space);
        set(nul_ends_line, self.nul_ends_line);
        set(max_line, self.max_line);
        set(max_size, self.max_size);
    }
}

fn set<T, V: Into<T>>(field: &mut T, value: Option<V>) {
    if let Some(value) = value {
        *field = value.into();
    }
}

/// Reads a table with the fields that differ from RFC 9309, such as `max-size = "none"` or `colon-optional = true`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for SyntaxPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let changes = SyntaxChanges::deserialize(deserializer)?;
        let mut policy = Self::RFC9309;
        changes.apply(&mut policy);
        Ok(policy)
    }
}

/// Writes the name for programs.
macro_rules! written_by_name {
    ($($of:ident::$name:ident,)*) => { $(
        /// Writes the name for programs.
        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl Serialize for $of {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$name())
            }
        }
    )* };
}

written_by_name! {
    BodyKind::name,
    Deviation::code,
    Effect::name,
}

/// Writes the fields `start` and `end`, in bytes.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut span = serializer.serialize_struct("Span", 2)?;
        span.serialize_field("start", &self.start())?;
        span.serialize_field("end", &self.end())?;
        span.end()
    }
}
