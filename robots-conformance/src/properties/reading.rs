//! Properties of lines and grammar.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::Profile;
use robots_fetch::matching::groups::Groups;
use robots_fetch::matching::syntax::{Deviation, Effect, Excerpt, Field, Grammar, Line, Lines, Record, Span};

use crate::model;
use crate::properties::input::shown;
use crate::suite::names::READING_PROFILES;

/// Lines cover the part of the file that is read, fields are where their spans say, lines deviate if the grammar does
/// not derive them, and the reader of RFC 9309 agrees with the model.
pub fn reading(file: &[u8]) {
    for (_, profile) in READING_PROFILES {
        let all = Lines::new(file, &profile.syntax);
        let (skipped, dropped, dropped_len) = (all.skipped(), all.dropped(), all.dropped_len());
        let mut at = skipped.end();
        for (index, line) in all.clone().enumerate() {
            assert_eq!((line.number, line.span().start()), (index + 1, at), "lines tile the file");
            assert!(!line.span().is_empty());
            at = line.span().end();
            assert_eq!(line.span().of(file), line.bytes());
            assert_eq!(line.content().span().start(), line.span().start());
            for field in fields(&line) {
                assert_eq!(field.span().of(file), field.bytes());
                assert!(
                    line.span().start() <= field.span().start() && field.span().end() <= line.span().end()
                );
            }
            let deviations: Vec<Deviation> = line.deviations(&profile.syntax).collect();
            assert!(deviations.is_sorted_by(|one, next| one < next));
            shown(&line.to_string());
            shown(&format!("{line:?} {deviations:?}"));
        }
        assert_eq!((at, file.len() - at), (dropped.start(), dropped_len));
    }
    agreement(file);
    limits(file);
    excerpts(file);
}

/// A size limit keeps the lines whose content lies within it, and nothing of other lines.
fn limits(file: &[u8]) {
    let contents = |line: &[u8]| line.iter().take_while(|byte| !matches!(byte, b'\r' | b'\n')).count();
    for limit in [0, file.len() / 3, file.len() / 2, file.len().saturating_sub(1), file.len()] {
        let mut policy = Profile::RFC9309.syntax;
        policy.max_size = Some(limit);
        let (mut at, mut kept) = (0, 0);
        for line in model::lines(file) {
            if at + contents(line) <= limit {
                // The first byte of the line end may lie just beyond the limit.
                kept = (at + line.len()).min(limit + 1);
            }
            at += line.len();
        }
        assert_eq!(Lines::new(file, &policy).dropped().start(), kept, "{limit} of {}", file.escape_ascii());
    }
}

/// Grammar and reader agree.
fn agreement(file: &[u8]) {
    let policy = Profile::RFC9309.syntax;
    let all = Lines::new(file, &policy);
    let mut first = None;
    for line in all.clone() {
        let deviations: Vec<Deviation> = line.deviations(&policy).collect();
        let deviates = !deviations.is_empty();
        assert_eq!(!deviates, model::is_derived(line.bytes()), "{line:?} {deviations:?}");
        if deviates && first.is_none() {
            first = Some(line.number);
        }
        let said = match line.record {
            Record::UserAgent(name) => model::LineContent::UserAgent(name.bytes()),
            Record::Rule(rule) => {
                assert_eq!(rule.line(), line.number);
                model::LineContent::Rule(rule.effect == Effect::Allow, rule.pattern.bytes())
            }
            Record::Other { key, value } => model::LineContent::Other(key.bytes(), value.bytes()),
            Record::Comment => model::LineContent::Comment,
            Record::Blank => model::LineContent::Blank,
            Record::Unreadable => model::LineContent::Unreadable,
            other => panic!("the model does not know the record {other:?}"),
        };
        assert_eq!(said, model::line_content(line.bytes()));
    }
    let read = file.get(all.skipped().end()..all.dropped().start()).unwrap_or_default();
    let numbers: Vec<&[u8]> = all.clone().map(|line| line.bytes()).collect();
    assert_eq!(numbers, model::lines(read));

    let groups = Groups::from_lines(all.clone(), &Profile::RFC9309.groups);
    let stray = groups.strays().first().map(|rule| rule.line());
    let first = [first, stray].into_iter().flatten().min();
    let found = Grammar::Rfc9309.check(file);
    if all.skipped().is_empty() && all.dropped_len() == 0 {
        assert_eq!(found.err().map(|departure| departure.line), first);
    }
    // The grammar of 1996 also constrains the order of lines, so only one direction holds.
    let policy = Profile::KOSTER_1996.syntax;
    match Grammar::Koster1996.check(file) {
        Ok(()) => assert!(Lines::new(file, &policy).all(|line| line.deviations(&policy).next().is_none())),
        Err(departure) => {
            let is_end = departure.span == Span::new(file.len(), file.len());
            assert!(is_end || Lines::new(file, &policy).any(|line| line.span() == departure.span));
            shown(&departure.to_string());
        }
    }
}

/// An excerpt can be made of any place of any file.
fn excerpts(file: &[u8]) {
    let some = [0, file.len() / 3, file.len() / 2, file.len().saturating_sub(1), file.len(), file.len() + 7];
    for start in some {
        for end in [start, start + 1, start + file.len() / 4, file.len() + 9] {
            let excerpt = Excerpt::new(file, Span::new(start, end));
            assert!(excerpt.line() >= 1 && excerpt.column() >= 1);
            shown(&excerpt.to_string());
        }
    }
}

fn fields<'a>(line: &Line<'a>) -> Vec<Field<'a>> {
    let mut fields = vec![line.content()];
    fields.extend(line.comment());
    match line.record {
        Record::UserAgent(field) => fields.push(field),
        Record::Rule(rule) => fields.push(rule.pattern),
        Record::Other { key, value } => fields.extend([key, value]),
        _ => {}
    }
    fields
}
