//! Placeholders of templates, and values that were never set.

use alloc::vec::Vec;

use robots_groups::syntax::Span;

use crate::lint::known_names::is_known;
use crate::lint::text::is_one_of;

/// The brackets of placeholders in common template languages.
const BRACKETS: [(&[u8], &[u8]); 21] = [
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"{#", b"#}"),
    (b"<%", b"%>"),
    (b"<?", b"?>"),
    (b"${", b"}"),
    (b"#{", b"}"),
    (b"$(", b")"),
    (b"{$", b"}"),
    (b"{!!", b"!!}"),
    (b"%{", b"}"),
    (b"[%", b"%]"),
    (b"<!--#", b"-->"),
    (b"<tmpl_", b">"),
    (b"<TMPL_", b">"),
    (b"process.env.", b""),
    (b"[[", b"]]"),
    (b"@@", b"@@"),
    (b"%%", b"%%"),
    (b"__", b"__"),
    (b"@Url.", b")"),
];

/// Words for hosts in instructions, in lower case and without `-` and `_`.
const HOSTS: &str = "mydomain mywebsite domainname sitename siteurl changeme replaceme insertdomainhere inserturlhere \
    insertyourdomain enteryourdomain thedomain somedomain tudominio tusitio tuweb tutienda sudominio \
    midominio votredomaine votresite tondomaine monsite ihredomain ihreseite deinedomain deineseite \
    deinewebsite meinedomain seudominio musterdomain musterseite jouwdomein jouwsite twojadomena \
    twojastrona seusite tuodominio tuosito";

/// Words that follow `your` in the hosts of instructions, in lower case and without `-` and `_`.
const OF_YOURS: &str = "domain site website url host hostname store shop blog app company business brand name username user \
    project org organization page homepage account subdomain server storename appname companyname \
    publication";

/// Whether a word, in lower case and without `-` and `_`, is for the host of an instruction.
fn is_host_of_instruction(word: &[u8]) -> bool {
    if is_one_of(word, HOSTS) {
        return true;
    }
    let Some(noun) = word.strip_prefix(b"your") else { return false };
    let noun = noun.strip_suffix(b"here").unwrap_or(noun);
    let noun = noun.strip_suffix(b"name").filter(|noun| !noun.is_empty()).unwrap_or(noun);
    is_one_of(noun, OF_YOURS)
}

/// Elements of HTML.
const ELEMENTS: &str = "br div span pre code html body strong em ul li td tr hr";

/// Words that programs write for a variable without a value.
const UNSET: [&str; 7] = ["undefined", "null", "nan", "nil", "(null)", "<nil>", "[object object]"];

/// The kind of value in which a placeholder is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Agent,
    Pattern,
    /// The URL of a sitemap, or another value.
    Other,
    /// A line that is not a record.
    Line,
}

/// A placeholder in a value.
pub(crate) enum Placeholder {
    /// The brackets or the name of a template.
    Template(Span),
    /// A word for a value that was never set.
    Unset(Span),
    /// The host of an instruction.
    Host(Span),
    /// A parameter of a router.
    Parameter(Span),
}

impl Placeholder {
    /// Returns the placeholder with its place in the file, where the value begins at `start`.
    pub(crate) fn moved(self, start: usize) -> Self {
        let moved = |place: Span| Span::new(start + place.start(), start + place.end());
        match self {
            Self::Template(place) => Self::Template(moved(place)),
            Self::Unset(place) => Self::Unset(moved(place)),
            Self::Host(place) => Self::Host(moved(place)),
            Self::Parameter(place) => Self::Parameter(moved(place)),
        }
    }
}

/// Returns the placeholder in a value.
pub(crate) fn placeholder(value: &[u8], kind: ValueKind) -> Option<Placeholder> {
    if let Some(place) = bracketed(value, kind) {
        return Some(Placeholder::Template(place));
    }
    if kind == ValueKind::Line {
        return directive(value).map(Placeholder::Template);
    }
    // Another finding is about a name with signs around it.
    if kind == ValueKind::Agent && is_known(without_signs(value)) {
        return None;
    }
    let all = Span::new(0, value.len());
    // Python writes `None`; people write `none` for no path.
    if UNSET.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
        || value == b"None" && kind != ValueKind::Pattern
    {
        return Some(Placeholder::Unset(all));
    }
    if let Some(at) = memchr::memmem::find(value, b"[object ") {
        return Some(Placeholder::Unset(Span::new(at, value.len().min(at + 15))));
    }
    if kind == ValueKind::Pattern {
        // As in `undefined/private`.
        let first = value.split(|byte| *byte == b'/').next().unwrap_or_default();
        if first.eq_ignore_ascii_case(b"undefined") || first.eq_ignore_ascii_case(b"null") {
            return Some(Placeholder::Unset(Span::new(0, first.len())));
        }
        if let Some(place) = folder_of_instruction(value) {
            return Some(Placeholder::Template(place));
        }
        if let Some(place) = parameter(value) {
            return Some(Placeholder::Parameter(place));
        }
        // As in `/user/{id}` and `/<your-path>/`. A pattern with a star may block links with such a name.
        let named = || {
            let mut at = 0;
            value.split(|byte| *byte == b'/').find_map(|segment| {
                let place = Span::new(at, at + segment.len());
                at += segment.len() + 1;
                let is_escape = segment.get(1..3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
                let is_open = matches!(segment.first(), Some(b'{' | b'<' | b'['))
                    || segment.first() == Some(&b'%') && !is_escape
                    || segment.first() == Some(&b'$') && segment.get(1).is_some_and(u8::is_ascii_uppercase);
                let is_bracketed = is_open && is_variable(segment);
                is_bracketed.then_some(place)
            })
        };
        if let Some(place) = named().filter(|_| value.starts_with(b"/") && !value.contains(&b'*')) {
            return Some(Placeholder::Template(place));
        }
        // As in `$BASE_URL` and `%BASE_URL%`; paths begin with a slash.
        let is_marked = matches!(value.first(), Some(b'$' | b'%' | b'<' | b'[' | b'{'));
        return (is_marked && is_variable(value)).then_some(Placeholder::Template(all));
    }
    if is_variable(value) {
        return Some(Placeholder::Template(all));
    }
    let (host, start) = authority(value);
    let place = Span::new(start, start + host.len());
    let mut labels = host.split(|byte| matches!(byte, b'.' | b':')).filter(|label| *label != b"www");
    let first = labels.next().unwrap_or_default();
    let letters: Vec<u8> = first
        .iter()
        .filter(|byte| !matches!(byte, b'-' | b'_' | b'<' | b'>' | b'[' | b']'))
        .map(u8::to_ascii_lowercase)
        .collect();
    let second = labels.next().unwrap_or_default();
    // As in `https://www.domain.com/` and `https://website.com/`, which instructions have in place of a site.
    let is_noun = labels.clone().next().is_none() && second_only(&letters, second);
    let is_of_two = is_noun
        || first.eq_ignore_ascii_case(b"your") && second.to_ascii_lowercase().ends_with(b"domain")
        || first.eq_ignore_ascii_case(b"domain") && second.eq_ignore_ascii_case(b"tld");
    if kind == ValueKind::Other && (is_of_two || is_host_of_instruction(&letters)) {
        return Some(Placeholder::Host(place));
    }
    let is_unset =
        |label: &[u8]| label.eq_ignore_ascii_case(b"undefined") || label.eq_ignore_ascii_case(b"null");
    // As in `https://undefined/`, `https://www.undefined.com/`, `undefined/sitemap.xml` and `https://example.com/undefined/a.xml`.
    if kind == ValueKind::Other {
        // Also `nullsitemap.xml`.
        let is_glued =
            ["undefinedsitemap", "nullsitemap"].iter().any(|word| letters.starts_with(word.as_bytes()));
        if is_unset(first) || host.ends_with(b"undefined") || is_glued {
            return Some(Placeholder::Unset(place));
        }
        if is_variable(host) {
            return Some(Placeholder::Template(place));
        }
        let path = value.get(place.end()..).unwrap_or_default();
        let word = path.split(|byte| matches!(byte, b'/' | b'?' | b'=' | b'&')).find(|word| is_unset(word));
        let at =
            word.and_then(|word| memchr::memmem::find(path, word).map(|at| (at + place.end(), word.len())));
        if let Some((at, len)) = at.filter(|_| start > 0) {
            return Some(Placeholder::Unset(Span::new(at, at + len)));
        }
    }
    None
}

/// A name without brackets and the signs of variables around it.
fn without_signs(value: &[u8]) -> &[u8] {
    let is_sign = |byte: &u8| matches!(byte, b'[' | b']' | b'<' | b'>' | b'{' | b'}' | b'$');
    let start = value.iter().position(|byte| !is_sign(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !is_sign(byte)).map_or(start, |at| at + 1);
    value.get(start..end).unwrap_or_default()
}

/// The parameter of a router in a path, as in `/users/:id`, `/account/<int:pk>/`, `/blog/[slug]`, `/docs/[...slug]` and `/{id:\\d+}`. A
/// pattern with a star is one for crawlers.
fn parameter(value: &[u8]) -> Option<Span> {
    if !value.starts_with(b"/") || value.contains(&b'*') {
        return None;
    }
    let mut at = 0;
    value.split(|byte| *byte == b'/').find_map(|segment| {
        let place = Span::new(at, at + segment.len());
        at += segment.len() + 1;
        is_parameter(segment).then_some(place)
    })
}

/// The first folder of a path that instructions have, as in `/path/to/folder/`, `/your-folder/` and `/YOUR_PATH/`.
fn folder_of_instruction(value: &[u8]) -> Option<Span> {
    const NOUNS: &str = "folder path directory foldername directoryname privatefolder";
    let rest = value.strip_prefix(b"/")?;
    let first = rest.split(|byte| *byte == b'/').next()?;
    let letters: Vec<u8> =
        first.iter().filter(|byte| !matches!(byte, b'-' | b'_')).map(u8::to_ascii_lowercase).collect();
    let is_yours = letters.strip_prefix(b"your").is_some_and(|noun| is_one_of(noun, NOUNS));
    let len = if rest.starts_with(b"path/to/") { b"path/to".len() } else { first.len() };
    (is_yours || len > first.len()).then(|| Span::new(1, 1 + len))
}

/// Whether a part of a path is a parameter of a router. Names of variables in capital letters are of templates.
fn is_parameter(segment: &[u8]) -> bool {
    let name_len =
        |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let is_name = |name: &[u8]| {
        name.len() > 1
            && name.first().is_some_and(u8::is_ascii_lowercase)
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    let within = |open: &[u8], close: &[u8]| segment.strip_prefix(open)?.strip_suffix(close);
    if let Some(rest) = segment.strip_prefix(b":") {
        let len = name_len(rest);
        let (name, after) = rest.split_at_checked(len).unwrap_or_default();
        return is_name(name) && matches!(after.first(), None | Some(b'?' | b'+' | b'(' | b'.' | b'-'));
    }
    if let Some(inner) = within(b"<", b">") {
        let (kind, name) = inner.split_at_checked(name_len(inner)).unwrap_or_default();
        return is_name(kind) && name.strip_prefix(b":").is_some_and(is_name);
    }
    if let Some(inner) = within(b"[[...", b"]]").or_else(|| within(b"[...", b"]")) {
        return is_name(inner);
    }
    if let Some(inner) = within(b"[", b"]") {
        return is_name(inner) && !is_range(inner);
    }
    let Some(inner) = within(b"{", b"}") else { return false };
    let (name, after) = inner.split_at_checked(name_len(inner)).unwrap_or_default();
    is_name(name) && (matches!(after.first(), None | Some(b':')) || matches!(after, b"?" | b"+"))
}

/// Whether a text is a range of a regular expression, as in `[a-z]`.
fn is_range(text: &[u8]) -> bool {
    matches!(text, [first, b'-', last] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric())
}

/// The directive of a template that is a line of its own, as in `@foreach ($paths as $path)`.
fn directive(line: &[u8]) -> Option<Span> {
    const WORDS: &str = "if elseif else endif foreach endforeach for endfor unless endunless php endphp env endenv production \
        endproduction";
    let rest = line.strip_prefix(b"@")?;
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, after) = rest.split_at_checked(len)?;
    (is_one_of(word, WORDS) && matches!(after.first(), None | Some(b' ' | b'(' | b'{')))
        .then(|| Span::new(0, line.len()))
}

/// Whether a host of two labels is a word for a site under a usual domain, as in `domain.com` and `site.com`.
fn second_only(first: &[u8], second: &[u8]) -> bool {
    let nouns: [&[u8]; 6] = [b"domain", b"website", b"site", b"domaine", b"mysite", b"placeholder"];
    let domains: [&[u8]; 8] = [b"com", b"net", b"org", b"de", b"fr", b"nl", b"co", b"tld"];
    nouns.contains(&first) && domains.iter().any(|domain| second.eq_ignore_ascii_case(domain))
}

/// The host of a URL with or without a scheme, with its port, and where it begins.
fn authority(value: &[u8]) -> (&[u8], usize) {
    let start = memchr::memmem::find(value, b"://").map_or(0, |at| at + 3);
    let rest = value.get(start..).unwrap_or_default();
    (rest.split(|byte| matches!(byte, b'/' | b'?' | b'#')).next().unwrap_or_default(), start)
}

/// Whether a value is the name of a variable, as in `$BASE_URL`, `%SITE%`, `BASE_URL`, `<your-domain>`, `[SITE]` and `{host}`.
fn is_variable(value: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        name.len() > 1
            && name.first().is_some_and(u8::is_ascii_alphabetic)
            && name
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' '))
    };
    // Elements of HTML have a finding of their own.
    let is_element = |name: &[u8]| is_one_of(name, ELEMENTS);
    if value.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).is_some_and(is_element) {
        return false;
    }
    let within = |open: &[u8], close: &[u8]| {
        value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).is_some_and(is_name)
    };
    let is_constant = value.contains(&b'_')
        && value.iter().any(u8::is_ascii_uppercase)
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    let ends = ["DOMAIN", "URL", "HOST", "SITE", "AGENT", "NAME"];
    is_constant && ends.iter().any(|end| value.ends_with(end.as_bytes()))
        || value.strip_prefix(b"$").is_some_and(is_name)
        || within(b"%", b"%")
        || within(b"<", b">")
        || within(b"[", b"]") && !value.get(1..4).is_some_and(is_range)
        || within(b"{", b"}")
}

/// The brackets of a template in a value.
fn bracketed(value: &[u8], kind: ValueKind) -> Option<Span> {
    // Crawlers also find placeholders in links, and a pattern that begins with a star may be there to block these.
    if kind == ValueKind::Pattern && (value.starts_with(b"*") || value.starts_with(b"/*")) {
        return None;
    }
    BRACKETS.iter().find_map(|(open, close)| {
        // Paths may have these.
        if kind == ValueKind::Pattern
            && matches!(
                *open,
                b"$(" | b"[[" | b"@@" | b"%%" | b"__" | b"#{" | b"{#" | b"%{" | b"[%" | b"process.env."
            )
        {
            let is_whole = value.starts_with(open)
                || value.strip_prefix(b"/").is_some_and(|rest| rest.starts_with(open));
            if !is_whole {
                return None;
            }
        }
        let at = memchr::memmem::find(value, open)?;
        let rest = value.get(at + open.len()..)?;
        let len = memchr::memmem::find(rest, close)?;
        let name = rest.get(..len)?;
        // Words of a line of prose may stand in simple marks.
        let is_plain = matches!(*open, b"__" | b"@@" | b"%%" | b"[[");
        let is_lower = *open == b"__" && name.iter().any(u8::is_ascii_lowercase);
        // As in `[[+name]]` and `[[++site_url]]`.
        let marks = name.iter().take_while(|byte| matches!(byte, b'+' | b'*' | b'$' | b'!' | b'~')).count();
        let name = if *open == b"[[" { name.get(marks..).unwrap_or_default() } else { name };
        let is_name = !name.is_empty()
            && !is_lower
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        if is_plain && (!is_name || kind == ValueKind::Line) {
            return None;
        }
        // Text of Smarty is `{$name}`; `{$` also ends regular expressions.
        if *open == b"{$" && !name.first().is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        Some(Span::new(at, at + open.len() + len + close.len()))
    })
}
