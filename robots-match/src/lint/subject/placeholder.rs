//! Placeholders of templates.

use robots_groups::syntax::Span;

/// The brackets of placeholders in common template languages.
const BRACKETS: [(&[u8], &[u8]); 4] = [(b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>"), (b"${", b"}")];

/// Returns the place of a placeholder in a value.
pub(crate) fn placeholder(value: &[u8]) -> Option<Span> {
    // Crawlers also find placeholders in links, and a pattern that begins with a star may be there to block these.
    if value.starts_with(b"*") || value.starts_with(b"/*") {
        return None;
    }
    BRACKETS.iter().find_map(|(open, close)| {
        let at = memchr::memmem::find(value, open)?;
        let len = memchr::memmem::find(value.get(at..)?, close)? + close.len();
        Some(Span::new(at, at + len))
    })
}
