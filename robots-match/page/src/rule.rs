//! Rules of pages.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::date::{self, DateOnly, Timestamp};
use crate::problem::Problem;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// The name of a rule that documents define or sites use.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RuleName { $($(#[$doc])* $name,)* }

        impl RuleName {
            /// All names.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

names! {
    /// Do not store the page in an index.
    NoIndex = "noindex";
    /// Do not follow the links of the page.
    NoFollow = "nofollow";
    /// Do not show an excerpt of the page.
    NoSnippet = "nosnippet";
    /// `noindex` and `nofollow`.
    None = "none";
    /// No restriction.
    All = "all";
    /// The page may be indexed.
    Index = "index";
    /// Links may be followed.
    Follow = "follow";
    /// A copy may be shown.
    Archive = "archive";
    /// Do not show a copy of the page.
    NoArchive = "noarchive";
    /// Do not show a copy of the page (Bing).
    NoCache = "nocache";
    /// The longest excerpt, in characters.
    MaxSnippet = "max-snippet";
    /// The largest preview of images.
    MaxImagePreview = "max-image-preview";
    /// The longest preview of videos, in seconds.
    MaxVideoPreview = "max-video-preview";
    /// Do not offer a translation.
    NoTranslate = "notranslate";
    /// Do not index the images of the page.
    NoImageIndex = "noimageindex";
    /// Do not show the page after this time.
    UnavailableAfter = "unavailable_after";
    /// The page may be indexed as part of another page, despite `noindex`.
    IndexIfEmbedded = "indexifembedded";
    /// Do not use the content in data sets of AI (DeviantArt, 2022).
    NoAi = "noai";
    /// Do not use the images in data sets of AI.
    NoImageAi = "noimageai";
    /// Do not use the content for machine learning (noml.info, 2023).
    NoMl = "noml";
    /// Without effect today: descriptions of the Open Directory Project.
    NoOdp = "noodp";
    /// Without effect today: descriptions of the Yahoo Directory.
    NoYdir = "noydir";
    /// Without effect today: descriptions of the Yandex Catalogue.
    NoYaca = "noyaca";
    /// Without effect today: the search box below a result.
    NoSiteLinksSearchBox = "nositelinkssearchbox";
}

impl RuleName {
    /// Returns the rule with this name, ignoring ASCII case.
    #[must_use]
    pub fn find(name: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.name().as_bytes().eq_ignore_ascii_case(name))
    }

    /// Returns whether the rule has a value, which follows a colon.
    #[must_use]
    pub const fn has_value(self) -> bool {
        matches!(
            self,
            Self::MaxSnippet | Self::MaxImagePreview | Self::MaxVideoPreview | Self::UnavailableAfter
        )
    }
}

/// A preference about a use of content. Greater values are more restrictive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(clippy::exhaustive_enums, reason = "the values of vocab-07, and the part that Bing grants")]
pub enum Preference {
    /// Nothing is known.
    #[default]
    Unknown,
    /// The use is allowed.
    Allowed,
    /// The URL, the title and the snippet may be used.
    TitleAndSnippet,
    /// The use is disallowed.
    Disallowed,
}

impl From<bool> for Preference {
    fn from(granted: bool) -> Self {
        if granted { Self::Allowed } else { Self::Disallowed }
    }
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unknown => "unknown",
            Self::Allowed => "allowed",
            Self::TitleAndSnippet => "title and snippet only",
            Self::Disallowed => "disallowed",
        })
    }
}

/// The largest preview of an image. Smaller values are more restrictive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the three values of the documents")]
pub enum ImagePreview {
    /// No preview.
    None,
    /// A preview of the usual size.
    Standard,
    /// A preview as large as the window.
    Large,
}

impl fmt::Display for ImagePreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Standard => "standard",
            Self::Large => "large",
        })
    }
}

/// A rule with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A rule without a value.
    Named(RuleName),
    /// `max-snippet`, in characters; `None` for no limit.
    MaxSnippet(Option<u32>),
    /// `max-image-preview`.
    MaxImagePreview(ImagePreview),
    /// `max-video-preview`, in seconds; `None` for no limit.
    MaxVideoPreview(Option<u32>),
    /// `unavailable_after`.
    UnavailableAfter(Timestamp),
    /// A preference of `Content-Usage`.
    Usage {
        /// The label of the use.
        label: Box<str>,
        /// The preference.
        preference: Preference,
    },
    /// A signal of `Content-Signal`.
    Signal {
        /// The name of the use.
        name: Box<str>,
        /// The preference.
        preference: Preference,
    },
    /// `tdm-reservation`.
    TdmReservation(bool),
    /// `tdm-policy`, a URL.
    TdmPolicy(Box<str>),
    /// Any other text; long texts are cut.
    Unknown(Box<str>),
}

impl Rule {
    /// The most bytes of an unknown rule that are kept.
    pub const MAX_UNKNOWN: usize = 64;

    /// Returns the name of the rule, if it has one of [`RuleName::ALL`].
    #[must_use]
    pub const fn name(&self) -> Option<RuleName> {
        match self {
            Self::Named(name) => Some(*name),
            Self::MaxSnippet(_) => Some(RuleName::MaxSnippet),
            Self::MaxImagePreview(_) => Some(RuleName::MaxImagePreview),
            Self::MaxVideoPreview(_) => Some(RuleName::MaxVideoPreview),
            Self::UnavailableAfter(_) => Some(RuleName::UnavailableAfter),
            _ => None,
        }
    }

    pub(crate) fn unknown(text: &[u8]) -> Self {
        Self::Unknown(cut(text))
    }

    /// Reads the value of a rule that has one.
    pub(crate) fn with_value(name: RuleName, value: &[u8], policy: DateOnly) -> Result<Self, Problem> {
        match name {
            RuleName::MaxSnippet => number(value).map(Self::MaxSnippet).ok_or(Problem::InvalidNumber),
            RuleName::MaxVideoPreview => {
                number(value).map(Self::MaxVideoPreview).ok_or(Problem::InvalidNumber)
            }
            RuleName::MaxImagePreview => {
                let sizes = [ImagePreview::None, ImagePreview::Standard, ImagePreview::Large];
                let is = |size: &ImagePreview| {
                    let name = match size {
                        ImagePreview::None => "none",
                        ImagePreview::Standard => "standard",
                        ImagePreview::Large => "large",
                    };
                    value.eq_ignore_ascii_case(name.as_bytes())
                };
                sizes.into_iter().find(is).map(Self::MaxImagePreview).ok_or(Problem::InvalidSize)
            }
            RuleName::UnavailableAfter => {
                date::parse(value, policy).map(Self::UnavailableAfter).ok_or(Problem::InvalidDate)
            }
            _ => Ok(Self::Named(name)),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = |f: &mut fmt::Formatter<'_>, name: RuleName, limit: &Option<u32>| match limit {
            Some(limit) => write!(f, "{}:{limit}", name.name()),
            None => write!(f, "{}:-1", name.name()),
        };
        match self {
            Self::Named(name) => f.write_str(name.name()),
            Self::MaxSnippet(most) => limit(f, RuleName::MaxSnippet, most),
            Self::MaxVideoPreview(most) => limit(f, RuleName::MaxVideoPreview, most),
            Self::MaxImagePreview(size) => write!(f, "{}:{size}", RuleName::MaxImagePreview.name()),
            Self::UnavailableAfter(time) => write!(f, "{}: {time}", RuleName::UnavailableAfter.name()),
            Self::Usage { label, preference } => write!(f, "{label} {preference}"),
            Self::Signal { name, preference } => write!(f, "{name} {preference}"),
            Self::TdmReservation(is_reserved) => write!(f, "tdm-reservation: {}", u8::from(*is_reserved)),
            Self::TdmPolicy(url) => write!(f, "tdm-policy: {url}"),
            Self::Unknown(text) => f.write_str(text),
        }
    }
}

/// A whole number; `Some(None)` for -1 and for a number that is too large to limit anything.
#[expect(clippy::option_option, reason = "an invalid number and no limit are different results")]
fn number(text: &[u8]) -> Option<Option<u32>> {
    if text == b"-1" {
        return Some(None);
    }
    let digits = text.strip_prefix(b"+").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0_u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Some(u32::try_from(value).ok())
}

/// Returns at most [`Rule::MAX_UNKNOWN`] bytes of `text`, with a replacement for what is not UTF-8.
pub(crate) fn cut(text: &[u8]) -> Box<str> {
    let text = text.get(..text.len().min(Rule::MAX_UNKNOWN)).unwrap_or_default();
    String::from_utf8_lossy(text).into_owned().into_boxed_str()
}
