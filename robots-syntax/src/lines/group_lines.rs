//! The lines of which groups are made, without the others.

use core::iter::FusedIterator;

use super::reader::{Lines, initial, short};
use super::split::{behind_line, trim_start};
use crate::line::{Effect, Line, Record, Rule};
use crate::policy::WhiteSpace;
use crate::span::Field;
use crate::spelling::Key;

/// A line of which groups are made.
// One shape for all: where it differed, what is found would go through memory on its way to who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupLine<'a> {
    /// What kind of line it is.
    pub kind: GroupLineKind,
    /// The name of a crawler, or the path pattern of a rule; empty for a blank line.
    pub value: Field<'a>,
    number: u32,
}

/// The kinds of lines of which groups are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum GroupLineKind {
    /// `startgroupline`: a group for a crawler.
    UserAgent,
    /// `rule`: an "allow" or "disallow" line.
    Rule(Effect),
    /// Nothing, which ends a group for some readers.
    Blank,
}

impl<'a> GroupLine<'a> {
    /// The same of a line, if groups are made of such.
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

    const fn blank(number: u32) -> Self {
        Self { kind: GroupLineKind::Blank, value: Field::at(&[], 0), number }
    }

    /// The rule, if it is one.
    #[must_use]
    #[inline]
    pub const fn rule(&self) -> Option<Rule<'a>> {
        match self.kind {
            GroupLineKind::Rule(effect) => Some(Rule::at(effect, self.value, self.number)),
            GroupLineKind::UserAgent | GroupLineKind::Blank => None,
        }
    }
}

/// An iterator over the lines of which groups are made; see [`Lines::of_groups`].
#[derive(Clone, Debug)]
pub struct GroupLines<'a> {
    lines: Lines<'a>,
}

impl<'a> Lines<'a> {
    /// The lines of which groups are made: those with a key that is known, and blank ones.
    ///
    /// Faster than picking them from all lines, for nothing is found out about the others.
    ///
    /// ```
    /// use robots_syntax::{Policy, lines};
    ///
    /// let file = b"User-agent: *\nCrawl-delay: 5\n# a comment\nDisallow: /a\n";
    /// let mut of_groups = lines(file, &Policy::RFC9309).of_groups();
    /// assert_eq!(of_groups.next().unwrap().value.octets(), b"*");
    /// assert_eq!(of_groups.next().unwrap().rule().unwrap().line(), 4);
    /// ```
    #[must_use]
    pub const fn of_groups(self) -> GroupLines<'a> {
        GroupLines { lines: self }
    }

    /// The next line, if groups are made of such; for one that does not simply begin with its key.
    #[inline(never)]
    fn unusual(&mut self) -> Option<GroupLine<'a>> {
        let (content, behind) = self.content();
        let record = self.record(content);
        self.advance(behind);
        GroupLine::of_record(&record, self.number)
    }
}

impl<'a> Iterator for GroupLines<'a> {
    type Item = GroupLine<'a>;

    // Inlined, or else what is found goes through memory on its way out, which takes as long as finding it.
    #[inline(always)]
    fn next(&mut self) -> Option<GroupLine<'a>> {
        let lines = &mut self.lines;
        loop {
            if let Some(plain) = lines.plain() {
                let kind = match plain.known {
                    Key::Disallow => GroupLineKind::Rule(Effect::Disallow),
                    Key::Allow => GroupLineKind::Rule(Effect::Allow),
                    Key::UserAgent => GroupLineKind::UserAgent,
                    Key::Sitemap => continue,
                };
                return Some(GroupLine { kind, value: plain.value, number: lines.number });
            }
            let mut indented = lines.rest;
            // What is no robots.txt is often indented deeply.
            while let Some((b"        ", rest)) = indented.split_first_chunk() {
                indented = rest;
            }
            indented = trim_start(indented, WhiteSpace::Blank);
            match indented.first() {
                _ if lines.rest.is_empty() => return None,
                // What stands behind so many blanks may not be read.
                _ if lines.initials == 0 || lines.rest.len() - indented.len() >= lines.max_line => {}
                Some(b'\n') => {
                    lines.advance(indented);
                    return Some(GroupLine::blank(lines.number));
                }
                // A line that begins with none of these has another key, or is a comment.
                Some(&first) if first > b' ' && initial(first) & lines.initials == 0 => {
                    lines.advance(behind_line(lines.rest));
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
    use crate::lines::lines;
    use crate::policy::Policy;
    use alloc::vec::Vec;

    #[test]
    fn lines_of_groups_give_their_rules() {
        let mut of_groups = lines(b"allow: /a\nuser-agent: b\n", &Policy::RFC9309).of_groups();
        let rule = of_groups.next().unwrap().rule().unwrap();
        assert_eq!((rule.effect, rule.pattern.octets(), rule.line()), (Effect::Allow, &b"/a"[..], 1));
        assert!(of_groups.next().unwrap().rule().is_none());
    }

    #[test]
    fn lines_of_groups_are_those_of_all_lines() {
        let file =
            b"\xEF\xBB\xBFuser-agent:a\r\n\r\n#\nallow :/a\n\tDISALLOW: /b # c\nzzz:/\nallow\nsitemap:x\n \r\
            disallow /c\n             #\n             z:\n             \ndisalow:/d\nuser agent: b\nuser\0agent:c\n\0\nAllow:\n<a>\nallow:/e\n \t";
        // With a NUL that ends its line, every line is looked at closely.
        let without_nul: Vec<u8> = file.iter().copied().filter(|octet| *octet != 0).collect();
        for mut policy in [Policy::RFC9309, Policy::GOOGLE, Policy::KOSTER_1996] {
            for (file, max_line) in [&file[..], &without_nul]
                .into_iter()
                .flat_map(|file| [None, Some(9), Some(12)].map(|max| (file, max)))
            {
                policy.max_line = max_line;
                let all = lines(file, &policy).filter_map(|line| GroupLine::of(&line));
                assert_eq!(all.collect::<Vec<_>>(), lines(file, &policy).of_groups().collect::<Vec<_>>());
                for line in lines(file, &policy) {
                    let Record::Rule(rule) = line.record else { continue };
                    assert_eq!(rule.line(), line.number);
                }
            }
        }
    }
}
