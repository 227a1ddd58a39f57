//! Characters that are not shown as they are.

/// Returns whether a character may control a terminal, changes the layout of others, or is invisible: the general categories
/// Cc, Cf, Zl and Zp of Unicode 17, and the code points that are ignorable by default.
#[doc(hidden)]
#[must_use]
pub const fn is_hidden(char: char) -> bool {
    match char {
        ' '..='~' => false,
        '\0'..='\x1F' | '\x7F'..='\u{9F}' => true,
        _ => matches!(
            char,
            '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}'
            | '\u{8E2}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
        ),
    }
}
