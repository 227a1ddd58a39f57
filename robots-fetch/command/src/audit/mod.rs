//! `robots audit`: many sites, crawlers and URLs.

mod arguments;
mod inputs;
mod listed;
mod row;
mod sinks;
mod sitemaps;
mod totals;
mod work;

use std::io::{self, IsTerminal as _};

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
use self::inputs::{Input, inputs};
use self::listed::Listed;
pub(crate) use self::row::Document;
use self::row::Row;
use self::sinks::{Csv, Human, JsonLines, Page, Sarif, Sink};
use self::totals::Totals;
use self::work::{Message, Work};
use crate::arguments::{NamedCrawler, crawlers};
use crate::failure::{Failure, Result};
use crate::in_order::{Turn, in_order};
use crate::network::Network;
use crate::output;
use crate::source::require_one_standard_input;
use crate::subject::sites_of;
use crate::text::Text;
use crate::url_list::UrlList;

/// The largest number of verdicts for one site.
const MOST_VERDICTS: usize = 1_000_000;

/// How far the work may be ahead of the output, in bytes of rows, so that one slow site does not make the others pile up.
const AHEAD: usize = 8 << 20;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    require_one_standard_input(arguments.inputs.iter().chain(&arguments.lists).chain(&arguments.urls))?;
    let network = Network::without_cache(&arguments.requests);
    let sites = sites_of(&network, &arguments.profile)?;
    let mut chosen = crawlers(&arguments.agents, &arguments.profile)?;
    if arguments.catalogue.is_given() {
        chosen.extend(arguments.catalogue.crawlers().map(NamedCrawler::known));
    }
    if chosen.is_empty() {
        chosen.push(NamedCrawler::everyone());
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
    let work = Work::new(arguments, &sites, &chosen, urls.as_ref());
    let mut report = Report::new(arguments, &chosen, inputs.len());
    if arguments.format == Format::Csv {
        output::print_bytes(arguments.csv.start().as_bytes())?;
    }
    report.begin()?;
    let worker = || |input: &Input, turn: &mut Turn<'_, Message>| work.check(input, turn);
    in_order(arguments.jobs.min(inputs.len()), AHEAD, inputs.iter(), worker, |message| report.add(message))?;
    report.end(urls.as_ref())
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
            Format::Human => Box::new(Human),
            Format::Csv => Box::new(Csv(arguments.csv.clone())),
            Format::JsonLines => Box::new(JsonLines),
            Format::Sarif => Box::new(Sarif::default()),
            Format::Html => Box::new(Page::default()),
        };
        let crawlers = crawlers.iter().map(|named| Text(named.name.as_bytes()).to_string()).collect();
        Self { crawlers, totals: Totals::default(), bar, sink, is_closed: false }
    }

    /// Writes text. After the reader of the output has closed it, nothing is written any more.
    fn print(&mut self, text: &str) -> Result<()> {
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
        self.print(&text)
    }

    /// Counts and writes what a worker sent.
    fn add(&mut self, message: Message) -> Result<()> {
        match message {
            Message::Rows(rows) => self.rows(&rows),
            Message::Done(place, submitted) => {
                self.bar.inc(1);
                self.totals.add_input(&place, submitted);
                Ok(())
            }
        }
    }

    fn rows(&mut self, rows: &[Row]) -> Result<()> {
        let mut text = String::new();
        for row in rows {
            self.totals.add(row);
            text.push_str(&self.sink.add(row)?);
        }
        self.print(&text)
    }

    fn end(mut self, list: Option<&Listed>) -> Result<u8> {
        self.bar.finish_and_clear();
        self.rows(&list.map(Listed::rows).unwrap_or_default())?;
        let text = self.sink.end(&self.totals, &self.crawlers)?;
        self.print(&text)?;
        Ok(self.totals.status())
    }
}
