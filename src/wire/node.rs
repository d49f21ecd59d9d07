//! JSON read strictly, with the place of everything in it.
//!
//! `serde_json` takes the last of two equal keys in silence and says where a *syntax* error is, not where the number
//! stands that should have been a text. Here an object is its keys with their raw texts, and a place is where a raw
//! text lies in the whole. A key that occurs twice is refused at every depth, and so is nesting deeper than
//! [`DEEPEST`] (a value must still be readable inside the objects that answers wrap around it).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::fault::{Fault, Position};

/// How many brackets deep a value may be.
pub const DEEPEST: usize = 100;

/// Keys with a meaning of their own to `serde_json`: an object with one of them would come back as something else.
const RESERVED: &str = "$serde_json::private::";

/// One value in a text, not yet read further than its shape.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    whole: &'a str,
    /// Where the whole begins in its file.
    begins: Position,
    raw: &'a str,
}

/// What kind of JSON a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Null,
    Bool,
    Number,
    Text,
    List,
    Object,
}

impl<'a> Node<'a> {
    /// The one value in these bytes, which begin at this place of their file.
    pub fn new(bytes: &'a [u8], begins: Position) -> Result<Self, Fault> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { whole: text, begins, raw: text.trim_matches([' ', '\t', '\n', '\r']) }),
            Err(error) => {
                let (good, bad) = bytes.split_at(error.valid_up_to());
                let byte = bad.first().copied().unwrap_or_default();
                let utf_16 = good.is_empty() && matches!(byte, 0xFE | 0xFF);
                let hint = if utf_16 { "UTF-8 (this looks like UTF-16: convert it)" } else { "UTF-8" };
                Err(Fault::new(begins.after(good), format!("the byte 0x{byte:02X} is not UTF-8"), hint))
            }
        }
    }

    /// The one value in a text of its own.
    pub fn of(text: &'a str) -> Self {
        Self { whole: text, begins: Position::START, raw: text.trim_matches([' ', '\t', '\n', '\r']) }
    }

    /// What kind of JSON it is, by its first character.
    pub fn shape(self) -> Shape {
        match self.raw.as_bytes().first() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::List,
            Some(b'"') => Shape::Text,
            Some(b't' | b'f') => Shape::Bool,
            Some(b'n') => Shape::Null,
            _ => Shape::Number,
        }
    }

    /// Where it begins.
    pub fn at(self) -> Position {
        self.place(self.start())
    }

    /// The text of it as it came.
    pub const fn raw(self) -> &'a str {
        self.raw
    }

    /// A fault with this value.
    pub fn fault(self, message: impl Into<String>, expected: impl Into<String>) -> Fault {
        Fault::new(self.at(), message, expected)
    }

    /// The fault of being of another shape than the one expected.
    pub fn unlike(self, expected: &str) -> Fault {
        self.fault(self.shape().found(), expected)
    }

    /// Its keys in their order, each once.
    pub fn fields(self) -> Result<Vec<(Cow<'a, str>, Self)>, Fault> {
        let mut reader = serde_json::Deserializer::from_str(self.raw);
        let fields = reader.deserialize_map(Fields).and_then(|fields| reader.end().map(|()| fields));
        let fields: Vec<(Cow<'a, str>, Self)> = fields
            .map_err(|error| self.syntax(&error))?
            .into_iter()
            .map(|(key, raw)| (key, Self { raw: raw.get(), ..self }))
            .collect();
        let mut seen = HashSet::with_capacity(fields.len());
        for (key, node) in &fields {
            if !seen.insert(&**key) {
                let fault = Fault::new(node.key_at(), "this key occurs twice", "each key once");
                return Err(fault.about(key));
            }
            if key.starts_with(RESERVED) {
                let fault = Fault::new(node.key_at(), "this key cannot be kept", "another key (it is reserved)");
                return Err(fault.about(key));
            }
        }
        Ok(fields)
    }

    /// Its items.
    pub fn items(self) -> Result<Vec<Self>, Fault> {
        let mut reader = serde_json::Deserializer::from_str(self.raw);
        let items = reader.deserialize_seq(Items).and_then(|items| reader.end().map(|()| items));
        let items = items.map_err(|error| self.syntax(&error))?;
        Ok(items.into_iter().map(|raw| Self { raw: raw.get(), ..self }).collect())
    }

    /// It, as a text.
    pub fn text(self) -> Result<Cow<'a, str>, Fault> {
        if self.shape() != Shape::Text {
            return Err(self.unlike("a text"));
        }
        serde_json::from_str(self.raw).map(|Key(text)| text).map_err(|error| self.syntax(&error))
    }

    /// It, as a text that names something.
    pub fn name(self) -> Result<Cow<'a, str>, Fault> {
        let text = self.text()?;
        if text.trim().is_empty() { Err(self.fault("it is empty", "a text with a name in it")) } else { Ok(text) }
    }

    /// It, as a whole number.
    pub fn whole_number(self) -> Result<i64, Fault> {
        if self.shape() != Shape::Number {
            return Err(self.unlike("a whole number"));
        }
        // Also refuses what only looks like a number (`1.0`, `1e3`): what it would be rounded to is a guess.
        self.raw.parse().map_err(|_| {
            let digits = self.raw.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            let what = if digits { "lies out of range" } else { "is no whole number" };
            self.fault(format!("{} {what}", self.brief()), "a whole number")
        })
    }

    /// It, as the core holds values: every key once, every number to its last digit.
    pub fn value(self) -> Result<Value, Fault> {
        self.value_within(DEEPEST)
    }

    fn value_within(self, levels: usize) -> Result<Value, Fault> {
        match self.shape() {
            Shape::Object | Shape::List if levels == 0 => {
                Err(self.fault("it is nested too deeply", format!("at most {DEEPEST} brackets inside each other")))
            }
            Shape::Object => {
                let mut map = Map::new();
                for (key, node) in self.fields()? {
                    map.insert(key.into_owned(), node.value_within(levels - 1)?);
                }
                Ok(Value::Object(map))
            }
            Shape::List => {
                let items: Result<Vec<Value>, Fault> =
                    self.items()?.into_iter().map(|item| item.value_within(levels - 1)).collect();
                items.map(Value::Array)
            }
            Shape::Null | Shape::Bool | Shape::Number | Shape::Text => {
                serde_json::from_str(self.raw).map_err(|error| self.syntax(&error))
            }
        }
    }

    /// The beginning of its text, for messages.
    pub fn brief(self) -> String {
        const ENOUGH: usize = 40;
        match self.raw.char_indices().nth(ENOUGH) {
            Some((end, _)) => format!("{}…", self.raw.get(..end).unwrap_or_default()),
            None => self.raw.to_owned(),
        }
    }

    /// Where its raw text lies in the whole: it is a slice of it.
    fn start(self) -> usize {
        (self.raw.as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize)
    }

    fn place(self, offset: usize) -> Position {
        self.begins.after(self.whole.as_bytes().get(..offset).unwrap_or_default())
    }

    /// Where the key of this value begins: back over the colon to the quote that no backslash escapes.
    pub fn key_at(self) -> Position {
        let before = self.whole.get(..self.start()).unwrap_or_default();
        let key = before.trim_end().trim_end_matches(':').trim_end();
        let inner = key.strip_suffix('"').unwrap_or(key);
        let opening = inner.rmatch_indices('"').map(|(at, _)| at).find(|at| {
            let escapes = inner.as_bytes().iter().take(*at).rev().take_while(|byte| **byte == b'\\').count();
            escapes % 2 == 0
        });
        self.place(opening.unwrap_or_else(|| self.start()))
    }

    /// The place and the words of `serde_json`, which counts lines, and bytes within them, from where the raw begins.
    fn syntax(self, error: &serde_json::Error) -> Fault {
        let line_start: usize =
            self.raw.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        if error.is_eof() {
            let end = self.place(self.start() + self.raw.len());
            return Fault::new(end, "it ends in the middle of the JSON", "the rest of it (was it cut off?)");
        }
        let said = error.to_string();
        let words = said.split(" at line ").next().unwrap_or(&said);
        // Of a raw control character in a text it names the place before it.
        let late = usize::from(!words.starts_with("control character"));
        let offset = self.start() + line_start + error.column().saturating_sub(late);
        Fault { at: self.place(offset), key: None, message: format!("not JSON: {words}"), expected: None }
    }
}

impl Shape {
    /// As a person would name what was found.
    pub const fn found(self) -> &'static str {
        match self {
            Self::Null => "it is null",
            Self::Bool => "it is true or false",
            Self::Number => "it is a number",
            Self::Text => "it is a text",
            Self::List => "it is a list",
            Self::Object => "it is an object",
        }
    }
}

/// A text that is borrowed where no escape is in it.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some((Key(key), raw)) = map.next_entry()? {
            fields.push((key, raw));
        }
        Ok(fields)
    }
}

struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(raw) = items.next_element()? {
            list.push(raw);
        }
        Ok(list)
    }
}
