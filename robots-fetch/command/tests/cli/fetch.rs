//! `robots fetch`.

use core::time::Duration;
use std::fs;
use std::thread;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::command::folder;
#[cfg(unix)]
use crate::command::on_full_disk;
use crate::site::{Site, User, answer, rules, settled, settled_json};
use robots_conformance::testing::ClosedPort;
use robots_conformance::testing::ftp_server;

#[test]
fn fetch_shows_requests_and_freshness() {
    let (user, site) = (User::new(), Site::new(rules(&["Cache-Control: max-age=3600", "ETag: \"1\""])));
    let (status, out, err) = user.robots(&["fetch", &site.url("/any/page")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(
        settled(&out, &site),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  200\n\
         \x20 answer    a file\n\
         \x20 size      54 bytes, all read\n\
         \x20 read      1 group with 2 rules\n\
         \x20 sent      Cache-Control: max-age=3600\n\
        \x20 fresh     until TIME, 1 hour after it was fetched (Cache-Control: max-age)\n\
         \x20 now       crawlers may access what the rules allow\n\
         \x20 later     next revalidation at TIME\n"
    );
    // The site is asked again, on condition; and says no.
    site.answers(answer("304 Not Modified", &[], ""));
    let (status, out) = user.fetch(&[], &site);
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  304\n\
        \x20 answer    the file has not changed\n\
        \x20 size      54 bytes, all read\n\
        \x20 read      1 group with 2 rules\n\
        \x20 sent      Cache-Control: max-age=3600\n\
        \x20 fresh     until TIME, 1 hour after it was fetched (Cache-Control: max-age)\n";
    assert!(status == 0 && out.starts_with(expected), "{out}");
    site.answers(answer("304 Not Modified", &[], ""));
    let (status, value) = user.json(&["fetch", &site.base]);
    assert_eq!((status, &value["status"], &value["access"]), (0, &304.into(), &"rules".into()));
    assert!(site.asked.lock().unwrap()[1].to_ascii_lowercase().contains("\r\nif-none-match: \"1\"\r\n"));
    assert_eq!(value["profile"], "rfc9309");
}

#[test]
fn fetch_shows_what_a_missing_file_means() {
    let (user, site) = (User::new(), Site::new(answer("404 Not Found", &[], "")));
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  404\n\
        \x20 answer    the site has no robots.txt (status 404)\n\
        \x20 fresh     until TIME, 24 hours after it was fetched (the default of the profile)\n\
        \x20 now       crawlers may access everything\n\
        \x20 later     next request at TIME\n";
    assert_eq!(user.fetch(&[], &site), (0, expected.to_owned()));
    site.answers(answer("403 Forbidden", &[], ""));
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  403\n\
        \x20 answer    the site restricts access to robots.txt (status 403)\n\
        \x20 fresh     until TIME, 7 days after it was fetched (the default of the profile)\n\
        \x20 now       crawlers may access nothing\n\
        \x20 later     next request at TIME\n";
    assert_eq!(user.fetch(&["--profile", "koster-1996"], &site), (1, expected.to_owned()));
    // An outage without a file from before, of which the site says how long it will last.
    let (user, site) = (User::new(), Site::new(answer("503 Service Unavailable", &["Retry-After: 600"], "")));
    for outage in ["unreachable since TIME", "unreachable since TIME, after 2 attempts"] {
        let expected = format!(
            "robots.txt of http://site\n\
             \x20 request   http://site/robots.txt  503\n\
             \x20 answer    robots.txt is unreachable (status 503)\n\
             \x20 outage    {outage}\n\
             \x20 now       crawlers may access nothing\n\
             \x20 later     next attempt at TIME, as the server asks\n\
             \x20 later     if still failing on TIME, crawlers may treat the site as unrestricted\n"
        );
        assert_eq!(user.fetch(&[], &site), (2, expected));
    }
    let closed = ClosedPort::new();
    let address = closed.address;
    let (status, out, _) = user.robots(&["fetch", &format!("http://{address}/")]);
    assert!(
        status == 2 && out.contains(&format!("  request   http://{address}/robots.txt  no answer\n")),
        "{out}"
    );
}

#[test]
fn fetch_shows_where_the_lifetime_comes_from() {
    let user = User::new();
    let now = SystemTime::now();
    let date = format!("Date: {}", httpdate::fmt_http_date(now));
    let expires = format!("Expires: {}", httpdate::fmt_http_date(now + Duration::from_secs(7200)));
    struct Case<'a> {
        fields: &'a [&'a str],
        expected: &'a str,
    }
    for Case { fields, expected } in [
        Case {
            fields: &["Cache-Control: max-age=60"],
            expected: "fresh     until TIME, 1 minute after it was fetched (Cache-Control: max-age)\n",
        },
        Case {
            fields: &["Cache-Control: max-age=172800"],
            expected: "until TIME, 24 hours after it was fetched (Cache-Control: max-age asks for 2 days, more than the profile \
             allows)\n",
        },
        Case { fields: &[&date, &expires], expected: " after it was fetched (Expires)\n" },
        Case {
            fields: &["Cache-Control: no-cache"],
            expected: "fresh     only for this request (Cache-Control: no-cache)\n",
        },
        Case {
            fields: &["Cache-Control: no-store"],
            expected: "fresh     only for this request (Cache-Control: no-store)\n",
        },
    ] {
        let site = Site::new(rules(fields));
        let (status, out) = user.fetch(&[], &site);
        assert!(status == 0 && out.contains(expected), "{fields:?}: {out}");
    }
}

#[test]
fn fetch_writes_json() {
    let fields =
        ["Cache-Control: max-age=600", "ETag: \"1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"];
    let (user, site) = (User::new(), Site::new(rules(&fields)));
    let (_, value) = user.json(&["fetch", &site.base]);
    let (settled, times) = settled_json(&value, &site);
    let mut expected = json!({
        "version": 1,
        "site": "http://site",
        "requests": [{ "url": "http://site/robots.txt", "status": 200 }],
        "status": 200,
        "class": "success",
        "cause": null,
        "note": null,
        "bytes": 54,
        "file": {
            "url": "http://site/robots.txt",
            "bytes": 54,
            "dropped": 0,
            "excess": false,
            "body": {"kind": "rules", "text": "a robots.txt file", "groups": 1, "rules": 2},
            "retrieved": "TIME",
            "confirmed": "TIME",
            "etag": "\"1\"",
            "last_modified": "Sun, 06 Nov 1994 08:49:37 GMT",
            "content_type": null,
            "cache_control": "max-age=600",
            "expires": null,
            "sent_age": null,
        },
        "access": "rules",
        "received": "TIME",
        "age": null,
        "fresh": true,
        "until": "TIME",
        "next": "TIME",
        "lifetime": 600,
        "asked": 600,
        "basis": "max-age",
        "outage": null,
        "changes": ["next revalidation at TIME"],
        "profile": "rfc9309",
    });
    assert_eq!(settled, expected);
    let [retrieved, confirmed, received, until, next] = times.try_into().unwrap();
    assert!(retrieved == confirmed && confirmed == received && received < until && until == next);
    // Later answers of one site.
    site.answers(answer("503 Service Unavailable", &["Retry-After: 600"], ""));
    user.json(&["fetch", &site.base]);
    // Times are shown in seconds.
    thread::sleep(Duration::from_millis(1100));
    let (status, value) = user.json(&["fetch", &site.base]);
    let (settled, times) = settled_json(&value, &site);
    for (key, value) in [
        ("requests", json!([{ "url": "http://site/robots.txt", "status": 503 }])),
        ("status", json!(503)),
        ("class", json!("unreachable")),
        ("cause", json!({ "code": "status", "text": "status 503", "local": false })),
        ("bytes", json!(0)),
        ("file", Value::Null),
        ("access", json!("nothing")),
        ("fresh", json!(false)),
        ("basis", json!("retry-after")),
        ("outage", json!({ "since": "TIME", "last": "TIME", "attempts": 2 })),
        (
            "changes",
            json!([
                "next attempt at TIME, as the server asks",
                "if still failing on TIME, crawlers may use the rules of the last good file",
            ]),
        ),
    ] {
        expected[key] = value;
    }
    assert_eq!((status, settled), (2, expected));
    let [received, until, next, since, last] = times.clone().try_into().unwrap();
    assert!(since < last && last == received && until == received && received < next, "{times:?}");
    // An HTML page that is larger than the limit.
    site.answers(answer(
        "200 OK",
        &["Cache-Control: max-age=172800"],
        &"<html><p>0123456789\n".repeat(30_000),
    ));
    let (_, value) = user.json(&["fetch", &site.base]);
    assert_eq!(value["bytes"], 512_001);
    assert_eq!(value["file"]["bytes"], 512_001);
    assert_eq!(value["file"]["dropped"], 512_001 % 20);
    assert_eq!((&value["file"]["body"]["kind"], &value["outage"]), (&"html".into(), &Value::Null));
    assert_eq!((&value["lifetime"], &value["asked"]), (&86_400.into(), &172_800.into()));
}

#[test]
fn fetch_follows_redirects_and_shows_them() {
    let (user, there) = (User::new(), Site::new(rules(&[])));
    let field = format!("Location: {}", there.url("/a/robots.txt"));
    let here = Site::new(answer("301 Moved Permanently", &[&field], ""));
    let (status, out, _) = user.robots(&["fetch", "--no-cache", &here.base]);
    let expected =
        format!("  request   {}/robots.txt  301\n  request   {}/a/robots.txt  200\n", here.base, there.base);
    assert!(status == 0 && out.contains(&expected), "{out}");
    assert!(out.contains("24 hours after it was fetched (the default of the profile)"), "{out}");
    let round = Site::new(answer("302 Found", &["Location: /robots.txt"], ""));
    let (status, value) = user.json(&["fetch", "--no-cache", &round.base]);
    assert_eq!((status, &value["cause"]["code"]), (0, &"redirect-loop".into()));
}

#[test]
fn fetch_supports_ftp_and_redirects_to_it() {
    let user = User::new();
    let base = format!("ftp://{}", ftp_server::serve(ftp_server::Fault::None));
    let here = Site::new(answer("302 Found", &[&format!("Location: {base}/robots.txt")], ""));
    let (status, out, err) = user.robots(&["fetch", &format!("{base}/any/page")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(
        settled(&out, &here).replace(&base, "ftp://site"),
        "robots.txt of ftp://site\n\
         \x20 request   ftp://site/robots.txt  150\n\
         \x20 answer    a file\n\
         \x20 size      33 bytes, all read\n\
         \x20 read      1 group with 1 rule\n\
         \x20 fresh     until TIME, 24 hours after it was fetched (the default of the profile)\n\
         \x20 now       crawlers may access what the rules allow\n\
         \x20 later     next request at TIME\n"
    );
    let (status, out, _) = user.robots(&["fetch", &here.base]);
    let expected = format!("  request   {}/robots.txt  302\n  request   {base}/robots.txt  150\n", here.base);
    assert!(status == 0 && out.contains(&expected), "{out}");
    let urls = [here.url("/private"), format!("{base}/")];
    let (status, out, err) = user.robots(&["check", "-a", "ExampleBot", &urls[0], &urls[1]]);
    let expected = format!(
        "disallowed {}  line 2: disallow: /private\nallowed    {}  no rule matches\n",
        urls[0], urls[1]
    );
    assert_eq!((status, out), (1, expected));
    assert!(
        err.starts_with("robots: note: the answers of 2 of 2 sites are from the cache, at most "),
        "{err}"
    );
    assert_eq!(here.count(), 1);
}

#[test]
fn fetch_shows_what_an_outage_leads_to() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    assert_eq!(user.robots(&["fetch", &site.base]).0, 0);
    site.answers(answer("503 Service Unavailable", &[], ""));
    let first = user.robots(&["fetch", &site.base]);
    assert_eq!((first.0, first.2.as_str()), (2, ""));
    assert_eq!(
        settled(&first.1, &site),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  503\n\
         \x20 answer    robots.txt is unreachable (status 503)\n\
         \x20 outage    unreachable since TIME\n\
         \x20 now       crawlers may access nothing\n\
         \x20 later     next attempt at TIME\n\
         \x20 later     if still failing on TIME, crawlers may use the rules of the last good file\n"
    );
    let (_, value) = user.json(&["fetch", &site.base]);
    assert_eq!((&value["outage"]["attempts"], &value["lifetime"]), (&2.into(), &120.into()));
    // The old draft knows robots that are not wanted.
    site.answers(answer("403 Forbidden", &[], ""));
    let (status, out, _) = user.robots(&["fetch", "--profile", "koster-1996", &site.base]);
    assert!(status == 1 && out.contains("the site restricts access to robots.txt (status 403)"), "{out}");
    let (status, out, _) = user.robots(&["fetch", &site.base]);
    assert!(
        status == 0
            && out.contains("the site refuses access to robots.txt, as if there were none (status 403)")
            && out.contains("--user-agent"),
        "{out}"
    );
}

#[test]
fn fetch_notes_html_pages_and_truncation() {
    let user = User::new();
    let page = Site::new(answer("200 OK", &[], "<!DOCTYPE html><title>Oops</title>"));
    let (_, shown, _) = user.robots(&["fetch", &page.base]);
    assert!(
        shown.contains(
            "  read      no group, so no rules\n  note      this is an HTML page, not a robots.txt file"
        ),
        "{shown}"
    );
    assert!(shown.contains("  answer    an HTML page\n"), "{shown}");
    let large =
        Site::new(answer("200 OK", &["Cache-Control: no-store"], &"Disallow: /0123456789\n".repeat(30_000)));
    let (_, out, _) = user.robots(&["fetch", &large.base]);
    // 512,000 bytes contain 23,272 complete lines of 22 bytes.
    assert!(
        out.contains("over the size limit: only the first 511984 bytes, which end with a line, are used"),
        "{out}"
    );
    assert!(out.contains("only for this request (Cache-Control: no-store)"), "{out}");
}

#[test]
fn fetch_shows_that_a_site_limits_requests() {
    let (user, site) = (User::new(), Site::new(answer("429 Too Many Requests", &["Retry-After: 600"], "")));
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  429\n\
        \x20 answer    the site limits requests (status 429)\n\
        \x20 throttled no file is cached, so nothing may be accessed for now\n\
        \x20 now       crawlers may access nothing\n\
        \x20 later     next attempt at TIME, as the server asks\n";
    assert_eq!(user.fetch(&[], &site), (2, expected.to_owned()));
    site.answers(rules(&[]));
    assert_eq!(user.fetch(&[], &site).0, 0);
    site.answers(answer("429 Too Many Requests", &[], ""));
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  429\n\
        \x20 answer    the site limits requests (status 429)\n\
        \x20 size      54 bytes, all read\n\
        \x20 read      1 group with 2 rules\n\
        \x20 file      confirmed at TIME\n\
        \x20 throttled the last good file applies\n\
        \x20 now       crawlers may access what the rules allow\n\
        \x20 later     next attempt at TIME\n";
    assert_eq!(user.fetch(&[], &site), (0, expected.to_owned()));
    let (status, value) = user.json(&["fetch", &site.base]);
    assert_eq!((status, &value["class"], &value["access"]), (0, &"throttled".into(), &"rules".into()));
    assert_eq!((&value["outage"], &value["fresh"]), (&Value::Null, &false.into()));
}

#[test]
fn access_option_changes_the_meaning_of_answers() {
    let user = User::new();
    for (status, body, choices, expected) in [
        ("429 Too Many Requests", "", &[][..], "nothing"),
        ("429 Too Many Requests", "", &["statuses=classes"], "everything"),
        ("429 Too Many Requests", "", &["statuses=classes", "statuses=429-throttled"], "nothing"),
        ("500 Oops", "Page not found", &[], "nothing"),
        ("500 Oops", "Page not found", &["error-page-may-be-404=yes"], "everything"),
        ("200 OK", "<!DOCTYPE html><p>Log in", &[], "rules"),
        ("200 OK", "<!DOCTYPE html><p>Log in", &["html=unavailable"], "everything"),
        ("200 OK", "<!DOCTYPE html><p>Log in", &["html=unreachable"], "nothing"),
    ] {
        let site = Site::new(answer(status, &[], body));
        let args: Vec<&str> = choices.iter().flat_map(|choice| ["--access", choice]).collect();
        let (_, value) = user.json(&[&["fetch", "--no-cache", &site.base], &args[..]].concat());
        assert_eq!(value["access"], expected, "{status} {choices:?}");
        let check = ["check", "--no-cache", "-a", "ExampleBot", &site.url("/a")];
        let status = user.robots(&[&check[..], &args].concat()).0;
        // A site that is closed for now gives no answer.
        assert_eq!(status, if expected == "nothing" { 2 } else { 0 });
        let explain = ["explain", "--no-cache", "-a", "ExampleBot", &site.url("/a")];
        assert_eq!(user.robots(&[&explain[..], &args].concat()).0, status);
    }
    let site = Site::new(rules(&[]));
    let fetch = ["fetch", "--access", "outage=file-at-once"];
    assert_eq!(user.robots(&[&fetch[..], &[&site.base]].concat()).0, 0);
    site.answers(answer("503 Service Unavailable", &[], ""));
    let (status, value) = user.json(&[&fetch[..], &["--access", "first-retry-503=7", &site.base]].concat());
    assert_eq!(
        (status, &value["access"]),
        (2, &"nothing".into()),
        "another policy uses no file of the first"
    );
    assert_eq!(value["lifetime"], 7);
    let (status, value) = user.json(&[&fetch[..], &[&site.base]].concat());
    assert_eq!((status, &value["access"], &value["class"]), (0, &"rules".into(), &"unreachable".into()));
}

#[test]
fn the_file_of_a_site_is_written_byte_by_byte() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let path = user.0.path().join("copy.txt");
    let name = path.to_str().unwrap();
    let (status, out, _) = user.robots(&["fetch", "--output", name, &site.base]);
    assert!(status == 0 && out.starts_with("robots.txt of "), "{out}");
    let expected = "User-agent: *\nDisallow: /private\nAllow: /private/open\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(user.robots(&["fetch", "--output", "-", &site.base]).1, expected);
    site.answers(answer("404 Not Found", &[], "no"));
    let (status, out, err) = user.robots(&["fetch", "--output", name, &site.base]);
    let expected_error = format!("robots: error: {} sent no robots.txt (", site.base);
    assert!(status == 2 && out.is_empty() && err.starts_with(&expected_error), "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn a_file_of_which_only_a_part_is_kept_is_not_written() {
    let text = "User-agent: *\nDisallow: /a\n".repeat(30_000);
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
    let (user, site) = (User::new(), Site::new([head.as_bytes(), text.as_bytes()].concat()));
    let path = folder("fetch-cut").join("robots.txt");
    let _ = fs::remove_file(&path);
    let (status, _, err) = user.robots(&["fetch", "--output", path.to_str().unwrap(), &site.base]);
    assert!(
        status == 2 && err.contains("over the size limit") && err.contains("nothing is written"),
        "{err}"
    );
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_the_file_of_the_user() {
    use std::os::unix::fs::PermissionsExt as _;
    let text = "User-agent: *\n".to_owned() + &"Disallow: /a\n".repeat(1000);
    let (user, site) = (User::new(), Site::new(answer("200 OK", &[], &text)));
    let folder = user.0.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let (path, link) = (folder.join("robots.txt"), user.0.path().join("link"));
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let [name, linked] = [&path, &link].map(|path| path.to_str().unwrap());
    let others = || fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect::<Vec<_>>();
    // A new file, and one that exists.
    for before in [None, Some("User-agent: *\nDisallow: /\n")] {
        if let Some(before) = before {
            fs::write(&path, before).unwrap();
        }
        let (status, out, err) = on_full_disk(&["fetch", "--no-cache", "--output", name, &site.base]);
        assert_eq!((status, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
        assert!(err.starts_with(&format!("robots: error: can't write {name}: ")), "{err}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), before);
        assert_eq!(others().len(), usize::from(before.is_some()), "{:?}", others());
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(user.robots(&["fetch", "--output", linked, &site.base]).0, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(link.is_symlink());
    // A new file has the permissions of any new file.
    let (new, usual) = (folder.join("new"), folder.join("usual"));
    assert_eq!(user.robots(&["fetch", "--output", new.to_str().unwrap(), &site.base]).0, 0);
    fs::write(&usual, "").unwrap();
    assert_eq!(fs::metadata(&new).unwrap().permissions(), fs::metadata(&usual).unwrap().permissions());
    // A device is written, and not replaced.
    assert_eq!(user.robots(&["fetch", "--output", "/dev/null", &site.base]).0, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
