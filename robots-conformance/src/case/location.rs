//! Rows about the location of the robots.txt of a URL.

use robots_fetch::Origin;

use crate::escape::shown;
use crate::row::{Answered, Difference, Files, Kind, RowContext, differs, row};

row! {
    /// A row `[[location]]`.
    pub struct Location {
        url: String,
        robots_url: Option<String>,
        refused: Option<bool>,
        unicode_host: Option<String>,
    }
}

const REFUSED: &str = "refused";

fn in_words(found: Option<&Origin>) -> &str {
    found.map_or(REFUSED, |origin| origin.robots_url().as_str())
}

/// Returns each way to write an origin, and the URL of its robots.txt when it is made from that.
fn written(origin: &Origin) -> [(&'static str, String); 5] {
    let port = origin.port().map_or_else(String::new, |port| format!(":{port}"));
    let made = |host: &str| {
        let made = Origin::new(origin.scheme(), host, origin.port());
        made.map_or_else(|error| error.to_string(), |made| made.robots_url().to_string())
    };
    [
        ("scheme, host and port", format!("{}://{}{port}/robots.txt", origin.scheme(), origin.host())),
        ("text", format!("{origin}/robots.txt")),
        ("parts of the URL", format!("{}/robots.txt", origin.as_str())),
        ("origin made of its parts", made(origin.host())),
        (
            "origin made of its Unicode host",
            made(&origin.unicode_host().unwrap_or_else(|| origin.host().to_owned())),
        ),
    ]
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
        let difference = difference.map(|difference| match &found {
            Ok(_) => difference,
            Err(error) => difference.because(error.to_string()),
        });
        let mut all: Vec<Difference> = difference.into_iter().collect();
        if let Ok(origin) = &found {
            all.extend(written(origin).into_iter().filter_map(|(what, got)| differs(what, expected, &*got)));
            let unicode_host = origin.unicode_host().unwrap_or_default();
            let expected = self.unicode_host.as_ref();
            all.extend(expected.and_then(|expected| differs("unicode_host", expected, &unicode_host)));
        }
        all
    }

    fn answers(&self, _: &RowContext<'_>) -> Vec<Answered> {
        let found = Origin::parse(&self.url).ok();
        Answered::one(shown(self.url.as_bytes()), vec![in_words(found.as_ref()).to_owned()])
    }
}
