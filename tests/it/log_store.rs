//! Windows of the log, samples and audits, each held against a plain recomputation of the same.

use gainsay::app::Failure;
use gainsay::app::asks::log::{Answer, Event, Filter, Question};
use gainsay::app::list::{Anchor, Around};
use gainsay::app::port::{Port, Unwatched, Watch};
use gainsay::core::audit::{self, Audit, Blind, Decided, Judged, Verdict, kappa};
use gainsay::core::order::Order;
use gainsay::core::ruling::{PairId, RulingId};
use gainsay::runtime::Desk;
use gainsay::store::{By, LogFilter, OrderError, Said, Saying, Store};
use tempfile::TempDir;

use crate::desk::Desk as Bench;
use crate::script::{Told as _, record};
use crate::told::at;

/// Ties of so many subjects, imported in several batches at several times; half of them ruled on by two people.
fn long_log(ties: u32) -> (Bench, Vec<i64>) {
    let mut bench = Bench::new();
    for batch in 0..4 {
        bench.at(&format!("2025-12-0{}T08:00:00Z", batch + 2));
        let told = (0..ties).filter(|tie| tie % 4 == batch).flat_map(|tie| {
            let says = |value: &str, side: u32| {
                record(&format!("user_{tie}"), "employer", value)
                    .id(&format!("r{tie}_{side}"))
                    .by("user_utterance")
                    .epoch(1)
                    .observed("2025-10-01")
            };
            [says("Acme_100%", 0), says("Acme GmbH", 1)]
        });
        bench.import(told);
    }
    bench.at("2025-12-07T10:00:00Z");
    let pairs: Vec<i64> = bench.open().iter().map(|entry| entry.pair.0).collect();
    for (at, pair) in pairs.iter().enumerate().filter(|(at, _)| at % 2 == 0) {
        let actor = if at % 4 == 0 { "lee" } else { "mika" };
        let reason = format!("reason {at}");
        bench.order(actor, &Order::LinkSame { pair: PairId(*pair), reason }).unwrap();
    }
    bench.undo().unwrap_err();
    (bench, pairs)
}

fn every_event(store: &Store) -> Vec<gainsay::store::Event> {
    let mut all = Vec::new();
    store
        .log(&LogFilter::default(), |event| -> Result<(), gainsay::store::StoreError> {
            all.push(event);
            Ok(())
        })
        .unwrap();
    all
}

/// What a filter means, said once more in plain words.
fn shows(filter: &Filter, event: &gainsay::store::Event) -> bool {
    let is = |wanted: &Option<String>, has: Option<&str>| wanted.is_none() || wanted.as_deref() == has;
    let said = |text: &str| {
        let body = &event.body;
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let texts = [
            &body["reason"],
            &body["batch"],
            &body["winner"],
            &body["loser"],
            &body["record"],
            &body["decision"]["text"],
        ];
        let texts = texts.into_iter().cloned().chain(list(&body["records"])).chain(list(&body["grounds"]));
        let texts = texts.filter_map(|value| value.as_str().map(str::to_owned));
        let columns =
            [event.subject.clone(), event.attribute.clone(), Some(event.actor.clone()), Some(event.kind.clone())];
        let all: Vec<String> = texts.chain(columns.into_iter().flatten()).collect();
        all.iter().any(|it| it.to_ascii_lowercase().contains(&text.to_ascii_lowercase()))
    };
    is(&filter.actor, Some(&event.actor))
        && is(&filter.kind, Some(&event.kind))
        && is(&filter.subject, event.subject.as_deref())
        && filter.since.is_none_or(|since| event.at >= since)
        && filter.until.is_none_or(|until| event.at <= until)
        && filter.pair.is_none_or(|pair| event.pair == Some(pair.0))
        && filter.ruling.is_none_or(|ruling| event.ruling == Some(ruling.0))
        && filter.text.as_deref().is_none_or(said)
}

fn filters() -> Vec<Filter> {
    let named = |change: fn(&mut Filter)| {
        let mut filter = Filter::default();
        change(&mut filter);
        filter
    };
    vec![
        Filter::default(),
        named(|it| it.actor = Some("lee".to_owned())),
        named(|it| it.kind = Some("pair_opened".to_owned())),
        named(|it| it.subject = Some("user_7".to_owned())),
        named(|it| it.since = Some(at("2025-12-03T08:00:00Z"))),
        named(|it| it.until = Some(at("2025-12-03T08:00:00Z"))),
        named(|it| (it.since, it.until) = (Some(at("2025-12-03T00:00:00Z")), Some(at("2025-12-04T23:59:59Z")))),
        named(|it| it.since = Some(at("2099-01-01T00:00:00Z"))),
        named(|it| it.pair = Some(PairId(3))),
        named(|it| it.ruling = Some(RulingId(2))),
        named(|it| it.text = Some("REASON 4".to_owned())),
        named(|it| it.text = Some("user_1".to_owned())),
        named(|it| it.text = Some("%".to_owned())),
        named(|it| it.text = Some("nowhere at all".to_owned())),
        named(|it| (it.text, it.kind) = (Some("user_1".to_owned()), Some("pair_closed".to_owned()))),
    ]
}

fn desk(bench: &Bench) -> Desk {
    Desk::new(Store::open(&bench.path(), bench.now).unwrap(), "dana".to_owned()).unwrap()
}

fn ask(desk: &mut Desk, around: Around<Event>, filter: &Filter) -> gainsay::app::list::Window<Event> {
    let question = Question::Page { generation: 1, around, filter: filter.clone(), long: false };
    match Port::log(desk, &question, at("2025-12-08T00:00:00Z"), &Unwatched) {
        Ok(Answer::Page { window, .. }) => window,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_window_of_every_filter_is_the_one_that_a_plain_reading_gives() {
    let (mut bench, _) = long_log(24);
    let mut desk = desk(&bench);
    for round in 0..2 {
        let all = every_event(&bench.store);
        for filter in filters() {
            let shown: Vec<i64> =
                all.iter().rev().filter(|event| shows(&filter, event)).map(|event| event.seq).collect();
            let anchors = (0..=all.len() as i64 + 1).step_by(7).map(|seq| {
                let mut event = some_event(&mut desk);
                event.seq = seq;
                Anchor::At(Box::new(event))
            });
            let anchors: Vec<Anchor<Event>> = [Anchor::First, Anchor::Last].into_iter().chain(anchors).collect();
            for anchor in anchors {
                let around = Around { anchor: anchor.clone(), before: 5, after: 4 };
                let window = ask(&mut desk, around, &filter);
                let rows: Vec<i64> = window.rows.iter().map(|event| event.seq).collect();
                let about = format!("round {round}, {filter:?}, {anchor:?}");
                assert_eq!(window.total, shown.len() as u64, "{about}");
                let start = usize::try_from(window.start).unwrap();
                assert_eq!(rows, shown.iter().copied().skip(start).take(rows.len()).collect::<Vec<_>>(), "{about}");
                let wanted = match &anchor {
                    Anchor::First => 0,
                    Anchor::Last => shown.len().saturating_sub(1),
                    Anchor::At(event) => {
                        let newer = shown.iter().filter(|seq| **seq > event.seq).count();
                        newer.min(shown.len().saturating_sub(1))
                    }
                };
                assert_eq!(start + window.anchor, wanted, "{about}");
                let whole = wanted.min(5) + 1 + shown.len().saturating_sub(wanted + 1).min(4);
                assert!(shown.is_empty() || rows.len() >= whole.min(shown.len()), "{about}: {rows:?} of {shown:?}");
            }
        }
        // What was counted is kept: it must hold after others have written.
        bench.at("2025-12-09T08:00:00Z");
        bench.order("lee", &Order::Note { pair: PairId(3), text: "reason 4 again".to_owned() }).unwrap();
    }
}

fn some_event(desk: &mut Desk) -> Event {
    let around = Around { anchor: Anchor::First, before: 0, after: 0 };
    ask(desk, around, &Filter::default()).rows.remove(0)
}

/// Somebody who has had enough.
struct Enough;

impl Watch for Enough {
    fn goes_on(&self, _done: u64, _of: u64) -> bool {
        false
    }
}

#[test]
fn a_search_that_is_not_wanted_any_more_stops() {
    let (bench, _) = long_log(4);
    let filter = Filter { text: Some("nowhere".to_owned()), ..Filter::default() };
    let around = Around { anchor: Anchor::First, before: 5, after: 5 };
    let question = Question::Page { generation: 1, around, filter, long: true };
    let answer = Port::log(&mut desk(&bench), &question, bench.now, &Enough);
    assert_eq!(answer, Err(Failure::Cancelled));
}

#[test]
fn a_sample_follows_from_seed_and_numbers_alone() {
    let (mut bench, pairs) = long_log(40);
    let sample = bench.store.sample("lee", 5, "1", None).unwrap();
    assert_eq!((sample.of, sample.rulings.len()), (10, 5));
    assert_eq!(bench.store.sample("lee", 5, "1", None).unwrap(), sample);
    assert_ne!(bench.store.sample("lee", 5, "2", None).unwrap().rulings, sample.rulings);
    // More of the same seed begins with the same.
    assert_eq!(bench.store.sample("lee", 9, "1", None).unwrap().rulings[..5], sample.rulings);
    assert_eq!(bench.store.sample("lee", 99, "1", None).unwrap().rulings.len(), 10);
    // Later rulings change nothing where it is said where the sample ended; notes, deferrals and undos are never drawn.
    for pair in pairs.iter().skip(1).step_by(2) {
        bench.order("lee", &Order::Note { pair: PairId(*pair), text: "seen".to_owned() }).unwrap();
        bench.order("lee", &Order::LinkSame { pair: PairId(*pair), reason: String::new() }).unwrap();
    }
    bench.order("lee", &Order::Undo { ruling: None }).unwrap();
    let again = bench.store.sample("lee", 5, "1", Some(sample.drawn.up_to)).unwrap();
    assert_eq!(again.rulings, sample.rulings);
    assert_eq!(bench.store.sample("lee", 99, "1", None).unwrap().of, 30);
    assert_eq!(bench.store.sample("nobody", 5, "1", None).unwrap().rulings, []);
    bench.is_whole();
}

#[test]
fn every_ruling_is_drawn_about_as_often_as_any_other() {
    let (bench, _) = long_log(40);
    let mut drawn = std::collections::BTreeMap::new();
    for seed in 0..400 {
        for ruling in bench.store.sample("lee", 5, &seed.to_string(), None).unwrap().rulings {
            *drawn.entry(ruling).or_insert(0) += 1;
        }
    }
    // Each of 10 with a chance of a half: 200 of 400, give or take four standard deviations.
    assert!(drawn.len() == 10 && drawn.values().all(|many| (160..=240).contains(many)), "{drawn:?}");
}

fn say(bench: &mut Bench, actor: &str, ruling: i64, said: Said, note: Option<&str>) -> Result<Audit, OrderError> {
    let saying = Saying { ruling: RulingId(ruling), said, note: note.map(str::to_owned), sample: None };
    bench.store.audit(&saying, &By { actor, now: bench.now })
}

#[test]
fn an_audit_is_an_event_that_settles_nothing_and_that_undo_does_not_see() {
    let (mut bench, pairs) = long_log(8);
    let agree = || Said::Seeing(Verdict::Agree);
    let states = |bench: &Bench| bench.grounds();
    let (before, last) = (states(&bench), bench.store.head().unwrap().unwrap().0);
    let audit = say(&mut bench, "zoe", 1, agree(), None).unwrap();
    assert_eq!((audit.event, audit.reviewer.as_str(), audit.is_own()), (last + 1, "lee", false));
    assert_eq!(bench.store.event(last + 1).unwrap().unwrap().pair, Some(pairs[0]));
    assert_eq!(states(&bench), before);
    bench.is_whole();
    let refused = bench.store.order(&Order::Undo { ruling: None }, &By { actor: "zoe", now: bench.now }, None);
    assert!(refused.unwrap_err().to_string().contains("zoe has made no ruling"));
    // The ruling itself can still be undone: the audit does not stand on it.
    bench.order("lee", &Order::Undo { ruling: Some(RulingId(1)) }).unwrap();
    assert_eq!(bench.store.undone(RulingId(1)).unwrap().unwrap().by, "lee");
    bench.is_whole();
}

#[test]
fn an_audit_is_refused_without_a_note_where_it_disagrees_and_without_a_ruling() {
    let (mut bench, _) = long_log(8);
    let disagree = || Said::Seeing(Verdict::Disagree);
    for note in [None, Some(""), Some("   ")] {
        let refused = say(&mut bench, "zoe", 1, disagree(), note).unwrap_err().to_string();
        assert!(refused.contains("a note is needed"), "{refused}");
    }
    assert!(say(&mut bench, "zoe", 99, disagree(), Some("x")).unwrap_err().to_string().contains("99"));
    bench.order("lee", &Order::Undo { ruling: Some(RulingId(1)) }).unwrap();
    let undo = bench.store.head().unwrap().unwrap().0;
    let undo = (1..=undo).rev().find_map(|seq| bench.store.event(seq).unwrap().filter(|it| it.kind == "undo"));
    let refused = say(&mut bench, "zoe", undo.unwrap().ruling.unwrap(), disagree(), Some("x")).unwrap_err();
    assert!(refused.to_string().contains("is an undo"), "{refused}");
    assert_eq!(bench.store.audits(None).unwrap(), []);
}

#[test]
fn the_last_word_on_a_ruling_counts_and_ones_own_does_not() {
    let (mut bench, _) = long_log(24);
    let (agree, disagree) = (|| Said::Seeing(Verdict::Agree), || Said::Seeing(Verdict::Disagree));
    say(&mut bench, "zoe", 1, disagree(), Some("no")).unwrap();
    say(&mut bench, "zoe", 1, agree(), None).unwrap();
    say(&mut bench, "zoe", 3, disagree(), Some("no")).unwrap();
    say(&mut bench, "lee", 5, agree(), None).unwrap();
    say(&mut bench, "zoe", 2, agree(), None).unwrap();
    let report = bench.store.audit_report(None).unwrap();
    let lee = &report.reviewers["lee"];
    assert_eq!((lee.rulings, lee.agree, lee.disagree, lee.own, lee.rate()), (6, 1, 1, 1, Some(0.5)));
    assert_eq!(report.reviewers["mika"].rate(), Some(1.0));
    let one = bench.store.audit_report(Some("mika")).unwrap();
    assert_eq!(one.reviewers.len(), 1);
    bench.is_whole();
}

#[test]
fn two_people_are_held_against_each_other_on_pairs_audits_and_blind() {
    let (mut bench, pairs) = long_log(16);
    // Mika undoes what lee linked, and accepts the later written one instead: two minds on one pair.
    bench.order("mika", &Order::Undo { ruling: Some(RulingId(1)) }).unwrap();
    let entry = bench.store.entry(PairId(pairs[0]), bench.now).unwrap().unwrap();
    let winner = entry.records[1].clone();
    let accept =
        Order::Accept { pair: PairId(pairs[0]), winner, recency_override: false, reason: "it is".to_owned() };
    bench.order("mika", &accept).unwrap();
    say(&mut bench, "zoe", 3, Said::Blind("link".to_owned()), Some("one name")).unwrap();
    say(&mut bench, "zoe", 5, Said::Blind("accept A".to_owned()), Some("the first")).unwrap();
    for (auditor, ruling, verdict) in [("yan", 3, Verdict::Agree), ("yan", 5, Verdict::Agree)] {
        say(&mut bench, auditor, ruling, Said::Seeing(verdict), None).unwrap();
    }
    let report = bench.store.audit_report(None).unwrap();
    let found: Vec<(Judged, [&str; 2], u64, f64)> = report
        .agreements
        .iter()
        .map(|it| (it.on, [it.between[0].as_str(), it.between[1].as_str()], it.items, it.observed))
        .collect();
    assert_eq!(
        found,
        [
            (Judged::Pairs, ["lee", "mika"], 1, 0.0),
            (Judged::Rulings, ["yan", "zoe"], 2, 0.5),
            (Judged::Blind, ["lee", "zoe"], 2, 0.5)
        ]
    );
}

#[test]
fn kappa_is_cohens() {
    // The textbook example: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: 0.4.
    let cells = [("y", "y", 20), ("y", "n", 5), ("n", "y", 10), ("n", "n", 15)];
    let items: Vec<(&str, &str)> = cells.iter().flat_map(|(a, b, many)| vec![(*a, *b); *many]).collect();
    assert!((kappa(&items).unwrap() - 0.4).abs() < 1e-12);
    assert_eq!(kappa(&[("y", "y"), ("n", "n")]), Some(1.0));
    assert_eq!(kappa(&[("y", "n"), ("n", "y")]), Some(-1.0));
    assert_eq!(kappa(&[("y", "y"), ("y", "y")]), None);
    assert_eq!(kappa(&[]), None);
}

#[test]
fn a_report_does_not_depend_on_the_order_of_the_audits() {
    let audit = |event: i64, auditor: &str, ruling: i64, verdict, blind: Option<&str>| Audit {
        event,
        at: at("2025-12-01T00:00:00Z"),
        auditor: auditor.to_owned(),
        ruling: RulingId(ruling),
        reviewer: "lee".to_owned(),
        verdict,
        note: None,
        sample: None,
        blind: blind.map(|said| Blind { said: said.to_owned(), ruled: "link".to_owned() }),
    };
    let mut audits = vec![
        audit(1, "zoe", 1, Verdict::Disagree, None),
        audit(2, "yan", 1, Verdict::Agree, Some("link")),
        audit(3, "zoe", 1, Verdict::Agree, Some("withdraw")),
        audit(4, "lee", 2, Verdict::Agree, None),
    ];
    let decided = |actor: &str, label: &str| Decided {
        ruling: RulingId(7),
        actor: actor.to_owned(),
        pair: Some(PairId(1)),
        label: label.to_owned(),
    };
    let decided = [decided("lee", "link"), decided("mika", "link")];
    let made = [("lee".to_owned(), 2), ("mika".to_owned(), 1)];
    let report = audit::report(&audits, &made, &decided, None);
    audits.reverse();
    assert_eq!(audit::report(&audits, &made, &decided, None), report);
    assert_eq!((report.reviewers["lee"].agree, report.reviewers["lee"].own), (2, 1));
}

#[test]
fn an_event_is_shown_under_the_policy_of_its_time() {
    use gainsay::core::policy::{AttributePolicy, Declaration};
    use gainsay::core::record::{Attribute, SourceClass};
    let (mut bench, _) = long_log(4);
    let ruled = bench.store.ruling_event(RulingId(1)).unwrap().unwrap();
    let before = bench.store.then(ruled.seq, bench.now).unwrap().unwrap();
    let authority = Some(vec![SourceClass::Observation, SourceClass::Inference, SourceClass::User]);
    let fields = AttributePolicy { authority, ..AttributePolicy::default() };
    let declaration = Declaration { attribute: Attribute::from("employer"), subject: None, fields };
    bench.order("lee", &Order::Declare { declaration }).unwrap();
    let after = bench.store.then(ruled.seq, bench.now).unwrap().unwrap();
    assert_eq!((before.policy, after.policy), (1, 1));
    let ranks = |then: &gainsay::store::Then| then.records.iter().map(|seen| seen.rank).collect::<Vec<_>>();
    assert_eq!(ranks(&before), ranks(&after));
    assert_eq!(after.follows, Some(bench.store.event(ruled.seq - 1).unwrap().unwrap().hash));
    let _folder: &TempDir = &bench.folder;
}
