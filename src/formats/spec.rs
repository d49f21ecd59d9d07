//! A format: which objects of a file are what, and what records they become.
//!
//! It is data. [`reading`](super::reading) makes one of a file, [`mapping`](super::mapping) applies it.

use std::borrow::Cow;

use serde_json::Value;

use super::expr::Expr;
use super::path::{Path, Scope};

/// How one system's files become records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Format {
    pub name: String,
    pub about: String,
    /// Gainsay's own lines: read by the rules of a record, and not mapped.
    pub native: bool,
    /// Where the objects stand in a file that is one document.
    pub items: Vec<Path>,
    /// Keys that say nothing which the kind of an object does not say already.
    pub ignores: Vec<String>,
    /// Keys whose text is JSON of its own: it is opened before anything is looked at.
    pub opens: Vec<String>,
    /// Tables of a `SQLite` file whose rows are objects.
    pub tables: Vec<String>,
    /// Things that other objects name by a key.
    pub names: Vec<Naming>,
    pub kinds: Vec<Kind>,
}

/// Objects that give names: whoever names the key means the name.
#[derive(Clone, Debug, PartialEq)]
pub struct Naming {
    pub table: String,
    pub when: When,
    pub key: Expr,
    pub name: Expr,
}

/// One kind of object in a format: how it is told from the others, and its records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kind {
    pub name: String,
    pub when: When,
    /// It is known, and says nothing that could be a record.
    pub skip: bool,
    pub versions: Option<Versions>,
    pub rules: Vec<Rule>,
}

/// One object written several times, each time newer: what is gone in the next version was not denied.
#[derive(Clone, Debug, PartialEq)]
pub struct Versions {
    /// What makes two objects versions of one.
    pub of: Expr,
    pub number: Expr,
}

/// What an object must be like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct When {
    /// Of each of these one path leads to something that is not null.
    pub has: Vec<Vec<Path>>,
    pub lacks: Vec<Path>,
    /// What stands there is one of these.
    pub is: Vec<(Path, Vec<Value>)>,
}

/// How an object becomes a record, or one for each item of a list in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    pub when: When,
    pub each: Option<Path>,
    /// Only where nothing else in the file says so: what a change tells of the time before it.
    pub spare: bool,
    /// What its attribute names holds many values by its nature: a relation.
    pub many: bool,
    /// The text of an item is several: one a line.
    pub split: bool,
    /// Keys of the object that are no items of its own.
    pub but: Vec<String>,
    pub fields: Vec<(Field, Expr)>,
    /// The keys of the record's source.
    pub source: Vec<(String, Expr)>,
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Id,
    Subject,
    Attribute,
    Value,
    Op,
    ObservedAt,
    WrittenAt,
    Epoch,
    Confidence,
    Evidence,
    Batch,
}

impl Field {
    pub const ALL: [Self; 11] = [
        Self::Id,
        Self::Subject,
        Self::Attribute,
        Self::Value,
        Self::Op,
        Self::ObservedAt,
        Self::WrittenAt,
        Self::Epoch,
        Self::Confidence,
        Self::Evidence,
        Self::Batch,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Subject => "subject",
            Self::Attribute => "attribute",
            Self::Value => "value",
            Self::Op => "op",
            Self::ObservedAt => "observed_at",
            Self::WrittenAt => "written_at",
            Self::Epoch => "epoch",
            Self::Confidence => "confidence",
            Self::Evidence => "evidence",
            Self::Batch => "batch",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    pub const fn is_time(self) -> bool {
        match self {
            Self::ObservedAt | Self::WrittenAt => true,
            Self::Id
            | Self::Subject
            | Self::Attribute
            | Self::Value
            | Self::Op
            | Self::Epoch
            | Self::Confidence
            | Self::Evidence
            | Self::Batch => false,
        }
    }

    /// Whether it is a name or words: a number there is written out.
    pub const fn is_text(self) -> bool {
        match self {
            Self::Id | Self::Subject | Self::Attribute | Self::Op | Self::Evidence | Self::Batch => true,
            Self::Value | Self::ObservedAt | Self::WrittenAt | Self::Epoch | Self::Confidence => false,
        }
    }
}

impl When {
    /// Whether the object is so.
    pub fn holds(&self, scope: Scope<'_>) -> bool {
        let there = |path: &Path| path.find(scope).is_some_and(|value| !value.is_null());
        self.has.iter().all(|any| any.iter().any(there))
            && !self.lacks.iter().any(there)
            && self.is.iter().all(|(path, values)| path.find(scope).is_some_and(|value| values.contains(value)))
    }

    /// What it asks for that the object has not, as paths.
    pub fn missing(&self, scope: Scope<'_>) -> Vec<String> {
        let there = |path: &Path| path.find(scope).is_some_and(|value| !value.is_null());
        let has = self.has.iter().filter(|any| !any.iter().any(there));
        let is = self.is.iter().filter(|(path, values)| !path.find(scope).is_some_and(|it| values.contains(it)));
        let not = self.lacks.iter().filter(|path| there(path));
        let spelled = |any: &Vec<Path>| any.iter().map(Path::as_str).collect::<Vec<_>>().join(" or ");
        has.map(spelled)
            .chain(is.map(|(path, values)| format!("{path} of {}", one_of(values))))
            .chain(not.map(|path| format!("no {path}")))
            .collect()
    }

    /// How much it asks for: of two formats that fit, the one that asks for more is meant.
    pub fn weight(&self) -> usize {
        self.has.len() + self.is.len() * 2 + self.lacks.len()
    }

    /// Every path that it looks at.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.has.iter().flatten().chain(&self.lacks).chain(self.is.iter().map(|(path, _)| path))
    }
}

fn one_of(values: &[Value]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

impl Format {
    /// The object with what is JSON in it as a text opened.
    pub fn opened<'a>(&self, object: &'a Value) -> Cow<'a, Value> {
        let inner = |key: &String| serde_json::from_str::<Value>(object.get(key)?.as_str()?).ok();
        let found: Vec<(&String, Value)> = self.opens.iter().filter_map(|key| Some((key, inner(key)?))).collect();
        if found.is_empty() {
            return Cow::Borrowed(object);
        }
        let mut opened = object.clone();
        for (key, value) in found {
            opened[key.as_str()] = value;
        }
        Cow::Owned(opened)
    }

    /// The kind that this object is of: the first whose conditions it meets.
    pub fn kind_of(&self, object: &Value) -> Option<&Kind> {
        let object = &*self.opened(object);
        self.kinds.iter().find(|kind| kind.when.holds(Scope { object, item: None }))
    }

    /// Whether a file must be read once before it is mapped: for names, or for what a later version left out.
    pub fn looks_ahead(&self) -> bool {
        let rules_look = |kind: &Kind| kind.versions.is_some() || kind.rules.iter().any(|rule| rule.spare);
        !self.names.is_empty() || self.kinds.iter().any(rules_look)
    }
}

impl Kind {
    /// The keys of an object that mean something in this kind.
    pub fn reads(&self, key: &str) -> bool {
        let rules = self.rules.iter().flat_map(|rule| {
            let fields = rule.fields.iter().map(|(_, expr)| expr).chain(rule.source.iter().map(|(_, expr)| expr));
            fields.flat_map(Expr::paths).chain(&rule.each).chain(rule.when.paths())
        });
        let versions = self.versions.iter().flat_map(|it| it.of.paths().into_iter().chain(it.number.paths()));
        let mut paths = rules.chain(versions).chain(self.when.paths());
        let whole = self.rules.iter().any(|rule| rule.each.as_ref().is_some_and(|each| each.as_str() == ".*"));
        whole || self.skip || paths.any(|path| path.first_key() == Some(key))
    }
}
