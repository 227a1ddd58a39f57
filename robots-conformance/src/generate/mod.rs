//! Files made from the grammars, one function for each production, and files that were made wrong.
//!
//! Every choice is an octet of the input, and where there are no more, the shortest alternative is taken: so a
//! generated test that fails shrinks to the shortest file, and a fuzzer finds its way through the grammar.

/// Choices to be made, and what they came to.
#[derive(Debug, Default)]
pub struct Choices<'c> {
    left: &'c [u8],
    out: Vec<u8>,
    taken: Vec<&'static str>,
    groups: Vec<Group>,
}

/// A group as it was meant.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Group {
    /// The values of its user-agent lines.
    pub agents: Vec<Vec<u8>>,
    /// Its rules: whether it allows, and the pattern.
    pub rules: Vec<(bool, Vec<u8>)>,
}

/// A file, and what it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// Its octets.
    pub file: Vec<u8>,
    /// The groups that were meant.
    pub groups: Vec<Group>,
    /// The productions that were taken.
    pub taken: Vec<&'static str>,
}

/// The productions of RFC 9309, section 2.2, with the other records it invites.
pub const OF_RFC9309: &[&str] = &[
    "robotstxt",
    "group",
    "startgroupline",
    "rule",
    "otherrecord",
    "product-token",
    "path-pattern",
    "empty-pattern",
    "identifier",
    "comment",
    "emptyline",
    "EOL",
    "NL",
    "WS",
    "UTF8-char-noctl",
    "UTF8-1-noctl",
    "UTF8-2",
    "UTF8-3",
    "UTF8-4",
    "UTF8-tail",
];

/// The productions of the draft of 1996, section 3.3, those of single octets left away.
pub const OF_1996: &[&str] = &[
    "robotstxt",
    "blankcomment",
    "commentblank",
    "blank",
    "record",
    "agentline",
    "ruleline",
    "disallowline",
    "allowline",
    "commentline",
    "comment",
    "space",
    "rpath",
    "path",
    "fsegment",
    "segment",
    "pchar",
    "escape",
    "token",
];

/// A file that conforms to RFC 9309.
#[must_use]
pub fn rfc9309(choices: &[u8]) -> Made {
    let mut choices = Choices { left: choices, ..Choices::default() };
    choices.robotstxt();
    choices.made()
}

/// A file that conforms to the draft of 1996.
#[must_use]
pub fn koster1996(choices: &[u8]) -> Made {
    let mut choices = Choices { left: choices, ..Choices::default() };
    choices.robotstxt_1996();
    choices.made()
}

/// A file with faults: octets and pieces put in, taken away, doubled and moved.
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
    let mut choices = Choices { left: choices, ..Choices::default() };
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

impl Choices<'_> {
    fn made(self) -> Made {
        Made { file: self.out, groups: self.groups, taken: self.taken }
    }

    fn next(&mut self) -> u8 {
        let Some((next, left)) = self.left.split_first() else { return 0 };
        self.left = left;
        *next
    }

    /// One of `most` alternatives, the first of which is the shortest.
    fn below(&mut self, most: usize) -> usize {
        if most < 2 { 0 } else { usize::from(self.next()) % most }
    }

    /// A place among `most`.
    fn position(&mut self, most: usize) -> usize {
        let place = usize::from(self.next()) << 8 | usize::from(self.next());
        place % most.max(1)
    }

    /// How often something stands that may stand any number of times: seldom often.
    fn times(&mut self) -> usize {
        match self.next() {
            0..=99 => 0,
            100..=180 => 1,
            181..=230 => 2,
            231..=254 => 5,
            255 => 40,
        }
    }

    fn any(&mut self, mut what: impl FnMut(&mut Self)) {
        for _ in 0..self.times() {
            what(self);
        }
    }

    fn put(&mut self, octets: &[u8]) {
        self.out.extend_from_slice(octets);
    }

    fn take(&mut self, production: &'static str) {
        if !self.taken.contains(&production) {
            self.taken.push(production);
        }
    }

    /// What `write` writes.
    fn written(&mut self, write: impl FnOnce(&mut Self)) -> Vec<u8> {
        let start = self.out.len();
        write(self);
        self.out.get(start..).unwrap_or_default().to_vec()
    }

    /// A name in any case.
    fn key(&mut self, name: &str) {
        let case = self.next();
        for (index, octet) in name.bytes().enumerate() {
            let upper = case >> (index % 8) & 1 != 0;
            self.out.push(if upper { octet.to_ascii_uppercase() } else { octet });
        }
    }

    /// An octet of which `is` is true.
    fn octet(&mut self, is: impl Fn(u8) -> bool) {
        let from = self.next();
        let octet = (0..=255).map(|step| from.wrapping_add(step)).find(|&octet| is(octet)).unwrap_or(from);
        self.out.push(octet);
    }

    fn agent_is(&mut self, name: Vec<u8>) {
        match self.groups.last_mut() {
            // Lines of user agents between which no rule stands are of one group, however they were derived.
            Some(group) if group.rules.is_empty() => group.agents.push(name),
            _ => self.groups.push(Group { agents: vec![name], rules: Vec::new() }),
        }
    }

    fn rule_is(&mut self, allows: bool, pattern: Vec<u8>) {
        if let Some(group) = self.groups.last_mut() {
            group.rules.push((allows, pattern));
        }
    }
}

/// RFC 9309, section 2.2.
impl Choices<'_> {
    // robotstxt = *(group / emptyline)
    fn robotstxt(&mut self) {
        self.take("robotstxt");
        let mut pieces = self.below(12);
        while pieces > 0 {
            match self.below(4) {
                0 => self.emptyline(),
                1 => self.otherrecord(),
                _ => self.group(),
            }
            pieces -= 1;
        }
    }

    // group = startgroupline *(startgroupline / emptyline) *(rule / emptyline)
    fn group(&mut self) {
        self.take("group");
        self.startgroupline();
        self.any(|choices| match choices.below(3) {
            0 => choices.emptyline(),
            1 => choices.startgroupline(),
            _ => choices.otherrecord(),
        });
        for _ in 0..self.below(6) {
            match self.below(6) {
                0 => self.emptyline(),
                1 => self.otherrecord(),
                _ => self.rule(),
            }
        }
    }

    // startgroupline = *WS "user-agent" *WS ":" *WS product-token EOL
    fn startgroupline(&mut self) {
        self.take("startgroupline");
        self.any(Self::ws);
        self.key("user-agent");
        self.any(Self::ws);
        self.put(b":");
        self.any(Self::ws);
        let name = self.written(Self::product_token);
        self.agent_is(name);
        self.eol();
    }

    // rule = *WS ("allow" / "disallow") *WS ":" *WS (path-pattern / empty-pattern) EOL
    fn rule(&mut self) {
        self.take("rule");
        self.any(Self::ws);
        let allows = self.below(2) == 1;
        self.key(if allows { "allow" } else { "disallow" });
        self.any(Self::ws);
        self.put(b":");
        self.any(Self::ws);
        let pattern = match self.below(5) {
            0 => {
                self.empty_pattern();
                Vec::new()
            }
            _ => self.written(Self::path_pattern),
        };
        self.rule_is(allows, pattern);
        self.eol();
    }

    // Any other key, and any characters and white space behind its colon.
    fn otherrecord(&mut self) {
        self.take("otherrecord");
        self.any(Self::ws);
        match self.below(5) {
            0 => self.key("sitemap"),
            1 => self.key("crawl-delay"),
            2 => self.key("disallowed"),
            3 => self.key("user agent"),
            _ => {
                self.put(b"!");
                self.any(|choices| {
                    let start = choices.out.len();
                    choices.utf8_char_noctl();
                    if choices.out.get(start..) == Some(b":") {
                        choices.out.pop();
                    }
                });
            }
        }
        self.any(Self::ws);
        self.put(b":");
        self.any(|choices| if choices.below(3) == 0 { choices.ws() } else { choices.utf8_char_noctl() });
        self.eol();
    }

    // product-token = identifier / "*"
    fn product_token(&mut self) {
        self.take("product-token");
        if self.below(3) == 0 { self.put(b"*") } else { self.identifier() }
    }

    // path-pattern = "/" *UTF8-char-noctl
    fn path_pattern(&mut self) {
        self.take("path-pattern");
        self.put(b"/");
        for _ in 0..self.below(4) {
            match self.below(8) {
                0 => self.put(b"*"),
                1 => self.put(b"$"),
                2 => {
                    self.put(b"%");
                    self.octet(|octet| octet.is_ascii_hexdigit());
                    self.octet(|octet| octet.is_ascii_hexdigit());
                }
                3 => self.put(b"?"),
                4 => self.put(b"a/"),
                5 => self.put(b"b"),
                _ => self.utf8_char_noctl(),
            }
        }
    }

    // empty-pattern = *WS
    fn empty_pattern(&mut self) {
        self.take("empty-pattern");
        self.any(Self::ws);
    }

    // identifier = 1*(%x2D / %x41-5A / %x5F / %x61-7A)
    fn identifier(&mut self) {
        self.take("identifier");
        let known = ["foo", "bar", "FooBot", "a_b-c"];
        match known.get(self.below(known.len() + 1)) {
            Some(name) => self.put(name.as_bytes()),
            None => {
                let letter = |octet: u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
                self.octet(letter);
                self.any(|choices| choices.octet(letter));
            }
        }
    }

    // comment = "#" *(UTF8-char-noctl / WS / "#")
    fn comment(&mut self) {
        self.take("comment");
        self.put(b"#");
        self.any(|choices| match choices.below(3) {
            0 => choices.ws(),
            1 => choices.put(b"#"),
            _ => choices.utf8_char_noctl(),
        });
    }

    // emptyline = EOL
    fn emptyline(&mut self) {
        self.take("emptyline");
        self.eol();
    }

    // EOL = *WS [comment] NL
    fn eol(&mut self) {
        self.take("EOL");
        self.any(Self::ws);
        if self.below(4) == 1 {
            self.comment();
        }
        self.nl();
    }

    // NL = %x0D / %x0A / %x0D.0A
    fn nl(&mut self) {
        self.take("NL");
        match self.below(4) {
            2 => self.put(b"\r"),
            3 => self.put(b"\r\n"),
            _ => self.put(b"\n"),
        }
    }

    // WS = %x20 / %x09
    fn ws(&mut self) {
        self.take("WS");
        if self.below(2) == 0 { self.put(b" ") } else { self.put(b"\t") }
    }

    // UTF8-char-noctl = UTF8-1-noctl / UTF8-2 / UTF8-3 / UTF8-4
    fn utf8_char_noctl(&mut self) {
        self.take("UTF8-char-noctl");
        match self.below(8) {
            5 => self.utf8_2(),
            6 => self.utf8_3(),
            7 => self.utf8_4(),
            _ => self.utf8_1_noctl(),
        }
    }

    // UTF8-1-noctl = %x21 / %x22 / %x24-7F
    fn utf8_1_noctl(&mut self) {
        self.take("UTF8-1-noctl");
        self.octet(|octet| matches!(octet, 0x21 | 0x22 | 0x24..=0x7F));
    }

    // UTF8-2 = %xC2-DF UTF8-tail
    fn utf8_2(&mut self) {
        self.take("UTF8-2");
        self.octet(|octet| matches!(octet, 0xC2..=0xDF));
        self.utf8_tail();
    }

    // UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2UTF8-tail / %xED %x80-9F UTF8-tail / %xEE-EF 2UTF8-tail
    fn utf8_3(&mut self) {
        self.take("UTF8-3");
        match self.below(4) {
            0 => {
                self.put(b"\xE0");
                self.octet(|octet| matches!(octet, 0xA0..=0xBF));
            }
            1 => {
                self.octet(|octet| matches!(octet, 0xE1..=0xEC));
                self.utf8_tail();
            }
            2 => {
                self.put(b"\xED");
                self.octet(|octet| matches!(octet, 0x80..=0x9F));
            }
            _ => {
                self.octet(|octet| matches!(octet, 0xEE..=0xEF));
                self.utf8_tail();
            }
        }
        self.utf8_tail();
    }

    // UTF8-4 = %xF0 %x90-BF 2UTF8-tail / %xF1-F3 3UTF8-tail / %xF4 %x80-8F 2UTF8-tail
    fn utf8_4(&mut self) {
        self.take("UTF8-4");
        match self.below(3) {
            0 => {
                self.put(b"\xF0");
                self.octet(|octet| matches!(octet, 0x90..=0xBF));
            }
            1 => {
                self.octet(|octet| matches!(octet, 0xF1..=0xF3));
                self.utf8_tail();
            }
            _ => {
                self.put(b"\xF4");
                self.octet(|octet| matches!(octet, 0x80..=0x8F));
            }
        }
        self.utf8_tail();
        self.utf8_tail();
    }

    // UTF8-tail = %x80-BF
    fn utf8_tail(&mut self) {
        self.take("UTF8-tail");
        self.octet(|octet| matches!(octet, 0x80..=0xBF));
    }
}

/// The draft of 1996, section 3.3, read as `robots_syntax`'s grammar says.
impl Choices<'_> {
    // robotstxt = *blankcomment | *blankcomment record *( 1*commentblank 1*record ) *blankcomment
    fn robotstxt_1996(&mut self) {
        self.take("robotstxt");
        self.any(Self::blankcomment);
        if self.below(4) == 0 {
            return;
        }
        self.record();
        self.any(|choices| {
            choices.commentblank();
            choices.any(Self::commentblank);
            choices.record();
        });
        self.any(Self::blankcomment);
    }

    // blankcomment = 1*(blank | commentline)
    fn blankcomment(&mut self) {
        self.take("blankcomment");
        self.blank();
        self.any(|choices| if choices.below(2) == 0 { choices.blank() } else { choices.commentline() });
    }

    // commentblank = *commentline blank *(blankcomment)
    fn commentblank(&mut self) {
        self.take("commentblank");
        self.any(Self::commentline);
        self.blank();
        self.any(Self::blankcomment);
    }

    // blank = *space CRLF
    fn blank(&mut self) {
        self.take("blank");
        self.any(Self::space);
        self.put(b"\r\n");
    }

    // record = *commentline agentline *(commentline | agentline) 1*ruleline *(commentline | ruleline)
    fn record(&mut self) {
        self.take("record");
        self.any(Self::commentline);
        self.agentline();
        self.any(|choices| if choices.below(2) == 0 { choices.commentline() } else { choices.agentline() });
        self.ruleline();
        self.any(|choices| if choices.below(3) == 0 { choices.commentline() } else { choices.ruleline() });
    }

    // agentline = "User-agent:" *space agent *space [comment] CRLF
    fn agentline(&mut self) {
        self.take("agentline");
        self.key("User-agent:");
        self.any(Self::space);
        let name = self.written(Self::token);
        self.agent_is(name);
        self.end_1996();
    }

    // ruleline = (disallowline | allowline)
    fn ruleline(&mut self) {
        self.take("ruleline");
        if self.below(2) == 0 { self.disallowline() } else { self.allowline() }
    }

    // disallowline = "Disallow:" *space path *space [comment] CRLF, with an rpath as well
    fn disallowline(&mut self) {
        self.take("disallowline");
        self.key("Disallow:");
        self.any(Self::space);
        let is_rooted = self.below(4) != 1;
        let pattern = self.written(if is_rooted { Self::rpath } else { Self::path });
        self.rule_is(false, pattern);
        self.end_1996();
    }

    // allowline = "Allow:" *space rpath *space [comment] CRLF
    fn allowline(&mut self) {
        self.take("allowline");
        self.key("Allow:");
        self.any(Self::space);
        let pattern = self.written(Self::rpath);
        self.rule_is(true, pattern);
        self.end_1996();
    }

    fn end_1996(&mut self) {
        self.any(Self::space);
        if self.below(4) == 1 {
            self.comment_1996();
        }
        self.put(b"\r\n");
    }

    // commentline = comment CRLF
    fn commentline(&mut self) {
        self.take("commentline");
        self.comment_1996();
        self.put(b"\r\n");
    }

    // comment = "#" anychar, up to the end of the line
    fn comment_1996(&mut self) {
        self.take("comment");
        self.put(b"#");
        self.any(|choices| choices.octet(|octet| octet.is_ascii() && octet != b'\r' && octet != b'\n'));
    }

    // space = 1*(SP | HT)
    fn space(&mut self) {
        self.take("space");
        if self.below(2) == 0 { self.put(b" ") } else { self.put(b"\t") }
    }

    // rpath = "/" path
    fn rpath(&mut self) {
        self.take("rpath");
        self.put(b"/");
        self.path();
    }

    // path = fsegment *( "/" segment )
    fn path(&mut self) {
        self.take("path");
        self.take("fsegment");
        self.pchar();
        self.any(Self::pchar);
        self.any(|choices| {
            choices.put(b"/");
            choices.take("segment");
            choices.any(Self::pchar);
        });
    }

    // pchar = uchar | ":" | "@" | "&" | "="; uchar = unreserved | escape
    fn pchar(&mut self) {
        self.take("pchar");
        if self.below(5) == 1 {
            self.take("escape");
            self.put(b"%");
            self.octet(|octet| octet.is_ascii_hexdigit());
            self.octet(|octet| octet.is_ascii_hexdigit());
        } else {
            self.octet(|octet| octet.is_ascii_alphanumeric() || b"$-_.+!*'(),:@&=".contains(&octet));
        }
    }

    // token = 1*<any CHAR except CTLs or tspecials>
    fn token(&mut self) {
        self.take("token");
        let known = ["*", "foo"];
        match known.get(self.below(known.len() + 1)) {
            Some(name) => self.put(name.as_bytes()),
            None => {
                let is = |octet: u8| octet.is_ascii_graphic() && !b"#()<>@,;:\\\"/[]?={}".contains(&octet);
                self.octet(is);
                self.any(|choices| choices.octet(is));
            }
        }
    }
}
