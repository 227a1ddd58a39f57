//! Finding a crawler's name in its `User-Agent` header.

use core::ops::Range;

use crate::alphabet::is_name_byte;
use crate::header_words::{
    has_sign, is_browser, is_device, is_engine, is_general, is_language, is_library, is_like_browser,
    is_platform, is_runtime, shows_crawler, starts_with,
};
use crate::known_names::KnownNames;

/// The crawler that a `User-Agent` header names, if it names one.
///
/// Headers of crawlers have a few forms: a name with a version or a comment first; a name after `compatible;`, in a comment or
/// outside; a name in a comment by itself; or a name after the words of a browser. Names may have several words, and known
/// names are preferred. Words that browsers and systems send, addresses, and what follows `like` are not names. The name of a
/// library, such as `curl`, counts if nothing else does.
///
/// ```
/// use robots_groups::{HeaderKind, KnownNames, UserAgent};
///
/// const KNOWN: KnownNames<'static> = KnownNames::new(&["ExampleBot"]);
/// let read = |header: &'static str| UserAgent::read(header.as_bytes(), &KNOWN);
///
/// let header = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ExampleBot/1.0; +https://example.com";
/// let bot = read(header);
/// assert_eq!((bot.name(), bot.known()), (Some("ExampleBot"), Some(0)));
/// assert_eq!(&header[bot.span().unwrap()], "ExampleBot");
/// assert_eq!(read("Site Checker/2.0 (+https://example.com)").name(), Some("Site Checker"));
/// assert_eq!(read("curl/8.5.0").kind(), HeaderKind::Library);
///
/// let browser = read("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0");
/// assert_eq!((browser.kind(), browser.name()), (HeaderKind::Unnamed, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgent<'h> {
    header: &'h [u8],
    best: Option<Candidate>,
    has_others: bool,
}

/// What a `User-Agent` header says about its crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderKind {
    /// It has the name of one known crawler.
    Known,
    /// It has the names of several known crawlers. [`UserAgent::name`] is the most likely one.
    Several,
    /// It has the name of a crawler that is not known.
    Unlisted,
    /// It has only the name of a library or a tool, such as `curl` or `python-requests`.
    Library,
    /// It names no crawler, as those of browsers.
    Unnamed,
}

impl<'h> UserAgent<'h> {
    /// Reads a header. Any bytes are read.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the header, without an allocation.
    #[must_use]
    pub fn read(header: &'h [u8], known: &KnownNames<'_>) -> Self {
        let mut found = Self { header, best: None, has_others: false };
        candidates(header, known, |candidate| {
            if let Some(index) = candidate.known {
                found.has_others |=
                    found.best.as_ref().is_some_and(|best| best.known.is_some_and(|other| other != index));
            }
            // The first of the best rank.
            match &mut found.best {
                _ if candidate.rank == Rank::Mention => {}
                Some(best) if best.rank <= candidate.rank => {}
                best => *best = Some(candidate),
            }
        });
        found
    }

    /// Returns whether a text that a person gave is read as a header, and not as a name.
    #[doc(hidden)]
    #[must_use]
    pub fn is_header(text: &str) -> bool {
        is_header(text)
    }

    /// Returns the name, as the header has it.
    #[must_use]
    pub fn name(&self) -> Option<&'h str> {
        // A name has only ASCII characters.
        self.header.get(self.span()?).and_then(|name| core::str::from_utf8(name).ok())
    }

    /// Returns where the name is, in bytes of the header.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.best.as_ref().map(|best| best.span.clone())
    }

    /// Returns the index of the name among the known names.
    #[must_use]
    pub fn known(&self) -> Option<usize> {
        self.best.as_ref().and_then(|best| best.known)
    }

    /// Returns what the header says.
    #[must_use]
    pub fn kind(&self) -> HeaderKind {
        match &self.best {
            None => HeaderKind::Unnamed,
            Some(Candidate { known: Some(_), .. }) if self.has_others => HeaderKind::Several,
            Some(Candidate { known: Some(_), .. }) => HeaderKind::Known,
            Some(Candidate { rank: Rank::Library | Rank::OtherLibrary | Rank::Runtime, .. }) => {
                HeaderKind::Library
            }
            Some(_) => HeaderKind::Unlisted,
        }
    }

    /// Returns whether the header has a sign of a crawler, which programs that follow no links lack: an address of a page or of mail, or a
    /// word such as `bot` or `crawler`. In the comment of a browser, words are those of a device or of an extension.
    ///
    /// ```
    /// use robots_groups::{KnownNames, UserAgent};
    ///
    /// let is_crawler = |header: &str| UserAgent::read(header.as_bytes(), &KnownNames::NONE).shows_crawler();
    /// assert!(is_crawler("ExampleBot/1.0") && is_crawler("Example/1.0 (+https://example.com)"));
    /// assert!(!is_crawler("Example/1.0") && !is_crawler("Robotics/1.0"));
    /// assert!(!is_crawler("Example/1.0 okhttp/4.9") && !is_crawler("Example/1.0 node-fetch/2.6"));
    /// assert!(!is_crawler("Mozilla/5.0 (Linux; Android 9; CUBOT) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0"));
    /// ```
    ///
    /// # Complexity
    ///
    /// Linear in the length of the header.
    #[must_use]
    pub fn shows_crawler(&self) -> bool {
        let header = self.header;
        let has = |text: &[u8]| header.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text));
        header.contains(&b'@') || has(b"http:") || has(b"https:") || has(b"www.") || has_crawler_word(header)
    }

    /// Calls `each` with the index of every known name in the header, in its order. A name may be reported more than once.
    ///
    /// # Complexity
    ///
    /// Reads the header again.
    pub fn each_known(&self, known: &KnownNames<'_>, mut each: impl FnMut(usize, Range<usize>)) {
        candidates(self.header, known, |candidate| {
            if let Some(index) = candidate.known {
                each(index, candidate.span);
            }
        });
    }
}

/// Returns whether a word of a header shows a crawler.
fn has_crawler_word(header: &[u8]) -> bool {
    let first = header.get(..header.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(header.len()));
    let is_of_browser = first.is_some_and(is_browser);
    let is_mozilla = first.is_some_and(|first| first.eq_ignore_ascii_case(b"Mozilla"));
    let mut comments = 0;
    let mut rest = header;
    while !rest.is_empty() {
        let is_comment = rest.first() == Some(&b'(');
        let end = match is_comment {
            true => end_of_comment(rest),
            false => rest.iter().position(|&byte| byte == b'(').unwrap_or(rest.len()),
        };
        let (text, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        rest = after;
        comments += usize::from(is_comment);
        let has = |part: &[u8]| text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
        let is_system =
            || has(b"MSIE") || !has(b"compatible") && [&b"Android"[..], b"Windows"].into_iter().any(has);
        if is_comment && is_of_browser && is_system() {
            continue;
        }
        // As in `Mozilla/5.0 (ExampleBot)`.
        let may_be_alone = !is_comment || !is_of_browser || has(b"compatible") || is_mozilla && comments == 1;
        let mut at = 0;
        while at < text.len() {
            let word = text.get(at..).unwrap_or_default();
            let word =
                word.get(..word.iter().take_while(|byte| is_name_byte(**byte)).count()).unwrap_or_default();
            let next = text.get(at + word.len());
            at += word.len().max(1);
            // As in `Robot Framework`.
            let is_begun = next == Some(&b' ') && word.eq_ignore_ascii_case(b"robot");
            if (may_be_alone || next == Some(&b'/')) && !is_begun && !is_library(word) && shows_crawler(word)
            {
                return true;
            }
        }
    }
    false
}

/// Returns the length of a comment, with those in it.
fn end_of_comment(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// A part of a header that may be a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    span: Range<usize>,
    rank: Rank,
    known: Option<usize>,
}

/// How likely a part of a header is the name. The first one is the most likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The text with which the header begins.
    First,
    /// A known name.
    Known,
    /// A name after `compatible`.
    Compatible,
    /// A name in a comment, with a version or a part such as `bot`.
    SignInComment,
    /// Such a name outside of comments.
    Sign,
    /// Any other word outside of comments.
    Other,
    /// Any other word in a comment.
    OtherInComment,
    /// The name of a library with which the header begins.
    Library,
    /// Another name of a library.
    OtherLibrary,
    /// The name of the language in which a library is written, as in `Python/3.12 aiohttp/3.9`.
    Runtime,
    /// A known name in a name of several words, which counts only beside another known name.
    Mention,
}

/// Where a part of a header is.
#[derive(Clone, Debug, Default)]
struct Place {
    /// How many parentheses are open.
    depth: usize,
    /// How many comments were begun.
    comments: usize,
    /// Whether this is the first part of a comment.
    is_first_item: bool,
    /// Whether a word came before.
    is_after_start: bool,
    /// Whether `compatible` came before, and no name after it.
    is_compatible: bool,
    /// Whether the comment is about a device or a version of Internet Explorer, so that it may have any words.
    has_any_words: bool,
    /// Whether a word that browsers send came before.
    is_after_browser: bool,
    /// Whether the name of an application came before, so that more of its words may follow.
    is_after_application: bool,
}

/// A name that is being read.
#[derive(Clone, Debug, Default)]
struct Phrase {
    span: Range<usize>,
    words: usize,
    /// Whether all of its words are sent by browsers.
    is_browser: bool,
    has_version: bool,
}

/// Calls `each` with each part of a header that may be a name.
fn candidates(header: &[u8], known: &KnownNames<'_>, each: impl FnMut(Candidate)) {
    let value = value_start(header);
    let mut reader = Reader {
        header,
        known,
        has_address: header.windows(4).any(|window| window == b"http"),
        plus_is_space: !header.iter().skip(value).any(|&byte| byte == b' '),
        place: Place::default(),
        phrase: Phrase::default(),
        each,
    };
    let mut start = value;
    let mut is_in_brackets = false;
    for at in value..=header.len() {
        let byte = header.get(at).copied();
        if !matches!(byte, None | Some(b'(' | b')' | b';' | b',' | b'[' | b']' | b'|' | b'"')) {
            continue;
        }
        // Brackets have what applications add, as in `[FBAN/FBIOS;FBAV/450]`, or a language.
        if !is_in_brackets {
            reader.read(start..at);
        }
        start = at + 1;
        let place = &mut reader.place;
        match byte {
            Some(b'(') => {
                place.depth += 1;
                place.comments += 1;
                place.is_first_item = true;
                place.has_any_words = false;
                place.is_after_start = true;
            }
            Some(b')') => place.depth = place.depth.saturating_sub(1),
            Some(b'[') => is_in_brackets = true,
            Some(b']') => is_in_brackets = false,
            Some(_) => place.is_first_item = false,
            None => {}
        }
    }
}

struct Reader<'r, F> {
    header: &'r [u8],
    known: &'r KnownNames<'r>,
    /// Whether the header has an address, which browsers do not send.
    has_address: bool,
    /// Whether there are no spaces, so that `+` stands for them.
    plus_is_space: bool,
    place: Place,
    phrase: Phrase,
    each: F,
}

impl<F: FnMut(Candidate)> Reader<'_, F> {
    fn text(&self, span: Range<usize>) -> &[u8] {
        self.header.get(span).unwrap_or_default()
    }

    const fn is_space(&self, byte: u8) -> bool {
        byte.is_ascii_whitespace() || byte == b'+' && self.plus_is_space
    }

    /// Reads the text between two of the characters `( ) ; ,`.
    fn read(&mut self, segment: Range<usize>) {
        let mut skips_next = false;
        let mut is_first = true;
        let mut at = segment.start;
        while at < segment.end {
            let rest = self.text(at..segment.end);
            let length = rest.iter().position(|&byte| self.is_space(byte)).unwrap_or(rest.len());
            let word = at..at + length;
            at = word.end.max(at + 1);
            if word.is_empty() || core::mem::take(&mut skips_next) {
                continue;
            }
            match self.read_word(word, &segment, core::mem::take(&mut is_first)) {
                Next::Word => {}
                Next::SkipWord => skips_next = true,
                Next::SkipSegment => return,
            }
        }
        self.finish();
    }

    fn read_word(&mut self, span: Range<usize>, segment: &Range<usize>, is_first: bool) -> Next {
        let header = self.header;
        let word = header.get(span.clone()).unwrap_or_default();
        // Also `compatibl$`, which some crawlers send.
        if starts_with(word, b"compatibl") && word.len() <= 11 {
            self.finish();
            self.place.is_compatible = true;
            self.place.is_after_start = true;
            return Next::Word;
        }
        if is_contact(word) {
            self.finish();
            return Next::Word;
        }
        // As in `(like ExampleBot; +https://example.com)`.
        if is_one_of(word, &["like", "following", "with", "as"]) {
            self.finish();
            return Next::SkipWord;
        }
        // As in `Example Checker used by Example Company`.
        if is_one_of(word, &["by", "for", "from", "used", "powered", "via"]) {
            let is_end = self.phrase.words > 0 || word == b"powered";
            self.finish();
            return if is_end { Next::SkipSegment } else { Next::Word };
        }
        if is_version(word) {
            // A word such as `screen` in a comment is not a name that has a version.
            let is_name = self.place.depth == 0
                || !self.place.has_any_words
                    && self.text(self.phrase.span.clone()).iter().any(u8::is_ascii_uppercase);
            self.phrase.has_version |= self.phrase.words > 0 && is_name;
            self.finish();
            return Next::Word;
        }
        let end = word.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(word.len());
        let (mut name, mut after) = word.split_at_checked(end).unwrap_or_default();
        // As at the end of a sentence.
        while let [shorter @ .., b'.' | b'-' | b'_'] = name {
            name = shorter;
            after = b".";
        }
        if name.is_empty() {
            self.finish();
            return Next::Word;
        }
        if is_first && self.place.depth > 0 && self.is_about_system(name, after, segment) {
            return Next::SkipSegment;
        }
        match after {
            // As in `Yahoo! Slurp`.
            [b'!', ..] => {
                self.phrase = Phrase::default();
                return Next::Word;
            }
            // As in `rv:11.0`.
            [b'=' | 0x80..=0xFF, ..] | [b':', _, ..] => {
                self.finish();
                return Next::Word;
            }
            _ => {}
        }
        self.add(name, after, span.start);
        if !after.is_empty() {
            self.finish();
        }
        Next::Word
    }

    /// Returns whether an item of a comment is about the system, such as `Windows NT 10.0` or `Pixel 7 Pro Build/TQ3A`.
    fn is_about_system(&mut self, name: &[u8], after: &[u8], segment: &Range<usize>) -> bool {
        let item = self.header.get(segment.clone()).unwrap_or_default();
        let has_build = item.windows(6).any(|window| window == b"Build/")
            || item.trim_ascii_start().starts_with(b"Google Pixel");
        // As in `Mobile Checker`.
        let names_crawler = !has_build && !starts_with(name, b"Windows") && has_sign(item);
        let is_system = is_platform(name) || has_build || after.is_empty() && is_language(name);
        if !is_system || names_crawler {
            return false;
        }
        const DEVICES: [&[u8]; 10] = [
            b"Android", b"MSIE", b"Trident", b"Tizen", b"Mobile", b"Touch", b"Phone", b"Nokia", b"Series",
            b"Symb",
        ];
        self.place.has_any_words |= DEVICES.iter().any(|device| starts_with(name, device))
            || item.windows(5).any(|window| window == b"Phone");
        // Browsers wrote `compatible` first.
        self.place.is_compatible &= !starts_with(name, b"MSIE") && !starts_with(name, b"Konqueror");
        self.place.is_after_start = true;
        true
    }

    /// Adds a word to the phrase, which it may end before.
    fn add(&mut self, name: &[u8], after: &[u8], start: usize) {
        let place = &self.place;
        let version = after.strip_prefix(b"/");
        let may_have_browser = !place.is_after_start || place.is_compatible;
        let is_browser_word = match may_have_browser || !place.is_after_browser {
            true => is_browser(name),
            // As in `AnyBrowser/1.0` and `Maker/AnyBrowser/1.0`.
            false => {
                let length = |text: &[u8]| text.iter().take_while(|byte| is_name_byte(**byte)).count();
                let second = version.and_then(|version| version.get(..length(version)));
                is_like_browser(name) || second.is_some_and(is_like_browser)
            }
        };
        match (self.phrase.words, self.phrase.is_browser, is_browser_word) {
            (0, ..) => {}
            // As in `Chrome Privacy Preserving Prefetch Proxy`.
            (_, true, false) if !place.is_after_start => self.phrase.is_browser = false,
            // As in `Site Mobile Checker`.
            (_, false, true) if may_have_browser && version.is_none() => {}
            // As in `Any Internet Browser/1.0`.
            (_, false, true) if name.eq_ignore_ascii_case(b"Browser") => self.phrase.is_browser = true,
            (_, was, is) if was == is => {}
            _ => self.finish(),
        }
        if self.phrase.words == 0 {
            self.phrase = Phrase { span: start..start, is_browser: is_browser_word, ..Phrase::default() };
        }
        if is_browser_word && !is_engine(name) {
            self.place.is_after_application = true;
        }
        self.phrase.words += 1;
        self.phrase.span.end = start + name.len();
        if let Some(version) = version {
            let digits = version.strip_prefix(b"v").or(version.strip_prefix(b"V")).unwrap_or(version);
            self.phrase.has_version = digits.first().is_some_and(u8::is_ascii_digit);
            // As in `(example.com/about)`: an address.
            let is_address = name.contains(&b'.') && !self.phrase.has_version && !version.is_empty();
            if self.place.depth > 0 && !self.place.is_compatible && is_address {
                self.phrase = Phrase::default();
            }
        }
    }

    /// Reports a phrase that may be a name, and begins an empty one.
    fn finish(&mut self) {
        let phrase = core::mem::take(&mut self.phrase);
        if phrase.words == 0 {
            return;
        }
        let is_start = !core::mem::replace(&mut self.place.is_after_start, true);
        let header = self.header;
        let text = header.get(phrase.span.clone()).unwrap_or_default();
        // After `compatible`, a known name and a word with a version are names, also if browsers send them elsewhere.
        let is_known = self.place.is_compatible && self.known.find(text).is_some();
        if phrase.is_browser && !is_known {
            self.place.is_after_browser = true;
            return;
        }
        let is_named = is_known || self.place.is_compatible && phrase.has_version;
        // Only at the start is a letter by itself a name.
        let is_word = text.windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
            || is_start && text.len() == 1 && text.iter().all(u8::is_ascii_alphabetic);
        if text.len() > LONGEST || !is_word || phrase.words == 1 && is_general(text) && !is_named {
            return;
        }
        let mut span = phrase.span.clone();
        // As in `examplebot0.5.0`.
        let text = without_version(text);
        span.end = span.start + text.len();
        let index = known_at(text, self.known).map(|(index, length)| {
            span.end = span.start + length;
            index
        });
        let is_library = phrase.words == 1 && is_library(text);
        let is_compatible = self.place.is_compatible;
        self.place.is_compatible &= is_library;
        let has_sign = has_sign(text);
        // In a comment, a text such as `SM-T550` is the model of a device.
        let is_model = !text.iter().any(u8::is_ascii_lowercase)
            && (self.place.has_any_words || text.iter().any(u8::is_ascii_digit));
        let has_version = phrase.has_version && !(self.place.depth > 0 && is_model);
        let rank = match self.place.depth > 0 {
            _ if is_library && is_runtime(text) => Rank::Runtime,
            _ if is_library && is_start => Rank::Library,
            _ if is_library => Rank::OtherLibrary,
            _ if is_start && is_device(text) => return,
            _ if is_start => Rank::First,
            _ if index.is_some() => Rank::Known,
            _ if is_compatible => Rank::Compatible,
            _ if !has_sign && self.place.is_after_application && !self.has_address => return,
            true if has_sign || has_version => Rank::SignInComment,
            true if self.may_be_name(text, &phrase) => Rank::OtherInComment,
            true => return,
            false if has_sign || has_version => Rank::Sign,
            false => Rank::Other,
        };
        let named_end = if index.is_some() { span.end } else { span.start };
        (self.each)(Candidate { span, rank, known: index });
        // As in `ExampleBot/1.0 MyBot OtherBot/1.0`, where `MyBot OtherBot` may be one name.
        let mut start = named_end;
        while let Some(at) =
            header.get(start..phrase.span.end).and_then(|rest| rest.iter().position(|&byte| byte == b' '))
        {
            start += at + 1;
            if let Some((index, length)) =
                header.get(start..phrase.span.end).and_then(|rest| known_at(rest, self.known))
            {
                (self.each)(Candidate {
                    span: start..start + length,
                    rank: Rank::Mention,
                    known: Some(index),
                });
                start += length;
            }
        }
    }

    /// Returns whether a part of a comment that says by nothing that it is a name may be one.
    fn may_be_name(&self, text: &[u8], phrase: &Phrase) -> bool {
        let place = &self.place;
        let has_capital = text.iter().any(u8::is_ascii_uppercase) && text.iter().any(u8::is_ascii_lowercase);
        let is_distinct = has_capital || text.contains(&b'.');
        // Browsers send no addresses.
        let shortest = if self.has_address { 3 } else { 4 };
        let is_one_word = phrase.words == 1 && text.len() >= shortest && !text.iter().any(u8::is_ascii_digit);
        // The first comment of a browser is about its system.
        let is_system = place.comments == 1;
        let is_first =
            place.is_first_item && (!is_system || text.iter().any(|byte| matches!(byte, b'.' | b'_')));
        let has_any_words = is_system && place.has_any_words && !self.has_address;
        is_distinct && !has_any_words && (is_one_word || is_first)
    }
}

/// A name without a version that is joined to it, if the name has a part such as `bot`.
fn without_version(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !byte.is_ascii_digit() && *byte != b'.').map_or(0, |at| at + 1);
    match text.split_at_checked(end) {
        Some((name, version))
            if version.contains(&b'.') && version.first() != Some(&b'.') && has_sign(name) =>
        {
            name
        }
        _ => text,
    }
}

/// What is read after a word.
enum Next {
    Word,
    SkipWord,
    SkipSegment,
}

/// The length of the longest name in bytes. Longer texts are sentences.
const LONGEST: usize = 50;

/// Returns the index and length of the known name with which a text begins.
fn known_at(text: &[u8], known: &KnownNames<'_>) -> Option<(usize, usize)> {
    if let Some(index) = known.find(text) {
        return Some((index, text.len()));
    }
    let spaces = text.iter().enumerate().rev().filter(|(_, byte)| **byte == b' ');
    let mut starts = spaces.filter_map(|(at, _)| text.get(..at));
    starts.find_map(|start| {
        // A word such as `Code` or `Spider` begins other names, too.
        let is_distinct = start.contains(&b' ')
            || start.iter().skip(1).any(|byte| !byte.is_ascii_lowercase())
            || start.len() > 6 && has_sign(start);
        known.find(start).filter(|_| is_distinct).map(|index| (index, start.len()))
    })
}

/// Returns whether a word is one of these. Case does not count.
fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns whether a word is an address.
fn is_contact(word: &[u8]) -> bool {
    matches!(word, [b'+', ..])
        || ["http:", "https:", "www.", "mailto:", "//"]
            .iter()
            .any(|start| starts_with(word, start.as_bytes()))
        || word.contains(&b'@')
        || word.windows(3).any(|window| window == b"://")
}

/// Returns whether a word is a version such as `1.0b`, `v2` or `3.0x`, or has no letter or digit.
fn is_version(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"v").or(word.strip_prefix(b"V")).unwrap_or(word);
    if !word.iter().any(u8::is_ascii_alphanumeric) {
        return true;
    }
    if !digits.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    // A name may begin with digits, as `360Spider` does.
    let rest = digits.iter().position(|byte| byte.is_ascii_alphabetic()).and_then(|at| digits.get(at..));
    let letters = rest.map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
    letters < 3 || digits.iter().take_while(|byte| !byte.is_ascii_alphabetic()).any(|byte| *byte == b'.')
}

/// The name of the field, which some crawlers send in its value, and people copy.
const FIELD: &str = "user-agent";

/// Returns where the value begins in a header that may have the name of its field before it, or quotation marks around it.
pub(crate) fn value_start(header: &[u8]) -> usize {
    let skipped = |mut at: usize| {
        let mark_at = |at: usize| {
            let rest = header.get(at..)?;
            MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes()))
        };
        while let Some(mark) = mark_at(at) {
            at += mark.len();
        }
        at
    };
    let start = skipped(0);
    let after = start + FIELD.len();
    let is_field = header.get(start..after).is_some_and(|name| name.eq_ignore_ascii_case(FIELD.as_bytes()));
    let colon = after + header.iter().skip(after).take_while(|&&byte| byte == b' ').count();
    match header.get(colon) {
        Some(b':' | b'=') if is_field => skipped(colon + 1),
        _ => start,
    }
}

/// What may be around a text that was copied: spaces and quotation marks.
const MARKS: [&str; 10] =
    [" ", "\t", "'", "\"", "`", "\u{201c}", "\u{201d}", "\u{201e}", "\u{2018}", "\u{2019}"];

/// Returns whether a text that is not a name, or that is one of several words, is a `User-Agent` header rather than a mistake.
pub(crate) fn is_header(text: &str) -> bool {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    let has = |marks: &[u8]| text.bytes().any(|byte| marks.contains(&byte));
    let is_cut = |word: &str| !word.is_empty() && is_version(word.as_bytes()) || is_contact(word.as_bytes());
    let has_field =
        text.get(..value_start(text.as_bytes())).is_some_and(|before| before.contains([':', '=']));
    has_field || has(b"/(;") || text.contains(' ') && has(b"=@[") || text.split(' ').skip(1).any(is_cut)
}
