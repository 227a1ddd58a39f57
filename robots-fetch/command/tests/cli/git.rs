//! Files as Git keeps them.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::folder;

/// Runs Git in a folder, and returns whether it succeeded.
fn git(folder: &Path, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
    command.args(args).output().is_ok_and(|output| output.status.success())
}

/// Makes a folder with an empty repository; `None` without Git.
fn repository(name: &str) -> Option<PathBuf> {
    let folder = folder(name);
    let is_made = git(&folder, &["init", "-q"]);
    if !is_made {
        println!("skipped: git is not installed");
    }
    is_made.then_some(folder)
}

#[cfg(unix)]
fn commit(folder: &Path) -> bool {
    git(folder, &["add", "."]) && git(folder, &["commit", "-q", "-m", "a"])
}

/// Removes an object from a repository.
#[cfg(unix)]
fn lose(folder: &Path, name: &str) {
    let output = Command::new("git").current_dir(folder).args(["rev-parse", name]).output().unwrap();
    let hash = String::from_utf8(output.stdout).unwrap();
    let (start, rest) = hash.trim().split_at(2);
    fs::remove_file(folder.join(".git/objects").join(start).join(rest)).unwrap();
}

/// The end of the message about what was removed.
#[cfg(unix)]
const LOST: &str = "the repository has lost it; look for the damage with `git fsck`\n";

/// Runs the command in a folder, and returns its exit status and its messages.
#[cfg(unix)]
fn robots(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    let output = command.current_dir(folder).args(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_version_of_git_is_read() {
    let Some(folder) = repository("git") else { return };
    let git = |args: &[&str]| git(&folder, args);
    fs::write(folder.join("robots.txt"), "User-agent: *\nDisallow: /old\n").unwrap();
    fs::create_dir_all(folder.join("pub")).unwrap();
    fs::write(folder.join("pub/a.txt"), "").unwrap();
    let first = assert_cmd::Command::new(env!("CARGO_BIN_EXE_robots"))
        .current_dir(&folder)
        .args(["diff", "git:HEAD:robots.txt", "robots.txt"])
        .output()
        .unwrap();
    let note = "robots: note: the repository has no commit yet; its file is read as an empty one\n";
    assert!(String::from_utf8(first.stderr).unwrap().starts_with(note));
    assert!(git(&["add", "robots.txt", "pub"]) && git(&["commit", "-q", "-m", "a"]));
    fs::write(folder.join("robots.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    let robots = |args: &[&str]| {
        let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_robots"))
            .current_dir(&folder)
            .args(args)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let (status, out, _) = robots(&["diff", "git:HEAD:robots.txt", "robots.txt"]);
    assert_eq!(status, 1);
    assert!(
        out.starts_with(
            "newly disallowed for *: /\n  before   no rule matches\n  after    line 2: Disallow: /\n"
        ),
        "{out}"
    );
    // What the next commit will have.
    assert_eq!(robots(&["diff", "git::robots.txt", "git:HEAD:robots.txt"]).0, 0);
    assert!(git(&["add", "robots.txt"]));
    assert_eq!(robots(&["diff", "git::robots.txt", "git:HEAD:robots.txt"]).0, 1);
    for (argument, error) in [
        ("git:HEAD:none", "can't read git:HEAD:none: HEAD has no file none"),
        ("git:HEAD:pub/a.txt/b", "can't read git:HEAD:pub/a.txt/b: HEAD has no file pub/a.txt/b"),
        ("git::none", "can't read git::none: the next commit has no file none"),
        ("git:none:robots.txt", "can't read git:none:robots.txt: the repository has no revision none"),
        ("git:HEAD:a\nb", "can't read git:HEAD:a\\u{a}b: its name has a line end or a NUL"),
        ("git:HEAD:a\r", "can't read git:HEAD:a\\u{d}: its name has a line end or a NUL"),
        ("git:HEAD:pub", "can't read git:HEAD:pub: it is a folder; name a file in it"),
        ("git:--help:x", "expected git:REV:PATH, such as git:HEAD~1:robots.txt, and not `git:--help:x`"),
        ("git:HEAD", "expected git:REV:PATH, such as git:HEAD~1:robots.txt, and not `git:HEAD`"),
    ] {
        assert_eq!(
            robots(&["diff", argument, "robots.txt"]),
            (2, String::new(), format!("robots: error: {error}\n"))
        );
    }
}

/// The text of a link is not that of a robots.txt.
#[cfg(unix)]
#[test]
fn links_are_followed_in_a_revision() {
    let Some(folder) = repository("git-links") else { return };
    fs::create_dir_all(folder.join("a")).unwrap();
    fs::write(folder.join("a/robots.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    fs::write(folder.join("access.log"), "").unwrap();
    for (link, place) in [
        ("robots.txt", "a/robots.txt"),
        ("lost", "none"),
        ("out", "../robots.txt"),
        ("loop", "loop"),
        ("b", "a"),
    ] {
        std::os::unix::fs::symlink(place, folder.join(link)).unwrap();
    }
    assert!(commit(&folder));
    let robots = |args: &[&str]| robots(&folder, args);
    let check = |file: &str| robots(&["check", "--robots", &format!("git:HEAD:{file}"), "-a", "x", "/a"]);
    for file in ["robots.txt", "b/robots.txt"] {
        assert_eq!(check(file), (Some(1), String::new()), "{file}");
    }
    for file in ["lost", "out", "loop", "lost/robots.txt"] {
        let (status, error) = check(file);
        let why = "a link leads to a file that the revision does not have\n";
        assert!(status == Some(2) && error.ends_with(why), "{file}: {error}");
    }
    let (status, error) = robots(&["log", "--history", "git:robots.txt", "access.log"]);
    let why = "it is a link; name the file that it leads to\n";
    assert!(status == Some(2) && error.ends_with(why), "{error}");
    for file in ["git::robots.txt", "git::./robots.txt", "git::0:robots.txt"] {
        let (status, error) = robots(&["check", "--robots", file, "-a", "x", "/a"]);
        assert!(status == Some(2) && error.ends_with(why), "{error}");
    }
}

/// A file that the repository has lost, or that Git does not send whole, is not an empty one.
#[cfg(unix)]
#[test]
fn a_lost_or_cut_file_is_an_error() {
    let Some(folder) = repository("git-lost") else { return };
    let write = |text: &str| fs::write(folder.join("robots.txt"), text).unwrap();
    let commit = || commit(&folder);
    write("User-agent: *\nDisallow: /\n");
    assert!(commit());
    let robots = |path: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
        let output = command.current_dir(&folder).env("PATH", path).args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let path = std::env::var("PATH").unwrap();
    lose(&folder, "HEAD:robots.txt");
    write("User-agent: *\nDisallow: /a\n");
    assert!(commit());
    let (status, error) = robots(&path, &["check", "--robots", "git:HEAD~1:robots.txt", "-a", "x", "/a"]);
    assert!(status == Some(2) && error.ends_with(LOST), "{error}");
    fs::write(folder.join("access.log"), "").unwrap();
    let (status, error) = robots(&path, &["log", "--history", "git:robots.txt", "access.log"]);
    assert!(status == Some(2) && error.ends_with(LOST), "{error}");
    // So is one in a folder that is lost.
    fs::create_dir_all(folder.join("a/b")).unwrap();
    fs::write(folder.join("a/b/robots.txt"), "User-agent: *\nDisallow: /b\n").unwrap();
    assert!(commit());
    for lost_folder in ["HEAD:a/b", "HEAD^{tree}"] {
        lose(&folder, lost_folder);
        for file in ["HEAD:a/b/robots.txt", "HEAD:./a/b/robots.txt"] {
            let file = format!("git:{file}");
            let (status, error) = robots(&path, &["check", "--robots", &file, "-a", "x", "/a"]);
            assert!(status == Some(2) && error.ends_with(LOST), "{lost_folder}: {error}");
        }
    }
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).unwrap();
    let program = programs.join("git");
    fs::write(&program, "#!/bin/sh\nread revision\nprintf 'abc tree 0\\n\\n'\nread name\nprintf 'abc blob 100\\nUser-agent: *\\n'\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let with_own = format!("{}:{path}", programs.display());
    let (status, error) = robots(&with_own, &["check", "--robots", "git:HEAD:robots.txt", "-a", "x", "/a"]);
    assert!(status == Some(2) && error.contains("can't read git:HEAD:robots.txt: git: "), "{error}");
}

/// Of a link to a folder, Git lists nothing.
#[cfg(unix)]
#[test]
fn a_lost_file_below_a_linked_folder_is_an_error() {
    let Some(folder) = repository("git-lost-link") else { return };
    fs::create_dir_all(folder.join("a/b")).unwrap();
    fs::write(folder.join("a/b/robots.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    std::os::unix::fs::symlink("a/b", folder.join("link")).unwrap();
    assert!(commit(&folder));
    fs::remove_file(folder.join("link")).unwrap();
    fs::create_dir_all(folder.join("link")).unwrap();
    fs::write(folder.join("link/robots.txt"), "User-agent: *\nDisallow: /d\n").unwrap();
    fs::write(folder.join("a/b/robots.txt"), "User-agent: *\nDisallow: /d\n").unwrap();
    fs::write(folder.join("link/new.txt"), "User-agent: *\n").unwrap();
    assert!(commit(&folder));
    lose(&folder, "HEAD~1:a/b/robots.txt");
    let read = |file: &str| robots(&folder, &["check", "--robots", file, "-a", "x", "/a"]);
    let (status, error) = read("git:HEAD~1:link/robots.txt");
    assert!(status == Some(2) && error.ends_with(LOST), "{error}");
    let (status, error) = read("git:HEAD~1:link/new.txt");
    assert!(
        status == Some(2) && error.ends_with("a link leads to a file that the revision does not have\n"),
        "{error}"
    );
}

/// Messages of Git, and a process that outlives it, do not make the command wait.
#[cfg(unix)]
#[test]
fn messages_of_git_do_not_delay_the_answer() {
    let folder = folder("git-messages");
    let program = folder.join("git");
    // More than a pipe holds, and a process that outlives Git.
    let script = "#!/bin/sh\nhead -c 300000 /dev/zero >&2\nsleep 60 >/dev/null &\nread revision\nprintf 'abc tree 0\\n\\n'\nread name\nprintf 'abc blob 26\\nUser-agent: *\\nDisallow: /\\n\\n'\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_robots"))
        .env("PATH", path)
        .args(["check", "--robots", "git:HEAD:robots.txt", "-a", "x", "/a"])
        .timeout(core::time::Duration::from_secs(50))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "disallowed /a  line 2: Disallow: /\n");
}

/// A long list names many files, and each would take several processes.
#[cfg(unix)]
#[test]
fn a_list_of_files_of_git_takes_one_process() {
    let Some(folder) = repository("git-list") else { return };
    fs::write(folder.join("a.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    // Longer than what is read, and than what is skipped.
    fs::write(folder.join("large.txt"), "#".repeat(3 << 20)).unwrap();
    assert!(commit(&folder));
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).unwrap();
    let wrapper = programs.join("git");
    let path = std::env::var("PATH").unwrap();
    let count = folder.join("count");
    let script = format!("#!/bin/sh\necho >>'{}'\nPATH='{path}' exec git \"$@\"\n", count.display());
    fs::write(&wrapper, script).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let audit = |list: &str| {
        fs::write(folder.join("list.txt"), list).unwrap();
        let _ = fs::remove_file(&count);
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
        command.current_dir(&folder).env("PATH", format!("{}:{path}", programs.display()));
        command.args(["audit", "--list", "list.txt"]).output().unwrap()
    };
    let starts = || fs::read(&count).unwrap().len();
    let missing: String = (0..500).map(|number| format!("git:HEAD:{number}\n")).collect();
    let output = audit(&(missing + "git:HEAD:a.txt\n"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("HEAD has no file 499") && text.contains("failed: 500"), "{text}");
    assert_eq!(starts(), 1);
    let output = audit("git:HEAD:large.txt\ngit:HEAD:a.txt\ngit:HEAD:large.txt\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("robots.txt checked: 3"), "{text}");
    assert!(starts() <= 3);
    // What another process has to say is asked once for each file: that the one before lacks it, or that it is no link.
    fs::write(folder.join("b.txt"), "#").unwrap();
    assert!(commit(&folder));
    let output = audit(&"git:HEAD~1:b.txt\ngit::b.txt\n".repeat(200));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("robots.txt checked: 400"), "{text}");
    assert_eq!(starts(), 3);
    // Git ends on each of these names.
    let outside: String = (0..300).map(|number| format!("git:HEAD:../../{number}\n")).collect();
    let output = audit(&format!("git:HEAD:a.txt\n{outside}"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("is outside repository") && text.contains("failed: 300"), "{text}");
    assert!(text.contains("Git ended on 100 names before; read this one in a command of its own"), "{text}");
    assert!(starts() <= 101);
}

/// Commits a robots.txt, with any text as the time of the commit, and returns its hash.
#[cfg(unix)]
fn commit_at(folder: &Path, body: &str, time: &str) -> String {
    let output = |args: &[&str]| {
        let output = Command::new("git").current_dir(folder).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    fs::write(folder.join("robots.txt"), body).unwrap();
    output(&["add", "robots.txt"]);
    let tree = output(&["write-tree"]);
    let parent = match &*output(&["rev-parse", "-q", "--verify", "HEAD"]) {
        "" => String::new(),
        parent => format!("parent {parent}\n"),
    };
    let person = "a <a@example.com>";
    let text = format!("tree {tree}\n{parent}author {person} 1 +0000\ncommitter {person}{time}\n\nm\n");
    fs::write(folder.join("commit"), text).unwrap();
    let hash = output(&["hash-object", "-t", "commit", "-w", "--literally", "commit"]);
    assert!(git(folder, &["update-ref", "HEAD", &hash]), "{time}");
    hash
}

#[cfg(unix)]
#[test]
fn no_version_of_a_history_is_lost_or_misplaced_without_a_word() {
    use crate::log::{GPTBOT, get};
    let first = ("User-agent: *\nAllow: /\n", " 1700000000 +0000");
    let log = |folder: &Path, args: &[&str]| {
        fs::write(folder.join("access.log"), get(10, "10:00:00", "/private", GPTBOT)).unwrap();
        robots(folder, &[&["log", "--history", "git:robots.txt", "access.log"], args].concat())
    };
    for time in ["", " 99999999999999999999 +0000", " 9223372036854775808 +0000", " -1 +0000", " x"] {
        let Some(folder) = repository("git-history-times") else { return };
        commit_at(&folder, first.0, first.1);
        let hash = commit_at(&folder, "User-agent: *\nDisallow: /private\n", time);
        commit_at(&folder, "User-agent: *\nAllow: /\n\n", " 1800000000 +0000");
        let (status, err) = log(&folder, &[]);
        let error = format!("the time of the commit {hash} can't be read");
        assert!(status == Some(2) && err.contains(&error), "{time}: {err}");
    }
    // The time until a version is served leads to no other time.
    let Some(folder) = repository("git-history-late") else { return };
    commit_at(&folder, "User-agent: *\nDisallow: /private\n", " 9223372036854775807 +0000");
    for served_after in ["0s", "10m"] {
        let (status, err) = log(&folder, &["--served-after", served_after]);
        assert!(status == Some(2) && err.contains("before the first version"), "{served_after}: {err}");
    }
    // The last commit is the one that is served, also where the clock of another one was wrong.
    let Some(folder) = repository("git-history-order") else { return };
    commit_at(&folder, first.0, first.1);
    let hash = commit_at(&folder, "User-agent: *\nAllow: /\n\n", " 1762700001 +0000");
    commit_at(&folder, "User-agent: *\nDisallow: /private\n", " 1762700000 +0000");
    let (status, err) = log(&folder, &["--grace", "0s"]);
    assert!(
        status == Some(1)
            && err.contains(&format!("an earlier time than {hash}; versions left out for that: 1")),
        "{err}"
    );
}
