//! What a run found as one page of HTML that needs nothing beside itself.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::case::Case;
use crate::case::verdict::Verdict;
use crate::escape::{shortened, shown};
use crate::knob::turned;
use crate::report::Report;
use crate::row::description::Told;
use crate::run::Outcome;
use crate::suite::names::DOCUMENTS;
use crate::suite::statement::Statement;
use crate::suite::table::{Row, Table};
use robots_fetch::Profile;

const HEAD: &str = include_str!("head.html");
const STYLE: &str = include_str!("html.css");
const SCRIPT: &str = include_str!("html.js");

/// Lines of a file that are shown from its beginning and its end, where it has more than both together.
const FIRST: usize = 40;
const LAST: usize = 8;

impl Report<'_> {
    /// For people: a page of HTML. Style and script stand within it, and it refers to no other resource. Without
    /// JavaScript it shows everything; with it, rows can be filtered.
    ///
    /// Text of the tables is escaped; octets other than printable ASCII are written `\xNN`.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn html(&self, out: &mut dyn Write) -> io::Result<()> {
        let tables = self.by_table();
        write!(out, "{HEAD}<style>\n{STYLE}{}</style>\n</head>\n<body>\n", columns())?;
        writeln!(out, r##"<a class="skip" href="#rows">To the rows</a>"##)?;
        writeln!(out, "<header>\n<h1>Conformance with the documents of the Robots Exclusion Protocol</h1>")?;
        let (passed, failed) = (self.passed(), self.failed());
        writeln!(out, "<p><strong>{passed} passed, {failed} failed.</strong> ")?;
        writeln!(
            out,
            "A row of a table cites the statements of a document that it shows, and is run under each profile that \
             it names. Lines are counted from 1. Octets other than printable ASCII are written <code>\\xNN</code>.</p>"
        )?;
        self.html_sums(out)?;
        writeln!(out, r#"<nav aria-label="Contents"><ul>"#)?;
        for (id, name) in [("statements", "Statements"), ("readings", "Readings"), ("rows", "Rows")] {
            writeln!(out, r##"<li><a href="#{id}">{name}</a></li>"##)?;
        }
        writeln!(out, "</ul></nav>\n</header>")?;
        self.html_form(out)?;
        writeln!(out, "<main>")?;
        self.html_problems(out)?;
        self.html_statements(out)?;
        writeln!(out, r#"<h2 id="rows">Rows</h2>"#)?;
        for document in DOCUMENTS {
            let of: Vec<_> = tables.iter().filter(|of| of.table.document == document).collect();
            if of.is_empty() {
                continue;
            }
            writeln!(out, r#"<section data-group="rows" aria-labelledby="rows-{document}">"#)?;
            writeln!(out, r#"<h3 id="rows-{document}">{document}</h3>"#)?;
            for table in of {
                table.write(out)?;
            }
            writeln!(out, "</section>")?;
        }
        write!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
    }

    /// The outcomes by table, and by row within it.
    fn by_table(&self) -> Vec<Shown<'_>> {
        let mut tables: Vec<Shown<'_>> = Vec::new();
        for outcome in &self.outcomes {
            let known = tables.iter().position(|of| core::ptr::eq(of.table, outcome.table));
            if known.is_none() {
                tables.push(Shown { number: tables.len(), table: outcome.table, rows: Vec::new() });
            }
            let at = known.unwrap_or(tables.len() - 1);
            let Some(of) = tables.get_mut(at) else { continue };
            match of.rows.iter_mut().find(|(row, _)| core::ptr::eq(*row, outcome.row)) {
                Some((_, outcomes)) => outcomes.push(outcome),
                None => of.rows.push((outcome.row, vec![outcome])),
            }
        }
        tables
    }

    /// Per document and profile, how many rows hold.
    fn html_sums(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sums: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        for outcome in &self.outcomes {
            let (held, all) = sums.entry((&outcome.table.document, outcome.profile)).or_default();
            *held += usize::from(outcome.passed());
            *all += 1;
        }
        writeln!(
            out,
            r#"<div class="wide" tabindex="0" role="region" aria-label="Sums"><table class="sum">"#
        )?;
        writeln!(out, "<caption>Rows held, by document and profile</caption>")?;
        write!(out, r#"<thead><tr><th scope="col">document</th>"#)?;
        for (profile, _) in Profile::NAMED {
            write!(out, r#"<th scope="col">{profile}</th>"#)?;
        }
        writeln!(out, "</tr></thead>\n<tbody>")?;
        for document in DOCUMENTS {
            write!(out, r#"<tr><th scope="row">{document}</th>"#)?;
            for (profile, _) in Profile::NAMED {
                match sums.get(&(document, profile)) {
                    Some((held, all)) => write!(
                        out,
                        r##"<td{}><a href="#document={document}&amp;profile={profile}">{held} of {all}</a></td>"##,
                        if held == all { "" } else { r#" class="f""# },
                    )?,
                    None => write!(out, "<td>none</td>")?,
                }
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</tbody></table></div>")
    }

    /// The filters. Without JavaScript they would do nothing, and stay hidden.
    fn html_form(&self, out: &mut dyn Write) -> io::Result<()> {
        let profiles = Profile::NAMED.map(|(name, _)| name);
        let kinds: BTreeSet<&str> = self.outcomes.iter().map(|outcome| outcome.row.case.kind()).collect();
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let results: Vec<&str> =
            [Standing::Held, Standing::Failed, Standing::Known].map(Standing::name).into();
        writeln!(out, r#"<form id="filters" role="search" aria-label="Filter" hidden>"#)?;
        for (name, label, options) in [
            ("document", "Document", &DOCUMENTS[..]),
            ("profile", "Profile", &profiles[..]),
            ("kind", "Kind of row", &kinds[..]),
            ("result", "Result", &results[..]),
        ] {
            write!(out, r#"<label>{label} <select name="{name}"><option value="">all</option>"#)?;
            for option in options {
                write!(out, "<option>{}</option>", prose(option))?;
            }
            writeln!(out, "</select></label>")?;
        }
        writeln!(out, r#"<label>Cites <input name="cites" size="18" autocomplete="off"></label>"#)?;
        writeln!(out, r#"<label>Words <input name="text" type="search" size="24"></label>"#)?;
        writeln!(out, r#"<button type="reset">Clear</button>"#)?;
        writeln!(out, r#"<button type="button" id="open">Open all tables</button>"#)?;
        writeln!(out, r#"<button type="button" id="close">Close all tables</button>"#)?;
        writeln!(out, r#"<output id="said" aria-live="polite"></output>"#)?;
        writeln!(out, "</form>")
    }

    fn html_problems(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.problems.is_empty() && self.unnoticed.is_empty() {
            return Ok(());
        }
        writeln!(out, "<h2 id=\"problems\">What is wrong with the tables as a whole</h2>\n<ul>")?;
        for problem in &self.problems {
            writeln!(out, "<li>{}</li>", prose(&problem.to_string()))?;
        }
        for unnoticed in &self.unnoticed {
            writeln!(out, "<li>{}</li>", prose(&unnoticed.to_string()))?;
        }
        writeln!(out, "</ul>")
    }

    /// Statements by document, and the readings.
    fn html_statements(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sums: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        for outcome in &self.outcomes {
            for id in &outcome.row.head.cites {
                let (held, all) = sums.entry((id, outcome.profile)).or_default();
                *held += usize::from(outcome.passed());
                *all += 1;
            }
        }
        let cells = |id: &str| -> String {
            let cell = |profile| match sums.get(&(id, profile)) {
                None => "<td></td>".to_owned(),
                Some((held, all)) => {
                    let failed = if held == all { "" } else { " f" };
                    let link = format!("#cites={}&profile={profile}", escaped_in_query(id));
                    format!(r#"<td class="n{failed}"><a href="{}">{held} of {all}</a></td>"#, prose(&link))
                }
            };
            Profile::NAMED.iter().map(|(profile, _)| cell(*profile)).collect()
        };
        let profiles: String = Profile::NAMED
            .iter()
            .map(|(profile, _)| format!(r#"<th scope="col">held under {profile}</th>"#))
            .collect();
        writeln!(out, r#"<h2 id="statements">Statements</h2>"#)?;
        for document in DOCUMENTS {
            let of: Vec<&Statement> =
                self.suite.statements.iter().filter(|statement| statement.document() == document).collect();
            writeln!(out, r#"<section data-group="statements"><details open><summary><h3>{document}</h3> "#)?;
            let waived = of.iter().filter(|statement| statement.waived.is_some()).count();
            writeln!(
                out,
                r#"<span class="quiet">{} statements, {waived} of them waived</span></summary>"#,
                of.len()
            )?;
            write!(
                out,
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Statements of {document}\"><table>\n\
                 <caption>What {document} says, who has to do with it, and how many rows that show it hold</caption>\n\
                 <thead><tr><th scope=\"col\">id</th><th scope=\"col\">section</th><th scope=\"col\">keyword</th>\
                 <th scope=\"col\">says</th><th scope=\"col\">layer</th>{profiles}</tr></thead>\n<tbody>\n"
            )?;
            for statement in of {
                let id = prose(&statement.id);
                write!(
                    out,
                    "<tr id=\"{id}\" data-statement=\"{document}\"><th scope=\"row\">{id}</th><td>{}</td><td>{}</td><td>{}",
                    prose(&statement.section),
                    prose(&statement.keyword),
                    prose(&statement.says),
                )?;
                if let Some(why) = &statement.waived {
                    write!(out, "<br><em>Waived:</em> {}", prose(why))?;
                }
                writeln!(out, "</td><td>{}</td>{}</tr>", prose(&statement.layer), cells(&statement.id))?;
            }
            writeln!(out, "</tbody></table></div></details></section>")?;
        }
        writeln!(
            out,
            r#"<section data-group="statements" id="readings"><details open><summary><h3>Readings</h3> "#
        )?;
        writeln!(
            out,
            r#"<span class="quiet">how sentences are read that are unclear</span></summary><div class="wide" tabindex="0" role="region" aria-label="Readings"><table>"#
        )?;
        writeln!(out, "<caption>Readings, and how many rows that show them hold</caption>")?;
        writeln!(
            out,
            r#"<thead><tr><th scope="col">id</th><th scope="col">of</th>{profiles}</tr></thead><tbody>"#
        )?;
        for reading in &self.suite.readings {
            let id = prose(&reading.id);
            writeln!(
                out,
                r#"<tr id="{id}" data-statement="reading"><th scope="row">{id}</th><td>{}</td>{}</tr>"#,
                prose(&reading.says),
                cells(&reading.id)
            )?;
        }
        writeln!(out, "</tbody></table></div></details></section>")
    }
}

/// The style that leaves the columns of one profile when that is chosen.
fn columns() -> String {
    let rule = |(number, (profile, _)): (usize, &(&str, Profile))| {
        let column = number + 4;
        format!(
            "body[data-profile=\"{profile}\"] .rows tr > :nth-child(n+4):not(:nth-child({column})) {{ display: none; }}\n"
        )
    };
    Profile::NAMED.iter().enumerate().map(rule).collect()
}

/// How a row stands under a profile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Held,
    Failed,
    /// It fails as it is known to.
    Known,
}

impl Standing {
    const fn of(outcome: &Outcome<'_>) -> Self {
        match (outcome.passed(), outcome.exception.is_some()) {
            (true, false) => Self::Held,
            (true, true) => Self::Known,
            (false, _) => Self::Failed,
        }
    }

    /// The value of the filter, and the word on the page.
    const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Failed => "failed",
            Self::Known => "known",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Held => "h",
            Self::Failed => "f",
            Self::Known => "k",
        }
    }
}

/// A table with the rows of it that were run.
struct Shown<'r> {
    number: usize,
    table: &'r Table,
    rows: Vec<(&'r Row, Vec<&'r Outcome<'r>>)>,
}

impl Shown<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (id, document) = (prose(&self.table.id()), &self.table.document);
        let outcomes = || self.rows.iter().flat_map(|(_, outcomes)| outcomes);
        let failed = outcomes().filter(|outcome| !outcome.passed()).count();
        writeln!(
            out,
            r#"<details open id="{id}" data-table="{id}" data-document="{document}"><summary><h4>{id}</h4> "#
        )?;
        writeln!(
            out,
            r#"<span class="quiet">{} rows, run {} times, {failed} failed</span></summary>"#,
            self.rows.len(),
            outcomes().count()
        )?;
        let told: Vec<Told> = self.rows.iter().map(|(row, _)| row.case.told()).collect();
        let files: BTreeMap<&str, File<'_>> = told
            .iter()
            .flat_map(|told| &told.files)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .enumerate()
            .filter_map(|(number, name)| {
                let id = format!("f{}.{number}", self.number);
                Some((&**name, File { id, lines: lines(self.table.files.get(name)?) }))
            })
            .collect();
        writeln!(
            out,
            r#"<div class="wide" tabindex="0" role="region" aria-label="Rows of {id}"><table class="rows"><caption>Rows of {}</caption>"#,
            prose(&self.table.file)
        )?;
        write!(
            out,
            r#"<thead><tr><th scope="col">row</th><th scope="col">asks</th><th scope="col">wants</th>"#
        )?;
        for (profile, _) in Profile::NAMED {
            write!(out, r#"<th scope="col">{profile}</th>"#)?;
        }
        writeln!(out, "</tr></thead><tbody>")?;
        for ((row, outcomes), told) in self.rows.iter().zip(&told) {
            self.write_row(out, row, outcomes, told, &files)?;
        }
        writeln!(out, "</tbody></table></div>")?;
        if !files.is_empty() {
            writeln!(out, "<details open><summary>Files of {id}</summary>")?;
            for (name, file) in &files {
                file.write(out, name)?;
            }
            writeln!(out, "</details>")?;
        }
        writeln!(out, "</details>")
    }

    fn write_row(
        &self,
        out: &mut dyn Write,
        row: &Row,
        outcomes: &[&Outcome<'_>],
        told: &Told,
        files: &BTreeMap<&str, File<'_>>,
    ) -> io::Result<()> {
        let (name, kind) = (octets(row.head.name.as_bytes()), row.case.kind());
        write!(
            out,
            r#"<tr id="{}/{name}" data-kind="{kind}"><th scope="row">{name}<small class="quiet">{kind}, line {}</small>"#,
            prose(&self.table.id()),
            row.line
        )?;
        for id in &row.head.cites {
            let id = prose(id);
            write!(out, r##"<small><a class="c" href="#{id}">{id}</a></small>"##)?;
        }
        write!(out, "</th><td><dl>")?;
        for name in &told.files {
            let id = files.get(&**name).map_or("", |file| &file.id);
            write!(
                out,
                r##"<dt>file</dt><dd><a class="t" href="#{id}">{}</a></dd>"##,
                octets(name.as_bytes())
            )?;
        }
        let turns = row.head.turn.iter().map(|turn| ("turned", turn));
        items(out, told.asks.iter().map(|(name, value)| (*name, value)).chain(turns))?;
        write!(out, "</dl></td><td><dl>")?;
        items(out, told.wants.iter().map(|(name, value)| (*name, value)))?;
        write!(out, "</dl></td>")?;
        for (profile, knobs) in Profile::NAMED {
            let outcome = outcomes.iter().find(|outcome| outcome.profile == profile);
            match outcome {
                Some(outcome) => {
                    let standing = Standing::of(outcome);
                    let (class, result) = (standing.class(), standing.name());
                    write!(
                        out,
                        r#"<td class="{class}" data-profile="{profile}" data-result="{result}"><b>{result}</b>"#
                    )?;
                }
                None => write!(out, r#"<td class="o">not named"#)?,
            }
            // What a profile answers helps to see why a row does not name it.
            if let Case::Verdict(verdict) = &row.case {
                out.write_all(if outcome.is_some() { b" " } else { b", answers " })?;
                self.write_answer(out, row, verdict, &knobs, files)?;
            }
            if let Some(outcome) = outcome {
                explain(out, outcome)?;
            }
            write!(out, "</td>")?;
        }
        writeln!(out, "</tr>")
    }

    /// What a profile answers: decision, deciding line and what stands on it.
    fn write_answer(
        &self,
        out: &mut dyn Write,
        row: &Row,
        verdict: &Verdict,
        profile: &Profile,
        files: &BTreeMap<&str, File<'_>>,
    ) -> io::Result<()> {
        let octets_of = self.table.files.get(verdict.robots()).unwrap_or_default();
        let Ok(profile) = turned(*profile, &row.head.turn) else { return Ok(()) };
        let answer = verdict.answer(octets_of, &profile);
        let decision = if answer.allowed { "allow" } else { "disallow" };
        let Some(text) = &answer.text else {
            return write!(out, "{decision}, {}", prose(answer.reason));
        };
        let file = files.get(verdict.robots());
        let line = answer.line;
        match file.filter(|file| file.shows(line)) {
            Some(file) => write!(out, r##"{decision}, <a href="#{}.{line}">line {line}</a>"##, file.id)?,
            None => write!(out, "{decision}, line {line}")?,
        }
        write!(out, "<br><code>{}</code>", prose(text))
    }
}

/// Why a row fails.
fn explain(out: &mut dyn Write, outcome: &Outcome<'_>) -> io::Result<()> {
    if let Some(exception) = outcome.exception {
        let what = if outcome.passed() { "known to fail" } else { "it passes, and is excepted" };
        write!(out, "<br>{what}: {}", prose(&exception.reason))?;
    }
    for difference in &outcome.differences {
        write!(
            out,
            "<dl><dt>differs</dt><dd>{}</dd><dt>expected</dt><dd><code>{}</code></dd><dt>got</dt><dd><code>{}</code></dd>",
            prose(difference.what),
            octets(difference.expected.as_bytes()),
            octets(difference.got.as_bytes())
        )?;
        if let Some(because) = &difference.because {
            write!(out, "<dt>because</dt><dd>{}</dd>", octets(because.as_bytes()))?;
        }
        write!(out, "</dl>")?;
    }
    Ok(())
}

fn items<'t>(out: &mut dyn Write, items: impl Iterator<Item = (&'static str, &'t String)>) -> io::Result<()> {
    for (name, value) in items {
        let value = prose(&shortened(value.as_bytes()));
        write!(out, "<dt>{name}</dt><dd><code>{value}</code></dd>")?;
    }
    Ok(())
}

/// A file that rows are about.
struct File<'t> {
    id: String,
    lines: Vec<&'t [u8]>,
}

impl File<'_> {
    /// Whether a line, from 1, is on the page.
    fn shows(&self, line: usize) -> bool {
        let len = self.lines.len();
        (1..=len).contains(&line) && (len <= FIRST + LAST || line <= FIRST || line > len - LAST)
    }

    fn write(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        let Self { id, lines } = self;
        let size: usize = lines.iter().map(|line| line.len()).sum();
        write!(
            out,
            r#"<div id="{id}" data-file=""><p><b>{}</b> <span class="quiet">{size} octets</span></p><ol class="file">"#,
            octets(name.as_bytes())
        )?;
        let mut before = 0;
        for (number, line) in (1..).zip(lines).filter(|(number, _)| self.shows(*number)) {
            // The number of a line behind some that are left out has to be said.
            let jumps = number != before + 1;
            before = number;
            let value = if jumps { format!(r#" value="{number}""#) } else { String::new() };
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            write!(out, r#"<li id="{id}.{number}"{value}>{}</li>"#, prose(&shortened(line)))?;
        }
        writeln!(out, "</ol></div>")
    }
}

/// Lines with their ends: CR, LF, or both.
fn lines(file: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let len = match rest.iter().position(|octet| matches!(octet, b'\r' | b'\n')) {
            Some(at) if rest.get(at..at + 2) == Some(b"\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, behind) = rest.split_at(len);
        lines.push(line);
        rest = behind;
    }
    lines
}

/// Octets of a table as HTML, in text and in a quoted attribute.
fn octets(octets: &[u8]) -> String {
    prose(&shown(octets))
}

/// Text as HTML, in text and in a quoted attribute: letters of all scripts stay, what can't be seen becomes `\xNN`.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Marks of direction and joiners would show the text as another than it is.
            '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFFE}'
            | '\u{FFFF}' => out.push_str(&shown(char.encode_utf8(&mut [0; 4]).as_bytes())),
            _ if char.is_control() => out.push_str(&shown(char.encode_utf8(&mut [0; 4]).as_bytes())),
            _ => out.push(char),
        }
    }
    out
}

/// A value in a fragment of filters.
fn escaped_in_query(value: &str) -> String {
    let plain = |char: &char| char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_' | '/');
    let escaped = |char: char| match plain(&char) {
        true => char.to_string(),
        false => {
            char.encode_utf8(&mut [0; 4]).bytes().map(|octet| format!("%{octet:02X}")).collect::<String>()
        }
    };
    value.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(prose("<a href='x'>&\"\n\u{85}\u{202E}ツ"), {
            r"&lt;a href=&#39;x&#39;&gt;&amp;&quot;\x0A\xC2\x85\xE2\x80\xAEツ"
        });
        assert_eq!(octets("<ツ\0".as_bytes()), r"&lt;\xE3\x83\x84\x00");
        assert_eq!(escaped_in_query("google/Q-01 &ツ"), "google/Q-01%20%26%E3%83%84");
    }

    #[test]
    fn lines_keep_all_octets() {
        assert_eq!(lines(b"a\r\nb\rc\n\n"), [&b"a\r\n"[..], b"b\r", b"c\n", b"\n"]);
        assert_eq!(lines(b"a\nb"), [&b"a\n"[..], b"b"]);
        assert!(lines(b"").is_empty());
    }
}
