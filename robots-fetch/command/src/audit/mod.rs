//! `robots audit`: many sites, crawlers and URLs.

mod arguments;
mod budget;
mod inputs;
mod large;
mod list;
mod listed;
mod page;
mod page_answers;
mod row;
mod sinks;
mod sitemaps;
mod together;
mod totals;
mod work;

use alloc::sync::Arc;
use std::ffi::OsStr;
use std::io::{self, IsTerminal as _};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use robots_fetch::Origin;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
use self::inputs::{Input, inputs};
use self::large::Large;
use self::listed::Listed;
use self::page::Page;
pub(crate) use self::row::Document;
use self::row::{Place, Received, Row, What};
use self::sinks::{Csv, Human, JsonLines, Sarif, Sink};
use self::totals::Totals;
use self::work::{Message, Work};
use crate::arguments::{NamedCrawler, crawlers, is_url, origin};
use crate::expect::Wanted;
use crate::failure::{Failure, Result};
use crate::in_order::{Turn, in_order};
use crate::network::Network;
use crate::output::{self, Printable};
use crate::sarif::uri;
use crate::source::{Admitted, require_one_standard_input};
use crate::subject::sites_of;
use crate::text::{Text, input_name};
use crate::url_list::UrlList;

/// The largest number of verdicts for one site.
const MOST_VERDICTS: usize = 1_000_000;

/// How far the work may be ahead of the output, in bytes of rows, so that one slow site does not make the others pile up.
const AHEAD: usize = 8 << 20;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_one_standard_input(arguments.inputs.iter().chain(&arguments.lists).chain(&arguments.urls))?;
    arguments.csv.require(matches!(arguments.format, Format::Csv))?;
    if !matches!(arguments.format, Format::Html) && (arguments.title.is_some() || arguments.client.is_some())
    {
        return Err(Failure::new(
            "`--title` and `--client` are only for the format html; add `--format html`",
        ));
    }
    let network = Network::without_cache(&arguments.requests);
    let sites = sites_of(&network, &arguments.profile)?;
    let mut chosen = crawlers(&arguments.agents, &arguments.profile)?;
    arguments.catalogue.add_to(&mut chosen, false)?;
    let wanted = arguments.expect.as_ref().map(|path| Wanted::read(path, Admitted::Any)).transpose()?;
    if let Some(wanted) = &wanted {
        wanted.find_crawlers(&arguments.profile)?;
    }
    if chosen.is_empty() {
        chosen.push(NamedCrawler::everyone());
        if let Some(wanted) = &wanted {
            chosen.extend(wanted.named_crawlers(&arguments.profile)?);
        }
    }
    if arguments.pages && arguments.urls.is_none() && !arguments.sitemaps {
        return Err(Failure::new("--pages needs the URLs of pages: give --urls, --sitemaps or both"));
    }
    let inputs = inputs(arguments)?;
    let urls = match &arguments.urls {
        Some(argument) => {
            let list = UrlList::read(argument, || sites_of(&network, &arguments.profile))?;
            Some(Listed::new(argument, list, &inputs)?)
        }
        None => None,
    };
    let count = urls.as_ref().map_or(1, Listed::len).saturating_mul(chosen.len());
    if count > MOST_VERDICTS {
        return Err(Failure::new(format!(
            "{count} verdicts for each site are too many; choose fewer URLs or crawlers, for at most {MOST_VERDICTS}"
        )));
    }
    let work = Work::new(arguments, &sites, &chosen, urls.as_ref(), wanted.as_ref());
    let mut report = Report::new(arguments, &chosen, inputs.len());
    if arguments.format == Format::Csv {
        output::print_bytes(arguments.csv.start().as_bytes())?;
    }
    report.begin()?;
    thread::scope(|scope| {
        let large = Large::start(scope);
        let worker = || |input, turn: &mut Turn<'_, Message>| work.check(&large, input, turn);
        let jobs = arguments.jobs.min(inputs.len());
        in_order(jobs, AHEAD, work.with_parts(&inputs), worker, |message| report.add(message))
    })?;
    report.rows(&urls.as_ref().map(Listed::rows).unwrap_or_default())?;
    if let (Some(wanted), Some(path)) = (&wanted, &arguments.expect) {
        report.rows(&of_no_input(wanted, path, &inputs))?;
    }
    report.end()
}

/// Returns a row for each whole URL of the file of wanted access that belongs to no input: nothing is known about it.
fn of_no_input(wanted: &Wanted, path: &OsStr, inputs: &[Input]) -> Vec<Row> {
    let mut sites = Vec::new();
    for input in inputs {
        match input {
            // The URLs of a file may be those of any site.
            Input::Argument(argument, _) if !is_url(argument) => return Vec::new(),
            Input::Argument(argument, _) => sites.extend(origin(argument).ok()),
            Input::Failed(..) => {}
        }
    }
    let place = Arc::new(Place {
        name: input_name(path),
        uri: uri(path),
        status: None,
        flags: None,
        joined: Vec::new(),
        received: Received::default(),
    });
    let is_other = |url: &&str| Origin::parse(url).is_ok_and(|site| !sites.contains(&site));
    let message = |url: &str| {
        format!(
            "the URL {} belongs to none of the inputs, so it was not checked",
            Text(url.as_bytes()).short()
        )
    };
    let others = wanted.whole_urls().filter(is_other);
    others.map(|url| Row { place: Arc::clone(&place), what: What::Problem(message(url)) }).collect()
}

/// The output, and the numbers of the audit.
struct Report {
    crawlers: Vec<String>,
    totals: Totals,
    bar: ProgressBar,
    sink: Box<dyn Sink>,
    is_closed: bool,
}

impl Report {
    fn new(arguments: &Arguments, crawlers: &[NamedCrawler], count: usize) -> Self {
        let bar =
            if io::stderr().is_terminal() { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("robots: {pos} of {len} {bar:30} {elapsed}") {
            bar.set_style(style);
        }
        let sink: Box<dyn Sink> = match arguments.format {
            Format::Human => Box::new(Human::default()),
            Format::Csv => Box::new(Csv(arguments.csv.clone())),
            Format::JsonLines => Box::new(JsonLines),
            Format::Sarif => Box::new(Sarif::default()),
            Format::Html => Box::new(Page::new(arguments)),
        };
        let crawlers = crawlers.iter().map(|named| Text(named.name.as_bytes()).to_string()).collect();
        Self { crawlers, totals: Totals::default(), bar, sink, is_closed: false }
    }

    /// Writes text. After the reader of the output has closed it, nothing is written any more.
    fn print(&mut self, text: Printable) -> Result<()> {
        if text.is_empty() || self.is_closed {
            return Ok(());
        }
        match self.bar.suspend(|| output::print(text)) {
            Err(Failure::Closed) => self.is_closed = true,
            printed => return printed,
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        let text = self.sink.begin()?;
        self.print(text)
    }

    /// Counts and writes what a worker sent.
    fn add(&mut self, message: Message) -> Result<()> {
        match message {
            Message::Rows(rows) => self.rows(&rows),
            Message::Done(place, counts) => {
                self.bar.inc(1);
                self.totals.add_input(&place, counts);
                Ok(())
            }
        }
    }

    fn rows(&mut self, rows: &[Row]) -> Result<()> {
        let mut text = Printable::default();
        for row in rows {
            self.totals.add(row);
            text.append(self.sink.add(row)?);
        }
        self.print(text)
    }

    fn end(mut self) -> Result<u8> {
        self.bar.finish_and_clear();
        let text = self.sink.end(&self.totals, &self.crawlers)?;
        self.print(text)?;
        Ok(self.totals.status())
    }
}
