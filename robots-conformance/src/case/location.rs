//! Rows about the location of the robots.txt of a URL.

use robots_fetch::Origin;

use crate::escape::shown;
use crate::row::answered::Answered;
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

const REFUSED: &str = "refused";

fn in_words(found: Option<&Origin>) -> &str {
    found.map_or(REFUSED, |origin| origin.robots_url().as_str())
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
        let expected = self.robots_url.as_deref().unwrap_or(REFUSED);
        let difference = differs("location", expected, in_words(found.as_ref().ok()));
        difference
            .map(|difference| match &found {
                Ok(_) => difference,
                Err(error) => difference.because(error.to_string()),
            })
            .into_iter()
            .collect()
    }

    fn answers(&self, _: &RowContext<'_>) -> Vec<Answered> {
        let found = Origin::parse(&self.url).ok();
        Answered::one(shown(self.url.as_bytes()), vec![in_words(found.as_ref()).to_owned()])
    }

    fn describe(&self) -> Description {
        let mut description = Description::default();
        description.add_input("url", &*self.url);
        description.expect("robots.txt", self.robots_url.as_deref().unwrap_or(REFUSED));
        description
    }
}
