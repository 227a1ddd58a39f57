//! The `robots` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    robots_command::main()
}
