//! The names of documents, and the policies that they give.

use super::source::Source;

/// Finds names of documents outside of policies, profiles, the list of documents, and grammars.
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
        || source.is_named(&["/policy.rs", "/profile.rs", "/document.rs"])
        || source.name.contains("/src/grammar/")
        // Names of crawlers, not of documents.
        || source.name.contains("/src/catalogue/")
        || source.is_named(&["/agent_misspelt.rs", "/blocks_resources.rs", "/known_names.rs", "/header_words.rs", "/link_rel.rs"])
        || source.is_named(&["/tests.rs"])
    {
        return Vec::new();
    }
    // Help texts of the command may name documents; paths and whole strings may not.
    let prints = source.name.contains("/command/src/");
    let named = |code: &str| {
        let code = code.to_ascii_lowercase();
        let is_code = |name: &str| code.contains(&format!("::{name}")) || code.contains(&format!("\"{name}"));
        NAMES.into_iter().find(|name| if prints { is_code(name) } else { code.contains(name) })
    };
    source
        .code()
        .filter_map(|(line, code)| Some((line, named(code)?)))
        .map(|(line, name)| {
            source.finding(line, &format!("`{name}` names a document: read a field of a policy instead"))
        })
        .collect()
}

/// Finds policies of documents whose documentation names neither a section nor a quoted heading.
pub(crate) fn constants(source: &Source) -> Vec<String> {
    if !source.is_named(&["/policy.rs"]) {
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
            !(doc.contains("section") || doc.contains('"'))
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
