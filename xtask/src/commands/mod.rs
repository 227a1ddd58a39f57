//! The subcommands of `cargo xtask`, one file each. `tidy` has its own folder.

pub(crate) mod api;
pub(crate) mod bench;
pub(crate) mod ci;
pub(crate) mod cost;
pub(crate) mod features;
pub(crate) mod fuzz;
pub(crate) mod instructions;
pub(crate) mod limits;
pub(crate) mod man;
pub(crate) mod msrv;
pub(crate) mod mutants;
pub(crate) mod notices;
pub(crate) mod package;
pub(crate) mod page;
pub(crate) mod python;
mod reports;
pub(crate) mod schemas;
pub(crate) mod suite;
pub(crate) mod tables;
pub(crate) mod test;
pub(crate) mod wire;
