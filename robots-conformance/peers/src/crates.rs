//! Answers for crates, each used as its documentation says.

use std::io::{self, BufRead as _, Write as _};
use std::panic::{self, AssertUnwindSafe};

use url::Url;

use crate::protocol::{Answer, Hello, Question, unhex};

/// The names that [`answer`] knows, with the document each says it follows.
pub(crate) const KNOWN: [(&str, &str); 5] = [
    ("robotxt", "rfc9309"),
    ("texting_robots", "google"),
    ("robotstxt", "google"),
    ("robotparser", "koster-1996"),
    ("cylon", "draft-koster-rep-00"),
];

/// Answers the rows that come in on standard input, until it ends.
pub(crate) fn answer(name: &str) -> Result<(), String> {
    let (_, claim) =
        KNOWN.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("`{name}` is not known"))?;
    say(&Hello { version: version(name)?, claims: vec![(*claim).into()] })?;
    // A panic is an answer; its message goes there.
    panic::set_hook(Box::new(|_| {}));
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let question: Question = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let body = unhex(&question.body).ok_or("the body is not in hexadecimal digits")?;
        say(&panic::catch_unwind(AssertUnwindSafe(|| of(name, &body, &question))).unwrap_or_else(|panic| {
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or_default();
            Answer::Error(format!("panics: {message}"))
        }))?;
    }
    Ok(())
}

fn say(what: &impl serde::Serialize) -> Result<(), String> {
    let line = serde_json::to_string(what).map_err(|error| error.to_string())?;
    writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())
}

/// The version that the lock file pins.
fn version(name: &str) -> Result<String, String> {
    let lock: toml::Table = include_str!("../Cargo.lock").parse().map_err(|error| format!("{error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
    let found =
        packages.iter().find(|package| package.get("name").and_then(toml::Value::as_str) == Some(name));
    let version = found.and_then(|package| package.get("version")).and_then(toml::Value::as_str);
    version.map(Into::into).ok_or_else(|| format!("Cargo.lock has no `{name}`"))
}

fn of(name: &str, body: &[u8], question: &Question) -> Answer {
    // Only `robotstxt` takes several names, whose groups count together.
    if name == "robotstxt" && (question.together || question.agents.len() == 1) {
        return robotstxt(body, question);
    }
    let [agent] = &question.agents[..] else { return unasked("several names of one crawler") };
    match name {
        "robotxt" => robotxt(body, agent, question),
        "texting_robots" => texting_robots(body, agent, question),
        "robotparser" => robotparser(body, agent, question),
        "cylon" => cylon(body, agent, question),
        _ => unasked("several names of one crawler"),
    }
}

fn unasked(why: &str) -> Answer {
    Answer::Unasked(why.into())
}

const NO_URL: &str = "text that is not an absolute URL";

/// Takes bytes, and a path or a parsed URL.
fn robotxt(body: &[u8], agent: &str, question: &Question) -> Answer {
    let robots = robotxt::Robots::parse(body, agent);
    match (&question.path, &question.url) {
        (Some(path), _) => Answer::Allowed(robots.is_allowed(path)),
        (None, Some(url)) => match Url::parse(url) {
            Ok(url) => Answer::Allowed(robots.is_url_allowed(&url)),
            Err(error) => Answer::Error(format!("the `url` crate, whose URLs it takes, says: {error}")),
        },
        (None, None) => unasked(NO_URL),
    }
}

/// Takes bytes, and a URL as text.
fn texting_robots(body: &[u8], agent: &str, question: &Question) -> Answer {
    let Some(url) = &question.url else { return unasked(NO_URL) };
    match texting_robots::Robot::new(agent, body) {
        Ok(robot) => Answer::Allowed(robot.allowed(url)),
        Err(error) => Answer::Error(format!("returns an error: {error}")),
    }
}

/// Takes text, several names, and a URL as text.
fn robotstxt(body: &[u8], question: &Question) -> Answer {
    let Some(url) = &question.url else { return unasked(NO_URL) };
    let body = String::from_utf8_lossy(body);
    let agents = question.agents.iter().map(String::as_str).collect();
    Answer::Allowed(robotstxt::DefaultMatcher::default().allowed_by_robots(&body, agents, url))
}

/// Takes text, and a parsed URL of the origin of the file.
fn robotparser(body: &[u8], agent: &str, question: &Question) -> Answer {
    use robotparser::service::RobotsTxtService as _;
    let Some(url) = &question.url else { return unasked(NO_URL) };
    match Url::parse(url) {
        Ok(url) => {
            let body = String::from_utf8_lossy(body);
            let robots = robotparser::parser::parse_robots_txt(url.origin(), &body).get_result();
            Answer::Allowed(robots.can_fetch(agent, &url))
        }
        Err(error) => Answer::Error(format!("the `url` crate, whose URLs it takes, says: {error}")),
    }
}

/// Takes bytes, and a path.
fn cylon(body: &[u8], agent: &str, question: &Question) -> Answer {
    let Some(path) = &question.path else { return unasked("a URL, of which it takes the path only") };
    match pollster::block_on(cylon::Compiler::new(agent).compile(body)) {
        Ok(cylon) => Answer::Allowed(cylon.allow(path)),
        Err(error) => Answer::Error(format!("returns an error: {error}")),
    }
}
