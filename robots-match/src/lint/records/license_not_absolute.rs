//! A license is not an absolute URL.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::lint::url::scheme;
use crate::records::{RecordKind, RecordValue};

pub(crate) const LINT: Declaration = Declaration {
    code: "license-not-absolute",
    severity: Severity::Error,
    title: "A license is not an absolute URL",
    check: Check::Record(check),
};

const HELP: &str = "write the full URL of the license, such as `https://example.com/license.xml`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::License, HELP, drafts);
    // Browsers accept some URLs without `//`.
    if matches!(view.record.value, Some(RecordValue::License(_))) && scheme(view.record.raw.bytes()).is_none()
    {
        drafts.add(view.not_absolute(HELP));
    }
}
