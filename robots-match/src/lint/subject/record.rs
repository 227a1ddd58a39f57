//! A record that is neither a rule nor a user-agent line.

use alloc::format;
use alloc::vec::Vec;

use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::term::{Term, terms};
use crate::lint::text::shown;
use crate::records::{Kind, OtherRecord, Wrong};

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
        let is_spelt = record.key.octets().eq_ignore_ascii_case(record.kind.name().as_bytes());
        (is_spelt && record.kind != Kind::Unknown).then(|| Self { record, body, terms: terms(record, body) })
    }

    /// Reports what is wrong with the value of a record of this kind.
    pub(crate) fn report(&self, kind: Kind, help: &str, drafts: &mut Drafts) {
        if self.record.kind != kind {
            return;
        }
        for finding in &self.record.findings {
            let value = shown(finding.span.of(self.body));
            let message = match finding.wrong {
                Wrong::NoGroup => continue,
                Wrong::RelativeUrl => {
                    drafts.add(self.not_absolute(help));
                    continue;
                }
                Wrong::Empty => format!("`{}` has no value", shown(self.record.key.octets())),
                Wrong::NotUtf8 => format!("`{value}` is not UTF-8"),
                Wrong::NoUrl => format!("`{value}` is not a URL"),
                Wrong::Fragment => {
                    format!("`{value}` has a fragment (`#...`), which the URL of a license must not have")
                }
                Wrong::NoSeconds => format!("`{value}` is not a number of seconds"),
                Wrong::TooLarge => format!("`{value}` is too large"),
                Wrong::NoHost => format!("`{value}` is not a host name"),
                Wrong::NoParameters => format!("`{value}` is not a list of parameters"),
                Wrong::NoRate => format!("`{value}` is not a number of requests per time"),
                Wrong::ZeroRate => format!("`{value}` allows no requests at all"),
                Wrong::NoWindow => format!("`{value}` is not a range of hours"),
                Wrong::NoPreference => format!("there is no preference after `{value}`"),
                Wrong::NoSignalValue => format!("`{value}` has no value, such as `yes` or `no`"),
            };
            drafts.add(Draft::new(self.record.line, finding.span, message).help(help));
        }
    }

    pub(crate) fn not_absolute(&self, help: &str) -> Draft {
        let raw = self.record.raw;
        let message = format!("`{}` is not an absolute URL", shown(raw.octets()));
        Draft::new(self.record.line, raw.span(), message).help(help)
    }
}
