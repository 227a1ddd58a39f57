//! `robots audit` of files that are not what their owners mean.

use std::fs;

use crate::audit::rows;
use crate::command::{folder, outcome};
use crate::site::{Site, User, answer};

#[test]
fn files_that_may_be_misread_have_flags() {
    let folder = folder("audit-flags");
    let utf16 = "\u{FEFF}User-agent: *\nDisallow: /\n".encode_utf16().flat_map(u16::to_le_bytes);
    let long = format!("User-agent: *\n{}", "Disallow: /a\n".repeat(50_000));
    for (name, bytes) in [
        ("a-page", b"<!DOCTYPE html>\n<title>Log in</title>\n".to_vec()),
        ("b-utf16", utf16.collect()),
        ("c-binary", b"\x7FELF\x00\xFF\x80".to_vec()),
        ("d-long", long.into_bytes()),
        ("e-joined", b"User-agent: x\nSitemap: https://a.example/m\nUser-agent: y\nDisallow: /\n".to_vec()),
        ("f-good", b"User-agent: *\nDisallow: /a\n".to_vec()),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let path = folder.to_str().unwrap();
    let audit = |format: &str| outcome(&["audit", "-a", "x", "--format", format, path], "");
    let (status, out, err) = audit("jsonl");
    assert_eq!((status, err.lines().count()), (1, 1));
    assert!(
        err.contains(
            "d-long: the file is over the size limit: lines after the first 512000 bytes are not read"
        ),
        "{err}"
    );
    let found: Vec<String> = rows(&out).iter().map(|row| row["flags"].to_string()).collect();
    let expected = [
        "[\"html\"]",
        "[\"binary\",\"not-utf8\"]",
        "[\"binary\",\"not-utf8\"]",
        "[\"cut\"]",
        "[\"accidental-group\"]",
        "[]",
    ];
    assert_eq!(found, expected);
    let sentence = "of 6 inputs, 3 are not robots.txt files, 2 are not UTF-8, 1 was cut at the size limit";
    let (_, human, _) = audit("human");
    assert!(human.contains("  [html]\n"), "{human}");
    assert!(human.ends_with(&format!("\n{sentence}\n")), "{human}");
    let (_, csv, _) = audit("csv");
    assert!(
        csv.contains(",reason,flags,profile,wanted,") && csv.contains(",\"binary,not-utf8\",rfc9309,"),
        "{csv}"
    );
    let (_, html, _) = audit("html");
    let (_, doubtful) = html.split_once("<h2>Open by accident: ").unwrap();
    let (doubtful, all) = doubtful.split_once("<h2>All sites: ").unwrap();
    assert!(
        !doubtful.contains("f-good") && doubtful.contains("a-page") && doubtful.contains("b-utf16"),
        "{html}"
    );
    assert!(all.contains("f-good") && all.contains("a-page"), "{html}");
    let (_, sarif, _) = audit("sarif");
    assert_eq!(sarif.matches("\"ruleId\": \"doubtful-file\"").count(), 6, "{sarif}");
    assert!(sarif.contains("a-page: this is an HTML page, not a robots.txt file"), "{sarif}");
}

#[test]
fn the_page_of_a_site_has_a_flag() {
    let (user, site) = (User::new(), Site::new(answer("200 OK", &[], "<html><title>Log in</title></html>")));
    let (status, out, _) = user.robots(&["audit", &site.base]);
    assert_eq!(status, 0);
    assert!(
        out.ends_with(
            "robots.txt checked: 1, not robots.txt files: 1\nof 1 input, 1 is not a robots.txt file\n"
        ),
        "{out}"
    );
}
