//! What a first reading of a file finds: names that other objects mean by a key, and what a later version of an object
//! no longer says. It is needed before the first record is made, for the order of the lines may be any.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::expr::{Expr, Names, texts_of};
use super::fan::items;
use super::path::Scope;
use super::spec::{Field, Format, Kind, Rule};
use crate::core::value::canonical;

/// What was found.
#[derive(Debug, Default)]
pub struct Ahead {
    pub names: Names,
    versions: HashMap<u64, BTreeMap<i64, Version>>,
    /// Marks of what is said by rules that are not spare.
    said: HashSet<u64>,
}

/// One version of an object: the marks of what it says, and when it was written.
#[derive(Debug, Default)]
struct Version {
    says: HashSet<u64>,
    /// The times and the epoch that its records have of the object itself.
    times: Vec<(Field, Value)>,
}

impl Ahead {
    /// Looks at one object.
    pub fn look(&mut self, format: &Format, object: &Value) {
        let object = &*format.opened(object);
        let scope = Scope { object, item: None };
        for naming in format.names.iter().filter(|naming| naming.when.holds(scope)) {
            if let (Some(key), Some(name)) = (text(&naming.key, scope), text(&naming.name, scope)) {
                self.names.entry(naming.table.clone()).or_default().insert(key, name);
            }
        }
        let Some(kind) = format.kind_of(object) else { return };
        if kind.rules.iter().any(|rule| rule.spare) {
            for rule in kind.rules.iter().filter(|rule| !rule.spare) {
                for item in items(rule, object) {
                    self.said.extend(said(rule, item.scope(rule, object)));
                }
            }
        }
        let Some((of, number)) = version_of(kind, scope) else { return };
        let version = self.versions.entry(of).or_default().entry(number).or_default();
        for rule in &kind.rules {
            if version.times.is_empty() {
                version.times = times(rule, scope);
            }
            for item in items(rule, object).iter().filter(|_| rule.each.is_some()) {
                version.says.extend(mark(rule, item.scope(rule, object)));
            }
        }
    }

    /// Whether something in the file says so that is not spare.
    pub(super) fn is_said(&self, mark: u64) -> bool {
        self.said.contains(&mark)
    }

    /// Whether the next version of this object leaves this item out, and the times of that one.
    pub(super) fn left_out(&self, kind: &Kind, rule: &Rule, scope: Scope<'_>) -> Option<&[(Field, Value)]> {
        rule.each.as_ref()?;
        let (of, number) = version_of(kind, Scope { item: None, ..scope })?;
        let (_, next) = self.versions.get(&of)?.range(number + 1..).next()?;
        let mark = mark(rule, scope)?;
        (!next.says.contains(&mark)).then_some(next.times.as_slice())
    }
}

/// What makes an object a version, and which.
fn version_of(kind: &Kind, scope: Scope<'_>) -> Option<(u64, i64)> {
    let versions = kind.versions.as_ref()?;
    let found = versions.number.of(scope, &Names::new()).ok()??.value;
    let number = found.as_i64().or_else(|| found.as_str()?.trim().parse().ok())?;
    Some((hash(&(&kind.name, text(&versions.of, scope)?)), number))
}

fn times(rule: &Rule, scope: Scope<'_>) -> Vec<(Field, Value)> {
    let is_time = |field: Field| field.is_time() || field == Field::Epoch;
    let found = |(field, expr): &(Field, Expr)| Some((*field, expr.of(scope, &Names::new()).ok()??.value));
    rule.fields.iter().filter(|(field, _)| is_time(*field)).filter_map(found).collect()
}

/// What an item is known by in the next version: its attribute, or what it says where it has none.
fn mark(rule: &Rule, scope: Scope<'_>) -> Option<u64> {
    let of = |field: Field| {
        let (_, expr) = rule.fields.iter().find(|(named, _)| *named == field)?;
        Some(canonical(&expr.of(scope, &Names::new()).ok()??.value))
    };
    of(Field::Attribute).or_else(|| of(Field::Value)).map(|known| hash(&known))
}

/// Of whom it says what, as a mark.
fn said(rule: &Rule, scope: Scope<'_>) -> Option<u64> {
    let of = |field: Field| {
        let (_, expr) = rule.fields.iter().find(|(named, _)| *named == field)?;
        Some(canonical(&expr.of(scope, &Names::new()).ok()??.value))
    };
    Some(hash(&(of(Field::Subject), of(Field::Value))))
}

fn text(expr: &Expr, scope: Scope<'_>) -> Option<String> {
    let found = expr.of(scope, &Names::new()).ok()??;
    Some(texts_of(&found.value).concat()).filter(|text| !text.is_empty())
}

pub(super) fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
