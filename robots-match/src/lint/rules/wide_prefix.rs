use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;
use crate::lint::text::shown;
use crate::rule_set::RuleSet;

lint! {
    code: "wide-prefix",
    severity: warning,
    title: "A rule also blocks pages whose names only begin alike",
    check: File(check),
    /// A pattern matches the start of a path, so `Disallow: /cart` also blocks `/cartography`. Many files have rules of this form,
    /// and most of them block nothing else, so this is reported only where the pages of the site are known (`robots lint --urls`). It is
    /// a note if no known page has the name itself.
    ///
    /// This concerns all crawlers. If only the page and what is below it is meant, write `/cart$`, `/cart/` and `/cart?`. Very old
    /// crawlers do not know `$`.
    ///
    /// A file with this finding, where `/cart/items` and `/cartography` are known:
    ///
    /// ```robots.txt found (paths=/cart/items,/cartography)
    /// User-agent: *
    /// Disallow: /cart
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean (paths=/cart/items,/cartography)
    /// User-agent: *
    /// Disallow: /cart/
    /// ```
}

/// How many of the known paths with a longer name are compared with the rules of a group, for each rule.
const MOST: usize = 20;

/// How many bytes of rules are compared with known paths at most: 512 times all rules of a file of 500 KiB. The rules after
/// that are not compared.
const MOST_BYTES: usize = 256 << 20;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    let mut paths: Vec<&[u8]> = file.facts.paths.iter().map(Vec::as_slice).collect();
    if paths.is_empty() {
        return;
    }
    paths.sort_unstable();
    let mut seen = BTreeSet::new();
    let mut bytes_left = MOST_BYTES;
    for group in file.groups.iter() {
        let rules = group.rules();
        let mut set = None;
        for rule in rules.iter().filter(|rule| rule.effect == Effect::Disallow) {
            let pattern = rule.pattern.bytes();
            let is_name = pattern.last().is_some_and(u8::is_ascii_alphanumeric) && !pattern.contains(&b'*');
            if !is_name || !seen.insert(rule.line()) {
                continue;
            }
            let from = paths.partition_point(|path| *path < pattern);
            let same = paths.get(from..).unwrap_or_default();
            let same = same.get(..same.partition_point(|path| path.starts_with(pattern))).unwrap_or_default();
            // Those in which a letter or a digit follows are next to each other.
            let next = |path: &&[u8]| path.get(pattern.len()).copied();
            let between = |first: u8, last: u8| {
                let start = same.partition_point(|path| next(path).is_none_or(|next| next < first));
                let end = same.partition_point(|path| next(path).is_none_or(|next| next <= last));
                same.get(start..end).unwrap_or_default()
            };
            let longer = [between(b'0', b'9'), between(b'A', b'Z'), between(b'a', b'z')];
            let has_itself = longer.iter().map(|part| part.len()).sum::<usize>() < same.len();
            let mut some = longer.iter().flat_map(|part| part.iter().take(MOST)).peekable();
            if some.peek().is_none() {
                continue;
            }
            let set = set.get_or_insert_with(|| {
                RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy)
            });
            let is_closed = |path: &&&[u8]| {
                bytes_left = bytes_left.saturating_sub(file.body.len());
                bytes_left > 0 && set.check(**path).line() == Some(rule.line())
            };
            let Some(closed) = some.find(is_closed) else { continue };
            let (pattern, closed) = (shown(pattern), shown(closed));
            let message = format!("`{pattern}` also blocks `{closed}`, whose name only begins alike");
            let help = format!(
                "if only `{pattern}` and what is below it is meant, write `{pattern}$`, `{pattern}/` and `{pattern}?`"
            );
            let severity = if has_itself { Severity::Warning } else { Severity::Note };
            drafts.add(Draft::new(rule.line(), rule.pattern.span(), message).help(help).severity(severity));
        }
    }
}
