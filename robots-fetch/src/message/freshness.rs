//! The freshness of an answer (RFC 9111, as far as it concerns a private cache).

use core::time::Duration;
use std::time::SystemTime;

use crate::message::fields::{Fields, seconds};
use crate::policy::AccessPolicy;

/// How long an answer is fresh, and what says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Freshness {
    /// When the answer was received.
    pub(crate) received: SystemTime,
    /// How long the answer is fresh from then on: its lifetime less its age, within the limits of the policy.
    pub(crate) lifetime: Duration,
    /// The value that [`Self::lifetime`] would have without these limits.
    pub(crate) asked: Duration,
    pub(crate) source: FreshnessSource,
    /// Whether the answer may be stored (no `no-store`).
    pub(crate) storable: bool,
    /// Whether the answer has `must-revalidate`: a stale file must not be used without a new request. This applies to every
    /// stale file here, except while the robots.txt is unreachable, for which the documents have their own rules.
    pub(crate) must_revalidate: bool,
    /// How long the answer may be used after its lifetime while it is retrieved again (RFC 5861, section 3), within
    /// [`AccessPolicy::max_stale_age`]. Zero after `no-cache`, `no-store` or `must-revalidate`, and for answers without a file
    /// that have a pause instead of a lifetime.
    pub(crate) stale_while_revalidate: Duration,
}

/// Where the lifetime of an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FreshnessSource {
    /// `Cache-Control: max-age`.
    MaxAge,
    /// `Cache-Control: no-store`.
    NoStore,
    /// `Cache-Control: no-cache`.
    NoCache,
    /// `Expires`.
    Expires,
    /// `Retry-After`, of an answer without a file.
    RetryAfter,
    /// The policy's default, because the answer says nothing.
    Default,
}

impl FreshnessSource {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::MaxAge => "max-age",
            Self::NoStore => "no-store",
            Self::NoCache => "no-cache",
            Self::Expires => "expires",
            Self::RetryAfter => "retry-after",
            Self::Default => "default",
        }
    }
}

impl Freshness {
    /// Returns the freshness of an answer with these fields, requested at `sent` and received at `received`.
    ///
    /// The age of an answer (RFC 9111, section 4.2.3) is subtracted from a lifetime that the answer names. The default
    /// lifetime counts from `received`: a server whose clock is a year slow must not cause a request before every page.
    pub(crate) fn of(fields: &Fields, sent: SystemTime, received: SystemTime, policy: &AccessPolicy) -> Self {
        let control = fields.cache_control.as_deref().map(CacheControl::read).unwrap_or_default();
        let age = age(fields, sent, received);
        let (source, asked, most) = if control.no_store {
            (FreshnessSource::NoStore, Duration::ZERO, None)
        } else if control.no_cache {
            (FreshnessSource::NoCache, Duration::ZERO, None)
        } else if let Some(max_age) = control.max_age {
            (FreshnessSource::MaxAge, max_age.saturating_sub(age), policy.max_lifetime_by_max_age)
        } else if let Some(expires) = fields.expires.as_deref() {
            (
                FreshnessSource::Expires,
                until(expires, fields, received).saturating_sub(age),
                policy.max_lifetime_by_expires,
            )
        } else {
            (FreshnessSource::Default, policy.default_lifetime, None)
        };
        let lifetime = asked.min(most.unwrap_or(Duration::MAX)).max(policy.min_lifetime);
        Self {
            received,
            lifetime,
            asked,
            source,
            storable: !control.no_store,
            must_revalidate: control.must_revalidate,
            stale_while_revalidate: stale_for(&control, lifetime, policy),
        }
    }

    /// Returns the freshness with the default lifetime for answers without a file, if the answer does not name a lifetime.
    pub(crate) fn without_file(self, policy: &AccessPolicy) -> Self {
        if self.source != FreshnessSource::Default {
            return self;
        }
        let asked = policy.default_lifetime_without_file;
        let lifetime = asked.max(policy.min_lifetime);
        let rest = policy.max_stale_age.unwrap_or(Duration::MAX).saturating_sub(lifetime);
        Self { asked, lifetime, stale_while_revalidate: self.stale_while_revalidate.min(rest), ..self }
    }

    /// Returns the freshness of an answer with a pause before the next attempt instead of a lifetime.
    pub(crate) fn paused(self, asked: Duration, lifetime: Duration, source: FreshnessSource) -> Self {
        Self { asked, lifetime, source, stale_while_revalidate: Duration::ZERO, ..self }
    }

    /// Returns when the freshness ends.
    pub(crate) fn until(&self) -> SystemTime {
        later(self.received, self.lifetime)
    }
}

/// Returns how long an answer may be used after its lifetime.
fn stale_for(control: &CacheControl, lifetime: Duration, policy: &AccessPolicy) -> Duration {
    if control.no_store || control.no_cache || control.must_revalidate {
        return Duration::ZERO;
    }
    let rest = policy.max_stale_age.unwrap_or(Duration::MAX).saturating_sub(lifetime);
    control.stale_while_revalidate.unwrap_or(policy.stale_while_revalidate).min(rest)
}

/// Returns the time until `Expires`, counted from `Date`; zero for an invalid date (RFC 9111, section 5.3).
fn until(expires: &str, fields: &Fields, received: SystemTime) -> Duration {
    let Ok(expires) = httpdate::parse_http_date(expires) else { return Duration::ZERO };
    expires.duration_since(date(fields).unwrap_or(received)).unwrap_or_default()
}

/// Returns the age of an answer when it was received (RFC 9111, section 4.2.3).
fn age(fields: &Fields, sent: SystemTime, received: SystemTime) -> Duration {
    let delay = received.duration_since(sent).unwrap_or_default();
    let stated = fields.age.as_deref().and_then(|age| seconds(age.split(',').next()?.trim()));
    let corrected = stated.map_or(Duration::ZERO, |age| age.saturating_add(delay));
    let apparent = date(fields).and_then(|date| received.duration_since(date).ok()).unwrap_or_default();
    corrected.max(apparent)
}

fn date(fields: &Fields) -> Option<SystemTime> {
    httpdate::parse_http_date(fields.date.as_deref()?).ok()
}

/// Returns `time` plus `duration`, or `time` if the sum is out of range.
pub(crate) fn later(time: SystemTime, duration: Duration) -> SystemTime {
    time.checked_add(duration).unwrap_or(time)
}

/// The directives of `Cache-Control` that concern a private cache (RFC 9111, section 5.2.2). Among the others,
/// `s-maxage` and `private` concern shared caches; a `no-cache` with a list of fields concerns those fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CacheControl {
    max_age: Option<Duration>,
    no_cache: bool,
    no_store: bool,
    must_revalidate: bool,
    /// RFC 5861, section 3.
    stale_while_revalidate: Option<Duration>,
}

impl CacheControl {
    /// Reads a list of directives. The first of several `max-age` counts, and one that is not a number counts as 0 (RFC
    /// 9111, section 4.2.1); so it is with `stale-while-revalidate`. Time grows with the length of the list.
    fn read(list: &str) -> Self {
        let mut read = Self::default();
        for directive in members(list) {
            let (name, argument) = match directive.split_once('=') {
                Some((name, argument)) => (name.trim(), Some(argument.trim())),
                None => (directive, None),
            };
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let seconds = || {
                let argument = argument.unwrap_or_default();
                let inner = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                seconds(inner.unwrap_or(argument).trim()).unwrap_or_default()
            };
            if is("max-age") {
                read.max_age.get_or_insert_with(seconds);
            } else if is("stale-while-revalidate") {
                read.stale_while_revalidate.get_or_insert_with(seconds);
            } else if is("no-cache") {
                read.no_cache |= argument.is_none();
            } else if is("no-store") {
                read.no_store = true;
            } else if is("must-revalidate") {
                read.must_revalidate = true;
            }
        }
        read
    }
}

/// Returns the members of a list without the white space around them. A comma within quotes does not separate.
fn members(list: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    let separates = move |char: char| {
        let literal = core::mem::take(&mut escaped);
        match char {
            _ if literal => false,
            '\\' if quoted => {
                escaped = true;
                false
            }
            '"' => {
                quoted = !quoted;
                false
            }
            ',' => !quoted,
            _ => false,
        }
    };
    list.split(separates).map(str::trim).filter(|member| !member.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1994-11-06 08:49:37, which the examples of RFC 9110 are fond of.
    fn sunday() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777)
    }

    fn fresh(fields: &[(&str, &str)], policy: &AccessPolicy) -> (u64, &'static str) {
        let mut all = Fields::default();
        for (name, value) in fields {
            all.take(name, value);
        }
        let freshness = Freshness::of(&all, sunday(), sunday(), policy);
        (freshness.lifetime.as_secs(), freshness.source.name())
    }

    #[test]
    fn the_strictest_directive_counts_then_max_age_then_expires_then_the_default() {
        let rfc = &AccessPolicy::RFC9309;
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        let hour = ("expires", "Sun, 06 Nov 1994 09:49:37 GMT");
        assert_eq!(fresh(&[], rfc), (86_400, "default"));
        assert_eq!(fresh(&[("cache-control", "max-age=60"), date, hour], rfc), (60, "max-age"));
        assert_eq!(fresh(&[("cache-control", "max-age=60, no-cache")], rfc), (0, "no-cache"));
        assert_eq!(fresh(&[("cache-control", "no-cache, no-store")], rfc), (0, "no-store"));
        assert_eq!(fresh(&[("cache-control", "s-maxage=60")], rfc), (86_400, "default"));
        assert_eq!(fresh(&[date, hour], rfc), (3600, "expires"));
        assert_eq!(fresh(&[hour], rfc), (3600, "expires"));
        for expires in ["0", "-1", "", "Sun, 06 Nov 1994", "Sat, 05 Nov 1994 08:49:37 GMT"] {
            assert_eq!(fresh(&[("expires", expires)], rfc), (0, "expires"), "{expires}");
        }
    }

    #[test]
    fn an_older_date_shifts_expires_and_ages_both() {
        let rfc = &AccessPolicy::RFC9309;
        // Ten minutes of an hour have passed on the way.
        let date = ("date", "Sun, 06 Nov 1994 08:39:37 GMT");
        assert_eq!(fresh(&[date, ("expires", "Sun, 06 Nov 1994 09:39:37 GMT")], rfc), (3000, "expires"));
        assert_eq!(fresh(&[date, ("cache-control", "max-age=3600")], rfc), (3000, "max-age"));
        assert_eq!(fresh(&[date, ("cache-control", "max-age=60")], rfc), (0, "max-age"));
        assert_eq!(fresh(&[date], rfc), (86_400, "default"));
        // A server ahead of this clock is not older than new.
        let ahead = ("date", "Mon, 07 Nov 1994 08:39:37 GMT");
        assert_eq!(fresh(&[ahead, ("cache-control", "max-age=3600")], rfc), (3600, "max-age"));
        let both = [ahead, ("expires", "Mon, 07 Nov 1994 08:49:37 GMT")];
        assert_eq!(fresh(&both, rfc), (600, "expires"));
    }

    #[test]
    fn the_age_field_shortens_the_remaining_lifetime() {
        let rfc = &AccessPolicy::RFC9309;
        assert_eq!(fresh(&[("cache-control", "max-age=60"), ("age", "45")], rfc), (15, "max-age"));
        assert_eq!(fresh(&[("cache-control", "max-age=60"), ("age", "45, 1")], rfc), (15, "max-age"));
        assert_eq!(fresh(&[("cache-control", "max-age=60"), ("age", "90")], rfc), (0, "max-age"));
        assert_eq!(fresh(&[("cache-control", "max-age=60"), ("age", "-45")], rfc), (60, "max-age"));
        assert_eq!(fresh(&[("age", "90000")], rfc), (86_400, "default"));
        let mut fields = Fields::default();
        fields.take("cache-control", "max-age=60");
        fields.take("age", "10");
        let delayed =
            Freshness::of(&fields, sunday(), sunday() + Duration::from_secs(20), &AccessPolicy::RFC9309);
        assert_eq!(delayed.lifetime.as_secs(), 30);
        let backwards =
            Freshness::of(&fields, sunday(), sunday() - Duration::from_secs(20), &AccessPolicy::RFC9309);
        assert_eq!(backwards.lifetime.as_secs(), 50);
    }

    #[test]
    fn each_policy_has_its_default_and_its_bounds() {
        let year = [("cache-control", "max-age=31536000")];
        let far = [("expires", "Mon, 06 Nov 1995 08:49:37 GMT")];
        assert_eq!(fresh(&year, &AccessPolicy::RFC9309), (86_400, "max-age"));
        assert_eq!(fresh(&year, &AccessPolicy::GOOGLE), (604_800, "max-age"));
        assert_eq!(fresh(&far, &AccessPolicy::GOOGLE), (86_400, "expires"));
        assert_eq!(fresh(&[], &AccessPolicy::GOOGLE), (86_400, "default"));
        assert_eq!(fresh(&[], &AccessPolicy::KOSTER_1996), (604_800, "default"));
        assert_eq!(fresh(&far, &AccessPolicy::KOSTER_1996), (31_536_000, "expires"));
        let mut patient = AccessPolicy::RFC9309;
        patient.min_lifetime = Duration::from_secs(300);
        assert_eq!(fresh(&[("cache-control", "no-cache")], &patient), (300, "no-cache"));
    }

    #[test]
    fn an_answer_is_used_while_it_is_retrieved_again_but_not_longer_than_a_day() {
        let stale = |control: &str, policy: &AccessPolicy| {
            let mut fields = Fields::default();
            fields.take("cache-control", control);
            let freshness = Freshness::of(&fields, sunday(), sunday(), policy);
            (freshness.lifetime.as_secs(), freshness.stale_while_revalidate.as_secs())
        };
        let rfc = &AccessPolicy::RFC9309;
        assert_eq!(stale("max-age=60", rfc), (60, 3600));
        assert_eq!(stale("max-age=60, stale-while-revalidate=10", rfc), (60, 10));
        assert_eq!(stale("max-age=60, stale-while-revalidate=0", rfc), (60, 0));
        assert_eq!(stale("max-age=60, stale-while-revalidate=soon", rfc), (60, 0));
        assert_eq!(stale("max-age=60, stale-while-revalidate=9999999", rfc), (60, 86_340));
        assert_eq!(stale("max-age=84600", rfc), (84_600, 1800));
        assert_eq!(stale("public", rfc), (86_400, 0));
        assert_eq!(stale("max-age=9999999", rfc), (86_400, 0));
        for control in ["no-cache", "no-store", "must-revalidate, max-age=60"] {
            let control = format!("{control}, stale-while-revalidate=10");
            assert_eq!(stale(&control, rfc).1, 0);
            let mut patient = *rfc;
            patient.min_lifetime = Duration::from_secs(60);
            assert_eq!(stale(&control, &patient), (60, 0));
        }
        assert_eq!(stale("max-age=604800", &AccessPolicy::GOOGLE), (604_800, 0));
        assert_eq!(stale("max-age=604800", &AccessPolicy::KOSTER_1996), (604_800, 3600));
        assert_eq!(stale("stale-while-revalidate=9999999", &AccessPolicy::KOSTER_1996), (604_800, 9_999_999));
    }

    #[test]
    fn an_answer_without_a_file_has_a_default_lifetime_of_its_own() {
        let mut policy = AccessPolicy::RFC9309;
        policy.default_lifetime_without_file = Duration::from_secs(600);
        let freshness = |control: Option<&str>| {
            let mut fields = Fields::default();
            control.into_iter().for_each(|control| fields.take("cache-control", control));
            let freshness = Freshness::of(&fields, sunday(), sunday(), &policy).without_file(&policy);
            freshness.lifetime.as_secs()
        };
        assert_eq!(
            [freshness(None), freshness(Some("public")), freshness(Some("max-age=60"))],
            [600, 600, 60]
        );
    }

    #[test]
    fn times_beyond_the_clock_do_not_overflow() {
        assert_eq!(later(sunday(), Duration::MAX), sunday());
        let mut policy = AccessPolicy::KOSTER_1996;
        policy.default_lifetime = Duration::MAX;
        let freshness = Freshness::of(&Fields::default(), sunday(), sunday(), &policy);
        assert_eq!(freshness.until(), sunday());
    }

    #[test]
    fn directives_are_read_from_lists() {
        let read = CacheControl::read;
        let age = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(read("max-age=60").max_age, age(60));
        assert_eq!(read(" , Max-Age = \"60\" ,,").max_age, age(60));
        assert_eq!(read("max-age=60, max-age=3600").max_age, age(60));
        assert_eq!(read("max-age=soon, max-age=3600").max_age, age(0));
        assert_eq!(read("max-age").max_age, age(0));
        assert_eq!(read("max-age=-1").max_age, age(0));
        assert_eq!(read("max-age=99999999999999999999999").max_age, age(1 << 31));
        assert_eq!(read("s-maxage=9, public, private=\"a, max-age=3\"").max_age, None);
        assert_eq!(read("x=\"a\\\", max-age=1\", max-age=2").max_age, age(2));
        assert_eq!(read("x=\"never closed, max-age=1").max_age, None);
        assert!(read("NO-CACHE").no_cache);
        assert!(!read("no-cache=\"set-cookie\"").no_cache);
        assert!(read("no-cache=\"set-cookie\", no-store, must-revalidate").no_store);
        assert!(read("must-revalidate").must_revalidate);
        let stale = |list| read(list).stale_while_revalidate;
        assert_eq!(stale("max-age=1, Stale-While-Revalidate=\"60\", stale-while-revalidate=9"), age(60));
        assert_eq!([stale("stale-while-revalidate"), stale("stale-if-error=9")], [age(0), None]);
    }
}
