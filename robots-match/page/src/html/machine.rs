//! A tokenizer that finds `meta` elements and the part of the document that each is in (HTML Standard, sections 13.2.5 and
//! 13.2.6.4).
//!
//! It builds no tree. Whether an element belongs to the head follows from a few states, because any other content ends the
//! head.

use crate::html::meta::{Attribute, Captured, MAX_VALUE, Meta, Name};
use crate::html::reference::{Step, TextReference};
use crate::html::tag::{Element, RawText, idle_tag_len, is_space, plain_tag_len};
use crate::record::Place;

/// What the tokenizer reads next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Data,
    Reference(TextReference),
    TagOpen,
    EndTagOpen,
    TagName,
    BeforeAttribute,
    AttributeName,
    AfterAttributeName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    AfterValue,
    SelfClosing,
    Markup,
    MarkupDash,
    /// The number of bytes of `[CDATA[` that were read.
    CDataOpen(u8),
    Bogus,
    CommentStart,
    CommentStartDash,
    Comment,
    CommentDash,
    CommentEnd,
    CommentBang,
    CData,
    CDataBracket,
    CDataBrackets,
    Raw(RawText),
    RawOpen(RawText),
    /// The number of bytes of the name of the end tag that were read.
    RawEnd(RawText, u8),
    ScriptEscapeStart,
    ScriptEscapeStartDash,
    ScriptEscaped(Dashes),
    ScriptEscapedOpen,
    /// In an end tag of escaped script; see [`Self::RawEnd`].
    ScriptEscapedEnd(u8),
    /// After `<` and letters in escaped script; see [`Self::RawEnd`], and 7 for another word.
    ScriptDoubleStart(u8),
    ScriptDouble(Dashes),
    ScriptDoubleOpen,
    ScriptDoubleEnd(u8),
    PlainText,
}

/// The dashes before the next byte, of which two end a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dashes {
    None,
    One,
    Two,
}

impl Dashes {
    const fn with(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::None, b'-') => Self::One,
            (_, b'-') => Self::Two,
            _ => Self::None,
        }
    }
}

/// The part of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Before or in the head.
    Head,
    /// After `</head>`, where elements of the head still belong to it.
    AfterHead,
    Body,
}

/// A tokenizer, which can be stopped after any byte.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    state: State,
    part: Part,
    in_noscript: bool,
    /// The number of open `template` elements.
    templates: u32,
    /// The element in whose foreign content the reader is, and how often it is nested.
    foreign: Option<(Element, u32)>,
    tag: Name,
    is_end_tag: bool,
    is_meta: bool,
    tag_start: usize,
    attribute: Name,
    /// The attribute whose value is read.
    slot: Option<Attribute>,
    values: [Captured; Attribute::COUNT],
    is_cut: bool,
    has_rule_attribute: bool,
    line: u32,
    /// The position in the block up to which `line` counts.
    line_at: usize,
    /// The line of the last tag that a block ended in, or that was reported.
    tag_line: u32,
}

/// The input of a machine: a block of the document, and its position.
#[derive(Clone, Copy)]
pub(super) struct Block<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
}

/// Why a machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The block ended.
    End,
    /// The head ended at this position of the block.
    HeadEnded,
    /// A `noscript` element begins, whose content another machine reads otherwise; the position in the block.
    Noscript(usize),
}

/// How a machine reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    /// Whether the content of `noscript` is text.
    pub(super) scripting: bool,
    /// Whether to stop at `noscript`.
    pub(super) stops_at_noscript: bool,
    /// Whether to stop after the head.
    pub(super) head_only: bool,
    /// Whether other elements than `meta` are found, too; see [`is_other`].
    pub(super) reads_others: bool,
}

/// Returns whether an element says where the page is, or may have the attribute `data-nosnippet`.
fn is_other(name: &[u8]) -> bool {
    matches!(name, b"link" | b"base" | b"span" | b"div" | b"section")
}

impl Machine {
    pub(super) fn new() -> Self {
        Self {
            state: State::Data,
            part: Part::Head,
            in_noscript: false,
            templates: 0,
            foreign: None,
            tag: Name::default(),
            is_end_tag: false,
            is_meta: false,
            tag_start: 0,
            attribute: Name::default(),
            slot: None,
            values: Default::default(),
            is_cut: false,
            has_rule_attribute: false,
            line: 1,
            line_at: 0,
            tag_line: 1,
        }
    }

    /// Returns whether the document may end here: not within a tag, a comment, raw text or a template.
    pub(super) const fn is_between_tags(&self) -> bool {
        self.templates == 0 && matches!(self.state, State::Data | State::Reference(_) | State::PlainText)
    }

    /// Makes the machine read the content of the `noscript` element before it as text.
    pub(super) fn enter_raw_noscript(&mut self) {
        self.in_noscript = false;
        self.state = State::Raw(RawText::Noscript);
    }

    /// Returns whether the two machines will find the same from here on.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        // The last tag does not matter between tags.
        let is_between = matches!(self.state, State::Data);
        is_between
            && other.state == self.state
            && other.part == self.part
            && other.in_noscript == self.in_noscript
            && other.templates == self.templates
            && other.foreign == self.foreign
    }

    /// Returns whether the head has ended.
    pub(super) fn is_after_head(&self) -> bool {
        self.part == Part::Body
    }

    /// Reads `block` from `from` on. Returns why it stopped.
    #[expect(
        clippy::too_many_lines,
        reason = "one state machine, with one arm for each state of the standard"
    )]
    pub(super) fn run<F: FnMut(&Meta<'_>)>(
        &mut self,
        block: Block<'_>,
        from: usize,
        mode: Mode,
        found: &mut F,
    ) -> Stop {
        let bytes = block.bytes;
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Data => {
                    if self.part != Part::Body && self.templates == 0 {
                        if is_space(byte) {
                            at += 1;
                            continue;
                        }
                        match byte {
                            b'<' => {}
                            b'&' => {
                                self.state = State::Reference(TextReference::default());
                                at += 1;
                                continue;
                            }
                            _ => {
                                self.end_head();
                                if mode.head_only {
                                    return Stop::HeadEnded;
                                }
                            }
                        }
                    }
                    let rest = bytes.get(at..).unwrap_or_default();
                    match memchr::memchr(b'<', rest) {
                        Some(offset) => {
                            at += offset + 1;
                            let is_idle = self.part == Part::Body
                                && self.templates == 0
                                && self.foreign.is_none()
                                && !mode.reads_others;
                            match bytes.get(at..).filter(|_| is_idle).and_then(idle_tag_len) {
                                Some(len) => at += len,
                                None => {
                                    self.tag_start = block.at + at - 1;
                                    self.state = State::TagOpen;
                                }
                            }
                        }
                        None => at = bytes.len(),
                    }
                }
                State::Reference(mut reference) => match reference.step(byte) {
                    Step::Continues => {
                        self.state = State::Reference(reference);
                        at += 1;
                    }
                    Step::WhiteSpace => {
                        self.state = State::Data;
                        at += 1;
                    }
                    Step::WhiteSpaceBefore => self.state = State::Data,
                    Step::Text => {
                        self.state = State::Data;
                        self.end_head();
                        if mode.head_only {
                            return Stop::HeadEnded;
                        }
                    }
                },
                State::TagOpen => match byte {
                    b'a'..=b'z' | b'A'..=b'Z' => self.begin_tag(false),
                    b'/' => {
                        self.state = State::EndTagOpen;
                        at += 1;
                    }
                    b'!' => {
                        self.state = State::Markup;
                        at += 1;
                    }
                    b'?' => self.state = State::Bogus,
                    _ => {
                        // The `<` is text.
                        self.state = State::Data;
                        if self.part != Part::Body && self.templates == 0 {
                            self.end_head();
                            if mode.head_only {
                                return Stop::HeadEnded;
                            }
                        }
                    }
                },
                State::EndTagOpen => match byte {
                    b'a'..=b'z' | b'A'..=b'Z' => self.begin_tag(true),
                    _ => self.state = State::Bogus,
                },
                State::TagName => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let len = rest
                        .iter()
                        .position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'))
                        .unwrap_or(rest.len());
                    self.tag.extend(rest.get(..len).unwrap_or_default());
                    at += len;
                    if at < bytes.len() {
                        self.is_meta = !self.is_end_tag
                            && (self.tag.get() == b"meta" || mode.reads_others && is_other(self.tag.get()));
                        if self.is_meta {
                            self.begin_meta();
                        }
                        self.state = State::BeforeAttribute;
                        let rest = bytes.get(at..).unwrap_or_default();
                        let needs_slash = matches!(self.tag.get(), b"svg" | b"math");
                        let len = if self.is_meta || needs_slash { None } else { plain_tag_len(rest) };
                        if let Some(len) = len {
                            at += len;
                            if let Some(stop) = self.end_tag(block, at, false, mode, found) {
                                return stop;
                            }
                        }
                    }
                }
                State::BeforeAttribute => match byte {
                    _ if is_space(byte) => at += 1,
                    b'/' => {
                        self.state = State::SelfClosing;
                        at += 1;
                    }
                    b'>' => {
                        at += 1;
                        if let Some(stop) = self.end_tag(block, at, false, mode, found) {
                            return stop;
                        }
                    }
                    _ => {
                        self.attribute = Name::default();
                        self.state = State::AttributeName;
                        // A `=` at this place is the first byte of a name.
                        if byte == b'=' {
                            self.attribute.extend(b"=");
                            at += 1;
                        }
                    }
                },
                State::AttributeName => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let len = rest
                        .iter()
                        .position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))
                        .unwrap_or(rest.len());
                    if self.is_meta {
                        self.attribute.extend(rest.get(..len).unwrap_or_default());
                    }
                    at += len;
                    if at < bytes.len() {
                        if self.is_meta {
                            self.end_attribute_name();
                        }
                        self.state = State::AfterAttributeName;
                    }
                }
                State::AfterAttributeName => match byte {
                    _ if is_space(byte) => at += 1,
                    b'=' => {
                        self.state = State::BeforeValue;
                        at += 1;
                    }
                    _ => self.state = State::BeforeAttribute,
                },
                State::BeforeValue => match byte {
                    _ if is_space(byte) => at += 1,
                    b'"' | b'\'' => {
                        at += 1;
                        self.begin_value(at);
                        self.state = State::Quoted(byte);
                    }
                    _ => {
                        self.begin_value(at);
                        self.state = State::Unquoted;
                    }
                },
                State::Quoted(quote) => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    match memchr::memchr(quote, rest) {
                        Some(len) => {
                            at += len;
                            self.end_value(at);
                            at += 1;
                            self.state = State::AfterValue;
                        }
                        None => at = bytes.len(),
                    }
                }
                State::Unquoted => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let end = rest.iter().position(|&byte| is_space(byte) || byte == b'>');
                    at += end.unwrap_or(rest.len());
                    if end.is_some() {
                        self.end_value(at);
                        self.state = State::BeforeAttribute;
                    }
                }
                // Only an attribute, `/` or `>` can follow, with or without white space.
                State::AfterValue => self.state = State::BeforeAttribute,
                State::SelfClosing => {
                    if byte == b'>' {
                        at += 1;
                        if let Some(stop) = self.end_tag(block, at, true, mode, found) {
                            return stop;
                        }
                    } else {
                        self.state = State::BeforeAttribute;
                    }
                }
                State::Markup => match byte {
                    b'-' => {
                        self.state = State::MarkupDash;
                        at += 1;
                    }
                    b'[' if self.foreign.is_some() => {
                        self.state = State::CDataOpen(1);
                        at += 1;
                    }
                    _ => self.state = State::Bogus,
                },
                State::MarkupDash => {
                    if byte == b'-' {
                        self.state = State::CommentStart;
                        at += 1;
                    } else {
                        self.state = State::Bogus;
                    }
                }
                State::CDataOpen(read) => {
                    const OPEN: &[u8] = b"[CDATA[";
                    if OPEN.get(usize::from(read)) == Some(&byte) {
                        at += 1;
                        self.state = if usize::from(read) + 1 == OPEN.len() {
                            State::CData
                        } else {
                            State::CDataOpen(read + 1)
                        };
                    } else {
                        self.state = State::Bogus;
                    }
                }
                State::Bogus => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    match memchr::memchr(b'>', rest) {
                        Some(len) => {
                            at += len + 1;
                            self.state = State::Data;
                        }
                        None => at = bytes.len(),
                    }
                }
                State::CommentStart => {
                    at += 1;
                    self.state = match byte {
                        b'-' => State::CommentStartDash,
                        b'>' => State::Data,
                        _ => State::Comment,
                    };
                }
                State::CommentStartDash => {
                    at += 1;
                    self.state = match byte {
                        b'-' => State::CommentEnd,
                        b'>' => State::Data,
                        _ => State::Comment,
                    };
                }
                State::Comment => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    match memchr::memchr(b'-', rest) {
                        Some(len) => {
                            at += len + 1;
                            self.state = State::CommentDash;
                        }
                        None => at = bytes.len(),
                    }
                }
                // The second dash is read again.
                State::CommentDash => {
                    self.state = if byte == b'-' { State::CommentEnd } else { State::Comment };
                }
                State::CommentEnd => {
                    at += 1;
                    self.state = match byte {
                        b'>' => State::Data,
                        b'!' => State::CommentBang,
                        b'-' => State::CommentEnd,
                        _ => State::Comment,
                    };
                }
                State::CommentBang => {
                    at += 1;
                    self.state = match byte {
                        b'>' => State::Data,
                        b'-' => State::CommentDash,
                        _ => State::Comment,
                    };
                }
                State::CData => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    match memchr::memchr(b']', rest) {
                        Some(len) => {
                            at += len + 1;
                            self.state = State::CDataBracket;
                        }
                        None => at = bytes.len(),
                    }
                }
                // The second bracket is read again.
                State::CDataBracket => {
                    self.state = if byte == b']' { State::CDataBrackets } else { State::CData };
                }
                State::CDataBrackets => {
                    at += 1;
                    self.state = match byte {
                        b'>' => State::Data,
                        b']' => State::CDataBrackets,
                        _ => State::CData,
                    };
                }
                State::Raw(raw) => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    match memchr::memchr(b'<', rest) {
                        Some(len) => {
                            at += len + 1;
                            self.state = State::RawOpen(raw);
                        }
                        None => at = bytes.len(),
                    }
                }
                State::RawOpen(raw) => {
                    self.state = match byte {
                        b'/' => State::RawEnd(raw, 0),
                        b'!' if raw == RawText::Script => State::ScriptEscapeStart,
                        _ => State::Raw(raw),
                    };
                    at += usize::from(!matches!(self.state, State::Raw(_)));
                }
                State::RawEnd(raw, read) => match self.raw_end(raw, read, byte) {
                    Some(next) => {
                        at += 1;
                        self.state = next;
                    }
                    None if self.is_ended(raw, read, byte) => self.end_raw(),
                    None => self.state = State::Raw(raw),
                },
                State::ScriptEscapeStart => {
                    self.state =
                        if byte == b'-' { State::ScriptEscapeStartDash } else { State::Raw(RawText::Script) };
                    at += usize::from(byte == b'-');
                }
                State::ScriptEscapeStartDash => {
                    self.state = if byte == b'-' {
                        State::ScriptEscaped(Dashes::Two)
                    } else {
                        State::Raw(RawText::Script)
                    };
                }
                State::ScriptEscaped(dashes) => match byte {
                    b'>' if dashes == Dashes::Two => self.state = State::Raw(RawText::Script),
                    b'<' => {
                        at += 1;
                        self.state = State::ScriptEscapedOpen;
                    }
                    b'-' => {
                        at += 1;
                        self.state = State::ScriptEscaped(dashes.with(byte));
                    }
                    _ => {
                        let rest = bytes.get(at..).unwrap_or_default();
                        at += memchr::memchr2(b'<', b'-', rest).unwrap_or(rest.len());
                        self.state = State::ScriptEscaped(Dashes::None);
                    }
                },
                State::ScriptEscapedOpen => match byte {
                    b'/' => {
                        at += 1;
                        self.state = State::ScriptEscapedEnd(0);
                    }
                    b'a'..=b'z' | b'A'..=b'Z' => self.state = State::ScriptDoubleStart(0),
                    _ => self.state = State::ScriptEscaped(Dashes::None),
                },
                State::ScriptEscapedEnd(read) => match self.raw_end(RawText::Script, read, byte) {
                    Some(_) => {
                        at += 1;
                        self.state = State::ScriptEscapedEnd(read + 1);
                    }
                    None if self.is_ended(RawText::Script, read, byte) => self.end_raw(),
                    None => self.state = State::ScriptEscaped(Dashes::None),
                },
                State::ScriptDoubleStart(read) | State::ScriptDoubleEnd(read) => {
                    let is_start = matches!(self.state, State::ScriptDoubleStart(_));
                    let name = RawText::Script.name();
                    if is_space(byte) || matches!(byte, b'/' | b'>') {
                        let is_script = usize::from(read) == name.len();
                        self.state = if is_script == is_start {
                            State::ScriptDouble(Dashes::None)
                        } else {
                            State::ScriptEscaped(Dashes::None)
                        };
                    } else if byte.is_ascii_alphabetic() {
                        at += 1;
                        let fits = name.get(usize::from(read)) == Some(&byte.to_ascii_lowercase());
                        // One more than the length of the name is another word.
                        let read = if fits { read + 1 } else { 7 };
                        self.state = if is_start {
                            State::ScriptDoubleStart(read)
                        } else {
                            State::ScriptDoubleEnd(read)
                        };
                    } else {
                        self.state = if is_start {
                            State::ScriptEscaped(Dashes::None)
                        } else {
                            State::ScriptDouble(Dashes::None)
                        };
                    }
                }
                State::ScriptDouble(dashes) => match byte {
                    b'>' if dashes == Dashes::Two => self.state = State::Raw(RawText::Script),
                    b'<' => {
                        at += 1;
                        self.state = State::ScriptDoubleOpen;
                    }
                    b'-' => {
                        at += 1;
                        self.state = State::ScriptDouble(dashes.with(byte));
                    }
                    _ => {
                        let rest = bytes.get(at..).unwrap_or_default();
                        at += memchr::memchr2(b'<', b'-', rest).unwrap_or(rest.len());
                        self.state = State::ScriptDouble(Dashes::None);
                    }
                },
                State::ScriptDoubleOpen => {
                    if byte == b'/' {
                        at += 1;
                        self.state = State::ScriptDoubleEnd(0);
                    } else {
                        self.state = State::ScriptDouble(Dashes::None);
                    }
                }
                State::PlainText => at = bytes.len(),
            }
        }
        Stop::End
    }

    /// Keeps what the next block needs of this one. Called after each block.
    pub(super) fn end_block(&mut self, block: Block<'_>) {
        let Block { bytes: block, at } = block;
        if self.tag_start >= at {
            self.count_lines(block, self.tag_start - at);
            self.tag_line = self.line;
        }
        self.count_lines(block, block.len());
        self.line_at = 0;
        if !self.is_meta {
            return;
        }
        let is_open = matches!(self.state, State::Quoted(_) | State::Unquoted);
        for (index, value) in self.values.iter_mut().enumerate() {
            let is_last = is_open && self.slot.is_some_and(|slot| slot as usize == index);
            let end = if is_last { block.len() } else { value.end };
            let part = block.get(value.start..end).unwrap_or_default();
            let room = MAX_VALUE.saturating_sub(value.before.len());
            self.is_cut |= part.len() > room;
            value.before.extend_from_slice(part.get(..part.len().min(room)).unwrap_or_default());
            (value.start, value.end) = (0, 0);
        }
    }

    fn begin_tag(&mut self, is_end_tag: bool) {
        self.tag = Name::default();
        self.is_end_tag = is_end_tag;
        self.state = State::TagName;
    }

    fn begin_meta(&mut self) {
        self.is_cut = false;
        self.has_rule_attribute = false;
        for value in &mut self.values {
            value.before.clear();
            (value.start, value.end, value.is_there) = (0, 0, false);
        }
    }

    fn end_attribute_name(&mut self) {
        let name = self.attribute.get();
        // The names of the most frequent rules; a whole value may follow an unquoted one.
        self.has_rule_attribute |= matches!(
            name.strip_suffix(b",").unwrap_or(name),
            b"noindex" | b"nofollow" | b"nosnippet" | b"noarchive" | b"none" | b"nocache" | b"noai"
        );
        // The first of equal attributes counts.
        self.slot = Attribute::of(name).filter(|&slot| {
            self.values.get_mut(slot as usize).is_some_and(|value| {
                let is_first = !value.is_there;
                value.is_there = true;
                is_first
            })
        });
    }

    fn begin_value(&mut self, at: usize) {
        if let Some(value) = self.slot.and_then(|slot| self.values.get_mut(slot as usize)) {
            (value.start, value.end) = (at, at);
        }
    }

    fn end_value(&mut self, at: usize) {
        if let Some(value) = self.slot.and_then(|slot| self.values.get_mut(slot as usize)) {
            value.end = at;
        }
        self.slot = None;
    }

    /// The next state within the name of an end tag of raw text, if `byte` continues it.
    fn raw_end(&self, raw: RawText, read: u8, byte: u8) -> Option<State> {
        let continues = raw.name().get(usize::from(read)) == Some(&byte.to_ascii_lowercase());
        continues.then(|| State::RawEnd(raw, read + 1))
    }

    fn is_ended(&self, raw: RawText, read: u8, byte: u8) -> bool {
        usize::from(read) == raw.name().len() && (is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    /// The end tag of raw text, which has no other effect.
    fn end_raw(&mut self) {
        self.tag = Name::default();
        self.is_end_tag = true;
        self.is_meta = false;
        self.state = State::BeforeAttribute;
    }

    fn end_head(&mut self) {
        self.in_noscript = false;
        self.part = Part::Body;
    }

    /// A tag that ends at `at` of the block.
    fn end_tag<F: FnMut(&Meta<'_>)>(
        &mut self,
        block: Block<'_>,
        at: usize,
        is_self_closing: bool,
        mode: Mode,
        found: &mut F,
    ) -> Option<Stop> {
        self.state = State::Data;
        // In the body, end tags and most short names change nothing.
        if self.part == Part::Body
            && self.templates == 0
            && self.foreign.is_none()
            && (self.is_end_tag || self.tag.len < 3)
        {
            return None;
        }
        let element = Element::of(self.tag.get());
        let was_after_head = self.is_after_head();
        let mut stop = None;
        if self.is_end_tag {
            self.close(element);
        } else {
            let place = self.open(element, is_self_closing, mode.scripting);
            if element == Element::Noscript && mode.stops_at_noscript && place.is_some() {
                stop = Some(Stop::Noscript(at));
            }
            if let (true, Some(place)) = (self.is_meta, place) {
                self.report(block, at, place, found);
            }
        }
        self.is_meta = false;
        if mode.head_only && !was_after_head && self.is_after_head() {
            return Some(Stop::HeadEnded);
        }
        stop
    }

    /// Counts the lines of the block up to `until`.
    fn count_lines(&mut self, block: &[u8], until: usize) {
        if until > self.line_at {
            let text = block.get(self.line_at..until).unwrap_or_default();
            let new_lines = memchr::memchr_iter(b'\n', text).count();
            self.line = self.line.saturating_add(u32::try_from(new_lines).unwrap_or(u32::MAX));
            self.line_at = until;
        }
    }

    fn report<F: FnMut(&Meta<'_>)>(&mut self, block: Block<'_>, at: usize, place: Place, found: &mut F) {
        if self.tag_start >= block.at {
            self.count_lines(block.bytes, self.tag_start - block.at);
            self.tag_line = self.line;
        }
        let line = self.tag_line;
        let Self { tag, values, is_cut, has_rule_attribute, tag_start, .. } = self;
        for value in values.iter_mut().filter(|value| !value.before.is_empty()) {
            let part = block.bytes.get(value.start..value.end).unwrap_or_default();
            let room = MAX_VALUE.saturating_sub(value.before.len());
            *is_cut |= part.len() > room;
            value.before.extend_from_slice(part.get(..part.len().min(room)).unwrap_or_default());
        }
        let values = values.each_ref().map(|value| {
            let in_block = || block.bytes.get(value.start..value.end).unwrap_or_default();
            let whole = if value.before.is_empty() { in_block() } else { &value.before };
            value.is_there.then_some(whole)
        });
        found(&Meta {
            tag: tag.get(),
            start: *tag_start,
            end: block.at + at,
            line,
            place,
            values,
            is_cut: *is_cut,
            has_rule_attribute: *has_rule_attribute,
            is_second: false,
        });
    }

    /// A start tag. Returns the place of the element; `None` if it is within a template or in foreign content.
    fn open(&mut self, element: Element, is_self_closing: bool, scripting: bool) -> Option<Place> {
        if let Some((root, depth)) = self.foreign {
            if !element.breaks_out() {
                if element == root && !is_self_closing {
                    self.foreign = Some((root, depth.saturating_add(1)));
                }
                return None;
            }
            self.foreign = None;
        }
        if self.templates == 0 && self.part != Part::Body {
            if let Some(place) = self.open_in_head(element, scripting) {
                return place;
            }
        }
        // Templates, and what is no longer the head.
        match element {
            Element::Raw(raw) => self.state = State::Raw(raw),
            Element::Script => self.state = State::Raw(RawText::Script),
            Element::Noscript if scripting => self.state = State::Raw(RawText::Noscript),
            Element::PlainText => self.state = State::PlainText,
            Element::Template => self.templates = self.templates.saturating_add(1),
            Element::Svg | Element::Math if !is_self_closing => self.foreign = Some((element, 1)),
            _ => {}
        }
        (self.templates == 0 || element == Element::Noscript).then_some(Place::Body)
    }

    /// A start tag where the head may continue. Returns `None` if it ends the head, and otherwise the place of the element.
    #[expect(clippy::option_option, reason = "the head may end, and an element of it may have no place")]
    fn open_in_head(&mut self, element: Element, scripting: bool) -> Option<Option<Place>> {
        if self.in_noscript {
            match element {
                Element::Meta | Element::Void { in_noscript: true } => return Some(Some(Place::Noscript)),
                Element::Raw(raw @ (RawText::Style | RawText::Noframes)) => {
                    self.state = State::Raw(raw);
                    return Some(None);
                }
                Element::Html | Element::Head | Element::Noscript => return Some(None),
                _ => self.in_noscript = false,
            }
        }
        match element {
            Element::Meta | Element::Void { .. } | Element::Html | Element::Head => Some(Some(Place::Head)),
            Element::Raw(raw) if raw.is_of_head() => {
                self.state = State::Raw(raw);
                Some(Some(Place::Head))
            }
            Element::Script => {
                self.state = State::Raw(RawText::Script);
                Some(Some(Place::Head))
            }
            Element::Template => {
                self.templates = 1;
                Some(None)
            }
            Element::Noscript if self.part == Part::Head => {
                if scripting {
                    self.state = State::Raw(RawText::Noscript);
                } else {
                    self.in_noscript = true;
                }
                Some(Some(Place::Head))
            }
            _ => {
                self.end_head();
                None
            }
        }
    }

    fn close(&mut self, element: Element) {
        if let Some((root, depth)) = self.foreign {
            if element == root {
                self.foreign = if depth > 1 { Some((root, depth - 1)) } else { None };
                return;
            }
            // The end tag of an element of HTML is that of an element around the foreign content.
            if element.breaks_out() || element == Element::Template && self.templates > 0 {
                self.foreign = None;
            } else {
                return;
            }
        }
        if self.templates > 0 {
            if element == Element::Template {
                self.templates -= 1;
            }
            return;
        }
        if self.part == Part::Body {
            return;
        }
        if self.in_noscript {
            match element {
                Element::Noscript => self.in_noscript = false,
                Element::Br => self.end_head(),
                _ => {}
            }
            return;
        }
        match element {
            Element::Head => self.part = Part::AfterHead,
            Element::Body | Element::Html | Element::Br => self.end_head(),
            _ => {}
        }
    }
}
