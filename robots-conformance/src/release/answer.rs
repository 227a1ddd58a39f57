//! This implementation as a program that answers questions of the suite.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use robots_fetch::matching::{Crawler, Robots, path_of};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::suite::names::profile_named;

/// A line of input. Keys that are not known are ignored.
#[derive(Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
enum Message {
    Start,
    Ask(Ask),
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
}

#[derive(Deserialize)]
struct Body {
    base64: String,
}

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
        Message::Start => json!({
            "protocol": 1,
            "implementation": {
                "name": "robots-fetch",
                "version": env!("CARGO_PKG_VERSION"),
                "language": "Rust",
                "documents": [profile],
            },
            "can": [
                "verdict", "line", "url", "odd-url", "odd-agent", "unencoded-url", "bytes", "nul", "byte-order-mark",
                "size-limit", "long-line", "several-agents", "groups-together", "no-wildcard",
            ],
        }),
        Message::Ask(ask) => {
            let seq = ask.seq;
            match asked(ask, profile) {
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

#[cfg(test)]
mod tests {
    use super::*;

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
