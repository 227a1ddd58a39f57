//! Files generated from the grammars, with one function for each production, and files with faults.
//!
//! Every choice is a byte of the input; at the end of the input, the shortest alternative is taken. So a generated test
//! that fails shrinks to a short file, and a fuzzer can explore the grammar.

mod generated_file;
mod koster_1996;
mod rfc9309;

pub use generated_file::{GeneratedFile, Group, Rule, with_faults};
pub use koster_1996::{OF_1996, koster1996};
pub use rfc9309::{OF_RFC9309, rfc9309};
