//! Servers of other projects, with the same pages and their own robots.txt.

use core::time::Duration;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use tempfile::TempDir;

/// The names of the programs.
pub(crate) const SERVERS: [&str; 3] = ["nginx", "apache2", "lighttpd"];

/// A running server. Its sites differ only in their host.
pub(crate) struct Server {
    pub(crate) kind: &'static str,
    pub(crate) port: u16,
    /// The delay that its robots.txt asks for, or the default of the test.
    pub(crate) delay: Duration,
    /// Whether its page `/a.html` is a 503.
    pub(crate) is_busy: bool,
    folder: TempDir,
    process: Child,
}

/// A request in the log of a server.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Since 1970.
    pub(crate) time: Duration,
    pub(crate) host: String,
    pub(crate) path: String,
    pub(crate) status: u16,
}

const INDEX: &str = "<a href=\"/a.html\">a</a> <a href=\"/private/x.html\">x</a> <a href=\"/moved\">m</a> \
    <a href=\"/b.html\">b</a> <a href=\"/gone.html\">gone</a> <a href=\"/a.html#again\">a</a>";

impl Server {
    /// Starts a server, if it is installed.
    pub(crate) fn start(kind: &'static str) -> Option<Self> {
        let program = find(kind)?;
        let (records, delay) = match kind {
            "nginx" => ("Crawl-delay: 1.2\n", Duration::from_millis(1200)),
            "apache2" => ("Request-rate: 2/3s\n", Duration::from_millis(1500)),
            _ => ("", Duration::from_secs(1)),
        };
        let folder = tempfile::tempdir().unwrap();
        // Servers that are started by root read the pages as another user.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let pages = folder.path().join("pages");
        fs::create_dir_all(pages.join("private")).unwrap();
        let robots = format!("User-agent: *\n{records}Disallow: /private\n");
        let files =
            [("robots.txt", robots.as_str()), ("index.html", INDEX), ("a.html", INDEX), ("b.html", "b")];
        for (name, text) in files.into_iter().chain([("private/x.html", "x")]) {
            fs::write(pages.join(name), text).unwrap();
        }
        let port = TcpListener::bind("0.0.0.0:0").unwrap().local_addr().unwrap().port();
        let configuration = folder.path().join("server.conf");
        fs::write(&configuration, configure(kind, folder.path(), port)).unwrap();
        let mut command = Command::new(program);
        match kind {
            "nginx" => {
                command.arg("-p").arg(folder.path()).arg("-e").arg("stderr").arg("-c").arg(&configuration)
            }
            "apache2" => command.arg("-f").arg(&configuration).arg("-DFOREGROUND"),
            _ => command.arg("-D").arg("-f").arg(&configuration),
        };
        let errors = fs::File::create(folder.path().join("errors")).unwrap();
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn().unwrap();
        let server = Self { kind, port, delay, is_busy: kind == "nginx", folder, process };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let errors = fs::read_to_string(server.folder.path().join("errors")).unwrap();
            assert!(start.elapsed() < Duration::from_secs(20), "{kind} does not start: {errors}");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    /// Stops the server, and returns its log.
    pub(crate) fn stop(&mut self) -> Vec<Request> {
        // SIGTERM, so that the log is written to its end.
        let pid = self.process.id().to_string();
        let is_sent = Command::new("kill").args(["-TERM", &pid]).status().unwrap().success();
        assert!(is_sent, "{} ended early", self.kind);
        self.process.wait().unwrap();
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
        log.lines().map(|line| self.parse(line)).collect()
    }

    /// Reads `TIME HOST:PORT STATUS METHOD PATH VERSION`, with the time in milliseconds, or in seconds with a point.
    fn parse(&self, line: &str) -> Request {
        let words: Vec<_> = line.split(' ').collect();
        let [time, host, status, "GET", path, _] = words[..] else { panic!("{}: {line}", self.kind) };
        let millis: u64 = time.replace('.', "").parse().unwrap();
        let host = host.split(':').next().unwrap();
        Request {
            time: Duration::from_millis(millis),
            host: host.to_owned(),
            path: path.to_owned(),
            status: status.parse().unwrap(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After SIGKILL, the processes of its workers would stay.
        let is_running = matches!(self.process.try_wait(), Ok(None));
        let pid = self.process.id().to_string();
        let is_sent = is_running && Command::new("kill").args(["-TERM", &pid]).status().is_ok();
        if is_running && !is_sent {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Returns the path of a program. Servers are often outside of the `PATH` of users.
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

fn configure(kind: &str, folder: &Path, port: u16) -> String {
    let folder = folder.display();
    // Only root may set the user.
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let user = |line: &'static str| if is_root { line } else { "" };
    match kind {
        "nginx" => format!(
            "{}
            daemon off; pid {folder}/pid; error_log stderr;
            events {{ worker_connections 1024; }}
            http {{
                log_format times '$msec $http_host $status $request';
                access_log {folder}/log times;
                client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
                uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
                server {{
                    listen 0.0.0.0:{port}; root {folder}/pages;
                    location = /moved {{ return 302 /private/x.html; }}
                    location = /a.html {{ add_header Retry-After 4 always; return 503; }}
                }}
            }}",
            user("user root;")
        ),
        "apache2" => format!(
            "ServerRoot {folder}
            ServerName localhost
            {}
            LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
            LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
            LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
            LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
            Listen 0.0.0.0:{port}
            PidFile {folder}/pid
            ErrorLog {folder}/error-log
            DocumentRoot {folder}/pages
            DirectoryIndex index.html
            LogFormat \"%{{begin:msec}}t %{{Host}}i %>s %r\" times
            CustomLog {folder}/log times
            Redirect 302 /moved /private/x.html
            <Directory {folder}/pages>
                Require all granted
            </Directory>\n",
            user("User www-data\nGroup www-data")
        ),
        _ => format!(
            "server.document-root = \"{folder}/pages\"
            server.port = {port}
            server.bind = \"0.0.0.0\"
            server.modules = ( \"mod_accesslog\", \"mod_redirect\" )
            index-file.names = ( \"index.html\" )
            mimetype.assign = ( \".html\" => \"text/html\", \".txt\" => \"text/plain\" )
            accesslog.filename = \"{folder}/log\"
            accesslog.format = \"%{{begin:msec}}t %{{Host}}i %s %r\"
            url.redirect = ( \"^/moved$\" => \"/private/x.html\" )\n"
        ),
    }
}
