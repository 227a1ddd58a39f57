//! A body that keeps the permit of its request.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::gate_tasks::shared::HeldPermit;

pin_project! {
    /// The body of an answer. The request lasts until the body ends or is dropped.
    pub struct HeldBody<B> {
        #[pin]
        body: B,
        permit: Option<HeldPermit>,
    }
}

impl<B> HeldBody<B> {
    pub(super) const fn new(body: B, permit: HeldPermit) -> Self {
        Self { body, permit: Some(permit) }
    }
}

impl<B: Body> Body for HeldBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let this = self.project();
        let frame = ready!(this.body.poll_frame(context));
        if frame.is_none() {
            *this.permit = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: Default> Default for HeldBody<B> {
    fn default() -> Self {
        Self { body: B::default(), permit: None }
    }
}

impl<B> fmt::Debug for HeldBody<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldBody").field("permit", &self.permit).finish_non_exhaustive()
    }
}
