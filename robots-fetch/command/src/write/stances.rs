//! The access that crawlers should have.

use robots_match::{AccessChoice, AccessPlan, AccessPlanError, AccessWish, WantedAccess};

use crate::arguments::{NamedProfile, catalogue, crawlers};
use crate::failure::{Failure, Result};
use crate::names::Named;
use crate::output;
use crate::output::Style;
use crate::subject::Subject;
use crate::text::Text;
use crate::write::arguments::Arguments;

/// Returns the crawlers of the arguments and of the catalogue, those that a file names, and `*`, each once.
///
/// # Errors
///
/// See [`AccessChoice::new`].
pub(super) fn choice(arguments: &Arguments, of_file: Vec<Named>) -> Result<AccessChoice> {
    let blocked = arguments.block.iter().map(|value| (&**value, WantedAccess::Nothing));
    let values = blocked.chain(arguments.allow.iter().map(|value| (&**value, WantedAccess::Site)));
    let of_file = of_file.into_iter().map(|named| (named.named.name, named.named.crawler));
    let choice = AccessChoice::new(values, of_file, &catalogue(), |name| {
        let found = crawlers(&[name.into()], &arguments.profile).map_err(|failure| failure.to_string())?;
        Ok(found.into_iter().next().map(|named| named.crawler).unwrap_or_else(robots_match::Crawler::unnamed))
    });
    let choice = choice.map_err(Failure::new)?;
    for name in &choice.unknown {
        let name = Text(name.as_bytes());
        let note =
            format!("`{name}` is neither a purpose nor a crawler of the catalogue; it is written as it is");
        output::complain("note", Style::Note, &note);
    }
    Ok(choice)
}

/// Writes the rules into a file, and proves what changes.
pub(super) fn plan(subject: &Subject, profile: &NamedProfile, choice: &AccessChoice) -> Result<AccessPlan> {
    let chosen = choice.crawlers.iter();
    let all: Vec<AccessWish<'_>> =
        chosen.map(|chosen| AccessWish { crawler: &chosen.crawler, wanted: chosen.wanted }).collect();
    AccessPlan::new(&subject.robots, &all, |crawler| profile.of(crawler).rules).map_err(|error| {
        let name = match error {
            AccessPlanError::NotPossible(index) => choice.crawlers.get(index).map(|chosen| &chosen.name),
            _ => None,
        };
        Failure::new(match name {
            Some(name) => format!(
                "no group gives `{}` the access that it should have without a change for others; nothing is written; `robots \
                 lint` shows what is odd in the file",
                Text(name.as_bytes())
            ),
            None => format!("{error}; nothing is written"),
        })
    })
}
