//! The end of every help text: exit statuses and an example.

/// The end of the help text of `cargo xtask` itself.
pub(crate) const GENERAL: &str = "\
`cargo xtask help SUBCOMMAND` shows the options, exit statuses and an example of a subcommand.
A tool that is not installed is skipped with a printed line.";

/// Returns the exit statuses, which are the same for all subcommands, with an example.
macro_rules! ending {
    ($example:literal) => {
        concat!(
            "Exit status:\n",
            "  0  all checks passed, or were skipped with a printed line\n",
            "  1  a check failed\n",
            "  2  the arguments are wrong, or the work could not be done\n",
            "\nExample:\n  cargo xtask ",
            $example
        )
    };
}

pub(crate) use ending;
