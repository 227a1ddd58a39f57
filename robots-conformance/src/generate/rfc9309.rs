//! The grammar of RFC 9309, section 2.2.

use crate::generate::generated_file::{Choices, GeneratedFile};

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

/// Generates a file that conforms to RFC 9309.
#[must_use]
pub fn rfc9309(choices: &[u8]) -> GeneratedFile {
    let mut choices = Choices::new(choices);
    choices.robotstxt();
    choices.made()
}

/// RFC 9309, section 2.2.
impl Choices<'_> {
    // robotstxt = *(group / emptyline)
    fn robotstxt(&mut self) {
        self.used("robotstxt");
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
        self.used("group");
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
        self.used("startgroupline");
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
        self.used("rule");
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

    // Any other key, and any characters and white space after its colon.
    fn otherrecord(&mut self) {
        self.used("otherrecord");
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
        self.used("product-token");
        if self.below(3) == 0 { self.put(b"*") } else { self.identifier() }
    }

    // path-pattern = "/" *UTF8-char-noctl
    fn path_pattern(&mut self) {
        self.used("path-pattern");
        self.put(b"/");
        for _ in 0..self.below(4) {
            match self.below(8) {
                0 => self.put(b"*"),
                1 => self.put(b"$"),
                2 => {
                    self.put(b"%");
                    self.byte(|byte| byte.is_ascii_hexdigit());
                    self.byte(|byte| byte.is_ascii_hexdigit());
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
        self.used("empty-pattern");
        self.any(Self::ws);
    }

    // identifier = 1*(%x2D / %x41-5A / %x5F / %x61-7A)
    fn identifier(&mut self) {
        self.used("identifier");
        let known = ["foo", "bar", "FooBot", "a_b-c"];
        match known.get(self.below(known.len() + 1)) {
            Some(name) => self.put(name.as_bytes()),
            None => {
                let letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
                self.byte(letter);
                self.any(|choices| choices.byte(letter));
            }
        }
    }

    // comment = "#" *(UTF8-char-noctl / WS / "#")
    fn comment(&mut self) {
        self.used("comment");
        self.put(b"#");
        self.any(|choices| match choices.below(3) {
            0 => choices.ws(),
            1 => choices.put(b"#"),
            _ => choices.utf8_char_noctl(),
        });
    }

    // emptyline = EOL
    fn emptyline(&mut self) {
        self.used("emptyline");
        self.eol();
    }

    // EOL = *WS [comment] NL
    fn eol(&mut self) {
        self.used("EOL");
        self.any(Self::ws);
        if self.below(4) == 1 {
            self.comment();
        }
        self.nl();
    }

    // NL = %x0D / %x0A / %x0D.0A
    fn nl(&mut self) {
        self.used("NL");
        match self.below(4) {
            2 => self.put(b"\r"),
            3 => self.put(b"\r\n"),
            _ => self.put(b"\n"),
        }
    }

    // WS = %x20 / %x09
    fn ws(&mut self) {
        self.used("WS");
        if self.below(2) == 0 { self.put(b" ") } else { self.put(b"\t") }
    }

    // UTF8-char-noctl = UTF8-1-noctl / UTF8-2 / UTF8-3 / UTF8-4
    fn utf8_char_noctl(&mut self) {
        self.used("UTF8-char-noctl");
        match self.below(8) {
            5 => self.utf8_2(),
            6 => self.utf8_3(),
            7 => self.utf8_4(),
            _ => self.utf8_1_noctl(),
        }
    }

    // UTF8-1-noctl = %x21 / %x22 / %x24-7F
    fn utf8_1_noctl(&mut self) {
        self.used("UTF8-1-noctl");
        self.byte(|byte| matches!(byte, 0x21 | 0x22 | 0x24..=0x7F));
    }

    // UTF8-2 = %xC2-DF UTF8-tail
    fn utf8_2(&mut self) {
        self.used("UTF8-2");
        self.byte(|byte| matches!(byte, 0xC2..=0xDF));
        self.utf8_tail();
    }

    // UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2UTF8-tail / %xED %x80-9F UTF8-tail / %xEE-EF 2UTF8-tail
    fn utf8_3(&mut self) {
        self.used("UTF8-3");
        match self.below(4) {
            0 => {
                self.put(b"\xE0");
                self.byte(|byte| matches!(byte, 0xA0..=0xBF));
            }
            1 => {
                self.byte(|byte| matches!(byte, 0xE1..=0xEC));
                self.utf8_tail();
            }
            2 => {
                self.put(b"\xED");
                self.byte(|byte| matches!(byte, 0x80..=0x9F));
            }
            _ => {
                self.byte(|byte| matches!(byte, 0xEE..=0xEF));
                self.utf8_tail();
            }
        }
        self.utf8_tail();
    }

    // UTF8-4 = %xF0 %x90-BF 2UTF8-tail / %xF1-F3 3UTF8-tail / %xF4 %x80-8F 2UTF8-tail
    fn utf8_4(&mut self) {
        self.used("UTF8-4");
        match self.below(3) {
            0 => {
                self.put(b"\xF0");
                self.byte(|byte| matches!(byte, 0x90..=0xBF));
            }
            1 => {
                self.byte(|byte| matches!(byte, 0xF1..=0xF3));
                self.utf8_tail();
            }
            _ => {
                self.put(b"\xF4");
                self.byte(|byte| matches!(byte, 0x80..=0x8F));
            }
        }
        self.utf8_tail();
        self.utf8_tail();
    }

    // UTF8-tail = %x80-BF
    fn utf8_tail(&mut self) {
        self.used("UTF8-tail");
        self.byte(|byte| matches!(byte, 0x80..=0xBF));
    }
}
