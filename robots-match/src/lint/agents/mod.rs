//! Lints about user-agent lines and the groups that they open.

pub(crate) mod accidental_group;
pub(crate) mod agent_characters;
pub(crate) mod agent_empty;
pub(crate) mod agent_is_header;
pub(crate) mod agent_is_host;
pub(crate) mod agent_is_product;
pub(crate) mod agent_list;
pub(crate) mod agent_misspelt;
pub(crate) mod duplicate_agent;
pub(crate) mod duplicate_group;
pub(crate) mod group_drops_rules;
pub(crate) mod group_without_rules;
pub(crate) mod split_agents;
