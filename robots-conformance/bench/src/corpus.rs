//! The files of a run, and the URLs that are asked about.

use std::path::Path;

use crate::implementation::Url;

/// A random number generator with a fixed seed (SplitMix64), so that every run has the same input.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Brings items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns a word for a path.
    pub fn word(&mut self) -> String {
        const SYLLABLES: [&str; 24] = [
            "ar", "cat", "che", "com", "de", "en", "fo", "ga", "in", "ka", "lo", "me", "na", "or", "pro",
            "re", "sa", "se", "ti", "us", "view", "wi", "x", "zo",
        ];
        (0..2 + self.below(3)).map(|_| *self.pick(&SYLLABLES)).collect()
    }

    /// Returns a path of a few words.
    pub fn path(&mut self) -> String {
        let mut path = String::new();
        for _ in 0..1 + self.below(4) {
            path.push('/');
            path.push_str(&self.word());
            if self.below(4) == 0 {
                path.push_str(&format!("-{}", self.below(10_000)));
            }
        }
        path
    }
}

/// An agent that no file names.
pub const UNNAMED_AGENT: &str = "Zqxwbot";

/// A file, an agent that it names (if any), and URLs to ask about.
#[derive(Debug)]
pub struct Site {
    pub body: Vec<u8>,
    pub named: Option<String>,
    pub urls: Vec<Url>,
}

impl Site {
    pub fn new(body: Vec<u8>, random: &mut Random) -> Self {
        let groups_of = |body: &[u8]| -> (Option<String>, Vec<String>) {
            let profile = robots_match::Profile::RFC9309;
            let groups = robots_match::groups::Groups::parse(body, &profile.syntax, &profile.groups);
            let names = groups.iter().flat_map(|group| group.agents().to_vec());
            let named = names
                .filter_map(|name| String::from_utf8(name.bytes().to_vec()).ok())
                .find(|name| robots_match::Crawler::new(name).is_ok());
            let patterns = groups
                .iter()
                .flat_map(|group| group.rules().to_vec())
                .filter_map(|rule| String::from_utf8(rule.pattern.bytes().to_vec()).ok())
                .filter(|pattern| pattern.starts_with(['/', '*']))
                .collect();
            (named, patterns)
        };
        let (named, patterns) = groups_of(&body);
        let urls = (0..24)
            .map(|turn| {
                let path = match patterns.as_slice() {
                    [] => random.path(),
                    // A quarter of the paths are unrelated to the rules.
                    _ if turn % 4 == 3 => random.path(),
                    patterns => {
                        let pattern = random.pick(patterns).clone();
                        path_of_pattern(&pattern, random)
                    }
                };
                Url::of_path(&path)
            })
            .collect();
        Self { body, named, urls }
    }
}

/// Returns a path that a pattern matches, or one that is similar.
fn path_of_pattern(pattern: &str, random: &mut Random) -> String {
    let mut path = String::new();
    for char in pattern.trim_end_matches('$').chars() {
        match char {
            '*' => path.push_str(&random.word()),
            _ => path.push(char),
        }
    }
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    match random.below(4) {
        0 => path.push_str(&random.path()),
        1 => path.push_str(&random.word()),
        2 => {
            path.pop();
        }
        _ => {}
    }
    path.retain(|char| char.is_ascii_graphic());
    if path.is_empty() { "/".to_owned() } else { path }
}

/// Reads all files of a folder, in the order of their names.
pub fn read(folder: &Path) -> std::io::Result<Vec<Site>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    let mut random = Random::new(9309);
    files.iter().map(|file| Ok(Site::new(std::fs::read(file.path())?, &mut random))).collect()
}

/// Generates files that resemble real ones: most are short, a few are long; most have a general group and some named
/// ones.
pub fn synthetic() -> Vec<Site> {
    let mut random = Random::new(9309);
    (0..1_000)
        .map(|_| {
            let mut body = String::new();
            for group in 0..1 + random.below(6) {
                if random.below(3) == 0 {
                    body.push_str("# ");
                    body.push_str(&random.path());
                    body.push('\n');
                }
                let agent = if group == 0 { "*".to_owned() } else { format!("{}bot", random.word()) };
                body.push_str(&format!("User-agent: {agent}\n"));
                let rules = match random.below(20) {
                    0 => 200 + random.below(400),
                    1..=5 => 20 + random.below(60),
                    _ => 1 + random.below(12),
                };
                for _ in 0..rules {
                    let path = random.path();
                    let pattern = match random.below(8) {
                        0 => format!("/*{path}"),
                        1 => format!("{path}/*?{}=", random.word()),
                        2 => format!("/*?{}=", random.word()),
                        3 => format!("{path}$"),
                        _ => format!("{path}/"),
                    };
                    let effect = if random.below(6) == 0 { "Allow" } else { "Disallow" };
                    body.push_str(&format!("{effect}: {pattern}\n"));
                }
                body.push('\n');
            }
            body.push_str("Sitemap: https://example.com/sitemap.xml\n");
            Site::new(body.into_bytes(), &mut random)
        })
        .collect()
}

/// Returns the files with other URLs, whose paths are Cyrillic words, percent-encoded as the `url` crate and browsers do.
pub fn with_encoded_paths(sites: &[Site]) -> Vec<Site> {
    let mut random = Random::new(9309);
    let with_others = |site: &Site| {
        let urls = site.urls.iter().map(|_| Url::of_path(&encoded_path(&mut random))).collect();
        Site { body: site.body.clone(), named: site.named.clone(), urls }
    };
    sites.iter().map(with_others).collect()
}

fn encoded_path(random: &mut Random) -> String {
    let mut path = String::new();
    for _ in 0..1 + random.below(3) {
        path.push('/');
        for _ in 0..3 + random.below(8) {
            let letter = char::from_u32('а' as u32 + random.below(32) as u32).unwrap_or('а');
            letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| path.push_str(&format!("%{byte:02X}")));
        }
    }
    path
}

/// Generates one group of `count` rules, each made by `rule`.
pub fn large(count: usize, mut rule: impl FnMut(&mut Random) -> String) -> Site {
    let mut random = Random::new(count as u64);
    let mut body = "User-agent: *\n".to_owned();
    for _ in 0..count {
        let effect = if random.below(5) == 0 { "Allow" } else { "Disallow" };
        body.push_str(&format!("{effect}: {}\n", rule(&mut random)));
    }
    Site::new(body.into_bytes(), &mut random)
}

/// Returns a pattern without wildcards.
pub fn plain(random: &mut Random) -> String {
    format!("{}/{}", random.path(), random.word())
}

/// Returns a pattern with two or three wildcards; half of them begin with one.
pub fn wild(random: &mut Random) -> String {
    let start = if random.below(2) == 0 { "/".to_owned() } else { random.path() };
    let mut pattern = format!("{start}*{}", random.word());
    pattern.push_str(&format!("*{}", random.path()));
    if random.below(2) == 0 {
        pattern.push_str(&format!("*{}", random.word()));
    }
    pattern
}
