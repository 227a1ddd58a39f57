//! The extension module of `robots_exclusion`. The Python files next to it export its items.
//!
//! * `robots` has the class `Robots`, which reads a file once; `rules` keeps what it says to the crawlers that asked.
//! * `page` reads the rules of pages.
//! * `values`, `findings` and `times` have what its methods return. All of it is immutable.
//! * `input` reads arguments, `dictionary` makes dictionaries of values.

mod dictionary;
mod findings;
mod input;
mod page;
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
    use super::page::{
        PageAnswer, PageAnswers, PageProblem, PageReader, PageRules, page_document, read_page,
    };
    #[pymodule_export]
    use super::robots::Robots;
    #[pymodule_export]
    use super::times::{RequestRate, VisitTime};
    #[pymodule_export]
    use super::values::{Decision, Explanation, Group, Rule};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python's packages have for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const PROFILES: (&str, &str, &str, &str) = ("rfc9309", "draft-koster-rep-00", "google", "koster-1996");
}

#[cfg(test)]
mod tests {
    #[test]
    fn profiles_are_the_documents() {
        let names = robots_match::Document::ALL.map(robots_match::Document::name);
        assert_eq!(names, ["rfc9309", "draft-koster-rep-00", "google", "koster-1996"]);
    }
}
