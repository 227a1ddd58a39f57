//! The verdict rows of the tables, and the statements they cite.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A row: a file, a crawler, a path or URL, and what the documents say.
#[derive(Debug)]
pub(crate) struct Row {
    /// The table and the name of the row, as `rfc9309/2.2.1-groups/merged`.
    pub(crate) name: String,
    pub(crate) cites: Vec<String>,
    pub(crate) profiles: Vec<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) agents: Vec<String>,
    pub(crate) together: bool,
    pub(crate) path: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) is_allowed: bool,
    /// The part of the question that no other implementation takes.
    pub(crate) unasked: Option<&'static str>,
}

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    robots: BTreeMap<String, String>,
    #[serde(default)]
    escaped: BTreeMap<String, String>,
    #[serde(default)]
    generated: BTreeMap<String, Vec<(String, usize)>>,
    #[serde(default)]
    verdict: Vec<Verdict>,
}

#[derive(Deserialize)]
struct Verdict {
    name: String,
    cites: Vec<String>,
    profiles: Vec<String>,
    robots: String,
    agent: Option<String>,
    agents: Option<Vec<String>>,
    #[serde(default)]
    together: bool,
    #[serde(default)]
    ignores_wildcard: bool,
    #[serde(default)]
    turn: Vec<String>,
    path: Option<String>,
    url: Option<String>,
    expect: String,
}

/// All rows below `tables`, in the order of their files.
pub(crate) fn rows(tables: &Path) -> Result<Vec<Row>, String> {
    let mut files = Vec::new();
    collect(tables, &mut files)?;
    let mut rows = Vec::new();
    for file in files {
        let within = file.strip_prefix(tables).unwrap_or(&file).with_extension("");
        let name = within.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let table: Table = read(&file)?;
        let bodies = table.bodies().map_err(|what| format!("{}: {what}", file.display()))?;
        for verdict in table.verdict {
            let body = bodies
                .get(&verdict.robots)
                .ok_or_else(|| format!("{}: unknown file `{}`", file.display(), verdict.robots))?;
            rows.push(verdict.row(&name.join("/"), body.clone()));
        }
    }
    Ok(rows)
}

/// Returns the text of each statement, by its id.
pub(crate) fn statements(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    #[derive(Deserialize)]
    struct Statements {
        #[serde(default)]
        statement: Vec<Statement>,
    }
    #[derive(Deserialize)]
    struct Statement {
        id: String,
        says: String,
    }
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let mut all = BTreeMap::new();
    for file in files {
        let read: Statements = read(&file)?;
        all.extend(read.statement.into_iter().map(|statement| (statement.id, statement.says)));
    }
    Ok(all)
}

impl Table {
    fn bodies(&self) -> Result<BTreeMap<String, Vec<u8>>, String> {
        let mut bodies = BTreeMap::new();
        for (name, text) in &self.robots {
            bodies.insert(name.clone(), text.clone().into_bytes());
        }
        for (name, text) in &self.escaped {
            bodies.insert(name.clone(), unescaped(text)?);
        }
        for (name, pieces) in &self.generated {
            let mut body = Vec::new();
            for (piece, times) in pieces {
                body.extend(unescaped(piece)?.repeat(*times));
            }
            bodies.insert(name.clone(), body);
        }
        Ok(bodies)
    }
}

impl Verdict {
    fn row(self, table: &str, body: Vec<u8>) -> Row {
        let unasked = if !self.turn.is_empty() {
            Some("the row sets a knob of this project")
        } else if self.ignores_wildcard {
            Some("a crawler that does not obey `*`")
        } else {
            None
        };
        Row {
            name: format!("{table}/{}", self.name),
            cites: self.cites,
            profiles: self.profiles,
            body,
            agents: self.agents.unwrap_or_else(|| self.agent.into_iter().collect()),
            together: self.together,
            path: self.path,
            url: self.url,
            is_allowed: self.expect == "allow",
            unasked,
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            collect(&entry, files)?;
        } else if entry.extension().is_some_and(|extension| extension == "toml") {
            files.push(entry);
        }
    }
    Ok(())
}

fn read<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<T, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(|error| failed(&error))?;
    toml::from_str(&text).map_err(|error| failed(&error))
}

/// The bytes of `text`, in which `\r \n \t \\ \xEF` stand for others.
fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'r') => b'\r',
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'\\') => b'\\',
            Some(b'x') => {
                let digits: Vec<u32> =
                    rest.by_ref().take(2).filter_map(|digit| char::from(digit).to_digit(16)).collect();
                match digits[..] {
                    [high, low] => u8::try_from(high * 16 + low).map_err(|error| error.to_string())?,
                    _ => return Err("`\\x` needs two hexadecimal digits".into()),
                }
            }
            _ => return Err("unknown escape".into()),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_bytes() {
        assert_eq!(unescaped(r"\xEF\r\n\t\\a"), Ok(vec![0xEF, b'\r', b'\n', b'\t', b'\\', b'a']));
        assert!(unescaped(r"\q").is_err() && unescaped(r"\x1").is_err() && unescaped("\\").is_err());
    }

    #[test]
    fn all_rows_can_be_read() {
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
        let rows = rows(&tables).expect("tables");
        assert!(rows.len() > 500);
        assert!(rows.iter().all(|row| row.path.is_some() != row.url.is_some()));
    }
}
