//! Validates what `robots` writes for programs, with its own schemas and the published schema of SARIF 2.1.0:
//! `robots-schemas ROBOTS DOCUMENTS ROOT`, where ROBOTS is the program, DOCUMENTS
//! the example of robots-fetch that prints documents of the feature `serde`, and ROOT the folder of the workspace.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// The exit status if nothing could be checked.
const SKIPPED: u8 = 3;

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(robots), Some(documents), Some(root)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        println!("usage: robots-schemas ROBOTS DOCUMENTS ROOT");
        return ExitCode::from(2);
    };
    let sarif = match published() {
        Ok(path) => path,
        Err(why) => {
            println!("skipped: the published schema of SARIF is not available: {why}");
            return ExitCode::from(SKIPPED);
        }
    };
    let checked = check(&robots, &root, &sarif);
    match checked.and_then(|count| Ok(count + check_documents(&documents, &root)?)) {
        Ok(count) => {
            println!("{count} documents are valid");
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("failed: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the path of the published schema, in the package that contains it.
fn published() -> Result<PathBuf, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--quiet",
            "--locked",
            "--all-features",
            "--format-version",
            "1",
            "--manifest-path",
        ])
        .arg(manifest)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        let failed = String::from_utf8_lossy(&output.stderr);
        return Err(failed.lines().next().unwrap_or("cargo metadata failed").to_owned());
    }
    let all: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = all.get("packages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let package =
        packages.iter().find(|package| package.get("name").is_some_and(|name| name == "serde-sarif"));
    let manifest = package
        .and_then(|package| package.get("manifest_path")?.as_str())
        .ok_or("the package serde-sarif is missing")?;
    let schema = Path::new(manifest).with_file_name("src").join("schema.json");
    if schema.is_file() { Ok(schema) } else { Err("the package has no such file".to_owned()) }
}

/// A compiled schema.
struct Schema {
    name: String,
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn read(path: &Path) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let url = format!("schema:///{name}");
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(&url, value).map_err(|error| failed(&error))?;
        let index = compiler.compile(&url, &mut schemas).map_err(|error| failed(&error))?;
        Ok(Self { name, schemas, index })
    }

    fn hold(&self, document: &Value, what: &str) -> Result<(), String> {
        let validated = self.schemas.validate(document, self.index);
        validated.map_err(|error| format!("{what} against {}: {error}", self.name))
    }
}

/// Validates what the command writes. Returns the number of documents.
fn check(robots: &Path, root: &Path, sarif: &Path) -> Result<usize, String> {
    let own =
        |name: &str| Schema::read(&root.join("robots-fetch").join("schema").join(format!("{name}.json")));
    let (sarif, lint, explain) = (Schema::read(sarif)?, own("lint")?, own("explain")?);
    let (check, fetch) = (own("check")?, own("fetch")?);
    let (crawlers, diff, audit) = (own("crawlers")?, own("diff")?, own("audit")?);
    let mut count = 0;
    let mut hold = |schema: &Schema, arguments: &[&str], file: Option<&Path>| -> Result<(), String> {
        let mut command = Command::new(robots);
        command.args(arguments).args(file).stdin(Stdio::null());
        let what = format!(
            "`{}`",
            [arguments, &[&*file.unwrap_or(Path::new("")).to_string_lossy()]].concat().join(" ")
        );
        let output = command.output().map_err(|error| format!("{}: {error}", robots.display()))?;
        let document = serde_json::from_slice(&output.stdout).map_err(|error| format!("{what}: {error}"))?;
        count += 1;
        schema.hold(&document, &what)
    };
    let mut wrong = Vec::new();
    for file in files(root)? {
        let by = |command: &'static str| {
            [
                command,
                "--format",
                "json",
                "-a",
                "ExampleBot",
                "/",
                "https://example.com/a?b#c",
                "/robots.txt",
                "--robots",
            ]
        };
        for (schema, arguments) in [
            (&sarif, &["lint", "--format", "sarif"][..]),
            (&lint, &["lint", "--format", "json"]),
            (&explain, &by("explain")),
            (&check, &by("check")),
            (&crawlers, &["crawlers", "--format", "json"]),
            (&diff, &["diff", "--format", "json", "--profile", "google", "--against", "rfc9309"]),
            // One crawler, so one line.
            (&audit, &["audit", "--format", "jsonl"]),
            (&sarif, &["audit", "--format", "sarif"]),
        ] {
            wrong.extend(hold(schema, arguments, Some(&file)).err());
        }
    }
    // No server listens on this port.
    let silent = "http://127.0.0.1:1/";
    for (schema, command) in [(&explain, "explain"), (&check, "check"), (&fetch, "fetch")] {
        let mut arguments = vec![command, "--format", "json", "--no-cache", silent];
        if command != "fetch" {
            arguments.extend(["-a", "ExampleBot"]);
        }
        wrong.extend(hold(schema, &arguments, None).err());
    }
    // Inputs that can't be read are in the output, too.
    for (schema, arguments) in [
        (&lint, &["lint", "--format", "json", "none", "-"][..]),
        (&sarif, &["lint", "--format", "sarif", "none", "-"]),
        (&crawlers, &["crawlers", "--format", "json", "none", silent]),
        (&audit, &["audit", "--format", "jsonl", "none"]),
        (&sarif, &["audit", "--format", "sarif", "none", silent]),
    ] {
        wrong.extend(hold(schema, arguments, None).err());
    }
    // A schema that accepts everything would prove nothing.
    for schema in [&sarif, &lint, &explain, &check, &fetch, &crawlers, &diff, &audit] {
        if schema.hold(&serde_json::json!({ "version": 0 }), "nothing").is_ok() {
            wrong.push(format!("{} accepts any document", schema.name));
        }
    }
    if wrong.is_empty() { Ok(count) } else { Err(wrong.join("\n")) }
}

/// Validates the documents of the feature `serde`. Returns their number.
fn check_documents(documents: &Path, root: &Path) -> Result<usize, String> {
    let output = Command::new(documents).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{}: {error}", documents.display()))?;
    if !output.status.success() {
        return Err(format!("{}: {}", documents.display(), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut wrong = Vec::new();
    for name in ["verdict", "refusal", "entry", "rules"] {
        let schema = Schema::read(&root.join("robots-fetch").join("schema").join(format!("{name}.json")))?;
        let lines = text.lines().filter_map(|line| line.split_once('\t')).filter(|line| line.0 == name);
        let mut count = 0;
        for (_, document) in lines {
            let value = serde_json::from_str(document).map_err(|error| format!("{document}: {error}"))?;
            wrong.extend(schema.hold(&value, document).err());
            count += 1;
        }
        // A schema that accepts everything would prove nothing, and neither would one that is not used.
        if count == 0 || schema.hold(&serde_json::json!({ "version": 0 }), "nothing").is_ok() {
            wrong.push(format!("{} has {count} documents, or accepts any document", schema.name));
        }
    }
    if wrong.is_empty() { Ok(text.lines().count()) } else { Err(wrong.join("\n")) }
}

/// Returns the files of the corpus, and some with unusual bytes.
fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let corpus = root.join("robots-conformance").join("corpus");
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let entries = fs::read_dir(&corpus).map_err(|error| failed(&corpus, error))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.is_file());
    files.sort();
    let folder = root.join("target").join("schemas").join("files");
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    for (name, bytes) in [
        ("bytes, 100% \u{E9}", &b"\xFF\r\n\0: \x1B[1m\rUser-agent: a,b\nAllow /\xC3\nDisallow: /%zz\xE2\x80\xAE"[..]),
        ("empty", b""),
        ("clean", b"User-agent: *\nDisallow: /private\n"),
        ("fixes", b"\xEF\xBB\xBFUser-agent: *\nDisalow: /a%2f*\nDisallow: /a\nDisallow: /a\nHost: a/b\nCrawl-delay: x"),
    ] {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
        files.push(path);
    }
    Ok(files)
}
