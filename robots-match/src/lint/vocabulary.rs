//! Keys of drafts, proposals and other places, which crawlers do not read in robots.txt files.

use alloc::vec::Vec;

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

/// Keys in other languages, in lower case and with spaces for hyphens.
static TRANSLATED: [(&str, &[&str]); 4] = [
    (
        "User-agent",
        &[
            "agente de usuario",
            "agente usuario",
            "usuario agente",
            "agente de usu\u{E1}rio",
            "agente do usu\u{E1}rio",
            "agente utilizador",
            "agent utilisateur",
            "agent d'utilisateur",
            "agente utente",
            "benutzeragent",
            "benutzer agent",
            "nutzer agent",
            "nutzeragent",
            "anwender agent",
            "gebruikersagent",
            "gebruikers agent",
            "gebruiker agent",
            "agent u\u{17C}ytkownika",
            "kullan\u{131}c\u{131} arac\u{131}s\u{131}",
            "anv\u{E4}ndaragent",
            "brugeragent",
            "k\u{E4}ytt\u{E4}j\u{E4}agentti",
            "\u{430}\u{433}\u{435}\u{43D}\u{442} \u{43F}\u{43E}\u{43B}\u{44C}\u{437}\u{43E}\u{432}\u{430}\u{442}\u{435}\u{43B}\u{44F}",
            "\u{43F}\u{43E}\u{43B}\u{44C}\u{437}\u{43E}\u{432}\u{430}\u{442}\u{435}\u{43B}\u{44C}\u{441}\u{43A}\u{438}\u{439} \u{430}\u{433}\u{435}\u{43D}\u{442}",
            "\u{30E6}\u{30FC}\u{30B6}\u{30FC}\u{30A8}\u{30FC}\u{30B8}\u{30A7}\u{30F3}\u{30C8}",
            "\u{7528}\u{6237}\u{4EE3}\u{7406}",
            "\u{4F7F}\u{7528}\u{8005}\u{4EE3}\u{7406}",
        ],
    ),
    (
        "Disallow",
        &[
            "no permitir",
            "no permitido",
            "no permita",
            "prohibir",
            "prohibido",
            "denegar",
            "desautorizar",
            "rechazar",
            "bloquear",
            "interdire",
            "interdit",
            "ne pas autoriser",
            "non autoris\u{E9}",
            "refuser",
            "rejeter",
            "bloquer",
            "nicht erlauben",
            "nicht erlaubt",
            "nicht zulassen",
            "nicht zugelassen",
            "verbieten",
            "verboten",
            "untersagen",
            "sperren",
            "blockieren",
            "non consentire",
            "non permettere",
            "non consentito",
            "vietare",
            "vietato",
            "proibire",
            "bloccare",
            "proibir",
            "proibido",
            "n\u{E3}o permitir",
            "nao permitir",
            "negar",
            "niet toestaan",
            "niet toegestaan",
            "weigeren",
            "verbied",
            "blokkeren",
            "nie zezwalaj",
            "zabro\u{144}",
            "zakaz",
            "till\u{E5}t inte",
            "till\u{E5}t ej",
            "neka",
            "forbyd",
            "tillad ikke",
            "kiell\u{E4}",
            "izin verme",
            "yasakla",
            "engelle",
            "\u{437}\u{430}\u{43F}\u{440}\u{435}\u{442}\u{438}\u{442}\u{44C}",
            "\u{437}\u{430}\u{43F}\u{440}\u{435}\u{449}\u{435}\u{43D}\u{43E}",
            "\u{437}\u{430}\u{43F}\u{440}\u{435}\u{442}",
            "\u{43D}\u{435} \u{440}\u{430}\u{437}\u{440}\u{435}\u{448}\u{430}\u{442}\u{44C}",
            "\u{7981}\u{6B62}",
            "\u{4E0D}\u{5141}\u{8BB8}",
            "\u{4E0D}\u{5141}\u{8A31}",
            "\u{4E0D}\u{8A31}\u{53EF}",
        ],
    ),
    (
        "Allow",
        &[
            "permitir",
            "permitido",
            "autorizar",
            "autoriser",
            "autoris\u{E9}",
            "permettre",
            "erlauben",
            "erlaubt",
            "zulassen",
            "gestatten",
            "consentire",
            "consentito",
            "permettere",
            "toestaan",
            "toegestaan",
            "zezwalaj",
            "zezw\u{F3}l",
            "till\u{E5}t",
            "tillad",
            "salli",
            "izin ver",
            "\u{440}\u{430}\u{437}\u{440}\u{435}\u{448}\u{438}\u{442}\u{44C}",
            "\u{440}\u{430}\u{437}\u{440}\u{435}\u{448}\u{435}\u{43D}\u{43E}",
            "\u{8A31}\u{53EF}",
            "\u{5141}\u{8BB8}",
            "\u{5141}\u{8A31}",
        ],
    ),
    (
        "Sitemap",
        &[
            "mapa del sitio",
            "mapa do site",
            "plan du site",
            "mappa del sito",
            "seiten\u{FC}bersicht",
            "mapa strony",
            "\u{43A}\u{430}\u{440}\u{442}\u{430} \u{441}\u{430}\u{439}\u{442}\u{430}",
            "\u{30B5}\u{30A4}\u{30C8}\u{30DE}\u{30C3}\u{30D7}",
            "\u{7F51}\u{7AD9}\u{5730}\u{56FE}",
        ],
    ),
];

/// Returns the key of which another one is a translation.
pub(crate) fn translated(key: &[u8]) -> Option<&'static str> {
    const LONGEST: usize = 60;
    let key = core::str::from_utf8(key).ok().filter(|key| key.len() <= LONGEST)?;
    let written = key.to_lowercase().replace(['-', '_'], " ");
    let is_one = |words: &[&str]| words.contains(&written.as_str());
    TRANSLATED.iter().find(|(_, words)| is_one(words)).map(|(name, _)| *name)
}

/// Whether a key differs only in what is between the letters, as in `User - agent`.
fn has_letters_of(key: &[u8], meant: &str) -> bool {
    let letters = |text: &[u8]| {
        let letters = text.iter().filter(|byte| !matches!(byte, b' ' | b'-' | b'_'));
        letters.map(u8::to_ascii_lowercase).collect::<Vec<u8>>()
    };
    key.len() <= meant.len() + MOST_SIGNS && letters(key) == letters(meant.as_bytes())
}

/// The most signs that a key has more than the one that was meant.
const MOST_SIGNS: usize = 4;

/// Returns the key that was most likely meant by another one, and whether the key is misspelt and not another word for it.
pub(crate) fn meant(key: &[u8]) -> Option<(&'static str, bool)> {
    let misspelt =
        MEANT.into_iter().find(|meant| is_one_mistake(key, meant.as_bytes()) || has_letters_of(key, meant));
    let misspelt = misspelt.map(|meant| (meant, true));
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
