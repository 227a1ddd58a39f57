//! `robots diff`: which URLs crawlers may access under one robots.txt and not under another, with proof.

mod arguments;
mod compare;
mod formats;
mod report;

use std::ffi::OsString;

use robots_match::Robots;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
pub(crate) use self::compare::{Combined, Direction, compare};
pub(crate) use self::formats::Output;
use self::report::{Report, Urls};
use crate::arguments::{NamedCrawler, NamedProfile, bytes_of, crawlers, is_url};
use crate::failure::{Failure, Result};
use crate::names::FileGroups;
use crate::network::Network;
use crate::output::{self, Style};
use crate::source::{Admitted, require_one_standard_input};
use crate::subject::{Subject, sites_of};
use crate::url_list::UrlList;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_one_standard_input(arguments.new.iter().chain(&arguments.urls).chain([&arguments.old]))?;
    let has_agent = arguments.user_agent_old.is_some() || arguments.user_agent_new.is_some();
    if has_agent
        && ![Some(&arguments.old), arguments.new.as_ref()].into_iter().flatten().any(|input| is_url(input))
    {
        return Err(Failure::new(
            "`--user-agent-old` and `--user-agent-new` are for sites; name the URL of a site, such as `https://example.com`",
        ));
    }
    if arguments.new.is_none()
        && !has_agent
        && arguments.against.is_some_and(|against| against.name == arguments.profile.name)
    {
        return Err(Failure::new(
            "`--against` names the document of `--profile`, so the file would be compared with itself; name another one",
        ));
    }
    let (old, new) = subjects(arguments)?;
    if let Some(subject) = [&old, &new].into_iter().find(|subject| subject.is_unknown()) {
        let (name, note) = (&subject.name, subject.note().unwrap_or_default());
        let what = format!("{name}: {note}; try again, because a comparison needs an answer of the site");
        return Err(Failure::new(what));
    }
    let crawlers = chosen(arguments, &old, &new)?;
    let urls = match &arguments.urls {
        Some(argument) => {
            let network = Network::without_cache(&arguments.requests);
            let list = UrlList::read(argument, || sites_of(&network, &arguments.profile))?;
            for problem in &list.problems {
                output::complain("error", Style::Error, problem);
            }
            Some(Urls::new(list, &old, &new, &crawlers))
        }
        None => None,
    };
    let compared = compare(&old, &new, &crawlers, arguments.max_states);
    let report = Report { arguments, old, new, crawlers, compared, urls };
    let printed = match arguments.format {
        Format::Human => output::print(formats::human(&report)),
        Format::Github => output::print(formats::github(&report)),
        Format::Json => output::json::print(&formats::json(&report)),
    };
    output::ended(printed, report.status())
}

/// Reads both robots.txt.
fn subjects(arguments: &Arguments) -> Result<(Subject, Subject)> {
    let agents = [arguments.user_agent_old.as_ref(), arguments.user_agent_new.as_ref()];
    let [first, second] =
        agents.map(|agent| Network::without_cache(&arguments.requests).with_user_agent(agent));
    let read_by = |network: &Network, argument: &OsString, profile: &NamedProfile| {
        Subject::read(argument, Admitted::Any, profile, || sites_of(network, profile))
    };
    let against = arguments.against.unwrap_or(arguments.profile);
    match &arguments.new {
        Some(new) => {
            Ok((read_by(&first, &arguments.old, &arguments.profile)?, read_by(&second, new, &against)?))
        }
        // Standard input is read once, as far as either profile reads it.
        None if arguments.old == "-" => {
            let mut wide = arguments.profile.rules;
            wide.syntax.max_size = None;
            let bytes = bytes_of(&arguments.old, Admitted::Any, &wide)?;
            let subject = |profile: &NamedProfile| Subject::of_bytes(&arguments.old, &bytes, profile);
            Ok((subject(&arguments.profile), subject(&against)))
        }
        None => Ok((
            read_by(&first, &arguments.old, &arguments.profile)?,
            read_by(&second, &arguments.old, &against)?,
        )),
    }
}

/// Returns the crawlers that are compared: those of `--agent`, or `*` and those that one of the files names; and those of the
/// catalogue that are chosen.
fn chosen(arguments: &Arguments, old: &Subject, new: &Subject) -> Result<Vec<NamedCrawler>> {
    let mut all = crawlers(&arguments.agents, &arguments.profile)?;
    // With a purpose, only its crawlers are compared.
    if all.is_empty() && (arguments.all || !arguments.catalogue.is_given()) {
        all.push(NamedCrawler::everyone());
        for subject in [old, new] {
            let robots = Robots::new(subject.body(), *subject.robots.profile());
            all.extend(FileGroups::new(&robots).named().into_iter().map(|named| named.named));
        }
    }
    arguments.catalogue.add_to(&mut all, arguments.all)?;
    Ok(all)
}
