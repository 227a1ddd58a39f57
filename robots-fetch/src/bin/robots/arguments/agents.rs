//! The argument `--agent`.

use std::ffi::OsString;

use clap::Args;
use robots_match::{Crawler, Profile};

use crate::output::{self, Style};
use crate::text::Text;

/// The names of a crawler, in order of preference.
#[derive(Clone, Debug, Args)]
pub(crate) struct Agents {
    /// The product token of the crawler. Give several to try them in order until a group names one
    #[arg(short = 'a', long = "agent", value_name = "TOKEN", required = true)]
    names: Vec<OsString>,
}

impl Agents {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| name.as_encoded_bytes())
    }

    /// Returns the crawler with these names, and writes a note to standard error for each text that is not a name, which no
    /// line can contain.
    pub(crate) fn crawler(&self, profile: &Profile) -> Crawler {
        let mut names = Vec::new();
        for name in self.iter() {
            let text = core::str::from_utf8(name).ok();
            match text.filter(|text| Crawler::with_names([text], &profile.groups).is_ok()) {
                Some(name) => names.push(name),
                None => output::complain("note", Style::Note, &note(name, profile)),
            }
        }
        Crawler::with_names(names, &profile.groups).expect("each of these is a crawler's name")
    }
}

/// The note about a text that is not a name.
fn note(name: &[u8], profile: &Profile) -> String {
    let text = core::str::from_utf8(name).unwrap_or_default();
    let what = match Crawler::with_names([text], &profile.groups) {
        Err(error) if !text.is_empty() || name.is_empty() => error.to_string(),
        _ => format!("`{}` is not a crawler name: it is not UTF-8", Text(name)),
    };
    if what.ends_with('?') {
        format!("{what} Groups for `*` apply")
    } else {
        format!("{what}; groups for `*` apply")
    }
}
