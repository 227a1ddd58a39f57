//! The JSON schemas of what the commands write, and of the documents of robots-fetch.

use robots_fetch::matching::Verdict;
use robots_fetch::{Entry, Refusal, SiteRules};
use schemars::Schema;

use crate::output::json::schema;
use crate::{audit, check, crawlers, diff, expect, explain, fetch, lint, log, page, watch, write};

/// Returns the schemas with the names of their files in `robots-fetch/schema`.
#[must_use]
pub fn schemas() -> Vec<(&'static str, String)> {
    let document = |name: &str| format!("{name}, as the feature `serde` writes it.");
    let schemas: [(&'static str, Schema); 16] = [
        ("audit", schema::<audit::Document<'_>>("robots audit", "A line of `robots audit --format jsonl`.")),
        ("check", schema::<check::Output<'_>>("robots check", &output("check"))),
        ("crawlers", schema::<crawlers::Output<'_>>("robots crawlers", &output("crawlers"))),
        ("diff", schema::<diff::Output<'_>>("robots diff", &output("diff"))),
        ("entry", schema::<Entry>("Entry", &document("An entry"))),
        ("expect", schema::<expect::Output<'_>>("robots expect", &output("expect"))),
        ("explain", schema::<explain::Output<'_>>("robots explain", &output("explain"))),
        ("fetch", schema::<fetch::Output<'_>>("robots fetch", &output("fetch"))),
        ("lint", schema::<lint::Output<'_>>("robots lint", &output("lint"))),
        ("log", schema::<log::Output<'_>>("robots log", &output("log"))),
        ("page", schema::<page::Output<'_>>("robots page", &output("page"))),
        ("refusal", schema::<Refusal>("Refusal", &document("A refusal"))),
        ("rules", schema::<SiteRules>("SiteRules", &document("The rules of an origin"))),
        ("verdict", schema::<Verdict>("Verdict", &document("A verdict"))),
        ("watch", schema::<watch::Output<'_>>("robots watch", &output("watch"))),
        ("write", schema::<write::Output<'_>>("robots write", &output("write"))),
    ];
    schemas.into_iter().map(|(name, schema)| (name, format!("{:#}\n", schema.as_value()))).collect()
}

fn output(command: &str) -> String {
    format!("What `robots {command} --format json` writes.")
}
