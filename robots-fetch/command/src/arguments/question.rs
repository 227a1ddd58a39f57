//! The question that `check` and `explain` answer.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Args;
use robots_fetch::Origin;
use robots_match::{Profile, Robots, Target};
use url::Url;

use super::agents::Agents;
use super::catalogue::CatalogueFile;
use super::git;
use super::site::SiteArguments;
use super::targets::{failure, file_hint, target, within_limit};
use crate::body::cut_file_note;
use crate::failure::{Failure, Result, reason};
use crate::output::{self, Failures, Style};
use crate::source::{self, Admitted};
use crate::text::{Text, input_name};

/// The arguments of `check` and `explain`: URLs, for crawlers, and one file or those of the sites.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// URLs; with --robots, paths too
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<OsString>,

    /// The robots.txt file, `-` for standard input, or git:REV:PATH. Without this option, the sites of the URLs are asked
    #[arg(long = "robots", value_name = "FILE")]
    pub(crate) path: Option<OsString>,

    #[command(flatten)]
    pub(crate) agents: Agents,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    #[command(flatten)]
    pub(crate) site: SiteArguments,
}

/// The end of the help of `check` and `explain`; `$command` is the name of the command.
macro_rules! question_help {
    ($command:literal) => {
        concat!(
            "\
A URL is what a client requests: `..` is resolved, the fragment is left out, and
characters that clients encode are percent-encoded. A note says where the bytes
as they are written would have another verdict. A robots.txt that was fetched is
kept for as long as the profile says, and the site is not asked again until then.

`robots audit --agent NAME --urls FILE robots.txt` checks the URLs of a list, a
sitemap or an access log.

The format json is described by robots-fetch/schema/",
            $command,
            ".json.

",
            $crate::arguments::access_help!(),
            "
Exit status:
  0  all URLs are allowed to all crawlers
  1  a URL is disallowed
  2  an error occurred, a site gave no answer, or the file of --robots is not a
     robots.txt file
"
        )
    };
}
pub(crate) use question_help;

/// A URL or a path as it was given, and as a client requests it.
#[derive(Debug)]
pub(crate) struct Asked<'q> {
    pub(crate) text: &'q [u8],
    pub(crate) target: Target<'q>,
}

/// Sites, each once, and URLs with the index of their site.
type Sites<'q> = (Vec<Origin>, Vec<(Asked<'q>, usize)>);

impl Question {
    /// The name of the file.
    pub(crate) fn path(&self) -> &OsStr {
        self.path.as_deref().unwrap_or_default()
    }

    /// The sites of the URLs, each once, and each URL with the index of its site. Arguments that are not URLs are `failed`.
    pub(crate) fn sites(&self, failed: &mut Failures) -> Result<Sites<'_>> {
        let mut places: HashMap<Origin, usize> = HashMap::new();
        let mut origins = Vec::new();
        let mut urls = Vec::new();
        for url in &self.urls {
            let Some((asked, origin)) = failed.read(url, of_site(url))? else { continue };
            let place = *places.entry(origin).or_insert_with_key(|origin| {
                origins.push(origin.clone());
                origins.len() - 1
            });
            urls.push((asked, place));
        }
        Ok((origins, urls))
    }

    /// Returns the URLs and paths, as clients request them. Arguments that are neither are `failed`.
    pub(crate) fn targets(&self, failed: &mut Failures) -> Result<Vec<Asked<'_>>> {
        let mut targets = Vec::new();
        for url in &self.urls {
            targets.extend(failed.read(url, asked(url))?);
        }
        Ok(targets)
    }

    /// Returns the robots.txt that `--robots` names, if the URLs can be compared with its rules.
    pub(crate) fn robots(&self) -> Result<Robots> {
        self.read(&self.site.profile.rules)
    }

    /// Does the same as [`Self::robots`], and reads as much of the file as any profile reads of an answer.
    pub(crate) fn robots_for_all_profiles(&self) -> Result<Robots> {
        let mut wide = self.site.profile.rules;
        let most = self.site.site_profile().access.max_body;
        wide.syntax.max_size = wide.syntax.max_size.map(|own| own.max(most));
        self.read(&wide)
    }

    /// Reads the file as far as `limits` reads it.
    fn read(&self, limits: &Profile) -> Result<Robots> {
        let rules = self.site.profile.rules;
        if is_url(self.path()) {
            let shown = Text(self.path().as_encoded_bytes());
            return Err(Failure::new(format!(
                "`--robots` takes a file, and `{shown}` is a URL; leave the option out to ask the sites of the URLs"
            )));
        }
        let bytes = read_named(self.path(), Admitted::Any, limits, |_| String::new())?;
        note_cut(&bytes, &rules, self.path());
        Ok(Robots::new(bytes, rules))
    }
}

/// Reads an argument that is a URL or a path.
fn asked(url: &OsStr) -> Result<Asked<'_>> {
    let text = url.as_encoded_bytes();
    Ok(Asked { text, target: target(text)? })
}

/// Reads an argument that is a URL, and returns its site, too.
fn of_site(url: &OsStr) -> Result<(Asked<'_>, Origin)> {
    let text = url.as_encoded_bytes();
    if Target::parse(text).is_ok_and(|target| target.is_path()) {
        let path = Text(text);
        return Err(Failure::new(format!("`{path}` is a path; add --robots FILE, or write the whole URL")));
    }
    let origin = origin(url)?;
    Ok((asked(url)?, origin))
}

/// Says so if a profile does not read a file to its end.
fn note_cut(bytes: &[u8], profile: &Profile, path: &OsStr) {
    if let Some(note) = cut_file_note(bytes, profile) {
        output::complain("note", Style::Note, &format!("{}: {note}", input_name(path)));
    }
}

/// Returns the site of a URL.
pub(crate) fn origin(url: &OsStr) -> Result<Origin> {
    Ok(site_url(url)?.1)
}

/// Returns a URL that is requested, and its site.
pub(crate) fn site_url(url: &OsStr) -> Result<(Url, Origin)> {
    let text = url.as_encoded_bytes();
    within_limit(text)?;
    let not_a_url = || {
        let shown = Text(text);
        Failure::new(format!("`{shown}` is not a URL; write one such as `https://example.com/page`"))
    };
    let target =
        Target::parse(text).map_err(|error| match error.is_without_scheme() || error.is_about_host() {
            true => failure(text, &error, ""),
            false if error.is_url() || error.meant().is_some() => {
                Failure::new(Text(error.to_string().as_bytes()).to_string())
            }
            false => not_a_url(),
        })?;
    let url = target.url().ok_or_else(not_a_url)?;
    let origin = Origin::from_url(&url).map_err(|error| {
        // The message has no control characters, but the URL in it may change the direction of the text.
        Failure::new(Text(error.to_string().as_bytes()).to_string())
    })?;
    Ok((url, origin))
}

/// Returns the bytes of the file of this name, as far as `profile` reads them; `-` is standard input, and `git:REV:PATH` a
/// version that Git keeps. A user may name a pipe or a device, a list may not.
///
/// # Errors
///
/// The file can't be read. If the name looks like that of a site, the message says how to write its URL.
pub(crate) fn bytes_of(path: &OsStr, admitted: Admitted, profile: &Profile) -> Result<Vec<u8>> {
    read_named(path, admitted, profile, file_hint)
}

/// Does the same as [`bytes_of`], where only some arguments may be `meant` as sites.
fn read_named(
    path: &OsStr,
    admitted: Admitted,
    profile: &Profile,
    hint: impl FnOnce(&OsStr) -> String,
) -> Result<Vec<u8>> {
    source::require_name(path)?;
    if let Some(object) = path.as_encoded_bytes().strip_prefix(b"git:") {
        return git::read(object, profile);
    }
    if path == "-" {
        return match admitted {
            Admitted::Any => source::standard_input(profile),
            Admitted::Regular => {
                Err(Failure::new("a list can't name standard input; write a file or a site"))
            }
        };
    }
    source::read_file(Path::new(path), admitted, profile).map_err(|error| {
        // The lines of a list never come from a shell.
        let why = match admitted {
            Admitted::Any => source::reason_of(path, &error),
            Admitted::Regular => reason(&error),
        };
        Failure::new(format!("can't read {}: {why}{}", input_name(path), hint(path)))
    })
}

/// Whether an argument is the URL of a site and not the name of a file.
pub(crate) fn is_url(argument: &OsStr) -> bool {
    // Clients remove space before a URL.
    let bytes = argument.as_encoded_bytes().trim_ascii_start();
    ["http://", "https://", "ftp://"].iter().any(|start| {
        bytes.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start.as_bytes()))
    })
}
