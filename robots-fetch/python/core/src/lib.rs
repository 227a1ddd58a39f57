//! The extension module of `robots_exclusion`. The Python files next to it export its items.
//!
//! * `robots` has the class `Robots`, which reads a file once and keeps the rules of the crawlers that asked last.
//! * `values`, `findings` and `times` have what its methods return. All of it is immutable.
//! * `input` reads arguments.

mod findings;
mod input;
mod robots;
mod rules;
mod times;
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
    use super::findings::{Change, Difference, Finding};
    #[pymodule_export]
    use super::input::product_token;
    #[pymodule_export]
    use super::robots::Robots;
    #[pymodule_export]
    use super::times::{RequestRate, VisitTime};
    #[pymodule_export]
    use super::values::{Decision, Explanation, Group, Rule};

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
