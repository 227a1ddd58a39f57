//! The extension module of `robots_exclusion_sites`: what the answers of sites mean, and for how long.
//!
//! * `cache` asks sites with a client of its own.
//! * `retrieval` serves programs that have their own client: they send the requests, and pass on the answers.
//! * `entry` is what is known of a site's robots.txt between retrievals; `disk` keeps entries in a file.
//! * `transport` is a client written in Python, `waiting` waits and looks for signals.
//! * `python` has what the classes share: arguments, and the values of `robots_exclusion`.

mod cache;
mod disk;
mod entry;
mod python;
mod retrieval;
mod transport;
mod waiting;

use pyo3::prelude::*;

/// The items that `robots_exclusion_sites` exports.
#[pymodule]
mod _sites {
    #[pymodule_export]
    use super::cache::{Cache, forked};
    #[pymodule_export]
    use super::disk::Disk;
    #[pymodule_export]
    use super::entry::Entry;
    #[pymodule_export]
    use super::python::origin;
    #[pymodule_export]
    use super::retrieval::Retrieval;
    #[pymodule_export]
    use super::waiting::ending;
}
