//! Rows that cannot be read in a long queue: the others are read as ever, and these say what stands there.

use gainsay::core::ruling::PairId;
use gainsay::store::Store;
use rusqlite::Connection;

use crate::called::{Folder, ties};
use crate::dice::rounds;
use crate::script::{WRITTEN, instant};

/// What was put into the record `aN` of pair N, and what is said of it where it cannot be read.
const BAD: [(i64, &str, Option<&str>); 6] = [
    (3, "value = CAST(x'224c6973ff626f6e22' AS TEXT)", Some("\"Lis\\xffbon\"")),
    (5, "value = CAST(x'224c6973006e22' AS TEXT)", Some("\"Lis\\x00n\"")),
    (7, "value = ''", Some("its value is")),
    (11, "value = '123456789012345678901234567890', epoch = 9223372036854775807", None),
    (13, "evidence = CAST(zeroblob(10000000) AS TEXT)", None),
    (17, "source = '{\"kind\": '", Some("its source is {\"kind\": ")),
];

#[test]
fn a_row_that_cannot_be_read_keeps_no_other_back() {
    let many = rounds(150, 1_000);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(many));
    folder.says(&["import", "ties.jsonl"]);
    let stray = Connection::open(folder.path("store.db")).unwrap();
    let refusal: String = stray
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'records_are_immutable'", [], |row| row.get(0))
        .unwrap();
    stray.execute_batch("DROP TRIGGER records_are_immutable").unwrap();
    for (pair, set, _) in BAD {
        assert_eq!(stray.execute(&format!("UPDATE records SET {set} WHERE id = 'a{pair}'"), []).unwrap(), 1);
    }
    stray.execute_batch(&refusal).unwrap();
    drop(stray);

    let lines = folder.lines(&["queue", "--limit", "5000"]);
    assert_eq!(lines.len(), many, "some are kept back");
    let store = Store::open(&folder.path("store.db"), instant(WRITTEN)).unwrap();
    for pair in 1..=i64::try_from(many).unwrap() {
        let opened = store.pair(PairId(pair), instant(WRITTEN));
        let said = BAD.iter().find(|(bad, ..)| *bad == pair).and_then(|(.., said)| *said);
        match (opened, said) {
            (Ok(Some(_)), None) => {}
            (Err(error), Some(said)) => {
                let error = error.to_string();
                assert!(
                    error.contains(&format!("record a{pair} cannot be read")) && error.contains(said),
                    "{error}"
                );
            }
            (opened, said) => panic!("pair {pair}: {opened:?}, and not {said:?}"),
        }
    }
    for (pair, _, said) in BAD.iter().filter(|(pair, _, said)| said.is_some() && *pair != 17) {
        let (line, said) =
            (&lines[usize::try_from(*pair).unwrap() - 1], said.unwrap().trim_start_matches("its value is"));
        let shown = line["values"][0].as_str().unwrap();
        assert!(shown.starts_with("unreadable: ") && shown.contains(said), "{line}");
    }
    // Beside them, work goes on.
    folder.says(&["accept", "4", "--record", "a4", "--reason", "it was checked"]);
    let (status, said) = folder.fails(&["accept", "3", "--record", "a3", "--reason", "it was checked"]);
    assert_eq!(status, 4, "{said}");
    let found = folder.output("dana", &["verify"]);
    assert_eq!(found.status.code(), Some(5));
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    for (pair, ..) in BAD {
        let number = format!("record number {}", pair * 2 - 1);
        assert!(found.contains(&format!("record a{pair}\"")) || found.contains(&number), "{pair}: {found}");
    }
}
