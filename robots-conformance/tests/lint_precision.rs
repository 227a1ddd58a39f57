//! The judgements about findings in real files: which are true, and which are useful.

#![allow(clippy::unwrap_used, clippy::std_instead_of_alloc, reason = "helpers of tests are tests")]

use std::collections::BTreeSet;

use robots_fetch::matching::lint::{Lint, Severity};

/// The findings that `examples/lint_sample.rs` has drawn, each with a judgement and its reason.
const JUDGED: &str = include_str!("../lint-precision.tsv");

/// The least share of findings of a severity that are true and useful, in percent.
const LEAST: [(Severity, usize); 3] = [(Severity::Error, 97), (Severity::Warning, 90), (Severity::Note, 80)];

/// How often each lint fires in 2,090 files without being asked for, and in how many files, as `examples/lint_sample.rs` counts.
const FREQUENCY: &str = include_str!("../lint-frequency.tsv");

/// The least share of findings of one lint that are true and useful, in percent. A lint below it is off.
const LEAST_OF_LINT: usize = 80;

struct Judgement<'a> {
    place: (&'a str, &'a str, usize),
    severity: &'a str,
    is_true: bool,
    is_useful: bool,
    reason: &'a str,
}

fn judgements() -> Vec<Judgement<'static>> {
    let yes = |word: &str, yes: &str, no: &str, line: &str| {
        assert!(word == yes || word == no, "{line}");
        word == yes
    };
    let judgement = |line: &'static str| {
        let [file, code, number, severity, verdict, useful, reason] =
            <[&str; 7]>::try_from(line.split('\t').collect::<Vec<_>>()).expect(line);
        assert!(Lint::from_name(code).is_some() && !reason.is_empty(), "{line}");
        Judgement {
            place: (file, code, number.parse().expect(line)),
            severity,
            is_true: yes(verdict, "true", "false", line),
            is_useful: yes(useful, "yes", "no", line),
            reason,
        }
    };
    JUDGED.lines().skip(1).map(judgement).collect()
}

#[test]
fn most_findings_are_true_and_useful() {
    let all = judgements();
    assert!(all.len() >= 250);
    let places: BTreeSet<_> = all.iter().map(|judgement| judgement.place).collect();
    assert_eq!(places.len(), all.len(), "a finding is judged twice");
    // Few findings are so much alike that they share a reason.
    let reasons: BTreeSet<_> = all.iter().map(|judgement| judgement.reason).collect();
    assert!(reasons.len() * 100 >= all.len() * 80, "only {} reasons", reasons.len());
    for (severity, least) in LEAST {
        let of: Vec<_> = all.iter().filter(|judgement| judgement.severity == severity.name()).collect();
        let good = of.iter().filter(|judgement| judgement.is_true && judgement.is_useful).count();
        println!("{severity}: {good} of {} are true and useful", of.len());
        assert!(of.len() >= 30 && good * 100 >= of.len() * least, "{severity}: {good} of {}", of.len());
    }
}

#[test]
fn each_lint_has_its_frequency_and_share() {
    let all = judgements();
    let rows: Vec<Vec<&str>> = FREQUENCY.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row.first().copied()).collect();
    assert_eq!(names, Lint::ALL.iter().map(|lint| lint.name()).collect::<Vec<_>>());
    for (row, lint) in rows.iter().zip(Lint::ALL) {
        let &[name, default, findings, files, judged, useful] = &row[..] else { panic!("{row:?}") };
        let of: Vec<_> = all.iter().filter(|judgement| judgement.place.1 == name).collect();
        let good = of.iter().filter(|judgement| judgement.is_true && judgement.is_useful).count();
        assert_eq!(default, if lint.is_on_by_default() { "on" } else { "off" }, "{name}");
        assert!(findings.parse::<usize>().unwrap() >= files.parse().unwrap(), "{name}");
        assert_eq!((judged.parse().unwrap(), useful.parse().unwrap()), (of.len(), good), "{name}");
        assert!(good * 100 >= of.len() * LEAST_OF_LINT, "{name}: {good} of {}", of.len());
    }
}
