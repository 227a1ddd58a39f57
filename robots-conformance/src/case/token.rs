//! Rows about product tokens, and headers that contain them.

use robots_fetch::matching::Crawler;

use crate::row::description::Description;
use crate::row::difference::{Difference, differs};
use crate::row::files::Files;
use crate::row::{Kind, RowContext, row};

row! {
    /// A row `[[token]]`.
    pub struct Token {
        token: Option<String>,
        valid: Option<bool>,
        accepted: Option<bool>,
        header: Option<String>,
        names: Option<String>,
        substring: Option<bool>,
    }
}

impl Kind for Token {
    fn validate(&self, _: &Files) -> Result<(), String> {
        if self.valid.is_none() && self.accepted.is_none() && self.names.is_none() && self.substring.is_none()
        {
            return Err(
                "none of `valid`, `accepted`, `names` and `substring` is given; add one of them".to_owned()
            );
        }
        if self.token.is_none()
            && (self.valid.is_some() || self.accepted.is_some() || self.substring.is_some())
        {
            return Err("`valid`, `accepted` and `substring` need a `token`".to_owned());
        }
        if self.header.is_none() && (self.names.is_some() || self.substring.is_some()) {
            return Err("`names` and `substring` need a `header`".to_owned());
        }
        Ok(())
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let policy = &context.profile.rules.groups;
        let written = self.token.as_deref().unwrap_or_default();
        let header = self.header.as_deref().unwrap_or_default();
        let crawler = Crawler::new(written);
        let mut found = Vec::new();
        if let Some(valid) = self.valid {
            found.extend(differs("valid", &valid, &policy.is_product_token(written)));
        }
        if let Some(accepted) = self.accepted {
            let difference = differs("accepted as a name", &accepted, &crawler.is_ok());
            found.extend(difference.map(|difference| match &crawler {
                Ok(_) => difference,
                Err(error) => difference.because(error.to_string()),
            }));
        }
        if let Some(names) = &self.names {
            let crawler = Crawler::from_user_agent(header);
            let name = crawler.as_ref().and_then(|crawler| crawler.names().next());
            found.extend(differs("name in the header", names.as_str(), name.unwrap_or_default()));
        }
        if let Some(substring) = self.substring {
            match crawler {
                Ok(crawler) => found.extend(differs("substring", &substring, &crawler.is_named_in(header))),
                Err(error) => {
                    found.push(Difference::new("substring", substring.to_string(), error.to_string()));
                }
            }
        }
        found
    }

    fn describe(&self) -> Description {
        let mut description = Description::default();
        description.add_input_if_given("token", self.token.as_ref());
        description.add_input_if_given("header", self.header.as_ref());
        description.expect_if_given("valid", self.valid.as_ref());
        description.expect_if_given("accepted", self.accepted.as_ref());
        description.expect_if_given("names", self.names.as_ref());
        description.expect_if_given("substring", self.substring.as_ref());
        description
    }
}
