//! `robots audit`: many sites, crawlers and URLs.

mod arguments;
mod formats;
mod inputs;
mod listed;
mod order;
mod outcome;
mod page;
mod sarif;
mod sitemaps;
mod totals;
mod work;

use std::io::{self, IsTerminal as _};

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
use self::inputs::inputs;
use self::listed::Listed;
use self::order::Subjects;
use self::outcome::Outcome;
use self::totals::Totals;
use self::work::Work;
use crate::arguments::{NamedCrawler, crawlers};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::output;
use crate::source::require_one_standard_input;
use crate::subject::sites_of;
use crate::url_list::UrlList;

/// The largest number of verdicts for one site.
const MOST_VERDICTS: usize = 1_000_000;

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
    report.begin()?;
    Subjects { work: &work, inputs: &inputs }.for_each(arguments.jobs, |outcome| report.add(&outcome))?;
    report.end(urls.as_ref())
}

/// The output, and the numbers of the audit.
struct Report<'r> {
    arguments: &'r Arguments,
    crawlers: &'r [NamedCrawler],
    totals: Totals,
    bar: ProgressBar,
    /// The findings of formats that are written at the end.
    sarif: sarif::Log,
    page: page::Page,
    is_closed: bool,
}

impl<'r> Report<'r> {
    fn new(arguments: &'r Arguments, crawlers: &'r [NamedCrawler], count: usize) -> Self {
        let bar =
            if io::stderr().is_terminal() { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("robots: {pos} of {len} {bar:30} {elapsed}") {
            bar.set_style(style);
        }
        Self {
            arguments,
            crawlers,
            totals: Totals::default(),
            bar,
            sarif: sarif::Log::default(),
            page: page::Page::default(),
            is_closed: false,
        }
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
        match self.arguments.format {
            Format::Csv => self.print(&formats::csv_head()?),
            _ => Ok(()),
        }
    }

    /// Writes or keeps what was found about one input.
    fn add(&mut self, outcome: &Outcome) -> Result<()> {
        self.bar.inc(1);
        self.totals.add(outcome);
        match self.arguments.format {
            Format::Human => self.print(&formats::human(outcome, self.crawlers)),
            Format::Csv => self.print(&formats::csv(outcome, self.crawlers)?),
            Format::JsonLines => self.print(&formats::json_lines(outcome, self.crawlers)),
            Format::Sarif => {
                self.sarif.add(outcome, self.crawlers);
                Ok(())
            }
            Format::Html => {
                self.page.add(outcome, self.crawlers);
                Ok(())
            }
        }
    }

    fn end(mut self, list: Option<&Listed>) -> Result<u8> {
        self.bar.finish_and_clear();
        if let Some(list) = list {
            self.totals.add_list(list);
            self.sarif.add_list(list);
            self.page.add_list(list);
        }
        let text = match self.arguments.format {
            Format::Human => {
                format!("{}{}\n", list.map(formats::list_human).unwrap_or_default(), self.totals)
            }
            Format::Csv => list.map_or(Ok(String::new()), formats::list_csv)?,
            Format::JsonLines => list.map(formats::list_json_lines).unwrap_or_default(),
            Format::Sarif => format!("{:#}\n", core::mem::take(&mut self.sarif).finish()),
            Format::Html => core::mem::take(&mut self.page).finish(&self.totals, self.crawlers),
        };
        self.print(&text)?;
        Ok(self.totals.status())
    }
}
