//! The work of each layer, one case at a time, for a tool that counts instructions (`cargo xtask bench --instructions`).
//!
//! `list` prints the compiler's target, the instructions of the processor on which the counts depend, and the names of the cases.
//! With the name of a case, its work is done once by a function named `measured_case`, the only one that is counted.

use std::hint::black_box;
use std::process::ExitCode;

use robots_match::groups::Groups;
use robots_match::syntax::Lines;
use robots_match::{Crawler, Difference, Profile, Robots, RuleSet};

const PROFILE: Profile = Profile::RFC9309;

/// A piece of work. `prepare` is not counted, and returns what is.
struct Case {
    name: &'static str,
    prepare: fn() -> Box<dyn FnOnce()>,
}

const CASES: &[Case] = &[
    Case {
        name: "read",
        prepare: || over(files(), |file| _ = black_box(Lines::new(file, &PROFILE.syntax).count())),
    },
    Case {
        name: "group",
        prepare: || {
            over(files(), |file| drop(black_box(Groups::parse(file, &PROFILE.syntax, &PROFILE.groups))))
        },
    },
    Case { name: "compile", prepare: || over(files(), |file| drop(black_box(rules(file)))) },
    Case {
        name: "compile-large",
        prepare: || over(vec![file(3_000, 7)], |file| drop(black_box(rules(file)))),
    },
    Case {
        name: "one-shot",
        prepare: || {
            over(files().iter().map(|file| Robots::new(file, PROFILE)).collect(), |robots| {
                black_box(robots.check(&crawler(), "/shop/item-5/open"));
            })
        },
    },
    Case { name: "check", prepare: || checks(files()) },
    Case { name: "check-large", prepare: || checks(vec![file(3_000, 7)]) },
    Case {
        name: "remove-each-rule",
        prepare: || {
            over(vec![rules(&file(60, 3))], |rules| {
                black_box(rules.removals(Difference::MAX_STATES).count());
            })
        },
    },
];

fn main() -> ExitCode {
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "list" {
        println!("{}-{}\t{}", std::env::consts::ARCH, std::env::consts::OS, processor());
        CASES.iter().for_each(|case| println!("{}", case.name));
        return ExitCode::SUCCESS;
    }
    let Some(case) = CASES.iter().find(|case| case.name == argument) else {
        eprintln!("`{argument}` is not a case; `list` prints the names of all");
        return ExitCode::from(2);
    };
    measured_case((case.prepare)());
    ExitCode::SUCCESS
}

/// Does the work that is counted.
#[inline(never)]
fn measured_case(work: Box<dyn FnOnce()>) {
    work();
}

/// Returns the vector instructions for which libraries have code of their own.
fn processor() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "avx2";
    }
    "basic"
}

/// Does `work` with each item. The items are leaked, so that freeing their memory is not counted.
fn over<T>(items: Vec<T>, work: fn(&T)) -> Box<dyn FnOnce()>
where
    T: 'static,
{
    let items: &'static [T] = Vec::leak(items);
    Box::new(move || items.iter().for_each(work))
}

/// Checks paths that match no rule, a plain rule, one with `*`, and one whose path changes its form.
fn checks(files: Vec<Vec<u8>>) -> Box<dyn FnOnce()> {
    over(files.iter().map(|file| rules(file)).collect(), |rules| {
        for path in ["/account/33/settings/mail", "/list?sort=21", "/about/us.html", "/search/a%20%37", "/"] {
            black_box(rules.check(black_box(path)));
        }
    })
}

fn rules(file: &Vec<u8>) -> RuleSet {
    RuleSet::parse(black_box(file), &crawler(), &PROFILE)
}

fn crawler() -> Crawler {
    Crawler::new("ExampleBot").expect("letters are a name")
}

/// Files of the sizes of real ones: half of them have ten rules or fewer.
fn files() -> Vec<Vec<u8>> {
    [1, 2, 3, 5, 8, 10, 14, 22, 40, 80, 160, 400]
        .into_iter()
        .zip(0..)
        .map(|(rules, seed)| file(rules, seed))
        .collect()
}

/// Four groups, comments, blank lines and a sitemap. A quarter of the rules belong to the crawler.
fn file(rules: usize, seed: usize) -> Vec<u8> {
    let mut file = String::from("# What may be crawled\n");
    for agent in ["ExampleBot", "*", "OtherBot/2.1", "third"] {
        file.push_str(&format!("User-agent: {agent}\r\n"));
        for index in 0..rules {
            // Paths in no particular order, some of them with long common starts.
            let number = (index * 37 + seed * 11) % 997;
            file.push_str(&match (index + seed) % 7 {
                0 => format!("Allow: /shop/item-{number}/open\r\n"),
                1 => format!("Disallow: /*?sort={number}\r\n"),
                2 => format!("Disallow: /search/{agent}%20{number}$ # all of it\r\n"),
                3 => format!("Disallow: /wp-content/plugins/extension-{number}/*.php\r\n"),
                4 => format!("Disallow: /{number}\r\n"),
                _ => format!("Disallow: /account/{number}/settings\r\n"),
            });
        }
        file.push_str("Crawl-delay: 5\r\n\r\n");
    }
    file.push_str("Sitemap: https://example.com/sitemap.xml\r\n");
    file.into_bytes()
}
