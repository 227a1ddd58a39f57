//! The captures of a WARC file (ISO 28500), read as a stream.
//!
//! * `members` finds the gzip members of a file, and continues at the next one after a damaged one.
//! * `record` reads records from the bytes of a member.
//! * `message` takes the body out of an HTTP answer.

mod members;
mod message;
mod record;

pub(crate) use record::{Captures, Item};
