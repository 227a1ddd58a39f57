//! Over real files, where they are beside the project: a crawler gets the group of a line that contains its name.

#![allow(clippy::unwrap_used, reason = "a test that can't go on ends")]

use std::fs;
use std::path::Path;

use robots_fetch::matching::{Crawler, Profile, Robots, SelectionBasis};

#[test]
fn a_line_that_contains_a_name_names_the_crawler() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(files) = fs::read_dir(sites) else {
        println!("skipped: no files at ../shared/corpus/sites");
        return;
    };
    let (mut names, mut beyond_letters) = (0, 0);
    for file in files {
        let path = file.unwrap().path();
        let robots = Robots::new(fs::read(&path).unwrap(), Profile::RFC9309);
        let groups = robots.groups();
        for (index, group) in groups.iter().enumerate() {
            for value in group.agents() {
                let Some(crawler) =
                    str::from_utf8(value.bytes()).ok().and_then(|name| Crawler::new(name).ok())
                else {
                    continue;
                };
                let selection = groups.select(&crawler);
                assert_eq!(selection.basis(), SelectionBasis::Named, "{} {value:?}", path.display());
                assert!(
                    selection.indices().any(|selected| selected == index),
                    "{} {value:?}",
                    path.display()
                );
                names += 1;
                let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
                beyond_letters += usize::from(!value.bytes().iter().all(is_letter));
            }
        }
    }
    println!("{names} names, of which {beyond_letters} have digits, dots or spaces");
    assert!(beyond_letters > 0);
}
