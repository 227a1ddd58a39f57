//! The limits of a file, and lines that are read fast: they have the same records as lines that are read slowly.

#![allow(clippy::std_instead_of_alloc, reason = "tests have a standard library")]

use robots_syntax::{GroupLine, GroupLineKind, Line, Lines, SyntaxPolicy};

const PARTS: [&str; 32] = [
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\n  ",
    "\n\t",
    "\n\u{B}",
    " ",
    "         ",
    "\t",
    "\0x",
    "#",
    ":",
    ": ",
    "/a",
    "user-agent",
    "User-Agent:",
    "useragent: b",
    "\nuser-agent: *\n",
    "disallow",
    "\nDisallow: /a\n",
    "\nallow:/b # c\n",
    "allow",
    "sitemap: x",
    "u",
    "U:",
    "<ul>",
    "crawl-delay: 5",
    "é",
    "\n# a: b\n",
    "\n<p>a b</p>\n",
];

/// A linear congruential generator: the same files in every run.
struct Files(u64);

impl Files {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn next(&mut self) -> String {
        let (len, few) = (self.below(40), 1 + self.below(PARTS.len()));
        (0..len).map(|_| *PARTS.get(self.below(few)).expect("few is at most their number")).collect()
    }
}

fn policies() -> Vec<SyntaxPolicy> {
    let mut policies = Vec::new();
    for policy in [SyntaxPolicy::RFC9309, SyntaxPolicy::GOOGLE, SyntaxPolicy::KOSTER_1996] {
        for (max_line, colon_optional) in [(None, false), (None, true), (Some(9), false), (Some(12), true)] {
            let mut policy = policy;
            policy.max_line = max_line;
            policy.colon_optional = colon_optional;
            policies.push(policy);
        }
    }
    policies
}

#[test]
fn fast_and_slow_reading_agree() {
    let mut files = Files(9309);
    let rounds = if cfg!(miri) { 10 } else { 4_000 };
    for _ in 0..rounds {
        let file = files.next().replace('\0', "");
        for mut policy in policies() {
            // A NUL that ends a line makes all lines of the file take the slow path.
            policy.nul_ends_line = true;
            let with_nul = format!("{file}\n\0");
            let fast: Vec<Line<'_>> = Lines::new(file.as_bytes(), &policy).collect();
            let slow: Vec<Line<'_>> = Lines::new(with_nul.as_bytes(), &policy).collect();
            for (fast, slow) in fast.iter().zip(&slow) {
                assert_eq!((fast.number, fast.record), (slow.number, slow.record), "{file:?} {policy:?}");
            }
            assert!(slow.len() > fast.len(), "{file:?}");
            let end = fast.last().map_or(0, |line| line.span().end());
            assert_eq!(end, file.len(), "{file:?}");
        }
    }
}

#[test]
fn lines_of_groups_are_among_all_lines() {
    let mut files = Files(1996);
    let rounds = if cfg!(miri) { 10 } else { 4_000 };
    for _ in 0..rounds {
        let file = files.next();
        for policy in policies() {
            let lines = || Lines::new(file.as_bytes(), &policy);
            let all: Vec<GroupLine<'_>> = lines().filter_map(|line| GroupLine::of(&line)).collect();
            assert_eq!(lines().of_groups().collect::<Vec<_>>(), all, "{file:?} {policy:?}");
            let mut of_groups = lines().of_groups();
            let agents: Vec<GroupLine<'_>> = core::iter::from_fn(|| of_groups.next_user_agent()).collect();
            let expected: Vec<GroupLine<'_>> =
                all.into_iter().filter(|line| line.kind == GroupLineKind::UserAgent).collect();
            assert_eq!(agents, expected, "{file:?} {policy:?}");
            assert_eq!(of_groups.next(), None, "{file:?} {policy:?}");
        }
    }
}

#[test]
fn the_limit_drops_the_line_it_cuts() {
    let mut policy = SyntaxPolicy::RFC9309;
    policy.max_size = Some(8);
    for (input, kept) in [
        (&b"allow:/a"[..], 8),
        (b"allow:/a\n", 9),
        (b"allow:/ab", 0),
        (b"a:b\nallow:/ab", 4),
        (b"a:b\r\nc:d\r\nx", 9),
        (b"a:b\r\nc:de\r\nx", 5),
        (b"a:b\n123\r\nx", 9),
        (b"a:b\n1234\r\nx", 9),
    ] {
        assert_eq!(Lines::new(input, &policy).dropped().start(), kept, "{}", input.escape_ascii());
    }
}

#[test]
fn bytes_beyond_the_limit_are_counted() {
    let mut policy = SyntaxPolicy::RFC9309;
    policy.max_size = Some(4);
    assert_eq!(Lines::new(b"a:b\nc:de\n", &policy).dropped_len(), 5);
    assert_eq!(Lines::new(b"a:b\n", &policy).dropped_len(), 0);
    assert_eq!(Lines::MAX_BYTES, (1 << 28) - 1);
}
