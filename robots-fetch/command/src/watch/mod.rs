//! `robots watch`: copies of the robots.txt of sites, and what changes from run to run.

mod arguments;
mod formats;
mod records;

use core::net::IpAddr;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::time::SystemTime;

use robots_fetch::{Entry, Origin};
use robots_match::{AccessResult, Difference, Reason, Robots};

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
pub(crate) use self::formats::Output;
use self::records::{Change, Records, Run, Severity};
use crate::arguments::{NamedCrawler, crawlers, is_url, origin};
use crate::diff::{Combined, Direction, compare};
use crate::failure::{Failure, Result, status};
use crate::fetch::time;
use crate::names::FileGroups;
use crate::network::{Network, Resolve, Sites};
use crate::output::{self, Failures, Printable, Style};
use crate::replace_file::write_file;
use crate::source::require_name;
use crate::subject::{Subject, sites_of};
use crate::text::{Text, with_host};
use crate::verdict::why;

/// A site, its present run, and the runs before.
pub(super) struct Watched {
    origin: Origin,
    /// The address that was asked in place of those of the name of the site.
    address: Option<IpAddr>,
    run: Run,
    before: Vec<Run>,
}

/// A site that is asked, by its name or at an address.
struct Asked<'a> {
    origin: Origin,
    /// The address, and the option that names it.
    at: Option<&'a Resolve>,
    /// The position of the site with which it is compared.
    like: Option<usize>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_name(&arguments.folder)?;
    arguments.html.as_deref().map(require_name).transpose()?;
    if is_url(&arguments.folder) {
        let url = Text(arguments.folder.as_encoded_bytes());
        return Err(Failure::new(format!(
            "the first argument is the folder for copies, and `{url}` is a URL; write `robots watch DIR {url}`"
        )));
    }
    // The names are asked, and the addresses beside them.
    let by_name = Network::without_cache(&arguments.requests).with_resolve(&[]);
    let sites = sites_of(&by_name, &arguments.profile)?;
    let chosen = chosen(arguments)?;
    let (mut watched, mut failed) = (Vec::new(), Failures::default());
    let (asked, invalid) = asked(arguments);
    for (site, failure) in invalid {
        failed.note(site, failure)?;
    }
    let mut subjects: Vec<Option<Subject>> = Vec::new();
    for site in asked {
        let at_address;
        let sites = match site.at {
            None => &sites,
            Some(at) => {
                let network =
                    Network::without_cache(&arguments.requests).with_resolve(core::slice::from_ref(at));
                at_address = sites_of(&network, &arguments.profile)?;
                &at_address
            }
        };
        let like = site.like.and_then(|like| subjects.get(like)).and_then(Option::as_ref);
        match watch(&site, like, arguments, sites, &chosen) {
            Ok((one, subject)) => {
                watched.push(one);
                subjects.push(Some(subject));
            }
            Err(failure) => {
                failed.note(site.origin.as_str().to_owned(), failure)?;
                subjects.push(None);
            }
        }
    }
    if let Some(path) = &arguments.html {
        write_file(path, Printable::from(formats::html(&watched)).into_text().as_bytes())?;
    }
    let is_unknown = !failed.is_empty() || watched.iter().any(|site| site.run.unknown);
    let is_denied = watched.iter().any(|site| site.run.severity >= arguments.deny);
    let printed = match arguments.format {
        Format::Human => output::print(formats::human(&watched)),
        Format::Json => output::json::print(&formats::json(arguments.profile.name, &watched, &failed)),
    };
    output::ended(printed, status(is_unknown, is_denied))
}

/// Returns the sites, each once, with their variants if these are wanted, and the addresses that are named for them. Also returns the
/// arguments that are not URLs of sites.
fn asked(arguments: &Arguments) -> (Vec<Asked<'_>>, Vec<(String, Failure)>) {
    let mut asked: Vec<Asked<'_>> = Vec::new();
    let mut invalid = Vec::new();
    for site in &arguments.sites {
        let own = match origin(site) {
            Ok(own) => own,
            Err(failure) => {
                invalid.push((Text(site.as_encoded_bytes()).to_string(), failure));
                continue;
            }
        };
        let others = if arguments.variants { variants(&own) } else { Vec::new() };
        if arguments.variants && others.is_empty() {
            let name = with_host(own.as_str().as_bytes());
            let note = format!(
                "{name} has no variants: only names such as www.example.com without a port have them"
            );
            output::complain("note", Style::Note, &note);
        }
        let first = asked.len();
        for (index, origin) in [own].into_iter().chain(others).enumerate() {
            if asked.iter().any(|other| other.origin == origin) {
                continue;
            }
            let place = asked.len();
            let like = (index > 0 && place > first).then_some(first);
            asked.push(Asked { origin: origin.clone(), at: None, like });
            for at in arguments.requests.resolve().iter().filter(|at| at.is_of(&origin)) {
                asked.push(Asked { origin: origin.clone(), at: Some(at), like: Some(place) });
            }
        }
    }
    (asked, invalid)
}

/// Returns the sites of the same name by http and https, with `www.` and without. An address has no such names, and a port is that
/// of one scheme.
fn variants(origin: &Origin) -> Vec<Origin> {
    let Some((_, host)) = origin.as_str().split_once("://") else { return Vec::new() };
    if host.contains(':') || host.parse::<IpAddr>().is_ok() || !host.contains('.') {
        return Vec::new();
    }
    let apex = host.strip_prefix("www.").unwrap_or(host);
    let names =
        ["https", "http"].map(|scheme| [format!("{scheme}://{apex}"), format!("{scheme}://www.{apex}")]);
    names.iter().flatten().filter_map(|url| Origin::parse(url).ok()).collect()
}

/// Returns the crawlers of the arguments.
fn chosen(arguments: &Arguments) -> Result<Vec<NamedCrawler>> {
    let mut chosen = crawlers(&arguments.agents, &arguments.profile)?;
    arguments.catalogue.add_to(&mut chosen, false)?;
    Ok(chosen)
}

/// Asks a site, and keeps what it answers.
fn watch(
    asked: &Asked<'_>,
    like: Option<&Subject>,
    arguments: &Arguments,
    sites: &Sites,
    chosen: &[NamedCrawler],
) -> Result<(Watched, Subject)> {
    let origin = &asked.origin;
    let address = asked.at.map(Resolve::address);
    let name = match address {
        None => origin.as_str().to_owned(),
        Some(address) => format!("{}_at_{address}", origin.as_str()),
    };
    let records = Records::open(Path::new(&arguments.folder), &name)?;
    let before = records.runs()?;
    let entry = sites.refresh(origin);
    if let Some(cause) = entry.cause().filter(|_| entry.is_local_failure()) {
        let site = with_host(origin.as_str().as_bytes());
        return Err(Failure::new(format!("can't ask {site}: {}", Text(cause.to_string().as_bytes()))));
    }
    let subject = Subject::of_entry(origin.clone(), &entry, &arguments.profile);
    let last = before.last();
    let mut run = answered(&entry, &subject);
    let mut new = None;
    if subject.answer.is_none() {
        let is_kept = |name: &String| records.copy(name).is_ok_and(|kept| kept == subject.body());
        // A file that came back after an outage is the same version.
        let known = before.iter().rev().find_map(|run| run.file.as_ref());
        run.file = Some(match known.filter(|name| is_kept(name)) {
            Some(name) => name.clone(),
            None => {
                let copy = records.keep(&run.time, subject.body())?;
                let name = copy.name.clone();
                new = Some(copy);
                name
            }
        });
    }
    if let Some(last) = last {
        // After an outage, the file is compared with the one before it.
        let known = before.iter().rfind(|run| !run.unknown).filter(|_| !run.unknown).unwrap_or(last);
        let old = earlier(known, origin, &records, arguments)?;
        run.changes = changes(&old, &subject, (last, known), &run, chosen);
        run.severity = severity(&run, &old, &subject, chosen);
    } else if is_lost(&run, &subject) {
        run.severity = Severity::High;
    }
    if let Some(like) = like {
        run.unlike = differences(like, &subject, chosen);
        // The same difference is reported in each run, and is severe only when it is new.
        if !run.unlike.is_empty() && last.is_none_or(|last| last.unlike.is_empty()) {
            run.severity = run.severity.max(Severity::Medium);
        }
    }
    records.add(&run, new)?;
    Ok((Watched { origin: origin.clone(), address, run, before }, subject))
}

/// Returns the run of an answer, without changes.
fn answered(entry: &Entry, subject: &Subject) -> Run {
    let file = entry.good_file().filter(|_| subject.answer.is_none());
    let now = SystemTime::now();
    Run {
        time: time(now),
        status: entry.status(),
        access: entry.access(now).name().to_owned(),
        note: subject.notes().reduce(|all, note| format!("{all}; {note}")),
        unknown: subject.is_unknown(),
        url: file.map(|file| file.url.as_str().to_owned()),
        bytes: file.map(|file| file.robots.body().len()),
        file: None,
        severity: Severity::None,
        changes: Vec::new(),
        unlike: Vec::new(),
    }
}

/// Returns the robots.txt of an earlier run.
fn earlier(run: &Run, origin: &Origin, records: &Records, arguments: &Arguments) -> Result<Subject> {
    let of = |body: &[u8]| {
        let mut subject = Subject::of_bytes(OsStr::new(origin.as_str()), body, &arguments.profile);
        subject.origin = Some(origin.clone());
        subject
    };
    if let Some(file) = &run.file {
        return Ok(of(&records.copy(file)?));
    }
    let allowed = run.access != "nothing";
    let (body, result) = match allowed {
        true => (&b""[..], AccessResult::Unavailable),
        false => (&b"User-agent: *\nDisallow: /\n"[..], AccessResult::Unreachable),
    };
    let answer = Reason::Site {
        allowed,
        result,
        status: run.status,
        code: "earlier",
        cause: "the answer of the last run",
    };
    let mut subject = of(body);
    subject.answer = Some(answer);
    Ok(subject)
}

/// Returns the crawlers that are compared: those that were chosen, or `*` and those that a file names.
fn compared(old: &Subject, new: &Subject, chosen: &[NamedCrawler]) -> Vec<NamedCrawler> {
    if !chosen.is_empty() {
        return chosen.to_vec();
    }
    let mut all = vec![NamedCrawler::everyone()];
    for subject in [old, new] {
        let robots = Robots::new(subject.body(), *subject.robots.profile());
        all.extend(FileGroups::new(&robots).named().into_iter().map(|named| named.named));
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|named| seen.insert(named.name.to_ascii_lowercase()));
    all
}

/// Returns the differences of access between two robots.txt files.
fn differences(old: &Subject, new: &Subject, chosen: &[NamedCrawler]) -> Vec<Change> {
    let crawlers = compared(old, new, chosen);
    let name = |crawler: usize| crawlers.get(crawler).map(|named| named.name.clone()).unwrap_or_default();
    let found = compare(old, new, &crawlers, Difference::MAX_STATES);
    let mut changes: Vec<Change> = Vec::new();
    let mut places = HashMap::new();
    for Combined { first, crawlers } in found.combined() {
        let first = first.found;
        let before = Some(why(&first.before, old.body(), old.kind));
        let after = Some(why(&first.after, new.body(), new.kind));
        // The causes may differ, which the run does not name.
        let key = (first.direction, &first.path, before.clone(), after.clone());
        let place = *places.entry(key).or_insert(changes.len());
        let crawlers = crawlers.into_iter().map(name);
        match changes.get_mut(place) {
            Some(other) => other.crawlers.extend(crawlers),
            None => changes.push(Change {
                change: first.direction.name().to_owned(),
                crawlers: crawlers.collect(),
                path: Some(first.path.clone()),
                before,
                after,
            }),
        }
    }
    changes.extend(found.undecided.iter().map(|(crawler, _)| Change {
        change: "undecided".to_owned(),
        crawlers: vec![name(*crawler)],
        path: None,
        before: None,
        after: None,
    }));
    changes
}

/// Returns what changed since the last run, and since the last one in which the site gave an answer.
fn changes(
    old: &Subject,
    new: &Subject,
    (last, known): (&Run, &Run),
    run: &Run,
    chosen: &[NamedCrawler],
) -> Vec<Change> {
    let mut changes = differences(old, new, chosen);
    let status =
        |run: &Run| run.status.map_or_else(|| "no answer".to_owned(), |status| format!("status {status}"));
    if last.status != run.status {
        changes.push(Change {
            change: "status".to_owned(),
            crawlers: Vec::new(),
            path: None,
            before: Some(status(last)),
            after: Some(status(run)),
        });
    }
    if known.file != run.file && changes.is_empty() {
        changes.push(Change {
            change: "text".to_owned(),
            crawlers: Vec::new(),
            path: None,
            before: known.file.clone(),
            after: run.file.clone(),
        });
    }
    changes
}

/// Returns whether the rules of a site are not known: it gave no answer, refused access, or sent another kind of file.
fn is_lost(run: &Run, subject: &Subject) -> bool {
    run.unknown || subject.is_refused() || !subject.kind.is_robots_txt()
}

fn severity(run: &Run, old: &Subject, new: &Subject, chosen: &[NamedCrawler]) -> Severity {
    let of = |change: &Change| match &*change.change {
        "newly-disallowed" | "undecided" => Severity::High,
        "newly-allowed" | "status" => Severity::Medium,
        _ => Severity::Low,
    };
    let mut severity = run.changes.iter().map(of).max().unwrap_or_default();
    // Without its file, the site is open to every crawler.
    let is_gone = old.answer.is_none() && old.kind.has_rules() && new.answer.is_some();
    if is_gone || run.unknown || is_lost(run, new) && !run.changes.is_empty() {
        severity = severity.max(Severity::High);
    } else if is_lost(run, new) {
        severity = severity.max(Severity::Low);
    }
    let crawlers = compared(old, new, chosen);
    let may_begin = |subject: &Subject| {
        let shared = subject.rules_for(crawlers.iter().map(|named| &named.crawler));
        let sets: Vec<bool> =
            (0..shared.sets()).map(|set| shared.rules(set).check("/").is_allowed()).collect();
        (0..crawlers.len())
            .map(|crawler| sets.get(shared.set_of(crawler)).copied().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    let is_closed = run.changes.iter().any(|change| change.change == Direction::NewlyDisallowed.name())
        && may_begin(old).iter().zip(may_begin(new)).any(|(before, after)| *before && !after);
    // An outage closes the site for all, and is reported as one.
    if is_closed && !run.unknown { Severity::Critical } else { severity }
}

/// Returns the name of a site for people.
pub(super) fn name_of(site: &Watched) -> String {
    let name = with_host(OsStr::new(site.origin.as_str()).as_encoded_bytes());
    site.address.map_or_else(|| name.clone(), |address| format!("{name} at {address}"))
}
