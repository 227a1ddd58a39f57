//! Records and rules as rows write them.

use robots_fetch::matching::syntax::{Effect, Record};

use crate::escape::shown;

/// Writes a record as rows do.
pub(crate) fn record(record: &Record<'_>) -> String {
    let with = |name: &str, value: &[u8]| match value {
        [] => name.to_owned(),
        _ => format!("{name} {}", shown(value)),
    };
    match record {
        Record::UserAgent(name) => with("user-agent", name.bytes()),
        Record::Rule(rule) => self::rule(rule.effect, rule.pattern.bytes()),
        Record::Other { key, value } => with(&format!("other {} =", shown(key.bytes())), value.bytes()),
        Record::Comment => "comment".to_owned(),
        Record::Blank => "blank".to_owned(),
        Record::Unreadable => "unreadable".to_owned(),
        // Records of later versions are written by their `Display`.
        other => other.to_string(),
    }
}

/// Writes a rule as rows do.
pub(crate) fn rule(effect: Effect, pattern: &[u8]) -> String {
    match pattern {
        [] => effect.name().to_owned(),
        _ => format!("{effect} {}", shown(pattern)),
    }
}
