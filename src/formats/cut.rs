//! JSON in the shapes that memories come in, cut into objects without holding more than one.
//!
//! Lines (also several objects on one, or with commas after them), an array, an array's body without its brackets, and
//! one document with its objects at known places. What is broken keeps its bytes.

use std::io::{self, BufRead};

use serde_json::Value;

use super::document::Document;
use super::spec::Format;
use super::take::{skip_mark, take_value};
use crate::wire::bytes::Bytes;
use crate::wire::node::Node;
use crate::wire::{Element, Elements, Fault};

/// How a JSON file is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// One object a line, or one array.
    Lines,
    /// Objects over several lines, with or without commas between them.
    Body,
    /// One document; the format says where its objects stand.
    Document,
}

/// One object of a file: its bytes as they came, and what it says or why it says nothing.
#[derive(Clone, Debug)]
pub struct Object {
    pub element: Element,
    pub value: Result<Value, Fault>,
}

/// The objects of a file, in their order.
pub type Objects<'a> = Box<dyn Iterator<Item = io::Result<Object>> + 'a>;

impl Cut {
    /// The objects of a reader, cut this way.
    pub fn objects<'a>(self, reader: impl BufRead + 'a, format: &Format) -> Objects<'a> {
        match self {
            Self::Lines => Box::new(Elements::new(reader).flat_map(|element| match element {
                Ok(element) => several(element).into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            })),
            Self::Body => {
                Box::new(Body { bytes: Bytes::new(reader), begun: false }.map(|item| item.map(Object::of)))
            }
            Self::Document => {
                Box::new(Document::new(reader, format.items.clone()).map(|item| item.map(Object::of)))
            }
        }
    }

    /// What a person would call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "JSON Lines or an array",
            Self::Body => "objects over several lines, without brackets around them",
            Self::Document => "one JSON document",
        }
    }
}

impl Object {
    /// What an element says.
    pub fn of(element: Element) -> Self {
        let value = match &element.fault {
            Some(fault) => Err(fault.clone()),
            None => Node::new(&element.bytes, element.at).and_then(Node::value),
        };
        Self { element, value }
    }
}

/// The object on a line, or the objects: writers that crash between two lines leave two on one.
fn several(element: Element) -> Vec<Object> {
    let whole = Object::of(element);
    if whole.value.is_ok() || whole.element.fault.is_some() {
        return vec![whole];
    }
    let mut pieces = Vec::new();
    let mut bytes = Bytes { reader: whole.element.bytes.as_slice(), at: whole.element.at };
    while let Ok(Some(element)) = next_value(&mut bytes) {
        pieces.push(Object::of(element));
    }
    let sound = pieces.iter().all(|piece| piece.value.as_ref().is_ok_and(Value::is_object));
    if sound && !pieces.is_empty() { pieces } else { vec![whole] }
}

/// Objects one after the other.
struct Body<R> {
    bytes: Bytes<R>,
    begun: bool,
}

impl<R: BufRead> Iterator for Body<R> {
    type Item = io::Result<Element>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.begun {
            self.begun = true;
            if let Err(error) = skip_mark(&mut self.bytes.reader) {
                return Some(Err(error));
            }
        }
        next_value(&mut self.bytes).transpose()
    }
}

/// The next value, past white space and commas; what begins like none is taken to the end of its line.
fn next_value(bytes: &mut Bytes<impl BufRead>) -> io::Result<Option<Element>> {
    loop {
        bytes.skip_blank()?;
        match bytes.peek()? {
            None => return Ok(None),
            Some(b',') => bytes.step(1),
            Some(_) => return take_value(bytes).map(Some),
        }
    }
}
