//! Workflow commands of GitHub Actions, which annotate lines of files.

use core::fmt::Write as _;

use super::Printable;

/// Annotations, one on each line.
#[derive(Debug, Default)]
pub(crate) struct Annotations(String);

impl Annotations {
    pub(crate) const fn new() -> Self {
        Self(String::new())
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an annotation with a level (`error`, `warning` or `notice`), a place in a file and a title.
    pub(crate) fn add(&mut self, level: &'static str, place: &Place<'_>, title: &str, message: &str) {
        let Place { file, line, column } = *place;
        let mut properties = String::new();
        // Writing to a string can't fail.
        for (name, number) in [("line", line), ("col", column)] {
            let _ = number.map_or(Ok(()), |number| write!(properties, "{name}={number},"));
        }
        let file = file.map(|file| format!("file={},", property(file))).unwrap_or_default();
        let _ = writeln!(self.0, "::{level} {file}{properties}title={}::{}", property(title), data(message));
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.0.push_str(&other.0);
    }
}

/// A place in a file of the repository, of which parts may be unknown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'p> {
    pub(crate) file: Option<&'p str>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

impl From<Annotations> for Printable {
    fn from(annotations: Annotations) -> Self {
        Self { text: annotations.0, has_commands: true }
    }
}

/// Returns the text of a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_escaped() {
        let mut all = Annotations::new();
        let hostile = "100%:\r\n,";
        all.add("error", &Place { file: Some(hostile), line: Some(1), column: Some(2) }, hostile, hostile);
        all.add("notice", &Place::default(), "title", "message");
        let escaped = "100%25%3A%0D%0A%2C";
        assert_eq!(
            all.0,
            format!(
                "::error file={escaped},line=1,col=2,title={escaped}::100%25:%0D%0A,\n::notice title=title::message\n"
            )
        );
    }
}
