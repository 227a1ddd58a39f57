//! The gate as a layer of tower and as a middleware of reqwest: redirects are checked before they are followed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::time::Duration;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Mutex;
use std::time::Instant;

use http::Request;
use hyper_util::client::legacy;
use hyper_util::rt::TokioExecutor;
use robots_fetch::client::{AddressPolicy, ClientOptions, reqwest::Client};
use robots_fetch::matching::Crawler;
use robots_fetch::page::{PagePolicy, PageReader, Preference};
use robots_fetch::{
    AsyncCache, AsyncGate, CacheOptions, Decision, Entry, GateLayer, GateMiddleware, GatePolicy, Origin,
    Refusal, RefusalReason, SiteProfile, Store, StoreError,
};
use tokio::time::timeout;
use tower::{ServiceBuilder, ServiceExt as _};
use tower_http::follow_redirect::FollowRedirectLayer;

/// A server on this machine that notes its requests: method, path and body.
struct Server {
    url: String,
    requests: Arc<Mutex<Vec<(String, Instant)>>>,
}

impl Server {
    /// Starts a server with this robots.txt. A path such as `/301/…` redirects to the rest, which is a path or a URL without
    /// its `http://`.
    fn start(robots: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<(String, Instant)>>> = Arc::default();
        let noted = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(&stream);
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let mut words = line.split_whitespace();
                let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
                let (mut length, mut fields) = (0, String::new());
                loop {
                    let mut field = String::new();
                    reader.read_line(&mut field).unwrap();
                    let field = field.trim().to_ascii_lowercase();
                    if field.is_empty() {
                        break;
                    }
                    if let Some(value) = field.strip_prefix("content-length: ") {
                        length = value.parse().unwrap();
                    }
                    if field.starts_with("authorization") {
                        fields += " with credentials";
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let body = String::from_utf8(body).unwrap();
                noted
                    .lock()
                    .unwrap()
                    .push((format!("{method} {path} {body}{fields}").trim().to_owned(), Instant::now()));
                let (status, target) = match path.split('/').nth(1).and_then(|word| word.parse::<u16>().ok())
                {
                    Some(status) => (status, Some(&path[4..])),
                    None => (200, None),
                };
                let location = target.map_or(String::new(), |target| match target.strip_prefix("/to/") {
                    Some(other) => format!("Location: http://{other}\r\n"),
                    None => format!("Location: {target}\r\n"),
                });
                let body = if path == "/robots.txt" { robots } else { "page" };
                let length = body.len();
                write!(
                    &stream,
                    "HTTP/1.1 {status} x\r\n{location}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                )
                .unwrap();
            }
        });
        Self { url, requests }
    }

    fn paths(&self) -> Vec<String> {
        self.requests.lock().unwrap().iter().map(|(path, _)| path.clone()).collect()
    }

    fn authority(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }
}

fn gate() -> AsyncGate {
    gate_with(None)
}

fn gate_with(bodies: Option<u32>) -> AsyncGate {
    let mut policy = GatePolicy::default();
    policy.default_delay = Duration::from_millis(20);
    policy.origin_bodies = bodies;
    gate_of(policy)
}

fn gate_of(policy: GatePolicy) -> AsyncGate {
    let mut options = ClientOptions::new("ExampleBot/1.0").unwrap();
    options.addresses = AddressPolicy::Any;
    let client = Client::new(&options).unwrap();
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), client);
    AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy)
}

/// Checks that a response has the decision by which it was requested, and that it joins the rules of the page.
fn assert_decision_of(decision: Option<&Decision>) {
    let decision = decision.expect("a decision");
    assert!(decision.verdict.is_allowed());
    let page = PageReader::new(PagePolicy::REPEXT).finish();
    let bot = Crawler::new("ExampleBot").unwrap();
    let verdict = decision.page(|| page.for_crawler(&bot));
    let refuses = decision.facts.has_usage();
    let expected = if refuses { Preference::Disallowed } else { Preference::Unknown };
    assert_eq!(verdict.rules().unwrap().training().value, expected);
}

#[tokio::test]
async fn responses_have_the_decision_by_which_they_were_requested() {
    let server = Server::start("User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n");
    let url = format!("{}/301/page", server.url);
    assert_eq!(by_tower(&url).await, Ok(200));
    assert_eq!(by_reqwest(&url).await, Ok(200));
}

/// Requests a URL by tower, with redirects.
async fn by_tower(url: &str) -> Result<u16, Refusal> {
    let pages = legacy::Client::builder(TokioExecutor::new()).build_http::<String>();
    let client =
        ServiceBuilder::new().layer(FollowRedirectLayer::new()).layer(GateLayer::new(gate())).service(pages);
    match client.oneshot(Request::get(url).body(String::new()).unwrap()).await {
        Ok(response) => {
            assert_decision_of(response.extensions().get());
            Ok(response.status().as_u16())
        }
        Err(error) => Err(error.downcast_ref::<Refusal>().expect("a refusal").clone()),
    }
}

/// Requests a URL by reqwest, with redirects.
async fn by_reqwest(url: &str) -> Result<u16, Refusal> {
    let client = GateMiddleware::client(gate(), reqwest::Client::builder()).unwrap();
    match client.get(url).send().await {
        Ok(response) => {
            assert_decision_of(response.extensions().get());
            let status = response.status().as_u16();
            assert!(response.url().path().ends_with("page"), "{}", response.url());
            assert_eq!(response.text().await.unwrap(), "page");
            Ok(status)
        }
        Err(reqwest_middleware::Error::Middleware(error)) => {
            Err(error.downcast_ref::<Refusal>().expect("a refusal").clone())
        }
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_hop_that_is_disallowed_is_not_requested() {
    for is_tower in [true, false] {
        let first = Server::start("User-agent: *\nDisallow: /private\n");
        let second = Server::start("User-agent: *\nDisallow: /page\n");
        let url = format!("{}/302/to/{}/page", first.url, second.authority());
        let result = if is_tower { by_tower(&url).await } else { by_reqwest(&url).await };
        let refusal = result.unwrap_err();
        let target = format!("{}/page", second.url);
        let hop = if is_tower { "" } else { " (redirect 1)" };
        assert_eq!(refusal.to_string(), format!("{target}: disallowed by line 2{hop}"));
        assert_eq!(refusal.site().unwrap().to_string(), second.url);
        assert_eq!(refusal.verdict().unwrap().line(), Some(2));
        assert_eq!(first.paths().len(), 2, "{:?}", first.paths());
        // The page of the second server was not requested.
        assert_eq!(second.paths(), ["GET /robots.txt"]);
    }
}

#[tokio::test]
async fn a_hop_within_a_site_is_checked_and_waits() {
    for is_tower in [true, false] {
        let server = Server::start("User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n");
        let call = async |path: &str| {
            let url = format!("{}{path}", server.url);
            if is_tower { by_tower(&url).await } else { by_reqwest(&url).await }
        };
        let refusal = call("/301/private").await.unwrap_err();
        assert!(matches!(refusal.reason(), RefusalReason::Disallowed(_)));
        assert_eq!(server.paths(), ["GET /robots.txt", "GET /301/private"]);
        assert_eq!(call("/301/page").await, Ok(200));
        let requests = server.requests.lock().unwrap();
        let paths: Vec<_> = requests.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths[2..], ["GET /robots.txt", "GET /301/page", "GET /page"]);
        for pair in requests[2..].windows(2) {
            assert!(pair[1].1 - pair[0].1 >= Duration::from_millis(150), "{:?}", pair[1].1 - pair[0].1);
        }
    }
}

#[tokio::test]
async fn redirects_of_reqwest_change_methods_and_fields_as_browsers_do() {
    let (first, second) = (Server::start(""), Server::start(""));
    let client = GateMiddleware::client(gate(), reqwest::Client::builder()).unwrap();
    for status in [301, 303, 307] {
        let url = format!("{}/{status}/to/{}/page", first.url, second.authority());
        let request = client.post(url).body("body").header("Authorization", "Basic x");
        assert_eq!(request.send().await.unwrap().status().as_u16(), 200);
    }
    let expected = ["GET /robots.txt", "GET /page", "GET /page", "POST /page body"];
    assert_eq!(second.paths(), expected);
    assert!(first.paths()[1].ends_with("body with credentials"), "{:?}", first.paths());

    // An endless redirect ends.
    let url = format!("{}/301/301/301/301/301/301/301/301/301/301/301/page", first.url);
    let error = client.get(url).send().await.unwrap_err();
    assert!(error.to_string().contains("/page: more than 10 redirects, the last one to "), "{error}");
}

#[tokio::test]
async fn a_client_that_follows_redirects_itself_is_an_error() {
    let server = Server::start("");
    let gate = gate();
    let client = reqwest_middleware::ClientBuilder::new(reqwest::Client::new())
        .with(GateMiddleware::new(gate))
        .build();
    assert_eq!(client.get(format!("{}/page", server.url)).send().await.unwrap().status().as_u16(), 200);
    let error = client.get(format!("{}/301/page", server.url)).send().await.unwrap_err();
    assert!(error.to_string().contains("follows redirects itself"), "{error}");
}

#[tokio::test]
async fn uris_have_to_be_absolute() {
    let refusal = by_tower("/page").await.unwrap_err();
    assert!(matches!(refusal.reason(), RefusalReason::Unsupported(_)), "{refusal}");
}

#[tokio::test]
async fn requests_to_one_site_in_one_task_do_not_wait_for_each_other() {
    let long = Duration::from_secs(20);
    let server = Server::start("");
    let url = format!("{}/page", server.url);
    let client = GateMiddleware::client(gate(), reqwest::Client::builder()).unwrap();
    let both = timeout(long, async { tokio::join!(client.get(&url).send(), client.get(&url).send()) });
    let (first, second) = both.await.unwrap();
    // Neither the bodies nor the answers to HEAD are read.
    let head = timeout(long, client.head(&url).send()).await.unwrap().unwrap();
    let last = timeout(long, client.get(&url).send()).await.unwrap().unwrap();
    assert_eq!(server.paths().len(), 5);
    drop((first, second, head, last));

    let pages = legacy::Client::builder(TokioExecutor::new()).build_http::<String>();
    let client = ServiceBuilder::new().layer(GateLayer::new(gate())).service(pages);
    let send = || client.clone().oneshot(Request::get(&url).body(String::new()).unwrap());
    let kept = timeout(long, async { tokio::join!(send(), send(), send()) }).await.unwrap();
    assert!(kept.0.is_ok() && kept.1.is_ok() && kept.2.is_ok());
}

#[tokio::test]
async fn bodies_that_are_read_can_be_limited() {
    let (short, long) = (Duration::from_millis(300), Duration::from_secs(20));
    let server = Server::start("");
    let url = format!("{}/page", server.url);
    let client = GateMiddleware::client(gate_with(Some(1)), reqwest::Client::builder()).unwrap();
    let empty = timeout(long, client.head(&url).send()).await.unwrap().unwrap();
    let first = timeout(long, client.get(&url).send()).await.unwrap().unwrap();
    assert!(timeout(short, client.get(&url).send()).await.is_err());
    assert_eq!(server.paths(), ["GET /robots.txt", "HEAD /page", "GET /page"]);
    assert_eq!(first.text().await.unwrap(), "page");
    drop(timeout(long, client.get(&url).send()).await.unwrap().unwrap());
    drop(empty);
}

#[tokio::test]
async fn three_names_that_disagree_are_an_error() {
    let server = Server::start("");
    let url = format!("{}/page", server.url);
    let other =
        "the crawler of the gate is `ExampleBot`, but pages are requested as `OtherBot/1.0`; use one name";
    assert_eq!(gate().check_user_agent("OtherBot/1.0").unwrap_err().to_string(), other);

    // By the defaults of a client of reqwest, and by a field of a request.
    let client =
        |agent: &str| GateMiddleware::client(gate(), reqwest::Client::builder().user_agent(agent)).unwrap();
    let refused = [
        client("OtherBot/1.0").get(&url),
        client("ExampleBot/1.0").get(&url).header("User-Agent", "OtherBot/1.0"),
    ];
    for request in refused {
        let reqwest_middleware::Error::Middleware(error) = request.send().await.unwrap_err() else {
            panic!()
        };
        let refusal: &Refusal = error.downcast_ref().unwrap();
        assert_eq!((refusal.code(), refusal.to_string()), ("other-name", format!("{url}: {other}")));
    }
    // By a request through tower.
    let pages = legacy::Client::builder(TokioExecutor::new()).build_http::<String>();
    let tower = ServiceBuilder::new().layer(GateLayer::new(gate())).service(pages);
    let request = |agent| Request::get(&url).header("User-Agent", agent).body(String::new()).unwrap();
    let error = tower.clone().oneshot(request("OtherBot/1.0")).await.unwrap_err();
    assert_eq!(error.downcast_ref::<Refusal>().unwrap().code(), "other-name");
    assert_eq!(server.paths(), [""; 0], "nothing was sent");
    // One name in three spellings agrees.
    assert!(tower.oneshot(request("Mozilla/5.0 (compatible; examplebot/2.1)")).await.is_ok());
    assert!(client("EXAMPLEBOT").get(&url).send().await.is_ok());

    // The name of the client for robots.txt files is another one.
    let mut options = ClientOptions::new("ThirdBot/1.0").unwrap();
    options.addresses = AddressPolicy::Any;
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), Client::new(&options).unwrap());
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    let refusal = gate.check_user_agent("ExampleBot/1.0").unwrap_err();
    assert!(refusal.to_string().contains("robots.txt files are requested as `ThirdBot/1.0`"), "{refusal}");
    // Where a name is not known, nothing is compared: of a closure, and of a crawler without names.
    let fetch = |_: robots_fetch::Retrieval| async { unreachable!() };
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    assert!(gate.check_user_agent("OtherBot/1.0").is_ok());
}

#[tokio::test]
async fn redirects_between_two_sites_do_not_wait_for_each_other() {
    let long = Duration::from_secs(20);
    let (first, second) = (Server::start(""), Server::start(""));
    let client = GateMiddleware::client(gate(), reqwest::Client::builder()).unwrap();
    let from = |one: &Server, other: &Server| format!("{}/302/to/{}/page", one.url, other.authority());
    let (there, back) = (from(&first, &second), from(&second, &first));
    let both = timeout(long, async { tokio::join!(client.get(there).send(), client.get(back).send()) });
    let (there, back) = both.await.unwrap();
    assert_eq!((there.unwrap().status().as_u16(), back.unwrap().status().as_u16()), (200, 200));
}

#[tokio::test]
async fn a_request_while_a_body_is_read_is_sent_or_refused_in_time() {
    let long = Duration::from_secs(20);
    let server = Server::start("");
    let url = format!("{}/page", server.url);
    for limit in [None, Some(1)] {
        let mut policy = GatePolicy::default();
        policy.default_delay = Duration::from_millis(20);
        policy.origin_bodies = limit;
        policy.max_stall = Duration::from_secs(2);
        let client = GateMiddleware::client(gate_of(policy), reqwest::Client::builder()).unwrap();
        let outer = timeout(long, client.get(&url).send()).await.unwrap().unwrap();
        // As in a crawler that follows a link before it has read the page to its end.
        match timeout(long, client.get(&url).send()).await.unwrap() {
            Ok(inner) => assert!(limit.is_none() && inner.status().is_success()),
            Err(error) => {
                let reqwest_middleware::Error::Middleware(error) = error else { panic!("{error}") };
                let refusal: &Refusal = error.downcast_ref().unwrap();
                assert_eq!((limit, refusal.code()), (Some(1), "stalled"));
                assert!(refusal.to_string().contains("the end of a body of the site that is being read"));
            }
        }
        assert_eq!(outer.text().await.unwrap(), "page");
    }
}

#[test]
fn a_client_that_needs_a_runtime_says_so() {
    struct Unpark(std::thread::Thread);
    impl alloc::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = core::task::Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = core::task::Context::from_waker(&waker);
    let (gate, url) = (gate(), "http://127.0.0.1:9/".parse().unwrap());
    let mut permit = core::pin::pin!(gate.permit(&url));
    let refusal = loop {
        match permit.as_mut().poll(&mut context) {
            core::task::Poll::Ready(permit) => break permit.unwrap_err(),
            core::task::Poll::Pending => std::thread::park_timeout(Duration::from_secs(10)),
        }
    };
    assert!(refusal.to_string().contains("the client needs a tokio runtime"), "{refusal}");
}

#[tokio::test]
async fn errors_name_urls_without_their_queries() {
    let server = Server::start("");
    let client = GateMiddleware::client(gate(), reqwest::Client::builder()).unwrap();
    let deep = format!("{}{}?token=TOPSECRET", server.url, "/301".repeat(12));
    let error = client.get(&deep).send().await.unwrap_err().to_string();
    let first = deep.split('?').next().unwrap();
    assert!(error.contains(&format!("{first}?…: more than 10 redirects, the last one to ")), "{error}");
    let following = reqwest::Client::new();
    let following =
        reqwest_middleware::ClientBuilder::new(following).with(GateMiddleware::new(gate())).build();
    let url = format!("{}/301/page?token=TOPSECRET", server.url);
    let other = following.get(&url).send().await.unwrap_err().to_string();
    assert!(other.contains("/301/page?…: the client follows redirects itself"), "{other}");

    let send =
        |_: Request<String>| async { Ok::<_, core::convert::Infallible>(http::Response::new(String::new())) };
    let layer = ServiceBuilder::new().layer(GateLayer::new(gate())).service(tower::service_fn(send));
    let request = Request::get("/relative?token=TOPSECRET").body(String::new()).unwrap();
    let relative = layer.oneshot(request).await.unwrap_err().to_string();
    assert!(relative.contains("`/relative?…` is not an absolute URL"), "{relative}");
    for error in [error, other, relative] {
        assert!(!error.contains("TOPSECRET"), "{error}");
    }
}

#[tokio::test]
async fn a_quotation_mark_does_not_end_a_user_agent() {
    let server = Server::start("");
    for (agent, is_named) in [("A \"quoted\" ExampleBot/1.0", true), ("A \"quoted\" Bot", false)] {
        let client = GateMiddleware::client(gate(), reqwest::Client::builder().user_agent(agent)).unwrap();
        let sent = client.get(format!("{}/page", server.url)).send().await;
        assert_eq!(sent.is_ok(), is_named, "{agent}: {sent:?}");
        if let Err(error) = sent {
            assert!(error.to_string().contains(&format!("requested as `{agent}`")), "{error}");
        }
    }
}

/// A store without entries that blocks, so that the cache asks it on a thread of the runtime.
struct Blocking;

impl Store for Blocking {
    fn get(&self, _: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Ok(None)
    }

    fn put(&self, _: &Origin, _: &Arc<Entry>) -> Result<(), StoreError> {
        Ok(())
    }

    fn remove(&self, _: &Origin) -> Result<(), StoreError> {
        Ok(())
    }

    fn blocks(&self) -> bool {
        true
    }
}

#[test]
fn a_runtime_that_is_shut_down_leaves_no_thread_waiting() {
    // It accepts no connection.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url: url::Url = format!("http://{}/page", listener.local_addr().unwrap()).parse().unwrap();
    let options = CacheOptions::new(SiteProfile::RFC9309).with_store(Blocking);
    let cache = AsyncCache::new(options, {
        let mut options = ClientOptions::new("ExampleBot/1.0").unwrap();
        options.addresses = AddressPolicy::Any;
        Client::new(&options).unwrap()
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let handle = runtime.handle().clone();
    let waiting = std::thread::spawn(move || {
        let bot = Crawler::new("ExampleBot").unwrap();
        handle.block_on(async { cache.check(&url, &bot).await.unwrap().to_string() })
    });
    std::thread::sleep(Duration::from_millis(300));
    runtime.shutdown_background();
    let start = Instant::now();
    while !waiting.is_finished() {
        assert!(start.elapsed() < Duration::from_secs(20), "the thread waits for ever");
        std::thread::sleep(Duration::from_millis(20));
    }
    let verdict = waiting.join().unwrap();
    assert!(verdict.contains("needs a tokio runtime"), "{verdict}");
}
