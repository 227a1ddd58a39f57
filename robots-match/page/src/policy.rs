//! The differences between the documents about rules of pages.

use crate::date::DateOnly;
use crate::knob::knob;
use crate::rule::{Preference, RuleName};

/// How rules of pages are read and combined: one field for each difference between the documents.
///
/// ```
/// use robots_page::{MetaPlace, PagePolicy};
///
/// let mut mine = PagePolicy::REPEXT;
/// mine.meta_place = MetaPlace::Document;
/// assert_ne!(mine, PagePolicy::REPEXT);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PagePolicy {
    /// The response fields whose rules count.
    pub robots_fields: RobotsFields,
    /// How the value of a response field is read.
    pub field_syntax: FieldSyntax,
    /// The meaning of a list member that is the name of a rule, such as `Robots-Tag: noindex`.
    pub rule_as_token: RuleAsToken,
    /// Whether the case of parameters counts.
    pub key_case: KeyCase,
    /// What remains of a list with an invalid member.
    pub recovery: Recovery,
    /// How an invalid member of a list is read.
    pub invalid_member: InvalidMember,
    /// Which values of a parameter state its rule.
    pub parameter_value: ParameterValue,
    /// Which items name a crawler.
    pub token_form: TokenForm,
    /// How rules that disagree are combined.
    pub combine: Combine,
    /// How far `name:` reaches in a comma-separated field.
    pub prefix_scope: PrefixScope,
    /// Which names before a colon are rules.
    pub prefix: Prefix,
    /// What separates rules.
    pub separators: Separators,
    /// In which part of an HTML document `meta` elements count.
    pub meta_place: MetaPlace,
    /// How `noscript` elements are read.
    pub noscript: Noscript,
    /// Which spellings of `<meta name="robots">` count.
    pub meta_names: MetaNames,
    /// Which names of crawlers count.
    pub crawler_names: CrawlerNames,
    /// How a name is compared with those of a crawler.
    pub token_match: TokenMatch,
    /// Names that a crawler has in pages in addition to those that it has in robots.txt: the crawler, and the name in pages.
    pub other_names: &'static [(&'static str, &'static str)],
    /// The moment that a date without a time is.
    pub date_only: DateOnly,
    /// How preferences of robots.txt and of the response field are combined.
    pub usage_sources: UsageSources,
    /// How several `Content-Usage` lines of a response are combined.
    pub usage_lines: UsageLines,
    /// How several TDM reservations are combined.
    pub tdm: Tdm,
    /// Whether rules about search restrict training.
    pub ai_from_search: AiFromSearch,
    /// The values of content signals.
    pub signal_values: SignalValues,
    /// The rules that count in response fields.
    pub field_rules: &'static [RuleName],
    /// The rules that count in `meta` elements.
    pub meta_rules: &'static [RuleName],
    /// What rules mean for the training of models.
    pub training: &'static [(RuleName, Preference)],
    /// What rules mean for answers of AI systems that quote or summarize the page.
    pub answers: &'static [(RuleName, Preference)],
}

/// The rules of draft-illyes-repext-03, and others in use, which it permits (section 3.1.3).
const IN_USE: &[RuleName] = &[
    RuleName::NoIndex,
    RuleName::NoSnippet,
    RuleName::NoFollow,
    RuleName::None,
    RuleName::NoArchive,
    RuleName::NoCache,
    RuleName::NoTranslate,
    RuleName::NoImageIndex,
    RuleName::MaxSnippet,
    RuleName::MaxImagePreview,
    RuleName::MaxVideoPreview,
    RuleName::UnavailableAfter,
    RuleName::NoAi,
    RuleName::NoImageAi,
    RuleName::NoMl,
    RuleName::All,
    RuleName::Index,
    RuleName::Follow,
    RuleName::Archive,
];

/// The table of Google's page.
const OF_GOOGLE: &[RuleName] = &[
    RuleName::All,
    RuleName::NoIndex,
    RuleName::NoFollow,
    RuleName::None,
    RuleName::NoSnippet,
    RuleName::IndexIfEmbedded,
    RuleName::MaxSnippet,
    RuleName::MaxImagePreview,
    RuleName::MaxVideoPreview,
    RuleName::NoTranslate,
    RuleName::NoImageIndex,
    RuleName::UnavailableAfter,
];

const OF_BING: &[RuleName] = &[
    RuleName::NoIndex,
    RuleName::NoFollow,
    RuleName::NoSnippet,
    RuleName::NoArchive,
    RuleName::NoCache,
    RuleName::MaxSnippet,
    RuleName::MaxImagePreview,
    RuleName::MaxVideoPreview,
    RuleName::Index,
    RuleName::Follow,
];

const OF_YANDEX_FIELDS: &[RuleName] =
    &[RuleName::NoIndex, RuleName::NoFollow, RuleName::None, RuleName::NoArchive];

const OF_YANDEX_META: &[RuleName] = &[
    RuleName::NoIndex,
    RuleName::NoFollow,
    RuleName::None,
    RuleName::NoArchive,
    RuleName::Index,
    RuleName::Follow,
    RuleName::Archive,
    RuleName::All,
];

const OF_1996: &[RuleName] = &[
    RuleName::All,
    RuleName::None,
    RuleName::Index,
    RuleName::NoIndex,
    RuleName::Follow,
    RuleName::NoFollow,
];

impl PagePolicy {
    /// draft-illyes-repext-03, with draft-ietf-aipref-attach-05 and draft-ietf-aipref-vocab-07.
    pub const REPEXT: Self = Self {
        robots_fields: RobotsFields::Both,
        field_syntax: FieldSyntax::ByField,
        rule_as_token: RuleAsToken::ForAll,
        key_case: KeyCase::Ignore,
        recovery: Recovery::PerMember,
        invalid_member: InvalidMember::Legacy,
        parameter_value: ParameterValue::Presence,
        token_form: TokenForm::TokenOrString,
        combine: Combine::Union,
        prefix_scope: PrefixScope::ToNextPrefix,
        prefix: Prefix::KnownValueRules,
        separators: Separators::CommaSpaceSemicolon,
        meta_place: MetaPlace::Head,
        noscript: Noscript::Both,
        meta_names: MetaNames::Exact,
        crawler_names: CrawlerNames::Any,
        token_match: TokenMatch::Whole,
        other_names: &[],
        date_only: DateOnly::StartOfDay,
        usage_sources: UsageSources::MostRestrictive,
        usage_lines: UsageLines::OneDictionary,
        tdm: Tdm::LastWord,
        ai_from_search: AiFromSearch::No,
        signal_values: SignalValues::YesNo,
        field_rules: IN_USE,
        meta_rules: IN_USE,
        training: &[(RuleName::NoAi, Preference::Disallowed), (RuleName::NoMl, Preference::Disallowed)],
        answers: &[],
    };

    /// Google's page about robots `meta` elements and `X-Robots-Tag`.
    pub const GOOGLE: Self = Self {
        robots_fields: RobotsFields::XRobotsTag,
        field_syntax: FieldSyntax::Legacy,
        meta_place: MetaPlace::Document,
        crawler_names: CrawlerNames::Listed(&[
            "googlebot",
            "googlebot-news",
            "adsbot-google",
            "adsbot-google-mobile",
        ]),
        other_names: &[
            ("googlebot-news", "googlebot"),
            ("googlebot-image", "googlebot"),
            ("googlebot-video", "googlebot"),
        ],
        field_rules: OF_GOOGLE,
        meta_rules: OF_GOOGLE,
        answers: &[(RuleName::NoSnippet, Preference::Disallowed)],
        ..Self::REPEXT
    };

    /// Bing's help page about robots `meta` elements, and its announcements of 2020, 2023 and 2025.
    pub const BING: Self = Self {
        robots_fields: RobotsFields::XRobotsTag,
        field_syntax: FieldSyntax::Legacy,
        combine: Combine::NocacheWins,
        other_names: &[("bingbot", "msnbot")],
        field_rules: OF_BING,
        meta_rules: OF_BING,
        training: &[
            (RuleName::NoArchive, Preference::Disallowed),
            (RuleName::NoCache, Preference::TitleAndSnippet),
        ],
        answers: &[
            (RuleName::NoArchive, Preference::Disallowed),
            (RuleName::NoCache, Preference::TitleAndSnippet),
        ],
        ..Self::REPEXT
    };

    /// Yandex's page about robots `meta` elements and `X-Robots-Tag`.
    pub const YANDEX: Self = Self {
        robots_fields: RobotsFields::XRobotsTag,
        field_syntax: FieldSyntax::Legacy,
        combine: Combine::PermitWins,
        other_names: &[("yandexbot", "yandex"), ("yandex", "yandexbot")],
        field_rules: OF_YANDEX_FIELDS,
        meta_rules: OF_YANDEX_META,
        ..Self::REPEXT
    };

    /// The HTML Author's Guide to the Robots META tag of 1996, which has no response field.
    pub const HTML_1996: Self = Self {
        robots_fields: RobotsFields::None,
        crawler_names: CrawlerNames::Listed(&[]),
        meta_rules: OF_1996,
        ..Self::REPEXT
    };
}

impl Default for PagePolicy {
    fn default() -> Self {
        Self::REPEXT
    }
}

knob! {
    /// The response fields whose rules count.
    RobotsFields {
        /// `Robots-Tag` and `X-Robots-Tag` (repext-03, section 3.1.1).
        Both,
        /// `X-Robots-Tag`.
        XRobotsTag,
        /// None.
        None,
    }
}

knob! {
    /// How the value of a response field is read.
    FieldSyntax {
        /// `Robots-Tag` is a structured field. `X-Robots-Tag` is a comma-separated text, unless it is a list in which a member
        /// has a known rule as parameter.
        ByField,
        /// Each field is a comma-separated text, unless it is such a list.
        Detect,
        /// Each field is a structured field.
        Structured,
        /// Each field is a comma-separated text.
        Legacy,
    }
}

knob! {
    /// The meaning of a list member that is the name of a rule.
    RuleAsToken {
        /// The rule, for every crawler.
        ForAll,
        /// A crawler of this name.
        Crawler,
    }
}

knob! {
    /// Whether the case of parameters counts.
    KeyCase {
        /// No: `NoIndex` is the rule `noindex`.
        Ignore,
        /// Yes, as for the keys of RFC 9651.
        Strict,
    }
}

knob! {
    /// What remains of a list with an invalid member.
    Recovery {
        /// The other members (repext-03, section 3.1.1).
        PerMember,
        /// Nothing (RFC 9651, section 4.2).
        WholeField,
    }
}

knob! {
    /// How an invalid member of a list is read.
    InvalidMember {
        /// As comma-separated fields are: `googlebot: noindex`.
        Legacy,
        /// It is ignored.
        Ignore,
    }
}

knob! {
    /// Which values of a parameter state its rule.
    ParameterValue {
        /// All except a false boolean.
        Presence,
        /// A true boolean.
        OnlyTrue,
    }
}

knob! {
    /// Which items name a crawler.
    TokenForm {
        /// Tokens and strings.
        TokenOrString,
        /// Tokens.
        TokenOnly,
    }
}

knob! {
    /// How rules that disagree are combined.
    Combine {
        /// Every restriction counts, those for all crawlers and those for the crawler.
        Union,
        /// A rule that permits cancels the rule that prohibits the same.
        PermitWins,
        /// Every restriction counts, but `nocache` replaces what `noarchive` means for AI systems.
        NocacheWins,
        /// Rules for the crawler replace those for all crawlers. No document says so.
        MostSpecific,
    }
}

knob! {
    /// How far `name:` reaches in a comma-separated field.
    PrefixScope {
        /// To the next name, or the end of the line.
        ToNextPrefix,
        /// From the start of a line to its end; a name elsewhere is not a name.
        FieldLine,
        /// Over one rule.
        NextRule,
    }
}

knob! {
    /// Which names before a colon are rules.
    Prefix {
        /// The four rules with values; other names are those of crawlers.
        KnownValueRules,
        /// None: every name before a colon is that of a crawler.
        AnyName,
    }
}

knob! {
    /// What separates rules.
    Separators {
        /// Commas, and also spaces and semicolons if every word is a rule without a value.
        CommaSpaceSemicolon,
        /// Commas.
        Comma,
    }
}

knob! {
    /// In which part of an HTML document `meta` elements count.
    MetaPlace {
        /// The head.
        Head,
        /// The whole document.
        Document,
    }
}

knob! {
    /// How `noscript` elements are read.
    Noscript {
        /// With and without scripts; what either finds counts.
        Both,
        /// Without scripts: their content is part of the document.
        Off,
        /// With scripts: their content is text.
        On,
    }
}

knob! {
    /// Which spellings of `<meta name="robots">` count.
    MetaNames {
        /// The attribute `name` with the name, white space around it ignored.
        Exact,
        /// Also `robot`, and the attributes `property` and `http-equiv`, as observed.
        AsObserved,
    }
}

knob! {
    /// Which names of crawlers count.
    CrawlerNames {
        /// All.
        Any,
        /// These.
        Listed(&'static [&'static str]),
    }
}

knob! {
    /// How a name is compared with those of a crawler, ignoring ASCII case.
    TokenMatch {
        /// Both are equal.
        Whole,
        /// The crawler's name begins with the name.
        Prefix,
        /// The crawler's name contains the name.
        Substring,
    }
}

knob! {
    /// How preferences of robots.txt and of the response field are combined.
    UsageSources {
        /// The most restrictive one counts (vocab-07, section 5.1).
        MostRestrictive,
        /// The response field counts if it states a preference.
        FieldFirst,
    }
}

knob! {
    /// How several `Content-Usage` lines of a response are combined.
    UsageLines {
        /// They are one dictionary: the last of equal keys counts (RFC 9651, section 4.2).
        OneDictionary,
        /// Each is a statement, and the most restrictive one counts.
        EachLine,
    }
}

knob! {
    /// How several TDM reservations are combined.
    Tdm {
        /// The last one counts: that of `meta` elements, otherwise that of response fields.
        LastWord,
        /// A reservation counts wherever it is.
        AnyReserves,
    }
}

knob! {
    /// Whether rules about search restrict training.
    AiFromSearch {
        /// No.
        No,
        /// `noindex` and `noimageindex` do. No document says so.
        NoindexToo,
    }
}

knob! {
    /// The values of content signals.
    SignalValues {
        /// `yes` and `no`.
        YesNo,
        /// Also `allow` and `disallow`.
        AlsoAllowDisallow,
    }
}

impl CrawlerNames {
    /// Returns whether rules for the crawler `name` count.
    pub(crate) fn has(self, name: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(names) => names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name)),
        }
    }
}

impl TokenMatch {
    /// Returns whether the crawler's name `own` is meant by `written`.
    pub(crate) fn matches(self, own: &str, written: &str) -> bool {
        let (own, written) = (own.as_bytes(), written.as_bytes());
        match self {
            Self::Whole => own.eq_ignore_ascii_case(written),
            Self::Prefix => own.get(..written.len()).is_some_and(|start| start.eq_ignore_ascii_case(written)),
            Self::Substring => {
                !written.is_empty()
                    && own.windows(written.len()).any(|part| part.eq_ignore_ascii_case(written))
            }
        }
    }
}

impl SignalValues {
    /// Returns whether the value of a signal grants the use; `None` if the value has no meaning.
    pub(crate) fn granted(self, value: &[u8]) -> Option<bool> {
        let is = |word: &[u8]| value.eq_ignore_ascii_case(word);
        match self {
            _ if is(b"yes") => Some(true),
            _ if is(b"no") => Some(false),
            Self::AlsoAllowDisallow if is(b"allow") => Some(true),
            Self::AlsoAllowDisallow if is(b"disallow") => Some(false),
            _ => None,
        }
    }
}
