//! One page of HTML about all sites, which a consultant can send.

use alloc::sync::Arc;
use std::collections::HashMap;
use std::time::SystemTime;

use super::arguments::Arguments;
use super::page_answers::PageAccess;
use super::row::{About, Decided, Place, Row, Status, What};
use super::sinks::Sink;
use super::totals::Totals;
use crate::extent::Extent;
use crate::failure::Result;
use crate::fetch::time;
use crate::output::{Markup, Printable, markup};
use crate::text::{Text, listed};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The most sites that the table shows, and the most rows of each other table.
const MOST_ROWS: usize = 10_000;

/// The rows of a table that are not folded.
const UNFOLDED: usize = 12;

/// The most crawlers whose columns fit into the width of a telephone.
const MOST_COLUMNS: usize = 3;

/// The most crawlers that a row names.
const MOST_NAMES: usize = 6;

/// The URLs that are shown of all URLs that a rule decides.
const SAMPLES: usize = 3;

/// The page while rows come in.
pub(super) struct Page {
    title: String,
    client: Option<String>,
    profile: String,
    place: Option<Arc<Place>>,
    sites: Vec<PageSite>,
    /// The number of sites that have no row in the table.
    more_sites: usize,
    crawlers: Vec<String>,
    by_name: HashMap<Arc<str>, usize>,
    blocking: Vec<Blocking>,
    by_rule: HashMap<(usize, String), usize>,
    wanted: Vec<NotWanted>,
    by_reason: HashMap<(String, &'static str, String), usize>,
    problems: Vec<Vec<String>>,
    /// Pages that may not be indexed, that could not be read, or that have problems.
    pages: Vec<Vec<String>>,
    counts: Counts,
}

/// The numbers of the summary.
#[derive(Default)]
struct Counts {
    sites: usize,
    blocked: usize,
    no_answer: usize,
    by_accident: usize,
    as_wanted: usize,
    urls: usize,
}

/// A site, and the access of each crawler.
struct PageSite {
    name: String,
    uri: String,
    status: Option<Status>,
    /// What happened, if the site gave no answer.
    no_answer: Option<String>,
    /// Why crawlers may access more than the owner means.
    by_accident: Vec<String>,
    is_blocked: bool,
    cells: Vec<Cell>,
}

/// The access of a crawler to a site.
#[derive(Clone, Default)]
struct Cell {
    extent: Option<Extent>,
    urls: usize,
    blocked: usize,
    is_wanted: bool,
    may_ignore: bool,
    decides: String,
}

/// Access that is not the wanted one, and the crawlers that have it for one reason.
struct NotWanted {
    site: String,
    crawlers: Vec<String>,
    access: &'static str,
    reason: String,
}

impl NotWanted {
    fn cells(&self) -> Vec<String> {
        let crawlers = listed(self.crawlers.iter().map(String::as_str), MOST_NAMES);
        vec![self.site.clone(), crawlers, self.access.to_owned(), self.reason.clone()]
    }
}

/// A rule that blocks whole sites or URLs.
struct Blocking {
    site: usize,
    decides: String,
    crawlers: Vec<usize>,
    /// The number of URLs for each crawler.
    urls: Vec<usize>,
    samples: Vec<String>,
    is_whole: bool,
}

impl Page {
    pub(super) fn new(arguments: &Arguments) -> Self {
        let shown = |text: &String| Text(text.as_bytes()).to_string();
        Self {
            title: arguments.title.as_ref().map_or_else(|| "Access of crawlers".to_owned(), shown),
            client: arguments.client.as_ref().map(shown),
            profile: arguments.profile.in_words(),
            place: None,
            sites: Vec::new(),
            more_sites: 0,
            crawlers: Vec::new(),
            by_name: HashMap::new(),
            blocking: Vec::new(),
            by_rule: HashMap::new(),
            wanted: Vec::new(),
            by_reason: HashMap::new(),
            problems: Vec::new(),
            pages: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Adds the site of a row, if the row before is of another one. Rows of a site follow each other.
    fn enter(&mut self, place: &Arc<Place>) {
        if self.place.as_ref().is_some_and(|last| Arc::ptr_eq(last, place)) || place.status.is_none() {
            return;
        }
        self.leave();
        self.place = Some(Arc::clone(place));
        let by_accident: Vec<String> = place.doubts().collect();
        self.sites.push(PageSite {
            name: place.name.clone(),
            uri: place.uri.clone(),
            status: place.status,
            no_answer: None,
            by_accident,
            is_blocked: false,
            cells: Vec::new(),
        });
    }

    /// Counts the last site, and leaves it out if there are too many.
    fn leave(&mut self) {
        let Some(site) = self.sites.last() else { return };
        if self.place.take().is_none() {
            return;
        }
        self.counts.sites += 1;
        self.counts.blocked += usize::from(site.is_blocked);
        self.counts.no_answer += usize::from(site.no_answer.is_some());
        self.counts.by_accident += usize::from(!site.by_accident.is_empty());
        if self.sites.len() > MOST_ROWS
            && site.no_answer.is_none()
            && !site.is_blocked
            && site.by_accident.is_empty()
        {
            self.sites.pop();
            self.more_sites += 1;
        }
    }

    fn crawler(&mut self, name: &Arc<str>) -> usize {
        let next = self.crawlers.len();
        let index = *self.by_name.entry(Arc::clone(name)).or_insert(next);
        if index == next {
            self.crawlers.push(Text(name.as_bytes()).to_string());
        }
        index
    }

    fn decided(&mut self, row: &Row, decided: &Decided) {
        let crawler = self.crawler(&decided.crawler);
        let at = self.sites.len() - 1;
        let Some(site) = self.sites.last_mut() else { return };
        if site.cells.len() <= crawler {
            site.cells.resize(crawler + 1, Cell::default());
        }
        let Some(cell) = site.cells.get_mut(crawler) else { return };
        cell.may_ignore = decided.may_ignore;
        let is_blocked = decided.is_blocked();
        match decided.about {
            About::Site(extent) => {
                cell.extent = Some(extent);
                cell.is_wanted = decided.is_wanted;
                cell.decides.clone_from(&decided.decides);
            }
            About::Listed(_) | About::Submitted(_) => {
                cell.urls += 1;
                cell.blocked += usize::from(is_blocked);
                cell.is_wanted |= decided.is_wanted;
            }
        }
        if decided.accidental_group && !decided.is_blocked() {
            let why = "a Sitemap or Crawl-delay line between User-agent lines joins groups, so crawlers share rules";
            if !site.by_accident.iter().any(|other| other == why) {
                site.by_accident.push(why.to_owned());
            }
        }
        self.counts.as_wanted += usize::from(decided.is_wanted);
        if !is_blocked {
            return;
        }
        if site.status == Some(Status::Nothing) {
            site.no_answer.get_or_insert_with(|| decided.decides.clone());
            return;
        }
        if !decided.is_finding() {
            return;
        }
        site.is_blocked = true;
        let is_whole = matches!(decided.about, About::Site(_));
        self.counts.urls += usize::from(!is_whole);
        let next = self.blocking.len();
        let index = *self.by_rule.entry((at, decided.decides.clone())).or_insert(next);
        if index == next {
            if index == MOST_ROWS {
                self.by_rule.remove(&(at, decided.decides.clone()));
                return;
            }
            self.blocking.push(Blocking {
                site: at,
                decides: decided.decides.clone(),
                crawlers: Vec::new(),
                urls: Vec::new(),
                samples: Vec::new(),
                is_whole: false,
            });
        }
        let Some(blocking) = self.blocking.get_mut(index) else { return };
        let place = blocking.crawlers.iter().position(|&other| other == crawler).unwrap_or_else(|| {
            blocking.crawlers.push(crawler);
            blocking.urls.push(0);
            blocking.crawlers.len() - 1
        });
        if is_whole {
            blocking.is_whole = true;
        } else if let Some(urls) = blocking.urls.get_mut(place) {
            *urls += 1;
        }
        let url = row.url();
        if !is_whole && blocking.samples.len() < SAMPLES && !blocking.samples.contains(&url) {
            blocking.samples.push(url);
        }
    }

    /// Returns what was found, in sentences.
    fn summary(&self, totals: &Totals) -> Markup {
        let sites = |number: usize| count(number, "site");
        let Counts { sites: all, blocked, no_answer, by_accident, as_wanted, urls } = self.counts;
        let crawlers = match self.crawlers.len() {
            1 => format!("for {}", self.crawlers.concat()),
            count => format!("for {count} crawlers"),
        };
        let mut lines = vec![format!("{} checked {crawlers}.", sites(all))];
        let block = |count: usize| if count == 1 { "blocks" } else { "block" };
        let plural =
            |count: usize, one: &'static str, several: &'static str| if count == 1 { one } else { several };
        match (blocked, no_answer, by_accident, self.wanted.len(), self.problems.len()) {
            (0, 0, 0, 0, 0) => lines.push("Nothing needs to be changed.".to_owned()),
            _ => {
                if blocked > 0 {
                    let urls = match urls {
                        0 => String::new(),
                        1 => ", in all 1 URL for a crawler".to_owned(),
                        _ => format!(", in all {urls} URLs, counted for each crawler"),
                    };
                    lines.push(format!("{} {} a crawler by a rule{urls}.", sites(blocked), block(blocked)));
                }
                if no_answer > 0 {
                    lines.push(format!(
                        "{} gave no answer that says what crawlers may access, so they stay away until {} does.",
                        sites(no_answer),
                        plural(no_answer, "it", "each")
                    ));
                }
                if by_accident > 0 {
                    lines.push(format!(
                        "{} may be more open than {} owner means.",
                        sites(by_accident),
                        plural(by_accident, "its", "the")
                    ));
                }
                if !self.wanted.is_empty() {
                    let times: usize = self.wanted.iter().map(|wanted| wanted.crawlers.len()).sum();
                    lines.push(format!(
                        "{}, the access of a crawler is not the wanted one.",
                        count(times, "time")
                    ));
                }
                if !self.problems.is_empty() {
                    lines.push(format!(
                        "{} {} not be read or checked.",
                        self.problems.len(),
                        plural(self.problems.len(), "part could", "parts could")
                    ));
                }
            }
        }
        if as_wanted > 0 {
            lines.push(format!("{as_wanted} times, a crawler is blocked as it should be."));
        }
        let items: Markup = lines.iter().map(|line| markup!("<li>{}</li>\n", line)).collect();
        let numbers: Vec<Vec<String>> = totals
            .named()
            .into_iter()
            .map(|(name, count)| vec![name.to_owned(), count.to_string()])
            .collect();
        markup!(
            "<ul class=\"summary\">\n{}</ul>\n<details><summary>All numbers</summary>\n{}</details>\n",
            items,
            markup::table("Numbers", &["What", "Number"], &numbers)
        )
    }

    fn blocking_rows(&self) -> Vec<Vec<String>> {
        let row = |blocking: &Blocking| {
            let site = self.sites.get(blocking.site).map(|site| site.name.clone()).unwrap_or_default();
            let most = blocking.urls.iter().copied().max().unwrap_or_default();
            let what = match (blocking.is_whole, most) {
                (true, 0) => "the whole site".to_owned(),
                (true, urls) => format!("the whole site, {urls} URLs"),
                (false, 1) => "1 URL".to_owned(),
                (false, urls) => format!("{urls} URLs"),
            };
            vec![
                site,
                blocking.decides.clone(),
                self.names(&blocking.crawlers),
                what,
                blocking.samples.join(" "),
            ]
        };
        self.blocking.iter().map(row).collect()
    }

    /// Returns the names of crawlers, of which only some are written if they are many.
    fn names(&self, crawlers: &[usize]) -> String {
        if crawlers.len() > 1 && crawlers.len() == self.crawlers.len() {
            return format!("all {}", crawlers.len());
        }
        let names: Vec<&str> =
            crawlers.iter().filter_map(|&crawler| self.crawlers.get(crawler)).map(String::as_str).collect();
        listed(names.into_iter(), MOST_NAMES)
    }

    fn matrix(&self) -> Markup {
        let mut html = markup!(
            "<div id=\"controls\" hidden>\n<label>Site has the text<br><input id=\"text\" type=\"search\"></label>\n\
             <label>Show<br><select id=\"kind\"><option value=\"\">all sites</option><option value=\"blocked\">blocked by a rule</option>\
             <option value=\"no-answer\">no answer</option><option value=\"by-accident\">open by accident</option>\
             <option value=\"other\">all others</option></select></label>\n<output id=\"count\" for=\"text kind\"></output>\n</div>\n\
             <div class=\"wide {}\" tabindex=\"0\" role=\"region\" aria-label=\"Sites by crawlers\">\n\
             <table class=\"matrix\" id=\"sites\">\n<caption>Sites by crawlers</caption>\n<thead><tr><th scope=\"col\">Site</th>",
            if self.crawlers.len() <= MOST_COLUMNS { "few" } else { "many" },
        );
        for crawler in &self.crawlers {
            html.append(markup!("<th scope=\"col\">{}</th>", crawler));
        }
        html.append(markup!("</tr></thead>\n<tbody>\n"));
        for site in &self.sites {
            let kinds: Vec<&str> = [
                (site.is_blocked, "blocked"),
                (site.no_answer.is_some(), "no-answer"),
                (!site.by_accident.is_empty(), "by-accident"),
            ]
            .into_iter()
            .filter_map(|(is_set, kind)| is_set.then_some(kind))
            .collect();
            let kinds = if kinds.is_empty() { "other".to_owned() } else { kinds.join(" ") };
            let name = match site.uri.starts_with("http://") || site.uri.starts_with("https://") {
                true => markup!("<a href=\"{}\">{}</a>", site.uri, site.name),
                false => markup!("{}", site.name),
            };
            html.append(markup!("<tr data-kinds=\"{}\"><th scope=\"row\">{}</th>", kinds, name));
            for (crawler, name) in self.crawlers.iter().enumerate() {
                html.append(cell(site, name, site.cells.get(crawler)));
            }
            html.append(markup!("</tr>\n"));
        }
        html.append(markup!("</tbody>\n</table>\n</div>\n"));
        if self.more_sites > 0 {
            html.append(markup!(
                "<p>{} more sites, in which nothing was found, are left out; the format csv has all.</p>\n",
                self.more_sites
            ));
        }
        html
    }
}

fn count(number: usize, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

/// Returns the cell of a site and a crawler: a sign, a word, and a key by which cells are sorted. On a narrow screen, the name of the
/// crawler may be before the sign.
fn cell(site: &PageSite, crawler: &str, cell: Option<&Cell>) -> Markup {
    let empty = Cell::default();
    let cell = cell.unwrap_or(&empty);
    let (class, sign, word, key) = match (cell.extent, cell.urls) {
        _ if site.status == Some(Status::Failed) => ("none", "\u{2013}", "not read".to_owned(), 5_usize),
        _ if site.no_answer.is_some() => ("none", "\u{2013}", "no answer".to_owned(), 4),
        (Some(extent), urls) if urls > 0 && extent != Extent::Nothing => {
            ("part", "\u{25D0}", format!("parts, {} of sitemaps", count(cell.blocked, "URL")), 2)
        }
        (None, urls) if urls > 0 => match cell.blocked {
            0 => ("good", "\u{2713}", format!("{urls} open"), 0),
            blocked if cell.is_wanted => {
                ("good", "\u{2713}", format!("{blocked} of {urls} blocked, as wanted"), 1)
            }
            blocked if blocked == urls => ("bad", "\u{2715}", format!("{blocked} blocked"), 3),
            blocked => ("part", "\u{25D0}", format!("{blocked} of {urls} blocked"), 2),
        },
        (Some(Extent::All), _) => ("good", "\u{2713}", "open".to_owned(), 0),
        (Some(Extent::Parts), _) => ("part", "\u{25D0}", "parts".to_owned(), 2),
        (Some(Extent::Nothing), _) if cell.is_wanted => {
            ("good", "\u{2713}", "blocked, as wanted".to_owned(), 1)
        }
        (Some(Extent::Nothing), _) => ("bad", "\u{2715}", "blocked".to_owned(), 3),
        (Some(Extent::Undecided), _) => ("none", "?", "undecided".to_owned(), 4),
        (None, _) => ("none", "\u{2013}", "not checked".to_owned(), 5),
    };
    let ignores = match cell.may_ignore {
        true => markup!(" <span class=\"note\">(may ignore)</span>"),
        false => Markup::new(),
    };
    let title = match cell.decides.as_str() {
        "" => Markup::new(),
        decides => markup!(" title=\"{}\"", decides),
    };
    markup!(
        "<td data-column=\"{}\" data-key=\"{}\"{}><span class=\"{}\"><span class=\"sign\" aria-hidden=\"true\">{}</span>{}</span>{}</td>",
        crawler,
        key,
        title,
        class,
        sign,
        word,
        ignores
    )
}

/// Returns a table under a heading, of which only the first rows are not folded; nothing without rows.
fn section(title: &str, about: &str, head: &[&str], rows: &[Vec<String>]) -> Markup {
    if rows.is_empty() {
        return Markup::new();
    }
    let shown = rows.get(..MOST_ROWS.min(rows.len())).unwrap_or_default();
    let (first, rest) = shown.split_at(UNFOLDED.min(shown.len()));
    let mut html = markup!(
        "<h2>{}: {}</h2>\n<p>{}</p>\n{}",
        title,
        rows.len(),
        about,
        markup::table(title, head, first)
    );
    if !rest.is_empty() {
        html.append(markup!(
            "<details><summary>{} more</summary>\n{}</details>\n",
            rest.len(),
            markup::table(&format!("{title}, continued"), head, rest)
        ));
    }
    if shown.len() < rows.len() {
        html.append(markup!(
            "<p>{} more rows are left out; the format csv has all.</p>\n",
            rows.len() - shown.len()
        ));
    }
    html
}

impl Sink for Page {
    fn add(&mut self, row: &Row) -> Result<Printable> {
        self.enter(&row.place);
        let pair = || vec![row.place.name.clone(), row.reason().into_owned()];
        match &row.what {
            What::Verdict(decided) => self.decided(row, decided),
            What::Expected(outcome, _) => {
                let (site, access, reason) =
                    (row.place.name.clone(), outcome.access(), row.reason().into_owned());
                let next = self.wanted.len();
                let key = (site.clone(), access, reason.clone());
                let place = *self.by_reason.entry(key).or_insert(next);
                match self.wanted.get_mut(place) {
                    Some(row_of_all) => row_of_all.crawlers.push(row.crawler()),
                    None => {
                        self.wanted.push(NotWanted { site, crawlers: vec![row.crawler()], access, reason });
                    }
                }
            }
            What::Page(said) => {
                if said.access != PageAccess::Indexable || !said.codes.is_empty() || said.has_remarks {
                    let decides = row.reason().into_owned();
                    let codes = said.codes.join(", ");
                    self.pages.push(vec![
                        row.url(),
                        row.crawler(),
                        said.access.name().to_owned(),
                        decides,
                        codes,
                    ]);
                }
            }
            What::Failed(reason) => {
                if let Some(site) = self.sites.last_mut() {
                    site.no_answer = Some(reason.clone());
                }
            }
            // The numbers of the summary have it.
            What::OfList(..) => {}
            What::Unchecked | What::Problem(_) | What::LeftOut(_) => self.problems.push(pair()),
        }
        Ok(Printable::default())
    }

    fn end(&mut self, totals: &Totals, crawlers: &[String]) -> Result<Printable> {
        self.leave();
        let now = time(SystemTime::now());
        let date = now.get(..16).unwrap_or(&now).replace('T', " ");
        let mut body = markup!("<h1>{}</h1>\n<dl class=\"facts\">\n", self.title);
        let client = self.client.iter().map(|client| ("For", client.clone()));
        let facts = [
            ("Date", format!("{date} UTC")),
            ("Crawlers", crawlers.join(", ")),
            ("Profile", self.profile.clone()),
            ("Written by", format!("robots {}", env!("CARGO_PKG_VERSION"))),
        ];
        for (name, value) in client.chain(facts) {
            body.append(markup!("<dt>{}</dt><dd>{}</dd>\n", name, value));
        }
        body.append(markup!("</dl>\n<h2>Summary</h2>\n"));
        body.append(self.summary(totals));
        body.append(section(
            "Not as wanted",
            "The file of wanted access says something else.",
            &["Site", "Crawlers", "Wanted", "What is"],
            &self.wanted.iter().map(NotWanted::cells).collect::<Vec<_>>(),
        ));
        let head = ["Site", "Line", "Crawlers", "Blocks", "Samples"];
        let has_samples = self.blocking.iter().any(|blocking| !blocking.samples.is_empty());
        body.append(section(
            "Blocked by a rule",
            "A line of the robots.txt keeps these crawlers out. Each row is one line; samples are some of its URLs.",
            if has_samples { &head } else { head.get(..4).unwrap_or(&head) },
            &self.blocking_rows(),
        ));
        let sites = |what: &dyn Fn(&PageSite) -> Option<String>| -> Vec<Vec<String>> {
            let row = |site: &PageSite| what(site).map(|what| vec![site.name.clone(), what]);
            self.sites.iter().filter_map(row).collect()
        };
        body.append(section(
            "No answer",
            "No rule blocks crawlers here: the robots.txt could not be fetched or read, and crawlers may stay away until it can.",
            &["Site", "What happened"],
            &sites(&|site| site.no_answer.clone()),
        ));
        body.append(section(
            "Open by accident",
            "Crawlers may access more here than the owner may mean.",
            &["Site", "Why"],
            &sites(&|site| Some(site.by_accident.join("; ")).filter(|why| !why.is_empty())),
        ));
        body.append(section(
            "Pages",
            "Pages that may not be indexed, that could not be read, or that have problems.",
            &["Page", "Crawler", "In an index", "What decides", "Problems"],
            &self.pages,
        ));
        body.append(section(
            "Not read or not checked",
            "What these sitemaps and lists say is not in this report.",
            &["Site or list", "Reason"],
            &self.problems,
        ));
        body.append(markup!(
            "<h2>All sites: {}</h2>\n<ul class=\"legend\">\n\
             <li><span class=\"good\"><span class=\"sign\" aria-hidden=\"true\">\u{2713}</span>open, or blocked as wanted</span></li>\n\
             <li><span class=\"part\"><span class=\"sign\" aria-hidden=\"true\">\u{25D0}</span>parts are blocked</span></li>\n\
             <li><span class=\"bad\"><span class=\"sign\" aria-hidden=\"true\">\u{2715}</span>blocked</span></li>\n\
             <li><span class=\"none\"><span class=\"sign\" aria-hidden=\"true\">\u{2013}</span>no answer, or not checked</span></li>\n</ul>\n",
            self.counts.sites
        ));
        body.append(self.matrix());
        body.append(markup!(
            "<p>This report is about robots.txt: whether crawlers may fetch pages. A page that may be fetched is not always in an \
             index, and a page that may not be fetched can be in one.</p>\n",
        ));
        let title = match &self.client {
            Some(client) => format!("{}: {client}", self.title),
            None => self.title.clone(),
        };
        Ok(markup::page_with_script(&title, &body, STYLE, SCRIPT).into())
    }
}
