//! A body that counts as one that is being read.

use core::pin::Pin;
use core::task::{Context, Poll, ready};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::gate_tasks::permit::{HeldBodyPermit, HeldPermit};
use crate::message::head::Head;

pin_project! {
    /// The body of an answer. If the policy limits the bodies that are read at a time
    /// ([`GatePolicy::origin_bodies`](crate::GatePolicy::origin_bodies)), it counts until it ends or is dropped.
    pub struct HeldBody<B> {
        #[pin]
        body: B,
        permit: Option<HeldBodyPermit>,
    }
}

impl<B: Body> HeldBody<B> {
    /// Ends the request of a permit, and returns the body of its answer. A body that is empty is not read.
    pub(super) fn new(body: B, head: &Head, is_head_request: bool, permit: HeldPermit) -> Self {
        let is_empty = is_head_request || matches!(head.status(), 204 | 304) || body.is_end_stream();
        if is_empty || !permit.limits_bodies() {
            permit.note(Some(head));
            return Self { body, permit: None };
        }
        Self { body, permit: Some(permit.note_body(head)) }
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

debug!([B] HeldBody<B> as "HeldBody", |body| "permit": body.permit);
