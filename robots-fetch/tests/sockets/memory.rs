//! Memory during retrievals from servers that send much.

use std::process::Command;
use std::time::Duration;

use peak_alloc::PeakAlloc;

use crate::faults::{BROTLI, endure};
use crate::support::{Act, Server};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs in a process of its own, so that other tests do not count.
#[test]
fn memory_is_bounded_for_any_answer() {
    const CHILD: &str = "ROBOTS_FETCH_MEASURES_MEMORY";
    if std::env::var_os(CHILD).is_none() {
        let this = std::env::current_exe().unwrap();
        let mut child = Command::new(this);
        let child = child
            .args(["--exact", "memory::memory_is_bounded_for_any_answer", "--nocapture"])
            .env(CHILD, "1");
        let output = child.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        said.lines().filter(|line| line.contains("MiB")).for_each(|line| println!("{line}"));
        return;
    }
    for index in 0..2 {
        let server = Server::start();
        let mut options = server.options();
        // Most of these answers have no end. A busy machine needs some time for those of which too much is sent.
        options.total_timeout = Duration::from_secs(3);
        let client = server.clients_with(&options).into_iter().nth(index).unwrap();
        // Answers that send much: without end and with short pauses, or compressed in one piece.
        let sends_much = |act: &Act| match act {
            Act::Endless(.., pause) => *pause < Duration::from_millis(10),
            Act::Send(bytes, _) => bytes.ends_with(&BROTLI),
            _ => false,
        };
        let (mut most, mut by) = (0, String::new());
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        endure(&server, [&client, &client], options.total_timeout, sends_much, |name, _| {
            let peak = MEMORY.peak_usage().saturating_sub(before);
            if peak > most {
                (most, by) = (peak, name.to_owned());
            }
            MEMORY.reset_peak_usage();
        });
        let mebibytes = most >> 20;
        println!("{}: at most {mebibytes} MiB more than before, server included ({by})", client.name());
        assert!(most < 40 << 20, "{most} bytes: {by}");
    }
}
