//! The bytes between the network and a decoder.

use std::io::{self, BufRead, Read};

/// The received bytes of a body that are not decoded yet. Without any, reading would block.
#[derive(Debug, Default)]
pub(super) struct Feed {
    pub(super) chunk: Vec<u8>,
    pub(super) at: usize,
    pub(super) ended: bool,
}

impl BufRead for Feed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.chunk.get(self.at..) {
            Some(rest) if self.ended || !rest.is_empty() => Ok(rest),
            _ => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

impl Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(buffer)?;
        self.consume(bytes);
        Ok(bytes)
    }
}
