//! The rules for one crawler.

use robots_match::{Crawler, Robots, RuleSet};
use tsify::{Ts, Tsify as _};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::changes::Difference;
use crate::verdict::Verdict;

/// The rules for one crawler, compiled for many URLs.
#[wasm_bindgen]
pub struct Rules {
    rules: RuleSet,
    robots: Robots,
}

impl Rules {
    pub(crate) fn new(robots: &Robots, crawler: &Crawler) -> Self {
        Self { rules: robots.rules(crawler), robots: robots.clone() }
    }
}

#[wasm_bindgen]
impl Rules {
    /// Returns whether the crawler may access a URL.
    ///
    /// # Errors
    ///
    /// JavaScript refuses an object.
    pub fn check(&self, url: &str) -> Result<Ts<Verdict>, JsError> {
        Ok(Verdict::new(&self.rules.check(url.as_bytes()), &self.robots).into_ts()?)
    }

    /// Returns why groups apply: `named`, `wildcard` or `none`.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn basis(&self) -> String {
        self.rules.basis().name().to_owned()
    }

    /// Finds out which paths other rules treat differently. These rules are those before, `after` are those after.
    ///
    /// `maxStates` limits the search in each direction; without it, the limit is 200,000.
    ///
    /// # Errors
    ///
    /// JavaScript refuses an object.
    pub fn difference(
        &self,
        after: &Rules,
        #[wasm_bindgen(js_name = maxStates)] max_states: Option<usize>,
    ) -> Result<Ts<Difference>, JsError> {
        let limit = max_states.unwrap_or(robots_match::Difference::MAX_STATES);
        let difference = self.rules.difference(&after.rules, limit.min(robots_match::Difference::MAX_STATES));
        Ok(Difference::new(&difference, &self.robots, &after.robots).into_ts()?)
    }
}
