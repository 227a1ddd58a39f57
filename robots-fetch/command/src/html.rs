//! Pages of HTML that contain everything they need.

use core::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

/// The style of all pages: readable from 390 pixels of width on, in light and dark, and printed.
const STYLE: &str = include_str!("html.css");

/// The beginning of all pages, with a policy that allows no request, and no script without its hash.
const HEAD: &str = include_str!("head.html");

/// Returns a page without a script. The body is HTML.
pub(crate) fn page(title: &str, body: &str) -> String {
    let page = HEAD.replace("{script}", "").replace("{title}", &escaped(title)).replace("{style}", STYLE);
    format!("{page}{body}</main>\n</body>\n</html>\n")
}

/// Returns a page with a style and a script of its own. The policy of the page allows this script only, by its hash.
pub(crate) fn page_with_script(title: &str, body: &str, style: &str, script: &str) -> String {
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    let page = HEAD
        .replace("{script}", &format!("; script-src 'sha256-{hash}'"))
        .replace("{title}", &escaped(title))
        .replace("{style}", &format!("{STYLE}{style}"));
    format!("{page}{body}</main>\n<script>{script}</script>\n</body>\n</html>\n")
}

/// Returns a table with a caption. A cell of the first column is the heading of its row. On a narrow screen, each row
/// becomes a list in which the heading of its column is before each cell.
pub(crate) fn table<'r>(
    caption: &str,
    head: &[&str],
    rows: impl IntoIterator<Item = &'r Vec<String>>,
) -> String {
    let mut html = format!("<table>\n<caption>{}</caption>\n<thead><tr>", escaped(caption));
    for cell in head {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(cell));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (index, (cell, column)) in row.iter().zip(head).enumerate() {
            let (cell, column) = (escaped(cell), escaped(column));
            let _ = match index {
                0 => write!(html, "<th scope=\"row\" data-column=\"{column}\">{cell}</th>"),
                _ => write!(html, "<td data-column=\"{column}\">{cell}</td>"),
            };
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody>\n</table>\n"
}

/// Returns text that HTML shows as it is, in elements and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(char),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_everywhere() {
        let hostile = "</title><script>'\"&".to_owned();
        let html = page(&hostile, &table(&hostile, &[&hostile], [&vec![hostile.clone()]]));
        assert!(!html.contains("<script") && !html.contains("'\"&"));
        assert_eq!(html.matches("&lt;/title&gt;&lt;script&gt;&#39;&quot;&amp;").count(), 5);
    }
}
