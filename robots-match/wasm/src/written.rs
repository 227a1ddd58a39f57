//! Files in which crawlers have the access that they should have.

use robots_match::{AccessPlan, AccessWish, Crawler, KnownCrawler, Robots, WantedAccess};
use serde::Serialize;
use tsify::Tsify;

/// A file that was written, and what changes for whom.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The file. Bytes that are not UTF-8 are replaced.
    text: String,
    /// The crawlers that may access nothing any more.
    blocked: Vec<String>,
    /// The crawlers that may access more, and nothing less.
    opened: Vec<String>,
    /// The number of crawlers for which it is proved that nothing changes.
    unchanged: usize,
    /// The blocked crawlers that may ignore the file.
    ignoring: Vec<&'static str>,
    /// What the names of blocked crawlers do not control.
    notes: Vec<String>,
}

/// Returns what a crawler should be able to access: a name counts more than a purpose.
fn wanted(name: &str, purpose: &str, block: &[String], allow: &[String]) -> WantedAccess {
    let has = |list: &[String], value: &str| list.iter().any(|other| other.eq_ignore_ascii_case(value));
    for value in [name, purpose] {
        if has(block, value) {
            return WantedAccess::Nothing;
        }
        if has(allow, value) {
            return WantedAccess::Site;
        }
    }
    WantedAccess::Present
}

impl Written {
    /// Blocks and allows crawlers by their names and purposes. `of_file` are the crawlers that the file names.
    pub(crate) fn new(
        robots: &Robots,
        of_file: &[String],
        block: &[String],
        allow: &[String],
    ) -> Result<Self, String> {
        let mut names: Vec<String> = KnownCrawler::ALL.iter().map(|known| known.name.to_owned()).collect();
        for name in of_file.iter().chain(block).chain(allow) {
            let is_purpose = KnownCrawler::ALL.iter().any(|known| known.purpose.name() == name);
            if !is_purpose && !names.iter().any(|other| other.eq_ignore_ascii_case(name)) {
                names.push(name.clone());
            }
        }
        let policy = &robots.profile().groups;
        let mut crawlers: Vec<(Crawler, WantedAccess)> = Vec::new();
        for name in &names {
            let purpose = KnownCrawler::find(name).map_or("", |known| known.purpose.name());
            let crawler = KnownCrawler::named(name, policy).map_err(|error| error.to_string())?;
            crawlers.push((crawler, wanted(name, purpose, block, allow)));
        }
        crawlers.push((Crawler::unnamed(), WantedAccess::Present));
        let wishes: Vec<AccessWish<'_>> =
            crawlers.iter().map(|(crawler, wanted)| AccessWish { crawler, wanted: *wanted }).collect();
        let plan =
            AccessPlan::new(robots, &wishes, |_| *robots.profile()).map_err(|error| error.to_string())?;
        let list = |places: &[usize]| places.iter().filter_map(|&place| names.get(place)).cloned().collect();
        let blocked: Vec<String> = list(&plan.blocked);
        let known: Vec<&KnownCrawler> = blocked.iter().filter_map(|name| KnownCrawler::find(name)).collect();
        let notes = known.iter().filter_map(|known| {
            let text = known.differences.filter(|text| !text.starts_with("reads files as"))?;
            Some(format!("{}: {text}", known.name))
        });
        Ok(Self {
            text: String::from_utf8_lossy(&plan.body).into_owned(),
            opened: list(&plan.opened),
            unchanged: plan.unchanged,
            ignoring: known
                .iter()
                .filter(|known| known.may_ignore_robots_txt())
                .map(|known| known.name)
                .collect(),
            notes: notes.collect(),
            blocked,
        })
    }
}
