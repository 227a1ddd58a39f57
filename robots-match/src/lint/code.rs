//! The kinds of findings.

use core::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Severity {
    /// Good to know; nothing may be wrong.
    Note,
    /// Readers differ on it, or it most likely does something else than was meant.
    Warning,
    /// It has no effect, or spoils more than itself.
    Error,
}

impl Severity {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! codes {
    ($($name:ident = $code:literal, $folder:literal, $severity:ident, $title:literal;)*) => {
        /// What kind of thing a finding is. Names stay as they are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[doc = concat!($title, ".")]
                $name,
            )*
        }

        impl Code {
            /// All there are, in the order of this list.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name, in lower case with hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// What it is, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// Its page of documentation, in Markdown: why it matters, a file that has it and one that has not.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!($folder, ".md")),)* }
            }
        }
    };
}

codes! {
    NotText = "not-text", "file/not_text", Error, "The file is a page of HTML";
    Utf16 = "utf-16", "file/utf_16", Error, "The file is in UTF-16";
    ContentType = "content-type", "file/content_type", Warning, "The file is not served as plain text";
    ByteOrderMark = "byte-order-mark", "file/byte_order_mark", Warning, "A byte order mark stands before the first line";
    NotUtf8 = "not-utf-8", "file/not_utf_8", Warning, "A line is not UTF-8";
    ControlOctet = "control-octet", "file/control_octet", Warning, "A line holds a control octet";
    TooLarge = "too-large", "file/too_large", Error, "The file is larger than readers read";
    LineTooLong = "line-too-long", "file/line_too_long", Error, "A line is longer than readers read";
    NoLineEnd = "no-line-end", "file/no_line_end", Note, "The last line has no line end";
    UnreadableLine = "unreadable-line", "keys/unreadable_line", Warning, "A line is no record";
    MissingColon = "missing-colon", "keys/missing_colon", Error, "A colon is missing";
    MisspeltKey = "misspelt-key", "keys/misspelt_key", Error, "A key is misspelt";
    UnknownKey = "unknown-key", "keys/unknown_key", Warning, "A key is unknown";
    OptionalKey = "optional-key", "keys/optional_key", Note, "Only some crawlers know a key";
    DeprecatedKey = "deprecated-key", "keys/deprecated_key", Warning, "Crawlers have given up a key";
    CrawlDelay = "crawl-delay", "records/crawl_delay", Warning, "A crawl delay is no sensible number";
    RequestRate = "request-rate", "records/request_rate", Warning, "A request rate is not of its form";
    VisitTime = "visit-time", "records/visit_time", Warning, "The hours of a visit are not of their form";
    CleanParam = "clean-param", "records/clean_param", Warning, "Clean parameters are not of their form";
    HostName = "host-name", "records/host_name", Note, "The value of a host record is no host name";
    RecordOutsideGroup = "record-outside-group", "records/record_outside_group", Warning, "A record that belongs in a group stands in none";
    SitemapNotAbsolute = "sitemap-not-absolute", "records/sitemap_not_absolute", Error, "The value of a sitemap record is no absolute URL";
    SitemapScheme = "sitemap-scheme", "records/sitemap_scheme", Warning, "A sitemap has a scheme that crawlers do not fetch";
    SitemapDisallowed = "sitemap-disallowed", "records/sitemap_disallowed", Warning, "A sitemap may not be fetched";
    LicenseNotAbsolute = "license-not-absolute", "records/license_not_absolute", Error, "The value of a license record is no absolute URL";
    ContentSignal = "content-signal", "records/content_signal", Warning, "A content signal is none that its policy knows";
    ContentUsage = "content-usage", "records/content_usage", Warning, "A preference is none that its vocabulary knows";
    SignalVocabulary = "signal-vocabulary", "records/signal_vocabulary", Warning, "Content-Signal and Content-Usage are mixed up";
    RuleOutsideGroup = "rule-outside-group", "rules/rule_outside_group", Error, "A rule stands in no group";
    AgentEmpty = "agent-empty", "agents/agent_empty", Error, "A user-agent line names nobody";
    AgentList = "agent-list", "agents/agent_list", Error, "A user-agent line has a list of names";
    AgentIsHeader = "agent-is-header", "agents/agent_is_header", Error, "A user-agent line has a whole User-Agent header";
    AgentCharacters = "agent-characters", "agents/agent_characters", Warning, "A name holds characters that no product token holds";
    SplitAgents = "split-agents", "agents/split_agents", Warning, "A blank line stands within a group";
    AccidentalGroup = "accidental-group", "agents/accidental_group", Warning, "User-agent lines form one group across another record";
    GroupWithoutRules = "group-without-rules", "agents/group_without_rules", Note, "A group has no rules";
    DuplicateGroup = "duplicate-group", "agents/duplicate_group", Warning, "Several groups are for the same crawler";
    DuplicateAgent = "duplicate-agent", "agents/duplicate_agent", Note, "A group names a crawler twice";
    DuplicateRule = "duplicate-rule", "rules/duplicate_rule", Note, "A rule is there twice";
    ConflictingRules = "conflicting-rules", "rules/conflicting_rules", Warning, "Rules allow and disallow the same";
    ShadowedRule = "shadowed-rule", "rules/shadowed_rule", Warning, "A rule never decides";
    CaseVariant = "case-variant", "rules/case_variant", Note, "Two patterns differ in case alone";
    AllowAlone = "allow-alone", "rules/allow_alone", Note, "A group allows what nothing disallows";
    AllowEmpty = "allow-empty", "rules/allow_empty", Note, "An allow rule has no pattern";
    BlocksAll = "blocks-all", "rules/blocks_all", Warning, "Every crawler is kept out of everything";
    BlocksResources = "blocks-resources", "rules/blocks_resources", Warning, "Style sheets or scripts are disallowed";
    RuleForRobotsTxt = "rule-for-robots-txt", "rules/rule_for_robots_txt", Note, "A rule is about the robots.txt itself";
    PatternIsUrl = "pattern-is-url", "patterns/pattern_is_url", Error, "A pattern is a whole URL";
    PatternWithoutSlash = "pattern-without-slash", "patterns/pattern_without_slash", Error, "A pattern does not begin with a slash";
    TrailingStar = "trailing-star", "patterns/trailing_star", Note, "A star ends a pattern";
    DollarInside = "dollar-inside", "patterns/dollar_inside", Warning, "A dollar sign does not end its pattern";
    SpaceInPattern = "space-in-pattern", "patterns/space_in_pattern", Warning, "A pattern holds a blank";
    HashInPattern = "hash-in-pattern", "patterns/hash_in_pattern", Warning, "A number sign cuts a pattern";
    BrokenEscape = "broken-escape", "patterns/broken_escape", Warning, "A percent sign begins no encoded octet";
    OverEncoded = "over-encoded", "patterns/over_encoded", Warning, "A pattern encodes octets that need no encoding";
    EscapeCase = "escape-case", "patterns/escape_case", Note, "An encoded octet is written in lower case";
}

impl Code {
    /// The code of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
