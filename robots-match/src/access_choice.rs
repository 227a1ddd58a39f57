//! The access that crawlers should have, by their names and purposes.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::{Crawler, UserAgent};

use crate::access::WantedAccess;
use crate::catalogue::{Catalogue, KnownCrawler, Purpose, product};

/// A crawler, and the access that it should have.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct ChosenAccess {
    /// The text that named it; `*` for all crawlers that no group names.
    pub name: String,
    /// The crawler.
    pub crawler: Crawler,
    /// The entry of the catalogue, if there is one.
    pub known: Option<&'static KnownCrawler>,
    /// The access.
    pub wanted: WantedAccess,
}

/// The crawlers that were blocked and allowed, and all others that are known.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct AccessChoice {
    /// Each crawler once: those that were chosen, those of the file, those of the catalogue, and `*`.
    pub crawlers: Vec<ChosenAccess>,
    /// The chosen names that are not in the catalogue.
    pub unknown: Vec<String>,
}

/// The name of all purposes of AI products.
const AI: &str = "ai";

impl Purpose {
    /// Returns the purposes that a name in any case stands for, of which `ai` is every purpose of AI products; none if it is unknown.
    #[doc(hidden)]
    #[must_use]
    pub fn named(name: &str) -> Vec<Self> {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        let has_name = |purpose: &Self| is(purpose.name()) || is(AI) && purpose.is_ai();
        Self::ALL.into_iter().filter(has_name).collect()
    }
}

impl Catalogue {
    /// Refuses the name of a product, and a name that differs from one of the catalogue by a mistake. No crawler obeys a rule for it.
    ///
    /// # Errors
    ///
    /// The error says which names were meant.
    #[doc(hidden)]
    pub fn require(&self, name: &str) -> Result<(), String> {
        // A header, or a list of names that one crawler has.
        if UserAgent::is_header(name) || KnownCrawler::names_in(name).len() > 1 {
            return Ok(());
        }
        if self.find(name).is_none() && product(name.as_bytes()).is_some_and(<[_]>::is_empty) {
            return Err(format!(
                "no crawler looks for the name `{}`; name each crawler that you mean",
                name.escape_debug()
            ));
        }
        match (self.of_product(name), self.suggest(name)) {
            ([], None) => Ok(()),
            ([], Some(meant)) => {
                Err(format!("unknown crawler `{}`; did you mean `{meant}`?", name.escape_debug()))
            }
            (names, _) => Err(format!(
                "no crawler looks for the name `{}`; name those that you mean: `{}`",
                name.escape_debug(),
                names.join("`, `")
            )),
        }
    }

    /// Refuses purposes that no crawler has, such as `unknown`: nothing would be done for them.
    ///
    /// # Errors
    ///
    /// The error names the first purpose.
    #[doc(hidden)]
    pub fn require_crawlers(&self, purposes: &[Purpose]) -> Result<(), String> {
        if self.crawlers().iter().any(|known| purposes.contains(&known.purpose)) {
            return Ok(());
        }
        Err(format!(
            "no crawler of the catalogue has the purpose `{}`; name the crawlers that you mean",
            purposes.first().map_or(AI, |purpose| purpose.name())
        ))
    }

    /// Refuses several names or purposes in one value. They would become the name of one crawler, which does not exist.
    fn require_one(&self, value: &str) -> Result<(), String> {
        let is_known =
            |word: &str| word == "*" || self.find(word).is_some() || !Purpose::named(word).is_empty();
        let words =
            value.split([' ', ';', '|', '+', '&', '/']).filter(|word| !["", "and", "or"].contains(word));
        let words: Vec<&str> = words.collect();
        // A header has other words as well.
        let is_list = match value.contains(['/', '(', ':']) {
            true => words.iter().all(|word| is_known(word)),
            false => words.iter().any(|word| is_known(word)),
        };
        if !is_list || words.len() < 2 || self.find(value).is_some() {
            return Ok(());
        }
        Err(format!(
            "`{}` is several names or purposes; write commas between them, such as `{}`",
            value.escape_debug(),
            words.join(",").escape_debug()
        ))
    }

    /// Refuses a misspelt purpose. It would become the name of a crawler that does not exist.
    fn require_no_purpose(&self, value: &str) -> Result<(), String> {
        if self.find(value).is_some() {
            return Ok(());
        }
        let letters =
            |text: &str| text.replace(|char: char| !char.is_alphanumeric(), "").to_ascii_lowercase();
        let (own, with_ai) = (letters(value), format!("ai{}", letters(value)));
        let mut names = Purpose::ALL.iter().map(|purpose| purpose.name());
        let what = match names.find(|name| [&*own, &*with_ai].contains(&&*letters(name))) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if value.starts_with("ai-") && !value.contains(' ') => {
                format!("the purposes are {AI}, {}", Purpose::ALL.map(Purpose::name).join(", "))
            }
            None => return Ok(()),
        };
        Err(format!("unknown purpose `{}`; {what}", value.escape_debug()))
    }
}

impl ChosenAccess {
    /// Returns a wish for all crawlers that no group names.
    fn everyone(wanted: WantedAccess) -> Self {
        Self { name: "*".into(), crawler: Crawler::unnamed(), known: None, wanted }
    }

    fn known(known: &'static KnownCrawler, wanted: WantedAccess) -> Self {
        Self { name: known.name.into(), crawler: known.crawler(), known: Some(known), wanted }
    }
}

impl AccessChoice {
    /// Chooses by values, each with the access that it wants: a name, a purpose, `ai` or `*`, or several of them with commas. A name
    /// counts more than a purpose, and a purpose more than `ai`. `crawler_of` returns the crawler that a person names, and `of_file`
    /// are the names in the file.
    ///
    /// # Errors
    ///
    /// A value is neither a purpose nor a name, or a crawler is blocked and allowed by values of the same kind.
    pub fn new<'v>(
        values: impl IntoIterator<Item = (&'v str, WantedAccess)>,
        of_file: impl IntoIterator<Item = (String, Crawler)>,
        catalogue: &Catalogue,
        mut crawler_of: impl FnMut(&str) -> Result<Crawler, String>,
    ) -> Result<Self, String> {
        let mut chosen: Vec<(ChosenAccess, u8)> = Vec::new();
        let mut unknown = Vec::new();
        // No name has a comma, so a list is several values.
        let values = values
            .into_iter()
            .flat_map(|(values, wanted)| values.split(',').map(move |value| (value.trim(), wanted)));
        for (value, wanted) in values {
            let purposes = Purpose::named(value);
            let (members, weight) = match value {
                "" => return Err("to block and to allow need a name or a purpose, also after a comma".into()),
                _ if !purposes.is_empty() => {
                    catalogue.require_crawlers(&purposes)?;
                    let known = catalogue.crawlers().iter().filter(|known| purposes.contains(&known.purpose));
                    let members = known.map(|known| ChosenAccess::known(known, wanted)).collect();
                    (members, u8::from(purposes.len() == 1))
                }
                "*" => (Vec::from([ChosenAccess::everyone(wanted)]), 2),
                name => {
                    catalogue.require_no_purpose(name)?;
                    catalogue.require(name)?;
                    catalogue.require_one(name)?;
                    let crawler = crawler_of(name)?;
                    // Rules are written for the name in a header. One without a name would stand for all crawlers.
                    let name = match crawler.names().next() {
                        Some(own) if UserAgent::is_header(name) => own,
                        None => {
                            let name = name.escape_debug();
                            return Err(format!(
                                "`{name}` names no crawler; write its name, such as `GPTBot`"
                            ));
                        }
                        _ => name,
                    };
                    let known = catalogue.find(name);
                    if known.is_none() {
                        unknown.push(name.into());
                    }
                    let name = name.into();
                    (Vec::from([ChosenAccess { name, crawler, known, wanted }]), 2)
                }
            };
            for member in members {
                let before = chosen.iter_mut().find(|(old, _)| old.name.eq_ignore_ascii_case(&member.name));
                match before {
                    Some((old, before)) if *before == weight && old.wanted != wanted => {
                        let value = value.escape_debug();
                        return Err(format!("`{value}` is both blocked and allowed; name it in one of both"));
                    }
                    Some((_, before)) if *before >= weight => {}
                    Some((old, before)) => (old.wanted, *before) = (wanted, weight),
                    None => chosen.push((member, weight)),
                }
            }
        }
        let mut crawlers: Vec<ChosenAccess> = chosen.into_iter().map(|(chosen, _)| chosen).collect();
        // The others obey the group for `*`, so with a wish for it, they are meant to change.
        let is_for_all = crawlers.iter().any(|chosen| chosen.name == "*");
        let present = WantedAccess::Present;
        crawlers.extend(of_file.into_iter().map(|(name, crawler)| {
            let known = catalogue.find(&name);
            ChosenAccess { name, crawler, known, wanted: present }
        }));
        if !is_for_all {
            crawlers.extend(catalogue.crawlers().iter().map(|known| ChosenAccess::known(known, present)));
        }
        crawlers.push(ChosenAccess::everyone(present));
        let mut seen = BTreeSet::new();
        crawlers.retain(|chosen| seen.insert(chosen.name.to_ascii_lowercase()));
        Ok(Self { crawlers, unknown })
    }

    /// Returns the crawlers of the catalogue that should be blocked.
    pub fn known_blocked(&self) -> impl Iterator<Item = &'static KnownCrawler> {
        let blocked = self.crawlers.iter().filter(|chosen| chosen.wanted == WantedAccess::Nothing);
        blocked.filter_map(|chosen| chosen.known)
    }

    /// Returns what rules for the blocked crawlers do not control, each with the name of a crawler.
    #[must_use]
    pub fn notes(&self, catalogue: &Catalogue) -> Vec<(&'static str, &'static str)> {
        let is_blocked = |name: &str| {
            self.crawlers.iter().any(|chosen| chosen.wanted == WantedAccess::Nothing && chosen.name == name)
        };
        let is_chosen = |known: &KnownCrawler| {
            self.crawlers.iter().any(|chosen| chosen.name.eq_ignore_ascii_case(known.name))
        };
        let notes = self.known_blocked().filter_map(|known| {
            // How a crawler reads files is proved, or does not matter for one that may access nothing.
            let text = known.differences.filter(|text| !text.starts_with("reads files as"))?;
            Some((known.name, text))
        });
        let others = catalogue.crawlers().iter().filter(|known| !known.obeys_wildcard);
        let beyond_wildcard = others.filter(|known| is_blocked("*") && !is_chosen(known)).map(|known| {
            (known.name, "does not obey groups for `*`, so it keeps its access; block it by its name, too")
        });
        notes.chain(beyond_wildcard).collect()
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use robots_groups::GroupPolicy;

    use super::*;

    fn choose(block: &[&str], allow: &[&str], of_file: &[&str]) -> Result<AccessChoice, String> {
        let crawler = |name: &str| Crawler::new(name).map_err(|error| error.to_string());
        let values = block.iter().map(|value| (*value, WantedAccess::Nothing));
        let values = values.chain(allow.iter().map(|value| (*value, WantedAccess::Site)));
        let of_file = of_file.iter().map(|name| (String::from(*name), crawler(name).unwrap()));
        AccessChoice::new(values, of_file, &Catalogue::BUILT_IN, crawler)
    }

    fn wanted(choice: &AccessChoice, name: &str) -> Option<WantedAccess> {
        choice.crawlers.iter().find(|chosen| chosen.name == name).map(|chosen| chosen.wanted)
    }

    #[test]
    fn a_name_counts_more_than_a_purpose_and_a_purpose_more_than_ai() {
        let choice =
            choose(&["ai-training"], &["ai", "GPTBot, ExampleBot"], &["gptbot", "OtherBot"]).unwrap();
        assert_eq!(wanted(&choice, "GPTBot"), Some(WantedAccess::Site));
        assert_eq!(wanted(&choice, "CCBot"), Some(WantedAccess::Nothing));
        assert_eq!(wanted(&choice, "ChatGPT-User"), Some(WantedAccess::Site));
        assert_eq!(wanted(&choice, "OtherBot"), Some(WantedAccess::Present));
        assert_eq!(wanted(&choice, "gptbot"), None);
        assert_eq!(choice.unknown, ["ExampleBot"]);
    }

    #[test]
    fn the_name_in_a_header_is_written() {
        let choose = |header: &str| {
            let values = [(header, WantedAccess::Nothing)];
            AccessChoice::new(values, [], &Catalogue::BUILT_IN, |name| {
                KnownCrawler::named(name, &GroupPolicy::RFC9309).map_err(|error| error.to_string())
            })
        };
        for header in ["GPTBot/1.1", "Mozilla/5.0 (compatible; GPTBot/1.1; +https://openai.com/gptbot)"] {
            let choice = choose(header).unwrap();
            assert_eq!(wanted(&choice, "GPTBot"), Some(WantedAccess::Nothing));
            assert!(choice.unknown.is_empty() && wanted(&choice, header).is_none());
        }
        // A name of the catalogue may have spaces.
        let choice = choose("Kangaroo Bot,MyBot/2").unwrap();
        assert_eq!(wanted(&choice, "Kangaroo Bot"), Some(WantedAccess::Nothing));
        assert_eq!(choice.unknown, ["MyBot"]);
        // A header without a name does not stand for all crawlers.
        let error = choose("Mozilla/5.0 (X11; Linux x86_64) Firefox/120.0").unwrap_err();
        assert!(error.contains("names no crawler; write its name"), "{error}");
    }

    #[test]
    fn a_wish_for_all_is_one_wish() {
        let choice = choose(&["*"], &[], &[]).unwrap();
        assert_eq!((choice.crawlers.len(), wanted(&choice, "*")), (1, Some(WantedAccess::Nothing)));
        assert!(choice.notes(&Catalogue::BUILT_IN).iter().any(|(name, _)| *name == "AdsBot-Google"));
    }

    #[test]
    fn what_can_not_be_meant_is_an_error() {
        for (block, allow, expected) in [
            ("GPTBot", "gptbot", "`gptbot` is both blocked and allowed"),
            ("ai", "ai", "`ai` is both blocked and allowed"),
            ("ChatGPT", "*", "no crawler looks for the name `ChatGPT`; "),
            ("GPTBto", "*", "unknown crawler `GPTBto`; did you mean `GPTBot`?"),
            ("Training", "*", "unknown purpose `Training`; did you mean `ai-training`?"),
            ("ai-trainig", "*", "unknown purpose `ai-trainig`; the purposes are ai, search, "),
            ("GPTBot,", "*", "to block and to allow need a name"),
            (
                "GPTBot CCBot",
                "*",
                "`GPTBot CCBot` is several names or purposes; write commas between them, such as `GPTBot,CCBot`",
            ),
            ("GPTBot;CCBot", "*", "`GPTBot;CCBot` is several names or purposes; "),
            (
                "ai-training  search",
                "*",
                "`ai-training  search` is several names or purposes; write commas between them, such as `ai-training,search`",
            ),
            ("GPTBot MyBot", "*", "`GPTBot MyBot` is several names or purposes; "),
            ("GPTBot: CCBot", "*", "`GPTBot: CCBot` is not a crawler name"),
            ("GPTBot/CCBot", "*", "`GPTBot/CCBot` is several names or purposes; "),
            (
                "GPTBot & CCBot and Bytespider",
                "*",
                "`GPTBot & CCBot and Bytespider` is several names or purposes; write commas between them, such as `GPTBot,CCBot,Bytespider`",
            ),
            ("a/b:", "*", "`a/b:` is not a crawler name"),
        ] {
            let error = choose(&[block], &[allow], &[]).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
