//! `robots explain`: why URLs may or may not be accessed.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use lexopt::Parser;
use robots_match::explain::{self, Answer, Decision, Elsewhere, Explanation, Fate, Matched, Miss, Standing};
use robots_match::syntax::{Field, Rule};
use robots_match::{Basis, Crawler, Effect, Robots, Span};
use serde_json::{Value, json};

use crate::args::{Format, Question};
use crate::failure::{Failure, Result};
use crate::show::{self, Text};
use crate::view::View;

pub(crate) const HELP: &str = "\
Why URLs may or may not be accessed: the rule that decides, in its place; the groups taken and those not; the rules
that matched and lost, nearly matched, or stand where they do not apply; what the other profiles answer.

Usage: robots explain [OPTION]... --robots FILE --agent TOKEN URL...

Options:
      --robots FILE    the robots.txt; `-` reads it from standard input
  -a, --agent TOKEN    the product token of the crawler (RFC 9309, section 2.2.1); several are tried in turn, until a
                       group names one
  -p, --profile NAME   how the file is read: rfc9309 (default), google, draft-koster-rep-00, koster-1996
      --format NAME    human (default) or json, which robots-fetch/schema/explain.json describes
  -h, --help           this help

Exit status: 0 if all are allowed, 1 if some are disallowed, 2 if something is wrong.

Examples:
  robots explain --robots robots.txt --agent ExampleBot https://example.com/tmp
  robots explain --robots robots.txt -a Googlebot -p google --format json /cat.gif
";

/// How many rules or groups of one kind are shown to people.
const SHOWN: usize = 5;

/// The command, from its arguments on.
pub(crate) fn run(parser: Parser) -> Result<u8> {
    let Some(question) = Question::of(parser, None)? else { return crate::help(HELP) };
    let robots = question.robots()?;
    let tokens = question.agents.tokens(robots.profile());
    let names: Vec<&str> =
        question.agents.iter().filter_map(|name| core::str::from_utf8(name).ok()).collect();
    let view = View::new(robots.body());
    let page = Page { question: &question, robots: &robots, view: &view, names: &names };
    let (mut any_disallowed, mut shown, mut values) = (false, String::new(), Vec::new());
    for url in &question.urls {
        let explained = robots.explain(Crawler::new(&tokens), url.as_encoded_bytes());
        let answers = explain::answers(robots.body(), &names, url.as_encoded_bytes());
        any_disallowed |= !explained.is_allowed();
        match question.format {
            Format::Human => {
                shown.push_str(&page.human(&explained, &answers));
                shown.push_str("\n\n");
            }
            Format::Json => values.push(page.json(&explained, &answers)),
        }
    }
    let printed = match question.format {
        Format::Human => show::print(shown.strip_suffix('\n').unwrap_or(&shown)),
        Format::Json => show::print_json(&json!({
            "version": 1,
            "profile": question.reading.name,
            "robots": question.path().to_string_lossy(),
            "agents": question.agents.iter().map(String::from_utf8_lossy).collect::<Vec<_>>(),
            "explanations": values,
        })),
    };
    match printed {
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(any_disallowed)),
        Err(failure) => Err(failure),
    }
}

/// What all explanations of a run have in common.
struct Page<'p> {
    question: &'p Question,
    robots: &'p Robots,
    view: &'p View<'p>,
    names: &'p [&'p str],
}

impl Page<'_> {
    fn human(&self, explained: &Explanation<'_>, answers: &[Answer]) -> String {
        let level = if explained.is_allowed() {
            Level::NOTE.with_name("allowed")
        } else {
            Level::ERROR.with_name("disallowed")
        };
        let title = format!("{} for {}", Text(explained.url), self.crawler());
        let mut report = Group::with_title(level.primary_title(title));
        let marks = self.marks(explained);
        if !marks.is_empty() {
            let part = self.view.part(marks.iter().map(|mark| mark.span));
            let path = Text(self.question.path().as_encoded_bytes()).to_string();
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
                _ => {
                    format!("decides: of the rules that match none has more octets ({})", rule.pattern.len())
                }
            },
            Fate::Shorter => format!("matches, but has fewer octets ({})", rule.pattern.len()),
            Fate::OtherKind => format!("matches with as many octets, but then allow prevails (line {line})"),
            Fate::Later => format!("matches, but line {line} comes first"),
            Fate::Duplicate => format!("says the same as line {line}"),
            _ => String::new(),
        }
    }

    fn notes(&self, explained: &Explanation<'_>, answers: &[Answer]) -> Vec<String> {
        let mut notes = Vec::new();
        notes.push(match explained.decision {
            Decision::RobotsTxt => "`/robots.txt` itself is always allowed".to_owned(),
            Decision::NoRule => "no rule that applies matches, so it is allowed".to_owned(),
            Decision::NoGroup => "no rules apply to this crawler, so all is allowed".to_owned(),
            _ => format!("the file is read as the profile {} says", self.question.reading.name),
        });
        if explained.decision != Decision::RobotsTxt {
            notes.push(format!("the path compared is `{}`", Text(&explained.compared)));
        }
        notes.push(self.groups(explained));
        if explained.matched.len() > SHOWN + 1 {
            notes.push(format!("{} more rules match, too", explained.matched.len() - SHOWN - 1));
        }
        for near in explained.near.iter().take(SHOWN) {
            let rule = rule_text(&near.rule);
            notes.push(match near.miss {
                Miss::Slash => format!(
                    "`{rule}` (line {}) would match with a slash at the end of the path",
                    near.rule.line()
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
        notes.extend(self.others(explained, answers));
        notes
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
        match (explained.basis, lines.len()) {
            (Basis::Named, 1) => format!("the group of line {shown} names the crawler, so no other applies"),
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
                    "{shown} stands in a group for `*`, which does not apply where a group names the crawler"
                )
            }
            Standing::NotFirst => {
                format!("{shown} stands in a second such group ({agents}), and only the first applies")
            }
            Standing::LaterToken { token } => {
                format!(
                    "{shown} stands in a group for `{}`, which comes later than another name",
                    self.token(token)
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
                format!("under {} it is {also}{word}, {why}", answer.profile)
            })
            .collect();
        if notes.is_empty() {
            notes.push("the other profiles answer the same".to_owned());
        }
        notes
    }

    fn token(&self, index: usize) -> String {
        let tokens = self
            .names
            .iter()
            .filter(|name| robots_match::ProductToken::admitted(name, &self.robots.profile().groups).is_ok());
        tokens.clone().nth(index).map(|name| (*name).to_owned()).unwrap_or_default()
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
        json!({
            "url": String::from_utf8_lossy(explained.url),
            "path": String::from_utf8_lossy(&explained.path),
            "compared": String::from_utf8_lossy(&explained.compared),
            "allowed": explained.is_allowed(),
            "reason": explained.decision.code(),
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

fn rule_text(rule: &Rule<'_>) -> String {
    let key = if rule.effect == Effect::Allow { "Allow" } else { "Disallow" };
    format!("{key}: {}", Text(rule.pattern.octets()))
}

/// A span for programs.
pub(crate) fn span_json(span: Span) -> Value {
    json!({ "start": span.start(), "end": span.end() })
}
