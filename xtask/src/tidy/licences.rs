//! The copies of the licence texts in the published crates.

use std::fs;
use std::path::Path;

use crate::workspace::{PUBLISHED, folder};

const FILES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Finds published crates without a copy of each licence text in the root folder, or with another text.
pub(crate) fn licences(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in FILES {
        let expected = fs::read(root.join(file)).ok();
        for member in PUBLISHED {
            let member = folder(member);
            let copy = fs::read(root.join(member).join(file)).ok();
            if copy.is_none() || copy != expected {
                found.push(format!(
                    "{member}/{file}: not a copy of {file}: copy the file from the root folder"
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{empty_folder, target, write};

    #[test]
    fn copies_are_equal_and_complete() {
        let root = target().join("tmp").join("tidy-licences");
        empty_folder(&root).unwrap();
        for file in FILES {
            for folder in PUBLISHED.into_iter().map(folder).chain(["."]) {
                write(&root.join(folder).join(file), file).unwrap();
            }
        }
        assert!(licences(&root).is_empty());
        write(&root.join("robots-match").join("LICENSE-MIT"), "other").unwrap();
        fs::remove_file(root.join("robots-fetch").join("LICENSE-MIT")).unwrap();
        assert_eq!(licences(&root).len(), 2);
    }
}
