//! The keys with which rows name a crawler.

use robots_fetch::matching::Crawler;

use crate::row::description::Description;

/// The keys that name a crawler, in rows of several kinds.
#[derive(Clone, Copy)]
pub(crate) struct CrawlerKeys<'r> {
    pub(crate) agent: Option<&'r str>,
    pub(crate) agents: Option<&'r [String]>,
    pub(crate) together: bool,
    pub(crate) ignores_wildcard: bool,
}

impl<'r> CrawlerKeys<'r> {
    pub(crate) fn validate(self) -> Result<(), String> {
        match (self.agent, self.agents) {
            (Some(_), Some(_)) => Err("both `agent` and `agents` are given; remove one of them".to_owned()),
            (None, None) => Err("neither `agent` nor `agents` is given; add one of them".to_owned()),
            (None, Some([])) => Err("`agents` is empty".to_owned()),
            (Some(_), None) if self.together => Err("`together` needs `agents`".to_owned()),
            _ => Ok(()),
        }
    }

    pub(crate) fn names(self) -> Vec<&'r str> {
        self.agent.into_iter().chain(self.agents.unwrap_or_default().iter().map(String::as_str)).collect()
    }

    /// Returns the names, and how they are combined, in few words.
    pub(crate) fn in_short(self) -> String {
        let mut out = self.names().join(if self.together { " with " } else { ", " });
        if self.ignores_wildcard {
            out.push_str(" ignoring *");
        }
        out
    }

    pub(crate) fn describe(self, description: &mut Description) {
        for name in self.names() {
            description.add_input("agent", name);
        }
        if self.together {
            description.add_input("agents count", "together");
        }
        if self.ignores_wildcard {
            description.add_input("ignores", "*");
        }
    }

    /// Returns the crawler. No line can name a crawler by a text that is not a name.
    pub(crate) fn crawler(self) -> Crawler {
        let names = self.names().into_iter().filter(|name| Crawler::new(name).is_ok());
        let mut crawler = Crawler::with_names(names).expect("each of these is a name");
        if self.together {
            crawler = crawler.together();
        }
        if self.ignores_wildcard {
            crawler = crawler.ignoring_wildcard();
        }
        crawler
    }
}
