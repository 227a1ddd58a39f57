//! The report as one HTML page that refers to no other resource.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use robots_fetch::SiteProfile;

use crate::case::Case;
use crate::case::verdict::Verdict;
use crate::escape::{shortened, shown};
use crate::knob::turned;
use crate::model;
use crate::report::Report;
use crate::row::Description;
use crate::run::Outcome;
use crate::suite::names::{DOCUMENTS, PROFILES, all_profiles, is_of_pages, profile_named, profiles_of};
use crate::suite::statement::Statement;
use crate::suite::table::{Row, Table};

const HEAD: &str = include_str!("html/head.html");
const TERMS: &str = include_str!("html/terms.html");
const STYLE: &str = include_str!("html/html.css");
const SCRIPT: &str = include_str!("html/html.js");

impl Report<'_> {
    /// Writes the report as one HTML page, for people. The page contains its style and script and refers to no other
    /// resource. Tables are closed until a reader opens one; tables with failed rows are open. With JavaScript, rows
    /// can be filtered.
    ///
    /// Text of the tables is escaped; bytes other than printable ASCII are written `\xNN`.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn html(&self, out: &mut dyn Write) -> io::Result<()> {
        let tables = self.by_table();
        write!(out, "{HEAD}<style>\n{STYLE}{}</style>\n</head>\n<body>\n", columns())?;
        writeln!(out, r##"<a class="skip" href="#rows">To the rows</a>"##)?;
        writeln!(out, "<header>\n<h1>Conformance with the documents of the Robots Exclusion Protocol</h1>")?;
        let (passed, failed) = (self.passed(), self.failed());
        writeln!(out, "<p><strong>{passed} passed, {failed} failed.</strong></p>")?;
        self.html_sums(out)?;
        out.write_all(TERMS.as_bytes())?;
        writeln!(out, r#"<nav aria-label="Contents"><ul>"#)?;
        for (id, name) in [("statements", "Statements"), ("readings", "Readings"), ("rows", "Rows")] {
            writeln!(out, r##"<li><a href="#{id}">{name}</a></li>"##)?;
        }
        writeln!(out, "</ul></nav>\n</header>")?;
        self.html_form(out)?;
        writeln!(out, "<main>")?;
        self.html_problems(out)?;
        self.html_failures(out)?;
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

    /// Returns the outcomes by table and row.
    fn by_table(&self) -> Vec<TableView<'_>> {
        let mut tables: Vec<TableView<'_>> = Vec::new();
        for outcome in &self.outcomes {
            let known = tables.iter().position(|of| core::ptr::eq(of.table, outcome.table));
            if known.is_none() {
                tables.push(TableView { number: tables.len(), table: outcome.table, rows: Vec::new() });
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

    /// Writes how many rows hold, by document and profile.
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
        for (profile, _) in PROFILES {
            write!(out, r#"<th scope="col">{profile}</th>"#)?;
        }
        writeln!(out, "</tr></thead>\n<tbody>")?;
        let mut is_of_files = true;
        for document in DOCUMENTS {
            let profiles = profiles_of(document);
            if is_of_files && is_of_pages(document) {
                is_of_files = false;
                write!(out, r#"</tbody><thead><tr><th scope="col">document</th>"#)?;
                for profile in &profiles {
                    write!(out, r#"<th scope="col">{profile}</th>"#)?;
                }
                writeln!(out, "</tr></thead>\n<tbody>")?;
            }
            write!(out, r#"<tr><th scope="row">{document}</th>"#)?;
            for profile in profiles {
                match sums.get(&(document, profile)) {
                    Some((held, all)) => write!(
                        out,
                        r##"<td{}><a href="#document={document}&amp;profile={profile}">{held} of {all}</a></td>"##,
                        if held == all { "" } else { r#" class="f""# },
                    )?,
                    None => write!(out, r#"<td class="o">no rows</td>"#)?,
                }
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</tbody></table></div>")
    }

    /// Writes the filters. They stay hidden without JavaScript, which they need.
    fn html_form(&self, out: &mut dyn Write) -> io::Result<()> {
        let profiles = all_profiles();
        let kinds: BTreeSet<&str> = self.outcomes.iter().map(|outcome| outcome.row.case.kind()).collect();
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let results: Vec<&str> =
            [RowStatus::Held, RowStatus::Failed, RowStatus::Known].map(RowStatus::name).into();
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
        writeln!(out, "<h2 id=\"problems\">Problems of the tables as a whole</h2>\n<ul>")?;
        for problem in &self.problems {
            writeln!(out, "<li>{}</li>", prose(&problem.to_string()))?;
        }
        for unnoticed in &self.unnoticed {
            writeln!(out, "<li>{}</li>", prose(&unnoticed.to_string()))?;
        }
        writeln!(out, "</ul>")
    }

    /// Writes links to the rows that failed.
    fn html_failures(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut failed = self.outcomes.iter().filter(|outcome| !outcome.passed()).peekable();
        if failed.peek().is_none() {
            return Ok(());
        }
        writeln!(out, "<h2 id=\"failures\">Failed rows</h2>\n<ul>")?;
        for outcome in failed {
            let id = format!("{}/{}", prose(&outcome.table.id()), bytes(outcome.row.head.name.as_bytes()));
            writeln!(out, r##"<li><a href="#{id}">{id}</a> under {}</li>"##, outcome.profile)?;
        }
        writeln!(out, "</ul>")
    }
}

/// Returns the style of the columns of profiles: on narrow screens each cell has the name of its profile, and a filter
/// for one profile hides the columns of the others.
fn columns() -> String {
    let mut style = "@media screen and (max-width: 50rem) {\n".to_owned();
    for (table, first) in [("sum", 2), ("statements", 6), ("readings", 3), ("rows", 4)] {
        for (column, (profile, _)) in (first..).zip(PROFILES) {
            style.push_str(&format!(
                "  .{table} td:nth-child({column})::before {{ content: \"{profile}: \"; }}\n"
            ));
        }
    }
    style.push_str("}\n");
    for (column, (profile, _)) in (4..).zip(PROFILES) {
        style.push_str(&format!(
            "body[data-profile=\"{profile}\"] .rows tr > :nth-child(n+4):not(:nth-child({column})) {{ display: none; }}\n"
        ));
    }
    style
}

/// How many lines of a long file are shown from its start and its end.
const FIRST: usize = 40;
const LAST: usize = 8;

/// A file of a table.
pub(super) struct File<'t> {
    pub(super) id: String,
    pub(super) lines: Vec<&'t [u8]>,
}

impl File<'_> {
    /// Returns whether a line, counted from 1, is on the page.
    pub(super) fn shows(&self, line: usize) -> bool {
        let len = self.lines.len();
        (1..=len).contains(&line) && (len <= FIRST + LAST || line <= FIRST || line > len - LAST)
    }

    pub(super) fn write(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        let Self { id, lines } = self;
        let size: usize = lines.iter().map(|line| line.len()).sum();
        write!(
            out,
            r#"<div id="{id}" data-file=""><p><b>{}</b> <span class="quiet">{size} bytes</span></p><ol class="file">"#,
            bytes(name.as_bytes())
        )?;
        let mut before = 0;
        for (number, line) in (1..).zip(lines).filter(|(number, _)| self.shows(*number)) {
            // After lines that are left out, the list needs the number of the next line.
            let jumps = number != before + 1;
            before = number;
            let value = if jumps { format!(r#" value="{number}""#) } else { String::new() };
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            write!(out, r#"<li id="{id}.{number}"{value}>{}</li>"#, prose(&shortened(line)))?;
        }
        writeln!(out, "</ol></div>")
    }
}

/// The result of a row under a profile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowStatus {
    Held,
    Failed,
    /// Failed, as exceptions.toml says.
    Known,
}

impl RowStatus {
    pub(super) const fn of(outcome: &Outcome<'_>) -> Self {
        match (outcome.passed(), outcome.exception.is_some()) {
            (true, false) => Self::Held,
            (true, true) => Self::Known,
            (false, _) => Self::Failed,
        }
    }

    /// Returns the word for it, on the page and in the filter.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Failed => "failed",
            Self::Known => "known",
        }
    }

    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Held => "h",
            Self::Failed => "f",
            Self::Known => "k",
        }
    }
}

/// Escapes bytes for HTML text and quoted attributes.
pub(super) fn bytes(bytes: &[u8]) -> String {
    prose(&shown(bytes))
}

/// Escapes text for HTML text and quoted attributes. Letters of all scripts stay; invisible characters become `\xNN`.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Direction marks and joiners would change how the text looks.
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

/// The bytes of a value that a fragment with filters can't contain literally: all except unreserved characters (RFC 3986,
/// section 2.3) without `~`, and `/`.
const NOT_IN_QUERIES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'/');

/// Escapes a value for a fragment with filters.
pub(super) fn escaped_in_query(value: &str) -> String {
    utf8_percent_encode(value, NOT_IN_QUERIES).to_string()
}

impl Report<'_> {
    /// Writes the statements by document, and the readings.
    pub(super) fn html_statements(&self, out: &mut dyn Write) -> io::Result<()> {
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
            let document = id.split('/').next().unwrap_or_default();
            profiles_of(document).into_iter().map(cell).collect()
        };
        let heads = |document: &str| -> String {
            let profiles = profiles_of(document).into_iter();
            profiles.map(|profile| format!(r#"<th scope="col">{profile}</th>"#)).collect()
        };
        writeln!(out, r#"<h2 id="statements">Statements</h2>"#)?;
        for document in DOCUMENTS {
            let profiles = heads(document);
            let of: Vec<&Statement> =
                self.suite.statements.iter().filter(|statement| statement.document() == document).collect();
            writeln!(out, r#"<section data-group="statements"><details><summary><h3>{document}</h3> "#)?;
            let waived = of.iter().filter(|statement| statement.waived.is_some()).count();
            writeln!(
                out,
                r#"<span class="quiet">{} statements, {waived} of them waived</span></summary>"#,
                of.len()
            )?;
            write!(
                out,
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Statements of {document}\"><table class=\"statements\">\n\
                 <caption>The statements of {document}, the layer that implements each, and how many rows that cite it hold</caption>\n\
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
            r#"<section data-group="statements" id="readings"><details><summary><h3>Readings</h3> "#
        )?;
        writeln!(
            out,
            r#"<span class="quiet">how unclear sentences are read</span></summary><div class="wide" tabindex="0" role="region" aria-label="Readings"><table class="readings">"#
        )?;
        writeln!(out, "<caption>Readings, and how many rows that cite each hold</caption>")?;
        let profiles = heads("reading");
        writeln!(
            out,
            r#"<thead><tr><th scope="col">id</th><th scope="col">question</th>{profiles}</tr></thead><tbody>"#
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

/// A table, with the rows that were run.
pub(super) struct TableView<'r> {
    pub(super) number: usize,
    pub(super) table: &'r Table,
    pub(super) rows: Vec<(&'r Row, Vec<&'r Outcome<'r>>)>,
}

impl TableView<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (id, document) = (prose(&self.table.id()), &self.table.document);
        let outcomes = || self.rows.iter().flat_map(|(_, outcomes)| outcomes);
        let failed = outcomes().filter(|outcome| !outcome.passed()).count();
        writeln!(
            out,
            r#"<details{} id="{id}" data-table="{id}" data-document="{document}"><summary><h4>{id}</h4> "#,
            if failed > 0 { r#" open data-failed="""# } else { "" }
        )?;
        writeln!(
            out,
            r#"<span class="quiet">{} rows, run {} times, {failed} failed</span></summary>"#,
            self.rows.len(),
            outcomes().count()
        )?;
        let descriptions: Vec<Description> = self.rows.iter().map(|(row, _)| row.case.describe()).collect();
        let files: BTreeMap<&str, File<'_>> = descriptions
            .iter()
            .flat_map(|description| &description.files)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .enumerate()
            .filter_map(|(number, name)| {
                let id = format!("f{}.{number}", self.number);
                Some((&**name, File { id, lines: model::lines(self.table.files.get(name)?) }))
            })
            .collect();
        writeln!(
            out,
            r#"<div class="wide" tabindex="0" role="region" aria-label="Rows of {id}"><table class="rows"><caption>Rows of {}</caption>"#,
            prose(&self.table.file)
        )?;
        write!(
            out,
            r#"<thead><tr><th scope="col">row</th><th scope="col">input</th><th scope="col">expected</th>"#
        )?;
        for profile in profiles_of(&self.table.document) {
            write!(out, r#"<th scope="col">{profile}</th>"#)?;
        }
        writeln!(out, "</tr></thead><tbody>")?;
        for ((row, outcomes), description) in self.rows.iter().zip(&descriptions) {
            self.write_row(out, row, outcomes, description, &files)?;
        }
        writeln!(out, "</tbody></table></div>")?;
        if !files.is_empty() {
            writeln!(out, "<details><summary>Files of {id}</summary>")?;
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
        description: &Description,
        files: &BTreeMap<&str, File<'_>>,
    ) -> io::Result<()> {
        let (name, kind) = (bytes(row.head.name.as_bytes()), row.case.kind());
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
        for name in &description.files {
            let id = files.get(&**name).map_or("", |file| &file.id);
            write!(
                out,
                r##"<dt>file</dt><dd><a class="t" href="#{id}">{}</a></dd>"##,
                bytes(name.as_bytes())
            )?;
        }
        let turns = row.head.turn.iter().map(|turn| ("turned", turn));
        items(out, description.inputs.iter().map(|(name, value)| (&**name, value)).chain(turns))?;
        write!(out, "</dl></td><td><dl>")?;
        items(out, description.expected.iter().map(|(name, value)| (&**name, value)))?;
        write!(out, "</dl></td>")?;
        for profile in profiles_of(&self.table.document) {
            let outcome = outcomes.iter().find(|outcome| outcome.profile == profile);
            match outcome {
                Some(outcome) => {
                    let status = RowStatus::of(outcome);
                    let (class, result) = (status.class(), status.name());
                    write!(
                        out,
                        r#"<td class="{class}" data-profile="{profile}" data-result="{result}"><b>{result}</b>"#
                    )?;
                }
                None => write!(out, r#"<td class="o">not named"#)?,
            }
            // The verdict of a profile helps to see why a row does not name the profile.
            if let (Case::Verdict(verdict), Some(knobs)) = (&row.case, profile_named(profile)) {
                out.write_all(if outcome.is_some() { b" " } else { b", verdict " })?;
                self.write_answer(out, row, verdict, &knobs, files)?;
            }
            if let Some(outcome) = outcome {
                explain(out, outcome)?;
            }
            write!(out, "</td>")?;
        }
        writeln!(out, "</tr>")
    }

    /// Writes the verdict of a profile: decision, deciding line and its text.
    fn write_answer(
        &self,
        out: &mut dyn Write,
        row: &Row,
        verdict: &Verdict,
        profile: &SiteProfile,
        files: &BTreeMap<&str, File<'_>>,
    ) -> io::Result<()> {
        let body = self.table.files.get(verdict.robots()).unwrap_or_default();
        let Ok(profile) = turned(*profile, &row.head.turn) else { return Ok(()) };
        let answer = verdict.answer(body, &profile);
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

/// Writes why a row fails.
fn explain(out: &mut dyn Write, outcome: &Outcome<'_>) -> io::Result<()> {
    if let Some(exception) = outcome.exception {
        let what = if outcome.passed() { "known to fail" } else { "passes, but exceptions.toml lists it" };
        write!(out, "<br>{what}: {}", prose(&exception.reason))?;
    }
    for difference in &outcome.differences {
        write!(
            out,
            "<dl><dt>differs</dt><dd>{}</dd><dt>expected</dt><dd><code>{}</code></dd><dt>got</dt><dd><code>{}</code></dd>",
            prose(difference.what),
            bytes(difference.expected.as_bytes()),
            bytes(difference.got.as_bytes())
        )?;
        if let Some(because) = &difference.because {
            write!(out, "<dt>because</dt><dd>{}</dd>", bytes(because.as_bytes()))?;
        }
        write!(out, "</dl>")?;
    }
    Ok(())
}

fn items<'t>(out: &mut dyn Write, items: impl Iterator<Item = (&'t str, &'t String)>) -> io::Result<()> {
    for (name, value) in items {
        let value = prose(&shortened(value.as_bytes()));
        write!(out, "<dt>{name}</dt><dd><code>{value}</code></dd>")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(prose("<a href='x'>&\"\n\u{85}\u{202E}ツ"), {
            r"&lt;a href=&#39;x&#39;&gt;&amp;&quot;\x0A\xC2\x85\xE2\x80\xAEツ"
        });
        assert_eq!(bytes("<ツ\0".as_bytes()), r"&lt;\xE3\x83\x84\x00");
        assert_eq!(escaped_in_query("google/Q-01 &ツ"), "google/Q-01%20%26%E3%83%84");
    }
}
