//! The search for files that take more work than the known ones.
//!
//! A shape is altered at random: a piece is doubled, removed, moved, taken from another shape, or has a part of its text replaced.
//! An altered shape that takes more time than the worst one so far takes its place. What seems to grow faster than the file is
//! counted, so that the time of a busy machine fails no check.

use core::time::Duration;
use std::time::Instant;
use std::time::{SystemTime, UNIX_EPOCH};

use super::MOST;
use super::commands::{Bench, CASES, Case, PROFILES, SMALL, WHOLE, is_chosen, keep};
use super::shapes::{Piece, Random, Shape};
use crate::process::{Ended, Outcome, say, skipped, well};
use crate::valgrind;

/// Texts that pieces are made of.
const TEXTS: [&str; 34] = [
    "user-agent:",
    "disallow:",
    "allow:",
    "sitemap:",
    "crawl-delay:",
    "content-usage:",
    "\n",
    "\n\n",
    "\r",
    "/",
    "*",
    "$",
    "%2F",
    "%",
    "?",
    "&a=",
    "#",
    " ",
    ",",
    "{n}",
    "{l}",
    "{m}",
    "{r}",
    "{k}",
    "{C}",
    "a",
    "google",
    "/*a*b",
    "\n# robots-lint: ignore ",
    "http://a.com/",
    "<meta name=",
    " content='",
    ">",
    "x-robots-tag: ",
];

/// The factor of time by which a file of twice the size has to be slower to be counted.
const SUSPECT: f64 = 2.6;

/// Looks for expensive files for the commands whose names are chosen, until the time is over.
pub(super) fn search(only: &[String], seconds: u64) -> Outcome {
    if !valgrind::is_installed() {
        skipped("search for expensive files", "valgrind is not installed");
        return Ok(Ended::Well);
    }
    let cases: Vec<&Case> = CASES.iter().filter(|case| is_chosen(case.name, only)).collect();
    let Some(bench) = Bench::new()? else { return Ok(Ended::Well) };
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    say(&format!("seed {seed}"));
    let mut random = Random(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut tried, mut all) = (0, true);
    let mut worst: Vec<(f64, Shape)> = Vec::new();
    while Instant::now() < end && !cases.is_empty() {
        let place = random.below(cases.len() * PROFILES.len());
        worst.resize_with(cases.len() * PROFILES.len(), || {
            (0.0, Shape { name: String::new(), pieces: Vec::new() })
        });
        let (Some(case), Some(profile), Some((most, shape))) =
            (cases.get(place / PROFILES.len()), PROFILES.get(place % PROFILES.len()), worst.get_mut(place))
        else {
            continue;
        };
        let known = case.shapes();
        let start = if random.below(3) == 0 || shape.pieces.is_empty() {
            known.get(random.below(known.len())).cloned().unwrap_or_else(|| shape.clone())
        } else {
            shape.clone()
        };
        let altered = altered(start, &known, &mut random);
        let taken = bench.taken(case, profile, &altered.file(SMALL))?.seconds;
        tried += 1;
        if taken <= *most {
            continue;
        }
        (*most, *shape) = (taken, altered);
        let larger = bench.taken(case, profile, &shape.file(2 * SMALL))?.seconds;
        if larger > 0.2 && larger > SUSPECT * taken {
            let count = |size: usize| bench.instructions(case, profile, &shape.file(size));
            let [half, double] =
                if larger.is_finite() { [count(WHOLE / 2)?, count(WHOLE)?] } else { [1.0, f64::INFINITY] };
            if double / half > MOST {
                all = false;
                let name = format!("{}-{profile}.txt", case.name.replace(' ', "-"));
                let path = keep(&shape.file(WHOLE), &name)?;
                say(&format!(
                    "{} under {profile}: {half:.3e} instructions for 250 KiB and {double:.3e} for 500 KiB: {} ({:?})",
                    case.name,
                    path.display(),
                    shape.pieces
                ));
            }
        }
    }
    say(&format!("{tried} files were tried in {seconds} s"));
    well(all)
}

/// Returns a shape that was altered up to three times.
fn altered(mut shape: Shape, known: &[Shape], random: &mut Random) -> Shape {
    for _ in 0..=random.below(3) {
        alter(&mut shape.pieces, known, random);
    }
    if shape.pieces.iter().all(|piece| piece.share == 0) {
        shape.pieces.push(Piece { share: 100, text: "disallow:/{n}\n".to_owned() });
    }
    shape
}

fn alter(pieces: &mut Vec<Piece>, known: &[Shape], random: &mut Random) {
    let place = random.below(pieces.len().max(1));
    match random.below(6) {
        0 => {
            let other =
                known.get(random.below(known.len())).map(|shape| shape.pieces.as_slice()).unwrap_or_default();
            if let Some(piece) = other.get(random.below(other.len())) {
                pieces.insert(place.min(pieces.len()), piece.clone());
            }
        }
        1 if pieces.len() > 1 => drop(pieces.remove(place)),
        2 => {
            if let Some(piece) = pieces.get_mut(place) {
                piece.share = [0, 10, 50, 100].get(random.below(4)).copied().unwrap_or_default();
            }
        }
        3 => {
            if let Some(piece) = pieces.get(place).cloned() {
                pieces.insert(random.below(pieces.len()), piece);
            }
        }
        _ => {
            let Some(piece) = pieces.get_mut(place) else { return };
            let ends: Vec<usize> =
                piece.text.char_indices().map(|(at, _)| at).chain([piece.text.len()]).collect();
            let at = |random: &mut Random| ends.get(random.below(ends.len())).copied().unwrap_or_default();
            let (one, other) = (at(random), at(random));
            let text = TEXTS.get(random.below(TEXTS.len())).copied().unwrap_or_default();
            // Half of the time, a text is put in place of another; otherwise it is added.
            let end = if random.below(2) == 0 { one.max(other) } else { one.min(other) };
            piece.text.replace_range(one.min(other)..end, text);
        }
    }
}
