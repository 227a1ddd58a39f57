use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{
    File, HostForm, Hosted, OtherValue, are_paths, expression, is_whole, with_slashes,
};
use crate::lint::text::{is_one_of, shown};

lint! {
    code: "pattern-without-slash",
    severity: error,
    title: "A pattern does not begin with a slash",
    check: File(check),
    /// Crawlers compare a pattern with the start of the path, and a path begins with a slash. `private` matches
    /// nothing, `/private` matches paths that begin with it, and `/*private` matches paths that contain it.
    ///
    /// Put a slash before the pattern, or `/*` if it may be anywhere in the path, as in `/*.css` and `/*?sort=`. Write one path per
    /// line. Put a `Sitemap` line that was written into a rule on a line of its own.
    ///
    /// A robots.txt file applies only to its own host (RFC 9309, section 2.3). If the pattern begins with the name of this site, write
    /// only the path. Otherwise, or if there is nothing after the name, remove the line.
    ///
    /// A regular expression has the finding `regular-expression` instead.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    for rule in file.rules() {
        if let Some(draft) = draft(file, &rule) {
            drafts.add(draft);
        }
    }
}

fn draft(file: &File<'_>, rule: &Rule<'_>) -> Option<Draft> {
    let (bytes, span) = (rule.pattern.bytes(), rule.pattern.span());
    // Regular expressions have a lint of their own.
    if bytes == b"$" {
        let draft = Draft::new(rule.line(), span, "no path is empty, so `$` by itself matches nothing");
        return Some(draft.help("write `/$` for the home page only, or `/` for the whole site"));
    }
    if matches!(bytes.first(), None | Some(b'/' | b'*' | b'$')) || expression(bytes).is_some() {
        return None;
    }
    let draft = |message| Draft::new(rule.line(), span, message);
    if let Some(hosted) = Hosted::find(bytes, &file.facts.profile.matching) {
        if hosted.form != HostForm::Host {
            // URLs have a lint of their own.
            return None;
        }
        let message = format!("no path begins with `{}`, which is the name of a host", shown(hosted.host));
        return Some(hosted.advise(draft(message), span, file.facts, file.is_needed_at_end(rule.line())));
    }
    // As in `https:/example.com/` and `http//example.com/`.
    if bytes.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"http")) && bytes.contains(&b'/') {
        let message = format!(
            "no path begins with `{}`, which looks like a URL with a mistake in its scheme",
            shown(bytes)
        );
        return Some(draft(message).help("write only the path of the URL, if it is of this site"));
    }
    if let Some((words, is_all)) = word(bytes) {
        let message = format!("`{words}` is a word, but a rule has a path, and no path begins with it");
        let help = match (rule.effect, is_all) {
            (Effect::Allow, true) => "write `Allow: /` if everything is meant",
            (Effect::Allow, false) => "remove the line: what nothing disallows is allowed",
            (Effect::Disallow, true) => "write a slash, `/`, if really the whole site is meant",
            (Effect::Disallow, false) => "write `Disallow:` without a value, which disallows nothing",
        };
        return Some(draft(message).help(help));
    }
    let draft = draft(format!("no path begins with `{}`", shown(bytes)));
    if let Some(other) = OtherValue::of(bytes) {
        return Some(draft.help(other.advice()));
    }
    if bytes.starts_with(b"!") {
        return Some(draft.help(match rule.effect {
            Effect::Allow => "patterns have no negation; a path that crawlers should not fetch needs a `Disallow` rule",
            Effect::Disallow => {
                "patterns have no negation; a path that crawlers may fetch needs an `Allow` rule, or none if nothing disallows it"
            }
        }));
    }
    if is_link(bytes) {
        return Some(draft.help("such a link has no path that crawlers fetch, so it needs no rule"));
    }
    if let Some(path) = after_mark(bytes) {
        let help = format!("write only the path, `{}`", shown(path));
        return Some(match is_whole(path) {
            true => draft.help(of_whole(path)),
            false => draft.help(help).suggest(span, path),
        });
    }
    if are_paths(bytes) || are_names(bytes) {
        return Some(draft.help("write one path per line, each with a slash at its start"));
    }
    // Words of a sentence are not a path.
    if bytes.contains(&b' ') {
        return Some(draft.help("write a path that begins with a slash, and words after `#`"));
    }
    if bytes.iter().any(u8::is_ascii_control) {
        return Some(draft.help("write a path that begins with a slash, without the control character"));
    }
    let (meant, help) = meant(bytes);
    // These are hardly meant for the whole site.
    let (does, is_wide) = match rule.effect {
        Effect::Allow => ("open more than was meant", is_sign(bytes)),
        Effect::Disallow => ("close more than a site can spare", is_sign(bytes) || is_of_pages(bytes)),
    };
    if is_wide {
        let meant = shown(&meant);
        return Some(draft.help(format!("write a path that begins with a slash; `{meant}` would {does}")));
    }
    Some(match is_whole(&meant) {
        true => draft.help(of_whole(&meant)),
        false => draft.help(help).suggest(span, meant),
    })
}

/// Words that people write for everything, and for nothing, in lower case.
const ALL: &str = "all any everything everyone everybody yes true on full 1 alles alle tout todo todos tudo tutto allt \
    wszystko \u{432}\u{441}\u{451} \u{432}\u{441}\u{435}";
const NOTHING: &str = concat!(
    "nobody",
    " none nothing no false off n/a empty - blank 0 nichts keine niets rien aucun nada niente nic inget",
    " \u{43D}\u{438}\u{447}\u{435}\u{433}\u{43E}"
);

/// The word that stands in place of a path, and whether it means everything.
fn word(bytes: &[u8]) -> Option<(String, bool)> {
    let bytes = bytes.strip_suffix(b".").unwrap_or(bytes);
    let is_all = is_one_of(bytes, ALL);
    (is_all || is_one_of(bytes, NOTHING)).then(|| (shown(bytes), is_all))
}

/// The advice about a pattern that would be the whole site with a slash.
fn of_whole(meant: &[u8]) -> String {
    format!("write a path that begins with a slash; `{}` would be the whole site", shown(meant))
}

/// Whether a pattern is a sign that most URLs of a site have.
fn is_sign(bytes: &[u8]) -> bool {
    matches!(bytes, b"." | b".." | b"?" | b"=" | b"&")
}

/// Whether a pattern is the end of the names of pages, or of the files without which they look different.
fn is_of_pages(bytes: &[u8]) -> bool {
    const ENDS: &str = ".js .mjs .css .html .htm .shtml .php .asp .aspx .jsp";
    let end = bytes.strip_suffix(b"$").or_else(|| bytes.strip_suffix(b"*")).unwrap_or(bytes);
    is_one_of(end, ENDS)
}

/// Whether a pattern is a link that is not a URL with a path.
fn is_link(bytes: &[u8]) -> bool {
    const SCHEMES: &str = "mailto tel sms javascript data file whatsapp skype";
    let scheme = bytes.split(|&byte| byte == b':').next().unwrap_or_default();
    scheme.len() < bytes.len() && is_one_of(scheme, SCHEMES)
}

/// The path after the mark of a list, or after the method of a request, as in `- /admin/`, `=/admin/` and `GET /admin/`. A sign without a
/// space may begin the name of a folder, as in `-/admin/`.
fn after_mark(bytes: &[u8]) -> Option<&[u8]> {
    const METHODS: [&[u8]; 6] = [b"GET", b"POST", b"HEAD", b"PUT", b"DELETE", b"PATCH"];
    let (mark, path) = bytes.split_at_checked(memchr::memchr(b'/', bytes)?)?;
    let word = mark.trim_ascii_end();
    let is_mark = matches!(word, b">" | b":" | b"=")
        || word.len() < mark.len() && (matches!(word, b"-" | b"+" | b"*") || METHODS.contains(&word));
    (is_mark && !path.iter().any(u8::is_ascii_whitespace)).then_some(path)
}

/// Whether a pattern is a list of names without slashes, as in `admin|login` and `admin,login`.
fn are_names(bytes: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        !name.is_empty()
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' '))
    };
    let is_list = |sign: u8| bytes.contains(&sign) && bytes.split(|&byte| byte == sign).all(is_name);
    is_list(b'|') || is_list(b',')
}

/// The pattern that was most likely meant, and the advice to write it.
fn meant(bytes: &[u8]) -> (Vec<u8>, String) {
    if let Some(path) = bracketed(bytes) {
        return (path.to_vec(), format!("write `{}`, without the brackets", shown(path)));
    }
    // As in `%2Fadmin%2F` and `~/admin/`.
    let decoded = with_slashes(bytes);
    let rest = decoded.strip_prefix(b"~").unwrap_or(&decoded);
    if rest.starts_with(b"/") {
        return (rest.to_vec(), format!("write `{}`", shown(rest)));
    }
    let anywhere = |rest: &[u8]| {
        let meant = [b"/*", rest].concat();
        let help = format!("write `{}`, which matches `{}` anywhere in the path", shown(&meant), shown(rest));
        (meant, help)
    };
    // As in `.*private` and `.*private.*`.
    if let Some(rest) = bytes.strip_prefix(b".*") {
        return anywhere(rest.strip_suffix(b".*").unwrap_or(rest));
    }
    let dots = bytes.iter().take_while(|byte| matches!(byte, b'.' | b'/')).count();
    let (dots, rest) = bytes.split_at_checked(dots).unwrap_or_default();
    if dots.contains(&b'/') {
        // A path from the folder of the file, such as `./private`.
        let meant = [b"/", rest].concat();
        let help = format!("write `{}`", shown(&meant));
        return (meant, help);
    }
    // As in `utm_source=`, which is a parameter. `search?q=` begins with the name of a page.
    let is_parameter =
        memchr::memchr3(b'=', b'/', b'?', bytes).is_some_and(|at| bytes.get(at) == Some(&b'='));
    if matches!(bytes.first(), Some(b'.' | b'?' | b'&' | b';' | b'=')) || is_parameter {
        return anywhere(bytes);
    }
    let meant = [b"/", bytes].concat();
    let text = shown(&meant);
    let help = format!("write `{text}`, or `/*{}` if it may be anywhere in the path", shown(bytes));
    (meant, help)
}

/// The path in brackets or quotation marks, as in `(/account/)`, `['/admin/']`, `array("/admin/")` and `[admin](/admin/)`.
fn bracketed(bytes: &[u8]) -> Option<&[u8]> {
    let at = memchr::memchr(b'/', bytes)?;
    let (before, rest) = bytes.split_at_checked(at)?;
    let is_open = matches!(before.last()?, b'(' | b'[' | b'{' | b'<' | b'\'' | b'"');
    let is_close = |byte: &u8| matches!(byte, b')' | b']' | b'}' | b'>' | b'\'' | b'"');
    let len = rest.iter().position(is_close)?;
    let (path, after) = rest.split_at_checked(len)?;
    // As in `[/admin/](/admin/)`.
    let is_repeated = || after.strip_prefix(b"](").and_then(|rest| rest.strip_suffix(b")")) == Some(path);
    let is_closed = after.iter().all(|byte| is_close(byte) || matches!(byte, b',' | b';'));
    (is_open && (is_closed || is_repeated())).then_some(path)
}
