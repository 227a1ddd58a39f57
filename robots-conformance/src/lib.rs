//! The documents of the Robots Exclusion Protocol as tables, held against the composed stack.

pub mod exchange;
