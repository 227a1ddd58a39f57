//! Exit statuses: for one state of a site or a file, all commands have the same.

use std::fs;

use crate::command::{file, folder, outcome};

#[test]
fn options_without_effect_are_refused() {
    let folder = folder("without-effect");
    let path = folder.join("robots.txt");
    fs::write(&path, "User-agent: *\nDisallow: /a\n").unwrap();
    let path = path.to_str().unwrap();
    let wanted = folder.join("wanted.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['*']\nurls = ['/']\naccess = 'allowed'\n").unwrap();
    let wanted = wanted.to_str().unwrap();
    // Each command, and what it says.
    let refused: [(&[&str], &str); 5] = [
        (&["lint", "--list", "--format", "json"], "`--list` can't be used with"),
        (&["lint", "--explain", "blocks-all", "--fix"], "`--explain <CODE>` can't be used with"),
        (&["lint", "--expect", wanted, "-e", "nope", path], "has no environment `nope`"),
        (&["audit", "--max-urls", "5", path], "missing `--sitemaps`"),
        (&["diff", "--against", "google", "-p", "google", path], "compared with itself"),
    ];
    for (args, said) in refused {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, out.as_str()), (2, ""), "{args:?} {err}");
        assert!(err.contains(said), "{args:?} {err}");
    }
    let page = folder.join("page.html");
    fs::write(&page, "<p>text").unwrap();
    let (_, _, err) = outcome(&["page", "--look-anyway", page.to_str().unwrap()], "");
    assert!(err.contains("`--look-anyway` has no effect"), "{err}");
}

#[test]
fn what_is_not_read_is_not_proved() {
    let filler = "# filler\n".repeat(60_000);
    let old = file("cut-old", format!("User-agent: *\nDisallow: /a\n{filler}"));
    let new = file("cut-new", format!("User-agent: *\nDisallow: /a\n{filler}Disallow: /b\n"));
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    let (status, out, _) = outcome(&["diff", old, new], "");
    assert_eq!(status, 0);
    assert!(out.contains("nothing changes for * (proved for the part that is read)"), "{out}");
    let (_, out, _) = outcome(&["diff", "--format", "json", old, new], "");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["old"]["cut"], &value["new"]["cut"]), (&true.into(), &true.into()));
    let wanted = folder("cut-wanted").join("wanted.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['*']\npatterns = ['/b']\naccess = 'allowed'\n").unwrap();
    let (status, out, _) = outcome(&["expect", "--all", wanted.to_str().unwrap(), new], "");
    assert_eq!(status, 0);
    assert!(out.contains("allowed, which is proved for the part that is read"), "{out}");
}
