//! The results of scripted answers under each profile, in full. Read a changed snapshot line by line before you accept it:
//! crawlers will ask or wait differently.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::unwrap_used,
    reason = "a test never runs without a standard library, and may panic"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use robots_conformance::exchange::{Timeline, by_script};
use robots_conformance::{PROFILES, SiteProfile};
use robots_fetch::Entry;
use robots_fetch::matching::syntax::BodyKind;

#[derive(serde::Deserialize)]
struct Scripts {
    robots: BTreeMap<String, String>,
    scripts: BTreeMap<String, toml::Value>,
}

#[test]
fn exchanges_match_the_snapshots() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/exchanges.toml");
    let Scripts { robots, scripts } = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(scripts.len() >= 7);
    for (name, steps) in scripts {
        let shown = PROFILES.map(|(profile_name, profile)| {
            let mut row = toml::Table::new();
            row.insert("name".to_owned(), name.clone().into());
            row.insert("cites".to_owned(), toml::Value::Array(Vec::new()));
            row.insert("profiles".to_owned(), toml::Value::Array(Vec::new()));
            row.insert("steps".to_owned(), steps.clone());
            let timeline: Timeline = row.try_into().unwrap();
            format!("## {profile_name}\n{}", played(&timeline, &robots, &profile))
        });
        insta::with_settings!({ snapshot_path => "snapshots/exchanges", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown.join("\n"));
        });
    }
}

/// Returns the requests and the results, step by step.
fn played(timeline: &Timeline, robots: &BTreeMap<String, String>, profile: &SiteProfile) -> String {
    let mut shown = String::new();
    let mut entry: Option<Entry> = None;
    let mut first = None;
    let file = |name: &str| robots.get(name).map(String::as_bytes);
    let mismatches = timeline.run_over(file, profile, |retrieval| {
        let now = retrieval.now;
        let since = now.duration_since(*first.get_or_insert(now)).unwrap();
        let retrieved = by_script(retrieval)?;
        let mut outcome = retrieved.outcome.clone();
        (outcome.sent, outcome.received) = (now, now);
        let after = Entry::from_outcome(entry.as_ref(), outcome, profile);
        writeln!(shown, "at {}", hours(since)).unwrap();
        for (request, hop) in retrieved.requests.iter().zip(after.hops()) {
            let status = hop.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
            writeln!(shown, "    {request} -> {status}").unwrap();
        }
        let cause = after.cause().map_or_else(String::new, |cause| format!(": {cause}"));
        writeln!(shown, "    {}{cause}", after.access_result()).unwrap();
        let html = if after.body_kind().is_some_and(BodyKind::is_html) { ", looks like HTML" } else { "" };
        writeln!(shown, "    access to {}, {} bytes{html}", after.access(now).name(), after.body_bytes())
            .unwrap();
        let ahead = |time: SystemTime| hours(time.duration_since(now).unwrap_or_default());
        writeln!(
            shown,
            "    fresh for {}, asked again in {}",
            ahead(after.fresh_until()),
            ahead(after.next_retrieval())
        )
        .unwrap();
        entry = Some(after);
        Some(retrieved)
    });
    // Unused answers are not an error here, because profiles stop after different numbers of requests.
    for mismatch in mismatches {
        writeln!(shown, "left: {}", mismatch.got).unwrap();
    }
    shown
}

fn hours(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds % 3600) {
        (hours, 0) if hours > 0 => format!("{hours}h"),
        _ => format!("{seconds}s"),
    }
}
