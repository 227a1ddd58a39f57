//! Why a URL was not given a permit.

use core::error::Error;
use core::fmt;
use std::time::SystemTime;

use robots_match::Verdict;

use crate::origin::UnsupportedUrl;

/// The reason why a gate gives no permit for a URL.
///
/// The error of the `tower` layer and of the `reqwest-middleware` middleware is this type, so a program can read the verdict:
///
/// ```
/// use robots_fetch::Refusal;
///
/// fn line(error: &(dyn std::error::Error + 'static)) -> Option<usize> {
///     match error.downcast_ref()? {
///         Refusal::Disallowed(verdict) => verdict.line(),
///         _ => None,
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The robots.txt disallows the URL, or the site restricts access.
    Disallowed(Verdict),
    /// The site may not be asked before `until`, which is later than the policy lets a URL wait
    /// ([`GatePolicy::max_wait`](crate::GatePolicy::max_wait)).
    NotNow {
        /// The earliest time of the next request to the site.
        until: SystemTime,
        /// The verdict that applies until then, if the robots.txt is the reason.
        verdict: Option<Verdict>,
    },
    /// The gate has reached the bound of its memory ([`GatePolicy::max_bytes`](crate::GatePolicy::max_bytes)).
    Full,
    /// The URL has no origin.
    Unsupported(UnsupportedUrl),
}

impl Refusal {
    /// Returns `disallowed`, `not-now`, `full` or `unsupported`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Disallowed(_) => "disallowed",
            Self::NotNow { .. } => "not-now",
            Self::Full => "full",
            Self::Unsupported(_) => "unsupported",
        }
    }

    /// Returns the verdict, if the robots.txt is the reason.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Disallowed(verdict) => Some(*verdict),
            Self::NotNow { verdict, .. } => *verdict,
            Self::Full | Self::Unsupported(_) => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disallowed(verdict) => write!(f, "{verdict}"),
            Self::NotNow { verdict: Some(verdict), until } => {
                write!(f, "{verdict}; ask again at {}", httpdate::fmt_http_date(bounded(*until)))
            }
            Self::NotNow { verdict: None, until } => {
                let until = httpdate::fmt_http_date(bounded(*until));
                write!(f, "the site wants no requests now; ask again at {until}")
            }
            Self::Full => f.write_str("too many URLs are waiting; add more later"),
            Self::Unsupported(error) => write!(f, "{error}"),
        }
    }
}

/// Returns the time, bounded to those that `httpdate` can write.
fn bounded(time: SystemTime) -> SystemTime {
    const YEAR_9999: core::time::Duration = core::time::Duration::from_secs(253_402_300_799);
    time.clamp(SystemTime::UNIX_EPOCH, crate::message::freshness::later(SystemTime::UNIX_EPOCH, YEAR_9999))
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unsupported(error) => error.source(),
            _ => None,
        }
    }
}
