//! Lints about keys, and lines that have none.

pub(crate) mod deprecated_key;
pub(crate) mod draft_key;
pub(crate) mod foreign_character;
pub(crate) mod joined_records;
pub(crate) mod missing_colon;
pub(crate) mod misspelt_key;
pub(crate) mod optional_key;
pub(crate) mod unknown_key;
pub(crate) mod unreadable_line;
