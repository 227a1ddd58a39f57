//! `cargo xtask tidy`: checks that no compiler makes, one file each.

mod code;
mod facts;
mod file_name;
mod file_size;
mod imports;
mod layers;
mod licences;
mod machine_paths;
mod policies;
mod promises;
mod prose;
pub(crate) mod source;
mod updates;
mod words;

use std::fs;

use clap::Args;

use crate::help::ending;
use crate::process::{Outcome, say, well};
use crate::workspace::{root, text};

/// Checks what no compiler checks, such as wordings, circular imports, layers, file names and licences.
///
/// Prints each finding with its file and line. The wordings are those of xtask/src/tidy/words.txt.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("tidy"))]
pub(crate) struct Tidy {}

pub(crate) fn tidy() -> Outcome {
    let root = root();
    let sources = source::sources(&root)?;
    let wordings = words::wordings()?;
    let needles = machine_paths::absolute(&root);
    let mut checks: Vec<(&str, Vec<String>)> = Vec::new();
    let of_sources = |check: fn(&source::Source) -> Vec<String>| sources.iter().flat_map(check).collect();
    checks.push(("names of documents", of_sources(policies::dialects)));
    checks.push(("sources of policies", of_sources(policies::constants)));
    checks.push(("public enums", of_sources(code::enums)));
    checks.push(("forbidden keyword", of_sources(code::unsafe_code)));
    checks.push(("circular imports", imports::circles(&sources)));
    checks.push(("long files", file_size::file_size(&sources)));
    checks.push(("layers", [layers::direction(&root)?, layers::lowest()?].concat()));
    checks.push(("facts of manifests", facts::facts(&root)?));
    checks.push(("promises", promises::promises(&root, &text(&root.join("SECURITY.md"))?)));
    checks.push(("licence texts", licences::licences(&root)));
    let (mut names, mut paths, mut words) = (Vec::new(), Vec::new(), Vec::new());
    let files = source::files(&root)?;
    let file_names: Vec<String> = files.iter().map(|path| source::relative(&root, path)).collect();
    let configuration = text(&root.join(updates::CONFIGURATION))?;
    checks.push(("updates", updates::updates(file_names.iter().map(|name| &**name), &configuration)));
    for (path, name) in files.iter().zip(&file_names) {
        names.extend(file_name::file_name(name));
        // Recorded files keep the words and paths that they have.
        if words::is_checked(name)
            && let Ok(content) = fs::read_to_string(path)
        {
            paths.extend(machine_paths::paths(name, &content, &needles));
            words.extend(words::words(name, &content, &wordings));
        }
    }
    checks.push(("file names", names));
    checks.push(("paths of one machine", paths));
    checks.push(("wordings", words));
    for finding in checks.iter().flat_map(|(_, findings)| findings) {
        say(finding);
    }
    for (check, findings) in &checks {
        say(&format!("{check}: {} findings", findings.len()));
    }
    let count: usize = checks.iter().map(|(_, findings)| findings.len()).sum();
    say(&format!("tidy: {} files checked, {count} findings", files.len()));
    well(count == 0)
}
