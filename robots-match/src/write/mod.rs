//! The builder, which writes robots.txt files.

mod error;
mod file;
mod grammar;
mod group;

pub use error::{BuildError, BuildWarning};
pub use file::Builder;
pub use group::GroupBuilder;
