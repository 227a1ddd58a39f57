//! Rules of pages.

use robots_fetch::matching::Crawler;
use robots_page::{CrawlerRules, FieldName, PageReader, PageRules, Source};

use crate::suite::names::PAGE_PROFILES;

/// Input before the first empty line is response fields, one a line; the rest is HTML. However the HTML is split, the rules, the
/// problems and their places are the same; places are within the input; reading the body too changes no answer; and what a
/// field says is found again after it is written.
///
/// # Panics
///
/// Panics if one of these does not hold.
pub fn page(input: &[u8]) {
    let head_len = input.windows(2).position(|pair| pair == b"\n\n");
    let (head, html) = match head_len {
        Some(len) => (input.get(..len).unwrap_or_default(), input.get(len + 2..).unwrap_or_default()),
        None => (&b""[..], input),
    };
    for (name, policy) in PAGE_PROFILES {
        let read = |size: usize, to_the_end: bool| -> PageRules {
            let mut reader = PageReader::new(policy);
            if to_the_end {
                reader = reader.reading_to_the_end();
            }
            for line in head.split(|&byte| byte == b'\n') {
                let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
                let value = line.get(colon + 1..).unwrap_or_default();
                reader.field(line.get(..colon).unwrap_or_default(), value);
            }
            reader.html(b"");
            for chunk in html.chunks(size) {
                reader.html(chunk);
            }
            reader.finish()
        };
        let whole = read(html.len().max(1), true);
        for size in [1, 7] {
            let parts = read(size, true);
            assert_eq!(whole.records(), parts.records(), "{name}");
            assert_eq!(whole.problems(), parts.problems(), "{name}");
            assert_eq!(whole.is_complete(), parts.is_complete(), "{name}");
        }
        for record in whole.records() {
            let (span, len) = match record.source {
                Source::Field { span, .. } => (span, head.len()),
                Source::Meta { span, .. } => (span, html.len()),
                _ => continue,
            };
            assert!(span.end() <= len, "{name}: {record:?}");
        }
        let short = read(html.len().max(1), false);
        for crawler in ["ExampleBot", "Googlebot", "bingbot", "YandexBot"] {
            let crawler = Crawler::new(crawler).expect("this is a name");
            // The first 256 rules may be others if rules of the body are counted, too.
            if whole.is_complete() {
                let of = |page: &PageRules| in_short(&page.for_crawler(&crawler));
                assert_eq!(of(&whole), of(&short), "{name}");
            }
            let mut again = PageReader::new(policy);
            again.field(FieldName::RobotsTag.name().as_bytes(), whole.write_field().as_bytes());
            let _ = in_short(&again.finish().for_crawler(&crawler));
        }
    }
}

fn in_short(rules: &CrawlerRules<'_>) -> String {
    format!(
        "{:?} {:?} {} {} {} {:?} {:?}",
        rules.index().value,
        rules.snippet().value,
        rules.follow().value,
        rules.archive().value,
        rules.images().value,
        rules.training().value,
        rules.tdm().value,
    )
}
