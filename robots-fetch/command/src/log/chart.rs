//! Plots of requests and disallowed requests per day.

use robots_fetch::log::{CrawlerReport, HostReport, LogTime};

use crate::output::{Markup, markup};
use crate::text::{Text, counted_requests};

/// The most crawlers that have a plot.
const MOST_CRAWLERS: usize = 12;

/// The most bars of a plot. More days are joined.
const MOST_BARS: i64 = 92;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 100.0;

/// The most width of a bar and the gap beside it, so that a few days do not look like areas.
const MAX_BAR: f64 = 24.0;

/// Returns a plot for each of the first crawlers of a host.
pub(super) fn charts(host: &HostReport) -> Markup {
    let crawlers: Vec<&CrawlerReport> = host.crawlers.iter().take(MOST_CRAWLERS).collect();
    let days = |crawler: &&CrawlerReport| {
        let number = |day: &str| LogTime::parse_iso(day.as_bytes(), 0).map(LogTime::day);
        let first = crawler.per_day.first().and_then(|day| number(&day.day));
        first.zip(crawler.per_day.last().and_then(|day| number(&day.day)))
    };
    let period =
        crawlers.iter().filter_map(days).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    let Some((first, last)) = period else { return Markup::new() };
    let mut html = markup!(
        "<h3>Requests per day</h3>\n<p>Each bar is a day: all requests in grey, disallowed ones in red, and a mark below for \
         days on which robots.txt was read.</p>\n",
    );
    for crawler in crawlers {
        html.append(chart(crawler, first, last));
    }
    html
}

fn chart(crawler: &CrawlerReport, first: i64, last: i64) -> Markup {
    // Days of one bar.
    let step = (last - first) / MOST_BARS + 1;
    let bars = (last - first) / step + 1;
    let mut sums = vec![(0_u64, 0_u64, 0_u64); usize::try_from(bars).unwrap_or(1)];
    for day in &crawler.per_day {
        let number = LogTime::parse_iso(day.day.as_bytes(), 0).map_or(first, LogTime::day);
        let place = usize::try_from((number - first) / step).ok().and_then(|at| sums.get_mut(at));
        if let Some(sum) = place {
            *sum = (sum.0 + day.requests, sum.1 + day.disallowed, sum.2 + day.reads);
        }
    }
    let most = sums.iter().map(|sum| sum.0).max().unwrap_or(0).max(1);
    let name = Text(crawler.name.as_bytes()).to_string();
    let mut svg = markup!(
        "<figure><figcaption>{}: up to {} {}</figcaption>\n\
         <svg viewBox=\"0 0 {} {}\" width=\"100%\" role=\"img\" aria-label=\"{}: {}, {} disallowed\">\n",
        name,
        counted_requests(most),
        if step == 1 { "a day".to_owned() } else { format!("in {step} days") },
        WIDTH,
        HEIGHT + 12.0,
        name,
        counted_requests(crawler.requests),
        crawler.disallowed,
    );
    #[expect(clippy::cast_precision_loss, reason = "positions in a plot are rounded")]
    for (index, (requests, disallowed, reads)) in sums.into_iter().enumerate() {
        let width = (WIDTH / bars as f64).min(MAX_BAR);
        let x = width * index as f64;
        let mut bar = |count: u64, colour: &str| {
            if count > 0 {
                let height = (HEIGHT * count as f64 / most as f64).max(1.0);
                svg.append(rectangle([x + width * 0.1, HEIGHT - height, width * 0.8, height], colour));
            }
        };
        bar(requests, "#8888");
        bar(disallowed, "#d33");
        if reads > 0 {
            svg.append(rectangle([x + width * 0.1, HEIGHT + 4.0, width * 0.8, 4.0], "#38c"));
        }
    }
    svg.append(markup!("</svg></figure>\n"));
    svg
}

/// Returns a rectangle by its place, its width and its height.
fn rectangle(numbers: [f64; 4], colour: &str) -> Markup {
    let [x, y, width, height] = numbers.map(|number| format!("{number:.1}"));
    markup!("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y, width, height, colour)
}
