//! Lines of other files and programs.

/// How lines of other files begin, and what they are.
const BEGINNINGS: [(&str, &[&str]); 7] = [
    ("the mark of a merge conflict", &["<<<<<<<", "=======", ">>>>>>>", "|||||||"]),
    (
        "a directive of Apache",
        &[
            "RewriteEngine ",
            "RewriteRule ",
            "RewriteCond ",
            "RewriteBase ",
            "RedirectMatch ",
            "Redirect 301",
            "Redirect permanent",
            "Header set ",
            "Header always ",
            "Header unset ",
            "Header add ",
            "<IfModule",
            "</IfModule",
            "<Files",
            "</Files",
            "<Directory",
            "</Directory",
            "Order allow,",
            "Order deny,",
            "Deny from ",
            "Allow from ",
            "Require all ",
            "ErrorDocument ",
            "AddType ",
            "AddDefaultCharset ",
            "SetEnvIf",
            "BrowserMatch",
            "ExpiresByType ",
            "DirectoryIndex ",
            "Options -",
            "Options +",
        ],
    ),
    (
        "a directive of nginx",
        &[
            "server {",
            "location = ",
            "location /",
            "location ~",
            "add_header ",
            "default_type ",
            "try_files ",
            "proxy_pass ",
            "access_log ",
            "log_not_found ",
            "return 200",
            "return 301",
            "if ($",
        ],
    ),
    (
        "a line of an HTTP answer",
        &[
            "HTTP/1.",
            "HTTP/2",
            "Content-Type:",
            "Content-Length:",
            "Cache-Control:",
            "Last-Modified:",
            "Transfer-Encoding:",
            "X-Powered-By:",
            "Set-Cookie:",
            "Connection:",
            "Server:",
            "ETag:",
        ],
    ),
    (
        "a line of a program",
        &[
            "const ",
            "var ",
            "export default",
            "export const",
            "import {",
            "module.exports",
            "function ",
            "console.",
            "echo \"",
            "echo '",
            "print(",
        ],
    ),
    ("a code of rich text (RTF)", &["{\\", "\\f0", "\\f1", "\\fs2", "\\cf0", "\\cf1", "\\pard"]),
    ("a line of a shell", &["$ ", "cat >", "curl ", "sudo "]),
];

/// Lines that only close what a program or a shell began.
const CLOSING: [&str; 9] = ["{", "}", "};", "})", "});", "`;", "`,", "];", "EOF"];

/// Words with which messages of programs begin, before a colon.
const MESSAGES: [&str; 14] = [
    "Deprecated",
    "Warning",
    "Notice",
    "Fatal error",
    "Parse error",
    "Strict Standards",
    "PHP Warning",
    "PHP Notice",
    "PHP Deprecated",
    "PHP Fatal error",
    "PHP Parse error",
    "Uncaught",
    "Stack trace",
    "Traceback (most recent call last)",
];

/// Returns what a line is that belongs to another file or to a program, in words.
pub(crate) fn residue(line: &[u8]) -> Option<&'static str> {
    let line = line.trim_ascii();
    let rest = |start: &str| {
        let (found, rest) = line.split_at_checked(start.len())?;
        found.eq_ignore_ascii_case(start.as_bytes()).then_some(rest)
    };
    if MESSAGES.iter().any(|word| rest(word).is_some_and(|rest| rest.starts_with(b":"))) {
        return Some("a message of a program");
    }
    if CLOSING.iter().any(|closing| line == closing.as_bytes()) {
        return Some("a line of a program");
    }
    BEGINNINGS
        .iter()
        .find(|(_, starts)| starts.iter().any(|start| rest(start).is_some()))
        .map(|(what, _)| *what)
}
