//! The history screen on the real store: what it shows, what its keys do, and that a dispute is previewed, confirmed,
//! undone.

use gainsay::app::asks::history::{Crosshairs, Line};
use gainsay::app::{Effect, Look, Msg};
use gainsay::core::record::{Attribute, Subject};
use gainsay::core::time::When;
use gainsay::runtime::Desk;
use gainsay::store::Store;
use ratatui::style::Color;
use tempfile::TempDir;

use crate::real::demo;
use crate::seat::Seat;
use crate::told::at;

/// The slots that are drawn, each with its subject and attribute.
const SLOTS: [(&str, &str, &str); 3] = [
    ("incident", "user_31882", "home_city"),
    ("settled", "svc/ledger", "request_timeout"),
    ("deploy", "svc/checkout", "retry_timeout"),
];

/// A seat that looks at the history of a slot.
fn opened(subject: &str, attribute: &str, width: u16, height: u16, look: Look) -> (Seat<Desk>, TempDir) {
    let (mut seat, folder) = demo(width, height, look);
    seat.model.history.show(Subject::from(subject), Attribute::from(attribute));
    seat.press("2");
    (seat, folder)
}

fn incident() -> (Seat<Desk>, TempDir) {
    opened("user_31882", "home_city", 120, 40, Look::Colour)
}

/// Selects the record of that id.
fn select(seat: &mut Seat<Desk>, id: &str) {
    seat.press("g");
    for _ in 0..40 {
        if seat.model.history.record().is_some_and(|record| record.id.as_str() == id) {
            return;
        }
        seat.press("j");
    }
    panic!("{id} is not in the list:\n{}", seat.screen());
}

#[test]
fn it_is_drawn_at_every_shape() {
    for (name, subject, attribute) in SLOTS {
        for (width, height) in [(120, 40), (80, 24), (50, 30)] {
            let (seat, _folder) = opened(subject, attribute, width, height, Look::Colour);
            insta::assert_snapshot!(format!("history_{name}_{width}x{height}"), seat.screen());
        }
    }
}

#[test]
fn without_colour_it_says_the_same() {
    for (width, height) in [(120, 40), (80, 24), (50, 30)] {
        let (mut seat, _folder) = opened("user_31882", "home_city", width, height, Look::Plain);
        seat.press("Tab");
        insta::assert_snapshot!(format!("history_plain_{width}x{height}"), seat.screen());
        let backend = seat.backend();
        let coloured = |cell: &&ratatui::buffer::Cell| cell.fg != Color::Reset || cell.bg != Color::Reset;
        assert_eq!(backend.buffer().content().iter().filter(coloured).count(), 0);
    }
}

#[test]
fn what_opens_over_it_is_drawn() {
    for (name, keys) in [("crosshairs", "g j c"), ("nearer", "0 h h + +"), ("whole", "G Enter"), ("copy", "y")] {
        let (mut seat, _folder) = incident();
        seat.press(keys);
        insta::assert_snapshot!(format!("history_{name}_120x40"), seat.screen());
    }
    let (mut seat, _folder) = opened("svc/ledger", "request_timeout", 120, 40, Look::Colour);
    let lost = beaten(&seat);
    select(&mut seat, &lost);
    seat.press("!");
    insta::assert_snapshot!("history_dispute_120x40", seat.screen());
}

#[test]
fn opened_without_a_slot_it_takes_the_one_of_triage() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    let entry = seat.model.triage.queue.current().expect("a pair").clone();
    seat.press("2");
    assert_eq!(seat.model.history.of.as_ref().map(|of| &of.subject), Some(&entry.subject));
    assert!(seat.screen().contains(entry.attribute.as_str()), "{}", seat.screen());
}

#[test]
fn with_no_slot_it_says_what_to_do() {
    let folder = TempDir::new().unwrap();
    let now = at("2025-12-01T09:14:02Z");
    let store = Store::open_or_create(&folder.path().join("empty.db"), now).unwrap();
    let mut seat = Seat::new(Desk::new(store, "dana".to_owned()).unwrap());
    seat.press("2");
    assert!(seat.screen().contains("press t"), "{}", seat.screen());
    seat.press("j k h l , . c 0 s + - p x ! Enter Tab y c");
}

/// The answer on the screen is what `recall` gives there, wherever the crosshairs are taken.
#[test]
fn the_answer_is_the_one_that_recall_gives() {
    for (_, subject, attribute) in SLOTS {
        let (mut seat, folder) = opened(subject, attribute, 120, 40, Look::Colour);
        let store = Store::open(&store_in(&folder), seat.now).unwrap();
        let (subject, attribute) = (Subject::from(subject), Attribute::from(attribute));
        let keys = ["h", "h", ",", "h", ",", ",", "l", ".", "Tab", "j", "k", "s", "h", "h", ",", "j", "c", "0"];
        for key in keys {
            seat.press(key);
            let history = &seat.model.history;
            let believed = history.believed.as_deref().expect("an answer");
            let asked = store.recall(&subject, &attribute, history.at.as_of(), seat.now).unwrap();
            assert!(history.is_answered(), "after {key}");
            assert_eq!(believed.values, asked.values, "after {key} at {:?}", history.at);
            assert_eq!(believed.status, asked.status, "after {key} at {:?}", history.at);
            assert_eq!(believed.records, asked.records, "after {key} at {:?}", history.at);
            assert_eq!((&believed.pairs, &believed.rulings), (&asked.pairs, &asked.rulings));
        }
    }
}

fn store_in(folder: &TempDir) -> std::path::PathBuf {
    let mut waiting = vec![folder.path().to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ext| ext == "db") {
                return path;
            }
        }
    }
    panic!("no store in {}", folder.path().display());
}

#[test]
fn the_crosshairs_go_from_change_to_change_and_stop_at_both_ends() {
    let (mut seat, _folder) = incident();
    assert_eq!(seat.model.history.at, Crosshairs::default());
    seat.press("h");
    assert_eq!(seat.model.history.at.about, Some(at("2025-10-14T09:31:00Z")), "Lisbon was observed");
    seat.press("h h h");
    assert_eq!(seat.model.history.at.about, Some(at("2023-03-02T00:00:00Z")), "Berlin was, and nothing before it");
    seat.press("l l l l");
    assert_eq!(seat.model.history.at.about, None, "now is the last");
    seat.press(",");
    assert_eq!(seat.model.history.at.believed_at, Some(at("2025-11-02T04:12:55Z")), "Berlin was written");
    let said = seat.screen();
    assert!(said.contains("the trap"), "the last written is the older truth:\n{said}");
    seat.press(",");
    let answer = seat.model.history.believed.as_deref().expect("an answer");
    assert_eq!(answer.values, ["Lisbon"], "before the backfill the memory knew");
    seat.press("0");
    assert_eq!(seat.model.history.at, Crosshairs::default());
}

#[test]
fn keys_pressed_before_the_answer_comes_add_up() {
    let (mut seat, _folder) = incident();
    let mut asked = Vec::new();
    for _ in 0..2 {
        asked = gainsay::app::update(&mut seat.model, Msg::Key(crate::seat::named("h"), seat.now));
    }
    seat.perform(asked);
    assert_eq!(seat.model.history.at.about, Some(at("2023-03-02T00:00:00Z")));
}

#[test]
fn the_list_tells_records_epochs_and_rulings_in_their_order() {
    let (mut seat, _folder) = opened("svc/checkout", "retry_timeout", 120, 40, Look::Colour);
    let list = &seat.model.history.list;
    let kinds: Vec<&str> = (0..list.total())
        .filter_map(|place| list.at(place))
        .map(|line| match line {
            Line::Record(_) => "record",
            Line::Ruling(_) => "ruling",
            Line::Epoch { .. } => "epoch",
            Line::Undated { .. } => "undated",
        })
        .collect();
    assert_eq!(kinds, ["epoch", "record", "epoch", "record"]);
    seat.press("1");
    // A ruling stands behind what was observed by then.
    seat.press("2 p + e");
    seat.write("deploy 2025.10.2");
    seat.press("Enter Enter y 2");
    let screen = seat.screen();
    assert!(screen.contains("epoch 7 · first observed 2025-10-03 10:00Z · deploy 2025.10.2"), "{screen}");
    assert!(screen.contains("dana: link") || screen.contains("dana: across"), "{screen}");
    assert!(screen.contains("§"), "{screen}");
}

/// A record of the slot that lost.
fn beaten(seat: &Seat<Desk>) -> String {
    let list = &seat.model.history.list;
    let lost = |line: &&Line| line.record().is_some_and(|record| record.superseded_by.is_some());
    let line = (0..list.total()).filter_map(|place| list.at(place)).find(lost);
    line.and_then(Line::record).map(|record| record.id.to_string()).unwrap_or_default()
}

#[test]
fn a_dispute_is_previewed_confirmed_and_undone() {
    let (mut seat, _folder) = opened("svc/ledger", "request_timeout", 120, 40, Look::Colour);
    let lost = beaten(&seat);
    assert!(!lost.is_empty(), "{}", seat.screen());
    select(&mut seat, &lost);
    seat.press("! Enter Enter");
    assert!(seat.screen().contains("the reason is needed"), "{}", seat.screen());
    seat.write("the probe was old");
    seat.press("Enter");
    let screen = seat.screen();
    assert!(screen.contains("1 open") && screen.contains("contested"), "the core's preview:\n{screen}");
    assert!(seat.model.pending.is_none());
    seat.press("y");
    assert!(seat.said().contains("ruling"), "{}", seat.said());
    let record = seat.model.history.record().expect("it stays selected");
    assert_eq!(record.id.as_str(), lost);
    assert!(record.open_pair.is_some(), "{record:?}");
    seat.press("!");
    assert!(seat.screen().contains("Dispute"), "{}", seat.screen());
    seat.press("Esc u");
    assert!(seat.model.history.record().is_some_and(|record| record.open_pair.is_none()), "{}", seat.screen());
}

#[test]
fn what_is_not_disputable_says_why_and_the_nearest_step() {
    let (mut seat, _folder) = incident();
    select(&mut seat, "mem_4a1f");
    seat.press("!");
    let screen = seat.screen();
    assert!(screen.contains("rule on it") && screen.contains("open pair"), "{screen}");
    seat.press("Enter");
    assert!(seat.screen().contains("[Triage]"), "{}", seat.screen());
    let pair = seat.model.triage.queue.current().expect("the pair").clone();
    assert_eq!(pair.subject.as_str(), "user_31882");
    seat.press("Esc");
    assert!(seat.screen().contains("[History]"));
}

#[test]
fn batch_copy_and_whole_are_of_the_selected_record() {
    let (mut seat, _folder) = incident();
    select(&mut seat, "mem_4a1f");
    for (key, start) in
        [("i", "mem_4a1f"), ("v", "Berlin"), ("j", "{"), ("c", "gainsay history user_31882 home_city")]
    {
        seat.press(&format!("y {key}"));
        let copied = seat
            .asked
            .iter()
            .rev()
            .find_map(|effect| if let Effect::Copy { text, .. } = effect { Some(text.clone()) } else { None });
        assert!(copied.is_some_and(|text| text.starts_with(start)), "{key}");
    }
    seat.press("Enter");
    let screen = seat.screen();
    for words in ["Record mem_4a1f", "evidence", "confidence", "written at", "batch"] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
    seat.press("Esc x");
    assert_eq!(
        seat.model.batches.list.current().map(|of| &of.batch).map(|batch| batch.as_str()),
        Some("sf_backfill_2025_11")
    );
    assert!(seat.screen().contains("[Batches]"));
}

#[test]
fn an_answer_about_another_slot_is_dropped() {
    let (mut seat, _folder) = incident();
    let asked = gainsay::app::update(&mut seat.model, Msg::Key(crate::seat::named(","), seat.now));
    seat.model.history.show(Subject::from("nobody"), Attribute::from("nothing"));
    seat.perform(asked);
    assert_eq!(seat.model.history.at, Crosshairs::default());
    assert!(seat.model.history.believed.is_none());
    seat.press("Ctrl-r");
    assert!(seat.screen().contains("No record is about this slot"), "{}", seat.screen());
}

#[test]
fn no_size_makes_it_fail() {
    for (_, subject, attribute) in SLOTS {
        let (mut seat, _folder) = opened(subject, attribute, 120, 40, Look::Colour);
        for keys in ["", "c + +", "Enter", "Esc !"] {
            seat.press(keys);
            for width in [1, 2, 9, 39, 40, 41, 55, 59, 60, 70, 80, 99, 109, 110, 120, 200] {
                for height in [1, 3, 6, 11, 12, 13, 15, 18, 20, 24, 29, 30, 36, 60] {
                    seat.send(Msg::Resized { width, height });
                    let _screen = seat.backend();
                }
            }
        }
    }
}

#[test]
fn what_was_observed_in_the_future_is_told_beside_the_plane() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    let list = &seat.model.triage.queue.list;
    let subject = (0..list.total())
        .filter_map(|place| list.at(place))
        .find(|entry| entry.values.iter().any(|value| value == "Tallinn"))
        .map(|entry| (entry.subject.clone(), entry.attribute.clone()));
    let (subject, attribute) = subject.expect("Tallinn, observed in 2052");
    seat.model.history.show(subject, attribute);
    seat.press("2");
    let screen = seat.screen();
    assert!(screen.contains("1 true later ▸"), "{screen}");
    seat.press("l");
    assert_eq!(
        seat.model.history.at.about.map(When::At),
        Some(When::At(at("2052-09-14T10:00:00Z"))),
        "the crosshairs reach it"
    );
}
