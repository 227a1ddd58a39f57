//! The readers of files that commands read beside robots.txt, for fuzz targets.

use crate::expect::Wanted;
use crate::failure::Failure;
use crate::lint;
use crate::url_list::UrlList;

/// A kind of file that commands read beside robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputKind {
    /// The settings of `robots lint`.
    LintSettings,
    /// The known findings of `robots lint`.
    Baseline,
    /// Wanted access as TOML.
    Wanted,
    /// Wanted access as CSV.
    WantedTable,
    /// A list of URLs as text, an access log or a sitemap.
    Urls,
}

/// Reads a file of a kind, whatever its bytes. Returns the number of its entries.
///
/// # Errors
///
/// The message of the first mistake.
pub fn read_input(kind: InputKind, file: &[u8]) -> Result<usize, String> {
    let wanted = |is_csv| Wanted::of_bytes("file".to_owned(), file, is_csv).map(|wanted| wanted.len());
    let read = match kind {
        InputKind::LintSettings => lint::count_settings(file),
        InputKind::Baseline => lint::count_known(file),
        InputKind::Wanted => wanted(false),
        InputKind::WantedTable => wanted(true),
        InputKind::Urls => UrlList::count(file),
    };
    read.map_err(|failure: Failure| failure.to_string())
}
