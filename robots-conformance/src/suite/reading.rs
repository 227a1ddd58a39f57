//! Readings: how unclear sentences are understood. They are headings of READINGS.md.

/// A reading: how this project understands an unclear sentence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// `reading/<slug>`.
    pub id: String,
    /// The rest of the heading.
    pub says: String,
    /// Its line in READINGS.md.
    pub line: usize,
}

impl Reading {
    /// Reads the text of READINGS.md: ids in backticks, in lines that begin with `## `.
    pub(crate) fn read(text: &str) -> Vec<Self> {
        let headings =
            text.lines().zip(1..).filter_map(|(line, number)| Some((line.strip_prefix("## ")?, number)));
        headings
            .flat_map(|(heading, line)| {
                let outside: Vec<&str> = heading.split('`').step_by(2).map(str::trim).collect();
                let says = outside.join(" ").trim_matches([' ', ':', '-', '·', '—']).to_owned();
                heading
                    .split('`')
                    .skip(1)
                    .step_by(2)
                    .filter(|id| id.starts_with("reading/"))
                    .map(|id| Self { id: id.to_owned(), says: says.clone(), line })
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_readings() {
        let text = "# R\n\n## `reading/comma`: a comma in a value\n### `reading/no`\n## Other\n## Two `reading/a` `reading/b`\n";
        let found = Reading::read(text);
        let ids: Vec<_> = found.iter().map(|reading| (&*reading.id, &*reading.says, reading.line)).collect();
        assert_eq!(
            ids,
            [("reading/comma", "a comma in a value", 3), ("reading/a", "Two", 6), ("reading/b", "Two", 6)]
        );
    }
}
