//! Lints about the pattern of one rule.

pub(crate) mod broken_escape;
pub(crate) mod dollar_inside;
pub(crate) mod escape_case;
pub(crate) mod hash_in_pattern;
pub(crate) mod over_encoded;
pub(crate) mod pattern_is_url;
pub(crate) mod pattern_without_slash;
pub(crate) mod regular_expression;
pub(crate) mod several_values;
pub(crate) mod space_in_pattern;
pub(crate) mod template_leftover;
pub(crate) mod trailing_star;
pub(crate) mod unlikely_path;
