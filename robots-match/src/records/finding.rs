//! What is wrong with a record.

use core::fmt;

use robots_groups::syntax::Span;

/// Something wrong with a record, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding {
    /// What is wrong.
    pub wrong: Wrong,
    /// The octets it concerns.
    pub span: Span,
}

impl Finding {
    pub(super) const fn new(wrong: Wrong, span: Span) -> Self {
        Self { wrong, span }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wrong.fmt(f)
    }
}

macro_rules! wrongs {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $text:literal;)*) => {
        /// What may be wrong with a record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Wrong { $($(#[$doc])* $name,)* }

        impl Wrong {
            /// All there are.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// A short name for programs, in lower case with hyphens.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }
        }

        impl fmt::Display for Wrong {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text,)* })
            }
        }
    };
}

wrongs! {
    /// There is no value.
    Empty = "empty", "a value is missing";
    /// The record should stand in a group, and stands in none.
    NoGroup = "no-group", "the record stands in no group, so it concerns nobody";
    /// The value is not UTF-8.
    NotUtf8 = "not-utf8", "the value is not UTF-8";
    /// A URL has no scheme, or no host.
    RelativeUrl = "relative-url", "a URL must be absolute: scheme, host and path";
    /// No URL can be made of the value.
    NoUrl = "no-url", "the value is no URL";
    /// A URL has a fragment, which an absolute URI has not.
    Fragment = "fragment", "an absolute URI has no fragment";
    /// The value is no number of seconds.
    NoSeconds = "no-seconds", "the value is no number of seconds, such as 10 or 2.5";
    /// The number is larger than can be counted.
    TooLarge = "too-large", "the number is too large";
    /// The value is no name of a host.
    NoHost = "no-host", "the value is no host name with or without a scheme and a port";
    /// The value is no list of parameters with or without a path.
    NoParameters = "no-parameters", "the value is no list of parameters, such as `a&b /path`";
    /// The value is no rate.
    NoRate = "no-rate", "the value is no rate, such as 1/10m or 1/10m 1300-1659";
    /// A rate has no requests, or no time.
    ZeroRate = "zero-rate", "a rate of nothing, or in no time, says nothing";
    /// The value is no span of hours.
    NoWindow = "no-window", "the value is no span of hours, such as 0600-0845";
    /// There is no preference behind the path.
    NoPreference = "no-preference", "a preference is missing behind the path";
    /// A signal has no value.
    NoSignalValue = "no-signal-value", "a signal needs a value, as in `search=yes`";
}
