//! Keys of drafts, proposals and other places, which crawlers do not read in robots.txt files.

use crate::misspelt::is_one_mistake;

/// A key that people write in robots.txt files, and that no crawler is known to read there.
pub(crate) struct Vocabulary {
    /// The letters and digits of the key, in lower case.
    letters: &'static str,
    /// Where the key is from.
    pub(crate) from: &'static str,
    /// What to do for the same purpose.
    pub(crate) instead: &'static str,
}

const TRAINING: &str = "to keep crawlers that collect data for training out, disallow them by name, such as GPTBot, ClaudeBot, CCBot and Google-Extended";
const CANEL: &str = "a draft of 2024 that expired (draft-canel-robots-ai-control)";
const ACAP: &str = "ACAP, a proposal of publishers of 2007";
const META: &str = "write it into a `robots` meta element or an `X-Robots-Tag` header of the pages";

const fn word(letters: &'static str, from: &'static str, instead: &'static str) -> Vocabulary {
    Vocabulary { letters, from, instead }
}

/// The keys. Sources: datatracker.ietf.org/doc/draft-canel-robots-ai-control, w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240202,
/// llmstxt.org, and files of the corpus; all as of 2026-11.
const WORDS: [Vocabulary; 46] = [
    word("disallowaitraining", CANEL, TRAINING),
    word("allowaitraining", CANEL, TRAINING),
    word("disallowai", "no standard", TRAINING),
    word("allowai", "no standard", TRAINING),
    word("disallowtraining", "no standard", TRAINING),
    word("disallowllm", "no standard", TRAINING),
    word("noai", "a proposal for meta elements", TRAINING),
    word("noimageai", "a proposal for meta elements", TRAINING),
    word("noaitraining", "no standard", TRAINING),
    word("nollm", "no standard", TRAINING),
    word(
        "aitrain",
        "the Content Signals Policy",
        "write `Content-Signal: ai-train=no` in a group, or disallow crawlers for training by name",
    ),
    word("aitraining", "no standard", TRAINING),
    word("aiinput", "the Content Signals Policy", "write `Content-Signal: ai-input=no` in a group"),
    word("trainai", "the vocabulary of AI preferences", "write `Content-Usage: train-ai=n` in a group"),
    word("aiusage", "no standard", TRAINING),
    word("aipolicy", "no standard", TRAINING),
    word("aicontent", "no standard", TRAINING),
    word(
        "llms",
        "a file of its own, llms.txt",
        "publish the file at `/llms.txt`; robots.txt has no line for it",
    ),
    word(
        "llmstxt",
        "a file of its own, llms.txt",
        "publish the file at `/llms.txt`; robots.txt has no line for it",
    ),
    word(
        "llmsfulltxt",
        "a file of its own, llms.txt",
        "publish the file at `/llms-full.txt`; robots.txt has no line for it",
    ),
    word(
        "llmsfull",
        "a file of its own, llms.txt",
        "publish the file at `/llms-full.txt`; robots.txt has no line for it",
    ),
    word(
        "llm",
        "a file of its own, llms.txt",
        "publish the file at `/llms.txt`; robots.txt has no line for it",
    ),
    word(
        "llmcontent",
        "a file of its own, llms.txt",
        "publish the file at `/llms.txt`; robots.txt has no line for it",
    ),
    word("llmspolicy", "no standard", TRAINING),
    word("llmpolicy", "no standard", TRAINING),
    word(
        "aitxt",
        "a file of its own, ai.txt",
        "publish the file at `/ai.txt`; robots.txt has no line for it",
    ),
    word(
        "tdmreservation",
        "the TDM Reservation Protocol",
        "put it into `/.well-known/tdmrep.json`, an HTTP header or a meta element",
    ),
    word(
        "tdmpolicy",
        "the TDM Reservation Protocol",
        "put it into `/.well-known/tdmrep.json`, an HTTP header or a meta element",
    ),
    word(
        "tdm",
        "the TDM Reservation Protocol",
        "put it into `/.well-known/tdmrep.json`, an HTTP header or a meta element",
    ),
    word("xrobotstag", "HTTP headers", "let the server send it as a header"),
    word("robots", "meta elements", META),
    word("metarobots", "meta elements", META),
    word("googlebot", "meta elements", META),
    word("nosnippet", "meta elements", META),
    word("noimageindex", "meta elements", META),
    word("index", "meta elements", META),
    word("follow", "meta elements", META),
    word("canonical", "link elements", "put it into a `link` element or header of the page"),
    word("revisitafter", "meta elements of the 1990s", "remove it; no crawler reads it"),
    word("cachedelay", "no standard", "remove it; no crawler reads it"),
    word("allowedagents", "no standard", "write a group for each crawler"),
    word("acapcrawler", ACAP, "write a group of `User-agent`, `Disallow` and `Allow` lines"),
    word("acapdisallowcrawl", ACAP, "write `Disallow` for crawlers that should not fetch the path"),
    word("acapallowcrawl", ACAP, "write `Allow` where a path is an exception to a `Disallow`"),
    word("acapdisallowindex", ACAP, META),
    word("humans", "a file of its own, humans.txt", "publish the file at `/humans.txt`"),
];

/// The keys that people misspell.
const MEANT: [&str; 6] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay", "content-signal"];

/// Words that people write in place of `user-agent`.
const AGENTS: [&str; 7] = ["agent", "agents", "bot", "robot", "ua", "crawler", "spider"];

/// Returns the key that was most likely meant by another one, and whether the key is misspelt and not another word for it.
pub(crate) fn meant(key: &[u8]) -> Option<(&'static str, bool)> {
    let misspelt =
        MEANT.into_iter().find(|meant| is_one_mistake(key, meant.as_bytes())).map(|meant| (meant, true));
    let is = |word: &&str| key.eq_ignore_ascii_case(word.as_bytes());
    misspelt.or_else(|| AGENTS.iter().any(is).then_some((MEANT[0], false)))
}

/// Returns what is known about a key. Case and what is between the letters make no difference.
pub(crate) fn vocabulary(key: &[u8]) -> Option<&'static Vocabulary> {
    const LONGEST: usize = 40;
    if key.len() > LONGEST {
        return None;
    }
    let is_of = |word: &&Vocabulary| {
        let mut letters = key.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase);
        word.letters.bytes().all(|byte| letters.next() == Some(byte)) && letters.next().is_none()
    };
    const { &WORDS }.iter().find(is_of)
}
