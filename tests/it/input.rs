//! The terminal's bytes: keys, pastes, clicks and answers, however they are cut.

use gainsay::app::{Code, Key};
use gainsay::tui::input::{Decoder, Heard, Mouse, MouseKind};

/// All that is heard of these bytes, after a pause.
fn heard(bytes: &[u8]) -> Vec<Heard> {
    let mut decoder = Decoder::default();
    let mut heard = decoder.push(bytes);
    heard.extend(decoder.settle());
    assert_eq!(decoder.patience(), None, "nothing is left of {bytes:?}");
    heard
}

fn keys(keys: &[Key]) -> Vec<Heard> {
    keys.iter().map(|key| Heard::Key(*key)).collect()
}

const fn plain(code: Code) -> Key {
    Key::new(code)
}

#[test]
fn keys_are_told_apart() {
    let cases: &[(&[u8], Key)] = &[
        (b"a", Key::char('a')),
        (b"A", Key::char('A')),
        ("ф".as_bytes(), Key::char('ф')),
        ("東".as_bytes(), Key::char('東')),
        (b"\r", plain(Code::Enter)),
        (b"\t", plain(Code::Tab)),
        (b"\x7f", plain(Code::Backspace)),
        (b"\x08", plain(Code::Backspace)),
        (b"\x03", Key::ctrl('c')),
        (b"\x1b", plain(Code::Esc)),
        (b"\x1bj", Key::alt('j')),
        (b"\x1b[", Key::alt('[')),
        (b"\x1b]", Key::alt(']')),
        (b"\x1bO", Key::alt('O')),
        (b"\x1b\r", Key { alt: true, ..plain(Code::Enter) }),
        (b"\x1b[A", plain(Code::Up)),
        (b"\x1bOB", plain(Code::Down)),
        (b"\x1b[1;5C", Key { ctrl: true, ..plain(Code::Right) }),
        (b"\x1b[1;3D", Key { alt: true, ..plain(Code::Left) }),
        (b"\x1b[Z", plain(Code::BackTab)),
        (b"\x1b[3~", plain(Code::Delete)),
        (b"\x1b[5~", plain(Code::PageUp)),
        (b"\x1b[H", plain(Code::Home)),
        (b"\x1bOP", plain(Code::F(1))),
        (b"\x1b[24~", plain(Code::F(12))),
        // The kitty protocol, which other programs may have left switched on.
        (b"\x1b[97u", Key::char('a')),
        (b"\x1b[97;2u", Key::char('A')),
        (b"\x1b[97:65;2u", Key::char('A')),
        (b"\x1b[97;5u", Key::ctrl('a')),
        (b"\x1b[97;9u", Key::alt('a')),
        (b"\x1b[97;1:2u", Key { held: true, ..Key::char('a') }),
        (b"\x1b[1;1:2B", Key { held: true, ..plain(Code::Down) }),
        (b"\x1b[27u", plain(Code::Esc)),
        (b"\x1b[9;2u", plain(Code::BackTab)),
        (b"\x1b[27;5;97~", Key::ctrl('a')),
    ];
    for (bytes, key) in cases {
        assert_eq!(heard(bytes), keys(&[*key]), "{}", bytes.escape_ascii());
    }
}

#[test]
fn a_release_is_no_press() {
    for release in ["\x1b[97;1:3u", "\x1b[1;1:3A", "\x1b[3;1:3~"] {
        assert_eq!(heard(release.as_bytes()), [], "{release:?}");
    }
}

#[test]
fn what_is_no_key_is_nothing() {
    let cases: [&[u8]; 9] = [
        b"\x1b[I",
        b"\x1b[O",
        b"\x1b[12;40R",
        b"\x1b[57441u",
        b"\x1b]52;c;aGk=\x07",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b_Gi=1;OK\x1b\\",
        b"\xff",
        b"\x1b[<35;4;5M",
    ];
    for bytes in cases {
        assert_eq!(heard(bytes), [], "{}", bytes.escape_ascii());
    }
}

#[test]
fn what_was_asked_is_answered_between_keys() {
    let text = b"j\x1b]11;rgb:ffff/8080/0000\x1b\\k\x1b[?62;22cx";
    let expected = vec![
        Heard::Key(Key::char('j')),
        Heard::Background(255, 128, 0),
        Heard::Key(Key::char('k')),
        Heard::Attributes,
        Heard::Key(Key::char('x')),
    ];
    assert_eq!(heard(text), expected);
    assert_eq!(heard(b"\x1b]11;rgba:1e/1e/2e/ff\x07"), [Heard::Background(0x1e, 0x1e, 0x2e)]);
    assert_eq!(heard(b"\x1b]11;rgb:zz/1/2\x07"), []);
    // However it is cut, it is one answer, and no letter of it is a key.
    for cut in 1..text.len() {
        let (one, other) = text.split_at(cut);
        let mut decoder = Decoder::default();
        let both: Vec<Heard> = decoder.push(one).into_iter().chain(decoder.push(other)).collect();
        assert_eq!(both, expected, "cut at {cut}");
    }
}

#[test]
fn a_paste_is_one_whatever_is_in_it() {
    let paste = |text: &str| Heard::Paste(text.to_owned());
    assert_eq!(heard(b"\x1b[200~aq\r\nrl\x1b[A\x1b[201~j"), [paste("aq\r\nrl\x1b[A"), Heard::Key(Key::char('j'))]);
    assert_eq!(heard(b"\x1b[200~cut off"), [paste("cut off")]);
    let long = "東京 ".repeat(2_000);
    let mut decoder = Decoder::default();
    let whole = format!("\x1b[200~{long}\x1b[201~");
    let got: Vec<Heard> = whole.as_bytes().chunks(7).flat_map(|chunk| decoder.push(chunk)).collect();
    assert_eq!(got, [paste(&long)]);
}

#[test]
fn clicks_and_the_wheel_have_a_place() {
    let mouse = |kind, column, row| Heard::Mouse(Mouse { kind, column, row });
    let text = b"\x1b[<0;12;7M\x1b[<0;12;7m\x1b[<64;1;1M\x1b[<65;300;200M\x1b[<2;1;1M";
    let expected =
        [mouse(MouseKind::Press, 11, 6), mouse(MouseKind::WheelUp, 0, 0), mouse(MouseKind::WheelDown, 299, 199)];
    assert_eq!(heard(text), expected);
}

#[test]
fn any_bytes_are_taken_in_and_leave_nothing_behind() {
    let mut state = 1_u64;
    let mut decoder = Decoder::default();
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bytes = [b"\x1b[]OP<;:?~u0129MmZ\x07\xe6\xff\r\x00ab", &(state >> 33).to_be_bytes()[..]].concat();
        let at = (state >> 40) as usize % bytes.len();
        let _heard = decoder.push(&bytes[at..=at]);
        if state >> 60 == 0 {
            let _rest = decoder.settle();
            assert_eq!(decoder.patience(), None);
        }
    }
}
