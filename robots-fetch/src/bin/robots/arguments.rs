//! Options that several commands have.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use lexopt::{Arg, Parser};
use robots_fetch::Origin;
use robots_match::{ProductToken, Profile, Robots};

use crate::failure::{Failure, Result, reason};

/// The lines of a help about the options of commands that answer questions; `$name` is what a schema is called after.
macro_rules! question_help {
    ($name:literal) => {
        concat!(
            "\
Options:
      --robots FILE       the robots.txt; `-` reads it from standard input. Without it, the sites are asked
  -a, --agent TOKEN       the product token of the crawler (RFC 9309, section 2.2.1); several are tried in turn, until
                          a group names one
  -p, --profile NAME      how files are read, and what answers mean: rfc9309 (default), google, draft-koster-rep-00,
                          koster-1996
      --format NAME       human (default) or json, which robots-fetch/schema/",
            $name,
            ".json describes
  -h, --help              this help

Options for sites that are asked:
",
            crate::network::help!(),
            "
A URL is taken as text: scheme, authority and fragment are cut off, nothing is resolved. For a file, a path alone will
do. A robots.txt is kept as long as the profile says, and not asked for again until then.

Exit status: 0 if all are allowed, 1 if some are disallowed, 2 if something is wrong.
"
        )
    };
}
use crate::network::Network;
use crate::output::{self, Style};
use crate::source::{self, Admitted};
use crate::text::Text;
pub(crate) use question_help;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Human,
    Json,
}

impl Format {
    pub(crate) fn of(name: &OsStr) -> Result<Self> {
        match name.as_encoded_bytes() {
            b"human" => Ok(Self::Human),
            b"json" => Ok(Self::Json),
            other => {
                Err(Failure::told(format!("there is no format `{}`; there are human, json", Text(other))))
            }
        }
    }
}

/// A profile and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) name: &'static str,
    pub(crate) profile: Profile,
}

impl Reading {
    /// The profile of this name.
    pub(crate) fn of(name: &OsStr) -> Result<Self> {
        let known = Profile::NAMED.iter().find(|(known, _)| name == *known);
        known.map(|&(name, profile)| Self { name, profile }).ok_or_else(|| {
            let all: Vec<&str> = Profile::NAMED.iter().map(|(name, _)| *name).collect();
            let name = Text(name.as_encoded_bytes());
            Failure::told(format!("there is no profile `{name}`; there are {}", all.join(", ")))
        })
    }
}

impl Reading {
    /// The same, with what it says about answers.
    pub(crate) fn access(&self) -> robots_fetch::Profile {
        robots_fetch::Profile::named(self.name).unwrap_or_default()
    }
}

impl Default for Reading {
    fn default() -> Self {
        let [(name, profile), ..] = Profile::NAMED;
        Self { name, profile }
    }
}

/// What `check` and `explain` are asked: URLs, for one crawler, and one file or those of the sites.
#[derive(Debug)]
pub(crate) struct Question {
    /// The file; `-` is standard input. Without one, each site is asked for its own.
    pub(crate) path: Option<OsString>,
    pub(crate) agents: Agents,
    pub(crate) reading: Reading,
    pub(crate) format: Format,
    pub(crate) urls: Vec<OsString>,
}

impl Question {
    /// The question that the arguments ask, and how sites are asked; `None` if they ask for help.
    pub(crate) fn of(mut parser: Parser, network: &mut Network) -> Result<Option<Self>> {
        let mut path = None;
        let mut agents = Agents::default();
        let mut reading = Reading::default();
        let mut format = Format::Human;
        let mut urls = Vec::new();
        while let Some(arg) = parser.next()? {
            if let Some(option) = Network::option(&arg) {
                network.set(option, &mut parser)?;
                continue;
            }
            match arg {
                Arg::Short('h') | Arg::Long("help") => return Ok(None),
                Arg::Long("robots") => path = Some(parser.value()?),
                Arg::Short('a') | Arg::Long("agent") => agents.push(parser.value()?),
                Arg::Short('p') | Arg::Long("profile") => reading = Reading::of(&parser.value()?)?,
                Arg::Long("format") => format = Format::of(&parser.value()?)?,
                Arg::Value(url) => urls.push(url),
                other => return Err(other.unexpected().into()),
            }
        }
        if agents.is_empty() {
            return Err(Failure::told("no crawler is given; name it by --agent TOKEN"));
        }
        if urls.is_empty() {
            return Err(Failure::told("no URL is given"));
        }
        Ok(Some(Self { path, agents, reading, format, urls }))
    }

    /// The name of the file.
    pub(crate) fn path(&self) -> &OsStr {
        self.path.as_deref().unwrap_or_default()
    }

    /// The sites of the URLs, each once, and each URL with the index of its site.
    pub(crate) fn sites(&self) -> Result<Sites<'_>> {
        let mut places: HashMap<Origin, usize> = HashMap::new();
        let mut origins = Vec::new();
        let mut urls = Vec::new();
        for url in &self.urls {
            let octets = url.as_encoded_bytes();
            let origin = origin(url).map_err(|error| match error {
                Failure::Told(told) => Failure::Told(format!("{told}; a path needs --robots FILE")),
                Failure::Closed => Failure::Closed,
            })?;
            let place = *places.entry(origin).or_insert_with_key(|origin| {
                origins.push(origin.clone());
                origins.len() - 1
            });
            urls.push((octets, place));
        }
        Ok((origins, urls))
    }

    /// The robots.txt that is the file.
    pub(crate) fn robots(&self) -> Result<Robots> {
        robots(self.path(), &self.reading.profile)
    }
}

/// Sites, each once, and URLs with the index of their site.
type Sites<'q> = (Vec<Origin>, Vec<(&'q [u8], usize)>);

/// The site of a URL.
pub(crate) fn origin(url: &OsStr) -> Result<Origin> {
    Origin::parse(&url.to_string_lossy()).map_err(|error| {
        // What is shown of it has no control characters, but may turn the direction of a line.
        Failure::told(Text(error.to_string().as_bytes()).to_string())
    })
}

/// The robots.txt that `--robots` names; `-` is standard input.
fn robots(path: &OsStr, profile: &Profile) -> Result<Robots> {
    octets(path, profile).map(|octets| Robots::new(octets, *profile))
}

/// The octets of the file of this name, as far as `profile` reads them; `-` is standard input.
pub(crate) fn octets(path: &OsStr, profile: &Profile) -> Result<Vec<u8>> {
    let octets = if path == "-" {
        source::read(io::stdin().lock(), profile)
    } else {
        source::read_file(Path::new(path), Admitted::Any, profile)
    };
    octets.map_err(|error| {
        let path = if path == "-" { b"standard input" } else { path.as_encoded_bytes() };
        Failure::told(format!("can't read {}: {}", Text(path), reason(&error)))
    })
}

/// The names that `--agent` gives a crawler, in the order of preference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agents(Vec<OsString>);

impl Agents {
    pub(crate) fn push(&mut self, name: OsString) {
        self.0.push(name);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|name| name.as_encoded_bytes())
    }

    /// Those that are product tokens; a note on standard error for each that is none, which no line can name.
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

/// The product token that `name` is, if it is one.
pub(crate) fn token<'n>(name: &'n [u8], profile: &Profile) -> Option<ProductToken<'n>> {
    ProductToken::admitted(core::str::from_utf8(name).ok()?, &profile.groups).ok()
}

/// What to know of a name that is no product token.
fn note(name: &[u8], profile: &Profile) -> String {
    let shown = Text(name);
    if name == b"*" {
        return format!("`{shown}` is not the name of a crawler; groups for `*` apply");
    }
    let text = core::str::from_utf8(name).unwrap_or_default();
    let what = match ProductToken::admitted(text, &profile.groups) {
        Err(error) if !text.is_empty() => error.to_string(),
        _ if name.is_empty() => "an empty name is no product token".to_owned(),
        _ => format!("`{shown}` is no product token: it is not UTF-8"),
    };
    let meant = ProductToken::of_user_agent(text, &profile.groups);
    let meant = meant.map_or_else(String::new, |token| format!(" (did you mean `{token}`?)"));
    format!("{what}, so no line names it{meant}; groups for `*` apply")
}
