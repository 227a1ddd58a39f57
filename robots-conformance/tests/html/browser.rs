//! Chromium, which shows and prints pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Chromium, where it is installed.
pub(crate) fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .flat_map(|folder| ["chromium", "chromium-browser"].map(|name| folder.join(name)))
        .find(|program| program.is_file());
    if found.is_none() {
        println!("skipped: chromium is not installed, so the page was not shown in a browser");
    }
    found
}

/// A page as a browser shows it: the document, and the messages on its console.
pub(crate) struct Shown {
    pub(crate) page: String,
    pub(crate) console: Vec<String>,
}

/// Shows `page` at `#fragment` in a browser of its own.
pub(crate) fn show(chromium: &Path, folder: &Path, page: &str, fragment: &str, options: &[&str]) -> Shown {
    browse(chromium, folder, page, fragment, &[options, &["--dump-dom"]].concat())
}

/// Prints `page` to PDF: how many pages there are, and their text, where a program is installed that takes it out.
pub(crate) fn print(chromium: &Path, folder: &Path, page: &str) -> (usize, Option<String>) {
    let file = folder.join(format!("{}.pdf", fs::read_dir(folder).unwrap().count()));
    let option = format!("--print-to-pdf={}", file.display());
    browse(chromium, folder, page, "", &["--no-pdf-header-footer", &option]);
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"%PDF-"));
    // Chromium leaves the dictionaries of pages as they are.
    let sheets = bytes.split(|&byte| byte == b'\n').filter(|line| line.ends_with(b"/Type /Page")).count();
    let text = Command::new("pdftotext").args(["-layout", "-q"]).arg(&file).arg("-").output();
    let text = text.ok().filter(|output| output.status.success());
    if text.is_none() {
        println!("skipped: pdftotext is not installed, so the text of what is printed was not read");
    }
    (sheets, text.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Runs a browser on `page` at `#fragment`.
pub(crate) fn browse(chromium: &Path, folder: &Path, page: &str, fragment: &str, options: &[&str]) -> Shown {
    let number = fs::read_dir(folder).unwrap().count();
    let file = folder.join(format!("{number}.html"));
    fs::write(&file, page).unwrap();
    let output = |name: &str| folder.join(format!("{number}.{name}"));
    let data = output("data");
    let mut child = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=3000"])
        .arg(format!("--user-data-dir={}", data.display()))
        .args(options)
        .arg(format!("file://{}#{fragment}", file.display()))
        .stdin(Stdio::null())
        .stdout(fs::File::create(output("out")).unwrap())
        .stderr(fs::File::create(output("err")).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(180) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the browser takes too long");
        }
        thread::sleep(Duration::from_millis(50));
    };
    let said = String::from_utf8_lossy(&fs::read(output("err")).unwrap()).into_owned();
    assert!(status.success(), "{said}");
    let page = fs::read_to_string(output("out")).unwrap();
    let console = said.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    let _ = fs::remove_dir_all(data);
    Shown { page, console }
}

/// Returns the text of the page about the number of rows.
pub(crate) fn said(page: &str) -> &str {
    let from = page.split_once(r#"id="said""#).unwrap().1;
    from.split_once('>').unwrap().1.split_once('<').unwrap().0
}
