//! `cargo xtask tidy`: checks that neither a compiler nor a well-kept tool makes.

mod files;
mod imports;
mod manifests;
mod policies;
mod promises;
pub(crate) mod source;
mod words;

use std::fs;

use clap::Args;

use crate::help::ending;
use crate::process::{Outcome, say, well};
use crate::workspace::{root, text};

/// Checks what no other tool checks: layers, circular imports, sizes of files, promises and wordings.
///
/// Prints each finding with its file and line. The wordings are those of xtask/src/tidy/words.txt.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("tidy"))]
pub(crate) struct Tidy {}

/// Whether a person reads the file, and the project wrote it. Recorded files keep their words and paths, and snapshots have those
/// of the rows and the code.
fn is_ours(name: &str) -> bool {
    !["corpus/", "snapshots/", "seeds.json", "words.txt", "words.rs"].iter().any(|part| name.contains(part))
}

pub(crate) fn tidy() -> Outcome {
    let root = root();
    let sources = source::sources(&root)?;
    let mut findings = Vec::new();
    for source in &sources {
        findings.extend(policies::dialects(source));
        findings.extend(policies::constants(source));
        findings.extend(files::long(source));
    }
    findings.extend(imports::circles(&sources));
    findings.extend(manifests::layers()?);
    findings.extend(manifests::readmes(&root)?);
    findings.extend(promises::promises(&text(&root.join("SECURITY.md"))?, &promises::Tests::read(&root)?));
    findings.extend(files::licences(&root));
    let (wordings, machine) = (words::wordings(), files::of_this_machine(&root));
    let updates = text(&root.join(".github/dependabot.yml"))?;
    let all = source::files(&root)?;
    for path in &all {
        let name = source::relative(&root, path);
        findings.extend(files::updates(&name, &updates));
        if let Some(content) = fs::read_to_string(path).ok().filter(|_| is_ours(&name)) {
            findings.extend(files::with_paths(&name, &content, &machine));
            if [".rs", ".md", ".toml"].iter().any(|end| name.ends_with(end)) {
                findings.extend(words::words(&name, &content, &wordings));
            }
        }
    }
    findings.iter().for_each(|finding| say(finding));
    say(&format!("tidy: {} files checked, {} findings", all.len(), findings.len()));
    well(findings.is_empty())
}
