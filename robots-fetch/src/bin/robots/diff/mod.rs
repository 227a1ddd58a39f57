//! `robots diff`: which URLs crawlers may access under one robots.txt and not under another, with proof.

mod arguments;
mod compare;
mod formats;

use std::ffi::OsString;

use robots_match::{Robots, Verdict};

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
use self::compare::{Compared, compare};
use crate::arguments::{NamedCrawler, NamedProfile, bytes_of, crawlers, is_url};
use crate::failure::{Failure, Result};
use crate::names::FileGroups;
use crate::network::Network;
use crate::output;
use crate::subject::{Subject, sites_of};
use crate::url_list::UrlList;

/// The exit status if no change was found, and the search for one reached its limit.
const UNDECIDED: u8 = 3;

/// The direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    NewlyDisallowed,
    NewlyAllowed,
}

impl Direction {
    const ALL: [Self; 2] = [Self::NewlyDisallowed, Self::NewlyAllowed];

    const fn name(self) -> &'static str {
        match self {
            Self::NewlyDisallowed => "newly-disallowed",
            Self::NewlyAllowed => "newly-allowed",
        }
    }
}

/// Two robots.txt, the crawlers, and what differs.
struct Report<'r> {
    arguments: &'r Arguments,
    old: Subject,
    new: Subject,
    crawlers: Vec<NamedCrawler>,
    compared: Compared,
    urls: Option<Urls>,
}

/// The URLs of a list whose verdicts change.
struct Urls {
    list: UrlList,
    /// URL, crawler, and the verdicts before and after.
    changes: Vec<(usize, usize, Verdict, Verdict)>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let (old, new) = subjects(arguments)?;
    let crawlers = chosen(arguments, &old, &new)?;
    let urls = match &arguments.urls {
        Some(argument) => {
            let network = Network::without_cache(&arguments.requests);
            let list = UrlList::read(argument, || sites_of(&network, &arguments.profile))?;
            Some(Urls::new(list, &old, &new, &crawlers))
        }
        None => None,
    };
    let compared = compare(&old, &new, &crawlers, arguments.max_states);
    let report = Report { arguments, old, new, crawlers, compared, urls };
    let printed = match arguments.format {
        Format::Human => output::print(&formats::human(&report)),
        Format::Github => output::print(&formats::github(&report)),
        Format::Json => crate::json::print(&formats::json(&report)),
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => Ok(report.status()),
        Err(failure) => Err(failure),
    }
}

/// Reads both robots.txt.
fn subjects(arguments: &Arguments) -> Result<(Subject, Subject)> {
    let network = Network::without_cache(&arguments.requests);
    let read = |argument: &OsString, profile: &NamedProfile| {
        Subject::read(argument, profile, || sites_of(&network, profile))
    };
    let against = arguments.against.unwrap_or(arguments.profile);
    match &arguments.new {
        Some(new) if new == "-" && arguments.old == "-" => {
            Err(Failure::new("standard input can be read only once; name a file for OLD or NEW"))
        }
        Some(new) => Ok((read(&arguments.old, &arguments.profile)?, read(new, &against)?)),
        // Standard input is read once, as far as either profile reads it.
        None if arguments.old == "-" => {
            let mut wide = arguments.profile.rules;
            wide.syntax.max_size = None;
            let bytes = bytes_of(&arguments.old, &wide)?;
            let subject = |profile: &NamedProfile| Subject::of_bytes(&arguments.old, &bytes, profile);
            Ok((subject(&arguments.profile), subject(&against)))
        }
        None => Ok((read(&arguments.old, &arguments.profile)?, read(&arguments.old, &against)?)),
    }
}

/// Returns the crawlers that are compared: those of `--agent`, or `*` and those that one of the files names; and those of the
/// catalogue that are chosen.
fn chosen(arguments: &Arguments, old: &Subject, new: &Subject) -> Result<Vec<NamedCrawler>> {
    let mut all = crawlers(&arguments.agents, &arguments.profile)?;
    if all.is_empty() {
        all.push(NamedCrawler::everyone());
        for subject in [old, new] {
            let robots = Robots::new(subject.body(), *subject.robots.profile());
            all.extend(FileGroups::new(&robots).named().into_iter().map(|named| named.named));
        }
    }
    if arguments.all || arguments.catalogue.is_given() {
        all.extend(arguments.catalogue.crawlers().map(NamedCrawler::known));
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|named| seen.insert(named.name.to_ascii_lowercase()));
    Ok(all)
}

impl Urls {
    fn new(list: UrlList, old: &Subject, new: &Subject, crawlers: &[NamedCrawler]) -> Self {
        let mut changes = Vec::new();
        for (crawler, named) in crawlers.iter().enumerate() {
            let (before, after) = (old.rules(&named.crawler), new.rules(&named.crawler));
            for (index, url) in list.urls.iter().enumerate() {
                let (before, after) =
                    (old.verdict(before.check_text(url)), new.verdict(after.check_text(url)));
                if before.is_allowed() != after.is_allowed() {
                    changes.push((index, crawler, before, after));
                }
            }
        }
        Self { list, changes }
    }
}

impl Report<'_> {
    /// Returns whether a change in this direction makes the command fail.
    fn denies(&self, direction: Direction) -> bool {
        let denied = &self.arguments.deny;
        denied.is_empty() || denied.iter().flatten().any(|&denied| denied == direction)
    }

    fn status(&self) -> u8 {
        let of_url = |after: &Verdict| match after.is_allowed() {
            true => Direction::NewlyAllowed,
            false => Direction::NewlyDisallowed,
        };
        let changes = self.compared.changes.iter().map(|found| found.direction);
        let urls = self.urls.iter().flat_map(|urls| &urls.changes).map(|(.., after)| of_url(after));
        if changes.chain(urls).any(|direction| self.denies(direction)) {
            return 1;
        }
        let is_undecided = self.compared.undecided.iter().any(|(_, direction)| self.denies(*direction));
        if is_undecided { UNDECIDED } else { 0 }
    }

    fn name(&self, crawler: usize) -> &str {
        self.crawlers.get(crawler).map_or("", |named| &named.name)
    }

    /// Returns whether this is about one file that two profiles read.
    fn is_of_profiles(&self) -> bool {
        self.arguments.new.is_none() && !is_url(&self.arguments.old)
    }
}
