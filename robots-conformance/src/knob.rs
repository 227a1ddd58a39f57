//! Knobs: the settings of a profile on which documents differ, by name.

mod page;

use core::time::Duration;

use robots_fetch::matching::groups::{Alphabet, NameMatch};
use robots_fetch::matching::syntax::{ByteOrderMark, Grammar, SyntaxPolicy, WhiteSpace};
use robots_fetch::matching::{Form, Precedence, ReservedBytes};
use robots_fetch::{AccessPolicy, AccessResult, SiteProfile};

use crate::suite::names::PROFILES;
use robots_page::PagePolicy;

pub use page::PAGE_KNOBS;

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// One setting of a profile, on which documents may differ: a field of a layer's policy.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Knob<P: 'static = SiteProfile> {
    /// `layer.field`, with hyphens.
    pub name: &'static str,
    /// The decision that the field makes.
    pub says: &'static str,
    /// The values it may take.
    pub values: &'static [Value<P>],
}

/// A value of a [`Knob`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Value<P: 'static = SiteProfile> {
    /// Its name, in lower case with hyphens.
    pub name: &'static str,
    /// The effect of the value.
    pub says: &'static str,
    pub(crate) set: fn(&mut P),
    pub(crate) is: fn(&P) -> bool,
}

impl Knob {
    /// Returns the knob of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        KNOBS.iter().find(|knob| knob.name == name)
    }

    /// Returns the values that no named profile has.
    pub fn extra_values(&self) -> impl Iterator<Item = &'static Value> {
        let named = |value: &&Value| PROFILES.iter().any(|(_, profile)| (value.is)(profile));
        self.values.iter().filter(move |value| !named(value))
    }
}

impl<P> Knob<P> {
    /// Returns the value that `profile` has; `None` if it is not one of [`Knob::values`].
    #[must_use]
    pub fn value(&self, profile: &P) -> Option<&'static Value<P>> {
        self.values.iter().find(|value| (value.is)(profile))
    }
}

impl<P> Value<P> {
    /// Sets this value in `profile`.
    pub fn set(&self, profile: &mut P) {
        (self.set)(profile);
    }
}

/// Returns `profile` with other values of some knobs; each of `turns` is `knob=value`.
///
/// # Errors
///
/// Returns an error if a knob or a value does not exist.
pub fn turned(profile: SiteProfile, turns: &[String]) -> Result<SiteProfile, String> {
    turned_by(KNOBS, profile, turns)
}

/// Returns `policy` with other values of some knobs; see [`turned`].
///
/// # Errors
///
/// Returns an error if a knob or a value does not exist.
pub fn page_turned(policy: PagePolicy, turns: &[String]) -> Result<PagePolicy, String> {
    turned_by(PAGE_KNOBS, policy, turns)
}

fn turned_by<P>(knobs: &[Knob<P>], mut profile: P, turns: &[String]) -> Result<P, String> {
    for turn in turns {
        let (name, value) =
            turn.split_once('=').ok_or_else(|| format!("`{turn}` is not written as `knob=value`"))?;
        let knob = knobs.iter().find(|knob| knob.name == name).ok_or_else(|| {
            let names: Vec<&str> = knobs.iter().map(|knob| knob.name).collect();
            format!("unknown knob `{name}`; use one of {}", names.join(", "))
        })?;
        let value = knob.values.iter().find(|known| known.name == value).ok_or_else(|| {
            let names: Vec<&str> = knob.values.iter().map(|value| value.name).collect();
            format!("the knob `{name}` has no value `{value}`; use one of {}", names.join(", "))
        })?;
        value.set(&mut profile);
    }
    Ok(profile)
}

macro_rules! place {
    ($profile:ident ($($field:ident).+)) => { $profile.$($field).+ };
}
pub(crate) use place;

macro_rules! knobs {
    ($(#[$doc:meta])* $knobs:ident: $profile:ty; $($name:literal: $says:literal, $place:tt { $($value:literal: $what:literal = $is:expr;)+ })+) => {
        $(#[$doc])*
        pub const $knobs: &[$crate::knob::Knob<$profile>] = &[$($crate::knob::Knob {
            name: $name,
            says: $says,
            values: &[$($crate::knob::Value {
                name: $value,
                says: $what,
                set: |profile| $crate::knob::place!(profile $place) = $is,
                is: |profile| $crate::knob::place!(profile $place) == $is,
            }),+],
        }),+];
    };
}

pub(crate) use knobs;

knobs! {
    /// All of them, in the order of the layers.
    KNOBS: SiteProfile;
    "syntax.grammar": "the grammar with which lines are compared", (rules.syntax.grammar) {
        "rfc9309": "the ABNF of RFC 9309, section 2.2" = Grammar::Rfc9309;
        "koster1996": "the BNF of 1996, section 3.3" = Grammar::Koster1996;
    }
    "syntax.byte-order-mark": "how a byte order mark before the first line is treated", (rules.syntax.byte_order_mark) {
        "keep": "as part of the first line" = ByteOrderMark::Keep;
        "skip": "skipped if complete" = ByteOrderMark::Skip;
        "skip-part": "skipped, even if incomplete" = ByteOrderMark::SkipPart;
    }
    "syntax.spellings": "which spellings of keys are known", (rules.syntax.spellings) {
        "whole": "those of the documents" = SyntaxPolicy::RFC9309.spellings;
        "lenient": "also misspelt keys, and longer words that begin with a key" = SyntaxPolicy::GOOGLE.spellings;
    }
    "syntax.colon-optional": "whether white space between two words separates key and value in a line without a colon", (rules.syntax.colon_optional) {
        "no": "no" = false;
        "yes": "yes" = true;
    }
    "syntax.white-space": "which white space around keys and values is removed", (rules.syntax.white_space) {
        "space-and-tab": "space and tab" = WhiteSpace::SpaceAndTab;
        "ascii": "also vertical tab, form feed and line ends" = WhiteSpace::Ascii;
    }
    "syntax.nul-ends-line": "whether a NUL byte ends what is read of its line", (rules.syntax.nul_ends_line) {
        "no": "no, it is a byte like any other" = false;
        "yes": "yes" = true;
    }
    "syntax.max-line": "how many bytes of a line are read", (rules.syntax.max_line) {
        "none": "all" = None;
        "16663": "16,663" = Some(16_663);
    }
    "syntax.max-size": "how many bytes of a file are read", (rules.syntax.max_size) {
        "none": "all" = None;
        "512000": "500 KiB, without a line that the limit cuts" = Some(500 * 1024);
        "1024": "1 KiB, without a line that the limit cuts" = Some(1024);
    }
    "groups.blank-line-ends-group": "whether a blank line ends a group", (rules.groups.blank_line_ends_group) {
        "no": "no, only a user-agent line after a rule" = false;
        "yes": "yes" = true;
    }
    "groups.alphabet": "the characters of product tokens", (rules.groups.alphabet) {
        "letters": "letters, `_` and `-`" = Alphabet::Letters;
        "rfc1945-token": "a token of RFC 1945 without `#`" = Alphabet::Rfc1945Token;
    }
    "groups.name-match": "how much of a user-agent value is compared with a crawler's name", (rules.groups.name_match) {
        "name": "the name, up to a byte that cannot continue it" = NameMatch::Name;
        "whole": "all of it" = NameMatch::Whole;
        "leading-letters": "the letters, `_` and `-` at its start" = NameMatch::LeadingLetters;
    }
    "groups.text-after-wildcard": "whether text after `*` and white space is ignored", (rules.groups.text_after_wildcard) {
        "no": "no, only `*` stands for every crawler" = false;
        "yes": "yes" = true;
    }
    "groups.first-named-only": "whether only the first of several groups that name a crawler applies", (rules.groups.first_named_only) {
        "no": "no, all apply, combined" = false;
        "yes": "yes" = true;
    }
    "groups.first-general-only": "whether only the first of several groups for every crawler applies", (rules.groups.first_general_only) {
        "no": "no, all apply, combined" = false;
        "yes": "yes" = true;
    }
    "matching.pattern": "the canonical form of patterns", (rules.matching.pattern) {
        "non-ascii-encoded": "bytes above 7F encoded, hexadecimal digits in upper case" = Form::NonAsciiEncoded;
        "normal": "unreserved characters decoded, characters that URIs can't contain encoded" = Form::Normal;
        "decoded-but-slash": "all decoded except `/`" = Form::DecodedButSlash;
    }
    "matching.path": "the canonical form of paths", (rules.matching.path) {
        "as-written": "as written" = Form::AsWritten;
        "normal": "unreserved characters decoded, characters that URIs can't contain encoded" = Form::Normal;
        "decoded-but-slash": "all decoded except `/`" = Form::DecodedButSlash;
    }
    "matching.reserved": "whether reserved characters are equal to their encodings", (rules.matching.reserved) {
        "as-written": "no, they are compared as they are written" = ReservedBytes::AsWritten;
        "equal": "yes, except where a character delimits in the component of the URL" = ReservedBytes::Equal;
    }
    "matching.wildcards": "whether `*`, and `$` at the end, are special in patterns", (rules.matching.wildcards) {
        "no": "no" = false;
        "yes": "yes" = true;
    }
    "matching.precedence": "which of several matching rules decides", (rules.matching.precedence) {
        "most-bytes": "the longest; of two equally long, the one that allows" = Precedence::MostBytes;
        "first": "the first" = Precedence::First;
    }
    "matching.empty-pattern": "whether an empty pattern decides where no other rule matches", (rules.matching.empty_pattern) {
        "no": "no" = false;
        "yes": "yes: access is allowed, and the verdict names its line" = true;
    }
    "matching.index-page-allows-directory": "whether an allow rule for an index page also allows its directory", (rules.matching.index_page_allows_directory) {
        "no": "no" = false;
        "yes": "yes" = true;
    }
    "matching.robots-txt-always-allowed": "whether /robots.txt is allowed whatever the rules say", (rules.matching.robots_txt_always_allowed) {
        "no": "no" = false;
        "yes": "yes" = true;
    }
    "matching.semicolon-ends-authority": "whether `;` ends the authority of a URL given as text, as `/` and `?` do", (rules.matching.semicolon_ends_authority) {
        "no": "no" = false;
        "yes": "yes" = true;
    }
    "access.statuses": "what a status means", (access.statuses) {
        "classes": "2xx success, 3xx redirect, 4xx unavailable, else unreachable" = AccessPolicy::CLASSES;
        "429-throttled": "as classes, but 429 throttled" = AccessPolicy::TOO_MANY_REQUESTS_THROTTLED;
        "429-unreachable": "as classes, but 429 unreachable" = AccessPolicy::TOO_MANY_REQUESTS_UNREACHABLE;
        "restrictions": "401 and 403 restricted, 404 unavailable, else unreachable" = AccessPolicy::RESTRICTIONS;
    }
    "access.ftp-replies": "the access result of an FTP reply", (access.ftp_replies) {
        "ftp": "125, 150 and 2xx success, 550 unavailable, else unreachable" = AccessPolicy::FTP_REPLIES;
    }
    "access.max-redirects": "how many redirects are followed", (access.max_redirects) {
        "5": "5" = 5;
        "20": "20" = 20;
    }
    "access.too-many-redirects": "the access result of one redirect more, or of a loop", (access.too_many_redirects) {
        "unavailable": "unavailable" = AccessResult::Unavailable;
        "unreachable": "unreachable" = AccessResult::Unreachable;
    }
    "access.invalid-redirect": "the access result of a redirect that can't be followed", (access.invalid_redirect) {
        "unreachable": "unreachable" = AccessResult::Unreachable;
    }
    "access.redirect-to-disallowed": "the access result of a redirect to a URL that its own origin's robots.txt is known to disallow", (access.redirect_to_disallowed) {
        "follow": "the redirect is followed" = None;
        "unavailable": "unavailable" = Some(AccessResult::Unavailable);
    }
    "access.failure": "what failures below HTTP mean", (access.failure) {
        "unreachable": "unreachable" = AccessResult::Unreachable;
    }
    "access.outage": "what holds while the robots.txt is unreachable", (access.outage) {
        "thirty-days": "nothing; after 30 days the last good file, or everything" = AccessPolicy::THIRTY_DAYS;
        "file-at-once": "the last good file; without one nothing, after 30 days everything" = AccessPolicy::FILE_AT_ONCE;
        "twelve-hours": "nothing; after 12 hours the last good file; after 30 days that, or everything" = AccessPolicy::TWELVE_HOURS;
        "deferred": "nothing" = AccessPolicy::DEFERRED;
        "google-later": "nothing; after 12 hours the last good file, or everything; after 30 days everything if the site answers otherwise" = AccessPolicy::GOOGLE_LATER;
    }
    "access.default-lifetime": "how long an answer is fresh that does not say so", (access.default_lifetime) {
        "day": "24 hours" = DAY;
        "week": "7 days" = WEEK;
        "hour": "1 hour" = HOUR;
    }
    "access.default-lifetime-without-file": "as access.default-lifetime, for an answer without a file", (access.default_lifetime_without_file) {
        "day": "24 hours" = DAY;
        "week": "7 days" = WEEK;
        "hour": "1 hour" = HOUR;
    }
    "access.max-lifetime-by-expires": "the longest lifetime by Expires", (access.max_lifetime_by_expires) {
        "day": "24 hours" = Some(DAY);
        "none": "no limit" = None;
    }
    "access.max-lifetime-by-max-age": "the longest lifetime by max-age", (access.max_lifetime_by_max_age) {
        "day": "24 hours" = Some(DAY);
        "week": "7 days" = Some(WEEK);
        "none": "no limit" = None;
    }
    "access.min-lifetime": "the shortest lifetime", (access.min_lifetime) {
        "none": "0 seconds" = Duration::ZERO;
    }
    "access.stale-while-revalidate": "how long an answer is used after its lifetime while it is retrieved again, if it does not say so", (access.stale_while_revalidate) {
        "hour": "1 hour" = HOUR;
        "none": "not at all" = Duration::ZERO;
    }
    "access.max-stale-age": "the longest time for which an answer is used while it is retrieved again, its lifetime included", (access.max_stale_age) {
        "day": "24 hours" = Some(DAY);
        "none": "no limit" = None;
    }
    "access.keep-after-unavailable": "how long a file stays in use after an answer that there is none", (access.keep_after_unavailable) {
        "none": "not at all" = None;
        "day": "24 hours after its last confirmation" = Some(DAY);
    }
    "access.keep-while-throttled": "how long a file stays in use while answers limit requests", (access.keep_while_throttled) {
        "day": "24 hours after its last confirmation" = Some(DAY);
        "any": "at any age" = None;
    }
    "access.first-retry": "the pause after the first failed attempt, doubled with each further one", (access.first_retry) {
        "minute": "1 minute" = Duration::from_secs(60);
    }
    "access.max-retry": "the longest pause between two attempts", (access.max_retry) {
        "hour": "1 hour" = Duration::from_secs(60 * 60);
    }
    "access.first-retry-503": "as access.first-retry, after status 503", (access.first_retry_503) {
        "minute": "1 minute" = Duration::from_secs(60);
        "half-minute": "30 seconds" = Duration::from_secs(30);
    }
    "access.max-retry-503": "as access.max-retry, after status 503", (access.max_retry_503) {
        "hour": "1 hour" = Duration::from_secs(60 * 60);
        "ten-minutes": "10 minutes" = Duration::from_secs(10 * 60);
    }
    "access.first-retry-throttled": "as access.first-retry, after an answer that limits requests", (access.first_retry_throttled) {
        "minute": "1 minute" = Duration::from_secs(60);
        "five-minutes": "5 minutes" = Duration::from_secs(5 * 60);
    }
    "access.max-retry-throttled": "as access.max-retry, after an answer that limits requests", (access.max_retry_throttled) {
        "hour": "1 hour" = HOUR;
        "ten-minutes": "10 minutes" = Duration::from_secs(10 * 60);
    }
    "access.max-retry-after": "the longest pause that a Retry-After can ask for", (access.max_retry_after) {
        "day": "24 hours" = DAY;
    }
    "access.conditional-requests": "whether requests for a cached file are conditional", (access.conditional_requests) {
        "yes": "yes" = true;
        "no": "no" = false;
    }
    "access.html": "the access result of an HTML page in place of a robots.txt", (access.html) {
        "none": "the page is read like any other body" = None;
        "unavailable": "unavailable" = Some(AccessResult::Unavailable);
        "unreachable": "unreachable" = Some(AccessResult::Unreachable);
    }
    "access.error-page-may-be-404": "whether a server error whose page says \"not found\" counts as unavailable", (access.error_page_may_be_404) {
        "no": "no, its status counts" = false;
        "yes": "yes" = true;
    }
    "access.max-body": "how many bytes of a body are read if the syntax has no size limit", (access.max_body) {
        "16777216": "16 MiB" = 16 << 20;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the fields of a layer's policy, taken from what `Debug` prints.
    fn fields(layer: &str, shown: &str) -> Vec<String> {
        let field = |line: &str| {
            let name = line.strip_prefix("    ")?.split_once(':')?.0;
            (!name.starts_with(' ')).then(|| format!("{layer}.{}", name.replace('_', "-")))
        };
        shown.lines().filter_map(field).collect()
    }

    #[test]
    fn every_field_is_a_knob() {
        let profile = SiteProfile::RFC9309;
        let mut all = fields("syntax", &format!("{:#?}", profile.rules.syntax));
        all.extend(fields("groups", &format!("{:#?}", profile.rules.groups)));
        all.extend(fields("matching", &format!("{:#?}", profile.rules.matching)));
        all.extend(fields("access", &format!("{:#?}", profile.access)));
        let names: Vec<&str> = KNOBS.iter().map(|knob| knob.name).collect();
        assert_eq!(all, names);
    }

    #[test]
    fn every_named_profile_has_values_with_names() {
        for (name, profile) in PROFILES {
            for knob in KNOBS {
                assert!(knob.value(&profile).is_some(), "{name} has no known value of {}", knob.name);
            }
        }
    }

    #[test]
    fn a_value_that_is_set_is_found() {
        for knob in KNOBS {
            for value in knob.values {
                let turn = format!("{}={}", knob.name, value.name);
                let profile = turned(SiteProfile::RFC9309, &[turn]).unwrap();
                assert_eq!(knob.value(&profile).map(|value| value.name), Some(value.name));
            }
        }
    }

    #[test]
    fn unknown_knobs_and_values_are_errors() {
        for (turn, expected) in
            [("a", "knob=value"), ("a=b", "unknown knob `a`"), ("groups.first-named-only=b", "no value `b`")]
        {
            assert!(turned(SiteProfile::RFC9309, &[turn.to_owned()]).unwrap_err().contains(expected));
        }
    }
}
