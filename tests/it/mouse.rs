//! The mouse: what stands where it is, and that no click writes.

use gainsay::app::keymap::Screen;
use gainsay::app::msg::Pointed;
use gainsay::app::{Code, Effect, Key, Look, Msg};
use gainsay::core::pair::PairState;
use gainsay::tui::input::{Mouse, MouseKind};
use gainsay::tui::pointer;

use crate::fake::Fake;
use crate::seat::{Seat, mixed, tie};

fn press(column: u16, row: u16) -> Mouse {
    Mouse { kind: MouseKind::Press, column, row }
}

/// The cell where a text begins on the screen.
fn cell_of(seat: &Seat, text: &str) -> (u16, u16) {
    let backend = seat.backend();
    let buffer = backend.buffer();
    let area = *buffer.area();
    for y in 0..area.height {
        let line: Vec<&str> = (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
        let found = (0..line.len()).find(|at| line[*at..].concat().starts_with(text));
        if let Some(x) = found {
            return (x as u16, y);
        }
    }
    panic!("{text:?} is not on the screen:\n{}", seat.screen());
}

/// Clicks where a text stands, as the runtime does it.
fn click(seat: &mut Seat, text: &str) {
    let (x, y) = cell_of(seat, text);
    click_at(seat, x, y);
}

fn click_at(seat: &mut Seat, x: u16, y: u16) {
    let mut before = None;
    for _ in 0..40 {
        let Some(at) = pointer::at(&seat.model, press(x, y)) else { break };
        if before.is_some_and(|before| before != at) {
            break;
        }
        seat.send(Msg::Pointed(at, seat.now));
        if !matches!(at, Pointed::Row { .. }) {
            break;
        }
        before = Some(at);
    }
    seat.seen();
}

#[test]
fn a_click_selects_a_row_and_the_wheel_moves_the_list_under_it() {
    for (width, height, row) in [(120, 40, 8), (110, 30, 6)] {
        let mut seat = Seat::of_size(mixed(), width, height, Look::Plain);
        let first = seat.model.triage.queue.list.position();
        click_at(&mut seat, 5, row);
        assert_eq!(seat.model.triage.queue.list.position() - first, u64::from(row) - 3);
        click_at(&mut seat, 5, row - 2);
        assert_eq!(seat.model.triage.queue.list.position() - first, u64::from(row) - 5);
        let wheel = Mouse { kind: MouseKind::WheelDown, column: 5, row };
        let at = pointer::at(&seat.model, wheel);
        assert_eq!(at, Some(Pointed::Wheel { down: true, list: true }));
        let before = seat.model.triage.queue.list.position();
        seat.send(Msg::Pointed(at.unwrap(), seat.now));
        assert_eq!(seat.model.triage.queue.list.position(), before + 3);
        // Over the records it is the evidence that is scrolled.
        let beside = Mouse { kind: MouseKind::WheelDown, column: width - 20, row };
        let at = pointer::at(&seat.model, beside);
        assert_eq!(at, Some(Pointed::Wheel { down: true, list: false }));
        seat.send(Msg::Pointed(at.unwrap(), seat.now));
        assert_eq!(seat.model.triage.queue.list.position(), before + 3);
    }
}

#[test]
fn keys_on_the_screen_are_pressed() {
    let mut seat = Seat::new(mixed());
    for (text, screen) in [("Log", Screen::Log), ("Policy", Screen::Policy), ("Triage", Screen::Triage)] {
        click(&mut seat, text);
        assert_eq!(seat.model.screen, screen, "{text}");
    }
    click(&mut seat, "j k move");
    assert_eq!(seat.model.triage.queue.list.position(), 1);
    click(&mut seat, "? keys");
    assert!(seat.screen().contains("Keys: j k scroll"), "{}", seat.screen());
    seat.press("Esc");
    click(&mut seat, "z    defer");
    assert!(seat.screen().contains("defer an hour"));
    click(&mut seat, "back, nothing");
    assert!(seat.model.dialogs.is_empty());
    click(&mut seat, "facets ");
    assert!(seat.screen().contains("does not narrow"), "{}", seat.screen());
}

#[test]
fn a_click_never_writes() {
    let mut seat = Seat::new(Fake::new(vec![tie("user_1"), tie("user_2")]));
    click(&mut seat, "accept A");
    assert_eq!(seat.said(), "a click never writes: a does it");
    click(&mut seat, "same value");
    assert!(seat.screen().contains("link: same"), "the menu of the chord: {}", seat.screen());
    click(&mut seat, "link: same");
    assert_eq!(seat.said(), "a click never writes: s does it");
    seat.press("Esc c").write("a note").press("Enter");
    click(&mut seat, "write it");
    assert_eq!(seat.said(), "a click never writes: y does it");
    seat.press("Esc Esc");
    seat.press("Space Space a");
    assert!(seat.screen().contains("Type  yes"), "{}", seat.screen());
    click(&mut seat, "yes");
    assert_eq!([400, 401].map(|pair| seat.store.state(pair)), [PairState::Open; 2]);
    assert!(seat.store.store().made.is_empty());
}

#[test]
fn no_cell_of_any_dialog_writes_when_it_is_clicked() {
    let dialogs = ["", "+", "i", "r", "w", "z", "y", "p", "c", "f", "?", ":", "/", "v G v b", "r v", "Enter", "a"];
    for keys in dialogs {
        for (width, height) in [(80, 24)] {
            let fresh = || {
                let mut seat = Seat::of_size(mixed(), width, height, Look::Colour);
                seat.press(keys);
                seat
            };
            let mut seat = fresh();
            for y in 0..height {
                for x in (0..width).step_by(11) {
                    if let Some(at) = pointer::at(&seat.model, press(x, y)) {
                        seat.send(Msg::Pointed(at, seat.now));
                        seat.seen();
                        assert!(seat.store.store().made.is_empty(), "{keys} at {x},{y}: {at:?}");
                        let leaves = seat.has_quit();
                        if leaves || seat.asked.contains(&Effect::Suspend) || !seat.asked.is_empty() {
                            seat = fresh();
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn where_nothing_stands_nothing_happens() {
    let seat = Seat::new(mixed());
    for (x, y) in [(119, 39), (500, 500), (60, 0)] {
        assert!(!matches!(pointer::at(&seat.model, press(x, y)), Some(Pointed::Row { .. })), "{x},{y}");
    }
    assert_eq!(pointer::at(&seat.model, press(500, 2)), None);
}

#[test]
fn the_mouse_changes_hands_by_a_key() {
    let mut seat = Seat::new(mixed());
    seat.press("M");
    assert_eq!(seat.asked, [Effect::Mouse(true)]);
    seat.press("M");
    assert_eq!(seat.asked, [Effect::Mouse(true), Effect::Mouse(false)]);
    assert_eq!(Key::new(Code::Esc).to_string(), "Esc");
}
