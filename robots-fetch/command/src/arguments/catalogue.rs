//! The argument `--catalogue-file`.

use alloc::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use robots_match::{Catalogue, KnownCrawler, Purpose, Trigger};
use serde::Deserialize;

use crate::failure::{Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::Text;
use crate::toml_text::{self, MAX_SIZE};

/// The file that replaces the catalogue.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CatalogueFile {
    /// A file of crawlers that replaces the built-in catalogue, in the form of crawlers.toml of robots-match
    #[arg(
        id = "catalogue_file",
        long = "catalogue-file",
        value_name = "FILE",
        value_parser = OsStringValueParser::new().try_map(|path| replace(&path)),
    )]
    _read: Option<()>,
}

/// The catalogue of `--catalogue-file`. Options are read once, before a command runs.
static REPLACED: OnceLock<(Catalogue, Domains)> = OnceLock::new();

/// The domains of crawlers, by their names.
type Domains = BTreeMap<&'static str, &'static [&'static str]>;

/// Returns the catalogue of this run: the built-in one, or that of `--catalogue-file`.
pub(crate) fn catalogue() -> Catalogue {
    REPLACED.get().map_or(Catalogue::BUILT_IN, |(catalogue, _)| *catalogue)
}

/// Returns the domains of a crawler of [`catalogue`], as [`KnownCrawler::domains`] does.
pub(crate) fn domains(known: &KnownCrawler) -> &'static [&'static str] {
    match REPLACED.get() {
        Some((_, domains)) => domains.get(known.name).copied().unwrap_or_default(),
        None => known.domains(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    sources: BTreeMap<String, Source>,
    #[serde(default)]
    crawler: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    date: String,
    #[serde(default, rename = "title")]
    _title: String,
    #[serde(default, rename = "url")]
    _url: String,
    #[serde(default, rename = "verified")]
    _verified: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    name: String,
    tokens: Option<Vec<String>>,
    operator: Option<String>,
    purpose: String,
    respects: Option<String>,
    trigger: Option<String>,
    obeys_wildcard: Option<bool>,
    reads_crawl_delay: Option<String>,
    differences: Option<String>,
    domains: Option<Vec<String>>,
    source: Option<String>,
}

/// Reads a file, and replaces the catalogue by it.
fn replace(path: &OsStr) -> core::result::Result<(), String> {
    let read = read(path).map_err(|failure| failure.to_string())?;
    REPLACED.set(read).map_err(|_| "the catalogue was replaced before; give one file".to_owned())
}

fn read(path: &OsStr) -> Result<(Catalogue, Domains)> {
    source::require_name(path)?;
    let bytes = source::read_within(Path::new(path), Admitted::Any, MAX_SIZE)
        .map_err(|error| Failure::new(format!("can't read the file: {}", reason(&error))))?;
    if bytes.len() > MAX_SIZE {
        return Err(Failure::new(format!("the file is larger than {} MiB; make it shorter", MAX_SIZE >> 20)));
    }
    let wrong = |why: &str| Failure::new(Text(why.as_bytes()).to_string());
    let text = core::str::from_utf8(&bytes).map_err(|_| wrong("the file is not UTF-8"))?;
    let file: File =
        toml_text::read(text).map_err(|(line, message)| Failure::new(format!("line {line}: {message}")))?;
    if file.crawler.is_empty() {
        return Err(wrong("there is no crawler; write one below [[crawler]], with `name` and `purpose`"));
    }
    let (mut crawlers, mut domains) = (Vec::new(), Domains::new());
    for mut entry in file.crawler {
        let own = entry.domains.take().unwrap_or_default();
        let known = entry.known(&file.sources).map_err(|why| wrong(&why))?;
        let own: Vec<&'static str> = own
            .into_iter()
            .map(|domain| {
                // As in `*.example.com`.
                let plain = domain.trim_start_matches(['*', '.']).trim_end_matches('.').to_ascii_lowercase();
                let has_label = plain.contains('.') && !plain.contains("..");
                let why = || {
                    format!(
                        "the crawler `{}` has the domain `{domain}`; write one such as example.com",
                        known.name
                    )
                };
                if has_label { Ok(kept(plain)) } else { Err(wrong(&why())) }
            })
            .collect::<Result<_>>()?;
        domains.insert(known.name, own.leak());
        crawlers.push(known);
    }
    let catalogue = Catalogue::new(crawlers).map_err(|error| wrong(&error.to_string()))?;
    Ok((catalogue, domains))
}

/// Keeps a text until the program ends.
fn kept(text: String) -> &'static str {
    text.leak()
}

impl Entry {
    fn known(self, sources: &BTreeMap<String, Source>) -> core::result::Result<KnownCrawler, String> {
        let Self {
            name,
            tokens,
            operator,
            purpose,
            respects,
            trigger,
            obeys_wildcard,
            reads_crawl_delay,
            differences,
            domains: _,
            source,
        } = self;
        let wrong = |key: &str, value: &str, values: &str| {
            format!("the crawler `{name}` has the {key} `{value}`; write one of {values}")
        };
        let names = Purpose::ALL.map(Purpose::name).join(", ");
        let found = Purpose::ALL.into_iter().find(|known| known.name() == purpose);
        let purpose = found.ok_or_else(|| wrong("purpose", &purpose, &names))?;
        let answer = |key: &str, value: Option<String>| match value.as_deref() {
            Some("yes") => Ok(Some(true)),
            Some("no") => Ok(Some(false)),
            None | Some("unknown") => Ok(None),
            Some(other) => Err(wrong(&format!("value of `{key}`"), other, "yes, no, unknown")),
        };
        let respects = answer("respects", respects)?;
        let reads_crawl_delay = answer("reads-crawl-delay", reads_crawl_delay)?;
        let trigger = match trigger.as_deref() {
            None | Some("automatic") => Trigger::Automatic,
            Some("user") => Trigger::User,
            Some(other) => return Err(wrong("trigger", other, "automatic, user")),
        };
        let date = match &source {
            None => String::new(),
            Some(source) => match sources.get(source) {
                Some(known) => known.date.clone(),
                None => {
                    return Err(format!(
                        "the crawler `{name}` has the source `{source}`, which is not below [sources]"
                    ));
                }
            },
        };
        let mut known = KnownCrawler::new(kept(name), purpose);
        if let Some(tokens) = tokens {
            let tokens: Vec<&'static str> = tokens.into_iter().map(kept).collect();
            known.tokens = tokens.leak();
        }
        known.operator = operator.map(kept);
        (known.respects, known.trigger) = (respects, trigger);
        known.reads_crawl_delay = reads_crawl_delay;
        known.obeys_wildcard = obeys_wildcard.unwrap_or(true);
        known.differences = differences.map(kept);
        if let Some(source) = source {
            (known.source, known.date) = (kept(source), kept(date));
        }
        Ok(known)
    }
}
