//! What no compiler checks.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Cargo, MEMBERS, Outcome, keys, root, say, text, well};

/// Looks for everything in this module, and prints what it finds.
pub(crate) fn tidy() -> Outcome {
    let root = root();
    let mut found = Vec::new();
    let sources = sources(&root)?;
    for source in &sources {
        found.extend(dialects(source));
        found.extend(enums(source));
        found.extend(constants(source));
        found.extend(unsafe_code(source));
    }
    let needles = absolute(&root);
    for path in files(&root)? {
        // Binary files and those of tables and corpora hold what they have to hold.
        let name = relative(&root, &path);
        if name.contains("/tables/") || name.contains("/corpus/") || name.contains("/statements/") {
            continue;
        }
        if let Ok(text) = fs::read_to_string(&path) {
            found.extend(paths(&name, &text, &needles));
        }
    }
    found.extend(direction(&root)?);
    found.extend(lowest()?);
    for what in &found {
        say(what);
    }
    say(&format!("tidy: {} files looked at, {} findings", sources.len(), found.len()));
    well(found.is_empty())
}

/// A source file of a member.
struct Source {
    /// Relative to the root.
    name: String,
    text: String,
}

impl Source {
    /// The lines of code with their numbers, up to the unit tests at the end. Of comments nothing is left, in strings
    /// everything stays.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().take_while(|line| line.trim_start() != "#[cfg(test)]");
        (1..).zip(lines).filter_map(|(number, line)| {
            let code = uncommented(line);
            (!code.trim().is_empty()).then_some((number, code))
        })
    }

    fn told(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.name)
    }

    fn is_of(&self, members: &[&str]) -> bool {
        members.iter().any(|member| self.name.starts_with(&format!("{member}/src/")))
    }

    fn is_named(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.ends_with(name))
    }
}

/// A line without its comment. A `//` within a string is no comment; there are no strings over several lines with one.
fn uncommented(line: &str) -> &str {
    let mut quoted = false;
    let mut escaped = false;
    let mut before = ' ';
    for (at, char) in line.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if before != '\'' => quoted = !quoted,
            '/' if !quoted && before == '/' => return line.get(..at - 1).unwrap_or_default(),
            _ => {}
        }
        before = char;
    }
    line
}

/// A dialect is named only where policies are, and where its grammar is.
fn dialects(source: &Source) -> Vec<String> {
    const LAYERS: [&str; 4] = ["robots-syntax", "robots-groups", "robots-match", "robots-fetch"];
    const NAMES: [&str; 4] = ["rfc9309", "google", "koster", "rfc_9309"];
    if !source.is_of(&LAYERS)
        || source.is_named(&["/policy.rs", "/profile.rs"])
        || source.name.contains("/src/grammar/")
        || source.is_named(&["/tests.rs"])
    {
        return Vec::new();
    }
    // What a command prints about its options is documentation; a path or a whole string of that name is not.
    let prints = source.name.contains("/src/bin/");
    let named = |code: &str| {
        let code = code.to_ascii_lowercase();
        let is_code = |name: &str| code.contains(&format!("::{name}")) || code.contains(&format!("\"{name}"));
        NAMES.into_iter().find(|name| if prints { is_code(name) } else { code.contains(name) })
    };
    source
        .code()
        .filter_map(|(line, code)| Some((line, named(code)?)))
        .map(|(line, name)| source.told(line, &format!("`{name}` is a dialect: ask a policy")))
        .collect()
}

/// A public enum is `non_exhaustive`, or says why it is complete.
fn enums(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let is_excused = |line: usize| {
        let before = lines.iter().take(line).rev();
        let attributes: Vec<&str> = before
            .map(|line| line.trim())
            .take_while(|line| !line.is_empty() && !line.ends_with('}') && !line.ends_with(';'))
            .collect();
        attributes.iter().any(|line| line.contains("#[non_exhaustive]") || line.contains("exhaustive_enums"))
    };
    let declared = source.code().filter(|(_, code)| code.trim_start().starts_with("pub enum "));
    declared
        .filter(|(line, _)| !is_excused(line - 1))
        .map(|(line, _)| source.told(line, "a public enum is #[non_exhaustive], or says why it is complete"))
        .collect()
}

/// A policy of a document says from which section, or from which heading, it is.
fn constants(source: &Source) -> Vec<String> {
    if !source.is_named(&["/policy.rs"]) {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let doc = |line: usize| {
        let before = lines.iter().take(line).rev().map(|line| line.trim());
        before
            .take_while(|line| line.starts_with("///") || line.starts_with("#["))
            .collect::<Vec<_>>()
            .join(" ")
    };
    source
        .code()
        .filter(|(_, code)| {
            let code = code.trim_start();
            code.starts_with("pub const ") && code.contains(": Self = Self {")
                || code.contains(": Self = Self::")
        })
        .filter(|(line, _)| {
            let doc = doc(line - 1);
            !(doc.contains("section") || doc.contains('"'))
        })
        .map(|(line, _)| source.told(line, "a policy names the section or the heading that it is from"))
        .collect()
}

/// The word that the lint forbids where it applies; here it is looked for in every file.
fn unsafe_code(source: &Source) -> Vec<String> {
    let word = concat!("un", "safe");
    let is_word = |code: &str| {
        code.split(|char: char| !char.is_alphanumeric() && char != '_').any(|found| found == word)
    };
    let lines = source.text.lines().map(uncommented);
    (1..)
        .zip(lines)
        .filter(|(_, code)| is_word(code))
        .map(|(line, _)| source.told(line, "there is none of this here"))
        .collect()
}

/// What would be a path of one machine: this folder, the home of who works here, and the homes of others.
fn absolute(root: &Path) -> Vec<String> {
    let mut needles = vec![concat!("/ho", "me/").to_owned(), concat!("/Us", "ers/").to_owned()];
    needles.extend(root.to_str().filter(|root| root.len() > 4).map(str::to_owned));
    needles.extend(env::var("HOME").ok().filter(|home| home.len() > 4).map(|home| format!("{home}/")));
    needles
}

fn paths(name: &str, text: &str, needles: &[String]) -> Vec<String> {
    let holds = |line: &str| needles.iter().any(|needle| line.contains(needle.as_str()));
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| holds(line))
        .map(|(line, _)| format!("{name}:{line}: a path of one machine"))
        .collect()
}

/// A crate depends on the one below it, and on no other of the workspace. The binary of a crate may not stretch that.
fn direction(root: &Path) -> Result<Vec<String>, String> {
    let below: [(&str, &[&str]); 6] = [
        ("robots-syntax", &[]),
        ("robots-groups", &["robots-syntax"]),
        ("robots-match", &["robots-groups"]),
        ("robots-fetch", &["robots-match"]),
        ("robots-conformance", &["robots-fetch"]),
        ("xtask", &[]),
    ];
    let mut found = Vec::new();
    for (member, allowed) in below {
        let manifest = text(&root.join(member).join("Cargo.toml"))?;
        for dependency in keys(&manifest, "dependencies") {
            if MEMBERS.contains(&dependency) && !allowed.contains(&dependency) {
                found.push(format!("{member}/Cargo.toml: {dependency} is not the layer below"));
            }
            if member == "xtask" {
                found.push(format!(
                    "{member}/Cargo.toml: {dependency}: xtask needs the standard library alone"
                ));
            }
        }
    }
    Ok(found)
}

/// The lowest layer needs nom and memchr, and nothing that they would bring.
fn lowest() -> Result<Vec<String>, String> {
    let tree = Cargo::new(["tree", "--quiet", "--package", "robots-syntax", "--all-features"])
        .arguments(&["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .output()?
        .ok_or("cargo tree failed")?;
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let others = names.filter(|name| !["robots-syntax", "nom", "memchr"].contains(name));
    Ok(others.map(|name| format!("robots-syntax depends on {name}")).collect())
}

/// The sources of all members, tests of theirs included; not those of workspaces of their own within a member.
fn sources(root: &Path) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for path in files(root)? {
        let name = relative(root, &path);
        let is_of = |member: &str, folder: &str| name.starts_with(&format!("{member}/{folder}/"));
        let is_member = MEMBERS
            .iter()
            .any(|member| ["src", "tests", "examples", "benches"].iter().any(|folder| is_of(member, folder)));
        if is_member && path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(Source { text: text(&path)?, name });
        }
    }
    Ok(sources)
}

/// All files, but for what is built and what git keeps.
fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let told = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(told)? {
            let entry = entry.map_err(told)?;
            let kind = entry.file_type().map_err(told)?;
            let name = entry.file_name();
            if kind.is_dir() && name != "target" && name != ".git" && name != "node_modules" {
                folders.push(entry.path());
            } else if kind.is_file() && name != ".git" {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> Source {
        Source { name: name.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn dialects_are_found_in_code_alone() {
        let text = "// google\nlet a = \"https://x\"; // RFC9309\nlet b = Policy::GOOGLE;\n#[cfg(test)]\nlet c = Policy::RFC9309;\n";
        assert_eq!(
            dialects(&source("robots-match/src/rules.rs", text)),
            ["robots-match/src/rules.rs:3: `google` is a dialect: ask a policy"]
        );
        assert!(dialects(&source("robots-match/src/policy.rs", text)).is_empty());
        let help =
            "  --profile NAME  rfc9309 or google\nlet a = Profile::GOOGLE;\nlet b = name == \"google\";\n";
        assert_eq!(dialects(&source("robots-fetch/src/bin/robots/main.rs", help)).len(), 2);
        assert!(dialects(&source("robots-conformance/src/run.rs", text)).is_empty());
    }

    #[test]
    fn enums_are_open_or_excused() {
        let text = "#[derive(Debug)]\n#[non_exhaustive]\npub enum A {}\n\n/// It.\npub enum B {}\n#[expect(clippy::exhaustive_enums, reason = \"\")]\npub enum C {}\n";
        assert_eq!(enums(&source("a.rs", text)).len(), 1);
        assert!(enums(&source("a.rs", text))[0].starts_with("a.rs:6:"));
    }

    #[test]
    fn constants_have_a_source() {
        let text = "/// RFC, section 2.\npub const A: Self = Self { x: 1 };\n/// Mine.\npub const B: Self = Self { x: 2 };\n";
        assert_eq!(constants(&source("x/policy.rs", text)).len(), 1);
        assert!(constants(&source("x/lib.rs", text)).is_empty());
    }

    #[test]
    fn the_word_is_found() {
        let code =
            format!("let a = {} {{ b() }};\n{}_code = 1;\n", concat!("un", "safe"), concat!("un", "safe"));
        assert_eq!(unsafe_code(&source("a.rs", &code)).len(), 1);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let needles = vec![concat!("/ho", "me/").to_owned()];
        assert_eq!(
            paths("a", &format!("x\ncd {}me\n", concat!("/ho", "me/")), &needles),
            ["a:2: a path of one machine"]
        );
    }
}
