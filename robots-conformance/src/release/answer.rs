//! This implementation as a program that answers questions of the suite.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use robots_fetch::matching::{Crawler, Robots, path_of};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{page, read};
use crate::row::{Files, RowContext};
use crate::suite::names::{page_policy_named, profile_named};

/// A line of input. Keys that are not known are ignored.
#[derive(Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
enum Message {
    Start,
    Ask(Box<Ask>),
    Stop,
}

#[derive(Deserialize)]
struct Ask {
    seq: u64,
    kind: String,
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    together: bool,
    #[serde(default)]
    ignores_wildcard: bool,
    path: Option<String>,
    url: Option<String>,
    file: Option<Body>,
    /// What only questions about pages have.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Body {
    base64: String,
}

/// What this implementation can be asked about files.
const CAN: &str = "verdict line url odd-url odd-agent unencoded-url bytes nul byte-order-mark size-limit long-line several-agents \
    groups-together no-wildcard";

/// Returns the line that answers `line` under the profile of this name; `None` if the line ends the questions.
///
/// # Errors
///
/// Returns a message if the line is not one of the protocol, or the profile is not known.
pub fn answer(line: &str, profile: &str) -> Result<Option<String>, String> {
    let message: Message =
        serde_json::from_str(line).map_err(|error| format!("not a line of the protocol: {error}"))?;
    let answer = match message {
        Message::Stop => return Ok(None),
        Message::Start => {
            let (name, can) = match page_policy_named(profile) {
                Some(_) => ("robots-page", page::can()),
                None => ("robots-fetch", CAN.split(' ').map(str::to_owned).collect()),
            };
            let version = env!("CARGO_PKG_VERSION");
            let own = json!({"name": name, "version": version, "language": "Rust", "documents": [profile]});
            json!({"protocol": 1, "implementation": own, "can": can})
        }
        Message::Ask(ask) => {
            let seq = ask.seq;
            match asked(*ask, profile) {
                Ok(Value::Object(mut answer)) => {
                    answer.insert("seq".to_owned(), json!(seq));
                    Value::Object(answer)
                }
                Ok(_) => json!({"seq": seq, "skip": "this kind of question is not answered"}),
                Err(error) => json!({"seq": seq, "error": error}),
            }
        }
    };
    Ok(Some(answer.to_string()))
}

fn asked(ask: Ask, profile: &str) -> Result<Value, String> {
    if ask.kind == "page" {
        return asked_about_page(ask, profile);
    }
    let profile = profile_named(profile).ok_or_else(|| format!("`{profile}` is not a profile"))?;
    if ask.kind != "verdict" {
        return Ok(Value::Null);
    }
    let body =
        ask.file.map(|file| STANDARD.decode(file.base64)).transpose().map_err(|error| error.to_string())?;
    let names = ask.agents.iter().filter(|name| Crawler::new(name).is_ok());
    let mut crawler = Crawler::with_names(names).map_err(|error| error.to_string())?;
    if ask.together {
        crawler = crawler.together();
    }
    if ask.ignores_wildcard {
        crawler = crawler.ignoring_wildcard();
    }
    let robots = Robots::new(body.unwrap_or_default(), profile.rules);
    let rules = robots.rules(&crawler);
    let verdict = match (ask.path, ask.url) {
        (Some(path), _) => rules.check(path.as_bytes()),
        (None, Some(url)) => rules.check(path_of(url.as_bytes(), rules.policy())),
        (None, None) => return Err("the question has neither a path nor a URL".to_owned()),
    };
    Ok(json!({"allow": verdict.is_allowed(), "line": verdict.line().unwrap_or(0)}))
}

/// Answers a question about a page: its keys become a row, which is read as those of the tables are.
fn asked_about_page(ask: Ask, profile: &str) -> Result<Value, String> {
    let policy =
        page_policy_named(profile).ok_or_else(|| format!("`{profile}` is not a document about pages"))?;
    let mut files = Files::default();
    let mut question = Map::new();
    let bodies = ask
        .rest
        .iter()
        .filter_map(|(key, value)| Some((key.clone(), value.get("base64")?.as_str()?.to_owned())));
    for (key, base64) in bodies.chain(ask.file.map(|file| ("file".to_owned(), file.base64))) {
        let bytes = STANDARD.decode(base64).map_err(|error| error.to_string())?;
        files.add(key.clone(), bytes);
        question.insert(key.clone(), json!(key));
    }
    for key in ["fields", "not_modified", "now"] {
        question.extend(ask.rest.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    question.extend(ask.path.map(|path| ("path".to_owned(), json!(path))));
    question.insert("agents".to_owned(), json!(ask.agents));
    question.insert("ignores_wildcard".to_owned(), json!(ask.ignores_wildcard));
    let table = read::page_of(&question, files)?;
    let context = RowContext::of_page(&table.files, &policy);
    let answered =
        table.rows.iter().flat_map(|row| row.case.answers(&context)).flat_map(|answered| answered.parts);
    let (answers, _) = page::answers(&answered.collect::<Vec<_>>())?;
    Ok(json!({"answers": answers}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_answered() {
        let html = STANDARD.encode("<meta name=robots content=noindex>");
        let line = format!(
            r#"{{"cmd":"ask","seq":1,"kind":"page","agents":["x"],"fields":[["X-Robots-Tag","nofollow"]],"html":{{"base64":"{html}"}}}}"#
        );
        let given = answer(&line, "repext-03").unwrap().unwrap();
        // The order of the names depends on the features of a library.
        let given: Value = serde_json::from_str(&given).unwrap();
        assert_eq!(given, serde_json::json!({"answers": {"follow": "no", "index": "no"}, "seq": 1}));
    }

    #[test]
    fn questions_are_answered_and_mistakes_are_errors() {
        let body = STANDARD.encode("User-agent: *\nDisallow: /a\n");
        let ask = |rest: &str| {
            let line = format!(
                r#"{{"cmd":"ask","seq":7,"kind":"verdict","agents":["x"],"file":{{"base64":"{body}"}}{rest}}}"#
            );
            answer(&line, "rfc9309").unwrap().unwrap()
        };
        assert_eq!(ask(r#","path":"/a""#), r#"{"allow":false,"line":2,"seq":7}"#);
        assert_eq!(ask(r#","url":"https://example.com/b""#), r#"{"allow":true,"line":0,"seq":7}"#);
        assert!(ask("").contains("neither a path nor a URL"));
        assert_eq!(answer(r#"{"cmd":"stop"}"#, "rfc9309"), Ok(None));
        assert!(answer("x", "rfc9309").is_err());
    }
}
