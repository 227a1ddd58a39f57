use alloc::format;

use robots_groups::syntax::{Lines, Record, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, placeholder};
use crate::lint::text::shown;

lint! {
    code: "template-leftover",
    severity: warning,
    title: "A template was not filled in",
    check: File(check),
    /// A value such as `{{product.url}}` or `<%= path %>` is for a program that fills in a template. If the program does not run,
    /// crawlers read the placeholder literally, and the rule or the sitemap has no effect.
    ///
    /// Write the value that was meant, or remove the line. Without a user-agent line, the rules below it may belong to the group before,
    /// and without its only rule a group is one with the next group. A pattern that begins with `/*` is not reported, because it may be
    /// there to block links in which a placeholder was not filled in.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /{%category%}/print
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*{%category%}
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    for line in Lines::new(file.body, &file.facts.profile.syntax) {
        let value = match line.record {
            Record::UserAgent(value) | Record::Other { value, .. } => value,
            Record::Rule(rule) => rule.pattern,
            _ => continue,
        };
        let (bytes, start) = (value.bytes(), value.span().start());
        let Some(place) = placeholder(bytes) else { continue };
        let message = format!(
            "`{}` looks like a placeholder of a template that was not filled in",
            shown(place.of(bytes))
        );
        let help = match line.record {
            Record::UserAgent(_) => {
                "write the name that the template stands for; without the line, the rules below it may belong to the group before"
            }
            Record::Rule(_) if file.is_needed(line.number) => {
                "write the value that the template stands for, or `Disallow:` without a value; without a rule, this group would be one with the next group"
            }
            _ => "write the value that the template stands for, or remove the line",
        };
        let span = Span::new(start + place.start(), start + place.end());
        drafts.add(Draft::new(line.number, span, message).help(help));
    }
}
