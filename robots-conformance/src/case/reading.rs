//! Rows about reading: bytes to lines.

use robots_fetch::matching::Robots;
use robots_fetch::matching::syntax::{Field, GroupLine, Line, Record};

use crate::row::{Answered, Difference, Files, Kind, RowContext, differs, lists, record, row};

row! {
    /// A row `[[reading]]`.
    pub struct Reading {
        robots: String,
        lines: Vec<String>,
        deviations: Option<Vec<String>>,
        skipped: Option<usize>,
        dropped: Option<usize>,
    }
}

/// Returns the codes of the deviations of a line; `None` if it has none.
fn deviations(line: &Line<'_>, context: &RowContext<'_>) -> Option<String> {
    let deviations = line.deviations(&context.profile.rules.syntax);
    let codes: Vec<&str> = deviations.map(|deviation| deviation.code()).collect();
    (!codes.is_empty()).then(|| codes.join(" "))
}

/// Returns what is wrong with the places of lines and of their parts: the lines have to cover the file, with what is skipped and
/// dropped, and the bytes at each place have to be those that the reader returns.
fn misplaced(robots: &Robots) -> Option<String> {
    let (file, lines) = (robots.body(), robots.lines());
    let dropped = lines.dropped();
    let mut at = lines.skipped().end();
    for (index, line) in lines.enumerate() {
        let record = match line.record {
            Record::UserAgent(value) => vec![value],
            Record::Rule(rule) => vec![rule.pattern],
            Record::Other { key, value } => vec![key, value],
            _ => Vec::new(),
        };
        let is_whole =
            line.span().start() == at && line.span().of(file) == line.bytes() && !line.span().is_empty();
        let is_placed = |field: Field<'_>| {
            let (span, of) = (field.span(), line.span());
            let is_within = of.start() <= span.start() && span.end() <= of.end();
            is_within && span.of(file) == field.bytes() && span.len() == field.bytes().len()
        };
        let parts = record.into_iter().chain([line.content()]).chain(line.comment());
        let has_line = !matches!(line.record, Record::Rule(rule) if rule.line() != line.number);
        if !is_whole || !has_line || line.number != index + 1 || !parts.into_iter().all(is_placed) {
            return Some(format!("{line:?}"));
        }
        at = line.span().end();
    }
    (dropped.start() != at || dropped.end() != file.len()).then(|| format!("dropped: {dropped:?}"))
}

/// Returns the lines that form groups, as the reader of all lines and the one of these lines return them.
fn of_groups(robots: &Robots) -> [Vec<String>; 2] {
    let written = |line: GroupLine<'_>| match line.rule() {
        Some(rule) => format!("{} {} {:?}", rule.line(), rule.effect, rule.pattern),
        None => format!("{:?} {:?}", line.kind, line.value.bytes()),
    };
    let all = robots.lines().filter_map(|line| GroupLine::of(&line));
    [all.map(written).collect(), robots.lines().of_groups().map(written).collect()]
}

impl Kind for Reading {
    fn validate(&self, files: &Files) -> Result<(), String> {
        files.has(&self.robots)
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        let got: Vec<String> =
            robots.lines().map(|line| format!("{} {}", line.number, record(&line.record))).collect();
        let mut found = lists("line", &self.lines, &got);
        if let Some(expected) = &self.deviations {
            let got: Vec<String> = robots
                .lines()
                .filter_map(|line| Some(format!("{} {}", line.number, deviations(&line, context)?)))
                .collect();
            found.extend(lists("deviations", expected, &got));
        }
        let lines = robots.lines();
        found.extend(self.skipped.and_then(|skipped| differs("skipped", &skipped, &lines.skipped().len())));
        found.extend(self.dropped.and_then(|dropped| differs("dropped", &dropped, &lines.dropped_len())));
        if let Some(line) = misplaced(&robots) {
            found.push(Difference::new(
                "place",
                "the bytes at the place of each part are those of the part",
                line,
            ));
        }
        let [all, groups] = of_groups(&robots);
        found.extend(lists("line that forms groups", &all, &groups));
        found
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        let lines = robots.lines();
        let (skipped, dropped) = (lines.skipped().len(), lines.dropped_len());
        let mut parts: Vec<String> = lines
            .map(|line| {
                let deviations = deviations(&line, context);
                let deviations = deviations.map_or_else(String::new, |codes| format!(" [{codes}]"));
                format!("{} {}{deviations}", line.number, record(&line.record))
            })
            .collect();
        for (what, bytes) in [("skipped", skipped), ("dropped", dropped)] {
            if bytes > 0 {
                parts.push(format!("{bytes} bytes {what}"));
            }
        }
        Answered::one(&*self.robots, parts)
    }
}
