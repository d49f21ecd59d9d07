//! Keys at random on every screen: whatever is pressed, pasted, clicked or resized, the program goes on, nothing that a
//! terminal acts on is drawn, and the selection stands within its list.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use gainsay::app::dialog::Dialog;
use gainsay::app::keymap::Screen;
use gainsay::app::list::{List, Row};
use gainsay::app::msg::{Errand, Pointed};
use gainsay::app::{Code, Effect, Key, Look, Model, Msg, Port};
use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

use crate::dice::{Dice, rounds};
use crate::fake::Fake;
use crate::real::demo;
use crate::seat::{Seat, mixed};
use crate::told::{Told, says};

/// No key takes longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

const CODES: [Code; 15] = [
    Code::Enter,
    Code::Esc,
    Code::Tab,
    Code::BackTab,
    Code::Backspace,
    Code::Delete,
    Code::Up,
    Code::Down,
    Code::Left,
    Code::Right,
    Code::Home,
    Code::End,
    Code::PageUp,
    Code::PageDown,
    Code::F(1),
];

/// The keys that open something, pressed more often than the others.
const OPENERS: &[u8] = b"12345abijkprwzcyfvxtLSPo+/:?*. mhuUGgnNdD";

const TYPED: [&str; 8] = [
    "",
    "yes",
    "\u{202e}desrever",
    "東京\u{301}",
    "2025-10-14",
    "\u{1b}[31m\r\nq\r",
    "0\u{200b}0",
    "sf_backfill_2025_11",
];

/// What happens next.
fn event(dice: &mut Dice, model: &Model, now: gainsay::core::time::Instant) -> Msg {
    let key = |key| Msg::Key(key, now);
    match dice.below(100) {
        0..4 => Msg::Resized { width: size(dice, 140), height: size(dice, 50) },
        4..6 => Msg::Paste((*dice.one_of(&TYPED)).to_owned()),
        6..9 => Msg::Pointed(pointed(dice), now),
        9 => Msg::Changed(now),
        10 => Msg::Edited { errand: Errand::Field, answer: Ok((*dice.one_of(&TYPED)).to_owned()) },
        11..40 => key(Key::char(char::from(*dice.one_of(OPENERS)))),
        40..65 => key(Key { held: dice.below(8) == 0, ..Key::new(*dice.one_of(&CODES)) }),
        65..70 => key(Key::ctrl(char::from(b'a' + u8::try_from(dice.below(26)).unwrap()))),
        70..72 => key(Key::alt(char::from(b'a' + u8::try_from(dice.below(26)).unwrap()))),
        72..75 => key(Key::char(*dice.one_of(&['ф', '東', 'ü', '\u{301}', '\u{7f}', '\u{200b}']))),
        // A batch is withdrawn, and many are ruled on, only where the right word is typed.
        75 if !model.dialogs.is_empty() => Msg::Paste("yes".to_owned()),
        _ => key(Key::char(char::from(b' ' + u8::try_from(dice.below(95)).unwrap()))),
    }
}

fn size(dice: &mut Dice, most: usize) -> u16 {
    let usual = [80, 120, 40, 24];
    u16::try_from(if dice.below(3) == 0 { dice.below(most) } else { *dice.one_of(&usual) }).unwrap()
}

fn pointed(dice: &mut Dice) -> Pointed {
    match dice.below(3) {
        0 => Pointed::Key(Key::char(char::from(*dice.one_of(OPENERS)))),
        1 => Pointed::Row { below: dice.below(2) == 0 },
        _ => Pointed::Wheel { down: dice.below(2) == 0, list: dice.below(2) == 0 },
    }
}

/// Nothing in a cell but one letter with what belongs to it, or a blank; and none sticks out of the screen.
pub(crate) fn is_clean(buffer: &Buffer) {
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            let raw = symbol.chars().find(|char| char.is_control() || hides(*char));
            assert_eq!(raw, None, "{symbol:?} at {x}, {y}");
            assert!(usize::from(x) + symbol.width() <= usize::from(buffer.area.width), "{symbol:?} at {x}, {y}");
        }
    }
}

/// What reorders or hides what stands beside it, written down here once more and not taken from the program.
pub(crate) fn hides(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e0fff}')
}

fn stands_within<R: Row>(list: &List<R>) {
    let (total, place) = (list.total(), list.position());
    assert!(place < total.max(1), "row {place} of {total} is selected");
    assert!(list.ordinal() <= total);
    assert!(list.offset() <= place, "the first row shown is {} and {place} is selected", list.offset());
    assert!(place < list.offset() + list.height().max(1), "row {place} is out of sight");
    if list.is_loaded() && total > 0 {
        assert!(list.current().is_some(), "row {place} of {total} is not held");
    }
}

fn holds<P: Port>(seat: &Seat<P>) {
    let model = &seat.model;
    stands_within(&model.triage.queue.list);
    stands_within(&model.batches.list);
    if let Some(open) = &model.batches.open {
        stands_within(&open.records);
    }
    assert!(model.dialogs.len() < 12, "{} dialogs are open", model.dialogs.len());
    assert!(model.trail.len() < 12, "{} screens to go back to", model.trail.len());
}

/// What came to the screen: keys that open nothing break nothing.
#[derive(Default)]
struct Came {
    screens: HashSet<Discriminant<Screen>>,
    dialogs: HashSet<Discriminant<Dialog>>,
}

impl Came {
    fn note(&mut self, model: &Model) {
        self.screens.insert(discriminant(&model.screen));
        self.dialogs.extend(model.dialogs.iter().map(discriminant));
    }
}

/// So many keys at one seat, which is given up when it is left; how many were pressed.
fn fumble<P: Port>(
    seat: &mut Seat<P>,
    dice: &mut Dice,
    keys: usize,
    tell: &mpsc::Sender<String>,
    came: &mut Came,
) -> usize {
    let mut last: Vec<String> = Vec::new();
    for pressed in 0..keys {
        let msg = event(dice, &seat.model, seat.now);
        last.push(format!("{msg:?}"));
        tell.send(last[last.len().saturating_sub(30)..].join("\n")).unwrap();
        seat.send(msg);
        seat.now = seat.now.plus(chrono::Duration::milliseconds(300));
        holds(seat);
        came.note(&seat.model);
        // A hand is faster than the screen now and then.
        if dice.below(3) > 0 {
            is_clean(seat.backend().buffer());
            seat.send(Msg::Drawn(seat.now));
        }
        if seat.asked.contains(&Effect::Quit) {
            return pressed + 1;
        }
        seat.asked.clear();
    }
    keys
}

/// Presses until so many keys were pressed, each time at a fresh seat; fails with the last keys where one breaks it.
fn goes_on<S: Port>(
    keys: usize,
    kinds: usize,
    seed: u64,
    sit: impl Fn(&mut Dice) -> (Seat<S>, Option<tempfile::TempDir>) + Send + 'static,
) {
    let (tell, told) = mpsc::channel();
    let worker = thread::spawn(move || {
        let (mut dice, mut left, mut came) = (Dice::of(seed), keys, Came::default());
        while left > 0 {
            let (mut seat, _folder) = sit(&mut dice);
            left -= fumble(&mut seat, &mut dice, left.min(400), &tell, &mut came).min(left);
        }
        let (screens, dialogs) = (came.screens.len(), came.dialogs.len());
        assert!(screens == 5 && dialogs >= kinds, "only {screens} screens and {dialogs} kinds of dialog were seen");
    });
    let mut last = String::new();
    let hangs = loop {
        match told.recv_timeout(PATIENCE) {
            Ok(keys) => last = keys,
            Err(RecvTimeoutError::Timeout) => break true,
            Err(RecvTimeoutError::Disconnected) => break false,
        }
    };
    assert!(!hangs, "no end, after\n{last}");
    assert!(worker.join().is_ok(), "after\n{last}");
}

/// Pairs of every kind, and some whose every text is hostile.
fn hostile() -> Fake {
    let store = mixed();
    for payload in crate::text::PAYLOADS {
        let user = format!("user{payload}");
        let one =
            says(&format!("a{payload}"), &user, "employer", payload).by(payload).observed("2025-10-14").epoch(7);
        let other =
            says(&format!("b{payload}"), &user, "employer", format!("{payload}.")).because(payload).batch(payload);
        store.add(one.field(payload, payload), other);
    }
    store
}

#[test]
fn keys_at_random_on_a_queue_of_everything_break_nothing() {
    goes_on(rounds(2_500, 50_000), 6, 31, |dice| {
        let look = if dice.below(4) == 0 { Look::Plain } else { Look::Colour };
        (Seat::of_size(hostile(), 120, 40, look), None)
    });
}

#[test]
fn keys_at_random_on_every_screen_of_a_real_store_break_nothing() {
    goes_on(rounds(1_500, 60_000), 9, 32, |dice| {
        let (width, height) = *dice.one_of(&[(120, 40), (80, 24), (50, 30)]);
        let (seat, folder) = demo(width, height, Look::Colour);
        (seat, Some(folder))
    });
}
