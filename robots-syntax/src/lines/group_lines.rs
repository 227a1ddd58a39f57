//! The lines that form groups, without the other lines of a file.
//!
//! These types are public for the crates above, which build groups from them, and hidden from the documentation.

use core::iter::FusedIterator;

use super::initials::{bit, first_agent_line};
use super::reader::{Lines, Plain};
use super::split::{after_content, after_end, trim_indent, trim_start};
use crate::line::{Effect, Line, Record, Rule};
use crate::policy::WhiteSpace;
use crate::span::{Field, short};
use crate::spelling::Key;

/// A line that forms groups.
// A struct of one shape instead of an enum: enums of several shapes are returned through memory, which takes as long as
// reading the line.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupLine<'a> {
    /// The kind of line.
    pub kind: GroupLineKind,
    /// The name of a crawler or the path pattern of a rule; empty for a blank line.
    pub value: Field<'a>,
    number: u32,
}

/// The kinds of lines that form groups.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum GroupLineKind {
    /// `startgroupline`: a group for a crawler.
    UserAgent,
    /// `rule`: an "allow" or "disallow" line.
    Rule(Effect),
    /// A blank line, which ends a group under some policies.
    Blank,
}

impl<'a> GroupLine<'a> {
    /// Converts a line, if lines of its kind form groups.
    #[must_use]
    pub const fn of(line: &Line<'a>) -> Option<Self> {
        Self::of_record(&line.record, short(line.number))
    }

    const fn of_record(record: &Record<'a>, number: u32) -> Option<Self> {
        match *record {
            Record::UserAgent(value) => Some(Self { kind: GroupLineKind::UserAgent, value, number }),
            Record::Rule(rule) => {
                Some(Self { kind: GroupLineKind::Rule(rule.effect), value: rule.pattern, number })
            }
            Record::Blank => Some(Self::blank(number)),
            Record::Other { .. } | Record::Comment | Record::Unreadable => None,
        }
    }

    #[inline]
    const fn of_plain(plain: &Plain<'a>, number: u32) -> Option<Self> {
        let kind = match plain.known {
            Key::Disallow => GroupLineKind::Rule(Effect::Disallow),
            Key::Allow => GroupLineKind::Rule(Effect::Allow),
            Key::UserAgent => GroupLineKind::UserAgent,
            Key::Sitemap => return None,
        };
        Some(Self { kind, value: plain.value, number })
    }

    const fn blank(number: u32) -> Self {
        Self { kind: GroupLineKind::Blank, value: Field::at(&[], 0), number }
    }

    /// Returns the rule, if the line is a rule.
    #[must_use]
    #[inline]
    pub const fn rule(&self) -> Option<Rule<'a>> {
        match self.kind {
            GroupLineKind::Rule(effect) => Some(Rule::at(effect, self.value, self.number)),
            GroupLineKind::UserAgent | GroupLineKind::Blank => None,
        }
    }
}

/// An iterator over the lines that form groups; see [`Lines::of_groups`].
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct GroupLines<'a> {
    lines: Lines<'a>,
}

impl<'a> GroupLines<'a> {
    /// Returns the next `user-agent` line.
    ///
    /// Faster than [`Iterator::next`] until there is one, because most rules are skipped unparsed.
    #[must_use]
    pub fn next_user_agent(&mut self) -> Option<GroupLine<'a>> {
        loop {
            let lines = &mut self.lines;
            if lines.initials != 0 {
                let (start, skipped) = first_agent_line(lines.rest).unwrap_or((lines.rest.len(), 0));
                lines.skip(lines.rest.get(start..).unwrap_or_default(), skipped);
            }
            if lines.rest.is_empty() {
                return None;
            }
            let line = match lines.plain() {
                Some(plain) => GroupLine::of_plain(&plain, lines.number),
                None => lines.unusual(),
            };
            if line.is_some_and(|line| line.kind == GroupLineKind::UserAgent) {
                return line;
            }
        }
    }

    /// Returns the next line. Rules for which `matters` is false may be left out: they are skipped unparsed.
    ///
    /// `matters` gets the effect of a rule and the first eight bytes of its value and what follows. Where these have a line end
    /// or a `#`, the value ends.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn next_that(&mut self, matters: impl Fn(Effect, &[u8; 8]) -> bool) -> Option<GroupLine<'a>> {
        let lines = &mut self.lines;
        let (mut rest, mut skipped) = (lines.rest, 0);
        let key = loop {
            let key = lines.known_key(rest);
            let Some((spelling, after)) = key else { break key };
            let effect = match spelling.key {
                Key::Disallow => Effect::Disallow,
                Key::Allow => Effect::Allow,
                Key::UserAgent | Key::Sitemap => break key,
            };
            let value = trim_start(after, WhiteSpace::SpaceAndTab);
            // The line limit cuts no byte of the start.
            let is_whole = rest.len() - value.len() + size_of::<[u8; 8]>() <= lines.max_line;
            if !is_whole || value.first_chunk().is_none_or(|start| matters(effect, start)) {
                break key;
            }
            rest = after_end(after_content(value));
            skipped += 1;
        };
        lines.skip(rest, skipped);
        let plain = key.and_then(|(spelling, after)| lines.plain_after(spelling, after));
        plain.and_then(|plain| GroupLine::of_plain(&plain, lines.number)).or_else(|| self.next())
    }
}

impl<'a> Lines<'a> {
    /// Restricts the iterator to the lines that form groups: `user-agent` lines, rules and blank lines.
    ///
    /// Faster than a filter over all lines, because other lines are skipped unparsed.
    ///
    /// ```
    /// use robots_syntax::{Lines, SyntaxPolicy};
    ///
    /// let file = b"User-agent: *\nCrawl-delay: 5\n# a comment\nDisallow: /a\n";
    /// let mut of_groups = Lines::new(file, &SyntaxPolicy::RFC9309).of_groups();
    /// assert_eq!(of_groups.next().unwrap().value.bytes(), b"*");
    /// assert_eq!(of_groups.next().unwrap().rule().unwrap().line(), 4);
    /// ```
    #[must_use]
    #[doc(hidden)]
    pub const fn of_groups(self) -> GroupLines<'a> {
        GroupLines { lines: self }
    }

    /// Reads the next line the slow way, and returns the line if it forms groups.
    #[inline(never)]
    fn unusual(&mut self) -> Option<GroupLine<'a>> {
        let (content, after) = self.content();
        let record = self.record(content);
        self.advance(after);
        GroupLine::of_record(&record, self.number)
    }
}

impl<'a> Iterator for GroupLines<'a> {
    type Item = GroupLine<'a>;

    // Inlined because returning the line through memory would take as long as reading it.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<GroupLine<'a>> {
        let lines = &mut self.lines;
        loop {
            if let Some(plain) = lines.plain() {
                match GroupLine::of_plain(&plain, lines.number) {
                    Some(line) => return Some(line),
                    None => continue,
                }
            }
            let indented = trim_indent(lines.rest, WhiteSpace::SpaceAndTab);
            match indented.first() {
                _ if lines.rest.is_empty() => return None,
                // The content after these spaces may be past the line limit.
                _ if lines.initials == 0 || lines.rest.len() - indented.len() >= lines.max_line => {}
                Some(b'\n') => {
                    lines.advance(indented);
                    return Some(GroupLine::blank(lines.number));
                }
                // A line with another first letter has an unknown key or is a comment.
                Some(&first) if first > b' ' && bit(first) & lines.initials == 0 => {
                    lines.advance(after_content(lines.rest));
                    continue;
                }
                _ => {}
            }
            if let Some(line) = lines.unusual() {
                return Some(line);
            }
        }
    }
}

impl FusedIterator for GroupLines<'_> {}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use crate::policy::SyntaxPolicy;
    use alloc::string::String;
    use alloc::vec::Vec;

    #[test]
    fn lines_of_groups_give_their_rules() {
        let mut of_groups = Lines::new(b"allow: /a\nuser-agent: b\n", &SyntaxPolicy::RFC9309).of_groups();
        let rule = of_groups.next().unwrap().rule().unwrap();
        assert_eq!((rule.effect, rule.pattern.bytes(), rule.line()), (Effect::Allow, &b"/a"[..], 1));
        assert!(of_groups.next().unwrap().rule().is_none());
    }

    #[test]
    fn lines_of_groups_agree_with_all_lines() {
        // Each with a `user-agent` line after it, with white space of several lengths before it.
        let before =
            ["#\r\n", "\r", "   \n", "crawl-delay: 1 # user-agent: b\n", "unknown:\n", "\x0C\n", "\u{FEFF}"];
        let indents =
            ["", " ", "\t", "       ", "        ", " \t \t \t \t \t", "\x0B ", "         \x0C", "\0"];
        let mut indented = String::new();
        for (at, before) in before.iter().enumerate() {
            for indent in indents {
                indented += &alloc::format!(
                    "{before}{indent}User-Agent: {at}\r\n{indent}disallow: /a\n\
                     disallow:{indent}/b # c\nDisallow: /b\nallow: /a\ndisallow: /{at}\n"
                );
            }
        }
        let file =
            b"\xEF\xBB\xBFuser-agent:a\r\n\r\n#\nallow :/a\n\tDISALLOW: /b # c\nzzz:/\nallow\nsitemap:x\n \r\
            disallow /c\n             #\n             z:\n             \ndisalow:/d\nuser agent: b\nuser\0agent:c\n\0\nAllow:\n<a>\nallow:/e\n \t";
        // With a NUL that ends its line, every line is looked at closely.
        let without_nul: Vec<u8> = file.iter().copied().filter(|byte| *byte != 0).collect();
        let indented_without_nul = indented.replace('\0', "");
        for mut policy in [SyntaxPolicy::RFC9309, SyntaxPolicy::GOOGLE, SyntaxPolicy::KOSTER_1996] {
            for (file, max_line) in
                [&file[..], &without_nul, indented.as_bytes(), indented_without_nul.as_bytes()]
                    .into_iter()
                    .flat_map(|file| [None, Some(9), Some(12)].map(|max| (file, max)))
            {
                policy.max_line = max_line;
                let all = Lines::new(file, &policy).filter_map(|line| GroupLine::of(&line));
                assert_eq!(
                    all.collect::<Vec<_>>(),
                    Lines::new(file, &policy).of_groups().collect::<Vec<_>>()
                );
                let agents = Lines::new(file, &policy)
                    .of_groups()
                    .filter(|line| line.kind == GroupLineKind::UserAgent);
                let mut of_groups = Lines::new(file, &policy).of_groups();
                let next_agents: Vec<_> = core::iter::from_fn(|| of_groups.next_user_agent()).collect();
                assert_eq!(next_agents, agents.collect::<Vec<_>>());
                // Only rules may be left out, and only those whose value begins with `/a` or `/b`.
                let is_other = |start: &[u8]| matches!(start, [b'/', b'a'..=b'b', ..]);
                let is_kept = |line: &GroupLine<'_>| {
                    !matches!(line.kind, GroupLineKind::Rule(Effect::Disallow))
                        || !is_other(line.value.bytes())
                };
                let kept = Lines::new(file, &policy).of_groups().filter(is_kept);
                let mut of_groups = Lines::new(file, &policy).of_groups();
                let matters = |effect, start: &[u8; 8]| effect == Effect::Allow || !is_other(start);
                let next_kept: Vec<_> =
                    core::iter::from_fn(|| of_groups.next_that(matters)).filter(is_kept).collect();
                assert_eq!(next_kept, kept.collect::<Vec<_>>());
                for line in Lines::new(file, &policy) {
                    let Record::Rule(rule) = line.record else { continue };
                    assert_eq!(rule.line(), line.number);
                }
            }
        }
    }
}
