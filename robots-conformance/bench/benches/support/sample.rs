//! A file of the size of a long real one.

use robots_match::Crawler;

/// Four groups of fifty rules each, comments, blank lines and a sitemap.
pub(crate) fn file() -> Vec<u8> {
    let mut file = String::from("# What may be crawled\n");
    for agent in ["ExampleBot", "*", "OtherBot/2.1", "third"] {
        file.push_str(&format!("User-agent: {agent}\r\n"));
        for index in 0..50 {
            let rule = match index % 5 {
                0 => format!("Allow: /shop/item-{index}/open\r\n"),
                1 => format!("Disallow: /*?sort={index}\r\n"),
                2 => format!("Disallow: /search/{agent}%20{index}$ # all of it\r\n"),
                _ => format!("Disallow: /account/{index}/settings\r\n"),
            };
            file.push_str(&rule);
        }
        file.push_str("Crawl-delay: 5\r\n\r\n");
    }
    file.push_str("Sitemap: https://example.com/sitemap.xml\r\n");
    file.into_bytes()
}

/// The crawler that the first group names.
pub(crate) fn crawler() -> Crawler {
    Crawler::new("ExampleBot").expect("letters are a name")
}
