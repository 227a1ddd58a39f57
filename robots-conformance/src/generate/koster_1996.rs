//! The grammar of the draft of 1996, section 3.3.

use crate::generate::generated_file::{Choices, GeneratedFile};

/// The productions of the draft of 1996, section 3.3, without those of single characters.
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

/// Generates a file that conforms to the draft of 1996.
#[must_use]
pub fn koster1996(choices: &[u8]) -> GeneratedFile {
    let mut choices = Choices::new(choices);
    choices.robotstxt_1996();
    choices.made()
}

/// The draft of 1996, section 3.3, read as `robots_syntax`'s grammar says.
impl Choices<'_> {
    // robotstxt = *blankcomment | *blankcomment record *( 1*commentblank 1*record ) *blankcomment
    fn robotstxt_1996(&mut self) {
        self.used("robotstxt");
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
        self.used("blankcomment");
        self.blank();
        self.any(|choices| if choices.below(2) == 0 { choices.blank() } else { choices.commentline() });
    }

    // commentblank = *commentline blank *(blankcomment)
    fn commentblank(&mut self) {
        self.used("commentblank");
        self.any(Self::commentline);
        self.blank();
        self.any(Self::blankcomment);
    }

    // blank = *space CRLF
    fn blank(&mut self) {
        self.used("blank");
        self.any(Self::space);
        self.put(b"\r\n");
    }

    // record = *commentline agentline *(commentline | agentline) 1*ruleline *(commentline | ruleline)
    fn record(&mut self) {
        self.used("record");
        self.any(Self::commentline);
        self.agentline();
        self.any(|choices| if choices.below(2) == 0 { choices.commentline() } else { choices.agentline() });
        self.ruleline();
        self.any(|choices| if choices.below(3) == 0 { choices.commentline() } else { choices.ruleline() });
    }

    // agentline = "User-agent:" *space agent *space [comment] CRLF
    fn agentline(&mut self) {
        self.used("agentline");
        self.key("User-agent:");
        self.any(Self::space);
        let name = self.written(Self::token);
        self.agent_is(name);
        self.end_1996();
    }

    // ruleline = (disallowline | allowline)
    fn ruleline(&mut self) {
        self.used("ruleline");
        if self.below(2) == 0 { self.disallowline() } else { self.allowline() }
    }

    // disallowline = "Disallow:" *space path *space [comment] CRLF, with an rpath as well
    fn disallowline(&mut self) {
        self.used("disallowline");
        self.key("Disallow:");
        self.any(Self::space);
        let is_rooted = self.below(4) != 1;
        let pattern = self.written(if is_rooted { Self::rpath } else { Self::path });
        self.rule_is(false, pattern);
        self.end_1996();
    }

    // allowline = "Allow:" *space rpath *space [comment] CRLF
    fn allowline(&mut self) {
        self.used("allowline");
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
        self.used("commentline");
        self.comment_1996();
        self.put(b"\r\n");
    }

    // comment = "#" anychar, up to the end of the line
    fn comment_1996(&mut self) {
        self.used("comment");
        self.put(b"#");
        self.any(|choices| choices.byte(|byte| byte.is_ascii() && byte != b'\r' && byte != b'\n'));
    }

    // space = 1*(SP | HT)
    fn space(&mut self) {
        self.used("space");
        if self.below(2) == 0 { self.put(b" ") } else { self.put(b"\t") }
    }

    // rpath = "/" path
    fn rpath(&mut self) {
        self.used("rpath");
        self.put(b"/");
        self.path();
    }

    // path = fsegment *( "/" segment )
    fn path(&mut self) {
        self.used("path");
        self.used("fsegment");
        self.pchar();
        self.any(Self::pchar);
        self.any(|choices| {
            choices.put(b"/");
            choices.used("segment");
            choices.any(Self::pchar);
        });
    }

    // pchar = uchar | ":" | "@" | "&" | "="; uchar = unreserved | escape
    fn pchar(&mut self) {
        self.used("pchar");
        if self.below(5) == 1 {
            self.used("escape");
            self.put(b"%");
            self.byte(|byte| byte.is_ascii_hexdigit());
            self.byte(|byte| byte.is_ascii_hexdigit());
        } else {
            self.byte(|byte| byte.is_ascii_alphanumeric() || b"$-_.+!*'(),:@&=".contains(&byte));
        }
    }

    // token = 1*<any CHAR except CTLs or tspecials>
    fn token(&mut self) {
        self.used("token");
        let known = ["*", "foo"];
        match known.get(self.below(known.len() + 1)) {
            Some(name) => self.put(name.as_bytes()),
            None => {
                let is = |byte: u8| byte.is_ascii_graphic() && !b"#()<>@,;:\\\"/[]?={}".contains(&byte);
                self.byte(is);
                self.any(|choices| choices.byte(is));
            }
        }
    }
}
