//! Questions about rules of pages, and how rows write their answers.

use serde_json::{Map, Value, json};

use crate::escape::{shown, unescaped};

/// The keys of a question or an answer, with their values.
type Keys = Map<String, Value>;

/// The uses of a page, in the order in which rows list them. An answer that lists a use differs from its default.
const USES: [&str; 18] = [
    "url only",
    "index",
    "follow",
    "archive",
    "images",
    "translate",
    "snippet",
    "video",
    "image preview",
    "until",
    "available",
    "training",
    "answers",
    "search",
    "tdm",
    "tdm policy",
    "noai",
    "noimageai",
];

/// Keys of rows that ask about a limit or an interface of this project, so other implementations can't be asked about them.
const OWN: [&str; 12] = [
    "field_limit",
    "html_limit",
    "category",
    "cut",
    "rel",
    "document",
    "others",
    "field",
    "meta",
    "hints",
    "stops",
    "because",
];

/// Where the question has bytes: the key of a question, and those of rows with text and with the name of a file.
const BODIES: [(&str, &str, &str); 2] =
    [("html", "html", "html_file"), ("rendered", "rendered", "rendered_file")];

/// The bytes of a row as files of the release.
pub(super) trait Bodies {
    /// Adds a file and returns its name.
    fn add(&mut self, bytes: Vec<u8>) -> String;

    /// Returns the name and the bytes of the file that a table calls `name`.
    fn named(&self, name: &str) -> Option<(String, Vec<u8>)>;
}

/// Divides a row into the question and the answer; `None` if other implementations can't be asked.
pub(super) fn divided(row: &toml::Table, bodies: &mut impl Bodies) -> Result<Option<(Keys, Keys)>, String> {
    if OWN.iter().any(|key| row.contains_key(*key)) {
        return Ok(None);
    }
    let text = |key: &str| row.get(key).and_then(toml::Value::as_str);
    let mut ask = Map::new();
    let mut fields = fields(&super::strings(row, "fields"))?;
    if let Some((_, bytes)) = text("fields_file").and_then(|name| bodies.named(name)) {
        let lines = String::from_utf8_lossy(&bytes).into_owned();
        fields.extend(self::fields(&lines.lines().collect::<Vec<_>>())?);
    }
    ask.insert("fields".to_owned(), json!(fields));
    if row.contains_key("not_modified") {
        let fields = self::fields(&super::strings(row, "not_modified"))?;
        ask.insert("not_modified".to_owned(), json!(fields));
    }
    for (key, written, named) in BODIES {
        let file = match (text(written), text(named).and_then(|name| bodies.named(name))) {
            (Some(text), _) => Some(bodies.add(unescaped(text)?)),
            (None, file) => file.map(|(name, _)| name),
        };
        ask.extend(file.map(|file| (key.to_owned(), json!(file))));
    }
    let robots = text("robots").and_then(|name| bodies.named(name));
    ask.extend(robots.map(|(name, _)| ("file".to_owned(), json!(name))));
    let agents: Vec<&str> = text("agent").into_iter().chain(super::strings(row, "agents")).collect();
    ask.insert("agents".to_owned(), json!(agents));
    for key in ["ignores_wildcard", "path", "now"] {
        ask.extend(row.get(key).map(|value| (key.to_owned(), super::json_of(value, &Default::default()))));
    }
    let mut answer = Map::new();
    let (answers, sources) = answers(&super::strings(row, "expect"))?;
    answer.insert("answers".to_owned(), Value::Object(answers));
    if !sources.is_empty() {
        answer.insert("sources".to_owned(), Value::Object(sources));
    }
    Ok(Some((ask, answer)))
}

/// Returns names and values of fields. Each character of a value is one byte, as in ISO 8859-1.
fn fields(written: &[&str]) -> Result<Vec<[String; 2]>, String> {
    let field = |field: &&str| {
        let (name, value) = field.split_once(':').ok_or_else(|| format!("`{field}` is not a field"))?;
        let value = unescaped(value.strip_prefix(' ').unwrap_or(value))?;
        Ok([name.to_owned(), value.into_iter().map(char::from).collect()])
    };
    written.iter().map(field).collect()
}

/// Returns what this implementation can be asked about pages.
pub(super) fn can() -> Vec<String> {
    let needs = "page fields html rendered not-modified robots-txt clock odd-agent several-agents no-wildcard bytes nul \
        byte-order-mark size-limit long-line";
    needs.split(' ').map(str::to_owned).chain(USES.iter().map(|of| format!("page:{of}"))).collect()
}

/// Reads the answers of a row: values by use, and sources by use.
pub(super) fn answers(expected: &[impl AsRef<str>]) -> Result<(Keys, Keys), String> {
    let (mut answers, mut sources) = (Map::new(), Map::new());
    for text in expected.iter().map(AsRef::as_ref) {
        let (text, source) = match text.split_once(" [") {
            Some((text, source)) => (text, source.strip_suffix(']')),
            None => (text, None),
        };
        let uses = USES.iter().filter_map(|&of| {
            let rest = text.strip_prefix(of)?;
            let value = if rest.is_empty() { Some("yes") } else { rest.strip_prefix(' ') };
            Some((of, value?))
        });
        let found = uses.max_by_key(|(of, _)| of.len());
        let (of, value) = found.ok_or_else(|| format!("`{text}` is not an answer about a page"))?;
        answers.insert(of.to_owned(), json!(value));
        sources.extend(source.map(|source| (of.to_owned(), json!(source))));
    }
    Ok((answers, sources))
}

/// Writes a question and its answer as the keys of a row, which [`divided`] reads as the same question.
pub(super) fn joined(
    ask: &Map<String, Value>,
    answer: &Map<String, Value>,
    mut add: impl FnMut(&str, Value),
) {
    let fields = |value: &Value| -> Value {
        let fields = value.as_array().into_iter().flatten().filter_map(|field| {
            let bytes: Vec<u8> =
                field.get(1)?.as_str()?.chars().map(|byte| u8::try_from(byte).unwrap_or(b'?')).collect();
            let value = shown(
                &bytes
                    .iter()
                    .flat_map(|&byte| if byte == b'\\' { vec![b'\\', b'\\'] } else { vec![byte] })
                    .collect::<Vec<u8>>(),
            );
            Some(format!("{}: {value}", field.get(0)?.as_str()?))
        });
        json!(fields.collect::<Vec<_>>())
    };
    for (key, value) in ask {
        match &**key {
            "fields" | "not_modified" => add(key, fields(value)),
            "html" => add("html_file", value.clone()),
            "rendered" => add("rendered_file", value.clone()),
            "file" => add("robots", value.clone()),
            "agents" if value.as_array().is_some_and(Vec::is_empty) => {}
            _ => add(key, value.clone()),
        }
    }
    let answers = answer.get("answers").and_then(Value::as_object);
    let source = |of: &str| answer.get("sources").and_then(|sources| sources.get(of)).and_then(Value::as_str);
    let expect = USES.iter().filter_map(|&of| {
        let value = answers?.get(of)?.as_str()?;
        let value = if value == "yes" && of != "available" { String::new() } else { format!(" {value}") };
        let source = source(of).map(|source| format!(" [{source}]")).unwrap_or_default();
        Some(format!("{of}{value}{source}"))
    });
    add("expect", json!(expect.collect::<Vec<_>>()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_written() {
        let written = [
            "url only [robots.txt 3]",
            "index only embedded [meta 1 0..38 head]",
            "image preview none",
            "available yes",
            "answers title and snippet",
            "tdm reserved",
            "tdm policy https://example.com/policy",
            "noai",
        ];
        let (answers, sources) = answers(&written).unwrap();
        assert_eq!(answers["index"], "only embedded");
        assert_eq!(answers["url only"], "yes");
        assert_eq!(sources["index"], "meta 1 0..38 head");
        let mut row = Vec::new();
        let answer = [("answers", answers), ("sources", sources)];
        let answer = answer.into_iter().map(|(key, value)| (key.to_owned(), Value::Object(value))).collect();
        joined(&Map::new(), &answer, |key, value| row.push((key.to_owned(), value)));
        assert_eq!(row, [("expect".to_owned(), json!(written))]);
        assert!(super::answers(&["indexed"]).is_err());
    }
}
