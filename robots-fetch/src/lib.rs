//! What an HTTP answer to a robots.txt request means, and how long it holds.

mod origin;
mod policy;
mod profile;

pub use origin::{Origin, UnsupportedUrl, applies};
pub use policy::{
    Class, ErrorPage, Html, Lifetime, Meanwhile, Policy, Redirects, Requests, Retry, Schedule, StatusTable,
    Unavailable,
};
pub use profile::Profile;
pub use robots_match as matching;
