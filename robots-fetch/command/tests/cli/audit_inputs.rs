//! The inputs of `robots audit`.

use std::fs;

use crate::audit::rows;
use crate::command::{folder, outcome};
use crate::site::{Site, User, answer};

#[test]
fn hidden_files_and_folders_are_left_out() {
    let folder = folder("audit-hidden");
    let file = "User-agent: *\nDisallow: /a\n";
    for name in [".git/refs", "sites/.cache"] {
        fs::create_dir_all(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("x"), file).unwrap();
    }
    for name in ["a.txt", ".hidden", "sites/b"] {
        fs::write(folder.join(name), file).unwrap();
    }
    let found = |path: &str| {
        let (status, out, err) = outcome(&["audit", "--format", "jsonl", path], "");
        assert_eq!((status, err.as_str()), (0, ""));
        let names =
            rows(&out).iter().map(|row| row["input"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        names.iter().map(|name| name.rsplit('/').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(folder.to_str().unwrap()), ["a.txt", "b"]);
    // Hidden folders and files that are named are read.
    assert_eq!(found(folder.join(".git").to_str().unwrap()), ["x"]);
    assert_eq!(found(folder.join(".hidden").to_str().unwrap()), [".hidden"]);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_of_a_folder_are_left_out() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let folder = folder("audit-pipes");
    fs::write(folder.join("a.txt"), "User-agent: *\nDisallow: /a\n").unwrap();
    // No process writes to the pipe, so that reading it would never end.
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("`mkfifo` failed, so that no pipe was tried");
    }
    // The path of a socket has to be short.
    let short = tempfile::tempdir().unwrap();
    let _socket = UnixListener::bind(short.path().join("socket")).unwrap();
    symlink("/dev/zero", folder.join("device")).unwrap();
    symlink(short.path().join("socket"), folder.join("socket")).unwrap();
    symlink("a.txt", folder.join("link")).unwrap();
    symlink("missing", folder.join("lost")).unwrap();
    let mut command = crate::command::robots();
    command.args(["audit", "--format", "jsonl"]).arg(&folder);
    let output = command.timeout(core::time::Duration::from_secs(60)).output().unwrap();
    let rows = rows(&String::from_utf8(output.stdout).unwrap());
    let names: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            (row["input"].as_str().unwrap().rsplit('/').next().unwrap(), row["kind"].as_str().unwrap())
        })
        .collect();
    assert_eq!(names, [("a.txt", "site"), ("link", "site"), ("lost", "failed")]);
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_list_may_name_files_that_are_not_utf_8() {
    use std::os::unix::ffi::OsStringExt as _;
    let folder = folder("audit-bytes");
    let mut name = folder.as_os_str().as_encoded_bytes().to_vec();
    name.extend_from_slice(b"/caf\xE9.txt");
    fs::write(std::ffi::OsString::from_vec(name.clone()), "User-agent: *\nDisallow: /\n").unwrap();
    let list = folder.join("sites.txt");
    fs::write(&list, [&b"\xEF\xBB\xBF# ours\r\n"[..], &name, b"\r\n"].concat()).unwrap();
    let (status, out, err) = outcome(&["audit", "--list", list.to_str().unwrap()], "");
    assert_eq!((status, err.as_str()), (1, ""));
    let expected = format!("nothing     {}/caf\\xE9.txt  *  line 2: Disallow: /\n", folder.to_str().unwrap());
    assert!(out.starts_with(&expected), "{out}");
}

#[test]
fn a_listed_name_that_ends_with_txt_is_a_file() {
    let list = folder("audit-missing").join("sites.txt");
    fs::write(&list, "nofile.txt\n").unwrap();
    let (status, out, err) = outcome(&["audit", "--format", "csv", "--list", list.to_str().unwrap()], "");
    assert_eq!((status, err.as_str()), (2, ""));
    let expected =
        "nofile.txt,failed,failed,,,,,can't read nofile.txt: no such file or directory,,,,,,,,,,\r\n";
    assert!(out.ends_with(expected), "{out}");
}

#[test]
fn a_list_is_a_table_of_a_spreadsheet() {
    let folder = folder("audit-table");
    fs::write(folder.join("a.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    let list = folder.join("clients.csv");
    let (list, input) = (list.to_str().unwrap(), folder.join("a.txt"));
    fs::write(list, format!("\u{FEFF}Client;Robots;Since\r\n\"A; B\";{};2020\r\n", input.display())).unwrap();
    let checked = |more: &[&str]| {
        let (status, out, err) = outcome(&[&["audit", "--format", "csv", "--list", list], more].concat(), "");
        (
            status,
            out.lines().skip(1).map(|line| line.split(',').take(6).collect::<Vec<_>>().join(",")).collect(),
            err,
        )
    };
    let expected: Vec<String> = vec![format!("{},rules,site,*,,nothing", input.display())];
    assert_eq!(checked(&[]), (1, expected.clone(), String::new()));
    assert_eq!(checked(&["--column", "robots"]), (1, expected.clone(), String::new()));
    assert_eq!(checked(&["--column", "2"]), (1, expected, String::new()));
    let (status, _, err) = checked(&["--column", "url"]);
    assert_eq!(status, 2);
    assert!(
        err.ends_with("it has no column `url`; the first line has `Client`, `Robots`, `Since`\n"),
        "{err}"
    );
}

#[test]
fn a_site_is_asked_once_however_it_is_written() {
    let (user, site) = (User::new(), Site::new(answer("404 Not Found", &[], "")));
    let list = user.0.path().join("sites.txt");
    fs::write(&list, format!("{0}\n{0}/\n{0}/robots.txt\n", site.base)).unwrap();
    let (_, out, _) = user.robots(&["audit", "--list", list.to_str().unwrap()]);
    assert!(out.contains("robots.txt checked: 1, "), "{out}");
}

#[test]
fn no_input_is_an_error() {
    let folder = folder("audit-empty");
    fs::create_dir_all(folder.join(".git")).unwrap();
    let path = folder.to_str().unwrap();
    let (status, out, err) = outcome(&["audit", path], "");
    assert_eq!((status, err.as_str()), (2, ""));
    let expected = format!(
        "failed      {path}  the folder has no file to read; hidden files and folders are left out\nrobots.txt checked: 1, failed: 1\n"
    );
    assert_eq!(out, expected);
    let list = folder.join("sites.txt");
    let list = list.to_str().unwrap();
    for lines in ["", "\n# nothing\n"] {
        fs::write(list, lines).unwrap();
        let message =
            format!("robots: error: the list {list} names no input; write a file or a site on each line\n");
        assert_eq!(outcome(&["audit", "--list", list], ""), (2, String::new(), message));
    }
}

#[test]
fn a_site_without_a_scheme_gets_a_suggestion() {
    let list = folder("audit-scheme").join("sites.txt");
    fs::write(&list, "example.com/\nnone/robots.txt\n").unwrap();
    let (status, out, err) = outcome(&["audit", "--format", "csv", "--list", list.to_str().unwrap()], "");
    assert_eq!((status, err.as_str()), (2, ""));
    let reasons: Vec<&str> = out.lines().skip(1).map(|line| line.split(',').nth(7).unwrap()).collect();
    let expected = [
        "can't read example.com/: no such file or directory; did you mean `https://example.com/`?",
        "can't read none/robots.txt: no such file or directory",
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn numbers_have_a_range() {
    for (option, most) in [("--jobs", 256), ("--max-urls", 1_000_000)] {
        for number in ["0", "-1", "1000001", "x", "", "1.5"] {
            let (status, out, err) = outcome(&["audit", option, number, "-"], "");
            assert_eq!((status, out.as_str()), (2, ""));
            let expected = format!("for `{option} <NUMBER>`: expected a number from 1 to {most}\n");
            assert!(err.ends_with(&expected), "{err}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_list_may_not_name_what_could_make_the_command_wait() {
    let folder = folder("audit-list-pipes");
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "`mkfifo` failed");
    let names = [pipe.to_str().unwrap(), "/dev/zero", "/dev/tty", "/proc/kmsg"];
    let names = names.map(|name| format!("{name}\n")).concat();
    let list = folder.join("list.txt");
    fs::write(&list, names).unwrap();
    let mut command = crate::command::robots();
    command.args(["audit", "--format", "jsonl", "--list"]).arg(&list);
    let output = command.timeout(core::time::Duration::from_secs(60)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    for row in rows(&String::from_utf8(output.stdout).unwrap()) {
        assert_eq!(row["kind"], "failed", "{row}");
    }
}

#[test]
fn longer_urls_and_names_than_8_kib_are_refused_as_such() {
    let long = format!("https://example.com/{}", "a".repeat(8 << 10));
    let folder = folder("audit-long");
    let file = folder.join("robots.txt");
    fs::write(&file, "User-agent: *\nDisallow: /b\n").unwrap();
    let file = file.to_str().unwrap();
    let list = folder.join("list.txt");
    fs::write(&list, format!("{long}\n{file}\n")).unwrap();
    let list = list.to_str().unwrap();
    let why = "a URL has at most 8192 bytes";
    let (status, out, err) = outcome(&["audit", "--list", list], "");
    assert_eq!((status, err.as_str()), (2, ""));
    assert!(out.contains(why) && out.contains("Disallow: /b") && out.len() < 2000, "{out}");
    for args in [
        &["check", "-a", "x", &long][..],
        &["check", "-a", "x", "--robots", file, &long],
        &["explain", "-a", "x", &long],
        &["fetch", &long],
        &["lint", &long],
        &["diff", &long, file],
        &["crawlers", &long],
        &["page", &long],
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(why) && err.len() < 1000, "{args:?}: {err}");
    }
    let urls = folder.join("urls.txt");
    fs::write(&urls, format!("{long}\n/b\n")).unwrap();
    let (status, out, _) = outcome(&["audit", "--urls", urls.to_str().unwrap(), file], "");
    assert_eq!(status, 2);
    assert!(out.contains("URLs that are longer than 8192 bytes and were not read: 1"), "{out}");
}
