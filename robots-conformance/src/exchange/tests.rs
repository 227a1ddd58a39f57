use super::*;
use crate::suite::names::profile_named;
use crate::suite::table::Table;

/// Runs all rows under their profiles. Returns the number of runs, and messages about differences.
fn run(text: &str) -> (usize, Vec<String>) {
    let table = match Table::parse(text) {
        Ok(table) => table,
        Err(problems) => return (0, problems.iter().map(ToString::to_string).collect()),
    };
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in &table.rows {
        for name in &row.head.profiles {
            count += 1;
            for difference in table.check(row, &profile_named(name).unwrap()) {
                wrong.push(format!("{} {name}: {difference:?}", row.head.name));
            }
        }
    }
    (count, wrong)
}

#[test]
fn the_rows_of_the_documents_hold() {
    for (table, text) in [
        ("rfc9309", include_str!("../../tables/rfc9309/2.3-access.toml")),
        ("draft-koster-rep-00", include_str!("../../tables/draft-koster-rep-00/2.3-access.toml")),
        ("google", include_str!("../../tables/google/G2-G3-access.toml")),
        ("koster-1996", include_str!("../../tables/koster-1996/3.1-access.toml")),
    ] {
        let (count, wrong) = run(text);
        assert!(count > 5, "{table}");
        assert!(wrong.is_empty(), "{table}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn the_examples_of_the_format_hold() {
    let text = include_str!("../../EXCHANGES.md");
    let example = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(run(example), (2, Vec::new()));
}

#[test]
fn a_wrong_value_of_any_key_fails_the_row() {
    let row = |change: &str| {
        let text = format!(
            "[robots]\nf = 'user-agent: *\ndisallow: /a'\n[[exchange]]\nname = 'x'\ncites = ['x']\nprofiles = ['rfc9309']\n\
             answers = [{{ status = 200, body = 'f', fields = ['age: 1'] }}]\n{change}\n"
        );
        run(&text
            .replace("= 'user-agent: *\n", "= '''user-agent: *\n")
            .replace("disallow: /a'", "disallow: /a'''"))
        .1
    };
    assert!(row("access = 'rules'").is_empty());
    for key in [
        "access = 'nothing'",
        "access = 'rules'\nrequests = ['https://example.com/']",
        "access = 'rules'\nclass = 'unavailable'",
        "access = 'rules'\ncause = 'status'",
        "access = 'rules'\ndecisions = ['allow /a']",
        "access = 'rules'\ndecisions = ['disallow /a 3']",
        "access = 'rules'\nlasts = '1h'",
        "access = 'rules'\nagain = '1h'",
        "access = 'rules'\nhtml = true",
        "access = 'rules'\nbytes = 1",
        "access = 'rules'\ncut = true",
        "access = 'rules'\nlasts = '1'",
        "access = 'rules'\nsite = 'x'",
        "access = 'yes'",
        "access = 'rules'\nacces = 'rules'",
        "",
    ] {
        assert!(!row(key).is_empty(), "{key}");
    }
}

#[test]
fn too_many_or_too_few_answers_fail_the_row() {
    for answers in
        ["[]", "[{ status = 404 }, { status = 200 }]", "[{ status = 302, fields = ['Location: /a'] }]"]
    {
        let text = format!(
            "[[exchange]]\nname = 'x'\ncites = ['x']\nprofiles = ['rfc9309']\nanswers = {answers}\naccess = 'everything'"
        );
        assert!(run(&text).1.iter().any(|wrong| wrong.contains("answers")), "{answers}");
    }
}

#[test]
fn durations_are_sums() {
    assert_eq!(duration("1d 1h 1m 1s"), Ok(Duration::from_secs(90_061)));
    for wrong in ["", "1", "s", "-1s", "1 s", "1ä"] {
        assert!(duration(wrong).is_err(), "{wrong}");
    }
}
