//! What a first reading of a file finds: names that other objects mean by a key, and what a later version of an object
//! no longer says. It is needed before the first record is made, for the order of the lines may be any.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::expr::{Expr, Names, texts_of};
use super::path::{Item, Scope};
use super::spec::{Field, Format, Kind, Rule};
use crate::core::value::canonical;

/// What was found.
#[derive(Debug, Default)]
pub struct Ahead {
    pub names: Names,
    versions: HashMap<u64, BTreeMap<i64, Version>>,
}

/// One version of an object: the marks of what it says, and when it was written.
#[derive(Debug, Default)]
struct Version {
    says: HashSet<u64>,
    written_at: Option<Value>,
}

impl Ahead {
    /// Looks at one object.
    pub fn look(&mut self, format: &Format, object: &Value) {
        let scope = Scope { object, item: None };
        for naming in format.names.iter().filter(|naming| naming.when.holds(scope)) {
            if let (Some(key), Some(name)) = (text(&naming.key, scope), text(&naming.name, scope)) {
                self.names.entry(naming.table.clone()).or_default().insert(key, name);
            }
        }
        let Some(kind) = format.kind_of(object) else { return };
        let Some((of, number)) = version_of(kind, scope) else { return };
        let version = self.versions.entry(of).or_default().entry(number).or_default();
        for rule in &kind.rules {
            version.written_at = version.written_at.take().or_else(|| written_at(rule, scope));
            let Some(each) = &rule.each else { continue };
            for (at, (key, value)) in each.find_all(scope).into_iter().enumerate() {
                let scope = Scope { object, item: Some(Item { value, key, at }) };
                version.says.extend(mark(rule, scope));
            }
        }
    }

    /// Whether the next version of this object leaves this item out, and when that one was written.
    pub(super) fn left_out(&self, kind: &Kind, rule: &Rule, scope: Scope<'_>) -> Option<Option<&Value>> {
        rule.each.as_ref()?;
        let (of, number) = version_of(kind, Scope { item: None, ..scope })?;
        let (_, next) = self.versions.get(&of)?.range(number + 1..).next()?;
        let mark = mark(rule, scope)?;
        (!next.says.contains(&mark)).then_some(next.written_at.as_ref())
    }
}

/// What makes an object a version, and which.
fn version_of(kind: &Kind, scope: Scope<'_>) -> Option<(u64, i64)> {
    let versions = kind.versions.as_ref()?;
    let found = versions.number.of(scope, &Names::new()).ok()??.value;
    let number = found.as_i64().or_else(|| found.as_str()?.trim().parse().ok())?;
    Some((hash(&(&kind.name, text(&versions.of, scope)?)), number))
}

fn written_at(rule: &Rule, scope: Scope<'_>) -> Option<Value> {
    let (_, expr) = rule.fields.iter().find(|(field, _)| *field == Field::WrittenAt)?;
    Some(expr.of(scope, &Names::new()).ok()??.value)
}

fn mark(rule: &Rule, scope: Scope<'_>) -> Option<u64> {
    let (_, expr) = rule.fields.iter().find(|(field, _)| *field == Field::Value)?;
    Some(hash(&canonical(&expr.of(scope, &Names::new()).ok()??.value)))
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

/// The lines of a text that say something.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
