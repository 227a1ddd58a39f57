//! A robots.txt in which crawlers have the access that they should have.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::Crawler;
use robots_groups::syntax::{Effect, Lines, Record};

use crate::difference::{Change, Comparer, Difference};
use crate::profile::Profile;
use crate::records::Records;
use crate::robots::Robots;
use crate::rule_set::RuleSet;
use crate::shared_rules::SharedRules;

/// The access that a crawler should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WantedAccess {
    /// Nothing, except the robots.txt.
    Nothing,
    /// The site, as far as its other rules say.
    Site,
    /// What it has at present.
    Present,
}

/// A crawler that gets a group of its own.
#[derive(Clone)]
struct Own<'w> {
    crawler: &'w Crawler,
    wanted: WantedAccess,
    /// The lines of rules that are left out.
    dropped: Vec<usize>,
    /// The lines of rules for all crawlers that no group names, which the crawler gets if it has no rules of its own any more.
    general: Rc<[usize]>,
}

/// The name of the group for all crawlers that no group names.
const GENERAL: &str = "*";

impl<'w> Own<'w> {
    /// Returns the name of the group. A crawler without a name stands for all that no group names.
    fn name(&self) -> &'w str {
        self.crawler.names().next().unwrap_or(GENERAL)
    }
}

/// The lines of a file, by their groups.
struct Layout<'f> {
    robots: &'f Robots,
    /// The bytes of each line, line end included.
    lines: Vec<&'f [u8]>,
    /// The lines of rules and records of each group.
    rules: Vec<Vec<usize>>,
    /// What the records of each group about the use of pages refuse, as lines without their ends.
    refused: Vec<Vec<Vec<u8>>>,
    /// The values of the `user-agent` lines of each group, with their lines.
    agents: Vec<Vec<(&'f [u8], usize)>>,
}

impl<'f> Layout<'f> {
    fn new(robots: &'f Robots) -> Self {
        let groups = robots.groups();
        let policy = &robots.profile().syntax;
        let mut lines = Vec::new();
        let mut names = Vec::new();
        for line in Lines::new(robots.body(), policy) {
            lines.push(line.bytes());
            if let Record::UserAgent(name) = line.record {
                names.push((name.span().start(), line.number));
            }
        }
        let line_of = |start: usize| {
            names
                .binary_search_by_key(&start, |&(at, _)| at)
                .ok()
                .and_then(|at| names.get(at))
                .map_or(0, |&(_, line)| line)
        };
        let agents = groups
            .iter()
            .map(|group| {
                group.agents().iter().map(|name| (name.bytes(), line_of(name.span().start()))).collect()
            })
            .collect();
        let mut rules: Vec<Vec<usize>> =
            groups.iter().map(|group| group.rules().iter().map(|rule| rule.line()).collect()).collect();
        let mut refused: Vec<Vec<Vec<u8>>> = vec![Vec::new(); rules.len()];
        for record in Records::new(robots, &groups).all().iter().filter(|record| !record.concerns_all()) {
            let Some(group) = record.group else { continue };
            if let Some(lines) = rules.get_mut(group) {
                lines.push(record.line);
            }
            if let (Some(lines), Some(value)) = (refused.get_mut(group), record.refusals()) {
                lines.push([record.key.bytes(), b": ", &value].concat());
            }
        }
        rules.iter_mut().for_each(|lines| lines.sort_unstable());
        Self { robots, lines, rules, refused, agents }
    }

    fn line(&self, number: usize) -> &'f [u8] {
        number.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or_default()
    }

    /// Returns the line end that the file uses.
    fn line_end(&self) -> &'static [u8] {
        match self.lines.first() {
            Some(line) if line.ends_with(b"\r\n") => b"\r\n",
            _ => b"\n",
        }
    }

    /// Adds a line without the spaces around it.
    fn copy(&self, number: usize, content: &mut Vec<u8>) {
        let line = self.line(number);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        content.extend_from_slice(line.trim_ascii());
        content.extend_from_slice(self.line_end());
    }

    /// Returns the lines of the group that a crawler gets, without its names.
    fn content(&self, own: &Own<'_>) -> Vec<u8> {
        let end = self.line_end();
        let groups = self.robots.groups();
        if own.wanted == WantedAccess::Nothing {
            // A use that was refused is not to become one about which nothing is said.
            let mut content = Vec::new();
            let mut seen = BTreeSet::new();
            for group in groups.select(own.crawler).indices() {
                let refused = self.refused.get(group).map(Vec::as_slice).unwrap_or_default();
                for line in refused.iter().filter(|&line| seen.insert(line)) {
                    content.extend_from_slice(line);
                    content.extend_from_slice(end);
                }
            }
            content.extend_from_slice(b"Disallow: /");
            content.extend_from_slice(end);
            return content;
        }
        let mut content = Vec::new();
        let mut has_rule = false;
        for group in groups.select(own.crawler).indices() {
            let own_rules: BTreeSet<usize> = groups
                .get(group)
                .into_iter()
                .flat_map(|group| group.rules())
                .map(|rule| rule.line())
                .collect();
            for &number in self.rules.get(group).map(Vec::as_slice).unwrap_or_default() {
                if own.dropped.contains(&number) {
                    continue;
                }
                has_rule |= own_rules.contains(&number);
                self.copy(number, &mut content);
            }
        }
        if !has_rule {
            // A crawler that was kept out is not to get more than all others have.
            own.general.iter().for_each(|&number| self.copy(number, &mut content));
        }
        if !has_rule && own.general.is_empty() {
            // A group without rules would become one with the next group.
            content.extend_from_slice(b"Disallow:");
            content.extend_from_slice(end);
        }
        content
    }

    /// Returns the file in which each of these crawlers has a group of its own.
    fn with_groups(&self, owned: &[Own<'_>]) -> Vec<u8> {
        if owned.is_empty() {
            return self.robots.body().to_vec();
        }
        let end = self.line_end();
        let policy = self.robots.profile().groups;
        let names: Vec<&str> = owned.iter().map(Own::name).collect();
        let mut removed = BTreeSet::new();
        // Places, and the lines that come there, in the order of the places.
        let mut moved: Vec<(usize, usize)> = Vec::new();
        for (agents, rules) in self.agents.iter().zip(&self.rules) {
            let is_named = |value: &[u8], name: &str| match name {
                GENERAL => policy.is_general(value),
                name => policy.names(value, name),
            };
            let is_taken = |value: &[u8]| names.iter().any(|name| is_named(value, name));
            let (taken, left): (Vec<_>, Vec<_>) = agents.iter().partition(|(value, _)| is_taken(value));
            removed.extend(taken.iter().map(|&(_, line)| line));
            // Rules and records without a crawler above them would belong to the group before.
            match (taken.first(), left.first()) {
                (Some(_), None) => removed.extend(rules),
                (Some(&(_, place)), Some(&(_, line))) if rules.first().is_some_and(|&first| first < line) => {
                    moved.push((place, line));
                    removed.insert(line);
                }
                _ => {}
            }
        }
        let mut body: Vec<u8> = Vec::with_capacity(self.robots.body().len() + 64 * owned.len());
        let mut is_open = false;
        for (line, number) in Lines::new(self.robots.body(), &self.robots.profile().syntax).zip(1_usize..) {
            let place = moved.binary_search_by_key(&number, |&(place, _)| place);
            if let Some(&(_, line)) = place.ok().and_then(|place| moved.get(place)) {
                body.extend_from_slice(self.line(line));
                if !body.ends_with(b"\n") {
                    body.extend_from_slice(end);
                }
                is_open = true;
            }
            if removed.contains(&number) {
                continue;
            }
            match line.record {
                Record::UserAgent(_) => is_open = true,
                Record::Rule(_) => is_open = false,
                _ => {}
            }
            body.extend_from_slice(line.bytes());
        }
        if !body.is_empty() && !body.ends_with(b"\n") {
            body.extend_from_slice(end);
        }
        if is_open {
            body.extend_from_slice(b"Disallow:");
            body.extend_from_slice(end);
        }
        // Crawlers with the same rules share a group. Those that are blocked come first.
        let mut groups: Vec<(bool, Vec<u8>, Vec<&str>)> = Vec::new();
        for own in owned {
            let (is_later, content) = (own.wanted != WantedAccess::Nothing, self.content(own));
            let found = groups.binary_search_by(|group| (group.0, &group.1).cmp(&(is_later, &content)));
            let place = found.unwrap_or_else(|place| {
                groups.insert(place, (is_later, content, Vec::new()));
                place
            });
            if let Some((.., names)) = groups.get_mut(place) {
                names.push(own.name());
            }
        }
        for (_, content, mut names) in groups {
            names.sort_by_key(|name| name.to_ascii_lowercase());
            names.dedup();
            if !body.is_empty() {
                body.extend_from_slice(end);
            }
            for name in names {
                body.extend_from_slice(b"User-agent: ");
                body.extend_from_slice(name.as_bytes());
                body.extend_from_slice(end);
            }
            body.extend_from_slice(&content);
        }
        body
    }
}

/// The most rounds in which crawlers that are disturbed by a new group get one of their own.
const MOST_ROUNDS: usize = 8;

/// A crawler, and the access that it should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct AccessWish<'c> {
    /// The crawler. One without a name stands for all that no group names: the rules for `*` are written for it.
    pub crawler: &'c Crawler,
    /// The access.
    pub wanted: WantedAccess,
}

/// A robots.txt in which crawlers have the access that they should have, and what changes for whom.
///
/// A crawler that may access nothing gets the rule `Disallow: /`, after what `Content-Signal` and `Content-Usage` refused to it. One that should access the site, and may not access `/`, keeps its other
/// rules, or gets those for `*` if it has none. Comments and all other lines stay. Where a group is for several crawlers, only the names that change are taken out of it.
///
/// ```
/// use robots_match::{AccessPlan, AccessWish, Crawler, Document, Robots, WantedAccess};
///
/// let robots = Robots::new("User-agent: *\nDisallow: /cart\n", Document::Rfc9309);
/// let (training, search) = (Crawler::new("GPTBot")?, Crawler::new("bingbot")?);
/// let wishes = [
///     AccessWish { crawler: &training, wanted: WantedAccess::Nothing },
///     AccessWish { crawler: &search, wanted: WantedAccess::Present },
/// ];
/// let plan = AccessPlan::new(&robots, &wishes, |_| *robots.profile())?;
/// assert_eq!(plan.body, b"User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n");
/// assert_eq!((plan.blocked, plan.unchanged), (vec![0], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessPlan {
    /// The new file.
    pub body: Vec<u8>,
    /// The positions of the crawlers that may access nothing any more.
    pub blocked: Vec<usize>,
    /// The positions of the crawlers that may access more, and nothing less.
    pub opened: Vec<usize>,
    /// The positions of the crawlers that got a group with the rules that they had.
    pub kept: Vec<usize>,
    /// The number of crawlers for which it is proved that nothing changes.
    pub unchanged: usize,
}

/// The reason why an access plan can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessPlanError {
    /// The rules take too much work, so what changes can't be proved.
    Undecided,
    /// The file would be longer than [`SyntaxPolicy::max_size`](crate::syntax::SyntaxPolicy::max_size), so its end would not be read.
    TooLong,
    /// No group gives the crawler at this position the access that it should have without a change for others.
    NotPossible(usize),
}

impl fmt::Display for AccessPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undecided => "the rules take too much work, so it can't be proved what changes",
            Self::TooLong => "the file would be too long to be read to its end; remove lines first",
            Self::NotPossible(_) => {
                "no group gives a crawler the access that it should have without a change for others"
            }
        })
    }
}

impl core::error::Error for AccessPlanError {}

type Result<T> = core::result::Result<T, AccessPlanError>;

/// The rules of all crawlers of one file, each as its profile reads the file.
struct Compiled<'r> {
    shared: Vec<SharedRules<'r>>,
    sets: Vec<Vec<RuleSet>>,
    /// The reading and the rule set of each crawler.
    of: Vec<(usize, usize)>,
}

impl<'r> Compiled<'r> {
    fn new(
        readings: &'r [Robots],
        reading_of: &[usize],
        wishes: &[AccessWish<'_>],
        comparer: &mut Comparer,
    ) -> Result<Self> {
        let (mut shared, mut sets) = (Vec::new(), Vec::new());
        let mut of: Vec<(usize, usize)> = reading_of.iter().map(|&reading| (reading, 0)).collect();
        for (reading, robots) in readings.iter().enumerate() {
            let is_own = |index: &usize| reading_of.get(*index) == Some(&reading);
            let members: Vec<usize> = (0..wishes.len()).filter(is_own).collect();
            let rules = robots
                .rules_for(members.iter().filter_map(|&index| wishes.get(index)).map(|wish| wish.crawler));
            for (place, index) in members.into_iter().enumerate() {
                if let Some((_, set)) = of.get_mut(index) {
                    *set = rules.set_of(place);
                }
            }
            let compiled: Option<Vec<RuleSet>> =
                (0..rules.sets()).map(|set| comparer.compile(&rules, set)).collect();
            sets.push(compiled.ok_or(AccessPlanError::Undecided)?);
            shared.push(rules);
        }
        Ok(Self { shared, sets, of })
    }

    /// Returns the reading and the rule set of a crawler.
    fn place(&self, crawler: usize) -> (usize, usize) {
        self.of.get(crawler).copied().unwrap_or_default()
    }

    fn of(&self, crawler: usize) -> Option<&RuleSet> {
        let (reading, set) = self.place(crawler);
        self.sets.get(reading)?.get(set)
    }

    /// Returns the lines that disallow `/` to a crawler, without which it would be allowed.
    fn closing(&self, crawler: usize, comparer: &mut Comparer) -> Result<Vec<usize>> {
        let (reading, set) = self.place(crawler);
        match (self.of(crawler), self.shared.get(reading)) {
            (Some(rules), Some(shared)) => closing(shared, set, rules, comparer),
            _ => Ok(Vec::new()),
        }
    }
}

/// Returns the lines of a rule set that disallow `/`, without which it would be allowed.
fn closing(
    shared: &SharedRules<'_>,
    set: usize,
    rules: &RuleSet,
    comparer: &mut Comparer,
) -> Result<Vec<usize>> {
    let mut lines = Vec::new();
    let mut next = rules.check("/");
    while let Some(line) = next.line().filter(|_| !next.is_allowed()) {
        lines.push(line);
        let rules = comparer.compile_without(shared, set, &lines);
        next = rules.ok_or(AccessPlanError::Undecided)?.check("/");
    }
    Ok(lines)
}

/// Returns the lines of the rules for all crawlers that no group names, without those that disallow `/`.
fn general(robots: &Robots, comparer: &mut Comparer) -> Result<Rc<[usize]>> {
    let everyone = Crawler::unnamed();
    let shared = robots.rules_for([&everyone]);
    let rules = comparer.compile(&shared, shared.set_of(0)).ok_or(AccessPlanError::Undecided)?;
    let mut closing = closing(&shared, shared.set_of(0), &rules, comparer)?;
    closing.sort_unstable();
    let groups = robots.groups();
    let selected = groups.select(&everyone);
    let all = selected.indices().filter_map(|group| groups.get(group));
    let lines = all.flat_map(|group| group.rules()).map(|rule| rule.line());
    Ok(lines.filter(|line| closing.binary_search(line).is_err()).collect())
}

/// Returns whether rules disallow every path, except that of the robots.txt.
fn is_blocked(rules: &RuleSet, comparer: &mut Comparer) -> Result<bool> {
    match comparer.exception(rules, b"/", Effect::Disallow, Difference::MAX_STATES) {
        Change::Nothing => Ok(true),
        Change::Path(_) => Ok(false),
        Change::Undecided => Err(AccessPlanError::Undecided),
    }
}

impl AccessPlan {
    /// Writes the wanted access into a file, and proves what changes for each crawler. `profile_of` returns the profile by which a crawler
    /// reads the file. Crawlers that are not in the list may change.
    ///
    /// # Errors
    ///
    /// What changes can't be proved, the file would be too long, or a crawler can't have the access without a change for others.
    ///
    /// # Complexity
    ///
    /// That of a few comparisons of the file with itself; the work is bounded as by [`Comparer::work_for`].
    pub fn new(
        robots: &Robots,
        wishes: &[AccessWish<'_>],
        profile_of: impl Fn(&Crawler) -> Profile,
    ) -> Result<Self> {
        let layout = Layout::new(robots);
        let mut comparer = Comparer::new(Comparer::work_for(robots.body().len()).saturating_mul(16));
        let mut profiles: Vec<Profile> = Vec::new();
        let mut reading_of = Vec::with_capacity(wishes.len());
        for wish in wishes {
            let profile = profile_of(wish.crawler);
            reading_of.push(profiles.iter().position(|other| *other == profile).unwrap_or(profiles.len()));
            if !profiles.contains(&profile) {
                profiles.push(profile);
            }
        }
        let readings = |body: &[u8]| -> Vec<Robots> {
            profiles.iter().map(|profile| Robots::new(body, *profile)).collect()
        };
        let readings_before = readings(robots.body());
        let before = Compiled::new(&readings_before, &reading_of, wishes, &mut comparer)?;
        let mut owned = wanted(&readings_before, &before, wishes, &mut comparer)?;
        for _ in 0..MOST_ROUNDS {
            let own: Vec<Own<'_>> = owned.iter().map(|(_, own)| own.clone()).collect();
            let body = layout.with_groups(&own);
            if robots.profile().syntax.max_size.is_some_and(|most| body.len() > most) {
                return Err(AccessPlanError::TooLong);
            }
            let readings_after = readings(&body);
            let after = Compiled::new(&readings_after, &reading_of, wishes, &mut comparer)?;
            let own: BTreeSet<usize> = owned.iter().map(|(index, _)| *index).collect();
            let is_own = |index: usize| own.contains(&index);
            let (plan, disturbed) = compared(body, &before, &after, wishes, is_own, &mut comparer)?;
            if disturbed.is_empty() {
                return Ok(plan);
            }
            for index in disturbed {
                let Some(wish) = wishes.get(index) else { continue };
                // A group of its own did not help, or the crawler has no name for one.
                if is_own(index) || wish.crawler.names().next().is_none() {
                    return Err(AccessPlanError::NotPossible(index));
                }
                let (dropped, general) = (Vec::new(), Rc::default());
                owned.push((index, Own { crawler: wish.crawler, wanted: wish.wanted, dropped, general }));
            }
        }
        Err(AccessPlanError::Undecided)
    }
}

/// Returns the crawlers that need a group, with the lines that it leaves out.
fn wanted<'w>(
    readings: &[Robots],
    before: &Compiled<'_>,
    wishes: &[AccessWish<'w>],
    comparer: &mut Comparer,
) -> Result<Vec<(usize, Own<'w>)>> {
    let mut blocked_before: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    let mut for_all: Vec<Option<Rc<[usize]>>> = vec![None; readings.len()];
    let mut owned = Vec::new();
    for (index, AccessWish { crawler, wanted }) in wishes.iter().enumerate() {
        let Some(rules) = before.of(index) else { continue };
        let mut of_all = Rc::default();
        let dropped = match wanted {
            WantedAccess::Present => continue,
            WantedAccess::Nothing => {
                let place = before.place(index);
                let is_done = match blocked_before.get(&place) {
                    Some(&is_done) => is_done,
                    None => *blocked_before.entry(place).or_insert(is_blocked(rules, comparer)?),
                };
                if is_done {
                    continue;
                }
                Vec::new()
            }
            WantedAccess::Site => match before.closing(index, comparer)? {
                lines if lines.is_empty() => continue,
                lines => {
                    let (reading, _) = before.place(index);
                    let known = for_all.get_mut(reading).filter(|_| crawler.obeys_wildcard());
                    if let (Some(robots), Some(known)) = (readings.get(reading), known) {
                        of_all = match known {
                            Some(lines) => Rc::clone(lines),
                            None => Rc::clone(known.insert(general(robots, comparer)?)),
                        };
                    }
                    lines
                }
            },
        };
        owned.push((index, Own { crawler, wanted: *wanted, dropped, general: of_all }));
    }
    Ok(owned)
}

/// Compares the access of all crawlers before and after. Returns the plan, and the crawlers for which more or something else changes.
fn compared(
    body: Vec<u8>,
    before: &Compiled<'_>,
    after: &Compiled<'_>,
    wishes: &[AccessWish<'_>],
    is_own: impl Fn(usize) -> bool,
    comparer: &mut Comparer,
) -> Result<(AccessPlan, Vec<usize>)> {
    let mut differences: BTreeMap<_, Difference> = BTreeMap::new();
    let mut plan =
        AccessPlan { body, blocked: Vec::new(), opened: Vec::new(), kept: Vec::new(), unchanged: 0 };
    let mut disturbed = Vec::new();
    let mut blocked: BTreeMap<_, bool> = BTreeMap::new();
    for (index, wish) in wishes.iter().enumerate() {
        let (Some(old), Some(new)) = (before.of(index), after.of(index)) else { continue };
        let difference = differences
            .entry((before.place(index), after.place(index)))
            .or_insert_with(|| comparer.difference(old, new, Difference::MAX_STATES));
        let is_same = difference.is_nothing();
        let both = [&difference.newly_allowed, &difference.newly_disallowed];
        if both.iter().any(|change| matches!(change, Change::Undecided)) {
            return Err(AccessPlanError::Undecided);
        }
        match wish.wanted {
            WantedAccess::Present if is_same && is_own(index) => {
                plan.kept.push(index);
                plan.unchanged += 1;
            }
            WantedAccess::Present if is_same => plan.unchanged += 1,
            WantedAccess::Present => disturbed.push(index),
            WantedAccess::Nothing => {
                let place = after.place(index);
                let is_blocked = match blocked.get(&place) {
                    Some(&known) => known,
                    None => *blocked.entry(place).or_insert(is_blocked(new, comparer)?),
                };
                if !is_blocked {
                    // It was blocked before, and obeys the new group of another crawler.
                    disturbed.push(index);
                } else if is_same {
                    plan.unchanged += 1;
                } else {
                    plan.blocked.push(index);
                }
            }
            WantedAccess::Site => {
                // A group for another crawler must not change one that is allowed.
                if !is_own(index) && !is_same {
                    disturbed.push(index);
                } else if !new.check("/").is_allowed() || !difference.newly_disallowed.is_nothing() {
                    return Err(AccessPlanError::NotPossible(index));
                } else if is_same {
                    plan.unchanged += 1;
                } else {
                    plan.opened.push(index);
                }
            }
        }
    }
    Ok((plan, disturbed))
}
