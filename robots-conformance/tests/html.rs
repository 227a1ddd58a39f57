//! The page of a report: its content, and how a browser shows it.

#![allow(
    clippy::print_stdout,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::unwrap_used,
    reason = "helpers of tests are tests, and a skipped test says so"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use robots_conformance::{Filter, Outcome, Report, Suite, run};

fn page(suite: &Suite, outcomes: Vec<Outcome<'_>>) -> String {
    let report = Report::new(suite, outcomes, suite.problems.clone(), Vec::new());
    let mut page = Vec::new();
    report.html(&mut page).unwrap();
    String::from_utf8(page).unwrap()
}

#[test]
fn the_page_of_the_real_tables_is_complete_and_self_contained() {
    let suite = Suite::own();
    let outcomes = run(suite, &Filter::default());
    let wanted: BTreeSet<String> =
        outcomes.iter().map(|outcome| format!("{}/{}", outcome.table.id(), outcome.row.head.name)).collect();
    let count = outcomes.len();
    let page = page(suite, outcomes);
    assert!(page.len() < 6_000_000, "{} bytes", page.len());
    let tags = tags(&page).unwrap();

    // Every row, result and statement is on the page.
    assert_eq!(rows(&tags), wanted);
    assert_eq!(tags.iter().filter(|tag| tag.get("data-result").is_some()).count(), count);
    let statements: BTreeSet<&str> = tags
        .iter()
        .filter(|tag| tag.get("data-statement").is_some())
        .filter_map(|tag| tag.get("id"))
        .collect();
    assert_eq!(statements.len(), suite.statements.len() + suite.readings.len());
    assert!(suite.statements.iter().all(|statement| statements.contains(&*statement.id)));

    // Nothing is loaded from elsewhere, and links stay on the page.
    let mut ids = BTreeSet::new();
    for id in tags.iter().filter_map(|tag| tag.get("id")) {
        assert!(ids.insert(id), "there are two of {id}");
    }
    for tag in &tags {
        for name in ["src", "srcset", "action", "data", "poster", "style", "onclick", "onload"] {
            assert!(tag.get(name).is_none(), "{tag:?}");
        }
        let Some(href) = tag.get("href") else { continue };
        let within = href.strip_prefix('#').is_some_and(|id| id.contains('=') || ids.contains(id));
        assert!(within || (tag.name == "link" && href == "data:,"), "{tag:?}");
    }
    for asset in [include_str!("../src/report/html/html.css"), include_str!("../src/report/html/html.js")] {
        assert!(page.contains(asset));
        for word in ["http", "//www", "url(", "@import", "import(", "fetch(", "XMLHttpRequest", "</"] {
            assert!(!asset.contains(word), "{word}");
        }
    }
    assert!(page.contains("default-src 'none'"));
    assert!(tags.iter().all(|tag| tag.name != "th" || tag.get("scope").is_some()));
    let tables = tags.iter().filter(|tag| tag.name == "table").count();
    assert_eq!(tables, tags.iter().filter(|tag| tag.name == "caption").count());
}

#[test]
fn text_of_tables_stays_text() {
    let suite = hostile("text");
    let page = page(&suite, run(&suite, &Filter::default()));
    let tags = tags(&page).unwrap();
    assert_eq!(tags.iter().filter(|tag| tag.name == "script").count(), 1);
    assert!(tags.iter().all(|tag| !["b", "i", "img"].contains(&tag.name) || tag.attributes.is_empty()));
    for shown in [
        r"disallow: /&lt;script&gt;document.title=&quot;owned&quot;&lt;/script&gt;\xFF\x00\x0D</li>",
        r"&lt;/dd&gt;\x01\xE3\x83\x84",
        r"&quot;so&quot; on \xE2\x80\xAE",
        "<em>Waived:</em> &lt;/em&gt;&lt;b id=&#39;owned&#39;&gt;",
        "known to fail: &lt;/td&gt; &amp; so",
        "<b>&lt;long&gt;</b>",
        // The deciding line, and the place of it in a file of which not all is shown.
        r##"<b>failed</b> disallow, <a href="#f0.0.202">line 202</a><br><code>disallow: /&lt;/code&gt;</code>"##,
        r#"<li id="f0.0.202">"#,
        "<dt>expected</dt><dd><code>allow 201</code></dd><dt>got</dt><dd><code>disallow 202</code></dd>",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains(r#"id="f0.0.100""#));
    let results = |result: &str| tags.iter().filter(|tag| tag.get("data-result") == Some(result)).count();
    assert_eq!((results("held"), results("failed"), results("known")), (3, 1, 1));
    let _ = fs::remove_dir_all(scratch("text"));
}

#[test]
fn a_browser_displays_every_part_of_the_page() {
    let Some(chromium) = chromium() else { return };
    let folder = scratch("page");
    let suite = hostile("page");
    let page = page(&suite, run(&suite, &Filter::default()));
    let seen = |page: &str, fragment: &str, options: &[&str]| {
        let shown = show(&chromium, &folder, page, fragment, options);
        assert!(shown.console.is_empty(), "{:?}", shown.console);
        shown.page
    };
    let names = |page: &str| -> Vec<String> {
        let name = |id: String| id.rsplit('/').next().unwrap_or_default().to_owned();
        rows(&tags(page).unwrap()).into_iter().map(name).collect()
    };
    let failed = seen(&page, "result=failed", &[]);
    assert_eq!(names(&failed), ["fails"]);
    assert!(failed.contains("<title>Conformance with"), "text of the tables was run");
    assert_eq!(names(&seen(&page, "result=known&profile=rfc9309", &[])), ["known"]);
    assert_eq!(names(&seen(&page, "text=onerror%3D+IMG", &[])), ["holds"]);
    assert_eq!(names(&seen(&page, "profile=google", &[])), ["holds"]);
    // A place on the page is not a filter.
    assert_eq!(names(&seen(&page, "f0.0.202", &[])).len(), 4);

    // Someone types: the rows follow, and the fragment too.
    let with = |script: &str| page.replace("</body>", &format!("<script>{script}</script></body>"));
    let typed = with(
        "const form = document.getElementById('filters'); form.elements.text.value = 'onerror=';\
         form.elements.text.dispatchEvent(new Event('input', { bubbles: true }));\
         setTimeout(() => { document.body.dataset.hash = location.hash; }, 1000);",
    );
    let typed = seen(&typed, "", &[]);
    assert_eq!(names(&typed), ["holds"]);
    assert!(typed.contains(r##"data-hash="#text=onerror%3D""##));

    // Light and dark.
    let coloured = with(
        "const style = getComputedStyle(document.body);\
         document.body.dataset.colours = style.color + ' on ' + style.backgroundColor;",
    );
    let colours = |scheme: &str| {
        let page = seen(&coloured, "", &[&format!("--blink-settings=preferredColorScheme={scheme}")]);
        let from = page.split_once("data-colours=\"").unwrap().1;
        from.split_once('"').unwrap().0.to_owned()
    };
    assert_eq!(colours("1"), "rgb(26, 26, 26) on rgb(255, 255, 255)");
    assert_eq!(colours("0"), "rgb(230, 230, 230) on rgb(22, 24, 27)");

    // Without JavaScript all rows are shown, and the filters are not.
    // (A browser without scripts can't print its document, so the page forbids its own script.)
    let (before, rest) = page.split_once("script-src ").unwrap();
    let (_, after) = rest.split_once(';').unwrap();
    let plain = format!("{before}script-src 'none';{after}");
    let Shown { page: plain, console } = show(&chromium, &folder, &plain, "result=failed", &[]);
    assert!(console.iter().all(|line| line.contains("Content Security Policy")), "{console:?}");
    assert_eq!(console.len(), 1, "{console:?}");
    assert_eq!(names(&plain).len(), 4);
    let tags = tags(&plain).unwrap();
    // Only tables with failed rows are open; others open at a click, which needs no script.
    let open: Vec<&str> =
        tags.iter().filter(|tag| tag.get("open").is_some()).filter_map(|tag| tag.get("id")).collect();
    assert_eq!(open, ["rfc9309/1-hostile"]);
    assert!(tags.iter().any(|tag| tag.get("id") == Some("filters") && tag.get("hidden").is_some()));

    // On a narrow screen nothing is wider than the screen, open tables included.
    let measured = with(
        "document.querySelectorAll('details').forEach(details => { details.open = true; });\
         document.body.dataset.fits = document.documentElement.scrollWidth <= innerWidth && innerWidth < 800;",
    );
    assert!(seen(&measured, "", &["--window-size=390,844"]).contains("data-fits=\"true\""));

    // An error would have been seen.
    let loud = show(&chromium, &folder, &with("nothing.there();"), "", &[]);
    assert!(loud.console.iter().any(|line| line.contains("nothing is not defined")), "{:?}", loud.console);
    let _ = fs::remove_dir_all(folder);
}

/// Tables whose text would like to be markup: a row that holds, one that fails, one that is known to.
fn hostile(name: &str) -> Suite {
    const STATEMENTS: &str = r#"
[[statement]]
id = "rfc9309/1-1"
section = "1<i>"
keyword = "MUST"
says = "</td><script>document.title = 'owned'</script> & \"so\" on \u202e"
layer = "match"
[[statement]]
id = "rfc9309/1-2"
section = "1"
keyword = ""
says = "nothing"
layer = "server"
waived = "</em><b id='owned'>"
"#;
    const TABLE: &str = r#"
[escaped]
bad = 'user-agent: *\ndisallow: /<script>document.title="owned"</script>\xFF\x00\r\nallow: /&amp;"\r\n'
[generated]
"<long>" = [['user-agent: *\n', 1], ['# </li>\n', 200], ['disallow: /</code>\n', 1]]

[[verdict]]
name = "holds"
cites = ["rfc9309/1-1"]
profiles = ["rfc9309", "google"]
robots = "bad"
agent = "ExampleBot"
path = '/x?<img src="x" onerror="document.title=1">'
expect = "allow"
line = 0
[[verdict]]
name = "fails"
cites = ["rfc9309/1-1"]
profiles = ["rfc9309"]
robots = "<long>"
agent = "ExampleBot"
path = "/</code>x"
expect = "allow"
line = 201
[[verdict]]
name = "known"
cites = ["rfc9309/1-1"]
profiles = ["rfc9309"]
robots = "bad"
agent = "ExampleBot"
path = "/"
expect = "disallow"
line = 3
[[token]]
name = "a'><b>"
cites = ["rfc9309/1-1"]
profiles = ["rfc9309"]
token = "</dd>\u0001ツ"
valid = false
"#;
    const EXCEPTIONS: &str = r#"
[[exception]]
row = "rfc9309/1-hostile/known"
profile = "rfc9309"
reason = "</td> & so"
"#;
    let folder = scratch(name).join("tables");
    fs::create_dir_all(folder.join("statements")).unwrap();
    fs::create_dir_all(folder.join("tables/rfc9309")).unwrap();
    fs::write(folder.join("statements/rfc9309.toml"), STATEMENTS).unwrap();
    fs::write(folder.join("tables/rfc9309/1-hostile.toml"), TABLE).unwrap();
    fs::write(folder.join("exceptions.toml"), EXCEPTIONS).unwrap();
    Suite::load(&folder)
}

/// A new folder for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("html-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The ids of the rows of a page that are shown.
fn rows(tags: &[Tag<'_>]) -> BTreeSet<String> {
    let rows = tags.iter().filter(|tag| tag.name == "tr" && tag.get("data-kind").is_some());
    rows.filter(|tag| tag.get("hidden").is_none()).map(|tag| tag.get("id").unwrap().to_owned()).collect()
}

/// Chromium, where it is installed.
fn chromium() -> Option<PathBuf> {
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
struct Shown {
    page: String,
    console: Vec<String>,
}

/// Shows `page` at `#fragment` in a browser of its own.
fn show(chromium: &Path, folder: &Path, page: &str, fragment: &str, options: &[&str]) -> Shown {
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
        .arg("--dump-dom")
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

/// A start tag with its attributes.
#[derive(Debug)]
struct Tag<'p> {
    name: &'p str,
    attributes: BTreeMap<&'p str, &'p str>,
}

impl<'p> Tag<'p> {
    fn get(&self, name: &str) -> Option<&'p str> {
        self.attributes.get(name).copied()
    }
}

const VOID: [&str; 4] = ["meta", "link", "br", "input"];

/// The start tags of a page, if every element that is opened is closed in order, every attribute value is quoted, and
/// no `<`, `>` or bare `&` occurs in text.
fn tags(page: &str) -> Result<Vec<Tag<'_>>, String> {
    let mut tags = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        check_text(text)?;
        if let Some(end) = tag.strip_prefix("</") {
            let (name, tail) = end.split_once('>').ok_or("an end tag that does not end")?;
            if open.pop() != Some(name) {
                return Err(format!("</{name}> within {open:?}"));
            }
            rest = tail;
            continue;
        }
        let tag = tag.strip_prefix('<').unwrap_or_default();
        let len = tag.find(|char: char| !char.is_ascii_alphanumeric()).ok_or("a tag that does not end")?;
        let (name, mut tail) = tag.split_at(len);
        let mut attributes = BTreeMap::new();
        if name.is_empty() {
            return Err(format!("a bare < before {:?}", tag.get(..20)));
        }
        while let Some(attribute) = tail.strip_prefix(' ') {
            let len = attribute.find(['=', '>', ' ']).ok_or("an attribute that does not end")?;
            let (key, value) = attribute.split_at(len);
            let (value, after) = match value.strip_prefix("=\"") {
                Some(value) => value.split_once('"').ok_or("a value that does not end")?,
                None if value.starts_with('=') => return Err(format!("a value of {key} that is not quoted")),
                None => ("", value),
            };
            check_text(&value.replace('>', ""))?;
            if attributes.insert(key, value).is_some() {
                return Err(format!("two attributes {key}"));
            }
            tail = after;
        }
        rest = tail.strip_prefix('>').ok_or_else(|| format!("<{name} and then {:?}", tail.get(..20)))?;
        if name == "script" || name == "style" {
            let end = format!("</{name}>");
            rest = rest.split_once(&*end).ok_or("a script or style that does not end")?.1;
        } else if !VOID.contains(&name) {
            open.push(name);
        }
        tags.push(Tag { name, attributes });
    }
    check_text(rest)?;
    if open.is_empty() { Ok(tags) } else { Err(format!("{open:?} stay open")) }
}

fn check_text(text: &str) -> Result<(), String> {
    if text.contains('>') {
        return Err(format!("a bare > in {text:?}"));
    }
    if let Some(char) = text.chars().find(|char| char.is_control() && *char != '\n') {
        return Err(format!("{char:?} in {text:?}"));
    }
    let known =
        |rest: &str| ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| rest.starts_with(name));
    match text.split('&').skip(1).find(|rest| !known(rest)) {
        Some(rest) => Err(format!("a bare & before {rest:?}")),
        None => Ok(()),
    }
}

#[test]
fn the_check_of_tags_finds_errors() {
    assert_eq!(tags("<!DOCTYPE html><p a=\"b\" c>&lt;<br></p>").unwrap().len(), 2);
    for wrong in
        ["<p>", "</p>", "<p><b></p></b>", "<p a=b></p>", "a > b", "a & b", "<p a=\"&x\"></p>", "< p", "\0"]
    {
        assert!(tags(&format!("<!DOCTYPE html>{wrong}")).is_err(), "{wrong}");
    }
}
