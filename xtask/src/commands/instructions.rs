//! `cargo xtask bench --instructions`: the instructions of each layer, compared with recorded ones.

use std::fs;

use crate::process::{Cargo, Ended, Outcome, printed, say, skipped, well};
use crate::valgrind::{Counted, counted, is_installed};
use crate::workspace::root;

/// The folder of the program that is counted.
const FOLDER: &str = "robots-conformance/instructions";

/// By how much a count may grow.
const MOST: f64 = 1.02;

/// Counts the instructions of each case. Fails if one has grown by more than 2 % over the recorded count, if compiler and
/// target are those of the record. With `record`, records the counts anew instead.
pub(crate) fn instructions(record: bool) -> Outcome {
    if !is_installed() {
        skipped("instructions", "valgrind is not installed; install it from your system");
        return Ok(Ended::Well);
    }
    let folder = root().join(FOLDER);
    let manifest = folder.join("Cargo.toml");
    let target = folder.join("target");
    let build =
        ["build", "--release", "--quiet", "--locked", "--manifest-path", &*manifest.to_string_lossy()];
    let ended = Cargo::new(build).with("CARGO_TARGET_DIR", &target).in_place().run()?;
    if !matches!(ended, Ended::Well) {
        return Ok(ended);
    }
    let program = target.join("release").join("robots-instructions").to_string_lossy().into_owned();
    let list = printed(&program, &["list"]).ok_or("the program `robots-instructions` failed")?;
    let (machine, cases) = list.split_once('\n').ok_or("the program `robots-instructions` lists no cases")?;
    let rustc = printed("rustc", &["--version"]).ok_or("rustc could not be started")?;
    let header = format!("{}\t{machine}", rustc.trim());
    let mut counts: Vec<(&str, Counted)> = Vec::new();
    for case in cases.lines() {
        counts.push((case, counted(&program, &[case])?));
    }
    let file = folder.join("recorded.tsv");
    if record {
        let lines = counts
            .iter()
            .map(|(case, counted)| format!("{case}\t{}\t{}\n", counted.instructions, counted.branch_misses));
        let text = format!("{header}\n{}", lines.collect::<String>());
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        say(&format!("recorded {} counts in {FOLDER}/recorded.tsv", counts.len()));
        return Ok(Ended::Well);
    }
    let recorded = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    well(compare(&recorded, &header, &counts))
}

/// Prints counts beside recorded ones. Returns whether none has grown too much, or those recorded are of another compiler.
fn compare(recorded: &str, header: &str, counts: &[(&str, Counted)]) -> bool {
    let (known, lines) = recorded.split_once('\n').unwrap_or((recorded, ""));
    let is_same = known == header;
    if !is_same {
        say(&format!(
            "recorded with {known}; this is {header}: the counts are not comparable, and none fails"
        ));
    }
    say("| case | instructions | recorded | growth | branch misses | recorded |");
    say("| --- | ---: | ---: | ---: | ---: | ---: |");
    let mut all = true;
    for (case, Counted { instructions, branch_misses }) in counts {
        let line = lines.lines().find_map(|line| line.strip_prefix(case)?.strip_prefix('\t'));
        let mut before = line.unwrap_or_default().split('\t').map(str::parse::<f64>);
        let (Some(Ok(old)), Some(Ok(old_misses))) = (before.next(), before.next()) else {
            say(&format!("| {case} | {instructions} | none | record it anew | {branch_misses} | none |"));
            all &= !is_same;
            continue;
        };
        let grows = is_same && *instructions > MOST * old;
        let note = if grows { " too much" } else { "" };
        let growth = 100.0 * (instructions / old - 1.0);
        say(&format!(
            "| {case} | {instructions} | {old} | {growth:+.1} %{note} | {branch_misses} | {old_misses} |"
        ));
        all &= !grows;
    }
    if !all {
        say("if the growth is intended, record the counts anew: cargo xtask bench --instructions --record");
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_grow_by_two_percent_with_the_same_compiler() {
        let counts = |instructions| [("read", Counted { instructions, branch_misses: 9.0 })];
        let recorded = "rustc 1 (x)\tx86_64-linux\tavx2\nread\t1000\t5\n";
        let header = "rustc 1 (x)\tx86_64-linux\tavx2";
        assert!(compare(recorded, header, &counts(1_020.0)));
        assert!(!compare(recorded, header, &counts(1_021.0)));
        assert!(compare(recorded, "rustc 2 (x)\tx86_64-linux\tavx2", &counts(9_000.0)));
        assert!(!compare("rustc 1 (x)\tx86_64-linux\tavx2\n", header, &counts(1.0)));
    }
}
