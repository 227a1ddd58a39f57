//! Who is asked, and what each says about itself.

use std::path::PathBuf;

/// An implementation.
pub struct Peer {
    /// Its name, and where it comes from.
    pub name: &'static str,
    pub from: &'static str,
    /// What its own documentation says it follows, in our words.
    pub says: &'static str,
    /// How it is asked, as its documentation shows.
    pub asked: &'static str,
    pub by: By,
}

/// What answers for it.
#[derive(Clone, Copy)]
pub enum By {
    /// This program.
    Own,
    /// `python/answer.py` with this argument, under the Python into which packages were installed.
    Venv(&'static str),
    /// The same under the Python of this system.
    Python(&'static str),
    /// `node/answer.js`.
    Node,
}

/// The programs that are there; what is not is skipped.
#[derive(Default)]
pub struct Tools {
    pub python: Option<PathBuf>,
    pub venv: Option<PathBuf>,
    pub node: Option<PathBuf>,
    /// Into which npm has installed.
    pub modules: Option<PathBuf>,
}

pub const PEERS: [Peer; 8] = [
    Peer {
        name: "robotxt",
        from: "crate",
        says: "implements RFC 9309, with `crawl-delay` and `sitemap`; names match exactly unless asked otherwise",
        asked: "octets; a path with `is_allowed`, a URL with `is_url_allowed`",
        by: By::Own,
    },
    Peer {
        name: "texting_robots",
        from: "crate",
        says: "points to Google's specification as the place to read about robots.txt, and is tested on real files",
        asked: "octets; a full URL with `allowed`",
        by: By::Own,
    },
    Peer {
        name: "robotstxt",
        from: "crate",
        says: "is a port of Google's parser that keeps all of its behaviour",
        asked: "text (octets that are not UTF-8 replaced); a full URL with `allowed_by_robots`",
        by: By::Own,
    },
    Peer {
        name: "robotparser",
        from: "crate",
        says: "implements the draft of 1996, with `crawl-delay`, `request-rate`, `clean-param` and `sitemap`",
        asked: "text (octets that are not UTF-8 replaced); a parsed URL of the file's origin with `can_fetch`",
        by: By::Own,
    },
    Peer {
        name: "cylon",
        from: "crate",
        says: "tries to stay compatible with draft-koster-rep, with `*` and `$`",
        asked: "octets; a path with `allow`",
        by: By::Own,
    },
    Peer {
        name: "protego",
        from: "PyPI",
        says: "implements how RFC 9309 parses and matches; size limits are left to the caller",
        asked: "text (octets that are not UTF-8 replaced); a full URL with `can_fetch`",
        by: By::Venv("protego"),
    },
    Peer {
        name: "urllib.robotparser",
        from: "CPython",
        says: "names the draft of 1996 in its source (releases late in 3.14: RFC 9309)",
        asked: "lines of text (octets that are not UTF-8 replaced); a full URL with `can_fetch`",
        by: By::Python("urllib"),
    },
    Peer {
        name: "robots-parser",
        from: "npm",
        says: "aims to comply with draft-koster-rep; its changes mention matching as Google's parser does",
        asked: "text (octets that are not UTF-8 replaced); a full URL of the file's origin with `isAllowed`",
        by: By::Node,
    },
];
