//! What concerns the pattern of one rule.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Record, Rule, Span};

use crate::lint::{Code, Facts, Finding, Found, Reading, keys, profiles, shown};
use crate::pattern::canonical::{Role, canonical};
use crate::policy::Policy;

pub(super) fn check(reading: &Reading<'_>, facts: &Facts<'_>, found: &mut Found) {
    let Record::Rule(rule) = reading.line.record else { return };
    let field = rule.pattern;
    let (pattern, span) = (field.bytes(), field.span());
    let Some(&first) = pattern.first() else {
        if rule.effect == Effect::Allow {
            let finding = Finding::new(
                Code::AllowEmpty,
                rule.line(),
                span,
                "an allow rule without a pattern allows nothing",
            );
            found.add(finding.help("write `Allow: /` to allow everything, or remove the line"));
        }
        return;
    };
    if keys::scheme(pattern).is_some() {
        let path = crate::path_of(pattern, &facts.profile.matching).into_owned();
        let message = format!("`{}` is a URL, and patterns are held against paths", shown(pattern));
        let finding = Finding::new(Code::PatternIsUrl, rule.line(), span, message);
        found.add(finding.help(format!("write the path alone: `{}`", shown(&path))).fix(span, path));
    } else if !matches!(first, b'/' | b'*' | b'$') {
        let message = format!("no path begins with `{}`", shown(pattern));
        let finding = Finding::new(Code::PatternWithoutSlash, rule.line(), span, message);
        let rooted = [b"/", pattern].concat();
        found.add(
            finding.help("write a slash before it, or a `*` if it may stand anywhere").fix(span, rooted),
        );
    }
    check_specials(&rule, found);
    check_blanks(reading, &rule, found);
    check_escapes(&rule, found);
    check_purpose(&rule, facts, found);
}

fn check_specials(rule: &Rule<'_>, found: &mut Found) {
    let (pattern, start) = (rule.pattern.bytes(), rule.pattern.span().start());
    let stars = pattern.iter().rev().take_while(|&&octet| octet == b'*').count();
    if stars > 0 && stars < pattern.len() {
        let span = Span::new(start + pattern.len() - stars, start + pattern.len());
        found.add(
            Finding::new(
                Code::TrailingStar,
                rule.line(),
                span,
                "the star changes nothing but the length of the pattern",
            )
            .help("remove it: a pattern matches whatever begins with it")
            .fix(span, ""),
        );
    }
    if let Some(at) = pattern.iter().position(|&octet| octet == b'$').filter(|at| at + 1 < pattern.len()) {
        let span = Span::new(start + at, start + at + 1);
        found.add(
            Finding::new(Code::DollarInside, rule.line(), span, "this dollar sign stands for itself")
                .help("only at the end of a pattern does `$` mean that the path ends; write `%24` if you mean the sign"),
        );
    }
}

fn check_blanks(reading: &Reading<'_>, rule: &Rule<'_>, found: &mut Found) {
    let (pattern, span) = (rule.pattern.bytes(), rule.pattern.span());
    if let Some(at) = pattern.iter().position(|octet| matches!(octet, b' ' | b'\t')) {
        let encoded: Vec<u8> = pattern
            .iter()
            .flat_map(|octet| match octet {
                b' ' => b"%20",
                b'\t' => b"%09",
                other => core::slice::from_ref(other),
            })
            .copied()
            .collect();
        let at = Span::new(span.start() + at, span.start() + at + 1);
        found.add(
            Finding::new(Code::SpaceInPattern, rule.line(), at, "no URL holds a blank as it stands")
                .help("write `%20`, or give each path a line of its own")
                .readers(differing(pattern, &encoded))
                .fix(span, encoded),
        );
    }
    if let Some(comment) = reading.line.comment().filter(|comment| comment.span().start() == span.end()) {
        found.add(
            Finding::new(
                Code::HashInPattern,
                rule.line(),
                Span::new(span.end(), comment.span().end()),
                "from the number sign on this is a comment",
            )
            .help("write `%23` if it belongs to the path, or a blank before a comment"),
        );
    }
}

fn check_escapes(rule: &Rule<'_>, found: &mut Found) {
    let (pattern, start) = (rule.pattern.bytes(), rule.pattern.span().start());
    // The first of each kind, and for corrections the last.
    let (mut broken, mut over, mut lower) = (None::<usize>, None::<(usize, usize)>, None::<(usize, usize)>);
    let mut at = 0;
    while let Some(percent) = pattern.get(at..).and_then(|rest| memchr::memchr(b'%', rest)) {
        at += percent;
        let Some(octet) = encoded_octet(pattern, at) else {
            broken = broken.or(Some(at));
            at += 1;
            continue;
        };
        if octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~') {
            over = Some((over.map_or(at, |(first, _)| first), at + 3));
        } else if pattern.get(at..at + 3).is_some_and(|escape| escape.iter().any(u8::is_ascii_lowercase)) {
            lower = Some((lower.map_or(at, |(first, _)| first), at + 3));
        }
        at += 3;
    }
    let place = |at: usize| Span::new(start + at, start + at + 3);
    if let Some(at) = broken {
        let span = Span::new(start + at, start + at + 1);
        found.add(
            Finding::new(
                Code::BrokenEscape,
                rule.line(),
                span,
                "two hex digits should follow the percent sign",
            )
            .help("write `%25` for a percent sign"),
        );
    }
    if let Some((first, last)) = over {
        let part = pattern.get(first..last).unwrap_or_default();
        let decoded = rewritten(part, |octet, _| {
            (octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')).then_some(octet)
        });
        let whole =
            [pattern.get(..first).unwrap_or_default(), &decoded, pattern.get(last..).unwrap_or_default()];
        let escape = shown(pattern.get(first..first + 3).unwrap_or_default());
        let octet = encoded_octet(pattern, first).map_or('?', char::from);
        found.add(
            Finding::new(
                Code::OverEncoded,
                rule.line(),
                place(first),
                format!("`{escape}` is `{octet}`, which needs no encoding"),
            )
            .help("write the character itself: to readers that decode nothing the two are different paths")
            .readers(differing(pattern, &whole.concat()))
            .fix(Span::new(start + first, start + last), decoded),
        );
    }
    if let Some((first, last)) = lower {
        let part = pattern.get(first..last).unwrap_or_default();
        let mut upper = part.to_vec();
        let mut index = 0;
        while index + 2 < upper.len() {
            let is_escape = encoded_octet(&upper, index).is_some();
            if is_escape {
                if let Some(digits) = upper.get_mut(index..index + 3) {
                    digits.make_ascii_uppercase();
                }
            }
            index += if is_escape { 3 } else { 1 };
        }
        found.add(
            Finding::new(
                Code::EscapeCase,
                rule.line(),
                place(first),
                "hex digits are usually written in upper case",
            )
            .help("URLs as crawlers send them have upper case there")
            .fix(Span::new(start + first, start + last), upper),
        );
    }
}

fn check_purpose(rule: &Rule<'_>, facts: &Facts<'_>, found: &mut Found) {
    let (pattern, span) = (form(rule.pattern.bytes(), &facts.profile.matching), rule.pattern.span());
    if pattern.starts_with(b"/robots.txt") {
        found.add(
            Finding::new(
                Code::RuleForRobotsTxt,
                rule.line(),
                span,
                "crawlers fetch `/robots.txt` whatever rules say",
            )
            .help("remove the rule"),
        );
    }
    let end = pattern.iter().rposition(|octet| !matches!(octet, b'*' | b'$')).map_or(0, |at| at + 1);
    let stem = pattern.get(..end).unwrap_or_default().to_ascii_lowercase();
    if rule.effect == Effect::Disallow && (stem.ends_with(b".css") || stem.ends_with(b".js")) {
        found.add(
            Finding::new(
                Code::BlocksResources,
                rule.line(),
                span,
                "crawlers that render pages do without these files",
            )
            .help("allow style sheets and scripts, so that pages are seen as visitors see them"),
        );
    }
}

/// The octet that is encoded at `at`.
fn encoded_octet(octets: &[u8], at: usize) -> Option<u8> {
    let [b'%', digits @ ..] = octets.get(at..at + 3)? else { return None };
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
}

/// `octets`, the encoded ones of them replaced by what `by` gives for them.
fn rewritten(octets: &[u8], by: impl Fn(u8, &[u8]) -> Option<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        let escape = octets.get(at..at + 3).unwrap_or_default();
        match encoded_octet(octets, at).map(|encoded| by(encoded, escape)) {
            Some(Some(octet)) => out.push(octet),
            Some(None) => out.extend_from_slice(escape),
            None => out.push(octet),
        }
        at += if encoded_octet(octets, at).is_some() { 3 } else { 1 };
    }
    out
}

/// The names of the profiles to whose readers these patterns are different ones.
fn differing(a: &[u8], b: &[u8]) -> Vec<&'static str> {
    profiles(|profile| form(a, &profile.matching) != form(b, &profile.matching))
}

fn form<'p>(pattern: &'p [u8], policy: &Policy) -> Cow<'p, [u8]> {
    canonical(pattern, policy.pattern, Role::Pattern(policy.specials))
}
