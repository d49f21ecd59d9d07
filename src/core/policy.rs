//! What is declared of attributes and sources: the part of the law that people write.

use std::collections::BTreeMap;
use std::fmt;

use super::epoch::Opening;
use super::record::{Anchored, Attribute, Kind, Lack, Record, SourceClass, Subject};
use super::value::{Comparison, Key};

/// How many values an attribute holds at a time. No pair of values can tell it: it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    One,
    Many,
}

/// What a new value says of the old one: that it stopped being true, or that it never was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnChange {
    Succession,
    Correction,
}

/// What is declared of one attribute; a field that is absent is not declared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributePolicy {
    pub cardinality: Option<Cardinality>,
    pub on_change: Option<OnChange>,
    /// Source classes, the most authoritative first.
    pub authority: Option<Vec<SourceClass>>,
    /// The source kind that owns the attribute: it stands above every class.
    pub system_of_record: Option<Kind>,
    pub compare: Option<Comparison>,
    pub min_confidence: Option<f64>,
    /// How long a settled fact stays fresh, in nanoseconds.
    pub max_age: Option<i128>,
}

/// One version of the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    pub version: i64,
    pub sources: BTreeMap<Kind, SourceClass>,
    pub attributes: BTreeMap<Attribute, AttributePolicy>,
    /// What is declared for the attribute of one subject only, over the attribute's own.
    pub slots: BTreeMap<(Subject, Attribute), AttributePolicy>,
}

/// A declaration: the fields it names replace those of the attribute (or of one slot), the others stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    pub attribute: Attribute,
    pub subject: Option<Subject>,
    pub fields: AttributePolicy,
}

/// The policy as it stands for one slot: what `examine` and `settle` read.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    pub version: i64,
    pub cardinality: Option<Cardinality>,
    pub on_change: OnChange,
    pub compare: Comparison,
    pub min_confidence: Option<f64>,
    /// The age, in nanoseconds, above which a settled fact is stale.
    pub max_age: Option<i128>,
    /// The epochs that were opened for the subject, the earliest first.
    openings: Vec<Opening>,
    authority: Vec<SourceClass>,
    system_of_record: Option<Kind>,
    sources: BTreeMap<Kind, SourceClass>,
}

/// A place in the order of authority: the smaller, the more authoritative. 0 is the system of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub usize);

impl Policy {
    /// The class of a record's source: the one it states, else the one of its kind; none for an unknown kind.
    pub fn class_of(&self, record: &Record) -> Option<SourceClass> {
        class_of(&self.sources, record)
    }

    /// The policy with the declaration made.
    #[must_use]
    pub fn with(&self, declaration: &Declaration, version: i64) -> Self {
        let mut policy = Self { version, ..self.clone() };
        let attribute = declaration.attribute.clone();
        let entry = match &declaration.subject {
            Some(subject) => policy.slots.entry((subject.clone(), attribute)).or_default(),
            None => policy.attributes.entry(attribute).or_default(),
        };
        *entry = declaration.fields.clone().over(entry.clone());
        policy
    }

    /// What is declared for one slot: what was declared for any name of its subject, over what holds for the attribute.
    pub fn declared(&self, names: &[Subject], attribute: &Attribute) -> AttributePolicy {
        let general = self.attributes.get(attribute).cloned().unwrap_or_default();
        let own = names.iter().filter_map(|name| self.slots.get(&(name.clone(), attribute.clone())));
        AttributePolicy::agreed(&own.collect::<Vec<_>>()).over(general)
    }

    /// The rules of one slot, of a subject with one name.
    pub fn rules(&self, subject: &Subject, attribute: &Attribute) -> Rules {
        self.rules_of(std::slice::from_ref(subject), attribute)
    }

    /// The rules of one slot, of a subject by all of its names.
    pub fn rules_of(&self, names: &[Subject], attribute: &Attribute) -> Rules {
        let declared = self.declared(names, attribute);
        Rules {
            version: self.version,
            cardinality: declared.cardinality,
            on_change: declared.on_change.unwrap_or(OnChange::Succession),
            compare: declared.compare.unwrap_or(Comparison::Text),
            min_confidence: declared.min_confidence,
            max_age: declared.max_age,
            openings: Vec::new(),
            authority: declared.authority.unwrap_or_default(),
            system_of_record: declared.system_of_record,
            sources: self.sources.clone(),
        }
    }
}

impl AttributePolicy {
    /// What these declarations say with one voice: where two names of one subject were declared differently, neither
    /// holds, whichever name comes first.
    fn agreed(declared: &[&Self]) -> Self {
        Self {
            cardinality: agreed(declared.iter().map(|it| it.cardinality)),
            on_change: agreed(declared.iter().map(|it| it.on_change)),
            authority: agreed(declared.iter().map(|it| it.authority.clone())),
            system_of_record: agreed(declared.iter().map(|it| it.system_of_record.clone())),
            compare: agreed(declared.iter().map(|it| it.compare)),
            min_confidence: agreed(declared.iter().map(|it| it.min_confidence)),
            max_age: agreed(declared.iter().map(|it| it.max_age)),
        }
    }

    /// These fields where they are declared, the other's where they are not.
    #[must_use]
    pub fn over(self, under: Self) -> Self {
        Self {
            cardinality: self.cardinality.or(under.cardinality),
            on_change: self.on_change.or(under.on_change),
            authority: self.authority.or(under.authority),
            system_of_record: self.system_of_record.or(under.system_of_record),
            compare: self.compare.or(under.compare),
            min_confidence: self.min_confidence.or(under.min_confidence),
            max_age: self.max_age.or(under.max_age),
        }
    }
}

impl Rules {
    /// The rules, where these epochs were opened for the subject.
    #[must_use]
    pub fn with_openings(self, openings: Vec<Opening>) -> Self {
        Self { openings, ..self }
    }

    /// The epochs that were opened for the subject, the earliest first.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// The record as an anchored one of this slot, or everything that it lacks.
    pub fn anchored<'a>(&self, record: &'a Record) -> Result<Anchored<'a>, Vec<Lack>> {
        match (record.anchored(), self.ruled_out(record)) {
            (Ok(anchored), None) => Ok(anchored),
            (Ok(_) | Err(_), Some(_)) | (Err(_), None) => Err(self.lacks(record)),
        }
    }

    /// Whether its provenance is whole and possible.
    pub fn is_anchored(&self, record: &Record) -> bool {
        self.anchored(record).is_ok()
    }

    /// Everything that keeps the record from being anchored in this slot; empty when it is.
    pub fn lacks(&self, record: &Record) -> Vec<Lack> {
        let mut lacks = record.lacks();
        lacks.extend(self.ruled_out(record).map(Lack::OpenEpoch));
        lacks
    }

    /// The opening after which its epoch was over; of several, the first.
    fn ruled_out(&self, record: &Record) -> Option<Opening> {
        let (epoch, observed) = record.epoch.zip(record.observed_at)?;
        self.openings.iter().find(|opening| opening.rules_out(epoch, observed.first())).copied()
    }

    /// How authoritative the record is for this attribute; none where its class, or the order, is not known.
    pub fn rank(&self, record: &Record) -> Option<Rank> {
        if self.system_of_record.is_some() && record.kind() == self.system_of_record.as_ref() {
            return Some(Rank(0));
        }
        let class = self.class_of(record)?;
        self.authority.iter().position(|listed| *listed == class).map(|place| Rank(place + 1))
    }

    /// The class of a record's source.
    pub fn class_of(&self, record: &Record) -> Option<SourceClass> {
        class_of(&self.sources, record)
    }

    /// The kind that owns the attribute, where one does.
    pub fn system_of_record(&self) -> Option<&Kind> {
        self.system_of_record.as_ref()
    }

    /// Whether every slot settles the same under both, whatever the versions of the policy that they come from.
    pub fn are_alike(&self, other: &Self) -> bool {
        let Self { version: _, max_age: _, cardinality, on_change, compare, min_confidence, .. } = self;
        let Self { authority, system_of_record, sources, .. } = self;
        (cardinality, on_change, compare, min_confidence)
            == (&other.cardinality, &other.on_change, &other.compare, &other.min_confidence)
            && (authority, system_of_record, sources) == (&other.authority, &other.system_of_record, &other.sources)
    }

    /// The order of classes, the most authoritative first; empty where none is declared.
    pub fn authority(&self) -> &[SourceClass] {
        &self.authority
    }

    /// Whether the record stands on or above the confidence floor, where there is one.
    pub fn is_confident(&self, record: &Record) -> bool {
        self.min_confidence.is_none_or(|floor| record.confidence.is_some_and(|confidence| confidence >= floor))
    }
}

/// The one value among those that are there; none where they differ.
fn agreed<T: PartialEq>(values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let mut there = values.flatten();
    let first = there.next()?;
    there.all(|other| other == first).then_some(first)
}

fn class_of(sources: &BTreeMap<Kind, SourceClass>, record: &Record) -> Option<SourceClass> {
    let source = record.source.as_ref()?;
    source.class.or_else(|| sources.get(source.kind.as_ref()?).copied())
}

impl Cardinality {
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Many => "many",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::One, Self::Many].into_iter().find(|cardinality| cardinality.name() == name)
    }
}

impl OnChange {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Succession => "succession",
            Self::Correction => "correction",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Succession, Self::Correction].into_iter().find(|change| change.name() == name)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A length of time in nanoseconds, from `90d`, `12h 30m`, `PT90S`; none for what is not one, or is below nothing.
pub fn read_length_of_time(text: &str) -> Option<i128> {
    match Comparison::Duration.key(&serde_json::Value::from(text)) {
        Key::Nanoseconds(length) if length >= 0 => Some(length),
        Key::Nanoseconds(_) | Key::Text(_) | Key::Number(_) | Key::Span(_) | Key::Unread(_) => None,
    }
}

/// The length in the largest unit that measures it whole: `90d`, `36h`, `5s`.
pub fn length_of_time(nanoseconds: i128) -> String {
    const UNITS: [(i128, &str); 7] = [
        (86_400_000_000_000, "d"),
        (3_600_000_000_000, "h"),
        (60_000_000_000, "m"),
        (1_000_000_000, "s"),
        (1_000_000, "ms"),
        (1_000, "us"),
        (1, "ns"),
    ];
    let (length, name) = UNITS.into_iter().find(|(length, _)| nanoseconds % length == 0).unwrap_or((1, "ns"));
    format!("{}{name}", nanoseconds / length)
}
