//! Compares the HTML reader of robots-page with html5ever, and its speed with other readers.
//!
//! `cargo run --release -- heads 100000 SEED` compares random documents: every `meta` element has to have the same content
//! and the same part of the document. `cargo run --release -- pages SEED <LIST` compares the documents whose paths are the lines of the
//! standard input, each with eight elements at random places. `cargo run --release -- speed` measures a page of 100 KB.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::stdin;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use html5ever::tendril::TendrilSink as _;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use robots_page::{MetaPlace, Noscript, PagePolicy, PageReader, Place, Rule, RuleName, Scope, Source};

/// What a random document is made of. `@` is replaced by a number, so that each element is a rule of its own.
const PARTS: &[&str] = &[
    "<meta name=robots content=r@>",
    "<meta name=robots content=r@>",
    "<META content='r@' NAME=\"robots\">",
    "<meta/name='robots'/content=\"r@\"/>",
    "<meta name=robots name=x content=r@ content=y>",
    "<meta =x name=robots a\"=b content=r@>",
    "<meta name=robots\ncontent = 'r@'\t>",
    "<meta name=rob&#111;ts content=&#x72;@>",
    "<meta name=robots content=r@",
    "<link>",
    "<base>",
    "<bgsound>",
    "<basefont>",
    "<title>x<meta name=robots content=r@></title>",
    "<title>",
    "</title>",
    "</title x>",
    "<style><meta name=robots content=r@></style>",
    "<style>",
    "</style>",
    "<script>\"<meta name=robots content=r@>\"</script>",
    "<script>",
    "</script>",
    "<script><!--",
    "<script><!--<script>",
    "<script><!-- <scripty>",
    "-->",
    "--!>",
    "<!--",
    "<!-- <meta name=robots content=r@> -->",
    "<!--><meta name=robots content=r@>",
    "<!--->",
    "<!-- -- -->",
    "<!-- <!-- -->",
    "<!x>",
    "<?x>",
    "</ x>",
    "</>",
    "<![CDATA[x]]>",
    "<!doctype html>",
    "<noscript>",
    "</noscript>",
    "<noscript><meta name=robots content=r@></noscript>",
    "<noscript><img></noscript>",
    "<noscript><!-- </noscript>",
    "<noscript><style></noscript></style>",
    "<template>",
    "</template>",
    "<template><meta name=robots content=r@></template>",
    "<noframes><meta name=robots content=r@></noframes>",
    "<textarea><meta name=robots content=r@></textarea>",
    "<iframe><meta name=robots content=r@></iframe>",
    "<xmp><meta name=robots content=r@></xmp>",
    "<noembed><meta name=robots content=r@></noembed>",
    "<plaintext>",
    " ",
    "\n",
    "\t\r\n\x0C",
    "text",
    "&nbsp;",
    "&#32;",
    "&#x00000a",
    "&Tab;",
    "&#65;",
    "&",
    "&#",
    "<",
    "< ",
    "<div>",
    "<img>",
    "<p>",
    "<span>",
    "<custom-el>",
    "</div>",
    "</p>",
    "</br>",
    "</head>",
    "<head>",
    "<body>",
    "</body>",
    "<html>",
    "</html>",
    "<br>",
    "<a href=\"x>y\" title='<meta name=robots content=r@>'>",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["heads", count, seed] => heads(count.parse().unwrap_or(100_000), seed.parse().unwrap_or(1)),
        ["pages", seed] => pages(seed.parse().unwrap_or(1)),
        ["speed"] => {
            speed();
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: robots-page-compared heads COUNT SEED | pages SEED <LIST | speed");
            ExitCode::from(2)
        }
    }
}

/// A sequence of numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % most
    }
}

/// The content of an element, and whether it is in the head.
type Found = Vec<(String, bool)>;

fn heads(count: usize, seed: u64) -> ExitCode {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut compared, mut different, mut elements) = (0, 0, 0);
    for _ in 0..count {
        let mut html = String::new();
        if random.below(2) == 0 {
            html.push_str("<!doctype html><html><head>");
        }
        for index in 0..=random.below(9) {
            html.push_str(&PARTS[random.below(PARTS.len())].replace('@', &index.to_string()));
        }
        for scripting in [false, true] {
            let (ours, theirs) = (ours(&html, scripting, &mut random), theirs(&html, scripting));
            compared += 1;
            elements += theirs.len();
            if ours != theirs {
                different += 1;
                if different <= 10 {
                    println!("scripts {scripting}: {html:?}\n  robots-page {ours:?}\n  html5ever   {theirs:?}");
                }
            }
        }
    }
    println!("{compared} comparisons, {elements} elements, {different} differences");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares documents with their own elements, and eight more: each is a rule of its own, before a random `<`.
fn pages(seed: u64) -> ExitCode {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut documents, mut compared, mut different, mut elements) = (0, 0, 0, 0);
    for path in stdin().lines().map_while(Result::ok) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let tags: Vec<usize> = text.match_indices('<').map(|(at, _)| at).collect();
        if text.len() > LONGEST_PAGE || tags.is_empty() {
            continue;
        }
        documents += 1;
        // Half of the places are near the start, where the head ends.
        let near = tags.len().min(NEAR);
        let mut places: Vec<usize> =
            (0..8).map(|index| tags[random.below(if index % 2 == 0 { near } else { tags.len() })]).collect();
        places.sort_unstable();
        let mut html = String::with_capacity(text.len() + 300);
        let mut from = 0;
        for (index, &at) in places.iter().enumerate() {
            html.push_str(&text[from..at]);
            html.push_str(&format!("<meta name=robots content=r{index}>"));
            from = at;
        }
        html.push_str(&text[from..]);
        for scripting in [false, true] {
            let (mut ours, mut theirs) = (ours(&html, scripting, &mut random), theirs(&html, scripting));
            // The content of tables that is not of cells comes before the table in the tree.
            ours.sort_unstable();
            theirs.sort_unstable();
            compared += 1;
            elements += theirs.len();
            if ours != theirs {
                different += 1;
                println!("scripts {scripting}: {path}\n  robots-page {ours:?}\n  html5ever   {theirs:?}");
            }
        }
    }
    println!("{documents} documents, {compared} comparisons, {elements} elements, {different} differences");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The longest document that is compared, in bytes; the reader stops at 1 MiB.
const LONGEST_PAGE: usize = (1 << 20) - 1_000;

/// How many tags are near the start of a document.
const NEAR: usize = 40;

fn ours(html: &str, scripting: bool, random: &mut Random) -> Found {
    let mut policy = PagePolicy::REPEXT;
    policy.meta_place = MetaPlace::Document;
    policy.noscript = if scripting { Noscript::On } else { Noscript::Off };
    let mut reader = PageReader::new(policy);
    let mut rest = html.as_bytes();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(1 + random.below(rest.len()));
        reader.html(part);
        rest = after;
    }
    let page = reader.finish();
    let for_all = page.records().iter().filter(|record| record.scope == Scope::All);
    let found = for_all.filter_map(|record| match (&record.rule, record.source) {
        (Rule::Unknown(text), Source::Meta { place, .. }) => Some((text.to_string(), place != Place::Body)),
        (rule @ Rule::Named(_), Source::Meta { place, .. }) => Some((rule.to_string(), place != Place::Body)),
        _ => None,
    });
    found.collect()
}

fn theirs(html: &str, scripting: bool) -> Found {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut found = Vec::new();
    walk(&dom.document, false, &mut found);
    found
}

fn walk(node: &Handle, in_head: bool, found: &mut Found) {
    let mut in_head = in_head;
    if let NodeData::Element { name, attrs, .. } = &node.data {
        in_head |= &*name.local == "head";
        if &*name.local == "meta" {
            let attributes = attrs.borrow();
            let value = |wanted: &str| {
                let found = attributes.iter().find(|attribute| &*attribute.name.local == wanted);
                found.map(|attribute| attribute.value.to_string())
            };
            if value("name").is_some_and(|name| name.trim_ascii().eq_ignore_ascii_case("robots")) {
                // Content that is not one word is another rule, or several.
                let content = value("content").unwrap_or_default();
                for rule in content.split(',').map(|rule| rule.trim_ascii()).filter(|rule| !rule.is_empty()) {
                    let name = rule.split(':').next().unwrap_or_default().trim_ascii();
                    // Only the names of rules are compared, not their values.
                    match (RuleName::find(rule.as_bytes()), RuleName::find(name.as_bytes())) {
                        (_, Some(known)) if known.has_value() => {}
                        (Some(known), _) => found.push((known.name().to_owned(), in_head)),
                        _ => found.push((rule.chars().take(64).collect(), in_head)),
                    }
                }
            }
        }
    }
    for child in node.children.borrow().iter() {
        walk(child, in_head, found);
    }
}

/// Returns a page of about 100 KB whose head has about this many bytes.
fn page(head: usize) -> String {
    let mut html = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>A page</title>\n");
    html.push_str("<meta name=\"robots\" content=\"noindex, max-snippet:20\">\n");
    let mut index = 0;
    while html.len() < head {
        let part = match index % 4 {
            0 => format!("<link rel=\"stylesheet\" href=\"https://www.example.com/static/style-{index}.css\">\n"),
            1 => format!("<meta property=\"og:image\" content=\"https://www.example.com/image-{index}.png\">\n"),
            2 => format!("<script>window.data = window.data || []; window.data.push({{\"a\": {index}, \"b\": \"<p>\"}});</script>\n"),
            _ => format!("<script async src=\"https://www.example.com/static/{index}.js\"></script>\n"),
        };
        html.push_str(&part);
        index += 1;
    }
    html.push_str("</head>\n<body>\n");
    while html.len() < 100_000 {
        html.push_str(&format!("<p class=\"text\">Paragraph {index} with <a href=\"/page-{index}\">a link</a> and some more words to read.</p>\n"));
        index += 1;
    }
    html.push_str("</body>\n</html>\n");
    html
}

/// Prints the best of many runs.
fn measured(name: &str, mut run: impl FnMut()) {
    let mut best = Duration::MAX;
    for _ in 0..400 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed());
    }
    println!("{name:<44} {:>9.2} us", best.as_secs_f64() * 1e6);
}

fn speed() {
    for head in [8_000, 60_000] {
        let html = page(head);
        println!("page of {} bytes, head of {head}", html.len());
        let read = |policy: PagePolicy| {
            let mut reader = PageReader::new(policy);
            reader.html(black_box(html.as_bytes()));
            black_box(reader.finish());
        };
        measured("robots-page, head", || read(PagePolicy::REPEXT));
        measured("robots-page, whole document", || read(PagePolicy::GOOGLE));
        measured("html5gum, whole document", || {
            for token in html5gum::Tokenizer::new(black_box(html.as_str())) {
                let _ = black_box(token);
            }
        });
        measured("lol_html, meta[name], whole document", || {
            let mut found = 0;
            let mut rewriter = lol_html::HtmlRewriter::new(
                lol_html::Settings {
                    element_content_handlers: vec![lol_html::element!("meta[name]", |_| {
                        found += 1;
                        Ok(())
                    })],
                    ..lol_html::Settings::new()
                },
                |_: &[u8]| {},
            );
            let _ = rewriter.write(black_box(html.as_bytes()));
            let _ = rewriter.end();
            black_box(found);
        });
        measured("tl, whole document", || {
            let _ = black_box(tl::parse(black_box(&html), tl::ParserOptions::default()));
        });
        measured("html5ever, tree", || {
            let _ = black_box(parse_document(RcDom::default(), ParseOpts::default()).one(html.as_str()));
        });
    }
    let page = "X-Robots-Tag";
    measured("robots-page, fields of a response", || {
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        for (name, value) in [
            ("date", "Wed, 03 Dec 2025 13:09:53 GMT"),
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "max-age=600"),
            (page, "noindex, nofollow"),
        ] {
            reader.field(black_box(name.as_bytes()), black_box(value.as_bytes()));
        }
        black_box(reader.finish());
    });
}
