//! Lints about rules and their combinations.

pub(crate) mod after_blank_line;
pub(crate) mod allow_empty;
pub(crate) mod allow_without_disallow;
pub(crate) mod blocks_all;
pub(crate) mod blocks_home_page;
pub(crate) mod blocks_resources;
pub(crate) mod blocks_search_engine;
pub(crate) mod case_variant;
pub(crate) mod conflicting_rules;
pub(crate) mod duplicate_rule;
pub(crate) mod empty_disallow;
pub(crate) mod rule_for_robots_txt;
pub(crate) mod rule_outside_group;
pub(crate) mod rule_without_effect;
pub(crate) mod shadowed_rule;
pub(crate) mod wide_prefix;
