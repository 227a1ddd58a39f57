//! The npm package: one ES module that works in Node and with bundlers.

use std::error::Error;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::Bound;

/// Starts the module while the package is loaded. The bytes are text, so neither Node nor a bundler has to find a file.
const INDEX: &str = "\
import start from './glue.js';
import { bytes } from './bytes.js';

await start({ module_or_path: bytes() });
export { RobotsTxt, Rules, documentOf, documents, knownCrawlers, suggest } from './glue.js';
";

/// The functions that start the module. The package calls them itself.
const STARTS: &str = "\nexport type InitInput";

/// Writes the package.
pub(crate) fn write(sources: &Path, bound: &Bound, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for name in ["package.json", "README.md"] {
        fs::copy(sources.join("npm").join(name), folder.join(name))?;
    }
    for name in ["NOTICE", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(sources.join("..").join(name), folder.join(name))?;
    }
    let bytes = format!(
        "const TEXT = '{}';\n\nexport const bytes = () => Uint8Array.from(atob(TEXT), (one) => one.charCodeAt(0));\n",
        STANDARD.encode(&bound.module)
    );
    let Some(start) = bound.types.find(STARTS) else {
        return Err("the types of the module do not end with the functions that start it".into());
    };
    fs::write(folder.join("bytes.js"), bytes)?;
    fs::write(folder.join("glue.js"), &bound.script)?;
    fs::write(folder.join("index.js"), INDEX)?;
    // Compilers without the library `esnext.disposable` don't know this symbol.
    let types = bound.types.get(..start).unwrap_or_default();
    fs::write(folder.join("index.d.ts"), types.replace("[Symbol.dispose](): void;", ""))?;
    Ok(())
}
