//! The argument `--profile`.

use robots_match::Profile;

use super::one_of::OneOf;

/// A profile and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedProfile {
    pub(crate) name: &'static str,
    /// How files are read and rules are compared.
    pub(crate) rules: Profile,
}

impl NamedProfile {
    /// The parser of the argument.
    pub(crate) fn parser() -> OneOf<Self> {
        OneOf::new(Profile::NAMED.map(|(name, rules)| (name, Self { name, rules })))
    }

    /// The name of the profile that is used if none is named.
    pub(crate) fn default_name() -> &'static str {
        let [(name, _), ..] = Profile::NAMED;
        name
    }

    /// The profile together with what it says about HTTP answers.
    pub(crate) fn with_access(&self) -> robots_fetch::Profile {
        robots_fetch::Profile::named(self.name).unwrap_or_default()
    }
}
