//! Who is who, from what was said of names: one subject, two, or nobody has said.

use gainsay::core::identity::{Identity, SameSubject};
use gainsay::core::record::Subject;
use gainsay::core::ruling::AliasVerdict::{Confirmed, Denied, Proposed};
use gainsay::core::ruling::{AliasVerdict, Decision, Ruling, RulingId};

use crate::stories::ruled;

fn told(said: &[(&str, &str, AliasVerdict)]) -> Identity {
    let rulings: Vec<Ruling> = (1..)
        .zip(said)
        .map(|(id, (one, other, verdict))| {
            ruled(id, Decision::Alias { names: (Subject::from(*one), Subject::from(*other)), verdict: *verdict })
        })
        .collect();
    // In whatever order they come.
    assert_eq!(Identity::new(rulings.iter().rev()), Identity::new(&rulings));
    Identity::new(&rulings)
}

fn names(of: Vec<Subject>) -> Vec<String> {
    of.iter().map(ToString::to_string).collect()
}

#[test]
fn only_what_is_confirmed_is_one_subject() {
    let identity = told(&[("b", "a", Confirmed), ("c", "d", Proposed), ("e", "f", Denied)]);
    let same = |one: &str, other: &str| identity.same_subject(&Subject::from(one), &Subject::from(other));
    assert_eq!(same("x", "x"), SameSubject::SameName);
    assert_eq!((same("a", "b"), same("b", "a")), (SameSubject::Alias, SameSubject::Alias));
    for (one, other) in [("c", "d"), ("e", "f"), ("a", "c"), ("x", "y")] {
        assert_eq!(same(one, other), SameSubject::Unconfirmed, "{one} and {other}");
        assert_eq!(same(other, one), SameSubject::Unconfirmed, "{other} and {one}");
    }
    // The first that was named stands for both.
    assert_eq!(identity.canonical(&Subject::from("a")), Subject::from("b"));
    assert_eq!(names(identity.names_of(&Subject::from("a"))), ["b", "a"]);
    assert_eq!(names(identity.names_of(&Subject::from("x"))), ["x"]);
}

#[test]
fn the_last_word_counts_whichever_name_comes_first() {
    let identity = told(&[("a", "b", Denied), ("b", "a", Confirmed)]);
    for (one, other) in [("a", "b"), ("b", "a")] {
        let alias = identity.alias(&Subject::from(one), &Subject::from(other)).unwrap();
        assert_eq!((alias.verdict, alias.ruling), (Confirmed, RulingId(2)));
        assert_eq!(
            alias.names,
            (Subject::from("a"), Subject::from("b")),
            "in the order in which they were told first"
        );
    }
    assert_eq!(identity.aliases().count(), 1);
    assert_eq!(identity.alias(&Subject::from("a"), &Subject::from("c")), None);
}

#[test]
fn names_are_joined_through_others_and_the_earliest_stands_for_all() {
    let chain = told(&[
        ("a", "b", Confirmed),
        ("c", "d", Confirmed),
        ("d", "b", Confirmed),
        ("b", "d", Confirmed),
        ("e", "c", Confirmed),
    ]);
    for name in ["a", "b", "c", "d", "e"] {
        assert_eq!(chain.canonical(&Subject::from(name)), Subject::from("a"), "{name}");
    }
    assert_eq!(names(chain.names_of(&Subject::from("d"))), ["a", "b", "c", "d", "e"]);
    let joins: Vec<i64> = chain.joins(&Subject::from("e")).iter().map(|ruling| ruling.0).collect();
    assert_eq!(joins, [1, 4, 2, 5], "by name, and of one pair of names the last");
    assert_eq!(chain.joins(&Subject::from("x")), []);
}

#[test]
fn what_is_denied_and_joined_all_the_same_is_a_contradiction() {
    let denied = |said: &[_]| told(said).contradiction().map(|alias| alias.ruling);
    assert_eq!(denied(&[("a", "b", Confirmed), ("b", "c", Confirmed), ("a", "c", Denied)]), Some(RulingId(3)));
    assert_eq!(denied(&[("a", "b", Confirmed), ("a", "c", Denied)]), None);
    assert_eq!(denied(&[("a", "b", Confirmed), ("b", "c", Confirmed), ("a", "c", Proposed)]), None);
}
