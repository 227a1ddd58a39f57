//! A plain search for the difference of two rule sets: over the product of all their patterns, as sets of positions. It shares
//! no code with robots-match except the list of compiled rules.
//!
//! A state is what is left of both rule sets after the beginning of a path. All bytes are tried that a pattern distinguishes
//! there. Only this shortens the search: states from which both rule sets treat all paths alike, or from which no verdict of
//! one of them is the one that is searched for, lead nowhere; and those from which fewer bytes must follow come first.

mod alphabet;
mod nodes;
mod search;

use robots_fetch::matching::{CompiledRule, Effect, MatchPolicy, ReservedBytes, RuleSet};

use super::oracle::in_either;
use alphabet::{Alphabet, Kind};
use nodes::{Nodes, Pattern};
pub use search::Limit;
use search::{Pair, Search};

/// The result of a plain search in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainDifference {
    /// The length in bytes of a shortest path that is newly disallowed, if there is one.
    pub newly_disallowed: Option<usize>,
    /// The length in bytes of a shortest path that is newly allowed, if there is one.
    pub newly_allowed: Option<usize>,
}

/// A plain search for the rule sets of two policies. All comparisons share the states of its patterns.
#[derive(Debug)]
pub struct Prover {
    strict: Alphabet,
    loose: Alphabet,
    views: [usize; 2],
    nodes: Nodes,
}

/// A rule set as a list of patterns.
#[derive(Debug)]
pub struct PlainRules {
    /// The patterns in the order of precedence.
    entries: Vec<Entry>,
    has_decoded: bool,
}

/// A pattern of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// The mark of the effect.
    mark: u32,
    /// The node after the first `/`.
    node: u32,
    line: usize,
    /// The bytes before the first star and before a query.
    prefix: Vec<u8>,
}

impl Entry {
    /// Returns whether a path may match both patterns, as far as their first bytes show it.
    fn meets(&self, other: &Self) -> bool {
        self.prefix.iter().zip(&other.prefix).all(|(one, other)| one == other)
    }
}

impl Prover {
    /// Creates a search for rule sets of these policies, the one before and the one after.
    #[must_use]
    pub fn new(policies: [&MatchPolicy; 2]) -> Self {
        let forms = policies.map(|policy| policy.path);
        let [one, other] = forms;
        let loose = Alphabet::new(forms);
        let mut strict = loose.clone();
        strict.units.retain(|unit| !matches!(unit.kind, Kind::Percent | Kind::PercentBeforeDigits));
        Self { strict, loose, views: [0, usize::from(one != other)], nodes: Nodes::default() }
    }

    /// Forgets all patterns. The lists of rules that were made before do not belong to the prover any more.
    pub fn forget(&mut self) {
        self.nodes = Nodes::default();
    }

    /// Prepares a rule set, which is the one before or the one after.
    ///
    /// # Errors
    ///
    /// If a pattern is too long.
    pub fn rules(&mut self, set: &RuleSet, is_after: bool) -> Result<PlainRules, Limit> {
        let [before, after] = self.views;
        let view = if is_after { after } else { before };
        let policy = set.policy();
        let mut rules = PlainRules { entries: Vec::new(), has_decoded: false };
        let mut add = |text: &[u8], wildcards: bool, decoded: bool, allows: bool, line: usize| {
            let start =
                self.nodes.start(Pattern::new(text, wildcards, view, decoded)).ok_or(Limit::Pattern)?;
            rules.has_decoded |= decoded;
            let is_prefix = |byte: &&u8| **byte != b'?' && **byte != b'$' && !(wildcards && **byte == b'*');
            let prefix = text.iter().take_while(is_prefix).copied().collect();
            rules.entries.push(Entry {
                mark: search::mark(allows),
                node: self.nodes.run(start, b"/"),
                line,
                prefix,
            });
            Ok(())
        };
        if policy.robots_txt_always_allowed {
            add(b"/robots.txt$", true, false, true, 0)?;
        }
        for CompiledRule { effect, pattern, as_written, line, span, .. } in set.compiled_rules() {
            let allows = effect == Effect::Allow || span.is_empty();
            add(as_written, policy.wildcards, false, allows, line)?;
            if policy.reserved == ReservedBytes::Equal {
                if !in_either(as_written, policy.wildcards).is_empty() {
                    return Err(Limit::Pattern);
                }
                add(pattern, policy.wildcards, true, allows, line)?;
            }
        }
        // Between two rules of the other effect, the order does not matter; lists that are in order need not be sorted again.
        rules.entries.chunk_by_mut(|one, other| one.mark == other.mark).for_each(<[_]>::sort_unstable);
        Ok(rules)
    }

    /// Compares two rule sets.
    ///
    /// # Errors
    ///
    /// If the search visits more than `most` states.
    pub fn difference(
        &mut self,
        before: &PlainRules,
        after: &PlainRules,
        most: usize,
    ) -> Result<PlainDifference, Limit> {
        let lists = [before.list(|_| true), after.list(|_| true)];
        let has_decoded = before.has_decoded || after.has_decoded;
        self.search(&Pair { lists, removed: None, has_decoded }, most)
    }

    /// Compares a rule set with itself without the rules of a line. Only a path that one of them matches may change.
    ///
    /// # Errors
    ///
    /// If the search visits more than `most` states.
    pub fn removal(
        &mut self,
        rules: &PlainRules,
        line: usize,
        most: usize,
    ) -> Result<PlainDifference, Limit> {
        let of_line: Vec<&Entry> = rules.entries.iter().filter(|entry| entry.line == line).collect();
        let meets = |entry: &Entry| of_line.iter().any(|removed| removed.meets(entry));
        let lists = [rules.list(meets), rules.list(|entry| entry.line != line && meets(entry))];
        let removed = of_line.iter().map(|entry| entry.node).collect();
        self.search(&Pair { lists, removed: Some(removed), has_decoded: rules.has_decoded }, most)
    }

    /// Searches in both directions: among paths in which each `%` begins an escape, and then among others.
    fn search(&mut self, pair: &Pair, most: usize) -> Result<PlainDifference, Limit> {
        let is_one_view = self.views == [0, 0];
        let [newly_disallowed, newly_allowed] = [false, true].map(|to_allowed| {
            // Without a `%`, a shortest path of all is a shortest one of those.
            let nodes = &mut self.nodes;
            let loose = Search::new(&self.loose, nodes, pair, is_one_view, to_allowed).run(most)?;
            match loose {
                Some((len, true)) => {
                    let strict = Search::new(&self.strict, nodes, pair, is_one_view, to_allowed).run(most)?;
                    Ok(Some(strict.map_or(len, |(len, _)| len)))
                }
                loose => Ok(loose.map(|(len, _)| len)),
            }
        });
        Ok(PlainDifference { newly_disallowed: newly_disallowed?, newly_allowed: newly_allowed? })
    }
}

impl PlainRules {
    /// Returns some patterns as a list in its normal form.
    fn list(&self, is_kept: impl Fn(&Entry) -> bool) -> Vec<u32> {
        let mut raw = Vec::with_capacity(self.entries.len() + 8);
        let mut last = None;
        for entry in self.entries.iter().filter(|entry| is_kept(entry)) {
            if last != Some(entry.mark) {
                raw.push(entry.mark);
                last = Some(entry.mark);
            }
            raw.push(entry.node);
        }
        raw.push(search::mark(true));
        let mut list = Vec::with_capacity(raw.len());
        search::normalize(&raw, |node| node, &mut list);
        list
    }
}
