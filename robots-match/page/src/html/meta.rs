//! What is kept of a tag: the name, and the values of the attributes of a `meta` element.

use alloc::vec::Vec;

use crate::html::tag::LONGEST;
use crate::record::Place;

/// A `meta` element, or another one if those are read, too. Values are as written, with character references.
#[derive(Debug)]
pub(crate) struct Meta<'v> {
    /// The name of the element in lower case.
    pub(crate) tag: &'v [u8],
    /// The position of `<`.
    pub(crate) start: usize,
    /// The position after `>`.
    pub(crate) end: usize,
    pub(crate) line: u32,
    pub(crate) place: Place,
    /// The values of the first attributes with the names of [`Attribute`].
    pub(crate) values: [Option<&'v [u8]>; Attribute::COUNT],
    /// Whether a value is longer than [`MAX_VALUE`] and cut.
    pub(crate) is_cut: bool,
    /// Whether an attribute has the name of a rule.
    pub(crate) has_rule_attribute: bool,
    /// Whether a reader that treats `noscript` otherwise may have found the element before.
    pub(crate) is_second: bool,
}

impl<'v> Meta<'v> {
    pub(crate) const fn value(&self, attribute: Attribute) -> Option<&'v [u8]> {
        let [name, content, property, http_equiv, value, rel, href, no_snippet] = self.values;
        match attribute {
            Attribute::Name => name,
            Attribute::Content => content,
            Attribute::Property => property,
            Attribute::HttpEquiv => http_equiv,
            Attribute::Value => value,
            Attribute::Rel => rel,
            Attribute::Href => href,
            Attribute::DataNoSnippet => no_snippet,
        }
    }
}

/// The most bytes of an attribute value that are kept if the value does not fit into one block.
pub(crate) const MAX_VALUE: usize = 64 << 10;

/// An attribute whose value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    Name,
    Content,
    /// `property` or `itemprop`.
    Property,
    HttpEquiv,
    Value,
    Rel,
    Href,
    DataNoSnippet,
}

impl Attribute {
    pub(super) const COUNT: usize = 8;

    pub(super) fn of(name: &[u8]) -> Option<Self> {
        match name {
            b"name" => Some(Self::Name),
            b"content" => Some(Self::Content),
            b"property" | b"itemprop" => Some(Self::Property),
            b"http-equiv" => Some(Self::HttpEquiv),
            b"value" => Some(Self::Value),
            b"rel" => Some(Self::Rel),
            b"href" => Some(Self::Href),
            b"data-nosnippet" => Some(Self::DataNoSnippet),
            _ => None,
        }
    }
}

/// A name of at most [`LONGEST`] bytes, in lower case; longer names are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Name {
    pub(super) bytes: [u8; LONGEST],
    pub(super) len: u8,
}

impl Name {
    pub(super) fn extend(&mut self, part: &[u8]) {
        for &byte in part {
            let Some(place) = self.bytes.get_mut(usize::from(self.len)) else {
                self.len = u8::MAX;
                return;
            };
            *place = byte.to_ascii_lowercase();
            self.len += 1;
        }
    }

    pub(super) fn get(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// A value, in the block that is read, and what earlier blocks had of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Captured {
    pub(super) before: Vec<u8>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_there: bool,
}
