//! What a run found as one page of HTML that needs nothing beside itself.

mod file;
mod result;
mod statements;
mod table;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use robots_fetch::Profile;

use crate::report::Report;
use crate::report::html::result::RowStatus;
use crate::report::html::table::TableView;
use crate::report::html::text::prose;
use crate::suite::names::DOCUMENTS;

const HEAD: &str = include_str!("head.html");
const STYLE: &str = include_str!("html.css");
const SCRIPT: &str = include_str!("html.js");

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
        writeln!(out, "<h2 id=\"problems\">What is wrong with the tables as a whole</h2>\n<ul>")?;
        for problem in &self.problems {
            writeln!(out, "<li>{}</li>", prose(&problem.to_string()))?;
        }
        for unnoticed in &self.unnoticed {
            writeln!(out, "<li>{}</li>", prose(&unnoticed.to_string()))?;
        }
        writeln!(out, "</ul>")
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
