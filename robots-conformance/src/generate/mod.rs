//! Files made from the grammars, one function for each production, and files that were made wrong.
//!
//! Every choice is a byte of the input, and where there are no more, the shortest alternative is productions: so a
//! generated test that fails shrinks to the shortest file, and a fuzzer finds its way through the grammar.

mod choices;
mod faults;
mod generated_file;
mod koster_1996;
mod rfc9309;

pub use faults::with_faults;
pub use generated_file::{GeneratedFile, Group, Rule};
pub use koster_1996::{OF_1996, koster1996};
pub use rfc9309::{OF_RFC9309, rfc9309};
