//! `robots expect`: whether crawlers have the access that a file of wanted access describes.

mod arguments;
mod closed;
mod closing;
mod crawlers;
mod files;
mod formats;
mod junit;
mod results;
mod sarif;
mod wanted;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
pub(crate) use self::closed::Closed;
use self::formats::Report;
pub(crate) use self::formats::{MOST_NAMES, Output};
use self::results::Checked;
pub(crate) use self::results::{Answer, Outcome, SharedAnswer, outcomes};
pub(crate) use self::wanted::{FILE, Wanted};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::output::{self, Failures, Style};
use crate::sarif::uri;
use crate::source::{Admitted, require_one_standard_input};
use crate::subject::{Subject, sites_of};
use crate::text::Text;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_one_standard_input(&arguments.inputs)?;
    // The file of the folder may be that of others, and so may inputs that a file names: they are no pipes or devices.
    let (file, of_file, inputs) = match arguments.inputs.split_first() {
        Some((first, rest)) if Wanted::is_name(first) => (first.as_os_str(), Admitted::Any, rest),
        _ => (OsStr::new(FILE), Admitted::Regular, &*arguments.inputs),
    };
    if of_file == Admitted::Regular && !Path::new(FILE).exists() {
        let wanted = inputs.iter().find(|input| Wanted::is_name(input));
        return Err(Failure::new(match wanted.map(|name| Text(name.as_encoded_bytes())) {
            Some(name) => {
                format!("the file of wanted access is the first argument; write `robots expect {name} ...`")
            }
            None => format!(
                "there is no {FILE} in this folder; name a file of wanted access, as `robots expect --help` shows"
            ),
        }));
    }
    let wanted = Wanted::read(file, of_file)?;
    wanted.find_crawlers(&arguments.profile)?;
    let admitted = if inputs.is_empty() { Admitted::Regular } else { Admitted::Any };
    let is_whole = inputs.is_empty() && arguments.environment.is_none();
    let inputs = chosen(&wanted, inputs, arguments)?;
    let network = Network::without_cache(&arguments.requests);
    let (mut checked, mut failed) = (Vec::new(), Failures::default());
    if is_whole {
        for (place, message) in wanted.without_inputs() {
            failed.note(place, Failure::new(message))?;
        }
    }
    for input in &inputs {
        checked.extend(failed.read(input, check(input, admitted, &wanted, arguments, &network))?);
    }
    add_unchecked(&wanted, &mut checked);
    let report =
        Report { wanted: &wanted, profile: arguments.profile.name, checked: &checked, failed: &failed };
    let printed = match arguments.format {
        Format::Human => output::print(report.human(arguments.all)),
        Format::Json => output::json::print(&report.json()),
        Format::Junit => output::print(junit::junit(&report)),
        Format::Github => output::print(report.github()),
        Format::Sarif => output::json::print(&sarif::sarif(&report)),
    };
    output::ended(printed, report.status())
}

/// Returns the inputs that were given, or else those that the file names for the environment, or for all.
fn chosen(wanted: &Wanted, given: &[OsString], arguments: &Arguments) -> Result<Vec<OsString>> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let environment = arguments.environment.as_deref();
    let own = wanted.environments.iter().filter(|(name, _)| environment.is_none_or(|chosen| chosen == name));
    let inputs: Vec<OsString> = own.flat_map(|(_, inputs)| inputs).map(OsString::from).collect();
    if inputs.is_empty() {
        return Err(Failure::new(format!(
            "no robots.txt is named; add a file or the URL of a site, or name them in {} below [environments]",
            wanted.name
        )));
    }
    Ok(inputs)
}

fn check(
    input: &OsStr,
    admitted: Admitted,
    wanted: &Wanted,
    arguments: &Arguments,
    network: &Network,
) -> Result<Checked> {
    let environment = wanted.environment(input, arguments.environment.as_deref())?;
    let subject =
        Subject::read(input, admitted, &arguments.profile, || sites_of(network, &arguments.profile))?;
    for note in subject.notes() {
        output::complain("note", Style::Note, &format!("{}: {note}", subject.name));
    }
    let outcomes = outcomes(wanted, &subject, environment, &arguments.profile)?;
    if outcomes.is_empty() {
        let environment = environment.map(|name| format!(" in the environment `{}`", Text(name.as_bytes())));
        return Err(Failure::new(format!(
            "{}: no entry of {} is about it{}, so nothing was checked",
            subject.name,
            wanted.name,
            environment.unwrap_or_default()
        )));
    }
    let of_site = subject.origin.as_ref().map(|origin| origin.robots_url().to_string());
    let uri = of_site.unwrap_or_else(|| uri(input));
    Ok(Checked { subject, uri, environment: environment.map(str::to_owned), outcomes })
}

/// Adds whole URLs of entries that belong to none of the sites that were asked: nothing is known about them, and without a word
/// they would look as if they were as they should be.
fn add_unchecked(wanted: &Wanted, checked: &mut [Checked]) {
    let mut missing = Vec::new();
    for (index, entry) in wanted.entries.iter().enumerate() {
        let inputs: Vec<&Checked> =
            checked.iter().filter(|input| entry.is_in(input.environment.as_deref())).collect();
        let own = inputs.iter().flat_map(|input| entry.targets(input.subject.origin.as_ref()));
        let about: HashSet<&str> = own.map(|(_, target)| target.text()).collect();
        let is_missing = |url: &String| !inputs.is_empty() && !about.contains(url.as_str());
        let urls = entry.urls.iter().enumerate().filter(|(_, url)| is_missing(url));
        missing.extend(urls.map(|(url, _)| (index, url)));
    }
    if let Some(last) = checked.last_mut() {
        last.outcomes.add_unknown(missing, "the URL belongs to none of the sites");
    }
}
