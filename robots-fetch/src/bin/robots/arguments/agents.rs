//! The argument `--agent`.

use std::ffi::OsString;

use clap::Args;
use robots_match::Crawler;

use super::profile::NamedProfile;
use crate::failure::{Failure, Result};
use crate::output::{self, Style};
use crate::text::Text;

/// The names of a crawler, in order of preference.
#[derive(Clone, Debug, Args)]
pub(crate) struct Agents {
    /// The name of the crawler, or its User-Agent header. Give several to try them in order until a group names one
    #[arg(short = 'a', long = "agent", value_name = "NAME", required = true)]
    names: Vec<OsString>,
}

impl Agents {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| name.as_encoded_bytes())
    }

    /// Returns the crawler with these names, and writes notes to standard error: which name was found in a header, and which
    /// name no line can contain under the profile.
    pub(crate) fn crawler(&self, profile: &NamedProfile) -> Result<Crawler> {
        let policy = &profile.rules.groups;
        let mut texts = Vec::new();
        for text in self.iter() {
            let text = core::str::from_utf8(text)
                .map_err(|_| Failure::new(format!("the agent `{}` is not UTF-8", Text(text))))?;
            let crawler = Crawler::parse([text], policy)
                .map_err(|error| Failure::new(Text(error.to_string().as_bytes()).to_string()))?;
            if let Some(note) = note(text, crawler.names().next(), profile) {
                output::complain("note", Style::Note, &note);
            }
            texts.push(text);
        }
        Crawler::parse(texts, policy).map_err(|error| Failure::new(error.to_string()))
    }
}

/// The note about a text for which `name` was found.
fn note(text: &str, name: Option<&str>, profile: &NamedProfile) -> Option<String> {
    let shown = Text(text.as_bytes());
    match name {
        Some(name) if name != text => {
            Some(format!("`{shown}` is a User-Agent header; its crawler is `{name}`"))
        }
        Some(name) if profile.rules.groups.can_name(name) => None,
        None if text == "*" => Some("`*` is not the name of a crawler; groups for `*` apply".to_owned()),
        _ => Some(format!(
            "under {} no line can name `{shown}`, because only letters, `_` and `-` are read; groups for `*` apply",
            profile.document
        )),
    }
}
