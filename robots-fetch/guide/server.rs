// Included by the examples of the guide, so that they run without a network.

/// Starts a server on this machine, and returns its URL. It has a robots.txt and nothing else. As a proxy, it answers for
/// every host.
fn serve(robots: &'static str) -> String {
    use std::io::{BufRead as _, BufReader, Write as _};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            while let Some(request) = lines.next() {
                while lines.next().is_some_and(|field| !field.is_empty()) {}
                let mut stream = &stream;
                // The tunnel of a proxy: the next request is for the site.
                if request.starts_with("CONNECT ") {
                    let _ = write!(stream, "HTTP/1.1 200 OK\r\n\r\n");
                    continue;
                }
                let is_robots = request.split(' ').nth(1).is_some_and(|url| url.ends_with("/robots.txt"));
                let (status, body) = if is_robots { ("200 OK", robots) } else { ("404 Not Found", "") };
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                break;
            }
        }
    });
    url
}
