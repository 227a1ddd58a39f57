//! `robots crawlers`: which crawlers may access a site, and which lines decide.

mod arguments;
mod formats;
mod rows;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
pub(crate) use self::formats::Output;
use self::rows::Listed;
use crate::arguments::crawlers;
use crate::failure::{FAILED, Failure, Result};
use crate::network::Network;
use crate::output::json::Failed;
use crate::output::{self, Style};
use crate::source::{Admitted, require_one_standard_input};
use crate::subject::{Subject, sites_of};
use crate::text::Text;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_one_standard_input(&arguments.files)?;
    arguments.csv.require(matches!(arguments.format, Format::Csv))?;
    let chosen = crawlers(&arguments.agents, &arguments.profile)?;
    let network = Network::without_cache(&arguments.requests);
    let mut lists = Vec::new();
    let mut failed: Vec<Failed> = Vec::new();
    let mut is_unknown = false;
    for file in &arguments.files {
        match Subject::read(file, Admitted::Any, &arguments.profile, || {
            sites_of(&network, &arguments.profile)
        }) {
            Ok(subject) => {
                is_unknown |= subject.is_unknown() || subject.is_other_file();
                lists.push(Listed::new(subject, &chosen, arguments));
            }
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(Failure::Message(message)) => {
                output::complain("error", Style::Error, &message);
                failed.push(Failed { file: Text(file.as_encoded_bytes()).to_string(), message });
            }
        }
    }
    let has_failed = is_unknown || !failed.is_empty();
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
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => Ok(if has_failed { FAILED } else { 0 }),
        Err(failure) => Err(failure),
    }
}
