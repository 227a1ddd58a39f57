//! The rules for one crawler, compiled.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use robots_groups::syntax::{Effect, Rule, Span};
use robots_groups::{Basis, Crawler, Groups, Selection};

use crate::canon::{Role, append, canonical, classified, with_decoded_query};
use crate::floating::Floating;
use crate::keyed::{Keyed, Kind, common_len, head};
use crate::pattern;
use crate::policy::{EmptyPattern, IndexPage, Policy, Precedence, Query, RobotsTxt, Specials};
use crate::profile::Profile;
use crate::url_text::path_of;
use crate::verdict::{Reason, Verdict};

/// The rules for one crawler, compiled: checked for many paths, shared between threads, kept in caches.
///
/// A rule set owns what it holds, and knows the form its paths take. Equal files make equal rule sets.
///
/// Held are the octets of the patterns in their form once and 16 octets for each rule; for each with a `*` at or right
/// behind its start, up to 16 more where there are many.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// The patterns one behind the other.
    text: Box<[u8]>,
    /// First those that are found by their keys, sorted by key; then those that float, sorted by precedence.
    entries: Box<[Entry]>,
    keyed: Keyed,
    floating: Floating,
    /// The lengths of those patterns, as written, whose form has another length: entry, octets.
    written: Box<[(u32, u32)]>,
    /// The entries whose query has another decoded form, with it.
    decoded: Box<[(u32, Box<[u8]>)]>,
    /// Whether a pattern has a query that also matches in its decoded form.
    has_queries: bool,
    basis: Basis,
    policy: Policy,
}

/// What is kept of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Entry {
    /// Where its pattern starts; it ends where that of the next entry starts.
    text: u32,
    /// Where the pattern stands in the file.
    span: u32,
    /// The number of the line in the lower 28 bits, facts in the upper four.
    line: u32,
}

impl Entry {
    const DISALLOW: u32 = 1 << 31;
    /// The pattern ends with a `$` that is special.
    const ANCHORED: u32 = 1 << 30;
    /// The length of the pattern as it is written is another than that of its form.
    const RESIZED: u32 = 1 << 29;
    /// The pattern has a `*` that is special.
    const WILD: u32 = 1 << 28;
    const LINE: u32 = Self::WILD - 1;

    const fn has(self, fact: u32) -> bool {
        self.line & fact != 0
    }

    const fn effect(self) -> Effect {
        if self.has(Self::DISALLOW) { Effect::Disallow } else { Effect::Allow }
    }
}

// The largest line number and position that syntax hands out fit into what an entry has for them.
const _: () = assert!(robots_groups::syntax::LONGEST <= Entry::LINE as usize);

/// A rule on its way into a rule set. Its pattern stands in a buffer of all.
#[derive(Clone, Copy)]
struct Draft {
    start: u32,
    len: u32,
    /// How much of the pattern stands before its first `*`, or its special `$`.
    key: u32,
    /// As in an entry.
    line: u32,
    span: Span,
    kind: Kind,
    /// Whether there may be a `?` in the pattern.
    has_query: bool,
}

impl Draft {
    /// Of nothing.
    const NONE: Self = Self {
        start: 0,
        len: 0,
        key: 0,
        line: 0,
        span: Span::new(0, 0),
        kind: Kind::Prefix,
        has_query: false,
    };

    /// Whether its key would find it for nearly every path.
    fn is_floating(&self) -> bool {
        self.kind == Kind::Wild && self.key < 2
    }

    fn pattern<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        buffer.get(self.start as usize..(self.start + self.len) as usize).unwrap_or_default()
    }

    fn key<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        buffer.get(self.start as usize..(self.start + self.key) as usize).unwrap_or_default()
    }

    fn stem<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        let end = self.start + self.len - u32::from(self.line & Entry::ANCHORED != 0);
        buffer.get(self.start as usize..end as usize).unwrap_or_default()
    }

    /// The first octets of the key behind `common`, for a comparison that settles most.
    fn head(&self, buffer: &[u8], common: usize) -> u64 {
        let key = self.key(buffer).get(common..).unwrap_or_default();
        let (first, second) = key.split_at(key.len().min(4));
        u64::from(head(first)) << 32 | u64::from(head(second))
    }

    fn rank(&self) -> Rank {
        Rank::of(self.len as usize, self.line)
    }
}

/// What precedence depends on.
#[derive(Clone, Copy)]
pub(crate) struct Rank {
    octets: usize,
    effect: Effect,
    line: u32,
}

impl Rank {
    const fn of(octets: usize, line: u32) -> Self {
        let effect = if line & Entry::DISALLOW == 0 { Effect::Allow } else { Effect::Disallow };
        Self { octets, effect, line: line & Entry::LINE }
    }

    pub(crate) fn new(octets: usize, effect: Effect, line: usize) -> Self {
        Self { octets, effect, line: short(line) }
    }
}

impl Precedence {
    /// `Less` if `a` prevails over `b`.
    pub(crate) fn compare(self, a: Rank, b: Rank) -> Ordering {
        match self {
            Self::MostOctets => {
                b.octets.cmp(&a.octets).then(a.effect.cmp(&b.effect)).then(a.line.cmp(&b.line))
            }
            Self::First => a.line.cmp(&b.line),
        }
    }
}

impl RuleSet {
    /// The rules of the groups that apply to a crawler. Time grows with their octets, and with the logarithm of their
    /// number.
    #[must_use]
    pub fn compile(selection: &Selection<'_, '_>, policy: &Policy) -> Self {
        Self::of(selection.rules(), selection.basis(), policy)
    }

    /// The rules of a whole file for a crawler.
    ///
    /// ```
    /// use robots_match::{Crawler, Profile, ProductToken, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /private\nAllow: /private/open\n";
    /// let rules = RuleSet::read(file, &ProductToken::new("ExampleBot")?, &Profile::RFC9309);
    /// assert!(!rules.check(b"/private/x").is_allowed());
    /// assert_eq!(rules.check(b"/private/open/x").line(), Some(3));
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn read<'t>(file: &[u8], crawler: impl Into<Crawler<'t>>, profile: &Profile) -> Self {
        let groups = Groups::read(file, &profile.syntax, &profile.groups);
        Self::compile(&groups.select(crawler), &profile.matching)
    }

    pub(crate) fn of<'a>(rules: impl Iterator<Item = Rule<'a>>, basis: Basis, policy: &Policy) -> Self {
        let mut buffer = Vec::new();
        let mut drafts = Vec::new();
        for rule in rules {
            draft(&rule, policy, &mut buffer, &mut drafts);
        }
        let draft_of = |index: u32| drafts.get(index as usize).unwrap_or(&Draft::NONE);
        let prevails = |a: &Draft, b: &Draft| policy.precedence.compare(a.rank(), b.rank());
        let mut common =
            drafts.iter().find(|draft| !draft.is_floating()).map_or(&[][..], |draft| draft.key(&buffer));
        for draft in drafts.iter().filter(|draft| !draft.is_floating()) {
            common = common.get(..common_len(common, draft.key(&buffer))).unwrap_or_default();
        }
        let mut keyed = Vec::with_capacity(drafts.len());
        let mut floating = Vec::new();
        for (index, draft) in (0_u32..).zip(&drafts) {
            if draft.is_floating() {
                floating.push(index);
            } else {
                keyed.push(u128::from(draft.head(&buffer, common.len())) << 32 | u128::from(index));
            }
        }
        // Heads settle most. They are padded: equal ones settle nothing.
        keyed.sort_unstable();
        let mut keyed: Vec<(u64, u32)> =
            keyed.into_iter().map(|pair| ((pair >> 32) as u64, pair as u32)).collect();
        for same in keyed.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1) {
            // Of equal patterns, the one that prevails comes last: that is where a search for them ends.
            same.sort_unstable_by(|&(_, a), &(_, b)| {
                let (a, b) = (draft_of(a), draft_of(b));
                let place =
                    a.key(&buffer).cmp(b.key(&buffer)).then_with(|| (a.kind as u8).cmp(&(b.kind as u8)));
                place.then_with(|| prevails(b, a))
            });
        }
        float_crowds(&mut keyed, &mut floating, draft_of, &buffer);
        floating.sort_unstable_by(|&a, &b| prevails(draft_of(a), draft_of(b)));
        let entries = keyed.iter().map(|&(_, index)| draft_of(index));
        let index = Keyed::new(entries.clone().map(|draft| (draft.key(&buffer), draft.kind)), common.len());
        let floating = floating.iter().map(|&index| draft_of(index));
        let patterns = Floating::new(floating.clone().map(|draft| draft.stem(&buffer)));
        Self::lay_out(entries.chain(floating), &buffer, index, patterns, basis, policy)
    }

    fn lay_out<'d>(
        drafts: impl Iterator<Item = &'d Draft>,
        buffer: &[u8],
        keyed: Keyed,
        floating: Floating,
        basis: Basis,
        policy: &Policy,
    ) -> Self {
        let mut text = Vec::with_capacity(buffer.len());
        let mut entries = Vec::with_capacity(drafts.size_hint().0);
        let mut written = Vec::new();
        let mut decoded = Vec::new();
        let mut has_queries = false;
        for (index, draft) in (0_u32..).zip(drafts) {
            let pattern = draft.pattern(buffer);
            let mut line = draft.line;
            if draft.span.len() != pattern.len() {
                line |= Entry::RESIZED;
                written.push((index, short(draft.span.len())));
            }
            if policy.query == Query::AlsoDecoded && draft.has_query {
                if let Some(at) = query_at(pattern) {
                    has_queries = true;
                    if let Some(other) = with_decoded_query(pattern, at) {
                        decoded.push((index, other.into_boxed_slice()));
                    }
                }
            }
            entries.push(Entry { text: short(text.len()), span: short(draft.span.start()), line });
            text.extend_from_slice(pattern);
        }
        Self {
            text: text.into_boxed_slice(),
            entries: entries.into_boxed_slice(),
            keyed,
            floating,
            written: written.into_boxed_slice(),
            decoded: decoded.into_boxed_slice(),
            has_queries,
            basis,
            policy: *policy,
        }
    }

    /// Which groups the rules are from: those that name the crawler, those for all, or none.
    #[must_use]
    pub const fn basis(&self) -> Basis {
        self.basis
    }

    /// How many rules there are. An index page that also allows its directory counts twice, patterns that match
    /// nothing do not count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The policy under which the rules were compiled.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The rules, in the order in which they prevail. Sorts them: for those who show rules, not for checks.
    #[must_use]
    pub fn rulings(&self) -> Vec<Ruling<'_>> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by(|&a, &b| self.policy.precedence.compare(self.rank(a), self.rank(b)));
        order.into_iter().map(|index| self.ruling(index)).collect()
    }

    /// Whether `path` (path and query, as sent) may be accessed, and which rule says so: the first, in the order of
    /// precedence, whose pattern matches. An empty path is that of the root.
    ///
    /// Nothing is allocated if the path is in its form already. Time grows with the octets of the path and the logarithm
    /// of the number of rules; for rules with `*` that may begin anywhere, at worst with their number times the octets
    /// of the path, and their own. A path whose query holds encoded delimiters is also held against each rule with a
    /// query.
    ///
    /// ```
    /// use robots_match::{ProductToken, Profile, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /*.gif$\n";
    /// let rules = RuleSet::read(file, &ProductToken::new("ExampleBot")?, &Profile::RFC9309);
    /// assert_eq!(rules.check(b"/a.gif").to_string(), "disallowed by line 2");
    /// assert_eq!(rules.check(b"/a.gif?x").to_string(), "allowed, for no rule matches");
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn check(&self, path: &[u8]) -> Verdict<'_> {
        let path = if path.is_empty() { b"/" } else { path };
        if self.is_empty() {
            return Verdict::new(self.without_rule(path));
        }
        let (path, classes) = classified(path, self.policy.path, Role::Path);
        if self.policy.robots_txt == RobotsTxt::Allowed && is_robots_txt(&path) {
            return Verdict::new(Reason::RobotsTxt);
        }
        let mut best = self.check_keyed(&path);
        best = self.check_floating(&path, best);
        if self.has_queries && classes.may_have_query() {
            best = self.check_decoded(&path, best);
        }
        Verdict::new(match best {
            Some(index) => Reason::Rule(self.ruling(index)),
            None if self.basis == Basis::None => Reason::NoGroup,
            None => Reason::NoRule,
        })
    }

    /// Why `path` is allowed if no rule matches it, whatever form it is in.
    fn without_rule(&self, path: &[u8]) -> Reason<'_> {
        let may_be_robots_txt = path.len() == ROBOTS_TXT.len() || memchr::memchr(b'%', path).is_some();
        if self.policy.robots_txt == RobotsTxt::Allowed
            && may_be_robots_txt
            && is_robots_txt(&canonical(path, self.policy.path, Role::Path))
        {
            return Reason::RobotsTxt;
        }
        if self.basis == Basis::None { Reason::NoGroup } else { Reason::NoRule }
    }

    /// The same for a URL that is given as text; see [`path_of`].
    #[must_use]
    pub fn check_text(&self, url: &[u8]) -> Verdict<'_> {
        self.check(&path_of(url, &self.policy))
    }

    /// The same for a parsed URL: its path and query, as the `url` crate writes them. Mind that this crate resolves dot
    /// segments.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Verdict<'_> {
        self.check(url[url::Position::BeforePath..url::Position::AfterQuery].as_bytes())
    }

    fn check_keyed(&self, path: &[u8]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (index, key) in self.keyed.candidates(path, |index| self.key(index)) {
            let prevails = || best.is_none_or(|best| self.compare(index, best).is_lt());
            let matches = || match self.pattern(index).get(key..).unwrap_or_default() {
                [] => true,
                [b'*', ..] if self.entry(index).has(Entry::WILD) => self.matches(index, path),
                // A special `$`: nothing else follows a key.
                _ => path.len() == key,
            };
            if prevails() && matches() {
                best = Some(index);
            }
        }
        best
    }

    fn check_floating(&self, path: &[u8], best: Option<usize>) -> Option<usize> {
        let first = self.keyed.len();
        let prevails = |index: usize| best.is_none_or(|best| self.compare(first + index, best).is_lt());
        let matches = |index: usize| self.matches(first + index, path);
        self.floating.first(path, prevails, matches).map_or(best, |index| Some(first + index))
    }

    /// The rules whose query matches in its decoded form.
    fn check_decoded(&self, path: &[u8], mut best: Option<usize>) -> Option<usize> {
        let Some(query) = memchr::memchr(b'?', path) else { return best };
        let mut take = |index: usize, pattern: &[u8], path: &[u8]| {
            let anchored = self.is_anchored(index);
            let stem = pattern.get(..pattern.len() - usize::from(anchored)).unwrap_or_default();
            let prevails = best.is_none_or(|best| self.compare(index, best).is_lt());
            let matches = || match self.entry(index).has(Entry::WILD) {
                true => pattern::matches(stem, anchored, path),
                false if anchored => path == stem,
                false => path.starts_with(stem),
            };
            if prevails && matches() {
                best = Some(index);
            }
        };
        match with_decoded_query(path, query) {
            None => {
                for (index, other) in &self.decoded {
                    take(*index as usize, other, path);
                }
            }
            Some(other_path) => {
                let mut others = self.decoded.iter().peekable();
                for index in 0..self.entries.len() {
                    let other =
                        others.next_if(|(other, _)| *other as usize == index).map(|(_, pattern)| &**pattern);
                    let pattern = other.unwrap_or_else(|| self.pattern(index));
                    if query_at(pattern).is_some() {
                        take(index, pattern, &other_path);
                    }
                }
            }
        }
        best
    }

    fn matches(&self, index: usize, path: &[u8]) -> bool {
        pattern::matches(self.stem(index), self.is_anchored(index), path)
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        self.policy.precedence.compare(self.rank(a), self.rank(b))
    }

    fn rank(&self, index: usize) -> Rank {
        let entry = self.entry(index);
        Rank { octets: self.pattern(index).len(), effect: entry.effect(), line: entry.line & Entry::LINE }
    }

    fn entry(&self, index: usize) -> Entry {
        self.entries.get(index).copied().unwrap_or(Entry { text: 0, span: 0, line: 0 })
    }

    /// The pattern in its form, a special `$` included.
    fn pattern(&self, index: usize) -> &[u8] {
        let end = self.entries.get(index + 1).map_or(self.text.len(), |next| next.text as usize);
        self.text.get(self.entry(index).text as usize..end).unwrap_or_default()
    }

    /// What stands before the first `*` of a pattern, or its special `$`.
    #[inline]
    fn key(&self, index: usize) -> &[u8] {
        let stem = self.stem(index);
        if !self.entry(index).has(Entry::WILD) {
            return stem;
        }
        stem.split(|&octet| octet == b'*').next().unwrap_or_default()
    }

    /// The pattern without a special `$`.
    fn stem(&self, index: usize) -> &[u8] {
        let pattern = self.pattern(index);
        pattern.get(..pattern.len() - usize::from(self.is_anchored(index))).unwrap_or_default()
    }

    fn is_anchored(&self, index: usize) -> bool {
        self.entry(index).has(Entry::ANCHORED)
    }

    fn ruling(&self, index: usize) -> Ruling<'_> {
        let entry = self.entry(index);
        let pattern = self.pattern(index);
        let len = if entry.has(Entry::RESIZED) {
            let at = self.written.binary_search_by_key(&index, |&(entry, _)| entry as usize);
            at.ok().and_then(|at| self.written.get(at)).map_or(pattern.len(), |&(_, len)| len as usize)
        } else {
            pattern.len()
        };
        let start = entry.span as usize;
        Ruling {
            effect: entry.effect(),
            pattern,
            line: (entry.line & Entry::LINE) as usize,
            span: Span::new(start, start + len),
        }
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("basis", &self.basis)
            .field("rulings", &self.rulings())
            .finish_non_exhaustive()
    }
}

/// Appends what a rule becomes: nothing if its pattern is empty and matches nothing, two rules if it is for an index
/// page that is its directory.
fn draft(rule: &Rule<'_>, policy: &Policy, buffer: &mut Vec<u8>, drafts: &mut Vec<Draft>) {
    let mut line = short(rule.line()) & Entry::LINE;
    if rule.effect == Effect::Disallow {
        line |= Entry::DISALLOW;
    }
    let start = buffer.len();
    let classes = append(buffer, rule.pattern.octets(), policy.pattern, Role::Pattern(policy.specials));
    let has_specials = policy.specials == Specials::StarAndDollar;
    let mut add = |start: usize, is_exact: bool, buffer: &[u8]| {
        let pattern = buffer.get(start..).unwrap_or_default();
        let (mut key, mut kind, mut line) = (pattern.len(), Kind::Prefix, line);
        if is_exact || has_specials && pattern.last() == Some(&b'$') {
            line |= Entry::ANCHORED;
            key -= 1;
            kind = Kind::Exact;
        }
        if has_specials && classes.may_have_star() {
            if let Some(star) = memchr::memchr(b'*', pattern) {
                key = star;
                kind = Kind::Wild;
                line |= Entry::WILD;
            }
        }
        let span = rule.pattern.span();
        drafts.push(Draft {
            start: short(start),
            len: short(pattern.len()),
            key: short(key),
            line,
            span,
            kind,
            has_query: classes.may_have_query(),
        });
    };
    if buffer.len() > start || policy.empty_pattern == EmptyPattern::EverythingWithoutEffect {
        add(start, false, buffer);
    }
    if policy.index_page == IndexPage::AlsoDirectory && rule.effect == Effect::Allow {
        if let Some(directory) = buffer.get(start..).and_then(directory_of_index) {
            let second = buffer.len();
            buffer.extend_from_within(start..start + directory);
            buffer.push(b'$');
            add(second, true, buffer);
        }
    }
}

/// Moves those patterns with `*` to the floating ones of which many have the same key: they would all be held against
/// every path that begins with it.
fn float_crowds<'d>(
    keyed: &mut Vec<(u64, u32)>,
    floating: &mut Vec<u32>,
    draft_of: impl Fn(u32) -> &'d Draft,
    buffer: &[u8],
) {
    const CROWD: usize = 8;
    let is_same = |(a_head, a): &(u64, u32), (b_head, b): &(u64, u32)| {
        let (a, b) = (draft_of(*a), draft_of(*b));
        a_head == b_head && a.kind == Kind::Wild && b.kind == Kind::Wild && a.key(buffer) == b.key(buffer)
    };
    let before = floating.len();
    for crowd in keyed.chunk_by(is_same).filter(|crowd| crowd.len() > CROWD) {
        floating.extend(crowd.iter().map(|(_, index)| *index));
    }
    if let Some(moved) = floating.get_mut(before..).filter(|moved| !moved.is_empty()) {
        moved.sort_unstable();
        keyed.retain(|(_, index)| moved.binary_search(index).is_err());
    }
}

/// How many octets of the pattern of an index page are its directory.
fn directory_of_index(pattern: &[u8]) -> Option<usize> {
    let slash = memchr::memrchr(b'/', pattern)?;
    pattern.get(slash + 1..)?.starts_with(b"index.htm").then_some(slash + 1)
}

const ROBOTS_TXT: &[u8; 11] = b"/robots.txt";

#[inline]
fn is_robots_txt(path: &[u8]) -> bool {
    path == ROBOTS_TXT
}

/// Where the query of a pattern begins, if a `?` stands in it.
fn query_at(pattern: &[u8]) -> Option<usize> {
    memchr::memchr(b'?', pattern)
}

/// A length or position, which syntax bounds well below what this holds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "positions are bounded by LONGEST; three octets for each of them"
)]
fn short(position: usize) -> u32 {
    position.min(u32::MAX as usize) as u32
}

/// A rule as it was compiled, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ruling<'r> {
    /// Whether it allows or disallows.
    pub effect: Effect,
    /// The pattern in the form in which it is compared; its octets are counted for precedence.
    pub pattern: &'r [u8],
    /// The number of its line, from 1.
    pub line: usize,
    /// Where the pattern stands in the file, as it is written.
    pub span: Span,
}

impl fmt::Debug for Ruling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {:?}", self.line, self.effect, self.pattern.escape_ascii(), self.span)
    }
}
