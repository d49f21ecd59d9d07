//! An object fanned out: the items of it that a rule makes records of.

use serde_json::{Value, json};

use super::path::{Item, Scope};
use super::spec::Rule;

/// An item, with a value made for it where one had to be made: a line of a text.
pub(super) struct Fanned<'a> {
    item: Item<'a>,
    made: Option<Value>,
}

impl Fanned<'_> {
    /// What the expressions of the rule read from.
    pub(super) fn scope<'a>(&'a self, rule: &Rule, object: &'a Value) -> Scope<'a> {
        let item = Item { value: self.made.as_ref().unwrap_or(self.item.value), ..self.item };
        Scope { object, item: rule.each.is_some().then_some(item) }
    }

    /// Its number among its like.
    pub(super) const fn at(&self) -> usize {
        self.item.at
    }
}

/// The items of the object that the rule is about: the object itself, where it fans nothing out.
pub(super) fn items<'a>(rule: &Rule, object: &'a Value) -> Vec<Fanned<'a>> {
    let Some(each) = &rule.each else {
        let whole = Fanned { item: Item { value: object, key: None, at: 0 }, made: None };
        return if rule.when.holds(Scope { object, item: None }) { vec![whole] } else { Vec::new() };
    };
    let found = each.find_all(Scope { object, item: None });
    let mut items = Vec::new();
    for (at, (key, value)) in found.into_iter().enumerate() {
        let item = Item { value, key, at };
        let passed_over = key.is_some_and(|key| rule.but.iter().any(|but| but == key));
        if passed_over || !rule.when.holds(Scope { object, item: Some(item) }) {
            continue;
        }
        match value.as_str().filter(|_| rule.split) {
            Some(text) => items.extend(lines(text).map(|line| Fanned { item, made: Some(json!(line)) })),
            None => items.push(Fanned { item, made: None }),
        }
    }
    items
}

/// The lines of a text that say something.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
