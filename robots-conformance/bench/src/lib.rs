//! The parts that the programs of this package share.

pub mod arguments;
pub mod corpus;
pub mod implementation;
pub mod turns;
