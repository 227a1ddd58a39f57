//! What rows of all kinds have in common: their keys, what they are run on, and what comes of it.

pub(crate) mod crawler;
pub(crate) mod description;
pub(crate) mod difference;
pub(crate) mod files;
pub(crate) mod text;

use robots_fetch::Profile;

use crate::row::description::Description;
use crate::row::difference::Difference;
use crate::row::files::Files;

/// Declares a kind of row: its keys beside those that all rows have.
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

/// What every row has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Head {
    /// Its name, unique in its table.
    pub name: String,
    /// The ids of the statements and readings that it shows.
    pub cites: Vec<String>,
    /// The profiles under which it holds.
    pub profiles: Vec<String>,
    /// The knobs it turns, as `name=value`.
    pub turn: Vec<String>,
}

pub(crate) trait Written {
    fn head(&self) -> Head;
}

/// A kind of row.
pub(crate) trait Kind: Written {
    /// What is wrong with the row as such: keys that exclude each other, a file that is not there.
    fn validate(&self, files: &Files) -> Result<(), String>;

    /// Where the stack departs from the row.
    fn check(&self, context: &RowContext<'_>) -> Vec<Difference>;

    /// What it asks and what it wants to hear.
    fn describe(&self) -> Description;
}

/// What a row is run on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RowContext<'t> {
    /// The files of its table.
    pub files: &'t Files,
    /// The profile, with the knobs of the row turned.
    pub profile: &'t Profile,
}

impl<'t> RowContext<'t> {
    /// A row's context.
    #[must_use]
    pub const fn new(files: &'t Files, profile: &'t Profile) -> Self {
        Self { files, profile }
    }

    /// The file of this name; [`Kind::validate`] has seen to it that it is there.
    pub(crate) fn file(&self, name: &str) -> &'t [u8] {
        self.files.get(name).unwrap_or_default()
    }
}
