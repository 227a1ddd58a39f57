//! `cargo xtask page`

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::notices::Program;
use super::reports::reports;
use super::test;
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, cargo, found, printed, say, skipped, succeeds};
use crate::tidy::source;
use crate::workspace::{root, target, text, write};

/// Builds the page in the browser and the npm package, from robots-match as WebAssembly.
///
/// Needs the target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown), or Debian's
/// packages rustc-web, cargo-web, rust-web-src and lld-19. Where the source of the standard library is
/// installed (rustup component add rust-src), the library is built for size, and the module must have
/// less than 1,090 KB. These variables name other tools, which need the source:
///   ROBOTS_PAGE_RUSTC   a compiler with the source of its standard library
///   ROBOTS_PAGE_CARGO   its cargo (the program beside the compiler if absent)
///   ROBOTS_PAGE_LINKER  wasm-ld of LLVM 19 or newer (from the PATH if absent)
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("page --test"))]
pub(crate) struct Page {
    /// Also test the package in Node and the page in headless Chromium, where they are installed
    #[arg(long)]
    pub(crate) test: bool,
    /// Also write the screenshots of the documentation
    #[arg(long)]
    pub(crate) screenshots: bool,
}

/// The target of the module.
const TARGET: &str = "wasm32-unknown-unknown";

/// The most bytes that the module may have. 171 KB of them read the rules of pages, 41 KB write rules with proof, and
/// 110 KB are advice of lint that looks at what it would close or open, and the choices of `robots write`.
///
/// Rust 1.97 makes 1,083,000 of them, and Rust 1.95 makes 1,098,000.
const MAX_BYTES: usize = 1_110_000;

/// The most bytes of a module whose standard library was not built for size.
const MAX_BYTES_FOR_SPEED: usize = 1_280_000;

/// The tools that build the module.
enum Tools {
    /// The toolchain that runs xtask has the target.
    Own { has_source: bool },
    /// Another toolchain, which builds the standard library from its source.
    Source { rustc: PathBuf, cargo: PathBuf, linker: PathBuf },
}

impl Tools {
    /// Returns whether the tools build the standard library from its source, for size.
    const fn builds_library(&self) -> bool {
        matches!(self, Self::Own { has_source: true } | Self::Source { .. })
    }
}

/// Builds and tests the page where its tools are installed, and prints what is missing elsewhere.
pub(crate) fn page_if_possible() -> Outcome {
    match tools() {
        Ok(_) => page(&Page { test: true, screenshots: false }),
        Err(why) => {
            skipped("the page in the browser", &why);
            Ok(Ended::Well)
        }
    }
}

pub(crate) fn page(options: &Page) -> Outcome {
    let tools = tools()?;
    let built = target().join("page");
    let module = build(&tools, &built.join("module"))?;
    let out = built.join("out");
    let notices = Program { name: "This module", package: "robots-wasm", folder: &folder() }.notices()?;
    if !notices.missing.is_empty() {
        return Err(format!("no licence text: {}", notices.missing.join(", ")));
    }
    let third_party = built.join("THIRD-PARTY.txt");
    write(&third_party, &notices.text)?;
    let max = if tools.builds_library() { MAX_BYTES } else { MAX_BYTES_FOR_SPEED }.to_string();
    pack(&[&*module, &*third_party, &*out, Path::new(&max)], &built.join("tool"))?;
    say(&format!("the page is {}, and the npm package is beside it", out.join("robots.html").display()));
    if options.test || options.screenshots {
        tests(options, &built, &out)?;
    }
    Ok(Ended::Well)
}

fn folder() -> PathBuf {
    root().join("robots-match").join("wasm")
}

/// Finds the tools, or returns why there are none.
fn tools() -> Result<Tools, String> {
    if let Some(rustc) = env::var_os("ROBOTS_PAGE_RUSTC").map(PathBuf::from) {
        let beside = rustc.with_file_name("cargo");
        return from_source(rustc, env::var_os("ROBOTS_PAGE_CARGO").map_or(beside, PathBuf::from));
    }
    let sysroot = printed("rustc", &["--print", "sysroot"]).unwrap_or_default();
    if Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("lib").is_dir() {
        return Ok(Tools::Own { has_source: has_source(&sysroot) });
    }
    from_source("/usr/bin/rustc".into(), "/usr/bin/cargo".into()).map_err(|why| {
        format!("{TARGET} is not installed (rustup target add {TARGET}), and {why} (rustc-web, cargo-web, rust-web-src, lld-19)")
    })
}

fn has_source(sysroot: &str) -> bool {
    Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
}

/// Checks that a compiler has the source of its standard library, and finds the linker.
fn from_source(rustc: PathBuf, cargo: PathBuf) -> Result<Tools, String> {
    let sysroot = printed(&rustc.to_string_lossy(), &["--print", "sysroot"]);
    let sysroot = sysroot.ok_or_else(|| format!("{} can't be run", rustc.display()))?;
    if !has_source(&sysroot) {
        return Err(format!("{} has no source of its standard library", rustc.display()));
    }
    if !cargo.is_file() {
        return Err(format!("{} is missing", cargo.display()));
    }
    let linker = env::var_os("ROBOTS_PAGE_LINKER").map(PathBuf::from);
    let linker =
        linker.or_else(|| found(&["wasm-ld-22", "wasm-ld-21", "wasm-ld-20", "wasm-ld-19", "wasm-ld"]));
    let linker = linker.ok_or("wasm-ld is not installed")?;
    Ok(Tools::Source { rustc, cargo, linker })
}

/// Builds the module and returns its path.
fn build(tools: &Tools, built: &Path) -> Result<PathBuf, String> {
    let mut command = match tools {
        Tools::Own { .. } => Command::new(cargo()),
        Tools::Source { rustc, cargo, linker } => {
            let mut command = Command::new(cargo);
            // The cargo that runs xtask sets these variables for its own toolchain.
            for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "RUSTDOC"] {
                command.env_remove(name);
            }
            command.env("RUSTC", rustc).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
            command
        }
    };
    command.arg("build");
    if tools.builds_library() {
        // A panic traps, because a page has no place for its message.
        command.env("RUSTFLAGS", "-Zunstable-options -Cpanic=immediate-abort");
        command.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
        command.arg("-Zbuild-std-features=optimize_for_size");
    }
    command.args(["--quiet", "--locked", "--release", "--package", "robots-wasm"]);
    command.args(["--target", TARGET, "--target-dir"]).arg(built).current_dir(folder());
    succeeds(&mut command)?;
    Ok(built.join(TARGET).join("release").join("robots_wasm.wasm"))
}

/// Writes the page and the package.
fn pack(arguments: &[&Path], built: &Path) -> Result<(), String> {
    let manifest = folder().join("Cargo.toml");
    let ended = Cargo::new(["run", "--quiet", "--locked", "--package", "robots-pack", "--manifest-path"])
        .arguments(&[manifest.as_os_str(), "--target-dir".as_ref(), built.as_os_str(), "--".as_ref()])
        .arguments(arguments)
        .run()?;
    if ended == Ended::Well { Ok(()) } else { Err("the page could not be written".to_owned()) }
}

/// Tests the package and the page, and makes screenshots.
fn tests(options: &Page, built: &Path, out: &Path) -> Result<(), String> {
    let Some(node) = found(&["node"]) else {
        skipped("the page and the npm package", "node is not installed");
        return Ok(());
    };
    let folder = folder().join("tests");
    let copy = built.join("tests");
    for file in source::files(&folder)? {
        let name = source::relative(&folder, &file);
        write(&copy.join(&name), &text(&file)?)?;
    }
    let run = |arguments: &[&Path]| succeeds(Command::new(&node).args(arguments).current_dir(&copy));
    let page = out.join("robots.html");
    let programs = test::build()?;
    let robots = programs.program("robots")?;
    let corpus = root().join("robots-conformance").join("corpus");
    if options.test {
        let sites = root().join("..").join("shared").join("corpus").join("sites");
        let package = out.join("npm");
        let inputs =
            root().join("robots-fetch").join("command").join("tests").join("cli").join("inputs.json");
        let mut arguments = vec![Path::new("verdicts.mjs"), &*package, robots, &*inputs, &*corpus];
        if sites.is_dir() {
            arguments.push(&sites);
        } else {
            skipped("real files", "there are none beside this workspace");
        }
        run(&arguments)?;
    }
    let Some(npm) = found(if cfg!(windows) { &["npm.cmd"] } else { &["npm"] }) else {
        skipped("the page in Chromium, and the types of the npm package", "npm is not installed");
        return Ok(());
    };
    if let Err(why) = succeeds(Command::new(npm).args(["ci", "--silent"]).current_dir(&copy)) {
        skipped(
            "the page in Chromium, and the types of the npm package",
            &format!("their tools were not downloaded: {why}"),
        );
        return Ok(());
    }
    if options.test {
        run(&[Path::new("types.mjs"), &out.join("npm")])?;
        run(&[Path::new("page.mjs"), &page])?;
    }
    if options.screenshots {
        let reports = reports(robots, &corpus, &folder, &built.join("reports"))?;
        let pictures = folder.with_file_name("screenshots");
        let mut arguments = vec![Path::new("screenshots.mjs"), &*page, &*pictures];
        arguments.extend(reports.iter().map(|report| &**report));
        run(&arguments)?;
    }
    Ok(())
}
