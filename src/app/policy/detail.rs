//! One attribute, or one source kind, whole: its lines in their order, and how far they are scrolled.

use crate::app::asks::policy::{AttributeDetail, KindDetail, Question, Version, Writer};
use crate::core::pair::{Entry, Tally};
use crate::core::policy::AttributePolicy;
use crate::core::record::{Attribute, Kind, SourceClass, Subject};

/// What is looked at whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    pub of: Of,
    pub scroll: usize,
}

/// Of which thing; its content once it has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    Attribute(Attribute, Option<Box<AttributeDetail>>),
    Kind(Option<Kind>, Option<Box<KindDetail>>),
}

/// A line of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row<'a> {
    /// The name of a part, with how many it has.
    Part(&'static str, u64),
    /// Words, where a part has nothing.
    Nothing(&'static str),
    Gap,
    /// What is declared of the attribute.
    Fields(&'a AttributePolicy),
    Version(&'a Version),
    Own(&'a Subject, &'a AttributePolicy),
    Writer(&'a Writer),
    Pair(&'a Entry),
    /// What a kind is and lacks, one thing a line.
    Summary(Fact),
    /// What so many of its records lack.
    Lack(&'static str, u64),
    Confidence(f64, u64),
    Stated(SourceClass, u64),
    Written(&'a Attribute, u64, Tally),
}

/// What a line says of a source kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Class,
    Records,
    Spread,
    Tally,
}

impl Detail {
    pub const fn attribute(attribute: Attribute) -> Self {
        Self { of: Of::Attribute(attribute, None), scroll: 0 }
    }

    pub const fn kind(kind: Option<Kind>) -> Self {
        Self { of: Of::Kind(kind, None), scroll: 0 }
    }

    /// What to ask for it.
    pub fn question(&self) -> Question {
        match &self.of {
            Of::Attribute(attribute, _) => Question::Attribute(attribute.clone()),
            Of::Kind(kind, _) => Question::Kind(kind.clone()),
        }
    }

    /// Its lines.
    pub fn rows(&self) -> Vec<Row<'_>> {
        match &self.of {
            Of::Attribute(_, Some(detail)) => of_attribute(detail),
            Of::Kind(_, Some(detail)) => of_kind(detail),
            Of::Attribute(_, None) | Of::Kind(_, None) => vec![Row::Nothing("reading it …")],
        }
    }

    /// Scrolls by so many lines, as far as there is something below what `height` lines show.
    pub fn scroll(&mut self, by: i64, height: u16) {
        let last = self.rows().len().saturating_sub(usize::from(height));
        let by = isize::try_from(by).unwrap_or(0);
        self.scroll = self.scroll.min(last).saturating_add_signed(by).min(last);
    }
}

fn part<'a, T>(
    rows: &mut Vec<Row<'a>>,
    name: &'static str,
    nothing: &'static str,
    in_all: u64,
    of: impl ExactSizeIterator<Item = T>,
    row: impl Fn(T) -> Row<'a>,
) {
    rows.extend([Row::Gap, Row::Part(name, in_all)]);
    if of.len() == 0 {
        rows.push(Row::Nothing(nothing));
    }
    rows.extend(of.map(row));
}

fn of_attribute(detail: &AttributeDetail) -> Vec<Row<'_>> {
    let mut rows = vec![Row::Fields(&detail.line.fields)];
    let count = |many: usize| many as u64;
    part(
        &mut rows,
        "open pairs",
        "none: nothing of it waits for a person",
        detail.line.held,
        detail.pairs.iter(),
        Row::Pair,
    );
    part(
        &mut rows,
        "source kinds that write it",
        "no record names it yet",
        count(detail.kinds.len()),
        detail.kinds.iter(),
        Row::Writer,
    );
    part(
        &mut rows,
        "declarations",
        "none here: it is as it was shipped",
        detail.versions_in_all,
        detail.versions.iter(),
        Row::Version,
    );
    part(
        &mut rows,
        "declared for one subject",
        "for no subject apart",
        detail.line.own,
        detail.own.iter(),
        |(subject, fields)| Row::Own(subject, fields),
    );
    rows
}

fn of_kind(detail: &KindDetail) -> Vec<Row<'_>> {
    let summary = [Fact::Class, Fact::Records, Fact::Spread, Fact::Tally];
    let mut rows: Vec<Row<'_>> = summary.into_iter().map(Row::Summary).collect();
    if !detail.stated.is_empty() {
        let many = detail.line.stated;
        part(&mut rows, "records that state a class", "", many, detail.stated.iter(), |(class, many)| {
            Row::Stated(*class, *many)
        });
    }
    let lacks = &detail.line.lacks;
    let lacks = [
        ("observed_at", lacks.observed_at),
        ("epoch", lacks.epoch),
        ("confidence", lacks.confidence),
        ("batch", lacks.batch),
    ];
    let lacks: Vec<(&str, u64)> = lacks.into_iter().filter(|(_, many)| *many > 0).collect();
    part(&mut rows, "what its records lack", "nothing", 0, lacks.into_iter(), |(what, many)| Row::Lack(what, many));
    part(
        &mut rows,
        "confidences",
        "it states none",
        detail.line.confidence.distinct,
        detail.confidences.iter(),
        |(value, many)| Row::Confidence(*value, *many),
    );
    part(
        &mut rows,
        "attributes that it writes",
        "none: its records name no attribute",
        detail.attributes_in_all,
        detail.attributes.iter(),
        |(attribute, many, tally)| Row::Written(attribute, *many, *tally),
    );
    rows
}
