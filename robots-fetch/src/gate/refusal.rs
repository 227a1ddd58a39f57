//! Why a URL was not given a permit.

use core::error::Error;
use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Verdict;
use url::Url;

use crate::origin::{Origin, UnsupportedUrl};
use crate::text::{datable, shown, without_secrets};

/// A URL that a gate gives no permit for, and the reason.
///
/// The error of the `tower` layer and of the `reqwest-middleware` middleware is this type, so a program can read the reason:
///
/// ```
/// use robots_fetch::{Refusal, RefusalReason};
///
/// fn line(error: &(dyn std::error::Error + 'static)) -> Option<usize> {
///     match error.downcast_ref::<Refusal>()?.reason() {
///         RefusalReason::Disallowed(verdict) => verdict.line(),
///         _ => None,
///     }
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Refusal(Box<Refused>);

#[derive(Clone, PartialEq, Eq)]
struct Refused {
    /// `None` if the request had no URL.
    url: Option<Url>,
    hop: usize,
    reason: RefusalReason,
}

/// The reason why a gate gives no permit for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// The robots.txt disallows the URL, or the site restricts access.
    Disallowed(Verdict),
    /// The site may not be asked before `until`, which is later than the policy lets a URL wait
    /// ([`GatePolicy::max_stall`](crate::GatePolicy::max_stall), [`GatePolicy::max_wait`](crate::GatePolicy::max_wait)), or the
    /// site gave no answer at all.
    NotNow {
        /// The earliest time of the next request to the site.
        until: SystemTime,
        /// The verdict that applies until then, if the robots.txt is the reason.
        verdict: Option<Verdict>,
    },
    /// The URL waited for this long while its site made no progress ([`GatePolicy::max_stall`](crate::GatePolicy::max_stall)).
    Stalled {
        /// How long the URL waited.
        waited: Duration,
        /// The obstacle.
        awaited: Awaited,
    },
    /// The URL waited for as long as [`GatePolicy::max_wait`](crate::GatePolicy::max_wait) allows.
    TimedOut {
        /// How long the URL waited.
        waited: Duration,
        /// The obstacle.
        awaited: Awaited,
    },
    /// The site, or all sites together, have reached their bound of memory
    /// ([`GatePolicy::max_bytes`](crate::GatePolicy::max_bytes)).
    Full,
    /// The URL has no origin.
    Unsupported(UnsupportedUrl),
    /// The permit was awaited where no timers are: outside of a runtime, or in one that was built without them.
    NoTimers,
    /// The server that shares the delays of a fleet does not answer, or refuses (`WithoutServer::Refuse`).
    NoServer {
        /// The error of the server, or of the connection to it.
        error: String,
    },
    /// The site can't know that the pages, the robots.txt and its rules are those of one crawler.
    OtherName {
        /// The first name of the crawler of the gate, whose rules apply.
        crawler: String,
        /// The `User-Agent` that does not contain it.
        user_agent: String,
        /// Whether it is the one of the requests for robots.txt files.
        for_robots: bool,
    },
}

named! {
    /// The obstacle that a URL waited for.
    #[derive(Hash)]
    #[non_exhaustive]
    pub enum Awaited;
    /// Returns `rules`, `retrieval`, `answer`, `body` or `turn`.
    code;

    /// The rules of the site: its robots.txt.
    Rules "rules" "the robots.txt of the site",
    /// The turn of the robots.txt of the site among the retrievals of the cache
    /// ([`RetrievalLimits`](crate::RetrievalLimits)).
    Retrieval "retrieval" "the turn of the robots.txt of the site among the retrievals",
    /// The answer to another request to the site.
    Answer "answer" "the answer to another request to the site",
    /// The end of a body of the site ([`GatePolicy::origin_bodies`](crate::GatePolicy::origin_bodies)).
    Body "body" "the end of a body of the site that is being read",
    /// The turn of the URL among those of its site, or of its site among those at the same address.
    Turn "turn" "its turn",
}

impl Refusal {
    /// Creates the refusal of a URL, for gates of your own.
    #[must_use]
    pub fn new(url: Url, reason: RefusalReason) -> Self {
        Self(Box::new(Refused { url: Some(url), hop: 0, reason }))
    }

    /// Creates a refusal that is about no URL, or about one that can't be read.
    pub(crate) fn without_url(reason: RefusalReason) -> Self {
        Self(Box::new(Refused { url: None, hop: 0, reason }))
    }

    /// Sets which redirect led to the URL, from 1.
    pub(crate) fn at_hop(mut self, hop: usize) -> Self {
        self.0.hop = hop;
        self
    }

    /// Returns the reason.
    #[must_use]
    pub const fn reason(&self) -> &RefusalReason {
        &self.0.reason
    }

    /// Returns the URL that was refused, with its query; `None` if the request had none that can be read.
    #[must_use]
    pub const fn url(&self) -> Option<&Url> {
        self.0.url.as_ref()
    }

    /// Returns the site of the URL; `None` if the URL has no origin.
    #[must_use]
    pub fn site(&self) -> Option<Origin> {
        Origin::from_url(self.url()?).ok()
    }

    /// Returns 0 for the URL of a request, and *n* for the target of its *n*th redirect that the middleware followed.
    #[must_use]
    pub const fn hop(&self) -> usize {
        self.0.hop
    }

    /// Returns `disallowed`, `not-now`, `stalled`, `timed-out`, `full`, `unsupported`, `no-timers`, `no-server` or `other-name`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.0.reason {
            RefusalReason::Disallowed(_) => "disallowed",
            RefusalReason::NotNow { .. } => "not-now",
            RefusalReason::Stalled { .. } => "stalled",
            RefusalReason::TimedOut { .. } => "timed-out",
            RefusalReason::Full => "full",
            RefusalReason::Unsupported(_) => "unsupported",
            RefusalReason::NoTimers => "no-timers",
            RefusalReason::NoServer { .. } => "no-server",
            RefusalReason::OtherName { .. } => "other-name",
        }
    }

    /// Returns the verdict, if the robots.txt is the reason.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        match self.0.reason {
            RefusalReason::Disallowed(verdict) => Some(verdict),
            RefusalReason::NotNow { verdict, .. } => verdict,
            _ => None,
        }
    }
}

/// The reason, without the URL: for example `disallowed by line 3`.
impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disallowed(verdict) => write!(f, "{verdict}"),
            Self::NotNow { verdict: Some(verdict), until } => {
                write!(f, "{verdict}; ask again at {}", httpdate::fmt_http_date(datable(*until)))
            }
            Self::NotNow { verdict: None, until } => {
                let until = httpdate::fmt_http_date(datable(*until));
                write!(f, "the site wants no requests now; ask again at {until}")
            }
            Self::Stalled { waited, awaited } => {
                let who = if *awaited == Awaited::Retrieval { "they" } else { "the site" };
                write!(f, "waited {} s for {}, and {who} made no progress", waited.as_secs(), awaited.says())
            }
            Self::TimedOut { waited, awaited } => {
                write!(f, "waited {} s for {}", waited.as_secs(), awaited.says())
            }
            Self::Full => f.write_str("too many URLs are waiting; add more later"),
            Self::Unsupported(error) => write!(f, "{error}"),
            Self::NoTimers => {
                f.write_str("the runtime has no timers; build it with `enable_time` or `enable_all`")
            }
            Self::NoServer { error } => {
                write!(
                    f,
                    "the server that shares the delays can't be used ({}); ask again later",
                    shown(error)
                )
            }
            Self::OtherName { crawler, user_agent, for_robots } => {
                let what = if *for_robots { "robots.txt files" } else { "pages" };
                let user_agent = shown(user_agent);
                write!(
                    f,
                    "the crawler of the gate is `{crawler}`, but {what} are requested as `{user_agent}`; use one name"
                )
            }
        }
    }
}

/// The URL without user, password and query, and the reason: for example `https://example.com/private: disallowed by line 3`.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.reason, &self.0.url) {
            // The others name the URL, or its host.
            (
                RefusalReason::Unsupported(error @ (UnsupportedUrl::Scheme(_) | UnsupportedUrl::Client(_))),
                Some(url),
            ) => write!(f, "{}: {error}", without_secrets(url))?,
            (RefusalReason::Unsupported(error), _) => write!(f, "{error}")?,
            (reason, Some(url)) => write!(f, "{}: {reason}", without_secrets(url))?,
            (reason, None) => write!(f, "{reason}")?,
        }
        if self.0.hop > 0 { write!(f, " (redirect {})", self.0.hop) } else { Ok(()) }
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Refusal({:?})", shown(&self.to_string()))
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0.reason {
            RefusalReason::Unsupported(error) => error.source(),
            _ => None,
        }
    }
}
