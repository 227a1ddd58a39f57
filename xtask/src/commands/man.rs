//! `cargo xtask man`

use std::path::PathBuf;

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, say};
use crate::workspace::{target, write};

/// Writes the man pages and the shell completions of the `robots` command.
#[derive(Args)]
#[command(after_help = ending!("man --out target/man"))]
pub(crate) struct Man {
    /// Folder for the files (target/man if absent)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The shells that get completions, and the file names they expect.
const SHELLS: [(&str, &str); 4] =
    [("bash", "robots.bash"), ("zsh", "_robots"), ("fish", "robots.fish"), ("powershell", "_robots.ps1")];

pub(crate) fn man(options: &Man) -> Outcome {
    let folder = options.out.clone().unwrap_or_else(|| target().join("man"));
    let folder = std::path::absolute(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let ended = robots(&["man".as_ref(), folder.as_os_str()]).run()?;
    if ended != Ended::Well {
        return Ok(ended);
    }
    for (shell, name) in SHELLS {
        let Some(script) = robots(&["completions".as_ref(), shell.as_ref()]).output()? else {
            return Err(format!("`robots generate completions {shell}` failed"));
        };
        write(&folder.join("completions").join(name), &script)?;
    }
    say(&format!("man pages and completions are in {}", folder.display()));
    Ok(Ended::Well)
}

/// Runs the hidden subcommand `generate` of the command.
fn robots(arguments: &[&std::ffi::OsStr]) -> Cargo {
    Cargo::new(["run", "--quiet", "--package", "robots-command", "--"])
        .arguments(&["generate"])
        .arguments(arguments)
}
