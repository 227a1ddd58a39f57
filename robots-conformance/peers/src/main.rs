//! Runs the verdict rows through other implementations; README.md says how.

mod crates;
mod drive;
mod peers;
mod protocol;
mod report;
mod rows;

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use peers::{PEERS, Tools};
use report::Fared;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match &arguments[..] {
        [command, name] if command == "answer" => crates::answer(name),
        [command, options @ ..] if command == "report" => write_report(options),
        _ => {
            Err("usage: robots-peers report [--python P] [--venv P] [--node P --modules DIR] --out FILE"
                .into())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            let _ = writeln!(io::stderr(), "error: {what}");
            ExitCode::FAILURE
        }
    }
}

fn write_report(options: &[String]) -> Result<(), String> {
    let mut tools = Tools::default();
    let mut out = None;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let value = options.next().map(PathBuf::from).ok_or_else(|| format!("{option} needs a value"))?;
        let place = match option.as_str() {
            "--python" => &mut tools.python,
            "--venv" => &mut tools.venv,
            "--node" => &mut tools.node,
            "--modules" => &mut tools.modules,
            "--out" => &mut out,
            _ => return Err(format!("unknown option {option}")),
        };
        *place = Some(value);
    }
    let out = out.ok_or("--out is missing")?;
    let own_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let conformance = own_folder.parent().unwrap_or(own_folder);
    let rows = rows::rows(&conformance.join("tables"))?;
    let statements = rows::statements(&conformance.join("statements"))?;
    let mut all = Vec::new();
    for peer in &PEERS {
        let result = match drive::command(peer.by, peer.name, &tools, own_folder) {
            Ok(mut command) => {
                drive::ask(&mut command, &rows, peer.leaves).map_err(|what| format!("it fails: {what}"))
            }
            Err(missing) => Err(format!("{missing} is missing")),
        };
        let _ = match &result {
            Ok((hello, _)) => writeln!(io::stdout(), "{} {}: asked", peer.name, hello.version),
            Err(why) => writeln!(io::stdout(), "{}: skipped, {why}", peer.name),
        };
        all.push(Fared { peer, result });
    }
    let text = report::report(&rows, &statements, &all);
    fs::write(&out, text).map_err(|error| format!("{}: {error}", out.display()))
}
