//! Files as Git keeps them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

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
    // One caller asks all of its questions before the next one, which would wait between two of them.
    let mut repository = REPOSITORY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = repository.find(object, profile)? {
        return Ok(file);
    }
    let failed = |why: &str| Failure::new(format!("can't read git:{}: {why}", Text(object)));
    let mut has = |name: &[u8]| {
        repository.kept(name, profile).map(|kept| kept != Kept::Nothing).map_err(|why| failed(&why))
    };
    let (revision, path) = object.split_at_checked(place).unwrap_or_default();
    let named = Text(revision);
    let path = path.get(1..).unwrap_or_default();
    if revision.is_empty() {
        return Err(failed(&format!("the next commit has no file {}", Text(path))));
    }
    let is_head = revision == b"HEAD";
    if !has(&[revision, b":"].concat())? && !has(&[revision, b"^{commit}"].concat())? {
        if !is_head {
            return Err(failed(&format!("the repository has no revision {named}")));
        }
        require_no_revision(revision)?;
        let note = "the repository has no commit yet; its file is read as an empty one";
        output::complain("note", Style::Note, note);
        return Ok(Vec::new());
    }
    if !is_head && has(&[b"HEAD:", path].concat())? || has(&[b":", path].concat())? {
        repository.require_absent(revision, path, profile)?;
        let note = format!("{named} has no {}; it is read as an empty file", Text(path));
        output::complain("note", Style::Note, &note);
        return Ok(Vec::new());
    }
    Err(failed(&format!("{named} has no file {}", Text(path))))
}

/// Reads a file of a revision; `None` if the revision does not have it.
pub(crate) fn read_if_present(revision: &[u8], path: &[u8], profile: &Profile) -> Result<Option<Vec<u8>>> {
    let object = [revision, b":", path].concat();
    let mut repository = REPOSITORY.lock().unwrap_or_else(PoisonError::into_inner);
    let file = repository.find(&object, profile)?;
    if file.is_none() {
        repository.require_absent(revision, path, profile)?;
    }
    Ok(file)
}

/// Returns whether Git says that a revision or a folder does not have a file.
fn is_absent(revision: &[u8], path: &[u8]) -> Result<bool> {
    let mut git = Command::new("git");
    git.args(["--literal-pathspecs", "ls-tree"]);
    // Other paths are those from the folder of the repository.
    if !path.starts_with(b"./") && !path.starts_with(b"../") {
        git.arg("--full-tree");
    }
    git.arg(source::os(revision)?).arg("--").arg(source::os(path)?);
    let listed = git.stdin(Stdio::null()).stderr(Stdio::null()).output();
    Ok(listed.is_ok_and(|listed| listed.status.success() && listed.stdout.is_empty()))
}

/// Checks that the repository does not have a revision that Git can't find.
fn require_no_revision(revision: &[u8]) -> Result<()> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--verify", "--quiet"]).arg(source::os(revision)?);
    match git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) if !status.success() => Ok(()),
        _ => Err(lost(revision)),
    }
}

fn lost(object: &[u8]) -> Failure {
    let object = Text(object);
    Failure::new(format!(
        "can't read git:{object}: the repository has lost it; look for the damage with `git fsck`"
    ))
}

/// Returns whether a file of the next commit is a link, which Git does not follow there.
fn is_link_in_index(object: &[u8]) -> bool {
    let path = object.get(1..).unwrap_or_default();
    let path = match path {
        // The stage of a merge.
        [b'0'..=b'3', b':', path @ ..] => path,
        _ => path,
    };
    let is_relative = path.starts_with(b"./") || path.starts_with(b"../");
    let start: &[u8] = if is_relative { b":(literal)" } else { b":(top,literal)" };
    let pattern = [start, path].concat();
    let Ok(pattern) = source::os(&pattern) else { return false };
    let listed =
        Command::new("git").args(["ls-files", "--stage", "--"]).arg(pattern).stdin(Stdio::null()).output();
    listed.is_ok_and(|listed| listed.stdout.starts_with(b"120000 "))
}

/// What Git keeps by a name.
#[derive(Debug, PartialEq, Eq)]
enum Kept {
    /// A file, up to one byte more than was asked for.
    File(Vec<u8>),
    /// A folder, with its hash.
    Folder(Vec<u8>),
    /// A link to what the revision does not have.
    Link,
    /// A commit, or the place of another repository.
    Other,
    Nothing,
}

/// The repository of the current folder.
static REPOSITORY: LazyLock<Mutex<Repository>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Repository {
    /// The process that is asked, once one was. It ends with this one, which closes its input.
    finder: Option<Finder>,
    /// The hashes of the folders of revisions; `None` for what is not a revision. Git finds a file by the hash in half of the time, and
    /// a branch that moves while a list is read is the same one for all of its lines.
    trees: HashMap<Vec<u8>, Option<Vec<u8>>>,
    /// What another process of Git said about names: whether a revision lacks a file, and whether one of the next commit is a link.
    known: HashMap<Vec<u8>, bool>,
    /// The names on which Git ended.
    ends: u32,
}

/// A process of Git that finds what it is asked for, so that a list of many names does not start many processes.
struct Finder {
    git: Child,
    names: ChildStdin,
    found: BufReader<ChildStdout>,
    /// Not a pipe: Git would wait for a reader of a full one.
    messages: File,
}

impl Repository {
    /// Reads a file by `REV:PATH`; `None` if Git can't find it.
    fn find(&mut self, object: &[u8], profile: &Profile) -> Result<Option<Vec<u8>>> {
        let failed = |why: &str| Failure::new(format!("can't read git:{}: {why}", Text(object)));
        match self.kept(object, profile).map_err(|why| failed(&why))? {
            // A text with line ends is not the name of a file.
            Kept::File(bytes)
                if object.starts_with(b":")
                    && !bytes.contains(&b'\n')
                    && *self.known.entry(object.to_vec()).or_insert_with(|| is_link_in_index(object)) =>
            {
                Err(failed("it is a link; name the file that it leads to"))
            }
            Kept::File(bytes) => Ok(Some(bytes)),
            Kept::Folder(_) => Err(failed("it is a folder; name a file in it")),
            Kept::Link => Err(failed("a link leads to a file that the revision does not have")),
            Kept::Other => Err(failed("it is not a file")),
            Kept::Nothing => Ok(None),
        }
    }

    /// Checks that a revision does not have a file that Git can't find. A damaged repository can lack what a revision has, also a folder
    /// on the way to the file, and an empty file in its place would allow everything.
    fn require_absent(&mut self, revision: &[u8], path: &[u8], profile: &Profile) -> Result<()> {
        let object = [revision, b":", path].concat();
        let is_absent = match self.known.get(&object) {
            Some(is_absent) => *is_absent,
            None => self.lacks(revision, path, profile)?,
        };
        self.known.insert(object.clone(), is_absent);
        if is_absent { Ok(()) } else { Err(lost(&object)) }
    }

    /// Returns whether the revision lacks a file. The last folder on the way that Git finds is asked for what follows, because Git
    /// lists nothing below a link to a folder.
    fn lacks(&mut self, revision: &[u8], path: &[u8], profile: &Profile) -> Result<bool> {
        let mut rest = path;
        while let Some(place) = rest.iter().rposition(|&byte| byte == b'/') {
            let (folder, name) = rest.split_at_checked(place + 1).unwrap_or_default();
            let object = [revision, b":", folder].concat();
            match self.kept(&object, profile) {
                Ok(Kept::Folder(tree)) => return is_absent(&tree, name),
                Ok(Kept::Nothing) => rest = rest.get(..place).unwrap_or_default(),
                _ => return Ok(false),
            }
        }
        // The folder in which the command runs may be missing in the revision.
        is_absent(revision, if matches!(rest, b"." | b"..") { path } else { rest })
    }

    /// Returns what Git keeps by the name of a revision, of a file in one, or of a file in the next commit.
    fn kept(&mut self, name: &[u8], profile: &Profile) -> core::result::Result<Kept, String> {
        let place = name.iter().position(|&byte| byte == b':').filter(|&place| place > 0);
        let Some((revision, path)) = place.and_then(|place| name.split_at_checked(place)) else {
            return self.ask(name, profile);
        };
        let tree = match self.trees.get(revision) {
            Some(tree) => tree.clone(),
            None => {
                let tree = match self.ask(&[revision, b"^{tree}"].concat(), profile) {
                    Ok(Kept::Folder(hash)) => Some(hash),
                    _ => None,
                };
                self.trees.insert(revision.to_vec(), tree.clone());
                tree
            }
        };
        match tree {
            Some(tree) if path == b":" => Ok(Kept::Folder(tree)),
            Some(tree) => self.ask(&[&tree, path].concat(), profile),
            None => self.ask(name, profile),
        }
    }

    /// Asks Git for a name. A file is read as far as the profile reads it.
    fn ask(&mut self, name: &[u8], profile: &Profile) -> core::result::Result<Kept, String> {
        // Each name is a line. Git ignores a return at its end, and what follows a NUL.
        if name.iter().any(|byte| matches!(byte, b'\n' | b'\r' | 0)) {
            return Err("its name has a line end or a NUL".to_owned());
        }
        if self.ends >= MOST_ENDS {
            return Err(format!(
                "Git ended on {MOST_ENDS} names before; read this one in a command of its own"
            ));
        }
        let mut finder = match self.finder.take() {
            Some(finder) => finder,
            None => Finder::start().map_err(|error| format!("git: {}", reason(&error)))?,
        };
        match finder.find(name, profile) {
            Ok((kept, true)) => {
                self.finder = Some(finder);
                Ok(kept)
            }
            ended => {
                let _ = finder.git.kill();
                let _ = finder.git.wait();
                self.ends += u32::from(ended.is_err());
                let why = |error| finder.message().unwrap_or_else(|| format!("git: {}", reason(&error)));
                ended.map(|(kept, _)| kept).map_err(why)
            }
        }
    }
}

impl Finder {
    fn start() -> io::Result<Self> {
        let messages = tempfile::tempfile()?;
        let mut git = Command::new("git")
            .args(["cat-file", "--batch", "--follow-symlinks"])
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
    fn find(&mut self, name: &[u8], profile: &Profile) -> io::Result<(Kept, bool)> {
        self.names.write_all(&[name, b"\n"].concat())?;
        let mut head = Vec::new();
        (&mut self.found).take(name.len() as u64 + LONGEST_MESSAGE).read_until(b'\n', &mut head)?;
        if head.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // `HASH blob 12`, or `NAME missing`. Of a link, `dangling 12`.
        if let Some(why) = head.strip_prefix(name) {
            return match why {
                b" ambiguous" => Err(io::Error::other("several objects have this name; write more of it")),
                _ => Ok((Kept::Nothing, true)),
            };
        }
        let mut words = head.rsplit(|&byte| byte == b' ');
        let size = words.next().and_then(|size| core::str::from_utf8(size).ok()?.parse::<u64>().ok());
        // The place of another repository has no size.
        let Some(size) = size else { return Ok((Kept::Other, true)) };
        // A line end follows.
        let mut rest = size.saturating_add(1);
        let kept = match words.next() {
            Some(b"blob") => {
                let bytes = source::read((&mut self.found).take(size), profile)?;
                rest -= bytes.len() as u64;
                Kept::File(bytes)
            }
            Some(b"tree") => Kept::Folder(words.next().unwrap_or_default().to_vec()),
            Some(b"symlink" | b"dangling" | b"loop") => Kept::Link,
            // The name takes a file for a folder.
            Some(b"notdir") => Kept::Nothing,
            _ => Kept::Other,
        };
        if rest > MOST_SKIPPED {
            return Ok((kept, false));
        }
        match io::copy(&mut (&mut self.found).take(rest), &mut io::sink())? {
            skipped if skipped == rest => Ok((kept, true)),
            // Git ended before the end of the file.
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Returns what Git said before it ended.
    fn message(&mut self) -> Option<String> {
        let mut message = Vec::new();
        self.messages.rewind().ok()?;
        (&self.messages).take(LONGEST_MESSAGE).read_to_end(&mut message).ok()?;
        // Warnings may come before it.
        let mut lines = message.split(|&byte| byte == b'\n');
        let line = lines.clone().find_map(|line| line.strip_prefix(b"fatal: ")).or_else(|| lines.next())?;
        (!line.is_empty()).then(|| format!("git: {}", Text(line)))
    }
}

/// The names on which Git may end, such as those of files outside of the repository. Each takes a new process.
const MOST_ENDS: u32 = 100;

/// The most bytes that are read and not kept, before a new process costs less.
const MOST_SKIPPED: u64 = 1 << 20;

/// The most bytes of a message of Git that are read.
const LONGEST_MESSAGE: u64 = 4096;
