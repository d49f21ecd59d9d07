//! A second opinion: the law of one slot written anew from DESIGN 3.2, the slow and obvious way, and held against
//! [`settle`]. It knows anchored assertions and retractions, withdrawals and undos, and asks [`examine`] of every two records.

use std::collections::{BTreeMap, BTreeSet};

use gainsay::core::examine::{Side, examine};
use gainsay::core::identity::SameSubject;
use gainsay::core::pair::RecordState;
use gainsay::core::policy::{Cardinality, Rules};
use gainsay::core::record::{Epoch, Record};
use gainsay::core::ruling::{Decision, Ruling};
use gainsay::core::settle::{Slot, Status, settle};
use gainsay::core::value::{Comparison, Key};
use proptest::prelude::*;

use crate::chance::{Chance, Story, any_story, shuffled};
use crate::dice::rounds;
use crate::script::{Told, properties, winner};

/// What a slot comes to: the pairs as two values with their epochs, the values that live, and every value that stands.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    pairs: BTreeSet<BTreeSet<(Epoch, Key)>>,
    live: BTreeSet<Key>,
    standing: BTreeSet<(Epoch, Key)>,
    open: bool,
}

fn beats(a: &Record, b: &Record, rules: &Rules) -> bool {
    winner(&examine(a, b, rules, &SameSubject::SameName).finding) == Some(Side::Left)
}

fn named(record: &Record, rules: &Rules) -> (Epoch, Key) {
    (record.epoch.unwrap_or(Epoch(0)), record.key(rules))
}

/// The claims of one epoch that nothing beats, the earliest written first: a claim stands by any record of it.
fn standing<'a>(records: &[&'a Record], rules: &Rules) -> Vec<&'a Record> {
    let unbeaten = |it: &&&Record| !records.iter().any(|other| beats(other, it, rules));
    let mut first: BTreeMap<Key, &Record> = BTreeMap::new();
    for it in records.iter().filter(unbeaten) {
        let key = it.key(rules);
        // The claim is named by the earliest written of all that say it, beaten or not.
        let saying = records.iter().filter(|other| other.key(rules) == key);
        first.extend(saying.min_by_key(|record| record.writing_order()).map(|record| (key, *record)));
    }
    let mut claims: Vec<&Record> = first.into_values().collect();
    claims.sort_by_key(|record| record.writing_order());
    claims
}

fn by_epoch(records: &[Record]) -> BTreeMap<Epoch, Vec<&Record>> {
    let mut epochs: BTreeMap<Epoch, Vec<&Record>> = BTreeMap::new();
    for record in records {
        epochs.entry(record.epoch.unwrap_or(Epoch(0))).or_default().push(record);
    }
    epochs
}

fn of_one_value(records: &[Record], rules: &Rules) -> Verdict {
    let mut verdict = Verdict::default();
    let mut before: Option<&Record> = None;
    for records in by_epoch(records).into_values() {
        let claims = standing(&records, rules);
        let mut pair = |a: &Record, b: &Record| verdict.pairs.insert([named(a, rules), named(b, rules)].into());
        for other in &claims[1..] {
            pair(claims[0], other);
        }
        if let Some(before) = before.filter(|before| before.key(rules) != claims[0].key(rules)) {
            pair(before, claims[0]);
        }
        verdict.standing.extend(claims.iter().map(|record| named(record, rules)));
        before = Some(claims[0]);
    }
    verdict.open = !verdict.pairs.is_empty();
    verdict.live.extend(before.filter(|_| verdict.pairs.is_empty()).map(|record| record.key(rules)));
    verdict
}

/// Of many values each lives unless a retraction of its own epoch beats all that say it there; one that can do neither
/// opens a pair.
fn of_many_values(records: &[Record], rules: &Rules) -> Verdict {
    let mut verdict = Verdict::default();
    let values: BTreeSet<Key> = records.iter().map(|record| record.key(rules)).collect();
    for value in values {
        let says = |record: &&Record| record.key(rules) == value;
        let (mut lives, mut denied, mut open): (bool, bool, bool) = (false, false, false);
        for records in by_epoch(records).into_values() {
            let (takes, holds): (Vec<&Record>, Vec<&Record>) =
                records.into_iter().filter(says).partition(|record| record.is_retraction());
            let held: Vec<&&Record> =
                holds.iter().filter(|it| !takes.iter().any(|other| beats(other, it, rules))).collect();
            let against = |it: &&&Record| !holds.iter().any(|other| beats(other, it, rules));
            let contesting = takes.iter().filter(against).count() > 0;
            let here = !held.is_empty();
            open |= here && contesting;
            open |= if here { denied } else { lives && !denied && contesting };
            denied = if here { false } else { denied || contesting };
            lives |= here;
        }
        verdict.live.extend(lives.then_some(value));
        verdict.open |= open;
    }
    verdict
}

fn answered(slot: &Slot<'_>, rules: &Rules) -> Verdict {
    let one = rules.cardinality == Some(Cardinality::One);
    let named = |at: usize| named(slot.records[at], rules);
    let stands = |at: &usize| matches!(slot.states[*at], RecordState::Live | RecordState::Contested);
    Verdict {
        pairs: slot.pairs.iter().filter(|_| one).map(|pair| [named(pair.left), named(pair.right)].into()).collect(),
        live: slot.live.iter().map(|live| slot.records[live.speaker].key(rules)).collect(),
        standing: (0..slot.records.len()).filter(stands).filter(|_| one).map(named).collect(),
        open: matches!(slot.status, Status::Contested | Status::Awaiting),
    }
}

const EPOCH: Chance = Chance { gaps: 0.01, retractions: 0.0, epochs: 1, rulings: 4 };
const EPOCHS: Chance = Chance { epochs: 3, ..EPOCH };
const TAKING: Chance = Chance { retractions: 0.4, epochs: 2, ..EPOCH };

/// The story under other rules, of what is anchored in it: with dates, refinement would need a model of its own.
fn under(story: Story, cardinality: Cardinality) -> Story {
    let mut rules = story.rules.clone();
    (rules.cardinality, rules.compare) = (Some(cardinality), Comparison::Text);
    // Other rulings would need a model of their own too; an undo of one of them undoes nothing.
    let known =
        |it: &Ruling| matches!(it.decision, Decision::Withdraw { .. } | Decision::Undo(_) | Decision::Note(_));
    let rulings = story.rulings.into_iter().filter(known).collect();
    Story { records: story.records.into_iter().filter(|it| rules.is_anchored(it)).collect(), rules, rulings }
}

/// Whether nobody has taken the ruling back, or somebody has taken that back.
fn counts(ruling: &Ruling, all: &[Ruling]) -> bool {
    let undone =
        |later: &Ruling| later.id > ruling.id && later.decision == Decision::Undo(ruling.id) && counts(later, all);
    !all.iter().any(undone)
}

/// The records that nobody has withdrawn for good.
fn contending(story: &Story) -> Vec<Record> {
    let withdrawn = |it: &Record| {
        let names = |ruling: &Ruling| matches!(&ruling.decision, Decision::Withdraw { records, .. } if records.contains(&it.id));
        story.rulings.iter().any(|ruling| names(ruling) && counts(ruling, &story.rulings))
    };
    story.records.iter().filter(|it| !withdrawn(it)).cloned().collect()
}

proptest! {
    #![proptest_config(properties(rounds(10_000, 100_000) as u32))]

    #[test]
    fn one_value(story in prop_oneof![any_story(EPOCH), any_story(EPOCHS)], by in any::<u64>()) {
        let story = under(story, Cardinality::One);
        let arrived = shuffled(&story.records, by);
        let expected = of_one_value(&contending(&story), &story.rules);
        prop_assert_eq!(answered(&settle(&arrived, &story.rules, &story.rulings), &story.rules), expected);
    }

    #[test]
    fn many_values_and_what_takes_them_back(story in any_story(TAKING), by in any::<u64>()) {
        // Of one rank, so that time alone decides what is taken back.
        let equal = |it: Record| Record { confidence: Some(0.9), ..it.by("user_utterance") };
        let Story { records, rules, rulings } = under(story, Cardinality::Many);
        let story = Story { records: records.into_iter().map(equal).collect(), rules, rulings };
        let arrived = shuffled(&story.records, by);
        let expected = of_many_values(&contending(&story), &story.rules);
        prop_assert_eq!(answered(&settle(&arrived, &story.rules, &story.rulings), &story.rules), expected);
    }
}
