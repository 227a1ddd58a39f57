//! Decompressing logs: gzip, and zstd (RFC 8878) in bounded memory and with all checks of its frames.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::sync::mpsc::{Receiver, sync_channel};

use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Reads a log, and decompresses it in a thread if that is necessary.
pub(super) fn ahead(
    source: impl Read + Send + 'static,
    windows: Windows,
) -> io::Result<Box<dyn Read + Send>> {
    /// The bytes that are sent at once.
    const BLOCK: u64 = 128 << 10;
    let (mut source, is_compressed) = opened(source, windows)?;
    if !is_compressed {
        return Ok(source);
    }
    let (sender, blocks) = sync_channel(2);
    std::thread::spawn(move || {
        loop {
            let mut block = Vec::new();
            let read = source.by_ref().take(BLOCK).read_to_end(&mut block);
            // What was read before an error counts. If no one reads any more, this ends.
            if !block.is_empty() && sender.send(Ok(block)).is_err() {
                break;
            }
            match read {
                Ok(length) if length as u64 == BLOCK => {}
                last => {
                    let _ = sender.send(last.map(|_| Vec::new()));
                    break;
                }
            }
        }
    });
    Ok(Box::new(Ahead { blocks: Some(blocks), block: Cursor::default() }))
}

/// Decompresses gzip and zstd, which their first bytes show.
pub(super) fn decompressed(source: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    opened(source, Windows::default()).map(|(source, _)| source)
}

/// Returns the text of a log, and whether it is compressed. `windows` counts those of all logs that are read at the same time.
fn opened(source: impl Read + Send + 'static, windows: Windows) -> io::Result<(Box<dyn Read + Send>, bool)> {
    let mut source = source;
    let mut start = [0; 4];
    let mut length = 0;
    while length < start.len() {
        match source.read(start.get_mut(length..).unwrap_or_default())? {
            0 => break,
            more => length += more,
        }
    }
    let start_bytes = start.get(..length).unwrap_or_default().to_vec();
    let whole = Cursor::new(start_bytes).chain(source);
    let source: Box<dyn Read + Send> = match start {
        [0x1F, 0x8B, ..] => {
            let source: Source = Box::new(BufReader::with_capacity(1 << 17, whole));
            Box::new(Members(Some(GzDecoder::new(source))))
        }
        [0x28, 0xB5, 0x2F, 0xFD] | [0x50..=0x5F, 0x2A, 0x4D, 0x18] => {
            Box::new(Frames::new(Box::new(BufReader::with_capacity(1 << 17, whole)), windows))
        }
        [b'B', b'Z', b'h', _] => {
            return Err(damaged("it is compressed with bzip2; decompress it, as with `bzcat`"));
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            return Err(damaged("it is in UTF-16; convert it, as with `iconv -f utf-16 -t utf-8`"));
        }
        // Without a byte order mark.
        [b' '..=b'~', 0, b' '..=b'~', 0] => {
            return Err(damaged("it is in UTF-16; convert it, as with `iconv -f utf-16le -t utf-8`"));
        }
        [0xFD, b'7', b'z', b'X'] => {
            return Err(damaged("it is compressed with xz; decompress it, as with `xzcat`"));
        }
        [b'P', b'K', 3, 4] => return Err(damaged("it is an archive; unpack it, as with `unzip -p`")),
        _ => return Ok((Box::new(whole), false)),
    };
    Ok((source, true))
}

/// A log that a thread decompresses.
struct Ahead {
    /// The last block is empty. There are no blocks after it.
    blocks: Option<Receiver<io::Result<Vec<u8>>>>,
    block: Cursor<Vec<u8>>,
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.block.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(blocks) = &self.blocks else { return Ok(0) };
            // Without a last block, the thread has panicked, and what it had read is not all.
            let block = blocks.recv().map_err(|_| damaged("it is damaged"))??;
            if block.is_empty() {
                self.blocks = None;
            }
            self.block = Cursor::new(block);
        }
    }
}

type Source = Box<dyn BufRead + Send>;

/// The members of a gzip file, one after the other. Zeros after the last one are padding, as `gzip` reads them.
struct Members(Option<GzDecoder<Source>>);

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.0 {
            let length = decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(mut source) = self.0.take().map(GzDecoder::into_inner) else { break };
            let has_more = loop {
                let rest = source.fill_buf()?;
                let zeros = rest.iter().take_while(|byte| **byte == 0).count();
                match (zeros, rest.len()) {
                    (_, 0) => break false,
                    (zeros, length) if zeros < length => {
                        source.consume(zeros);
                        break true;
                    }
                    (zeros, _) => source.consume(zeros),
                }
            };
            self.0 = has_more.then(|| GzDecoder::new(source));
        }
        Ok(0)
    }
}

/// Returns the error of a file that can't be read as a log, with what to do if there is something.
fn damaged(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

/// The largest window of a frame in bytes: that of `zstd -19`, and the least that RFC 8878 recommends to support (section 3.1.1.1.2).
/// `zstd --long` and `zstd --ultra -22` use 128 MiB, or the size of a smaller file.
const MOST_WINDOW: u64 = 8 << 20;

/// The most bytes of the windows of all logs that are read at the same time.
const MOST_WINDOWS: u64 = 128 << 20;

const CUT: &str = "it was cut";

/// What the windows of all logs have together.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows(Arc<AtomicU64>);

impl Windows {
    /// Takes the window of a frame, unless it or all together are too large.
    fn take(&self, size: u64) -> io::Result<Window> {
        if size > MOST_WINDOW {
            return Err(damaged(format!(
                "it needs a window of {} MiB, and {} MiB are the most; decompress it first, as with `zstd -d --long=31`",
                size.div_ceil(1 << 20),
                MOST_WINDOW >> 20
            )));
        }
        let window = Window { all: self.clone(), size };
        if self.0.fetch_add(size, Ordering::Relaxed) + size > MOST_WINDOWS {
            return Err(damaged(format!(
                "with the other logs of its time, it needs windows of more than {} MiB; decompress some first, as with `zstd -d`",
                MOST_WINDOWS >> 20
            )));
        }
        Ok(window)
    }
}

/// The window of a frame, which is given back when this is dropped.
struct Window {
    all: Windows,
    size: u64,
}

impl Drop for Window {
    fn drop(&mut self) {
        self.all.0.fetch_sub(self.size, Ordering::Relaxed);
    }
}

/// The header of a frame (section 3.1.1.1).
struct Header {
    bytes: Vec<u8>,
    window: u64,
    /// The size of the text, which a header may leave out.
    size: Option<u64>,
}

impl Header {
    const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

    /// Reads what follows the magic number.
    fn read(source: &mut Source) -> io::Result<Self> {
        let mut bytes = Self::MAGIC.to_vec();
        let mut number = |length: usize| {
            let mut field = [0; 8];
            let part = field.get_mut(..length).unwrap_or_default();
            fill(source, part)?;
            bytes.extend_from_slice(part);
            Ok::<_, io::Error>(u64::from_le_bytes(field))
        };
        let descriptor = number(1)?;
        // A reserved bit may give the other fields another meaning.
        if descriptor >> 3 & 1 == 1 {
            return Err(damaged("it is damaged, or zstd of a later version"));
        }
        let is_single_segment = descriptor >> 5 & 1 == 1;
        let window = if is_single_segment { None } else { Some(number(1)?) };
        // The number of a dictionary.
        number(match descriptor & 3 {
            3 => 4,
            length => length as usize,
        })?;
        let size = match descriptor >> 6 {
            0 if !is_single_segment => None,
            0 => Some(number(1)?),
            1 => Some(number(2)? + 256),
            2 => Some(number(4)?),
            _ => Some(number(8)?),
        };
        let window = match window {
            Some(window) => {
                let base = 1 << (10 + (window >> 3));
                base + base / 8 * (window & 7)
            }
            None => size.unwrap_or_default(),
        };
        Ok(Self { bytes, window, size })
    }
}

/// Fills a buffer.
fn fill(source: &mut Source, buffer: &mut [u8]) -> io::Result<()> {
    source.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(CUT),
        _ => error,
    })
}

/// A frame that is being decompressed.
struct Frame {
    decoder: StreamingDecoder<Chain<Cursor<Vec<u8>>, Source>, FrameDecoder>,
    /// The size that its header says.
    wanted: Option<u64>,
    /// What was read of it.
    size: u64,
    _window: Window,
}

impl Frame {
    fn new(mut source: Source, windows: &Windows) -> io::Result<Self> {
        let header = Header::read(&mut source)?;
        let window = windows.take(header.window)?;
        // The second start of a decoder allocates its window at once, and not in parts that add up to two of it.
        let mut decoder = FrameDecoder::new();
        let decoder = decoder.init(&*header.bytes).and_then(|()| {
            StreamingDecoder::new_with_decoder(Cursor::new(header.bytes).chain(source), decoder)
        });
        let decoder = decoder.map_err(|error| match error {
            FrameDecoderError::DictNotProvided { .. } => {
                damaged("it is compressed with a dictionary; decompress it, as with `zstd -dc -D FILE`")
            }
            _ => damaged("it is not zstd, is damaged, or was cut"),
        })?;
        Ok(Self { decoder, wanted: header.size, size: 0, _window: window })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The error of the decoder has the names of its types.
        let length = self.decoder.read(buffer).map_err(|_| damaged("it is damaged or was cut"))?;
        self.size += length as u64;
        Ok(length)
    }

    /// Returns what follows the frame, after its checks: the decoder makes none of them.
    fn end(self) -> io::Result<Source> {
        let (source, decoder) = self.decoder.into_parts();
        if let Some(wanted) = self.wanted.filter(|wanted| *wanted != self.size) {
            let size = self.size;
            return Err(damaged(format!(
                "it is damaged: a frame has {size} bytes, and its header says {wanted}"
            )));
        }
        if let Some(wanted) = decoder.get_checksum_from_data()
            && decoder.get_calculated_checksum() != Some(wanted)
        {
            return Err(damaged("it is damaged: a frame has another checksum"));
        }
        Ok(source.into_inner().1)
    }
}

/// The frames of a zstd file, one after the other. Frames without text are skipped.
struct Frames {
    source: Option<Source>,
    frame: Option<Frame>,
    windows: Windows,
}

impl Frames {
    const fn new(source: Source, windows: Windows) -> Self {
        Self { source: Some(source), frame: None, windows }
    }
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let length = frame.read(buffer)?;
                if length > 0 || buffer.is_empty() {
                    return Ok(length);
                }
            }
            if let Some(frame) = self.frame.take() {
                self.source = Some(frame.end()?);
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let mut start = [0; 4];
            fill(&mut source, &mut start)?;
            match start {
                [0x50..=0x5F, 0x2A, 0x4D, 0x18] => {
                    let mut length = [0; 4];
                    fill(&mut source, &mut length)?;
                    let length = u64::from(u32::from_le_bytes(length));
                    if io::copy(&mut source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(damaged(CUT));
                    }
                    self.source = Some(source);
                }
                Header::MAGIC => self.frame = Some(Frame::new(source, &self.windows)?),
                _ => return Err(damaged("it is damaged: other bytes follow a frame")),
            }
        }
    }
}
