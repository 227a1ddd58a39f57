//! The arguments of commands that ask sites about one document.

use clap::Args;
use robots_fetch::SiteProfile;

use crate::arguments::access::AccessArguments;
use crate::arguments::one_of::OneOf;
use crate::arguments::profile::NamedProfile;
use crate::network::{CacheArguments, Network, RequestArguments};

/// The profile, the output format, and how sites are asked.
#[derive(Debug, Args)]
pub(crate) struct SiteArguments {
    /// The document by which files and answers are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(crate) profile: NamedProfile,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    access: AccessArguments,

    #[command(flatten)]
    requests: RequestArguments,

    #[command(flatten)]
    cache: CacheArguments,
}

impl SiteArguments {
    /// Returns how sites are asked.
    pub(crate) fn network(&self) -> Network {
        Network::new(&self.requests, &self.cache).with_notes(self.format == Format::Human)
    }

    /// Returns the profile with the choices of `--access`.
    pub(crate) fn site_profile(&self) -> SiteProfile {
        let mut profile = self.profile.with_access();
        self.access.apply(&mut profile.access);
        profile
    }
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Human,
    Json,
}

impl Format {
    /// The parser of the argument.
    pub(crate) fn parser() -> OneOf<Self> {
        OneOf::new([("human", Self::Human), ("json", Self::Json)])
    }
}
