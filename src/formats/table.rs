//! Tables: rows under a line of headings, separated by commas, semicolons, tabs or bars, in any encoding that is named or
//! marked. A row is an object whose keys are the headings; an empty cell says nothing.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use csv::{ByteRecord, ReaderBuilder};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use serde_json::{Map, Value};

use super::cut::{Object, Objects};
use crate::wire::elements::LONGEST;
use crate::wire::{Element, Fault, Position};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub delimiter: u8,
    /// None: UTF-8.
    pub encoding: Option<&'static Encoding>,
}

/// A cell with more lines than this is one whose closing quote is missing: it has swallowed the rows after it.
const MOST_LINES: usize = 50;

/// How the table that begins so is written; none where it begins like no table.
pub fn layout(head: &[u8], whole: bool) -> Option<Layout> {
    let encoding = Encoding::for_bom(head).map(|(encoding, _)| encoding).filter(|encoding| *encoding != UTF_8);
    // A line ends with either mark, or with both.
    let text = encoding.unwrap_or(UTF_8).decode(head).0.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = text.lines();
    let first = lines.find(|line| !line.trim().is_empty())?;
    // One line alone that does not end is no row of headings with rows to come.
    if lines.next().is_none() && whole {
        return None;
    }
    let counts = [b',', b';', b'\t', b'|'].map(|mark| (outside_quotes(first, mark), mark));
    let (count, delimiter) = counts.into_iter().max_by_key(|(count, _)| *count)?;
    (count > 0).then_some(Layout { delimiter, encoding })
}

/// The first rows of a table, as objects.
pub fn sample(head: &[u8], layout: &Layout, most: usize) -> Vec<Value> {
    let rows = layout.objects(head).filter_map(Result::ok).take(most);
    rows.filter_map(|row| row.value.ok()).collect()
}

fn outside_quotes(line: &str, mark: u8) -> usize {
    let mut quoted = false;
    line.bytes()
        .filter(|byte| {
            quoted ^= *byte == b'"';
            !quoted && *byte == mark
        })
        .count()
}

impl Layout {
    /// The rows of a reader.
    pub fn objects<'a>(&self, reader: impl BufRead + 'a) -> Objects<'a> {
        let decoded = DecodeReaderBytesBuilder::new().encoding(self.encoding).strip_bom(true).build(reader);
        let kept = Rc::new(RefCell::new(Kept::default()));
        let tee = Tee { reader: decoded, kept: Rc::clone(&kept) };
        let rows =
            ReaderBuilder::new().delimiter(self.delimiter).flexible(true).has_headers(false).from_reader(tee);
        Box::new(Rows { rows, kept, headings: Vec::new(), layout: *self, begun: false, done: false })
    }

    /// The line of headings as it came, to stand above rows that are written out again.
    pub fn headings(&self, head: &[u8]) -> Vec<u8> {
        let decoded = DecodeReaderBytesBuilder::new().encoding(self.encoding).strip_bom(true).build(head);
        let kept = Rc::new(RefCell::new(Kept::default()));
        let tee = Tee { reader: decoded, kept: Rc::clone(&kept) };
        let mut rows = ReaderBuilder::new().delimiter(self.delimiter).has_headers(false).from_reader(tee);
        let _read = rows.read_byte_record(&mut ByteRecord::new());
        let raw = kept.borrow_mut().take(rows.position().byte());
        self.encoded(&raw)
    }

    /// The text in the encoding of the table.
    fn encoded(&self, text: &[u8]) -> Vec<u8> {
        let Some(encoding) = self.encoding else { return text.to_vec() };
        let text = String::from_utf8_lossy(text);
        if encoding == UTF_16LE {
            return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        }
        if encoding == UTF_16BE {
            return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        }
        encoding.encode(&text).0.into_owned()
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.delimiter {
            b',' => "commas",
            b';' => "semicolons",
            b'\t' => "tabs",
            _ => "bars",
        };
        write!(f, "columns separated by {mark}, in {}", self.encoding.unwrap_or(UTF_8).name())
    }
}

/// Bytes that were read and belong to no row yet.
#[derive(Debug, Default)]
struct Kept {
    begins: u64,
    bytes: Vec<u8>,
}

impl Kept {
    /// Those up to this place.
    fn take(&mut self, end: u64) -> Vec<u8> {
        let length = usize::try_from(end.saturating_sub(self.begins)).unwrap_or(usize::MAX).min(self.bytes.len());
        self.begins = end;
        self.bytes.drain(..length).collect()
    }
}

/// Keeps what passes through; a row longer than any row should be ends the reading.
struct Tee<R> {
    reader: R,
    kept: Rc<RefCell<Kept>>,
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let mut kept = self.kept.borrow_mut();
        kept.bytes.extend_from_slice(buffer.get(..read).unwrap_or_default());
        if kept.bytes.len() > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooLong));
        }
        Ok(read)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a row is longer than {LONGEST} bytes")]
struct TooLong;

struct Rows<R> {
    rows: csv::Reader<R>,
    kept: Rc<RefCell<Kept>>,
    headings: Vec<String>,
    layout: Layout,
    begun: bool,
    done: bool,
}

impl<R: Read> Iterator for Rows<R> {
    type Item = io::Result<Object>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.begun {
            self.begun = true;
            match self.begin() {
                Ok(None) => {}
                Ok(Some(fault)) => return Some(Ok(fault)),
                Err(error) => return Some(Err(error)),
            }
        }
        if self.done { None } else { self.row().transpose() }
    }
}

impl<R: Read> Rows<R> {
    /// Reads the headings; an object that is a fault where they are none.
    fn begin(&mut self) -> io::Result<Option<Object>> {
        let mut record = ByteRecord::new();
        let Some(element) = self.take(&mut record)? else { return Ok(None) };
        let broken = |fault: Fault| Object { value: Err(fault), element: element.clone() };
        let mut seen = HashSet::new();
        for (at, cell) in record.iter().enumerate() {
            let name = match std::str::from_utf8(cell) {
                Ok(name) => name.trim().to_owned(),
                Err(_) => {
                    self.done = true;
                    return Ok(Some(broken(not_utf_8(&element, cell))));
                }
            };
            let name = if name.is_empty() { format!("column {}", at + 1) } else { name };
            if !seen.insert(name.clone()) {
                self.done = true;
                let message = format!("the heading {name:?} occurs twice");
                return Ok(Some(broken(Fault::new(element.at, message, "each heading once"))));
            }
            self.headings.push(name);
        }
        Ok(None)
    }

    fn row(&mut self) -> io::Result<Option<Object>> {
        let mut record = ByteRecord::new();
        let Some(element) = self.take(&mut record)? else { return Ok(None) };
        let value = match &element.fault {
            Some(fault) => Err(fault.clone()),
            None => self.object(&element, &record),
        };
        let element = Element { bytes: self.layout.encoded(&element.bytes), ..element };
        Ok(Some(Object { element, value }))
    }

    /// The next row and its bytes.
    fn take(&mut self, record: &mut ByteRecord) -> io::Result<Option<Element>> {
        let read = self.rows.read_byte_record(record);
        let line = record.position().map_or_else(|| self.rows.position().line(), csv::Position::line);
        let at = Position { line, column: 1 };
        match read {
            Ok(true) => {
                let mut bytes = self.kept.borrow_mut().take(self.rows.position().byte());
                while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
                    bytes.pop();
                }
                let begins = bytes.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                bytes.drain(..begins);
                let fault = swallowed(at, record, &bytes);
                Ok(Some(Element { at, bytes, fault }))
            }
            Ok(false) => {
                self.done = true;
                Ok(None)
            }
            Err(error) => {
                self.done = true;
                let long = |error: &io::Error| error.get_ref().is_some_and(|inner| inner.is::<TooLong>());
                if matches!(error.kind(), csv::ErrorKind::Io(error) if long(error)) {
                    return Ok(Some(Element { at, bytes: Vec::new(), fault: Some(unclosed(at)) }));
                }
                Err(error.into())
            }
        }
    }

    fn object(&self, element: &Element, record: &ByteRecord) -> Result<Value, Fault> {
        if record.len() != self.headings.len() {
            let message = format!("the row has {} cells", record.len());
            return Err(Fault::new(element.at, message, format!("{}, one for each heading", self.headings.len())));
        }
        let mut object = Map::new();
        for (heading, cell) in self.headings.iter().zip(record) {
            let text = std::str::from_utf8(cell).map_err(|_| not_utf_8(element, cell).about(heading))?;
            let value = if text.trim().is_empty() { Value::Null } else { Value::String(text.to_owned()) };
            object.insert(heading.clone(), value);
        }
        Ok(Value::Object(object))
    }
}

/// A row that holds others, because a quote in it is never closed.
fn swallowed(at: Position, record: &ByteRecord, bytes: &[u8]) -> Option<Fault> {
    let lines = |cell: &[u8]| cell.iter().filter(|byte| **byte == b'\n').count();
    let many = record.iter().any(|cell| lines(cell) > MOST_LINES);
    let odd = bytes.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
    let holds_lines = record.iter().any(|cell| lines(cell) > 0);
    (many || (odd && holds_lines)).then(|| unclosed(at))
}

fn unclosed(at: Position) -> Fault {
    Fault::new(
        at,
        "a quote that is opened in this row is never closed: it swallows the rows after it",
        "a closing quote",
    )
}

fn not_utf_8(element: &Element, cell: &[u8]) -> Fault {
    let byte = std::str::from_utf8(cell).err().and_then(|error| cell.get(error.valid_up_to())).copied();
    let message = format!("the byte 0x{:02X} is not UTF-8", byte.unwrap_or_default());
    Fault::new(element.at, message, "UTF-8, or the name of the encoding (--encoding latin1)")
}
