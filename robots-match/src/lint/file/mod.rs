//! Lints about a file as a whole, and the bytes of its lines.

pub(crate) mod binary_file;
pub(crate) mod byte_order_mark;
pub(crate) mod content_type;
pub(crate) mod control_character;
pub(crate) mod ignore_comment;
pub(crate) mod line_too_long;
pub(crate) mod no_line_end;
pub(crate) mod no_robots_txt;
pub(crate) mod not_text;
pub(crate) mod not_utf_8;
pub(crate) mod too_large;
pub(crate) mod utf_16;
