//! `Content-Signal`: uses of content (Content Signals Policy).

use alloc::vec::Vec;

use robots_groups::syntax::Field;

use super::field::{part, scoped, trimmed};
use super::problem::{ProblemKind, RecordProblem};

/// The value of `Content-Signal`: uses of content that are granted or refused (Content Signals Policy, 2025).
///
/// The policy has the signals `search`, `ai-input` and `ai-train` with the values `yes` and `no`. Other signals and values
/// are kept. A path may come before the signals.
///
/// ```
/// use robots_match::records::{Records, RecordValue};
/// use robots_match::{Profile, Robots};
///
/// let body = "User-agent: *\nContent-Signal: /blog/ search=yes, ai-train=no, use=reference\n";
/// let robots = Robots::new(body, Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::new(&robots, &groups);
/// let Some(RecordValue::ContentSignal(signal)) = &records.all()[0].value else { panic!("a signal") };
/// assert_eq!((signal.search(), signal.ai_train(), signal.ai_input()), (Some(true), Some(false), None));
/// assert_eq!(signal.path().unwrap().bytes(), b"/blog/");
/// assert_eq!(signal.get("use").unwrap().bytes(), b"reference");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContentSignal<'a> {
    path: Option<Field<'a>>,
    /// Names and values.
    signals: Vec<(Field<'a>, Field<'a>)>,
}

impl<'a> ContentSignal<'a> {
    pub(super) fn read(raw: Field<'a>, problems: &mut Vec<RecordProblem>) -> Self {
        let (path, list) = scoped(raw);
        if list.is_empty() {
            problems.push(RecordProblem::new(ProblemKind::NoPreference, raw.span()));
        }
        let mut signals = Vec::new();
        let mut at = 0;
        for piece in list.bytes().split(|&byte| byte == b',') {
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
            // Report only the first problem, because a value may have any length.
            let is_first = problems.iter().all(|problem| problem.kind != ProblemKind::NoSignalValue);
            if is_first && (name.is_empty() || value.is_empty()) {
                problems.push(RecordProblem::new(ProblemKind::NoSignalValue, item.span()));
            }
            signals.push((name, value));
        }
        Self { path, signals }
    }

    /// Returns the path that the signals are for; `None` for all paths.
    #[must_use]
    pub const fn path(&self) -> Option<Field<'a>> {
        self.path
    }

    /// Iterates over the signals as pairs of name and value, in the order of the line. A value may be empty.
    pub fn signals(&self) -> impl Iterator<Item = (Field<'a>, Field<'a>)> {
        self.signals.iter().copied()
    }

    /// Returns the last value of the signal `name`, ignoring ASCII case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Field<'a>> {
        self.values(name).last()
    }

    /// Returns whether the use `name` is granted, ignoring ASCII case: `Some(false)` if any value is `no`, otherwise
    /// `Some(true)` if any value is `yes`, and otherwise `None`.
    #[must_use]
    pub fn is_granted(&self, name: &str) -> Option<bool> {
        let has = |wanted: &[u8]| self.values(name).any(|value| value.bytes().eq_ignore_ascii_case(wanted));
        if has(b"no") { Some(false) } else { has(b"yes").then_some(true) }
    }

    /// Returns whether the content may be shown in search results.
    #[must_use]
    pub fn search(&self) -> Option<bool> {
        self.is_granted("search")
    }

    /// Returns whether the content may be input of AI models that answer questions.
    #[must_use]
    pub fn ai_input(&self) -> Option<bool> {
        self.is_granted("ai-input")
    }

    /// Returns whether AI models may be trained with the content.
    #[must_use]
    pub fn ai_train(&self) -> Option<bool> {
        self.is_granted("ai-train")
    }

    fn values(&self, name: &str) -> impl Iterator<Item = Field<'a>> {
        let is_named =
            move |signal: &(Field<'a>, Field<'a>)| signal.0.bytes().eq_ignore_ascii_case(name.as_bytes());
        self.signals().filter(is_named).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_pairs() {
        let file = b"search=yes , AI-Train = no,, ai-input , use=full,use=immediate";
        let mut problems = Vec::new();
        let signal = ContentSignal::read(Field::new(file, 0), &mut problems);
        assert_eq!((signal.search(), signal.ai_train(), signal.ai_input()), (Some(true), Some(false), None));
        assert_eq!(signal.get("use").unwrap().bytes(), b"immediate");
        assert_eq!(signal.signals().count(), 5);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].span.of(file), b"ai-input");
        for (name, value) in signal.signals() {
            assert_eq!(name.span().of(file), name.bytes());
            assert_eq!(value.span().of(file), value.bytes());
        }
    }

    #[test]
    fn a_refusal_prevails() {
        let mut problems = Vec::new();
        let read = |value: &'static str, problems: &mut Vec<_>| {
            ContentSignal::read(Field::new(value.as_bytes(), 0), problems).search()
        };
        assert_eq!(read("search=no, search=yes", &mut problems), Some(false));
        assert_eq!(read("search=maybe", &mut problems), None);
        assert!(problems.is_empty());
        assert_eq!(read("/only", &mut problems), None);
        assert_eq!(problems[0].kind, ProblemKind::NoPreference);
    }
}
