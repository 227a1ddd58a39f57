//! Finds mistakes in robots.txt files: lines without effect, lines that crawlers read differently, and lines that most
//! likely do something else than was meant.
//!
//! [`LintContext::lint`] reads any bytes and returns a [`LintReport`] with [`Finding`]s. Each finding has a [`Lint`] with a name that
//! stays and a page that explains it. [`LintReport::fix`] makes those corrections that change no verdict under any named
//! profile.
//!
//! ```
//! use robots_match::lint::LintContext;
//! let report = LintContext::default().lint(b"User-agent: *\nDisallow: /a\nDisallow: private\n");
//! let shown: Vec<String> = report.findings.iter().map(|finding| finding.to_string()).collect();
//! assert_eq!(shown, ["3: error[pattern-without-slash]: no path begins with `private`"]);
//! ```
//!
//! Each lint is a file in one of the folders below, which begins with its page, next to its rows. To add one, write these
//! two files, and name the lint in the folder's `mod.rs` and in `registry.rs`. A test lists what is missing.

mod agents;
mod code;
mod context;
mod declaration;
mod draft;
mod edit;
mod file;
mod finding;
mod fix;
mod form;
mod hidden;
mod ignored;
mod keys;
mod known_names;
mod obedience;
mod patterns;
mod records;
mod registry;
mod report;
mod rules;
mod run;
mod severity;
mod subject;
mod text;
mod url;
mod vocabulary;

pub use code::Lint;
pub use context::LintContext;
pub use edit::Edit;
pub use finding::Finding;
#[doc(hidden)]
pub use hidden::HiddenAgents;
#[doc(hidden)]
pub use obedience::obeys_record;
pub use report::LintReport;
pub use severity::Severity;
