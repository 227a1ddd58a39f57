//! The facts of a file for one crawler: none without the feature `records`.

#[cfg(feature = "records")]
pub(super) use robots_match::records::CrawlFacts;

#[cfg(not(feature = "records"))]
#[derive(Debug, Default)]
pub(super) struct CrawlFacts;

#[cfg(not(feature = "records"))]
impl CrawlFacts {
    pub(super) const fn new(_: &robots_match::Robots, _: &robots_match::Crawler) -> Self {
        Self
    }

    pub(super) const fn memory(&self) -> usize {
        0
    }
}
