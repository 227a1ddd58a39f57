//! The values of records.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use robots_groups::syntax::Field;
use url::Url;

use super::absolute_url::{absolute_url, license};
use super::clean_param::clean_param;
use super::content_signal::ContentSignal;
use super::content_usage::ContentUsage;
use super::host::host;
use super::kind::RecordKind;
use super::problem::RecordProblem;
use super::time::{TimeWindow, delay, request_rate};
use crate::host_text::unicode_host;

/// The value of a record, by the kind of the record.
///
/// ```
/// use core::time::Duration;
/// use robots_match::records::{RecordValue, Records};
/// use robots_match::{Profile, Robots};
///
/// let body = "User-agent: *\nRequest-rate: 1/10m 1300-1659\nClean-param: ref&sid /forum/*.php\n\
///     Host: https://www.example.com:8443\n";
/// let robots = Robots::new(body, Profile::RFC9309);
/// let groups = robots.groups();
/// for record in Records::new(&robots, &groups).all() {
///     match record.value.as_ref().unwrap() {
///         RecordValue::RequestRate { requests, period, window } => {
///             assert_eq!((*requests, *period), (1, Duration::from_secs(600)));
///             assert!(window.unwrap().contains(16, 59));
///         }
///         RecordValue::CleanParam { names, path } => {
///             assert_eq!(names.iter().map(|name| name.bytes()).collect::<Vec<_>>(), [b"ref", b"sid"]);
///             assert_eq!(path.unwrap().bytes(), b"/forum/*.php");
///         }
///         RecordValue::Host { scheme, name, port } => {
///             assert_eq!((scheme.as_deref(), &**name, *port), (Some("https"), "www.example.com", Some(8443)));
///         }
///         other => panic!("{other:?}"),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordValue<'a> {
    /// The URL of a sitemap.
    Sitemap(Url),
    /// The time to wait between requests.
    CrawlDelay(Duration),
    /// The preferred host name of the site, which Yandex used until 2018.
    Host {
        /// The scheme, in lower case, if there is one.
        scheme: Option<String>,
        /// The host, in ASCII and lower case.
        name: String,
        /// The port, if there is one and it is not the default port of the scheme.
        port: Option<u16>,
    },
    /// Query parameters that do not change what the pages below a path show, which Yandex obeys. The record does not belong
    /// to a group.
    CleanParam {
        /// The names of the parameters. There is at least one name, and names are not empty.
        names: Vec<Field<'a>>,
        /// The path of the pages; `None` for all pages.
        path: Option<Field<'a>>,
    },
    /// The number of requests in a period (the extended standard of 2002).
    RequestRate {
        /// The number of requests, at least 1.
        requests: u64,
        /// The period, at least one second.
        period: Duration,
        /// The hours in which the rate applies; `None` for all day.
        window: Option<TimeWindow>,
    },
    /// The hours in which requests are welcome.
    VisitTime(TimeWindow),
    /// Permitted uses of content.
    ContentSignal(ContentSignal<'a>),
    /// Preferences about the use of content.
    ContentUsage(ContentUsage<'a>),
    /// The URL of a license.
    License(Url),
}

impl<'a> RecordValue<'a> {
    pub(super) fn read(kind: RecordKind, raw: Field<'a>, problems: &mut Vec<RecordProblem>) -> Option<Self> {
        let value = match kind {
            RecordKind::Sitemap => absolute_url(raw).map(Self::Sitemap),
            RecordKind::CrawlDelay => delay(raw).map(Self::CrawlDelay),
            RecordKind::Host => host(raw).map(|(scheme, name, port)| Self::Host { scheme, name, port }),
            RecordKind::CleanParam => clean_param(raw).map(|(names, path)| Self::CleanParam { names, path }),
            RecordKind::RequestRate => request_rate(raw)
                .map(|(requests, period, window)| Self::RequestRate { requests, period, window }),
            RecordKind::VisitTime => TimeWindow::read(raw).map(Self::VisitTime),
            RecordKind::ContentSignal => Ok(Self::ContentSignal(ContentSignal::read(raw, problems))),
            RecordKind::ContentUsage => Ok(Self::ContentUsage(ContentUsage::read(raw, problems))),
            RecordKind::License => license(raw, problems).map(Self::License),
            RecordKind::Unknown => return None,
        };
        value.map_err(|problem| problems.push(problem)).ok()
    }

    /// Returns the host of [`Self::Host`] in Unicode for people, if it differs from the name in ASCII and can be shown: its
    /// letters belong to one script, are not easily confused with other letters, and are written from left to right.
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Profile, Robots};
    ///
    /// let robots = Robots::new("Host: www.xn--exmple-cua.com\n", Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// let host = records.all()[0].value.as_ref().unwrap();
    /// assert_eq!(host.unicode_host().as_deref(), Some("www.ex\u{E4}mple.com"));
    /// ```
    #[must_use]
    pub fn unicode_host(&self) -> Option<String> {
        match self {
            Self::Host { name, .. } => unicode_host(name),
            _ => None,
        }
    }
}
