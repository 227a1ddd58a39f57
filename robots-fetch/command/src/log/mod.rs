//! `robots log`: who obeys a robots.txt, by access logs.

mod arguments;
mod chart;
mod compressed;
mod dns;
mod formats;
mod inputs;
mod progress;
mod status;
mod versions;
mod work;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use robots_fetch::log::{AddressField, KindTotals, Lacking, LogSetup, LogTime, Ranges, ReportOptions, Tally};

pub(crate) use self::arguments::Arguments;
use self::arguments::{Addresses, Format};
use self::compressed::Windows;
use self::dns::{Claim, NameServers};
pub(crate) use self::formats::Output;
use self::inputs::Input;
use self::progress::Progress;
use self::work::{Judges, LinesRead, Stream};
use crate::arguments::{catalogue, domains};
use crate::failure::{FAILED, Failure, Result, reason};
use crate::output::{self, Failures, Style};
use crate::source::{self, Admitted};
use crate::text::{Text, counted_requests};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let mut named = arguments.clone();
    named.agents = status::names(&arguments.agents, &arguments.profile)?;
    let arguments = &named;
    versions::require_one_standard_input(arguments)?;
    let histories = versions::histories(arguments)?;
    let another = || {
        let files = histories.iter().map(|(host, history)| (host.clone(), history));
        configured(LogSetup::new(files).with_catalogue(catalogue()), arguments)
    };
    let mut setup = another()?;
    for name in arguments.agents.iter().filter(|name| status::is_only_in_files(name)) {
        let note = format!(
            "{} is a name in files only: no request has it, so no log can show whether it is obeyed",
            Text(name.as_bytes())
        );
        output::complain("note", Style::Note, &note);
    }
    let mut failed = Failures::default();
    if let Some(servers) = arguments.dns {
        let addresses = addresses(&another()?.with_addresses(true), arguments)?;
        verify(&mut setup, addresses, servers, &mut failed)?;
    }
    let (inputs, not_opened) = inputs::inputs(arguments)?;
    for (file, failure) in not_opened {
        failed.note(file, failure)?;
    }
    // Programs find the errors in the JSON.
    if inputs.is_empty() && arguments.format != Format::Json {
        return Ok(FAILED);
    }
    let options = {
        let mut options = ReportOptions::default();
        options.top = arguments.top;
        options.networks = arguments.addresses == Some(Addresses::Networks);
        options
    };
    let mut tally = count(inputs, &setup, arguments, Some(&mut failed))?;
    let mut report = tally.report(&options);
    status::retain_chosen(&mut report, arguments)?;
    let totals = &report.totals;
    let kinds = [totals.automatic, totals.user_triggered, totals.unlisted];
    let sum = |of: fn(&KindTotals) -> u64| kinds.iter().map(of).sum::<u64>();
    let is_unchecked = sum(|kind| kind.checked) == 0 && sum(|kind| kind.no_robots) > 0;
    if is_unchecked {
        let error = "no request of a crawler was compared with rules, because all are before the first version or to hosts without one; \
                     name an older version with `--robots TIME=FILE`, or one of the host with `--robots HOST=FILE`";
        output::complain("error", Style::Error, error);
    }
    if !matches!(arguments.format, Format::Human | Format::Html)
        && (report.is_behind_proxy || !report.old_ranges.is_empty())
    {
        for note in formats::notes(&report) {
            output::complain("note", Style::Note, &note);
        }
    }
    if arguments.dns.is_some() && has_old_end(report.last.as_deref()) {
        let note = "the last request is more than 90 days old, and its address may be that of another by now";
        output::complain("note", Style::Note, note);
    }
    let is_empty = report.lines == 0 && failed.is_empty();
    if is_empty {
        let error = match arguments.since.is_some() || arguments.until.is_some() {
            true => {
                "there are no requests: the logs have none within --since and --until, or no line that can be read"
            }
            false => "there are no requests: the logs have no line that can be read",
        };
        output::complain("error", Style::Error, error);
    }
    let all = || report.hosts.iter().flat_map(|host| &host.crawlers);
    let unordered: u64 = all().map(|crawler| crawler.unordered).sum();
    let out_of_order: u64 = all().map(|crawler| crawler.out_of_order).sum();
    if unordered > 0 {
        let error = format!(
            "{} of crawlers come so far out of order that they can't be put into it; sort the lines by their times",
            counted_requests(unordered)
        );
        output::complain("error", Style::Error, &error);
    } else if out_of_order > 0 {
        let note = format!(
            "lines are not in the order of their times: {} of crawlers were put in their places, and have no gaps",
            counted_requests(out_of_order)
        );
        output::complain("note", Style::Note, &note);
    }
    for name in &arguments.agents {
        if !status::is_only_in_files(name) && !all().any(|crawler| status::is_of(name, crawler)) && !is_empty
        {
            let note = format!("no request says that it is of {}", Text(name.as_bytes()));
            output::complain("note", Style::Note, &note);
        }
    }
    let is_complete = failed.is_empty() && !is_unchecked && !is_empty && unordered == 0;
    let status = if is_complete { status::status(&report, arguments) } else { FAILED };
    let printed = match arguments.format {
        Format::Human => output::print(formats::human(&report, arguments)),
        Format::Csv => output::print(formats::csv(&report)?),
        Format::Html => output::print(formats::html(&report, arguments, &failed)),
        Format::Json => output::json::print(&Output::new(&report, arguments, failed)),
        Format::Jsonl => output::print(formats::jsonl(&report)?),
    };
    output::ended(printed, status)
}

/// Returns whether a log ends more than 90 days ago.
fn has_old_end(last: Option<&str>) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let last = last.and_then(|last| LogTime::parse_iso(last.as_bytes(), 0));
    last.is_some_and(|last| now - last.millis > 90 * 86_400_000)
}

/// Returns the addresses from which the chosen crawlers seem to come, where there is something to look up. What can't be read is
/// reported when the figures are counted.
fn addresses(setup: &LogSetup<'_>, arguments: &Arguments) -> Result<Vec<Claim>> {
    let (inputs, _) = inputs::inputs(arguments)?;
    if let Some(stream) = inputs.iter().find(|input| input.is_stream()) {
        return Err(Failure::new(format!(
            "{} can be read only once, and --dns reads logs twice; write it to a file",
            stream.name
        )));
    }
    let mut addresses = count(inputs, setup, arguments, None)?.into_addresses();
    addresses.retain(|(known, address)| {
        !domains(known).is_empty()
            && status::is_chosen(known.name, Some(known), arguments)
            && setup.is_in_doubt(known.name, *address)
    });
    Ok(addresses)
}

/// Looks up addresses, for the figures of their requests.
fn verify(
    setup: &mut LogSetup<'_>,
    addresses: Vec<Claim>,
    servers: NameServers,
    failed: &mut Failures,
) -> Result<()> {
    if addresses.is_empty() {
        return Ok(());
    }
    let count = addresses.len();
    let end = if count == 1 { "" } else { "es" };
    output::complain("note", Style::Note, &format!("looking up {count} address{end} at name servers"));
    let mut crawlers: Vec<&str> = addresses.iter().map(|(known, _)| known.name).collect();
    crawlers.dedup();
    let answers = dns::look_up(servers, addresses, domains)?;
    for name in crawlers {
        let own = |claims: &[Claim]| {
            let own = claims.iter().filter(|(known, _)| known.name == name);
            own.map(|(_, address)| *address).collect::<Vec<_>>()
        };
        setup.add_looked_up(name, own(&answers.confirmed), own(&answers.refuted));
    }
    if answers.unknown > 0 {
        let message = format!("no name server answered for {} of {count} addresses", answers.unknown);
        return failed.note("--dns".to_owned(), Failure::new(message));
    }
    Ok(())
}

/// Notes a failure, unless this is not the time to do so.
fn note_failure(input: String, failure: Failure, failed: &mut Option<&mut Failures>) -> Result<()> {
    match failed {
        Some(failed) => failed.note(input, failure),
        None if matches!(failure, Failure::Closed) => Err(failure),
        None => Ok(()),
    }
}

/// Reads all logs, in the order of their times. Without a list of failures, nothing is reported.
fn count<'s, 'h>(
    inputs: Vec<Input>,
    setup: &'s LogSetup<'h>,
    arguments: &Arguments,
    mut failed: Option<&mut Failures>,
) -> Result<Tally<'s, 'h>> {
    let failed = &mut failed;
    let progress = Progress::new(inputs.iter().map(|input| input.bytes).sum());
    let (windows, mut noted) = (Windows::default(), Vec::new());
    thread::scope(|scope| {
        let mut judges = Judges::new(scope, setup, arguments.threads);
        let mut tally = Tally::new(setup);
        let mut inputs = inputs.into_iter().peekable();
        let mut streams: Vec<Stream> = Vec::new();
        loop {
            // The log with the earliest request comes next, and logs that begin before that are opened.
            let earliest = streams.iter().filter_map(|stream| stream.judged.next_time()).min();
            let begins = |input: &Input| {
                let before =
                    input.start.is_none_or(|start| earliest.is_none_or(|earliest| start <= earliest));
                streams.is_empty() || before && streams.len() < MOST_STREAMS
            };
            if let Some(mut input) = inputs.next_if(begins) {
                let format = input.format.name();
                if failed.is_some()
                    && arguments.log_format.is_none()
                    && !input.is_empty
                    && !noted.contains(&format)
                {
                    noted.push(format);
                    output::complain("note", Style::Note, &format!("{}: the format is {format}", input.name));
                }
                match input.open(progress.done(), windows.clone()) {
                    Ok(source) => streams.push(Stream::new(input.name, source, input.format.reader())),
                    Err(error) => {
                        let message = format!("can't read {}: {}", input.name, reason(&error));
                        note_failure(input.name, Failure::new(message), failed)?;
                        continue;
                    }
                }
                let count = streams.len();
                advance(&mut streams, count - 1, &mut judges, &mut tally, arguments, failed)?;
                continue;
            }
            let next = streams
                .iter()
                .enumerate()
                .filter_map(|(at, stream)| Some((stream.judged.next_time()?, at)))
                .min();
            let Some((_, at)) = next else { break };
            // Until another log has an earlier request.
            let others = streams.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.filter_map(|(_, stream)| stream.judged.next_time());
            let until = others.chain(inputs.peek().and_then(|input| input.start)).min().unwrap_or(i64::MAX);
            if let Some(stream) = streams.get_mut(at) {
                tally.add_until(&mut stream.judged, until);
                if stream.judged.next_time().is_none() {
                    advance(&mut streams, at, &mut judges, &mut tally, arguments, failed)?;
                }
            }
        }
        drop(progress);
        drop(judges);
        Ok(tally)
    })
}

/// The most logs that are read at the same time.
const MOST_STREAMS: usize = 64;

/// Reads blocks of a log until one has a request of a crawler, or its end.
fn advance<'s, 'h>(
    streams: &mut Vec<Stream>,
    at: usize,
    judges: &mut Judges<'s, 'h>,
    tally: &mut Tally<'s, 'h>,
    arguments: &Arguments,
    failed: &mut Option<&mut Failures>,
) -> Result<()> {
    let count = streams.len();
    while let Some(stream) = streams.get_mut(at) {
        if stream.advance(judges, count) {
            if stream.judged.next_time().is_some() {
                return Ok(());
            }
            tally.add(core::mem::take(&mut stream.judged));
            continue;
        }
        let stream = streams.remove(at);
        let failure = match stream.error {
            Some(error) => Some(Failure::new(format!("can't read {}: {}", stream.name, reason(&error)))),
            None if failed.is_some() => unread_lines(&stream.name, &stream.read)
                .or_else(|| lacking(&stream.name, &stream.read.lacking, arguments)),
            None => None,
        };
        return failure.map_or(Ok(()), |failure| note_failure(stream.name, failure, failed));
    }
    Ok(())
}

/// Reports lines that could not be read: a note for few, an error for many.
fn unread_lines(name: &str, read: &LinesRead) -> Option<Failure> {
    if read.unread == 0 {
        return None;
    }
    let first = read.first_unread.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let mut message = format!(
        "{name}: {} of {} lines could not be read, the first at line {first}",
        read.unread, read.lines
    );
    if read.objects_after_text > 0 {
        message.push_str(&format!(
            "; {} with a JSON object after text that neither syslog nor a container writes, which a client may have sent",
            read.objects_after_text
        ));
    }
    if read.unread * 10 > read.lines {
        return Some(Failure::new(format!("{message}; is it another format? Name it with `--log-format`")));
    }
    output::complain("note", Style::Note, &message);
    None
}

/// Reports what the requests of crawlers of a log lack: an error if the figures say nothing without it, and otherwise a note.
fn lacking(name: &str, lacking: &Lacking, arguments: &Arguments) -> Option<Failure> {
    if lacking.requests == 0 {
        return None;
    }
    if let [first, second] = &*lacking.hosts {
        let note = format!(
            "{name} has requests to several hosts, such as {} and {}, and all are compared with one robots.txt; name that of each \
             host with `--robots HOST=FILE`",
            Text(first.as_bytes()),
            Text(second.as_bytes())
        );
        output::complain("note", Style::Note, &note);
    }
    if lacking.query > 0 {
        let note = format!(
            "{name} has no queries, so {} cannot be compared with rules about queries; those that depend on them are disputed",
            counted_requests(lacking.query)
        );
        output::complain("note", Style::Note, &note);
    }
    if lacking.target * 2 >= lacking.requests {
        return Some(Failure::new(format!(
            "{name}: {} of {} of crawlers have no path; is it another format? Name it with `--log-format`",
            lacking.target,
            counted_requests(lacking.requests)
        )));
    }
    if lacking.address == lacking.requests && arguments.address == "remote" && !arguments.ranges.is_empty() {
        let note = format!(
            "{name} has no address where the format has that of the client, so no request is verified; name its place with `--address`, \
             such as forwarded:1, or the name of a JSON field"
        );
        output::complain("note", Style::Note, &note);
    }
    if lacking.address == lacking.requests && arguments.address != "remote" {
        return Some(Failure::new(format!(
            "{name}: no request of a crawler has the field that `--address {}` names",
            Text(arguments.address.as_bytes())
        )));
    }
    None
}

fn configured<'h>(setup: LogSetup<'h>, arguments: &Arguments) -> Result<LogSetup<'h>> {
    let seconds = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
    let mut setup = setup
        .with_queries(arguments.queries)
        .with_addresses(arguments.addresses == Some(Addresses::Full))
        .with_grace(seconds(arguments.grace))
        .with_max_age(seconds(arguments.max_age))
        .with_operators(arguments.profile.is_auto)
        .with_sampling(arguments.sampled);
    if let Some(number) = arguments.address.strip_prefix("forwarded:") {
        let number = number.parse().ok().filter(|number| *number > 0);
        let number = number
            .ok_or_else(|| Failure::new("expected forwarded:N with a number from 1 after --address"))?;
        setup = setup.with_address(AddressField::Forwarded(number));
    }
    let time = |text: &Option<String>, option: &str| match text {
        None => Ok(None),
        Some(text) => match LogTime::parse_iso(text.as_bytes(), 0) {
            Some(time) => Ok(Some(time.millis.div_euclid(1000))),
            None => {
                let text = Text(text.as_bytes());
                Err(Failure::new(format!(
                    "expected a date or a time such as 2025-11-10T10:00:00Z after {option}, and not `{text}`"
                )))
            }
        },
    };
    let (since, until) = (time(&arguments.since, "--since")?, time(&arguments.until, "--until")?);
    if since.zip(until).is_some_and(|(since, until)| since >= until) {
        return Err(Failure::new(
            "the time of --until is not after that of --since, so no request is between them",
        ));
    }
    setup = setup.with_period(since, until);
    for argument in &arguments.ranges {
        add_ranges(&mut setup, argument.as_encoded_bytes())?;
    }
    Ok(setup)
}

/// The most bytes of a file of ranges.
const MOST_RANGES: usize = 64 << 20;

fn add_ranges(setup: &mut LogSetup<'_>, argument: &[u8]) -> Result<()> {
    let shown = Text(argument);
    let read = |path: &Path, admitted| {
        let name = Text(path.as_os_str().as_encoded_bytes()).to_string();
        let file = source::read_within(path, admitted, MOST_RANGES);
        let file = file.map_err(|error| Failure::new(format!("can't read {name}: {}", reason(&error))))?;
        Ranges::parse(&file).ok_or_else(|| Failure::new(format!("{name} has no ranges of addresses")))
    };
    if let Some(at) = argument.iter().position(|&byte| byte == b'=') {
        let (name, file) = argument.split_at_checked(at).unwrap_or_default();
        let name = core::str::from_utf8(name)
            .map_err(|_| Failure::new(format!("the name in `{shown}` is not UTF-8")))?;
        status::require_crawler(name)?;
        setup.add_ranges(
            name,
            read(Path::new(source::os(file.get(1..).unwrap_or_default())?), Admitted::Any)?,
        );
        return Ok(());
    }
    let folder = Path::new(source::os(argument)?);
    let entries = fs::read_dir(folder);
    let entries = entries.map_err(|error| {
        Failure::new(format!(
            "expected NAME=FILE or a folder after --ranges, and not `{shown}`: {}",
            reason(&error)
        ))
    })?;
    let mut has_any = false;
    for entry in entries {
        let path =
            entry.map_err(|error| Failure::new(format!("can't read {shown}: {}", reason(&error))))?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        if !matches!(path.extension().and_then(|end| end.to_str()), Some("json" | "txt")) {
            continue;
        }
        status::require_crawler(name)?;
        setup.add_ranges(name, read(&path, Admitted::Regular)?);
        has_any = true;
    }
    if has_any { Ok(()) } else { Err(Failure::new(format!("{shown} has no files NAME.json or NAME.txt"))) }
}
