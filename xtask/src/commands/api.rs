//! `cargo xtask api`

use std::fs;
use std::path::Path;

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, say, skipped, well};
use crate::workspace::{LIBRARIES, check_target, folder, root, target, text, write};

/// Writes the public API of each published crate to its api.txt, and counts public items.
///
/// The lists have all features, without items that are hidden from the documentation. The counted items
/// are those in rustdoc's all.html. Needs the rustdoc of Rust 1.95, because other versions write
/// another format.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("api --check"))]
pub(crate) struct Api {
    /// Check that the files are up to date instead of writing them
    #[arg(long)]
    pub(crate) check: bool,
}

/// The exit status of `xtask/api` if rustdoc's JSON has the format of another Rust version.
const OTHER_FORMAT: u8 = 3;

pub(crate) fn api(options: &Api) -> Outcome {
    let Some(lists) = lists()? else {
        skipped("public API", "it is compared with Rust 1.95 only (rustup toolchain install 1.95)");
        return Ok(Ended::Well);
    };
    let mut passed = true;
    for (member, list) in LIBRARIES.into_iter().zip(lists) {
        let shown = format!("{}/api.txt", folder(member));
        let path = root().join(&shown);
        let known = if path.is_file() { text(&path)? } else { String::new() };
        let differences = differences(&known, &list);
        if differences.is_empty() {
            say(&format!("{shown} is up to date"));
        } else if options.check {
            passed = false;
            say(&format!("{shown} is out of date: run `cargo xtask api` and review the difference"));
            for difference in differences {
                say(&difference);
            }
        } else {
            write(&path, &list)?;
            say(&format!("{shown} is written: {} lines differ", differences.len()));
        }
    }
    let mut sum = 0;
    for member in LIBRARIES {
        let items = items(member)?;
        say(&format!("{member}: {items} public items"));
        sum += items;
    }
    say(&format!("public items in all: {sum}"));
    well(passed)
}

/// Returns the public API of each published crate; nothing if rustdoc is that of another Rust version.
fn lists() -> Result<Option<Vec<String>>, String> {
    let manifest = root().join("xtask").join("api").join("Cargo.toml");
    let folder = target().join("api");
    let built = Cargo::new(["build", "--quiet", "--locked", "--manifest-path", &manifest.to_string_lossy()])
        .with("CARGO_TARGET_DIR", &folder)
        .run()?;
    if built != Ended::Well {
        return Err("xtask/api could not be built".to_owned());
    }
    // The workspace does not contain xtask/api, so its tests run here.
    let tested = Cargo::new(["test", "--quiet", "--locked", "--manifest-path", &manifest.to_string_lossy()])
        .with("CARGO_TARGET_DIR", &folder)
        .passes()?;
    if !tested {
        return Err("the tests of xtask/api fail".to_owned());
    }
    let program = folder.join("debug").join(format!("xtask-api{}", std::env::consts::EXE_SUFFIX));
    // A folder of its own: rustdoc removes the HTML of a crate before it writes the JSON.
    let json_target = folder.join("json");
    let mut lists = Vec::new();
    for member in LIBRARIES {
        let json = Cargo::new(["rustdoc", "--quiet", "--package", member, "--lib", "--all-features", "--"])
            .arguments(&["-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"])
            .checking()
            .with("CARGO_TARGET_DIR", &json_target)
            // The dependencies are those of the HTML. Cargo before 1.91 does not know this variable, and builds them again.
            .with("CARGO_BUILD_BUILD_DIR", check_target())
            .run()?;
        if json != Ended::Well {
            return Err(format!("the documentation of {member} could not be built"));
        }
        let json = json_target.join("doc").join(format!("{}.json", member.replace('-', "_")));
        match list(&program, &json)? {
            Ok(list) => lists.push(list),
            Err(Some(OTHER_FORMAT)) => return Ok(None),
            Err(_) => return Err(format!("the public API of {member} could not be listed")),
        }
    }
    Ok(Some(lists))
}

/// Runs the program that lists a public API. Returns the list, or the exit status.
fn list(program: &Path, json: &Path) -> Result<Result<String, Option<u8>>, String> {
    let output = std::process::Command::new(program)
        .arg(json)
        .output()
        .map_err(|error| format!("could not start {}: {error}", program.display()))?;
    if output.status.success() {
        Ok(Ok(String::from_utf8_lossy(&output.stdout).into_owned()))
    } else {
        say(String::from_utf8_lossy(&output.stderr).trim_end());
        Ok(Err(output.status.code().and_then(|code| u8::try_from(code).ok())))
    }
}

/// Returns the lines that only one of two lists has, with `-` for the known list and `+` for the new list.
fn differences(known: &str, new: &str) -> Vec<String> {
    let only = |sign: char, of: &str, other: &str| -> Vec<String> {
        let mut rest: Vec<&str> = other.lines().collect();
        let mut only = Vec::new();
        for line in of.lines() {
            match rest.iter().position(|found| *found == line) {
                Some(at) => drop(rest.swap_remove(at)),
                None => only.push(format!("{sign} {line}")),
            }
        }
        only
    };
    let mut all = only('-', known, new);
    all.extend(only('+', new, known));
    if all.is_empty() && known != new {
        all.push("  the order of the lines".to_owned());
    }
    all
}

/// Counts the items that rustdoc's all.html lists for a crate with all features.
fn items(member: &str) -> Result<usize, String> {
    let documented =
        Cargo::new(["doc", "--quiet", "--no-deps", "--all-features", "--lib", "--package", member])
            // These flags are those of the step `doc` of `cargo xtask ci`, so that cargo need not build the pages again.
            .with("RUSTDOCFLAGS", "-D warnings --cfg docsrs")
            .checking()
            .run()?;
    if documented != Ended::Well {
        return Err(format!("the documentation of {member} could not be built"));
    }
    let page = check_target().join("doc").join(member.replace('-', "_")).join("all.html");
    let html = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    Ok(listed(&html))
}

/// Counts the entries of all.html: each is a link in a list of the class `all-items`.
fn listed(html: &str) -> usize {
    html.split("class=\"all-items\"")
        .skip(1)
        .map(|rest| rest.split("</ul>").next().unwrap_or_default().matches("<li>").count())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_listed_with_their_side() {
        assert_eq!(differences("a\nb\n", "b\nc\n"), ["- a", "+ c"]);
        assert_eq!(differences("a\na\n", "a\n"), ["- a"]);
        assert_eq!(differences("a\nb\n", "b\na\n").len(), 1);
        assert!(differences("a\n", "a\n").is_empty());
    }

    #[test]
    fn entries_of_all_html_are_counted() {
        let html = "<ul><li>menu</li></ul><ul class=\"all-items\"><li><a>A</a></li><li><a>B</a></li></ul>\
                    <h3>Enums</h3><ul class=\"all-items\"><li><a>C</a></li></ul>";
        assert_eq!(listed(html), 3);
    }
}
