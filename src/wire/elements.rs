//! A reader cut into elements: the lines of JSON Lines, or the items of one JSON array.
//!
//! At most one element is held, and none longer than [`LONGEST`]: a longer one is passed over with a fault, and the
//! next is read (a line of a gibibyte must not be a gibibyte of memory). What is broken keeps its bytes, so that a
//! rejects file gets them as they came.

use std::io::{self, BufRead};

use super::bytes::{Bytes, Scan};
use super::fault::{Fault, Position};

/// The longest element that is read, in bytes: 8 MiB.
pub const LONGEST: usize = 8 * 1024 * 1024;

/// One element as it came: its bytes, where they begin, and what already kept it from being one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub at: Position,
    /// Without the line feed or comma after it; empty where it was too long to keep.
    pub bytes: Vec<u8>,
    /// Set where it is no element at all: too long, cut off, or outside the array.
    pub fault: Option<Fault>,
}

/// The elements of a reader, in their order. An `Err` is the reader's own.
#[derive(Debug)]
pub struct Elements<R> {
    bytes: Bytes<R>,
    mode: Mode,
    /// Bytes consumed in search of a byte-order mark that turned out to be none.
    held: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Start,
    Lines,
    Array(Place),
    AfterArray,
    Done,
}

/// Where in an array the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Opened,
    AfterItem,
    AfterComma,
}

impl<R: BufRead> Elements<R> {
    pub fn new(reader: R) -> Self {
        Self { bytes: Bytes::new(reader), mode: Mode::Start, held: Vec::new() }
    }

    fn advance(&mut self) -> io::Result<Option<Element>> {
        loop {
            match self.mode {
                Mode::Start => self.mode = self.told_apart()?,
                Mode::Lines => return self.line(),
                Mode::Array(place) => {
                    if let Some(element) = self.item(place)? {
                        return Ok(Some(element));
                    }
                }
                Mode::AfterArray => {
                    return Ok(self.line()?.map(|line| line.broken("this stands after the end of the array", END)));
                }
                Mode::Done => return Ok(None),
            }
        }
    }

    /// Skips a byte-order mark and blank space; the first byte after them tells an array from lines.
    fn told_apart(&mut self) -> io::Result<Mode> {
        for mark in [0xEF, 0xBB, 0xBF] {
            if self.bytes.peek()? != Some(mark) {
                break;
            }
            self.bytes.reader.consume(1);
            self.held.push(mark);
        }
        match self.held.len() {
            3 => self.held.clear(),
            0 => {}
            _ => return Ok(Mode::Lines),
        }
        self.bytes.skip_blank()?;
        if self.bytes.peek()? != Some(b'[') {
            return Ok(Mode::Lines);
        }
        self.bytes.step(1);
        Ok(Mode::Array(Place::Opened))
    }

    /// The next line that is not blank.
    fn line(&mut self) -> io::Result<Option<Element>> {
        loop {
            let at = self.bytes.at;
            let mut bytes = std::mem::take(&mut self.held);
            let limit = u64::try_from(LONGEST + 1).unwrap_or(u64::MAX);
            let read = io::Read::take(&mut self.bytes.reader, limit).read_until(b'\n', &mut bytes)?;
            if read == 0 && bytes.is_empty() {
                self.mode = Mode::Done;
                return Ok(None);
            }
            self.bytes.at = Position { line: at.line + 1, column: 1 };
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
            } else if bytes.len() > LONGEST {
                let passed = self.bytes.reader.skip_until(b'\n')?;
                return Ok(Some(too_long(at, "line", bytes.len() + passed)));
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Element { at, bytes, fault: None }));
            }
        }
    }

    /// One step in the array: an item, or what is wrong where one should be; none where only a mark was passed.
    fn item(&mut self, place: Place) -> io::Result<Option<Element>> {
        self.bytes.skip_blank()?;
        let at = self.bytes.at;
        let next = self.bytes.peek()?;
        let nothing = |message: &str, expected: &str| Some(Element::nothing(at, message, expected));
        Ok(match (next, place) {
            (None, _) => {
                self.mode = Mode::Done;
                nothing("the file ends inside the array", "`]` at the end of the array")
            }
            (Some(b']'), _) => {
                self.bytes.step(1);
                self.mode = Mode::AfterArray;
                let trailing = place == Place::AfterComma;
                trailing.then(|| Element::nothing(at, "a comma stands before the `]`", "a record after a comma"))
            }
            (Some(b','), Place::AfterItem) => {
                self.bytes.step(1);
                self.mode = Mode::Array(Place::AfterComma);
                None
            }
            (Some(b','), Place::Opened | Place::AfterComma) => {
                self.bytes.step(1);
                self.mode = Mode::Array(Place::AfterComma);
                nothing("a comma with no record before it", "a record before each comma")
            }
            (Some(_), _) => {
                self.mode = Mode::Array(Place::AfterItem);
                Some(self.scan(at)?)
            }
        })
    }

    /// Reads to the comma or bracket that ends the item: the first outside of texts and inner brackets.
    fn scan(&mut self, at: Position) -> io::Result<Element> {
        let mut scan = Scan::default();
        let (mut bytes, mut length) = (Vec::new(), 0_usize);
        loop {
            let chunk = self.bytes.chunk()?;
            if chunk.is_empty() {
                self.mode = Mode::Done;
                let message = format!("the file ends inside the record that began at line {}", at.line);
                let fault =
                    Fault::new(self.bytes.at, message, "the rest of the record, and `]` at the end of the array");
                return Ok(Element { at, bytes, fault: Some(fault) });
            }
            let end = chunk.iter().position(|byte| scan.ends_before(*byte));
            let used = end.unwrap_or(chunk.len());
            length += used;
            if length <= LONGEST {
                bytes.extend_from_slice(chunk.get(..used).unwrap_or_default());
            } else {
                bytes = Vec::new();
            }
            self.bytes.step(used);
            if end.is_some() {
                bytes.truncate(bytes.trim_ascii_end().len());
                let whole = Element { at, bytes, fault: None };
                return Ok(if length > LONGEST { too_long(at, "record", length) } else { whole });
            }
        }
    }
}

const END: &str = "nothing more (JSON Lines have no brackets around them)";

fn too_long(at: Position, what: &str, length: usize) -> Element {
    let message = format!("the {what} is too long: {length} bytes");
    Element::nothing(at, &message, &format!("at most {LONGEST} bytes (8 MiB)"))
}

impl Element {
    fn nothing(at: Position, message: &str, expected: &str) -> Self {
        Self { at, bytes: Vec::new(), fault: Some(Fault::new(at, message, expected)) }
    }

    fn broken(self, message: &str, expected: &str) -> Self {
        let at = Position { column: self.at.column + self.indent(), ..self.at };
        Self { fault: self.fault.or_else(|| Some(Fault::new(at, message, expected))), ..self }
    }

    fn indent(&self) -> u64 {
        self.bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).map(|_| 1).sum()
    }
}

impl<R: BufRead> Iterator for Elements<R> {
    type Item = io::Result<Element>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            // A reader that has failed is not asked again: what it would give next has no place in the file.
            self.mode = Mode::Done;
        }
        next.transpose()
    }
}
