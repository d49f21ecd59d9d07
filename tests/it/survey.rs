//! The survey of what writes the store, held against counting everything anew.

use std::collections::{BTreeMap, BTreeSet};

use gainsay::core::order::Order;
use gainsay::core::pair::Tally;
use gainsay::core::record::{Attribute, Kind, Record};
use gainsay::store::{KindSeen, Survey};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::chance::{ANYTHING, Line, any_record, any_rules, told};
use crate::desk::Desk;
use crate::script::{Told, properties, record};

fn up_to_date(desk: &Desk, survey: &mut Survey) -> Option<bool> {
    desk.store.survey(survey, &mut |_, _| true).unwrap()
}

/// What a survey must say of these records, the obvious way.
fn counted(records: &[Record]) -> (BTreeMap<Attribute, u64>, BTreeMap<Option<Kind>, KindSeen>) {
    let (mut attributes, mut kinds) = (BTreeMap::new(), BTreeMap::<Option<Kind>, KindSeen>::new());
    for it in records {
        if let Some(attribute) = &it.attribute {
            *attributes.entry(attribute.clone()).or_default() += 1;
        }
        let seen = kinds.entry(it.kind().cloned()).or_default();
        seen.records += 1;
        seen.without_observed_at += u64::from(it.observed_at.is_none());
        seen.without_epoch += u64::from(it.epoch.is_none());
        seen.without_confidence += u64::from(it.confidence.is_none());
        let batch = it.source.as_ref().and_then(|source| source.fields.get("batch")?.as_str());
        seen.without_batch += u64::from(batch.is_none());
        if let Some(class) = it.source.as_ref().and_then(|source| source.class) {
            *seen.stated.entry(class).or_default() += 1;
        }
        if let Some(confidence) = it.confidence {
            *seen.confidences.entry(confidence.to_bits()).or_default() += 1;
        }
    }
    (attributes, kinds)
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let claims = vec((any_record(ANYTHING), select(vec!["home_city", "shoe_size", ""]), any::<bool>()), 1..24);
    (claims, any_rules()).prop_map(|(claims, rules)| {
        let lines: Vec<Line<Record>> = claims.iter().map(|(line, ..)| line.clone()).collect();
        let told = told(lines, &rules).into_iter().zip(claims);
        told.map(|(mut it, (_, attribute, batched))| {
            it.attribute = Some(attribute).filter(|name| !name.is_empty()).map(Attribute::from);
            it.answers = None;
            if let Some(source) = it.source.as_mut().filter(|_| batched) {
                source.fields.insert("batch".to_owned(), "night_7".into());
            }
            it
        })
        .collect()
    })
}

proptest! {
    #![proptest_config(properties(30))]

    #[test]
    fn it_counts_what_is_there_however_often_it_was_made(records in records(), cut in 0_usize..24) {
        let (first, rest) = records.split_at(cut.min(records.len()));
        let (mut desk, mut survey) = (Desk::new(), Survey::default());
        desk.import(first.to_vec());
        prop_assert_eq!(up_to_date(&desk, &mut survey), Some(true));
        if !rest.is_empty() {
            desk.import(rest.to_vec());
        }
        up_to_date(&desk, &mut survey);
        prop_assert_eq!(up_to_date(&desk, &mut survey), Some(false), "nothing has changed since");
        let (attributes, kinds) = counted(&records);
        let seen: BTreeMap<_, _> = survey.attributes.iter().map(|(name, seen)| (name.clone(), seen.records)).collect();
        prop_assert_eq!(seen, attributes);
        prop_assert_eq!(&survey.kinds, &kinds);
        for usage in desk.store.attribute_use().unwrap() {
            prop_assert_eq!(survey.attributes[&usage.attribute].held, usage.pairs);
        }
        let together: u64 = survey.attributes.values().flat_map(|seen| seen.kinds.values()).sum();
        prop_assert_eq!(together, records.iter().filter(|it| it.attribute.is_some()).count() as u64);
    }
}

#[test]
fn a_survey_that_was_stopped_goes_on_where_it_was_and_rulings_come_and_go() {
    let tie = |id: &str, value: i64, kind: &str| {
        record("ada", "shoe_size", value).id(id).by(kind).observed("2025-10-14").epoch(1)
    };
    let (mut desk, mut survey) = (Desk::new(), Survey::default());
    desk.import([tie("r1", 42, "user_utterance"), tie("r2", 43, "crm_import")]);
    assert_eq!(desk.store.survey(&mut survey, &mut |_, _| false).unwrap(), None);
    assert_eq!(up_to_date(&desk, &mut survey), Some(true));
    let fields = crate::script::Declared::personal(crate::script::one());
    let attribute = Attribute::from("shoe_size");
    assert_eq!(survey.attributes[&attribute].held, 1);
    let declaration = gainsay::core::policy::Declaration { attribute: attribute.clone(), subject: None, fields };
    let nobody: BTreeSet<_> = survey.kinds.values().flat_map(|seen| seen.tallies.keys()).collect();
    assert!(nobody.is_empty());
    desk.import([tie("r3", 44, "user_utterance")]);
    desk.order("reviewer", &Order::Declare { declaration }).unwrap();
    let pair = desk.open()[0].pair.0;
    desk.accept(pair, "r1").unwrap();
    up_to_date(&desk, &mut survey);
    let user = |survey: &Survey| survey.kinds[&Some(Kind::from("user_utterance"))].tally();
    assert_eq!(user(&survey), Tally { won: 1, lost: 1 });
    desk.undo().unwrap();
    up_to_date(&desk, &mut survey);
    assert_eq!(user(&survey), Tally::default(), "what was undone counts for nobody");
}
