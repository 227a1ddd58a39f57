//! Arguments that several commands have.

mod access;
mod agents;
mod catalogue;
mod git;
mod one_of;
mod profile;
mod question;
mod site;
mod targets;

pub(crate) use self::access::access_help;
pub(crate) use self::agents::{NamedCrawler, crawlers, require_crawler};
pub(crate) use self::catalogue::{CatalogueFile, catalogue, domains};
pub(crate) use self::git::{read as read_git, read_if_present as read_git_if_present};
pub(crate) use self::one_of::OneOf;
pub(crate) use self::profile::NamedProfile;
pub(crate) use self::question::{Asked, Question, bytes_of, is_url, origin, question_help, site_url};
pub(crate) use self::site::{Format, SiteArguments};
pub(crate) use self::targets::{
    file_hint, has_several, meant_site, target, text_note, too_long, written_note,
};
