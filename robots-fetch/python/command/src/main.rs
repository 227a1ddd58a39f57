//! The `robots` command under the name by which the Python package installs it.

use std::process::ExitCode;

fn main() -> ExitCode {
    robots_command::main()
}
