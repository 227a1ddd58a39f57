//! Records and rules as rows write them.

use robots_fetch::matching::syntax::{Effect, Record};

use crate::escape::shown;

/// A record as rows write it.
pub(crate) fn record(record: &Record<'_>) -> String {
    let with = |name: &str, value: &[u8]| match value {
        [] => name.to_owned(),
        _ => format!("{name} {}", shown(value)),
    };
    match record {
        Record::UserAgent(name) => with("user-agent", name.octets()),
        Record::Rule(rule) => self::rule(rule.effect, rule.pattern.octets()),
        Record::Other { key, value } => with(&format!("other {} =", shown(key.octets())), value.octets()),
        Record::Comment => "comment".to_owned(),
        Record::Blank => "blank".to_owned(),
        Record::Unreadable => "unreadable".to_owned(),
        // A record of a later version is shown as it shows itself.
        other => other.to_string(),
    }
}

/// A rule as rows write it.
pub(crate) fn rule(effect: Effect, pattern: &[u8]) -> String {
    match pattern {
        [] => effect.name().to_owned(),
        _ => format!("{effect} {}", shown(pattern)),
    }
}
