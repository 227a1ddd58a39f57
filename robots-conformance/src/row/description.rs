//! A row in words, for reports.

/// A row in words. The text is that of the table, not escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// The names of its files.
    pub files: Vec<String>,
    /// The input: names and values, such as `agent` and `ExampleBot`.
    pub inputs: Vec<(&'static str, String)>,
    /// The expected results: names and values.
    pub expected: Vec<(&'static str, String)>,
}

impl Description {
    /// Creates the description of a row about one file.
    pub(crate) fn for_file(name: &str) -> Self {
        Self { files: vec![name.to_owned()], ..Self::default() }
    }

    pub(crate) fn add_file(&mut self, name: &str) {
        if !self.files.iter().any(|other| other == name) {
            self.files.push(name.to_owned());
        }
    }

    pub(crate) fn add_input(&mut self, name: &'static str, value: impl Into<String>) {
        self.inputs.push((name, value.into()));
    }

    pub(crate) fn expect(&mut self, name: &'static str, value: impl Into<String>) {
        self.expected.push((name, value.into()));
    }

    pub(crate) fn add_input_if_given<T: ToString>(&mut self, name: &'static str, value: Option<&T>) {
        self.inputs.extend(value.map(|value| (name, value.to_string())));
    }

    pub(crate) fn expect_if_given<T: ToString>(&mut self, name: &'static str, value: Option<&T>) {
        self.expected.extend(value.map(|value| (name, value.to_string())));
    }

    /// Adds every item of a list; `none` for an empty list.
    pub(crate) fn expect_all(&mut self, name: &'static str, values: &[String]) {
        match values {
            [] => self.expect(name, "none"),
            _ => self.expected.extend(values.iter().map(|value| (name, value.clone()))),
        }
    }
}
