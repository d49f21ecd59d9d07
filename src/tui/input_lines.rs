//! What is being typed, on the lines of its field: folded at its width, scrolled to the cursor.

use tui_input::Input;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::core::text::reveal;

/// The lines to be seen, and the cursor among them: so many cells from the left, so many lines down.
pub(super) struct Written {
    pub(super) lines: Vec<String>,
    pub(super) cursor: (usize, usize),
}

/// Lays a text out in lines of a width, at most so many; a field of one line is scrolled sideways instead.
pub(super) fn written(input: &Input, width: usize, most: usize) -> Written {
    let width = width.max(2);
    let mut lines = vec![String::new()];
    let (mut used, mut passed) = (0, 0);
    let mut cursor = (0, 0);
    for cluster in input.value().graphemes(true) {
        let ends = cluster == "\n" && most > 1;
        let shown = reveal(cluster);
        // A cell is left for the cursor behind the last letter.
        if !ends && most > 1 && used > 0 && used + shown.width() >= width {
            lines.push(String::new());
            used = 0;
        }
        if passed <= input.cursor() {
            cursor = (used, lines.len() - 1);
        }
        passed += cluster.chars().count();
        if ends {
            lines.push(String::new());
            used = 0;
        } else if let Some(line) = lines.last_mut() {
            line.push_str(&shown);
            used += shown.width();
        }
    }
    if passed <= input.cursor() {
        cursor = (used, lines.len() - 1);
    }
    if most == 1 {
        return sideways(lines.concat(), cursor.0, width);
    }
    let first = (cursor.1 + 1).saturating_sub(most);
    let lines: Vec<String> = lines.into_iter().skip(first).take(most).collect();
    Written { lines, cursor: (cursor.0, cursor.1 - first) }
}

/// One line, from where the cursor can be seen.
fn sideways(line: String, cursor: usize, width: usize) -> Written {
    let skip = (cursor + 1).saturating_sub(width);
    let mut gone = 0;
    let rest = line.graphemes(true).skip_while(|cluster| {
        let hidden = gone < skip;
        gone += if hidden { cluster.width() } else { 0 };
        hidden
    });
    let line = rest.collect();
    Written { lines: vec![line], cursor: (cursor.saturating_sub(gone), 0) }
}
