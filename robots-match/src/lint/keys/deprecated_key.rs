use alloc::format;
use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::shortest_path;
use crate::lint::severity::Severity;
use crate::lint::subject::{File, is_dropped, letters};
use crate::lint::text::shown;
use crate::records::RecordKind;
use crate::rule_set::RuleSet;

lint! {
    code: "deprecated-key",
    severity: warning,
    title: "Crawlers no longer obey this line",
    check: File(check),
    /// Some crawlers used to obey `Host`, `Noindex`, `Nofollow` and `Noarchive`. None of the large ones does so
    /// today.
    ///
    /// Remove the line. If the group disallows the same pages, the `Disallow` stays. Otherwise, to keep a page out of a search index, let crawlers fetch it, and send the header
    /// `X-Robots-Tag: noindex` or add a `robots` meta element to the page. To set the preferred host, redirect to it.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Noindex: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    let mut rules_of_group: Option<(usize, RuleSet)> = None;
    for record in file.records.all() {
        let key = record.key;
        let is_host = record.kind == RecordKind::Host && key.bytes().eq_ignore_ascii_case(b"host");
        if !is_host && !is_dropped(key.bytes()) {
            continue;
        }
        let message = format!("crawlers no longer obey `{}`", shown(key.bytes()));
        let draft = Draft::new(record.line, key.span(), message);
        if is_host {
            // Programs for sitemaps write `Host`, and it does no harm.
            let help = "remove the line, and redirect to the preferred host";
            drafts.add(draft.help(help).severity(Severity::Note).idle());
            continue;
        }
        let mut is_compared = true;
        let mut closing = || {
            let group = record.group.and_then(|index| Some((index, file.groups.get(index)?)));
            let (index, rules) = group.map(|(index, group)| (index, group.rules()))?;
            if rules_of_group.as_ref().is_none_or(|(of, _)| *of != index) {
                let set = RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy);
                rules_of_group = Some((index, set));
            }
            let path = shortest_path(record.raw.bytes(), policy);
            let (_, set) = rules_of_group.as_ref().filter(|_| !path.is_empty())?;
            is_compared = file.may_check(set, &path);
            if !is_compared {
                return None;
            }
            let rule = set.deciding_rule(&path).filter(|rule| rule.effect == Effect::Disallow)?;
            Some((rule.line, rule.span))
        };
        let closed_by = closing();
        drafts.add(match closed_by {
            Some((line, rule)) => draft
                .help(format!("remove the line; the `Disallow` of line {line} stays, and keeps crawlers from these pages"))
                .other(rule, "crawlers obey this rule"),
            // Advice to let crawlers fetch the page might be against a rule.
            None if !is_compared => draft.help("remove the line; `Disallow` lines for the same pages stay"),
            None => {
                let name: Vec<u8> = letters(key.bytes()).collect();
                draft.help(format!(
                    "let crawlers fetch the page, and put `{}` into its `X-Robots-Tag` header or into a `robots` meta element",
                    shown(&name)
                ))
            }
        });
    }
}
