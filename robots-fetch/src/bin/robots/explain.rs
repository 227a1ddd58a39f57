//! `robots explain`: why URLs may or may not be accessed.

use std::time::SystemTime;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use lexopt::Parser;
use robots_fetch::{AccessResult, Cause, Decision as Permitted, Entry, Origin};
use robots_match::explain::{self, Answer, Decision, Elsewhere, Explanation, Fate, Matched, Miss, Standing};
use robots_match::syntax::{Field, Rule};
use robots_match::{Basis, Crawler, Effect, Profile, Robots, Span};
use serde_json::{Value, json};

use crate::args::{Format, Question};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::show::{self, Text};
use crate::view::View;

pub(crate) const HELP: &str = concat!(
    "\
Why URLs may or may not be accessed: what the site answers for its robots.txt; the rule that decides, in its place; the
groups taken and those not; the rules that matched and lost, nearly matched, or stand where they do not apply; what
other readers answer.

Usage: robots explain [OPTION]... --agent TOKEN URL...
       robots explain [OPTION]... --robots FILE --agent TOKEN URL...

",
    crate::args::question_help!("explain"),
    "
Examples:
  robots explain --agent ExampleBot https://example.com/tmp
  robots explain --robots robots.txt --agent ExampleBot https://example.com/tmp
  robots explain --robots robots.txt -a Googlebot -p google --format json /cat.gif
"
);

/// How many rules or groups of one kind are shown to people.
const SHOWN: usize = 5;

/// The command, from its arguments on.
pub(crate) fn run(parser: Parser) -> Result<u8> {
    let mut network = Network::default();
    let Some(question) = Question::of(parser, &mut network)? else { return crate::help(HELP) };
    if question.path.is_none() {
        return ask(&question, &network);
    }
    let robots = question.robots()?;
    let tokens = question.agents.tokens(robots.profile());
    let view = View::new(robots.body());
    let path = question.path();
    let name = if path == "-" { "standard input".into() } else { path.to_string_lossy() };
    let page = Page { question: &question, robots: &robots, view: &view, name: &name, site: None };
    let explained: Vec<Explained> = question
        .urls
        .iter()
        .map(|url| page.explained(&robots.explain(Crawler::new(&tokens), url.as_encoded_bytes())))
        .collect();
    answer(&question, &[], explained)
}

/// Explains by the robots.txt of the sites.
fn ask(question: &Question, network: &Network) -> Result<u8> {
    let (origins, urls) = question.sites()?;
    let profile = question.reading.access();
    let tokens = question.agents.tokens(&profile.rules);
    let entries = network.sites(profile)?.entries(&origins);
    let now = SystemTime::now();
    // Where no file holds, nothing is read.
    let nothing = Robots::new(Vec::new(), profile.rules);
    let mut explained = Vec::new();
    let mut told = None;
    for (url, place) in urls {
        let (Some(origin), Some(entry)) = (origins.get(place), entries.get(place)) else { continue };
        let robots = entry.robots(now);
        let view = View::new(robots.map_or(&[], |robots| robots.body()));
        let file = entry.good_file().or_else(|| entry.previous_file()).filter(|_| robots.is_some());
        let name = file.map_or_else(|| origin.robots_url().as_str(), |file| file.url.as_str());
        let permission = entry.permission(Crawler::new(&tokens), now);
        let (has_rules, decision) = (robots.is_some(), permission.check_text(url));
        let site = Site { origin, entry, has_rules, decision };
        let robots = robots.map_or(&nothing, |robots| robots);
        let page = Page { question, robots, view: &view, name, site: Some(site) };
        let mut one = page.explained(&robots.explain(Crawler::new(&tokens), url));
        // What a site answers is told before the first of its URLs that follow each other.
        if told != Some(place) {
            one.human = format!("{}\n{}", crate::fetch::human(origin, entry, now), one.human);
            told = Some(place);
        }
        explained.push(one);
    }
    let sites: Vec<Value> =
        origins.iter().zip(&entries).map(|(origin, entry)| crate::fetch::json(origin, entry, now)).collect();
    answer(question, &sites, explained)
}

/// What is said about one URL.
struct Explained {
    is_allowed: bool,
    human: String,
    json: Value,
}

/// Prints what is said, in the order of the URLs.
fn answer(question: &Question, sites: &[Value], explained: Vec<Explained>) -> Result<u8> {
    let any_disallowed = explained.iter().any(|one| !one.is_allowed);
    let printed = match question.format {
        Format::Human => {
            let texts: Vec<String> = explained.into_iter().map(|one| one.human).collect();
            show::print(&format!("{}\n", texts.join("\n\n")))
        }
        Format::Json => show::print_json(&json!({
            "version": 1,
            "profile": question.reading.name,
            "robots": question.path.as_ref().map(|path| path.to_string_lossy()),
            "agents": question.agents.iter().map(String::from_utf8_lossy).collect::<Vec<_>>(),
            "sites": sites,
            "explanations": explained.into_iter().map(|one| one.json).collect::<Vec<_>>(),
        })),
    };
    match printed {
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(any_disallowed)),
        Err(failure) => Err(failure),
    }
}

/// What is known of the site that was asked, and what that lets the crawler do with one URL.
struct Site<'p> {
    origin: &'p Origin,
    entry: &'p Entry,
    /// Whether the rules of a file hold.
    has_rules: bool,
    decision: Permitted<'p>,
}

impl Site<'_> {
    /// Why there were no rules to ask, where that decides.
    const fn cause(&self) -> Option<&Cause> {
        self.decision.cause()
    }

    /// What the last answer means to each profile, where it was a status that decides: whether everything may be
    /// accessed, or nothing.
    fn classes(&self) -> Vec<(&'static str, AccessResult)> {
        let Some(Cause::Status(status)) = self.cause() else { return Vec::new() };
        let is_ftp = self.entry.hops().last().is_some_and(|hop| hop.url.scheme() == "ftp");
        let class = |profile: &robots_fetch::Profile| {
            let access = &profile.access;
            if is_ftp {
                access.ftp_replies.access_result(*status)
            } else {
                access.statuses.access_result(*status)
            }
        };
        robots_fetch::Profile::NAMED.iter().map(|(name, profile)| (*name, class(profile))).collect()
    }
}

/// What an explanation is about: a robots.txt, or its absence.
struct Page<'p> {
    question: &'p Question,
    robots: &'p Robots,
    view: &'p View<'p>,
    /// How the file is called.
    name: &'p str,
    /// The site, if one was asked.
    site: Option<Site<'p>>,
}

impl Page<'_> {
    fn explained(&self, explained: &Explanation<'_>) -> Explained {
        let answers = match self.cause() {
            None => explain::answers(self.robots.body(), &self.names(), explained.url),
            Some(_) => Vec::new(),
        };
        Explained {
            is_allowed: self.is_allowed(explained),
            human: self.human(explained, &answers),
            json: self.json(explained, &answers),
        }
    }

    /// Why there were no rules to ask, where that decides.
    fn cause(&self) -> Option<&Cause> {
        self.site.as_ref().and_then(Site::cause)
    }

    fn is_allowed(&self, explained: &Explanation<'_>) -> bool {
        self.site.as_ref().map_or_else(|| explained.is_allowed(), |site| site.decision.is_allowed())
    }

    /// The names of the crawler.
    fn names(&self) -> Vec<&str> {
        self.question.agents.iter().filter_map(|name| core::str::from_utf8(name).ok()).collect()
    }

    fn human(&self, explained: &Explanation<'_>, answers: &[Answer]) -> String {
        let level = if self.is_allowed(explained) {
            Level::NOTE.with_name("allowed")
        } else {
            Level::ERROR.with_name("disallowed")
        };
        let title = format!("{} for {}", Text(explained.url), self.crawler());
        let mut report = Group::with_title(level.primary_title(title));
        let marks = self.marks(explained);
        if !marks.is_empty() {
            let part = self.view.part(marks.iter().map(|mark| mark.span));
            let path = Text(self.name.as_bytes()).to_string();
            let annotations: Vec<_> = marks
                .into_iter()
                .map(|mark| mark.kind.span(self.view.range(part, mark.span)).label(mark.label))
                .collect();
            let snippet = Snippet::source(part.text).line_start(part.line).path(path);
            report = report.element(snippet.annotations(annotations));
        }
        for note in self.notes(explained, answers) {
            report = report.element(Level::NOTE.no_name().message(note));
        }
        Renderer::styled().render(&[report])
    }

    /// The places to show in the file.
    fn marks(&self, explained: &Explanation<'_>) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (rule, &fate) in explained.matched.iter().map(|rule| (rule, &rule.fate)).take(SHOWN + 1) {
            let kind = if fate == Fate::Decides { AnnotationKind::Primary } else { AnnotationKind::Context };
            marks.push(Mark { kind, span: rule.span, label: self.fate(rule, explained) });
        }
        let taken = explained.groups.iter().filter(|group| group.standing.applies());
        for group in taken.take(SHOWN) {
            let (agent, label) = match group.standing {
                Standing::Named { agent, token } => (agent, format!("names `{}`", self.token(token))),
                Standing::General { agent } => (agent, "stands for every crawler".to_owned()),
                _ => continue,
            };
            if let Some(agent) = group.agents.get(agent) {
                marks.push(Mark { kind: AnnotationKind::Context, span: agent.span(), label });
            }
        }
        marks
    }

    fn fate(&self, rule: &Matched<'_>, explained: &Explanation<'_>) -> String {
        let winner = explained.winner();
        let line = winner.map_or(0, |winner| winner.line);
        match rule.fate {
            Fate::Decides if rule.pattern.is_empty() => {
                "matches everything, and disallows nothing".to_owned()
            }
            Fate::Decides if explained.matched.len() == 1 => "decides: the only rule that matches".to_owned(),
            Fate::Decides => match self.robots.profile().matching.precedence {
                robots_match::Precedence::First => "decides: the first rule that matches".to_owned(),
                _ => format!("decides: the longest of the rules that match ({} octets)", rule.pattern.len()),
            },
            Fate::Shorter => {
                format!(
                    "matches, but is shorter ({}), and the longest rule decides",
                    octets(rule.pattern.len())
                )
            }
            Fate::OtherKind => {
                format!(
                    "matches and is as long, but of two such rules the one that allows decides (line {line})"
                )
            }
            Fate::Later => format!("matches, but line {line} comes first, and the first rule decides"),
            Fate::Duplicate => format!("says the same as line {line}"),
            _ => String::new(),
        }
    }

    fn notes(&self, explained: &Explanation<'_>, answers: &[Answer]) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(cause) = self.cause() {
            return self.without_rules(cause);
        }
        match explained.decision {
            Decision::RobotsTxt => {
                notes.push("`/robots.txt` itself may always be fetched, whatever it says".to_owned());
            }
            Decision::NoRule => notes.push("no rule that applies matches, so it is allowed".to_owned()),
            Decision::NoGroup => notes.push("no rules apply to this crawler, so all is allowed".to_owned()),
            _ => {}
        }
        if self.site.as_ref().is_some_and(|site| !site.has_rules) {
            return notes;
        }
        if explained.decision != Decision::RobotsTxt {
            notes.push(format!(
                "patterns are compared with `{}`, the path of the URL",
                Text(&explained.compared)
            ));
        }
        notes.push(self.groups(explained));
        notes.extend(self.listed(explained));
        notes.extend(self.within_a_word(explained));
        if explained.matched.len() > SHOWN + 1 {
            notes.push(format!("{} more rules match, too", explained.matched.len() - SHOWN - 1));
        }
        for near in explained.near.iter().take(SHOWN) {
            let rule = rule_text(&near.rule);
            notes.push(match near.miss {
                Miss::Slash => format!(
                    "`{rule}` (line {}) would match `{}/`, with a slash at the end, but not without it",
                    near.rule.line(),
                    Text(&explained.path)
                ),
                _ => format!(
                    "`{rule}` (line {}) would match, were it not for upper and lower case",
                    near.rule.line()
                ),
            });
        }
        for elsewhere in explained.elsewhere.iter().take(SHOWN) {
            notes.push(self.elsewhere(explained, elsewhere));
        }
        if explained.elsewhere.len() > SHOWN {
            notes.push(format!(
                "{} more rules would match, and stand in groups that do not apply",
                explained.elsewhere.len() - SHOWN
            ));
        }
        notes.push(self.readers());
        notes.extend(self.others(explained, answers));
        notes
    }

    /// A rule that decides, and whose pattern ends within a name of the path: people take it for one of that name alone.
    fn within_a_word(&self, explained: &Explanation<'_>) -> Option<String> {
        let winner = explained.winner().filter(|rule| rule.effect == Effect::Disallow)?;
        let rest = explained.compared.strip_prefix(&*winner.pattern)?;
        let is_of_name = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'%');
        let goes_on = rest.first().is_some_and(is_of_name) && winner.pattern.last().is_some_and(is_of_name);
        goes_on.then(|| {
            let pattern = Text(winner.written);
            format!("`{pattern}` matches whatever begins with it; `{pattern}/` would match what is below `{pattern}` alone")
        })
    }

    /// What it means that there are no rules.
    fn without_rules(&self, cause: &Cause) -> Vec<String> {
        let cause = Text(cause.to_string().as_bytes()).to_string();
        let Some(site) = &self.site else { return Vec::new() };
        let mut notes = Vec::new();
        notes.push(match site.entry.access_result() {
            AccessResult::Unavailable if matches!(site.entry.status(), Some(404 | 410)) => {
                format!("the site has no robots.txt ({cause}), so everything may be accessed")
            }
            AccessResult::Unavailable => {
                format!("the site gives no robots.txt ({cause}); that counts as having none, so everything may be accessed")
            }
            AccessResult::Restricted => {
                format!("the site does not let crawlers have its robots.txt ({cause}), so nothing may be accessed")
            }
            _ if site.decision.is_allowed() => {
                format!("the robots.txt could not be had for so long ({cause}) that everything may be accessed")
            }
            _ => format!(
                "the robots.txt can't be had ({cause}); until it can, nothing may be accessed, for nobody knows what it says"
            ),
        });
        notes.push(self.readers());
        let is_other = |class: AccessResult| {
            let nothing = class != AccessResult::Unavailable;
            nothing == site.decision.is_allowed()
        };
        for (name, class) in site.classes() {
            if name == self.question.reading.name || !is_other(class) {
                continue;
            }
            let what = match class {
                AccessResult::Unavailable => "that there is none: everything may be accessed",
                AccessResult::Restricted => "that crawlers are not wanted: nothing may be accessed",
                _ => "that it can't be had: nothing may be accessed for now",
            };
            notes.push(format!("to {} ({name}) the answer says {what}", Profile::readers(name)));
        }
        notes
    }

    /// Whose answer it is.
    fn readers(&self) -> String {
        let name = self.question.reading.name;
        format!("this is the answer of {} ({name})", Profile::readers(name))
    }

    /// Lists that hold the name of the crawler, where a line should have held it alone.
    fn listed(&self, explained: &Explanation<'_>) -> Vec<String> {
        let names = self.names();
        let holds = |agent: &Field<'_>| {
            let mut words = agent.octets().split(|octet| matches!(octet, b',' | b';' | b' ' | b'\t'));
            agent.octets().contains(&b',')
                && words.any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes())))
        };
        let others = explained.groups.iter().filter(|group| !group.standing.applies());
        let lists = others.flat_map(|group| &group.agents).filter(|agent| holds(agent));
        let told = |agent: &Field<'_>| {
            let line = self.view.line_of(agent.span().start());
            format!(
                "line {line} lists several crawlers (`{}`), but a line names one: write a user-agent line for each",
                Text(agent.octets())
            )
        };
        lists.take(SHOWN).map(told).collect()
    }

    /// Which groups are taken, and why.
    fn groups(&self, explained: &Explanation<'_>) -> String {
        let lines: Vec<String> = explained
            .groups
            .iter()
            .filter(|group| group.standing.applies())
            .filter_map(|group| group.agents.first())
            .map(|agent| self.view.line_of(agent.span().start()).to_string())
            .collect();
        let shown = match lines.get(..SHOWN) {
            Some(first) if lines.len() > SHOWN => {
                format!("{} and {} more", first.join(", "), lines.len() - SHOWN)
            }
            _ => lines.join(", "),
        };
        let crawler = self.crawler();
        let has_general = explained.groups.iter().any(|group| group.standing == Standing::Replaced);
        match (explained.basis, lines.len()) {
            (Basis::Named, 1) if has_general => {
                format!(
                    "the group of line {shown} names the crawler, so it applies alone, and not the one for `*`"
                )
            }
            (Basis::Named, 1) => format!("the group of line {shown} names the crawler, so it applies alone"),
            (Basis::Named, _) => {
                format!(
                    "the groups of lines {shown} name the crawler: their rules count together, and no others"
                )
            }
            (Basis::Wildcard, 1) => {
                format!("no group names {crawler}, so the one for `*` applies (line {shown})")
            }
            (Basis::Wildcard, _) => {
                format!("no group names {crawler}, so those for `*` apply together (lines {shown})")
            }
            (Basis::None, _) if explained.groups.is_empty() => {
                "the file has no group: no user-agent line and rules for anybody".to_owned()
            }
            (Basis::None, _) => format!("no group names {crawler}, and none is for `*`"),
        }
    }

    fn elsewhere(&self, explained: &Explanation<'_>, elsewhere: &Elsewhere<'_>) -> String {
        let rule = &elsewhere.rule;
        let key = if rule.effect == Effect::Allow { "Allow" } else { "Disallow" };
        let shown = format!("`{key}: {}` (line {}) would match, but", Text(rule.written), rule.line);
        let Some(group) = elsewhere.group.and_then(|index| explained.groups.get(index)) else {
            return format!("{shown} stands in no group: no user-agent line is before it");
        };
        let agents: Vec<String> =
            group.agents.iter().take(3).map(|agent| format!("`{}`", Text(agent.octets()))).collect();
        let more = if group.agents.len() > agents.len() { " and others" } else { "" };
        let agents = format!("{}{more}", agents.join(", "));
        match group.standing {
            Standing::Replaced => {
                format!(
                    "{shown} stands in a group for `*`; if it should hold for this crawler, repeat it in its group"
                )
            }
            Standing::NotFirst => {
                format!("{shown} stands in a second such group ({agents}), and only the first applies")
            }
            Standing::LaterToken { token } => {
                let first = explained.groups.iter().find_map(|group| match group.standing {
                    Standing::Named { token, .. } => Some(self.token(token)),
                    _ => None,
                });
                format!(
                    "{shown} stands in a group for `{}`, and a group names `{}`, which is tried before",
                    self.token(token),
                    first.unwrap_or_default()
                )
            }
            Standing::WildcardIgnored => {
                format!("{shown} stands in a group for `*`, which the crawler ignores")
            }
            _ => format!("{shown} stands in a group for {agents}"),
        }
    }

    /// What the other profiles answer.
    fn others(&self, explained: &Explanation<'_>, answers: &[Answer]) -> Vec<String> {
        let line = explained.winner().map(|rule| rule.line);
        let mut notes: Vec<String> = answers
            .iter()
            .filter(|answer| answer.profile != self.question.reading.name)
            .filter(|answer| {
                answer.is_allowed != explained.is_allowed() || answer.line.map(|(line, _)| line) != line
            })
            .map(|answer| {
                let word = if answer.is_allowed { "allowed" } else { "disallowed" };
                let also = if answer.is_allowed == explained.is_allowed() { "also " } else { "" };
                let why = match (answer.decision, answer.line) {
                    (Decision::Rule, Some((line, span))) => {
                        format!("by line {line} (`{}`)", Text(span.of(self.robots.body())))
                    }
                    (Decision::NoGroup, _) => "for no group applies".to_owned(),
                    (Decision::RobotsTxt, _) => "for it is `/robots.txt`".to_owned(),
                    _ => "for no rule matches".to_owned(),
                };
                format!(
                    "for {} ({}) it is {also}{word}, {why}",
                    Profile::readers(answer.profile),
                    answer.profile
                )
            })
            .collect();
        if notes.is_empty() {
            let others = Profile::NAMED.iter().map(|(name, _)| *name);
            let others: Vec<&str> = others.filter(|name| *name != self.question.reading.name).collect();
            notes.push(format!("other readers answer the same ({})", others.join(", ")));
        }
        notes
    }

    fn token(&self, index: usize) -> String {
        let names = self.names();
        let is_token =
            |name: &&&str| robots_match::ProductToken::admitted(name, &self.robots.profile().groups).is_ok();
        names.iter().filter(is_token).nth(index).map(|name| (*name).to_owned()).unwrap_or_default()
    }

    fn crawler(&self) -> String {
        let names: Vec<String> =
            self.question.agents.iter().map(|name| format!("`{}`", Text(name))).collect();
        names.join(" or ")
    }

    fn json(&self, explained: &Explanation<'_>, answers: &[Answer]) -> Value {
        let groups: Vec<Value> = explained
            .groups
            .iter()
            .map(|group| {
                json!({
                    "agents": group.agents.iter().map(|agent| self.field(*agent)).collect::<Vec<_>>(),
                    "standing": group.standing.code(),
                    "applies": group.standing.applies(),
                    "rules": group.rules.iter().map(|rule| self.rule(rule)).collect::<Vec<_>>(),
                })
            })
            .collect();
        let near: Vec<Value> = explained
            .near
            .iter()
            .map(|near| json!({ "rule": self.rule(&near.rule), "miss": near.miss.code() }))
            .collect();
        let elsewhere: Vec<Value> = explained
            .elsewhere
            .iter()
            .map(|elsewhere| json!({ "rule": self.matched(&elsewhere.rule), "group": elsewhere.group }))
            .collect();
        let profiles: Vec<Value> = answers
            .iter()
            .map(|answer| {
                json!({
                    "profile": answer.profile,
                    "allowed": answer.is_allowed,
                    "reason": answer.decision.code(),
                    "basis": answer.basis.name(),
                    "line": answer.line.map(|(line, _)| line),
                    "span": answer.line.map(|(_, span)| span_json(span)),
                })
            })
            .collect();
        let (reason, profiles) = match &self.site {
            Some(site) if site.cause().is_some() => {
                let reason = |is_allowed: bool| if is_allowed { "everything" } else { "nothing" };
                let of = |(name, class): (&str, AccessResult)| {
                    let is_allowed = class == AccessResult::Unavailable;
                    json!({
                        "profile": name,
                        "allowed": is_allowed,
                        "reason": reason(is_allowed),
                        "basis": Basis::None.name(),
                        "line": null,
                        "span": null,
                    })
                };
                (reason(site.decision.is_allowed()), site.classes().into_iter().map(of).collect())
            }
            _ => (explained.decision.code(), profiles),
        };
        json!({
            "url": String::from_utf8_lossy(explained.url),
            "site": self.site.as_ref().map(|site| site.origin.as_str()),
            "path": String::from_utf8_lossy(&explained.path),
            "compared": String::from_utf8_lossy(&explained.compared),
            "allowed": self.is_allowed(explained),
            "reason": reason,
            "basis": explained.basis.name(),
            "line": explained.winner().map(|rule| rule.line),
            "matched": explained.matched.iter().map(|rule| self.matched(rule)).collect::<Vec<_>>(),
            "near": near,
            "elsewhere": elsewhere,
            "groups": groups,
            "profiles": profiles,
        })
    }

    fn field(&self, field: Field<'_>) -> Value {
        let start = field.span().start();
        json!({
            "written": String::from_utf8_lossy(field.octets()),
            "line": self.view.line_of(start),
            "column": self.view.column_of(start),
            "span": span_json(field.span()),
        })
    }

    fn rule(&self, rule: &Rule<'_>) -> Value {
        let mut value = self.field(rule.pattern);
        if let Value::Object(value) = &mut value {
            value.insert("effect".to_owned(), rule.effect.name().into());
        }
        value
    }

    fn matched(&self, rule: &Matched<'_>) -> Value {
        json!({
            "written": String::from_utf8_lossy(rule.written),
            "line": rule.line,
            "column": self.view.column_of(rule.span.start()),
            "span": span_json(rule.span),
            "effect": rule.effect.name(),
            "pattern": String::from_utf8_lossy(&rule.pattern),
            "octets": rule.pattern.len(),
            "fate": rule.fate.code(),
        })
    }
}

struct Mark {
    kind: AnnotationKind,
    span: Span,
    label: String,
}

/// As `1 octet`, `2 octets`.
fn octets(count: usize) -> String {
    format!("{count} octet{}", if count == 1 { "" } else { "s" })
}

fn rule_text(rule: &Rule<'_>) -> String {
    let key = if rule.effect == Effect::Allow { "Allow" } else { "Disallow" };
    format!("{key}: {}", Text(rule.pattern.octets()))
}

/// A span for programs.
pub(crate) fn span_json(span: Span) -> Value {
    json!({ "start": span.start(), "end": span.end() })
}
