//! Product tokens, and the headers that name them.

use robots_fetch::matching::ProductToken;

use crate::row::description::Told;
use crate::row::difference::{Difference, differs};
use crate::row::files::Files;
use crate::row::{Ground, Kind, row};

row! {
    /// A row of product tokens.
    pub struct Token {
        token: Option<String>,
        valid: Option<bool>,
        header: Option<String>,
        names: Option<String>,
        substring: Option<bool>,
    }
}

impl Kind for Token {
    fn validate(&self, _: &Files) -> Result<(), String> {
        if self.valid.is_none() && self.names.is_none() && self.substring.is_none() {
            return Err("none of `valid`, `names` and `substring` is given".to_owned());
        }
        if self.token.is_none() && (self.valid.is_some() || self.substring.is_some()) {
            return Err("`valid` and `substring` need a `token`".to_owned());
        }
        if self.header.is_none() && (self.names.is_some() || self.substring.is_some()) {
            return Err("`names` and `substring` need a `header`".to_owned());
        }
        Ok(())
    }

    fn check(&self, ground: &Ground<'_>) -> Vec<Difference> {
        let policy = &ground.profile.rules.groups;
        let written = self.token.as_deref().unwrap_or_default();
        let header = self.header.as_deref().unwrap_or_default();
        let token = ProductToken::admitted(written, policy);
        let mut found = Vec::new();
        if let Some(valid) = self.valid {
            let difference = differs("valid", &valid, &token.is_ok());
            found.extend(difference.map(|difference| match token {
                Ok(_) => difference,
                Err(error) => difference.because(error.to_string()),
            }));
        }
        if let Some(names) = &self.names {
            let taken = ProductToken::of_user_agent(header, policy);
            found.extend(differs(
                "name in the header",
                names.as_str(),
                taken.map_or("", ProductToken::as_str),
            ));
        }
        if let Some(substring) = self.substring {
            match token {
                Ok(token) => found.extend(differs("substring", &substring, &token.is_substring_of(header))),
                Err(error) => {
                    found.push(Difference::new("substring", substring.to_string(), error.to_string()));
                }
            }
        }
        found
    }

    fn told(&self) -> Told {
        let mut told = Told::default();
        told.ask_given("token", self.token.as_ref());
        told.ask_given("header", self.header.as_ref());
        told.want_given("valid", self.valid.as_ref());
        told.want_given("names", self.names.as_ref());
        told.want_given("substring", self.substring.as_ref());
        told
    }
}
