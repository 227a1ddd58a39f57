//! Where crawlers are wanted not to go.

use alloc::sync::Arc;

use robots_fetch::Origin;
use robots_match::{Change, Comparer, Crawler, Difference, Effect, Profile, RuleSet, Target as Asked};

use super::closing::ClosingEntries;
use super::files::Entry;
use super::wanted::{Target, Wanted};

/// The URLs that a file of wanted access closes to a crawler.
pub(crate) struct Closed {
    /// By its own entries, and by those that it shares with others.
    parts: Vec<Arc<RuleSet>>,
}

impl Wanted {
    /// Returns what the entries of an environment close on a site to a crawler by its name, or to `*`, the crawlers that no group of
    /// the robots.txt names.
    pub(crate) fn closed(&self, environment: Option<&str>, site: Option<&Origin>, name: &str) -> Closed {
        let mut file = b"User-agent: *\n".to_vec();
        for entry in self.closing(name).filter(|entry| entry.is_in(environment)) {
            for (_, target) in entry.targets(site) {
                file.extend_from_slice(b"Disallow: ");
                file.extend_from_slice(&pattern_of(target));
                file.push(b'\n');
            }
        }
        let mut profile = Profile::default();
        profile.syntax.max_size = None;
        Closed { parts: vec![Arc::new(RuleSet::parse(&file, &Crawler::unnamed(), &profile))] }
    }

    /// Returns the entries that close something to this name, or to a crawler of its purpose, each once.
    fn closing(&self, name: &str) -> impl Iterator<Item = &Entry> {
        let closing = self.closing.get_or_init(|| ClosingEntries::new(&self.entries));
        let mut found: Vec<usize> = closing.of(name).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|entry| self.entries.get(entry))
    }
}

/// Returns the pattern of a rule that matches what an entry is about.
fn pattern_of(target: Target<'_>) -> Vec<u8> {
    let escaped = |bytes: &[u8], special: &[u8]| {
        let mut pattern = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            match special.contains(&byte) {
                true => pattern.extend_from_slice(format!("%{byte:02X}").as_bytes()),
                false => pattern.push(byte),
            }
        }
        pattern
    };
    match target {
        Target::Pattern(pattern) => escaped(pattern.as_bytes(), b" #\t"),
        Target::Url(url) => {
            let path = Asked::parse(url).map(|asked| asked.path().to_vec()).unwrap_or_default();
            let mut pattern = escaped(&path, b" #\t*$");
            pattern.push(b'$');
            pattern
        }
    }
}

impl Closed {
    /// Returns this with what is closed to other crawlers as well, which all of them share.
    pub(crate) fn and(mut self, others: &Self) -> Self {
        self.parts.extend(others.parts.iter().map(Arc::clone));
        self
    }

    /// Returns whether a path is wanted to be closed.
    pub(crate) fn has_path(&self, path: impl AsRef<[u8]>) -> bool {
        let path = path.as_ref();
        self.parts.iter().any(|rules| !rules.check(path).is_allowed())
    }

    /// Returns whether all paths that a pattern matches are wanted to be closed, by the entries of one part. For `/`, two parts never do
    /// together what neither does: a path can begin with bytes that no rule has.
    pub(crate) fn has_pattern(&self, pattern: &[u8], comparer: &mut Comparer) -> bool {
        self.parts.iter().any(|rules| {
            comparer.exception(rules, pattern, Effect::Disallow, Difference::MAX_STATES) == Change::Nothing
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;

    #[test]
    fn entries_close_patterns_and_urls_to_their_crawlers() {
        let entry = |crawlers: &[&str], purposes: &[&str], urls: &[&str], patterns: &[&str], access: &str| {
            let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
            Entry {
                crawlers: owned(crawlers),
                purposes: owned(purposes),
                urls: owned(urls),
                patterns: owned(patterns),
                access: access.to_owned(),
                ..Entry::default()
            }
        };
        let wanted = Wanted {
            name: "wanted".to_owned(),
            environments: Vec::new(),
            crawlers: OnceLock::new(),
            closing: OnceLock::new(),
            entries: vec![
                entry(&["gptbot"], &[], &["/a*b", "/"], &["/shop/"], "disallowed"),
                entry(&[], &["ai-training"], &[], &["/"], "disallowed"),
                entry(&["ExampleBot"], &[], &[], &["/"], "allowed"),
            ],
        };
        let comparer = || Comparer::new(usize::MAX);
        let closed = wanted.closed(None, None, "GPTBot");
        assert!(closed.has_pattern(b"/", &mut comparer()));
        let closed = wanted.closed(None, None, "ExampleBot").and(&wanted.closed(None, None, "*"));
        assert!(!closed.has_path("/shop/x"));
        let wanted = Wanted {
            entries: vec![entry(&["X"], &[], &["/a*b", "/"], &["/shop/"], "disallowed")],
            closing: OnceLock::new(),
            ..wanted
        };
        let closed = wanted.closed(None, None, "x");
        assert!(closed.has_path("/") && closed.has_path("/a*b") && closed.has_path("/shop/x"));
        assert!(!closed.has_path("/axb") && !closed.has_path("/a"));
        assert!(
            closed.has_pattern(b"/shop/*.pdf$", &mut comparer())
                && closed.has_pattern(b"/$", &mut comparer())
        );
        assert!(!closed.has_pattern(b"/", &mut comparer()));
    }
}
