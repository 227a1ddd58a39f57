//! The subjects of lints. Each subject is made once for all lints that look at it.

mod agent;
mod bytes;
mod expression;
mod file;
mod gap;
mod group;
mod hosted;
mod key;
mod lines;
mod pattern;
mod placeholder;
mod record;
mod robots_txt_rule;
mod rule_index;
mod rule_pair;
mod term;
mod unknown_word;

pub(crate) use agent::{Agent, AgentFault, ListSeparator, stray};
pub(crate) use bytes::Bytes;
pub(crate) use expression::expression;
pub(crate) use file::{File, General, is_all};
pub(crate) use gap::{Gap, Gaps};
pub(crate) use group::{AgentPair, AgentPairs, GroupView};
pub(crate) use hosted::{Hosted, is_whole};
pub(crate) use key::{KeyFault, KeyProblem, of_joined_files};
pub(crate) use lines::{AllLines, Lines, MARK};
pub(crate) use pattern::{Pattern, are_paths, escapes, key_in};
pub(crate) use placeholder::placeholder;
pub(crate) use record::RecordView;
pub(crate) use robots_txt_rule::is_for_robots_txt;
pub(crate) use rule_pair::{RulePair, Sameness, rule_pairs};
pub(crate) use term::TermFault;
pub(crate) use unknown_word::UnknownWord;
