//! The content of a page.

use std::collections::BTreeSet;
use std::fs;

use crate::pages::{hostile, id, outcomes, page, rows, scratch, tables};
use crate::tags::tags;

#[test]
fn the_page_is_complete_and_self_contained() {
    let suite = tables();
    let page = page(&suite);
    assert!(page.len() < 6_000_000, "{} bytes", page.len());
    let tags = tags(&page).unwrap();
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
    for asset in
        [include_str!("../../src/report/html/html.css"), include_str!("../../src/report/html/html.js")]
    {
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
fn every_row_and_statement_is_on_the_page() {
    let suite = tables();
    let outcomes = outcomes(&suite);
    let page = page(&suite);
    let wanted: BTreeSet<String> = outcomes.iter().map(id).collect();
    assert_eq!(rows(&page, false), wanted);
    let tags = tags(&page).unwrap();
    let results = tags.iter().filter(|tag| tag.get("data-result").is_some()).count();
    assert_eq!(results, outcomes.len());
    let statements: BTreeSet<&str> = tags
        .iter()
        .filter(|tag| tag.get("data-statement").is_some())
        .filter_map(|tag| tag.get("id"))
        .collect();
    assert_eq!(statements.len(), suite.statements.len() + suite.readings.len());
    assert!(suite.statements.iter().all(|statement| statements.contains(&*statement.id)));
}

#[test]
fn text_of_tables_stays_text() {
    let suite = hostile("text");
    let page = page(&suite);
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
