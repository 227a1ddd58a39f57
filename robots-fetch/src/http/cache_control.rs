//! The `Cache-Control` field.

use core::time::Duration;

use crate::http::fields::seconds;

/// The directives of `Cache-Control` that concern a private cache (RFC 9111, section 5.2.2). Among the others,
/// `s-maxage` and `private` concern shared caches; a `no-cache` with a list of fields concerns those fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheControl {
    pub(crate) max_age: Option<Duration>,
    pub(crate) no_cache: bool,
    pub(crate) no_store: bool,
    pub(crate) must_revalidate: bool,
    /// RFC 5861, section 3.
    pub(crate) stale_while_revalidate: Option<Duration>,
}

impl CacheControl {
    /// Reads a list of directives. The first of several `max-age` counts, and one that is not a number counts as 0 (RFC
    /// 9111, section 4.2.1); so it is with `stale-while-revalidate`. Time grows with the length of the list.
    pub(crate) fn read(list: &str) -> Self {
        let mut read = Self::default();
        for directive in members(list) {
            let (name, argument) = match directive.split_once('=') {
                Some((name, argument)) => (name.trim(), Some(argument.trim())),
                None => (directive, None),
            };
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let seconds = || {
                let argument = argument.unwrap_or_default();
                let inner = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                seconds(inner.unwrap_or(argument).trim()).unwrap_or_default()
            };
            if is("max-age") {
                read.max_age.get_or_insert_with(seconds);
            } else if is("stale-while-revalidate") {
                read.stale_while_revalidate.get_or_insert_with(seconds);
            } else if is("no-cache") {
                read.no_cache |= argument.is_none();
            } else if is("no-store") {
                read.no_store = true;
            } else if is("must-revalidate") {
                read.must_revalidate = true;
            }
        }
        read
    }
}

/// Returns the members of a list without the white space around them. A comma within quotes does not separate.
fn members(list: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    let separates = move |char: char| {
        let literal = core::mem::take(&mut escaped);
        match char {
            _ if literal => false,
            '\\' if quoted => {
                escaped = true;
                false
            }
            '"' => {
                quoted = !quoted;
                false
            }
            ',' => !quoted,
            _ => false,
        }
    };
    list.split(separates).map(str::trim).filter(|member| !member.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_from_lists() {
        let read = CacheControl::read;
        let age = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(read("max-age=60").max_age, age(60));
        assert_eq!(read(" , Max-Age = \"60\" ,,").max_age, age(60));
        assert_eq!(read("max-age=60, max-age=3600").max_age, age(60));
        assert_eq!(read("max-age=soon, max-age=3600").max_age, age(0));
        assert_eq!(read("max-age").max_age, age(0));
        assert_eq!(read("max-age=-1").max_age, age(0));
        assert_eq!(read("max-age=99999999999999999999999").max_age, age(1 << 31));
        assert_eq!(read("s-maxage=9, public, private=\"a, max-age=3\"").max_age, None);
        assert_eq!(read("x=\"a\\\", max-age=1\", max-age=2").max_age, age(2));
        assert_eq!(read("x=\"never closed, max-age=1").max_age, None);
        assert!(read("NO-CACHE").no_cache);
        assert!(!read("no-cache=\"set-cookie\"").no_cache);
        assert!(read("no-cache=\"set-cookie\", no-store, must-revalidate").no_store);
        assert!(read("must-revalidate").must_revalidate);
        let stale = |list| read(list).stale_while_revalidate;
        assert_eq!(stale("max-age=1, Stale-While-Revalidate=\"60\", stale-while-revalidate=9"), age(60));
        assert_eq!([stale("stale-while-revalidate"), stale("stale-if-error=9")], [age(0), None]);
    }
}
