//! The knobs of policies for rules of pages.

use robots_page::{
    AiFromSearch, Combine, DateOnly, FieldSyntax, InvalidMember, KeyCase, MetaNames, MetaPlace, Noscript,
    PagePolicy, ParameterValue, Prefix, PrefixScope, Recovery, RobotsFields, RuleAsToken, Separators,
    SignalValues, Tdm, TokenForm, TokenMatch, UsageLines, UsageSources,
};

use crate::knob::knobs;

knobs! {
    /// The knobs of policies for rules of pages.
    PAGE_KNOBS: PagePolicy;
    "page.robots-fields": "the response fields whose rules count", (robots_fields) {
        "both": "Robots-Tag and X-Robots-Tag" = RobotsFields::Both;
        "x-robots-tag": "X-Robots-Tag" = RobotsFields::XRobotsTag;
        "none": "none" = RobotsFields::None;
    }
    "page.field-syntax": "how the value of a response field is read", (field_syntax) {
        "by-field": "Robots-Tag as a list; X-Robots-Tag as text, unless it is a list with a rule as parameter" = FieldSyntax::ByField;
        "detect": "as text, unless it is a list with a rule as parameter" = FieldSyntax::Detect;
        "structured": "as a list" = FieldSyntax::Structured;
        "legacy": "as text" = FieldSyntax::Legacy;
    }
    "page.rule-as-token": "the meaning of a list member that is the name of a rule", (rule_as_token) {
        "for-all": "the rule, for every crawler" = RuleAsToken::ForAll;
        "crawler": "a crawler of this name" = RuleAsToken::Crawler;
    }
    "page.key-case": "whether the case of parameters counts", (key_case) {
        "ignore": "no" = KeyCase::Ignore;
        "strict": "yes" = KeyCase::Strict;
    }
    "page.recovery": "what remains of a list with an invalid member", (recovery) {
        "per-member": "the other members" = Recovery::PerMember;
        "whole-field": "nothing" = Recovery::WholeField;
    }
    "page.invalid-member": "how an invalid member of a list is read", (invalid_member) {
        "legacy": "as X-Robots-Tag is" = InvalidMember::Legacy;
        "ignore": "not at all" = InvalidMember::Ignore;
    }
    "page.parameter-value": "which values of a parameter state its rule", (parameter_value) {
        "presence": "all except a false boolean" = ParameterValue::Presence;
        "only-true": "a true boolean" = ParameterValue::OnlyTrue;
    }
    "page.token-form": "which items name a crawler", (token_form) {
        "token-or-string": "tokens and strings" = TokenForm::TokenOrString;
        "token-only": "tokens" = TokenForm::TokenOnly;
    }
    "page.combine": "how rules that disagree are combined", (combine) {
        "union": "every restriction counts" = Combine::Union;
        "permit-wins": "a rule that permits cancels one that prohibits" = Combine::PermitWins;
        "nocache-wins": "every restriction counts, but nocache replaces noarchive for AI systems" = Combine::NocacheWins;
        "most-specific": "rules for the crawler replace those for all" = Combine::MostSpecific;
    }
    "page.prefix-scope": "how far a name before a colon reaches", (prefix_scope) {
        "to-next-prefix": "to the next name" = PrefixScope::ToNextPrefix;
        "field-line": "over the line, if it begins the line" = PrefixScope::FieldLine;
        "next-rule": "over one rule" = PrefixScope::NextRule;
    }
    "page.prefix": "which names before a colon are rules", (prefix) {
        "known-value-rules": "the four rules with values" = Prefix::KnownValueRules;
        "any-name": "none" = Prefix::AnyName;
    }
    "page.separators": "what separates rules", (separators) {
        "comma-space-semicolon": "commas; also spaces and semicolons between known rules" = Separators::CommaSpaceSemicolon;
        "comma": "commas" = Separators::Comma;
    }
    "page.meta-place": "in which part of a document meta elements count", (meta_place) {
        "head": "the head" = MetaPlace::Head;
        "document": "the whole document" = MetaPlace::Document;
    }
    "page.noscript": "how noscript elements are read", (noscript) {
        "both": "with and without scripts" = Noscript::Both;
        "off": "without scripts" = Noscript::Off;
        "on": "with scripts" = Noscript::On;
    }
    "page.meta-names": "which spellings of a robots element count", (meta_names) {
        "exact": "the attribute name with the name robots" = MetaNames::Exact;
        "as-observed": "also robot, property and http-equiv" = MetaNames::AsObserved;
    }
    "page.crawler-names": "which names of crawlers count", (crawler_names) {
        "any": "all" = PagePolicy::REPEXT.crawler_names;
        "google": "those that Google's page has" = PagePolicy::GOOGLE.crawler_names;
        "none": "none" = PagePolicy::HTML_1996.crawler_names;
    }
    "page.token-match": "how a name is compared with those of a crawler", (token_match) {
        "whole": "both are equal" = TokenMatch::Whole;
        "prefix": "the crawler's name begins with it" = TokenMatch::Prefix;
        "substring": "the crawler's name contains it" = TokenMatch::Substring;
    }
    "page.other-names": "names that crawlers have in pages only", (other_names) {
        "none": "none" = PagePolicy::REPEXT.other_names;
        "google": "googlebot for Google's crawlers" = PagePolicy::GOOGLE.other_names;
        "bing": "msnbot for bingbot" = PagePolicy::BING.other_names;
        "yandex": "yandex for YandexBot" = PagePolicy::YANDEX.other_names;
    }
    "page.date-only": "the moment that a date without a time is", (date_only) {
        "start-of-day": "the start of the day" = DateOnly::StartOfDay;
        "end-of-day": "the end of the day" = DateOnly::EndOfDay;
    }
    "page.usage-sources": "how preferences of robots.txt and of the response are combined", (usage_sources) {
        "most-restrictive": "the most restrictive one counts" = UsageSources::MostRestrictive;
        "field-first": "that of the response counts" = UsageSources::FieldFirst;
    }
    "page.usage-lines": "how several Content-Usage lines are combined", (usage_lines) {
        "one-dictionary": "they are one dictionary" = UsageLines::OneDictionary;
        "each-line": "the most restrictive one counts" = UsageLines::EachLine;
    }
    "page.tdm": "how several reservations are combined", (tdm) {
        "last-word": "the last one counts" = Tdm::LastWord;
        "any-reserves": "any reservation counts" = Tdm::AnyReserves;
    }
    "page.ai-from-search": "whether rules about search restrict training", (ai_from_search) {
        "no": "no" = AiFromSearch::No;
        "noindex-too": "noindex and noimageindex do" = AiFromSearch::NoindexToo;
    }
    "page.signal-values": "the values of content signals", (signal_values) {
        "yes-no": "yes and no" = SignalValues::YesNo;
        "also-allow-disallow": "also allow and disallow" = SignalValues::AlsoAllowDisallow;
    }
    "page.field-rules": "the rules that count in response fields", (field_rules) {
        "in-use": "those of the draft, and others in use" = PagePolicy::REPEXT.field_rules;
        "google": "those of Google's page" = PagePolicy::GOOGLE.field_rules;
        "bing": "those of Bing's page" = PagePolicy::BING.field_rules;
        "yandex": "those of Yandex's page" = PagePolicy::YANDEX.field_rules;
    }
    "page.meta-rules": "the rules that count in meta elements", (meta_rules) {
        "in-use": "those of the draft, and others in use" = PagePolicy::REPEXT.meta_rules;
        "google": "those of Google's page" = PagePolicy::GOOGLE.meta_rules;
        "bing": "those of Bing's page" = PagePolicy::BING.meta_rules;
        "yandex": "those of Yandex's page" = PagePolicy::YANDEX.meta_rules;
        "1996": "those of 1996" = PagePolicy::HTML_1996.meta_rules;
    }
    "page.training": "what rules mean for the training of models", (training) {
        "noai": "noai and noml disallow it" = PagePolicy::REPEXT.training;
        "none": "nothing" = PagePolicy::REPEXT.answers;
        "bing": "noarchive disallows it, nocache limits it" = PagePolicy::BING.training;
    }
    "page.answers": "what rules mean for answers of AI systems", (answers) {
        "none": "nothing" = PagePolicy::REPEXT.answers;
        "google": "nosnippet disallows it" = PagePolicy::GOOGLE.answers;
        "bing": "noarchive disallows it, nocache limits it" = PagePolicy::BING.answers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::page_turned;
    use crate::suite::names::PAGE_PROFILES;

    #[test]
    fn every_field_is_a_knob() {
        let shown = format!("{:#?}", PagePolicy::REPEXT);
        let fields = shown.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(": "));
        let fields = fields.filter(|(name, _)| name.starts_with(|first: char| first.is_ascii_lowercase()));
        let fields: Vec<String> =
            fields.map(|(name, _)| format!("page.{}", name.replace('_', "-"))).collect();
        let names: Vec<&str> = PAGE_KNOBS.iter().map(|knob| knob.name).collect();
        assert_eq!(fields, names);
    }

    #[test]
    fn every_profile_has_values_with_names() {
        for (name, policy) in PAGE_PROFILES {
            for knob in PAGE_KNOBS {
                assert!(knob.value(&policy).is_some(), "{name} has no known value of {}", knob.name);
            }
        }
    }

    #[test]
    fn a_value_that_is_set_is_found() {
        for knob in PAGE_KNOBS {
            for value in knob.values {
                let turn = format!("{}={}", knob.name, value.name);
                let policy = page_turned(PagePolicy::REPEXT, &[turn]).unwrap();
                assert_eq!(knob.value(&policy).map(|value| value.name), Some(value.name));
            }
        }
    }
}
