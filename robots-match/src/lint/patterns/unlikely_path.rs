use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, Hosted, expression, is_whole, with_slashes};
use crate::lint::text::shown;
use crate::lint::url::is_file_end;

lint! {
    code: "unlikely-path",
    severity: warning,
    title: "A pattern matches only paths that hardly any site has",
    check: File(check),
    /// A pattern is compared with the start of the path (RFC 9309, section 2.2.2). So `//admin/` matches only paths that begin with
    /// two slashes, `/.pdf$` only a file whose whole name is `.pdf`, and `/&sort=` only names that begin with `&sort=`. `/?sort=`
    /// matches only the home page with this parameter, which is a note. Dots at the end of a pattern, as in `/private/...`, do not mean "and so on". `%24` is a dollar sign, not the end of the path (section 2.2.3).
    ///
    /// Paths are case-sensitive: `/Wp-Admin/` is not the folder of WordPress, and a rule about `/Admin/` closes nothing of the folder
    /// `/admin/`, of which another line allows a part. `/var/www/html/` and `/public_html/` are folders of a server; the path of a URL begins
    /// after them.
    ///
    /// Clients resolve `.` and `..` before they send a path (RFC 3986, section 5.2.4), so `/./admin/` and `/a/../admin/` match nothing.
    ///
    /// `/%2Fadmin` is a path that begins with an encoded slash.
    ///
    /// Write one slash at the start. Write `/*` before the end of a name and before a parameter. Remove dots at the end: a pattern
    /// matches all paths that begin with it. Write `$` for the end of the path.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /.pdf$
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*.pdf$
    /// ```
}

/// Parameters that lists of products and pages have in any folder, and those that are added to links, in lower case.
const PARAMETERS: [&str; 19] = [
    "sort",
    "sortby",
    "sort_by",
    "order",
    "orderby",
    "filter",
    "filters",
    "price",
    "color",
    "colour",
    "size",
    "brand",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "gclid",
    "fbclid",
    "replytocom",
    "add-to-cart",
];

/// Folders and files of WordPress, whose names have no capital letters.
const OF_WORDPRESS: [&str; 6] =
    ["wp-admin", "wp-content", "wp-includes", "wp-json", "wp-login.php", "xmlrpc.php"];

/// Folders of servers that are not in the paths of URLs.
const OF_SERVERS: [&[u8]; 4] = [b"/var/www/html/", b"/public_html/", b"/private_html/", b"/httpdocs/"];

/// Dots that people write for "and so on": as one character, percent-encoded, and as three.
const ELLIPSES: [&[u8]; 3] = ["\u{2026}".as_bytes(), b"%E2%80%A6", b"..."];

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let mut in_lower_case = [None; OF_WORDPRESS.len()];
    let mut in_all_folders = [None; PARAMETERS.len()];
    for rule in file.rules() {
        let (bytes, span) = (rule.pattern.bytes(), rule.pattern.span());
        let of_path = meant(bytes).or_else(|| of_wordpress(bytes, file.body, &mut in_lower_case));
        let severity = if of_path.is_some() { Severity::Warning } else { Severity::Note };
        let found = of_path.or_else(|| parameter(bytes, file.body, &mut in_all_folders));
        let Some((what, meant)) = found else { continue };
        // These have lints of their own.
        if expression(bytes).is_some() || Hosted::find(bytes, &file.facts.profile.matching).is_some() {
            continue;
        }
        let draft = Draft::new(rule.line(), span, format!("`{}` matches only {what}", shown(bytes)));
        let draft = draft.severity(severity);
        drafts.add(match is_whole(&meant) {
            true => draft.help(format!("write a path; `{}` would be the whole site", shown(&meant))),
            false => {
                let help =
                    format!("write `{}`; keep the line only if the site has such paths", shown(&meant));
                let draft = draft.help(help);
                // Broken links have such paths, and the path with one slash may be the best part of the site.
                if bytes.starts_with(b"//") { draft } else { draft.suggest(span, meant) }
            }
        });
    }
    for group in file.groups.iter() {
        other_case(group.rules(), drafts);
    }
}

/// The most folders of a path that are compared.
const MOST_FOLDERS: usize = 4;

/// Reports rules that close a folder in another letter case than the one in which a part of it is allowed.
fn other_case(rules: &[Rule<'_>], drafts: &mut Drafts<'_>) {
    if !rules.iter().any(|rule| rule.effect == Effect::Allow) {
        return;
    }
    let closing = || rules.iter().filter(|rule| rule.effect == Effect::Disallow && !rule.pattern.is_empty());
    let exact: BTreeSet<&[u8]> = closing().map(|rule| folder(rule.pattern.bytes())).collect();
    let closed: BTreeMap<Vec<u8>, &Rule<'_>> =
        closing().map(|rule| (folder(rule.pattern.bytes()).to_ascii_lowercase(), rule)).collect();
    let mut reported = BTreeSet::new();
    for allow in rules.iter().filter(|rule| rule.effect == Effect::Allow) {
        let path = allow.pattern.bytes();
        let ends = memchr::memchr_iter(b'/', path).skip(1).take(MOST_FOLDERS);
        let folders = || ends.clone().filter_map(|end| path.get(..end));
        if folders().any(|folder| exact.contains(folder)) || exact.contains(&b""[..]) {
            continue;
        }
        let found = folders().find_map(|folder| Some((folder, *closed.get(&folder.to_ascii_lowercase())?)));
        let Some((other, rule)) = found.filter(|(_, rule)| reported.insert(rule.line())) else { continue };
        let message = format!(
            "`{}` matches only paths in this letter case, but line {} is about `{}/`",
            shown(rule.pattern.bytes()),
            allow.line(),
            shown(other)
        );
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), message)
                .help("paths are case-sensitive: write both rules with the letters that the URLs of the site have")
                .other(allow.pattern.span(), "here in another case"),
        );
    }
}

/// The path that clients send for one with `.` or `..` as a folder (RFC 3986, section 5.2.4).
fn without_dots(bytes: &[u8]) -> Option<Vec<u8>> {
    let query = memchr::memchr(b'?', bytes).unwrap_or(bytes.len());
    let (path, query) = bytes.split_at_checked(query)?;
    let has = |part: &[u8]| memchr::memmem::find(path, part).is_some();
    if !path.starts_with(b"/") || path.contains(&b'*') || !has(b"/./") && !has(b"/../") {
        return None;
    }
    let mut folders: Vec<&[u8]> = Vec::new();
    let mut parts = path.split(|byte| *byte == b'/').skip(1).peekable();
    while let Some(part) = parts.next() {
        match part {
            b"." if parts.peek().is_some() => {}
            b".." if parts.peek().is_some() => drop(folders.pop()),
            _ => folders.push(part),
        }
    }
    Some([b"/", &*folders.join(&b'/'), query].concat())
}

/// A pattern without the slash or star at its end.
fn folder(pattern: &[u8]) -> &[u8] {
    let pattern = pattern.strip_suffix(b"*").unwrap_or(pattern);
    pattern.strip_suffix(b"/").unwrap_or(pattern)
}

/// The pattern with a name of WordPress as WordPress writes it, if no other line of the file has it so.
fn of_wordpress(
    bytes: &[u8],
    body: &[u8],
    in_lower_case: &mut [Option<bool>; OF_WORDPRESS.len()],
) -> Option<(&'static str, Vec<u8>)> {
    let rest = bytes.strip_prefix(b"/")?;
    let name = rest.split(|byte| matches!(byte, b'/' | b'*' | b'$' | b'?')).next()?;
    let mut all = OF_WORDPRESS.iter().zip(in_lower_case);
    let (known, is_there) = all.find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()))?;
    let has = || memchr::memmem::find(body, known.as_bytes()).is_some();
    let is_other = name != known.as_bytes() && !*is_there.get_or_insert_with(has);
    let after = rest.get(name.len()..)?;
    is_other.then(|| {
        (
            "paths in this letter case, and WordPress has small letters",
            [b"/", known.as_bytes(), after].concat(),
        )
    })
}

/// A parameter after the path of the home page, as in `/?sort=`, if no other pattern of the file has it in all folders.
/// `in_all_folders` keeps what is known of each parameter, so that a file is searched once for each.
fn parameter(
    bytes: &[u8],
    body: &[u8],
    in_all_folders: &mut [Option<bool>; PARAMETERS.len()],
) -> Option<(&'static str, Vec<u8>)> {
    let query = bytes.strip_prefix(b"/?")?;
    let name = query.split(|byte| matches!(byte, b'=' | b'*')).next()?;
    let mut all = PARAMETERS.iter().zip(in_all_folders);
    let (known, is_repeated) = all.find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()))?;
    let has = |start: &str| memchr::memmem::find(body, [start, known].concat().as_bytes()).is_some();
    let is_repeated = *is_repeated.get_or_insert_with(|| has("*?") || has("*"));
    (!is_repeated).then(|| ("the home page with this parameter", [b"/*?", query].concat()))
}

/// What a pattern matches that was hardly meant, and the pattern that was.
fn meant(bytes: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let before = |dots: &&[u8]| {
        let (start, end) = bytes.split_at_checked(bytes.len().checked_sub(dots.len())?)?;
        end.eq_ignore_ascii_case(dots).then_some(start)
    };
    if let Some(start) = ELLIPSES.iter().find_map(before) {
        let len = start.iter().rposition(|byte| !matches!(byte, b'.' | b'*')).map_or(0, |at| at + 1);
        let start = start.get(..len).unwrap_or_default();
        return start.starts_with(b"/").then(|| ("paths with these dots", start.to_vec()));
    }
    // A pattern without a slash has a lint of its own.
    let is_rooted = matches!(bytes.first(), Some(b'/' | b'*'));
    let has_end = |name: &[u8]| name.rsplit(|byte| *byte == b'.').next().is_some_and(is_file_end);
    if let Some(start) = bytes.strip_suffix(b"%24").filter(|start| is_rooted && has_end(start)) {
        return Some(("names with a dollar sign at their end", [start, b"$"].concat()));
    }
    if let Some(path) = without_dots(bytes) {
        return Some(("paths with a dot as a folder, which no client sends", path));
    }
    let of_server = OF_SERVERS.iter().find_map(|folder| {
        let at = memchr::memmem::find(bytes, folder)?;
        let start = bytes.get(..at).unwrap_or_default();
        let is_home =
            start.is_empty() || start.strip_prefix(b"/home").is_some_and(|rest| rest.starts_with(b"/"));
        is_home.then(|| [b"/", bytes.get(at + folder.len()..).unwrap_or_default()].concat())
    });
    if let Some(path) = of_server {
        return Some(("paths that begin with a folder of the server, which URLs do not have", path));
    }
    let rest = bytes.strip_prefix(b"/")?;
    let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
    let after = rest.get(slashes.max(1)..)?;
    let is_name = after.first().is_some_and(u8::is_ascii_alphanumeric);
    match rest.first()? {
        // `//` and `//*` are written against links with a slash too many.
        b'/' if is_name => Some(("paths that begin with more than one slash", [b"/", after].concat())),
        b'%' if rest.get(..3).is_some_and(|code| code.eq_ignore_ascii_case(b"%2F")) => {
            Some(("paths with an encoded slash at their start", with_slashes(bytes)))
        }
        b'&' if is_name => Some(("names that begin with `&`", [b"/*", rest].concat())),
        // Other names that begin with a dot, such as `.git` and `.env`, are names of files themselves.
        b'.' => {
            let end = after.strip_suffix(b"$").unwrap_or(after);
            is_file_end(end).then(|| ("files whose names begin with this dot", [b"/*", rest].concat()))
        }
        _ => None,
    }
}
