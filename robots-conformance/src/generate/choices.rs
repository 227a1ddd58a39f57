//! Choices, each taken from a byte of the input.

use crate::generate::generated_file::{GeneratedFile, Group, Rule};

/// The remaining choices, and what was generated from earlier ones.
#[derive(Debug, Default)]
pub(super) struct Choices<'c> {
    left: &'c [u8],
    pub(super) out: Vec<u8>,
    productions: Vec<&'static str>,
    groups: Vec<Group>,
}

impl<'c> Choices<'c> {
    pub(super) fn new(left: &'c [u8]) -> Self {
        Self { left, ..Self::default() }
    }

    pub(super) fn made(self) -> GeneratedFile {
        GeneratedFile { file: self.out, groups: self.groups, productions: self.productions }
    }

    pub(super) fn next(&mut self) -> u8 {
        let Some((next, left)) = self.left.split_first() else { return 0 };
        self.left = left;
        *next
    }

    /// Chooses one of `most` alternatives. The first is the shortest.
    pub(super) fn below(&mut self, most: usize) -> usize {
        if most < 2 { 0 } else { usize::from(self.next()) % most }
    }

    /// Chooses a position below `most`.
    pub(super) fn position(&mut self, most: usize) -> usize {
        let place = usize::from(self.next()) << 8 | usize::from(self.next());
        place % most.max(1)
    }

    /// Chooses how often a repeated part occurs: most often 0 or 1 times.
    pub(super) fn times(&mut self) -> usize {
        match self.next() {
            0..=99 => 0,
            100..=180 => 1,
            181..=230 => 2,
            231..=254 => 5,
            255 => 40,
        }
    }

    pub(super) fn any(&mut self, mut what: impl FnMut(&mut Self)) {
        for _ in 0..self.times() {
            what(self);
        }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub(super) fn used(&mut self, production: &'static str) {
        if !self.productions.contains(&production) {
            self.productions.push(production);
        }
    }

    /// Returns what `write` appends.
    pub(super) fn written(&mut self, write: impl FnOnce(&mut Self)) -> Vec<u8> {
        let start = self.out.len();
        write(self);
        self.out.get(start..).unwrap_or_default().to_vec()
    }

    /// Writes a name in mixed case.
    pub(super) fn key(&mut self, name: &str) {
        let case = self.next();
        for (index, byte) in name.bytes().enumerate() {
            let upper = case >> (index % 8) & 1 != 0;
            self.out.push(if upper { byte.to_ascii_uppercase() } else { byte });
        }
    }

    /// Writes a byte for which `is` returns true.
    pub(super) fn byte(&mut self, is: impl Fn(u8) -> bool) {
        let from = self.next();
        let byte = (0..=255).map(|step| from.wrapping_add(step)).find(|&byte| is(byte)).unwrap_or(from);
        self.out.push(byte);
    }

    pub(super) fn agent_is(&mut self, name: Vec<u8>) {
        match self.groups.last_mut() {
            // User-agent lines without a rule between them form one group, however they were derived.
            Some(group) if group.rules.is_empty() => group.agents.push(name),
            _ => self.groups.push(Group { agents: vec![name], rules: Vec::new() }),
        }
    }

    pub(super) fn rule_is(&mut self, allows: bool, pattern: Vec<u8>) {
        if let Some(group) = self.groups.last_mut() {
            group.rules.push(Rule { allows, pattern });
        }
    }
}
