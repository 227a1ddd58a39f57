//! `cargo xtask bench --cache`: how long a question to a cache takes, beside a lock around a map. The program `cache-memory`
//! measures memory, because an allocator that counts would slow down the others.

mod origins;
mod workloads;

use std::process::ExitCode;

use robots_bench::arguments::{Arguments, exit};
use robots_bench::turns::processor_time;

fn main() -> ExitCode {
    exit(run)
}

fn run() -> Result<(), String> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let bodies = origins::bodies(&arguments)?;
    let time = if processor_time().is_some() { "processor" } else { "clock" };
    println!(
        "{}\ntime of the {time}, medians of {} rounds, in each of which every candidate has a turn\n",
        bodies.shown(),
        arguments.rounds
    );
    workloads::all(&bodies, &arguments)
}
