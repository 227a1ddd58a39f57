//! `robots crawlers`: which crawlers may access a site, and which lines decide.

mod arguments;
mod formats;
mod rows;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
pub(crate) use self::formats::Output;
use self::rows::Listed;
use crate::arguments::crawlers;
use crate::failure::{Result, status};
use crate::network::Network;
use crate::output::{self, Failures};
use crate::source::{Admitted, require_one_standard_input};
use crate::subject::{Subject, sites_of};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_one_standard_input(&arguments.files)?;
    arguments.csv.require(matches!(arguments.format, Format::Csv))?;
    let chosen = crawlers(&arguments.agents, &arguments.profile)?;
    let network = Network::without_cache(&arguments.requests);
    let mut lists = Vec::new();
    let mut failed = Failures::default();
    let mut has_no_answer = false;
    for file in &arguments.files {
        let sites = || sites_of(&network, &arguments.profile);
        let subject = Subject::read(file, Admitted::Any, &arguments.profile, sites);
        let Some(subject) = failed.read(file, subject)? else { continue };
        has_no_answer |= subject.is_unanswered();
        lists.push(Listed::new(subject, &chosen, arguments));
    }
    has_no_answer |= !failed.is_empty();
    let printed = match arguments.format {
        Format::Human => output::print(formats::human(&lists)),
        Format::Csv => output::print_bytes(arguments.csv.start().as_bytes())
            .and_then(|()| output::print(formats::csv(&lists, &arguments.csv)?)),
        Format::Html => output::print(formats::html(&lists)),
        Format::Json => output::json::print(&Output {
            version: 1,
            profile: arguments.profile.name,
            files: lists.iter().map(formats::json).collect(),
            failed,
        }),
    };
    output::ended(printed, status(has_no_answer, false))
}
