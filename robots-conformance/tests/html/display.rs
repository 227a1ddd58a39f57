//! How a browser shows and prints a page.

use std::collections::BTreeSet;
use std::fs;

use robots_conformance::Outcome;

use crate::browser::{Shown, chromium, print, said, show};
use crate::pages::{hostile, id, outcomes, page, rows, scratch, tables};
use crate::tags::tags;

#[test]
fn a_browser_filters_the_real_tables() {
    let Some(chromium) = chromium() else { return };
    let folder = scratch("tables");
    let suite = tables();
    let (page, outcomes) = (page(&suite), outcomes(&suite));
    let all = outcomes.iter().map(id).collect::<BTreeSet<_>>().len();
    let wanted = |keep: &dyn Fn(&Outcome<'_>) -> bool| -> BTreeSet<String> {
        outcomes.iter().filter(|outcome| keep(outcome)).map(id).collect()
    };
    let cited = &*suite.tables[0].rows[0].head.cites[0];
    let cites = format!("cites={}&kind={}", cited, suite.tables[0].rows[0].case.kind());
    for (fragment, wanted) in [
        ("", wanted(&|_| true)),
        (
            "document=google&profile=google",
            wanted(&|outcome| outcome.table.document == "google" && outcome.profile == "google"),
        ),
        (
            "document=rfc9309&profile=koster-1996",
            wanted(&|outcome| outcome.table.document == "rfc9309" && outcome.profile == "koster-1996"),
        ),
        (
            &*cites,
            wanted(&|outcome| {
                outcome.row.head.cites.iter().any(|id| id == cited)
                    && outcome.row.case.kind() == suite.tables[0].rows[0].case.kind()
            }),
        ),
    ] {
        let shown = show(&chromium, &folder, &page, fragment, &[]);
        assert!(shown.console.is_empty(), "{:?}", shown.console);
        assert!(!wanted.is_empty() && (fragment.is_empty() || wanted.len() < all), "{fragment}");
        assert_eq!(rows(&shown.page, false), wanted, "{fragment}");
        assert!(said(&shown.page).starts_with(&format!("{} of {all} rows", wanted.len())), "{fragment}");
    }
    // A page of several thousand pixels can be scrolled; one of all rows could not.
    let script =
        "setTimeout(() => { document.body.dataset.height = document.documentElement.scrollHeight; }, 1000);";
    let measured = page.replace("</body>", &format!("<script>{script}</script></body>"));
    let shown = show(&chromium, &folder, &measured, "", &["--window-size=390,844"]).page;
    let height = shown.split_once("data-height=\"").unwrap().1.split_once('"').unwrap().0;
    assert!(height.parse::<u32>().unwrap() < 12_000, "{height}");
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_browser_displays_every_part_of_the_page() {
    let Some(chromium) = chromium() else { return };
    let folder = scratch("page");
    let page = page(&hostile("page"));
    let seen = |page: &str, fragment: &str, options: &[&str]| {
        let shown = show(&chromium, &folder, page, fragment, options);
        assert!(shown.console.is_empty(), "{:?}", shown.console);
        shown.page
    };
    let names = |page: &str| -> Vec<String> {
        let name = |id: String| id.rsplit('/').next().unwrap_or_default().to_owned();
        rows(page, false).into_iter().map(name).collect()
    };
    let failed = seen(&page, "result=failed", &[]);
    assert_eq!(names(&failed), ["fails"]);
    assert!(failed.contains("<title>Conformance with"), "text of the tables was run");
    assert_eq!(names(&seen(&page, "result=known&profile=rfc9309", &[])), ["known"]);
    assert_eq!(names(&seen(&page, "text=onerror%3D+IMG", &[])), ["holds"]);
    assert_eq!(names(&seen(&page, "profile=google", &[])), ["holds"]);
    // A place on the page is not a filter.
    assert_eq!(names(&seen(&page, "f0.0.202", &[])).len(), 4);

    // Someone types: the rows follow, and the fragment too.
    let with = |script: &str| page.replace("</body>", &format!("<script>{script}</script></body>"));
    let typed = with(
        "const form = document.getElementById('filters'); form.elements.text.value = 'onerror=';\
         form.elements.text.dispatchEvent(new Event('input', { bubbles: true }));\
         setTimeout(() => { document.body.dataset.hash = location.hash; }, 1000);",
    );
    let typed = seen(&typed, "", &[]);
    assert_eq!(names(&typed), ["holds"]);
    assert!(typed.contains(r##"data-hash="#text=onerror%3D""##));

    // Light and dark.
    let coloured = with(
        "const style = getComputedStyle(document.body);\
         document.body.dataset.colours = style.color + ' on ' + style.backgroundColor;",
    );
    let colours = |scheme: &str| {
        let page = seen(&coloured, "", &[&format!("--blink-settings=preferredColorScheme={scheme}")]);
        let from = page.split_once("data-colours=\"").unwrap().1;
        from.split_once('"').unwrap().0.to_owned()
    };
    assert_eq!(colours("1"), "rgb(26, 26, 26) on rgb(255, 255, 255)");
    assert_eq!(colours("0"), "rgb(230, 230, 230) on rgb(22, 24, 27)");

    // Without JavaScript all rows are shown, and the filters are not.
    // (A browser without scripts can't print its document, so the page forbids its own script.)
    let (before, rest) = page.split_once("script-src ").unwrap();
    let (_, after) = rest.split_once(';').unwrap();
    let plain = format!("{before}script-src 'none';{after}");
    let Shown { page: plain, console } = show(&chromium, &folder, &plain, "result=failed", &[]);
    assert!(console.iter().all(|line| line.contains("Content Security Policy")), "{console:?}");
    assert_eq!(console.len(), 1, "{console:?}");
    assert_eq!(names(&plain).len(), 4);
    let tags = tags(&plain).unwrap();
    // Only tables with failed rows are open; others open at a click, which needs no script.
    let open: Vec<&str> =
        tags.iter().filter(|tag| tag.get("open").is_some()).filter_map(|tag| tag.get("id")).collect();
    assert_eq!(open, ["rfc9309/1-hostile"]);
    assert!(tags.iter().any(|tag| tag.get("id") == Some("filters") && tag.get("hidden").is_some()));

    // On a narrow screen nothing is wider than the screen, open tables included.
    let measured = with(
        "document.querySelectorAll('details').forEach(details => { details.open = true; });\
         document.body.dataset.fits = document.documentElement.scrollWidth <= innerWidth && innerWidth < 800;",
    );
    assert!(seen(&measured, "", &["--window-size=390,844"]).contains("data-fits=\"true\""));

    // An error would have been seen.
    let loud = show(&chromium, &folder, &with("nothing.there();"), "", &[]);
    assert!(loud.console.iter().any(|line| line.contains("nothing is not defined")), "{:?}", loud.console);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn print_has_all_rows_and_files() {
    let Some(chromium) = chromium() else { return };
    let folder = scratch("print");
    let suite = hostile("print");
    let page = page(&suite);
    let close = "<script>document.querySelectorAll('details').forEach(details => { details.open = false; });</script>";
    let closed = page.replace("</body>", &format!("{close}</body>"));
    let (sheets, text) = print(&chromium, &folder, &page);
    assert!(sheets > 1, "{sheets}");
    // Sections that are closed on the screen are printed, too; without the rule for printing they would not be.
    let (of_closed, text_of_closed) = print(&chromium, &folder, &closed);
    assert_eq!(of_closed, sheets);
    let helpless = closed.replace("beforeprint", "nothing").replace("details::details-content", "nothing");
    assert!(helpless.len() < closed.len());
    let (of_helpless, text_of_helpless) = print(&chromium, &folder, &helpless);
    assert!(of_helpless < sheets, "{of_helpless} of {sheets}");
    if let (Some(text), Some(closed), Some(helpless)) = (text, text_of_closed, text_of_helpless) {
        for row in &suite.tables[0].rows {
            let name = &row.head.name;
            assert!(text.contains(&**name) && closed.contains(&**name), "{name}: {text}");
        }
        // The form is only on the screen.
        assert!(!text.contains("Close all tables") && !helpless.contains("Rows of"), "{helpless}");
    }
    let _ = fs::remove_dir_all(folder);
}
