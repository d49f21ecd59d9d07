//! The policy as JSON (INTERFACE 4), both ways. Strict: a key that means nothing is an error that names it.
//!
//! In the file an attribute's `authority` may be the name of one of the orders under `"authority"`, or a list of its
//! own; the core knows lists only, and lists are what goes out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::core::policy::{AttributePolicy, Cardinality, OnChange, Policy};
pub use crate::core::policy::{length_of_time, read_length_of_time};
use crate::core::record::{Attribute, Kind, SourceClass, Subject};
use crate::core::value::Comparison;

use super::fault::Fault;
use super::node::{Node, Shape};

/// The policy that ships with the program.
pub const SHIPPED: &str = include_str!("../../assets/policy.json");

/// Orders of authority by name.
type Orders = BTreeMap<String, Vec<SourceClass>>;

/// Reads a whole policy; without a `version` it is version 1.
pub fn read(text: &str) -> Result<Policy, Fault> {
    let (mut sources, mut orders, mut version) = (BTreeMap::new(), Orders::new(), 1);
    let (mut attributes, mut slots) = (None, None);
    let whole = Node::of(text);
    for (key, node) in whole.fields()? {
        match &*key {
            "version" => version = node.whole_number().map_err(|fault| fault.about("version"))?,
            "sources" => sources = read_sources(node)?,
            "authority" => orders = read_orders(node)?,
            "attributes" => attributes = Some(node),
            "slots" => slots = Some(node),
            _ => return Err(unknown(node, &key, "version, sources, authority, attributes, slots")),
        }
    }
    // Attributes name orders, which may stand after them in the file.
    Ok(Policy {
        version,
        sources,
        attributes: attributes.map(|node| read_attributes(node, &orders)).transpose()?.unwrap_or_default(),
        slots: slots.map(|node| read_slots(node, &orders)).transpose()?.unwrap_or_default(),
    })
}

/// The policy as JSON that [`read()`] reads.
pub fn write(policy: &Policy) -> Value {
    let sources: Map<String, Value> =
        policy.sources.iter().map(|(kind, class)| (kind.to_string(), json!(class.name()))).collect();
    let attributes: Map<String, Value> = policy
        .attributes
        .iter()
        .map(|(attribute, fields)| (attribute.to_string(), Value::Object(write_fields(fields))))
        .collect();
    let slots: Vec<Value> = policy
        .slots
        .iter()
        .map(|((subject, attribute), fields)| {
            let mut slot = Map::new();
            slot.insert("subject".to_owned(), json!(subject.as_str()));
            slot.insert("attribute".to_owned(), json!(attribute.as_str()));
            slot.extend(write_fields(fields));
            Value::Object(slot)
        })
        .collect();
    json!({"version": policy.version, "sources": sources, "attributes": attributes, "slots": slots})
}

/// What is declared of one attribute, as JSON; what is not declared is not there.
pub fn write_fields(fields: &AttributePolicy) -> Map<String, Value> {
    let classes = |order: &Vec<SourceClass>| order.iter().map(|class| class.name()).collect::<Vec<_>>();
    [
        ("cardinality", fields.cardinality.map(|cardinality| json!(cardinality.name()))),
        ("on_change", fields.on_change.map(|change| json!(change.name()))),
        ("authority", fields.authority.as_ref().map(|order| json!(classes(order)))),
        ("system_of_record", fields.system_of_record.as_ref().map(|kind| json!(kind.as_str()))),
        ("compare", fields.compare.map(|compare| json!(compare.name()))),
        ("min_confidence", fields.min_confidence.map(|floor| json!(floor))),
        ("max_age", fields.max_age.map(|age| json!(length_of_time(age)))),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key.to_owned(), value?)))
    .collect()
}

/// What is declared of one attribute, from JSON whose authority is a list.
pub fn read_fields(node: Node<'_>) -> Result<AttributePolicy, Fault> {
    let mut fields = AttributePolicy::default();
    for (key, node) in node.fields()? {
        if !take_field(&mut fields, &key, node, &Orders::new()).map_err(|fault| fault.about(&key))? {
            return Err(unknown(node, &key, FIELDS));
        }
    }
    Ok(fields)
}

const FIELDS: &str = "cardinality, on_change, authority, system_of_record, compare, min_confidence, max_age";

fn unknown(node: Node<'_>, key: &str, known: &str) -> Fault {
    node.fault("this key means nothing here", format!("one of {known}")).about(key)
}

fn read_sources(node: Node<'_>) -> Result<BTreeMap<Kind, SourceClass>, Fault> {
    let fields = node.fields().map_err(|fault| fault.about("sources"))?;
    let read = |(kind, node): (Cow<'_, str>, Node<'_>)| {
        let class = class(node).map_err(|fault| fault.about(&format!("sources.{kind}")))?;
        Ok((Kind::from(&*kind), class))
    };
    fields.into_iter().map(read).collect()
}

fn read_orders(node: Node<'_>) -> Result<Orders, Fault> {
    let fields = node.fields().map_err(|fault| fault.about("authority"))?;
    let read = |(name, node): (Cow<'_, str>, Node<'_>)| {
        let order = order(node).map_err(|fault| fault.about(&format!("authority.{name}")))?;
        Ok((name.into_owned(), order))
    };
    fields.into_iter().map(read).collect()
}

fn read_attributes(node: Node<'_>, orders: &Orders) -> Result<BTreeMap<Attribute, AttributePolicy>, Fault> {
    let mut attributes = BTreeMap::new();
    for (name, node) in node.fields().map_err(|fault| fault.about("attributes"))? {
        let path = format!("attributes.{name}");
        let mut fields = AttributePolicy::default();
        for (key, node) in node.fields().map_err(|fault| fault.about(&path))? {
            let path = format!("{path}.{key}");
            if !take_field(&mut fields, &key, node, orders).map_err(|fault| fault.about(&path))? {
                return Err(unknown(node, &path, FIELDS));
            }
        }
        attributes.insert(Attribute::from(&*name), fields);
    }
    Ok(attributes)
}

fn read_slots(node: Node<'_>, orders: &Orders) -> Result<BTreeMap<(Subject, Attribute), AttributePolicy>, Fault> {
    let mut slots = BTreeMap::new();
    for node in node.items().map_err(|fault| fault.about("slots"))? {
        let (mut subject, mut attribute, mut fields) = (None, None, AttributePolicy::default());
        for (key, node) in node.fields().map_err(|fault| fault.about("slots"))? {
            let path = format!("slots.{key}");
            match &*key {
                "subject" => subject = Some(node.name().map_err(|fault| fault.about(&path))?),
                "attribute" => attribute = Some(node.name().map_err(|fault| fault.about(&path))?),
                _ if take_field(&mut fields, &key, node, orders).map_err(|fault| fault.about(&path))? => {}
                _ => return Err(unknown(node, &path, FIELDS)),
            }
        }
        let (Some(subject), Some(attribute)) = (subject, attribute) else {
            return Err(node.fault("it names no slot", "a subject and an attribute").about("slots"));
        };
        slots.insert((Subject::from(&*subject), Attribute::from(&*attribute)), fields);
    }
    Ok(slots)
}

/// Takes one key into the fields; false where no field has that name. Null declares nothing.
fn take_field(fields: &mut AttributePolicy, key: &str, node: Node<'_>, orders: &Orders) -> Result<bool, Fault> {
    let absent = node.shape() == Shape::Null;
    match key {
        "cardinality" | "on_change" | "authority" | "system_of_record" | "compare" | "min_confidence"
        | "max_age"
            if absent => {}
        "cardinality" => fields.cardinality = Some(word(node, Cardinality::named, "one or many")?),
        "on_change" => fields.on_change = Some(word(node, OnChange::named, "succession or correction")?),
        "authority" => fields.authority = Some(named_order(node, orders)?),
        "system_of_record" => fields.system_of_record = Some(Kind::from(&*node.name()?)),
        "compare" => {
            let names: Vec<&str> = Comparison::ALL.iter().map(|compare| compare.name()).collect();
            fields.compare = Some(word(node, Comparison::named, &names.join(", "))?);
        }
        "min_confidence" => fields.min_confidence = Some(floor(node)?),
        "max_age" => fields.max_age = Some(age(node)?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn word<T>(node: Node<'_>, named: impl Fn(&str) -> Option<T>, expected: &str) -> Result<T, Fault> {
    named(&node.text()?).ok_or_else(|| node.fault(format!("{} is none of them", node.brief()), expected))
}

fn class(node: Node<'_>) -> Result<SourceClass, Fault> {
    let names: Vec<&str> = SourceClass::ALL.iter().map(|class| class.name()).collect();
    word(node, SourceClass::named, &names.join(", "))
}

fn order(node: Node<'_>) -> Result<Vec<SourceClass>, Fault> {
    if node.shape() != Shape::List {
        return Err(node.unlike("a list of source classes, the most authoritative first"));
    }
    let mut order = Vec::new();
    for item in node.items()? {
        let class = class(item)?;
        if order.contains(&class) {
            return Err(item.fault(format!("{class} stands in it twice"), "each class once"));
        }
        order.push(class);
    }
    Ok(order)
}

fn named_order(node: Node<'_>, orders: &Orders) -> Result<Vec<SourceClass>, Fault> {
    if node.shape() != Shape::Text {
        return order(node);
    }
    let name = node.text()?;
    orders.get(&*name).cloned().ok_or_else(|| {
        let known: Vec<&str> = orders.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "a list of source classes".to_owned() } else { known.join(", ") };
        node.fault(format!("no order of authority is called {name:?}"), known)
    })
}

fn floor(node: Node<'_>) -> Result<f64, Fault> {
    let number = if node.shape() == Shape::Number { node.value()?.as_f64() } else { None };
    number
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| node.fault(format!("{} is no such number", node.brief()), "a number from 0 to 1"))
}

fn age(node: Node<'_>) -> Result<i128, Fault> {
    let expected = "a length of time as a text: \"90d\", \"12h\"";
    if node.shape() != Shape::Text {
        return Err(node.unlike(expected));
    }
    read_length_of_time(&node.text()?)
        .ok_or_else(|| node.fault(format!("{} is no length of time", node.brief()), expected))
}
