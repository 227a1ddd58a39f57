use alloc::format;

use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, is_all};
use crate::records::RecordKind;

lint! {
    code: "signal-contradiction",
    severity: note,
    title: "A Content-Signal permits the use of what its group blocks",
    check: File(check),
    /// `Content-Signal` says what may be done with pages after a crawler fetched them. In a group that blocks the whole site nothing can be
    /// fetched, so a signal with `yes` permits nothing.
    ///
    /// This concerns the crawlers that the group names. Disallow less if they may use the pages, or write `no`. A signal for a folder, as in
    /// `Content-Signal: /blog/ search=yes`, and a group with an `Allow` are not reported.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot
    /// Content-Signal: ai-train=yes
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// Content-Signal: ai-train=no
    /// Disallow: /
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    for record in file.records.all().iter().filter(|record| record.kind == RecordKind::ContentSignal) {
        let Some(group) = record.group.and_then(|index| file.groups.get(index)) else { continue };
        let rules = group.rules();
        let Some(all) = rules.iter().find(|rule| is_all(rule, policy)) else { continue };
        let is_opened = rules.iter().any(|rule| rule.effect == Effect::Allow && !rule.pattern.is_empty());
        let value = record.raw.bytes();
        let permits = value.split(|&byte| byte == b',').any(|term| {
            term.split(|&byte| byte == b'=')
                .nth(1)
                .is_some_and(|after| after.trim_ascii().eq_ignore_ascii_case(b"yes"))
        });
        if is_opened || !permits || value.starts_with(b"/") {
            continue;
        }
        let message = format!(
            "this signal permits a use of pages, but line {} blocks the whole site for the same crawlers",
            all.line()
        );
        drafts.add(
            Draft::new(record.line, record.raw.span(), message)
                .help("disallow less if these crawlers may use the pages; write `no` if they may not")
                .other(all.pattern.span(), "this rule is about the whole site"),
        );
    }
}
