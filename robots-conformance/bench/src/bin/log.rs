//! Access logs: a generator, the full report, and a slow reader that counts in another way.
//!
//! `log generate LINES FILE` writes a log of 30 days with its robots.txt files beside it, always the same. `log measure FILE` prints
//! the time of a full report; `--threads 2` judges with two threads and `--block BYTES` in parts of this size. `log compare FILE`
//! counts line by line without memory, and compares the figures.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::time::Instant;

use robots_fetch::log::{LogFormat, LogJudge, LogReport, LogSetup, Ranges, ReportOptions, Tally};
use robots_fetch::matching::{Crawler, Document, History, KnownCrawler, Robots};

/// 2025-11-01 and 2025-11-15.
const START: i64 = 1_761_955_200;
const CHANGE: i64 = 1_763_164_800;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["generate", lines, file] => generate(lines.parse().expect("a number of lines"), file),
        ["measure", file, ref options @ ..] => {
            let option = |name: &str| {
                let at = options.iter().position(|option| *option == name);
                at.and_then(|at| options.get(at + 1)).and_then(|value| value.parse::<usize>().ok())
            };
            let threads = option("--threads").and_then(|threads| threads.try_into().ok());
            measure(file, threads.unwrap_or(1), option("--block").unwrap_or(1 << 20));
        }
        ["compare", file] => compare(file),
        _ => {
            eprintln!(
                "usage: log generate LINES FILE | log measure FILE [--threads N] [--block BYTES] | log compare FILE"
            );
            std::process::exit(2);
        }
    }
}

/// Numbers that look random and are always the same (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A number below `end`, of which small ones are frequent (Zipf with the exponent 0.9).
    fn zipf(&mut self, end: u64) -> u64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let exponent = 0.1;
        let most = (end as f64).powf(exponent);
        (((unit * (most - 1.0) + 1.0).powf(1.0 / exponent)) as u64).saturating_sub(1).min(end - 1)
    }
}

fn robots_txt(version: u64) -> String {
    let mut text = String::from("User-agent: *\nCrawl-delay: 5\n");
    for folder in 0..60 {
        let _ = writeln!(
            text,
            "Disallow: /f{}/{}",
            folder * 3 + version,
            if folder % 4 == 0 { "*.html" } else { "" }
        );
    }
    for (index, known) in KnownCrawler::ALL.iter().enumerate().filter(|(index, _)| index % 9 == 0) {
        let _ = write!(
            text,
            "\nUser-agent: {}\nDisallow: /{}\n",
            known.name,
            if index % 2 == 0 { "" } else { "f1/" }
        );
    }
    text + "\nUser-agent: GPTBot\nDisallow: /\nUser-agent: Googlebot\nAllow: /f3/a\nDisallow: /f3\n"
}

fn headers() -> (Vec<String>, Vec<String>) {
    let mut crawlers = Vec::new();
    for known in KnownCrawler::ALL {
        for version in 0..6 {
            crawlers.push(match version % 3 {
                0 => format!("Mozilla/5.0 (compatible; {}/{version}.0; +https://example.com/bot.html)", known.name),
                1 => format!("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; {}/{version}.1; +https://example.com/bot)", known.name),
                _ => format!("{}/{version}.2 (+https://example.com/)", known.name),
            });
        }
    }
    for number in 0..1000 {
        crawlers.push(format!(
            "Mozilla/5.0 (compatible; Unlisted{number}Bot/1.0; +https://example.com/{number})"
        ));
    }
    let browsers = (0..3000).map(|number| {
        let (major, minor) = (90 + number % 45, number);
        format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.{minor}.0 Safari/537.36")
    });
    (crawlers, browsers.collect())
}

fn generate(lines: u64, name: &str) {
    let mut random = Random(88_172_645_463_325_252);
    let (crawlers, browsers) = headers();
    let paths: Vec<String> = (0..60_000)
        .map(|number| {
            let folder = random.below(300);
            match number % 5 {
                0 => format!("/f{folder}/{number}.html"),
                1 => format!("/f{folder}/article-{number}/page?id={}&utm_source=x", random.below(1000)),
                2 => format!("/products/category-{folder}/item-{number}-with-a-long-name"),
                3 => format!("/f{folder}/a/{number}/%C3%A9t%C3%A9"),
                _ => format!("/{number}"),
            }
        })
        .collect();
    fs::write(format!("{name}.1.txt"), robots_txt(0)).expect("a file can be written");
    fs::write(format!("{name}.2.txt"), robots_txt(1)).expect("a file can be written");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(name).expect("a file can be written"));
    let mut address = String::new();
    const MONTH: i64 = 30 * 86_400;
    for line in 0..lines {
        let time = (i128::from(line) * i128::from(MONTH) / i128::from(lines)) as i64;
        let (day, second) = (time / 86_400 + 1, time % 86_400);
        let is_crawler = random.below(100) < 40;
        let (agent, pool) = if is_crawler {
            let at = random.zipf(crawlers.len() as u64);
            (&crawlers[at as usize], 60)
        } else {
            (&browsers[random.zipf(browsers.len() as u64) as usize], 200_000)
        };
        let host = random.below(pool);
        address.clear();
        let _ = match is_crawler || random.below(5) > 0 {
            true => {
                write!(address, "{}.{}.{}.{}", 20 + host % 70, host / 256 % 256, host % 256, host % 254 + 1)
            }
            false => write!(address, "2001:db8:{:x}::{:x}", host % 4096, host),
        };
        let path = match random.below(28) {
            0 if is_crawler => "/robots.txt",
            _ => &paths[random.zipf(60_000) as usize],
        };
        let status = [200, 200, 200, 200, 304, 301, 404][random.below(7) as usize];
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        writeln!(
            out,
            "{address} - - [{day:02}/Nov/2025:{hour:02}:{minute:02}:{second:02} +0000] \"GET {path} HTTP/1.1\" {status} {} \"-\" \"{agent}\"",
            random.below(90_000),
        )
        .expect("a file can be written");
    }
}

fn history(name: &str) -> History {
    let file = |version: u8| {
        let body = fs::read(format!("{name}.{version}.txt")).expect("the files beside the log can be read");
        Robots::new(body, Document::Rfc9309)
    };
    History::new([(START, file(1)), (CHANGE, file(2))]).expect("the times differ")
}

fn setup(history: &History) -> LogSetup<'_> {
    let mut setup = LogSetup::new([(None, history)]);
    for (crawler, range) in [("GPTBot", "20.0.0.0/7"), ("Googlebot", "22.0.0.0/7"), ("bingbot", "40.0.0.0/8")]
    {
        setup.add_ranges(crawler, Ranges::parse(range.as_bytes()).expect("a range"));
    }
    setup
}

/// Returns the report, with blocks of this size for each of several judges in turn.
fn report(name: &str, setup: &LogSetup<'_>, threads: u16, block: usize) -> LogReport {
    let mut file = File::open(name).expect("the log can be read");
    let reader = LogFormat::COMBINED.reader();
    let mut judges: Vec<LogJudge<'_, '_>> = (0..threads).map(|number| LogJudge::new(setup, number)).collect();
    let mut tally = Tally::new(setup);
    let mut blocks: Vec<Vec<u8>> = vec![Vec::new(); judges.len()];
    let mut rest: Vec<u8> = Vec::new();
    let mut is_done = false;
    while !is_done {
        for text in &mut blocks {
            text.clear();
            text.append(&mut rest);
            let read = std::io::Read::take(&mut file, block as u64).read_to_end(text).expect("the log can be read");
            is_done |= read < block;
            if let Some(at) = memchr::memrchr(b'\n', text) {
                rest.extend_from_slice(&text[at + 1..]);
                text.truncate(at + 1);
            } else {
                rest.append(text);
            }
        }
        if threads == 1 {
            tally.add(&judges[0].judge(&mut reader.clone(), &blocks[0]));
            continue;
        }
        let judged: Vec<_> = std::thread::scope(|scope| {
            let start = |(judge, text)| {
                let mut reader = reader.clone();
                let judge: &mut LogJudge<'_, '_> = judge;
                let text: &Vec<u8> = text;
                scope.spawn(move || judge.judge(&mut reader, text))
            };
            let threads: Vec<_> = judges.iter_mut().zip(&blocks).map(start).collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread ends")).collect()
        });
        for judged in &judged {
            tally.add(judged);
        }
    }
    tally.report(&judges, &ReportOptions::default())
}

fn measure(name: &str, threads: u16, block: usize) {
    let history = history(name);
    let setup = setup(&history);
    let start = Instant::now();
    let report = report(name, &setup, threads, block);
    let seconds = start.elapsed().as_secs_f64();
    let crawlers = || report.hosts.iter().flat_map(|host| &host.crawlers);
    let sum = |figure: fn(&robots_fetch::log::CrawlerReport) -> u64| crawlers().map(figure).sum::<u64>();
    println!(
        "lines {} in {seconds:.2} s: {:.2} million a second",
        report.lines,
        report.lines as f64 / seconds / 1e6
    );
    println!(
        "requests {} checked {} disallowed {} disputed {} in_grace {} robots_txt {} short {} fresh {} late {} never {} verified {} crawlers {}",
        sum(|c| c.requests),
        sum(|c| c.checked),
        sum(|c| c.disallowed),
        sum(|c| c.disputed),
        sum(|c| c.in_grace),
        sum(|c| c.robots_txt),
        sum(|c| c.short.unwrap_or(0)),
        sum(|c| c.fresh.unwrap_or(0)),
        sum(|c| c.late.unwrap_or(0)),
        sum(|c| c.never.unwrap_or(0)),
        sum(|c| c.verified),
        crawlers().count(),
    );
    let memory = fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in memory.lines().filter(|line| line.starts_with("VmHWM")) {
        println!("{line}");
    }
    let processor = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = processor.split(' ').collect();
    println!(
        "processor time, ticks: user {} system {}",
        fields.get(13).unwrap_or(&""),
        fields.get(14).unwrap_or(&"")
    );
    let checksum =
        format!("{report:?}").bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    println!("report {checksum:016x}");
}

/// Counts each line by itself.
fn compare(name: &str) {
    let history = history(name);
    let setup = setup(&history);
    let report = report(name, &setup, 1, 1 << 20);
    #[derive(Default, Debug, PartialEq)]
    struct Slow {
        requests: u64,
        robots_txt: u64,
        disallowed: u64,
        lines: HashMap<usize, u64>,
    }
    let mut found: HashMap<String, Slow> = HashMap::new();
    for line in BufReader::new(File::open(name).expect("the log can be read")).lines() {
        let line = line.expect("the log is UTF-8");
        let quoted: Vec<&str> = line.split('"').collect();
        let is_named = |known: &&KnownCrawler| {
            let at = quoted[5].find(&format!("{}/", known.name));
            at.is_some_and(|at| at == 0 || quoted[5][..at].ends_with("compatible; "))
        };
        let name = match KnownCrawler::ALL.iter().filter(is_named).max_by_key(|known| known.name.len()) {
            Some(known) => known.name.to_owned(),
            None => match quoted[5].split_once("Unlisted") {
                Some((_, rest)) => format!("Unlisted{}", rest.split('/').next().unwrap_or_default()),
                None => continue,
            },
        };
        let time = line.split(['[', ']']).nth(1).expect("a time");
        let number = |at: usize| time[at..at + 2].parse::<i64>().expect("two digits");
        let seconds = START + (number(0) - 1) * 86_400 + number(12) * 3600 + number(15) * 60 + number(18);
        let path = quoted[1].split(' ').nth(1).expect("a path");
        let slow = found.entry(name.clone()).or_default();
        slow.requests += 1;
        if path == "/robots.txt" {
            slow.robots_txt += 1;
            continue;
        }
        let (_, robots) = history.version(usize::from(seconds >= CHANGE)).expect("a version");
        let crawler = KnownCrawler::find(&name)
            .map_or_else(|| Crawler::new(&name).expect("a name"), KnownCrawler::crawler);
        let verdict = robots.check(&crawler, path);
        if !verdict.is_allowed() {
            slow.disallowed += 1;
            *slow.lines.entry(verdict.line().unwrap_or(0)).or_default() += 1;
        }
    }
    let mut differences = 0;
    for crawler in report.hosts.iter().flat_map(|host| &host.crawlers) {
        let quick = Slow {
            requests: crawler.requests,
            robots_txt: crawler.robots_txt,
            disallowed: crawler.disallowed,
            lines: crawler.by_line.iter().copied().collect(),
        };
        let slow = found.remove(&crawler.name).unwrap_or_default();
        if slow != quick {
            differences += 1;
            println!("{}: {slow:?}, and the report has {quick:?}", crawler.name);
        }
    }
    println!(
        "{differences} of {} crawlers differ; {} are not in the report",
        report.hosts[0].crawlers.len(),
        found.len()
    );
    std::process::exit(i32::from(differences > 0 || !found.is_empty()));
}
