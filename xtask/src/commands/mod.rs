//! The subcommands of `cargo xtask`, one file each. `tidy` has a folder of its own.

pub(crate) mod bench;
pub(crate) mod ci;
pub(crate) mod features;
pub(crate) mod fuzz;
pub(crate) mod limits;
pub(crate) mod peers;
pub(crate) mod schemas;
