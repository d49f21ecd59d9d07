//! Objects into records: a format applied.
//!
//! What an expression finds becomes a record as INTERFACE writes it, and that is read by the rules of every record:
//! there is one judge of times, epochs and confidences. An object is taken whole or not at all.

use serde_json::{Map, Value, json};

use super::ahead::{Ahead, hash};
use super::dates::{self, DateOrder};
use super::expr::{Found, Unfit, texts_of};
use super::fan::items;
use super::path::{Path, Root, Scope, Step};
use super::spec::{Field, Format, Rule};
use super::tally::Tally;
use crate::core::value::canonical;
use crate::wire::node::{Node, Shape};
use crate::wire::record::read;
use crate::wire::{Defaults, Element, Fault, Incoming, Position};

/// A format at work on one file.
pub struct Mapping<'a> {
    pub format: &'a Format,
    pub defaults: &'a Defaults,
    /// Which comes first in a date, where somebody has said so.
    pub dates: Option<DateOrder>,
    /// What a first reading of the file found.
    pub ahead: &'a Ahead,
    /// What a later version of an object leaves out is retracted, and not only told.
    pub absent_retracts: bool,
}

/// One record before it is read: its fields, and where each was found.
struct Draft {
    fields: Vec<(Field, Found)>,
    source: Vec<(String, Found)>,
}

impl Mapping<'_> {
    /// The records of an object.
    pub fn records(&self, element: &Element, object: &Value, tally: &mut Tally) -> Result<Vec<Incoming>, Fault> {
        let object = &*self.format.opened(object);
        if !object.is_object() {
            let node = Node::new(&element.bytes, element.at)?;
            return Err(node.unlike("an object"));
        }
        let Some(kind) = self.format.kind_of(object) else { return Err(self.of_no_kind(element, object)) };
        let mut records = Vec::new();
        let (mut gone, mut retired) = (0, Vec::new());
        for rule in &kind.rules {
            for item in items(rule, object) {
                let scope = item.scope(rule, object);
                let draft = self.draft(rule, scope).map_err(|unfit| placed(element, rule, &unfit, item.at()))?;
                if rule.spare && self.ahead.is_said(draft.mark()) {
                    continue;
                }
                let record = self.read(element, rule, &draft, item.at())?;
                if draft.is_retraction() && record.record.attribute.is_some() {
                    retired.push(tally.claim(&record));
                }
                tally.assert(&record);
                if let Some(next) = self.ahead.left_out(kind, rule, scope) {
                    gone += 1;
                    if self.absent_retracts {
                        records.push(self.read(element, rule, &draft.taken_back(next), item.at())?);
                    }
                }
                records.push(record);
            }
        }
        tally.took(self.format, kind, element.at.line, object, records.len());
        tally.gone(element.at.line, gone);
        tally.retire(element.at.line, retired);
        Ok(records)
    }

    fn of_no_kind(&self, element: &Element, object: &Value) -> Fault {
        let scope = Scope { object, item: None };
        let nearest = self.format.kinds.iter().min_by_key(|kind| kind.when.missing(scope).len());
        let expected = nearest.map(|kind| {
            let missing = kind.when.missing(scope);
            let lacks = if missing.is_empty() { "other keys".to_owned() } else { missing.join(" and ") };
            format!("{lacks}, as {} {} has", article(&kind.name), kind.name)
        });
        let message = format!("the format {} knows no such object (its keys: {})", self.format.name, keys(object));
        Fault::new(element.at, message, expected.unwrap_or_default())
    }

    fn draft(&self, rule: &Rule, scope: Scope<'_>) -> Result<Draft, Unfit> {
        let mut draft = Draft { fields: Vec::new(), source: Vec::new() };
        for (field, expr) in &rule.fields {
            let Some(mut found) = expr.of(scope, &self.ahead.names)? else { continue };
            if field.is_text() && !found.value.is_string() {
                found.value = json!(texts_of(&found.value).join(", "));
            }
            if let (true, Some(text)) = (field.is_time(), found.value.as_str()) {
                found.value = self.time(text).map_err(|message| Unfit {
                    path: found.path.clone().unwrap_or_default(),
                    message,
                    expected: "a date".to_owned(),
                })?;
            }
            draft.fields.push((*field, found));
        }
        for (key, expr) in &rule.source {
            draft.source.extend(expr.of(scope, &self.ahead.names)?.map(|found| (key.clone(), found)));
        }
        Ok(draft)
    }

    /// A time in the form that records have; what is of none of the forms of dates is left to the rules of records.
    fn time(&self, text: &str) -> Result<Value, String> {
        match dates::read(text, self.dates) {
            Some(read) if text.parse::<crate::core::time::When>().is_err() => read.map(|text| json!(text)),
            Some(_) | None => Ok(json!(text)),
        }
    }

    fn read(&self, element: &Element, rule: &Rule, draft: &Draft, at: usize) -> Result<Incoming, Fault> {
        let bytes = draft.to_json().to_string().into_bytes();
        let made = Element { at: element.at, bytes, fault: None };
        let read = read(&made, self.defaults).map(|incoming| Incoming { many: rule.many, ..incoming });
        read.map_err(|fault| {
            let key = fault.key.clone().unwrap_or_default();
            let path = draft.path_of(&key).or_else(|| written_for(rule, &key));
            let message = match path.as_ref().filter(|path| !key.is_empty() && **path != key) {
                Some(path) => format!("{} (from {path})", fault.message),
                None => fault.message.clone(),
            };
            let at = path.map_or(element.at, |path| locate(element, rule, &path, at));
            Fault { at, message, ..fault }
        })
    }
}

impl Draft {
    fn is_retraction(&self) -> bool {
        self.fields.iter().any(|(field, found)| *field == Field::Op && found.value == json!("retract"))
    }

    /// Of whom it says what, as a mark.
    fn mark(&self) -> u64 {
        let of = |field: Field| {
            self.fields.iter().find(|(named, _)| *named == field).map(|(_, it)| canonical(&it.value))
        };
        hash(&(of(Field::Subject), of(Field::Value)))
    }

    /// The same claim, taken back by the next version at the times of that one.
    fn taken_back(&self, times: &[(Field, Value)]) -> Self {
        let own =
            |field: Field| field == Field::Op || field == Field::Id || field == Field::Epoch || field.is_time();
        let mut fields: Vec<(Field, Found)> =
            self.fields.iter().filter(|(field, _)| !own(*field)).cloned().collect();
        let at = |field: Field, value: &Value| (field, Found { value: value.clone(), path: None });
        fields.push(at(Field::Op, &json!("retract")));
        fields.extend(times.iter().map(|(field, value)| at(*field, value)));
        Self { fields, source: self.source.clone() }
    }

    fn to_json(&self) -> Value {
        let mut record = Map::new();
        for (field, found) in &self.fields {
            let key = if *field == Field::Subject { "subject_id" } else { field.name() };
            record.insert(key.to_owned(), found.value.clone());
        }
        let source: Map<String, Value> =
            self.source.iter().map(|(key, found)| (key.clone(), found.value.clone())).collect();
        if !source.is_empty() {
            record.insert("source".to_owned(), Value::Object(source));
        }
        Value::Object(record)
    }

    fn path_of(&self, key: &str) -> Option<String> {
        let named = |name: &str| name == key || (name == "subject" && key == "subject_id");
        let field = self.fields.iter().find(|(field, _)| named(field.name())).map(|(_, found)| found);
        let source = key.strip_prefix("source.");
        let source = self.source.iter().find(|(name, _)| Some(name.as_str()) == source).map(|(_, found)| found);
        field.or(source)?.path.clone()
    }
}

/// The path that a rule gives for a field in which nothing was found.
fn written_for(rule: &Rule, key: &str) -> Option<String> {
    let field = Field::named(if key == "subject_id" { "subject" } else { key })?;
    let (_, expr) = rule.fields.iter().find(|(name, _)| *name == field)?;
    let paths: Vec<&str> = expr.paths().into_iter().map(Path::as_str).collect();
    (!paths.is_empty()).then(|| paths.join(" or "))
}

fn placed(element: &Element, rule: &Rule, unfit: &Unfit, at: usize) -> Fault {
    Fault::new(locate(element, rule, &unfit.path, at), &unfit.message, &unfit.expected).about(&unfit.path)
}

/// Where a path leads in the bytes of an object, as far as it does.
fn locate(element: &Element, rule: &Rule, path: &str, at: usize) -> Position {
    let Ok(whole) = Node::new(&element.bytes, element.at) else { return element.at };
    if !matches!(whole.shape(), Shape::Object) {
        return element.at;
    }
    let first = path.split(" or ").next().unwrap_or(path);
    let Ok(path) = first.parse::<Path>() else { return whole.at() };
    let mut steps: Vec<Step> = Vec::new();
    if path.root != Root::Object {
        steps.extend(rule.each.iter().flat_map(|each| each.steps.clone()));
    }
    steps.extend(path.steps);
    let mut node = whole;
    for step in &steps {
        let next = match step {
            Step::Key(key) => node
                .fields()
                .ok()
                .and_then(|all| all.into_iter().find(|(name, _)| name == key))
                .map(|(_, node)| node),
            Step::At(number) => node.items().ok().and_then(|items| items.get(*number).copied()),
            Step::Each => match node.shape() {
                Shape::List => node.items().ok().and_then(|items| items.get(at).copied()),
                Shape::Object => node.fields().ok().and_then(|all| all.get(at).map(|(_, node)| *node)),
                Shape::Null | Shape::Bool | Shape::Number | Shape::Text => None,
            },
        };
        let Some(next) = next else { break };
        node = next;
    }
    node.at()
}

/// The keys of an object, for messages.
pub fn keys(object: &Value) -> String {
    const ENOUGH: usize = 12;
    let Some(map) = object.as_object() else { return "none".to_owned() };
    let mut named: Vec<&str> = map.keys().take(ENOUGH).map(String::as_str).collect();
    if map.len() > ENOUGH {
        named.push("…");
    }
    named.join(", ")
}

fn article(name: &str) -> &'static str {
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
