//! A pair as a text, to be read in an editor: one record after the other, each whole. Everything in it is revealed, for
//! an editor may be a program that sends what it is given to the terminal.

use super::compare::{Name, Row};
use crate::core::examine::Side;
use crate::core::pair::Pair;
use crate::core::text::{reveal, reveal_lines};
use crate::core::value::plain;

/// The text; what the screen hides in a blind audit is not in these rows.
pub(super) fn of(pair: &Pair, rows: &[Row]) -> String {
    let entry = &pair.entry;
    let mut text = format!(
        "Pair {}: {} of {}\n",
        entry.pair,
        reveal(entry.attribute.as_str()),
        reveal(entry.subject.as_str())
    );
    text.push_str("A copy to read: what is changed here changes nothing.\n");
    for (at, side) in Side::BOTH.into_iter().enumerate() {
        let record = &pair.record(side).record;
        text.push_str(&format!("\n{}  {}\n", side.of("A", "B"), reveal(record.id.as_str())));
        for row in rows.iter().filter(|row| row.name != Name::Source) {
            let said = if row.name == Name::Value {
                reveal_lines(&plain(&record.value))
            } else {
                row.sides.get(at).map(line).unwrap_or_default()
            };
            text.push_str(&format!("   {:<11}{said}\n", row.name.word()));
        }
        let evidence = record.evidence.as_deref().map_or_else(|| "none given".to_owned(), reveal_lines);
        text.push_str("   evidence\n");
        for line in evidence.lines() {
            text.push_str(&format!("      {line}\n"));
        }
    }
    text
}

fn line(cell: &super::compare::Cell) -> String {
    let words: String = cell.pieces.iter().map(|piece| piece.text.as_str()).collect();
    if cell.beside.is_empty() { words } else { format!("{words}  ({})", cell.beside) }
}
