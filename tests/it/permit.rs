//! What a reviewer may do with a pair: each row of DESIGN 3.3 by example.

use gainsay::core::examine::{Condition, Ground, Side, examine};
use gainsay::core::identity::SameSubject;
use gainsay::core::permit::{Action, Because, Permission, Permitted, Quarantined, permission, permitted};
use gainsay::core::policy::Rules;
use gainsay::core::record::Record;

use crate::script::{Declared, Told, berlin, grounds, lisbon, many, one, record, rules, undeclared};

const LEFT: Action = Action::Accept(Side::Left);
const RIGHT: Action = Action::Accept(Side::Right);

/// A pair as a reviewer meets it.
struct Story {
    left: Record,
    right: Record,
    rules: Rules,
    subject: SameSubject,
    settled: bool,
}

impl Story {
    fn of(left: Record, right: Record) -> Self {
        Self { left, right, rules: rules(one().world()), subject: SameSubject::SameName, settled: false }
    }

    fn under(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    fn under_two_names(self) -> Self {
        Self { subject: SameSubject::Unconfirmed, ..self }
    }

    fn settled(self) -> Self {
        Self { settled: true, ..self }
    }

    /// Asks the core, with whatever the answer needs to be borrowed from.
    fn ask<T>(&self, question: impl FnOnce(Quarantined<'_>) -> T) -> T {
        let examination = examine(&self.left, &self.right, &self.rules, &self.subject);
        let grounds: Vec<Ground> = grounds(&examination.finding);
        question(Quarantined {
            left: &self.left,
            right: &self.right,
            rules: &self.rules,
            examination: &examination,
            grounds: &grounds,
            settled: self.settled,
        })
    }

    fn may(&self, action: Action) -> Permission {
        self.ask(|pair| permission(action, pair))
    }

    fn list(&self) -> Vec<Permitted> {
        self.ask(permitted)
    }
}

fn reading(value: &str, at: &str) -> Record {
    record("svc/mail", "region", value).by("tool_output").observed(at).epoch(3)
}

fn recollection(value: &str, at: &str) -> Record {
    reading(value, at).by("user_utterance")
}

/// A day against a minute of it: neither is less authoritative, and no order is certain.
fn tie() -> Story {
    Story::of(reading("eu", "2025-09-01"), reading("us", "2025-09-01T10:11:00Z"))
}

/// A deploy between two readings.
fn deploy() -> Story {
    Story::of(reading("30s", "2025-10-01"), reading("5s", "2025-10-03").epoch(7))
}

/// The warranty incident as it was found: neither row names an epoch.
fn warranty() -> Story {
    let word = lisbon().by("user_utterance").observed("2025-10-14T09:31:00Z");
    let row = berlin().by("crm_import").observed("2023-03-02T00:00:00Z");
    Story::of(word, row).under(rules(one().personal()))
}

/// What the core resolved for the observation, and a person disputes.
fn disputed() -> Story {
    Story::of(reading("eu", "2025-09-01T10:11:00Z"), recollection("us", "2025-09-01T10:12:00Z"))
}

fn refused(because: Because) -> Permission {
    Permission::Refused(because)
}

/// The conditions for which an acceptance is refused.
fn unmet(story: &Story, action: Action) -> Vec<Condition> {
    let permission = story.may(action);
    let Permission::Refused(Because::Unmet(checks)) = permission else {
        panic!("{permission:?} is no refusal for unmet conditions")
    };
    checks.iter().map(|check| check.condition).collect()
}

#[test]
fn the_list_is_always_whole_and_in_one_order() {
    for story in [tie(), deploy(), warranty(), disputed(), tie().under_two_names(), tie().settled()] {
        let list = story.list();
        let actions: Vec<Action> = list.iter().map(|it| it.action).collect();
        assert_eq!(actions, Action::ALL);
        let records: Vec<_> = list.iter().filter_map(|it| it.record.as_ref()).collect();
        assert_eq!(records, [&story.left.id, &story.right.id], "an acceptance names its record, nothing else does");
        for it in &list {
            assert_eq!(it.permission, story.may(it.action), "one answer, however it is asked");
        }
    }
}

#[test]
fn accept_takes_what_is_at_least_as_authoritative_or_the_later_with_an_override() {
    use Permission::{NeedsRecencyOverride, Permitted};
    let earlier_word = Story::of(reading("eu", "2025-09-02"), recollection("us", "2025-09-01"));
    let overlapping = Story::of(reading("eu", "2025-09-01"), recollection("us", "2025-09-01T10:00:00Z"));
    let unsure = tie().under(rules(one().world().floor(0.5)));
    let unknown = Story::of(reading("eu", "2025-09-01"), reading("us", "2025-09-02").by("ouija"));
    let unknown_tie = Story::of(reading("eu", "2025-09-01"), reading("us", "2025-09-01").by("ouija"));
    let no_rank = || refused(Because::RankUnknownAndNotLater);
    let outranked = || refused(Because::OutrankedAndNotLater);
    let cases = [
        ("equals that no order decides", tie(), Permitted, Permitted),
        ("an observation, and a later recollection", disputed(), Permitted, NeedsRecencyOverride),
        ("an observation, and an earlier recollection", earlier_word, Permitted, outranked()),
        ("an observation, and one of the same day", overlapping, Permitted, outranked()),
        ("equals below the floor", unsure, Permitted, Permitted),
        ("an unknown kind that is later", unknown, no_rank(), NeedsRecencyOverride),
        ("an unknown kind of the same day", unknown_tie, no_rank(), no_rank()),
    ];
    for (case, story, left, right) in cases {
        assert_eq!(story.may(LEFT), left, "{case}: left");
        assert_eq!(story.may(RIGHT), right, "{case}: right");
    }
}

#[test]
fn accept_is_refused_where_one_of_the_first_four_conditions_is_not_met() {
    let undeclared = tie().under(rules(undeclared()));
    let everything = Story::of(lisbon().epoch(1), berlin().epoch(2)).under(rules(many())).under_two_names();
    let cases = [
        ("two names", tie().under_two_names(), vec![Condition::Subject]),
        ("no epochs", warranty(), vec![Condition::Provenance]),
        ("a deploy between them", deploy(), vec![Condition::Epoch]),
        ("nothing declared", undeclared, vec![Condition::Cardinality]),
        ("three at once", everything, vec![Condition::Subject, Condition::Provenance, Condition::Epoch]),
    ];
    for (case, story, conditions) in cases {
        assert_eq!(unmet(&story, LEFT), conditions, "{case}: left");
        assert_eq!(unmet(&story, RIGHT), conditions, "{case}: right");
    }
}

#[test]
fn two_spellings_are_one_value_when_both_are_about_one_subject() {
    let taken_back = Story::of(reading("eu", "2025-09-01"), reading("eu", "2025-09-01").retracts());
    assert_eq!(tie().may(Action::LinkSame), Permission::Permitted);
    assert_eq!(deploy().may(Action::LinkSame), Permission::Permitted);
    assert_eq!(warranty().may(Action::LinkSame), Permission::Permitted);
    assert_eq!(tie().under_two_names().may(Action::LinkSame), refused(Because::SubjectUnconfirmed));
    assert_eq!(taken_back.may(Action::LinkSame), refused(Because::TakesBack));
}

#[test]
fn both_are_true_only_where_many_can_still_be_declared() {
    let of_many = deploy().under(rules(many().world()));
    let taken_back = Story::of(reading("eu", "2025-09-01"), reading("eu", "2025-09-01").retracts());
    assert_eq!(tie().may(Action::LinkBothTrue), Permission::Permitted);
    assert_eq!(tie().under(rules(undeclared())).may(Action::LinkBothTrue), Permission::Permitted);
    assert_eq!(of_many.may(Action::LinkBothTrue), refused(Because::AlreadyMany));
    assert_eq!(taken_back.may(Action::LinkBothTrue), refused(Because::TakesBack));
    assert_eq!(tie().under_two_names().may(Action::LinkBothTrue), refused(Because::SubjectUnconfirmed));
}

#[test]
fn a_link_across_epochs_takes_two_anchored_records_and_two_epochs() {
    let half = Story::of(reading("30s", "2025-10-01"), record("svc/mail", "region", "5s").epoch(7).id("bare"));
    let both = vec!["mem_c93e".into(), "mem_4a1f".into()];
    assert_eq!(deploy().may(Action::LinkAcrossEpochs), Permission::Permitted);
    assert_eq!(tie().may(Action::LinkAcrossEpochs), refused(Because::SameEpoch));
    assert_eq!(warranty().may(Action::LinkAcrossEpochs), refused(Because::NotAnchored(both)));
    assert_eq!(half.may(Action::LinkAcrossEpochs), refused(Because::NotAnchored(vec!["bare".into()])));
    assert_eq!(deploy().under_two_names().may(Action::LinkAcrossEpochs), refused(Because::SubjectUnconfirmed));
}

#[test]
fn one_subject_or_two_is_asked_only_where_nobody_has_said() {
    for action in [Action::LinkOneSubject, Action::LinkTwoSubjects] {
        assert_eq!(tie().under_two_names().may(action), Permission::Permitted);
        assert_eq!(tie().may(action), refused(Because::SubjectConfirmed));
    }
}

#[test]
fn only_what_lacks_provenance_can_be_rederived() {
    let impossible = Story::of(reading("eu", "2025-09-01"), reading("us", "2026-02-01"));
    assert_eq!(warranty().may(Action::Rederive), Permission::Permitted);
    assert_eq!(impossible.may(Action::Rederive), Permission::Permitted);
    assert_eq!(tie().may(Action::Rederive), refused(Because::NothingMissing));
}

#[test]
fn looking_again_withdrawing_and_declaring_are_always_open() {
    for story in [tie(), deploy(), warranty(), tie().under_two_names(), tie().settled()] {
        for action in [Action::Reobserve, Action::Withdraw, Action::Declare] {
            assert_eq!(story.may(action), Permission::Permitted, "{action:?}");
        }
    }
}

#[test]
fn what_has_left_the_queue_is_ruled_on_no_more() {
    assert_eq!(tie().may(Action::Defer), Permission::Permitted);
    let ruling = |action: &Action| !matches!(action, Action::Reobserve | Action::Withdraw | Action::Declare);
    for action in Action::ALL.into_iter().filter(ruling) {
        assert_eq!(tie().settled().may(action), refused(Because::Settled), "{action:?}");
    }
}

#[test]
fn a_refusal_says_why_in_a_sentence_that_names_the_records() {
    let said = |story: Story, action| match story.may(action) {
        Permission::Refused(because) => because.to_string(),
        Permission::Permitted | Permission::NeedsRecencyOverride => "nothing is refused".to_owned(),
    };
    assert_eq!(said(warranty(), LEFT), "provenance: mem_c93e lacks epoch; mem_4a1f lacks epoch");
    assert_eq!(said(deploy(), RIGHT), "epoch: epoch 3 against epoch 7: the world changed in between");
    for story in [tie(), deploy(), warranty(), tie().under_two_names(), tie().settled()] {
        for it in story.list() {
            if let Permission::Refused(because) = it.permission {
                assert!(!because.to_string().is_empty(), "{:?}", it.action);
            }
        }
    }
}
