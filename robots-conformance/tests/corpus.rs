//! Real files, where they lie beside the workspace.

use core::num::NonZero;
use std::fs;

use std::path::{Path, PathBuf};
use std::thread;

use robots_conformance::Profile;
use robots_fetch::matching::{Crawler, ProductToken, Robots};

#[test]
fn every_file_reads_under_every_profile_and_its_lines_tile_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: there is no corpus beside this workspace");
        return;
    };
    let paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!paths.is_empty());
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for part in paths.chunks(paths.len().div_ceil(threads)) {
            scope.spawn(move || part.iter().for_each(|path| read_under_all(path)));
        }
    });
    println!("{} files read under {} profiles", paths.len(), Profile::NAMED.len());
}

fn read_under_all(path: &Path) {
    let body = fs::read(path).expect("the file can be read");
    for (name, profile) in Profile::NAMED {
        read(&body, &profile, &format!("{} under {name}", path.display()));
    }
}

fn read(body: &[u8], profile: &Profile, what: &str) {
    let robots = Robots::new(body, profile.rules);
    let lines = robots.lines();
    let mut at = lines.skipped().end();
    let mut spans = Vec::new();
    for (line, number) in lines.clone().zip(1..) {
        assert_eq!((line.number, line.span().start()), (number, at), "{what}");
        assert_eq!(line.span().of(body), line.octets(), "{what}");
        assert!(!line.span().is_empty(), "{what}");
        let _ = line.deviations(&profile.rules.syntax).iter().count();
        at = line.span().end();
        spans.push(line.span());
    }
    assert_eq!(lines.dropped().start(), at, "{what}");
    assert_eq!(lines.dropped().end(), body.len(), "{what}");
    let tokens = ["ExampleBot", "Googlebot"].map(|name| ProductToken::new(name).expect("letters"));
    for crawler in [Crawler::new(&tokens), Crawler::unnamed()] {
        let rules = robots.rules(crawler);
        for ruling in rules.rulings() {
            let span = *spans.get(ruling.line - 1).expect("a line of the file");
            assert!(span.start() <= ruling.span.start() && ruling.span.end() <= span.end(), "{what}");
        }
    }
}
