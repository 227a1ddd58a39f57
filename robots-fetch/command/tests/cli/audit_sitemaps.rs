//! `robots audit --sitemaps`: sitemaps that are not as they should be, and many URLs.

use std::io::Write as _;

use crate::audit::rows;
use crate::site::{Site, User, answer, path_of, served};

/// The status of an audit, its problems, and what it left out, of a site whose sitemap has this response.
fn problems(sitemap: impl Fn(&str) -> String) -> (i32, Vec<String>) {
    let (user, map) = (User::new(), Site::new(""));
    let site = Site::new("");
    map.answers(sitemap(&site.base));
    let url = map.url("/map.xml");
    site.answers(answer("200 OK", &[], &format!("User-agent: *\nDisallow: /private\nSitemap: {url}\n")));
    let (status, out, err) = user.robots(&["audit", "--sitemaps", "--format", "jsonl", &site.base]);
    assert_eq!(err, "");
    let found = rows(&out)
        .iter()
        .filter(|row| row["kind"] == "problem" || row["kind"] == "left-out")
        .map(|row| row["reason"].as_str().unwrap().replace(&url, "MAP"))
        .collect();
    (status, found)
}

#[test]
fn a_response_other_than_a_sitemap_is_a_problem() {
    for (body, why) in [
        (
            "<!DOCTYPE html>\n<html><head><meta charset=x><title>Shop</title></html>",
            "it is an HTML page, not a sitemap",
        ),
        ("<title>Not found</title>", "it is an HTML page, not a sitemap"),
        ("<opml version=\"2.0\"></opml>", "it is not a sitemap: its outermost element is `opml`"),
        ("Not found\n", "it is neither XML nor a list of URLs"),
        ("", "it is neither XML nor a list of URLs"),
    ] {
        let expected = format!("the sitemap MAP could not be read: {why}");
        assert_eq!(problems(|_| answer("200 OK", &[], body)), (2, vec![expected]), "{body}");
    }
    let expected = "the sitemap MAP could not be read: the server answered 404";
    assert_eq!(problems(|_| answer("404 Not Found", &[], "")), (2, vec![expected.to_owned()]));
}

#[test]
fn urls_of_other_sites_and_relative_ones_are_counted() {
    let found = problems(|base| {
        let url = |url: &str| format!("<url><loc>{url}</loc></url>");
        let urls =
            [url("https://a.example/x"), url("/y"), url(&format!("{base}/z")), url("https://a.example/y")];
        answer("200 OK", &[], &format!("<urlset>{}</urlset>", urls.concat()))
    });
    let expected = [
        "1 URL of the sitemaps is not whole and was not checked: `/y`",
        "2 URLs of the sitemaps are of other sites and were not checked, such as `https://a.example/x`",
    ];
    assert_eq!(found, (2, expected.map(str::to_owned).to_vec()));
    let text = problems(|base| answer("200 OK", &[], &format!("{base}/a\nb.html\nc.html\n")));
    assert_eq!(text, (2, vec!["MAP: 2 lines have no URL".to_owned()]));
    let index = "<sitemapindex><sitemap><loc>ftp://a.example/map.xml</loc></sitemap></sitemapindex>";
    let index = problems(|_| answer("200 OK", &[], index));
    assert_eq!(
        index,
        (2, vec!["MAP: 1 entry is not a URL by http or https: `ftp://a.example/map.xml`".to_owned()])
    );
    let other =
        problems(|_| answer("200 OK", &[], "<urlset><url><loc>https://a.example/x</loc></url></urlset>"));
    let expected = "1 URL of the sitemaps is of another site and was not checked: `https://a.example/x`";
    // Nothing was checked.
    assert_eq!(other, (2, vec![expected.to_owned()]));
    let good =
        problems(|base| answer("200 OK", &[], &format!("<urlset><url><loc>{base}/z</loc></url></urlset>")));
    assert_eq!(good, (0, Vec::new()));
}

#[test]
fn all_sitemaps_of_a_site_share_its_time() {
    // A server that never answers.
    let (user, map, site) = (User::new(), Site::new(""), Site::new(""));
    let sitemaps: String =
        (0..100).map(|number| format!("Sitemap: {}\n", map.url(&format!("/{number}")))).collect();
    site.answers(answer("200 OK", &[], &format!("User-agent: *\nDisallow: /private\n{sitemaps}")));
    let args = ["audit", "--sitemaps", "--format", "jsonl", "--timeout", "2", &site.base];
    let (status, out, err) = user.robots(&args);
    assert_eq!((status, err.as_str()), (2, ""));
    // The time is over while the first ones are waited for, so that the others are not asked.
    assert!(map.count() <= 2, "{} requests", map.count());
    let last =
        rows(&out).into_iter().rfind(|row| row["kind"] == "problem" || row["kind"] == "left-out").unwrap();
    let reason = last["reason"].as_str().unwrap();
    assert!(reason.contains("sitemaps were not read, because the time for the site was over"), "{reason}");
}

/// 11,410 URLs of two rules are two rows for people, and each is a row for programs.
#[test]
fn many_disallowed_urls_are_grouped_by_their_rules() {
    let user = User::new();
    let site = served(|base, head, stream| {
        let body = match path_of(head) {
            "/robots.txt" => {
                format!("User-agent: *\nDisallow: /a/\nDisallow: /b/\nSitemap: {base}/map.txt\n")
            }
            _ => (0..60).map(|page| format!("{base}/{}/{page}\n", ["a", "b", "c"][page % 3])).collect(),
        };
        stream.write_all(answer("200 OK", &[], &body).as_bytes()).unwrap();
    });
    let (status, out, err) = user.robots(&["audit", "--sitemaps", &site]);
    assert_eq!((status, err.as_str()), (1, ""));
    let row = |path: &str, line: usize| {
        let samples: Vec<String> =
            (0..3).map(|page| format!("{site}/{path}/{}", page * 3 + line - 2)).collect();
        let samples = samples.join(", ");
        format!(
            "disallowed  {site}  *  20 submitted URLs: {samples} and 17 more  line {line}: Disallow: /{path}/"
        )
    };
    let expected = [row("a", 2), row("b", 3), "`--format csv` writes each of these URLs".to_owned()];
    assert_eq!(out.lines().skip(1).take(3).collect::<Vec<_>>(), expected, "{out}");
    assert_eq!(out.lines().count(), 5, "{out}");
    let (_, out, _) = user.robots(&["audit", "--sitemaps", "--format", "csv", &site]);
    assert_eq!(out.lines().filter(|line| line.contains(",submitted,")).count(), 40);
}
