//! `Robots-Tag` as a list of structured fields (draft-illyes-repext-03, section 3.1.1).

use core::ops::Range;

use robots_match::structured_field::{BareItem, List, Member};

use crate::collector::Collector;
use crate::date::Timestamp;
use crate::policy::{InvalidMember, KeyCase, PagePolicy, ParameterValue, Recovery, RuleAsToken, TokenForm};
use crate::problem::Problem;
use crate::record::{Scope, Source};
use crate::rule::{Rule, RuleName, cut};
use crate::rule_list::{ListScope, RuleList, is_name, trimmed};

/// Returns whether `value` is a valid list in which a known rule is a parameter.
pub(crate) fn has_rule_as_parameter(value: &[u8], policy: &PagePolicy) -> bool {
    if memchr::memchr(b';', value).is_none() {
        return false;
    }
    let mut has_rule = false;
    let is_valid = members(value, policy).all(|member| {
        member.is_ok_and(|member| {
            let mut keys = member.parameters.iter().map(|parameter| parameter.key);
            has_rule |= keys.any(|key| RuleName::find(key).is_some());
            true
        })
    });
    is_valid && has_rule
}

fn members<'v>(value: &'v [u8], policy: &PagePolicy) -> List<'v> {
    let list = List::new(value);
    if policy.key_case == KeyCase::Ignore { list.with_keys_of_any_case() } else { list }
}

/// Reads the value of a field as a list.
pub(crate) struct ListField<'p, S> {
    pub(crate) rules: RuleList<'p, S>,
    /// Whether bytes after the value are not read, so that a member at the end is not complete.
    pub(crate) is_cut: bool,
}

impl<S: Fn(Range<usize>) -> Source> ListField<'_, S> {
    /// Reads the list. Returns whether all of it is valid.
    pub(crate) fn read(&self, value: &[u8], out: &mut Collector) -> bool {
        let policy = self.rules.policy;
        let mut is_valid = true;
        // The crawler that a member in the syntax of `X-Robots-Tag` names, for rules without a name after it.
        let mut legacy = ListScope::new(Scope::All);
        for member in members(value, policy) {
            if out.is_full {
                break;
            }
            let end = match &member {
                Ok(member) => member.place.end,
                Err(place) => place.end,
            };
            if self.is_cut && end >= value.len() {
                break;
            }
            match member {
                Ok(member) => self.member(value, &member, &mut legacy, out),
                Err(place) if place.is_empty() => {
                    is_valid = false;
                    out.problem((self.rules.source)(place), Problem::EmptyMember);
                }
                Err(place) => {
                    is_valid = false;
                    self.invalid(value, place, &mut legacy, out);
                }
            }
        }
        is_valid || policy.recovery == Recovery::PerMember
    }

    fn member(&self, value: &[u8], member: &Member<'_>, legacy: &mut ListScope, out: &mut Collector) {
        let policy = self.rules.policy;
        let source = |place: Range<usize>| (self.rules.source)(place);
        let (name, is_token) = match member.item {
            Some(BareItem::Token(token)) => (token, true),
            Some(BareItem::String(text)) if policy.token_form == TokenForm::TokenOrString => (text, false),
            None => return out.problem(source(member.place.clone()), Problem::InnerList),
            Some(_) => return out.problem(source(member.place.clone()), Problem::InvalidMember),
        };
        let name_place = member.place.start..member.place.start + name.len();
        let rule_name = name.split(|&byte| byte == b':').next().unwrap_or_default();
        if is_token && policy.rule_as_token == RuleAsToken::ForAll && RuleName::find(rule_name).is_some() {
            out.problem(source(name_place.clone()), Problem::RuleAsToken);
            self.within(value, name_place, legacy, out);
            self.parameters(member, &legacy.scope.clone(), out);
        } else if !is_name(name) {
            self.invalid(value, member.place.clone(), legacy, out);
        } else {
            let scope = if name == b"*" { Scope::All } else { Scope::Name(cut(name)) };
            self.parameters(member, &scope, out);
            *legacy = ListScope::new(Scope::All);
        }
    }

    fn parameters(&self, member: &Member<'_>, scope: &Scope, out: &mut Collector) {
        for (index, parameter) in member.parameters.iter().enumerate() {
            // The last of equal keys counts (RFC 9651, section 4.2.3.2).
            let later = member.parameters.get(index + 1..).unwrap_or_default();
            if later.iter().take(Self::MOST_PARAMETERS).any(|later| later.key == parameter.key) {
                continue;
            }
            let source = (self.rules.source)(parameter.place.clone());
            let Some(name) = self.known(parameter.key) else {
                out.record(source, scope, Rule::unknown(parameter.key));
                out.problem(source, Problem::UnknownRule);
                continue;
            };
            if parameter.key.iter().any(u8::is_ascii_uppercase) {
                out.problem(source, Problem::KeyCase);
            }
            match self.rule(name, parameter.value) {
                Ok(Some(rule)) => self.found(source, scope, rule, out),
                Ok(None) => {}
                Err(problem) => out.problem(source, problem),
            }
        }
    }

    /// How many later parameters are compared with one, so that the time is linear.
    const MOST_PARAMETERS: usize = 64;

    fn known(&self, key: &[u8]) -> Option<RuleName> {
        let is_lower = !key.iter().any(u8::is_ascii_uppercase);
        RuleName::find(key).filter(|_| is_lower || self.rules.policy.key_case == KeyCase::Ignore)
    }

    fn found(&self, source: Source, scope: &Scope, rule: Rule, out: &mut Collector) {
        if rule.name().is_some_and(|name| !self.rules.rules.contains(&name)) {
            out.problem(source, Problem::NotOfDocument);
        }
        out.record(source, scope, rule);
    }

    /// Returns the rule with the value of a parameter; `None` if the value denies it.
    fn rule(&self, name: RuleName, value: BareItem<'_>) -> Result<Option<Rule>, Problem> {
        let policy = self.rules.policy;
        if !name.has_value() {
            return match (policy.parameter_value, value) {
                (_, BareItem::Boolean(false)) => Ok(None),
                (ParameterValue::Presence, _) | (_, BareItem::Boolean(true)) => Ok(Some(Rule::Named(name))),
                (ParameterValue::OnlyTrue, _) => Err(Problem::ParameterValue),
            };
        }
        let number;
        let text = match value {
            BareItem::Boolean(_) => return Err(Problem::NoValue),
            BareItem::Date(seconds) if name == RuleName::UnavailableAfter => {
                return Ok(Some(Rule::UnavailableAfter(Timestamp::new(seconds))));
            }
            BareItem::Token(text) | BareItem::String(text) => text,
            BareItem::Integer(value) => {
                number = alloc::format!("{value}");
                number.as_bytes()
            }
            // Values of other types are invalid for each rule, as an empty text is.
            _ => b"",
        };
        Rule::with_value(name, text, policy.date_only).map(Some)
    }

    /// Reads a member that is not a product token with rules.
    fn invalid(&self, value: &[u8], place: Range<usize>, legacy: &mut ListScope, out: &mut Collector) {
        let policy = self.rules.policy;
        let source = (self.rules.source)(place.clone());
        if policy.invalid_member == InvalidMember::Ignore || policy.recovery == Recovery::WholeField {
            return out.problem(source, Problem::InvalidMember);
        }
        let known = out.records.len();
        let text = value.get(place.clone()).unwrap_or_default();
        let name_len = memchr::memchr(b';', text).unwrap_or(text.len());
        let name_place = trimmed(value, place.start..place.start + name_len);
        let name = value.get(name_place).unwrap_or_default();
        if name_len < text.len() && is_name(name) && RuleName::find(name).is_none() {
            // A name that is not a token, with parameters.
            out.problem(source, Problem::UnquotedName);
            let scope = if name == b"*" { Scope::All } else { Scope::Name(cut(name)) };
            let mut start = place.start + name_len + 1;
            while start <= place.end {
                let rest = value.get(start..place.end).unwrap_or_default();
                let end = start + memchr::memchr(b';', rest).unwrap_or(rest.len());
                self.loose_parameter(value, trimmed(value, start..end), &scope, out);
                start = end + 1;
            }
            return;
        }
        self.within(value, place, legacy, out);
        let has_rule = out
            .records
            .get(known..)
            .is_some_and(|found| found.iter().any(|record| record.rule.name().is_some()));
        out.problem(source, if has_rule { Problem::LegacySyntax } else { Problem::InvalidMember });
    }

    /// Reads `name` or `name=value` of an invalid member.
    fn loose_parameter(&self, value: &[u8], place: Range<usize>, scope: &Scope, out: &mut Collector) {
        let text = value.get(place.clone()).unwrap_or_default();
        let mut parts = text.splitn(2, |&byte| byte == b'=');
        let (key, written) = (parts.next().unwrap_or_default().trim_ascii(), parts.next());
        let Some(name) = self.known(key) else { return };
        let source = (self.rules.source)(place);
        let written = written.map(<[u8]>::trim_ascii);
        let rule = match written {
            Some(b"?0") => Ok(None),
            Some(written) if name.has_value() => {
                let unquoted = written.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
                Rule::with_value(name, unquoted.unwrap_or(written), self.rules.policy.date_only).map(Some)
            }
            None if name.has_value() => Err(Problem::NoValue),
            Some(b"?1") | None => Ok(Some(Rule::Named(name))),
            Some(_) => self.rule(name, BareItem::Token(b"")),
        };
        match rule {
            Ok(Some(rule)) => self.found(source, scope, rule, out),
            Ok(None) => {}
            Err(problem) => out.problem(source, problem),
        }
    }

    /// Reads a part of the value in the syntax of `X-Robots-Tag`.
    fn within(&self, value: &[u8], place: Range<usize>, scope: &mut ListScope, out: &mut Collector) {
        let start = place.start;
        let text = value.get(place).unwrap_or_default();
        let inner = RuleList {
            policy: self.rules.policy,
            rules: self.rules.rules,
            has_prefixes: self.rules.has_prefixes,
            keeps_unknown: self.rules.keeps_unknown,
            source: |part: Range<usize>| (self.rules.source)(start + part.start..start + part.end),
        };
        inner.read(text, scope, out);
    }
}
