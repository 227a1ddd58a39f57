//! Results as a test report in the XML of JUnit: a suite for each input, and a test for each result.

use super::formats::{Report, environment};
use super::results::{Answer, Shared};
use crate::output::{Failed, Markup, markup};
use crate::text::Text;

pub(super) fn junit(report: &Report<'_>) -> Markup {
    let mut suites = Markup::new();
    let (mut tests, mut failures, mut errors) = (0_usize, 0_usize, 0_usize);
    for input in report.checked {
        let mut cases = Markup::new();
        let count = |is: fn(&Answer) -> bool| input.outcomes.answers().filter(|answer| is(answer)).count();
        let broken = count(|answer| matches!(answer, Answer::Broken { .. }));
        let unknown = count(|answer| matches!(answer, Answer::Unknown(_)));
        for outcome in input.outcomes.iter(report.wanted, |_| true) {
            let all = if outcome.is_pattern { "all of " } else { "" };
            let name = format!("{} {all}{}", outcome.access(), Text(outcome.target.as_bytes()));
            let class = Text(outcome.crawler.as_bytes()).to_string();
            let row = Shared::by_one(outcome);
            let message = report.message(&row);
            cases.append(markup!("    <testcase classname=\"{}\" name=\"{}\"", class, name));
            cases.append(match &*row.outcome.result {
                Answer::Kept { .. } => markup!("/>\n"),
                Answer::Broken { .. } => {
                    markup!("><failure type=\"broken\" message=\"{}\"/></testcase>\n", message)
                }
                Answer::Unknown(_) => {
                    markup!("><error type=\"unknown\" message=\"{}\"/></testcase>\n", message)
                }
            });
        }
        if let Some(note) = input.subject.note() {
            cases.append(markup!("    <system-out>{}</system-out>\n", note));
        }
        suites.append(markup!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n",
            format!("{}{}", input.subject.name, environment(input)),
            input.outcomes.len(),
            broken,
            unknown,
            cases
        ));
        tests += input.outcomes.len();
        failures += broken;
        errors += unknown;
    }
    for Failed { input, message } in report.failed.iter() {
        suites.append(markup!(
            "  <testsuite name=\"{}\" tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase classname=\"{}\" \
             name=\"read\"><error type=\"unreadable\" message=\"{}\"/></testcase>\n  </testsuite>\n",
            input,
            input,
            message
        ));
        tests += 1;
        errors += 1;
    }
    markup!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"robots expect\" tests=\"{}\" failures=\"{}\" \
         errors=\"{}\">\n{}</testsuites>\n",
        tests,
        failures,
        errors,
        suites
    )
}
