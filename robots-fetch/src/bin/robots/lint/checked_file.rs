//! A robots.txt, from a file or a site, and what was found in it.

use core::fmt::Write as _;
use std::ffi::OsStr;
use std::time::SystemTime;

use robots_fetch::Access;
use robots_match::Profile;
use robots_match::lint::{Facts, Report, fixed, lint};

use super::arguments::Arguments;
use super::replace_file::replace_file;
use crate::arguments::{bytes_of, origin};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::output::{self, Style};
use crate::text::Text;

/// The largest file that is looked at.
const MOST_OCTETS: usize = 16 << 20;

/// A file and what was found in it.
pub(super) struct Checked<'o> {
    /// As it was named: a path, or the URL of a site.
    pub(super) path: &'o OsStr,
    /// Where it came from, if a site was asked.
    pub(super) url: Option<String>,
    pub(super) body: Vec<u8>,
    pub(super) report: Report,
}

impl<'o> Checked<'o> {
    pub(super) fn of(path: &'o OsStr, arguments: &Arguments) -> Result<Self> {
        if is_url(path) {
            return Self::of_site(path, arguments);
        }
        // More than readers read: what their limits leave out is a finding.
        let mut wide = Profile::default();
        wide.syntax.max_size = Some(MOST_OCTETS);
        let body = bytes_of(path, &wide)?;
        if body.len() > MOST_OCTETS {
            let path = Text(path.as_encoded_bytes());
            return Err(Failure::new(format!("{path} is larger than {} MiB", MOST_OCTETS >> 20)));
        }
        let mut facts = Facts::default();
        facts.profile = arguments.profile.rules;
        facts.url = arguments.url.as_deref();
        let mut file = Self { path, url: None, report: lint(&body, &facts), body };
        if arguments.fix {
            let (body, made) = fixed(&file.body, &file.report);
            if made > 0 {
                replace_file(path, &body)?;
                let corrections =
                    if made == 1 { "1 correction".to_owned() } else { format!("{made} corrections") };
                let message = format!("{corrections} made in {}", Text(path.as_encoded_bytes()));
                output::complain("note", Style::Note, &message);
                file = Self { path, url: None, report: lint(&body, &facts), body };
            }
        }
        Ok(file)
    }

    /// What a site answers.
    fn of_site(path: &'o OsStr, arguments: &Arguments) -> Result<Self> {
        let origin = origin(path)?;
        let mut wide = arguments.profile.with_access();
        wide.rules.syntax.max_size = Some(MOST_OCTETS);
        let entry = Network::without_cache(&arguments.requests).sites(wide)?.refresh(&origin);
        let site = Text(origin.as_str().as_bytes());
        let Some(file) = entry.good_file() else {
            let cause = entry.cause().map(ToString::to_string).unwrap_or_default();
            let cause = Text(cause.as_bytes());
            return Err(Failure::new(match entry.access(SystemTime::now()) {
                Access::Everything(_) => {
                    format!("{site} has no robots.txt ({cause}): crawlers may access everything")
                }
                _ => format!(
                    "the robots.txt of {site} could not be fetched ({cause}): crawlers may access nothing"
                ),
            }));
        };
        let body = file.robots.body().to_vec();
        if body.len() > MOST_OCTETS {
            return Err(Failure::new(format!(
                "the robots.txt of {site} is larger than {} MiB",
                MOST_OCTETS >> 20
            )));
        }
        let mut facts = Facts::default();
        facts.profile = arguments.profile.rules;
        // Rules are about the site that was asked, wherever the file came from.
        facts.url = Some(arguments.url.as_deref().unwrap_or_else(|| origin.robots_url().as_str()));
        facts.content_type = file.fields.content_type.as_deref();
        Ok(Self { path, url: Some(file.url.as_str().to_owned()), report: lint(&body, &facts), body })
    }

    pub(super) fn name(&self) -> String {
        match &self.url {
            Some(url) => Text(url.as_bytes()).to_string(),
            None if self.path == "-" => "standard input".to_owned(),
            None => Text(self.path.as_encoded_bytes()).to_string(),
        }
    }

    /// Where it is, as a reference.
    pub(super) fn uri(&self) -> String {
        self.url.clone().unwrap_or_else(|| uri(self.path))
    }
}

/// Whether an argument is the URL of a site, and not the name of a file.
pub(super) fn is_url(argument: &OsStr) -> bool {
    let octets = argument.as_encoded_bytes();
    ["http://", "https://", "ftp://"].iter().any(|start| {
        octets.get(..start.len()).is_some_and(|octets| octets.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// A path as a relative or absolute URI reference.
fn uri(path: &OsStr) -> String {
    let mut uri = String::new();
    for &octet in path.as_encoded_bytes() {
        match octet {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(octet));
            }
            // As a separator of Windows; elsewhere a name may hold it.
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{octet:02X}");
            }
        }
    }
    uri
}
