//! Themes, ASCII, and what the configuration changes of them.

use gainsay::app::geometry::Size;
use gainsay::app::look::{Depth, Hue, Look, Paint, Role, luminance, rgb};
use gainsay::app::{Key, Msg, Setup};
use gainsay::tui::ascii;
use gainsay::tui::style::Theme;
use ratatui::style::{Color, Modifier, Style};

use crate::seat::{Seat, berlin_lisbon, mixed};
use crate::{fake::Fake, told::Told};

/// Backgrounds that people have: black, the usual dark grounds, the lightest of them.
const DARK: [u32; 5] = [0x000000, 0x1e1e2e, 0x282c34, 0x002b36, 0x2e3440];
const LIGHT: [u32; 5] = [0xffffff, 0xfdf6e3, 0xeff1f5, 0xeeeeee, 0xf2e9de];

fn parts(colour: Color) -> Option<(u8, u8, u8)> {
    if let Color::Rgb(red, green, blue) = colour {
        return Some((red, green, blue));
    }
    if let Color::Indexed(index @ 16..) = colour { Some(rgb(index)) } else { None }
}

fn contrast(one: (u8, u8, u8), other: (u8, u8, u8)) -> f64 {
    let [one, other] = [one, other].map(|(red, green, blue)| luminance(red, green, blue) + 0.05);
    one.max(other) / one.min(other)
}

fn styles(theme: &Theme) -> [(&'static str, Style); 13] {
    [
        ("text", theme.text),
        ("dim", theme.dim),
        ("strong", theme.strong),
        ("mark", theme.mark),
        ("title", theme.title),
        ("border", theme.border),
        ("key", theme.key),
        ("good", theme.good),
        ("bad", theme.bad),
        ("alarm", theme.alarm),
        ("selected", theme.selected),
        ("field", theme.field),
        ("header", theme.header),
    ]
}

#[test]
fn each_pair_of_colours_has_contrast_enough() {
    for depth in [Depth::True, Depth::Indexed] {
        for (look, grounds) in [(Look::Dark(depth), DARK), (Look::Light(depth), LIGHT)] {
            for (name, style) in styles(&Theme::of(look)) {
                // Dimming makes of a colour what the terminal likes.
                assert!(!style.add_modifier.contains(Modifier::DIM), "{look:?} {name}");
                let Some(colour) = style.fg else { continue };
                let colour = parts(colour).expect("a colour that is the same everywhere");
                let own = style.bg.map(|ground| vec![parts(ground).expect("the same")]);
                let usual =
                    || grounds.map(|ground| (((ground >> 16) as u8), (ground >> 8) as u8, ground as u8)).to_vec();
                for ground in own.unwrap_or_else(usual) {
                    let contrast = contrast(colour, ground);
                    assert!(contrast >= 4.5, "{look:?} {name} on {ground:?}: {contrast:.2}");
                }
            }
        }
    }
}

#[test]
fn the_sixteen_are_never_the_ones_that_vanish() {
    for (name, style) in styles(&Theme::of(Look::Colour)) {
        let vanish = [Color::Black, Color::White, Color::Gray, Color::Yellow, Color::LightYellow];
        assert!(style.fg.is_none_or(|colour| !vanish.contains(&colour)) && style.bg.is_none(), "{name}");
    }
}

#[test]
fn what_is_selected_is_reversed_in_every_look() {
    let looks = [
        Look::Colour,
        Look::Plain,
        Look::Dark(Depth::True),
        Look::Dark(Depth::Indexed),
        Look::Light(Depth::True),
        Look::Light(Depth::Indexed),
        Look::Auto(Depth::True),
    ];
    for look in looks {
        let setup = Setup { look, styles: vec![(Role::Selected, Paint::default())], ..Setup::default() };
        let seat = Seat::set_up(mixed(), 120, 40, setup);
        let backend = seat.backend();
        assert!(backend.buffer()[(1, 3)].modifier.contains(Modifier::REVERSED), "{look:?}");
    }
}

#[test]
fn the_background_decides_where_it_is_asked() {
    let auto = Look::Auto(Depth::True);
    assert_eq!(auto.on((0x1e, 0x1e, 0x2e)), Look::Dark(Depth::True));
    assert_eq!(auto.on((0xfd, 0xf6, 0xe3)), Look::Light(Depth::True));
    assert_eq!(auto.on((0, 0x2b, 0x36)), Look::Dark(Depth::True));
    assert_eq!(Look::Plain.on((255, 255, 255)), Look::Plain);
}

#[test]
fn a_style_is_read_and_shown_as_far_as_the_look_can() {
    let paint = Paint::read("bold #5fd7ff on 236 underline").unwrap();
    assert_eq!((paint.foreground, paint.background), (Some(Hue::Rgb(0x5f, 0xd7, 0xff)), Some(Hue::Indexed(236))));
    for (text, wrong) in
        [("bold rde", "rde"), ("#12", "#12"), ("red on", "on"), ("256", "256"), ("#+12345", "#+12345")]
    {
        assert_eq!(Paint::read(text), Err(wrong.to_owned()));
    }
    let key = |look| {
        let setup = Setup { look, styles: vec![(Role::Key, paint)], ..Setup::default() };
        Theme::in_force(&setup).key
    };
    let bold = Modifier::BOLD.union(Modifier::UNDERLINED);
    assert_eq!(key(Look::Dark(Depth::True)).fg, Some(Color::Rgb(0x5f, 0xd7, 0xff)));
    assert_eq!(key(Look::Dark(Depth::Indexed)).fg, Some(Color::Indexed(81)));
    assert_eq!(key(Look::Colour), Style::new().add_modifier(bold));
    assert_eq!(key(Look::Plain), Style::new().add_modifier(bold));
}

#[test]
fn in_ascii_every_screen_is_ascii_and_as_wide_as_before() {
    let screens = ["", "?", "Esc : d", "Esc Esc + ", "Esc r v", "Esc Esc Enter", "Esc v G v b", "2", "3", "4", "5"];
    for (width, height) in [(120, 40), (80, 24), (50, 30)] {
        let setup = Setup { ascii: true, ..Setup::default() };
        let mut seat = Seat::set_up(mixed(), width, height, setup);
        for keys in screens {
            seat.press(keys);
            let screen = seat.screen();
            let other = screen.chars().find(|char| !char.is_ascii());
            assert_eq!(other, None, "after {keys:?} at {width}x{height}:\n{screen}");
            let wide = |line: &str| line.trim_matches('"').len() == usize::from(width);
            assert!(screen.lines().all(wide), "{screen}");
        }
    }
    insta::assert_snapshot!("triage_ascii_120x40", {
        let seat = Seat::set_up(mixed(), 120, 40, Setup { ascii: true, ..Setup::default() });
        seat.screen()
    });
}

#[test]
fn in_ascii_letters_of_every_script_stay() {
    let (mut left, right) = berlin_lisbon("東京");
    left.value = "東京、ベルリン é ß".into();
    let right = right.because("я переехал в Лиссабон");
    let seat = Seat::set_up(Fake::new(vec![(left, right)]), 120, 40, Setup { ascii: true, ..Setup::default() });
    let screen = seat.screen();
    assert!(screen.contains("ベルリン é ß") && screen.contains("я переехал"), "{screen}");
    assert!(!screen.contains('│') && screen.contains('|'), "{screen}");
}

#[test]
fn every_sign_of_ours_has_one_ascii_character() {
    for sign in ('\u{2190}'..='\u{21ff}').chain('\u{2500}'..='\u{25ff}').chain('\u{2800}'..='\u{28ff}') {
        if let Some(plain) = ascii::plain(&sign.to_string()) {
            assert!(plain.len() == 1 && plain.is_ascii(), "{sign}");
        }
    }
    assert!(('\u{2500}'..='\u{25ff}').all(|sign| ascii::plain(&sign.to_string()).is_some()));
    assert_eq!(ascii::plain("東"), None);
    assert_eq!(ascii::plain("é"), None);
}

#[test]
fn no_size_at_all_is_drawn_all_the_same() {
    let mut seat = Seat::new(mixed());
    seat.send(Msg::Resized { width: 0, height: 0 });
    let _screen = seat.backend();
    seat.key(Key::char('j'));
    seat.send(Msg::Resized { width: 120, height: 40 });
    assert_eq!(seat.model.size, Size { width: 120, height: 40 });
}
