//! Hostile text on every screen: nothing of it is drawn raw, nothing of it hides, and what differs by it looks different.

use gainsay::app::Look;
use gainsay::app::port::Port;
use gainsay::cli::output::Style;
use gainsay::cli::{queue, show};
use gainsay::core::record::{Record, Subject};
use gainsay::core::ruling::PairId;
use gainsay::core::text::{hides_something, reveal};
use gainsay::runtime;
use gainsay::store::Store;
use tempfile::TempDir;

use crate::desk::Desk;
use crate::dice::{Dice, rounds, thorough};
use crate::fake::Fake;
use crate::fumbling::{hides, is_clean};
use crate::pty::{Asked, Pty};
use crate::seat::{Seat, tie};
use crate::terminal;
use crate::text::PAYLOADS;
use crate::told::{Told, says};

/// What leads to every screen and to what opens over it (`~` before a text types it); each begins at triage.
const WAYS: [&str; 34] = [
    "",
    "Enter",
    "a",
    "+ s",
    "i",
    "r",
    "r v",
    "r d",
    "w r",
    "w r Enter Enter Enter",
    "w b Enter Enter Enter",
    "z",
    "z u",
    "y",
    "p",
    "p Right Enter",
    "c",
    "f",
    "f Tab Tab Tab Down",
    "/ ~owned",
    ":",
    "?",
    "v G v b",
    "* b",
    "t",
    "t Enter",
    "x",
    "x Enter",
    "3",
    "3 Enter",
    "4",
    "4 Enter",
    "5",
    "5 Enter",
];

/// Presses keys, and holds what is drawn after each.
fn press<P: Port>(seat: &mut Seat<P>, keys: &str) {
    for key in keys.split_whitespace() {
        match key.strip_prefix('~') {
            Some(text) => seat.write(text),
            None => seat.press(key),
        };
        is_clean(seat.backend().buffer());
    }
}

/// Two records of a slot that nobody can rank, and a sentence in no slot, with the text in every place that takes one.
fn said(number: usize, text: &str) -> [Record; 3] {
    let of = |at: usize, value: &str| {
        says(&format!("r{number}.{at}{text}"), &format!("s{number}{text}"), &format!("a{text}"), value)
            .by(&format!("kind{text}"))
            .field(&format!("key{text}"), text)
            .observed("2025-10-14")
            .epoch(7)
            .because(&format!("they said {text}\r\n{text}"))
            .batch(&format!("b{number}{text}"))
    };
    let sentence = Record { attribute: None, ..of(3, &format!("Sails on {text}")) };
    [of(1, &format!("one{text}")), of(2, &format!("two{text}")), sentence]
}

/// A real store in which each of these texts is everywhere, and somebody before it.
fn seat(texts: &[String], width: u16, height: u16) -> (Seat<runtime::Desk>, TempDir) {
    let mut desk = Desk::new();
    desk.import(texts.iter().enumerate().flat_map(|(number, text)| said(number, text)));
    let store = Store::open(&desk.path(), desk.now).unwrap();
    let Desk { folder, .. } = desk;
    let runs = runtime::Desk::new(store, "da\u{202e}na".to_owned()).unwrap();
    (Seat::of_size(runs, width, height, Look::Colour), folder)
}

/// Each payload by itself, or many in one where time is short.
fn texts() -> Vec<String> {
    PAYLOADS.chunks(if thorough() { 1 } else { 20 }).map(|payloads| payloads.join(" & ") + " & ").collect()
}

#[test]
fn no_payload_is_drawn_raw_on_any_screen() {
    for text in texts() {
        for (width, height) in [(120, 40), (80, 24), (50, 30)] {
            let (mut seat, _folder) = seat(std::slice::from_ref(&text), width, height);
            assert!(seat.screen().contains("<U+"), "{}", seat.screen());
            for way in WAYS {
                press(&mut seat, way);
                press(&mut seat, "Esc Esc Esc Esc Esc 1");
            }
            press(&mut seat, "S Enter");
            assert!(!seat.has_quit());
        }
    }
}

/// The keys that lead to what is seen of it, in a pseudo-terminal.
const SEEN: [(&str, &str); 9] = [
    ("\r", "j k scroll  Esc back"),
    ("+", "link: same"),
    ("w", "withdraw the batch"),
    ("f", "does not narrow"),
    ("?", "Keys: j k scroll"),
    ("t", "The answer"),
    ("3", "Batches 1 of"),
    ("4", "Events 1 of"),
    ("5", "[Policy]"),
];

#[test]
fn no_payload_gets_to_the_terminal_from_any_screen() {
    let records: Vec<serde_json::Value> = texts()
        .iter()
        .enumerate()
        .flat_map(|(number, text)| said(number, text))
        .map(|record| gainsay::wire::json::record(&record).into())
        .collect();
    let desk = terminal::Desk::of(&records);
    let mut pty = desk.open();
    let pairs = records.len() / 3;
    for number in 1..=pairs {
        pty.see(&format!("Queue {number} of {pairs}")).see("<U+");
        if number == 1 || thorough() {
            walk(&mut pty, number == 1);
            pty.see(&format!("Queue {number} of {pairs}"));
        }
        pty.press("j");
    }
    pty.press("q").ended();
    let window = pty.window();
    assert_eq!(*window.asked(), Asked::default(), "titles, copies, bells, or what no terminal knows");
    for payload in PAYLOADS {
        // What some of them are alone is also what we send; not so with what stands behind them in the records.
        assert!(!window.holds(format!("{payload} & ").as_bytes()), "{payload:?} came out raw");
    }
    // What comes from us is letters, and sequences that begin with an escape and a bracket.
    let said = String::from_utf8_lossy(&window.raw).into_owned();
    let strange = |char: char| (char.is_control() && !"\u{1b}\r\n".contains(char)) || hides(char);
    // The question for the colour of the background ends in a bell that rings nowhere.
    let raw: Vec<char> = said.replace("\u{1b}]11;?\u{7}", "").chars().filter(|char| strange(*char)).collect();
    assert_eq!(raw, Vec::<char>::new());
}

/// Opens what opens over the pair; and the other screens, which show the same whatever the pair is.
fn walk(pty: &mut Pty, screens: bool) {
    for (key, seen) in SEEN {
        let screen = "345".contains(key);
        if screen && !screens {
            continue;
        }
        pty.see("What you may do").press(key).see(seen);
        if screen {
            pty.press("\r").press("j").press("1").see("What you may do");
        } else {
            pty.press("\u{1b}").see_no(seen);
        }
    }
}

/// Pairs of values that nobody tells apart who is not helped.
const TWINS: [(&str, &str, &str); 14] = [
    ("NUL", "Lisbon", "Lis\0bon"),
    ("carriage return", "Lisbon", "Lisbon\r"),
    ("tab", "New York", "New\tYork"),
    ("zero-width space", "Lisbon", "Lis\u{200b}bon"),
    ("zero-width joiner", "Lisbon", "Lis\u{200d}bon"),
    ("override", "Lisbon", "Lisbon\u{202e}"),
    ("isolate", "Lisbon", "\u{2066}Lisbon"),
    ("byte-order mark", "Lisbon", "\u{feff}Lisbon"),
    ("tag", "Lisbon", "Lisbon\u{e0041}"),
    ("normal form", "Montr\u{e9}al", "Montre\u{301}al"),
    ("no-break space", "New York", "New\u{a0}York"),
    ("Cyrillic letter", "Lisbon", "L\u{456}sbon"),
    ("soft hyphen", "Lisbon", "Lis\u{ad}bon"),
    ("variation selector", "Lisbon", "Lisbon\u{fe0f}"),
];

/// A pair of these two values, seen on triage, in whole, on the command line and in its list.
fn seen(one: &str, other: &str) -> [String; 4] {
    let (mut left, mut right) = tie("user_1");
    (left.value, right.value) = (one.into(), other.into());
    (left.evidence, right.evidence) = (None, None);
    let store = Fake::new(vec![(left, right)]);
    let pair = store.clone().pair(PairId(400), crate::told::at("2025-12-01T09:14:02Z")).unwrap().unwrap();
    let now = crate::told::at("2025-12-01T09:14:02Z");
    let told = [show::render(&pair, now, Style::PLAIN), queue::render(&[pair.entry], now, Style::PLAIN)];
    let mut seat = Seat::new(store);
    let triage = seat.screen();
    is_clean(seat.backend().buffer());
    seat.press("Enter");
    is_clean(seat.backend().buffer());
    let [shown, listed] = told;
    [triage, seat.screen(), shown, listed]
}

#[test]
fn twins_look_different_wherever_they_are_shown_and_are_marked() {
    for (what, one, other) in TWINS {
        let pictures = seen(one, other);
        let shown = reveal(other).into_owned();
        assert_ne!(shown, one, "{what}");
        for (place, picture) in ["triage", "the whole pair", "show", "queue"].into_iter().zip(&pictures) {
            assert!(picture.contains(one) && picture.contains(&shown), "{what} in {place}:\n{picture}");
            assert!(what == "Cyrillic letter" || picture.contains("<U+"), "{what} in {place}:\n{picture}");
        }
        assert!(pictures[0].contains("looks alike"), "{what} is marked:\n{}", pictures[0]);
    }
}

/// Letters of which most do something to their neighbours or to a screen.
fn strange(dice: &mut Dice, most: usize) -> String {
    const RANGES: [(u32, u32); 16] = [
        (0x00, 0x1f),
        (0x7f, 0xa0),
        (0x20, 0x7e),
        (0x300, 0x36f),
        (0x590, 0x6ff),
        (0x900, 0x97f),
        (0x1100, 0x11ff),
        (0x200b, 0x200f),
        (0x2028, 0x202f),
        (0x2060, 0x206f),
        (0x3000, 0x30ff),
        (0x4e00, 0x4eff),
        (0xac00, 0xac2f),
        (0xfe00, 0xfe0f),
        (0x1f468, 0x1f64f),
        (0xe0000, 0xe007f),
    ];
    let mut text = String::new();
    while text.chars().count() < 1 + dice.below(most) {
        let (first, last) = *dice.one_of(&RANGES);
        let letter = first + u32::try_from(dice.below((last - first + 1) as usize)).unwrap();
        text.extend(char::from_u32(letter));
        if dice.below(40) == 0 {
            text.push_str("<U+200B>");
        }
    }
    text
}

/// The text and its twin: one more letter that nobody sees, somewhere in it.
fn twin(dice: &mut Dice, text: &str) -> String {
    const UNSEEN: [char; 12] = [
        '\0',
        '\r',
        '\u{8}',
        '\u{9b}',
        '\u{200b}',
        '\u{200d}',
        '\u{202e}',
        '\u{2066}',
        '\u{feff}',
        '\u{e0041}',
        '\u{ad}',
        '\u{fe0f}',
    ];
    let at = dice.below(text.chars().count() + 1);
    let mut letters: Vec<char> = text.chars().collect();
    letters.insert(at, *dice.one_of(&UNSEEN));
    letters.into_iter().collect()
}

#[test]
fn strange_texts_are_shown_whole_and_no_two_alike() {
    let mut dice = Dice::of(41);
    for _ in 0..rounds(10_000, 100_000) {
        let one = strange(&mut dice, 10);
        let other = twin(&mut dice, &one);
        let (shown, twin) = (reveal(&one), reveal(&other));
        assert!(!shown.chars().any(|char| char.is_control() || hides(char)), "{one:?} is shown as {shown:?}");
        assert_ne!(shown, twin, "{one:?} and {other:?}");
        assert!(hides_something(&other), "{other:?} is marked");
    }
}

/// Pairs whose every text is strange, on the screen and on the command line.
#[test]
fn strange_texts_are_drawn_as_nothing_that_acts_or_hides() {
    let mut dice = Dice::of(42);
    // Twelve texts a pair.
    let (pairs, at_once) = (rounds(160, 8_400), 40);
    for _ in 0..pairs / at_once {
        let made = |dice: &mut Dice| {
            let mut side = |at: &str, subject: &str, value: &str| {
                says(&format!("{at}{}", strange(dice, 6)), subject, "employer", value)
                    .by(&strange(dice, 6))
                    .field(&strange(dice, 4), &strange(dice, 9))
                    .because(&strange(dice, 60))
                    .batch(&strange(dice, 9))
            };
            let (one, other) = ("one", "other");
            (side("l", one, one), side("r", one, other))
        };
        let all: Vec<(Record, Record)> = (0..at_once)
            .map(|_| {
                let (mut left, mut right) = made(&mut dice);
                let (subject, value) = (strange(&mut dice, 8), strange(&mut dice, 12));
                (left.subject, right.subject) = (Subject::from(subject.as_str()), Subject::from(subject.as_str()));
                right.value = twin(&mut dice, &value).into();
                left.value = value.into();
                (left, right)
            })
            .collect();
        draws(Fake::new(all), &mut dice, at_once);
    }
}

/// Goes through the pairs; each is drawn at some size, and told on the command line at some width.
fn draws(mut store: Fake, dice: &mut Dice, pairs: usize) {
    let now = crate::told::at("2025-12-01T09:14:02Z");
    let (width, height) = *dice.one_of(&[(120, 40), (80, 24), (50, 30), (116, 31)]);
    let mut seat = Seat::of_size(store.clone(), width, height, Look::Colour);
    for number in 0..pairs {
        let pair = store.pair(PairId(400 + number as i64), now).unwrap().unwrap();
        let width = [None, Some(60), Some(100)][dice.below(3)];
        for told in [
            show::render(&pair, now, Style { colour: false, width }),
            queue::render(&[pair.entry], now, Style { colour: false, width }),
        ] {
            assert_eq!(
                told.chars().find(|char| (char.is_control() && *char != '\n') || hides(*char)),
                None,
                "{told}"
            );
        }
        is_clean(seat.backend().buffer());
        if number % 8 == 0 {
            press(&mut seat, "Enter Esc");
        }
        seat.press("j");
    }
}
