//! What holds of any two records whatever: the law of DESIGN 3.1 as properties.

use gainsay::core::examine::{Basis, Check, Finding, State, examine, later};
use gainsay::core::identity::SameSubject;
use gainsay::core::policy::{AttributePolicy, Cardinality, Rules};
use gainsay::core::record::{Record, SourceClass};
use gainsay::core::value::Comparison;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::script::{Told, mirrored, properties, record, rules, undeclared, winner};

const VALUES: [&str; 12] =
    ["Lisbon", "lisbon ", "Berlin", "30s", "30000ms", "1e3", "1000", "1994", "1994-05-02", "1994-05", "{}", ""];

const TIMES: [&str; 9] = [
    "2025",
    "2025-10",
    "2025-10-14",
    "2025-10-14T09:31:00Z",
    "2025-10-14T11:31:00+02:00",
    "2025-10-14T20:00:00Z",
    "2025-10-15",
    "2024-12-31T23:59:59Z",
    "2026-02-01T00:00:00Z",
];

const SOURCES: [&str; 7] =
    ["user_utterance", "tool_output", "billing_system", "agent_inference", "crm_import", "document", "ouija"];

fn any_record() -> impl Strategy<Value = Record> {
    let says = (select(&VALUES[..]), any::<bool>(), option::of(0.0..=1.0));
    let stands = (
        option::weighted(0.9, select(&SOURCES[..])),
        option::weighted(0.1, select(SourceClass::ALL.to_vec())),
        option::weighted(0.9, select(&TIMES[..])),
        option::weighted(0.9, 0_i64..3),
    );
    (says, stands).prop_map(|((value, retracts, confidence), (kind, class, at, epoch))| {
        let mut it = record("svc/mail", "region", value);
        it.confidence = confidence;
        it = kind.into_iter().fold(it, Told::by);
        it = class.into_iter().fold(it, Told::class);
        it = at.into_iter().fold(it, Told::observed);
        it = epoch.into_iter().fold(it, Told::epoch);
        if retracts { it.retracts() } else { it }
    })
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let orders = [
        None,
        Some(vec![]),
        Some(vec![SourceClass::User, SourceClass::Observation, SourceClass::Inference, SourceClass::ThirdParty]),
        Some(vec![SourceClass::Observation, SourceClass::User]),
    ];
    let fields = (
        select(vec![None, Some(Cardinality::One), Some(Cardinality::Many)]),
        select(orders.to_vec()),
        select(Comparison::ALL.to_vec()),
        option::of(select(vec![0.0, 0.5, 1.0])),
        any::<bool>(),
    );
    fields.prop_map(|(cardinality, authority, compare, min_confidence, owned)| {
        let system_of_record = owned.then(|| "billing_system".into());
        let compare = Some(compare);
        rules(AttributePolicy { cardinality, authority, system_of_record, compare, min_confidence, ..undeclared() })
    })
}

fn any_subject() -> impl Strategy<Value = SameSubject> {
    select(vec![SameSubject::SameName, SameSubject::SameName, SameSubject::Alias, SameSubject::Unconfirmed])
}

/// Two records with ids of their own.
fn any_two() -> impl Strategy<Value = (Record, Record)> {
    (any_record(), any_record()).prop_map(|(left, right)| (left.id("left"), right.id("right")))
}

proptest! {
    #![proptest_config(properties(10_000))]

    #[test]
    fn a_finding_is_the_same_from_both_sides((left, right) in any_two(), rules in any_rules(), subject in any_subject()) {
        let one_way = examine(&left, &right, &rules, &subject);
        let other_way = examine(&right, &left, &rules, &subject);
        prop_assert_eq!(mirrored(one_way.finding), other_way.finding);
        let states = |checks: &[Check]| checks.iter().map(|it| it.state).collect::<Vec<State>>();
        prop_assert_eq!(states(&one_way.checklist), states(&other_way.checklist));
    }

    #[test]
    fn what_lacks_provenance_never_wins_nor_loses((left, right) in any_two(), rules in any_rules(), subject in any_subject()) {
        if winner(&examine(&left, &right, &rules, &subject).finding).is_some() {
            prop_assert!(rules.is_anchored(&left) && rules.is_anchored(&right));
        }
    }

    #[test]
    fn nobody_wins_across_epochs((left, right) in any_two(), rules in any_rules(), subject in any_subject()) {
        if winner(&examine(&left, &right, &rules, &subject).finding).is_some() {
            prop_assert_eq!(left.epoch, right.epoch);
        }
    }

    #[test]
    fn nobody_wins_on_an_unconfirmed_subject_or_an_undeclared_attribute((left, right) in any_two(), rules in any_rules()) {
        let unconfirmed = examine(&left, &right, &rules, &SameSubject::Unconfirmed).finding;
        prop_assert_eq!(winner(&unconfirmed), None);
        if rules.cardinality.is_none() {
            prop_assert_eq!(winner(&examine(&left, &right, &rules, &SameSubject::SameName).finding), None);
        }
    }

    #[test]
    fn a_winner_outranks_or_is_the_later_and_is_sure_enough((left, right) in any_two(), rules in any_rules()) {
        if let Finding::Resolve { winner, basis } = examine(&left, &right, &rules, &SameSubject::SameName).finding {
            let (won, lost) = (winner.of(&left, &right), winner.other().of(&left, &right));
            let (mine, theirs) = (rules.rank(won), rules.rank(lost));
            prop_assert!(mine.is_some() && theirs.is_some());
            prop_assert!(rules.is_confident(won));
            match basis {
                Basis::Authority => prop_assert!(mine < theirs),
                Basis::Recency => {
                    prop_assert_eq!(later(&left, &right), Some(winner));
                    // Only an assertion that comes after a retraction may be of lower rank: it says that it holds again.
                    let in_rank = if lost.is_retraction() { mine >= theirs } else { mine <= theirs };
                    prop_assert!(in_rank);
                    prop_assert!(won.op != lost.op || mine == theirs);
                }
                Basis::Accept => prop_assert!(false, "the core accepts nothing by itself"),
            }
        }
    }

    #[test]
    fn a_quarantine_always_says_why((left, right) in any_two(), rules in any_rules(), subject in any_subject()) {
        let finding = examine(&left, &right, &rules, &subject).finding;
        prop_assert!(finding != Finding::Quarantine(Vec::new()));
    }

    #[test]
    fn of_one_value_nothing_makes_a_contradiction((left, right) in any_two(), rules in any_rules(), subject in any_subject()) {
        let right = Record { value: left.value.clone(), op: left.op, ..right };
        prop_assert_eq!(examine(&left, &right, &rules, &subject).finding, Finding::Agree);
    }
}
