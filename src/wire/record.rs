//! One element made into a core record (INTERFACE 2): lenient towards spelling, strict about meaning.

use std::borrow::Cow;
use std::io::{self, BufRead};

use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use crate::core::policy::Cardinality;
use crate::core::record::{Attribute, Batch, Epoch, Kind, Op, Record, RecordId, Source, SourceClass, Subject};
use crate::core::ruling::RequestId;
use crate::core::time::{Instant, When};

use super::content::{Content, content, made_id};
use super::elements::{Element, Elements};
use super::fault::Fault;
use super::node::{Node, Shape};
use super::time::when;

/// What the import supplies where a record is silent.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The time of import.
    pub now: Instant,
    pub batch: Batch,
    /// `--epoch`: for records that have none, which then say so in their source.
    pub epoch: Option<Epoch>,
    /// `--tz`: the zone of times that come without an offset.
    pub zone: Option<Tz>,
}

/// A record as it came in, with what the store must know besides.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    pub record: Record,
    /// Same id and same content: a duplicate. Same id and other content: an error.
    pub content: Content,
    /// Whether `written_at` came from the origin, and is not the time of import.
    pub written_at_stated: bool,
    /// The line on which it begins.
    pub line: u64,
    /// How many bytes it was read from.
    pub length: usize,
    /// Its attribute holds many values by its nature, where nothing is declared of it: a relation.
    pub many: bool,
    /// Keys that mean nothing here and were left out, for a warning: a misspelled key must not vanish in silence.
    pub left_out: Vec<String>,
    /// The bytes that it came in, where they are to be kept should the store not take it; else none.
    pub raw: Vec<u8>,
}

/// The records of a reader, each with its element (for a rejects file) and, where it is none, the fault.
pub fn records<R: BufRead>(
    reader: R,
    defaults: Defaults,
) -> impl Iterator<Item = io::Result<(Element, Result<Incoming, Fault>)>> {
    Elements::new(reader).map(move |element| {
        let element = element?;
        let read = read(&element, &defaults);
        Ok((element, read))
    })
}

/// The record in an element.
pub fn read(element: &Element, defaults: &Defaults) -> Result<Incoming, Fault> {
    if let Some(fault) = &element.fault {
        return Err(fault.clone());
    }
    let node = Node::new(&element.bytes, element.at)?;
    if node.shape() != Shape::Object {
        // What is no JSON at all is told so first; only then is its shape of interest.
        node.value()?;
        return Err(node.unlike("a record: an object with subject_id, attribute and value"));
    }
    let keys = Keys::of(node)?;
    let (written_at, written_at_stated) = keys.written_at(defaults)?;
    let epoch = keys.read("epoch", keys.epoch, epoch)?;
    let stamp = if epoch.is_none() { defaults.epoch } else { None };
    let source = stamped(keys.source()?, stamp);
    let batch = keys.batch(source.as_ref(), defaults)?;
    let id = keys.read("id", keys.id, Node::name)?;
    let mut record = Record {
        id: RecordId::from(id.as_deref().unwrap_or_default()),
        subject: keys.subject()?,
        attribute: keys.read("attribute", keys.attribute, Node::name)?.map(|name| Attribute::from(&*name)),
        value: keys.value()?,
        op: keys.read("op", keys.op, op)?.unwrap_or(Op::Assert),
        source,
        observed_at: keys.read("observed_at", keys.observed_at, |node| when(node, defaults.zone))?,
        written_at,
        recorded_at: defaults.now,
        epoch: epoch.or(stamp),
        confidence: keys.read("confidence", keys.confidence, confidence)?,
        evidence: keys.read("evidence", keys.evidence, Node::text)?.map(Cow::into_owned),
        answers: keys.read("answers", keys.answers, request)?,
        derived_from: keys.read("derived_from", keys.derived_from, Node::name)?.map(|id| RecordId::from(&*id)),
        batch,
    };
    let many = keys.read("cardinality", keys.cardinality, many)?.unwrap_or(false);
    let content = content(&record, written_at_stated);
    if id.is_none() {
        record.id = made_id(&content);
    }
    Ok(Incoming {
        record,
        content,
        written_at_stated,
        line: element.at.line,
        length: element.bytes.len(),
        many,
        left_out: keys.left_out,
        raw: Vec::new(),
    })
}

/// The keys of a record; one that is null counts as absent, but for `value`, where null is an error of its own.
struct Keys<'a> {
    whole: Node<'a>,
    id: Option<Node<'a>>,
    subject_id: Option<Node<'a>>,
    subject: Option<Node<'a>>,
    attribute: Option<Node<'a>>,
    value: Option<Node<'a>>,
    op: Option<Node<'a>>,
    source: Option<Node<'a>>,
    source_class: Option<Node<'a>>,
    observed_at: Option<Node<'a>>,
    written_at: Option<Node<'a>>,
    written_at_stamped: Option<Node<'a>>,
    epoch: Option<Node<'a>>,
    confidence: Option<Node<'a>>,
    evidence: Option<Node<'a>>,
    answers: Option<Node<'a>>,
    derived_from: Option<Node<'a>>,
    batch: Option<Node<'a>>,
    cardinality: Option<Node<'a>>,
    left_out: Vec<String>,
}

/// What an answer of ours adds to a record: it may come back, and means nothing on the way in.
const ADDED: [&str; 5] = ["class", "anchored", "recorded_at", "state", "superseded_by"];

impl<'a> Keys<'a> {
    fn none(whole: Node<'a>) -> Self {
        Self {
            whole,
            id: None,
            subject_id: None,
            subject: None,
            attribute: None,
            value: None,
            op: None,
            source: None,
            source_class: None,
            observed_at: None,
            written_at: None,
            written_at_stamped: None,
            epoch: None,
            confidence: None,
            evidence: None,
            answers: None,
            derived_from: None,
            batch: None,
            cardinality: None,
            left_out: Vec::new(),
        }
    }

    fn of(whole: Node<'a>) -> Result<Self, Fault> {
        let fields = whole.fields()?;
        // Only what once went out from here carries this key; then its companions are known too.
        let came_back = fields.iter().any(|(key, _)| key == "recorded_at");
        let mut keys = Self::none(whole);
        for (key, node) in fields {
            match keys.slot(&key) {
                Some(slot) => *slot = Some(node),
                // A key that is left out must still be sound JSON: the line is taken or refused as a whole.
                None if came_back && ADDED.contains(&&*key) => drop(node.value()?),
                None => {
                    node.value()?;
                    keys.left_out.push(key.into_owned());
                }
            }
        }
        Ok(keys)
    }

    fn slot(&mut self, key: &str) -> Option<&mut Option<Node<'a>>> {
        Some(match key {
            "id" => &mut self.id,
            "subject_id" => &mut self.subject_id,
            "subject" => &mut self.subject,
            "attribute" => &mut self.attribute,
            "value" => &mut self.value,
            "op" => &mut self.op,
            "source" => &mut self.source,
            "source_class" => &mut self.source_class,
            "observed_at" => &mut self.observed_at,
            "written_at" => &mut self.written_at,
            "written_at_stamped" => &mut self.written_at_stamped,
            "epoch" => &mut self.epoch,
            "confidence" => &mut self.confidence,
            "evidence" => &mut self.evidence,
            "answers" => &mut self.answers,
            "derived_from" => &mut self.derived_from,
            "batch" => &mut self.batch,
            "cardinality" => &mut self.cardinality,
            _ => return None,
        })
    }

    /// One key read; absent and null are none.
    fn read<T>(
        &self,
        key: &str,
        node: Option<Node<'a>>,
        read: impl Fn(Node<'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        optional(node, read).map_err(|fault| fault.about(key))
    }

    fn subject(&self) -> Result<Subject, Fault> {
        let named = self.read("subject_id", self.subject_id, Node::name)?;
        let short = self.read("subject", self.subject, Node::name)?;
        match (named, short) {
            (Some(named), Some(short)) if Subject::from(&*named) != Subject::from(&*short) => {
                let node = self.subject.unwrap_or(self.whole);
                let fault = node.fault(format!("it differs from subject_id, {named:?}"), "one subject");
                Err(fault.about("subject"))
            }
            (Some(name), _) | (None, Some(name)) => Ok(Subject::from(&*name)),
            (None, None) => {
                Err(self.whole.fault("it is missing", "whom or what the record is about").about("subject_id"))
            }
        }
    }

    fn value(&self) -> Result<Value, Fault> {
        let expected = "what the record claims: any JSON but null";
        match self.value {
            None => Err(self.whole.fault("it is missing", expected).about("value")),
            Some(node) if node.shape() == Shape::Null => Err(node.unlike(expected).about("value")),
            Some(node) => node.value().map_err(|fault| fault.about("value")),
        }
    }

    /// `written_at`, and whether the origin stated it. Of a day, month or year the last moment counts: before it,
    /// nobody can be sure that the record was written.
    fn written_at(&self, defaults: &Defaults) -> Result<(Instant, bool), Fault> {
        let stated = self.read("written_at", self.written_at, |node| when(node, defaults.zone))?;
        let stamped = self.read("written_at_stamped", self.written_at_stamped, truth)?.unwrap_or(false);
        Ok(match stated {
            Some(at) => (When::last(at), !stamped),
            None => (defaults.now, false),
        })
    }

    fn source(&self) -> Result<Option<Source>, Fault> {
        let source = self.read("source", self.source, source)?;
        let Some(stated) = self.read("source_class", self.source_class, class)? else { return Ok(source) };
        let mut source = source.unwrap_or(Source { kind: None, class: None, fields: Map::new() });
        match source.class {
            Some(own) if own != stated => {
                let node = self.source_class.unwrap_or(self.whole);
                return Err(node
                    .fault(format!("it differs from source.class, {own}"), "one class")
                    .about("source_class"));
            }
            Some(_) | None => source.class = Some(stated),
        }
        // The fields are the source whole, so that it goes out as it was understood.
        source.fields.insert("class".to_owned(), json!(stated.name()));
        Ok(Some(source))
    }

    /// The batch: `source.batch`, else the record's own (an exported record says it), else the import's.
    fn batch(&self, source: Option<&Source>, defaults: &Defaults) -> Result<Batch, Fault> {
        let own = self.read("batch", self.batch, Node::name)?;
        let named = source.and_then(|source| source.fields.get("batch")?.as_str());
        Ok(named.or(own.as_deref()).map_or_else(|| defaults.batch.clone(), Batch::from))
    }
}

fn optional<'a, T>(
    node: Option<Node<'a>>,
    read: impl Fn(Node<'a>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    match node {
        Some(node) if node.shape() != Shape::Null => read(node).map(Some),
        Some(_) | None => Ok(None),
    }
}

/// A source: an object, or a text that is its kind.
fn source(node: Node<'_>) -> Result<Source, Fault> {
    match node.shape() {
        Shape::Text => {
            let kind = node.name()?;
            let fields = Map::from_iter([("kind".to_owned(), json!(kind))]);
            Ok(Source { kind: Some(Kind::from(&*kind)), class: None, fields })
        }
        Shape::Object => {
            let mut source = Source { kind: None, class: None, fields: Map::new() };
            for (key, node) in node.fields()? {
                let about = |fault: Fault| fault.about(&format!("source.{key}"));
                match &*key {
                    "kind" => {
                        source.kind =
                            optional(Some(node), Node::name).map_err(about)?.map(|kind| Kind::from(&*kind))
                    }
                    "class" => source.class = optional(Some(node), class).map_err(about)?,
                    "batch" => drop(optional(Some(node), Node::name).map_err(about)?),
                    _ => {}
                }
                let value = node.value().map_err(about)?;
                source.fields.insert(key.into_owned(), value);
            }
            Ok(source)
        }
        Shape::Null | Shape::Bool | Shape::Number | Shape::List => {
            Err(node.unlike("an object with a kind, or a text: the kind"))
        }
    }
}

/// The source with the import's epoch noted in it; a record without a source still has no kind.
fn stamped(source: Option<Source>, stamp: Option<Epoch>) -> Option<Source> {
    let Some(epoch) = stamp else { return source };
    let mut source = source.unwrap_or(Source { kind: None, class: None, fields: Map::new() });
    source.fields.insert("epoch_stamped".to_owned(), json!(epoch.0));
    Some(source)
}

fn class(node: Node<'_>) -> Result<SourceClass, Fault> {
    let name = node.text()?;
    SourceClass::named(&name).ok_or_else(|| {
        let names: Vec<&str> = SourceClass::ALL.iter().map(|class| class.name()).collect();
        node.fault(format!("{} is no source class", node.brief()), names.join(", "))
    })
}

fn op(node: Node<'_>) -> Result<Op, Fault> {
    let name = node.text()?;
    [Op::Assert, Op::Retract]
        .into_iter()
        .find(|op| op.name() == name)
        .ok_or_else(|| node.fault(format!("{} is no op", node.brief()), "assert or retract"))
}

/// Whether the attribute holds many values, as far as the origin can say; that it holds one is for a person to declare.
fn many(node: Node<'_>) -> Result<bool, Fault> {
    let name = node.text()?;
    if name != Cardinality::Many.name() {
        return Err(
            node.fault(format!("{} is nothing that a record can say", node.brief()), Cardinality::Many.name())
        );
    }
    Ok(true)
}

fn epoch(node: Node<'_>) -> Result<Epoch, Fault> {
    const EXPECTED: &str = "a whole number, 0 or more";
    match node.whole_number() {
        Ok(number) if number >= 0 => Ok(Epoch(number)),
        Ok(number) => Err(node.fault(format!("{number} is below 0"), EXPECTED)),
        Err(fault) => Err(Fault { expected: Some(EXPECTED.to_owned()), ..fault }),
    }
}

fn confidence(node: Node<'_>) -> Result<f64, Fault> {
    const EXPECTED: &str = "a number from 0 to 1";
    if node.shape() != Shape::Number {
        return Err(node.unlike(EXPECTED));
    }
    let number = node.value()?.as_f64();
    number
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| node.fault(format!("{} lies outside of 0 to 1", node.brief()), EXPECTED))
}

/// A request's number; a tool that writes every answer as text may write it as one.
fn request(node: Node<'_>) -> Result<RequestId, Fault> {
    let number = match node.shape() {
        Shape::Text => node.text()?.trim().parse().ok(),
        Shape::Number => node.raw().parse().ok(),
        Shape::Null | Shape::Bool | Shape::List | Shape::Object => None,
    };
    number
        .filter(|number: &i64| *number > 0)
        .map(RequestId)
        .ok_or_else(|| node.fault(format!("{} is no request", node.brief()), "the number of a request"))
}

fn truth(node: Node<'_>) -> Result<bool, Fault> {
    node.value()?.as_bool().ok_or_else(|| node.unlike("true or false"))
}
