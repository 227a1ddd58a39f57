//! A record that is neither a rule nor a user-agent line.

use alloc::format;
use alloc::vec::Vec;

use crate::host_text::invalid_label;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::term::{Term, terms};
use crate::lint::text::shown;
use crate::lint::url::is_file_url;
use crate::records::{OtherRecord, ProblemKind, RecordKind, RecordProblem};

/// A record that is neither a rule nor a user-agent line.
pub(crate) struct RecordView<'a> {
    pub(crate) record: &'a OtherRecord<'a>,
    /// The file.
    pub(crate) body: &'a [u8],
    /// The uses that the value names, if it is of `Content-Signal` or `Content-Usage`.
    pub(crate) terms: Vec<Term<'a>>,
}

impl<'a> RecordView<'a> {
    /// `None` if the key is not a standard one. A misspelt key has a lint of its own.
    pub(crate) fn new(record: &'a OtherRecord<'a>, body: &'a [u8]) -> Option<Self> {
        let is_spelt = record.key.bytes().eq_ignore_ascii_case(record.kind.name().as_bytes());
        (is_spelt && record.kind != RecordKind::Unknown).then(|| Self {
            record,
            body,
            terms: terms(record, body),
        })
    }

    /// Reports what is wrong with the value of a record of this kind.
    pub(crate) fn report(&self, kind: RecordKind, help: &str, drafts: &mut Drafts<'_>) {
        if self.record.kind != kind {
            return;
        }
        for problem in &self.record.problems {
            let value = shown(problem.span.of(self.body));
            let message = match problem.kind {
                ProblemKind::NoGroup => continue,
                // A file on a disk has an absolute URL, and another finding.
                ProblemKind::RelativeUrl
                    if kind == RecordKind::Sitemap && is_file_url(self.record.raw.bytes()) =>
                {
                    continue;
                }
                ProblemKind::RelativeUrl => {
                    drafts.add(self.not_absolute(help));
                    continue;
                }
                ProblemKind::Empty => format!("`{}` has no value", shown(self.record.key.bytes())),
                ProblemKind::NotUtf8 => format!("`{value}` is not UTF-8"),
                ProblemKind::NoUrl => format!("`{value}` is not a URL"),
                ProblemKind::Fragment => {
                    format!("`{value}` has a fragment (`#...`), which the URL of a license must not have")
                }
                ProblemKind::NoSeconds => format!("`{value}` is not a number of seconds"),
                ProblemKind::TooLarge => format!("`{value}` is too large"),
                ProblemKind::NoHost => format!("`{value}` is not a host name"),
                ProblemKind::InvalidLabel => {
                    drafts.add(self.invalid_label(problem));
                    continue;
                }
                ProblemKind::NoParameters => format!("`{value}` is not a list of parameters"),
                ProblemKind::NoRate => format!("`{value}` is not a number of requests per time"),
                ProblemKind::ZeroRate => format!("`{value}` allows no requests at all"),
                ProblemKind::NoWindow => format!("`{value}` is not a range of hours"),
                ProblemKind::NoPreference => format!("missing preference after `{value}`"),
                ProblemKind::NoSignalValue => format!("`{value}` has no value, such as `yes` or `no`"),
            };
            drafts.add(Draft::new(self.record.line, problem.span, message).help(help));
        }
    }

    fn invalid_label(&self, problem: &RecordProblem) -> Draft {
        let text = core::str::from_utf8(self.record.raw.bytes()).ok();
        let message = match text.and_then(invalid_label) {
            Some(found) if found.label.trim().is_empty() => {
                format!("`{}` has a space, and a URL has none", shown(self.record.raw.bytes()))
            }
            Some(found) => {
                let (label, host) = (shown(found.label.as_bytes()), shown(found.host.as_bytes()));
                format!("the label `{label}` of `{host}` is not valid: {}", found.reason)
            }
            None => format!("`{}` is not a host name", shown(problem.span.of(self.body))),
        };
        Draft::new(self.record.line, problem.span, message)
            .help("write the name of the host as it is registered")
    }

    pub(crate) fn not_absolute(&self, help: &str) -> Draft {
        let raw = self.record.raw;
        let message = format!("`{}` is not an absolute URL", shown(raw.bytes()));
        Draft::new(self.record.line, raw.span(), message).help(help)
    }
}
