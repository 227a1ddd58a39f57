//! `Clean-param`: query parameters that do not change what a page shows.

use robots_groups::syntax::Field;

use super::field::first_word;
use super::problem::{ProblemKind, RecordProblem};

/// The value of `Clean-param`, which Yandex obeys: query parameters that do not change what the pages below a path show.
///
/// The record does not belong to a group.
///
/// ```
/// use robots_match::records::Records;
/// use robots_match::{Profile, Robots};
///
/// let robots = Robots::new(&b"Clean-param: ref&sid /forum/*.php\n"[..], Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::new(&robots, &groups);
/// let param = records.clean_params().next().unwrap();
/// assert_eq!(param.names().map(|name| name.bytes()).collect::<Vec<_>>(), [b"ref", b"sid"]);
/// assert_eq!(param.path().unwrap().bytes(), b"/forum/*.php");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CleanParam<'a> {
    names: Field<'a>,
    path: Option<Field<'a>>,
}

impl<'a> CleanParam<'a> {
    pub(super) fn read(raw: Field<'a>) -> Result<Self, RecordProblem> {
        let (names, path) = first_word(raw);
        let param = Self { names, path: (!path.is_empty()).then_some(path) };
        let is_one_word = memchr::memchr2(b' ', b'\t', path.bytes()).is_none();
        if is_one_word && param.names().all(|name| !name.is_empty()) {
            Ok(param)
        } else {
            Err(RecordProblem::new(ProblemKind::NoParameters, raw.span()))
        }
    }

    /// Iterates over the names of the parameters. There is at least one name, and names are not empty.
    pub fn names(&self) -> impl Iterator<Item = Field<'a>> {
        let mut at = self.names.span().start();
        self.names.bytes().split(|&byte| byte == b'&').map(move |name| {
            let field = Field::new(name, at);
            at += name.len() + 1;
            field
        })
    }

    /// Returns the path of the pages; `None` for all pages.
    #[must_use]
    pub const fn path(&self) -> Option<Field<'a>> {
        self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn names_have_spans() {
        let file = b"clean-param: a&bc\t /x";
        let param = CleanParam::read(Field::new(&file[13..], 13)).unwrap();
        assert!(param.names().chain(param.path()).all(|field| field.span().of(file) == field.bytes()));
        assert_eq!(param.names().map(|name| name.escaped().to_string()).collect::<Vec<_>>(), ["a", "bc"]);
    }

    #[test]
    fn an_invalid_list_is_a_finding() {
        for value in ["a&", "&a", "a&&b", "a /b /c", ""] {
            assert!(CleanParam::read(Field::new(value.as_bytes(), 0)).is_err(), "{value}");
        }
    }
}
