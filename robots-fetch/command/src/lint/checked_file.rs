//! A robots.txt from a file or a site, and the findings.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use robots_fetch::Access;
use robots_match::lint::LintReport;
use robots_match::syntax::BodyKind;
use robots_match::{Crawler, Profile, Target};

use super::arguments::Arguments;
use super::baseline::FileName;
use super::not_made::reasons;
use super::settings::{Settings, paths};
use crate::arguments::{bytes_of, is_url, origin};
use crate::body::{answer_note, body_note, cut_note, refusal_note};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::output::{self, Style};
use crate::replace_file::replace_file;
use crate::sarif::uri;
use crate::source::Admitted;
use crate::subject::site_answer;
use crate::text::{Text, with_host};

/// The size of the largest file that is checked, in bytes.
const MAX_SIZE: usize = 16 << 20;

/// A file and its findings.
pub(super) struct Checked<'o> {
    /// The argument: a path, or the URL of a site.
    pub(super) path: &'o OsStr,
    /// The URL of the file, if a site was asked.
    pub(super) url: Option<String>,
    pub(super) body: Vec<u8>,
    pub(super) report: LintReport,
    /// Why corrections that the findings show were not made.
    pub(super) not_made: Option<String>,
}

/// The most entries of a folder in which its files are looked for.
const MAX_ENTRIES: usize = 1_000;

/// Returns where a folder has its robots.txt files, as a pattern.
fn files_in(folder: &Path) -> &'static str {
    let has_file = |folder: &Path| folder.join("robots.txt").is_file();
    let mut entries = fs::read_dir(folder).into_iter().flatten().take(MAX_ENTRIES).flatten();
    let is_above = !has_file(folder) && entries.any(|entry| has_file(&entry.path()));
    if is_above { "*/robots.txt" } else { "*" }
}

impl<'o> Checked<'o> {
    pub(super) fn of(path: &'o OsStr, arguments: &Arguments, settings: &Settings) -> Result<Self> {
        let mut file = match is_url(path) {
            true => Self::of_site(path, arguments, settings),
            false => Self::of_file(path, arguments, settings),
        }?;
        if BodyKind::of(&file.body, &arguments.profile.rules.syntax) == BodyKind::Empty
            && file.report.findings.is_empty()
            && let Some(note) = body_note(BodyKind::Empty)
        {
            output::complain("note", Style::Note, &format!("{}: {note}", file.name()));
        }
        if let Some(baseline) = &settings.baseline {
            let place = place(path, file.url.as_deref());
            baseline.hide(&place, &mut file.report, &file.body);
        }
        if let Some(wanted) = &settings.wanted {
            wanted.hide(path, &mut file.report, &file.body, &arguments.profile.rules)?;
        }
        if arguments.fix {
            file.not_made = reasons(&file.report, &file.body, &file.name());
        }
        Ok(file)
    }

    fn of_file(path: &'o OsStr, arguments: &Arguments, settings: &Settings) -> Result<Self> {
        // Crawlers read less; that a file exceeds their limits is a finding.
        let mut wide = Profile::default();
        wide.syntax.max_size = Some(MAX_SIZE);
        if Path::new(path).is_dir() {
            let files = files_in(Path::new(path));
            let path = Text(path.as_encoded_bytes()).to_string();
            let folder = path.trim_end_matches('/');
            return Err(Failure::new(format!(
                "{path} is a folder; name its files, such as `{folder}/{files}`, or use `robots audit {path}`"
            )));
        }
        let body = bytes_of(path, Admitted::Any, &wide)?;
        if body.len() > MAX_SIZE {
            let path = Text(path.as_encoded_bytes());
            return Err(Failure::new(format!("{path} is larger than {} MiB", MAX_SIZE >> 20)));
        }
        let facts = settings.context(arguments);
        let mut file = Self { path, url: None, report: facts.lint(&body), body, not_made: None };
        if arguments.fix {
            let (body, made) = file.report.fix(&file.body);
            if made > 0 {
                replace_file(path, &body)?;
                let corrections =
                    if made == 1 { "1 correction".to_owned() } else { format!("{made} corrections") };
                let message = format!("{corrections} made in {}", Text(path.as_encoded_bytes()));
                output::complain("note", Style::Note, &message);
                file = Self { path, url: None, report: facts.lint(&body), body, not_made: None };
            }
        }
        Ok(file)
    }

    /// Checks the robots.txt of a site.
    fn of_site(path: &'o OsStr, arguments: &Arguments, settings: &Settings) -> Result<Self> {
        let origin = origin(path)?;
        let asked =
            Target::parse(path.as_encoded_bytes()).map(|target| target.path().to_vec()).unwrap_or_default();
        if !matches!(&*asked, b"/" | b"/robots.txt") {
            let note = format!(
                "only the robots.txt at the root of a site counts, so this is {}",
                Text(origin.robots_url().as_str().as_bytes())
            );
            output::complain("note", Style::Note, &note);
        }
        let mut wide = arguments.profile.with_access();
        wide.rules.syntax.max_size = Some(MAX_SIZE);
        let entry =
            Network::without_cache(&arguments.requests).sites(wide, Crawler::unnamed())?.refresh(&origin);
        let site = with_host(origin.as_str().as_bytes());
        let Some(file) = entry.good_file() else {
            let cause =
                answer_note(&entry).or_else(|| entry.cause().map(ToString::to_string)).unwrap_or_default();
            let cause = Text(cause.as_bytes());
            if !matches!(entry.access(SystemTime::now()), Access::Everything(..)) {
                return Err(Failure::new(format!(
                    "the robots.txt of {site} could not be fetched ({cause}): crawlers may access nothing"
                )));
            }
            if let Some(note) = refusal_note(&entry) {
                output::complain("note", Style::Note, &note);
            }
            let answer = site_answer(&entry, SystemTime::now()).map(|answer| answer.to_string());
            let mut facts = settings.context(arguments);
            facts.missing = answer.as_deref();
            return Ok(Self {
                path,
                url: Some(origin.robots_url().as_str().to_owned()),
                report: facts.lint(b""),
                body: Vec::new(),
                not_made: None,
            });
        };
        let body = file.robots.body().to_vec();
        if body.len() > MAX_SIZE {
            return Err(Failure::new(format!(
                "the robots.txt of {site} is larger than {} MiB",
                MAX_SIZE >> 20
            )));
        }
        if let Some(note) = cut_note(&entry) {
            output::complain("note", Style::Note, &format!("{site}: {note}"));
        }
        let mut facts = settings.context(arguments);
        // Rules apply to the site that was asked, even if a redirect led to another site.
        let of_site;
        if facts.url.is_none() {
            of_site = paths(&settings.pages, Some(&origin));
            (facts.url, facts.paths) = (Some(origin.robots_url().as_str()), &of_site);
        }
        facts.content_type = file.fields.content_type.as_deref();
        Ok(Self {
            path,
            url: Some(file.url.as_str().to_owned()),
            report: facts.lint(&body),
            body,
            not_made: None,
        })
    }

    /// Returns the file as baselines name it.
    pub(super) fn place(&self) -> FileName<'_> {
        place(self.path, self.url.as_deref())
    }

    pub(super) fn name(&self) -> String {
        match self.place() {
            FileName::Path(path) => Text(path.as_encoded_bytes()).to_string(),
            FileName::Other(name) => name,
        }
    }

    /// Returns the name for people, with both forms of an internationalized host.
    pub(super) fn name_and_host(&self) -> String {
        self.url.as_ref().map_or_else(|| self.name(), |url| with_host(url.as_bytes()))
    }

    /// Returns the file as a URI reference.
    pub(super) fn uri(&self) -> String {
        self.url.clone().unwrap_or_else(|| uri(self.path))
    }
}

fn place<'p>(path: &'p OsStr, url: Option<&str>) -> FileName<'p> {
    match url {
        Some(url) => FileName::Other(Text(url.as_bytes()).to_string()),
        None if path == "-" => FileName::Other("standard input".to_owned()),
        None => FileName::Path(path),
    }
}
