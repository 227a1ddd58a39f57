//! A row in words, for reports.

/// A row for people to read. The text is as the table has it: whoever shows it escapes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// The names of the files it is about.
    pub files: Vec<String>,
    /// What it asks: a name and a value each, such as `agent` and `ExampleBot`.
    pub asks: Vec<(&'static str, String)>,
    /// What has to hold, in the same form.
    pub wants: Vec<(&'static str, String)>,
}

impl Told {
    /// A row about one file.
    pub(crate) fn of_file(name: &str) -> Self {
        Self { files: vec![name.to_owned()], ..Self::default() }
    }

    pub(crate) fn file(&mut self, name: &str) {
        if !self.files.iter().any(|other| other == name) {
            self.files.push(name.to_owned());
        }
    }

    pub(crate) fn ask(&mut self, name: &'static str, value: impl Into<String>) {
        self.asks.push((name, value.into()));
    }

    pub(crate) fn want(&mut self, name: &'static str, value: impl Into<String>) {
        self.wants.push((name, value.into()));
    }

    pub(crate) fn ask_given<T: ToString>(&mut self, name: &'static str, value: Option<&T>) {
        self.asks.extend(value.map(|value| (name, value.to_string())));
    }

    pub(crate) fn want_given<T: ToString>(&mut self, name: &'static str, value: Option<&T>) {
        self.wants.extend(value.map(|value| (name, value.to_string())));
    }

    /// Every item of a list; that there are none is told as well.
    pub(crate) fn want_all(&mut self, name: &'static str, values: &[String]) {
        match values {
            [] => self.want(name, "none"),
            _ => self.wants.extend(values.iter().map(|value| (name, value.clone()))),
        }
    }
}
