//! The names of all lints.

/// Calls a macro with the list of all lints, in the order in which findings at one place are listed.
macro_rules! for_all_lints {
    ($callback:ident) => {
        $callback! {
            NoRobotsTxt = file::no_robots_txt;
            NotText = file::not_text;
            BinaryFile = file::binary_file;
            Utf16 = file::utf_16;
            ContentType = file::content_type;
            ByteOrderMark = file::byte_order_mark;
            NotUtf8 = file::not_utf_8;
            ControlCharacter = file::control_character;
            TooLarge = file::too_large;
            LineTooLong = file::line_too_long;
            IgnoreComment = file::ignore_comment;
            NoLineEnd = file::no_line_end;
            TemplateLeftover = patterns::template_leftover;
            JoinedRecords = keys::joined_records;
            ForeignCharacter = keys::foreign_character;
            UnreadableLine = keys::unreadable_line;
            MissingColon = keys::missing_colon;
            MisspeltKey = keys::misspelt_key;
            DraftKey = keys::draft_key;
            UnknownKey = keys::unknown_key;
            OptionalKey = keys::optional_key;
            DeprecatedKey = keys::deprecated_key;
            CrawlDelay = records::crawl_delay;
            RequestRate = records::request_rate;
            VisitTime = records::visit_time;
            CleanParam = records::clean_param;
            HostName = records::host_name;
            RecordOutsideGroup = records::record_outside_group;
            SitemapNotAbsolute = records::sitemap_not_absolute;
            SitemapFile = records::sitemap_file;
            SitemapHost = records::sitemap_host;
            SitemapPattern = records::sitemap_pattern;
            SitemapScheme = records::sitemap_scheme;
            DoubledScheme = records::doubled_scheme;
            SitemapDisallowed = records::sitemap_disallowed;
            LicenseNotAbsolute = records::license_not_absolute;
            ContentSignal = records::content_signal;
            ContentUsage = records::content_usage;
            SignalVocabulary = records::signal_vocabulary;
            SignalContradiction = records::signal_contradiction;
            RuleOutsideGroup = rules::rule_outside_group;
            AgentEmpty = agents::agent_empty;
            AgentList = agents::agent_list;
            AgentIsHeader = agents::agent_is_header;
            AgentIsHost = agents::agent_is_host;
            AgentIsProduct = agents::agent_is_product;
            AgentCharacters = agents::agent_characters;
            AgentMisspelt = agents::agent_misspelt;
            SplitAgents = agents::split_agents;
            AccidentalGroup = agents::accidental_group;
            GroupDropsRules = agents::group_drops_rules;
            GroupWithoutRules = agents::group_without_rules;
            DuplicateGroup = agents::duplicate_group;
            DuplicateAgent = agents::duplicate_agent;
            AfterBlankLine = rules::after_blank_line;
            DuplicateRule = rules::duplicate_rule;
            ConflictingRules = rules::conflicting_rules;
            ShadowedRule = rules::shadowed_rule;
            RuleWithoutEffect = rules::rule_without_effect;
            CaseVariant = rules::case_variant;
            AllowWithoutDisallow = rules::allow_without_disallow;
            AllowEmpty = rules::allow_empty;
            EmptyDisallow = rules::empty_disallow;
            BlocksAll = rules::blocks_all;
            BlocksSearchEngine = rules::blocks_search_engine;
            BlocksHomePage = rules::blocks_home_page;
            BlocksResources = rules::blocks_resources;
            RuleForRobotsTxt = rules::rule_for_robots_txt;
            WidePrefix = rules::wide_prefix;
            PatternIsUrl = patterns::pattern_is_url;
            PatternWithoutSlash = patterns::pattern_without_slash;
            UnlikelyPath = patterns::unlikely_path;
            RegularExpression = patterns::regular_expression;
            TrailingStar = patterns::trailing_star;
            DollarInside = patterns::dollar_inside;
            SeveralValues = patterns::several_values;
            SpaceInPattern = patterns::space_in_pattern;
            HashInPattern = patterns::hash_in_pattern;
            BrokenEscape = patterns::broken_escape;
            OverEncoded = patterns::over_encoded;
            EscapeCase = patterns::escape_case;
        }
    };
}
pub(super) use for_all_lints;

macro_rules! names {
    ($($name:ident = $folder:ident::$file:ident;)*) => {
        /// A kind of mistake that [`LintContext::lint`](crate::lint::LintContext::lint) looks for. Names stay as they are.
        ///
        /// [`page`](Self::page) returns the documentation of each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Lint {
            $(#[doc = concat!("The lint `", stringify!($file), "`, about ", stringify!($folder), ".")] $name,)*
        }

        impl Lint {
            /// All lints, in the order in which findings at one place are listed.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

for_all_lints!(names);
