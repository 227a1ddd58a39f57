//! The names of documents, and the policies that they give.

use super::source::Source;

/// Finds names of documents outside of policies, profiles, the list of documents, names in configuration files, and grammars.
pub(crate) fn dialects(source: &Source) -> Vec<String> {
    const LAYERS: [&str; 5] = [
        "robots-syntax/",
        "robots-groups/",
        "robots-match/",
        "robots-fetch/src/",
        "robots-fetch/command/src/",
    ];
    const NAMES: [&str; 4] = ["rfc9309", "google", "koster", "rfc_9309"];
    if !LAYERS.iter().any(|layer| source.name.starts_with(layer))
        || !source.name.contains("/src/")
        || source.is_named(&["/policy.rs", "/profile.rs", "/document.rs", "/configuration.rs", "/tests.rs"])
        || source.name.contains("/src/grammar/")
    {
        return Vec::new();
    }
    // Catalogue and lints have the names of crawlers and companies.
    let has_crawlers = source.name.contains("/catalogue/") || source.name.contains("/lint/");
    // A document is a constant such as `Profile::GOOGLE`, or the whole text "google". Other texts may name it for people, and
    // Google has crawlers.
    let named = |code: &str| {
        let code = code.to_ascii_lowercase();
        let is_path = |name: &str| {
            let path = format!("::{name}");
            let mut after = code.match_indices(&path).filter_map(|(at, found)| code.get(at + found.len()..));
            after.any(|after| name == "koster" || !after.starts_with(|char: char| char.is_ascii_alphabetic()))
        };
        let is_text = |name: &str| !has_crawlers && code.contains(&format!("\"{name}\""));
        NAMES.into_iter().find(|name| is_path(name) || is_text(name) || code.contains("\"koster-1996\""))
    };
    source
        .code()
        .filter_map(|(line, code)| Some((line, named(code)?)))
        .map(|(line, name)| {
            source.finding(line, &format!("`{name}` names a document: read a field of a policy instead"))
        })
        .collect()
}

/// Finds policies of documents whose documentation names no section, draft or quoted heading.
pub(crate) fn constants(source: &Source) -> Vec<String> {
    // The documents about pages have no sections.
    if !source.is_named(&["/policy.rs"]) || source.name.starts_with("robots-match/page/") {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let doc = |line: usize| {
        let before = lines.iter().take(line).rev().map(|line| line.trim());
        before
            .take_while(|line| line.starts_with("///") || line.starts_with("#["))
            .collect::<Vec<_>>()
            .join(" ")
    };
    source
        .code()
        .filter(|(_, code)| {
            let code = code.trim_start();
            code.starts_with("pub const ") && code.contains(": Self = Self {")
                || code.contains(": Self = Self::")
        })
        .filter(|(line, _)| {
            let doc = doc(line - 1);
            !(doc.contains("section") || doc.contains("draft-") || doc.contains('"'))
        })
        .map(|(line, _)| source.finding(line, "document the section or the heading that this policy is from"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_documents_are_found_in_code_only() {
        let text = "// google\nlet a = \"https://x\"; // RFC9309\nlet b = Policy::GOOGLE;\n#[cfg(test)]\nlet c = Policy::RFC9309;\n";
        assert_eq!(
            dialects(&Source::new("robots-match/src/rules.rs", text)),
            ["robots-match/src/rules.rs:3: `google` names a document: read a field of a policy instead"]
        );
        assert!(dialects(&Source::new("robots-match/src/policy.rs", text)).is_empty());
        let help =
            "  --profile NAME  rfc9309 or google\nlet a = Profile::GOOGLE;\nlet b = name == \"google\";\n";
        assert_eq!(dialects(&Source::new("robots-fetch/command/src/lib.rs", help)).len(), 2);
        assert!(dialects(&Source::new("robots-conformance/src/run.rs", text)).is_empty());
    }

    #[test]
    fn constants_have_a_source() {
        let text = "/// RFC, section 2.\npub const A: Self = Self { x: 1 };\n/// Mine.\npub const B: Self = Self { x: 2 };\n";
        assert_eq!(constants(&Source::new("x/policy.rs", text)).len(), 1);
        assert!(constants(&Source::new("x/lib.rs", text)).is_empty());
    }
}
