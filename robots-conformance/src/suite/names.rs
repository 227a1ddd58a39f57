//! Names of documents, folders and files.

use robots_fetch::SiteProfile;
use robots_fetch::matching::{Document, Profile};
use robots_page::{PageDocument, PagePolicy};

/// The profiles of the documents, with their names.
pub const PROFILES: [(&str, SiteProfile); 4] = [
    (Document::Rfc9309.name(), SiteProfile::RFC9309),
    (Document::DraftKosterRep00.name(), SiteProfile::DRAFT_KOSTER_REP_00),
    (Document::Google.name(), SiteProfile::GOOGLE),
    (Document::Koster1996.name(), SiteProfile::KOSTER_1996),
];

/// The parts of the profiles that concern the reading of files, with the names of the documents.
pub const READING_PROFILES: [(&str, Profile); 4] = {
    let [a, b, c, d] = PROFILES;
    [(a.0, a.1.rules), (b.0, b.1.rules), (c.0, c.1.rules), (d.0, d.1.rules)]
};

/// Returns the profile of the document of this name.
#[must_use]
pub fn profile_named(name: &str) -> Option<SiteProfile> {
    name.parse().ok().map(|document: Document| document.into())
}

/// The policies of the documents about rules of pages, with their names.
pub const PAGE_PROFILES: [(&str, PagePolicy); 5] = [
    (PageDocument::Repext03.name(), PagePolicy::REPEXT),
    (PageDocument::Google.name(), PagePolicy::GOOGLE),
    (PageDocument::Bing.name(), PagePolicy::BING),
    (PageDocument::Yandex.name(), PagePolicy::YANDEX),
    (PageDocument::Html1996.name(), PagePolicy::HTML_1996),
];

/// Documents about rules of pages that are part of the policies of others.
const PARTS_OF_PAGES: [&str; 3] = ["attach-05", "vocab-07", "tdmrep"];

/// The first parts of the ids of tables: the documents, which have the names of profiles, and `lint`.
pub const DOCUMENTS: [&str; 13] = {
    let [(a, _), (b, _), (c, _), (d, _)] = PROFILES;
    let [(e, _), (f, _), (g, _), (h, _), (i, _)] = PAGE_PROFILES;
    let [j, k, l] = PARTS_OF_PAGES;
    [a, b, c, d, LINT, e, j, k, f, g, h, i, l]
};

/// Returns the policy of the document about rules of pages of this name.
#[must_use]
pub fn page_policy_named(name: &str) -> Option<PagePolicy> {
    name.parse().ok().map(|document: PageDocument| document.into())
}

/// Returns whether a document is about rules of pages.
pub(crate) fn is_of_pages(document: &str) -> bool {
    page_policy_named(document).is_some() || PARTS_OF_PAGES.contains(&document)
}

/// Returns the names of the profiles under which the rows of a document are run.
pub(crate) fn profiles_of(document: &str) -> Vec<&'static str> {
    // Readings are cited by rows of all documents.
    if document == "reading" {
        all_profiles()
    } else if is_of_pages(document) {
        PAGE_PROFILES.iter().map(|(name, _)| *name).collect()
    } else {
        PROFILES.iter().map(|(name, _)| *name).collect()
    }
}

/// Returns the names of all profiles.
#[must_use]
pub fn all_profiles() -> Vec<&'static str> {
    PROFILES.iter().map(|(name, _)| *name).chain(PAGE_PROFILES.iter().map(|(name, _)| *name)).collect()
}

/// The first part of the ids of lints and of their tables.
pub(crate) const LINT: &str = "lint";

/// The folder of the lints, next to the folder of this crate. The rows of a lint are in the file next to its code.
pub(crate) const LINT_FOLDER: &str = "robots-match/src/lint";

pub(crate) const EXCEPTIONS: &str = "robots-conformance/exceptions.toml";
pub(crate) const READINGS: &str = "READINGS.md";

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// `Document::ALL` is the list of the documents. What can't use it has a copy, which this test compares.
    #[test]
    fn copies_of_the_list_of_documents_are_equal() {
        let all = Document::ALL.map(Document::name);
        assert_eq!(PROFILES.map(|(name, _)| name), all);
        for (name, profile) in PROFILES {
            assert_eq!(Some(profile), profile_named(name), "{name}");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let quoted = all.map(|name| format!("\"{name}\""));
        for path in ["xtask/src/commands/limits/commands.rs", "robots-fetch/python/core/src/lib.rs"] {
            let text = fs::read_to_string(root.join(path)).unwrap();
            assert!(text.contains(&quoted.join(", ")), "{path}");
        }
        let folders = ["robots-fetch/schema", "robots-fetch/command/schema", ".github/ISSUE_TEMPLATE"];
        let files = folders.iter().filter_map(|folder| fs::read_dir(root.join(folder)).ok()).flatten();
        for path in files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            let text = fs::read_to_string(&path).unwrap();
            let named = all.iter().filter(|name| text.contains(*name)).count();
            assert!(named == 0 || named == all.len(), "{}: {named} of the documents", path.display());
        }
    }
}
