//! The uses that `Content-Signal` and `Content-Usage` name.

#[cfg(feature = "usage")]
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Span};

use crate::lint::text::shown;
#[cfg(feature = "usage")]
use crate::records::ContentUsage;
use crate::records::{ContentSignal, OtherRecord, RecordValue};

/// The names and values of `Content-Signal`, and what its extension adds.
const SIGNALS: [(&str, &[&str]); 4] = [
    ("search", &["yes", "no"]),
    ("ai-input", &["yes", "no"]),
    ("ai-train", &["yes", "no"]),
    ("use", &["immediate", "reference", "full"]),
];
/// The labels of `Content-Usage`.
#[cfg(feature = "usage")]
const LABELS: [&str; 2] = ["train-ai", "search"];

/// A use that a value names, with something wrong about it.
pub(crate) struct Term<'a> {
    /// The name and the value.
    pub(crate) span: Span,
    /// The place of the name.
    pub(crate) name_span: Span,
    /// The name, as messages show it.
    pub(crate) name: String,
    pub(crate) value: Field<'a>,
    pub(crate) fault: TermFault,
}

/// A problem of a term.
pub(crate) enum TermFault {
    /// It is of the vocabulary of the other record.
    OfOther,
    /// The vocabulary has no such name.
    Name,
    /// The name has no such value; these it has.
    Value(&'static [&'static str]),
    /// The value is not a list of terms.
    #[cfg_attr(not(feature = "usage"), expect(dead_code, reason = "only the feature reads lists"))]
    List,
}

/// The terms of a record that have something wrong about them.
pub(crate) fn terms<'a>(record: &'a OtherRecord<'a>, body: &'a [u8]) -> Vec<Term<'a>> {
    match &record.value {
        Some(RecordValue::ContentSignal(signal)) => of_signal(signal),
        #[cfg(feature = "usage")]
        Some(RecordValue::ContentUsage(usage)) => of_usage(usage, body),
        _ => {
            let _ = body;
            Vec::new()
        }
    }
}

fn of_signal<'a>(signal: &ContentSignal<'a>) -> Vec<Term<'a>> {
    let with_values = signal.signals().filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let terms = with_values.filter_map(|(name, value)| {
        let known = SIGNALS.iter().find(|(known, _)| name.bytes().eq_ignore_ascii_case(known.as_bytes()));
        let fault = match known {
            _ if is_one(name, &["train-ai"]) => TermFault::OfOther,
            Some(_) if is_one(value, &["y", "n"]) => TermFault::OfOther,
            Some((_, values)) if !is_one(value, values) => TermFault::Value(values),
            Some(_) => return None,
            None => TermFault::Name,
        };
        let span = Span::new(name.span().start(), value.span().end());
        Some(Term { span, name_span: name.span(), name: shown(name.bytes()), value, fault })
    });
    terms.collect()
}

#[cfg(feature = "usage")]
fn of_usage<'a>(usage: &'a ContentUsage<'a>, body: &'a [u8]) -> Vec<Term<'a>> {
    let dictionary = usage.dictionary();
    let nothing = Field::new(b"", dictionary.span().end());
    let whole = |fault| Term {
        span: dictionary.span(),
        name_span: dictionary.span(),
        name: String::new(),
        value: nothing,
        fault,
    };
    let Some(preferences) = usage.preferences() else { return alloc::vec![whole(TermFault::List)] };
    let written = written(dictionary, body);
    let terms = preferences.iter().filter_map(|(label, preference)| {
        // A string in which there is a comma is not seen as such; then the place is the whole dictionary.
        let term = written.get(label.as_bytes()).copied();
        let (span, value) = term.unwrap_or((dictionary.span(), nothing));
        let is_of_signal = |label: &str| LABELS.contains(&label) && is_one(value, &["yes", "no"]);
        let fault = if ["ai-train", "ai-input"].contains(&label) || is_of_signal(label) {
            TermFault::OfOther
        } else if !LABELS.contains(&label) {
            TermFault::Name
        } else if preference.is_none() {
            TermFault::Value(&["y", "n"])
        } else {
            return None;
        };
        Some(Term { span, name_span: span, name: shown(label.as_bytes()), value, fault })
    });
    terms.collect()
}

/// Where each label of a dictionary is written last: the item and the value.
#[cfg(feature = "usage")]
fn written<'a>(dictionary: Field<'a>, body: &'a [u8]) -> BTreeMap<&'a [u8], (Span, Field<'a>)> {
    let mut at = dictionary.span().start();
    let mut found = BTreeMap::new();
    let bytes = dictionary.span().of(body);
    for item in bytes.split(|&byte| byte == b',') {
        let start = at + (item.len() - item.trim_ascii_start().len());
        at += item.len() + 1;
        let item = item.trim_ascii();
        let name = item.split(|byte| matches!(byte, b'=' | b';')).next().unwrap_or_default();
        let rest = item.get(name.len()..).unwrap_or_default();
        let value = rest.strip_prefix(b"=").unwrap_or_default();
        let value = value.split(|&byte| byte == b';').next().unwrap_or_default();
        let value = Field::new(value, start + name.len() + 1);
        found.insert(name, (Span::new(start, start + item.len()), value));
    }
    found
}

fn is_one(field: Field<'_>, of: &[&str]) -> bool {
    of.iter().any(|one| field.bytes().eq_ignore_ascii_case(one.as_bytes()))
}
