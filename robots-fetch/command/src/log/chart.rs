//! Plots of requests and disallowed requests per day.

use core::fmt::Write as _;

use robots_fetch::log::{CrawlerReport, HostReport, LogTime};

use crate::html::escaped;
use crate::text::Text;

/// The most crawlers that have a plot.
const MOST_CRAWLERS: usize = 12;

/// The most bars of a plot. More days are joined.
const MOST_BARS: i64 = 92;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 100.0;

/// Returns a plot for each of the first crawlers of a host.
pub(super) fn charts(host: &HostReport) -> String {
    let crawlers: Vec<&CrawlerReport> = host.crawlers.iter().take(MOST_CRAWLERS).collect();
    let days = |crawler: &&CrawlerReport| {
        let number = |day: &str| LogTime::parse_iso(day.as_bytes(), 0).map(LogTime::day);
        let first = crawler.per_day.first().and_then(|day| number(&day.day));
        first.zip(crawler.per_day.last().and_then(|day| number(&day.day)))
    };
    let period =
        crawlers.iter().filter_map(days).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    let Some((first, last)) = period else { return String::new() };
    let mut html = String::from(
        "<h3>Requests per day</h3>\n<p>Each bar is a day: all requests in grey, disallowed ones in red, and a mark below for \
         days on which robots.txt was read.</p>\n",
    );
    for crawler in crawlers {
        html.push_str(&chart(crawler, first, last));
    }
    html
}

fn chart(crawler: &CrawlerReport, first: i64, last: i64) -> String {
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
    let name = escaped(&Text(crawler.name.as_bytes()).to_string());
    let mut svg = format!(
        "<figure><figcaption>{name}: up to {most} requests {}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {}\" width=\"100%\" role=\"img\" aria-label=\"{name}: {} requests, {} disallowed\">\n",
        if step == 1 { "a day".to_owned() } else { format!("in {step} days") },
        HEIGHT + 12.0,
        crawler.requests,
        crawler.disallowed,
    );
    #[expect(clippy::cast_precision_loss, reason = "positions in a plot are rounded")]
    for (index, (requests, disallowed, reads)) in sums.into_iter().enumerate() {
        let width = WIDTH / bars as f64;
        let x = width * index as f64;
        let mut bar = |count: u64, colour: &str| {
            if count > 0 {
                let height = (HEIGHT * count as f64 / most as f64).max(1.0);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
                    x + width * 0.1,
                    HEIGHT - height,
                    width * 0.8,
                );
            }
        };
        bar(requests, "#8888");
        bar(disallowed, "#d33");
        if reads > 0 {
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"4\" fill=\"#38c\"/>",
                x + width * 0.1,
                HEIGHT + 4.0,
                width * 0.8
            );
        }
    }
    svg + "</svg></figure>\n"
}
