//! What holds of any slot whatever: the law of DESIGN 3.2 and 3.4 as properties.

use std::collections::BTreeSet;

use gainsay::core::answer::Shortfall;
use gainsay::core::examine::Ground;
use gainsay::core::pair::RecordState;
use gainsay::core::policy::Cardinality;
use gainsay::core::recall;
use gainsay::core::record::Record;
use gainsay::core::ruling::{Decision, Ruling, RulingId};
use gainsay::core::settle::{EdgeKind, Slot, Status, settle};
use gainsay::core::value::{Comparison, Key};
use proptest::prelude::*;

use crate::chance::{ANYTHING, Chance, Line, Story, any_record, any_rules, any_story, echo, shuffled};
use crate::script::{instant, properties, when};
use crate::stories::{ruled, told, values};

fn settled(story: &Story) -> Slot<'_> {
    settle(&story.records, &story.rules, &story.rulings)
}

/// Every record has a state; whoever lost is linked to a winner, and who won in the end did not lose.
fn no_record_disappears(slot: &Slot<'_>) -> Result<(), TestCaseError> {
    prop_assert_eq!(slot.states.len(), slot.records.len());
    for at in 0..slot.records.len() {
        let lost = matches!(slot.states[at], RecordState::Superseded | RecordState::Retracted);
        prop_assert_eq!(slot.superseded_by[at].is_some(), lost, "{} and its winner", slot.records[at].id);
        let (mut winner, mut steps) = (at, 0);
        while let Some(above) = slot.superseded_by[winner] {
            let linked = |edge: &&gainsay::core::settle::Edge| edge.from == above && edge.to == winner;
            prop_assert!(slot.edges.iter().any(|edge| linked(&edge)), "no edge to {}", slot.records[winner].id);
            winner = above;
            steps += 1;
            prop_assert!(steps <= slot.records.len(), "a circle around {}", slot.records[at].id);
        }
        if lost {
            let state = slot.states[winner];
            prop_assert!(matches!(state, RecordState::Live | RecordState::Contested), "it ends at {:?}", state);
        }
    }
    for edge in &slot.edges {
        let within = edge.from < slot.records.len() && edge.to < slot.records.len() && edge.from != edge.to;
        prop_assert!(within, "{:?}", edge);
    }
    Ok(())
}

/// Each record contends in one claim at most, what contends has one, and those of one claim say one value.
fn claims_partition(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    let keys: Vec<Key> = slot.records.iter().map(|record| record.key(&story.rules)).collect();
    let linked = story.rulings.iter().any(|it| matches!(it.decision, Decision::Same(_)));
    let anchored = |record| story.rules.is_anchored(record);
    for at in 0..slot.records.len() {
        let out = matches!(slot.states[at], RecordState::History | RecordState::Withdrawn);
        prop_assert_eq!(slot.claim[at].is_none(), out, "{}", slot.records[at].id);
        for other in (0..at).filter(|other| slot.claim[at].is_some() && slot.claim[at] == slot.claim[*other]) {
            let (one, two) = (slot.records[at], slot.records[other]);
            prop_assert_eq!(one.op, two.op);
            prop_assert_eq!(anchored(one), anchored(two));
            prop_assert!(!anchored(one) || one.epoch == two.epoch);
            prop_assert_eq!(slot.superseded_by[at], slot.superseded_by[other]);
            // Two coarse dates may be two forms of one finer date.
            let one_value = || keys.iter().any(|key| key.agrees(&keys[at]) && key.agrees(&keys[other]));
            prop_assert!(linked || one_value(), "{} and {}", one.id, two.id);
        }
    }
    Ok(())
}

fn pairs_say_why_and_are_few(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    for pair in &slot.pairs {
        prop_assert!(!pair.grounds.is_empty());
        prop_assert!(pair.left < pair.right);
        prop_assert!(slot.claim[pair.left].is_some() && slot.claim[pair.left] != slot.claim[pair.right]);
        let whole = [pair.left, pair.right].iter().all(|at| story.rules.is_anchored(slot.records[*at]));
        let missing = [Ground::MissingProvenance, Ground::ImpossibleProvenance, Ground::OutdatedProvenance];
        prop_assert_eq!(!whole, pair.grounds.iter().any(|ground| missing.contains(ground)));
    }
    let named: BTreeSet<_> =
        slot.pairs.iter().map(|pair| (slot.claim[pair.left], slot.claim[pair.right])).collect();
    prop_assert_eq!(named.len(), slot.pairs.len(), "one pair for each two claims");
    let disputed = |ruling: &&Ruling| matches!(ruling.decision, Decision::Dispute(_));
    let claims: BTreeSet<usize> = slot.claim.iter().flatten().copied().collect();
    let disputes = story.rulings.iter().filter(disputed).count();
    let bound = claims.len().saturating_sub(1) + disputes;
    prop_assert!(slot.pairs.len() <= bound, "{} pairs, {} claims", slot.pairs.len(), claims.len());
    Ok(())
}

fn the_status_says_what_the_pairs_say(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    let open = !slot.pairs.is_empty();
    let unrequested = slot.pairs.iter().any(|pair| pair.requested.is_none());
    prop_assert_eq!(slot.status == Status::Contested, unrequested);
    prop_assert_eq!(slot.status == Status::Awaiting, open && !unrequested);
    if story.rules.cardinality != Some(Cardinality::Many) {
        prop_assert!(slot.live.len() <= 1 && slot.foremost.len() <= 1, "it reads as two values");
        prop_assert!(!open || slot.live.is_empty(), "a guess");
    }
    if !open {
        let proven = slot.live.iter().any(|live| story.rules.is_anchored(slot.records[live.speaker]));
        prop_assert_eq!(slot.status == Status::Empty, slot.live.is_empty());
        prop_assert_eq!(slot.status == Status::Settled, proven);
    }
    Ok(())
}

fn what_lives_is_live(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    for live in &slot.live {
        let speaker = slot.records[live.speaker];
        prop_assert!(!speaker.is_retraction());
        for at in std::iter::once(&live.speaker).chain(&live.supporters) {
            let state = slot.states[*at];
            let lives = matches!(state, RecordState::Live | RecordState::Contested);
            prop_assert!(lives, "{} is {:?}", slot.records[*at].id, state);
            prop_assert_eq!(
                story.rules.is_anchored(slot.records[*at]),
                story.rules.is_anchored(speaker),
                "no support without provenance"
            );
        }
        prop_assert!(!live.supporters.contains(&live.speaker));
    }
    // Where an anchored claim stands, no unanchored record speaks.
    let stands = |at: usize| {
        let lives = matches!(slot.states[at], RecordState::Live | RecordState::Contested);
        lives && story.rules.is_anchored(slot.records[at]) && !slot.records[at].is_retraction()
    };
    if story.rules.cardinality != Some(Cardinality::Many) && (0..slot.records.len()).any(stands) {
        for live in &slot.foremost {
            prop_assert!(story.rules.is_anchored(slot.records[live.speaker]));
        }
    }
    Ok(())
}

fn nothing_wins_without_the_right_to(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    for edge in &slot.edges {
        if let EdgeKind::Supersedes(_) = edge.kind {
            let (winner, loser) = (slot.records[edge.from], slot.records[edge.to]);
            prop_assert!(story.rules.is_anchored(winner), "{} won without provenance", winner.id);
            prop_assert!(
                !story.rules.is_anchored(loser) || winner.epoch == loser.epoch,
                "{} won across epochs",
                winner.id
            );
        }
    }
    Ok(())
}

/// Whoever contends in an earlier epoch than another, with another value, is party to a pair across the epochs.
fn no_epoch_is_settled_by_itself(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    // Dates of different years that a person calls one value agree with what does not agree with the other.
    let linked = |ruling: &Ruling| matches!(ruling.decision, Decision::Same(_));
    let muddled = story.rules.compare == Comparison::Date && story.rulings.iter().any(linked);
    let one = story.rules.cardinality == Some(Cardinality::One) && !muddled;
    let Some(live) = slot.live.first().filter(|_| one) else { return Ok(()) };
    for at in 0..slot.records.len() {
        let record = slot.records[at];
        let claims =
            slot.states[at] == RecordState::Live && story.rules.is_anchored(record) && !record.is_retraction();
        if claims {
            let answers = slot.claim[at] == slot.claim[live.speaker] || live.supporters.contains(&at);
            prop_assert!(answers, "{} stands beside what the slot answers", record.id);
        }
    }
    Ok(())
}

/// Whoever says it answers a request is heard once: as a re-observation, or with the reason why it is none; and the reason
/// holds.
fn every_answer_is_heard(slot: &Slot<'_>, story: &Story) -> Result<(), TestCaseError> {
    let heard = slot.answered.iter().map(|(request, at)| (*at, *request));
    let mut heard: Vec<_> = heard.chain(slot.fell_short.iter().map(|(request, at, _)| (*at, *request))).collect();
    heard.sort_unstable();
    let said = (0..slot.records.len()).filter_map(|at| Some((at, slot.records[at].answers?)));
    prop_assert_eq!(heard, said.collect::<Vec<_>>());
    let counts = |at: usize| slot.states[at] != RecordState::Withdrawn;
    for (_, at, why) in &slot.fell_short {
        let it = slot.records[*at];
        prop_assert_eq!(*why == Shortfall::Withdrawn, !counts(*at), "{}: {}", it.id, why);
        match why {
            Shortfall::Unanchored(lacks) => prop_assert_eq!(lacks, &story.rules.lacks(it)),
            Shortfall::TooEarly { observed, asked } => prop_assert!(observed < asked),
            Shortfall::OlderEpoch { own, newest } => {
                let seen = (0..slot.records.len()).filter(|other| counts(*other)).map(|other| slot.records[other]);
                let newer = seen.filter(|other| other.epoch >= Some(*newest) && story.rules.is_anchored(other));
                let first = newer.filter_map(|other| other.observed_at).map(|at| at.first()).min();
                prop_assert!(Some(*own) == it.epoch && own < newest);
                prop_assert!(first <= it.observed_at.map(|at| at.last()), "{}: {}", it.id, why);
            }
            Shortfall::TakenBack | Shortfall::NotAsked | Shortfall::Withdrawn => {}
            Shortfall::NoRequest | Shortfall::Elsewhere { .. } | Shortfall::Unslotted => {
                prop_assert!(false, "a slot does not know that: {}", why);
            }
        }
    }
    Ok(())
}

fn every_law(story: &Story) -> Result<(), TestCaseError> {
    let slot = settled(story);
    every_answer_is_heard(&slot, story)?;
    no_record_disappears(&slot)?;
    claims_partition(&slot, story)?;
    pairs_say_why_and_are_few(&slot, story)?;
    the_status_says_what_the_pairs_say(&slot, story)?;
    what_lives_is_live(&slot, story)?;
    nothing_wins_without_the_right_to(&slot, story)?;
    no_epoch_is_settled_by_itself(&slot, story)
}

/// Few rulings and epochs: here a slot most often has an answer.
const PLAIN: Chance = Chance { gaps: 0.02, retractions: 0.1, epochs: 2, rulings: 2 };

proptest! {
    #![proptest_config(properties(10_000))]

    #[test]
    fn every_law_holds_of_any_slot(story in any_story(ANYTHING)) {
        every_law(&story)?;
    }

    #[test]
    fn every_law_holds_of_a_plain_slot(story in any_story(PLAIN)) {
        every_law(&story)?;
    }

    #[test]
    fn the_order_of_arrival_decides_nothing(story in any_story(ANYTHING), by in any::<u64>()) {
        let arrived = Story { records: shuffled(&story.records, by), ..story.clone() };
        prop_assert_eq!(told(&settled(&story)), told(&settled(&arrived)));
    }

    #[test]
    fn a_record_by_itself_settles_as_one_among_many_would(
        Line(it) in any_record(ANYTHING),
        rules in any_rules(),
        answers in any::<bool>(),
    ) {
        let it = Record { answers: it.answers.filter(|_| answers), ..it };
        // A ruling that decides nothing: with it, the slot is settled like any other.
        let idle = ruled(1, Decision::Note("seen".to_owned()));
        prop_assert_eq!(settle([&it], &rules, &[]), settle([&it], &rules, &[idle]));
    }

    #[test]
    fn an_echo_changes_nothing(story in any_story(ANYTHING), which in any::<prop::sample::Index>()) {
        // An echo of what a person withdrew is new to them, and so is one of a record that a ruling brought in.
        let about_one = |ruling: &Ruling| matches!(ruling.decision, Decision::Withdraw { .. }) || ruling.enters().is_some();
        let rulings = story.rulings.iter().filter(|ruling| !about_one(ruling)).cloned().collect();
        let story = Story { rulings, ..story };
        let mut louder = story.clone();
        louder.records.push(echo(which.get(&story.records)));
        let (alone, echoed) = (settled(&story), settled(&louder));
        prop_assert_eq!(alone.status, echoed.status);
        prop_assert_eq!(values(&alone, &story.rules), values(&echoed, &story.rules));
        prop_assert_eq!(told(&alone).pairs, told(&echoed).pairs);
        prop_assert_eq!(alone.contenders, echoed.contenders);
    }

    #[test]
    fn a_ruling_and_its_undo_leave_nothing(story in any_story(ANYTHING), which in any::<prop::sample::Index>()) {
        let leaves_more = |ruling: &Ruling| ruling.enters().is_some() || matches!(ruling.decision, Decision::Undo(_));
        let undone = story.rulings.get(which.index(6)).filter(|ruling| !leaves_more(ruling));
        if let Some(undone) = undone {
            let undoes = Decision::Undo(undone.id);
            let others = story.rulings.iter().filter(|ruling| ruling.decision != undoes);
            let mut with: Vec<Ruling> = others.clone().cloned().collect();
            with.push(ruled(99, undoes.clone()));
            let without: Vec<Ruling> = others.filter(|ruling| ruling.id != undone.id).cloned().collect();
            let settled = |rulings: &[Ruling]| told(&settle(&story.records, &story.rules, rulings));
            prop_assert_eq!(settled(&without), settled(&with));
        }
    }

    #[test]
    fn what_agrees_takes_nothing_away(story in any_story(PLAIN), Line(it) in any_record(PLAIN)) {
        // A look at the world counts while no later epoch is known: what tells of one is news, whatever it says.
        let unanswering = |it: &Record| Record { answers: None, ..it.clone() };
        let story = Story { records: story.records.iter().map(unanswering).collect(), ..story };
        let alone = settled(&story);
        // A finer date may part from an unproven one with which the coarser still agreed: that is a pair, and right.
        let dates = story.rules.compare == Comparison::Date && story.records.iter().any(|record| !story.rules.is_anchored(record));
        if let (Some(live), Status::Settled, false) = (alone.live.first(), alone.status, dates) {
            let speaker = alone.records[live.speaker];
            let another = Record { value: speaker.value.clone(), op: speaker.op, answers: None, ..it };
            let mut more = story.clone();
            more.records.push(Record { id: "zz".into(), ..another });
            let (before, after) = (values(&alone, &story.rules), values(&settled(&more), &story.rules));
            let kept = before.iter().all(|value| after.iter().any(|now| now.agrees(value)));
            prop_assert!(kept, "{:?} became {:?}", before, after);
        }
    }

    #[test]
    fn about_the_far_future_is_now(story in any_story(ANYTHING)) {
        let records: Vec<&Record> = story.records.iter().collect();
        let now = recall::now(&records, &story.rules, &story.rulings);
        let then = recall::about(&records, &story.rules, &story.rulings, when("2999"));
        prop_assert_eq!(told(&now), told(&then));
    }

    #[test]
    fn what_was_believed_is_not_changed_by_what_came_later(story in any_story(ANYTHING), Line(it) in any_record(ANYTHING)) {
        let at = instant("2025-11-11T12:00:00Z");
        let later = Record { id: "zz".into(), written_at: instant("2025-11-11T12:00:01Z"), ..it };
        let mut more = story.records.clone();
        more.push(later);
        let mut rulings = story.rulings.clone();
        rulings.push(Ruling { at: instant("2026-01-01T00:00:00Z"), ..ruled(99, Decision::Undo(RulingId(1))) });
        let (records, then) = recall::believed(&story.records, &story.rulings, at);
        let (more, also) = recall::believed(&more, &rulings, at);
        prop_assert_eq!(
            told(&recall::now(&records, &story.rules, &then)),
            told(&recall::now(&more, &story.rules, &also))
        );
    }
}
