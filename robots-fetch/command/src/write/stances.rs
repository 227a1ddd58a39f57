//! The access that crawlers should have.

use std::collections::HashSet;

use robots_match::{AccessPlan, AccessPlanError, AccessWish, KnownCrawler, Purpose, WantedAccess};

use crate::arguments::{NamedCrawler, NamedProfile, catalogue, crawlers, require_crawler};
use crate::failure::{Failure, Result};
use crate::names::{Named, purposes_of};
use crate::output;
use crate::output::Style;
use crate::subject::Subject;
use crate::text::Text;
use crate::write::arguments::Arguments;

/// A crawler, and the access that it should have.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) named: NamedCrawler,
    pub(super) known: Option<&'static KnownCrawler>,
    pub(super) wanted: WantedAccess,
}

/// Returns the crawlers of the arguments and of the catalogue, those that a file names, and `*`, each once.
///
/// # Errors
///
/// A value is neither a purpose nor a name, or a crawler is blocked and allowed by values of the same kind.
pub(super) fn wishes(arguments: &Arguments, of_file: Vec<Named>) -> Result<Vec<Wish>> {
    let mut wishes: Vec<(Wish, u8)> = Vec::new();
    let chosen = [(&arguments.block, WantedAccess::Nothing), (&arguments.allow, WantedAccess::Site)];
    // No name has a comma, so a list is several values.
    let several = |value: &String| value.split(',').map(|value| value.trim().to_owned()).collect::<Vec<_>>();
    for (value, wanted) in chosen
        .into_iter()
        .flat_map(|(values, wanted)| values.iter().flat_map(several).map(move |value| (value, wanted)))
    {
        if value.is_empty() {
            return Err(Failure::new("`--block` and `--allow` need a name or a purpose, also after a comma"));
        }
        let value = &value;
        let (members, weight) = members(value, &arguments.profile)?;
        for named in members {
            let is_same = |(wish, _): &&mut (Wish, u8)| wish.named.name.eq_ignore_ascii_case(&named.name);
            match wishes.iter_mut().find(is_same) {
                Some((wish, before)) if *before == weight && wish.wanted != wanted => {
                    let name = Text(named.name.as_bytes());
                    return Err(Failure::new(format!(
                        "`{name}` is both blocked and allowed; name it in one of both"
                    )));
                }
                Some((_, before)) if *before >= weight => {}
                Some((wish, before)) => (wish.wanted, *before) = (wanted, weight),
                None => {
                    let known = catalogue().find(&named.name);
                    wishes.push((Wish { named, known, wanted }, weight));
                }
            }
        }
    }
    let mut all: Vec<Wish> = wishes.into_iter().map(|(wish, _)| wish).collect();
    // The others obey the group for `*`, so with a wish for it, they are meant to change.
    let is_for_all = all.iter().any(|wish| wish.named.name == "*");
    let known = catalogue().crawlers().iter().filter(|_| !is_for_all);
    let known = known.map(|known| (NamedCrawler::known(known), Some(known)));
    let others = of_file.into_iter().map(|named| (named.named, named.known)).chain(known);
    let others = others.chain([(NamedCrawler::everyone(), None)]);
    all.extend(others.map(|(named, known)| Wish { named, known, wanted: WantedAccess::Present }));
    let mut seen = HashSet::new();
    all.retain(|wish| seen.insert(wish.named.name.to_ascii_lowercase()));
    Ok(all)
}

/// Returns the crawlers that a value stands for, and how much it counts.
fn members(value: &str, profile: &NamedProfile) -> Result<(Vec<NamedCrawler>, u8)> {
    let purposes = purposes_of(value);
    if !purposes.is_empty() {
        let known = catalogue().crawlers().iter().filter(|known| purposes.contains(&known.purpose));
        return Ok((known.map(NamedCrawler::known).collect(), u8::from(purposes.len() == 1)));
    }
    if value == "*" {
        return Ok((vec![NamedCrawler::everyone()], 2));
    }
    let shown = Text(value.as_bytes());
    // A misspelt purpose would become the name of a crawler that does not exist.
    if catalogue().find(value).is_none() {
        let letters =
            |text: &str| text.replace(|char: char| !char.is_alphanumeric(), "").to_ascii_lowercase();
        let (own, with_ai) = (letters(value), format!("ai{}", letters(value)));
        let mut names = Purpose::ALL.iter().map(|purpose| purpose.name());
        if let Some(name) = names.find(|name| [&*own, &*with_ai].contains(&&*letters(name))) {
            return Err(Failure::new(format!("unknown purpose `{shown}`; did you mean `{name}`?")));
        }
        if value.starts_with("ai-") {
            return Err(Failure::new(format!(
                "unknown purpose `{shown}`; `robots crawlers --help` lists the purposes"
            )));
        }
    }
    require_crawler(value)?;
    if catalogue().find(value).is_none() {
        let note =
            format!("`{shown}` is neither a purpose nor a crawler of the catalogue; it is written as it is");
        output::complain("note", Style::Note, &note);
    }
    Ok((crawlers(&[value.into()], profile)?, 2))
}

/// Writes the rules into a file, and proves what changes.
pub(super) fn plan(subject: &Subject, profile: &NamedProfile, wishes: &[Wish]) -> Result<AccessPlan> {
    let all: Vec<AccessWish<'_>> =
        wishes.iter().map(|wish| AccessWish { crawler: &wish.named.crawler, wanted: wish.wanted }).collect();
    AccessPlan::new(&subject.robots, &all, |crawler| profile.of(crawler).rules).map_err(|error| {
        let name = match error {
            AccessPlanError::NotPossible(index) => wishes.get(index).map(|wish| &wish.named.name),
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
