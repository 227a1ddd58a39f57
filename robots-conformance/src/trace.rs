//! Traces: how a whole file is read, as text. A trace has every line, the groups, and the rules for some crawlers.

use std::fmt::Write as _;

use robots_fetch::matching::syntax::{Field, Line, Record};
use robots_fetch::matching::{Crawler, Robots};

use crate::columns::left;
use crate::escape::{shortened, shown};
use crate::row::rule;
use robots_fetch::SiteProfile;

/// Returns how `profile` reads `file`, and the rules for `agents`, as text.
#[must_use]
pub fn trace(file: &[u8], profile: &SiteProfile, agents: &[&str]) -> String {
    let robots = Robots::new(file, profile.rules);
    let lines = robots.lines();
    let mut out = format!(
        "bytes    {}, skipped {}, dropped {}\n",
        file.len(),
        lines.skipped().len(),
        lines.dropped_len()
    );
    let grammar = profile.rules.syntax.grammar.check(file);
    let _ = writeln!(
        out,
        "grammar  {}",
        grammar.map_or_else(|departure| departure.to_string(), |()| "conforms".to_owned())
    );
    out.push_str("\nlines\n");
    let width = lines.clone().last().map_or(0, |line| line.number.to_string().len());
    let rows: Vec<Vec<String>> = lines
        .map(|line| {
            let deviations: Vec<&str> =
                line.deviations(&profile.rules.syntax).map(|deviation| deviation.code()).collect();
            vec![format!("{:>width$} {}", line.number, said(&line)), deviations.join(" ")]
        })
        .collect();
    for line in left(&rows) {
        let _ = writeln!(out, "  {line}");
    }
    let groups = robots.groups();
    out.push_str("\ngroups\n");
    for (group, number) in groups.iter().zip(1..) {
        let agents: Vec<String> = group.agents().iter().map(|agent| shortened(agent.bytes())).collect();
        let rules: Vec<String> = group.rules().iter().map(|rule| rule.line().to_string()).collect();
        let _ = writeln!(out, "  {number} [{}] rules of lines [{}]", agents.join(" | "), rules.join(" "));
    }
    if !groups.strays().is_empty() {
        let strays: Vec<String> = groups.strays().iter().map(|rule| rule.line().to_string()).collect();
        let _ = writeln!(out, "  none: rules of lines [{}]", strays.join(" "));
    }
    for agent in agents {
        let Ok(crawler) = Crawler::new(agent) else {
            let _ = writeln!(out, "\n{agent} is not a product token");
            continue;
        };
        let selection = groups.select(&crawler);
        let taken: Vec<String> = selection.indices().map(|index| (index + 1).to_string()).collect();
        let _ = writeln!(out, "\n{agent}: {}, groups [{}]", selection.basis().name(), taken.join(" "));
        let rules = robots.rules(&crawler);
        let rows: Vec<Vec<String>> = rules
            .compiled_rules()
            .iter()
            .map(|ruling| {
                vec![
                    format!("line {}", ruling.line),
                    ruling.pattern.len().to_string(),
                    rule(ruling.effect, ruling.pattern),
                    format!("{:?}", ruling.span),
                ]
            })
            .collect();
        for line in left(&rows) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out.push_str("\nsitemaps\n");
    for sitemap in robots.sitemaps() {
        let _ = writeln!(out, "  {}", shown(sitemap));
    }
    out
}

/// Returns the content of a line, with the spans of its parts.
fn said(line: &Line<'_>) -> String {
    let field = |field: Field<'_>| format!("{:?} \"{}\"", field.span(), shortened(field.bytes()));
    let record = match line.record {
        Record::UserAgent(name) => format!("user-agent {}", field(name)),
        Record::Rule(rule) => format!("{} {}", rule.effect, field(rule.pattern)),
        Record::Other { key, value } => format!("other {} = {}", field(key), field(value)),
        Record::Comment => "comment".to_owned(),
        Record::Blank => "blank".to_owned(),
        other => other.to_string(),
    };
    let span = format!("{:?}", line.span());
    format!("{span:>9} {record}")
}
