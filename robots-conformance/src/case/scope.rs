//! Rows about whether a robots.txt URL is valid for a URL.

use robots_fetch::Origin;
use url::Url;

use crate::row::description::Description;
use crate::row::difference::{Difference, differs};
use crate::row::files::Files;
use crate::row::{Kind, RowContext, row};

row! {
    /// A row `[[scope]]`.
    pub struct Scope {
        robots_url: String,
        url: String,
        applies: bool,
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
        match (Url::parse(&self.robots_url), Url::parse(&self.url)) {
            (Ok(robots_url), Ok(url)) => {
                let applies = Origin::from_robots_url(&robots_url).is_ok_and(|origin| origin.covers(&url));
                differs("applies", &self.applies, &applies).into_iter().collect()
            }
            // Reported when the table was read.
            _ => vec![Difference::new("applies", self.applies.to_string(), "one of these is not a URL")],
        }
    }

    fn describe(&self) -> Description {
        let mut description = Description::default();
        description.add_input("robots.txt", &*self.robots_url);
        description.add_input("url", &*self.url);
        description.expect("applies", self.applies.to_string());
        description
    }
}
