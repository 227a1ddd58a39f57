//! Lists of crawlers for people and for programs.

use serde_json::{Value, json};

use super::rows::{Listed, Row};
use crate::check::why;
use crate::failure::Result;
use crate::html;
use crate::table;
use crate::text::Text;

const HEAD: [&str; 5] = ["CRAWLER", "PURPOSE", "GROUP", "ACCESS", "DECIDES"];

/// Returns the cells of a row for people.
fn cells(row: &Row, listed: &Listed) -> Vec<String> {
    let decides = row.access.why(listed.subject.body());
    let name = Text(row.named.name.as_bytes());
    let name = match row.suggestion {
        Some("*") => format!("{name} (did you mean `*`?)"),
        Some(other) => format!("{name} (did you mean {other}?)"),
        None => name.to_string(),
    };
    let group = row
        .group
        .as_ref()
        .map_or_else(|| "none".to_owned(), |group| format!("{}, line {}", Text(&group.name), group.line));
    vec![name, row.purpose().to_string(), group, row.access.extent.name().to_owned(), decides]
}

pub(super) fn human(lists: &[Listed]) -> String {
    let mut text = String::new();
    for (index, listed) in lists.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&format!("{}: {}\n", listed.subject.name, listed.summary()));
        if let Some(note) = listed.subject.note() {
            text.push_str(&format!("{note}\n"));
        }
        let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
        rows.extend(listed.rows.iter().map(|row| cells(row, listed)));
        text.push_str(&table::columns(&rows));
    }
    text
}

pub(super) fn csv(lists: &[Listed]) -> Result<String> {
    let head = [
        "file",
        "crawler",
        "tokens",
        "operator",
        "purpose",
        "respects",
        "group",
        "group_line",
        "access",
        "path",
        "allowed",
        "line",
        "decides",
        "suggestion",
        "source",
        "date",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for listed in lists {
        for row in &listed.rows {
            let known = |field: fn(&robots_match::KnownCrawler) -> &str| {
                row.known.map(field).unwrap_or_default().to_owned()
            };
            let number = |line: Option<usize>| line.map(|line| line.to_string()).unwrap_or_default();
            rows.push(vec![
                listed.subject.name.clone(),
                Text(row.named.name.as_bytes()).to_string(),
                row.named.crawler.names().collect::<Vec<_>>().join(","),
                known(|known| known.operator.unwrap_or_default()),
                row.purpose().to_string(),
                respects(row).to_owned(),
                row.group.as_ref().map(|group| Text(&group.name).to_string()).unwrap_or_default(),
                number(row.group.as_ref().map(|group| group.line)),
                row.access.extent.name().to_owned(),
                row.access.path.clone(),
                row.access.verdict.map(|verdict| verdict.is_allowed().to_string()).unwrap_or_default(),
                number(row.access.verdict.and_then(|verdict| verdict.line())),
                row.access.verdict.map(|verdict| why(&verdict, listed.subject.body())).unwrap_or_default(),
                row.suggestion.unwrap_or_default().to_owned(),
                known(|known| known.source),
                known(|known| known.date),
            ]);
        }
    }
    table::csv(&rows)
}

fn respects(row: &Row) -> &'static str {
    match row.known.and_then(|known| known.respects) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

pub(super) fn html(lists: &[Listed]) -> String {
    let mut body = "<h1>Access of crawlers</h1>\n".to_owned();
    for listed in lists {
        let name = html::escaped(&listed.subject.name);
        body.push_str(&format!("<h2>{name}</h2>\n<p>{}</p>\n", html::escaped(&listed.summary())));
        if let Some(note) = listed.subject.note() {
            body.push_str(&format!("<p>{}</p>\n", html::escaped(&note)));
        }
        let rows: Vec<Vec<String>> = listed.rows.iter().map(|row| cells(row, listed)).collect();
        let head = ["Crawler", "Purpose", "Group", "Access", "Deciding line"];
        body.push_str(&html::table("Crawlers", &head, &rows));
    }
    html::page("Access of crawlers", &body)
}

pub(super) fn json(listed: &Listed) -> Value {
    let rows = listed.rows.iter().map(|row| {
        json!({
            "name": row.named.name,
            "tokens": row.named.crawler.names().collect::<Vec<_>>(),
            "operator": row.known.and_then(|known| known.operator),
            "purpose": row.purpose().name(),
            "respects": respects(row),
            "obeys_wildcard": row.named.crawler.obeys_wildcard(),
            "differences": row.known.and_then(|known| known.differences),
            "source": row.known.map(|known| known.source),
            "date": row.known.map(|known| known.date),
            "verified": row.known.map(|known| known.is_verified()),
            "named_in_line": row.line,
            "suggestion": row.suggestion,
            "group": row.group.as_ref().map(|group| {
                json!({ "name": String::from_utf8_lossy(&group.name), "line": group.line })
            }),
            "access": row.access.extent.name(),
            "path": row.access.path,
            "allowed": row.access.verdict.map(|verdict| verdict.is_allowed()),
            "line": row.access.verdict.and_then(|verdict| verdict.line()),
            "reason": row.access.verdict.map(|verdict| verdict.to_string()),
        })
    });
    json!({
        "file": listed.subject.name,
        "site": listed.subject.origin.as_ref().map(|origin| origin.as_str()),
        "answer": listed.subject.note(),
        "crawlers": rows.collect::<Vec<_>>(),
    })
}
