//! Paths: where in an object a thing stands.
//!
//! `.a.b` from the object, `@.a` from the item of a list that fans out, `@key` the key under which that item stands,
//! `[0]` one item of a list, `*` each item of a list or each value of an object. A key with a dot, a bracket or a
//! star in it is quoted: `."a.b"`. A path is plain data: it reads, and nothing else.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// From where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The object.
    Object,
    /// The item of the list that fans out.
    Item,
    /// The key of that item, or its number.
    ItemKey,
}

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    At(usize),
    /// Each item of a list, each value of an object.
    Each,
}

/// A path as it was written. Displays so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub root: Root,
    pub steps: Vec<Step>,
    text: String,
}

/// What a path reads from: an object, and the item of it that is being looked at.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub object: &'a Value,
    pub item: Option<Item<'a>>,
}

/// One of the things into which an object fans out.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    pub value: &'a Value,
    pub key: Option<&'a str>,
    /// Its number among its like, from 0.
    pub at: usize,
}

impl Path {
    /// What stands there; none where nothing does. Of several the first.
    pub fn find<'a>(&self, scope: Scope<'a>) -> Option<&'a Value> {
        let begin = self.begin(scope)?;
        self.steps.iter().try_fold(begin, |at, step| match step {
            Step::Key(key) => at.get(key),
            Step::At(number) => at.get(number),
            Step::Each => children(at).into_iter().next().map(|(_, child)| child),
        })
    }

    /// Everything that stands there, each with the last key that led to it.
    pub fn find_all<'a>(&self, scope: Scope<'a>) -> Vec<(Option<&'a str>, &'a Value)> {
        let Some(begin) = self.begin(scope) else { return Vec::new() };
        let mut found = vec![(None, begin)];
        for step in &self.steps {
            found = found
                .into_iter()
                .flat_map(|(_, at)| match step {
                    Step::Key(key) => at
                        .as_object()
                        .and_then(|map| map.get_key_value(key))
                        .map_or_else(Vec::new, |it| vec![(Some(it.0.as_str()), it.1)]),
                    Step::At(number) => at.get(number).map_or_else(Vec::new, |child| vec![(None, child)]),
                    Step::Each => children(at),
                })
                .collect();
        }
        found
    }

    /// The key of the object with which the path begins, where it begins with one.
    pub fn first_key(&self) -> Option<&str> {
        match (self.root, self.steps.first()) {
            (Root::Object, Some(Step::Key(key))) => Some(key),
            (Root::Object | Root::Item | Root::ItemKey, _) => None,
        }
    }

    /// Its text, as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn begin<'a>(&self, scope: Scope<'a>) -> Option<&'a Value> {
        match self.root {
            Root::Object => Some(scope.object),
            Root::Item => scope.item.map(|item| item.value),
            // A key is no value that could be lent; who wants it asks the item.
            Root::ItemKey => None,
        }
    }
}

fn children(of: &Value) -> Vec<(Option<&str>, &Value)> {
    match of {
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (Some(key.as_str()), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Path {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let written = text.trim();
        let (root, mut rest) = match written.as_bytes().first() {
            Some(b'.') => (Root::Object, written),
            Some(b'@') if written == "@key" => (Root::ItemKey, ""),
            Some(b'@') => (Root::Item, &written[1..]),
            _ => return Err(format!("{written:?} is no path: one begins with a dot (.name), or with @ in a list")),
        };
        if root == Root::Object && rest == "." {
            rest = "";
        }
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, left) =
                step(rest).ok_or_else(|| format!("{written:?} is no path: {rest:?} is no step of one"))?;
            steps.push(step);
            rest = left;
        }
        Ok(Self { root, steps, text: written.to_owned() })
    }
}

/// The first step of a text, and what is left of it.
fn step(text: &str) -> Option<(Step, &str)> {
    if let Some(inner) = text.strip_prefix('[') {
        let (number, left) = inner.split_once(']')?;
        return Some((Step::At(number.trim().parse().ok()?), left));
    }
    let text = text.strip_prefix('.')?;
    if let Some(quoted) = text.strip_prefix('"') {
        let (key, left) = quoted.split_once('"')?;
        return Some((Step::Key(key.to_owned()), left));
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (key, left) = text.split_at(end);
    match key {
        "" => None,
        "*" => Some((Step::Each, left)),
        _ => Some((Step::Key(key.to_owned()), left)),
    }
}
