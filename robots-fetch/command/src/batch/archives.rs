//! `robots batch --warc`: verdicts on the captures of archives.

use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use robots_fetch::warc::{Captures, Damage, Decided, Flags, Item, decide};
use robots_match::lint::HiddenAgents;
use robots_match::{Crawler, Profile, Target, path_of};

use super::answer::Reading;
use super::visible::Visible;
use crate::body::JOINED_RECORDS;
use crate::failure::{FAILED, Failure, Result};
use crate::output::{self, Failures, Style};
use crate::source::{self, Admitted, reason_of};
use crate::text::Text;

/// The archives, and the questions about each capture.
#[derive(Debug, Args)]
pub(crate) struct Archives {
    /// Check the captures of WARC files, of standard input without FILE
    #[arg(long, value_name = "FILE", num_args = 0..)]
    pub(super) warc: Option<Vec<PathBuf>>,

    /// With --warc: the name of a crawler, or its User-Agent header; may be repeated [default: *]
    #[arg(short, long = "agent", value_name = "NAME", requires = "warc")]
    agents: Vec<String>,

    /// With --warc: a path on each site; may be repeated [default: /]
    #[arg(short, long = "url", value_name = "PATH", requires = "warc")]
    urls: Vec<String>,
}

/// The size of the output buffer in bytes.
const BLOCK: usize = 128 * 1024;

/// Checks the captures of each file.
pub(super) fn run(files: &[PathBuf], archives: &Archives, reading: &Reading) -> Result<u8> {
    let questions = Questions::new(archives, reading)?;
    let profile = &reading.profile.rules;
    let mut out = BufWriter::with_capacity(BLOCK, Visible::new(io::stdout().lock()));
    let (mut others, mut pages, mut errors) = (0, 0, 0);
    let mut failed = Failures::default();
    let standard_input = [PathBuf::from("-")];
    for path in if files.is_empty() { &standard_input } else { files } {
        let shown = Text(path.as_os_str().as_encoded_bytes()).to_string();
        let unreadable = |error: &io::Error| {
            Failure::new(format!("can't read {shown}: {}", reason_of(path.as_os_str(), error)))
        };
        let source: io::Result<Box<dyn Read>> = if path == Path::new("-") {
            Ok(Box::new(io::stdin().lock()))
        } else {
            source::open(path, Admitted::Any).map(|file| Box::new(file) as Box<dyn Read>)
        };
        let Some(source) = failed.read(path.as_os_str(), source.map_err(|error| unreadable(&error)))? else {
            continue;
        };
        let failures = failed.iter().len();
        let mut has_any = false;
        for item in Captures::new(source) {
            has_any = true;
            let mut damaged = |Damage { offset, what, .. }| {
                errors += 1;
                format!("error\t{shown}:{offset}: {what}")
            };
            let written = match item {
                Ok(Item::Capture(capture)) if !is_robots_txt(&capture.url, profile) => {
                    pages += 1;
                    Ok(())
                }
                Ok(Item::Capture(capture)) if capture.status.is_none_or(|status| status / 100 == 2) => {
                    match capture.body {
                        Ok(body) => questions.answer(&capture.url, &body, &mut out),
                        Err(damage) => writeln!(out, "{}", damaged(damage)),
                    }
                }
                Ok(Item::Capture(_)) => {
                    others += 1;
                    Ok(())
                }
                Ok(Item::Damaged(damage)) => writeln!(out, "{}", damaged(damage)),
                // A newer library may have other items.
                Ok(_) => Ok(()),
                Err(error) => {
                    failed.read(path.as_os_str(), Err::<(), _>(unreadable(&error)))?;
                    break;
                }
            };
            written.map_err(|error| Failure::of_answers(&error))?;
        }
        // The answers about a file are there before the next one is read.
        out.flush().map_err(|error| Failure::of_answers(&error))?;
        if !has_any && failed.iter().len() == failures {
            output::complain("note", Style::Note, &format!("{shown}: no capture of an answer was found"));
        }
    }
    let left_out = |count: usize, what: &str| {
        if count > 0 {
            output::complain("note", Style::Note, &format!("captures {what}, which were left out: {count}"));
        }
    };
    left_out(others, "with other statuses than 2xx");
    left_out(pages, "of other URLs than robots.txt files");
    Ok(if failed.is_empty() && errors == 0 { 0 } else { FAILED })
}

/// Returns whether a URL has the path of a robots.txt, with or without a query.
fn is_robots_txt(url: &[u8], profile: &Profile) -> bool {
    let path = path_of(url, &profile.matching);
    path.split(|&byte| byte == b'?').next() == Some(b"/robots.txt")
}

/// The questions about each capture.
struct Questions {
    agents: Vec<String>,
    /// The paths as they were given.
    urls: Vec<String>,
    /// The paths that are compared, in the same order.
    paths: Vec<String>,
    /// The crawlers by their profiles.
    parts: Vec<ByProfile>,
}

/// The crawlers that are read by one profile.
struct ByProfile {
    profile: Profile,
    /// The places of the crawlers among all agents.
    places: Vec<usize>,
    crawlers: Vec<Crawler>,
}

impl Questions {
    fn new(archives: &Archives, reading: &Reading) -> Result<Self> {
        let or = |given: &[String], default: &str| {
            if given.is_empty() { vec![default.to_owned()] } else { given.to_vec() }
        };
        let (agents, urls) = (or(&archives.agents, "*"), or(&archives.urls, "/"));
        let mut parts: Vec<ByProfile> = Vec::new();
        for (place, agent) in agents.iter().enumerate() {
            let (crawler, profile) = reading
                .crawler(agent.as_bytes())
                .map_err(|error| Failure::new(Text(error.to_string().as_bytes()).to_string()))?;
            match parts.iter_mut().find(|part| part.profile == profile) {
                Some(part) => {
                    part.places.push(place);
                    part.crawlers.push(crawler);
                }
                None => parts.push(ByProfile { profile, places: vec![place], crawlers: vec![crawler] }),
            }
        }
        let path = |url: &String| match Target::parse(url) {
            Ok(target) if target.is_path() && reading.is_as_written => Ok(url.clone()),
            Ok(target) if target.is_path() => Ok(String::from_utf8_lossy(target.path()).into_owned()),
            _ => Err(Failure::new(format!(
                "`{}` is not a path; write one that begins with `/`, because it is checked for every site",
                Text(url.as_bytes())
            ))),
        };
        let paths = urls.iter().map(path).collect::<Result<_>>()?;
        Ok(Self { agents, urls, paths, parts })
    }

    fn answer(&self, capture: &[u8], body: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut decisions = Vec::with_capacity(self.agents.len() * self.urls.len());
        let has_joined = |part: &ByProfile| !HiddenAgents::find(body, &part.profile).is_empty();
        let has_joined = self.parts.first().is_some_and(has_joined);
        for part in &self.parts {
            let first = decisions.len();
            let flags = decide(body, &part.crawlers, &self.paths, &part.profile, |decided| {
                let place = part.places.get(decided.agent).copied().unwrap_or_default();
                decisions.push((place, decided, None));
            });
            decisions.iter_mut().skip(first).for_each(|(.., own)| *own = Some(flags));
        }
        // Those of an agent have the order of the URLs.
        decisions.sort_by_key(|(place, ..)| *place);
        for ((place, decided, flags), url) in decisions.into_iter().zip(self.urls.iter().cycle()) {
            let Decided { verdict, basis, accidental_group, .. } = decided;
            let agent = self.agents.get(place).map_or("", |agent| agent);
            let word = if verdict.is_allowed() { "allowed" } else { "disallowed" };
            let line = verdict.line().unwrap_or(0);
            let (basis, reason) = (basis.name(), verdict.reason().code());
            let flags =
                flags.map_or_else(|| "-".to_owned(), |flags| names(flags, accidental_group, has_joined));
            let (capture, agent, url) = (Text(capture), Text(agent.as_bytes()), Text(url.as_bytes()));
            writeln!(out, "{capture}\t{agent}\t{url}\t{word}\t{line}\t{basis}\t{reason}\t{flags}")?;
        }
        Ok(())
    }
}

fn names(flags: Flags, accidental_group: bool, has_joined: bool) -> String {
    let joined = has_joined.then_some(JOINED_RECORDS);
    let set: Vec<_> = flags.names(accidental_group).chain(joined).collect();
    if set.is_empty() { "-".to_owned() } else { set.join(",") }
}
