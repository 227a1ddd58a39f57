//! From bytes to lines.

mod group_lines;
mod initials;
mod reader;
mod split;

pub use group_lines::{GroupLine, GroupLineKind, GroupLines};
pub use reader::Lines;
pub(crate) use split::Split;
