//! One retrieval: its states, requests, answers and outcome.

pub(crate) mod drive;
pub(crate) mod outcome;
pub(crate) mod redirect;
pub(crate) mod request;
pub(crate) mod states;
