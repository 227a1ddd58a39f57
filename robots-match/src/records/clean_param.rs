//! `Clean-param`: query parameters that do not change what a page shows.

use alloc::vec::Vec;

use robots_groups::syntax::Field;

use super::field::{first_word, part};
use super::problem::{ProblemKind, RecordProblem};

/// The names of the parameters, and the path.
type CleanParam<'a> = (Vec<Field<'a>>, Option<Field<'a>>);

/// Reads the value of `Clean-param`: names that are separated by `&`, and perhaps a path.
pub(super) fn clean_param(raw: Field<'_>) -> Result<CleanParam<'_>, RecordProblem> {
    let (list, path) = first_word(raw);
    let is_one_word = memchr::memchr2(b' ', b'\t', path.bytes()).is_none();
    let mut names = Vec::new();
    let mut at = 0;
    for name in list.bytes().split(|&byte| byte == b'&') {
        names.push(part(list, at, at + name.len()));
        at += name.len() + 1;
    }
    // A path is the second word, and no name of a parameter begins as one.
    if is_one_word && names.iter().all(|name| !name.is_empty() && !name.bytes().starts_with(b"/")) {
        Ok((names, (!path.is_empty()).then_some(path)))
    } else {
        Err(RecordProblem::new(ProblemKind::NoParameters, raw.span()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn names_have_spans() {
        let file = b"clean-param: a&bc\t /x";
        let (names, path) = clean_param(Field::new(&file[13..], 13)).unwrap();
        assert!(names.iter().chain(&path).all(|field| field.span().of(file) == field.bytes()));
        assert_eq!(names.iter().map(|name| name.escaped().to_string()).collect::<Vec<_>>(), ["a", "bc"]);
    }

    #[test]
    fn an_invalid_list_is_a_finding() {
        for value in ["a&", "&a", "a&&b", "a /b /c", "/b", "/b?a", "/b a", ""] {
            assert!(clean_param(Field::new(value.as_bytes(), 0)).is_err(), "{value}");
        }
    }
}
