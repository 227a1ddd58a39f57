//! The argument `--access`.

use core::time::Duration;
use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use robots_fetch::{AccessPolicy, AccessResult, OutageAccess, Table};

use crate::network::SITES;

/// Choices that the documents leave open about the answers of sites.
#[derive(Clone, Debug, Args)]
pub(crate) struct AccessArguments {
    /// Change what answers of sites mean; the choices are below. Give several for several choices
    #[arg(
        long = "access",
        value_name = "CHOICE=VALUE",
        help_heading = SITES,
        value_parser = OsStringValueParser::new().try_map(Choice::parse),
    )]
    choices: Vec<Choice>,
}

impl AccessArguments {
    /// Sets the choices in `policy`. The last of several values for one choice counts.
    pub(crate) fn apply(&self, policy: &mut AccessPolicy) {
        for choice in &self.choices {
            choice.0.set(policy);
        }
    }
}

/// The choices and their values, for the end of the help. Profiles for which a value is the default are in brackets.
macro_rules! access_help {
    () => {
        "\
Choices for --access, and in brackets the profiles that make them by default:
  statuses=429-throttled          429: a cached file applies; without one,
                                  nothing is allowed for now [rfc9309]
  statuses=classes                429: as any 4xx, no robots.txt exists
                                  [draft-koster-rep-00]
  statuses=429-unreachable        429: as 5xx, robots.txt is unreachable
                                  [google]
  statuses=restrictions           401, 403: nothing is allowed; 404: robots.txt
                                  does not exist; other 4xx: as 5xx
                                  [koster-1996]
  outage=thirty-days              5xx, timeouts and such: nothing is allowed;
                                  after 30 days, the cached file applies, or
                                  everything is allowed
                                  [rfc9309, draft-koster-rep-00]
  outage=file-at-once             the cached file applies; without one, as
                                  thirty-days
  outage=twelve-hours             nothing is allowed; after 12 hours, the cached
                                  file applies; without one, as thirty-days
                                  [google]
  outage=google-later             nothing is allowed; after 12 hours, the cached
                                  file applies, or everything is allowed; after
                                  30 days, nothing is allowed
  outage=deferred                 nothing is allowed [koster-1996]
  error-page-may-be-404=no        a 5xx whose page says \"not found\" is a 5xx
                                  [rfc9309, draft-koster-rep-00, google,
                                  koster-1996]
  error-page-may-be-404=yes       such a 5xx counts as 404
  redirect-to-disallowed=follow   a redirect to a URL that a cached robots.txt
                                  disallows is followed
                                  [rfc9309, draft-koster-rep-00, koster-1996]
  redirect-to-disallowed=unavailable
                                  such a redirect counts as 404 [google]
  html=rules                      an HTML page in place of a robots.txt is read
                                  as rules
                                  [rfc9309, draft-koster-rep-00, google,
                                  koster-1996]
  html=unavailable                such a page counts as 404
  html=unreachable                such a page counts as 5xx
  first-retry-503=SECONDS         the first pause after 503 [60; google: 30]
  max-retry-503=SECONDS           the longest pause [3600; google: 600]
"
    };
}
pub(crate) use access_help;

/// One choice and its value.
#[derive(Clone, Copy, Debug)]
struct Choice(Value);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Statuses(Table<(u16, u16, AccessResult), 16>),
    Outage(Table<(Duration, OutageAccess), 6>),
    ErrorPageMayBe404(bool),
    RedirectToDisallowed(Option<AccessResult>),
    Html(Option<AccessResult>),
    FirstRetry503(Duration),
    MaxRetry503(Duration),
}

/// The choices that have named values; [`values`] has the values.
const NAMED: [&str; 5] = ["statuses", "outage", "error-page-may-be-404", "redirect-to-disallowed", "html"];

/// Returns the values of a choice, with their names; none if the choice has no named values.
fn values(choice: &str) -> Vec<(&'static str, Value)> {
    match choice {
        "statuses" => vec![
            ("429-throttled", Value::Statuses(AccessPolicy::TOO_MANY_REQUESTS_THROTTLED)),
            ("classes", Value::Statuses(AccessPolicy::CLASSES)),
            ("429-unreachable", Value::Statuses(AccessPolicy::TOO_MANY_REQUESTS_UNREACHABLE)),
            ("restrictions", Value::Statuses(AccessPolicy::RESTRICTIONS)),
        ],
        "outage" => {
            AccessPolicy::OUTAGES.iter().map(|&(name, schedule)| (name, Value::Outage(schedule))).collect()
        }
        "error-page-may-be-404" => {
            vec![("no", Value::ErrorPageMayBe404(false)), ("yes", Value::ErrorPageMayBe404(true))]
        }
        "redirect-to-disallowed" => vec![
            ("follow", Value::RedirectToDisallowed(None)),
            ("unavailable", Value::RedirectToDisallowed(Some(AccessResult::Unavailable))),
        ],
        "html" => vec![
            ("rules", Value::Html(None)),
            ("unavailable", Value::Html(Some(AccessResult::Unavailable))),
            ("unreachable", Value::Html(Some(AccessResult::Unreachable))),
        ],
        _ => Vec::new(),
    }
}

/// The choices that are a number of seconds.
const SECONDS: [&str; 2] = ["first-retry-503", "max-retry-503"];

/// The longest pause that can be chosen: a day.
const LONGEST: u64 = 24 * 60 * 60;

impl Choice {
    fn parse(text: OsString) -> Result<Self, String> {
        let text = text.into_string().map_err(|_| "expected UTF-8".to_owned())?;
        let (name, value) =
            text.split_once('=').ok_or("expected a choice and its value, such as `outage=file-at-once`")?;
        let values = values(name);
        if !values.is_empty() {
            let found = values.iter().find(|(known, _)| *known == value);
            return found.map(|(_, value)| Self(*value)).ok_or_else(|| {
                let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
                format!("possible values of `{name}`: {}", names.join(", "))
            });
        }
        let of = match name {
            "first-retry-503" => Value::FirstRetry503,
            "max-retry-503" => Value::MaxRetry503,
            _ => {
                return Err(format!("possible choices: {}", [&NAMED[..], &SECONDS].concat().join(", ")));
            }
        };
        let seconds = value.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds));
        let seconds = seconds.ok_or_else(|| {
            format!("expected a whole number of seconds after `{name}=`, from 1 to {LONGEST}")
        })?;
        Ok(Self(of(Duration::from_secs(seconds))))
    }
}

impl Value {
    const fn set(self, policy: &mut AccessPolicy) {
        match self {
            Self::Statuses(value) => policy.statuses = value,
            Self::Outage(value) => policy.outage = value,
            Self::ErrorPageMayBe404(value) => policy.error_page_may_be_404 = value,
            Self::RedirectToDisallowed(value) => policy.redirect_to_disallowed = value,
            Self::Html(value) => policy.html = value,
            Self::FirstRetry503(value) => policy.first_retry_503 = value,
            Self::MaxRetry503(value) => policy.max_retry_503 = value,
        }
    }
}

#[cfg(test)]
mod tests {
    use robots_fetch::SiteProfile;
    use robots_match::Document;

    use super::*;

    /// Returns the help of each choice, on one line.
    fn choices() -> Vec<String> {
        let mut choices: Vec<String> = Vec::new();
        for line in access_help!().lines().skip(1) {
            match line.strip_prefix("   ") {
                Some(more) => choices.last_mut().unwrap().extend([" ", more.trim()]),
                None => choices.push(line.trim().to_owned()),
            }
        }
        choices
    }

    #[test]
    fn the_help_lists_every_value_with_the_profiles_that_have_it() {
        let choices = choices();
        for name in NAMED {
            for (value_name, value) in values(name) {
                let choice = format!("{name}={value_name} ");
                let line = choices.iter().find(|line| line.starts_with(&choice)).expect("the help has it");
                let listed = line.split_once('[').map_or("", |(_, names)| names.trim_end_matches(']'));
                let defaults: Vec<&str> = Document::ALL
                    .into_iter()
                    .filter(|document| {
                        let before = SiteProfile::from(*document).access;
                        let mut after = before;
                        value.set(&mut after);
                        before == after
                    })
                    .map(Document::name)
                    .collect();
                assert_eq!(listed, defaults.join(", "), "{choice}");
            }
        }
        let count: usize = NAMED.map(|name| values(name).len()).iter().sum();
        assert_eq!(choices.len(), count + SECONDS.len());
        for document in Document::ALL {
            let access = SiteProfile::from(document).access;
            let pauses = (access.first_retry_503.as_secs(), access.max_retry_503.as_secs());
            assert_eq!(pauses, if document == Document::Google { (30, 600) } else { (60, 3600) });
        }
    }

    #[test]
    fn choices_are_parsed_and_errors_list_the_values() {
        let parse = |text: &str| Choice::parse(text.into()).map(|choice| choice.0);
        assert_eq!(parse("outage=deferred"), Ok(Value::Outage(AccessPolicy::DEFERRED)));
        assert_eq!(parse("max-retry-503=90"), Ok(Value::MaxRetry503(Duration::from_secs(90))));
        for (text, expected) in [
            ("outage", "expected a choice and its value"),
            ("outage=", "possible values of `outage`: thirty-days, "),
            ("outage=Deferred", "possible values of `outage`: thirty-days, "),
            ("Outage=deferred", "possible choices: statuses, "),
            ("=", "possible choices: statuses, "),
            ("first-retry-503=0", "expected a whole number of seconds"),
            ("first-retry-503=86401", "expected a whole number of seconds"),
            ("first-retry-503=1.5", "expected a whole number of seconds"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
