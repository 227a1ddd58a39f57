//! Pages of the real tables, and of tables whose text looks like markup.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use robots_conformance::{Filter, Outcome, Report, Suite, run};

use crate::tags::tags;

/// The real tables.
pub(crate) fn tables() -> Suite {
    Suite::load(&Suite::folder())
}

pub(crate) fn outcomes(suite: &Suite) -> Vec<Outcome<'_>> {
    run(suite, &Filter::default())
}

pub(crate) fn page(suite: &Suite) -> String {
    let report = Report::new(suite, outcomes(suite), suite.problems.clone(), Vec::new());
    let mut page = Vec::new();
    report.html(&mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// Tables whose text would like to be markup: a row that holds, one that fails, one that is known to.
pub(crate) fn hostile(name: &str) -> Suite {
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
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("html-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The ids of the rows of a page, those that are hidden or those that are not.
pub(crate) fn rows(page: &str, hidden: bool) -> BTreeSet<String> {
    let tags = tags(page).unwrap();
    let rows = tags.iter().filter(|tag| tag.name == "tr" && tag.get("data-kind").is_some());
    rows.filter(|tag| tag.get("hidden").is_some() == hidden)
        .map(|tag| tag.get("id").unwrap().to_owned())
        .collect()
}

pub(crate) fn id(outcome: &Outcome<'_>) -> String {
    format!("{}/{}", outcome.table.id(), outcome.row.head.name)
}
