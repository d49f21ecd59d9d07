//! One JSON document, walked without holding it: what stands at the places that a format names comes out, one by one.

use std::io::{self, BufRead};

use super::path::{Path, Step};
use super::take::{skip_mark, take_value};
use crate::wire::bytes::Bytes;
use crate::wire::{Element, Fault, Position};

/// A walk through a document.
pub(super) struct Document<R> {
    bytes: Bytes<R>,
    items: Vec<Path>,
    /// The keys that lead to where the walk stands.
    keys: Vec<String>,
    frames: Vec<Frame>,
    state: State,
}

/// An object or list that the walk is inside of.
#[derive(Clone, Copy, Debug)]
struct Frame {
    list: bool,
    /// What is in it is what is wanted.
    items: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    After,
    Done,
}

impl<R: BufRead> Document<R> {
    pub(super) fn new(reader: R, items: Vec<Path>) -> Self {
        Self { bytes: Bytes::new(reader), items, keys: Vec::new(), frames: Vec::new(), state: State::Before }
    }

    fn advance(&mut self) -> io::Result<Option<Element>> {
        loop {
            match self.state {
                State::Before => {
                    skip_mark(&mut self.bytes.reader)?;
                    self.bytes.skip_blank()?;
                    if self.bytes.peek()? != Some(b'{') {
                        return Ok(self.broken("the file is no JSON document", "`{`"));
                    }
                    self.enter(Frame { list: false, items: self.leads(0) });
                    self.state = State::Inside;
                }
                State::Inside => match self.frames.last().copied() {
                    Some(frame) => {
                        if let Some(element) = self.step(frame)? {
                            return Ok(Some(element));
                        }
                    }
                    None => self.state = State::After,
                },
                State::After => {
                    self.bytes.skip_blank()?;
                    self.state = State::Done;
                    if self.bytes.peek()?.is_some() {
                        return Ok(self.broken("this stands after the end of the document", "nothing more"));
                    }
                }
                State::Done => return Ok(None),
            }
        }
    }

    /// One step inside an object or list; an item, where one was met.
    fn step(&mut self, frame: Frame) -> io::Result<Option<Element>> {
        self.bytes.skip_blank()?;
        let closing = if frame.list { b']' } else { b'}' };
        match self.bytes.peek()? {
            None => Ok(self.broken("the file ends inside the document", "the rest of it (was the file cut off?)")),
            Some(byte) if byte == closing => {
                self.bytes.step(1);
                self.frames.pop();
                self.keys.pop();
                Ok(None)
            }
            Some(b',') => {
                self.bytes.step(1);
                Ok(None)
            }
            Some(_) if frame.list => self.item().map(Some),
            Some(b'"') => self.field(frame),
            Some(_) => Ok(self.broken("this is no key of the document", "a key in quotes, or `}`")),
        }
    }

    fn field(&mut self, frame: Frame) -> io::Result<Option<Element>> {
        let key = take_value(&mut self.bytes)?;
        let key: String = serde_json::from_slice(&key.bytes).unwrap_or_default();
        self.bytes.skip_blank()?;
        if self.bytes.peek()? != Some(b':') {
            return Ok(self.broken("a key without a value", "`:` and a value"));
        }
        self.bytes.step(1);
        self.bytes.skip_blank()?;
        let opening = self.bytes.peek()?;
        if frame.items {
            return self.item().map(Some);
        }
        self.keys.push(key);
        let (wanted, on_the_way) = (self.leads(self.keys.len()), self.is_on_the_way());
        match opening {
            Some(byte @ (b'{' | b'[')) if wanted => self.enter(Frame { list: byte == b'[', items: true }),
            Some(b'{') if on_the_way => self.enter(Frame { list: false, items: false }),
            _ => {
                let passed = take_value(&mut self.bytes)?;
                self.keys.pop();
                if passed.fault.is_some() && self.bytes.peek()?.is_none() {
                    self.state = State::Done;
                    return Ok(Some(passed));
                }
            }
        }
        Ok(None)
    }

    fn item(&mut self) -> io::Result<Element> {
        let item = take_value(&mut self.bytes)?;
        if item.fault.is_some() && self.bytes.peek()?.is_none() {
            self.state = State::Done;
        }
        Ok(item)
    }

    fn enter(&mut self, frame: Frame) {
        self.bytes.step(1);
        self.frames.push(frame);
    }

    /// Whether the keys so far are those of a place whose children are wanted.
    fn leads(&self, keys: usize) -> bool {
        self.items.iter().any(|path| {
            path.steps.len() == keys + 1 && path.steps.last() == Some(&Step::Each) && self.follows(path, keys)
        })
    }

    fn is_on_the_way(&self) -> bool {
        self.items.iter().any(|path| path.steps.len() > self.keys.len() + 1 && self.follows(path, self.keys.len()))
    }

    fn follows(&self, path: &Path, keys: usize) -> bool {
        let same = |(step, key): (&Step, &String)| matches!(step, Step::Key(named) if named == key);
        path.steps.iter().take(keys).zip(&self.keys).all(same)
    }

    fn broken(&mut self, message: &str, expected: &str) -> Option<Element> {
        self.state = State::Done;
        let at: Position = self.bytes.at;
        Some(Element { at, bytes: Vec::new(), fault: Some(Fault::new(at, message, expected)) })
    }
}

impl<R: BufRead> Iterator for Document<R> {
    type Item = io::Result<Element>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.state = State::Done;
        }
        next.transpose()
    }
}
