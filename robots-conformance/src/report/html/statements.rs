//! The statements and readings of a page.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::report::Report;
use crate::report::html::text::{escaped_in_query, prose};
use crate::suite::names::DOCUMENTS;
use crate::suite::names::PROFILES;
use crate::suite::statement::Statement;

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
            PROFILES.iter().map(|(profile, _)| cell(*profile)).collect()
        };
        let profiles: String =
            PROFILES.iter().map(|(profile, _)| format!(r#"<th scope="col">{profile}</th>"#)).collect();
        writeln!(out, r#"<h2 id="statements">Statements</h2>"#)?;
        for document in DOCUMENTS {
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
