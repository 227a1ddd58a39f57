//! The argument `--agent`.

use std::ffi::OsString;

use clap::Args;
use robots_match::{Crawler, HeaderKind, KnownCrawler, UserAgent};

use super::profile::NamedProfile;
use crate::arguments::catalogue::catalogue;
use crate::failure::{Failure, Result};
use crate::output::{self, Style};
use crate::text::Text;

/// The crawlers that are asked about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Agents {
    /// The name of a crawler, or its User-Agent header. NAME,NAME is one crawler that tries its names in this order until a
    /// group has one. Give several for several crawlers
    #[arg(short = 'a', long = "agent", value_name = "NAME", required = true)]
    names: Vec<OsString>,
}

/// A crawler, and the text that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedCrawler {
    /// The text by which a person or a file named the crawler; `*` for crawlers that no group names.
    pub(crate) name: String,
    pub(crate) crawler: Crawler,
}

impl Agents {
    /// Returns the crawlers in the order of the arguments; see [`crawlers`].
    pub(crate) fn crawlers(&self, profile: &NamedProfile) -> Result<Vec<NamedCrawler>> {
        crawlers(&self.names, profile)
    }
}

/// Returns the crawlers with these names, and writes notes to standard error: which name was found in a header, which name no
/// line can contain under the profile, and in what a known crawler departs from others.
pub(crate) fn crawlers(arguments: &[OsString], profile: &NamedProfile) -> Result<Vec<NamedCrawler>> {
    let mut crawlers = Vec::new();
    for argument in arguments {
        let bytes = argument.as_encoded_bytes();
        let text = core::str::from_utf8(bytes)
            .map_err(|_| Failure::new(format!("the agent `{}` is not UTF-8", Text(bytes))))?;
        let named = NamedCrawler { name: text.to_owned(), crawler: crawler(text, profile)? };
        if !crawlers.contains(&named) {
            crawlers.push(named);
        }
    }
    Ok(crawlers)
}

impl NamedCrawler {
    /// Creates the crawlers that no group names.
    pub(crate) fn everyone() -> Self {
        Self { name: "*".to_owned(), crawler: Crawler::unnamed() }
    }

    /// Creates a crawler of the catalogue.
    pub(crate) fn known(known: &KnownCrawler) -> Self {
        Self { name: known.name.to_owned(), crawler: known.crawler() }
    }
}

fn crawler(text: &str, profile: &NamedProfile) -> Result<Crawler> {
    let policy = &profile.rules.groups;
    let parts = KnownCrawler::names_in(text);
    for part in &parts {
        let crawler = Crawler::parse([part], policy, catalogue().names())
            .map_err(|error| Failure::new(Text(error.to_string().as_bytes()).to_string()))?;
        if let Some(note) = note(part, crawler.names().next(), profile) {
            output::complain("note", Style::Note, &note);
        }
    }
    let crawler = catalogue().named(text, policy).map_err(|error| Failure::new(error.to_string()))?;
    let names: Vec<&str> = crawler.names().collect();
    if let [first, others @ ..] = &*names
        && parts.len() > 1
        && let Some(other) = others.iter().find(|other| are_of_two_crawlers(first, other))
    {
        let note = format!(
            "`{first}` and `{other}` are crawlers of two operators, but a list is one crawler: `{other}` counts only if no group names \
             `{first}`; to ask about both, give `--agent` twice"
        );
        output::complain("note", Style::Note, &note);
    }
    if let ([first, others @ ..], [_]) = (&*names, &*parts) {
        if !others.is_empty() {
            let others = others.join("`, then `");
            let note = format!("`{first}` obeys groups for `{others}` if no group names it");
            output::complain("note", Style::Note, &note);
        } else if !crawler.obeys_wildcard() {
            output::complain("note", Style::Note, &format!("`{first}` does not obey groups for `*`"));
        }
    }
    Ok(crawler)
}

/// Whether two names are known as those of crawlers of two operators, of which the first does not obey groups for the second.
fn are_of_two_crawlers(first: &str, other: &str) -> bool {
    let [Some(first), Some(second)] = [first, other].map(|name| catalogue().find(name)) else { return false };
    first.operator != second.operator && !first.tokens.iter().any(|token| token.eq_ignore_ascii_case(other))
}

/// Refuses the name of a product, and a name that differs from one of the catalogue by a mistake. No crawler obeys a rule for it.
pub(crate) fn require_crawler(name: &str) -> Result<()> {
    catalogue().require(name).map_err(Failure::new)
}

/// Says which crawlers a product has, if a name is that of a product and of no crawler.
fn of_product(name: &str) -> Option<String> {
    (!catalogue().of_product(name).is_empty()).then(|| catalogue().require(name).err()).flatten()
}

/// The note about a text for which `name` was found.
fn note(text: &str, name: Option<&str>, profile: &NamedProfile) -> Option<String> {
    let shown = Text(text.as_bytes());
    if let Some(note) = of_product(text) {
        return Some(note);
    }
    let header = UserAgent::read(text.as_bytes(), catalogue().names());
    match name {
        Some(name) if name != text && header.kind() == HeaderKind::Several => {
            let mut others = Vec::new();
            header.each_known(catalogue().names(), |index, _| {
                let other = catalogue().names().names().get(index).copied().unwrap_or_default();
                if !other.eq_ignore_ascii_case(name) && !others.contains(&other) {
                    others.push(other);
                }
            });
            let others = others.join("` and `");
            Some(format!(
                "`{shown}` is a User-Agent header that names `{name}` and `{others}`; the answer is for `{name}`"
            ))
        }
        Some(name) if name != text => {
            Some(format!("`{shown}` is a User-Agent header; its crawler is `{name}`"))
        }
        Some(name) if name.contains(' ') && header.known().is_some() && header.name() != Some(name) => {
            Some(format!(
                "`{shown}` is read as one name, which no known crawler has; several crawlers are several options `--agent`"
            ))
        }
        Some(name) if profile.rules.groups.can_name(name) => {
            let meant = catalogue().suggest(name)?;
            Some(format!("no crawler of the catalogue has the name `{shown}`; did you mean `{meant}`?"))
        }
        None if text == "*" => Some("`*` is not the name of a crawler; groups for `*` apply".to_owned()),
        None if UserAgent::is_header(text) => {
            Some(format!("`{shown}` is a User-Agent header that names no crawler; groups for `*` apply"))
        }
        _ => Some(format!(
            "under {} no line can name `{shown}`, because only letters, `_` and `-` are read; groups for `*` apply",
            profile.document
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_separated_by_commas_and_headers_are_not() {
        assert_eq!(KnownCrawler::names_in("Googlebot-Image, Googlebot"), ["Googlebot-Image", "Googlebot"]);
        let header = "Mozilla/5.0 (KHTML, like Gecko; compatible; ExampleBot/1.0)";
        assert_eq!(KnownCrawler::names_in(header), [header]);
    }

    #[test]
    fn a_list_of_two_operators_is_not_one_crawler() {
        for (first, other, are_two) in [
            ("GPTBot", "CCBot", true),
            ("ccbot", "gptbot", true),
            ("Googlebot-Image", "Googlebot", false),
            ("AdsBot-Google", "Googlebot", false),
            ("Applebot", "Googlebot", false),
            ("ExampleBot-Image", "ExampleBot", false),
        ] {
            assert_eq!(are_of_two_crawlers(first, other), are_two, "{first}, {other}");
        }
    }

    #[test]
    fn known_crawlers_have_the_names_and_habits_of_the_catalogue() {
        let profile = NamedProfile::default();
        let crawler = |text: &str| crawler(text, &profile).unwrap();
        assert!(crawler("googlebot-image").names().eq(["Googlebot-Image", "Googlebot"]));
        assert!(crawler("Googlebot-Image,GoogleOther").names().eq(["Googlebot-Image", "GoogleOther"]));
        assert!(!crawler("AdsBot-Google").obeys_wildcard());
        assert!(crawler("AdsBot-Google,Googlebot").names().eq(["AdsBot-Google", "Googlebot"]));
        assert!(crawler("ExampleBot").obeys_wildcard());
    }
}
