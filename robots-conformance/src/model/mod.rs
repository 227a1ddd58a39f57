//! A model of RFC 9309, sections 2.2.1 to 2.2.3: short, slow, and used only in tests.
//!
//! Comments repeat the sentence that the code below implements. Unclear sentences are read as READINGS.md says.

pub mod difference;
pub mod oracle;

use robots_fetch::matching::{Form, MatchPolicy};

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineContent<'a> {
    /// A user-agent line: its value.
    UserAgent(&'a [u8]),
    /// A rule: whether it allows access, and its pattern.
    Rule(bool, &'a [u8]),
    /// Another record: key and value.
    Other(&'a [u8], &'a [u8]),
    /// Only a comment.
    Comment,
    /// A blank line.
    Blank,
    /// A line that is not valid.
    Unreadable,
}

/// Returns the lines of a file with their ends: CR, LF or CRLF.
#[must_use]
pub fn lines(file: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, byte) in file.iter().enumerate() {
        let next = file.get(at + 1);
        if *byte == b'\n' || *byte == b'\r' && next != Some(&b'\n') || next.is_none() {
            lines.extend(file.get(start..=at));
            start = at + 1;
        }
    }
    lines
}

/// Removes spaces and tabs at both ends (`*WS` in the ABNF).
fn trimmed(bytes: &[u8]) -> &[u8] {
    let counts = |byte: &u8| !matches!(byte, b' ' | b'\t');
    let Some(start) = bytes.iter().position(counts) else { return &[] };
    let end = bytes.iter().rposition(counts).unwrap_or(start);
    bytes.get(start..=end).unwrap_or_default()
}

/// Returns the content of a line, without its comment (section 2.2).
#[must_use]
pub fn line_content(line: &[u8]) -> LineContent<'_> {
    let line = line.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let content = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    if trimmed(content).is_empty() {
        return if content.len() < line.len() { LineContent::Comment } else { LineContent::Blank };
    }
    let mut parts = content.splitn(2, |&byte| byte == b':');
    let (Some(key), Some(value)) = (parts.next(), parts.next()) else { return LineContent::Unreadable };
    let (key, value) = (trimmed(key), trimmed(value));
    match &*key.to_ascii_lowercase() {
        b"user-agent" => LineContent::UserAgent(value),
        b"allow" => LineContent::Rule(true, value),
        b"disallow" => LineContent::Rule(false, value),
        b"" => LineContent::Unreadable,
        _ => LineContent::Other(key, value),
    }
}

/// Returns whether the ABNF (section 2.2) derives a line with its end, or the line is an "other record" with any key.
#[must_use]
pub fn is_derived(line: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(line) else { return false };
    let Some(text) = text.strip_suffix("\r\n").or(text.strip_suffix('\n')).or(text.strip_suffix('\r')) else {
        return false;
    };
    if text.chars().any(|char| char < ' ' && char != '\t') {
        return false;
    }
    let holds_blank = |value: &[u8]| value.contains(&b' ') || value.contains(&b'\t');
    match line_content(line) {
        LineContent::UserAgent(name) => name == b"*" || !name.is_empty() && name.iter().all(is_of_token),
        LineContent::Rule(_, pattern) => {
            pattern.is_empty() || pattern.starts_with(b"/") && !holds_blank(pattern)
        }
        LineContent::Other(..) | LineContent::Comment | LineContent::Blank => true,
        LineContent::Unreadable => false,
    }
}

/// A product token consists only of letters, `_` and `-`.
fn is_of_token(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

/// A rule of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// The line, from 1.
    pub line: usize,
    /// Whether it allows access.
    pub allows: bool,
    /// The pattern, as written.
    pub pattern: &'a [u8],
}

/// A group of a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Group<'a> {
    /// The values of its user-agent lines.
    pub agents: Vec<&'a [u8]>,
    /// The rules, in the order of the file.
    pub rules: Vec<Rule<'a>>,
}

/// Returns the groups of a file: user-agent lines, followed by rules. Rules before the first group have no effect.
#[must_use]
pub fn groups(file: &[u8]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (index, line) in lines(file).into_iter().enumerate() {
        match line_content(line) {
            LineContent::UserAgent(name) => match groups.last_mut() {
                Some(group) if group.rules.is_empty() => group.agents.push(name),
                _ => groups.push(Group { agents: vec![name], rules: Vec::new() }),
            },
            LineContent::Rule(allows, pattern) => {
                if let Some(group) = groups.last_mut() {
                    group.rules.push(Rule { line: index + 1, allows, pattern });
                }
            }
            _ => {}
        }
    }
    groups
}

/// Returns the rules for a crawler; `None` if no group applies.
#[must_use]
pub fn rules<'a>(file: &'a [u8], token: &str) -> Option<Vec<Rule<'a>>> {
    let groups = groups(file);
    // Names are compared without regard to case, up to a byte that cannot continue a name.
    let names = |value: &[u8]| {
        let (name, rest) = value.split_at(value.len().min(token.len()));
        let continues = |byte: &u8| is_of_token(byte) || byte.is_ascii_digit() || *byte == b'.';
        name.eq_ignore_ascii_case(token.as_bytes()) && !rest.first().is_some_and(continues)
    };
    let is_named = |group: &&Group<'_>| group.agents.iter().any(|value| names(value));
    // If no group matches the token, the group of `*` applies, if there is one.
    let is_general = |group: &&Group<'_>| group.agents.contains(&&b"*"[..]);
    let mut obeyed: Vec<&Group<'_>> = groups.iter().filter(is_named).collect();
    if obeyed.is_empty() {
        obeyed = groups.iter().filter(is_general).collect();
    }
    // If there is neither, no rules apply.
    if obeyed.is_empty() {
        return None;
    }
    // The rules of several matching groups are combined.
    Some(obeyed.into_iter().flat_map(|group| group.rules.clone()).collect())
}

/// Returns whether a crawler may access a path, and the line of the rule that decided, if any.
#[must_use]
pub fn verdict(file: &[u8], token: &str, path: &[u8]) -> (bool, Option<usize>) {
    // No client requests anything for an empty text.
    if path.is_empty() {
        return (false, None);
    }
    let path = oracle::path_in(Form::Normal, path);
    // The robots.txt itself is always allowed.
    if path == b"/robots.txt" {
        return (true, None);
    }
    struct Best {
        len: usize,
        allows: bool,
        line: usize,
    }
    let mut best: Option<Best> = None;
    for Rule { line, allows, pattern } in rules(file, token).unwrap_or_default() {
        // An empty pattern matches nothing.
        if pattern.is_empty() {
            continue;
        }
        let pattern = oracle::pattern_in(Form::Normal, true, pattern);
        // Bytes are compared from the first one, with regard to case, after both sides are percent-encoded in the same
        // way.
        if oracle::applies(&pattern, &path, &MatchPolicy::RFC9309) {
            // The match with the most bytes is used; of two such, the one that allows; of equal rules, the first.
            let pattern = oracle::reserved_decoded(&pattern, true);
            let prevails = best.as_ref().is_none_or(|best| {
                pattern.len() > best.len || pattern.len() == best.len && allows && !best.allows
            });
            if prevails {
                best = Some(Best { len: pattern.len(), allows, line });
            }
        }
    }
    // If no rule matches, or without rules, access is allowed.
    best.map_or((true, None), |best| (best.allows, Some(best.line)))
}
