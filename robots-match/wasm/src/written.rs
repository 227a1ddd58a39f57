//! Files in which crawlers have the access that they should have.

use robots_match::{AccessChoice, AccessPlan, AccessWish, Catalogue, KnownCrawler, Robots, WantedAccess};
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

impl Written {
    /// Blocks and allows crawlers by their names and purposes. `of_file` are the crawlers that the file names.
    pub(crate) fn new(
        robots: &Robots,
        of_file: &[String],
        block: &[String],
        allow: &[String],
    ) -> Result<Self, String> {
        let policy = &robots.profile().groups;
        let crawler = |name: &str| KnownCrawler::named(name, policy).map_err(|error| error.to_string());
        let blocked = block.iter().map(|value| (&**value, WantedAccess::Nothing));
        let values = blocked.chain(allow.iter().map(|value| (&**value, WantedAccess::Site)));
        let of_file = of_file.iter().map(|name| Ok((name.clone(), crawler(name)?)));
        let of_file: Vec<_> = of_file.collect::<Result<_, String>>()?;
        let catalogue = &Catalogue::BUILT_IN;
        let choice = AccessChoice::new(values, of_file, catalogue, crawler)?;
        let chosen = choice.crawlers.iter();
        let wishes: Vec<AccessWish<'_>> =
            chosen.map(|chosen| AccessWish { crawler: &chosen.crawler, wanted: chosen.wanted }).collect();
        let plan =
            AccessPlan::new(robots, &wishes, |_| *robots.profile()).map_err(|error| error.to_string())?;
        let name = |&place: &usize| choice.crawlers.get(place).map(|chosen| chosen.name.clone());
        let list = |places: &[usize]| places.iter().filter_map(name).collect();
        let unknown = choice.unknown.iter();
        let unknown = unknown.map(|name| format!("{name} is not in the catalogue; it is written as it is"));
        let notes = choice.notes(catalogue).into_iter().map(|(name, text)| format!("{name}: {text}"));
        Ok(Self {
            text: String::from_utf8_lossy(&plan.body).into_owned(),
            opened: list(&plan.opened),
            unchanged: plan.unchanged,
            ignoring: choice
                .known_blocked()
                .filter(|known| known.may_ignore_robots_txt())
                .map(|known| known.name)
                .collect(),
            notes: unknown.chain(notes).collect(),
            blocked: list(&plan.blocked),
        })
    }
}
