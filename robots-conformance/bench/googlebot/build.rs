//! Builds Google's C++ parser from a checkout of it, and links it with Abseil.

use std::path::PathBuf;
use std::process::exit;

fn main() {
    println!("cargo::rerun-if-env-changed=ROBOTSTXT_SRC");
    println!("cargo::rerun-if-changed=src/bridge.h");
    println!("cargo::rerun-if-changed=src/bridge.cc");
    let source = std::env::var_os("ROBOTSTXT_SRC").map(PathBuf::from);
    let Some(source) = source.filter(|source| source.join("robots.cc").is_file()) else {
        fail("set ROBOTSTXT_SRC to a checkout of google/robotstxt, which has the file robots.cc");
    };
    let abseil = match pkg_config::probe_library("absl_strings") {
        Ok(abseil) => abseil,
        Err(_) => fail("install Abseil (libabsl-dev on Debian) and pkg-config"),
    };
    println!("cargo::rerun-if-changed={}", source.display());
    cxx_build::bridge("src/lib.rs")
        .file(source.join("robots.cc"))
        .file("src/bridge.cc")
        .include(source)
        .includes(abseil.include_paths)
        .define("NDEBUG", None)
        .std("c++17")
        .warnings(false)
        .compile("googlebot");
}

fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    exit(1)
}
