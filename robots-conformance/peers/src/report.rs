//! Counts, and the causes of departures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::peers::Peer;
use crate::protocol::{Answer, Hello};
use crate::rows::Row;

/// The documents, in the order of the columns.
const DOCUMENTS: [&str; 4] = ["rfc9309", "draft-koster-rep-00", "google", "koster-1996"];

/// The results of a peer; `Err` contains why it was not asked.
pub(crate) struct Fared {
    pub(crate) peer: &'static Peer,
    pub(crate) result: Result<(Hello, Vec<Answer>), String>,
}

impl Fared {
    /// The rows of a document that it was asked, with its answers.
    fn asked<'a>(
        &'a self,
        rows: &'a [Row],
        document: &'a str,
    ) -> impl Iterator<Item = (&'a Row, &'a Answer)> {
        let answers = self.result.as_ref().map_or(&[][..], |(_, answers)| answers.as_slice());
        rows.iter().zip(answers).filter(move |(row, answer)| {
            row.profiles.iter().any(|profile| profile == document) && !matches!(answer, Answer::Unasked(_))
        })
    }

    fn claims(&self, document: &str) -> bool {
        self.result.as_ref().is_ok_and(|(hello, _)| hello.claims.iter().any(|claim| claim == document))
    }

    fn version(&self) -> &str {
        self.result.as_ref().map_or("not run", |(hello, _)| &hello.version)
    }
}

fn holds(row: &Row, answer: &Answer) -> bool {
    *answer == Answer::Allowed(row.is_allowed)
}

/// The reading that a row rests on: a choice of this project where the words leave one.
fn reading(row: &Row) -> Option<&str> {
    row.cites.iter().map(String::as_str).find(|id| id.starts_with("reading/"))
}

/// PEERS.md.
pub(crate) fn report(rows: &[Row], statements: &BTreeMap<String, String>, all: &[Fared]) -> String {
    let mut text = String::from(HEAD);
    claims(&mut text, all);
    held(&mut text, rows, all);
    unasked(&mut text, rows, all);
    text.push_str(CAUSES);
    for fared in all {
        for document in DOCUMENTS.iter().filter(|document| fared.claims(document)) {
            causes(&mut text, rows, statements, fared, document);
        }
    }
    text
}

fn claims(text: &mut String, all: &[Fared]) {
    text.push_str(
        "| implementation | version | its documentation says that it | claimed documents | input |\n",
    );
    text.push_str("| --- | --- | --- | --- | --- |\n");
    for fared in all {
        let Peer { name, from, says, asked, .. } = fared.peer;
        let claimed: Vec<&str> = DOCUMENTS.into_iter().filter(|document| fared.claims(document)).collect();
        line(
            text,
            &format!("| {name} ({from}) | {} | {says} | {} | {asked} |", fared.version(), claimed.join(", ")),
        );
    }
    for fared in all {
        if let Err(why) = &fared.result {
            line(text, &format!("\n{} was not run here: {why}.", fared.peer.name));
        }
    }
}

fn held(text: &mut String, rows: &[Row], all: &[Fared]) {
    text.push_str("\n## Rows held\n\n");
    text.push_str(HELD);
    line(text, &format!("| implementation | {} |", DOCUMENTS.join(" | ")));
    line(text, &format!("| --- |{}", " --- |".repeat(DOCUMENTS.len())));
    for fared in all.iter().filter(|fared| fared.result.is_ok()) {
        let cells: Vec<String> = DOCUMENTS
            .iter()
            .map(|document| {
                let asked = fared.asked(rows, document).count();
                let departed = fared.asked(rows, document).filter(|(row, answer)| !holds(row, answer));
                let (read, plain): (Vec<_>, Vec<_>) = departed.partition(|(row, _)| reading(row).is_some());
                let held = asked - read.len() - plain.len();
                let share = (held * 1000).checked_div(asked).unwrap_or_default();
                let mut count = format!("{held} of {asked}, {}.{} %", share / 10, share % 10);
                if !read.is_empty() {
                    let _ = write!(count, "; {} unclear", read.len());
                }
                if fared.claims(document) { format!("**{count}**") } else { format!("({count})") }
            })
            .collect();
        line(text, &format!("| {} | {} |", fared.peer.name, cells.join(" | ")));
    }
}

fn unasked(text: &mut String, rows: &[Row], all: &[Fared]) {
    text.push_str("\n## Rows left out\n\n");
    line(
        text,
        &format!(
            "There are {} rows. Rows that an implementation can't be asked are left out for it:\n",
            rows.len()
        ),
    );
    text.push_str("| implementation | rows | reasons |\n| --- | --- | --- |\n");
    for fared in all {
        let Ok((_, answers)) = &fared.result else { continue };
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for answer in answers {
            if let Answer::Unasked(why) = answer {
                *reasons.entry(why).or_default() += 1;
            }
        }
        let shown: Vec<String> = reasons.iter().map(|(why, count)| format!("{why} ({count})")).collect();
        let sum: usize = reasons.values().sum();
        line(text, &format!("| {} | {sum} | {} |", fared.peer.name, shown.join("; ")));
    }
}

/// Departures of one kind.
struct Cause<'a> {
    /// The id of a statement, or what went wrong.
    what: &'a str,
    says: &'a str,
    departed: Vec<(&'a Row, &'a Answer)>,
}

fn causes(
    text: &mut String,
    rows: &[Row],
    statements: &BTreeMap<String, String>,
    fared: &Fared,
    document: &str,
) {
    line(text, &format!("\n### {} {}, {document}\n", fared.peer.name, fared.version()));
    let asked: Vec<_> = fared.asked(rows, document).collect();
    let causes = grouped(&asked, statements, document);
    if causes.is_empty() {
        line(text, "Every row that it was asked holds.");
        return;
    }
    text.push_str("| rows | differs from | example |\n| --- | --- | --- |\n");
    for cause in causes {
        let Some((row, answer)) = cause.departed.iter().min_by_key(|(row, _)| (row.body.len(), &row.name))
        else {
            continue;
        };
        let what = if cause.says.is_empty() {
            format!("({})", cell(cause.what))
        } else {
            format!("`{}` {}", cause.what, cell(cause.says))
        };
        line(text, &format!("| {} | {what} | {} |", cause.departed.len(), example(row, answer)));
    }
}

/// Each departure is listed under one cause: the failure; the reading that the row rests on; or, of the statements that
/// it cites (those of the document before those of others), that of whose rows the largest share departs, and of several
/// such that with the most departures.
fn grouped<'a>(
    asked: &[(&'a Row, &'a Answer)],
    statements: &'a BTreeMap<String, String>,
    document: &str,
) -> Vec<Cause<'a>> {
    let mut shares: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (row, answer) in asked {
        for id in row.cites.iter().collect::<BTreeSet<_>>() {
            let share = shares.entry(id).or_default();
            share.1 += 1;
            share.0 += usize::from(!holds(row, answer));
        }
    }
    let rank = |id: &str| {
        let (departed, asked) = shares.get(id).copied().unwrap_or_default();
        let is_own = id.split('/').next() == Some(document);
        (is_own, (departed * 1000).checked_div(asked), departed)
    };
    let mut causes: Vec<Cause<'a>> = Vec::new();
    for (row, answer) in asked.iter().filter(|(row, answer)| !holds(row, answer)) {
        let (what, says) = match answer {
            Answer::Error(what) => (what.as_str(), ""),
            _ => {
                let own = reading(row);
                let id = own.or_else(|| row.cites.iter().map(String::as_str).max_by_key(|id| rank(id)));
                let id = id.unwrap_or_default();
                (id, statements.get(id).map_or("a reading of unclear words", String::as_str))
            }
        };
        match causes.iter_mut().find(|cause| cause.what == what) {
            Some(cause) => cause.departed.push((row, answer)),
            None => causes.push(Cause { what, says, departed: vec![(row, answer)] }),
        }
    }
    causes.sort_by(|a, b| b.departed.len().cmp(&a.departed.len()).then(a.what.cmp(b.what)));
    causes
}

fn example(row: &Row, answer: &Answer) -> String {
    let target = row.path.as_deref().or(row.url.as_deref()).unwrap_or_default();
    let word = |allowed: bool| if allowed { "allowed" } else { "disallowed" };
    let got = match answer {
        Answer::Allowed(allowed) => word(*allowed),
        _ => "no verdict",
    };
    format!(
        "{}: `{}` for {} at `{}` is {}, not {got}",
        row.name,
        code(&row.body.escape_ascii().to_string(), 110),
        cell(&row.agents.join(", ")),
        code(&target.escape_debug().to_string(), 60),
        word(row.is_allowed),
    )
}

/// Text within a cell of a table.
fn cell(text: &str) -> String {
    shortened(&text.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\""), 160)
        .replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('*', "\\*")
}

/// Text within a code span of a cell.
fn code(text: &str, most: usize) -> String {
    let text = shortened(&text.replace("\\'", "'").replace("\\\"", "\""), most);
    if text.is_empty() { " ".into() } else { text.replace('`', "'").replace('|', "\\|") }
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let half = most / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(text.chars().count() - half).collect();
    format!("{start} … {end}")
}

fn line(text: &mut String, line: &str) {
    // Writing to a string can't fail.
    let _ = writeln!(text, "{line}");
}

const HEAD: &str = "# Other implementations

Written by `cargo xtask peers`; do not edit. The verdict rows of `robots-conformance/tables` are asked of other
implementations from package registries, in the version that `robots-conformance/peers` pins. Each is used as its own
documentation says. A row holds if the decision is that of the document; the deciding line is not compared. A row does not
hold after a panic, an exception, an error, or 20 seconds without an answer.

The authors of this project wrote the rows from the words of the documents, and most rows test details in which parsers
differ. So the share of rows that hold does not measure how often an implementation is wrong on files of the web. Which
documents an implementation claims to follow is taken from its own documentation; only these count as its errors.

";

const HELD: &str = "How many of the rows that an implementation was asked it answers as the document says. **Bold**: documents that it claims to
follow. (Parentheses): documents that it does not claim to follow, where a difference is not an error. *Unclear*: how many of
the rows that do not hold depend on a reading, a choice of this project where the words are unclear.

";

const CAUSES: &str = "
## Differences from the documents that are claimed

Each difference is counted once: under the error; under the reading on which its row depends; or under one statement that its
row cites, the one with the largest share of differing rows. A row of two documents may cite only one of them. The example is
the row with the smallest file.
";
