//! Lines of other files and programs.

use alloc::format;
use alloc::string::String;

use crate::lint::text::parts;

/// The marks of a merge conflict. Longer ones are ornaments.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// What lines of other files are, and how they begin, with `|` between the beginnings.
const BEGINNINGS: [(&str, &str); 6] = [
    (
        "a directive of Apache",
        "RewriteEngine |RewriteRule |RewriteCond |RewriteBase |RedirectMatch |Redirect 301|\
         Redirect permanent|Header set |Header always |Header unset |Header add |<IfModule|\
         </IfModule|<Files|</Files|<Directory|</Directory|Order allow,|Order deny,|\
         Deny from |Allow from |Require all |ErrorDocument |AddType |AddDefaultCharset |\
         SetEnvIf|BrowserMatch|ExpiresByType |DirectoryIndex |Options -|Options +",
    ),
    (
        "a directive of nginx",
        "server {|location = |location /|location ~|add_header |default_type |try_files |\
         proxy_pass |access_log |log_not_found |return 200|return 301|if ($",
    ),
    (
        "a line of an HTTP answer",
        "HTTP/1.|HTTP/2|Content-Type:|Content-Length:|Cache-Control:|Last-Modified:|\
         Transfer-Encoding:|X-Powered-By:|Set-Cookie:|Connection:|Server:|ETag:",
    ),
    (
        "a line of a program",
        "const |var |export default|export const|import {|module.exports|function |\
         console.|echo \"|echo '|print(",
    ),
    ("a code of rich text (RTF)", "{\\|\\f0|\\f1|\\fs2|\\cf0|\\cf1|\\pard"),
    ("a line of a shell", "$ |cat >|curl |sudo "),
];

/// Lines that only close what a program or a shell began, with `|` between them.
const CLOSING: &str = "{|}|};|})|});|`;|`,|];|EOF";

/// Words with which messages of programs begin, before a colon, with `|` between them.
const MESSAGES: &str = "Deprecated|Warning|Notice|Fatal error|Parse error|Strict Standards|PHP Warning|PHP Notice|\
    PHP Deprecated|PHP Fatal error|PHP Parse error|Uncaught|Stack trace|\
    Traceback (most recent call last)";

/// A line of another file or of a program.
pub(crate) struct Residue {
    /// What the line is, in words.
    what: &'static str,
    /// What to do with it.
    pub(crate) advice: &'static str,
}

impl Residue {
    /// Returns what a line is that belongs to another file or to a program.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let rest = |start: &[u8]| {
            let (found, rest) = line.split_at_checked(start.len())?;
            found.eq_ignore_ascii_case(start).then_some(rest)
        };
        if CONFLICT.iter().any(|mark| matches!(rest(mark.as_bytes()), Some([] | [b' ', ..]))) {
            // Without the marks, the lines of both versions would count.
            let advice =
                "keep the lines of one version, and remove the marks and the lines of the other version";
            return Some(Self { what: "the mark of a merge conflict", advice });
        }
        let what = if parts(MESSAGES, b'|').any(|word| matches!(rest(word), Some([b':', ..]))) {
            "a message of a program"
        } else if parts(CLOSING, b'|').any(|closing| line == closing) {
            "a line of a program"
        } else {
            BEGINNINGS.iter().find(|(_, starts)| parts(starts, b'|').any(|start| rest(start).is_some()))?.0
        };
        Some(Self { what, advice: "remove the line" })
    }

    /// Returns the message about the line.
    pub(crate) fn says(&self) -> String {
        format!("this is {}, not a line of a robots.txt file; crawlers ignore it", self.what)
    }
}
