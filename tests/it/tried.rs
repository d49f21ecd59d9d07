//! What a declaration would do, held against what it does: the what-if is the outcome, whatever was ruled before.

use gainsay::core::examine::Ground;
use gainsay::core::order::Order;
use gainsay::core::policy::{AttributePolicy, Cardinality, Declaration};
use gainsay::core::record::{Attribute, Record, Subject};
use gainsay::core::ruling::{AliasVerdict, PairId};
use gainsay::core::settle::settle;
use gainsay::core::tried::{Answered, Tried};
use gainsay::core::value::Comparison;
use gainsay::store::By;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::chance::{ANYTHING, Chance, Line, any_record, any_rules, any_story, told};
use crate::desk::Desk;
use crate::script::{Declared, Told, many, one, properties, record, undeclared};

const SUBJECTS: [&str; 5] = ["ada", "Ada L.", "ben", "cleo", "dora"];

fn any_declaration() -> impl Strategy<Value = Declaration> {
    let fields = select(vec![
        one(),
        many(),
        undeclared().world(),
        one().personal(),
        many().personal(),
        one().personal().floor(0.5),
        undeclared().compared(Comparison::Exact),
        one().personal().compared(Comparison::Date).owned_by("crm_import"),
    ]);
    (fields, select(vec![None, None, Some("ada"), Some("Ada L."), Some("nobody")])).prop_map(|(fields, subject)| {
        Declaration { attribute: Attribute::from("shoe_size"), subject: subject.map(Subject::from), fields }
    })
}

/// What is done to the store before: each may be refused, and is then nothing.
fn any_order() -> impl Strategy<Value = Order> {
    let pair = || (1_i64..8).prop_map(PairId);
    let record = || (0_usize..14).prop_map(|at| format!("r{at:02}"));
    let accept = (pair(), record(), any::<bool>()).prop_map(|(pair, winner, recency_override)| Order::Accept {
        pair,
        winner: winner.as_str().into(),
        recency_override,
        reason: "it was checked".to_owned(),
    });
    let names = (select(&SUBJECTS[..]), select(&SUBJECTS[..]), select(&AliasVerdict::ALL[..]));
    prop_oneof![
        3 => accept,
        2 => pair().prop_map(|pair| Order::LinkSame { pair, reason: String::new() }),
        1 => pair().prop_map(|pair| Order::Request { pair }),
        2 => any_declaration().prop_map(|declaration| Order::Declare { declaration }),
        3 => names.prop_map(|(a, b, verdict)| Order::Alias { names: (a.into(), b.into()), verdict }),
        1 => (record(), record()).prop_map(|(a, b)| Order::Dispute {
            records: (a.as_str().into(), b.as_str().into()),
            reason: "no".to_owned(),
        }),
        1 => Just(Order::Undo { ruling: None }),
    ]
}

fn trial(desk: &mut Desk, declaration: &Declaration) -> Tried {
    let by = By { actor: "reviewer", now: desk.now };
    desk.store.try_declaration(declaration, &by, &mut |_, _| true).unwrap().unwrap()
}

/// What every subject's slot answers, by its canonical name.
fn answers(desk: &Desk) -> Vec<(String, Answered)> {
    let aliases = desk.store.aliases().unwrap();
    let joined = |name: &str| {
        let confirmed = aliases.iter().filter(|alias| alias.verdict == AliasVerdict::Confirmed);
        confirmed.filter(|alias| [&alias.names.0, &alias.names.1].contains(&&Subject::from(name))).count() > 0
    };
    let each = |name: &&str| {
        let recalled = desk.recall(name, "shoe_size");
        let values = recalled.values.clone();
        ((*name).to_owned(), Answered { status: recalled.status, values })
    };
    SUBJECTS.iter().filter(|name| !joined(name)).map(each).collect()
}

/// The try against the declaration itself: the pairs by number, the slots, and what unaliased subjects answer.
fn is_what_it_does(desk: &mut Desk, declaration: &Declaration) {
    let tried = trial(desk, declaration);
    let order = Order::Declare { declaration: declaration.clone() };
    let by = By { actor: "reviewer", now: desk.now };
    let previewed = desk.store.preview(&order, &by).unwrap();
    let (opened, closed) = (previewed.opened.len() as u64, previewed.closed.len() as u64);
    assert_eq!((tried.slots, tried.closed, tried.opened), (previewed.slots, closed, opened), "{declaration:?}");
    let before = answers(desk);
    let done = desk.order("reviewer", &order).unwrap();
    assert_eq!((done.opened.len() as u64, done.closed.len() as u64), (tried.opened, tried.closed));
    for (was, is) in before.iter().zip(answers(desk)) {
        let example = tried.examples.iter().find(|example| example.subject.as_str() == was.0);
        if let Some(example) = example {
            assert_eq!((&example.before, &example.after), (&was.1, &is.1), "{}", was.0);
        }
        assert!(was.1 == is.1 || tried.changed() > 0, "{}: {:?}, then {:?}", was.0, was.1, is.1);
    }
    let left: Vec<_> =
        desk.unsettled("shoe_size").into_iter().filter(|it| !it.contains(&Ground::SubjectUnconfirmed)).collect();
    if declaration.subject.is_none() {
        let many = |ground: &Ground| left.iter().filter(|grounds| grounds.contains(ground)).count() as u64;
        assert!(
            tried.grounds.iter().all(|(ground, told)| *told == many(ground)),
            "{:?} against {left:?}",
            tried.grounds
        );
        assert_eq!(tried.open, left.len() as u64);
    }
    let again = trial(desk, declaration);
    assert_eq!((again.closed, again.opened, again.changed()), (0, 0, 0), "declared, it changes nothing more");
}

fn story() -> impl Strategy<Value = (Vec<Record>, Vec<Order>, Declaration)> {
    let chance = Chance { rulings: 0, ..ANYTHING };
    let claims = vec((any_record(chance), select(&SUBJECTS[..])), 1..=14);
    (claims, any_rules(), vec(any_order(), 0..8), any_declaration()).prop_map(
        |(claims, rules, orders, declaration)| {
            let (lines, subjects): (Vec<Line<Record>>, Vec<&str>) = claims.into_iter().unzip();
            let attribute = || Some(Attribute::from("shoe_size"));
            let claims = told(lines, &rules).into_iter().zip(subjects).map(|(it, subject)| Record {
                subject: Subject::from(subject),
                attribute: attribute(),
                answers: None,
                ..it
            });
            (claims.collect(), orders, declaration)
        },
    )
}

proptest! {
    #![proptest_config(properties(40))]

    #[test]
    fn the_what_if_is_the_outcome((records, orders, declaration) in story()) {
        let mut desk = Desk::new();
        desk.at("2025-12-01T09:00:00Z").import(records);
        for order in &orders {
            // Whatever is refused was not to be.
            let _ruled = desk.order("reviewer", order).is_ok();
        }
        is_what_it_does(&mut desk, &declaration);
        desk.is_whole();
    }

    #[test]
    fn a_record_alone_answers_the_same_under_every_rule(story in any_story(Chance { rulings: 0, ..ANYTHING }), other in any_rules()) {
        let alone = &story.records[..1];
        let (one, two) = (settle(alone, &story.rules, &[]), settle(alone, &other, &[]));
        prop_assert_eq!(Answered::of(&one), Answered::of(&two));
        prop_assert!(one.pairs.is_empty() && two.pairs.is_empty());
    }
}

/// So many subjects with two sizes each, one of them ruled on.
fn sizes(subjects: usize) -> Desk {
    let mut desk = Desk::new();
    let size = |number: usize, size: i64, at: &str| {
        record(&format!("user_{number:03}"), "shoe_size", size)
            .id(&format!("r{number:03}_{size}"))
            .by("user_utterance")
            .observed(at)
            .epoch(1)
    };
    let both = |number| [size(number, 42, "2025-10-01T09:00:00Z"), size(number, 43, "2025-10-02T09:00:00Z")];
    desk.import((0..subjects).flat_map(both));
    desk
}

fn personal() -> Declaration {
    let fields = AttributePolicy { cardinality: Some(Cardinality::One), ..undeclared().personal() };
    Declaration { attribute: Attribute::from("shoe_size"), subject: None, fields }
}

#[test]
fn of_many_slots_each_is_settled_and_a_few_are_shown() {
    let mut desk = sizes(100);
    let same = Order::LinkSame { pair: PairId(7), reason: "one size in two systems".to_owned() };
    // A value that is one for good answers the same before and after.
    desk.order("reviewer", &same).unwrap();
    let tried = trial(&mut desk, &personal());
    assert_eq!((tried.slots, tried.closed, tried.opened), (100, 99, 0));
    assert_eq!(tried.changed(), 99);
    assert_eq!(tried.examples.len(), 3, "the first of the one change that there is");
    assert_eq!(tried.examples[0].after.values, [serde_json::json!(43)]);
    is_what_it_does(&mut desk, &personal());
}

#[test]
fn it_is_told_how_far_it_is_stops_when_told_to_and_writes_nothing() {
    let mut desk = sizes(10);
    let by = By { actor: "reviewer", now: desk.now };
    let mut told = Vec::new();
    let mut goes_on = |done, of| {
        told.push((done, of));
        done < 4
    };
    assert_eq!(desk.store.try_declaration(&personal(), &by, &mut goes_on).unwrap(), None);
    assert_eq!(told, [(0, 10), (1, 10), (2, 10), (3, 10), (4, 10)]);
    assert_eq!(desk.open().len(), 10);
    let nothing = Declaration { fields: undeclared(), ..personal() };
    let refused = desk.store.try_declaration(&nothing, &by, &mut |_, _| true);
    assert!(refused.unwrap_err().to_string().contains("nothing is declared"));
    desk.is_whole();
}
