//! What the documents see differently about rules and paths.

/// How rules are compiled and paths are held against them: one field for each thing on which the documents differ.
///
/// ```
/// use robots_match::{IndexPage, Policy, Profile};
///
/// let mut profile = Profile::RFC9309;
/// profile.matching.index_page = IndexPage::AlsoDirectory;
/// assert_ne!(profile.matching, Policy::RFC9309);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Policy {
    /// The form into which the patterns of rules are brought.
    pub pattern: Form,
    /// The form into which paths are brought.
    pub path: Form,
    /// What a query also matches as.
    pub query: Query,
    /// Which octets of a pattern stand for others.
    pub specials: Specials,
    /// Which of several rules that match prevails.
    pub precedence: Precedence,
    /// What a rule without a pattern matches.
    pub empty_pattern: EmptyPattern,
    /// What an "allow" rule for an index page allows.
    pub index_page: IndexPage,
    /// Whether rules apply to `/robots.txt`.
    pub robots_txt: RobotsTxt,
    /// What ends the authority of a URL that is given as text.
    pub authority: Authority,
}

impl Policy {
    /// RFC 9309: percent-encoding and precedence of section 2.2.2, special characters of section 2.2.3.
    pub const RFC9309: Self = Self {
        pattern: Form::Normal,
        path: Form::Normal,
        query: Query::AlsoDecoded,
        specials: Specials::StarAndDollar,
        precedence: Precedence::MostOctets,
        empty_pattern: EmptyPattern::Nothing,
        index_page: IndexPage::OwnPath,
        robots_txt: RobotsTxt::Allowed,
        authority: Authority::UntilSlashOrQuery,
    };

    /// draft-koster-rep-00: the same in its sections 2.2.2 and 2.2.3.
    pub const DRAFT_KOSTER_REP_00: Self = Self::RFC9309;

    /// Google's interpretation, "URL matching based on path values" and "Order of precedence for rules", and what its
    /// published parser does with octets.
    pub const GOOGLE: Self = Self {
        pattern: Form::NonAsciiEncoded,
        path: Form::AsWritten,
        query: Query::OneForm,
        empty_pattern: EmptyPattern::EverythingWithoutEffect,
        index_page: IndexPage::AlsoDirectory,
        robots_txt: RobotsTxt::Ruled,
        authority: Authority::UntilSlashQueryOrSemicolon,
        ..Self::RFC9309
    };

    /// The draft of 1996, section 3.2.2: everything but `/` is decoded, the first match counts.
    pub const KOSTER_1996: Self = Self {
        pattern: Form::DecodedButSlash,
        path: Form::DecodedButSlash,
        query: Query::OneForm,
        specials: Specials::None,
        precedence: Precedence::First,
        ..Self::RFC9309
    };
}

impl Policy {
    /// Whether `*` and `$` are special in patterns.
    pub(crate) fn has_specials(&self) -> bool {
        self.specials == Specials::StarAndDollar
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::RFC9309
    }
}

/// A form of octets in which two that mean the same are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Nothing is changed.
    AsWritten,
    /// Octets outside ASCII are percent-encoded; hex digits of what is encoded become upper case.
    NonAsciiEncoded,
    /// That of RFC 3986: encoded unreserved octets are decoded, hex digits are upper case, and whatever no URI may hold
    /// is encoded, as is a `*` or `$` that stands for itself. Reserved octets stay as they are written.
    Normal,
    /// Every encoded octet is decoded, but for `/` (and `%`, without which the result would be ambiguous).
    DecodedButSlash,
}

/// What the queries of paths and patterns also match as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Query {
    /// Nothing else.
    OneForm,
    /// Also with those octets decoded that are reserved, and delimit nothing in a query: `: / @ [ ] ! ' ( ) , ;`.
    AlsoDecoded,
}

/// Which octets of a pattern stand for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Specials {
    /// None: every octet stands for itself.
    None,
    /// `*` for any octets, `$` at the end for the end of the path.
    StarAndDollar,
}

/// Which of several rules that match prevails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precedence {
    /// The one with the most octets; of two as long, the one that allows; of two such, the first.
    MostOctets,
    /// The first.
    First,
}

/// What a rule without a pattern (`Disallow:`) matches. It never disallows anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EmptyPattern {
    /// Nothing.
    Nothing,
    /// Everything, with no octets: where no other rule matches, its line is named, and access is allowed.
    EverythingWithoutEffect,
}

/// What an "allow" rule for an index page (`/index.htm` and what begins with that, as the last part) allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexPage {
    /// What it says.
    OwnPath,
    /// Its directory, too.
    AlsoDirectory,
}

/// Whether rules apply to `/robots.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RobotsTxt {
    /// It is allowed, whatever they say.
    Allowed,
    /// They do.
    Ruled,
}

/// What ends the authority of a URL that is given as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Authority {
    /// `/` or `?` (or `#`), as RFC 3986, section 3.2, has it.
    UntilSlashOrQuery,
    /// `;` as well.
    UntilSlashQueryOrSemicolon,
}

impl Authority {
    pub(crate) const fn is_ended_by(self, octet: u8) -> bool {
        match self {
            Self::UntilSlashOrQuery => matches!(octet, b'/' | b'?'),
            Self::UntilSlashQueryOrSemicolon => matches!(octet, b'/' | b'?' | b';'),
        }
    }
}
