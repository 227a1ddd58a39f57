//! The values of records.

use alloc::vec::Vec;
use core::time::Duration;

use robots_groups::syntax::Field;
use url::Url;

use super::absolute_url::{absolute_url, license};
use super::clean_param::CleanParam;
use super::content_signal::ContentSignal;
use super::content_usage::ContentUsage;
use super::host::HostRecord;
use super::kind::RecordKind;
use super::problem::RecordProblem;
use super::time::{RequestRate, TimeWindow, delay};

/// The value of a record, by the kind of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordValue<'a> {
    /// The URL of a sitemap.
    Sitemap(Url),
    /// The time to wait between requests.
    CrawlDelay(Duration),
    /// The preferred host name of the site.
    Host(HostRecord),
    /// Query parameters that do not change what a page shows.
    CleanParam(CleanParam<'a>),
    /// The number of requests in a period.
    RequestRate(RequestRate),
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
            RecordKind::Host => HostRecord::read(raw).map(Self::Host),
            RecordKind::CleanParam => CleanParam::read(raw).map(Self::CleanParam),
            RecordKind::RequestRate => RequestRate::read(raw).map(Self::RequestRate),
            RecordKind::VisitTime => TimeWindow::read(raw).map(Self::VisitTime),
            RecordKind::ContentSignal => Ok(Self::ContentSignal(ContentSignal::read(raw, problems))),
            RecordKind::ContentUsage => Ok(Self::ContentUsage(ContentUsage::read(raw, problems))),
            RecordKind::License => license(raw, problems).map(Self::License),
            RecordKind::Unknown => return None,
        };
        value.map_err(|problem| problems.push(problem)).ok()
    }
}
