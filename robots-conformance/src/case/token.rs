//! Rows about product tokens, and headers that contain them.

use robots_fetch::matching::{Crawler, InvalidName, KNOWN_NAMES};

use crate::escape::shown;
use crate::row::{Answered, Difference, Files, Kind, RowContext, differs, row};

row! {
    /// A row `[[token]]`.
    pub struct Token {
        token: Option<String>,
        valid: Option<bool>,
        accepted: Option<bool>,
        taken_as: Option<String>,
        can_be_named: Option<bool>,
        header: Option<String>,
        names: Option<String>,
        substring: Option<bool>,
    }
}

const REFUSED: &str = "refused";

impl Token {
    fn crawler(&self) -> Result<Crawler, InvalidName> {
        Crawler::new(self.token.as_deref().unwrap_or_default())
    }

    /// Returns whether the text is a product token of the document.
    fn is_product_token(&self, context: &RowContext<'_>) -> bool {
        context.profile.rules.groups.is_product_token(self.token.as_deref().unwrap_or_default())
    }

    /// Returns the names for which the profile takes the text; empty for a crawler that no line names.
    fn taken_as(&self, context: &RowContext<'_>) -> String {
        let policy = &context.profile.rules.groups;
        match Crawler::parse([self.token.as_deref().unwrap_or_default()], policy, &KNOWN_NAMES) {
            Ok(crawler) => crawler.names().collect::<Vec<_>>().join(", "),
            Err(_) => REFUSED.to_owned(),
        }
    }

    /// Returns whether a line can name a crawler of this name.
    fn can_be_named(&self, context: &RowContext<'_>) -> bool {
        context.profile.rules.groups.can_name(self.token.as_deref().unwrap_or_default())
    }

    /// Returns whether a key that needs a `token` is given.
    const fn asks_about_token(&self) -> bool {
        self.valid.is_some()
            || self.accepted.is_some()
            || self.taken_as.is_some()
            || self.can_be_named.is_some()
            || self.substring.is_some()
    }

    /// Returns the name that the header contains; empty if it contains none.
    fn name_in_header(&self) -> String {
        let header = self.header.as_deref().unwrap_or_default();
        let crawler = Crawler::from_user_agent(header, &KNOWN_NAMES);
        crawler.as_ref().and_then(|crawler| crawler.names().next()).unwrap_or_default().to_owned()
    }
}

impl Kind for Token {
    fn validate(&self, _: &Files) -> Result<(), String> {
        if !self.asks_about_token() && self.names.is_none() {
            return Err(
                "nothing is expected of the token or header; add `valid` or `names`, for example".to_owned()
            );
        }
        if self.token.is_none() && self.asks_about_token() {
            return Err("all keys except `header` and `names` need a `token`".to_owned());
        }
        if self.header.is_none() && (self.names.is_some() || self.substring.is_some()) {
            return Err("`names` and `substring` need a `header`".to_owned());
        }
        Ok(())
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let crawler = self.crawler();
        let header = self.header.as_deref().unwrap_or_default();
        let mut found = Vec::new();
        if let Some(valid) = self.valid {
            found.extend(differs("valid", &valid, &self.is_product_token(context)));
        }
        if let Some(accepted) = self.accepted {
            let difference = differs("accepted as a name", &accepted, &crawler.is_ok());
            found.extend(difference.map(|difference| match &crawler {
                Ok(_) => difference,
                Err(error) => difference.because(error.to_string()),
            }));
        }
        if let Some(taken_as) = &self.taken_as {
            found.extend(differs("taken as", taken_as, &self.taken_as(context)));
        }
        if let Some(can_be_named) = self.can_be_named {
            found.extend(differs("can be named", &can_be_named, &self.can_be_named(context)));
        }
        if let Some(names) = &self.names {
            found.extend(differs("name in the header", names, &self.name_in_header()));
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

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let crawler = self.crawler();
        let header = self.header.as_deref().unwrap_or_default();
        let mut parts = Vec::new();
        if self.valid.is_some() {
            parts.push(if self.is_product_token(context) { "valid" } else { "not valid" }.to_owned());
        }
        if self.accepted.is_some() {
            parts.push(if crawler.is_ok() { "accepted" } else { "not accepted" }.to_owned());
        }
        if self.taken_as.is_some() {
            parts.push(format!("taken as `{}`", self.taken_as(context)));
        }
        if self.can_be_named.is_some() {
            let can = self.can_be_named(context);
            parts.push(if can { "can be named" } else { "can't be named" }.to_owned());
        }
        if self.names.is_some() {
            parts.push(format!("the header names `{}`", self.name_in_header()));
        }
        if self.substring.is_some() {
            let is_named = crawler.is_ok_and(|crawler| crawler.is_named_in(header));
            parts.push(if is_named { "in the header" } else { "not in the header" }.to_owned());
        }
        let asked: Vec<String> = self
            .token
            .iter()
            .chain(&self.header)
            .map(|text| format!("`{}`", shown(text.as_bytes())))
            .collect();
        Answered::one(asked.join(" "), parts)
    }
}
