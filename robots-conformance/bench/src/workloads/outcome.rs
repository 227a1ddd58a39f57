//! The figures of one workload.

use std::fmt;

/// The figures of one workload.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(super) workload: String,
    pub(super) unit: &'static str,
    /// Whether more is better.
    pub(super) rate: bool,
    pub(super) figures: Vec<(&'static str, f64)>,
    /// A remark, such as what the figures are compared with.
    pub(super) note: String,
}

impl Outcome {
    /// Returns how many times better this stack is than the best other candidate, and the name of that one.
    fn ratio(&self) -> Option<(f64, &'static str)> {
        let (_, own) = self.figures.first()?;
        let others = self.figures.iter().skip(1);
        let best = if self.rate {
            others.max_by(|a, b| a.1.total_cmp(&b.1))
        } else {
            others.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        best.map(|(name, figure)| (if self.rate { own / figure } else { figure / own }, *name))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        let figures: serde_json::Map<_, _> =
            self.figures.iter().map(|(name, figure)| ((*name).to_owned(), (*figure).into())).collect();
        serde_json::json!({
            "workload": self.workload,
            "unit": self.unit,
            "figures": figures,
            "ratio": self.ratio().map(|(ratio, _)| ratio),
            "against": self.ratio().map(|(_, name)| name),
            "note": self.note,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.workload)?;
        if let Some((ratio, name)) = self.ratio() {
            write!(f, ": {ratio:.2} times {name}")?;
        }
        writeln!(f)?;
        for (name, figure) in &self.figures {
            writeln!(f, "  {name:16} {figure:>14.1} {}", self.unit)?;
        }
        if !self.note.is_empty() {
            writeln!(f, "  {}", self.note)?;
        }
        Ok(())
    }
}
