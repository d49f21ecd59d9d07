//! Two records held against each other: the law of DESIGN 3.1, example by example.

use gainsay::core::examine::Finding::{Agree, Coexist};
use gainsay::core::examine::Side::{Left, Right};
use gainsay::core::examine::{Basis, Condition, Finding, Ground, State, examine};
use gainsay::core::identity::SameSubject;
use gainsay::core::policy::{AttributePolicy, Rules};
use gainsay::core::record::{Record, SourceClass};
use gainsay::core::value::Comparison;

use crate::script::{
    Declared, Told, berlin, examined, found, grounds, lisbon, many, mirrored, one, record, rules, undeclared,
};

const MORNING: &str = "2025-10-14T09:31:00Z";
const EVENING: &str = "2025-10-14T20:00:00Z";

/// Lisbon by the user's own word, whole.
fn word() -> Record {
    lisbon().by("user_utterance").observed(MORNING).epoch(3)
}

/// Berlin by a row of the CRM, whole and in the same epoch.
fn row() -> Record {
    berlin().by("crm_import").observed("2023-03-02T00:00:00Z").written("2025-11-02T04:12:55Z").epoch(3)
}

/// A reading of a service's configuration, whole.
fn reading(value: &str, at: &str) -> Record {
    record("svc/mail", "region", value).by("tool_output").observed(at).epoch(3)
}

fn personal() -> Rules {
    rules(one().personal())
}

fn world() -> Rules {
    rules(one().world())
}

/// Both ways round, since which record is asked about first decides nothing.
fn assert_found(case: &str, left: &Record, right: &Record, rules: &Rules, expected: &Finding) {
    assert_eq!(found(left, right, rules), *expected, "{case}");
    assert_eq!(found(right, left, rules), mirrored(expected.clone()), "{case}, the other way round");
}

#[test]
fn each_ground_by_example() {
    use Ground::{
        AuthorityUnknown, CardinalityUndeclared, CrossEpoch, ImpossibleProvenance, LowConfidence,
        MissingProvenance, OrderUndecidable,
    };
    let nameless = || Record { source: None, ..row() };
    let timeless = || Record { observed_at: None, ..row() };
    let epochless = || Record { epoch: None, ..row() };
    let reversed = || rules(AttributePolicy { authority: Some(vec![SourceClass::User]), ..one() });
    let cases = [
        ("no source", word(), nameless(), personal(), MissingProvenance),
        ("no time", word(), timeless(), personal(), MissingProvenance),
        ("no epoch", word(), epochless(), personal(), MissingProvenance),
        ("a class, but no kind", word(), nameless().class(SourceClass::User), personal(), MissingProvenance),
        ("seen after it was written", word(), row().observed("2025-11-03"), personal(), ImpossibleProvenance),
        ("another epoch", word(), row().epoch(2), personal(), CrossEpoch),
        ("nothing declared", word(), row(), rules(undeclared()), CardinalityUndeclared),
        ("an unknown kind", word(), row().by("ouija"), personal(), AuthorityUnknown),
        ("a class no order places", word(), row(), reversed(), AuthorityUnknown),
        ("no order declared", word(), row(), rules(one()), AuthorityUnknown),
        ("a tie", reading("eu", MORNING), reading("us", MORNING), world(), OrderUndecidable),
        (
            "a day against a minute of it",
            reading("eu", "2025-10-14"),
            reading("us", MORNING),
            world(),
            OrderUndecidable,
        ),
        (
            "a month against its last day",
            reading("eu", "2025-10"),
            reading("us", "2025-10-31"),
            world(),
            OrderUndecidable,
        ),
        ("an unsure winner", word().confidence(0.4), row(), rules(one().personal().floor(0.5)), LowConfidence),
        ("a winner of unstated confidence", word(), row(), rules(one().personal().floor(0.5)), LowConfidence),
    ];
    for (case, left, right, rules, ground) in cases {
        assert_found(case, &left, &right, &rules, &Finding::Quarantine(vec![ground]));
    }
    let unconfirmed = examine(&word(), &row(), &personal(), &SameSubject::Unconfirmed);
    assert_eq!(unconfirmed.finding, Finding::Quarantine(vec![Ground::SubjectUnconfirmed]));
}

#[test]
fn every_ground_is_told_not_only_the_first() {
    let unwhole = Record { source: None, ..row() }.epoch(2).observed("2025-11-03");
    let examination = examine(&word(), &unwhole, &rules(undeclared()), &SameSubject::Unconfirmed);
    let told = grounds(&examination.finding);
    let expected = [
        Ground::SubjectUnconfirmed,
        Ground::MissingProvenance,
        Ground::ImpossibleProvenance,
        Ground::CrossEpoch,
        Ground::CardinalityUndeclared,
    ];
    assert_eq!(told, expected);

    let unknown_and_tied = reading("eu", MORNING).by("ouija");
    let told = grounds(&found(&unknown_and_tied, &reading("us", MORNING), &world()));
    assert_eq!(told, [Ground::AuthorityUnknown, Ground::OrderUndecidable]);
}

#[test]
fn authority_decides_and_recency_breaks_ties() {
    use Basis::{Authority, Recency};
    let owned = || rules(one().personal().owned_by("billing_system"));
    let recollection = record("svc/mail", "region", "us").by("user_utterance").observed(EVENING).epoch(3);
    let bill = || record("user_31882", "home_city", "Faro").by("billing_system").observed("2024-01-01").epoch(3);
    let confident = || rules(one().personal().floor(0.5));
    let cases = [
        ("the user's word stands above a stale copy", word(), row(), personal(), Left, Authority),
        (
            "an observation above a later recollection",
            reading("eu", MORNING),
            recollection,
            world(),
            Left,
            Authority,
        ),
        (
            "authority decides where no order does",
            word().observed("2025"),
            row().observed("2025"),
            personal(),
            Left,
            Authority,
        ),
        ("the system of record above the user", bill(), word(), owned(), Left, Authority),
        ("the same source without that office below", bill(), word(), personal(), Right, Authority),
        (
            "a class the record states, over its kind's",
            row().class(SourceClass::User),
            word(),
            personal(),
            Right,
            Recency,
        ),
        ("of equals the later", reading("eu", MORNING), reading("us", EVENING), world(), Right, Recency),
        (
            "of equals the later day",
            reading("eu", "2025-10-15"),
            reading("us", "2025-10-14"),
            world(),
            Left,
            Recency,
        ),
        ("a sure winner over a floor", word().confidence(0.5), row(), confident(), Left, Authority),
        (
            "the loser's confidence is not asked for",
            word().confidence(0.9),
            row().confidence(0.1),
            confident(),
            Left,
            Authority,
        ),
    ];
    for (case, left, right, rules, winner, basis) in cases {
        assert_found(case, &left, &right, &rules, &Finding::Resolve { winner, basis });
    }
}

#[test]
fn one_value_is_no_contradiction_wherever_it_came_from() {
    let lower = || record("user_31882", "home_city", "  lisbon ");
    let born =
        |value: &str| record("user_9", "date_of_birth", value).by("user_utterance").observed(MORNING).epoch(1);
    let date = || rules(one().corrected().personal().compared(Comparison::Date));
    let cases = [
        ("another spelling", word(), lower().by("crm_import").observed("2023").epoch(3), personal()),
        ("without provenance", word(), lower(), personal()),
        ("across epochs", word(), word().epoch(2), personal()),
        ("undeclared", word(), word(), rules(undeclared())),
        ("many", word(), word(), rules(many().personal())),
        ("the finer of two dates", born("1994"), born("1994-05-02"), date()),
        ("taken back twice", word().retracts(), word().retracts(), personal()),
    ];
    for (case, left, right, rules) in cases {
        assert_found(case, &left, &right, &rules, &Agree);
    }
}

#[test]
fn many_values_coexist_and_only_a_retraction_takes_one_away() {
    use Basis::{Authority, Recency};
    let many = || rules(many().personal());
    let project = |value: &str, at: &str| {
        record("user_7", "active_project", value).by("user_utterance").observed(at).epoch(1)
    };
    let search = || project("search", "2025-09-01");
    let done = |at: &str| project("search", at).id("done").retracts();
    let guess = || done("2025-09-20").by("agent_inference");
    let wins = |winner, basis| Finding::Resolve { winner, basis };
    let held = |grounds: &[Ground]| Finding::Quarantine(grounds.to_vec());
    let cases = [
        ("a new value adds", search(), project("billing", "2025-09-02"), Coexist),
        ("whatever it lacks", search(), record("user_7", "active_project", "billing"), Coexist),
        ("whatever its epoch", search(), project("billing", "2025-09-02").epoch(2), Coexist),
        ("a retraction denies its own value only", done("2025-09-20"), project("billing", "2025-09-02"), Coexist),
        ("a later retraction takes it back", search(), done("2025-09-20"), wins(Right, Recency)),
        ("an earlier one does not", search(), done("2025-08-20"), wins(Left, Recency)),
        ("a less authoritative one does not", search(), guess(), wins(Left, Authority)),
        ("one in the same span cannot be ordered", search(), done("2025-09"), held(&[Ground::OrderUndecidable])),
        (
            "an authoritative one neither",
            search().by("crm_import"),
            done("2025-09"),
            held(&[Ground::OrderUndecidable]),
        ),
        ("one of another epoch opens a pair", search(), done("2025-09-20").epoch(2), held(&[Ground::CrossEpoch])),
        (
            "one without provenance opens a pair",
            search(),
            record("user_7", "active_project", "search").id("done").retracts(),
            held(&[Ground::MissingProvenance]),
        ),
    ];
    for (case, left, right, expected) in cases {
        assert_found(case, &left, &right, &many(), &expected);
    }
}

#[test]
fn a_retraction_on_one_value_meets_the_same_law() {
    let cases = [
        (
            "later",
            word().retracts().id("gone").observed(EVENING),
            Finding::Resolve { winner: Right, basis: Basis::Recency },
        ),
        (
            "earlier",
            word().retracts().id("gone").observed("2025-09-01"),
            Finding::Resolve { winner: Left, basis: Basis::Recency },
        ),
        ("of another value", row().retracts(), Coexist),
    ];
    for (case, retraction, expected) in cases {
        assert_found(case, &word(), &retraction, &personal(), &expected);
    }
    let undeclared = found(&word(), &word().retracts(), &rules(undeclared()));
    assert_eq!(undeclared, Finding::Quarantine(vec![Ground::CardinalityUndeclared]));
}

#[test]
fn the_checklist_says_how_each_condition_stands() {
    use State::{Failed, Met, NotApplicable};
    let bare = || (lisbon(), berlin());
    let whole = || (word(), row());
    let cases = [
        ("whole", whole(), personal(), [Met, Met, Met, Met, Met, Met, NotApplicable]),
        ("bare", bare(), personal(), [Met, Failed, NotApplicable, Met, Failed, NotApplicable, NotApplicable]),
        (
            "undeclared",
            bare(),
            rules(undeclared()),
            [Met, Failed, NotApplicable, Failed, NotApplicable, NotApplicable, NotApplicable],
        ),
        (
            "authority decides",
            (word().observed("2025"), row().observed("2025")),
            personal(),
            [Met, Met, Met, Met, Met, NotApplicable, NotApplicable],
        ),
        (
            "epochs and a floor",
            (word().confidence(0.2), row().epoch(2)),
            rules(one().personal().floor(0.5)),
            [Met, Met, Failed, Met, Met, Met, Failed],
        ),
    ];
    for (case, (left, right), rules, expected) in cases {
        let checklist = examined(&left, &right, &rules).checklist;
        let conditions: Vec<Condition> = checklist.iter().map(|check| check.condition).collect();
        assert_eq!(conditions, Condition::ALL, "{case}: always every condition, in one order");
        let states: Vec<State> = checklist.iter().map(|check| check.state).collect();
        assert_eq!(states, expected, "{case}");
    }
}

#[test]
fn five_minutes_of_skew_are_forgiven_and_no_more() {
    let seen = |at: &str| word().written("2025-10-14T09:31:00Z").observed(at);
    let cases = [
        ("2025-10-14T09:36:00Z", true),
        ("2025-10-14T09:36:01Z", false),
        ("2025-10-14", true),
        ("2025-10-15", false),
        ("2025", true),
    ];
    for (at, possible) in cases {
        assert_eq!(seen(at).is_anchored(), possible, "observed {at}, written 2025-10-14T09:31:00Z");
    }
}
