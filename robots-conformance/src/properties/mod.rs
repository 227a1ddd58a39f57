//! Properties: what must hold for any input. Fuzz targets and generated tests call these functions.
//!
//! Each function accepts any input, and panics if its property does not hold.

pub mod batch;
mod files;
mod grouping;
mod input;
pub mod lint;
mod page;
mod pattern;
mod reading;
pub mod retrieval;
mod rule_set;
mod verdict;

pub use files::{archive, log_lines, sitemap};
pub use grouping::grouping;
pub use input::{all_seeds, parts, rooted, seeds};
pub use page::page;
pub use pattern::{canonical, pattern, url_text};
pub use reading::reading;
pub use rule_set::ruleset;
pub use verdict::{agrees_with_model, verdict};

/// Checks the property of a fuzz target. Those of files of the command need it, which checks them (as [`batch::answering`]).
///
/// # Panics
///
/// The property does not hold, or no target has this name.
pub fn check(target: &str, data: &[u8]) {
    match target {
        "archive" => archive(data),
        "baseline" | "batch" | "settings" | "urls" | "wanted" => {}
        "builder" => lint::building(data),
        "canonical" => {
            let [line, path] = parts(data);
            canonical(line, path);
        }
        "exchange" => retrieval::exchanges(data),
        "explain" => {
            let [url, agents, file] = parts(data);
            lint::explaining(url, agents, file);
        }
        "groups" => {
            let [agents, file] = parts(data);
            grouping(agents, file);
        }
        "lint" => {
            let [path, agents, file] = parts(data);
            lint::linting(path, agents, file);
        }
        "log" => log_lines(data),
        "page" => page(data),
        "pattern" => {
            let [line, path] = parts(data);
            pattern(line, path);
        }
        "reading" => reading(data),
        "records" => lint::recording(data),
        "ruleset" => ruleset(data),
        "sitemap" => sitemap(data),
        "stored" => retrieval::stored(data),
        "url_text" => url_text(data),
        "verdict" => {
            let [path, agents, file] = parts(data);
            verdict(path, agents, file);
        }
        other => panic!("no property is named for the fuzz target `{other}`"),
    }
}
