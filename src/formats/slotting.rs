//! Free text to slots: rules that read an attribute and a value out of a sentence.
//!
//! A sentence has no attribute, so nothing can contradict it. A rule makes a new record of it, which rests on the sentence
//! as its evidence and on the record as its origin, and comes in a batch of the rule's own: a wrong rule is withdrawn like
//! any batch. What a rule cannot be sure of it leaves alone: a sentence about somebody else than its subject, one that
//! says two things at once, one that goes on behind the value.

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::core::record::{Attribute, Batch, Kind, Record, RecordId, Source};
use crate::wire::content::content;
use crate::wire::node::{Node, Shape};
use crate::wire::{Fault, Incoming, Position};

/// The rules that ship: the commonest forms, in English.
pub const SHIPPED: &str = include_str!("../../assets/slots/common.json");

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    /// None: the sentence names it itself.
    pub attribute: Option<String>,
    /// Its attribute holds many values where nothing is declared of it.
    pub many: bool,
    /// Only sentences of these source kinds; none named: of any.
    pub kinds: Vec<Kind>,
    form: Regex,
    /// What stands in the place of its value is guessed by the rule, and not spelled out.
    guesses: bool,
    /// What makes the rule this one: another pattern is another rule, with a batch of its own.
    mark: String,
}

/// What a rule read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slotted {
    pub attribute: String,
    pub value: String,
}

/// Whoever speaks or is spoken of without a name.
const NOBODY_ELSE: [&str; 8] = ["i", "user", "the user", "he", "she", "they", "it", "this user"];
const THEIR: [&str; 8] = ["my", "user's", "the user's", "his", "her", "their", "its", "this user's"];

/// Words that join two statements: what is said is then not one value.
const JOINTS: [&str; 12] =
    ["and", "but", "or", "because", "since", "until", "while", "when", "if", "not", "although", "instead"];

/// The longest value that is read, in characters.
const LONGEST: usize = 200;

const VALUE: &str = r"(?<value>[^.,;:!?\n]+?)";
// Nobody comes first: `Is allergic to nuts` is about no `Is`.
const WHO: &str = r"(?:(?<who>[\p{L}\p{N}][^.,;:!?\n]*?) )??";
const WHOSE: &str = r"(?:(?<whose>[\p{L}\p{N}][^.,;:!?\n]*?) )??";

/// Reads a file of rules, strictly; each must read its own examples.
pub fn read(bytes: &[u8]) -> Result<Vec<Rule>, Fault> {
    let whole = Node::new(bytes, Position::START)?;
    if whole.shape() != Shape::Object {
        whole.value()?;
        return Err(whole.unlike("an object: {\"rules\": […]}"));
    }
    let mut rules = Vec::new();
    for (key, node) in whole.fields()? {
        match &*key {
            "rules" => {
                rules =
                    node.items()?.into_iter().map(rule).collect::<Result<_, _>>().map_err(|it| it.about("rules"))?
            }
            _ => return Err(Fault::new(node.key_at(), "this key means nothing here", "rules").about(&key)),
        }
    }
    if rules.is_empty() {
        return Err(whole.fault("there is no rule in it", "{\"rules\": […]}"));
    }
    Ok(rules)
}

fn rule(node: Node<'_>) -> Result<Rule, Fault> {
    let (mut name, mut attribute, mut many, mut kinds) = (None, None, false, Vec::new());
    let (mut pattern, mut examples) = (None, Vec::new());
    for (key, node) in node.fields()? {
        let taken: Result<(), Fault> = match &*key {
            "rule" => node.name().map(|text| name = Some(text.into_owned())),
            "attribute" => node.name().map(|text| attribute = Some(text.into_owned())),
            "many" => node.value().map(|value| many = value == json!(true)),
            "kinds" => node.items().and_then(|items| {
                kinds = items.into_iter().map(|it| Ok(Kind::from(&*it.name()?))).collect::<Result<_, Fault>>()?;
                Ok(())
            }),
            "match" => node.text().map(|text| pattern = Some((text.into_owned(), node))),
            "examples" => node.fields().and_then(|fields| {
                for (sentence, value) in fields {
                    examples.push((sentence.into_owned(), value.text()?.into_owned(), value));
                }
                Ok(())
            }),
            _ => Err(Fault::new(
                node.key_at(),
                "this key means nothing here",
                "rule, attribute, many, kinds, match, examples",
            )),
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    let missing = |what: &str| node.fault("it is missing", "rule and match, and an attribute").about(what);
    let name = name.ok_or_else(|| missing("rule"))?;
    let (pattern, at) = pattern.ok_or_else(|| missing("match"))?;
    let form = compiled(&pattern).map_err(|said| at.fault(said, "a regular expression").about("match"))?;
    let has = |group: &str| form.capture_names().flatten().any(|name| name == group);
    if !has("value") || (attribute.is_none() && !has("attribute")) {
        let expected = "a group named value ({value} is one), and one named attribute where the rule names none";
        return Err(at.fault("it does not say where the value stands", expected).about("match"));
    }
    let mark = mark(&[&name, attribute.as_deref().unwrap_or_default(), &pattern]);
    let guesses = pattern.contains("{value}");
    let rule = Rule { name, attribute, many, kinds, form, guesses, mark };
    for (sentence, value, at) in examples {
        let read = rule.reads("", &sentence).map(|slotted| slotted.value);
        if read.as_deref() != Some(&*value) {
            let said = read.map_or_else(|| "nothing".to_owned(), |read| format!("{read:?}"));
            return Err(
                at.fault(format!("in {sentence:?} the rule {} reads {said}", rule.name), format!("{value:?}"))
            );
        }
    }
    Ok(rule)
}

fn compiled(pattern: &str) -> Result<Regex, String> {
    let filled = pattern.replace("{value}", VALUE).replace("{whose}", WHOSE);
    // Two ways to say the same each name the one they are about: the second is a group of its own.
    let mut parts = filled.split("{who}");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        whole.push_str(&WHO.replace("<who>", &format!("<who{at}>")));
        whole.push_str(part);
    }
    let whole = format!(r"^\s*(?:{whole})\s*[.!]?\s*$");
    RegexBuilder::new(&whole).case_insensitive(true).size_limit(1 << 20).build().map_err(|error| {
        // It draws the pattern as it was filled in, which nobody wrote; its last line says what is wrong.
        let said = error.to_string();
        said.lines().last().unwrap_or(&said).trim_start_matches("error: ").to_owned()
    })
}

fn mark(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl Rule {
    /// What the rule reads in a sentence about this subject.
    pub fn reads(&self, subject: &str, sentence: &str) -> Option<Slotted> {
        let found = self.form.captures(sentence)?;
        for name in self.form.capture_names().flatten() {
            let Some(part) = found.name(name) else { continue };
            let part = part.as_str().trim().to_lowercase();
            let known = match name {
                _ if name.starts_with("whose") => {
                    THEIR.contains(&part.as_str()) || part == format!("{}'s", subject.to_lowercase())
                }
                _ if name.starts_with("who") => {
                    NOBODY_ELSE.contains(&part.as_str()) || part == subject.to_lowercase()
                }
                _ => true,
            };
            if !known {
                return None;
            }
        }
        let value = found.name("value")?.as_str().trim();
        let joined = self.guesses
            && self.attribute.is_some()
            && value.split_whitespace().any(|word| JOINTS.contains(&&*word.to_lowercase()));
        // What is longer is no value but a story.
        if value.is_empty() || joined || value.chars().count() > LONGEST {
            return None;
        }
        let attribute = match &self.attribute {
            Some(attribute) => attribute.clone(),
            None => found.name("attribute")?.as_str().trim().to_lowercase().replace([' ', '-'], "_"),
        };
        Some(Slotted { attribute, value: value.to_owned() })
    }

    /// The batch of what this rule made.
    pub fn batch(&self) -> Batch {
        let short = self.mark.get(..6).unwrap_or(&self.mark);
        Batch::from(format!("slotted by {} ({short})", self.name).as_str())
    }

    /// Whether the rule is for sentences of this record's kind.
    fn is_for(&self, record: &Record) -> bool {
        self.kinds.is_empty() || record.kind().is_some_and(|kind| self.kinds.contains(kind))
    }

    /// The record that the rule makes of an unslotted one: the same claim of the same source at the same times, in a slot.
    pub fn slot(&self, record: &Record) -> Option<Incoming> {
        let sentence = record.value.as_str().filter(|_| self.is_for(record))?;
        let slotted = self.reads(record.subject.as_str(), sentence)?;
        let mut source = record.source.clone().unwrap_or(Source { kind: None, class: None, fields: Map::new() });
        source.fields.insert("slotted_by".to_owned(), json!(self.name));
        // The batch is the rule's, whatever the origin's was.
        if let Some(Value::String(batch)) = source.fields.remove("batch") {
            source.fields.insert("origin_batch".to_owned(), json!(batch));
        }
        let made = Record {
            id: RecordId::from(format!("slot_{}", mark(&[&self.mark, record.id.as_str()])).as_str()),
            attribute: Some(Attribute::from(slotted.attribute.as_str())),
            value: json!(slotted.value),
            source: Some(source),
            evidence: Some(sentence.to_owned()),
            answers: None,
            derived_from: Some(record.id.clone()),
            batch: self.batch(),
            ..record.clone()
        };
        let content = content(&made, true);
        Some(Incoming {
            content,
            written_at_stated: true,
            line: 0,
            length: sentence.len(),
            many: self.many,
            left_out: Vec::new(),
            raw: Vec::new(),
            record: made,
        })
    }
}

/// The first of the rules that reads something in the record, and the record that it makes.
pub fn slot<'a>(rules: &'a [Rule], record: &Record) -> Option<(&'a Rule, Incoming)> {
    rules.iter().find_map(|rule| Some((rule, rule.slot(record)?)))
}
