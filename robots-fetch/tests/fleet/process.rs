//! The processes of a fleet, as the test that starts them sees them.

use core::time::Duration;
use std::env;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::sites::Sites;

/// The variables from which a process reads its task.
pub(crate) const STORE: &str = "ROBOTS_FLEET_STORE";
pub(crate) const PROFILE: &str = "ROBOTS_FLEET_PROFILE";
pub(crate) const SITES: &str = "ROBOTS_FLEET_SITES";
pub(crate) const TIMEOUT: &str = "ROBOTS_FLEET_TIMEOUT";
pub(crate) const CLAIM: &str = "ROBOTS_FLEET_CLAIM";

/// The test that is the program of the processes.
const PROGRAM: &str = "a_process_without_a_server_answers_every_caller";

/// The timeouts of the store, in milliseconds: of a command, and of a claim.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    timeout: u64,
    claim: u64,
}

impl Patience {
    /// For tests in which no timeout may pass, however busy the machine is.
    pub(crate) const LONG: Self = Self { timeout: 30_000, claim: 120_000 };
    /// For tests in which timeouts have to pass.
    pub(crate) const SHORT: Self = Self { timeout: 2_000, claim: 8_000 };
}

pub(crate) struct Fleet(Vec<Process>);

struct Process {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    errors: usize,
}

impl Fleet {
    pub(crate) fn start(count: usize, store: &str, profile: &str, sites: &Sites, patience: Patience) -> Self {
        let start = || {
            let mut child = Command::new(env::current_exe().unwrap())
                .args([PROGRAM, "--exact", "--nocapture"])
                .env(STORE, store)
                .env(PROFILE, profile)
                .env(SITES, sites.port.to_string())
                .env(TIMEOUT, patience.timeout.to_string())
                .env(CLAIM, patience.claim.to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let output = BufReader::new(child.stdout.take().unwrap()).lines();
            Process { input: child.stdin.take().unwrap(), output, child, errors: 0 }
        };
        Self((0..count).map(|_| start()).collect())
    }

    /// Lets all processes ask at once: this many callers in each for this many origins, from `first`. Each caller has to get
    /// the right answer.
    pub(crate) fn ask(&mut self, first: usize, origins: usize, callers: usize) {
        (0..self.0.len()).for_each(|process| self.send(process, &format!("ask {first} {origins} {callers}")));
        for process in &mut self.0 {
            process.answered(callers);
        }
    }

    /// Lets one process ask for a site.
    pub(crate) fn ask_one(&mut self, process: usize, site: usize) {
        self.send(process, &format!("ask {site} 1 1"));
        self.0[process].answered(1);
    }

    /// Sends a line to one process.
    pub(crate) fn send(&mut self, process: usize, line: &str) {
        writeln!(self.0[process].input, "{line}").unwrap();
    }

    /// Moves the clocks of all processes.
    pub(crate) fn advance(&mut self, seconds: u64) {
        (0..self.0.len()).for_each(|process| self.send(process, &format!("advance {seconds}")));
    }

    /// Kills a process, which then does not belong to the fleet any more.
    pub(crate) fn kill(&mut self, process: usize) {
        drop(self.0.remove(process));
    }

    /// Returns how many errors of the store the processes have reported.
    pub(crate) fn errors(&self) -> usize {
        self.0.iter().map(|process| process.errors).sum()
    }
}

impl Process {
    fn answered(&mut self, callers: usize) {
        // The harness of the tests prints lines of its own, one without an end.
        let answer = self.output.by_ref().map(Result::unwrap).find_map(|line| {
            Some(line.split_once("answered ")?.1.split(' ').map(|part| part.parse().unwrap()).collect())
        });
        let answer: Vec<usize> = answer.expect("a process ended early");
        let [right, wrong, errors, millis] = answer[..] else { panic!("{answer:?}") };
        assert_eq!((right, wrong), (callers, 0));
        self.errors = errors;
        assert!(Duration::from_millis(millis as u64) < Duration::from_secs(120));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
