//! Files as Git keeps them.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use robots_match::Profile;

use crate::failure::{Failure, Result, reason};
use crate::output::{self, Style};
use crate::source;
use crate::text::Text;

/// Reads a file by `REV:PATH`, such as `HEAD~1:static/robots.txt`, from the repository of the current folder. Without `REV`, it is
/// the file that the next commit will have. Where a revision does not have a file that `HEAD` or the next commit has, and before the
/// first commit, it is empty.
pub(crate) fn read(object: &[u8], profile: &Profile) -> Result<Vec<u8>> {
    let place = object.iter().position(|&byte| byte == b':').filter(|at| at + 1 < object.len());
    let Some(place) = place.filter(|_| !object.starts_with(b"-")) else {
        return Err(Failure::new(format!(
            "expected git:REV:PATH, such as git:HEAD~1:robots.txt, and not `git:{}`",
            Text(object)
        )));
    };
    if let Some(file) = read_if_present(object, profile)? {
        return Ok(file);
    }
    let failed = |why: &str| Failure::new(format!("can't read git:{}: {why}", Text(object)));
    let has = |name: &[u8]| kept(name, 0).map(|kept| kept != Kept::Nothing).map_err(|why| failed(&why));
    let (revision, path) = object.split_at_checked(place).unwrap_or_default();
    let named = Text(revision);
    let path = path.get(1..).unwrap_or_default();
    if revision.is_empty() {
        return Err(failed(&format!("the next commit has no file {}", Text(path))));
    }
    if !has(&[revision, b"^{commit}"].concat())? {
        if revision != b"HEAD" {
            return Err(failed(&format!("the repository has no revision {named}")));
        }
        let note = "the repository has no commit yet; its file is read as an empty one";
        output::complain("note", Style::Note, note);
        return Ok(Vec::new());
    }
    if has(&[b"HEAD:", path].concat())? || has(&[b":", path].concat())? {
        let note = format!("{named} has no {}; it is read as an empty file", Text(path));
        output::complain("note", Style::Note, &note);
        return Ok(Vec::new());
    }
    Err(failed(&format!("{named} has no file {}", Text(path))))
}

/// Reads a file by `REV:PATH`; `None` if the revision does not have it.
pub(crate) fn read_if_present(object: &[u8], profile: &Profile) -> Result<Option<Vec<u8>>> {
    let failed = |why: &str| Failure::new(format!("can't read git:{}: {why}", Text(object)));
    let most = profile.syntax.max_size.unwrap_or(usize::MAX);
    match kept(object, most).map_err(|why| failed(&why))? {
        Kept::File(bytes) => Ok(Some(bytes)),
        Kept::Folder => Err(failed("it is a folder; name a file in it")),
        Kept::Other => Err(failed("it is not a file")),
        Kept::Nothing => Ok(None),
    }
}

/// What Git keeps by a name.
#[derive(Debug, PartialEq, Eq)]
enum Kept {
    /// A file, up to one byte more than was asked for.
    File(Vec<u8>),
    Folder,
    /// A commit, or the place of another repository.
    Other,
    Nothing,
}

/// A process of Git that finds what it is asked for, so that a list of many names does not start many processes.
struct Finder {
    git: Child,
    names: ChildStdin,
    found: BufReader<ChildStdout>,
    /// Not a pipe: Git would wait for a reader of a full one.
    messages: File,
}

/// The process for the repository of the current folder, once it was asked. It ends with this one, which closes its input.
static FINDER: Mutex<Option<Finder>> = Mutex::new(None);

/// Asks Git for a name. Of a file, it reads up to one byte more than `most`.
fn kept(name: &[u8], most: usize) -> core::result::Result<Kept, String> {
    // Each name is a line, and Git reads a name up to a NUL.
    if name.iter().any(|byte| matches!(byte, b'\n' | 0)) {
        return Err("its name has a line end or a NUL".to_owned());
    }
    let mut place = FINDER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut finder = match place.take() {
        Some(finder) => finder,
        None => Finder::start().map_err(|error| format!("git: {}", reason(&error)))?,
    };
    match finder.find(name, most) {
        Ok((kept, true)) => {
            *place = Some(finder);
            Ok(kept)
        }
        Ok((kept, false)) => {
            let _ = finder.git.kill();
            let _ = finder.git.wait();
            Ok(kept)
        }
        Err(error) => {
            let _ = finder.git.kill();
            let _ = finder.git.wait();
            Err(finder.message().unwrap_or_else(|| format!("git: {}", reason(&error))))
        }
    }
}

impl Finder {
    fn start() -> io::Result<Self> {
        let messages = tempfile::tempfile()?;
        let mut git = Command::new("git")
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(messages.try_clone()?)
            .spawn()?;
        match (git.stdin.take(), git.stdout.take()) {
            (Some(names), Some(found)) => Ok(Self { git, names, found: BufReader::new(found), messages }),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Asks for a name, and returns what Git keeps, and whether the process can be asked again: a file that is larger than the limit is
    /// not read to its end.
    fn find(&mut self, name: &[u8], most: usize) -> io::Result<(Kept, bool)> {
        self.names.write_all(&[name, b"\n"].concat())?;
        let mut head = Vec::new();
        (&mut self.found).take(name.len() as u64 + LONGEST_MESSAGE).read_until(b'\n', &mut head)?;
        if head.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // `HASH blob 12`, or `NAME missing`.
        let head = if head.starts_with(name) { &[] } else { &*head };
        let mut words = head.rsplit(|&byte| byte == b' ');
        let size = words.next().and_then(|size| core::str::from_utf8(size).ok()?.parse::<u64>().ok());
        let Some(size) = size else { return Ok((Kept::Nothing, true)) };
        let kind = words.next();
        let mut rest = size + 1;
        let kept = match kind {
            Some(b"blob") => {
                let mut profile = Profile::default();
                profile.syntax.max_size = Some(most);
                let bytes = source::read((&mut self.found).take(size), &profile)?;
                rest -= bytes.len() as u64;
                Kept::File(bytes)
            }
            Some(b"tree") => Kept::Folder,
            _ => Kept::Other,
        };
        if rest > MOST_SKIPPED {
            return Ok((kept, false));
        }
        let skipped = io::copy(&mut (&mut self.found).take(rest), &mut io::sink())?;
        Ok((kept, skipped == rest))
    }

    /// Returns what Git said before it ended.
    fn message(&mut self) -> Option<String> {
        let mut message = Vec::new();
        self.messages.rewind().ok()?;
        (&self.messages).take(LONGEST_MESSAGE).read_to_end(&mut message).ok()?;
        let line = message.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = line.strip_prefix(b"fatal: ").unwrap_or(line);
        (!line.is_empty()).then(|| format!("git: {}", Text(line)))
    }
}

/// The most bytes that are read and not kept, before a new process costs less.
const MOST_SKIPPED: u64 = 1 << 20;

/// The most bytes of a message of Git that are read.
const LONGEST_MESSAGE: u64 = 4096;
