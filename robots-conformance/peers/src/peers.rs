//! The other implementations, and how each describes itself.

use std::path::PathBuf;

/// An implementation.
pub(crate) struct Peer {
    /// Its name, and where it comes from.
    pub(crate) name: &'static str,
    pub(crate) from: &'static str,
    /// The documents that it follows according to its own documentation, in our words.
    pub(crate) says: &'static str,
    /// How it is asked, as its documentation shows.
    pub(crate) asked: &'static str,
    /// The statements it leaves to its caller, by how their ids begin.
    pub(crate) leaves: &'static [&'static str],
    pub(crate) by: By,
}

/// The program that answers for it.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// This program.
    Own,
    /// `python/answer.py` with this argument, under the Python into which packages were installed.
    Venv(&'static str),
    /// A script for the Python of this system.
    Python(&'static str),
    /// `node/answer.js`.
    Node,
}

/// The programs that are there; what is not is skipped.
#[derive(Default)]
pub(crate) struct Tools {
    pub(crate) python: Option<PathBuf>,
    pub(crate) venv: Option<PathBuf>,
    pub(crate) node: Option<PathBuf>,
    /// Into which npm has installed.
    pub(crate) modules: Option<PathBuf>,
}

/// How much of a file is read.
const SIZE_LIMITS: &[&str] =
    &["rfc9309/2.5-", "rfc9309/3-4", "draft-koster-rep-00/2.5-", "google/G4-7", "google/Q-04-5"];

pub(crate) const PEERS: [Peer; 8] = [
    Peer {
        name: "robotxt",
        from: "crate",
        says: "implements RFC 9309, with `crawl-delay` and `sitemap`; names match exactly unless asked otherwise",
        asked: "bytes; a path with `is_allowed`, a URL with `is_url_allowed`",
        leaves: &[],
        by: By::Own,
    },
    Peer {
        name: "texting_robots",
        from: "crate",
        says: "points to Google's specification as the place to read about robots.txt, and is tested on real files; size limits are left to the caller",
        asked: "bytes; a full URL with `allowed`",
        leaves: SIZE_LIMITS,
        by: By::Own,
    },
    Peer {
        name: "robotstxt",
        from: "crate",
        says: "is a port of Google's parser that keeps all of its behaviour (that parser leaves size limits to the crawler)",
        asked: "text (bytes that are not UTF-8 replaced); a full URL with `allowed_by_robots`",
        leaves: SIZE_LIMITS,
        by: By::Own,
    },
    Peer {
        name: "robotparser",
        from: "crate",
        says: "implements the draft of 1996, with `crawl-delay`, `request-rate`, `clean-param` and `sitemap`",
        asked: "text (bytes that are not UTF-8 replaced); a parsed URL of the file's origin with `can_fetch`",
        leaves: &[],
        by: By::Own,
    },
    Peer {
        name: "cylon",
        from: "crate",
        says: "tries to stay compatible with draft-koster-rep, with `*` and `$`",
        asked: "bytes; a path with `allow`",
        leaves: &[],
        by: By::Own,
    },
    Peer {
        name: "protego",
        from: "PyPI",
        says: "implements how RFC 9309 parses and matches; size limits are left to the caller",
        asked: "text (bytes that are not UTF-8 replaced); a full URL with `can_fetch`",
        leaves: SIZE_LIMITS,
        by: By::Venv("protego"),
    },
    Peer {
        name: "urllib.robotparser",
        from: "CPython",
        says: "names the draft of 1996 in its source (releases late in 3.14: RFC 9309)",
        asked: "lines of text (bytes that are not UTF-8 replaced); a full URL with `can_fetch`",
        leaves: &[],
        by: By::Python("urllib"),
    },
    Peer {
        name: "robots-parser",
        from: "npm",
        says: "aims to comply with draft-koster-rep; its changes mention matching as Google's parser does",
        asked: "text (bytes that are not UTF-8 replaced); a full URL of the file's origin with `isAllowed`",
        leaves: &[],
        by: By::Node,
    },
];
