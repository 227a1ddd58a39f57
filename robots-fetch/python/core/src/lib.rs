//! The extension module of `robots_exclusion`. The Python files next to it export its items.
//!
//! * `robots` has the class `Robots`, which reads a file once and keeps the rules of the crawlers that asked last.
//! * `values` has what its methods return.
//! * `input` reads arguments.

mod input;
mod robots;
mod rules;
mod values;

use pyo3::prelude::*;

pyo3::create_exception!(
    robots_exclusion,
    InvalidAgent,
    pyo3::exceptions::PyValueError,
    "A text that is not a crawler's name. The message says why."
);

/// The items that `robots_exclusion` exports.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::InvalidAgent;
    #[pymodule_export]
    use super::input::product_token;
    #[pymodule_export]
    use super::robots::Robots;
    #[pymodule_export]
    use super::values::{
        Change, Decision, Difference, Explanation, Finding, Group, RequestRate, Rule, VisitTime,
    };

    #[pymodule_export]
    const PROFILES: [&str; 4] = ["rfc9309", "draft-koster-rep-00", "google", "koster-1996"];
}

#[cfg(test)]
mod tests {
    #[test]
    fn profiles_are_the_documents() {
        let names = robots_match::Document::ALL.map(robots_match::Document::name);
        assert_eq!(names, ["rfc9309", "draft-koster-rep-00", "google", "koster-1996"]);
    }
}
