//! Rows that compare a whole file with the grammar of a document.

use crate::row::{Answered, Difference, Files, Kind, RowContext, differs, row};

row! {
    /// A row `[[grammar]]`.
    pub struct Grammar {
        robots: String,
        conforms: Option<bool>,
        departs: Option<usize>,
    }
}

impl Grammar {
    /// Returns the first line that the grammar of the profile does not derive.
    fn found(&self, context: &RowContext<'_>) -> Option<usize> {
        let found = context.profile.rules.syntax.grammar.check(context.file(&self.robots));
        found.err().map(|departure| departure.line)
    }
}

fn in_words(departs: Option<usize>) -> String {
    departs.map_or_else(|| "conforms".to_owned(), |line| format!("departs in line {line}"))
}

impl Kind for Grammar {
    fn validate(&self, files: &Files) -> Result<(), String> {
        files.has(&self.robots)?;
        match (self.conforms, self.departs) {
            (Some(true), None) | (None, Some(1..)) => Ok(()),
            (None, Some(0)) => Err("lines are counted from 1".to_owned()),
            _ => Err("neither `conforms = true` nor `departs = LINE` is given; add one of them".to_owned()),
        }
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let expected = in_words(self.departs);
        differs("grammar", &expected, &in_words(self.found(context))).into_iter().collect()
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        Answered::one(&*self.robots, vec![in_words(self.found(context))])
    }
}
