//! Causes as they are stored.

use alloc::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::entry::codec::error::DecodeError;
use crate::failure::{Cause, Failure, FailureKind};

/// A cause. The order of the variants is part of the format.
#[derive(Serialize, Deserialize)]
pub(super) enum CauseFacts<'b> {
    Status(u16),
    NotFoundPage(u16),
    TooManyRedirects(u64),
    RedirectLoop(&'b str),
    RedirectNowhere(u16, &'b str),
    RedirectDisallowed(&'b str),
    NotModifiedUnasked,
    Html,
    /// Kind, text, and whether the failure is local.
    Failure(&'b str, &'b str, bool),
}

impl<'e> CauseFacts<'e> {
    pub(super) fn of(cause: &'e Cause) -> Self {
        match cause {
            Cause::Status(status) => Self::Status(*status),
            Cause::NotFoundPage(status) => Self::NotFoundPage(*status),
            Cause::TooManyRedirects(count) => Self::TooManyRedirects(*count as u64),
            Cause::RedirectLoop(url) => Self::RedirectLoop(url),
            Cause::RedirectNowhere(status, wrong) => Self::RedirectNowhere(*status, wrong),
            Cause::RedirectDisallowed(url) => Self::RedirectDisallowed(url),
            Cause::NotModifiedUnasked => Self::NotModifiedUnasked,
            Cause::Html => Self::Html,
            Cause::Failure(failure) => {
                Self::Failure(failure.kind().name(), failure.text(), failure.is_local())
            }
        }
    }

    pub(super) fn read(self) -> Result<Arc<Cause>, DecodeError> {
        Ok(Arc::new(match self {
            Self::Status(status) => Cause::Status(status),
            Self::NotFoundPage(status) => Cause::NotFoundPage(status),
            Self::TooManyRedirects(count) => Cause::TooManyRedirects(
                usize::try_from(count).map_err(|_| DecodeError::Invalid("a number of redirects"))?,
            ),
            Self::RedirectLoop(url) => Cause::RedirectLoop(line(url)?.to_owned()),
            Self::RedirectNowhere(status, wrong) => Cause::RedirectNowhere(status, line(wrong)?.to_owned()),
            Self::RedirectDisallowed(url) => Cause::RedirectDisallowed(line(url)?.to_owned()),
            Self::NotModifiedUnasked => Cause::NotModifiedUnasked,
            Self::Html => Cause::Html,
            Self::Failure(kind, text, is_local) => {
                let kind = FailureKind::from_name(kind).ok_or(DecodeError::Invalid("a kind of failure"))?;
                let failure = Failure::new(kind, text);
                Cause::Failure(if is_local { failure.local() } else { failure })
            }
        }))
    }
}

/// A text that a message can show, as all are that are written.
fn line(text: &str) -> Result<&str, DecodeError> {
    let is_line = !text.contains(char::is_control);
    is_line.then_some(text).ok_or(DecodeError::Invalid("a text of several lines"))
}
