//! Access logs: a generator, the full report, and a slow reader that counts in another way.
//!
//! `log generate LINES FILE` writes a log of 30 days with its robots.txt files beside it, always the same. `log measure FILE` prints
//! the time of a full report; `--threads 2` judges with two threads and `--block BYTES` in parts of this size. `log compare FILE`
//! counts line by line without memory, and compares the figures. `log beside FILE` runs `robots log` beside `wc`, `grep`, goaccess
//! and a Python loop with Protego, if they are installed. `log all LINES FILE` does all of this, and is `cargo xtask bench --log`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use robots_fetch::log::{
    HeaderSender, LogFormat, LogJudge, LogReport, LogSetup, Ranges, ReportOptions, Tally, sender,
};
use robots_fetch::matching::{Crawler, Document, History, KnownCrawler, Robots};

/// 2025-11-01 and 2025-11-15.
const START: i64 = 1_761_955_200;
const CHANGE: i64 = 1_763_164_800;

fn main() -> std::process::ExitCode {
    // Measured beside other programs.
    if std::env::args().next().as_deref() == Some("robots") {
        return robots_command::main();
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["generate", lines, file] => generate(lines.parse().expect("a number of lines"), file),
        ["measure", file, ref options @ ..] => {
            let option = |name: &str| {
                let at = options.iter().position(|option| *option == name);
                at.and_then(|at| options.get(at + 1)).and_then(|value| value.parse::<usize>().ok())
            };
            measure(file, option("--threads").unwrap_or(1), option("--block").unwrap_or(256 << 10));
        }
        ["compare", file] => return compare(file),
        ["beside", file] => beside(file, 3, 1_000_000),
        ["all", lines, file] => {
            if !fs::exists(file).unwrap_or_default() {
                generate(lines.parse().expect("a number of lines"), file);
            }
            // Processes of their own, whose memory is that of one report.
            let measured = [["--threads", "1", "--block", "262144"], ["--threads", "2", "--block", "100000"]]
                .map(|options| {
                    let me = std::env::current_exe().expect("this program has a path");
                    let output =
                        std::process::Command::new(me).args(["measure", file]).args(options).output();
                    let output = output.expect("the log can be measured");
                    let text = String::from_utf8_lossy(&output.stdout).into_owned();
                    print!("{text}");
                    assert!(output.status.success(), "the log can be measured");
                    text.lines().last().unwrap_or_default().to_owned()
                });
            assert_eq!(measured[0], measured[1], "the report does not depend on threads and blocks");
            beside(file, 3, 1_000_000);
            return compare(file);
        }
        _ => {
            eprintln!(
                "usage: log generate LINES FILE | log measure FILE [--threads N] [--block BYTES] | log compare FILE | log beside FILE | log all LINES FILE"
            );
            std::process::exit(2);
        }
    }
    std::process::ExitCode::SUCCESS
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
            let header = match version % 3 {
                0 => format!(
                    "Mozilla/5.0 (compatible; {}/{version}.0; +https://example.com/bot.html)",
                    known.name
                ),
                1 => format!(
                    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; {}/{version}.1; +https://example.com/bot)",
                    known.name
                ),
                _ => format!("{}/{version}.2 (+https://example.com/)", known.name),
            };
            // Some names are those of others, too, or words that need a sign of a crawler beside them.
            if matches!(sender(header.as_bytes()), HeaderSender::Known(found) if found.name == known.name) {
                crawlers.push(header);
            }
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
    // Only a whole log has the name.
    let part = format!("{name}.part");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&part).expect("a file can be written"));
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
    out.flush().expect("a file can be written");
    fs::rename(part, name).expect("a file can be renamed");
}

fn history(name: &str) -> History {
    let file = |version: u8| {
        let body = fs::read(format!("{name}.{version}.txt")).expect("the files beside the log can be read");
        Robots::new(body, Document::Rfc9309)
    };
    History::new([(START, file(1)), (CHANGE, file(2))]).expect("the times differ")
}

/// Ranges of addresses that the log has.
const RANGES: [(&str, &str); 3] =
    [("GPTBot", "20.0.0.0/7"), ("Googlebot", "22.0.0.0/7"), ("bingbot", "40.0.0.0/8")];

fn setup(history: &History) -> LogSetup<'_> {
    let mut setup = LogSetup::new([(None, history)]);
    for (crawler, range) in RANGES {
        setup.add_ranges(crawler, Ranges::parse(range.as_bytes()).expect("a range"));
    }
    setup
}

/// Returns the report, with blocks of this size for each of several judges in turn.
fn report(name: &str, setup: &LogSetup<'_>, threads: usize, block: usize) -> LogReport {
    let mut file = File::open(name).expect("the log can be read");
    let reader = LogFormat::COMBINED.reader();
    let mut tally = Tally::new(setup);
    let mut rest: Vec<u8> = Vec::new();
    // Fills a block with whole lines, if the log has more.
    let mut next = |mut text: Vec<u8>| {
        text.clear();
        text.append(&mut rest);
        let read =
            std::io::Read::take(&mut file, block as u64).read_to_end(&mut text).expect("the log can be read");
        let end =
            if read < block { text.len() } else { memchr::memrchr(b'\n', &text).map_or(0, |at| at + 1) };
        rest.extend_from_slice(&text[end..]);
        text.truncate(end);
        (read > 0).then_some(text)
    };
    if threads == 1 {
        let mut judge = LogJudge::new(setup);
        let mut reader = reader;
        let mut text = Vec::new();
        while let Some(block) = next(text) {
            tally.add(judge.judge(&mut reader, &block));
            text = block;
        }
        return tally.report(&ReportOptions::default());
    }
    std::thread::scope(|scope| {
        let start = |_| {
            let (jobs, blocks) = sync_channel::<Vec<u8>>(2);
            let (answers, judged) = sync_channel(2);
            let mut reader = reader.clone();
            scope.spawn(move || {
                let mut judge = LogJudge::new(setup);
                for block in blocks {
                    answers.send((judge.judge(&mut reader, &block), block)).expect("an answer is awaited");
                }
            });
            (jobs, judged)
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        let mut spare: Vec<Vec<u8>> = Vec::new();
        let (mut sent, mut counted, mut is_done) = (0, 0, false);
        loop {
            while !is_done && sent < counted + 2 * threads.len() {
                match next(spare.pop().unwrap_or_default()) {
                    Some(block) => {
                        threads[sent % threads.len()].0.send(block).expect("a thread waits for blocks")
                    }
                    None => {
                        is_done = true;
                        break;
                    }
                }
                sent += 1;
            }
            if counted == sent {
                break;
            }
            let (judged, block) =
                threads[counted % threads.len()].1.recv().expect("a thread answers each block");
            tally.add(judged);
            spare.push(block);
            counted += 1;
        }
    });
    tally.report(&ReportOptions::default())
}

/// Runs this report beside other programs on one log, and prints the least processor and wall time of some runs of each.
fn beside(name: &str, runs: usize, python_lines: usize) {
    let me = std::env::current_exe().expect("this program has a path");
    let folder = std::env::temp_dir().join(format!("log-beside-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let path = |name: &str| folder.join(name).to_str().expect("the path is UTF-8").to_owned();
    for (crawler, range) in RANGES {
        fs::write(path(&format!("{crawler}.txt")), range).expect("a file can be written");
    }
    let head = path("head.log");
    let mut lines = BufReader::new(File::open(name).expect("the log can be read"));
    let mut out = BufWriter::new(File::create(&head).expect("a file can be written"));
    let mut line = Vec::new();
    for _ in 0..python_lines {
        line.clear();
        if lines.read_until(b'\n', &mut line).expect("the log can be read") == 0 {
            break;
        }
        out.write_all(&line).expect("a file can be written");
    }
    out.flush().expect("a file can be written");
    let script = path("loop.py");
    fs::write(&script, PROTEGO).expect("a file can be written");
    let (old, new) = (format!("2025-11-01={name}.1.txt"), format!("2025-11-15={name}.2.txt"));
    let ranges = folder.to_str().expect("the path is UTF-8");
    let ranges: Vec<String> = RANGES.map(|(crawler, _)| format!("{crawler}={ranges}/{crawler}.txt")).to_vec();
    let robots = |threads: &'static str, log: &str| {
        let mut args =
            vec!["log", "--robots", &old, "--robots", &new, "--format", "json", "--threads", threads];
        for range in &ranges {
            args.extend(["--ranges", range]);
        }
        args.push(log);
        args.into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let own = |args: &[&str]| args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<String>>();
    let me = me.to_str().expect("the path is UTF-8");
    let programs: Vec<(&str, &str, Vec<String>, &str)> = vec![
        ("robots log, 1 thread", me, robots("1", name), name),
        ("robots log, 2 threads", me, robots("2", name), name),
        ("wc -l", "wc", own(&["-l", name]), name),
        ("grep -c GPTBot", "grep", own(&["-c", "GPTBot", name]), name),
        ("grep -cE, four names", "grep", own(&["-cE", "GPTBot|ClaudeBot|bingbot|Googlebot", name]), name),
        ("robots log, 1 thread", me, robots("1", &head), &head),
        (
            "goaccess",
            "goaccess",
            own(&[&head, "--log-format=COMBINED", "-o", &path("goaccess.json"), "--no-progress"]),
            &head,
        ),
        ("Python with Protego, 19 names", "python3", own(&[&script, &format!("{name}.1.txt"), &head]), &head),
    ];
    println!(
        "| program | lines | processor time, s | wall time, s | million lines a second of processor time |"
    );
    println!("| --- | --- | --- | --- | --- |");
    for (title, program, args, log) in programs {
        let count = lines_of(log);
        let mut best: Option<(f64, f64)> = None;
        for _ in 0..runs {
            let before = ticks_of_children();
            let start = Instant::now();
            let mut command = std::process::Command::new(program);
            if program == me {
                std::os::unix::process::CommandExt::arg0(&mut command, "robots");
            }
            let output = command.args(&args).stdin(std::process::Stdio::null()).output();
            let wall = start.elapsed().as_secs_f64();
            let Ok(output) = output else { break };
            // grep and robots have the status 1 for what they find.
            if output.status.code().is_none_or(|code| code > 1)
                || program == "python3" && !output.status.success()
            {
                break;
            }
            let processor = (ticks_of_children() - before) as f64 / 100.0;
            best = Some(best.map_or((processor, wall), |(least, least_wall)| {
                (least.min(processor), least_wall.min(wall))
            }));
        }
        match best {
            None => println!("| {title} | {count} | not available | | |"),
            Some((processor, wall)) => {
                println!(
                    "| {title} | {count} | {processor:.2} | {wall:.2} | {:.3} |",
                    count as f64 / processor / 1e6
                );
            }
        }
    }
    let _ = fs::remove_dir_all(&folder);
}

/// Returns the number of lines of a log.
fn lines_of(name: &str) -> usize {
    let mut file = File::open(name).expect("the log can be read");
    let (mut block, mut count) = (vec![0; 1 << 20], 0);
    loop {
        let read = file.read(&mut block).expect("the log can be read");
        if read == 0 {
            return count;
        }
        count += memchr::memchr_iter(b'\n', &block[..read]).count();
    }
}

/// Returns the processor time of the programs that ended, in hundredths of a second.
fn ticks_of_children() -> u64 {
    let text = fs::read_to_string("/proc/self/stat").expect("the processor time can be read");
    // After the name in parentheses.
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    [13, 14].iter().map(|at| fields[*at].parse::<u64>().expect("a number")).sum()
}

/// What people write: a loop over lines, with a parser of robots.txt.
const PROTEGO: &str = r#"
import re, sys
from protego import Protego
rules = Protego.parse(open(sys.argv[1]).read())
names = "GPTBot ClaudeBot Googlebot bingbot CCBot Bytespider Amazonbot Applebot PerplexityBot OAI-SearchBot ChatGPT-User YandexBot DuckDuckBot Baiduspider facebookexternalhit Twitterbot AhrefsBot SemrushBot PetalBot".split()
line = re.compile(rb'(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d+) \S+ "[^"]*" "([^"]*)"')
found = {name: [0, 0] for name in names}
for text in open(sys.argv[2], "rb"):
    match = line.match(text)
    if not match:
        continue
    agent = match[6].decode("latin-1").lower()
    for name in names:
        if name.lower() in agent:
            found[name][0] += 1
            path = match[4].decode("latin-1")
            if path != "/robots.txt" and not rules.can_fetch("https://example.com" + path, name):
                found[name][1] += 1
            break
print(found)
"#;

fn measure(name: &str, threads: usize, block: usize) {
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
fn compare(name: &str) -> std::process::ExitCode {
    let history = history(name);
    let setup = setup(&history);
    let report = report(name, &setup, 1, 1 << 20);
    #[derive(Default, Debug)]
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
            // The slow reader does not know for which crawlers robots.txt was missing.
            disallowed: crawler.disallowed + crawler.excused,
            lines: crawler.by_line.iter().copied().collect(),
        };
        let slow = found.remove(&crawler.name).unwrap_or_default();
        let count = |line: &usize| slow.lines.get(line).copied().unwrap_or(0);
        let same_lines = quick.lines.iter().all(|(line, counted)| *counted <= count(line))
            && quick.lines.values().sum::<u64>() == crawler.disallowed;
        let figures = |read: &Slow| (read.requests, read.robots_txt, read.disallowed);
        if figures(&slow) != figures(&quick) || !same_lines {
            differences += 1;
            println!("{}: {slow:?}, and the report has {quick:?}", crawler.name);
        }
    }
    println!(
        "{differences} of {} crawlers differ; {} are not in the report",
        report.hosts[0].crawlers.len(),
        found.len()
    );
    std::process::ExitCode::from(u8::from(differences > 0 || !found.is_empty()))
}
