//! `robots audit --urls`: what of a list is checked, and what is not.

use std::fs;

use serde_json::Value;

use crate::audit::rows;
use crate::site::{Site, User, answer, rules};
use robots_conformance::testing::schema::against;

/// Writes a list, and returns its path.
fn list(user: &User, bytes: impl AsRef<[u8]>) -> String {
    let path = user.0.path().join("urls.txt");
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_list_without_urls_is_an_error() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let utf16: Vec<u8> =
        "\u{FEFF}http://127.0.0.1/a\n/b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [&b""[..], b"# only a comment\n", b"localhost\n", &utf16, b"\x7FELF\x02\x01\x00\x00"] {
        let urls = list(&user, bytes);
        for format in ["human", "csv", "jsonl", "sarif", "html"] {
            let (status, out, err) = user.robots(&["audit", "--format", format, "--urls", &urls, &site.base]);
            assert_eq!((status, out.as_str()), (2, ""), "{bytes:?}");
            assert_eq!(
                err,
                format!(
                    "robots: error: the list {urls} has no URL; write a URL such as `https://example.com/page`, or a path \
                     that begins with `/`, on each line, in UTF-8\n"
                )
            );
        }
    }
    let urls = list(&user, "example.com/x\nlocalhost\nhttps://[b/\n");
    let (status, out, err) = user.robots(&["audit", "--urls", &urls, &site.base]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("lines that are not URLs: 2, such as `example.com/x`"), "{err}");
    // The sites are not asked in vain.
    assert_eq!(site.count(), 0);
}

#[test]
fn columns_of_a_table_are_no_part_of_a_url() {
    let user = User::new();
    let file = user.0.path().join("robots.txt");
    fs::write(&file, "User-agent: *\nDisallow: /*.pdf$\n").unwrap();
    let file = file.to_str().unwrap();
    for (name, text) in [
        ("a.csv", "URL,clicks\nhttps://example.com/a.pdf,5\n"),
        ("b.csv", "\u{FEFF}\"Top pages\";\"Clicks\"\r\n\"https://example.com/a.pdf\";\"5\"\r\n"),
        ("c.csv", "https://example.com/a.pdf,5,OK\n"),
        ("d.txt", "Clicks,Page\n5,/a.pdf\n"),
        ("e.tsv", "5\thttps://example.com/a.pdf\n"),
    ] {
        let list = user.0.path().join(name);
        fs::write(&list, text).unwrap();
        let args = ["audit", "--urls", list.to_str().unwrap(), "--format", "jsonl", file];
        let (status, out, err) = user.robots(&args);
        assert_eq!((status, err.as_str()), (1, ""), "{name}: {out}");
        let found = rows(&out);
        assert!(found.iter().any(|row| row["access"] == "disallowed"), "{name}: {out}");
    }
    // A quotation mark without its end would join URLs.
    let quoted = user.0.path().join("f.csv");
    fs::write(&quoted, "url\n\"https://example.com/a\nhttps://example.com/b.pdf\n/ok\n").unwrap();
    let (status, out, err) = user.robots(&["audit", "--urls", quoted.to_str().unwrap(), file]);
    assert_eq!(status, 2, "{out}");
    assert!(!out.contains("allowed") && err.contains("in line 2 has no end"), "{out}{err}");
    // A URL is not a heading, whatever is in it.
    let urls = list(&user, "https://example.com/?a=1,path\n/x.pdf\n");
    assert!(user.robots(&["audit", "--urls", &urls, file]).1.contains("URLs checked: 2"));
    // Without headings, a comma is a part of the path.
    let urls = list(&user, "/a.pdf,5\n");
    assert_eq!(user.robots(&["audit", "--urls", &urls, file]).0, 0);
}

#[test]
fn a_list_of_other_sites_is_an_error() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let https = site.base.replace("http:", "https:");
    let urls = list(&user, format!("{https}/x\nhttps://other.example/y\n"));
    let (status, out, err) = user.robots(&["audit", "--urls", &urls, &site.base]);
    assert_eq!((status, out.as_str(), site.count()), (2, "", 0));
    assert_eq!(
        err,
        format!(
            "robots: error: no URL of the list {urls} belongs to an input: the first one is `{https}/x`; scheme, host and port \
             have to be those of an input\n"
        )
    );
    // The rules of a file may be for any site.
    let file = user.0.path().join("robots.txt");
    fs::write(&file, "User-agent: *\nDisallow: /x\n").unwrap();
    let (status, out, _) = user.robots(&["audit", "--urls", &urls, file.to_str().unwrap(), &site.base]);
    assert_eq!(status, 1);
    assert!(
        out.contains("robots.txt checked: 2, with rules: 2, URLs checked: 2, URLs disallowed: 1, "),
        "{out}"
    );
    assert!(out.ends_with(", without a URL of the list: 1\n"), "{out}");
    // An input that can't be read matters more.
    let (status, out, err) = user.robots(&["audit", "--urls", &urls, "http://"]);
    assert_eq!((status, err.as_str()), (2, ""));
    assert!(out.starts_with("failed"), "{out}");
}

#[test]
fn lines_and_urls_that_are_not_checked_are_counted() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let lines = format!(
        "{0}/private\nexample.com/x\nhttps://a.example/\nhttps://b.example/\nhttps://[b/\n",
        site.base
    );
    let urls = list(&user, lines);
    let audit = |format: &str| user.robots(&["audit", "--urls", &urls, "--format", format, &site.base]);
    let (status, human, _) = audit("human");
    // Lines that are not URLs were not checked.
    assert_eq!(status, 2);
    assert!(human.contains("lines that are not URLs: 2, such as `example.com/x`"), "{human}");
    assert!(human.ends_with(", lines without a URL: 2, URLs that belong to no input: 2\n"), "{human}");
    let (_, csv, _) = audit("csv");
    assert!(
        csv.ends_with(&format!("{urls},,list,,,,,URLs that belong to no input: 2,,,,,,,,,,\r\n")),
        "{csv}"
    );
    let rows = rows(&audit("jsonl").1);
    let counts: Vec<(&Value, &Value)> =
        rows.iter().filter(|row| row["kind"] == "list").map(|row| (&row["input"], &row["count"])).collect();
    let name = Value::from(urls.as_str());
    assert_eq!(counts, [(&name, &Value::from(2)), (&name, &Value::from(2))]);
    let (_, html, _) = audit("html");
    assert!(
        html.contains(
            "<th scope=\"row\" data-column=\"What\">lines without a URL</th><td data-column=\"Number\">2</td>"
        ),
        "{html}"
    );
    let (_, sarif, _) = audit("sarif");
    assert_eq!(sarif.matches("\"ruleId\": \"not-checked\"").count(), 2, "{sarif}");
}

#[test]
fn an_input_without_urls_of_the_list_has_a_row() {
    let (user, one) = (User::new(), Site::new(rules(&[])));
    let (down, other) = (Site::new(answer("500 Oops", &[], "")), Site::new(rules(&[])));
    let urls = list(&user, one.url("/open"));
    let sites = [one.base.as_str(), &down.base, &other.base];
    let audit =
        |format: &str| user.robots(&[&["audit", "--urls", &urls, "--format", format], &sites[..]].concat());
    let (status, csv, _) = audit("csv");
    assert_eq!(status, 2);
    for row in [
        format!(
            "\n{},nothing,site,*,,nothing,,robots.txt is unreachable (status 500),,rfc9309,,500,",
            down.base
        ),
        format!("\n{},rules,unchecked,,,,,no URL of the list belongs to this site,,,,200,", other.base),
    ] {
        assert!(csv.contains(&row), "{csv}");
    }
    let rows = rows(&audit("jsonl").1);
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["url", "site", "unchecked"]);
    for format in ["human", "html"] {
        let (_, out, _) = audit(format);
        assert!(sites.iter().all(|site| out.contains(*site)), "{out}");
    }
    let (_, sarif, _) = audit("sarif");
    assert!(sarif.contains("crawler-shut-out") && sarif.contains("\"ruleId\": \"not-checked\""), "{sarif}");
}

#[test]
fn a_space_is_a_part_of_a_listed_url() {
    let user = User::new();
    let file = user.0.path().join("robots.txt");
    fs::write(&file, "User-agent: *\nDisallow: /my%20page\n").unwrap();
    let file = file.to_str().unwrap();
    let urls =
        list(&user, "/my page\nhttps://example.com/my page\thome\nhttps://ex ample.com/my page\n/my\n");
    let (status, out, _) = user.robots(&["audit", "--urls", &urls, "--format", "jsonl", file]);
    assert_eq!(status, 2);
    let rows = rows(&out);
    let found: Vec<(&str, &str)> = rows
        .iter()
        .filter(|row| row["kind"] == "url")
        .map(|row| (row["url"].as_str().unwrap(), row["access"].as_str().unwrap()))
        .collect();
    let expected =
        [("/my page", "disallowed"), ("https://example.com/my page", "disallowed"), ("/my", "allowed")];
    assert_eq!(found, expected);
    assert!(out.contains("lines without a URL: 1"), "{out}");
    // `check` and `diff` give the same verdict.
    assert_eq!(user.robots(&["check", "--robots", file, "-a", "ExampleBot", "/my page"]).0, 1);
    let new = user.0.path().join("new.txt");
    fs::write(&new, "User-agent: *\nDisallow:\n").unwrap();
    let (status, out, _) =
        user.robots(&["diff", "--format", "json", "--urls", &urls, file, new.to_str().unwrap()]);
    assert_eq!(status, 2);
    assert!(out.contains("\"/my page\""), "{out}");
}

#[test]
fn an_index_with_a_missing_sitemap_is_used_as_far_as_it_can_be_read() {
    let user = User::new();
    let (index, good, missing) = (Site::new(""), Site::new(""), Site::new(answer("404 Not Found", &[], "")));
    let urls = "<urlset><url><loc>https://example.com/private</loc></url></urlset>";
    good.answers(answer("200 OK", &[], urls));
    let child = |site: &Site| format!("<sitemap><loc>{}</loc></sitemap>", site.url("/map.xml"));
    let children = [child(&missing), child(&good)].concat();
    index.answers(answer("200 OK", &[], &format!("<sitemapindex>{children}</sitemapindex>")));
    let (old, new) = (user.0.path().join("old.txt"), user.0.path().join("new.txt"));
    fs::write(&old, "User-agent: *\nDisallow: /private\n").unwrap();
    fs::write(&new, "User-agent: *\nDisallow:\n").unwrap();
    let (old, new, list) = (old.to_str().unwrap(), new.to_str().unwrap(), index.url("/map.xml"));
    let problem =
        format!("the sitemap {} could not be read: the server answered 404", missing.url("/map.xml"));
    let audit = |format: &str| {
        let (status, out, err) = user.robots(&["audit", "--urls", &list, "--format", format, old]);
        assert_eq!((status, err.as_str()), (2, ""), "{format}");
        assert!(out.contains(&problem) && out.contains("https://example.com/private"), "{format}: {out}");
        out
    };
    let human = audit("human");
    assert!(human.contains(&format!("problem     {list}  {problem}\n")), "{human}");
    assert!(human.ends_with("URLs disallowed: 1, problems with sitemaps and lists: 1\n"), "{human}");
    assert!(audit("csv").ends_with(&format!("{list},,problem,,,,,{problem},,,,,,,,,,\r\n")));
    let rows = rows(&audit("jsonl"));
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["url", "problem"]);
    assert!(rows.iter().all(|row| against("audit.json", row).is_empty()));
    assert!(audit("sarif").contains("\"ruleId\": \"sitemap-unreadable\""));
    assert!(audit("html").contains("1 part could not be read or checked."));
    let (status, out, err) = user.robots(&["diff", "--urls", &list, old, new]);
    assert_eq!((status, err), (2, format!("robots: error: {problem}\n")));
    assert!(out.ends_with("URLs: 1, verdicts that change: 1\n"), "{out}");
    // Without any URL, there is nothing to report but the error.
    index.answers(answer("200 OK", &[], &format!("<sitemapindex>{}</sitemapindex>", child(&missing))));
    let (status, out, err) = user.robots(&["audit", "--urls", &list, old]);
    assert_eq!((status, out.as_str(), err), (2, "", format!("robots: error: {problem}\n")));
}
