//! Policies from configuration files, and values as documents (feature `serde`).
//!
//! A table changes fields of RFC 9309. A field that does not exist is an error.

use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::body::BodyKind;
use crate::deviation::Deviation;
use crate::line::Effect;
use crate::policy::{ByteOrderMark, Grammar, Spellings, SyntaxPolicy, WhiteSpace};
use crate::span::Span;

/// A number, or `none` for no limit: TOML has no null.
#[derive(Clone, Copy, Debug)]
pub struct Limit<T>(Option<T>);

/// A number that can be a [`Limit`].
pub trait LimitNumber: Sized {
    /// What a table must have, for errors.
    const EXPECTED: &'static str;

    /// Converts a whole number. One that is too large becomes the largest.
    fn whole(number: u64) -> Self;

    /// Converts a number with a point, if that is possible.
    fn part(_: f64) -> Option<Self> {
        None
    }
}

macro_rules! count {
    ($($of:ident),*) => { $(
        impl LimitNumber for $of {
            const EXPECTED: &'static str = "a whole number that is not negative, or \"none\"";

            fn whole(number: u64) -> Self {
                Self::try_from(number).unwrap_or(Self::MAX)
            }
        }
    )* };
}

count!(u32, usize);

/// Seconds.
impl LimitNumber for Duration {
    const EXPECTED: &'static str = "a number that is not negative, or \"none\"";

    fn whole(number: u64) -> Self {
        Self::from_secs(number)
    }

    fn part(number: f64) -> Option<Self> {
        (number >= 0.0).then(|| Self::try_from_secs_f64(number).unwrap_or(Self::MAX))
    }
}

impl<T> From<Limit<T>> for Option<T> {
    fn from(limit: Limit<T>) -> Self {
        limit.0
    }
}

impl From<Limit<Self>> for Duration {
    fn from(limit: Limit<Self>) -> Self {
        limit.0.unwrap_or(Self::MAX)
    }
}

impl<'de, T: LimitNumber> Deserialize<'de> for Limit<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<T>(PhantomData<T>);

        impl<T: LimitNumber> Visitor<'_> for Read<T> {
            type Value = Limit<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Limit<T>, E> {
                Ok(Limit(Some(T::whole(number))))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Limit<T>, E> {
                match u64::try_from(number) {
                    Ok(number) => self.visit_u64(number),
                    Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
                }
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Limit<T>, E> {
                let part = T::part(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self));
                Ok(Limit(Some(part?)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Limit<T>, E> {
                match text {
                    "none" => Ok(Limit(None)),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }

            fn visit_unit<E: Error>(self) -> Result<Limit<T>, E> {
                Ok(Limit(None))
            }
        }

        deserializer.deserialize_any(Read(PhantomData))
    }
}

/// Declares the fields of a policy that a table changes. Each field of the policy is among them.
#[doc(hidden)]
#[macro_export]
macro_rules! policy_changes {
    ($($(#[$meta:meta])* $vis:vis struct $changes:ident of $of:ident { $($field:ident: $read:ty,)* })*) => { $(
        /// The fields of a policy that a table changes.
        $(#[$meta])*
        #[derive(Default, serde::Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
        $vis struct $changes { $($field: Option<$read>,)* }

        impl $changes {
            /// Changes the fields.
            $vis fn apply(self, policy: &mut $of) {
                let $of { $($field,)* } = policy;
                $(if let Some(value) = self.$field {
                    *$field = value.into();
                })*
            }
        }
    )* };
}

policy_changes! {
    #[derive(Clone, Copy, Debug)]
    pub struct SyntaxChanges of SyntaxPolicy {
        grammar: Grammar,
        byte_order_mark: ByteOrderMark,
        spellings: Spellings,
        colon_optional: bool,
        white_space: WhiteSpace,
        nul_ends_line: bool,
        max_line: Limit<usize>,
        max_size: Limit<usize>,
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
