//! Rows about reading: bytes to lines.

use robots_fetch::matching::Robots;
use robots_fetch::matching::syntax::Line;

use crate::row::answered::Answered;
use crate::row::description::Description;
use crate::row::difference::{Difference, differs, lists};
use crate::row::files::Files;
use crate::row::text::record;
use crate::row::{Kind, RowContext, row};

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

    fn describe(&self) -> Description {
        let mut description = Description::for_file(&self.robots);
        description.expect_all("line", &self.lines);
        if let Some(deviations) = &self.deviations {
            description.expect_all("deviation", deviations);
        }
        description.expect_if_given("bytes skipped", self.skipped.as_ref());
        description.expect_if_given("bytes dropped", self.dropped.as_ref());
        description
    }
}
