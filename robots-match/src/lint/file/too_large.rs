//! The file is larger than crawlers read.

use alloc::format;

use robots_groups::syntax::{Lines, Record, Span};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;
use crate::lint::text::limits;
use crate::profile::Profile;

pub(crate) const LINT: Declaration = Declaration {
    code: "too-large",
    severity: Severity::Error,
    title: "The file is larger than crawlers read",
    check: Check::File(check),
};

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
