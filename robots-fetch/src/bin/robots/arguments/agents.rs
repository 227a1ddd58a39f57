//! The argument `--agent`.

use std::ffi::OsString;

use clap::Args;
use robots_match::{ProductToken, Profile};

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

    /// Returns the names that are product tokens, and writes a note to standard error for each of the others, which no
    /// line can name.
    pub(crate) fn tokens(&self, profile: &Profile) -> Vec<ProductToken<'_>> {
        let mut tokens = Vec::new();
        for name in self.iter() {
            match token(name, profile) {
                Some(token) => tokens.push(token),
                None => output::complain("note", Style::Note, &note(name, profile)),
            }
        }
        tokens
    }
}

/// Returns the product token that `name` is, if it is one.
fn token<'n>(name: &'n [u8], profile: &Profile) -> Option<ProductToken<'n>> {
    ProductToken::admitted(core::str::from_utf8(name).ok()?, &profile.groups).ok()
}

/// The note about a name that is not a product token.
fn note(name: &[u8], profile: &Profile) -> String {
    let shown = Text(name);
    if name == b"*" {
        return format!("`{shown}` is not the name of a crawler; groups for `*` apply");
    }
    let text = core::str::from_utf8(name).unwrap_or_default();
    let what = match ProductToken::admitted(text, &profile.groups) {
        Err(error) if !text.is_empty() => error.to_string(),
        _ if name.is_empty() => "an empty name is not a product token".to_owned(),
        _ => format!("`{shown}` is not a product token: it is not UTF-8"),
    };
    let meant = ProductToken::of_user_agent(text, &profile.groups);
    let meant = meant.map_or_else(String::new, |token| format!(" (did you mean `{token}`?)"));
    format!("{what}, so no line names it{meant}; groups for `*` apply")
}
