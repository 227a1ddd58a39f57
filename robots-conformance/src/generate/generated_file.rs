//! Generated files, with their groups and productions; the choices that make them; and faults in them.

/// A group of a generated file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Group {
    /// The values of its user-agent lines.
    pub agents: Vec<Vec<u8>>,
    /// The rules, in order.
    pub rules: Vec<Rule>,
}

/// A rule of a generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Whether it allows access.
    pub allows: bool,
    /// The pattern.
    pub pattern: Vec<u8>,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedFile {
    /// The file.
    pub file: Vec<u8>,
    /// The groups that a reader should find.
    pub groups: Vec<Group>,
    /// The productions that were used.
    pub productions: Vec<&'static str>,
}

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

/// Returns a file with faults: bytes and pieces are inserted, removed, doubled and moved.
#[must_use]
pub fn with_faults(file: &[u8], choices: &[u8]) -> Vec<u8> {
    const PIECES: &[&[u8]] = &[
        b"",
        b"\n",
        b"\r",
        b":",
        b"#",
        b" ",
        b"\0",
        b"\x0C",
        b"\xEF\xBB\xBF",
        b"\xE3\x83",
        b"*",
        b"$",
        b"%",
        b"%2F",
        b"disallow: /\n",
        b"allow /x\n",
        b"dissalow: x\n",
        b"user-agent: *\n",
        b"useragent foo bar\n",
        b"allow: /index.html\n",
    ];
    let mut choices = Choices::new(choices);
    let mut file = file.to_vec();
    for _ in 0..choices.below(8) {
        let at = choices.position(file.len() + 1);
        let until = (at + choices.below(12)).min(file.len());
        let piece: Vec<u8> = match choices.below(4) {
            0 => vec![choices.next()],
            1 => file.get(at..until).unwrap_or_default().repeat(2),
            2 => file.split_off(at),
            _ => PIECES.get(choices.below(PIECES.len())).copied().unwrap_or_default().to_vec(),
        };
        let at = at.min(file.len());
        let end = (at + choices.below(3)).min(file.len());
        file.splice(at..end, piece);
    }
    file
}
