//! Asking an implementation in a process of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::peers::{By, Tools};
use crate::protocol::{Answer, Hello, Question, hex};
use crate::rows::Row;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns the command that answers for a peer; `Err` names what is missing.
pub(crate) fn command(by: By, name: &str, tools: &Tools, own_folder: &Path) -> Result<Command, &'static str> {
    let python = own_folder.join("python").join("answer.py");
    Ok(match by {
        By::Own => {
            let mut command = Command::new(std::env::current_exe().map_err(|_| "this program")?);
            command.args(["answer", name]);
            command
        }
        By::Venv(argument) => {
            let mut command = Command::new(tools.venv.as_ref().ok_or("python3 with pip and venv")?);
            command.arg(python).arg(argument);
            command
        }
        By::Python(argument) => {
            let mut command = Command::new(tools.python.as_ref().ok_or("python3")?);
            command.arg(python).arg(argument);
            command
        }
        By::Node => {
            let (Some(node), Some(modules)) = (&tools.node, &tools.modules) else {
                return Err("node with npm");
            };
            let mut command = Command::new(node);
            command.arg(own_folder.join("node").join("answer.js")).arg(modules);
            command
        }
    })
}

/// Returns how a peer describes itself, and its answer to each row. Rows that cite what it leaves to its caller are left out.
pub(crate) fn ask(
    command: &mut Command,
    rows: &[Row],
    leaves: &[&str],
) -> Result<(Hello, Vec<Answer>), String> {
    let mut peer = Running::start(command)?;
    let hello = peer.hello.clone();
    let mut answers = Vec::new();
    for row in rows {
        if let Some(why) = row.unasked {
            answers.push(Answer::Unasked(why.into()));
            continue;
        }
        if row.cites.iter().any(|id| leaves.iter().any(|start| id.starts_with(start))) {
            answers.push(Answer::Unasked("limits that it leaves to its caller".into()));
            continue;
        }
        let answer = match peer.ask(&question(row)) {
            Ok(answer) => answer,
            Err(what) => {
                // A process that has ended or hangs can't answer the next row.
                peer = Running::start(command)?;
                Answer::Error(what.into())
            }
        };
        answers.push(answer);
    }
    Ok((hello, answers))
}

fn question(row: &Row) -> Question {
    // A path is that of a URL of a site; of URLs as text, only those with a scheme and a host can be asked everywhere.
    let url = match (&row.path, &row.url) {
        (Some(path), _) => Some(format!("https://example.com{path}")),
        (None, url) => url.clone().filter(|url| is_absolute(url)),
    };
    Question {
        body: hex(&row.body),
        agents: row.agents.clone(),
        together: row.together,
        path: row.path.clone(),
        url,
    }
}

fn is_absolute(url: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))
        .is_some_and(|rest| rest.starts_with(|char: char| !matches!(char, '/' | '?' | '#')))
}

/// A process that answers.
struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    hello: Hello,
}

impl Running {
    fn start(command: &mut Command) -> Result<Self, String> {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program} can't be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{program} has no input or output"));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let first: String = lines.recv_timeout(PATIENCE).map_err(|_| format!("{program} does not answer"))?;
        let hello = serde_json::from_str(&first).map_err(|error| format!("{program}: {error}"))?;
        Ok(Self { child, input, lines, hello })
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, &'static str> {
        const ENDED: &str = "ends its process";
        let mut line = serde_json::to_string(question).map_err(|_| "the question can't be written")?;
        line.push('\n');
        self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush()).map_err(|_| ENDED)?;
        let answer = self.lines.recv_timeout(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => "gives no answer within 20 seconds",
            RecvTimeoutError::Disconnected => ENDED,
        })?;
        serde_json::from_str(&answer).map_err(|_| "gives an answer that is not JSON of the protocol")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
