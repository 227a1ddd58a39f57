//! The search for files that take more work than the known ones.
//!
//! A known shape is altered at random: a piece is doubled, removed, moved, taken from another shape, or has a part of its text
//! replaced. The files depend on the seed and their number alone, so that a find can be repeated. What seems to grow faster than the
//! file is counted, so that the time of a busy machine fails no check.

use core::time::Duration;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::MOST;
use super::commands::{Bench, Build, CASES, Case, PROFILES, SMALL, WHOLE, is_chosen, keep};
use super::shapes::{Piece, Random, Shape};
use crate::process::{Ended, Outcome, say, skipped, well};
use crate::valgrind;

/// Texts that pieces are made of, with `|` between them.
const TEXTS: &str = "user-agent:|disallow:|allow:|sitemap:|crawl-delay:|content-usage:|\n|\n\n|\r|/|*|$|%2F|%|?|&a=\
    |#| |,|{n}|{l}|{m}|{r}|{k}|{C}|a|google|/*a*b|\n# robots-lint: ignore |http://a.com/\
    |<meta name=| content='|>|x-robots-tag: ";

/// The factor of time by which a file of twice the size has to be slower to be counted.
const SUSPECT: f64 = 2.6;

/// The time below which a run is not counted, in seconds.
const FAST: f64 = 0.2;

/// The most alterations of a shape.
const MOST_ALTERATIONS: usize = 8;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    /// The first words of commands, or none for all.
    pub(crate) only: &'w [String],
    /// The time after which no new file is tried. Runs are ended at this time, too.
    pub(crate) seconds: u64,
    /// The seed; `None` for one of the clock.
    pub(crate) seed: Option<u64>,
    /// The number of the first file.
    pub(crate) from: u64,
}

/// Looks for expensive files for the commands whose names are chosen, until the time is over.
pub(super) fn search(wanted: &Wanted<'_>, build: Build) -> Outcome {
    let Wanted { only, seconds, seed, from } = *wanted;
    if !valgrind::is_installed() {
        skipped("search for expensive files", "valgrind is not installed");
        return Ok(Ended::Well);
    }
    let Some(bench) = Bench::new(build)? else { return Ok(Ended::Well) };
    let of_clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let seed = seed.unwrap_or_else(of_clock);
    say(&format!("looking for expensive files for {seconds} s; the seed is {seed}"));
    let end = Instant::now() + Duration::from_secs(seconds);
    let left = || end.saturating_duration_since(Instant::now()).as_secs();
    let (mut tried, mut all) = (0_u64, true);
    for number in from.. {
        let left = left();
        if left == 0 {
            break;
        }
        let Some((case, profile, shape)) = Drawn::new(seed, number, only).shape() else { break };
        tried += 1;
        let taken = |size: usize| bench.taken_within(case, profile, &shape.file(size), left.min(20));
        let small = taken(SMALL)?.seconds;
        if small < FAST / SUSPECT {
            continue;
        }
        let larger = taken(2 * SMALL)?.seconds;
        if larger < FAST || larger < SUSPECT * small {
            continue;
        }
        let again = format!("cargo xtask limits --search {} --seed {seed} --from {number}", seconds.max(600));
        let about = format!("{} under {profile}: {:?}: {again}", case.name, shape.pieces);
        let count = |size: usize| bench.instructions(case, profile, &shape.file(size), left);
        let (small, half) = (count(SMALL)?, count(2 * SMALL)?);
        if small.zip(half).is_some_and(|(small, half)| half <= MOST * small) {
            continue;
        }
        // Work with a bound grows until the bound is reached. The promise is about a whole file and half of one.
        match half.zip(count(WHOLE)?) {
            Some((half, whole)) if whole <= MOST * half => {}
            Some((half, whole)) => {
                all = false;
                let name = format!("{}-{profile}.txt", case.name.replace([' ', ':'], "-"));
                let path = keep(&shape.file(WHOLE), &name)?;
                say(&format!(
                    "failed: {half:.3e} instructions for 250 KiB and {whole:.3e} for 500 KiB: {}; {about}",
                    path.display()
                ));
            }
            None => say(&format!("too little time to count the instructions of {about}")),
        }
    }
    say(&format!("{tried} files were tried in {seconds} s"));
    well(all)
}

/// A file by its seed and number.
struct Drawn<'d> {
    random: Random,
    only: &'d [String],
}

impl<'d> Drawn<'d> {
    fn new(seed: u64, number: u64, only: &'d [String]) -> Self {
        let mut random = Random(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // The first numbers of near seeds are near each other.
        for _ in 0..8 {
            random.below(2);
        }
        Self { random, only }
    }

    /// Returns a command, a profile and a shape; `None` if no command is chosen.
    fn shape(mut self) -> Option<(&'static Case, &'static str, Shape)> {
        let cases: Vec<&Case> = CASES.iter().filter(|case| is_chosen(case.name, self.only)).collect();
        let case = *cases.get(self.random.below(cases.len()))?;
        let profile = PROFILES.get(self.random.below(PROFILES.len()))?;
        let known = case.shapes();
        let start = known.get(self.random.below(known.len()))?.clone();
        Some((case, profile, altered(start, known, &mut self.random)))
    }
}

/// Returns a shape that was altered.
fn altered(mut shape: Shape, known: &[Shape], random: &mut Random) -> Shape {
    for _ in 0..=random.below(MOST_ALTERATIONS) {
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
            let texts: Vec<&str> = TEXTS.split('|').collect();
            let text = texts.get(random.below(texts.len())).copied().unwrap_or_default();
            // Half of the time, a text is put in place of another; otherwise it is added.
            let end = if random.below(2) == 0 { one.max(other) } else { one.min(other) };
            piece.text.replace_range(one.min(other)..end, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_depend_on_seed_and_number_alone() {
        let drawn = |seed, number| {
            let (case, profile, shape) = Drawn::new(seed, number, &[]).shape().unwrap();
            (case.name, profile, shape.file(1000))
        };
        let differs = (0..100).filter(|&number| drawn(7, number) != drawn(8, number)).count();
        assert!((0..100).all(|number| drawn(7, number) == drawn(7, number)));
        assert!(differs > 90, "{differs}");
        assert!(Drawn::new(7, 0, &["unknown".to_owned()]).shape().is_none());
    }
}
