//! Writing to standard output and standard error, with colour where a terminal shows it.

use core::fmt;
use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Effects};

use crate::failure::{Failure, Result};
use crate::text::{Text, for_terminal, with_commands};

/// The styles of text on a terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Allowed,
    Disallowed,
    Error,
    Note,
    Faint,
}

impl Style {
    const fn ansi(self) -> anstyle::Style {
        match self {
            Self::Allowed => AnsiColor::Green.on_default().effects(Effects::BOLD),
            Self::Disallowed | Self::Error => AnsiColor::Red.on_default().effects(Effects::BOLD),
            Self::Note => AnsiColor::Cyan.on_default().effects(Effects::BOLD),
            Self::Faint => anstyle::Style::new().effects(Effects::DIMMED),
        }
    }

    /// Returns `value` in this style. Width and fill are those of the text without the style.
    pub(crate) fn paint(self, value: impl fmt::Display) -> impl fmt::Display {
        Painted { style: self.ansi(), value }
    }

    pub(crate) const fn of_verdict(is_allowed: bool) -> Self {
        if is_allowed { Self::Allowed } else { Self::Disallowed }
    }
}

struct Painted<T> {
    style: anstyle::Style,
    value: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.style)?;
        self.value.fmt(f)?;
        write!(f, "{:#}", self.style)
    }
}

/// Writes one line to standard error: `robots: error: what`. Whatever is in the message, it stays one line.
pub(crate) fn complain(kind: &str, style: Style, message: &str) {
    let mut stderr = anstream::stderr().lock();
    let line = format!("robots: {}: {}\n", style.paint(kind), Text(message.as_bytes()));
    // If standard error can't be written either, the exit status is all that is left.
    let _ = stderr.write_all(for_terminal(&line).as_bytes());
}

/// Writes to standard output with a function whose output has no hidden characters and no styles.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<()> {
    write(&mut io::stdout().lock()).map_err(|error: io::Error| Failure::of_output(&error))
}

/// Writes `text` to standard output, with its styles only on a terminal. No character from a file or a server controls the
/// terminal, and no line is a workflow command of a log.
pub(crate) fn print(text: &str) -> Result<()> {
    write_text(&for_terminal(text))
}

/// Writes workflow commands to standard output.
pub(crate) fn print_commands(text: &str) -> Result<()> {
    write_text(&with_commands(text))
}

fn write_text(text: &str) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error: io::Error| Failure::of_output(&error))
}

/// Writes the bytes of a file to standard output as they are. On a terminal, no character of them controls it.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<()> {
    if io::stdout().is_terminal() {
        return print(&String::from_utf8_lossy(bytes));
    }
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(|error: io::Error| Failure::of_output(&error))
}
