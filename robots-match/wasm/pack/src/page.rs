//! The page: one file of HTML that contains its styles, its scripts and the module.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest as _, Sha256};

use crate::Bound;

/// The scripts of the page, in the order in which they are joined. Each one uses only those before it.
const SCRIPTS: [&str; 12] = [
    "dom", "text", "state", "fragment", "editor", "crawlers", "verdicts", "details", "findings", "changes",
    "writing", "main",
];

/// Returns the page.
pub(crate) fn page(sources: &Path, bound: &Bound, third_party: &str) -> Result<String, Box<dyn Error>> {
    let folder = sources.join("page");
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let notice = format!("{}\n{third_party}", fs::read_to_string(sources.join("..").join("NOTICE"))?);
    let mut scripts =
        format!("\"use strict\";\n{}\nconst MODULE = \"{}\";\n", bound.script, deflated(&bound.module)?);
    for name in SCRIPTS {
        scripts.push_str(&read(&format!("{name}.js"))?);
    }
    if scripts.contains("</script") || scripts.contains("<!--") {
        return Err("a script contains text that ends or changes an element of HTML".into());
    }
    let styles = read("page.css")?;
    let page = read("page.html")?;
    // No host, no form, no frame: the page can send nothing.
    let policy = format!(
        "default-src 'none'; script-src '{}' 'wasm-unsafe-eval'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&scripts),
        hash(&styles)
    );
    let parts = [
        ("{{policy}}", &*policy),
        ("{{styles}}", &*styles),
        ("{{notice}}", &*escaped(&notice)),
        ("{{version}}", env!("CARGO_PKG_VERSION")),
        ("{{scripts}}", &*scripts),
    ];
    parts.into_iter().try_fold(page, |page, (mark, text)| match page.matches(mark).count() {
        1 => Ok(page.replacen(mark, text, 1)),
        count => Err(format!("page.html contains {mark} {count} times, not once").into()),
    })
}

/// Returns the hash of an inline script or style, as a policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Compresses bytes and writes them as text. Browsers have `DecompressionStream`.
pub(crate) fn deflated(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_one_of_the_specification() {
        // The example of "Content Security Policy Level 3", section 8.3.
        assert_eq!(hash("doSubmit()"), "sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc=");
    }

    #[test]
    fn text_is_not_markup() {
        assert_eq!(escaped("<a> & b"), "&lt;a&gt; &amp; b");
    }
}
