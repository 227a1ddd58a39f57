//! Rows about whether a robots.txt URL is valid for a URL.

use robots_fetch::Origin;
use url::Url;

use crate::escape::shown;
use crate::row::{Answered, Difference, Files, Kind, RowContext, differs, row};

row! {
    /// A row `[[scope]]`.
    pub struct Scope {
        robots_url: String,
        url: String,
        applies: bool,
    }
}

const NOT_A_URL: &str = "one of these is not a URL";

impl Scope {
    /// Returns whether the file applies to the URL; `None` if one of the two is not a URL.
    fn found(&self) -> Option<bool> {
        let (robots_url, url) = (Url::parse(&self.robots_url).ok()?, Url::parse(&self.url).ok()?);
        Some(Origin::from_robots_url(&robots_url).is_ok_and(|origin| origin.covers(&url)))
    }
}

impl Kind for Scope {
    fn validate(&self, _: &Files) -> Result<(), String> {
        for url in [&self.robots_url, &self.url] {
            Url::parse(url).map_err(|error| format!("`{url}` is not a URL: {error}"))?;
        }
        Ok(())
    }

    fn check(&self, _: &RowContext<'_>) -> Vec<Difference> {
        match self.found() {
            Some(applies) => differs("applies", &self.applies, &applies).into_iter().collect(),
            // Reported when the table was read.
            None => vec![Difference::new("applies", self.applies.to_string(), NOT_A_URL)],
        }
    }

    fn answers(&self, _: &RowContext<'_>) -> Vec<Answered> {
        let answer = match self.found() {
            Some(true) => "applies",
            Some(false) => "does not apply",
            None => NOT_A_URL,
        };
        let [robots_url, url] = [&self.robots_url, &self.url].map(|url| shown(url.as_bytes()));
        Answered::one(format!("{robots_url} {url}"), vec![answer.to_owned()])
    }
}
