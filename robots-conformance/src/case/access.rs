//! Rows about access as kinds of rows.

use crate::case::{Difference, Files, Ground, Head, Kind, Written};
use crate::exchange::{Exchange, Mismatch, Timeline};

fn differences(mismatches: Vec<Mismatch>) -> Vec<Difference> {
    let difference = |found: Mismatch| {
        let difference = Difference::new(found.what, found.expected, found.got);
        if found.place.is_empty() { difference } else { difference.because(found.place) }
    };
    mismatches.into_iter().map(difference).collect()
}

macro_rules! kind {
    ($name:ident) => {
        impl Written for $name {
            fn head(&self) -> Head {
                Head {
                    name: self.name.clone(),
                    cites: self.cites.clone(),
                    profiles: self.profiles.clone(),
                    turn: self.turn.clone(),
                }
            }
        }

        impl Kind for $name {
            fn validate(&self, files: &Files) -> Result<(), String> {
                self.verify(|name| files.get(name))
            }

            fn check(&self, ground: &Ground<'_>) -> Vec<Difference> {
                differences(self.run(|name| ground.files.get(name), ground.profile))
            }
        }
    };
}

kind!(Exchange);
kind!(Timeline);
