//! The findings of the examples on the pages of the lints and of other files, in full: places, messages, profiles and
//! corrections.

#![cfg(feature = "lint")]
#![allow(clippy::std_instead_of_alloc, clippy::unwrap_used, reason = "helpers of tests are tests")]

mod pages;

use core::fmt::Write as _;

use robots_match::lint::{Lint, LintContext, Severity};

/// The most findings that are shown of one file, besides those that the file is about.
const SHOWN: usize = 16;

/// All findings of a file, up to [`SHOWN`], and all of the lint that the file is about.
fn described(body: &[u8], context: &LintContext<'_>, about: Option<Lint>) -> String {
    let report = context.lint(body);
    let mut text = String::new();
    let part = |span: robots_match::syntax::Span| {
        let bytes = span.of(body);
        let shown = bytes.get(..40).unwrap_or(bytes).escape_ascii();
        format!("{span:?} `{shown}`{}", if bytes.len() > 40 { "..." } else { "" })
    };
    let mut more = 0;
    for (index, finding) in report.findings.iter().enumerate() {
        if index >= SHOWN && Some(finding.lint) != about {
            more += 1;
            continue;
        }
        writeln!(text, "  {finding}\n    at {}", part(finding.span)).unwrap();
        if let Some(help) = &finding.help {
            writeln!(text, "    help: {help}").unwrap();
        }
        if let Some((span, what)) = &finding.other {
            writeln!(text, "    other: {what}, at {}", part(*span)).unwrap();
        }
        if !finding.readers.is_empty() {
            let names: Vec<&str> = finding.readers.iter().map(|document| document.name()).collect();
            writeln!(text, "    readers: {}", names.join(", ")).unwrap();
        }
        if let Some(fix) = &finding.fix {
            writeln!(text, "    fix: {} becomes `{}`", part(fix.span), fix.replacement.escape_ascii())
                .unwrap();
        }
        if let Some(edit) = &finding.suggestion {
            writeln!(
                text,
                "    suggestion: {} becomes `{}`",
                part(edit.span),
                edit.replacement.escape_ascii()
            )
            .unwrap();
        }
    }
    if more > 0 {
        writeln!(text, "  and {more} more").unwrap();
    }
    for ((code, severity), count) in &report.left_out {
        writeln!(text, "  {count} of {code} ({severity}) left out").unwrap();
    }
    let (after, made) = report.fix(body);
    if made > 0 {
        let shown = if after.len() < 1000 { format!(": `{}`", after.escape_ascii()) } else { String::new() };
        writeln!(text, "  {made} made, {} bytes become {}{shown}", body.len(), after.len()).unwrap();
    }
    writeln!(text, "  severest: {}", report.severest().map_or("none", Severity::name)).unwrap();
    text
}

#[test]
fn examples_of_pages_are_shown_in_full() {
    let mut shown = String::new();
    for &code in Lint::ALL {
        for (index, example) in pages::examples(code.page()).into_iter().enumerate() {
            let mut context = LintContext::default();
            context.all = true;
            context.url = pages::fact(&example.info, "url");
            context.content_type = pages::fact(&example.info, "content-type");
            context.missing = pages::fact(&example.info, "missing");
            let paths = pages::paths(&example.info);
            context.paths = &paths;
            writeln!(shown, "{code}, file {}, {}", index + 1, example.info).unwrap();
            let text = described(&example.body, &context, Some(code));
            assert_eq!(text.contains(&format!("[{code}]")), example.is_found, "{code}");
            shown += &text;
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("findings-of-pages", shown);
    });
}

/// Files that the pages do not show: several findings at one place, and lines that are almost a finding.
fn others() -> Vec<(&'static str, Vec<u8>)> {
    let general = |lines: &str| format!("User-agent: *\n{lines}").into_bytes();
    let comment = |len: usize| [&b"#"[..], &vec![b'a'; len - 2], b"\n"].concat();
    vec![
        ("lists of names", b"User-agent: a,, b ,\nUser-agent: ,\nUser-agent: a,b\nDisallow: /x\n".to_vec()),
        (
            "names that are none",
            b"User-agent: 4bot\nUser-agent: Bo\xFFt\nUser-agent: a b\nUser-agent: a\xC3\xA9\nUser-agent: *bot\n\
              User-agent: * x\nUser-agent: a.\x01\nDisallow: /x\n"
                .to_vec(),
        ),
        (
            "names that are headers",
            b"User-agent: Bot/2.1\nUser-agent: Bot (x)\nUser-agent: Mozilla/5.0\nUser-agent: (\xFF)\n\
              Disallow: /x\n"
                .to_vec(),
        ),
        ("a blank line between names", b"User-agent: a\n\n\nUser-agent: b\n\nDisallow: /x\n".to_vec()),
        (
            "blank lines at every place",
            b"\nUser-agent: a\nDisallow: /x\n\n\nDisallow: /y\n\nDisallow: /z\n\nUser-agent: b\n\nDisallow: /y\n\
              \nUser-agent: c\n# x\nDisallow: /z\n\n"
                .to_vec(),
        ),
        (
            "records between names",
            b"User-agent: a\nCrawl-delay: 1\nLicense: https://a.test/\nUser-agent: b\nSitemap: https://a.test/s\n\
              \nUser-agent: c\nDisallow: /x\nSitemap: https://a.test/t\n\nUser-agent: d\nDisallow:\n"
                .to_vec(),
        ),
        (
            "encoded bytes",
            general(
                "Disallow: /a%4\nDisallow: /%\nDisallow: /%7E%41%2f%c3%A9%zz%2F%3a\nAllow: /%2d%2Db%2ec\n\
                 Disallow: /%zz%%41\nDisallow: /%2F%3A\nDisallow: /%5F%5f%30%39%7a%7A%40%5B%60%7B\nDisallow: /%7E%2F%41\n",
            ),
        ),
        (
            "special characters",
            general(
                "Disallow: *\nDisallow: **\nDisallow: /a**\nDisallow: $\nDisallow: /$a$\nDisallow: /a$$\n\
                 Disallow: a*b\nDisallow: /*a*\nAllow: /b$*\n",
            ),
        ),
        (
            "blanks and comments",
            general(
                "Allow: /a\tb c\nAllow: /d #e\nAllow: /f#g\nAllow: /h# i # j\nAllow: #k\nAllow:\nDisallow:\n",
            ),
        ),
        (
            "URLs and roots",
            general(
                "Disallow: HTTP://a.test\nDisallow: http:///x\nDisallow: a+b-c.d://e/f?g\nDisallow: 1a://b/c\n\
                 Disallow: http://?x\nDisallow: é\nDisallow: //a/b\nDisallow: http:/a\nDisallow: http://#\n",
            ),
        ),
        (
            "files for pages, and the robots.txt",
            general(
                "Disallow: /x.css*$\nDisallow: /y.JS\nAllow: /x.js\nDisallow: /js\nDisallow: /c.css/\n\
                 Disallow: /robots.txt$\nAllow: /robots.txt?x\nDisallow: /a/robots.txt\nDisallow: /%72obots.txt\n",
            ),
        ),
        (
            "delays",
            general(
                "Crawl-delay: 3600\nCrawl-delay: 3601\nCrawl-delay: 3600.5\nCrawl-delay: 1.5\nCrawl-delay:\n\
                 Crawl-delay: 1.2.3\nCrawl-delay: -1\nCrawl-delay: +1\nCrawl-delay: inf\nCrawl-delay: .\n\
                 Crawl-delay: 1e3\nDisallow: /x\n",
            ),
        ),
        (
            "other keys",
            general(
                "HOST: a.test\nNoArchive: x\nNofollow: x\nVisit-time: 0100-0200\nRequest-rate: 1/5\n\
                 Clean-param: a /b\nfoo: x\nalow: /x\nuser-agnet: b\nUsers-agent: z\ndisallowed: /y\n\
                 sitemaps: https://a.test/b\nsite-map: https://a.test/s\nuseragent: c\ncrawldelay: 5\ncrawl-delays: 5\n\
                 sitema: x\nxsitemap: x\nstiemap: x\nstemiap: x\nsit: x\nDisallow: /x\n",
            ),
        ),
        (
            "keys that are near others or not",
            general("allowed: /x\nallwx: /x\nalxyw: /x\nalliw: /x\nallo: /x\nwolla: /x\nlalow: /x\naallow: /x\nsitemap /a\n"),
        ),
        ("corrections that overlap", general("Disallow: /a%2f\nDisallow: /a%2f\nAllow: /b%2F\nAllow: /b%2f")),
        (
            "URLs of records",
            general(
                "Sitemap: HTTPS://a\nSitemap: ftp://a/b\nSitemap: https:///x\nSitemap: 1a://b\nSitemap:\n\
                 Sitemap: https://?\nSitemap: https:/a\nLicense: x\nLicense: https://a/b\nLicense: file://a\n\
                 Sitemap: a b://c\nDisallow: /x\n",
            ),
        ),
        (
            "signals",
            general(
                "Content-Signal: /a ai-train=no, train-ai=n,search=y , search = no\nContent-Signal: ai-train\n\
                 Content-Usage: ai-input=yes,train-ai=y;x, AI-TRAIN = n\nContent-Usage: /b\tsearch=Yes\n\
                 Content-Usage: /c\nContent-Signal: search=N\nDisallow: /x\n",
            ),
        ),
        (
            "lines that lenient crawlers read",
            b"Disallow https://a.test/s\nSitemap\t http://a.test/s\nSitemap here: //a/b\nuser agent x: //y\n  words here # c\n\tuser-agent foo\nallow  /x\nsitemap https://a.test/s\nDisallow\t/a b\nDisallow /y # c\n\
              : x\nfoo /bar\n\x0Cdisallow /z\n#\n"
                .to_vec(),
        ),
        (
            "rules that say the same",
            b"User-agent: a\nUser-agent: A # c\nUser-agent: b\nUser-agent: B\nDisallow: /x\nallow: /x\nDisallow: /X\n\
              Disallow: /x # c\nallow: /x\ndisallow: /%78\nallow: /X\nAllow: /Y\nAllow: /y\nAllow: /Y\n"
                .to_vec(),
        ),
        (
            "groups for the same",
            b"User-agent: *\nUser-agent: *\nAllow: /y\nUser-agent: b\nUser-agent: b\nAllow: /y\nUser-agent: * x\n\
              Disallow: /\nUser-agent: B\nUser-agent: *\nDisallow: /*\nAllow:\n"
                .to_vec(),
        ),
        ("everything, for one", b"User-agent: a\nDisallow: /\nUser-agent: b\nAllow: /\n".to_vec()),
        ("everything but", general("Disallow: /\nDisallow: /*\nAllow: /a\n")),
        ("everything, by a star", general("Disallow: /a\nDisallow: /*\n")),
        ("everything, and nothing else", general("Allow:\nDisallow: /**\nDisallow: /\n")),
        (
            "rules that never decide",
            general(
                "Disallow: /a\nAllow: /a/b$\nAllow: /a/*\nAllow: /a/c\nDisallow: /a/c/d\nAllow: /a/e*\n\
                 Disallow: /f$\nAllow: /f\nAllow: /f/g\nAllow: /h\nDisallow: /h\nAllow: /a/c\n",
            ),
        ),
        (
            "rules that a star beats",
            general("Allow: /p\nDisallow: /*/long/pattern\nAllow: /q/long/pattern\nDisallow: /p*\n"),
        ),
        (
            "rules outside of groups",
            b"Disallow: /a\nSitemap: https://a.test/s\n\nUser-agent: a\n\nDisallow: /b\n\nAllow: /c\n".to_vec(),
        ),
        ("a page after blank lines", b"\n\n <HTML lang=en>\n<head>".to_vec()),
        ("a page after a byte order mark", b"\xEF\xBB\xBF<?xml version=1?>".to_vec()),
        ("no page", b"# <html>\nfoo: <html>\n".to_vec()),
        ("UTF-16 of the other end", b"\xFE\xFF\0a".to_vec()),
        ("only a byte order mark", b"\xEF\xBB\xBF".to_vec()),
        ("a part of a byte order mark", b"\xEF\xBBUser-agent: a\nDisallow: /b\n".to_vec()),
        ("a comment without an end", b"User-agent: a\nDisallow: /b\n# c".to_vec()),
        ("ends of all kinds", b"User-agent: a\rDisallow: /b\r\n\r\nfoo: x\rDisallow: /b\r\nDisallow: /b\r".to_vec()),
        (
            "bytes that are not text",
            b"# \xE3\x83\n#a\xFF\xFE\n# \x7F\x01\nfoo\x0B: \x00\tx\nfo\0o: x\n# \xE3\x83".to_vec(),
        ),
        ("bytes that are not UTF-8", b"# \xE3\x83\n#a\xFF\xFE\n# \xE3\x83".to_vec()),
        ("control characters", b"# \x7F\x01\nfoo\x0B: \x00\tx\nfo\0o: x".to_vec()),
        ("a long comment", comment(20_000)),
        ("a line that is just not too long", [&general("Disallow: /")[..], &[b'a'; 16_652], b"\n"].concat()),
        ("a line that is just too long", [&general("Disallow: /")[..], &[b'a'; 16_653], b"\n"].concat()),
        ("a file that is just not too long", comment(512_000)),
        ("a file that is too long by its comments", [comment(512_000), comment(5)].concat()),
        (
            "a file that is too long by two rules",
            [&general("Disallow: /b\n")[..], &comment(511_990), b"Allow: /a\nDisallow: /a/b\n"].concat(),
        ),
        ("as many findings as are listed", b"x\n".repeat(100)),
        ("one more finding than is listed", b"x\n".repeat(101)),
        (
            "words that are shortened",
            [
                &b"k"[..],
                &[b'e'; 59],
                b": x\nk",
                &[b'e'; 60],
                b": x\n\xE2\x80\xAEabc\xE2\x81\xA6: x\n\xE2\x80\x8B\xFFd\x1B: x\n",
            ]
            .concat(),
        ),
    ]
}

#[test]
fn other_files_are_shown_in_full() {
    let mut shown = String::new();
    for (name, body) in others() {
        writeln!(shown, "{name}").unwrap();
        let mut context = LintContext::default();
        context.all = true;
        shown += &described(&body, &context, None);
    }
    // Facts that are not in the file.
    let body = b"User-agent: *\nDisallow: /s\nSitemap: https://a.test/s.xml\nSITEMAP: HTTPS://A.TEST/s?x\n\
                 Sitemap: https://b.test/s.xml\nSitemap: http://a.test/s.xml\nHost: https://a.test/s\n\
                 Sitemap: https://a.test/t.xml\nSitemap: /s\nSitemap: https://a.test\n";
    for (url, content_type) in [
        (Some("https://a.test/robots.txt"), None),
        (Some("HTTPS://A.test"), Some("TEXT/PLAIN ; charset=utf-8")),
        (Some("https://a.test:8080/robots.txt"), Some("")),
        (Some("a.test"), Some("application/\u{1B}x")),
        (None, Some("text/plain")),
    ] {
        let mut context = LintContext::default();
        context.all = true;
        (context.url, context.content_type) = (url, content_type);
        writeln!(shown, "sitemaps of {url:?}, served as {content_type:?}").unwrap();
        shown += &described(body, &context, Some(Lint::SitemapDisallowed));
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("findings-of-others", shown);
    });
}
