//! Arguments that are URLs or paths, and sites that were named without a scheme.

use std::ffi::OsStr;
use std::path::Path;

use robots_fetch::sitemap::LONGEST_URL;
use robots_fetch::{Origin, UnsupportedUrl};
use robots_match::{InvalidTarget, RuleSet, Target, Verdict, site_without_scheme};

use crate::failure::{Failure, Result};
use crate::text::{Text, host_note};

/// Reads an argument, or an item of a list, that is compared with rules: a URL, or a path.
///
/// # Errors
///
/// It is neither, a label of its host is not valid, or no robots.txt applies to URLs of its scheme. To compare it anyway would look
/// like a verdict.
pub(crate) fn target(text: &[u8]) -> Result<Target<'_>> {
    within_limit(text)?;
    let target = Target::parse(text).map_err(|error| failure(text, &error, " A path begins with `/`"))?;
    if let Some(Err(error)) = target.url().map(|url| Origin::from_url(&url)) {
        return Err(Failure::new(Text(error.to_string().as_bytes()).to_string()));
    }
    Ok(target)
}

/// Checks that a URL, a path or a name has at most [`LONGEST_URL`] bytes. Servers and clients have lower limits, and messages
/// would repeat it.
pub(crate) fn within_limit(text: &[u8]) -> Result<()> {
    match text.len() {
        ..=LONGEST_URL => Ok(()),
        _ => Err(Failure::new(format!("`{}`: {}", Text(text).short(), too_long()))),
    }
}

/// Returns why a longer URL is refused.
pub(crate) fn too_long() -> String {
    format!("a URL has at most {LONGEST_URL} bytes")
}

/// Returns the failure of a text that is not a URL; `more` is the end of the message about a missing scheme. A label of the
/// host that is not valid is reported instead.
pub(crate) fn failure(text: &[u8], error: &InvalidTarget, more: &str) -> Failure {
    let of_host = |url: &[u8]| match core::str::from_utf8(url).map(Origin::parse) {
        // An error about the whole URL names it, so it says nothing about another text.
        Ok(Err(UnsupportedUrl::Scheme(_))) => None,
        Ok(Err(UnsupportedUrl::Invalid { .. })) if url != text => None,
        Ok(Err(error)) => Some(error.to_string()),
        _ => None,
    };
    let file =
        core::str::from_utf8(text).ok().filter(|text| !text.contains('/') && Path::new(text).is_file());
    let message = match (error.is_without_scheme(), file) {
        (true, Some(file)) => {
            let file = Text(file.as_bytes());
            format!(
                "`{file}` is a file, and not a URL; `robots check --robots {file}` reads a robots.txt file"
            )
        }
        (true, None) => {
            let meant = error.meant().map(str::as_bytes);
            let url = meant.map_or_else(|| [b"https://", text].concat(), <[u8]>::to_vec);
            of_host(&url).unwrap_or_else(|| match meant {
                Some(meant) => {
                    let (shown, host, meant) = (Text(text), host_note(meant), Text(meant));
                    format!("`{shown}`: missing scheme; did you mean `{meant}`{host}?{more}")
                }
                None => error.to_string(),
            })
        }
        // The URL that was meant says more than the character that is wrong.
        (false, _) if error.is_about_host() && error.meant().is_none() => {
            of_host(text).unwrap_or_else(|| error.to_string())
        }
        (false, _) => error.to_string(),
    };
    Failure::new(Text(message.as_bytes()).to_string())
}

/// Returns the URL of a site for which an argument may stand that is not the name of a file.
pub(crate) fn meant_site(argument: &OsStr) -> Option<String> {
    let text = argument.to_str().filter(|text| !Path::new(text).exists())?;
    site_without_scheme(text)
}

/// Returns what a message about a file that can't be read says besides, if its name looks like that of a site: the URL that was meant,
/// which may also be one that is never asked by itself, as for `hxxps://example.com`, or the schemes that there are.
pub(crate) fn file_hint(argument: &OsStr) -> String {
    let error = argument.to_str().and_then(|text| Target::parse(text).err());
    let of_url = || {
        let meant = error.as_ref().and_then(InvalidTarget::meant);
        meant.filter(|url| *url != format!("https://{}", argument.display())).map(str::to_owned)
    };
    let has_other_scheme =
        || error.as_ref().is_some_and(|error| error.is_url() && !Path::new(argument).exists());
    match meant_site(argument).or_else(of_url) {
        Some(site) => format!("; did you mean `{}`?", Text(site.as_bytes())),
        None if has_other_scheme() => {
            format!(
                "; a URL begins with {}",
                Target::SCHEMES.map(|scheme| format!("`{scheme}://`")).join(", ")
            )
        }
        None => String::new(),
    }
}

/// Returns a note if rules decide differently about a text as it is written and about what a client requests for it.
pub(crate) fn written_note(target: &Target<'_>, rules: &RuleSet, verdict: &Verdict) -> Option<String> {
    let written = target.differs_as_written(rules)?;
    let word = |is_allowed| if is_allowed { "allowed" } else { "disallowed" };
    let path = target.written_path(rules.policy())?;
    let line = written.line().map(|line| format!(" by line {line}")).unwrap_or_default();
    Some(format!(
        "clients request `{}`, which is {}; `{}`, as it is written, would be {}{line}",
        Text(target.path()),
        word(verdict.is_allowed()),
        Text(&path),
        word(written.is_allowed()),
    ))
}

/// Returns a note if a text may not be what was meant: several URLs, a URL with the end of a sentence, a link, or a pattern.
pub(crate) fn text_note(
    text: &[u8],
    target: &Target<'_>,
    rules: Option<&RuleSet>,
    verdict: &Verdict,
) -> Option<String> {
    several_note(text)
        .or_else(|| end_note(text, rules?, verdict))
        .or_else(|| link_note(target))
        .or_else(|| authority_note(text, target))
        .or_else(|| pattern_note(target))
}

/// Returns a note about a text that has several URLs.
fn several_note(text: &[u8]) -> Option<String> {
    has_several(text).then(|| {
        format!("`{}` is read as one URL; give each URL as an argument of its own", Text(text).short())
    })
}

/// Returns whether another URL follows after a separator in a text, or another path after a space.
pub(crate) fn has_several(text: &[u8]) -> bool {
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|');
    let starts = |scheme: &[u8], next: &[u8]| {
        next.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let mut rest = text;
    while let Some(at) = rest.iter().position(is_separator) {
        let Some((before, after)) = rest.split_at_checked(at) else { break };
        let length = after.iter().take_while(|byte| is_separator(byte)).count();
        let Some((between, next)) = after.split_at_checked(length) else { break };
        let is_path = between.iter().any(u8::is_ascii_whitespace) && next.starts_with(b"/");
        let is_first = rest.len() == text.len() && before.is_empty();
        if !is_first && (is_path || starts(b"http://", next) || starts(b"https://", next)) {
            return true;
        }
        rest = next;
    }
    false
}

/// Returns a note if rules decide differently without the punctuation at the end of a text, which may be that of a sentence.
fn end_note(text: &[u8], rules: &RuleSet, verdict: &Verdict) -> Option<String> {
    let url = core::str::from_utf8(text).ok()?;
    let without =
        url.trim_end_matches(['.', ',', ';', ':', '!', ')', ']', '>', '"', '\'', '\u{201D}', '\u{2019}']);
    let other = Target::parse(without).ok().filter(|_| without.len() < url.len())?;
    let other = rules.check(other.path());
    (other.is_allowed() != verdict.is_allowed()).then(|| {
        let word = if other.is_allowed() { "allowed" } else { "disallowed" };
        format!("`{}` without its last characters, `{}`, is {word}", Text(text), Text(without.as_bytes()))
    })
}

/// Returns a note about a URL in which a client finds another host than a person may see, as in `http:/private` and `https://a.example\@b.example/`.
fn authority_note(text: &[u8], target: &Target<'_>) -> Option<String> {
    let url = target.url()?;
    let rest = memchr::memchr(b':', text).and_then(|colon| text.get(colon + 1..)).unwrap_or_default();
    let authority = rest.strip_prefix(b"//").map(|rest| {
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest)
    });
    let is_plain = authority.is_some_and(|authority| !authority.contains(&b'\\'));
    (!is_plain).then(|| {
        format!(
            "`{}` is read as `{}`, as browsers do",
            Text(text).short(),
            Text(url.as_str().as_bytes()).short()
        )
    })
}

/// Returns a note about a path with characters that have a meaning in rules.
fn pattern_note(target: &Target<'_>) -> Option<String> {
    let path = target.is_path().then(|| target.path())?;
    (path.contains(&b'*') || path.ends_with(b"$")).then(|| {
        format!("`{}` is read as a path; `*` and `$` stand for other characters only in rules", Text(path))
    })
}

/// Returns a note about a path such as `//example.com/page`, which in a link means a page of that site (RFC 3986, section 4.2).
fn link_note(target: &Target<'_>) -> Option<String> {
    let path = target.url().is_none().then(|| target.path())?;
    let url = site_without_scheme(core::str::from_utf8(path.strip_prefix(b"//")?).ok()?)?;
    let (shown, url) = (Text(path), Text(url.as_bytes()));
    Some(format!("`{shown}` is read as a path; in a link it means `{url}`"))
}

#[cfg(test)]
mod tests {
    use robots_match::{Crawler, Profile};

    use super::*;

    #[test]
    fn texts_that_may_mean_something_else_are_noted() {
        let file = b"User-agent: *\nDisallow: /private$\nDisallow: /*.pdf$\n";
        let rules = RuleSet::parse(file, &Crawler::new("ExampleBot").unwrap(), &Profile::RFC9309);
        for (text, noted) in [
            ("https://example.com/private.", "is disallowed"),
            ("/private).", "is disallowed"),
            ("/private\u{201D}", "is disallowed"),
            ("https://example.com/other.", ""),
            ("/private", ""),
            ("/*.pdf$", "only in rules"),
            ("/a*", "only in rules"),
            ("https://example.com/a*", ""),
            ("//example.com/a", "in a link"),
        ] {
            let target = Target::parse(text).unwrap();
            let note = text_note(text.as_bytes(), &target, Some(&rules), &rules.check(target.path()));
            assert_eq!(note.is_some(), !noted.is_empty(), "{text}");
            assert!(note.unwrap_or_default().contains(noted), "{text}");
        }
    }

    #[test]
    fn several_urls_in_one_text_are_noted() {
        for (text, are_several) in [
            ("https://example.com/a, https://example.com/b", true),
            ("https://example.com/a HTTP://example.com/b", true),
            ("https://example.com/a|https://example.com/b", true),
            ("/a /b", true),
            ("/a,\n/b", true),
            ("/a,/b", false),
            ("/a b", false),
            (" /a", false),
            ("/a ", false),
            ("https://example.com/?u=https://example.org/", false),
            ("https://example.com/a;b,c|d", false),
        ] {
            assert_eq!(several_note(text.as_bytes()).is_some(), are_several, "{text}");
        }
    }
}
