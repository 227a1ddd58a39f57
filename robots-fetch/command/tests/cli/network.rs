//! Behavior that all commands with requests share: the cache, addresses, progress.

use std::fs;

use robots_fetch::Store as _;

#[cfg(target_os = "linux")]
use crate::command::on_terminal;
use crate::site::{Site, User, rules};

#[test]
fn private_addresses_are_refused_with_public_only() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let (status, value) = user.json(&["fetch", "--public-only", &site.base]);
    assert_eq!((status, &value["cause"]["code"], site.count()), (2, &"refused-address".into(), 0));
}

#[test]
fn a_damaged_cache_is_reported_and_commands_share_a_cache() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let folder = user.0.path().join("cache");
    let store = folder.join("robots.sqlite");
    let url = site.url("/");
    let args = ["check", "-a", "ExampleBot", "--cache", folder.to_str().unwrap(), &url];
    fs::create_dir_all(&folder).unwrap();
    let other = "not a store".repeat(1000);
    fs::write(&store, &other).unwrap();
    let (status, out, err) = user.robots(&args);
    assert_eq!((status, out.as_str(), site.count()), (2, "", 0));
    assert_eq!(fs::read_to_string(&store).unwrap(), other);
    let names_store = |err: &str| err.contains(&store.display().to_string()) && err.lines().count() == 1;
    assert!(names_store(&err) && err.contains("is not a store of robots.txt files: "), "{err}");
    // A store whose head is intact, and whose rest is damaged.
    drop(
        robots_fetch::Disk::recreate(user.0.path().join("own"), Default::default(), Default::default())
            .unwrap(),
    );
    let mut damaged = fs::read(user.0.path().join("own")).unwrap();
    damaged[100..].fill(0xA5);
    fs::write(&store, damaged).unwrap();
    let (status, _, err) = user.robots(&args);
    assert_eq!(status, 0);
    assert!(names_store(&err) && err.ends_with("; it is replaced by an empty one\n"), "{err}");
    let (_, _, err) = user.robots(&args);
    assert!(err.contains(" is from the cache, ") && err.lines().count() == 1, "{err}");
    assert_eq!(site.count(), 1);
    let open = robots_fetch::Disk::open(&store, Default::default(), Default::default()).unwrap();
    // Another process has the store open.
    let (status, _, err) = user.robots(&args);
    assert!(err.contains(" is from the cache, ") && err.lines().count() == 1, "{err}");
    assert_eq!((status, site.count()), (0, 1));
    assert_eq!(open.len().unwrap(), 1);
    drop(open);
    // A folder that can't be made.
    let (status, out, err) = user.robots(&["check", "-a", "x", "--cache", store.to_str().unwrap(), &url]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.starts_with("robots: error: ") && names_store(&err), "{err}");
}

#[test]
fn a_claim_of_a_command_that_was_stopped_is_waited_for_as_long_as_a_site_may_take() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let folder = user.0.path().join("cache");
    fs::create_dir_all(&folder).unwrap();
    let disk = robots_fetch::Disk::open(folder.join("robots.sqlite"), Default::default(), Default::default())
        .unwrap();
    let claim = disk.claim(&robots_fetch::Origin::parse(&site.base).unwrap()).unwrap();
    assert!(matches!(claim, robots_fetch::Claim::Granted(_)));
    let start = std::time::Instant::now();
    let folder = folder.to_str().unwrap();
    let args = ["check", "-a", "ExampleBot", "--cache", folder, "--timeout", "0.5", &site.url("/")];
    assert_eq!(user.robots(&args).0, 0);
    // The claim would end after 35 seconds.
    assert!(start.elapsed() < core::time::Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(site.count(), 1);
    drop(claim);
}

#[test]
#[cfg(target_os = "linux")]
fn progress_is_shown_on_a_terminal_for_many_sites() {
    let (user, sites) = (User::new(), [Site::new(rules(&[])), Site::new(rules(&[]))]);
    let on_terminal =
        |urls: &str| on_terminal(&format!("check --no-cache -a ExampleBot {urls}"), user.0.path());
    let Some(out) = on_terminal(&format!("{} {}", sites[0].base, sites[1].base)) else { return };
    let expected = "\rrobots: 1 of 2 sites\rrobots: 2 of 2 sites\r\x1B[Kallowed";
    assert!(out.starts_with(expected), "{out:?}");
    // Progress is not shown for one site.
    assert!(on_terminal(&sites[0].base).unwrap().starts_with("allowed"));
}

#[test]
fn an_address_that_was_not_asked_is_noted() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let port = site.base.rsplit(':').next().unwrap();
    let url = format!("http://localhost:{port}/");
    for (host, is_asked) in [("localhost", true), ("www.localhost", false)] {
        let resolve = format!("{host}:{port}:127.0.0.1");
        let (status, _, err) = user.robots(&["check", "-a", "ExampleBot", "--resolve", &resolve, &url]);
        let note = format!(
            "robots: note: --resolve: no request was sent to 127.0.0.1, because no URL was asked at the host \
             {host} and port {port}\n"
        );
        assert_eq!((status, err), (0, if is_asked { String::new() } else { note }));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn colours_of_a_file_are_shown_and_not_obeyed() {
    let user = User::new();
    let path = user.0.path().join("coloured.txt");
    fs::write(&path, "User-agent: *\nDisallow: /\u{1B}[8mhidden\n").unwrap();
    let command = format!("write --block GPTBot --into {}", path.display());
    let Some(out) = on_terminal(&command, user.0.path()) else { return };
    assert!(out.contains("/\\u{1b}[8mhidden") && !out.contains("\u{1B}[8m"), "{out}");
}
