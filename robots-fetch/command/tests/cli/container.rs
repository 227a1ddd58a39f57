//! The image that `robots-fetch/action/Containerfile` describes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command::folder;

/// Runs buildah with storage of the test. `None` if it is not installed, or may not make containers.
fn buildah(storage: &Path, args: &[&str]) -> Option<Output> {
    let root = storage.join("root");
    let run = storage.join("run");
    let output = Command::new("buildah")
        .args(["--storage-driver", "vfs", "--root"])
        .arg(&root)
        .arg("--runroot")
        .arg(&run)
        .args(args)
        .output()
        .ok()?;
    output.status.success().then_some(output)
}

/// Returns the libraries that a program needs, which the program of a release does not.
fn libraries() -> Vec<PathBuf> {
    let output = Command::new("ldd").arg(env!("CARGO_BIN_EXE_robots")).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from).collect()
}

#[test]
fn the_image_has_the_command() {
    let storage = tempfile::tempdir().unwrap();
    let context = folder("container");
    fs::copy(env!("CARGO_BIN_EXE_robots"), context.join("robots")).unwrap();
    let work = context.join("work");
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join("robots.txt"), "User-agent: *\nDisallow: private\n").unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../action/Containerfile");
    let (file, context) = (file.to_str().unwrap(), context.to_str().unwrap());
    let build = ["bud", "--isolation", "chroot", "-f", file, "-t", "robots-test", context];
    if buildah(storage.path(), &build).is_none() {
        println!("skipped: the container file, because buildah is not installed or may not make images");
        return;
    }
    let from = buildah(storage.path(), &["from", "--isolation", "chroot", "robots-test"]).unwrap();
    let container = String::from_utf8(from.stdout).unwrap();
    let container = container.trim();
    for library in libraries() {
        let library = library.to_str().unwrap();
        assert!(buildah(storage.path(), &["copy", "-q", container, library, library]).is_some(), "{library}");
    }
    let volume = format!("{}:/work", work.display());
    let config = ["inspect", "--format", "{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.User}}", container];
    let shown = buildah(storage.path(), &config).unwrap();
    assert_eq!(String::from_utf8(shown.stdout).unwrap().trim(), "[/robots] 65534:65534");
    let run = [
        "run",
        "--isolation",
        "chroot",
        "-v",
        &volume,
        container,
        "--",
        "/robots",
        "lint",
        "--deny",
        "error",
    ];
    let clean = [&run[..], &["--ignore", "pattern-without-slash", "robots.txt"]].concat();
    if buildah(storage.path(), &clean).is_none() {
        println!("skipped: running the container, because buildah may not run one here");
        return;
    }
    // A finding is an exit status other than 0.
    assert!(buildah(storage.path(), &[&run[..], &["robots.txt"]].concat()).is_none());
}
