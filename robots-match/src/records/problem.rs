//! Problems of records.

use core::fmt;

use robots_groups::syntax::Span;

/// A problem of a record, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RecordProblem {
    pub(crate) kind: ProblemKind,
    /// The place in the file.
    pub span: Span,
}

impl RecordProblem {
    pub(super) const fn new(kind: ProblemKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// Returns a short name of the kind of problem for programs, in lower case with hyphens, such as `no-group`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }
}

impl fmt::Display for RecordProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $text:literal;)*) => {
        /// The kinds of problems of records.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum ProblemKind { $($(#[$doc])* $name,)* }

        impl ProblemKind {
            const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }
        }

        impl fmt::Display for ProblemKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text,)* })
            }
        }
    };
}

problems! {
    /// The value is missing.
    Empty = "empty", "the value is missing";
    /// The record is outside of groups, but records of its kind belong to groups.
    NoGroup = "no-group", "the record is outside of groups, so crawlers ignore it; move it below a user-agent line";
    /// The value is not UTF-8.
    NotUtf8 = "not-utf8", "the value is not UTF-8";
    /// A URL has no scheme or no host.
    RelativeUrl = "relative-url", "expected an absolute URL with scheme, host and path";
    /// The value is not a URL.
    NoUrl = "no-url", "expected a URL";
    /// A URL has a fragment, which absolute URIs do not have.
    Fragment = "fragment", "the URL can't have a fragment; remove the part from `#`";
    /// The value is not a number of seconds.
    NoSeconds = "no-seconds", "expected a number of seconds, such as 10 or 2.5";
    /// The number is too large.
    TooLarge = "too-large", "the number is too large";
    /// The value is not the name of a host.
    NoHost = "no-host", "expected a host name, with or without a scheme and a port";
    /// A label of a host is not valid (UTS 46). The place is that of the label.
    InvalidLabel = "invalid-label", "a label of the host is not valid; write the name as it is registered";
    /// The value is not a list of parameters with or without a path.
    NoParameters = "no-parameters", "expected a list of parameters, such as `a&b /path`";
    /// The value is not a rate.
    NoRate = "no-rate", "expected a rate, such as 1/10m or 1/10m 1300-1659";
    /// A rate has zero requests or zero time.
    ZeroRate = "zero-rate", "a rate needs at least one request and one second";
    /// The value is not a span of hours.
    NoWindow = "no-window", "expected a span of hours, such as 0600-0845";
    /// The preferences after the path are missing.
    NoPreference = "no-preference", "the preferences after the path are missing";
    /// A signal has no value.
    NoSignalValue = "no-signal-value", "a signal needs a value, such as `search=yes`";
}
