//! The gate as a layer of tower.

use core::error::Error;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use http::header::USER_AGENT;
use http::{Method, Request, Response};
use http_body::Body;
use tower_layer::Layer;
use tower_service::Service;
use url::Url;

use super::body::HeldBody;
use super::check_name;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::gate_tasks::AsyncGate;
use crate::message::head::Head;
use crate::origin::UnsupportedUrl;

/// A layer of `tower` that awaits a permit of an [`AsyncGate`] for each request.
///
/// A request with a `User-Agent` that does not contain the name of the gate's crawler is refused
/// ([`RefusalReason::OtherName`]).
///
/// Put the layer below layers that follow redirects or repeat requests, such as `FollowRedirect` of tower-http: each hop and each
/// attempt then is a request of its own, which is checked and waits for its turn. URIs have to be absolute.
///
/// An answer with status 429 or 503 pauses the site, and so does an error of the service below. The request lasts until the head of
/// the answer has come; [`GatePolicy::origin_bodies`](crate::GatePolicy::origin_bodies) also limits the bodies that are read at a
/// time. The file `examples/tower.rs` has a client.
///
/// The extensions of a response have the [`Decision`](crate::Decision) by which the request was sent. With the feature `page`,
/// `Decision::page` joins it with the rules of the page.
///
/// The feature needs neither a client of this crate nor one of its TLS backends.
///
/// # Errors
///
/// A refused request is not sent. Its error is a boxed [`Refusal`]:
///
/// ```
/// use core::convert::Infallible;
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GateLayer, GatePolicy, Refusal, RefusalReason, SiteProfile};
/// # use robots_fetch::{AwaitingHead, Head, NextStep, Retrieval};
/// # use std::time::SystemTime;
/// use tower::{Layer as _, ServiceExt as _, service_fn};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// // `fetch` is a client for the example: the robots.txt of each site disallows everything.
/// # let fetch = |retrieval: Retrieval| async move {
/// #     let Retrieval { origin, validators, profile, .. } = &retrieval;
/// #     let awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
/// #     let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), SystemTime::now()) else { unreachable!() };
/// #     let _ = reading.push(b"User-agent: *\nDisallow: /\n");
/// #     reading.end(SystemTime::now())
/// # };
/// let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
/// let gate = AsyncGate::new(cache, Crawler::new("ExampleBot")?, GatePolicy::default());
/// let send = |_: http::Request<String>| async { Ok::<_, Infallible>(http::Response::new(String::new())) };
/// let client = GateLayer::new(gate).layer(service_fn(send));
///
/// let error = client.oneshot(http::Request::get("https://example.com/page").body(String::new())?).await.unwrap_err();
/// let refusal: &Refusal = error.downcast_ref().unwrap();
/// assert_eq!(refusal.to_string(), "https://example.com/page: disallowed by line 2");
/// assert!(matches!(refusal.reason(), RefusalReason::Disallowed(verdict) if verdict.line() == Some(2)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GateLayer {
    gate: AsyncGate,
}

impl GateLayer {
    /// Creates a layer over a gate.
    #[must_use]
    pub const fn new(gate: AsyncGate) -> Self {
        Self { gate }
    }
}

impl<S> Layer<S> for GateLayer {
    type Service = GateService<S>;

    fn layer(&self, inner: S) -> GateService<S> {
        GateService { gate: self.gate.clone(), inner }
    }
}

/// The service of a [`GateLayer`].
#[derive(Clone, Debug)]
pub struct GateService<S> {
    gate: AsyncGate,
    inner: S,
}

type BoxError = Box<dyn Error + Send + Sync>;

impl<S, B, R> Service<Request<B>> for GateService<S>
where
    S: Service<Request<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: Send + 'static,
    R: Body,
{
    type Response = Response<HeldBody<R>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    /// Returns that the service is ready: the service below is asked after the permit came.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (gate, mut inner) = (self.gate.clone(), self.inner.clone());
        Box::pin(async move {
            let text = request.uri().to_string();
            let url = Url::parse(&text)
                .map_err(|error| UnsupportedUrl::invalid(&text, error))
                .map_err(RefusalReason::Unsupported)
                .map_err(Refusal::without_url)?;
            check_name(&gate, &url, request.headers().get(USER_AGENT))?;
            let permit = gate.permit(&url).await?;
            let is_head = *request.method() == Method::HEAD;
            let answer = async {
                poll_fn(|context| inner.poll_ready(context)).await?;
                inner.call(request).await
            };
            match answer.await {
                Ok(response) => {
                    let head = Head::from_http(response.status(), response.headers());
                    let decision = permit.decision();
                    let mut response = response.map(|body| HeldBody::new(body, &head, is_head, permit));
                    response.extensions_mut().insert(decision);
                    Ok(response)
                }
                Err(error) => {
                    permit.note(None);
                    Err(error.into())
                }
            }
        })
    }
}
