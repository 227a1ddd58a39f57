//! `robots generate`: files that packages of the command contain.

use std::fs;
use std::path::PathBuf;

use clap::{Command, Subcommand};
use clap_complete::Shell;

use crate::failure::{Failure, Result, reason};
use crate::output::{self, TextLines};
use crate::text::Text;

/// Generates files for packages of this command
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = false, after_help = HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Prints the completions of a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Writes a man page for each command
    #[command(after_help = MAN_HELP)]
    Man {
        /// The folder for the pages; it is made if it does not exist
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

const HELP: &str = "\
`robots write` writes the rules of a robots.txt.

Exit status:
  0  the files are generated
  2  an error occurred

Examples:
  robots generate completions bash > robots.bash
  robots generate man man1
";

const COMPLETIONS_HELP: &str = "\
Exit status:
  0  the completions are printed
  2  an error occurred

Examples:
  robots generate completions bash > robots.bash
  robots generate completions fish > ~/.config/fish/completions/robots.fish
";

const MAN_HELP: &str = "\
Exit status:
  0  the pages are written
  2  an error occurred

Examples:
  robots generate man /usr/local/share/man/man1
";

/// Runs the command; `root` is the command line that is described.
pub(crate) fn run(arguments: &Arguments, mut root: Command) -> Result<u8> {
    match &arguments.what {
        What::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut root, "robots", &mut script);
            output::print(TextLines::of_program(&String::from_utf8_lossy(&script)))?;
        }
        What::Man { folder } => {
            let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(root, folder));
            written.map_err(|error| {
                let folder = Text(folder.as_os_str().as_encoded_bytes());
                Failure::new(format!("can't write man pages to {folder}: {}", reason(&error)))
            })?;
        }
    }
    Ok(0)
}
