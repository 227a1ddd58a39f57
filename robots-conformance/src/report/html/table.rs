//! The tables of a page: rows, and their result under each profile.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use robots_fetch::SiteProfile;

use crate::case::Case;
use crate::case::verdict::Verdict;
use crate::escape::shortened;
use crate::knob::turned;
use crate::report::html::file::{File, lines};
use crate::report::html::result::RowStatus;
use crate::report::html::text::{bytes, prose};
use crate::row::description::Description;
use crate::run::Outcome;
use crate::suite::names::PROFILES;
use crate::suite::table::{Row, Table};

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
            r#"<thead><tr><th scope="col">row</th><th scope="col">input</th><th scope="col">expected</th>"#
        )?;
        for (profile, _) in PROFILES {
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
        items(out, description.inputs.iter().map(|(name, value)| (*name, value)).chain(turns))?;
        write!(out, "</dl></td><td><dl>")?;
        items(out, description.expected.iter().map(|(name, value)| (*name, value)))?;
        write!(out, "</dl></td>")?;
        for (profile, knobs) in PROFILES {
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
            if let Case::Verdict(verdict) = &row.case {
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

fn items<'t>(out: &mut dyn Write, items: impl Iterator<Item = (&'static str, &'t String)>) -> io::Result<()> {
    for (name, value) in items {
        let value = prose(&shortened(value.as_bytes()));
        write!(out, "<dt>{name}</dt><dd><code>{value}</code></dd>")?;
    }
    Ok(())
}
