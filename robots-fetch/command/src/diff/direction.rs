//! The direction of a change.

/// The direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    NewlyDisallowed,
    NewlyAllowed,
}

impl Direction {
    pub(crate) const ALL: [Self; 2] = [Self::NewlyDisallowed, Self::NewlyAllowed];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NewlyDisallowed => "newly-disallowed",
            Self::NewlyAllowed => "newly-allowed",
        }
    }
}
