use alloc::format;

use robots_groups::syntax::{Lines, Record, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::File;
use crate::lint::text::limits;
use crate::profile::Profile;

lint! {
    code: "too-large",
    severity: error,
    title: "The file is larger than crawlers read",
    check: File(check),
    /// Crawlers read at least 500 KiB of a file (RFC 9309, section 2.5), and large crawlers read no more than that.
    /// The line at the limit and all lines after it are ignored.
    ///
    /// Shorten the file. Patterns with `*` can often replace many rules. Or move the most important rules to the top.
    ///
    /// In the examples `{text*3}` means `texttexttext`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// {Disallow: /a-folder-of-the-site
    /// *16000}
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// {Disallow: /a-folder-of-the-site
    /// *100}
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let body = file.body;
    for (limit, readers) in limits(|profile| profile.syntax.max_size) {
        if body.len() <= limit {
            continue;
        }
        let Some(profile) = readers.first().copied().map(Profile::from) else { continue };
        let mut read = Lines::new(body, &profile.syntax);
        let number = read.by_ref().count() + 1;
        let dropped = read.dropped();
        if dropped.is_empty() {
            continue;
        }
        let mut unlimited = profile.syntax;
        unlimited.max_size = None;
        let lost = Lines::new(body, &unlimited)
            .filter(|line| line.span().start() >= dropped.start())
            .filter_map(|line| match line.record {
                Record::Rule(rule) => Some(rule),
                _ => None,
            });
        let (mut count, mut first) = (0_usize, None);
        for rule in lost {
            count += 1;
            first = first.or(Some(rule));
        }
        let message = match first {
            Some(rule) => format!(
                "crawlers read only {limit} of the {} bytes of this file: {count} rule{} ignored, from line {} on",
                body.len(),
                if count == 1 { " is" } else { "s are" },
                rule.line()
            ),
            None => format!(
                "crawlers read only {limit} of the {} bytes of this file: no rule is ignored",
                body.len()
            ),
        };
        drafts.add(
            Draft::new(number, Span::new(dropped.start(), dropped.start()), message)
                .help("shorten the file, or move the most important rules to the top (RFC 9309, section 2.5)")
                .readers(readers),
        );
    }
}
