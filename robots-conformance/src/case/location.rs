//! Rows about the location of the robots.txt of a URL.

use robots_fetch::Origin;

use crate::row::description::Description;
use crate::row::difference::{Difference, differs};
use crate::row::files::Files;
use crate::row::{Kind, RowContext, row};

row! {
    /// A row `[[location]]`.
    pub struct Location {
        url: String,
        robots_url: Option<String>,
        refused: Option<bool>,
    }
}

impl Kind for Location {
    fn validate(&self, _: &Files) -> Result<(), String> {
        match (&self.robots_url, self.refused) {
            (Some(_), None) | (None, Some(true)) => Ok(()),
            _ => Err("neither `robots_url` nor `refused = true` is given; add one of them".to_owned()),
        }
    }

    fn check(&self, _: &RowContext<'_>) -> Vec<Difference> {
        let found = Origin::parse(&self.url);
        let expected = self.robots_url.as_deref().unwrap_or("refused");
        let got = found.as_ref().map_or("refused", |origin| origin.robots_url().as_str());
        let difference = differs("location", expected, got);
        difference
            .map(|difference| match &found {
                Ok(_) => difference,
                Err(error) => difference.because(error.to_string()),
            })
            .into_iter()
            .collect()
    }

    fn describe(&self) -> Description {
        let mut description = Description::default();
        description.add_input("url", &*self.url);
        description.expect("robots.txt", self.robots_url.as_deref().unwrap_or("refused"));
        description
    }
}
