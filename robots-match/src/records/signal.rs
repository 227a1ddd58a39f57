//! What content may be used for, as the Content Signals Policy has it.

use alloc::vec::Vec;

use robots_groups::syntax::Field;

use super::finding::{Finding, Wrong};
use super::{part, scoped, trimmed};

/// `Content-Signal`: uses of content, each granted, refused, or not mentioned (Content Signals Policy, 2025).
///
/// The policy knows `search`, `ai-input` and `ai-train` with `yes` and `no`; whatever else stands there is kept. A path
/// may stand before the signals.
///
/// ```
/// use robots_match::records::{Records, Value};
/// use robots_match::{Profile, Robots};
///
/// let body = "User-agent: *\nContent-Signal: /blog/ search=yes, ai-train=no, use=reference\n";
/// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::of(&robots, &groups);
/// let Some(Value::ContentSignal(signal)) = &records.all()[0].value else { panic!("a signal") };
/// assert_eq!((signal.search(), signal.ai_train(), signal.ai_input()), (Some(true), Some(false), None));
/// assert_eq!(signal.path().unwrap().bytes(), b"/blog/");
/// assert_eq!(signal.get("use").unwrap().bytes(), b"reference");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContentSignal<'a> {
    path: Option<Field<'a>>,
    signals: Vec<Signal<'a>>,
}

/// A use and what is said about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Signal<'a> {
    /// The use.
    pub name: Field<'a>,
    /// What is said about it; empty if nothing is.
    pub value: Field<'a>,
}

impl<'a> ContentSignal<'a> {
    pub(super) fn read(raw: Field<'a>, findings: &mut Vec<Finding>) -> Self {
        let (path, list) = scoped(raw);
        if list.is_empty() {
            findings.push(Finding::new(Wrong::NoPreference, raw.span()));
        }
        let mut signals = Vec::new();
        let mut at = 0;
        for piece in list.bytes().split(|&octet| octet == b',') {
            let piece_at = at;
            at += piece.len() + 1;
            let item = trimmed(part(list, piece_at, piece_at + piece.len()));
            if item.is_empty() {
                continue;
            }
            let len = item.bytes().len();
            let equals = memchr::memchr(b'=', item.bytes()).unwrap_or(len);
            let name = trimmed(part(item, 0, equals));
            let value = trimmed(part(item, (equals + 1).min(len), len));
            // One finding is enough for a value of any length.
            let is_first = findings.iter().all(|finding| finding.wrong != Wrong::NoSignalValue);
            if is_first && (name.is_empty() || value.is_empty()) {
                findings.push(Finding::new(Wrong::NoSignalValue, item.span()));
            }
            signals.push(Signal { name, value });
        }
        Self { path, signals }
    }

    /// The path below which the signals hold; `None` for all.
    #[must_use]
    pub const fn path(&self) -> Option<Field<'a>> {
        self.path
    }

    /// All signals, in the order of the line.
    #[must_use]
    pub fn signals(&self) -> &[Signal<'a>] {
        &self.signals
    }

    /// What is said last about a use. Case of letters does not count.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Field<'a>> {
        self.values(name).last()
    }

    /// Whether a use is granted: `false` if any `no` is said about it, else `true` if any `yes` is, else `None`: neither
    /// granted nor refused.
    #[must_use]
    pub fn is_granted(&self, name: &str) -> Option<bool> {
        let says = |answer: &[u8]| self.values(name).any(|value| value.bytes().eq_ignore_ascii_case(answer));
        if says(b"no") { Some(false) } else { says(b"yes").then_some(true) }
    }

    /// Whether it may be shown in search results.
    #[must_use]
    pub fn search(&self) -> Option<bool> {
        self.is_granted("search")
    }

    /// Whether it may be given to models that answer questions.
    #[must_use]
    pub fn ai_input(&self) -> Option<bool> {
        self.is_granted("ai-input")
    }

    /// Whether models may be trained on it.
    #[must_use]
    pub fn ai_train(&self) -> Option<bool> {
        self.is_granted("ai-train")
    }

    fn values(&self, name: &str) -> impl Iterator<Item = Field<'a>> {
        self.signals
            .iter()
            .filter(move |signal| signal.name.bytes().eq_ignore_ascii_case(name.as_bytes()))
            .map(|signal| signal.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_pairs() {
        let file = b"search=yes , AI-Train = no,, ai-input , use=full,use=immediate";
        let mut findings = Vec::new();
        let signal = ContentSignal::read(Field::new(file, 0), &mut findings);
        assert_eq!((signal.search(), signal.ai_train(), signal.ai_input()), (Some(true), Some(false), None));
        assert_eq!(signal.get("use").unwrap().bytes(), b"immediate");
        assert_eq!(signal.signals().len(), 5);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].span.of(file), b"ai-input");
        for signal in signal.signals() {
            assert_eq!(signal.name.span().of(file), signal.name.bytes());
            assert_eq!(signal.value.span().of(file), signal.value.bytes());
        }
    }

    #[test]
    fn a_refusal_prevails() {
        let mut findings = Vec::new();
        let read = |value: &'static str, findings: &mut Vec<_>| {
            ContentSignal::read(Field::new(value.as_bytes(), 0), findings).search()
        };
        assert_eq!(read("search=no, search=yes", &mut findings), Some(false));
        assert_eq!(read("search=maybe", &mut findings), None);
        assert!(findings.is_empty());
        assert_eq!(read("/only", &mut findings), None);
        assert_eq!(findings[0].wrong, Wrong::NoPreference);
    }
}
