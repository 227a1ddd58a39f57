//! `robots lint`: what in files is most likely not as it was meant.

use core::fmt::Write as _;
use std::ffi::{OsStr, OsString};
use std::time::SystemTime;

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use lexopt::{Arg, Parser, ValueExt as _};
use robots_fetch::Access;
use robots_match::Profile;
use robots_match::lint::{Code, Edit, Facts, Finding, Report, Severity, fixed, lint};
use serde_json::{Value, json};

use crate::args::{self, Reading};
use crate::explain::span_json;
use crate::failure::{Failure, Result, reason};
use crate::network::Network;
use crate::show::{self, Style, Text};
use crate::view::View;

pub(crate) const HELP: &str = concat!(
    "\
What in robots.txt files has no effect, is not read by all alike, or is most likely not as it was meant.

Usage: robots lint [OPTION]... FILE-OR-URL...
       robots lint --explain CODE
       robots lint --list

Options:
      --deny LEVEL        the least severity for which the exit status is 1: note, warning (default), error
      --format NAME       human (default), json (robots-fetch/schema/lint.json describes it), sarif (2.1.0), github
      --fix               write those corrections into the files that change no verdict for any crawler, URL and profile
      --url URL           the URL of the file, for findings about URLs of its own origin
  -p, --profile NAME      how the file is read where profiles need not be told apart: rfc9309 (default), google,
                          draft-koster-rep-00, koster-1996
      --explain CODE      the page of documentation of a code
      --list              all codes
  -h, --help              this help

Options for sites that are asked:
",
    crate::network::requests_help!(),
    "
`-` reads standard input. What begins with http://, https:// or ftp:// is a site: any URL of it will do. It is asked for
its robots.txt each time, so that it is the one of this moment.

Exit status: 0 if nothing is found at or above the level, 1 if something is, 2 if something is wrong.

Examples:
  robots lint robots.txt
  robots lint https://example.com
  robots lint --deny error --format sarif robots.txt > robots.sarif
  robots lint --explain missing-colon
"
);

/// The largest file that is looked at.
const MOST_OCTETS: usize = 16 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Human,
    Json,
    Sarif,
    Github,
}

impl Format {
    fn of(name: &OsStr) -> Result<Self> {
        match name.as_encoded_bytes() {
            b"human" => Ok(Self::Human),
            b"json" => Ok(Self::Json),
            b"sarif" => Ok(Self::Sarif),
            b"github" => Ok(Self::Github),
            other => Err(Failure::told(format!(
                "there is no format `{}`; there are human, json, sarif, github",
                Text(other)
            ))),
        }
    }
}

#[derive(Debug)]
struct Options {
    deny: Severity,
    format: Format,
    fix: bool,
    url: Option<String>,
    reading: Reading,
    network: Network,
    files: Vec<OsString>,
}

/// The command, from its arguments on.
pub(crate) fn run(mut parser: Parser) -> Result<u8> {
    let mut options = Options {
        deny: Severity::Warning,
        format: Format::Human,
        fix: false,
        url: None,
        reading: Reading::default(),
        network: Network::keeping_nothing(),
        files: Vec::new(),
    };
    while let Some(arg) = parser.next()? {
        if let Some(option) = Network::request_option(&arg) {
            options.network.set(option, &mut parser)?;
            continue;
        }
        match arg {
            Arg::Short('h') | Arg::Long("help") => return crate::help(HELP),
            Arg::Long("explain") => return explain(&parser.value()?),
            Arg::Long("list") => return list(),
            Arg::Long("deny") => options.deny = severity(&parser.value()?)?,
            Arg::Long("format") => options.format = Format::of(&parser.value()?)?,
            Arg::Long("fix") => options.fix = true,
            Arg::Long("url") => options.url = Some(parser.value()?.string()?),
            Arg::Short('p') | Arg::Long("profile") => options.reading = Reading::of(&parser.value()?)?,
            Arg::Value(file) => options.files.push(file),
            other => return Err(other.unexpected().into()),
        }
    }
    if options.files.is_empty() {
        return Err(Failure::told("neither a file nor a URL is given"));
    }
    if options.fix && options.files.iter().any(|file| file == "-") {
        return Err(Failure::told("standard input can't be corrected; name a file"));
    }
    if options.fix && options.files.iter().any(|file| is_url(file)) {
        return Err(Failure::told("what a site answers can't be corrected there; name a file"));
    }
    let mut checked = Vec::new();
    let mut is_denied = false;
    for path in &options.files {
        let file = Checked::of(path, &options)?;
        is_denied |= file.report.severest().is_some_and(|severity| severity >= options.deny);
        checked.push(file);
        // What people read, and machines that read line by line, is written as it comes.
        if matches!(options.format, Format::Human | Format::Github) {
            let text = checked
                .iter()
                .map(|file| if options.format == Format::Human { human(file) } else { github(file) });
            match show::print(&text.collect::<String>()) {
                Ok(()) | Err(Failure::Closed) => checked.clear(),
                Err(failure) => return Err(failure),
            }
        }
    }
    let printed = match options.format {
        Format::Human | Format::Github => Ok(()),
        Format::Json => show::print_json(&json!({
            "version": 1,
            "profile": options.reading.name,
            "files": checked.iter().map(json).collect::<Vec<_>>(),
        })),
        Format::Sarif => show::print_json(&sarif(&checked)),
    };
    match printed {
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(is_denied)),
        Err(failure) => Err(failure),
    }
}

fn severity(name: &OsStr) -> Result<Severity> {
    Severity::ALL.into_iter().find(|severity| name == severity.name()).ok_or_else(|| {
        let name = Text(name.as_encoded_bytes());
        Failure::told(format!("there is no level `{name}`; there are note, warning, error"))
    })
}

fn explain(name: &OsStr) -> Result<u8> {
    let code = name.to_str().and_then(Code::named).ok_or_else(|| {
        let name = Text(name.as_encoded_bytes());
        Failure::told(format!("there is no code `{name}`; `robots lint --list` lists them"))
    })?;
    show::print(code.page())?;
    Ok(0)
}

fn list() -> Result<u8> {
    let mut text = String::new();
    for code in Code::ALL {
        let _ = writeln!(text, "{:<22} {:<8} {}", code.name(), code.severity().name(), code.title());
    }
    show::print(&text)?;
    Ok(0)
}

/// Whether an argument is the URL of a site, and not the name of a file.
fn is_url(argument: &OsStr) -> bool {
    let octets = argument.as_encoded_bytes();
    ["http://", "https://", "ftp://"].iter().any(|start| {
        octets.get(..start.len()).is_some_and(|octets| octets.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// A file and what was found in it.
struct Checked<'o> {
    /// As it was named: a path, or the URL of a site.
    path: &'o OsStr,
    /// Where it came from, if a site was asked.
    url: Option<String>,
    body: Vec<u8>,
    report: Report,
}

impl<'o> Checked<'o> {
    fn of(path: &'o OsStr, options: &Options) -> Result<Self> {
        if is_url(path) {
            return Self::of_site(path, options);
        }
        // More than readers read: what their limits leave out is a finding.
        let mut wide = Profile::default();
        wide.syntax.max_size = Some(MOST_OCTETS);
        let body = args::octets(path, &wide)?;
        if body.len() > MOST_OCTETS {
            let path = Text(path.as_encoded_bytes());
            return Err(Failure::told(format!("{path} is larger than {} MiB", MOST_OCTETS >> 20)));
        }
        let mut facts = Facts::default();
        facts.profile = options.reading.profile;
        facts.url = options.url.as_deref();
        let mut file = Self { path, url: None, report: lint(&body, &facts), body };
        if options.fix {
            let (body, made) = fixed(&file.body, &file.report);
            if made > 0 {
                write(path, &body)?;
                let corrections =
                    if made == 1 { "1 correction".to_owned() } else { format!("{made} corrections") };
                let message = format!("{corrections} made in {}", Text(path.as_encoded_bytes()));
                show::complain("note", Style::Note, &message);
                file = Self { path, url: None, report: lint(&body, &facts), body };
            }
        }
        Ok(file)
    }

    /// What a site answers.
    fn of_site(path: &'o OsStr, options: &Options) -> Result<Self> {
        let origin = args::origin(path)?;
        let mut wide = options.reading.access();
        wide.rules.syntax.max_size = Some(MOST_OCTETS);
        let entry = options.network.sites(wide)?.refresh(&origin);
        let site = Text(origin.as_str().as_bytes());
        let Some(file) = entry.good_file() else {
            let cause = entry.cause().map(ToString::to_string).unwrap_or_default();
            let cause = Text(cause.as_bytes());
            return Err(Failure::told(match entry.access(SystemTime::now()) {
                Access::Everything(..) => {
                    format!("{site} has no robots.txt ({cause}): crawlers may access everything")
                }
                _ => format!("the robots.txt of {site} can't be had ({cause}): crawlers may access nothing"),
            }));
        };
        let body = file.robots.body().to_vec();
        if body.len() > MOST_OCTETS {
            return Err(Failure::told(format!(
                "the robots.txt of {site} is larger than {} MiB",
                MOST_OCTETS >> 20
            )));
        }
        let mut facts = Facts::default();
        facts.profile = options.reading.profile;
        // Rules are about the site that was asked, wherever the file came from.
        facts.url = Some(options.url.as_deref().unwrap_or_else(|| origin.robots_url().as_str()));
        facts.content_type = file.fields.content_type.as_deref();
        Ok(Self { path, url: Some(file.url.as_str().to_owned()), report: lint(&body, &facts), body })
    }

    fn name(&self) -> String {
        match &self.url {
            Some(url) => Text(url.as_bytes()).to_string(),
            None if self.path == "-" => "standard input".to_owned(),
            None => Text(self.path.as_encoded_bytes()).to_string(),
        }
    }

    /// Where it is, as a reference.
    fn uri(&self) -> String {
        self.url.clone().unwrap_or_else(|| uri(self.path))
    }
}

/// Replaces a file as a whole, so that nobody sees a part of it.
fn write(path: &OsStr, body: &[u8]) -> Result<()> {
    let failure = |error: std::io::Error| {
        Failure::told(format!("can't write {}: {}", Text(path.as_encoded_bytes()), reason(&error)))
    };
    // A link is followed, and the permissions stay.
    let path = std::fs::canonicalize(path).map_err(failure)?;
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let permissions = std::fs::metadata(&path).map_err(failure)?.permissions();
    let replaced = std::fs::write(&beside, body)
        .and_then(|()| std::fs::set_permissions(&beside, permissions))
        .and_then(|()| std::fs::rename(&beside, &path));
    replaced.map_err(|error| {
        // Nothing is lost if it is gone already.
        let _ = std::fs::remove_file(&beside);
        failure(error)
    })
}

fn human(file: &Checked<'_>) -> String {
    let view = View::new(&file.body);
    let mut text = String::new();
    for finding in &file.report.findings {
        text.push_str(&finding_human(finding, file, &view));
        text.push_str("\n\n");
    }
    for (code, count) in &file.report.left_out {
        let title = format!("{count} more of these in {}", file.name());
        let level = level(code.severity());
        text.push_str(
            &Renderer::styled().render(&[Group::with_title(level.primary_title(title).id(code.name()))]),
        );
        text.push_str("\n\n");
    }
    text
}

const fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    }
}

fn finding_human(finding: &Finding, file: &Checked<'_>, view: &View<'_>) -> String {
    let title =
        level(finding.code.severity()).primary_title(finding.message.as_str()).id(finding.code.name());
    let part = view.part([finding.span]);
    let name = file.name();
    let snippet = Snippet::source(part.text).line_start(part.line).path(name.as_str());
    let mut group = Group::with_title(title);
    let mut marks = vec![AnnotationKind::Primary.span(view.range(part, finding.span))];
    // Another place in the same line is shown there; else in a snippet of its own.
    let mut elsewhere = None;
    if let Some((span, what)) = &finding.other {
        let other = view.part([*span]);
        if other.line == part.line {
            marks.push(AnnotationKind::Context.span(view.range(part, *span)).label(what.as_str()));
        } else {
            let mark = AnnotationKind::Context.span(view.range(other, *span)).label(what.as_str());
            elsewhere =
                Some(Snippet::source(other.text).line_start(other.line).path(name.as_str()).annotation(mark));
        }
    }
    group = group.element(snippet.annotations(marks));
    if let Some(snippet) = elsewhere {
        group = group.element(snippet);
    }
    if !finding.readers.is_empty() {
        group = group.element(Level::NOTE.message(format!("this concerns {}", readers(&finding.readers))));
    }
    let help = finding.help.as_deref();
    match patch(finding, view) {
        Some((part, range, replacement)) => {
            let fix = Level::HELP.secondary_title(help.unwrap_or("correct it"));
            let snippet =
                Snippet::source(part.text).line_start(part.line).patch(Patch::new(range, replacement));
            Renderer::styled().render(&[group, fix.element(snippet)])
        }
        None => {
            if let Some(help) = help {
                group = group.element(Level::HELP.message(help));
            }
            Renderer::styled().render(&[group])
        }
    }
}

/// Profiles, for people.
fn readers(names: &[&str]) -> String {
    let told: Vec<String> = names.iter().map(|name| format!("{} ({name})", Profile::readers(name))).collect();
    match told.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => told.concat(),
    }
}

/// The correction, if it can be shown as text within a line.
fn patch<'v>(
    finding: &Finding,
    view: &'v View<'_>,
) -> Option<(crate::view::Part<'v>, core::ops::Range<usize>, String)> {
    let Edit { span, replacement, .. } = finding.fix.as_ref()?;
    let part = view.part([*span]);
    let range = view.range(part, *span);
    let replacement = core::str::from_utf8(replacement).ok()?;
    let is_visible = |char: char| !char.is_control() || char == '\n';
    (replacement.chars().all(is_visible) && replacement.trim() != ""
        || !range.is_empty() && replacement.is_empty())
    .then(|| (part, range, replacement.to_owned()))
}

fn github(file: &Checked<'_>) -> String {
    // The marks of a workflow command.
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let view = View::new(&file.body);
    let mut text = String::new();
    for finding in &file.report.findings {
        let level =
            if finding.code.severity() == Severity::Note { "notice" } else { finding.code.severity().name() };
        let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "::{level} file={},line={},col={},title={}::{}",
            property(&file.name()),
            finding.line,
            view.column_of(finding.span.start()),
            property(finding.code.name()),
            data(&format!("{}{help}", finding.message)),
        );
    }
    text
}

fn json(file: &Checked<'_>) -> Value {
    let view = View::new(&file.body);
    let place = |span: robots_match::Span| {
        json!({
            "line": view.line_of(span.start()),
            "column": view.column_of(span.start()),
            "span": span_json(span),
        })
    };
    let findings = file.report.findings.iter().map(|finding| {
        json!({
            "code": finding.code.name(),
            "severity": finding.code.severity().name(),
            "message": finding.message,
            "help": finding.help,
            "line": finding.line,
            "column": view.column_of(finding.span.start()),
            "span": span_json(finding.span),
            "readers": finding.readers,
            "other": finding.other.as_ref().map(|(span, what)| json!({ "message": what, "place": place(*span) })),
            "fix": finding.fix.as_ref().map(|edit| {
                json!({ "span": span_json(edit.span), "replacement": String::from_utf8_lossy(&edit.replacement) })
            }),
        })
    });
    let left_out =
        file.report.left_out.iter().map(|(code, count)| json!({ "code": code.name(), "count": count }));
    json!({
        "file": file.name(),
        "asked": file.url.is_some().then(|| Text(file.path.as_encoded_bytes()).to_string()),
        "findings": findings.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    })
}

/// The findings as the Static Analysis Results Interchange Format, version 2.1.0.
fn sarif(files: &[Checked<'_>]) -> Value {
    let level = |severity: Severity| severity.name();
    let rules = Code::ALL.iter().map(|code| {
        json!({
            "id": code.name(),
            "shortDescription": { "text": code.title() },
            "help": { "text": code.page(), "markdown": code.page() },
            "defaultConfiguration": { "level": level(code.severity()) },
        })
    });
    let results = files.iter().flat_map(|file| {
        let view = View::new(&file.body);
        file.report.findings.iter().map(move |finding| result(finding, file, &view)).collect::<Vec<_>>()
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "robots",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules.collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn result(finding: &Finding, file: &Checked<'_>, view: &View<'_>) -> Value {
    let uri = file.uri();
    let region = |span: robots_match::Span| {
        let part = view.part([span]);
        let columns = part.text.get(view.range(part, span)).map_or(0, |text| text.chars().count());
        let column = view.column_of(span.start());
        json!({
            "startLine": part.line,
            "startColumn": column,
            "endColumn": column + columns,
            "byteOffset": span.start(),
            "byteLength": span.len(),
        })
    };
    let location = |span: robots_match::Span| json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region(span) } });
    let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    let mut result = json!({
        "ruleId": finding.code.name(),
        "ruleIndex": Code::ALL.iter().position(|code| *code == finding.code),
        "level": finding.code.severity().name(),
        "message": { "text": format!("{}{help}", finding.message) },
        "locations": [location(finding.span)],
    });
    let mut insert = |key: &str, value: Value| {
        if let Value::Object(result) = &mut result {
            result.insert(key.to_owned(), value);
        }
    };
    if let Some((span, what)) = &finding.other {
        let mut related = location(*span);
        if let Value::Object(related) = &mut related {
            related.insert("message".to_owned(), json!({ "text": what }));
        }
        insert("relatedLocations", json!([related]));
    }
    if let Some(edit) = &finding.fix {
        // Octets count where text would have to be shown: a correction may be about octets that are none.
        let deleted = json!({ "byteOffset": edit.span.start(), "byteLength": edit.span.len() });
        let inserted = json!({ "text": String::from_utf8_lossy(&edit.replacement) });
        insert(
            "fixes",
            json!([{
                "artifactChanges": [{
                    "artifactLocation": { "uri": uri },
                    "replacements": [{ "deletedRegion": deleted, "insertedContent": inserted }],
                }],
            }]),
        );
    }
    if !finding.readers.is_empty() {
        insert("properties", json!({ "readers": finding.readers }));
    }
    result
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
