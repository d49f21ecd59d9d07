//! The other way: what a store answers, in the form of the memory that an agent reads.
//!
//! A slot of cardinality one gives its one value. What was read out of a sentence goes out as that sentence; a sentence
//! whose reading lost is not given, or the memory would say again what was settled against it. Sentences in no slot go out
//! as they are, but for those that their own origin replaced or took back.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::core::memory::{Held, Memory, Spoken};
use crate::core::pair::RecordState;
use crate::core::policy::Cardinality;
use crate::core::record::{Op, Record, RecordId};
use crate::core::time::Instant;
use crate::wire;

/// The memory that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The MCP memory server's: an entity a line, then its relations.
    Mcp,
    /// mem0's `get_all`: one document of results.
    Mem0,
    /// Gainsay's own records.
    Jsonl,
}

/// What one subject's memory became.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    pub objects: Vec<Value>,
    /// Values that are given.
    pub values: u64,
    /// Slots in which something is open.
    pub contested: u64,
    /// Sentences in no slot that are given.
    pub sentences: u64,
    /// Sentences that their origin replaced or took back.
    pub replaced: u64,
}

/// How a mark begins; what begins so is no memory, and is not given on.
const MARK: &str = "Contested, not known: ";

/// The form of what went out from here and came back: its evidence is the memory's own words.
const SETTLED: &str = "settled";

/// One subject's memory in that shape; `marked` where what is contested is marked and not left out.
pub fn give(shape: Shape, marked: bool, memory: &Memory) -> Given {
    let (sentences, replaced) = current(&memory.sentences);
    let open: Vec<&Held> = memory.slots.iter().filter(|held| held.is_contested()).collect();
    let told: Vec<(&Held, &Spoken)> = memory
        .slots
        .iter()
        .flat_map(|held| held.live.iter().map(move |spoken| (held, spoken)))
        .filter(|(held, spoken)| held.answers(spoken))
        .collect();
    let marks: &[&Held] = if marked { &open } else { &[] };
    let objects = match shape {
        Shape::Mcp => mcp(memory, &told, &sentences, marks),
        Shape::Mem0 => mem0(memory, &told, &sentences, marks),
        Shape::Jsonl => jsonl(&told, &sentences, marks),
    };
    Given {
        objects,
        values: told.len() as u64,
        contested: open.len() as u64,
        sentences: sentences.len() as u64,
        replaced,
    }
}

/// The sentences that still stand where they come from, and how many do not.
fn current(sentences: &[Record]) -> (Vec<&Record>, u64) {
    // What was replaced is known by the memory that it was in and by its words; what was said again since stands again.
    let key = |record: &Record, text: &str| (field(record, "record").map(str::to_owned), text.to_owned());
    let mut replaced: BTreeMap<(Option<String>, String), Instant> = BTreeMap::new();
    for record in sentences {
        let text = match record.op {
            Op::Retract => record.value.as_str(),
            Op::Assert => field(record, "replaces"),
        };
        if let Some(text) = text {
            let last = replaced.entry(key(record, text)).or_insert(record.written_at);
            *last = record.written_at.max(*last);
        }
    }
    let stands = |record: &&Record| {
        let Some(text) = record.value.as_str() else { return true };
        let gone = field(record, "event") == Some("before UPDATE")
            || replaced.get(&key(record, text)).is_some_and(|last| record.written_at <= *last);
        !gone
    };
    let is_mark = |record: &Record| record.value.as_str().is_some_and(|text| text.starts_with(MARK));
    let asserted: Vec<&Record> =
        sentences.iter().filter(|record| record.op == Op::Assert && !is_mark(record)).collect();
    let standing: Vec<&Record> = asserted.iter().copied().filter(stands).collect();
    let gone = asserted.len() - standing.len();
    (standing, gone as u64)
}

/// A value in words: the sentence that it was read out of, or its attribute and itself.
fn words(held: &Held, spoken: &Spoken) -> String {
    let in_words = spoken.in_a_sentence || field(&spoken.record, "form") == Some(SETTLED);
    match spoken.record.evidence.as_ref().filter(|_| in_words) {
        Some(sentence) => sentence.clone(),
        None => format!("{}: {}", held.attribute, plain(&spoken.record.value)),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What is said of a slot in which something is open.
fn mark(held: &Held) -> String {
    let values: Vec<String> = held
        .contenders
        .iter()
        .map(|record| match record.op {
            Op::Assert => plain(&record.value),
            Op::Retract => format!("no longer {}", plain(&record.value)),
        })
        .collect();
    let pairs: Vec<String> = held.pairs.iter().map(ToString::to_string).collect();
    let pairs = if pairs.is_empty() { String::new() } else { format!(" (pair {})", pairs.join(", ")) };
    format!("{MARK}{}{pairs}: {}", held.attribute, values.join(" or "))
}

fn field<'a>(record: &'a Record, key: &str) -> Option<&'a str> {
    record.source.as_ref()?.fields.get(key)?.as_str()
}

fn mcp(memory: &Memory, told: &[(&Held, &Spoken)], sentences: &[&Record], marks: &[&Held]) -> Vec<Value> {
    let is_relation =
        |spoken: &Spoken| field(&spoken.record, "form") == Some("relation") && spoken.record.value.is_string();
    // In the order of their words: an entity keeps no times, and its next reader has no other order to go by. Two readings
    // of one sentence are one observation.
    let plainly = told.iter().filter(|(_, spoken)| !is_relation(spoken)).map(|(held, spoken)| words(held, spoken));
    let said = sentences.iter().map(|record| plain(&record.value));
    let observations: BTreeSet<String> = plainly.chain(said).chain(marks.iter().map(|held| mark(held))).collect();
    let mut records = told.iter().map(|(_, spoken)| &spoken.record).chain(sentences.iter().copied());
    let kind = records.find_map(|record| field(record, "entity_type"));
    if told.is_empty() && observations.is_empty() {
        return Vec::new();
    }
    let name = memory.subject.as_str();
    let entity = json!({
        "type": "entity", "name": name, "entityType": kind.unwrap_or("unknown"), "observations": observations,
    });
    let relations = told.iter().filter(|(_, spoken)| is_relation(spoken)).map(|(held, spoken)| {
        json!({
            "type": "relation", "from": name, "to": spoken.record.value, "relationType": held.attribute.as_str(),
        })
    });
    std::iter::once(entity).chain(relations).collect()
}

fn mem0(memory: &Memory, told: &[(&Held, &Spoken)], sentences: &[&Record], marks: &[&Held]) -> Vec<Value> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut item = |record: &Record, text: String, metadata: Value| {
        // The memory keeps the name that it had, as long as one memory has it.
        let known = field(record, "record").filter(|_| record.kind().is_some_and(|kind| kind.as_str() == "mem0"));
        let known = known.filter(|id| taken.insert((*id).to_owned()));
        json!({
            "id": known.unwrap_or(record.id.as_str()),
            "memory": text,
            "hash": null,
            "metadata": metadata,
            "created_at": record.written_at.to_string(),
            "updated_at": null,
            "user_id": memory.subject.as_str(),
        })
    };
    let mut items = Vec::new();
    for (held, spoken) in told {
        let record = &spoken.record;
        let metadata = json!({
            "attribute": held.attribute.as_str(),
            "value": record.value,
            "observed_at": record.observed_at.map(|at| at.to_string()),
            "epoch": record.epoch.map(|epoch| epoch.0),
            "confidence": record.confidence,
            "many": held.cardinality == Some(Cardinality::Many),
        });
        items.push(item(record, words(held, spoken), metadata));
    }
    items.extend(sentences.iter().map(|record| item(record, plain(&record.value), Value::Null)));
    for held in marks {
        let Some(first) = held.contenders.first() else { continue };
        let claimed = held.contenders.iter().filter(|record| record.op == Op::Assert);
        let contested = json!({
            "attribute": held.attribute.as_str(),
            "values": claimed.map(|record| record.value.clone()).collect::<Vec<_>>(),
            "pairs": held.pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(),
        });
        let mut marked = first.clone();
        marked.source = None;
        let number = held.pairs.first().map_or_else(|| first.id.to_string(), ToString::to_string);
        marked.id = RecordId::from(format!("contested_{number}").as_str());
        items.push(item(&marked, mark(held), json!({"contested": contested})));
    }
    items
}

/// Whole records; of a slot in which something is open, each that is in a pair, so that who reads it has the pair again.
fn jsonl(told: &[(&Held, &Spoken)], sentences: &[&Record], marks: &[&Held]) -> Vec<Value> {
    let line = |record: &Record, held: Option<&Held>, contested: bool| {
        let mut fields: Map<String, Value> = wire::json::record(record);
        // A set that a store does not know to be one would come in as a contradiction.
        if held.is_some_and(|held| held.cardinality == Some(Cardinality::Many)) {
            fields.insert("cardinality".to_owned(), json!(Cardinality::Many.name()));
        }
        if contested {
            fields.insert("recorded_at".to_owned(), json!(record.recorded_at.to_string()));
            fields.insert("state".to_owned(), json!(RecordState::Contested.name()));
        }
        (record.id.clone(), Value::Object(fields))
    };
    let contended = marks
        .iter()
        .flat_map(|held| held.contenders.iter().map(move |record| (*held, record)))
        .map(|(held, record)| line(record, Some(held), true));
    let settled = told.iter().map(|(held, spoken)| line(&spoken.record, Some(held), false));
    let said = sentences.iter().map(|record| line(record, None, false));
    let mut seen = BTreeSet::new();
    contended.chain(settled).chain(said).filter(|(id, _)| seen.insert(id.clone())).map(|(_, line)| line).collect()
}
