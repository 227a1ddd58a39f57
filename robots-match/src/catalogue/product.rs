//! Names of products and companies that people write for crawlers.

/// Names that no crawler looks for, in lower case without spaces and hyphens, each with the names that crawlers of the product look
/// for. From the catalogue and the pages of operators that it names, 2026-11.
const PRODUCTS: [(&str, &[&str]); 92] = [
    ("chatgpt", OPENAI),
    ("chatgptbot", OPENAI),
    ("openai", OPENAI),
    ("openaibot", OPENAI),
    ("openaigpt", OPENAI),
    ("openaichatgpt", OPENAI),
    ("gpt", OPENAI),
    ("gpt3", OPENAI),
    ("gpt4", OPENAI),
    ("gpt5", OPENAI),
    ("dalle", OPENAI),
    ("sora", OPENAI),
    ("codex", OPENAI),
    ("searchgpt", &["OAI-SearchBot"]),
    ("claude", ANTHROPIC),
    ("claudeai", ANTHROPIC),
    ("anthropic", ANTHROPIC),
    ("anthropicbot", ANTHROPIC),
    ("anthropicclaude", ANTHROPIC),
    ("gemini", GEMINI),
    ("geminiai", GEMINI),
    ("geminibot", GEMINI),
    ("googlegemini", GEMINI),
    ("bard", GEMINI),
    ("googlebard", GEMINI),
    ("bardbot", GEMINI),
    ("googleai", GEMINI),
    ("googlebotextended", GEMINI),
    ("googlebotai", GEMINI),
    ("vertexai", &["Google-CloudVertexBot", "Google-Extended"]),
    ("perplexity", PERPLEXITY),
    ("perplexityai", PERPLEXITY),
    ("copilot", COPILOT),
    ("microsoftcopilot", COPILOT),
    ("bingchat", COPILOT),
    ("bingai", COPILOT),
    ("meta", META),
    ("metaai", META),
    ("llama", META),
    ("facebook", META),
    ("instagram", META),
    ("whatsapp", &["facebookexternalhit"]),
    ("mistral", &["MistralAI-User"]),
    ("mistralai", &["MistralAI-User"]),
    ("lechat", &["MistralAI-User"]),
    ("cohere", &["cohere-ai", "cohere-training-data-crawler"]),
    ("bytedance", &["Bytespider"]),
    ("tiktok", &["Bytespider", "TikTokSpider"]),
    ("doubao", &["Bytespider"]),
    ("commoncrawl", &["CCBot"]),
    ("appleai", APPLE),
    ("appleintelligence", APPLE),
    ("siri", APPLE),
    ("amazonai", &["Amazonbot"]),
    ("alexa", &["Amazonbot"]),
    ("deepseek", &["DeepSeekBot"]),
    ("twitter", &["Twitterbot"]),
    ("linkedin", &["LinkedInBot"]),
    ("diffbotai", &["Diffbot"]),
    ("ahrefs", &["AhrefsBot", "AhrefsSiteAudit"]),
    ("semrush", &["SemrushBot"]),
    ("semrushinc", &["SemrushBot"]),
    ("majestic", &["MJ12bot"]),
    ("majesticseo", &["MJ12bot"]),
    ("moz", &["rogerbot", "dotbot"]),
    ("screamingfrog", &["Screaming Frog SEO Spider"]),
    // Words for many crawlers.
    ("ai", AI),
    ("aibot", AI),
    ("aibots", AI),
    ("aicrawler", AI),
    ("aicrawlers", AI),
    ("llm", AI),
    ("llms", AI),
    ("mj12", &["MJ12bot"]),
    ("microsoft", COPILOT),
    ("microsoftbing", COPILOT),
    ("brave", &["Bravebot"]),
    ("bravesearch", &["Bravebot"]),
    ("deepseekai", &["DeepSeekBot"]),
    ("mistralbot", &["MistralAI-User"]),
    ("kimi", &["Kimi-User"]),
    ("internetarchive", &["archive.org_bot", "ia_archiver"]),
    ("waybackmachine", &["archive.org_bot", "ia_archiver"]),
    ("telegram", &["TelegramBot"]),
    ("slack", &["Slackbot-LinkExpanding"]),
    ("discord", &["Discordbot"]),
    ("naver", &["Yeti"]),
    ("huawei", &["PetalBot"]),
    ("petal", &["PetalBot"]),
    ("petalsearch", &["PetalBot"]),
    ("youcom", &["YouBot"]),
    ("laion", &["CCBot", "img2dataset"]),
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
    PRODUCTS.iter().find(|(name, _)| is_of(name)).map(|(_, tokens)| *tokens)
}
