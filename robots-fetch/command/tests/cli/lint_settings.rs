//! The configuration files and baselines of `robots lint`.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::command::{file, folder, outcome, value};

#[test]
fn codes_are_selected_and_ignored_by_arguments_and_configuration() {
    let path = file("configuration", "User-agent: *\nDisallow: /a*\nDisallow: /%zz\n");
    let path = path.to_str().unwrap();
    let codes = |more: &[&str]| {
        let (status, value) = value(&[&["lint", "--format", "json"], more, &[path]].concat(), "");
        let findings = value["files"][0]["findings"].as_array().unwrap().clone();
        let codes: Vec<String> =
            findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect();
        (status, codes.join(" "))
    };
    assert_eq!(codes(&[]), (1, "broken-escape".to_owned()));
    assert_eq!(codes(&["--all"]), (1, "trailing-star broken-escape".to_owned()));
    // A selected lint reports, also if it is off by default.
    assert_eq!(codes(&["--select", "trailing-star"]), (0, "trailing-star".to_owned()));
    assert_eq!(codes(&["--all", "--ignore", "broken-escape,escape-case"]), (0, "trailing-star".to_owned()));
    assert_eq!(codes(&["--select", "broken-escape"]), (1, "broken-escape".to_owned()));
    let config = folder("configuration-file").join("lint.toml");
    let config = config.to_str().unwrap();
    fs::write(config, "deny = \"error\"\nignore = [\"trailing-star\"]\n").unwrap();
    assert_eq!(codes(&["--config", config]), (0, "broken-escape".to_owned()));
    assert_eq!(codes(&["--config", config, "--deny", "warning"]), (1, "broken-escape".to_owned()));
    fs::write(config, "ignore = [\"trailing\"]\n").unwrap();
    let (status, _, err) = outcome(&["lint", "--config", config, path], "");
    let end =
        ":1: `ignore` must be a list of codes, which `robots lint --list` prints; `trailing` is unknown\n";
    assert!(status == 2 && err.ends_with(end), "{err}");
}

#[test]
fn mistakes_in_a_configuration_file_name_the_line_and_the_key() {
    let path = file("configuration-mistakes", "User-agent: *\nDisallow: /a\n");
    let config = folder("configuration-mistakes-file").join("lint.toml");
    let (path, name) = (path.to_str().unwrap(), config.to_str().unwrap());
    for (text, problem) in [
        ("\ndeny = 'errors'", ":2: `deny` must be one of note, warning, error, not `errors`"),
        ("deny = ['error']", ":1: `deny` must be one of note, warning, error, not a list"),
        (
            "ignore = 'trailing-star'",
            ":1: `ignore` must be a list of codes, which `robots lint --list` prints, not `trailing-star`",
        ),
        (
            "# ours\nselect = [\n  'trailing-star',\n  1,\n]",
            ":4: `select` must be a list of codes, which `robots lint --list` prints, not a number",
        ),
        ("select = []", ":1: `select` is empty, so nothing would be checked; remove it to report all"),
        (
            "parsers = ['bing']",
            ":1: `parsers` must be a list of rfc9309, draft-koster-rep-00, google, koster-1996 or all; `bing` is unknown",
        ),
        ("baseline = true", ":1: `baseline` must be the path of a file, not true or false"),
        (
            "deny = 'note'\nlevel = 'note'",
            ":2: unknown key `level`; the keys are deny, select, ignore, parsers, baseline, expect",
        ),
    ] {
        fs::write(&config, text).unwrap();
        let (status, out, err) = outcome(&["lint", "--config", name, path], "");
        assert_eq!((status, &*out, &*err), (2, "", &*format!("robots: error: {name}{problem}\n")), "{text}");
    }
    fs::write(&config, "ignore = [\n").unwrap();
    let (status, _, err) = outcome(&["lint", "--config", name, path], "");
    assert!(
        status == 2 && err.starts_with(&format!("robots: error: {name}:")) && err.lines().count() == 1,
        "{err}"
    );
    let (status, _, err) = outcome(&["lint", "--config", "/nothing/here", path], "");
    assert!(status == 2 && err.contains("can't read /nothing/here, which `--config` names: "), "{err}");
}

#[test]
fn pages_and_codes_are_printed_without_files() {
    for arguments in [
        &["lint", "--list", "robots.txt"][..],
        &["lint", "--explain", "trailing-star", "robots.txt"],
        &["lint", "--explain", "trailing-star", "--list"],
    ] {
        let (status, out, err) = outcome(arguments, "");
        assert!(status == 2 && out.is_empty() && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn a_baseline_does_not_depend_on_how_a_path_is_written() {
    let folder = folder("baseline-paths");
    let (sites, other) = (folder.join("sites"), folder.join("other"));
    fs::create_dir_all(&sites).unwrap();
    fs::create_dir_all(&other).unwrap();
    fs::write(sites.join("a.txt"), "User-agent: *\nDisallow: /%zz\n").unwrap();
    let lint = |from: &Path, option: &str, baseline: &str, path: &str| {
        let mut command = crate::command::robots();
        let output = command.current_dir(from).args(["lint", option, baseline, path]).output().unwrap();
        output.status.code()
    };
    assert_eq!(lint(&sites, "--write-baseline", "known.json", "a.txt"), Some(0));
    let whole = sites.join("a.txt");
    for path in ["a.txt", "./a.txt", "../sites/a.txt", whole.to_str().unwrap()] {
        assert_eq!(lint(&sites, "--baseline", "known.json", path), Some(0), "{path}");
    }
    assert_eq!(lint(&other, "--baseline", "../sites/known.json", "../sites/a.txt"), Some(0));
    assert_eq!(lint(&folder, "--baseline", "sites/known.json", "sites/a.txt"), Some(0));
    // Another file of the same name is another file.
    fs::copy(&whole, other.join("a.txt")).unwrap();
    assert_eq!(lint(&other, "--baseline", "../sites/known.json", "a.txt"), Some(1));
    // A baseline elsewhere has the way to the file.
    assert_eq!(lint(&sites, "--write-baseline", "../other/known.json", "a.txt"), Some(0));
    let text = fs::read_to_string(other.join("known.json")).unwrap();
    assert!(text.contains("\"file\": \"../sites/a.txt\""), "{text}");
    assert_eq!(lint(&folder, "--baseline", "other/known.json", "sites/a.txt"), Some(0));
}

#[test]
fn a_baseline_hides_what_is_known() {
    let path = file("baseline", "User-agent: *\nDisallow: /%zz\n");
    let name = path.to_str().unwrap();
    let baseline = folder("baseline-file").join("known.json");
    let baseline = baseline.to_str().unwrap();
    assert_eq!(outcome(&["lint", "--write-baseline", baseline, name], "").0, 0);
    assert_eq!(outcome(&["lint", "--baseline", baseline, name], "").0, 0);
    // The finding is recognised in another line, and a new one is reported.
    fs::write(&path, "# more\nUser-agent: *\nDisallow: /%zz\nDisallow: /%yy\n").unwrap();
    let (status, value) = value(&["lint", "--baseline", baseline, "--format", "json", name], "");
    assert_eq!(
        (status, &value["totals"]),
        (1, &json!({ "files": 1, "errors": 0, "warnings": 1, "notes": 0 }))
    );
    assert_eq!(value["files"][0]["findings"][0]["line"], 4);
    assert_eq!(outcome(&["lint", "--baseline", name, name], "").0, 2);
}

#[test]
fn a_baseline_replaces_no_other_file() {
    const FILE: &str = "User-agent: *\nDisallow: /%zz\n";
    let path = file("baseline-replaces", FILE);
    let other = path.with_file_name("known.json");
    let (name, new) = (path.to_str().unwrap(), other.to_str().unwrap());
    let lint = |arguments: &[&str]| {
        let (status, out, err) = outcome(&[&["lint"], arguments].concat(), "");
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), FILE, "{arguments:?}");
        err
    };
    // Arguments in the wrong order.
    let expected = format!(
        "robots: error: {name} exists and is not a baseline, and --write-baseline would replace it; name another file, or \
         remove this one\n"
    );
    assert_eq!(lint(&["--write-baseline", name, new]), expected);
    let expected = format!(
        "robots: error: {name} is a file to check, and --write-baseline would replace it; name another file for the baseline\n"
    );
    assert_eq!(lint(&["--write-baseline", name, name]), expected);
    let same = path.with_file_name(".").join("robots.txt");
    assert!(
        lint(&["--fix", "--write-baseline", same.to_str().unwrap(), name]).contains("is a file to check")
    );
    assert!(!other.exists());
    // A baseline is written again, and so is an empty file.
    fs::write(&other, "").unwrap();
    for _ in 0..2 {
        assert_eq!(outcome(&["lint", "--write-baseline", new, name], "").0, 0);
    }
    assert_eq!(outcome(&["lint", "--baseline", new, name], "").0, 0);
}

#[test]
fn no_baseline_is_written_if_a_file_can_not_be_read() {
    let path = file("baseline-unread", "User-agent: *\nDisallow: /%zz\n");
    let (missing, known) = (path.with_file_name("missing.txt"), path.with_file_name("known.json"));
    let [name, missing, new] = [&path, &missing, &known].map(|path| path.to_str().unwrap());
    let (status, out, err) = outcome(&["lint", "--write-baseline", new, name, missing], "");
    assert_eq!((status, out.as_str()), (2, ""));
    let expected = format!(
        "robots: error: {new} was not written, because {missing} could not be checked; correct the arguments and try again\n"
    );
    assert!(err.ends_with(&expected), "{err}");
    assert!(!known.exists());
    // The baseline of before stays.
    assert_eq!(outcome(&["lint", "--write-baseline", new, name], "").0, 0);
    let before = fs::read(&known).unwrap();
    assert_eq!(outcome(&["lint", "--write-baseline", new, missing], "").0, 2);
    assert_eq!(fs::read(&known).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn settings_of_a_folder_are_not_read_from_devices() {
    let folder = folder("lint-devices");
    let (settings, path) = (folder.join(".robots-lint.toml"), folder.join("robots.txt"));
    fs::write(&path, "User-agent: *\nDisallow: /a\n").unwrap();
    let lint = || {
        let mut command = crate::command::robots();
        let command = command.current_dir(&folder).args(["lint", "robots.txt"]);
        let output = command.timeout(core::time::Duration::from_secs(60)).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    std::os::unix::fs::symlink("/dev/zero", &settings).unwrap();
    let (status, err) = lint();
    assert_eq!(status, Some(2), "{err}");
    assert!(err.contains(".robots-lint.toml: is not a regular file"), "{err}");
    fs::remove_file(&settings).unwrap();
    for (baseline, problem) in [("/dev/zero", "is not a regular file"), ("robots.txt", "not JSON")] {
        fs::write(&settings, format!("baseline = '{baseline}'")).unwrap();
        let (status, err) = lint();
        assert_eq!(status, Some(2), "{err}");
        assert!(err.contains(problem), "{err}");
    }
    fs::write(&settings, "#".repeat(2 << 20)).unwrap();
    let (status, err) = lint();
    assert!(status == Some(2) && err.contains("larger than 64 KiB"), "{err}");
}

#[test]
fn standard_input_is_read_once() {
    let (status, out, err) = outcome(&["lint", "-", "-"], "User-agent: *\nDisallow: /%zz\n");
    let message = "robots: error: standard input can be read only once; name a file instead of one `-`\n";
    assert_eq!((status, out.as_str(), err.as_str()), (2, "", message));
}

/// The author of a pull request writes the file and the configuration of its folder.
#[test]
fn isolated_files_switch_nothing_off() {
    let folder = folder("isolated");
    fs::write(
        folder.join("a.txt"),
        "# robots-lint: ignore-file trailing-star\nUser-agent: *\nDisallow: /%zz\nDisallow: /a*",
    )
    .unwrap();
    fs::write(folder.join(".robots-lint.toml"), "ignore = [\"broken-escape\"]\nbaseline = \"/dev/zero\"\n")
        .unwrap();
    fs::write(folder.join("own.toml"), "ignore = [\"no-line-end\"]\n").unwrap();
    let codes = |more: &[&str]| {
        let mut robots = assert_cmd::Command::new(env!("CARGO_BIN_EXE_robots"));
        let output = robots
            .current_dir(&folder)
            .args(["lint", "--all", "--format", "github"])
            .args(more)
            .arg("a.txt")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        ["broken-escape", "trailing-star", "no-line-end"].map(|code| text.contains(code))
    };
    assert_eq!(codes(&["--isolated"]), [true, true, true]);
    // A configuration that is named is that of the person who checks.
    assert_eq!(codes(&["--isolated", "--config", "own.toml"]), [true, true, false]);
    assert_eq!(codes(&["--config", "own.toml"]), [true, false, false]);
}
