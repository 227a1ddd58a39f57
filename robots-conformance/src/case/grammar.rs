//! Rows that compare a whole file with the grammar of a document.

use crate::row::description::Description;
use crate::row::difference::{Difference, differs};
use crate::row::files::Files;
use crate::row::{Kind, RowContext, row};

row! {
    /// A row `[[grammar]]`.
    pub struct Grammar {
        robots: String,
        conforms: Option<bool>,
        departs: Option<usize>,
    }
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
        let said = |departs: Option<usize>| match departs {
            None => "conforms".to_owned(),
            Some(line) => format!("departs in line {line}"),
        };
        let found = context.profile.rules.syntax.grammar.check(context.file(&self.robots));
        let got = found.err().map(|departure| departure.line);
        differs("grammar", &said(self.departs), &said(got)).into_iter().collect()
    }

    fn describe(&self) -> Description {
        let mut description = Description::for_file(&self.robots);
        match self.departs {
            None => description.expect("conforms", "true"),
            Some(line) => description.expect("departs in line", line.to_string()),
        }
        description
    }
}
