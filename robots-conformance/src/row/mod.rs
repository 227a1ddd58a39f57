//! The common parts of all kinds of rows: keys, files, crawler, differences, descriptions.

pub(crate) mod answered;
pub(crate) mod crawler;
pub(crate) mod description;
pub(crate) mod difference;
pub(crate) mod files;
pub(crate) mod text;

use robots_fetch::SiteProfile;

use crate::row::answered::Answered;
use crate::row::description::Description;
use crate::row::difference::Difference;
use crate::row::files::Files;

/// Declares a kind of row: its keys in addition to those that all rows have.
macro_rules! row {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$key_meta:meta])* $key:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            name: String,
            cites: Vec<String>,
            profiles: Vec<String>,
            #[serde(default)]
            turn: Vec<String>,
            $($(#[$key_meta])* $key: $type,)*
        }

        impl $crate::row::Written for $name {
            fn head(&self) -> $crate::row::Head {
                $crate::row::Head {
                    name: self.name.clone(),
                    cites: self.cites.clone(),
                    profiles: self.profiles.clone(),
                    turn: self.turn.clone(),
                }
            }
        }
    };
}
pub(crate) use row;

/// The keys that every row has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Head {
    /// The name, unique in its table.
    pub name: String,
    /// The ids of the statements and readings that the row tests.
    pub cites: Vec<String>,
    /// The profiles under which the row must hold.
    pub profiles: Vec<String>,
    /// The knobs that the row sets, as `name=value`.
    pub turn: Vec<String>,
}

pub(crate) trait Written {
    fn head(&self) -> Head;
}

/// A kind of row.
pub(crate) trait Kind: Written {
    /// Checks the row without running it: contradicting keys, missing files.
    fn validate(&self, files: &Files) -> Result<(), String>;

    /// Runs the row and returns how the implementation differs from it.
    fn check(&self, context: &RowContext<'_>) -> Vec<Difference>;

    /// Returns the answers of the implementation, whatever the row expects, for snapshots. Returns as many questions, in
    /// the same order, under every profile.
    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered>;

    /// Returns the input and the expected results in words.
    fn describe(&self) -> Description;
}

/// The files and the profile with which a row is run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RowContext<'t> {
    /// The files of its table.
    pub files: &'t Files,
    /// The profile, after the knobs of the row are set.
    pub profile: &'t SiteProfile,
}

impl<'t> RowContext<'t> {
    /// Creates a context.
    #[must_use]
    pub const fn new(files: &'t Files, profile: &'t SiteProfile) -> Self {
        Self { files, profile }
    }

    /// Returns the file of this name. [`Kind::validate`] has checked that it exists.
    pub(crate) fn file(&self, name: &str) -> &'t [u8] {
        self.files.get(name).unwrap_or_default()
    }
}
