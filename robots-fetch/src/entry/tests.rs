use super::*;
use crate::message::head::Head;
use crate::origin::Origin;
use crate::policy::AccessPolicy;
use crate::retrieval::states::{AwaitingHead, NextStep};
use crate::{Failure, FailureKind};
use robots_match::Crawler;

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// Retrievals of one origin under one profile, at given seconds.
struct Timeline {
    profile: SiteProfile,
    entry: Option<Entry>,
}

impl Timeline {
    fn new(profile: SiteProfile) -> Self {
        Self { profile, entry: None }
    }

    fn retrieve(&mut self, seconds: u64, end: impl FnOnce(AwaitingHead) -> Outcome) -> &Entry {
        let origin = Origin::parse("https://example.com").unwrap();
        let validators = self.entry.as_ref().map(Entry::validators).unwrap_or_default();
        let awaiting = AwaitingHead::new(&origin, &validators, &self.profile, at(seconds));
        let entry = Entry::from_outcome(self.entry.as_ref(), end(awaiting), &self.profile);
        self.entry.insert(entry)
    }

    fn answer(&mut self, seconds: u64, status: u16, fields: &[(&str, &str)]) -> &Entry {
        self.retrieve(seconds, |awaiting| {
            let head =
                fields.iter().fold(Head::new(status), |head, (name, value)| head.with_field(name, value));
            match awaiting.head(&head, at(seconds)) {
                NextStep::Read(mut reading) => {
                    assert!(reading.push(b"User-agent: *\nDisallow: /private\n"));
                    reading.end(at(seconds))
                }
                NextStep::Done(outcome) => outcome,
                NextStep::Send(..) => panic!("no redirects here"),
            }
        })
    }

    fn fail(&mut self, seconds: u64) -> &Entry {
        self.retrieve(seconds, |awaiting| awaiting.failure(Failure::new(FailureKind::Dns, ""), at(seconds)))
    }
}

fn access(entry: &Entry, seconds: u64) -> &'static str {
    entry.access(at(seconds)).name()
}

#[test]
fn an_outage_follows_its_schedule_with_and_without_a_file() {
    for (profile, with, without) in [
        (
            SiteProfile::RFC9309,
            ["nothing", "nothing", "nothing", "rules"],
            ["nothing", "nothing", "nothing", "everything"],
        ),
        (
            SiteProfile::GOOGLE,
            ["nothing", "rules", "rules", "rules"],
            ["nothing", "nothing", "nothing", "everything"],
        ),
        (SiteProfile::KOSTER_1996, ["nothing"; 4], ["nothing"; 4]),
        (
            SiteProfile {
                access: AccessPolicy { outage: AccessPolicy::FILE_AT_ONCE, ..AccessPolicy::RFC9309 },
                ..SiteProfile::RFC9309
            },
            ["rules"; 4],
            ["nothing", "nothing", "nothing", "everything"],
        ),
        (
            SiteProfile {
                access: AccessPolicy { outage: AccessPolicy::GOOGLE_LATER, ..AccessPolicy::GOOGLE },
                ..SiteProfile::GOOGLE
            },
            ["nothing", "rules", "rules", "nothing"],
            ["nothing", "everything", "everything", "nothing"],
        ),
    ] {
        for (filed, expected) in [(true, with), (false, without)] {
            let mut timeline = Timeline::new(profile);
            if filed {
                timeline.answer(0, 200, &[]);
            }
            let times = [0, 12 * HOUR, 30 * DAY - 1, 30 * DAY].map(|after| DAY + after);
            let got = times.map(|time| access(timeline.fail(time), time));
            assert_eq!(got, expected, "{filed}");
        }
    }
}

#[test]
fn the_later_schedule_allows_everything_only_if_the_site_answers() {
    let mut timeline = Timeline::new(SiteProfile::GOOGLE);
    timeline.profile.access.outage = AccessPolicy::GOOGLE_LATER;
    timeline.answer(0, 503, &[]);
    let entry = timeline.answer(30 * DAY, 503, &[]);
    assert_eq!(entry.access_if_site_answers(at(30 * DAY)).name(), "everything");
    assert_eq!(entry.access(at(30 * DAY)).name(), "nothing");
}

#[test]
fn an_answer_ends_an_outage_and_the_next_outage_starts_from_zero() {
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    timeline.answer(0, 500, &[]);
    assert_eq!(timeline.fail(29 * DAY).outage().unwrap().attempts, 2);
    assert_eq!(timeline.entry.as_ref().unwrap().next_outage_access().unwrap().0.as_secs(), DAY);
    assert!(timeline.answer(29 * DAY + 1, 404, &[]).outage().is_none());
    let entry = timeline.fail(31 * DAY);
    assert_eq!((access(entry, 31 * DAY), entry.outage().unwrap().attempts), ("nothing", 1));
}

#[test]
fn the_last_good_copy_is_removed_after_a_404_or_no_store() {
    for (first, second) in [(404, "everything"), (200, "rules")] {
        let mut timeline = Timeline::new(SiteProfile::RFC9309);
        timeline.answer(0, 200, &[]);
        timeline.answer(DAY, first, &[]);
        timeline.fail(2 * DAY);
        assert_eq!(access(timeline.fail(32 * DAY), 32 * DAY), second, "{first}");
    }
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    assert_eq!(
        access(timeline.answer(0, 200, &[("cache-control", "no-store"), ("etag", "\"1\"")]), 0),
        "rules"
    );
    assert!(timeline.entry.as_ref().unwrap().validators().is_empty());
    timeline.fail(1);
    assert_eq!(access(timeline.fail(30 * DAY + 1), 30 * DAY + 1), "everything");
}

#[test]
fn a_file_is_stale_after_a_day_or_its_own_lifetime() {
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    let entry = timeline.answer(100, 200, &[]);
    for now in [at(100), at(100 + DAY - 1)] {
        assert!(entry.is_fresh(now) && !entry.is_due(now));
    }
    let stale = at(100 + DAY);
    assert!(!entry.is_fresh(stale) && entry.is_due(stale) && entry.next_retrieval() == stale);
    let entry = timeline.answer(100, 200, &[("cache-control", "max-age=60")]);
    assert!(entry.is_fresh(at(159)) && entry.is_due(at(160)));
    let entry = timeline.answer(100, 200, &[("cache-control", "no-cache")]);
    assert!(entry.is_due(at(100)));
}

#[test]
fn not_modified_renews_the_file() {
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    let fields = [
        ("cache-control", "max-age=60"),
        ("etag", "\"1\""),
        ("last-modified", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ];
    assert!(!timeline.answer(0, 200, &fields).validators().is_empty());
    timeline.fail(60);
    let entry = timeline.answer(70, 304, &[("etag", "\"2\"")]);
    assert_eq!(entry.fresh_until(), at(130));
    let file = entry.good_file().unwrap();
    assert_eq!((file.retrieved, file.confirmed), (at(0), at(70)));
    assert_eq!(entry.validators().etag.as_deref(), Some("\"2\""));
    assert_eq!(access(entry, 70), "rules");
    assert_eq!(entry.status(), Some(304));
    // Without a file there is nothing that could not have been modified.
    let entry = Timeline::new(SiteProfile::RFC9309).answer(0, 304, &[]).clone();
    assert_eq!((access(&entry, 0), entry.access_result()), ("nothing", AccessResult::Unreachable));
}

#[test]
fn pauses_between_failed_attempts_grow_or_follow_retry_after() {
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    let wait = |entry: &Entry, now: u64| entry.next_retrieval().duration_since(at(now)).unwrap().as_secs();
    let waits = [0, 1, 2, 3, 4, 5, 6, 7].map(|now| wait(timeline.fail(now), now));
    assert_eq!(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
    assert_eq!(wait(timeline.answer(10, 503, &[("retry-after", "7200")]), 10), 7200);
    assert_eq!(wait(timeline.answer(10, 503, &[("retry-after", "Thu, 01 Jan 1970 02:00:10 GMT")]), 10), 7200);
    assert_eq!(wait(timeline.answer(10, 503, &[("retry-after", "0")]), 10), 60);
    assert_eq!(wait(timeline.answer(10, 503, &[("retry-after", "99999999999")]), 10), DAY);
    assert!(!timeline.entry.as_ref().unwrap().is_fresh(at(11)));
    // Also where the answer counts as "no such file": it holds as long as the server asks for.
    let entry = timeline.answer(20, 404, &[("retry-after", "600")]);
    assert_eq!((access(entry, 20), wait(entry, 20)), ("everything", 600));
    assert_eq!(entry.lifetime_source(), "retry-after");
    assert_eq!(wait(timeline.answer(20, 404, &[("cache-control", "max-age=60")]), 20), 60);
    assert_eq!(wait(timeline.answer(20, 404, &[]), 20), DAY);
}

#[test]
fn a_limit_of_requests_leaves_the_file_in_use_and_ends_an_outage() {
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    let entry = timeline.answer(0, 429, &[]);
    assert_eq!((access(entry, 0), entry.access_result()), ("nothing", AccessResult::Throttled));
    assert!(entry.outage().is_none() && entry.next_outage_access().is_none());
    assert!(!entry.is_fresh(at(0)) && entry.is_due(at(60)));
    let permission = entry.permission(&Crawler::new("ExampleBot").unwrap(), at(0));
    assert!(permission.check(b"/robots.txt").is_allowed());
    assert_eq!(
        permission.check(b"/").to_string(),
        "disallowed: the site limits requests, and no robots.txt is cached (status 429)"
    );
    timeline.answer(1, 200, &[("etag", "\"1\"")]);
    timeline.fail(HOUR);
    let entry = timeline.answer(20 * HOUR, 429, &[]);
    assert_eq!([DAY, DAY + 1].map(|now| access(entry, now)), ["rules", "nothing"]);
    assert_eq!(entry.outage(), None);
    assert_eq!(entry.validators().etag.as_deref(), Some("\"1\""));
    assert_eq!(entry.cause(), Some(&Cause::Status(429)));
    let entry = timeline.fail(31 * DAY);
    assert_eq!((access(entry, 31 * DAY), entry.outage().unwrap().attempts), ("nothing", 1));
}

#[test]
fn a_copy_may_outlive_a_404_for_a_day() {
    for (profile, expected) in [
        (SiteProfile::DRAFT_KOSTER_REP_00, ["rules", "rules", "everything"]),
        (SiteProfile::RFC9309, ["everything"; 3]),
    ] {
        let mut timeline = Timeline::new(profile);
        timeline.answer(0, 200, &[("cache-control", "max-age=60")]);
        timeline.answer(60, 404, &[("cache-control", "max-age=60")]);
        let entry = timeline.answer(120, 410, &[]);
        assert_eq!([120, DAY - 1, DAY].map(|now| access(entry, now)), expected);
        timeline.fail(200);
        assert_eq!(access(timeline.fail(31 * DAY), 31 * DAY), "everything");
    }
}

#[test]
fn clocks_that_jump_end_freshness_and_no_outage() {
    let end = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(i64::MAX).unwrap());
    let mut timeline = Timeline::new(SiteProfile::KOSTER_1996);
    let entry = timeline.answer(10 * DAY, 200, &[("cache-control", "max-age=99999999999")]).clone();
    // A clock that goes back a little does no harm; after a large jump, the age of the entry is unknown.
    assert!(entry.is_fresh(at(10 * DAY - 600)));
    assert!(entry.is_due(at(9 * DAY)));
    for now in [SystemTime::UNIX_EPOCH - Duration::from_secs(1 << 40), at(0), end] {
        assert!(entry.is_due(now));
        assert_eq!(entry.access(now).name(), "rules");
        let mut timeline = Timeline::new(SiteProfile::RFC9309);
        timeline.fail(10 * DAY);
        let entry =
            timeline.retrieve(0, |awaiting| awaiting.failure(Failure::new(FailureKind::Connect, ""), now));
        let _ = (entry.is_due(at(0)), entry.is_due(end), entry.access(end));
        assert!(entry.outage().is_some());
    }
    // An outage that is a jump back has lasted no time.
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    timeline.fail(40 * DAY);
    assert_eq!(access(timeline.fail(DAY), DAY), "nothing");
}

#[test]
fn robots_txt_may_be_requested_while_everything_else_is_disallowed() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    for (profile, expected) in [(SiteProfile::RFC9309, true), (SiteProfile::GOOGLE, false)] {
        let mut timeline = Timeline::new(profile);
        let permission = timeline.fail(0).permission(&crawler, at(0));
        assert_eq!(permission.check(b"/robots.txt").is_allowed(), expected);
        let verdict = permission.check(b"/");
        assert_eq!(verdict.to_string(), "disallowed: robots.txt is unreachable (host name not found)");
        assert!(permission.rules().is_none() && verdict.line().is_none() && permission.cause().is_some());
        let permission = timeline.answer(1, 404, &[]).permission(&crawler, at(1));
        assert_eq!(permission.check(b"/").to_string(), "allowed: the site has no robots.txt (status 404)");
        let permission = timeline.answer(2, 200, &[]).permission(&crawler, at(2));
        assert_eq!(permission.check(b"/private").line(), Some(2));
    }
}

#[test]
fn another_profile_parses_the_stored_file_again() {
    let mut timeline = Timeline::new(SiteProfile::RFC9309);
    timeline.answer(0, 200, &[]);
    timeline.profile = SiteProfile::GOOGLE;
    let held = timeline.fail(DAY).good_file().unwrap().robots.clone();
    assert_eq!(held.profile().matching, SiteProfile::GOOGLE.rules.matching);
    let again = timeline.fail(DAY + 60).good_file().unwrap().robots.clone();
    assert!(Arc::ptr_eq(&held, &again));
}
