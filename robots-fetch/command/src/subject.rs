//! A robots.txt that a person named: a file, standard input, a site, or a version that Git keeps.

use std::ffi::OsStr;
use std::time::SystemTime;

use robots_fetch::{Access, Entry, Origin};
use robots_match::syntax::BodyKind;
use robots_match::{
    CausedChanges, Comparer, Crawler, Document, Profile, Reason, Robots, RuleSet, SelectionBasis,
    SharedRules, Verdict,
};

use crate::arguments::{NamedProfile, bytes_of, is_url, origin};
use crate::body::{Body, answer_note, cut_file_note, cut_note, joined_notes};
use crate::failure::{Failure, Result};
use crate::network::{Network, Sites};
use crate::source::Admitted;
use crate::text::{Text, input_name, with_host};
use crate::verdict::is_unanswered;

/// A robots.txt, or the answer of a site that has none whose rules apply.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The name for people, safe to show.
    pub(crate) name: String,
    /// The file; without rules, one that allows everything or nothing.
    pub(crate) robots: Robots,
    /// The same as Google's crawlers read it, if each crawler is read as its operator says.
    google: Option<Robots>,
    profile: NamedProfile,
    /// The answer of the site, if no rules apply.
    pub(crate) answer: Option<Reason>,
    /// The note about a file over the size limit; see [`cut_note`] and [`cut_file_note`].
    cut: Option<String>,
    /// What else there is to say about the answer; see [`answer_note`].
    more: Option<String>,
    /// The site, if one was asked.
    pub(crate) origin: Option<Origin>,
    /// What kind of thing the body is.
    pub(crate) kind: BodyKind,
}

impl Subject {
    /// Reads the robots.txt that an argument names, if it is of a kind that may be read. Sites are asked by `sites`.
    pub(crate) fn read(
        argument: &OsStr,
        admitted: Admitted,
        profile: &NamedProfile,
        sites: impl FnOnce() -> Result<Sites>,
    ) -> Result<Self> {
        if is_url(argument) {
            let origin = origin(argument)?;
            let entry = sites()?.refresh(&origin);
            if let Some(cause) = entry.cause().filter(|_| entry.is_local_failure()) {
                // Nothing is known about the site.
                let site = with_host(origin.as_str().as_bytes());
                return Err(Failure::new(format!(
                    "can't ask {site}: {}",
                    Text(cause.to_string().as_bytes())
                )));
            }
            return Ok(Self::of_entry(origin, &entry, profile));
        }
        let bytes = bytes_of(argument, admitted, &profile.rules)?;
        Ok(Self::of_bytes(argument, &bytes, profile))
    }

    /// Creates the subject of a file or of standard input, with its bytes.
    pub(crate) fn of_bytes(argument: &OsStr, bytes: &[u8], profile: &NamedProfile) -> Self {
        let name = input_name(argument);
        let kind = BodyKind::of(bytes, &profile.rules.syntax);
        let robots = Robots::new(bytes, profile.rules);
        let google = google(&robots, profile);
        Self {
            name,
            robots,
            google,
            profile: *profile,
            answer: None,
            cut: cut_file_note(bytes, &profile.rules),
            more: None,
            origin: None,
            kind,
        }
    }

    /// Creates the subject that a site has by its entry.
    pub(crate) fn of_entry(origin: Origin, entry: &Entry, profile: &NamedProfile) -> Self {
        let now = SystemTime::now();
        let name = with_host(origin.as_str().as_bytes());
        let (robots, answer) = match entry.access(now) {
            Access::Rules(robots) => (Robots::new(robots.body(), profile.rules), None),
            Access::Everything(..) => (Robots::new("", profile.rules), site_answer(entry, now)),
            Access::Nothing(..) => {
                (Robots::new("User-agent: *\nDisallow: /\n", profile.rules), site_answer(entry, now))
            }
        };
        let cut = cut_note(entry).filter(|_| answer.is_none());
        let more = answer.and_then(|_| answer_note(entry));
        let kind = BodyKind::of(robots.body(), &profile.rules.syntax);
        let google = google(&robots, profile);
        Self { name, robots, google, profile: *profile, answer, cut, more, origin: Some(origin), kind }
    }

    /// Selects the rules for crawlers. The answer of a site without rules is for every crawler.
    pub(crate) fn rules_for<'c>(
        &self,
        crawlers: impl IntoIterator<Item = &'c Crawler>,
    ) -> RulesByProfile<'_> {
        let crawlers: Vec<&Crawler> = crawlers.into_iter().collect();
        let everyone = Crawler::unnamed();
        let mut rules = RulesByProfile { parts: Vec::new(), sets: vec![0; crawlers.len()] };
        for robots in [Some(&self.robots), self.google.as_ref()].into_iter().flatten() {
            let is_base = robots.profile() == self.robots.profile();
            let is_own = |crawler: &Crawler| {
                let is_googles =
                    self.google.is_some() && self.profile.of(crawler).document == Document::OF_ONE_OPERATOR;
                is_googles != is_base
            };
            let members: Vec<usize> = crawlers
                .iter()
                .enumerate()
                .filter(|(_, crawler)| is_own(crawler))
                .map(|(at, _)| at)
                .collect();
            let own = members.iter().filter_map(|&at| crawlers.get(at).copied());
            let shared = match self.answer {
                None => robots.rules_for(own),
                Some(_) => robots.rules_for(own.map(|_| &everyone)),
            };
            let before = rules.sets();
            for (index, at) in members.into_iter().enumerate() {
                if let Some(set) = rules.sets.get_mut(at) {
                    *set = before + shared.set_of(index);
                }
            }
            rules.parts.push((robots.profile(), shared));
        }
        rules
    }

    /// Returns the profile by which a crawler is read.
    pub(crate) fn profile_of(&self, crawler: &Crawler) -> NamedProfile {
        self.profile.of(crawler)
    }

    /// Returns the verdict of this robots.txt where the rules have this one.
    pub(crate) fn verdict(&self, verdict: Verdict) -> Verdict {
        match self.answer {
            // The robots.txt itself may be requested at any time, where the profile says so.
            Some(answer) if verdict.reason() != Reason::RobotsTxt => Verdict::new(answer),
            _ => verdict,
        }
    }

    /// Returns the bytes in which lines and spans of verdicts are.
    pub(crate) fn body(&self) -> &[u8] {
        if self.answer.is_some() { b"" } else { self.robots.body() }
    }

    /// Returns the bytes of all files that are kept.
    pub(crate) fn memory(&self) -> usize {
        self.robots.body().len() + self.google.as_ref().map_or(0, |google| google.body().len())
    }

    /// Returns whether a site was asked and gave no answer that says what may be accessed.
    pub(crate) fn is_unknown(&self) -> bool {
        self.answer.is_some_and(|answer| is_unanswered(&answer))
    }

    /// Returns whether nothing here answers a question about rules.
    pub(crate) fn is_unanswered(&self) -> bool {
        self.is_unknown() || self.is_other_file()
    }

    /// Returns whether the site refused access to its file, which it may show to others.
    pub(crate) fn is_refused(&self) -> bool {
        match self.answer {
            Some(Reason::Site { result, status, .. }) => result.is_refusal(status),
            _ => false,
        }
    }

    /// Returns a note if the file is over the size limit, so that rules of it are not read.
    pub(crate) fn cut_note(&self) -> Option<&str> {
        self.cut.as_deref()
    }

    /// Returns whether a file was named that is not a robots.txt file, so that no answer is about rules. A site may answer with a page,
    /// which is then what crawlers read.
    pub(crate) fn is_other_file(&self) -> bool {
        self.origin.is_none() && !self.kind.is_robots_txt()
    }

    /// Returns the answer of a site without rules, as a sentence such as `the site has no robots.txt (status 404): everything
    /// is allowed`, or what a body is that is not a robots.txt file.
    pub(crate) fn note(&self) -> Option<String> {
        let Some(answer) = self.answer else {
            return Body::of(&self.robots).note().or_else(|| self.cut.clone());
        };
        let what =
            if Verdict::new(answer).is_allowed() { "everything is allowed" } else { "nothing is allowed" };
        let more = self.more.as_ref().map(|more| format!("; {more}")).unwrap_or_default();
        Some(format!("{answer}: {what}{more}"))
    }

    /// Returns the note, and those on lines in which records for crawlers ran together.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.note().into_iter().chain(joined_notes(&self.robots))
    }
}

/// Returns a file as Google's crawlers read it, if each crawler is read as its operator says.
fn google(robots: &Robots, profile: &NamedProfile) -> Option<Robots> {
    profile.is_auto.then(|| Robots::new(robots.body(), Document::OF_ONE_OPERATOR))
}

/// The rules of one robots.txt for crawlers, each as its profile reads the file. Crawlers with the same profile share rule sets,
/// which are counted over all profiles.
#[derive(Debug)]
pub(crate) struct RulesByProfile<'s> {
    parts: Vec<(&'s Profile, SharedRules<'s>)>,
    /// The rule set of each crawler.
    sets: Vec<usize>,
}

impl<'s> RulesByProfile<'s> {
    /// Returns the number of rule sets.
    pub(crate) fn sets(&self) -> usize {
        self.parts.iter().map(|(_, shared)| shared.sets()).sum()
    }

    /// Returns the rule set of the crawler at this position.
    pub(crate) fn set_of(&self, crawler: usize) -> usize {
        self.sets.get(crawler).copied().unwrap_or_default()
    }

    fn part(&self, mut set: usize) -> (&'s Profile, &SharedRules<'s>, usize) {
        for (profile, shared) in &self.parts {
            if set < shared.sets() {
                return (profile, shared, set);
            }
            set -= shared.sets();
        }
        panic!("there are not so many rule sets")
    }

    /// Returns whether a rule set has the rules of another one, as they are written, under the same policy.
    pub(crate) fn has_same_rules(
        &self,
        set: usize,
        other: &RulesByProfile<'_>,
        other_set: usize,
        comparer: &mut Comparer,
    ) -> bool {
        let (_, one, set) = self.part(set);
        let (_, other, other_set) = other.part(other_set);
        comparer.have_same_rules((one, set), (other, other_set))
    }

    pub(crate) fn profile(&self, set: usize) -> &'s Profile {
        self.part(set).0
    }

    pub(crate) fn rules(&self, set: usize) -> RuleSet {
        let (_, shared, set) = self.part(set);
        shared.rules(set)
    }

    pub(crate) fn basis(&self, set: usize) -> SelectionBasis {
        let (_, shared, set) = self.part(set);
        shared.basis(set)
    }

    /// Finds the changes from a rule set to another one, each with the rule that causes it; `None` if the comparer has too little work
    /// left.
    pub(crate) fn caused_changes(
        &self,
        set: usize,
        (other, other_set): (&RulesByProfile<'_>, usize),
        most: usize,
        max_states: usize,
        comparer: &mut Comparer,
    ) -> Option<CausedChanges> {
        let (_, one, set) = self.part(set);
        let (_, other, other_set) = other.part(other_set);
        comparer.caused_changes((one, set), (other, other_set), most, max_states)
    }

    /// Compiles a rule set, if the comparer has enough work left.
    pub(crate) fn compile(&self, set: usize, comparer: &mut Comparer) -> Option<RuleSet> {
        self.compile_without(set, &[], comparer)
    }

    /// Does the same without the rules of some lines.
    pub(crate) fn compile_without(
        &self,
        set: usize,
        lines: &[usize],
        comparer: &mut Comparer,
    ) -> Option<RuleSet> {
        let (_, shared, set) = self.part(set);
        comparer.compile_without(shared, set, lines)
    }
}

pub(crate) fn site_answer(entry: &Entry, now: SystemTime) -> Option<Reason> {
    match entry.permission(&Crawler::unnamed(), now).check("/").reason() {
        answer @ Reason::Site { .. } => Some(answer),
        _ => None,
    }
}

/// Returns how the sites of subjects are asked: each time, because the present answer is wanted.
pub(crate) fn sites_of(network: &Network, profile: &NamedProfile) -> Result<Sites> {
    network.sites(profile.with_access(), Crawler::unnamed())
}
