//! Problems of a page: what deviates from the documents, or has no effect.

use core::fmt;

macro_rules! problems {
    ($(#[doc = $doc:literal] $name:ident = $code:literal: $says:literal;)*) => {
        /// What deviates from the documents, or has no effect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Problem { $(#[doc = $doc] $name,)* }

        impl Problem {
            /// All problems.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns a short name, such as `meta-in-body`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }
        }

        impl Problem {
            /// Returns the problem of this [code](Self::code).
            #[must_use]
            pub fn find(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|problem| problem.code() == code)
            }

            /// Returns what is wrong, as a sentence.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => $doc.trim_ascii(),)* }
            }
        }

        impl fmt::Display for Problem {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$name => $says,)* })
            }
        }
    };
}

problems! {
    /// A member of a list is the name of a rule: `Robots-Tag: noindex`.
    RuleAsToken = "rule-for-nobody": "this names a crawler, not a rule; write `*;` before it";
    /// A member of a list has the syntax of `X-Robots-Tag`.
    LegacySyntax = "legacy-syntax": "this is the syntax of X-Robots-Tag; write `name;rule`";
    /// A name that is not a token has no quotes.
    UnquotedName = "unquoted-name": "quote this name: it is not a token of structured fields";
    /// A member of a list is invalid and without meaning.
    InvalidMember = "invalid-member": "this is not a valid member of a structured field";
    /// A list has an empty member.
    EmptyMember = "empty-member": "a comma without a member makes the structured field invalid";
    /// A member of a list is an inner list.
    InnerList = "inner-list": "a list in parentheses names no crawler";
    /// A parameter has upper-case letters.
    KeyCase = "key-case": "write the rule in lower case: parameters of structured fields are case-sensitive";
    /// A parameter of a known rule has a value by which the rule does not count.
    ParameterValue = "parameter-value": "the value does not state this rule; write the rule without a value";
    /// Rules are separated by spaces or semicolons.
    Separator = "separator": "separate rules with commas";
    /// A rule is not known.
    UnknownRule = "unknown-rule": "this rule is not known";
    /// A rule contains an invisible character.
    InvisibleCharacter = "invisible-character": "an invisible character makes this another word";
    /// The rule counts, but not in this document.
    NotOfDocument = "ignored-by-crawler": "the document of this crawler does not have this rule here";
    /// A value is not a number.
    InvalidNumber = "invalid-number": "expected a whole number, 0 or -1";
    /// A value is not a size of previews.
    InvalidSize = "invalid-size": "expected none, standard or large";
    /// A value is not a date.
    InvalidDate = "invalid-date": "expected a date, such as 2030-12-31";
    /// A rule with a value has none.
    NoValue = "no-value": "this rule needs a value after a colon";
    /// The crawler of this document reads no rules under this name.
    NameNotRead = "name-not-read": "crawlers of this document read no rules under this name";
    /// The document does not have this response field.
    FieldNotRead = "field-not-read": "crawlers of this document do not read this response field";
    /// A `meta` element is in the body.
    InBody = "meta-in-body": "this element is in the body, where the document does not look for rules";
    /// White space is around the name of a `meta` element.
    NameWhiteSpace = "name-white-space": "remove the white space around the name";
    /// A `meta` element is like one with rules, but has another attribute or name.
    MetaSpelling = "meta-spelling": "write `<meta name=\"robots\" content=\"…\">`, with straight quotes";
    /// A rule is an attribute of a `meta` element.
    RuleAsAttribute = "rule-as-attribute": "quote the value of `content`: this rule is outside of it";
    /// A `Content-Usage` field is not a dictionary.
    NotADictionary = "usage-not-a-dictionary": "this is not a dictionary of structured fields, so no preference is known";
    /// A preference has a value without meaning.
    UsageValue = "usage-value": "expected y or n";
    /// A line of `Content-Usage`, or a reservation, is replaced by a later one.
    UsageLineLost = "usage-line-lost": "a later line replaces this preference; write one line";
    /// A signal has a value without meaning.
    SignalValue = "signal-value": "expected yes or no";
    /// A TDM reservation is neither 0 nor 1.
    TdmValue = "tdm-value": "expected 0 or 1";
    /// A `meta` element has the name of a response field, which has no effect there.
    FieldOnly = "field-only": "this is read in response fields only";
    /// The date of `unavailable_after` is in the past.
    DateInThePast = "date-in-the-past": "this date is in the past, so search engines no longer show the page";
    /// A rule says the opposite of the one that counts.
    Contradiction = "contradiction": "this says the opposite of another rule, which counts";
    /// A rule can't be seen by a crawler that may not fetch the page.
    NotSeen = "rule-not-seen": "the crawler can't see this rule, because robots.txt disallows the page: allow the page, or remove the rule";
    /// The body is compressed, so it can't be read.
    Encoded = "encoded": "this is compressed; decode it first";
}

impl Problem {
    /// Returns whether the text has no effect at all because of the problem.
    #[must_use]
    pub const fn has_no_effect(self) -> bool {
        !matches!(
            self,
            Self::RuleAsToken
                | Self::LegacySyntax
                | Self::UnquotedName
                | Self::KeyCase
                | Self::Separator
                | Self::NameWhiteSpace
        )
    }
}
