//! The form in which an attribute's policy is declared: its fields, and the declaration that they make.

use super::form::{Field, Form};
use super::standing::Standing;
use crate::core::policy::{
    AttributePolicy, Cardinality, Declaration, OnChange, length_of_time, read_length_of_time,
};
use crate::core::record::{Kind, SourceClass, Subject};
use crate::core::value::Comparison;

/// What a field holds when it is to stay as it is.
pub const AS_IS: &str = "as it is";
pub const EVERY_SUBJECT: &str = "every subject";
pub const ONE_SUBJECT: &str = "one subject only";
/// The field that names that subject.
pub const SUBJECT: &str = "subject";

const SCOPE: &str = "holds for";
const CARDINALITY: &str = "cardinality";
const ON_CHANGE: &str = "on change";
const AUTHORITY: &str = "authority";
const SYSTEM: &str = "system of record";
const COMPARE: &str = "compare as";
const CONFIDENCE: &str = "min confidence";
const AGE: &str = "max age";

/// A field, by name, and what is wrong with it.
type Objection = (&'static str, String);

/// The fields, with what is declared now in those that are texts.
pub(super) fn fields(standing: &Standing) -> Vec<Field> {
    let known = &standing.fields;
    let subject = standing.subject.as_ref().map_or("", Subject::as_str);
    let comparisons: Vec<&str> = [AS_IS].into_iter().chain(Comparison::ALL.map(Comparison::name)).collect();
    vec![
        Field::choice(CARDINALITY, "how many values it holds at a time: one, or many", &[AS_IS, "one", "many"]),
        Field::choice(
            ON_CHANGE,
            "succession: the old value stopped being true; correction: it never was",
            &[AS_IS, "succession", "correction"],
        ),
        Field::text(AUTHORITY, "the highest first; first letters will do: user, obs, inf, third")
            .holding(&authority(known)),
        Field::text(SYSTEM, "the source kind that owns it, above every class: billing_system")
            .holding(known.system_of_record.as_ref().map_or("", Kind::as_str)),
        Field::choice(COMPARE, "when two values are one: 30s is 30000ms as a duration", &comparisons),
        Field::text(CONFIDENCE, "0 to 1: what a record must state to win by itself")
            .holding(&known.min_confidence.map(|floor| floor.to_string()).unwrap_or_default()),
        Field::text(AGE, "how long a settled fact stays fresh: 90d, 12h")
            .holding(&known.max_age.map(length_of_time).unwrap_or_default()),
        Field::choice(SCOPE, "the whole attribute, or the slot of one subject", &[EVERY_SUBJECT, ONE_SUBJECT]),
        Field::text(SUBJECT, "its name, where it holds for one subject only").holding(subject),
    ]
}

/// What is declared now of what a field is about, in a word.
pub fn now(standing: &Standing, field: &str) -> Option<String> {
    let known = &standing.fields;
    match field {
        CARDINALITY => known.cardinality.map(|it| it.name().to_owned()),
        ON_CHANGE => known.on_change.map(|it| it.name().to_owned()),
        AUTHORITY => Some(authority(known)).filter(|order| !order.is_empty()),
        SYSTEM => known.system_of_record.as_ref().map(ToString::to_string),
        COMPARE => known.compare.map(|it| it.name().to_owned()),
        CONFIDENCE => known.min_confidence.map(|it| it.to_string()),
        AGE => known.max_age.map(length_of_time),
        _ => None,
    }
}

/// What holds of a field where nothing is declared.
pub fn without(field: &Field) -> Option<&'static str> {
    match field.name {
        ON_CHANGE => Some(OnChange::Succession.name()),
        COMPARE => Some(Comparison::Text.name()),
        _ => None,
    }
}

/// What a field holds, with classes by their whole names.
pub fn spelled(field: &Field) -> String {
    let written = field.value().trim();
    match order(written) {
        Ok(Some(classes)) if field.name == AUTHORITY => names(&classes),
        Ok(_) | Err(_) => written.to_owned(),
    }
}

/// Whether a field is part of the declaration: it says something, or where it holds.
pub fn is_changed(standing: &Standing, field: &Field) -> bool {
    let value = spelled(field);
    match field.name {
        SCOPE => value == ONE_SUBJECT,
        SUBJECT => false,
        CARDINALITY | ON_CHANGE | COMPARE => value != AS_IS,
        _ => !value.is_empty() && now(standing, field.name).as_deref() != Some(value.as_str()),
    }
}

/// Whether a field is of no use as the others stand: the subject, where it holds for every one.
pub fn is_idle(form: &Form, field: &Field) -> bool {
    field.name == SUBJECT && form.value(SCOPE) != ONE_SUBJECT
}

fn authority(fields: &AttributePolicy) -> String {
    names(fields.authority.as_deref().unwrap_or_default())
}

fn names(order: &[SourceClass]) -> String {
    order.iter().map(|class| class.name()).collect::<Vec<_>>().join(", ")
}

/// A class by its name, or by the letters that it begins with: no two begin with the same.
fn class(name: &str) -> Option<SourceClass> {
    SourceClass::named(name).or_else(|| SourceClass::ALL.into_iter().find(|class| class.name().starts_with(name)))
}

/// The declaration that the form makes, or the field that is not yet right. What was left as it is, is not in it.
pub(super) fn declaration(form: &Form, standing: &Standing) -> Result<Declaration, Objection> {
    let known = &standing.fields;
    let fields = AttributePolicy {
        cardinality: Cardinality::named(form.value(CARDINALITY)),
        on_change: OnChange::named(form.value(ON_CHANGE)),
        authority: order(form.value(AUTHORITY))?.filter(|order| known.authority.as_ref() != Some(order)),
        system_of_record: some(form.value(SYSTEM))
            .map(Kind::from)
            .filter(|kind| known.system_of_record.as_ref() != Some(kind)),
        compare: Comparison::named(form.value(COMPARE)),
        min_confidence: floor(form.value(CONFIDENCE))?.filter(|floor| known.min_confidence != Some(*floor)),
        max_age: age(form.value(AGE))?.filter(|age| known.max_age != Some(*age)),
    };
    if fields == AttributePolicy::default() {
        return Err((CARDINALITY, "nothing is declared yet: change at least one line".to_owned()));
    }
    let subject = match form.value(SCOPE) == ONE_SUBJECT {
        true => Some(some(form.value(SUBJECT)).ok_or((SUBJECT, "the name of that subject is needed".to_owned()))?),
        false => None,
    };
    Ok(Declaration { attribute: standing.attribute.clone(), subject: subject.map(Subject::from), fields })
}

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn order(text: &str) -> Result<Option<Vec<SourceClass>>, Objection> {
    let mut order = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let class = class(name)
            .ok_or_else(|| (AUTHORITY, format!("{name} is no class: observation, user, inference, third_party")))?;
        if order.contains(&class) {
            return Err((AUTHORITY, format!("{name} stands in it twice")));
        }
        order.push(class);
    }
    Ok(Some(order).filter(|order| !order.is_empty()))
}

fn floor(text: &str) -> Result<Option<f64>, Objection> {
    let Some(text) = some(text) else { return Ok(None) };
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.map(Some).ok_or_else(|| (CONFIDENCE, format!("{text} is no number from 0 to 1")))
}

fn age(text: &str) -> Result<Option<i128>, Objection> {
    let Some(text) = some(text) else { return Ok(None) };
    let length = read_length_of_time(text);
    length.map(Some).ok_or_else(|| (AGE, format!("{text} is no length of time: 90d, 12h, 30m")))
}
