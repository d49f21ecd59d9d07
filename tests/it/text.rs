//! Hostile text: nothing that a terminal would act on gets through, and no two texts are shown as one.

use gainsay::core::text::{hides_something, look_alike, reveal, reveal_lines, shown_value};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_width::UnicodeWidthStr;

use crate::script::properties;

/// What has been sent to terminals to make them lie, beep, answer, write files or run commands.
pub(crate) const PAYLOADS: [&str; 60] = [
    // Colours and attributes: text that is there and cannot be seen.
    "\x1b[31mred",
    "\x1b[8mhidden\x1b[28m",
    "\x1b[30;40mblack on black",
    "\x1b[38;2;0;0;0m",
    "\x1b[0m",
    "\x1b[7m",
    "\x1b[5mblink",
    // The cursor and the screen: text that overwrites what stood there.
    "\x1b[2J",
    "\x1b[H",
    "\x1b[1;1HALL CHECKS PASSED",
    "\x1b[A\x1b[2K",
    "\x1b[1000D",
    "\x1b[3J",
    "\x1b7\x1b8",
    "\x1bc",
    "\x1b[?25l",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?2026h",
    "\x1b[r",
    "\x1b[5;10r",
    "\x1bM",
    "\x1b[99S",
    "\x1b[4l\x1b[4h",
    // Operating-system commands: titles, links, the clipboard, colours, notifications.
    "\x1b]0;approved\x07",
    "\x1b]2;title\x1b\\",
    "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;cm0gLXJm\x07",
    "\x1b]52;c;?\x07",
    "\x1b]10;?\x07",
    "\x1b]4;0;rgb:ff/ff/ff\x07",
    "\x1b]9;done\x07",
    "\x1b]777;notify;a;b\x07",
    "\x1b]1337;File=name=eA==:AAAA\x07",
    "\x1b]133;A\x07",
    "\x1b]50;?\x07",
    // Questions, whose answers are typed into the shell.
    "\x1b[c",
    "\x1b[>c",
    "\x1b[6n",
    "\x1b[5n",
    "\x1b[21t",
    "\x1bP$q\"p\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x1bZ",
    "\x05",
    // Modes, device control, privacy messages, application commands, strings without an end.
    "\x1b[?1000h\x1b[?1006h",
    "\x1b[?2004l",
    "\x1b[200~rm -rf\r\x1b[201~",
    "\x1bPq#0;2;0;0;0\x1b\\",
    "\x1b^pm\x1b\\",
    "\x1b_Gi=1;AAAA\x1b\\",
    "\x1bX",
    "\x1b]0;no end",
    // The same by single bytes of C1, and the old single controls.
    "\u{9b}31m",
    "\u{9d}0;t\u{9c}",
    "\u{90}q\u{9c}",
    "\u{84}\u{85}\u{8d}",
    "a\x08\x08b\x7f",
    "\x0e\x0f\x0b\x0c",
    "over\rwritten\n",
];

#[test]
fn no_payload_reaches_the_terminal() {
    for payload in PAYLOADS {
        let shown = reveal(payload);
        assert!(!shown.chars().any(char::is_control), "{payload:?} is shown as {shown:?}");
        assert!(hides_something(payload), "{payload:?} is marked");
        let lines = reveal_lines(payload);
        assert!(!lines.chars().any(|it| it.is_control() && it != '\n'), "{payload:?} on lines: {lines:?}");
        assert!(!shown_value(&payload.into()).chars().any(char::is_control), "{payload:?} as a value");
        let inside = serde_json::json!({ "key": [payload] });
        assert!(!shown_value(&inside).chars().any(char::is_control), "{payload:?} inside a value");
    }
    assert_eq!(reveal("\x1b[2Jhi"), "<U+001B>[2Jhi");
    assert_eq!(reveal("a\u{202e}b"), "a<U+202E>b");
    assert_eq!(reveal_lines("one\r\ntwo"), "one<U+000D>\ntwo");
}

#[test]
fn twins_that_differ_by_what_cannot_be_seen_are_told_apart() {
    let twins = [
        ("NUL", "Lisbon", "Lis\0bon"),
        ("CR", "Lisbon", "Lisbon\r"),
        ("TAB", "New York", "New\tYork"),
        ("zero-width space", "Lisbon", "Lis\u{200b}bon"),
        ("zero-width joiner", "Lisbon", "Lis\u{200d}bon"),
        ("override", "Lisbon", "Lisbon\u{202e}"),
        ("isolate", "Lisbon", "\u{2066}Lisbon"),
        ("byte-order mark", "Lisbon", "\u{feff}Lisbon"),
        ("tag", "Lisbon", "Lisbon\u{e0041}"),
        ("normal form", "Montr\u{e9}al", "Montre\u{301}al"),
        ("no-break space", "New York", "New\u{a0}York"),
        ("soft hyphen", "Lisbon", "Lis\u{ad}bon"),
        ("variation selector", "Lisbon", "Lisbon\u{fe0f}"),
        ("Hangul filler", "Lisbon", "Lisbon\u{3164}"),
        ("blank braille", "Lisbon ", "Lisbon\u{2800}"),
        ("Kelvin sign", "300 K", "300 \u{212a}"),
        ("compatibility ideograph", "\u{8c48}", "\u{f900}"),
        ("Hangul letters", "\u{ac00}", "\u{1100}\u{1161}"),
        ("a mark with no letter to lean on", "Lisbon", "\u{301}Lisbon"),
        ("a vowel with no consonant to lean on", "Lisbon", "Lisbon\u{1161}"),
        ("marks in another order", "a\u{323}\u{308}".nfc().collect::<String>().leak(), "a\u{308}\u{323}"),
        ("the letters of a revealed one", "a\u{202e}b", "a<U+202E>b"),
    ];
    for (what, plain, twin) in twins {
        assert_ne!(reveal(plain), reveal(twin), "{what}");
        assert!(hides_something(twin), "{what}: the twin is marked");
    }
}

#[test]
fn letters_that_look_alike_are_found() {
    let alike = [
        ("Raynor Freight", "R\u{430}ynor Freight"),
        ("Lisbon", "L\u{456}sb\u{43e}n"),
        ("paypal", "\u{440}\u{430}\u{443}\u{440}\u{430}l"),
        ("user_31882", "user_3l882"),
        ("ORDER-0", "ORDER-O"),
        ("rnail", "mail"),
        ("New York", "New\u{a0}York"),
        ("Lisbon", "Lis\u{200b}bon"),
        ("Montr\u{e9}al", "Montre\u{301}al"),
    ];
    for (one, other) in alike {
        assert!(look_alike(one, other) && look_alike(other, one), "{one} and {other}");
        assert_ne!(reveal(one), reveal(other), "{one} and {other}: the letters are still there");
    }
    let unlike = [
        ("Lisbon", "Lisbon"),
        ("Lisbon", "Berlin"),
        ("Lisbon", "lisbon"),
        ("30s", "30000ms"),
        ("京都", "東京"),
        ("", "a"),
    ];
    for (one, other) in unlike {
        assert!(!look_alike(one, other), "{one} and {other}");
    }
}

#[test]
fn own_words_are_shown_as_they_are() {
    let plain = [
        "I moved to Lisbon last month, so update my shipping address.",
        "Podes responder em português",
        "Straße, Łódź, Đà Nẵng, Ἀθῆναι",
        "先月、大阪から京都に引っ越しました。",
        "서울특별시",
        "الإسكندرية",
        "חיפה",
        "ภาษาไทย",
        "नमस्ते",
        "🪁🫖 🇸🇪 🦊",
        "a < b, <b>, <U>, U+202E",
        "€ £ ½ ± → ✓",
        "",
    ];
    for text in plain {
        assert!(!hides_something(text), "{text}");
        assert_eq!(reveal(text), text);
    }
}

/// Over the whole of Unicode: what is kept draws something, and what draws nothing is revealed.
#[test]
fn no_character_is_kept_that_draws_nothing() {
    for character in '\0'..=char::MAX {
        let text = character.to_string();
        let shown = reveal(&text);
        if shown != text.as_str() {
            assert_eq!(shown, format!("<U+{:04X}>", u32::from(character)));
            continue;
        }
        assert!(text.width() > 0, "U+{:04X} is kept", u32::from(character));
    }
}

proptest! {
    #![proptest_config(properties(2_000))]

    #[test]
    fn what_is_revealed_hides_nothing_more_and_is_never_ambiguous(one in "\\PC{0,4}|(\\PC|[<U+0-9A-F>\u{0}-\u{a0}\u{200b}-\u{202e}\u{301}]){0,12}", other in "[<U+2E0>\u{202e}\u{200b}]{0,10}") {
        let shown = reveal(&one);
        prop_assert!(!shown.chars().any(char::is_control));
        prop_assert_eq!(hides_something(&one), shown != one.as_str());
        prop_assert_eq!(one == other, shown == reveal(&other));
        let lines = reveal_lines(&one);
        prop_assert_eq!(lines.split('\n').count(), one.split('\n').count());
    }

    #[test]
    fn a_text_and_its_other_normal_form_are_shown_apart(text in "[a-zé가-힣Ἀ-ῼ豈-龎Å-Ω]{0,8}") {
        let other: String = text.nfd().collect();
        prop_assert_eq!(text == other, reveal(&text) == reveal(&other));
        let composed: String = text.nfc().collect();
        if composed != text {
            prop_assert!(hides_something(&text));
        }
    }
}
