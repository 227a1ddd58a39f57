//! The costs of adversarial files: memory, and the work of each layer at one, two and four times the size.
//!
//! Without arguments, prints tables of memory and of time; `limits memory` prints only the first. `limits list` names the
//! cases, and `limits CASE STAGE OCTETS` does one stage for one file and nothing else that counts, for a tool that counts
//! instructions (`cargo xtask limits`).
#![expect(clippy::print_stdout, reason = "a program that prints")]

use core::hint::black_box;
use core::iter;
use core::time::Duration;
use std::env;
use std::time::Instant;

use peak_alloc::PeakAlloc;
use robots_fetch::matching::groups::Groups;
use robots_fetch::matching::syntax::{Grammar, Lines};
use robots_fetch::matching::{Crawler, Document, Profile, RuleSet};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The limit of RFC 9309, section 2.5, which is lifted for larger files.
const SIZE: usize = 500 * 1024;

/// A file of any size, and a path to check.
struct Case {
    name: &'static str,
    about: &'static str,
    file: fn(usize) -> Vec<u8>,
    path: fn(usize) -> Vec<u8>,
}

const CASES: &[Case] = &[
    Case {
        name: "plain",
        about: "distinct plain rules",
        file: |bytes| numbered(bytes, "Disallow: /some/path/", "/page\n"),
        path: |_| b"/some/path/17/page?x".to_vec(),
    },
    Case {
        name: "wild",
        about: "distinct rules with `*`",
        file: |bytes| numbered(bytes, "Disallow: /*/path-", "*.html$\n"),
        path: |_| b"/some/path-17x/page.html".to_vec(),
    },
    Case {
        name: "shortest",
        about: "the shortest rules there are",
        file: |bytes| repeated(bytes, "user-agent:*\n", "allow:/\n"),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "stars",
        about: "`/*a*a*a*a*a*b` against `/aaaa...` of 2,000 bytes",
        file: |bytes| repeated(bytes, "user-agent: *\n", "disallow: /*a*a*a*a*a*b\n"),
        path: |_| [b"/".to_vec(), b"a".repeat(1999)].concat(),
    },
    Case {
        name: "stars-and-b",
        about: "the same rules against `/baaa...` of 2,000 bytes",
        file: |bytes| repeated(bytes, "user-agent: *\n", "disallow: /*a*a*a*a*a*b\n"),
        path: |_| [b"/b".to_vec(), b"a".repeat(1998)].concat(),
    },
    Case {
        name: "distinct-stars",
        about: "`/*a*a*<number>*b` against `/b0123456789aaa...` of 2,000 bytes",
        file: |bytes| numbered(bytes, "disallow: /*a*a*", "*b\n"),
        path: |_| [b"/b0123456789".to_vec(), b"a".repeat(1988)].concat(),
    },
    Case {
        name: "few-letters",
        about: "distinct rules of `*` and 16 letters from `a` to `d`, against 2,000 such letters",
        file: |bytes| {
            let mut letters = few_letters(1);
            let mut file = b"user-agent: *\n".to_vec();
            while file.len() + 28 <= bytes {
                file.extend_from_slice(b"disallow: *");
                file.extend(letters.by_ref().take(16));
                file.push(b'\n');
            }
            file
        },
        path: |_| iter::once(b'/').chain(few_letters(2).take(1999)).collect(),
    },
    Case {
        name: "prefixes",
        about: "plain rules each of which begins with the one before, against the longest of them",
        file: |bytes| {
            let mut file = b"user-agent: *\n".to_vec();
            let mut len = 1;
            while file.len() + len + 12 <= bytes {
                file.extend_from_slice(b"disallow: /");
                file.extend(b"a".repeat(len));
                file.push(b'\n');
                len += 1;
            }
            file
        },
        path: |_| [b"/".to_vec(), b"a".repeat(1999)].concat(),
    },
    Case {
        name: "queries",
        about: "rules with an encoded query against a query of 2,000 bytes",
        file: |bytes| numbered(bytes, "disallow: /*?u=http%3A%2F%2F", "\n"),
        path: |_| [b"/?u=".to_vec(), b"http%3A%2F%2F".repeat(154)].concat(),
    },
    Case {
        name: "one-pattern",
        about: "one pattern `/*aaa...ab` against `/aaa...` of its length",
        file: |bytes| {
            [&b"user-agent: *\ndisallow: /*"[..], &b"a".repeat(bytes.saturating_sub(28)), b"b\n"].concat()
        },
        path: |bytes| [b"/".to_vec(), b"a".repeat(bytes)].concat(),
    },
    Case {
        name: "one-pattern-of-stars",
        about: "one pattern `/*a*a*a...*b` against `/aaa...` of its length",
        file: |bytes| {
            [&b"user-agent: *\ndisallow: /"[..], &b"*a".repeat(bytes.saturating_sub(28) / 2), b"*b\n"]
                .concat()
        },
        path: |bytes| [b"/b".to_vec(), b"a".repeat(bytes)].concat(),
    },
    Case {
        name: "escapes",
        about: "one pattern of encoded bytes against a path of such",
        file: |bytes| {
            [&b"user-agent: *\ndisallow: /"[..], &b"%7e%2f".repeat(bytes.saturating_sub(27) / 6), b"\n"]
                .concat()
        },
        path: |bytes| [b"/".to_vec(), b"%7E%2f".repeat(bytes / 6)].concat(),
    },
    Case {
        name: "user-agents",
        about: "user-agent lines of one group",
        file: |bytes| repeated(bytes, "user-agent: foo\ndisallow: /\n", "user-agent:b\n"),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "groups",
        about: "groups of one agent",
        file: |bytes| repeated(bytes, "", "user-agent:foo\nallow:/a\n"),
        path: |_| b"/a".to_vec(),
    },
    Case {
        name: "one-line",
        about: "one line that is a rule",
        file: |bytes| {
            [&b"user-agent: *\ndisallow: /"[..], &b"a".repeat(bytes.saturating_sub(26)), b"\n"].concat()
        },
        path: |_| b"/aaa".to_vec(),
    },
    Case {
        name: "one-blank-line",
        about: "one line of two words far apart, and no colon",
        file: |bytes| [&b"disallow"[..], &b" ".repeat(bytes.saturating_sub(10)), b"/\n"].concat(),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "comments",
        about: "only comments, as in the grammar of 1996, and one line that is wrong",
        file: |bytes| [repeated(bytes.saturating_sub(3), "", "#\r\n"), b"x\r\n".to_vec()].concat(),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "records",
        about: "records as the grammar of 1996 has them",
        file: |bytes| repeated(bytes, "", "#\r\nuser-agent:foo\r\ndisallow:/a\r\n\r\n#\r\n"),
        path: |_| b"/a".to_vec(),
    },
    Case {
        name: "letters",
        about: "a group of another crawler, and one line of `u` and spaces, as a `user-agent` line may begin",
        file: |bytes| repeated(bytes, "user-agent: b\ndisallow: /\nx", "   u"),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "lines-of-letters",
        about: "a group of another crawler, and lines that begin like `user-agent`",
        file: |bytes| repeated(bytes, "user-agent: b\ndisallow: /\n", " u\n"),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "control-characters",
        about: "a group of another crawler, and one line of control characters",
        file: |bytes| repeated(bytes, "user-agent: b\ndisallow: /\nx", "\u{15}"),
        path: |_| b"/".to_vec(),
    },
    Case {
        name: "line-ends",
        about: "only line ends",
        file: |bytes| b"\n".repeat(bytes),
        path: |_| b"/".to_vec(),
    },
];

/// Repeats `piece` after `head` as often as it fits.
fn repeated(bytes: usize, head: &str, piece: &str) -> Vec<u8> {
    let times = bytes.saturating_sub(head.len()) / piece.len();
    [head.as_bytes(), &piece.as_bytes().repeat(times)].concat()
}

/// Random letters from `a` to `d`, the same ones for the same seed.
fn few_letters(seed: u64) -> impl Iterator<Item = u8> {
    let next = |state: &u64| {
        Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    };
    iter::successors(Some(seed), next).skip(1).map(|state| b'a' + (state >> 33) as u8 % 4)
}

/// Rules that differ by a number.
fn numbered(bytes: usize, before: &str, after: &str) -> Vec<u8> {
    let mut file = b"user-agent: *\n".to_vec();
    for number in 0.. {
        let rule = format!("{before}{number}{after}");
        if file.len() + rule.len() > bytes {
            break;
        }
        file.extend_from_slice(rule.as_bytes());
    }
    file
}

/// The profile that is measured: RFC 9309 without its limit, or the one that `LIMITS_PROFILE` names.
fn profile() -> Profile {
    let named = env::var("LIMITS_PROFILE").ok().and_then(|name| name.parse().ok());
    let mut profile = Profile::from(named.unwrap_or(Document::Rfc9309));
    profile.syntax.max_size = None;
    profile
}

/// The stages that are measured.
const STAGES: [&str; 4] = ["read", "grammar", "compile", "check"];

/// Lines, and how each departs from the grammar.
#[inline(never)]
fn measured_read(file: &[u8], profile: &Profile) -> usize {
    Lines::new(file, &profile.syntax).filter(|line| line.deviations(&profile.syntax).next().is_some()).count()
}

/// The whole file against both grammars.
#[inline(never)]
fn measured_grammar(file: &[u8]) -> usize {
    [Grammar::Rfc9309, Grammar::Koster1996].iter().filter(|grammar| grammar.check(file).is_ok()).count()
}

/// From bytes to a rule set.
#[inline(never)]
fn measured_compile(file: &[u8], crawler: &Crawler, profile: &Profile) -> RuleSet {
    RuleSet::parse(file, crawler, profile)
}

/// One verdict.
#[inline(never)]
fn measured_check(rules: &RuleSet, path: &[u8]) -> bool {
    rules.check(path).is_allowed()
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *words {
        [] => {
            memory();
            time();
        }
        ["memory"] => memory(),
        ["list"] => {
            for case in CASES {
                println!("{}\t{}", case.name, case.about);
            }
        }
        [name, stage, bytes] => {
            let case = CASES.iter().find(|case| case.name == name).expect("a case of `limits list`");
            let bytes = bytes.parse().expect("a number of bytes");
            once(case, stage, bytes);
        }
        _ => println!("usage: limits [list | memory | CASE read|grammar|compile|check BYTES]"),
    }
}

fn once(case: &Case, stage: &str, bytes: usize) {
    let (file, path, profile) = ((case.file)(bytes), (case.path)(bytes), profile());
    let crawler = Crawler::new("foo").expect("letters are a token");
    match stage {
        "read" => {
            black_box(measured_read(&file, &profile));
        }
        "grammar" => {
            black_box(measured_grammar(&file));
        }
        "compile" => {
            black_box(measured_compile(&file, &crawler, &profile));
        }
        _ => {
            let rules = RuleSet::parse(&file, &crawler, &profile);
            black_box(measured_check(&rules, &path));
        }
    }
}

/// Memory for files of 500 KiB: the most that is allocated on the way to a rule set, and what it holds then, both
/// without the file itself.
fn memory() {
    let profile = profile();
    let crawler = Crawler::new("foo").expect("letters are a token");
    println!(
        "| file of 500 KiB | rules | peak of reading and compiling, KiB | held, KiB | held per rule, bytes | pattern in the file, bytes |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for case in CASES {
        let file = (case.file)(SIZE);
        let (patterns, found) = {
            let groups = Groups::parse(&file, &profile.syntax, &profile.groups);
            let selection = groups.select(&crawler);
            (
                selection.rules().map(|rule| rule.pattern.bytes().len()).sum::<usize>(),
                selection.rules().count(),
            )
        };
        ALLOCATOR.reset_peak_usage();
        let before = ALLOCATOR.current_usage();
        let rules = RuleSet::parse(&file, &crawler, &profile);
        let peak = ALLOCATOR.peak_usage() - before;
        let held = ALLOCATOR.current_usage() - before;
        let each = |sum: usize| tenths(sum * 10 / found.max(1));
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            case.about,
            rules.len(),
            peak.div_ceil(1024),
            held.div_ceil(1024),
            each(held),
            each(patterns)
        );
    }
}

fn tenths(number: usize) -> String {
    format!("{}.{}", number / 10, number % 10)
}

/// Time at one, two and four times 500 KiB: the least of several runs.
fn time() {
    println!();
    println!("| file | stage | 500 KiB, us | 1000 KiB, us | 2000 KiB, us | twice the bytes cost |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for case in CASES {
        for stage in STAGES {
            let took = [SIZE, 2 * SIZE, 4 * SIZE].map(|bytes| least(case, stage, bytes));
            let [one, two, four] = took.map(|took| took.as_nanos().max(1));
            println!(
                "| {} | {stage} | {} | {} | {} | {:.2} {:.2} |",
                case.name,
                one.div_ceil(1000),
                two.div_ceil(1000),
                four.div_ceil(1000),
                ratio(two, one),
                ratio(four, two)
            );
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
fn ratio(a: u128, b: u128) -> f64 {
    a as f64 / b as f64
}

fn least(case: &Case, stage: &str, bytes: usize) -> Duration {
    let (file, path, profile) = ((case.file)(bytes), (case.path)(bytes), profile());
    let crawler = Crawler::new("foo").expect("letters are a token");
    let rules = RuleSet::parse(&file, &crawler, &profile);
    let run = || {
        let start = Instant::now();
        match stage {
            "read" => drop(black_box(measured_read(black_box(&file), &profile))),
            "grammar" => drop(black_box(measured_grammar(black_box(&file)))),
            "compile" => drop(black_box(measured_compile(black_box(&file), &crawler, &profile))),
            _ => drop(black_box(measured_check(black_box(&rules), &path))),
        }
        start.elapsed()
    };
    (0..7).map(|_| run()).min().unwrap_or_default()
}
