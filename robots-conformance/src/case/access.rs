//! Rows about access; [`crate::exchange`] runs them.

use crate::case::Case;
use crate::exchange::{Exchange, Mismatch, Timeline};
use crate::row::Answered;
use crate::row::Description;
use crate::row::Difference;
use crate::row::Files;
use crate::row::{Head, Kind, RowContext, Written};

macro_rules! access {
    ($($kind:ident),*) => {$(
        impl Written for $kind {
            fn head(&self) -> Head {
                Head {
                    name: self.name.clone(),
                    cites: self.cites.clone(),
                    profiles: self.profiles.clone(),
                    turn: self.turn.clone(),
                }
            }
        }

        impl Kind for $kind {
            fn validate(&self, files: &Files) -> Result<(), String> {
                self.verify(|name| files.get(name))
            }

            fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
                let mismatches = self.run(|name| context.files.get(name), context.profile);
                mismatches.into_iter().map(Difference::from).collect()
            }

            fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
                self.after_each_step(|name| context.files.get(name), context.profile)
            }

            fn describe(&self) -> Description {
                self.describe()
            }
        }
    )*};
}

access!(Exchange, Timeline);

impl Case {
    /// Returns the retrievals of a row about access; `None` for other rows.
    #[must_use]
    pub fn timeline(&self) -> Option<Timeline> {
        match self {
            Self::Exchange(exchange) => Some(exchange.timeline()),
            Self::Timeline(timeline) => Some(timeline.clone()),
            _ => None,
        }
    }
}

impl From<Mismatch> for Difference {
    fn from(mismatch: Mismatch) -> Self {
        let Mismatch { what, place, expected, got } = mismatch;
        let difference = Self::new(what, expected, got);
        if place.is_empty() { difference } else { difference.because(format!("this is at {place}")) }
    }
}
