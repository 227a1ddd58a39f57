//! The gate as a middleware of reqwest.

use std::io;

use ::reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, PROXY_AUTHORIZATION,
    TRANSFER_ENCODING, USER_AGENT, WWW_AUTHENTICATE,
};
use ::reqwest::{Body, Method, Request, Response, ResponseBuilderExt as _};
use ::reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error, Middleware, Next, Result};
use http::{Extensions, HeaderValue};
use url::{Position, Url};

use super::body::HeldBody;
use super::check_name;
use crate::gate::refusal::Refusal;
use crate::gate_tasks::AsyncGate;
use crate::gate_tasks::permit::HeldPermit;
use crate::message::head::Head;
use crate::retrieval::redirect;
use crate::text::without_secrets;

/// A middleware of `reqwest-middleware` that awaits a permit of an [`AsyncGate`] for each request and each redirect.
///
/// The redirect policy of reqwest can't wait, so [`Self::client`] makes a client that follows no redirects, and the middleware
/// follows up to 10 of them itself: with the methods and fields that browsers use. A middleware that repeats requests has to
/// come before this one.
///
/// An answer with status 429 or 503 pauses the site, and so does an error of the client. The request lasts until the head of the
/// answer has come; [`GatePolicy::origin_bodies`](crate::GatePolicy::origin_bodies) also limits the bodies that are read at a
/// time. The timeouts of reqwest begin when the permit has come. The file `examples/reqwest.rs` has a client.
///
/// A request with a `User-Agent`, also the one of [`Self::client`], that does not contain the name of the gate's crawler is refused
/// ([`RefusalReason::OtherName`](crate::RefusalReason::OtherName)). [`Self::new`] does not see the defaults of a client.
///
/// The feature alone needs no client of this crate, and chooses no TLS backend: that of your reqwest is used.
///
/// # Errors
///
/// A refused request is not sent. Its error is [`Error::Middleware`] with a [`Refusal`], which names the URL and the redirect:
///
/// ```no_run
/// use robots_fetch::{AsyncGate, GateMiddleware, Refusal};
///
/// # async fn example(gate: AsyncGate) -> Result<(), Box<dyn std::error::Error>> {
/// let client = GateMiddleware::client(gate, reqwest::Client::builder().user_agent("ExampleBot/1.0"))?;
/// match client.get("https://example.com/page").send().await {
///     Ok(page) => println!("{}", page.text().await?),
///     Err(reqwest_middleware::Error::Middleware(error)) => match error.downcast_ref::<Refusal>() {
///         Some(refusal) => println!("{}: {}", refusal.code(), refusal),
///         None => println!("{error}"),
///     },
///     Err(error) => println!("{error}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GateMiddleware {
    gate: AsyncGate,
    /// The `User-Agent` of requests that have none of their own, if it is known.
    user_agent: Option<HeaderValue>,
}

/// The most redirects of a request.
const MOST_REDIRECTS: usize = 10;

impl GateMiddleware {
    /// Creates a middleware over a gate, for a client that follows no redirects. If the client follows one, the answer is
    /// dropped and the request fails, because the target was not checked.
    #[must_use]
    pub const fn new(gate: AsyncGate) -> Self {
        Self { gate, user_agent: None }
    }

    /// Creates a client with this middleware only, from the options of a client of reqwest. For other middlewares, use
    /// [`Self::new`].
    ///
    /// # Errors
    ///
    /// The client can't be built.
    pub fn client(
        gate: AsyncGate,
        builder: ::reqwest::ClientBuilder,
    ) -> ::reqwest::Result<ClientWithMiddleware> {
        let client = builder.redirect(::reqwest::redirect::Policy::none()).build()?;
        let middleware = Self { gate, user_agent: user_agent_of(&client) };
        Ok(ClientBuilder::new(client).with(middleware).build())
    }

    /// Sends one request when it may be sent.
    async fn send(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
        hop: usize,
    ) -> Result<(Response, HeldPermit)> {
        let refused = |refusal: Refusal| Error::middleware(refusal.at_hop(hop));
        let user_agent = request.headers().get(USER_AGENT).or(self.user_agent.as_ref());
        check_name(&self.gate, request.url(), user_agent).map_err(refused)?;
        let permit = self.gate.permit(request.url()).await.map_err(refused)?;
        let request_url = &request.url().clone();
        let url = bare(request_url);
        let response = next.run(request, extensions).await.inspect_err(|_| permit.note(None))?;
        if bare(response.url()) != url {
            let url = without_secrets(request_url);
            let error = format!("{url}: the client follows redirects itself; use redirect::Policy::none()");
            return Err(Error::middleware(io::Error::other(error)));
        }
        Ok((response, permit))
    }
}

#[async_trait::async_trait]
impl Middleware for GateMiddleware {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> Result<Response> {
        let mut request = request;
        let first = request.url().clone();
        for hop in 0..=MOST_REDIRECTS {
            let again = request.try_clone();
            let parts = Parts::of(&request);
            let is_head = parts.method == Method::HEAD;
            let (response, permit) = self.send(request, extensions, next.clone(), hop).await?;
            let head = Head::from_http(response.status(), response.headers());
            match redirected(&head, again, parts) {
                Some(next) => {
                    permit.note(Some(&head));
                    request = next;
                }
                None => return Ok(held(response, &head, is_head, permit)),
            }
        }
        let (first, last) = (without_secrets(&first), without_secrets(request.url()));
        let error = format!("{first}: more than {MOST_REDIRECTS} redirects, the last one to {last}");
        Err(Error::middleware(io::Error::other(error)))
    }
}

/// Returns the `User-Agent` that a client adds to requests without one. reqwest shows its default fields only in its `Debug` output;
/// if that changes, nothing is compared.
fn user_agent_of(client: &::reqwest::Client) -> Option<HeaderValue> {
    let shown = format!("{client:?}");
    let mut rest = shown.split_once("\"user-agent\": \"")?.1;
    let mut value = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        rest = after;
        match part.strip_suffix('\\') {
            // A quotation mark in the value.
            Some(part) => value.extend([part, "\""]),
            None => {
                value.push_str(part);
                return HeaderValue::from_str(&value).ok();
            }
        }
    }
}

/// The parts of a request that has no copy, because its body is a stream.
struct Parts {
    method: Method,
    url: Url,
    fields: http::HeaderMap,
    timeout: Option<core::time::Duration>,
}

impl Parts {
    fn of(request: &Request) -> Self {
        Self {
            method: request.method().clone(),
            url: request.url().clone(),
            fields: request.headers().clone(),
            timeout: request.timeout().copied(),
        }
    }
}

/// Returns the next request, if the answer is a redirect that can be followed.
fn redirected(head: &Head, again: Option<Request>, parts: Parts) -> Option<Request> {
    let becomes_get = match head.status() {
        301 | 302 => parts.method == Method::POST,
        303 => parts.method != Method::HEAD,
        307 | 308 => false,
        // Browsers follow no others.
        _ => return None,
    };
    let from = &parts.url;
    let mut url = redirect::next(head, from)?.ok().filter(|url| url.scheme() != "ftp")?;
    if url.fragment().is_none() {
        url.set_fragment(from.fragment());
    }
    let is_other = url[..Position::BeforePath] != from[..Position::BeforePath];
    let mut request = if becomes_get {
        let mut request = Request::new(Method::GET, url);
        *request.headers_mut() = parts.fields;
        *request.timeout_mut() = parts.timeout;
        for name in [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING] {
            request.headers_mut().remove(name);
        }
        request
    } else {
        let mut request = again?;
        *request.url_mut() = url;
        request
    };
    if is_other {
        for name in [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION, WWW_AUTHENTICATE] {
            request.headers_mut().remove(name);
        }
    }
    Some(request)
}

/// Ends the request of a permit, and returns its response. If bodies are limited, the body keeps its place until it is read.
fn held(mut response: Response, head: &Head, is_head: bool, permit: HeldPermit) -> Response {
    response.extensions_mut().insert(permit.decision());
    if !permit.limits_bodies() {
        permit.note(Some(head));
        return response;
    }
    let url = response.url().clone();
    let (parts, body) = http::Response::<Body>::from(response).into_parts();
    let mut held = http::Response::new(Body::wrap(HeldBody::new(body, head, is_head, permit)));
    // The URL of a response can be set only by a builder.
    if let Ok(built) = http::Response::builder().url(url).body(()) {
        *held.extensions_mut() = built.into_parts().0.extensions;
    }
    *held.status_mut() = parts.status;
    *held.version_mut() = parts.version;
    *held.headers_mut() = parts.headers;
    held.extensions_mut().extend(parts.extensions);
    Response::from(held)
}

/// Returns the part of a URL that is sent.
fn bare(url: &Url) -> String {
    format!("{}{}", &url[..Position::BeforeUsername], &url[Position::BeforeHost..Position::AfterQuery])
}
