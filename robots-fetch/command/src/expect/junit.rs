//! Results as a test report in the XML of JUnit: a suite for each input, and a test for each result.

use core::fmt::Write as _;

use super::formats::{Report, environment};
use super::results::Answer;
use crate::html::escaped;
use crate::json::Failed;
use crate::text::Text;

pub(super) fn junit(report: &Report<'_>) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for input in report.checked {
        let mut cases = String::new();
        let count =
            |is: fn(&Answer) -> bool| input.outcomes.iter().filter(|outcome| is(&outcome.result)).count();
        let broken = count(|answer| matches!(answer, Answer::Broken { .. }));
        let unknown = count(|answer| matches!(answer, Answer::Unknown(_)));
        for outcome in &input.outcomes {
            let all = if outcome.is_pattern { "all of " } else { "" };
            let name = format!("{} {all}{}", outcome.access(), Text(outcome.target.as_bytes()));
            let class = Text(outcome.crawler.as_bytes()).to_string();
            // Writing to a string can't fail.
            let _ =
                write!(cases, "    <testcase classname=\"{}\" name=\"{}\"", escaped(&class), escaped(&name));
            let message = escaped(&report.message(outcome));
            let _ = match outcome.result {
                Answer::Kept => writeln!(cases, "/>"),
                Answer::Broken { .. } => {
                    writeln!(cases, "><failure type=\"broken\" message=\"{message}\"/></testcase>")
                }
                Answer::Unknown(_) => {
                    writeln!(cases, "><error type=\"unknown\" message=\"{message}\"/></testcase>")
                }
            };
        }
        if let Some(note) = input.subject.note() {
            let _ = writeln!(cases, "    <system-out>{}</system-out>", escaped(&note));
        }
        let name = escaped(&format!("{}{}", input.subject.name, environment(input)));
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{broken}\" errors=\"{unknown}\">\n{cases}  </testsuite>",
            input.outcomes.len()
        );
        tests += input.outcomes.len();
        failures += broken;
        errors += unknown;
    }
    for Failed { file, message } in report.failed {
        let (file, message) = (escaped(file), escaped(message));
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{file}\" tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase classname=\"{file}\" \
             name=\"read\"><error type=\"unreadable\" message=\"{message}\"/></testcase>\n  </testsuite>"
        );
        tests += 1;
        errors += 1;
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"robots expect\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\">\n{suites}</testsuites>\n"
    )
}
