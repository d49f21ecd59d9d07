//! Slots by chance: small, with few values, times, epochs and sources, so that everything collides with everything.

use std::fmt;

use gainsay::core::epoch::Opening;
use gainsay::core::policy::{AttributePolicy, Cardinality, OnChange, Rules};
use gainsay::core::record::{Epoch, Op, Record, RecordId};
use gainsay::core::ruling::{Between, Decision, RequestId, Ruling, RulingId, WithdrawReason};
use gainsay::core::value::Comparison;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::script::{Declared, Told, instant, record, rules, undeclared};
use crate::stories::ruled;

const WORDS: [&str; 4] = ["Lisbon", "Berlin", "Porto", "lisbon "];

const DATES: [&str; 5] = ["1994", "1994-05", "1994-05-02", "1994-06-01", "1995"];

pub(crate) const MOMENTS: [&str; 10] = [
    "2025-10",
    "2025-10-14",
    "2025-10-14T09:00:00Z",
    "2025-10-14T12:00:00Z",
    "2025-10-14T15:00:00Z",
    "2025-10-15",
    "2025-10-15T09:00:00Z",
    "2025-10-16T09:00:00Z",
    "2025-11-05T09:00:00Z",
    "2025-11-06T09:00:00Z",
];

/// Some of them before some of the moments: what was observed after it was written is impossible.
const WRITTEN: [&str; 5] = [
    "2025-11-10T09:00:00Z",
    "2025-11-10T09:00:00Z",
    "2025-11-11T09:00:00Z",
    "2025-11-12T09:00:00Z",
    "2025-10-15T12:00:00Z",
];

const KINDS: [&str; 5] = ["user_utterance", "user_utterance", "tool_output", "crm_import", "ouija"];

/// When the rulings of a story are made, one after the other.
const RULED: [&str; 6] = [
    "2025-10-15T10:00:00Z",
    "2025-10-16T10:00:00Z",
    "2025-11-05T08:00:00Z",
    "2025-11-05T10:00:00Z",
    "2025-11-20T09:00:00Z",
    "2025-11-21T09:00:00Z",
];

/// A slot as `settle` is given it.
#[derive(Clone)]
pub(crate) struct Story {
    pub(crate) records: Vec<Record>,
    pub(crate) rules: Rules,
    pub(crate) rulings: Vec<Ruling>,
}

/// A line for each record and ruling: a counterexample is read by a person.
impl fmt::Debug for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { cardinality, compare, on_change, min_confidence, .. } = &self.rules;
        let openings = self.rules.openings();
        writeln!(f, "{cardinality:?} {compare:?} {on_change:?} floor {min_confidence:?} {openings:?}")?;
        for it in &self.records {
            writeln!(f, "  {:?}", Line(it))?;
        }
        self.rulings.iter().try_for_each(|it| writeln!(f, "  #{} at {}: {:?}", it.id, it.at, it.decision))
    }
}

/// A record in one line.
#[derive(Clone)]
pub(crate) struct Line<R>(pub(crate) R);

impl<R: std::borrow::Borrow<Record>> fmt::Debug for Line<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = self.0.borrow();
        let (kind, answers) = (it.kind().map(ToString::to_string), it.answers.map(|request| request.0));
        write!(
            f,
            "{} {:?} {} by {kind:?} observed {:?} written {}",
            it.id, it.op, it.value, it.observed_at, it.written_at
        )?;
        write!(f, " epoch {:?} confidence {:?} answers {answers:?}", it.epoch.map(|epoch| epoch.0), it.confidence)
    }
}

/// What a slot by chance may have in it.
#[derive(Clone, Copy)]
pub(crate) struct Chance {
    pub(crate) gaps: f64,
    pub(crate) retractions: f64,
    pub(crate) epochs: i64,
    pub(crate) rulings: usize,
}

/// Anything that can be in a slot.
pub(crate) const ANYTHING: Chance = Chance { gaps: 0.1, retractions: 0.15, epochs: 3, rulings: 6 };

pub(crate) fn any_rules() -> impl Strategy<Value = Rules> {
    let cardinality = select(vec![Some(Cardinality::One), Some(Cardinality::One), Some(Cardinality::Many), None]);
    let opening = option::weighted(0.3, (2_i64..=3, select(&RULED[..])));
    (cardinality, any::<bool>(), any::<bool>(), option::weighted(0.4, Just(0.5)), opening).prop_map(
        |(cardinality, dates, corrected, min_confidence, opening)| {
            let compare = Some(if dates { Comparison::Date } else { Comparison::Text });
            let on_change = Some(if corrected { OnChange::Correction } else { OnChange::Succession });
            let opened =
                |(epoch, since)| Opening { since: instant(since), epoch: Epoch(epoch), ruling: RulingId(99) };
            rules(AttributePolicy { cardinality, compare, on_change, min_confidence, ..undeclared() }.personal())
                .with_openings(opening.map(opened).into_iter().collect())
        },
    )
}

/// A record without its id.
pub(crate) fn any_record(chance: Chance) -> impl Strategy<Value = Line<Record>> {
    let kept = 1.0 - chance.gaps;
    let says = (
        0_usize..20,
        prop::bool::weighted(chance.retractions),
        select(vec![None, Some(0.2), Some(0.9), Some(0.9)]),
    );
    let stands = (
        option::weighted(kept, select(&KINDS[..])),
        option::weighted(kept, select(&MOMENTS[..])),
        option::weighted(kept, 1..=chance.epochs),
        select(&WRITTEN[..]),
        option::weighted(0.2, 1_i64..=6),
    );
    (says, stands).prop_map(|((value, retracts, confidence), (kind, at, epoch, written, answers))| {
        let mut it = record("user_31882", "home_city", value.to_string()).written(written);
        it.confidence = confidence;
        it.op = if retracts { Op::Retract } else { Op::Assert };
        it = kind.into_iter().fold(it, Told::by);
        it = at.into_iter().fold(it, Told::observed);
        it.epoch = epoch.map(Epoch);
        it.answers = answers.map(RequestId);
        Line(it)
    })
}

/// Gives each record its id, and one of the values that the rules compare.
pub(crate) fn told(records: Vec<Line<Record>>, rules: &Rules) -> Vec<Record> {
    let values: &[&str] = if rules.compare == Comparison::Date { &DATES } else { &WORDS };
    let said = |it: &Record| it.value.as_str().and_then(|text| text.parse::<usize>().ok()).unwrap_or_default();
    let name = |(at, Line(it)): (usize, Line<Record>)| {
        let value = values[said(&it) % values.len()].into();
        Record { value, ..it }.id(&format!("r{at:02}"))
    };
    records.into_iter().enumerate().map(name).collect()
}

fn any_decision() -> impl Strategy<Value = (u8, usize, usize)> {
    (0_u8..16, 0_usize..12, 0_usize..12)
}

fn decision(id: i64, (kind, one, other): (u8, usize, usize), records: &[Record]) -> Decision {
    let name = |at: usize| records[at % records.len()].id.clone();
    let (one_at, other_at) = (one % records.len(), other % records.len());
    let other_at = if one_at == other_at { (other_at + 1) % records.len() } else { other_at };
    let between = Between(name(one_at), name(other_at));
    let accepting =
        |recency_override| Decision::Accept { winner: name(one_at), loser: name(other_at), recency_override };
    match kind {
        0..4 => accepting(false),
        4 => accepting(true),
        5 | 6 => Decision::Same(between),
        7 => Decision::AcrossEpochs { between, from: Epoch(1), to: Epoch(2), cause: None },
        8 | 9 => Decision::Request(between),
        10 => Decision::Reobserve { between, request: RequestId(id), record: name(one_at) },
        11 => Decision::Withdraw { records: [name(one_at)].into(), why: WithdrawReason::Misspoke },
        12 | 13 => Decision::Dispute(between),
        14 => Decision::Note("seen".to_owned()),
        _ => Decision::Undo(RulingId(1 + i64::try_from(one).unwrap_or_default() % id.max(1))),
    }
}

/// A slot by chance, of one to twelve records.
pub(crate) fn any_story(chance: Chance) -> impl Strategy<Value = Story> {
    (vec(any_record(chance), 1..=12), any_rules(), vec(any_decision(), 0..=chance.rulings)).prop_map(
        |(records, rules, decisions)| {
            let records = told(records, &rules);
            // A ruling is between two.
            let ruled_on = if records.len() > 1 { decisions } else { Vec::new() };
            let rulings = ruled_on
                .into_iter()
                .enumerate()
                .map(|(at, chosen)| {
                    let id = i64::try_from(at).unwrap_or_default() + 1;
                    Ruling { at: instant(RULED[at % RULED.len()]), ..ruled(id, decision(id, chosen, &records)) }
                })
                .collect();
            Story { records, rules, rulings }
        },
    )
}

/// The records in another order, chosen by a number.
pub(crate) fn shuffled(records: &[Record], by: u64) -> Vec<Record> {
    let mut left: Vec<Record> = records.to_vec();
    let mut state = by;
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).unwrap_or_default() % left.len();
        order.push(left.swap_remove(at));
    }
    order
}

/// A record that says the same again under another id.
pub(crate) fn echo(of: &Record) -> Record {
    Record { id: RecordId::from(format!("{}~", of.id).as_str()), answers: None, ..of.clone() }
}
