//! What the screens show, as text; the few styles that mean something, by name; and that no size makes them fail.

use gainsay::app::{Look, Msg};
use gainsay::core::pair::PairState;
use gainsay::tui::style::Theme;
use ratatui::style::{Color, Modifier};

use crate::fake::Fake;
use crate::seat::{Seat, berlin_lisbon, mixed, tie};
use crate::told::{Told, says};

/// Each dialog, by the keys that open it on [`mixed`] (`~` before a text types it).
const DIALOGS: &[(&str, &str)] = &[
    ("menu_link", "+"),
    ("menu_identity", "i"),
    ("menu_look_again", "r"),
    ("menu_withdraw", "w"),
    ("menu_defer", "z"),
    ("menu_copy", "y"),
    ("refused", "a"),
    ("override_reason", "j j j j j j b"),
    ("override_confirm", "j j j j j j b ~the_probe_was_old Enter"),
    ("seen", "r v"),
    ("seen_wrong", "r v ~Lisbon Enter Enter Enter Enter Enter"),
    ("across_epochs", "+ e"),
    ("both_true", "+ b"),
    ("rederive", "j j j r d"),
    ("withdraw_record", "Tab Tab w r Enter Enter Enter"),
    ("withdraw_batch", "w b Enter Enter Enter ~sf_back"),
    ("declare", "j j j j p"),
    ("declare_confirm", "j j j j p Right Enter"),
    ("defer_until", "z u"),
    ("note", "c"),
    ("facets", "f"),
    ("find", "/ ~pay"),
    ("palette", ": ~defer"),
    ("help", "?"),
    ("bulk", "v G v b"),
    ("bulk_reasons", "* b Down Down ~the_probe_was_old Tab"),
    ("bulk_words", "v j j v + e"),
    ("full", "Enter"),
];

/// Presses what stands in [`DIALOGS`].
fn press(desk: &mut Seat, keys: &str) {
    for key in keys.split_whitespace() {
        match key.strip_prefix('~') {
            Some(text) => desk.write(&text.replace('_', if text.starts_with("sf") { "_" } else { " " })),
            None => desk.press(key),
        };
    }
}

fn shown(width: u16, height: u16, keys: &str) -> String {
    let mut desk = Seat::of_size(mixed(), width, height, Look::Colour);
    press(&mut desk, keys);
    desk.screen()
}

#[test]
fn triage_at_every_shape() {
    for (width, height) in [(120, 40), (120, 50), (110, 30), (80, 24), (80, 40), (50, 30), (40, 12), (39, 12)] {
        insta::assert_snapshot!(format!("triage_{width}x{height}"), shown(width, height, ""));
    }
}

#[test]
fn dialogs_at_120_by_40() {
    for (name, keys) in DIALOGS {
        insta::assert_snapshot!(format!("{name}_120x40"), shown(120, 40, keys));
    }
}

#[test]
fn dialogs_at_80_by_24() {
    for (name, keys) in DIALOGS {
        insta::assert_snapshot!(format!("{name}_80x24"), shown(80, 24, keys));
    }
}

#[test]
fn dialogs_at_50_by_30() {
    for (name, keys) in DIALOGS {
        insta::assert_snapshot!(format!("{name}_50x30"), shown(50, 30, keys));
    }
}

#[test]
fn without_colour_every_dialog_says_the_same() {
    // So the pictures with colour are those without, letter by letter: no sign is left to colour alone.
    for (width, height) in [(120, 40), (80, 24), (50, 30)] {
        for (name, keys) in DIALOGS {
            let mut plain = Seat::of_size(mixed(), width, height, Look::Plain);
            press(&mut plain, keys);
            assert_eq!(plain.screen(), shown(width, height, keys), "{name} at {width}x{height}");
        }
    }
}

#[test]
fn hostile_text_is_revealed_everywhere() {
    let left = says("mem\u{1b}[31m", "user\u{202e}1", "home_city", "Lis\u{200b}bon")
        .by("crm\u{7}")
        .field("x\ty", "\u{9b}0m");
    let right =
        says("mem_2", "user\u{202e}1", "home_city", "Lisbon").because("a\u{1b}]52;c;eA==\u{7}b [red]{}%s<b>\r\n2");
    let mut desk = Seat::new(Fake::new(vec![(left, right)]));
    insta::assert_snapshot!("hostile", desk.screen());
    for keys in ["Enter", "Esc a", "Esc + s", "w r Enter Enter Enter", "Esc Esc f"] {
        press(&mut desk, keys);
        let screen = desk.screen();
        let raw =
            screen.chars().find(|char| char.is_control() && *char != '\n' || "\u{202e}\u{200b}".contains(*char));
        assert_eq!(raw, None, "after {keys}:\n{screen}");
    }
}

#[test]
fn an_empty_list_says_what_the_filter_hides() {
    let mut desk = Seat::new(mixed());
    press(&mut desk, "/ ~nothing_like_it Enter");
    let screen = desk.screen();
    assert!(screen.contains("The filter hides 37 open pairs."), "{screen}");
    assert!(screen.contains("F clears it."), "{screen}");
    desk.press("F");
    assert_eq!(desk.model.triage.queue.list.total(), 37);
}

#[test]
fn on_the_whole_screen_no_value_is_cut() {
    let (mut left, right) = berlin_lisbon("user_1");
    let long: String = (0..60).map(|number| format!("item{number:02},")).collect();
    left.value = long.as_str().into();
    let mut desk = Seat::new(Fake::new(vec![(left, right)]));
    assert!(!desk.screen().contains("item59"));
    desk.press("Enter");
    let cells: String = desk.screen().chars().filter(|char| !" \"│\n≠".contains(*char)).collect();
    assert!(cells.contains("item59"), "{}", desk.screen());
}

#[test]
fn an_empty_queue_says_so() {
    let desk = Seat::new(Fake::default());
    assert!(desk.screen().contains("Nothing is open"), "{}", desk.screen());
}

#[test]
fn without_colour_nothing_has_a_colour_and_the_selection_is_reversed() {
    for (_, keys) in DIALOGS.iter().chain(&[("triage", "")]) {
        let mut desk = Seat::of_size(mixed(), 120, 40, Look::Plain);
        press(&mut desk, keys);
        let backend = desk.backend();
        let colours =
            backend.buffer().content().iter().filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset);
        assert_eq!(colours.count(), 0, "after {keys}");
    }
    let backend = Seat::of_size(mixed(), 120, 40, Look::Plain).backend();
    assert!(backend.buffer()[(1, 3)].modifier.contains(Modifier::REVERSED), "the selected row");
}

#[test]
fn what_differs_is_marked_and_what_failed_is_red() {
    let backend = Seat::new(mixed()).backend();
    let buffer = backend.buffer();
    let find = |text: &str| {
        let area = buffer.area();
        let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..area.height).find_map(|y| {
            let line = row(y);
            let at = line.find(text)?;
            Some(buffer[(line[..at].chars().count() as u16, y)].style())
        })
    };
    let theme = Theme::of(Look::Colour);
    let berlin = find("Berlin").expect("Berlin");
    assert!(berlin.add_modifier.contains(theme.mark.add_modifier));
    assert_eq!(find("FAIL").expect("FAIL").fg, theme.bad.fg);
    assert_eq!(find("backfill !").expect("backfill").fg, theme.alarm.fg);
}

#[test]
fn no_size_makes_any_screen_fail() {
    let cjk = says("mem_1", "東京東京東京", "home_city", "東京東京東京東京東京")
        .because(&"東京に引っ越しました。❤️".repeat(30));
    let hangul = says("mem_2", "東京東京東京", "home_city", "\u{1112}\u{1161}\u{11ab}").because("x");
    for (_, keys) in DIALOGS.iter().chain(&[("triage", "")]) {
        let mut desk = Seat::new(mixed());
        desk.store.add(cjk.clone(), hangul.clone());
        press(&mut desk, keys);
        for (width, height) in sizes() {
            desk.send(Msg::Resized { width, height });
            let _screen = desk.backend();
        }
    }
}

#[test]
fn boxes_over_wide_characters_keep_their_borders() {
    let cjk = |id, value: &str| {
        says(id, &"東京".repeat(4), "home_city", value)
            .by("crm_import")
            .because(&"東京に引っ越しました。".repeat(40))
    };
    for width in [80, 81, 119, 120] {
        for (name, keys) in DIALOGS.iter().filter(|(name, _)| name.starts_with("menu") || *name == "note") {
            let store = Fake::new(vec![(cjk("東京東京東京", "東京東京東京東"), cjk("x東京", "x東京東京"))]);
            let mut desk = Seat::of_size(store, width, 40, Look::Colour);
            press(&mut desk, keys);
            let backend = desk.backend();
            let buffer = backend.buffer();
            let symbol = |x: u16, y: u16| buffer[(x, y)].symbol();
            let corners =
                (0..40).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|at| symbol(at.0, at.1) == "╔");
            let corners: Vec<(u16, u16)> = corners.collect();
            assert_eq!(corners.len(), 1, "{name} at {width}");
            let (x, top) = corners[0];
            let sides = (top + 1..40).take_while(|y| symbol(x, *y) != "╚");
            for y in sides {
                assert_eq!(symbol(x, y), "║", "{name} at {width}, line {y}");
                assert!(x == 0 || unicode_width::UnicodeWidthStr::width(symbol(x - 1, y)) < 2, "{name} at {width}");
            }
        }
    }
}

#[test]
fn wrapped_evidence_stays_in_its_column_and_loses_nothing() {
    let text = "東京に引っ越しました。❤️ and then some more words, and 東京 again".repeat(9);
    let wrapped = gainsay::app::evidence::wrap(&text, "東京", Some(21));
    let lines: Vec<String> =
        wrapped.lines.iter().map(|line| line.iter().map(|piece| piece.text.as_str()).collect()).collect();
    assert!(lines.iter().all(|line| unicode_width::UnicodeWidthStr::width(line.as_str()) <= 21), "{lines:#?}");
    let letters = |text: &str| text.chars().filter(|char| !char.is_whitespace()).collect::<String>();
    assert_eq!(letters(&lines.concat()), letters(&gainsay::core::text::reveal(&text)));
    assert_eq!(wrapped.found, 18);
}

/// Every size up to 130 by 45, thinned out where they are all alike.
fn sizes() -> impl Iterator<Item = (u16, u16)> {
    let widths = [1, 2, 3, 5, 9, 20, 39, 40, 41, 59, 60, 61, 77, 80, 109, 110, 116, 130];
    let heights = [1, 2, 3, 4, 6, 9, 11, 12, 13, 17, 20, 24, 29, 30, 36, 40, 45];
    widths.into_iter().flat_map(move |width| heights.into_iter().map(move |height| (width, height)))
}

#[test]
fn every_size_of_the_screen_itself() {
    let mut desk = Seat::new(mixed());
    for width in 1..=130 {
        for height in 1..=45 {
            desk.send(Msg::Resized { width, height });
            let _screen = desk.backend();
        }
    }
}

#[test]
fn a_frame_of_another_size_than_the_model_knows_is_drawn_all_the_same() {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    let mut desk = Seat::new(mixed());
    for keys in ["", "r v", "Esc ?"] {
        press(&mut desk, keys);
        for (width, height) in [(1, 1), (10, 3), (60, 20), (200, 80)] {
            let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
            let Ok(_drawn) = terminal.draw(|frame| gainsay::tui::view(&desk.model, frame));
        }
    }
}

#[test]
fn words_that_differ_are_marked_alone() {
    let (mut left, mut right) = tie("user_1");
    left.value = "12 Rua do Carmo, Lisbon, Portugal".into();
    right.value = "21 Rua do Carmo, Lisbon, Portugal".into();
    let desk = Seat::new(Fake::new(vec![(left, right)]));
    let row = &desk.model.triage.rows()[0];
    let marked: Vec<&str> = row
        .sides
        .iter()
        .flat_map(|cell| &cell.pieces)
        .filter(|piece| piece.marked)
        .map(|p| p.text.as_str())
        .collect();
    assert_eq!(marked, ["12", "21"]);
}

#[test]
fn after_a_ruling_the_last_line_names_it_and_how_to_undo_it() {
    let mut desk = Seat::new(Fake::new(vec![tie("user_1"), berlin_lisbon("user_2")]));
    desk.press("a");
    assert_eq!(desk.store.state(400), PairState::Settled);
    let screen = desk.screen();
    assert!(screen.contains("accept A of pair 400: ruling 17, now settled   u undoes it"), "{screen}");
}

#[test]
fn what_looks_alike_is_told_in_words() {
    let with = |value: &str| {
        let (mut left, mut right) = tie("user_1");
        (left.value, right.value) = ("Lisbon".into(), value.into());
        Seat::new(Fake::new(vec![(left, right)])).screen()
    };
    for (value, told) in [
        ("Lisbon ", "ends in a space"),
        ("L\u{456}sbon", "has \u{456} U+0456"),
        ("Lis\u{200b}bon", "has U+200B"),
        ("Lisbon \u{5e9}", "mixes directions"),
    ] {
        let screen = with(value);
        assert!(screen.contains("looks alike") && screen.contains(told), "{value:?}:\n{screen}");
    }
    assert!(!with("Lisboa").contains("looks alike"));
}

#[test]
fn on_the_whole_screen_an_object_is_shown_line_by_line() {
    let (mut left, mut right) = tie("user_1");
    left.value = serde_json::json!({"street": "Rua do Carmo 12", "city": "Lisbon", "code": "1200-093"});
    right.value = serde_json::json!({"street": "Rua do Carmo 21", "city": "Lisbon", "code": "1200-093"});
    let mut desk = Seat::new(Fake::new(vec![(left, right)]));
    desk.press("Enter");
    insta::assert_snapshot!("full_object", desk.screen());
}

#[test]
fn the_scrollbar_tells_the_place_in_the_whole_list() {
    let many = || Fake::new((0..900).map(|number| tie(&format!("user_{number}"))).collect());
    let thumb = |desk: &Seat| -> Vec<usize> {
        let screen = desk.screen();
        let lines = screen.lines().enumerate().filter(|(_, line)| line.contains(['┃', '┠']));
        lines.map(|(at, _)| at).collect()
    };
    let mut desk = Seat::new(many());
    assert_eq!(thumb(&desk).first(), Some(&3));
    desk.press("G");
    let last = thumb(&desk);
    assert!(last.len() <= 2 && last.first() > Some(&28), "{last:?}");
    desk.press("g");
    assert_eq!(thumb(&desk).first(), Some(&3));
    assert_eq!(thumb(&Seat::new(Fake::new(vec![tie("user_1")]))), Vec::<usize>::new());
}

#[test]
fn triage_without_colour() {
    for (width, height) in [(120, 40), (80, 24), (50, 30)] {
        let desk = Seat::of_size(mixed(), width, height, Look::Plain);
        insta::assert_snapshot!(format!("triage_plain_{width}x{height}"), desk.screen());
    }
}
