//! The report as one HTML page that refers to no other resource.

mod file;
mod result;
mod statements;
mod table;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use robots_fetch::SiteProfile;

use crate::report::Report;
use crate::report::html::result::RowStatus;
use crate::report::html::table::TableView;
use crate::report::html::text::{bytes, prose};
use crate::suite::names::DOCUMENTS;
use crate::suite::names::PROFILES;

const HEAD: &str = include_str!("head.html");
const STYLE: &str = include_str!("html.css");
const SCRIPT: &str = include_str!("html.js");

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
        write_terms(out)?;
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
        for document in DOCUMENTS {
            write!(out, r#"<tr><th scope="row">{document}</th>"#)?;
            for (profile, _) in PROFILES {
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
        let profiles = PROFILES.map(|(name, _)| name);
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

/// Writes a list of terms.
fn write_terms(out: &mut dyn Write) -> io::Result<()> {
    const TERMS: [(&str, &str); 14] = [
        (
            "document",
            "a text that defines robots.txt, such as RFC 9309; `lint` stands for the checks of `robots lint`",
        ),
        ("statement", "one sentence, table row or figure of a document; its id is document/section-number"),
        ("reading", "how this project understands a sentence that is unclear; READINGS.md explains each"),
        ("waived", "no row can show this statement; the reason is given"),
        ("row", "one test case of a table: its input, what is expected, and the statements that it cites"),
        ("profile", "the settings of the implementation that follow one document, and have its name"),
        ("held", "the implementation does what the row expects, under this profile"),
        ("failed", "it does something else"),
        ("known", "the row fails as exceptions.toml says"),
        ("not named", "the row says nothing about this profile; the verdict is shown for comparison"),
        (
            "knob",
            "one setting of a profile, on which documents may differ: `groups.first-general-only` decides \
             whether only the first of several groups for every crawler applies; DIALECTS.md lists all knobs",
        ),
        ("turned", "the row sets these knobs to these values before it is run, whatever the profile says"),
        (
            "witness",
            "a row that fails when a knob of a profile gets another value; a knob without a witness could have the wrong \
             value although all rows hold, so it counts as a failure",
        ),
        ("\\xNN", "a byte other than printable ASCII, in hexadecimal digits"),
    ];
    writeln!(out, r#"<details id="terms"><summary>What the words on this page mean</summary><dl>"#)?;
    for (term, meaning) in TERMS {
        let meaning: String = meaning
            .split('`')
            .enumerate()
            .map(|(index, part)| if index % 2 == 1 { format!("<code>{part}</code>") } else { prose(part) })
            .collect();
        writeln!(out, "<dt>{term}</dt><dd>{meaning}</dd>")?;
    }
    writeln!(out, "</dl><p>Lines are counted from 1.</p></details>")
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
    style.extend(hidden_columns());
    style
}

fn hidden_columns() -> impl Iterator<Item = String> {
    let rule = |(number, (profile, _)): (usize, &(&str, SiteProfile))| {
        let column = number + 4;
        format!(
            "body[data-profile=\"{profile}\"] .rows tr > :nth-child(n+4):not(:nth-child({column})) {{ display: none; }}\n"
        )
    };
    PROFILES.iter().enumerate().map(rule).collect::<Vec<_>>().into_iter()
}
