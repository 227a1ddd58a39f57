//! Writing to standard output and standard error, with colour where a terminal shows it.
//!
//! What is printed is a [`Printable`], which only the writers of this folder make. Each of them has one way to add a value that comes
//! from a file, a server or an argument, and it escapes the value. So a new message can't forge a line, a cell, an element or an
//! annotation.

pub(crate) mod annotations;
pub(crate) mod csv;
mod failures;
pub(crate) mod json;
pub(crate) mod markup;
pub(crate) mod text_lines;

use core::fmt;
use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Effects};

pub(crate) use self::annotations::Annotations;
pub(crate) use self::failures::{Failed, Failures};
pub(crate) use self::markup::{Markup, markup};
pub(crate) use self::text_lines::TextLines;
use crate::failure::{Failure, Result};
use crate::text::{for_terminal, with_commands};

/// Text that can be printed, because its values are escaped.
#[derive(Debug, Default)]
pub(crate) struct Printable {
    text: String,
    has_commands: bool,
}

impl Printable {
    /// Only the writers of this folder call this.
    const fn new(text: String) -> Self {
        Self { text, has_commands: false }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the text for a file, in which nothing controls a terminal or is read as a command.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn append(&mut self, other: impl Into<Self>) {
        let other = other.into();
        self.text.push_str(&other.text);
        self.has_commands |= other.has_commands;
    }
}

/// The styles of text on a terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Allowed,
    Disallowed,
    Error,
    Note,
    Faint,
    Plain,
}

impl Style {
    const ALL: [Self; 6] =
        [Self::Allowed, Self::Disallowed, Self::Error, Self::Note, Self::Faint, Self::Plain];

    const fn ansi(self) -> anstyle::Style {
        match self {
            Self::Allowed => AnsiColor::Green.on_default().effects(Effects::BOLD),
            Self::Disallowed | Self::Error => AnsiColor::Red.on_default().effects(Effects::BOLD),
            Self::Note => AnsiColor::Cyan.on_default().effects(Effects::BOLD),
            Self::Faint => anstyle::Style::new().effects(Effects::DIMMED),
            Self::Plain => anstyle::Style::new(),
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
        // As one text each, by which `TextLines` know them.
        f.write_str(&self.style.render().to_string())?;
        self.value.fmt(f)?;
        f.write_str(&self.style.render_reset().to_string())
    }
}

/// Writes one line to standard error: `robots: error: what`. Whatever is in the message, it stays one line.
pub(crate) fn complain(kind: &str, style: Style, message: &str) {
    let mut stderr = anstream::stderr().lock();
    let line = Printable::from(TextLines::one(format_args!("robots: {}: {message}", style.paint(kind))));
    // If standard error can't be written either, the exit status is all that is left.
    let _ = stderr.write_all(for_terminal(&line.text).as_bytes());
}

/// Returns the exit status of a command that has printed its answer. It is correct even if the output was not read.
pub(crate) fn ended(printed: Result<()>, status: u8) -> Result<u8> {
    match printed {
        Ok(()) | Err(Failure::Closed) => Ok(status),
        Err(failure) => Err(failure),
    }
}

/// Writes to standard output with a function whose output has no hidden characters and no styles.
fn print_with(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<()> {
    write(&mut io::stdout().lock()).map_err(|error: io::Error| Failure::of_output(&error))
}

/// Writes text to standard output, with its styles only on a terminal. No character from a file or a server controls the terminal,
/// and no line is a workflow command of a log, except those of [`Annotations`].
pub(crate) fn print(text: impl Into<Printable>) -> Result<()> {
    let Printable { text, has_commands } = text.into();
    write_text(&if has_commands { with_commands(&text) } else { for_terminal(&text) })
}

fn write_text(text: &str) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error: io::Error| Failure::of_output(&error))
}

/// Writes the bytes of a file to standard output as they are. On a terminal, no character of them controls it.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<()> {
    if io::stdout().is_terminal() {
        // Its colours are not ours, and could hide what is in the file.
        let shown = String::from_utf8_lossy(bytes).replace('\u{1B}', "\\u{1b}");
        return write_text(&for_terminal(&shown));
    }
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(|error: io::Error| Failure::of_output(&error))
}
