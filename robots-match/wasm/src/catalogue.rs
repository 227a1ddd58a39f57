//! Known crawlers and documents.

use robots_match::groups::GroupPolicy;
use robots_match::{Crawler, Document, InvalidName, KnownCrawler};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// A known crawler: its names in files, its operator and its purpose.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct Known {
    name: &'static str,
    /// The names that files may use, in the order in which the crawler tries them.
    tokens: &'static [&'static str],
    operator: Option<&'static str>,
    /// Such as `search` or `ai-training`.
    purpose: &'static str,
    /// Whether groups for `*` apply where no group names the crawler.
    obeys_wildcard: bool,
    /// Whether the entry was compared with its source.
    is_verified: bool,
}

/// A document that defines how robots.txt is read.
#[derive(Serialize, Tsify)]
pub struct Profile {
    /// The name that the constructor of `RobotsTxt` takes.
    name: &'static str,
    /// The crawlers that follow the document.
    followers: &'static str,
}

/// Returns all known crawlers, sorted by name.
///
/// # Errors
///
/// JavaScript refuses an object.
#[wasm_bindgen(js_name = knownCrawlers)]
pub fn known_crawlers() -> Result<Vec<Ts<Known>>, JsError> {
    let known = |known: &KnownCrawler| Known {
        name: known.name,
        tokens: known.tokens,
        operator: known.operator,
        purpose: known.purpose.name(),
        obeys_wildcard: known.obeys_wildcard,
        is_verified: known.is_verified(),
    };
    all(KnownCrawler::ALL.iter().map(known))
}

/// Returns the name of a known crawler, or `*`, that someone may have meant who wrote another name.
#[wasm_bindgen]
#[must_use]
pub fn suggest(name: &str) -> Option<String> {
    KnownCrawler::suggest(name).map(str::to_owned)
}

/// Returns the documents by which files can be read, the default first.
///
/// # Errors
///
/// JavaScript refuses an object.
#[wasm_bindgen]
pub fn documents() -> Result<Vec<Ts<Profile>>, JsError> {
    let profile = |document: Document| Profile { name: document.name(), followers: document.followers() };
    all(Document::ALL.into_iter().map(profile))
}

/// Returns the name of the document by which a crawler says that it reads files: that of Google for its crawlers, the standard for all
/// others. `agent` is what `RobotsTxt.check` takes.
///
/// # Errors
///
/// `agent` contains no name.
#[wasm_bindgen(js_name = documentOf)]
pub fn document_of(agent: &str) -> Result<String, JsError> {
    Ok(document(agent)?.name().to_owned())
}

fn document(agent: &str) -> Result<Document, InvalidName> {
    let crawler = crawler(agent, &GroupPolicy::RFC9309)?;
    let known = crawler.names().next().and_then(KnownCrawler::find);
    Ok(known.map_or(Document::default(), KnownCrawler::document))
}

/// Converts values to objects of JavaScript.
pub(crate) fn all<T: Tsify + Serialize>(values: impl Iterator<Item = T>) -> Result<Vec<Ts<T>>, JsError> {
    values.map(|value| Ok(value.into_ts()?)).collect()
}

/// Returns the crawler that the option `--agent` of the command names with the same text.
pub(crate) fn crawler(text: &str, policy: &GroupPolicy) -> Result<Crawler, InvalidName> {
    KnownCrawler::named(text, policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_crawler_has_the_document_that_the_command_takes() {
        for agent in [
            "Googlebot",
            "adsbot-google",
            "Googlebot-Image,Googlebot",
            "Mozilla/5.0 (compatible; Googlebot/2.1)",
        ] {
            assert_eq!(document(agent).unwrap(), Document::Google, "{agent}");
        }
        for agent in ["bingbot", "*", "Unknown"] {
            assert_eq!(document(agent).unwrap(), Document::Rfc9309, "{agent}");
        }
    }

    #[test]
    fn crawlers_are_named_as_the_command_names_them() {
        let crawler = |text| crawler(text, &GroupPolicy::RFC9309).unwrap();
        assert!(crawler("googlebot-image").names().eq(["Googlebot-Image", "Googlebot"]));
        assert!(crawler("Googlebot-Image, GoogleOther").names().eq(["Googlebot-Image", "GoogleOther"]));
        assert!(!crawler("AdsBot-Google").obeys_wildcard());
        assert!(crawler("Mozilla/5.0 (compatible; ExampleBot/1.0, x)").names().eq(["ExampleBot"]));
        assert_eq!(crawler("*"), Crawler::unnamed());
        assert!(super::crawler("a,,b", &GroupPolicy::RFC9309).is_err());
    }
}
