//! `cargo xtask wire`

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Outcome};

/// Runs the scenarios of hostile answers on the wire, and prints the table of clients by scenario.
///
/// The scenarios are in robots-conformance/wire. They run against the core, the clients for HTTP and
/// FTP, and curl if it is installed. The results of curl are only shown.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("wire --case 'transfer coding'"))]
pub(crate) struct Wire {
    /// Only scenarios whose name contains this
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
}

pub(crate) fn wire(options: &Wire) -> Outcome {
    let tests = ["test", "--quiet", "--package", "robots-fetch", "--all-features", "--test", "wire"];
    let cargo = Cargo::new(tests.into_iter().chain(["--", "--nocapture"])).with("ROBOTS_WIRE_TABLE", "1");
    match &options.case {
        Some(case) => cargo.with("ROBOTS_WIRE_CASE", case),
        None => cargo,
    }
    .run()
}
