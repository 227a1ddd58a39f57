//! Whether a robots.txt URL is valid for a URL.

use robots_fetch::Origin;
use url::Url;

use super::{Difference, Files, Ground, Kind, Told, differs, row};

row! {
    /// A row of scopes.
    pub struct Scope {
        robots_url: String,
        url: String,
        applies: bool,
    }
}

impl Kind for Scope {
    fn validate(&self, _: &Files) -> Result<(), String> {
        for url in [&self.robots_url, &self.url] {
            Url::parse(url).map_err(|error| format!("`{url}` is no URL: {error}"))?;
        }
        Ok(())
    }

    fn check(&self, _: &Ground<'_>) -> Vec<Difference> {
        match (Url::parse(&self.robots_url), Url::parse(&self.url)) {
            (Ok(robots_url), Ok(url)) => {
                let applies = Origin::from_robots_url(&robots_url).is_ok_and(|origin| origin.covers(&url));
                differs("applies", &self.applies, &applies).into_iter().collect()
            }
            // Told when the table was read.
            _ => vec![Difference::new("applies", self.applies.to_string(), "these are no URLs")],
        }
    }

    fn told(&self) -> Told {
        let mut told = Told::default();
        told.ask("robots.txt", &*self.robots_url);
        told.ask("url", &*self.url);
        told.want("applies", self.applies.to_string());
        told
    }
}
