//! What messages show of texts from outside.

/// What a message shows of a text from outside: one line, and not too much of it.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 200;
    let mut shown: String =
        text.chars().take(MOST).map(|char| if char.is_control() { '\u{FFFD}' } else { char }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
