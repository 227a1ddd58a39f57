//! The answers of all profiles to the rows of a table, for snapshots.
//!
//! A change of behaviour must be readable as before and after in a difference of two texts. So the order is that of the table,
//! widths do not depend on other rows, and a profile's answer is always written, never implied by that of another profile.

use crate::case::Case;
use crate::escape::shown;
use crate::knob::{page_turned, turned};
use crate::row::{Answered, RowContext};
use crate::run::parallel;
use crate::suite::names::{PAGE_PROFILES, PROFILES};
use crate::suite::table::{Row, Table};

/// The width of the names of rows; longer names shift their line.
const NAME: usize = 36;
/// The width of questions; longer questions shift their line.
const QUESTION: usize = 24;
/// The width of answers in columns; longer answers shift their line.
const ANSWER: usize = 17;
/// The longest line, unless one part of an answer is longer.
const LINE: usize = 190;
/// The most characters of a question or of a part of an answer.
const MOST: usize = 90;
/// The most parts of an answer.
const PARTS: usize = 40;

impl Table {
    /// Returns the answers of all profiles to the rows of this table, whatever the rows expect. A snapshot of this text
    /// shows what a change of behaviour changes; the rows decide what is right.
    ///
    /// A row is one line, and a row about retrievals has a line for each step. If all profiles give the same answer, it is
    /// written once, after `all`. Otherwise the line has a column for each profile. If that is too long, profiles with the
    /// same answer share it, and if that is too long, too, each answer has a line.
    #[must_use]
    pub fn answers(&self) -> String {
        let rows: Vec<&Row> = self.rows.iter().collect();
        parallel(&rows, |row| self.lines(row)).concat()
    }

    /// Returns the lines of a row.
    fn lines(&self, row: &Row) -> String {
        // A row that can't be turned is reported when the table is read.
        let wrong = |what| Answered::one("", vec![what]);
        let (names, answers): (Vec<&str>, Vec<Vec<Answered>>) = match row.case {
            Case::Page(_) => PAGE_PROFILES
                .map(|(name, policy)| {
                    let turned = page_turned(policy, &row.head.turn);
                    let answers =
                        turned.map(|policy| row.case.answers(&RowContext::of_page(&self.files, &policy)));
                    (name, answers.unwrap_or_else(wrong))
                })
                .into_iter()
                .unzip(),
            _ => PROFILES
                .map(|(name, profile)| {
                    let turned = turned(profile, &row.head.turn);
                    let answers =
                        turned.map(|profile| row.case.answers(&RowContext::new(&self.files, &profile)));
                    (name, answers.unwrap_or_else(wrong))
                })
                .into_iter()
                .unzip(),
        };
        let turns: String = row.head.turn.iter().map(|turn| format!(" [{turn}]")).collect();
        let mut out = String::new();
        for (label, asked) in folded(&row.case, &answers) {
            let question = cut(&format!("{label}{turns}"));
            write_lines(&mut out, &format!("{:NAME$}  {question:QUESTION$}", row.head.name), &names, &asked);
        }
        out
    }
}

/// Returns the questions, each with the answers of the profiles. Neighbouring variants whose answers are equal are one.
fn folded<'a>(case: &Case, answers: &'a [Vec<Answered>]) -> Vec<(String, Vec<&'a [String]>)> {
    let steps = case.timeline().map_or(1, |timeline| timeline.steps.len().max(1));
    let Some(first) = answers.first() else { return Vec::new() };
    let parts = |index: usize| -> Vec<&[String]> {
        answers.iter().map(|of| of.get(index).map_or(&[][..], |of| &of.parts)).collect()
    };
    let same = |one: usize, other: usize| (0..steps).all(|step| parts(one + step) == parts(other + step));
    let mut folded = Vec::new();
    let mut variants = (0..first.len()).step_by(steps).peekable();
    while let Some(start) = variants.next() {
        let mut run = vec![start];
        while let Some(next) = variants.next_if(|&next| same(start, next)) {
            run.push(next);
        }
        for step in 0..steps {
            let of_step: Vec<&Answered> =
                run.iter().filter_map(|variant| first.get(variant + step)).collect();
            let Some(asked) = of_step.first() else { break };
            let served = served(&of_step);
            folded.push((format!("{} {served}", asked.question).trim().to_owned(), parts(start + step)));
        }
    }
    folded
}

/// Returns the answers of servers in some variants of a step: `302 x5, 200-299`.
fn served(variants: &[&Answered]) -> String {
    let count = variants.first().map_or(0, |variant| variant.served.len());
    let names = (0..count).map(|index| {
        let mut all: Vec<&str> =
            variants.iter().filter_map(|variant| variant.served.get(index)).map(|name| &**name).collect();
        all.dedup();
        ranges(&all)
    });
    let mut counted: Vec<(String, usize)> = Vec::new();
    for name in names {
        match counted.last_mut().filter(|(last, _)| *last == name) {
            Some((_, times)) => *times += 1,
            None => counted.push((name, 1)),
        }
    }
    let written = counted.into_iter().map(|(name, times)| match times {
        1 => name,
        _ => format!("{name} x{times}"),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// Joins names, and writes consecutive numbers as a range.
fn ranges(names: &[&str]) -> String {
    let mut out: Vec<(&str, &str)> = Vec::new();
    for name in names {
        let follows =
            |last: &str| Some(last.parse::<u16>().ok()?.checked_add(1)? == name.parse::<u16>().ok()?);
        match out.last_mut().filter(|(_, last)| follows(last) == Some(true)) {
            Some((_, last)) => *last = name,
            None => out.push((name, name)),
        }
    }
    let written = out.iter().map(|(from, to)| match from == to {
        true => (*from).to_owned(),
        false => format!("{from}-{to}"),
    });
    written.collect::<Vec<_>>().join(" ")
}

/// Writes the answers of all profiles to one question.
fn write_lines(out: &mut String, head: &str, names: &[&'static str], answers: &[&[String]]) {
    let cells = || names.iter().zip(answers).map(|(name, parts)| (short(name), *parts));
    let mut groups: Vec<(Vec<&str>, &[String])> = Vec::new();
    for (name, parts) in cells() {
        match groups.iter_mut().find(|(_, of)| *of == parts) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], parts)),
        }
    }
    if let [(_, parts)] = &*groups {
        return write_parts(out, &format!("{head}  | all: "), parts);
    }
    let in_columns = cells().map(|(name, parts)| format!("  | {name}: {:ANSWER$}", joined(parts)));
    let in_groups = groups.iter().map(|(names, parts)| format!("  | {}: {}", names.join(" "), joined(parts)));
    for line in [in_columns.collect::<String>(), in_groups.collect()] {
        let line = format!("{head}{line}");
        let line = line.trim_end();
        if line.chars().count() <= LINE {
            out.push_str(line);
            out.push('\n');
            return;
        }
    }
    for (names, parts) in groups {
        write_parts(out, &format!("{head}  | {}: ", names.join(" ")), parts);
    }
}

/// Writes the answer of one profile, in several lines if it is long.
fn write_parts(out: &mut String, head: &str, parts: &[String]) {
    let mut line = String::new();
    for part in listed(parts) {
        if !line.is_empty() && head.chars().count() + line.chars().count() + part.chars().count() > LINE {
            out.push_str(&format!("{head}{line};\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push_str("; ");
        }
        line.push_str(&part);
    }
    // Editors remove spaces at the end of a line.
    out.push_str(format!("{head}{line}").trim_end());
    out.push('\n');
}

fn joined(parts: &[String]) -> String {
    listed(parts).join("; ")
}

/// Returns the parts without what is too long to show.
fn listed(parts: &[String]) -> Vec<String> {
    let mut listed: Vec<String> = parts.iter().take(PARTS).map(|part| cut(part)).collect();
    if parts.len() > PARTS {
        listed.push(format!("{} more", parts.len() - PARTS));
    }
    if listed.is_empty() {
        listed.push("nothing".to_owned());
    }
    listed
}

/// Returns the first word of a profile's name: `draft` for `draft-koster-rep-00`.
fn short(profile: &str) -> &str {
    profile.split('-').next().unwrap_or(profile)
}

/// Leaves out the middle of long text, and escapes bytes other than printable ASCII.
fn cut(text: &str) -> String {
    let text = shown(text.as_bytes());
    let chars = text.chars().count();
    if chars <= MOST {
        return text;
    }
    let head: String = text.chars().take(MOST / 2).collect();
    let tail: String = text.chars().skip(chars - MOST / 4).collect();
    format!("{head}[... {} ...]{tail}", chars - head.len() - tail.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(answers: [&str; 4]) -> String {
        let answers = answers.map(|answer| answer.split("; ").map(str::to_owned).collect::<Vec<_>>());
        let mut out = String::new();
        let parts: Vec<&[String]> = answers.iter().map(|parts| &**parts).collect();
        write_lines(&mut out, "row", &PROFILES.map(|(name, _)| name), &parts);
        out
    }

    #[test]
    fn equal_answers_are_written_once() {
        assert_eq!(lines(["allow 2 rule; more"; 4]), "row  | all: allow 2 rule; more\n");
    }

    #[test]
    fn short_answers_have_columns() {
        assert_eq!(
            lines(["allow 2 rule", "allow 2 rule", "allow 2 rule", "disallow 3 rule"]),
            "row  | rfc9309: allow 2 rule       | draft: allow 2 rule       | google: allow 2 rule       \
             | koster: disallow 3 rule\n"
        );
    }

    #[test]
    fn long_answers_are_shared_and_very_long_ones_have_lines() {
        let (long, longer) = ("x".repeat(60), "y".repeat(85));
        assert_eq!(
            lines([&long, "a", &long, &long]),
            format!("row  | rfc9309 google koster: {long}  | draft: a\n")
        );
        let all = format!("{longer}; {longer}; {longer}");
        assert_eq!(
            lines([&all, "a", &all, "a"]),
            format!(
                "row  | rfc9309 google: {longer};\nrow  | rfc9309 google: {longer};\n\
                 row  | rfc9309 google: {longer}\nrow  | draft koster: a\n"
            )
        );
    }

    #[test]
    fn variants_are_ranges_and_repeated_answers_are_counted() {
        let variant = |names: [&str; 4]| Answered {
            question: String::new(),
            served: names.map(str::to_owned).to_vec(),
            parts: Vec::new(),
        };
        let variants = [("302", "dns"), ("303", "tls"), ("305", "tls")]
            .map(|(status, failure)| variant(["301", "301", status, failure]));
        assert_eq!(served(&variants.each_ref()), "301 x2, 302-303 305, dns tls");
    }
}
