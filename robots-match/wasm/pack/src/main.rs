//! Writes the page and the npm package from the WebAssembly module: `robots-pack MODULE NOTICES FOLDER MAX`.
//!
//! `NOTICES` has the licences of the packages in the module. `FOLDER` gets `robots.html` and the folder `npm`. `MAX` is the
//! most bytes that the module may have.

mod npm;
mod page;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

/// A module with the JavaScript that calls it.
struct Bound {
    module: Vec<u8>,
    script: String,
    types: String,
}

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(Into::into).collect();
    let result = match &*arguments {
        [module, notices, folder, max] => pack(module, notices, folder, max),
        _ => {
            eprintln!("usage: robots-pack MODULE NOTICES FOLDER MAX");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pack(module: &Path, notices: &Path, folder: &Path, max: &Path) -> Result<(), Box<dyn Error>> {
    let max: usize = max.to_str().ok_or("MAX is not a number")?.parse()?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the tool has no parent folder")?;
    fs::create_dir_all(folder)?;
    let plain = bind(module, Kind::Script)?;
    let exports = bind(module, Kind::Exports)?;
    let page = page::page(sources, &plain, &fs::read_to_string(notices)?)?;
    fs::write(folder.join("robots.html"), &page)?;
    let package = folder.join("npm");
    npm::write(sources, &exports, &package)?;
    fs::copy(notices, package.join("THIRD-PARTY.txt"))?;
    println!("module: {} bytes; page: {} bytes", plain.module.len(), page.len());
    let largest = plain.module.len().max(exports.module.len());
    if largest > max {
        return Err(format!("the module has {largest} bytes, more than {max}").into());
    }
    Ok(())
}

/// The kind of the JavaScript that calls the module.
#[derive(Clone, Copy)]
enum Kind {
    /// A script with one global object.
    Script,
    /// An ES module.
    Exports,
}

/// Makes the JavaScript that calls the module.
fn bind(module: &Path, kind: Kind) -> Result<Bound, Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).remove_name_section(true).remove_producers_section(true);
    // The module is part of the page and of the package. No file beside the script is fetched.
    bindgen.omit_default_module_path(true);
    match kind {
        Kind::Script => bindgen.no_modules(true)?,
        Kind::Exports => bindgen.web(true)?,
    };
    let mut output = bindgen.generate_output()?;
    let types = output.ts().unwrap_or_default().to_owned();
    let script = output.js().to_owned();
    Ok(Bound { module: output.wasm_mut().emit_wasm(), script, types })
}
