//! Names of products and companies that people write for crawlers.

/// Products, companies and words for many crawlers: their names in lower case without spaces and hyphens, and the names that their
/// crawlers look for. From the catalogue and the pages of operators that it names, 2026-11.
const PRODUCTS: [(&str, &[&str]); 43] = [
    (
        "chatgpt chatgptbot openai openaibot openaigpt openaichatgpt gpt gpt3 gpt4 gpt5 dalle sora codex",
        OPENAI,
    ),
    ("searchgpt", &["OAI-SearchBot"]),
    ("claude claudeai anthropic anthropicbot anthropicclaude", ANTHROPIC),
    (
        "gemini geminiai geminibot googlegemini bard googlebard bardbot googleai googlebotextended googlebotai",
        GEMINI,
    ),
    ("vertexai", &["Google-CloudVertexBot", "Google-Extended"]),
    ("perplexity perplexityai", PERPLEXITY),
    ("copilot microsoftcopilot bingchat bingai microsoft microsoftbing", COPILOT),
    ("meta metaai llama facebook instagram", META),
    ("mistral mistralai lechat mistralbot", &["MistralAI-User"]),
    ("cohere", &["cohere-ai", "cohere-training-data-crawler"]),
    ("bytedance doubao", &["Bytespider"]),
    ("tiktok", &["TikTokSpider", "Bytespider"]),
    ("commoncrawl commoncrawlbot", &["CCBot"]),
    ("appleai appleintelligence", APPLE),
    ("siri", &["Applebot"]),
    ("amazonai", &["Amazonbot"]),
    // Lists from before 2022 mean Alexa Internet.
    ("alexa", &["Amazonbot", "ia_archiver"]),
    ("deepseek deepseekai", &["DeepSeekBot"]),
    ("twitter", &["Twitterbot"]),
    ("linkedin", &["LinkedInBot"]),
    ("diffbotai", &["Diffbot"]),
    ("ahref ahrefs", &["AhrefsBot", "AhrefsSiteAudit"]),
    ("semrush semrushinc", &["SemrushBot"]),
    ("majestic majesticseo mj12", &["MJ12bot"]),
    ("moz", &["rogerbot", "dotbot"]),
    ("screamingfrog", &["Screaming Frog SEO Spider"]),
    ("ai aibot aibots allaibots allaicrawlers aicrawler aicrawlers llm llms", AI),
    ("brave bravesearch", &["Bravebot"]),
    ("kimi", &["Kimi-User"]),
    ("internetarchive waybackmachine", &["archive.org_bot", "ia_archiver"]),
    ("telegram", &["TelegramBot"]),
    ("slack", &["Slackbot-LinkExpanding"]),
    ("discord", &["Discordbot"]),
    ("naver", &["Yeti"]),
    ("huawei petal petalsearch", &["PetalBot"]),
    ("youcom", &["YouBot"]),
    ("laion", &["CCBot", "img2dataset"]),
    ("googlenews", &["Googlebot-News"]),
    ("googleimage googleimages", &["Googlebot-Image"]),
    ("googlevideo googlevideos", &["Googlebot-Video"]),
    ("bingimage bingimages", COPILOT),
    // Kinds of crawlers and browsers, which have no names that a line could have.
    ("badbots badcrawlers badspiders", &[]),
    ("chrome googlechrome firefox", &[]),
];

const OPENAI: &[&str] = &["GPTBot", "OAI-SearchBot", "ChatGPT-User"];
const ANTHROPIC: &[&str] = &["ClaudeBot", "Claude-SearchBot", "Claude-User"];
const AI: &[&str] =
    &["GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Applebot-Extended", "meta-externalagent"];
const GEMINI: &[&str] = &["Google-Extended"];
const PERPLEXITY: &[&str] = &["PerplexityBot", "Perplexity-User"];
const COPILOT: &[&str] = &["bingbot"];
const META: &[&str] = &["meta-externalagent", "meta-externalfetcher", "facebookexternalhit", "FacebookBot"];
const APPLE: &[&str] = &["Applebot-Extended", "Applebot"];

/// Names that pages of operators no longer have, in lower case, with those that they have. Anthropic:
/// support.claude.com, "Does Anthropic crawl data from the web", 2026-11.
#[cfg(feature = "lint")]
const FORMER: [(&str, &[&str]); 2] = [("anthropic-ai", ANTHROPIC), ("claude-web", ANTHROPIC)];

/// Returns the names that took the place of a former name of a crawler.
#[cfg(feature = "lint")]
pub(crate) fn former(value: &[u8]) -> Option<&'static [&'static str]> {
    FORMER.iter().find(|(name, _)| value.eq_ignore_ascii_case(name.as_bytes())).map(|(_, tokens)| *tokens)
}

/// Returns the names that the crawlers of a product look for, if a value is the name of a product and not of a crawler.
pub(crate) fn product(value: &[u8]) -> Option<&'static [&'static str]> {
    const LONGEST: usize = 30;
    if value.len() > LONGEST {
        return None;
    }
    let is_of = |name: &str| {
        let mut letters = value
            .iter()
            .filter(|byte| !matches!(byte, b' ' | b'-' | b'_' | b'.'))
            .map(u8::to_ascii_lowercase);
        name.bytes().all(|byte| letters.next() == Some(byte)) && letters.next().is_none()
    };
    PRODUCTS.iter().find(|(names, _)| names.split(' ').any(is_of)).map(|(_, tokens)| *tokens)
}
