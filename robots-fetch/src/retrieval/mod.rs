//! One retrieval: its states, requests, answers and outcome.

pub(crate) mod blocking;
pub(crate) mod fetch;
pub(crate) mod nonblocking;
pub(crate) mod outcome;
pub(crate) mod request;
pub(crate) mod states;
