//! Finding by words that mean something to a search engine: each is looked for as it is written, and none is an error.

use gainsay::core::record::Record;
use gainsay::store::{QueueFilter, QueueOrder, Window};

use crate::desk::Desk;
use crate::dice::{Dice, rounds};
use crate::script::{Told, record};
use crate::windows::{all, ordered};

/// What a query of a full-text index, or a pattern, would be read as.
const WORDS: [&str; 20] = [
    "\"",
    "a OR",
    "NEAR(a b",
    "-apples",
    "*",
    "a AND",
    "col:x",
    "^a",
    "{a b}:c",
    "a NOT b",
    "100%",
    "1000",
    "a_b",
    "axb",
    "\\",
    "'; DROP TABLE records; --",
    "(((",
    "OR",
    "%%%",
    "east",
];

/// A pair for each of the words, in whose value it stands.
fn desk() -> Desk {
    let says = |number: usize, side: &str, value: &str| -> Record {
        let told = record(&format!("user {number:02}"), "home_city", value).id(&format!("{side}{number}"));
        told.by("user_utterance").observed("2025-10").epoch(1)
    };
    let mut desk = Desk::new();
    desk.import(WORDS.iter().enumerate().flat_map(|(number, word)| {
        [says(number, "m", &format!("it is {word} there")), says(number, "n", "Lisbon")]
    }));
    assert_eq!(desk.open().len(), WORDS.len());
    desk
}

fn found(desk: &Desk, text: &str) -> Vec<i64> {
    let filter = QueueFilter { text: Some(text.to_owned()), ..QueueFilter::default() };
    let found = desk.store.find(&filter, QueueOrder::Oldest, desk.now, &mut |_, _| true).unwrap().unwrap();
    let listed = desk.store.window(&found, &Window::Start, 1_000, desk.now).unwrap();
    listed.into_iter().map(|entry| entry.pair.0).collect()
}

/// A few letters, most of which mean something to some search engine.
fn any_words(dice: &mut Dice) -> String {
    const PARTS: [&str; 24] = [
        "\"",
        "'",
        "*",
        "^",
        "(",
        ")",
        "{",
        "}",
        ":",
        "-",
        "+",
        "%",
        "_",
        "\\",
        " ",
        " OR ",
        " AND ",
        " NOT ",
        "NEAR(",
        "a",
        "is",
        "1000",
        "\u{0}",
        "\u{202e}ü",
    ];
    (0..=dice.below(5)).map(|_| *dice.one_of(&PARTS)).collect()
}

#[test]
fn whatever_is_looked_for_is_found_where_it_stands_and_nowhere_else() {
    let mut desk = desk();
    let everything = all(&desk);
    let mut dice = Dice::of(51);
    for indexed in [false, true] {
        for _ in 0..rounds(300, 2_000) {
            let text = any_words(&mut dice);
            let filter = QueueFilter { text: Some(text.clone()), ..QueueFilter::default() };
            assert_eq!(
                found(&desk, &text),
                ordered(QueueOrder::Oldest, &everything, &filter),
                "{text:?} {indexed}"
            );
        }
        for (at, word) in WORDS.iter().enumerate() {
            let pair = i64::try_from(at).unwrap() + 1;
            assert!(found(&desk, word).contains(&pair), "{word:?} {indexed}");
        }
        for (word, alone) in [("100%", 11), ("1000", 12), ("a_b", 13), ("axb", 14), ("a OR", 2)] {
            assert_eq!(found(&desk, word), [alone], "{word:?} {indexed}");
        }
        while desk.store.index_letters(1_000).unwrap().left > 0 {}
    }
    desk.is_whole();
}
