//! Files of any size that take much work or memory.

use core::fmt::Write as _;

/// A file of any size: pieces one after another, each repeated until it has its part of the size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) pieces: Vec<Piece>,
}

/// A text that is repeated. `{n}` stands for the number of the repetition, `{N}` for one of many digits, `{l}` for the number in
/// letters, `{m}` for it modulo 10, `{a}` for so many letters `a`, `{s}` for so many `*a`, `{r}` for eight random characters of
/// `a`, `b` and `*`, `{b}` for the number in binary of `a` and `b`, `{t}` for two bytes that are not UTF-8, `{C}` for 16 letters
/// whose case has the number, and `{k}` for the name of a known crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The part of the size in percent; 0 for a text that stands once.
    pub(super) share: usize,
    pub(super) text: String,
}

/// The texts before and after rules of one group.
const ALL: &str = "user-agent: *\n";

/// The line of a group for one crawler.
const BOT: &str = "user-agent: googlebot\n";

/// Shapes by name. A piece is its share and its text.
const SHAPES: &[(&str, &[(usize, &str)])] = &[
    ("groups", &[(100, "user-agent:a{n}\ndisallow:/{n}\n")]),
    ("groups-of-one-name", &[(100, "user-agent:a\ndisallow:/{n}\n")]),
    ("groups-alike", &[(100, "user-agent:a\ndisallow:/x\n")]),
    ("groups-of-known", &[(100, "user-agent:{k}\ndisallow:/{n}*\n")]),
    ("groups-of-known-and-all", &[(100, "user-agent:{k}\nuser-agent:*\ndisallow:/*{n}*x\n")]),
    ("groups-of-pairs", &[(100, "user-agent:a{n}\nuser-agent:{k}\nallow:/{n}\n")]),
    ("names", &[(100, "user-agent:a{n}\n"), (0, "disallow:/\n")]),
    ("names-alike", &[(100, "user-agent:a\n"), (0, "disallow:/\n")]),
    ("names-in-letters", &[(100, "user-agent:{l}\ndisallow:/{l}*$\n")]),
    ("names-by-rules", &[(50, "user-agent:a{n}\n"), (50, "disallow:/{n}*x\n")]),
    ("names-by-stars", &[(50, "user-agent:google{n}\n"), (50, "disallow:/*{n}*a*{l}\nallow:/*{l}*b\n")]),
    ("names-by-groups", &[(50, "user-agent:a{n}\n"), (50, "disallow:/\nuser-agent:a{n}\n")]),
    ("names-after-blanks", &[(100, "user-agent:a{n}\n\n"), (0, "disallow:/\n")]),
    ("names-twice", &[(100, "user-agent:a{n}\n\nuser-agent:a{n}\n\n"), (0, "disallow:/\n")]),
    ("names-and-sitemaps", &[(100, "user-agent:a{n}\nsitemap:/\n"), (0, "disallow:/\n")]),
    ("names-and-delays", &[(100, "user-agent:a{n}\ncrawl-delay:1\n"), (0, "disallow:/\n")]),
    ("names-like-known", &[(100, "user-agent:googlbot{n}\ndisallow:/\n")]),
    ("names-as-headers", &[(100, "user-agent:Mozilla/5.0 (compatible; Googlebot/2.{n})\ndisallow:/\n")]),
    ("names-in-a-list", &[(100, "user-agent:a{n},b{n},c{n},d{n},e{n},f{n}\ndisallow:/\n")]),
    ("one-name", &[(0, "user-agent:"), (100, "a"), (0, "\ndisallow:/\n")]),
    ("one-list-of-names", &[(0, "user-agent:"), (100, "a,"), (0, "\ndisallow:/\n")]),
    ("rules", &[(0, ALL), (100, "disallow:/some/path-{n}/\n")]),
    ("rules-alike", &[(0, ALL), (100, "allow:/\n")]),
    ("rules-of-both-kinds", &[(0, ALL), (100, "allow:/{n}\ndisallow:/{n}\n")]),
    ("rules-with-stars", &[(0, ALL), (100, "disallow:/*{l}*\n")]),
    ("rules-with-a-number", &[(0, ALL), (100, "disallow:*/{n}/*/{m}/\nallow:/*{n}$\n")]),
    ("rules-with-tails", &[(0, ALL), (100, "disallow:/*.a{n}$\n")]),
    ("rules-with-many-stars", &[(0, ALL), (100, "disallow:/*a*a*a*a*a*a*a*a*a*a*b{n}$\n")]),
    ("rules-of-few-letters", &[(0, ALL), (100, "allow:/{r}{r}\ndisallow:/{r}\n")]),
    (
        "rules-of-few-letters-in-groups",
        // Random rules rarely repeat each other, and files of all sizes have something to correct.
        &[
            (0, "user-agent:b\ndisallow:/b\ndisallow:/b\n"),
            (100, "user-agent:a{n}\nallow:/{r}\ndisallow:/{r}\ndisallow:/{r}\n"),
        ],
    ),
    ("rules-without-a-slash", &[(0, ALL), (100, "disallow:&a,\n# robots-lint: ignore {m}=/{n}\n")]),
    ("rules-that-begin-alike", &[(0, ALL), (100, "disallow:/{a}\n")]),
    ("rules-that-begin-alike-with-stars", &[(0, ALL), (100, "disallow:/{s}\nallow:/{s}b\n")]),
    ("rules-that-end-alike", &[(0, ALL), (100, "allow:/{N}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n")]),
    ("rules-that-differ-in-case", &[(0, ALL), (100, "disallow:/{C}\n")]),
    ("rules-with-escapes", &[(0, ALL), (100, "disallow:/%61%2f%7E%2F%zz{n}\n")]),
    ("rules-with-delimiters", &[(0, ALL), (100, "disallow:/*?*%26a%3D{n}*\n")]),
    ("rules-with-short-queries", &[(0, ALL), (100, "disallow:/?%26{n}\n")]),
    ("rules-with-other-bytes", &[(0, ALL), (100, "disallow:/{t}\n")]),
    ("rules-with-letters", &[(0, ALL), (100, "disallow:/\u{444}{n}\n")]),
    ("rules-with-urls", &[(0, ALL), (100, "disallow:http://a.com/{n}\n")]),
    ("rules-with-expressions", &[(0, ALL), (100, "disallow:/.*[a-z]{n}+\n")]),
    ("rules-with-templates", &[(0, ALL), (100, "disallow:/{{x{n}}}\n")]),
    ("rules-with-spaces", &[(0, ALL), (100, "disallow:/a b{n}\n")]),
    ("rules-with-comments", &[(0, ALL), (100, "disallow:/a#{n}\n")]),
    ("rules-with-dollars", &[(0, ALL), (100, "disallow:/${n}$\n")]),
    ("rules-without-slash", &[(0, ALL), (100, "disallow:{n}\n")]),
    ("rules-of-resources", &[(0, ALL), (100, "disallow:/wp-includes/{n}.css\n")]),
    ("rules-without-a-path", &[(0, ALL), (100, "disallow:\n")]),
    ("rules-outside", &[(100, "disallow:/{n}\n")]),
    ("rules-misspelt", &[(0, ALL), (100, "disalow:/{n}\n")]),
    ("rules-without-colon", &[(0, ALL), (100, "disallow /{n}\n")]),
    ("rules-in-one-line", &[(0, ALL), (100, "disallow:/{n} allow:/{n} ")]),
    ("rules-in-few-lines", &[(0, ALL), (100, "disallow:/{n}disallow:/{n}user-agent:b{n}\n")]),
    ("one-pattern", &[(0, ALL), (0, "disallow:/"), (100, "a")]),
    ("one-pattern-of-stars", &[(0, ALL), (0, "disallow:/"), (100, "*a"), (0, "b\n")]),
    ("one-pattern-of-spaces", &[(0, ALL), (0, "disallow:/"), (100, " "), (0, "x\n")]),
    (
        "long-pattern-in-groups",
        &[(20, "a"), (0, "\nuser-agent:*\ndisallow:/"), (30, "a"), (0, "*\n"), (50, "user-agent:{k}\n\n")],
    ),
    ("unknown-keys", &[(0, ALL), (100, "k{n}:v\n")]),
    ("sitemaps", &[(0, ALL), (100, "sitemap:http://a.com/{n}.xml\n")]),
    (
        "sitemaps-that-are-disallowed",
        &[(0, ALL), (50, "sitemap:http://a.com/{n}.xml\n"), (50, "disallow:/*{n}.xml\n")],
    ),
    ("sitemaps-without-host", &[(0, ALL), (100, "sitemap:{n}\n"), (0, "disallow:/\n")]),
    ("preferences", &[(0, ALL), (100, "content-usage:/*{n}$ train-ai=n\n")]),
    ("signals", &[(0, ALL), (100, "content-signal:ai-train=no,search=yes\n")]),
    ("delays", &[(0, ALL), (100, "crawl-delay:{n}\n")]),
    ("delays-after-rules", &[(0, "user-agent:a1\ndisallow:/\n"), (100, "crawl-delay:{n}\n")]),
    ("delays-of-names", &[(50, "user-agent:a{n}\n"), (0, "disallow:/\n"), (50, "crawl-delay:{n}\n")]),
    ("parameters-of-home-pages", &[(0, ALL), (100, "disallow:/?sort={n}\n")]),
    ("parameters", &[(0, ALL), (100, "clean-param:a&b /{n}\n")]),
    ("hosts", &[(0, ALL), (100, "host:h{n}.com\n")]),
    ("licences", &[(0, ALL), (100, "license:{n}\n")]),
    ("line-ends", &[(100, "\n")]),
    ("carriage-returns", &[(0, "user-agent:*\r"), (100, "disallow:/{n}\r")]),
    ("nothing", &[(100, "\0")]),
    ("nothing-in-lines", &[(100, "\0\n")]),
    ("comments", &[(100, "#\n")]),
    ("comments-to-ignore", &[(0, ALL), (100, "# robots-lint: ignore trailing-star\ndisallow:/{n}*\n")]),
    ("comments-to-ignore-unknown", &[(100, "# robots-lint: ignore x{n}\n")]),
    ("comments-to-ignore-files", &[(100, "# robots-lint: ignore-file trailing-star\nx\n")]),
    ("page", &[(0, "<!doctype html><html>"), (100, "<a>\n")]),
    (
        "names-in-two-groups",
        &[(50, "user-agent:a{n}\n"), (0, "disallow:/\n"), (50, "user-agent:a{n}\n"), (0, "allow:/a\n")],
    ),
    (
        "headers-in-one-group",
        &[
            (100, "user-agent:Mozilla/5.0 (compatible; Googlebot/2.{n})\n"),
            (0, "user-agent:Googlebot\ndisallow:/\n"),
        ],
    ),
    ("names-that-begin-alike", &[(100, "user-agent:{a}\ndisallow:/{n}\n")]),
    ("names-of-words", &[(100, "user-agent:a b c d{n}\ndisallow:/\n")]),
    ("names-and-preferences", &[(100, "user-agent:a{n}\ncontent-usage:/{n} train-ai=n\ndisallow:/\n")]),
    ("known-and-delays", &[(100, "user-agent:{k}\ncrawl-delay:{n}\nclean-param:a{n} /\nallow:/\n")]),
    ("groups-of-all", &[(100, "user-agent:*\nallow:/\n")]),
    ("groups-of-two-in-turn", &[(100, "user-agent:a\nallow:/{n}\nuser-agent:b\ndisallow:/{n}*\n")]),
    ("groups-without-rules", &[(100, "user-agent:a\n\nuser-agent:b{n}\ncrawl-delay:1\n")]),
    ("byte-order-marks", &[(100, "\u{FEFF}")]),
    ("byte-order-marks-in-lines", &[(100, "\u{FEFF}user-agent:a{n}\n\u{FEFF}disallow:/\n")]),
    ("one-comment", &[(0, "user-agent:*\ndisallow:/a # "), (100, "b")]),
    (
        "long-comments",
        &[(0, ALL), (100, "disallow:/{n} # {N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}{N}\n")],
    ),
    ("one-comment-to-ignore", &[(0, "# robots-lint: ignore"), (100, " trailing-star")]),
    ("one-pattern-of-escapes", &[(0, ALL), (0, "disallow:/"), (100, "%2f%25"), (0, "\n")]),
    ("one-pattern-of-percents", &[(0, ALL), (0, "disallow:/"), (100, "%"), (0, "\n")]),
    ("one-pattern-of-words", &[(0, ALL), (0, "disallow:/a"), (100, " /b"), (0, "\n")]),
    ("one-pattern-of-tabs", &[(0, ALL), (0, "disallow:/a"), (100, "\t"), (0, "b\n")]),
    ("one-key", &[(0, ALL), (100, "a"), (0, ":b\n")]),
    ("one-sitemap", &[(0, ALL), (0, "sitemap:http://a.com/"), (100, "a{n}"), (0, "\n")]),
    ("one-parameter", &[(0, ALL), (0, "clean-param:"), (100, "a{n}&"), (0, " /\n")]),
    ("one-preference", &[(0, ALL), (0, "content-usage:"), (100, "a{n}=n,"), (0, "\n")]),
    ("one-signal", &[(0, ALL), (0, "content-signal:"), (100, "a{n}=no,"), (0, "\n")]),
    ("rules-with-many-escapes", &[(0, ALL), (100, "disallow:/%zz%2F%41%%{n}*%c3%a9$\n")]),
    ("rules-that-nest", &[(0, ALL), (100, "disallow:/{a}*\nallow:/{a}$\n")]),
    ("rules-of-stars-and-letters", &[(0, ALL), (100, "disallow:/*{l}*{r}*{l}$\nallow:/*{r}*{l}\n")]),
    ("rules-with-returns", &[(0, ALL), (100, "disallow:/{n}\r\r\n")]),
    ("rules-of-paths-of-known", &[(100, "user-agent:{k}\ndisallow:/*{n}*x\nallow:/*{m}*{n}\n")]),
    ("rules-that-are-shadowed", &[(0, "user-agent:*\ndisallow:/*\n"), (100, "allow:/{l}\n")]),
    (
        "rules-for-everything",
        &[(0, "user-agent:*\ndisallow:/*\n"), (50, "disallow:/{n}\n"), (50, "allow:/\n")],
    ),
    ("rules-with-encoded-queries", &[(0, ALL), (100, "disallow:/some/long/prefix/of/all/{n}?u=%2F\n")]),
    ("rules-with-encoded-commas", &[(0, ALL), (100, "disallow:/some/long/prefix/of/all%2C{n}\n")]),
    ("rules-with-encoded-signs", &[(0, ALL), (100, "disallow:/p*{n}%26a\nallow:/{n}%26%2Fa\n")]),
    ("resources-and-few-letters", &[(0, BOT), (50, "disallow:/{b}{b}{n}.css\n"), (50, "allow:/*{b}{b}\n")]),
    (
        "sitemaps-and-few-letters",
        &[(0, ALL), (50, "sitemap:http://a.com/{b}{n}\n"), (50, "disallow:/*{b}{b}\n")],
    ),
    ("values-and-few-letters", &[(0, ALL), (50, "noindex:/{b}{n}\n"), (50, "disallow:/*{b}{b}\n")]),
    (
        "all-and-groups-of-few-letters",
        &[
            (0, ALL),
            (90, "allow:/*{b}{b}\ndisallow:/*{b}{b}\n"),
            (10, "user-agent:x{n}\nallow:/q\ndisallow:/\n"),
        ],
    ),
    (
        "large-groups-of-few-letters",
        &[
            (0, ALL),
            (33, "allow:/{b}\ndisallow:/*{b}\n"),
            (0, "user-agent:a\n"),
            (33, "allow:/{b}\ndisallow:/*{b}\n"),
            (0, "user-agent:b\n"),
            (33, "allow:/{b}\ndisallow:/*{b}\n"),
        ],
    ),
    ("names-with-delays-and-rules", &[(50, "user-agent:a{n}\ncrawl-delay:1\n"), (50, "disallow:/{n}\n")]),
    ("names-that-extend-known", &[(100, "user-agent:{k}{n}\ndisallow:/a\n")]),
    ("signals-and-rules", &[(0, ALL), (50, "disallow:/{n}\n"), (50, "content-signal:search=no\n")]),
    ("records-in-one-line", &[(100, "user-agent:a{n} disallow:/ ")]),
    ("records-after-dashes", &[(50, "-"), (50, "allow:/ ")]),
    ("sitemaps-alike", &[(0, ALL), (100, "sitemap:http://a.com/\n")]),
    ("sitemaps-of-hosts", &[(0, ALL), (100, "sitemap:http://h{n}.com/s.xml\n"), (0, "disallow:/\n")]),
];

/// Pages and fields by name.
const PAGES: &[(&str, &[(usize, &str)])] = &[
    ("elements", &[(100, "<meta name=robots content=noindex>\n")]),
    ("elements-of-known", &[(100, "<meta name={k} content='noindex,max-snippet:{n}'>\n")]),
    ("elements-of-names", &[(100, "<meta name=a{n} content=noindex>")]),
    ("values", &[(0, "<meta name=robots content='"), (100, "noindex,"), (0, "'>")]),
    ("unknown-values", &[(0, "<meta name=robots content='"), (100, "a{n}:b,"), (0, "'>")]),
    ("attributes", &[(0, "<meta "), (100, "a{n}=b "), (0, "name=robots content=noindex>")]),
    ("attributes-alike", &[(0, "<meta "), (100, "name=robots "), (0, ">")]),
    ("one-value", &[(0, "<meta name=robots content='"), (100, "a"), (0, "'>")]),
    ("tags", &[(100, "<a{n}>")]),
    ("tags-without-end", &[(100, "<a ")]),
    ("less-than", &[(100, "<")]),
    ("comments", &[(100, "<!--{n}-->")]),
    ("comments-without-end", &[(100, "<!--")]),
    ("scripts", &[(100, "<script>{n}</script>")]),
    ("scripts-without-end", &[(100, "<script>")]),
    ("references", &[(0, "<meta name=robots content='"), (100, "&amp;&#{n};"), (0, "'>")]),
    ("text", &[(100, "a")]),
    ("quotes", &[(0, "<a b='"), (100, "\"")]),
    ("parts-without-snippets", &[(100, "<p data-nosnippet>")]),
    ("noscript", &[(100, "<noscript><meta name=robots content=noindex>")]),
    ("templates", &[(100, "<template><meta name=robots content=noindex>")]),
    ("frames", &[(100, "<iframe src=/{n}>")]),
    ("fields", &[(100, "x-robots-tag: noindex\n")]),
    ("fields-of-names", &[(100, "x-robots-tag: a{n}: noindex, nofollow\n")]),
    ("fields-of-known", &[(100, "x-robots-tag: {k}: noindex, unavailable_after: 2{n}\n")]),
    ("one-field", &[(0, "x-robots-tag: "), (100, "a{n},")]),
];

/// Lists, tables and documents that commands read beside a robots.txt, by name.
const LISTS: &[(&str, &[(usize, &str)])] = &[
    ("urls", &[(100, "http://a.com/{n}\n")]),
    ("urls-of-hosts", &[(100, "http://h{n}.com/\n")]),
    ("urls-without-host", &[(100, "/{n}\n")]),
    ("urls-with-escapes", &[(100, "/%zz%2F%41%%{n}\u{444}?a=%26\n")]),
    ("urls-with-errors", &[(100, "http://[{n}\n")]),
    ("one-url", &[(0, "http://a.com/"), (100, "a")]),
    ("one-url-of-escapes", &[(0, "/"), (100, "%2f")]),
    ("line-ends", &[(100, "\n")]),
    ("returns", &[(100, "a{n}\r")]),
    ("nothing", &[(100, "\0\n")]),
    ("controls", &[(100, "\u{1B}[8m::error::{n}\u{202E}\n")]),
    ("files", &[(100, "a{n}.txt\n")]),
    ("files-of-git", &[(100, "git:HEAD:{n}\n")]),
    ("cells", &[(100, "a{n}\tb\t/{n}\n")]),
    ("quotes", &[(100, "\"")]),
    ("quotes-in-lines", &[(100, "\"a\n\n\"\"{n}\",")]),
    ("wanted", &[(100, "[[expect]]\ncrawlers=['a{n}']\nurls=['/{n}']\naccess='allowed'\n")]),
    ("wanted-patterns", &[(100, "[[expect]]\ncrawlers=['a']\npatterns=['/*{n}*a*{l}']\naccess='blocked'\n")]),
    (
        "wanted-crawlers-by-urls",
        &[
            (0, "[[expect]]\ncrawlers=["),
            (50, "'a{n}',"),
            (0, "]\nurls=["),
            (50, "'/{n}',"),
            (0, "]\naccess='allowed'\n"),
        ],
    ),
    (
        "wanted-crawlers-by-patterns",
        &[
            (0, "[[expect]]\ncrawlers=["),
            (50, "'a{n}',"),
            (0, "]\npatterns=["),
            (50, "'/*{n}*a',"),
            (0, "]\naccess='allowed'\n"),
        ],
    ),
    (
        "wanted-urls",
        &[(0, "[[expect]]\ncrawlers=['a']\nurls=["), (100, "'/{n}',"), (0, "]\naccess='allowed'\n")],
    ),
    ("wanted-table", &[(0, "crawler,url,access\n"), (100, "a{n},/{n},allowed\n")]),
    ("wanted-table-of-patterns", &[(0, "crawler,pattern,access\n"), (100, "a,/*{n}*a,blocked\n")]),
    ("wanted-environments", &[(100, "[environments.e{n}]\nsites=['http://a{n}.com']\n")]),
    ("settings", &[(100, "ignore=['a{n}']\n")]),
    ("keys", &[(100, "a{n}=1\n")]),
    ("keys-in-keys", &[(100, "a.")]),
    ("brackets", &[(100, "[")]),
    ("braces", &[(100, "{\"a\":")]),
    ("known-findings", &[(0, "{\"version\":1,\"findings\":{"), (100, "\"a{n}\":1,"), (0, "\"b\":1}}")]),
    ("sitemap", &[(0, "<urlset>"), (100, "<url><loc>http://a.com/{n}</loc></url>"), (0, "</urlset>")]),
    (
        "sitemap-of-sitemaps",
        &[(0, "<sitemapindex>"), (100, "<sitemap><loc>b{n}</loc></sitemap>"), (0, "</sitemapindex>")],
    ),
    ("sitemap-of-elements", &[(100, "<a>")]),
    (
        "sitemap-of-entities",
        &[(0, "<urlset><url><loc>http://a.com/"), (100, "&amp;"), (0, "</loc></url></urlset>")],
    ),
    ("sitemap-of-attributes", &[(0, "<urlset"), (100, " a{n}='b'"), (0, "></urlset>")]),
    (
        "requests",
        &[(
            100,
            "1.2.3.4 - - [21/Nov/2026:10:00:00 +0000] \"GET /{n} HTTP/1.1\" 200 5 \"-\" \"GPTBot/1.0\"\n",
        )],
    ),
    (
        "requests-of-agents",
        &[(100, "1.2.3.4 - - [21/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"b{n}bot/1\"\n")],
    ),
    (
        "requests-in-json",
        &[(100, "{\"time\":\"2026-11-21T10:00:00Z\",\"target\":\"/{n}\",\"agent\":\"GPTBot\"}\n")],
    ),
    (
        "one-request",
        &[
            (0, "1.2.3.4 - - [21/Nov/2026:10:00:00 +0000] \"GET /"),
            (100, "a"),
            (0, " HTTP/1.1\" 200 5 \"-\" \"GPTBot\"\n"),
        ],
    ),
    (
        "archive",
        &[(
            100,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a{n}.com/robots.txt\r\nContent-Length: 45\r\n\r\nHTTP/1.1 200 OK\r\n\r\nUser-agent:*\nDisallow:/a\n\r\n\r\n",
        )],
    ),
    ("archive-of-fields", &[(0, "WARC/1.0\r\n"), (100, "a{n}: b\r\n")]),
];

/// Names that have their own entry in the catalogue.
const KNOWN: [&str; 10] = [
    "Googlebot",
    "Bingbot",
    "GPTBot",
    "CCBot",
    "ClaudeBot",
    "Applebot",
    "Yandex",
    "Baiduspider",
    "Amazonbot",
    "Bytespider",
];

/// Returns all shapes of robots.txt files.
pub(super) fn shapes() -> Vec<Shape> {
    named(SHAPES)
}

/// Returns all shapes of pages and of their fields.
pub(super) fn pages() -> Vec<Shape> {
    named(PAGES)
}

/// Returns all shapes of other inputs.
pub(super) fn lists() -> Vec<Shape> {
    named(LISTS)
}

fn named(shapes: &[(&str, &[(usize, &str)])]) -> Vec<Shape> {
    let shape = |&(name, pieces): &(&str, &[(usize, &str)])| Shape {
        name: name.to_owned(),
        pieces: pieces.iter().map(|&(share, text)| Piece { share, text: text.to_owned() }).collect(),
    };
    shapes.iter().map(shape).collect()
}

impl Shape {
    /// Returns a file of at most `size` bytes.
    pub(super) fn file(&self, size: usize) -> Vec<u8> {
        let once: usize =
            self.pieces.iter().filter(|piece| piece.share == 0).map(|piece| piece.text.len()).sum();
        let shares: usize = self.pieces.iter().map(|piece| piece.share).sum();
        let left = size.saturating_sub(once);
        let mut random = Random(1);
        let mut file = Vec::with_capacity(size);
        for piece in &self.pieces {
            let end = file.len() + left * piece.share / shares.max(1);
            for number in 0.. {
                let text = piece.filled(number, &mut random);
                if text.is_empty() || piece.share > 0 && file.len() + text.len() > end {
                    break;
                }
                file.extend_from_slice(&text);
                if piece.share == 0 {
                    break;
                }
            }
        }
        file
    }
}

impl Piece {
    fn filled(&self, number: usize, random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            text.extend_from_slice(before.as_bytes());
            let place = after.as_bytes().first().copied().filter(|_| after.as_bytes().get(1) == Some(&b'}'));
            let filled = place.and_then(|place| filled(place, number, random));
            match filled {
                Some(filled) => {
                    text.extend_from_slice(&filled);
                    rest = after.get(2..).unwrap_or_default();
                }
                None => {
                    text.push(b'{');
                    rest = after;
                }
            }
        }
        text.extend_from_slice(rest.as_bytes());
        text
    }
}

/// Returns the text in place of a letter in braces.
fn filled(place: u8, number: usize, random: &mut Random) -> Option<Vec<u8>> {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = match place {
        b'n' => write!(text, "{number}"),
        b'N' => write!(text, "{number:010}"),
        b'm' => write!(text, "{}", number % 10),
        b'l' => {
            let mut left = number + 1;
            while left > 0 {
                text.push(letter(left));
                left /= 26;
            }
            Ok(())
        }
        b'a' => write!(text, "{}", "a".repeat(number)),
        b's' => write!(text, "{}", "*a".repeat(number)),
        b'r' => {
            text.extend((0..8).map(|_| ['a', 'b', '*'].get(random.below(3)).copied().unwrap_or('a')));
            Ok(())
        }
        b'b' => {
            text.extend(format!("{number:b}").chars().map(|bit| if bit == '0' { 'a' } else { 'b' }));
            Ok(())
        }
        b'C' => {
            let in_case = |bit: usize| {
                if number >> bit & 1 == 1 { letter(bit).to_ascii_uppercase() } else { letter(bit) }
            };
            text.extend((0..16).map(in_case));
            Ok(())
        }
        b'k' => write!(text, "{}", KNOWN.get(number % KNOWN.len()).copied().unwrap_or_default()),
        b't' => return Some(b"\xFF\xFE".to_vec()),
        _ => return None,
    };
    Some(text.into_bytes())
}

fn letter(number: usize) -> char {
    u8::try_from(number % 26).map_or('a', |number| char::from(b'a' + number))
}

/// Pseudo-random numbers, the same for the same seed.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Returns a number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_nearly_the_size_that_is_asked() {
        for shape in shapes().into_iter().chain(pages()).chain(lists()) {
            for size in [4096, 128 << 10] {
                let file = shape.file(size);
                // A repetition may have many letters.
                assert!(
                    file.len() <= size && file.len() + 2048 > size,
                    "{}: {} of {size}",
                    shape.name,
                    file.len()
                );
            }
        }
    }

    #[test]
    fn places_are_filled() {
        let piece = Piece { share: 1, text: "{n}{m}{l}{a}{s}{k}{{x{n}}}{N}{C}{b}{".to_owned() };
        let text = piece.filled(12, &mut Random(1));
        let expected = "122naaaaaaaaaaaa*a*a*a*a*a*a*a*a*a*a*a*aGPTBot{{x12}}0000000012abCDefghijklmnopbbaa{";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }
}
