//! The figures of one workload.

use std::fmt;

/// The second copy of this implementation. Its figure shows how much figures of the same code differ.
pub(super) const AGAIN: &str = "robots again";

/// Not an implementation: only reads each byte of the path.
pub(super) const PATH: &str = "only the path";

/// The figures of one workload.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(super) workload: String,
    pub(super) unit: &'static str,
    /// Whether more is better.
    pub(super) rate: bool,
    /// The figure of each candidate, this implementation first.
    pub(super) figures: Vec<(&'static str, f64)>,
    /// How many of how many answers of a candidate differ from those of this implementation.
    pub(super) differing: Vec<(&'static str, usize, usize)>,
    /// A remark, such as what the figures are compared with.
    pub(super) note: String,
}

impl Outcome {
    /// Returns how many times better this stack is than the best other candidate, and the name of that one.
    fn ratio(&self) -> Option<(f64, &'static str)> {
        let (_, own) = self.figures.first()?;
        let others = self.figures.iter().skip(1).filter(|(name, _)| ![AGAIN, PATH].contains(name));
        let best = if self.rate {
            others.max_by(|a, b| a.1.total_cmp(&b.1))
        } else {
            others.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        best.map(|(name, figure)| (if self.rate { own / figure } else { figure / own }, *name))
    }

    /// Returns by how much the two copies of this implementation differ, as a part of 1.
    fn noise(&self) -> Option<f64> {
        let (_, own) = self.figures.first()?;
        let (_, again) = self.figures.iter().find(|(name, _)| *name == AGAIN)?;
        Some((again / own - 1.0).abs())
    }

    /// Returns the part of the answers of a candidate that differ.
    fn share(&self, name: &str) -> Option<f64> {
        let (_, differing, of) = self.differing.iter().find(|(known, ..)| *known == name)?;
        Some(*differing as f64 / *of as f64)
    }

    /// Returns the ratio in one line.
    pub(crate) fn line(&self) -> Option<String> {
        let (ratio, name) = self.ratio()?;
        let noise = self.noise().map(|noise| format!("two copies differ by {:.1} %", 100.0 * noise));
        let share = self.share(name).map(|share| format!("{:.1} % of its answers differ", 100.0 * share));
        let remarks: Vec<String> = share.into_iter().chain(noise).collect();
        let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join("; ")) };
        Some(format!("{}: {ratio:.2} times {name}{remarks}", self.workload))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        let figures: serde_json::Map<_, _> =
            self.figures.iter().map(|(name, figure)| ((*name).to_owned(), (*figure).into())).collect();
        let differing: serde_json::Map<_, _> =
            self.differing.iter().map(|&(name, ..)| (name.to_owned(), self.share(name).into())).collect();
        serde_json::json!({
            "workload": self.workload,
            "unit": self.unit,
            "figures": figures,
            "differing": differing,
            "noise": self.noise(),
            "ratio": self.ratio().map(|(ratio, _)| ratio),
            "against": self.ratio().map(|(_, name)| name),
            "note": self.note,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.line().unwrap_or_else(|| self.workload.clone()))?;
        for (name, figure) in &self.figures {
            write!(f, "  {name:19} {figure:>14.1} {}", self.unit)?;
            if let Some(share) = self.share(name) {
                write!(f, ", {:.1} % of answers differ", 100.0 * share)?;
            }
            writeln!(f)?;
        }
        if !self.note.is_empty() {
            writeln!(f, "  {}", self.note)?;
        }
        Ok(())
    }
}
