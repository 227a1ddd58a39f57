//! Writes rules as a response field or as `meta` elements.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::page_rules::PageRules;
use crate::record::Scope;
use crate::rule::{Rule, RuleName};

impl PageRules {
    /// Returns the rules as the value of a field `Robots-Tag`. Rules that the field can't state, such as `Content-Usage`, are left
    /// out.
    ///
    /// ```
    /// use robots_page::{PagePolicy, PageReader};
    ///
    /// let mut reader = PageReader::new(PagePolicy::REPEXT);
    /// reader.field(b"X-Robots-Tag", b"noindex, 360Spider: max-snippet: 20");
    /// let page = reader.finish();
    /// assert_eq!(page.write_field(), "*;noindex, \"360Spider\";max-snippet=20");
    /// assert_eq!(page.write_meta(), "<meta name=\"robots\" content=\"noindex\">\n<meta name=\"360Spider\" content=\"max-snippet:20\">\n");
    /// ```
    #[must_use]
    pub fn write_field(&self) -> String {
        let mut out = String::new();
        let mut last: Option<&Scope> = None;
        let mut member: Vec<&Rule> = Vec::new();
        for (scope, rule) in self.written() {
            let is_same_scope = last == Some(scope);
            if is_same_scope && member.contains(&rule) {
                continue;
            }
            // Of equal keys in a member, only the last one counts.
            if !is_same_scope || member.iter().any(|other| other.name() == rule.name()) {
                if last.is_some() {
                    out.push_str(", ");
                }
                match scope {
                    Scope::All => out.push('*'),
                    Scope::Name(name) if is_token(name) => out.push_str(name),
                    Scope::Name(name) => {
                        let _ = write!(out, "\"{name}\"");
                    }
                }
                last = Some(scope);
                member.clear();
            }
            member.push(rule);
            let _ = match rule {
                Rule::Named(name) => write!(out, ";{}", name.name()),
                Rule::MaxSnippet(most) => write!(out, ";max-snippet={}", number(*most)),
                Rule::MaxVideoPreview(most) => write!(out, ";max-video-preview={}", number(*most)),
                Rule::MaxImagePreview(size) => write!(out, ";max-image-preview={size}"),
                Rule::UnavailableAfter(time) => write!(out, ";unavailable_after=@{}", time.seconds()),
                _ => Ok(()),
            };
        }
        out
    }

    /// Returns the rules as `meta` elements, one line each.
    #[must_use]
    pub fn write_meta(&self) -> String {
        let mut out = String::new();
        let mut last: Option<&Scope> = None;
        for (scope, rule) in self.written() {
            if last == Some(scope) {
                let _ = write!(out, ", {rule}");
                continue;
            }
            if last.is_some() {
                out.push_str("\">\n");
            }
            let name = match scope {
                Scope::All => "robots",
                Scope::Name(name) => name,
            };
            let _ = write!(out, "<meta name=\"{name}\" content=\"{rule}");
            last = Some(scope);
        }
        if last.is_some() {
            out.push_str("\">\n");
        }
        out
    }

    /// Returns the rules that a field or an element can state. Names of crawlers have no character to escape.
    fn written(&self) -> impl Iterator<Item = (&Scope, &Rule)> {
        let is_writable = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Name(name) => crate::rule_list::is_name(name.as_bytes()) && !name.contains('/'),
        };
        self.records
            .iter()
            .filter(move |record| record.rule.name().is_some() && is_writable(&record.scope))
            .map(|record| (&record.scope, &record.rule))
    }
}

fn number(most: Option<u32>) -> i64 {
    most.map_or(-1, i64::from)
}

/// Returns whether a name of a crawler is a token of structured fields that is not that of a rule.
fn is_token(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(' ')
        && RuleName::find(name.as_bytes()).is_none()
}

#[cfg(test)]
mod tests {
    use crate::{PagePolicy, PageReader};

    #[test]
    fn limits_are_read_as_they_are_written() {
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        let value =
            "max-snippet:-1, max-video-preview:0, max-image-preview:none, unavailable_after: 2030-01-01";
        reader.field(b"X-Robots-Tag", value.as_bytes());
        let page = reader.finish();
        let field =
            "*;max-snippet=-1;max-video-preview=0;max-image-preview=none;unavailable_after=@1893456000";
        assert_eq!(page.write_field(), field);
        let rules = |page: &crate::PageRules| {
            page.records().iter().map(|record| record.rule.clone()).collect::<alloc::vec::Vec<_>>()
        };
        let mut again = PageReader::new(PagePolicy::REPEXT);
        again.field(b"Robots-Tag", field.as_bytes());
        assert_eq!(rules(&again.finish()), rules(&page));
        let mut again = PageReader::new(PagePolicy::REPEXT);
        again.html(page.write_meta().as_bytes());
        assert_eq!(rules(&again.finish()), rules(&page));
    }

    #[test]
    fn of_several_limits_none_is_lost() {
        for (value, field) in [
            (
                "max-snippet: 20, noindex, max-snippet: 30, noindex",
                "*;max-snippet=20;noindex, *;max-snippet=30;noindex",
            ),
            ("max-snippet: 20, max-snippet: 20, max-snippet: 9", "*;max-snippet=20, *;max-snippet=9"),
            ("a-bot: noindex, noindex", "a-bot;noindex"),
            ("Example Bot: noindex", "\"Example Bot\";noindex"),
        ] {
            let mut reader = PageReader::new(PagePolicy::REPEXT);
            reader.field(b"X-Robots-Tag", value.as_bytes());
            assert_eq!(reader.finish().write_field(), field);
        }
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        reader.field(b"Robots-Tag", b"\"noindex\";nofollow");
        assert_eq!(reader.finish().write_field(), "\"noindex\";nofollow");
    }
}
