//! A reader of bytes that knows where it stands, and how far a JSON value in it reaches.

use std::io::{self, BufRead, ErrorKind};

use super::fault::Position;

/// A reader, and the place of its next byte.
#[derive(Debug)]
pub struct Bytes<R> {
    pub reader: R,
    pub at: Position,
}

/// How deep in brackets and texts a scan of a value stands.
#[derive(Debug, Default)]
pub struct Scan {
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl<R: BufRead> Bytes<R> {
    pub const fn new(reader: R) -> Self {
        Self { reader, at: Position::START }
    }

    /// Passes over white space.
    pub fn skip_blank(&mut self) -> io::Result<()> {
        loop {
            let chunk = self.chunk()?;
            let blank = chunk.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if blank == 0 {
                return Ok(());
            }
            self.step(blank);
        }
    }

    /// The next byte; none at the end.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.chunk()?.first().copied())
    }

    /// What the reader has at hand; empty at its end.
    pub fn chunk(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.reader.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.reader.fill_buf()
    }

    /// Consumes bytes that [`Self::chunk`] has shown.
    pub fn step(&mut self, bytes: usize) {
        if let Ok(chunk) = self.reader.fill_buf() {
            self.at = self.at.after(chunk.get(..bytes).unwrap_or_default());
        }
        self.reader.consume(bytes);
    }
}

impl Scan {
    /// Whether the item ends before this byte; otherwise the byte belongs to it.
    pub fn ends_before(&mut self, byte: u8) -> bool {
        if self.in_text {
            self.within_text(byte);
            return false;
        }
        match byte {
            b'"' => self.in_text = true,
            b'{' | b'[' => self.depth += 1,
            b',' | b']' if self.depth == 0 => return true,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        false
    }

    /// Whether a value that began with a bracket or a quote ends with this byte.
    pub fn ends_with(&mut self, byte: u8) -> bool {
        if self.in_text {
            self.within_text(byte);
            return self.depth == 0 && !self.in_text;
        }
        match byte {
            b'"' => self.in_text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    const fn within_text(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.in_text = false,
            _ => {}
        }
    }
}
