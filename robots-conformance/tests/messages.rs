//! The words that users read.

use core::fmt::Write as _;

use robots_conformance::SiteProfile;
use robots_fetch::matching::syntax::{Deviation, Grammar};
use robots_fetch::matching::{Crawler, Robots, SelectionBasis};
use robots_fetch::{AccessResult, Origin};

#[test]
fn messages_match_the_snapshots() {
    let mut shown = String::from("deviations\n");
    for deviation in Deviation::ALL {
        writeln!(shown, "  {}: {deviation}", deviation.code()).unwrap();
    }
    shown.push_str("reasons\n");
    let file = b"User-agent: ExampleBot\nDisallow: /a\nAllow: /a/b\n";
    let robots = Robots::new(&file[..], SiteProfile::RFC9309.rules);
    for (agent, path) in [
        ("ExampleBot", &b"/a"[..]),
        ("ExampleBot", b"/a/b"),
        ("ExampleBot", b"/c"),
        ("OtherBot", b"/a"),
        ("ExampleBot", b"/robots.txt"),
    ] {
        let rules = robots.rules(&Crawler::new(agent).unwrap());
        let verdict = rules.check(path);
        writeln!(shown, "  {}: {verdict}", verdict.reason().code()).unwrap();
    }
    shown.push_str("bases\n");
    for basis in [SelectionBasis::Named, SelectionBasis::Wildcard, SelectionBasis::None] {
        writeln!(shown, "  {}", basis.name()).unwrap();
    }
    shown.push_str("classes\n");
    for class in [
        AccessResult::Success,
        AccessResult::Redirect,
        AccessResult::Unavailable,
        AccessResult::Unreachable,
        AccessResult::Restricted,
    ] {
        writeln!(shown, "  {class}").unwrap();
    }
    shown.push_str("tokens\n");
    for name in ["", "*", "Example  Bot", "ExampleBot/1.0", "Exämple", "a\nb", &"x/".repeat(60)] {
        writeln!(shown, "  {}", Crawler::new(name).unwrap_err()).unwrap();
    }
    shown.push_str("grammars\n");
    for grammar in [Grammar::Rfc9309, Grammar::Koster1996] {
        writeln!(shown, "  {}", grammar.check(b"Disallow").unwrap_err()).unwrap();
    }
    shown.push_str("origins\n");
    for url in
        ["", "/a", "mailto:someone@example.com", "https://", "https://a b/", "http://example.com:99999/"]
    {
        writeln!(shown, "  {}", Origin::parse(url).unwrap_err()).unwrap();
    }
    for url in ["https://example.com/Robots.txt", "https://example.com/robots.txt?a"] {
        let error = Origin::from_robots_url(&url.parse().unwrap()).unwrap_err();
        writeln!(shown, "  {error}").unwrap();
    }
    writeln!(shown, "  {}", Origin::new("https", "a b", None).unwrap_err()).unwrap();
    for line in shown.lines().filter_map(|line| line.strip_prefix("  ")) {
        assert!(!line.ends_with('.') && !line.contains('\n'), "{line}");
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("messages", shown);
    });
}
