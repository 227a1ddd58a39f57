//! Fingerprints, by which a finding is recognised after other lines of its file changed.

use core::hash::Hasher as _;
use std::collections::HashMap;

use fnv::FnvHasher;
use robots_match::lint::{Finding, LintReport};

use crate::text_view::View;

/// Returns the fingerprint of each finding: 16 hexadecimal digits, made from the code, the text of the line, and how many
/// findings with the same code and text come before. The number of the line has no effect.
pub(super) fn fingerprints(report: &LintReport, body: &[u8]) -> Vec<String> {
    let view = View::new(body);
    let mut seen: HashMap<(&str, &str), u64> = HashMap::new();
    let fingerprint = |finding: &Finding| {
        let text = view.part([finding.span]).text.lines().next().unwrap_or_default().trim();
        let count = seen.entry((finding.lint.name(), text)).or_default();
        let mut hasher = FnvHasher::default();
        for part in [finding.lint.name(), text] {
            hasher.write(part.as_bytes());
            hasher.write(&[0]);
        }
        hasher.write(&count.to_le_bytes());
        *count += 1;
        format!("{:016x}", hasher.finish())
    };
    report.findings.iter().map(fingerprint).collect()
}
