//! Epochs that people open: what the law makes of a record that still names an older one, and of whom a notice speaks.

use gainsay::core::epoch::Opening;
use gainsay::core::examine::{Condition, State, examine};
use gainsay::core::identity::SameSubject;
use gainsay::core::notice::Notice;
use gainsay::core::policy::Rules;
use gainsay::core::record::{Epoch, Record, Subject};
use gainsay::core::ruling::{Decision, RulingId};
use gainsay::core::settle::settle;
use proptest::prelude::*;

use crate::chance::{ANYTHING, Story, any_story};
use crate::script::{Declared, Told, instant, many, properties, rules};
use crate::stories::{answers, city, copy, request, row, ruled, says, summary, tell};

/// The rules of the city, where these epochs were opened at noon of these days of October.
fn opened(epochs: &[(i64, &str)]) -> Rules {
    city().with_openings(openings(epochs))
}

fn openings(epochs: &[(i64, &str)]) -> Vec<Opening> {
    let opening = |(epoch, day): &(i64, &str)| Opening {
        since: instant(&format!("2025-10-{day}T12:00:00Z")),
        epoch: Epoch(*epoch),
        ruling: RulingId(7),
    };
    epochs.iter().map(opening).collect()
}

#[test]
fn what_names_an_epoch_that_was_over_is_never_settled_silently() {
    let late = || says("Lisbon", "2025-10-15");
    let before = || says("Berlin", "2025-10-10");
    let rows = vec![
        (
            "it does not supersede what was there, though it is the later",
            vec![before(), late()],
            vec![],
            "contested | Berlin/Lisbon outdated_provenance",
        ),
        ("alone it is unproven", vec![late()], vec![], "unanchored Lisbon"),
        ("where it agrees it raises nothing", vec![late(), says("Lisbon", "2025-10-10")], vec![], "settled Lisbon"),
        (
            "against the epoch that held, both grounds are told",
            vec![late(), says("Porto", "2025-10-16").epoch(2)],
            vec![],
            "contested | Lisbon/Porto outdated_provenance+cross_epoch",
        ),
        (
            "two of them are a pair, whatever ranks and times say",
            vec![late(), row("Porto", "2025-10-16")],
            vec![],
            "contested | Lisbon/Porto outdated_provenance",
        ),
        (
            "beside a copy without provenance both grounds are told",
            vec![late(), copy("Porto")],
            vec![],
            "contested | Lisbon/Porto missing_provenance+outdated_provenance",
        ),
        (
            "what was observed before it, or may have been, names the older one rightly",
            vec![before(), says("Lisbon", "2025-10-12"), says("Porto", "2025-10-11")],
            vec![],
            "settled Lisbon",
        ),
        (
            "it takes nothing back",
            vec![before(), says("Berlin", "2025-10-15").id("gone").retracts()],
            vec![],
            "contested | Berlin/gone outdated_provenance",
        ),
        (
            "a look at the world that still names it is no answer",
            vec![
                before(),
                row("Porto", "2025-10-11").epoch(0),
                answers(says("Lisbon", "2025-11-13").written("2025-11-14T00:00:00Z"), 1),
            ],
            vec![request(1, "Berlin", "Porto")],
            "contested | Berlin/Lisbon outdated_provenance Berlin/Porto cross_epoch",
        ),
        (
            "a look from the epoch that holds makes it history",
            vec![
                before(),
                late(),
                answers(says("Porto", "2025-11-13").epoch(2).written("2025-11-14T00:00:00Z"), 1),
            ],
            vec![request(1, "Berlin", "Lisbon")],
            "settled Porto",
        ),
    ];
    tell(&opened(&[(2, "12")]), rows);
}

#[test]
fn the_first_opening_after_which_it_was_over_is_the_one_that_is_told() {
    let rules = opened(&[(2, "12"), (3, "14")]);
    let (early, late) = (says("Berlin", "2025-10-10"), says("Lisbon", "2025-10-15"));
    let examined = examine(&early, &late, &rules, &SameSubject::SameName);
    let provenance = examined.checklist.iter().find(|check| check.condition == Condition::Provenance).unwrap();
    assert_eq!(provenance.state, State::Failed);
    let said = "Lisbon names an epoch that was over when it was observed: epoch 2 holds since 2025-10-12T12:00:00Z (ruling 7)";
    assert_eq!(provenance.detail.to_string(), said);
    let within = says("Porto", "2025-10-13").epoch(2);
    assert!(rules.is_anchored(&within) && !rules.is_anchored(&says("Porto", "2025-10-15").epoch(2)));
}

#[test]
fn many_values_are_added_and_taken_back_only_from_an_epoch_that_held() {
    let rules = rules(many().personal()).with_openings(openings(&[(2, "12")]));
    let records = [
        says("oats", "2025-10-10"),
        says("nuts", "2025-10-15").epoch(2),
        says("oats", "2025-10-16").id("gone").retracts(),
    ];
    assert_eq!(summary(&settle(&records, &rules, &[])), "contested nuts, oats | gone/oats outdated_provenance");
}

#[test]
fn a_notice_speaks_of_one_subject_or_of_all_that_fit() {
    let over = |over: &str| Notice { over: Subject::from(over), epoch: Epoch(4), since: None, cause: None };
    for (pattern, subject, covers) in [
        ("svc/checkout", "svc/checkout", true),
        ("svc/checkout", "svc/checkout-2", false),
        ("svc/*", "svc/checkout", true),
        ("svc/*", "web/checkout", false),
        ("*", "anything", true),
        ("svc/*/eu", "svc/mail/eu", true),
        ("svc/*/eu", "svc/mail/us", false),
        ("who?", "who?", true),
        ("who?", "whom", false),
        ("who?*", "whom", false),
    ] {
        assert_eq!(over(pattern).covers(&Subject::from(subject)), covers, "{pattern} and {subject}");
    }
}

/// The story as it would be told by somebody who cleared away what each closed epoch was claimed for.
fn without_claims(story: &Story) -> Story {
    let cleared = |it: &Record| {
        let over = story.rules.openings().iter().any(|opening| {
            it.epoch.zip(it.observed_at).is_some_and(|(epoch, at)| opening.rules_out(epoch, at.first()))
        });
        Record { epoch: it.epoch.filter(|_| !over), ..it.clone() }
    };
    let records = story.records.iter().map(cleared).collect();
    Story { records, rules: story.rules.clone().with_openings(Vec::new()), ..story.clone() }
}

proptest! {
    #![proptest_config(properties(5_000))]

    /// An epoch that was over counts as much as none at all: no more, and no less.
    #[test]
    fn a_closed_epoch_is_no_epoch(story in any_story(ANYTHING)) {
        let cleared = without_claims(&story);
        let (one, other) = (
            settle(&story.records, &story.rules, &story.rulings),
            settle(&cleared.records, &cleared.rules, &cleared.rulings),
        );
        prop_assert_eq!(one.status, other.status);
        prop_assert_eq!(&one.states, &other.states);
        prop_assert_eq!(&one.live, &other.live);
        let pairs = |slot: &gainsay::core::settle::Slot<'_>| -> Vec<(usize, usize)> {
            slot.pairs.iter().map(|pair| (pair.left, pair.right)).collect()
        };
        prop_assert_eq!(pairs(&one), pairs(&other));
    }

    /// A notice decides nothing by standing among the rulings of a slot: it is the rules that carry it.
    #[test]
    fn a_notice_among_the_rulings_changes_nothing(story in any_story(ANYTHING)) {
        let notice = Notice { over: Subject::from("*"), epoch: Epoch(9), since: Some(instant("2025-10-14T00:00:00Z")), cause: None };
        let mut rulings = story.rulings.clone();
        rulings.push(ruled(90, Decision::Epoch(notice)));
        prop_assert_eq!(
            settle(&story.records, &story.rules, &rulings),
            settle(&story.records, &story.rules, &story.rulings)
        );
    }
}
