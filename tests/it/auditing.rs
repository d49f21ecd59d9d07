//! Audits, counted by hand: whose word counts, how many agree, and how far two agree beyond what chance would give.

use std::collections::BTreeSet;

use gainsay::core::audit::{Audit, Blind, Decided, Judged, LABELS, Report, Tally, Verdict, kappa, label, report};
use gainsay::core::ruling::{PairId, RulingId};

use crate::script::instant;

/// An audit in a few words: `event auditor ruling reviewer verdict`, and what was said and ruled where it was blind.
fn audit(line: &str, blind: Option<[&str; 2]>) -> Audit {
    let words: Vec<&str> = line.split(' ').collect();
    Audit {
        event: words[0].parse().unwrap(),
        at: instant("2025-12-01T09:00:00Z"),
        auditor: words[1].to_owned(),
        ruling: RulingId(words[2].parse().unwrap()),
        reviewer: words[3].to_owned(),
        verdict: Verdict::named(words[4]).unwrap(),
        note: None,
        sample: None,
        blind: blind.map(|[said, ruled]| Blind { said: said.to_owned(), ruled: ruled.to_owned() }),
    }
}

fn decided(ruling: i64, actor: &str, pair: i64, label: &str) -> Decided {
    let (ruling, pair) = (RulingId(ruling), Some(PairId(pair)));
    Decided { ruling, actor: actor.to_owned(), pair, label: label.to_owned() }
}

fn made() -> Vec<(String, u64)> {
    vec![("dana".to_owned(), 7), ("lee".to_owned(), 3)]
}

/// Who agrees with whom on what: names, kind, items, and the part that is alike in hundredths.
fn agreed(report: &Report) -> Vec<(String, &'static str, u64, i64)> {
    let line = |it: &gainsay::core::audit::Agreement| {
        (it.between.join(" "), it.on.name(), it.items, (it.observed * 100.0).round() as i64)
    };
    report.agreements.iter().map(line).collect()
}

#[test]
fn the_last_word_of_each_auditor_counts_and_ones_own_does_not() {
    let audits = [
        audit("5 lee 1 dana disagree", None),
        audit("2 lee 1 dana agree", None),
        audit("3 lee 2 dana agree", None),
        audit("4 mika 1 dana agree", None),
        audit("6 dana 1 dana agree", None),
        audit("7 dana 4 lee disagree", None),
    ];
    let told = report(&audits, &made(), &[], None);
    let tally = |name: &str| told.reviewers[name].clone();
    assert_eq!(tally("dana"), Tally { rulings: 7, agree: 2, disagree: 1, own: 1 });
    assert_eq!(tally("lee"), Tally { rulings: 3, agree: 0, disagree: 1, own: 0 });
    assert_eq!((tally("dana").audited(), tally("lee").audited()), (3, 1));
    assert_eq!((tally("dana").rate(), tally("lee").rate()), (Some(2.0 / 3.0), Some(0.0)));
    assert_eq!(Tally { rulings: 9, ..Tally::default() }.rate(), None);
    assert_eq!(agreed(&told), [("lee mika".to_owned(), "audits", 1, 0)]);
    let of_lee = report(&audits, &made(), &[], Some("lee"));
    assert_eq!(of_lee.reviewers.keys().collect::<Vec<_>>(), ["lee"]);
    assert_eq!(agreed(&of_lee).len(), 1);
    assert_eq!(agreed(&report(&audits, &made(), &[], Some("dana"))), []);
}

#[test]
fn two_are_held_against_each_other_on_what_both_have_judged() {
    let rulings = [
        decided(1, "dana", 10, "accept A"),
        decided(2, "lee", 10, "accept B"),
        decided(5, "lee", 10, "accept A"),
        decided(3, "dana", 11, "link"),
        decided(4, "lee", 11, "accept B"),
        decided(6, "lee", 12, "link"),
        Decided { pair: None, ..decided(7, "dana", 12, "declare") },
    ];
    let blind = [
        audit("1 lee 1 dana agree", Some(["accept A", "accept A"])),
        audit("2 lee 3 dana disagree", Some(["link", "accept B"])),
        audit("3 dana 3 dana agree", Some(["link", "link"])),
    ];
    let told = report(&blind, &made(), &rulings, None);
    let expected = [("dana lee".to_owned(), "pairs", 2, 50), ("dana lee".to_owned(), "blind audits", 2, 50)];
    assert_eq!(agreed(&told), expected);
    assert_eq!(told.agreements[0].on, Judged::Pairs);
}

#[test]
fn kappa_is_what_is_beyond_chance() {
    let close = |items: &[(&str, &str)], expected: f64| {
        let found = kappa(items).unwrap();
        assert!((found - expected).abs() < 1e-9, "{items:?}: {found}");
    };
    close(&[("a", "a"), ("b", "b")], 1.0);
    close(&[("a", "b"), ("b", "a")], -1.0);
    close(&[("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")], 0.0);
    // 3 of 5 alike; by chance 0.6 * 0.6 + 0.4 * 0.4 of them would be.
    close(&[("a", "a"), ("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")], (0.6 - 0.52) / 0.48);
    // By chance (1/2 * 1/4) + (1/4 * 1/4) + (1/4 * 1/2).
    close(&[("a", "a"), ("a", "b"), ("b", "c"), ("c", "c")], (0.5 - 0.3125) / 0.6875);
    assert_eq!(kappa(&[("a", "a"), ("a", "a")]), None, "chance explains everything");
    assert_eq!(kappa(&[]), None);
}

#[test]
fn every_label_can_be_said_blind() {
    let kinds = [
        ("accept", Some(true), "accept A"),
        ("override", Some(false), "accept B"),
        ("link", None, "link"),
        ("reobserved", None, "look again"),
        ("request", Some(true), "look again"),
        ("rederive", None, "re-derive"),
        ("withdraw", None, "withdraw"),
        ("declare", None, "declare"),
        ("alias", None, "identity"),
        ("dispute", None, "dispute"),
        ("defer", None, "other"),
        ("accept", None, "other"),
    ];
    for (kind, first, expected) in kinds {
        assert_eq!(label(kind, first), expected, "{kind}");
    }
    let said: BTreeSet<&str> = kinds.iter().map(|(.., label)| *label).collect();
    assert_eq!(said, LABELS.into_iter().collect());
    assert_eq!((Verdict::Agree.name(), Verdict::Disagree.name()), ("agree", "disagree"));
    assert_eq!(Verdict::named("perhaps"), None);
    assert_eq!(
        [Judged::Pairs, Judged::Rulings, Judged::Blind].map(Judged::name),
        ["pairs", "audits", "blind audits"]
    );
}
