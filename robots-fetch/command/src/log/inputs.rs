//! The logs that are read: their order, their compression and their formats.

use alloc::sync::Arc;
use core::hash::Hasher as _;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use robots_fetch::log::{JsonObjects, LogFormat, LogTime};
use robots_match::syntax::BodyKind;

use super::arguments::Arguments;
use super::compressed::{Windows, ahead, decompressed};
use crate::failure::{Failure, Result, reason};
use crate::output::{self, Style};
use crate::source::{self, Admitted, reason_of, require_name};
use crate::text::Text;

/// The bytes by which a format is recognized.
const SAMPLE: u64 = 64 << 10;

/// The most of them, if the first line is longer.
const LONGEST_SAMPLE: usize = 2 << 20;

/// A log whose format is known.
pub(super) struct Input {
    pub(super) name: String,
    place: Opened,
    pub(super) format: LogFormat,
    /// What puts objects on lines of their own, if they are not.
    objects: Option<JsonObjects>,
    /// The time of the first line that has one.
    pub(super) start: Option<i64>,
    pub(super) bytes: u64,
    pub(super) is_empty: bool,
    /// The hash of its first lines.
    beginning: u64,
    /// Whether lines end with CR only.
    has_returns: bool,
}

enum Opened {
    File(PathBuf, Admitted),
    /// Standard input or a pipe, of which the beginning was read.
    Stream(Vec<u8>, Box<dyn Read + Send>),
    /// A stream that was read.
    Taken,
}

impl Input {
    /// Returns whether the log can be read only once.
    pub(super) const fn is_stream(&self) -> bool {
        matches!(self.place, Opened::Stream(..))
    }

    /// Opens the log, once. `done` counts the bytes that are read, before they are decompressed, and `windows` what decompressing needs.
    pub(super) fn open(
        &mut self,
        done: Arc<AtomicU64>,
        windows: Windows,
    ) -> io::Result<Box<dyn Read + Send>> {
        let source = match core::mem::replace(&mut self.place, Opened::Taken) {
            Opened::File(path, admitted) => {
                ahead(Counted { inner: source::open(&path, admitted)?, done }, windows)
            }
            Opened::Stream(start, rest) => {
                ahead(Cursor::new(start).chain(Counted { inner: rest, done }), windows)
            }
            Opened::Taken => ahead(io::empty(), windows),
        }?;
        let source = if self.has_returns { Box::new(Returns(source)) } else { source };
        Ok(match self.objects.take() {
            Some(objects) => {
                Box::new(Divided { inner: source, objects, lines: Vec::new(), taken: 0, is_done: false })
            }
            None => source,
        })
    }
}

/// A log whose lines end with CR only.
struct Returns(Box<dyn Read + Send>);

impl Read for Returns {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        end_lines(buffer.get_mut(..length).unwrap_or_default());
        Ok(length)
    }
}

/// Replaces CR by LF.
fn end_lines(text: &mut [u8]) {
    for byte in text.iter_mut().filter(|byte| **byte == b'\r') {
        *byte = b'\n';
    }
}

/// A JSON log whose objects are put on lines of their own.
struct Divided {
    inner: Box<dyn Read + Send>,
    objects: JsonObjects,
    /// Lines, and how many of their bytes were returned.
    lines: Vec<u8>,
    taken: usize,
    is_done: bool,
}

impl Read for Divided {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.lines.len() && !buffer.is_empty() {
            let length = self.inner.read(buffer)?;
            self.lines.clear();
            self.taken = 0;
            if length == 0 {
                if !self.objects.is_in_array() {
                    return Ok(0);
                }
                if self.is_done {
                    return Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "it was cut: its array has no end",
                    ));
                }
                // An object that was cut is a line that can't be read.
                self.is_done = true;
                self.lines.push(b'\n');
                continue;
            }
            self.objects.lines(buffer.get(..length).unwrap_or_default(), &mut self.lines);
        }
        let length = self.lines.get(self.taken..).unwrap_or_default().read(buffer)?;
        self.taken += length;
        Ok(length)
    }
}

/// Counts the bytes that are read.
struct Counted<R> {
    inner: R,
    done: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.done.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Logs, and the names of those that can't be read, with the reasons.
type Inputs = (Vec<Input>, Vec<(String, Failure)>);

/// Returns the logs in the order of the times of their first lines, and those that can't be read.
pub(super) fn inputs(arguments: &Arguments) -> Result<Inputs> {
    let standard = [OsString::from("-")];
    let named = if arguments.logs.is_empty() { &standard[..] } else { &*arguments.logs };
    source::require_one_standard_input(named)?;
    let mut inputs = Vec::new();
    let (mut seen, mut beginnings) = (HashSet::new(), HashMap::new());
    let mut failed = Vec::new();
    for name in named {
        require_name(name)?;
        let shown = crate::text::input_name(name);
        let (paths, admitted) = match name {
            name if name == "-" => (vec![None], Admitted::Any),
            name => match files_of(Path::new(name)) {
                Ok((paths, admitted)) => (paths.into_iter().map(Some).collect(), admitted),
                Err(error) => {
                    failed.push((
                        shown.clone(),
                        Failure::new(format!("can't read {shown}: {}", reason_of(name, &error))),
                    ));
                    continue;
                }
            },
        };
        for path in paths {
            // The same file counts once, by whatever name.
            if let Some(path) = path.as_ref().and_then(|path| fs::canonicalize(path).ok())
                && path.is_file()
                && !seen.insert(path)
            {
                continue;
            }
            let shown = path
                .as_ref()
                .map_or_else(|| shown.clone(), |path| Text(path.as_os_str().as_encoded_bytes()).to_string());
            match input(path, admitted, &shown, arguments) {
                Ok(input) => {
                    let other = beginnings.insert(input.beginning, input.name.clone());
                    if let Some(other) = other.filter(|_| !input.is_empty) {
                        let note = format!(
                            "{} begins with the same lines as {other}, so requests may be counted twice",
                            input.name
                        );
                        output::complain("note", Style::Note, &note);
                    }
                    inputs.push(input);
                }
                Err(Failure::Closed) => return Err(Failure::Closed),
                Err(failure) => failed.push((shown, failure)),
            }
        }
    }
    // An empty log has no time, and may be anywhere.
    inputs.sort_by_key(|input| input.start);
    Ok((inputs, failed))
}

/// Returns a file, or the files of a folder, and the kinds that they may be. Pipes and devices of a folder are left out.
fn files_of(path: &Path) -> io::Result<(Vec<PathBuf>, Admitted)> {
    if !fs::metadata(path)?.is_dir() {
        return Ok((vec![path.to_owned()], Admitted::Any));
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if fs::metadata(&path).is_ok_and(|found| found.is_file()) {
            files.push(path);
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(io::Error::new(io::ErrorKind::NotFound, "the folder has no files")),
        false => Ok((files, Admitted::Regular)),
    }
}

fn input(path: Option<PathBuf>, admitted: Admitted, name: &str, arguments: &Arguments) -> Result<Input> {
    let failed = |error: io::Error| Failure::new(format!("can't read {name}: {}", reason(&error)));
    let mut sample = Vec::new();
    let (place, bytes) = match path {
        Some(path) if fs::metadata(&path).map_err(failed)?.is_file() => {
            let file = source::open(&path, admitted).map_err(failed)?;
            let bytes = file.metadata().map_err(failed)?.len();
            let read = read_sample(decompressed(file).map_err(failed)?, &mut sample);
            // A compressed log that was cut has lines, too. Reading it reports the error.
            if sample.is_empty() {
                read.map_err(failed)?;
            }
            (Opened::File(path, admitted), bytes)
        }
        stream => {
            let mut source: Box<dyn Read + Send> = match stream {
                Some(path) => Box::new(source::open(&path, admitted).map_err(failed)?),
                None => Box::new(io::stdin()),
            };
            let mut start = Vec::new();
            loop {
                let wanted = SAMPLE.max(start.len() as u64);
                let length = source.by_ref().take(wanted).read_to_end(&mut start).map_err(failed)?;
                sample.clear();
                // What was read may end within a block.
                let _ = read_sample(decompressed(Cursor::new(start.clone())).map_err(failed)?, &mut sample);
                if (length as u64) < wanted || !is_too_short(&sample) || start.len() >= LONGEST_SAMPLE {
                    break;
                }
            }
            (Opened::Stream(start, source), 0)
        }
    };
    let has_returns = !sample.contains(&b'\n') && sample.contains(&b'\r');
    if has_returns {
        end_lines(&mut sample);
    }
    let zone = zone(arguments)?;
    let mut format = match &arguments.log_format {
        Some(text) => {
            LogFormat::parse(text).map_err(|error| Failure::new(format!("--log-format: {error}")))?
        }
        None => detected(name, &sample, arguments)?,
    }
    .with_zone(zone);
    for field in &arguments.fields {
        let (role, field) = field.split_once('=').ok_or_else(|| {
            Failure::new(format!("expected NAME=FIELD after --fields, and not `{}`", Text(field.as_bytes())))
        })?;
        format =
            format.with_field(role, field).map_err(|error| Failure::new(format!("--fields: {error}")))?;
    }
    if !is_place(&arguments.address) {
        if format.name() != "json" {
            return Err(Failure::new(format!(
                "{name} has no field `{}`: only JSON logs have names of fields; --address takes `remote` or `forwarded:N` for others",
                Text(arguments.address.as_bytes())
            )));
        }
        format = format
            .with_field("address", &arguments.address)
            .map_err(|error| Failure::new(error.to_string()))?;
    }
    let objects = if format.name() == "json" { JsonObjects::detect(&sample) } else { None };
    if let Some(mut objects) = objects.clone() {
        let text = core::mem::take(&mut sample);
        objects.lines(&text, &mut sample);
    }
    let mut reader = format.reader();
    let mut start = None;
    for line in sample.split(|&byte| byte == b'\n') {
        if let Some(line) = reader.read(line) {
            start = start.or(Some(line.time.millis));
        }
        if start.is_some() && reader.missing().is_none() {
            break;
        }
    }
    if !sample.is_empty()
        && let Some(missing) = reader.missing()
    {
        let advice = match format.name() {
            "common" => {
                "a log in the Common Log Format can't say which crawler made a request; write the Combined Log Format, which adds it"
            }
            "json" => "name its field with `--fields agent=FIELD`, or add it to those that the server writes",
            _ => "add it to the fields that the server writes",
        };
        return Err(Failure::new(format!("{name} lacks {missing}: {advice}")));
    }
    let is_empty = sample.is_empty();
    let mut hasher = DefaultHasher::new();
    hasher.write(&sample);
    let beginning = hasher.finish();
    Ok(Input {
        name: name.to_owned(),
        place,
        format,
        objects,
        start,
        bytes,
        is_empty,
        beginning,
        has_returns,
    })
}

/// Reads the beginning of a log up to a whole line or object, in parts whose size does not depend on the blocks of a compression.
fn read_sample(mut source: impl Read, sample: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let length = source.by_ref().take(SAMPLE).read_to_end(sample)?;
        if (length as u64) < SAMPLE || !is_too_short(sample) {
            return Ok(());
        }
    }
}

/// Returns whether the beginning of a log has no whole line, or no whole object.
fn is_too_short(sample: &[u8]) -> bool {
    if sample.len() >= LONGEST_SAMPLE {
        return false;
    }
    let mut lines = Vec::new();
    match JsonObjects::detect(sample) {
        Some(mut objects) => objects.lines(sample, &mut lines),
        None => return !sample.contains(&b'\n'),
    }
    !lines.contains(&b'\n')
}

/// Recognizes the format of a log.
fn detected(name: &str, sample: &[u8], arguments: &Arguments) -> Result<LogFormat> {
    /// Where the header of the first file in an archive says that it is one.
    const TAR: core::ops::Range<usize> = 257..262;
    if sample.get(TAR) == Some(b"ustar") {
        return Err(Failure::new(format!(
            "can't read {name}: it is an archive; unpack it, as with `tar -xO`"
        )));
    }
    if let Some(format) = LogFormat::detect(sample) {
        let Some(header) = format.misread_header(sample) else { return Ok(format) };
        let advice = match header {
            Some(number) => {
                let others: String = (1..number).map(|number| format!(" \"$text{number}\"")).collect();
                format!(
                    "text number {number} after the request seems to be the header; name the format with `--log-format`, such as \
                     '$remote_addr - $remote_user [$time_local] \"$request\" $status $bytes{others} \"$http_user_agent\"'"
                )
            }
            None => "name the format with `--log-format`".to_owned(),
        };
        return Err(Failure::new(format!(
            "{name} seems to be in the format {}, but nearly all lines lack a User-Agent header where this format has it: {advice}",
            format.name()
        )));
    }
    // With fields of its own, a JSON log may lack the usual ones.
    let is_json = sample.trim_ascii_start().first() == Some(&b'{') || JsonObjects::detect(sample).is_some();
    if is_json && !(arguments.fields.is_empty()) {
        return Ok(LogFormat::json());
    }
    let kind = BodyKind::of(sample, &arguments.profile.rules.syntax);
    Err(Failure::new(match is_json {
        _ if kind.has_rules() => {
            format!("{name} is {kind}, not a log; name it with `--robots`")
        }
        _ if matches!(kind, BodyKind::Html | BodyKind::Xml | BodyKind::Binary(_)) => {
            format!("{name} is {kind}, not a log")
        }
        true => format!(
            "{name}: the JSON has no known fields for time, request or User-Agent; name them with `--fields NAME=FIELD`"
        ),
        false => format!("{name}: the format is not recognized; name it with `--log-format`"),
    }))
}

/// Returns whether the argument of `--address` is not the name of a field.
pub(super) fn is_place(text: &str) -> bool {
    text == "remote" || text.starts_with("forwarded:")
}

fn zone(arguments: &Arguments) -> Result<i64> {
    let Some(text) = &arguments.time_zone else { return Ok(0) };
    // The time of a date with this offset.
    let date = LogTime::parse_iso(format!("1970-01-02T00:00:00{text}").as_bytes(), 0);
    let offset = date.filter(|_| text.starts_with(['+', '-', 'Z'])).map(|time| 86_400 - time.millis / 1000);
    offset.ok_or_else(|| {
        Failure::new(format!(
            "expected an offset such as +01:00 after --time-zone, and not `{}`",
            Text(text.as_bytes())
        ))
    })
}
