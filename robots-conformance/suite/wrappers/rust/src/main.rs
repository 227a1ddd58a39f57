//! Answers questions of the suite for crates, each used as its documentation says: `suite-wrapper NAME`.

use std::io::{self, BufRead as _, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

/// A crate that can be asked.
struct Implementation {
    name: &'static str,
    /// The document that it says it follows.
    follows: &'static str,
    /// The needs that it meets beside those that all have.
    can: &'static [&'static str],
    ask: fn(&[u8], &Ask) -> Result<bool, String>,
}

const IMPLEMENTATIONS: [Implementation; 5] = [
    Implementation { name: "robotxt", follows: "rfc9309", can: &["size-limit"], ask: robotxt },
    Implementation { name: "texting_robots", follows: "google", can: &[], ask: texting_robots },
    Implementation { name: "robotstxt", follows: "google", can: &["groups-together"], ask: robotstxt },
    Implementation { name: "robotparser", follows: "koster-1996", can: &["size-limit"], ask: robotparser },
    Implementation { name: "cylon", follows: "draft-koster-rep-00", can: &["size-limit"], ask: cylon },
];

/// The needs that every crate here meets.
const CAN: [&str; 7] = ["verdict", "url", "odd-agent", "bytes", "nul", "byte-order-mark", "long-line"];

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
    agents: Vec<String>,
    path: Option<String>,
    target: String,
    file: Body,
}

#[derive(Deserialize)]
struct Body {
    base64: String,
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let outcome = IMPLEMENTATIONS
        .iter()
        .find(|implementation| implementation.name == name)
        .ok_or_else(|| {
            let names = IMPLEMENTATIONS.each_ref().map(|implementation| implementation.name);
            format!("usage: suite-wrapper {}", names.join("|"))
        })
        .and_then(answer);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            let _ = writeln!(io::stderr(), "suite-wrapper: {what}");
            ExitCode::from(2)
        }
    }
}

/// Answers the lines on standard input, until it ends.
fn answer(of: &Implementation) -> Result<(), String> {
    let version = version(of.name)?;
    // A panic is an answer; its message goes there.
    panic::set_hook(Box::new(|_| {}));
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let answer = match serde_json::from_str(&line).map_err(|error| error.to_string())? {
            Message::Stop => return Ok(()),
            Message::Start => {
                let can = [&CAN[..], of.can].concat();
                json!({
                "protocol": 1,
                "implementation": {
                    "name": of.name, "version": version, "language": "Rust", "documents": [of.follows],
                },
                    "can": can,
                })
            }
            Message::Ask(ask) => asked(of, &ask),
        };
        writeln!(io::stdout(), "{answer}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn asked(of: &Implementation, ask: &Ask) -> Value {
    let found = STANDARD.decode(&ask.file.base64).map_err(|error| error.to_string()).and_then(|body| {
        panic::catch_unwind(AssertUnwindSafe(|| (of.ask)(&body, ask))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Err(format!(
                "panic: {}",
                text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
            ))
        })
    });
    match found {
        Ok(allow) => json!({"seq": ask.seq, "allow": allow}),
        Err(error) => json!({"seq": ask.seq, "error": error}),
    }
}

/// Returns the version that the lock file pins.
fn version(name: &str) -> Result<String, String> {
    let lock: toml::Table = include_str!("../Cargo.lock").parse().map_err(|error| format!("{error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
    let found =
        packages.iter().find(|package| package.get("name").and_then(toml::Value::as_str) == Some(name));
    let version = found.and_then(|package| package.get("version")).and_then(toml::Value::as_str);
    version.map(Into::into).ok_or_else(|| format!("Cargo.lock has no `{name}`"))
}

fn agent(ask: &Ask) -> &str {
    ask.agents.first().map_or("", String::as_str)
}

fn parsed(ask: &Ask) -> Result<Url, String> {
    Url::parse(&ask.target).map_err(|error| format!("the url crate, whose URLs it takes, says: {error}"))
}

/// Takes bytes, and a path or a parsed URL.
fn robotxt(body: &[u8], ask: &Ask) -> Result<bool, String> {
    let robots = robotxt::Robots::parse(body, agent(ask));
    match &ask.path {
        Some(path) => Ok(robots.is_allowed(path)),
        None => Ok(robots.is_url_allowed(&parsed(ask)?)),
    }
}

/// Takes bytes, and a URL as text.
fn texting_robots(body: &[u8], ask: &Ask) -> Result<bool, String> {
    let robot = texting_robots::Robot::new(agent(ask), body).map_err(|error| error.to_string())?;
    Ok(robot.allowed(&ask.target))
}

/// Takes text, several names whose groups count together, and a URL as text.
fn robotstxt(body: &[u8], ask: &Ask) -> Result<bool, String> {
    let body = String::from_utf8_lossy(body);
    let agents = ask.agents.iter().map(String::as_str).collect();
    Ok(robotstxt::DefaultMatcher::default().allowed_by_robots(&body, agents, &ask.target))
}

/// Takes text, and a parsed URL of the origin of the file.
fn robotparser(body: &[u8], ask: &Ask) -> Result<bool, String> {
    use robotparser::service::RobotsTxtService as _;
    let url = parsed(ask)?;
    let body = String::from_utf8_lossy(body);
    let robots = robotparser::parser::parse_robots_txt(url.origin(), &body).get_result();
    Ok(robots.can_fetch(agent(ask), &url))
}

/// Takes bytes, and a path.
fn cylon(body: &[u8], ask: &Ask) -> Result<bool, String> {
    let path = match &ask.path {
        Some(path) => path.clone(),
        None => {
            let url = parsed(ask)?;
            url[url::Position::BeforePath..url::Position::AfterQuery].to_owned()
        }
    };
    let robots = pollster::block_on(cylon::Compiler::new(agent(ask)).compile(body));
    Ok(robots.map_err(|error| error.to_string())?.allow(&path))
}
