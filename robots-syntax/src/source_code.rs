//! Style sheets, scripts and other texts for programs that are served where a robots.txt file should be.

/// Returns the name of the format of a text that is written for programs, if its beginning shows one. Comments before it do not
/// count.
pub(crate) fn source_code(text: &[u8]) -> Option<&'static str> {
    const BEGINNINGS: [(&[u8], &str); 6] = [
        (b"<?php", "the source of a script (PHP)"),
        (b"<?=", "the source of a script (PHP)"),
        (b"<%", "the source of a script or a template"),
        (b"{\\rtf", "a document in RTF"),
        (b"-----BEGIN ", "a key or a certificate (PEM)"),
        (b"@charset ", "a style sheet (CSS)"),
    ];
    if let Some((_, format)) = BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning)) {
        return Some(format);
    }
    let text = after_comments(text);
    if is_script(text) {
        return Some("a script (JavaScript)");
    }
    if is_style_sheet(text) {
        return Some("a style sheet (CSS)");
    }
    is_settings(text).then_some("a file of settings (TOML or INI)")
}

/// Returns whether a text begins with the name of a table in brackets, such as `[[expect]]`, and a line with a value or of another table.
pub(crate) fn is_settings(text: &[u8]) -> bool {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty() && !matches!(line.first(), Some(b'#' | b';')));
    let inside = |line| <[u8]>::strip_prefix(line, b"[").and_then(|line| line.strip_suffix(b"]"));
    let Some(name) = lines.next().and_then(inside) else { return false };
    let name = inside(name).unwrap_or(name);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(is_word)
        && lines.next().is_some_and(|line| line.first() == Some(&b'[') || line.contains(&b'='))
}

/// Returns what follows comments such as `/* theme */` and `// theme`.
fn after_comments(mut text: &[u8]) -> &[u8] {
    loop {
        let (end, rest) = match text {
            [b'/', b'*', rest @ ..] => (&b"*/"[..], rest),
            [b'/', b'/', rest @ ..] => (&b"\n"[..], rest),
            _ => return text,
        };
        let Some(at) = rest.windows(end.len()).position(|part| part == end) else { return b"" };
        text = rest.get(at + end.len()..).unwrap_or_default().trim_ascii_start();
    }
}

/// How many bytes at the start of a text are looked at.
const START: usize = 4096;

fn is_script(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 11] = [
        b"async",
        b"class",
        b"const",
        b"export",
        b"function",
        b"import",
        b"let",
        b"throw",
        b"try",
        b"typeof",
        b"var",
    ];
    const OBJECTS: [&[u8]; 10] = [
        b"window",
        b"document",
        b"self",
        b"globalThis",
        b"module",
        b"exports",
        b"console",
        b"$",
        b"jQuery",
        b"define",
    ];
    const STRICT: [&[u8]; 2] = [b"\"use strict\"", b"'use strict'"];
    const FUNCTIONS: [&[u8]; 5] = [b"(function", b"!function", b"(()=>", b"(() =>", b"(async"];
    let start = text.get(..START).unwrap_or(text);
    let start = start.strip_prefix(b";").unwrap_or(start);
    if STRICT.iter().chain(&FUNCTIONS).any(|beginning| start.starts_with(beginning)) {
        return true;
    }
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let length = start.iter().take_while(|byte| is_letter(byte)).count();
    let (word, rest) = start.split_at_checked(length).unwrap_or_default();
    // Sentences have parentheses, too.
    let has_signs = rest.iter().any(|byte| matches!(byte, b'{' | b'=' | b';'))
        && rest.iter().filter(|byte| b"(){}=;".contains(byte)).count() >= 2;
    let is_word = WORDS.contains(&word) && rest.first().is_some_and(|next| b" \t{(*".contains(next));
    let is_object = OBJECTS.contains(&word) && rest.first().is_some_and(|next| b".[(".contains(next));
    (is_word || is_object) && has_signs
}

fn is_style_sheet(text: &[u8]) -> bool {
    const AT_RULES: [&[u8]; 8] = [
        b"@import",
        b"@media",
        b"@font-face",
        b"@layer",
        b"@supports",
        b"@keyframes",
        b"@namespace",
        b"@page",
    ];
    const MOST_SELECTORS: usize = 512;
    let start = text.get(..START).unwrap_or(text);
    if AT_RULES.iter().any(|rule| start.starts_with(rule)) {
        return true;
    }
    // As in `body, .page > a:hover { color: red }`.
    let Some(open) = start.iter().position(|byte| *byte == b'{') else { return false };
    let (selectors, rest) = start.split_at_checked(open).unwrap_or_default();
    let is_selector =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" \t\r\n.#*,:>~+-_[]=\"'()@".contains(byte);
    let block = rest.iter().position(|byte| *byte == b'}').and_then(|close| rest.get(..close));
    (1..=MOST_SELECTORS).contains(&selectors.len())
        && selectors.iter().all(is_selector)
        && block.is_some_and(|block| block.contains(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_how_they_begin() {
        let formats: [(&str, &[&str]); 5] = [
            (
                "a style sheet (CSS)",
                &[
                    "body { color: red }",
                    "/* theme */\n:root{--a:1}",
                    "@media print { a { color: black } }",
                    "html,body{margin:0}",
                    ".a > b:hover, #c[d=\"e\"] {\n  x: y;\n}",
                ],
            ),
            (
                "a script (JavaScript)",
                &[
                    "(function(){var a=1;})();",
                    "!function(e){e.x=1}(window);",
                    "window.__DATA__ = {\"a\":{}};",
                    "// made\nvar x = { 'user-agent': '*' };",
                    "/*! a */;(function($){})(jQuery)",
                    "export default function robots() { return {} }",
                    "\"use strict\";",
                ],
            ),
            ("the source of a script (PHP)", &["<?php echo 1; ?>", "<?= $robots ?>"]),
            ("a key or a certificate (PEM)", &["-----BEGIN CERTIFICATE-----\nMIIB"]),
            (
                "a file of settings (TOML or INI)",
                &[
                    "[[expect]]\ncrawlers = ['*']",
                    "[package]\r\n# a\n\r\nname=\"a\"",
                    "[tool.x]\n[tool.y]\n",
                    "[a]\n; b\nc = d",
                ],
            ),
        ];
        for (format, texts) in formats {
            for text in texts {
                assert_eq!(source_code(text.as_bytes()), Some(format), "{text}");
            }
        }
        for text in [
            "Not Found",
            "let us know (call 1)",
            "import is over",
            "{% if x %}User-agent: *{% endif %}",
            "{\"a\": {\"b\": 1}}",
            "<?xml version='1.0'?>",
            "User-agent *",
            "/* a comment */",
            "try again",
            "Welcome to {site}",
            "[error]",
            "[error]\nnot found",
            "[1] see = below\na = b",
            "[[1]]\na = b",
            "[not found]\na = b",
        ] {
            assert_eq!(source_code(text.as_bytes()), None, "{text}");
        }
    }
}
