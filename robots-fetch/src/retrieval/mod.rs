//! One retrieval: requests, answers, and what came of them.

pub(crate) mod blocking;
pub(crate) mod head;
pub(crate) mod nonblocking;
pub(crate) mod outcome;
pub(crate) mod request;
pub(crate) mod states;
