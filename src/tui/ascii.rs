//! Borders and signs in ASCII, for terminals and fonts that draw the others two cells wide or not at all: a last pass
//! over the finished frame, so that every screen follows by itself.
//!
//! Only what the screens themselves draw with is replaced: box drawing, blocks, arrows, dots and the signs of the
//! gutter, each by one ASCII character, so that 120 columns stay 120. Letters of any script stay. A record that holds
//! one of these very signs has it replaced too: its value is still compared, marked and copied as it is.

use ratatui::buffer::Buffer;

/// Replaces what this frame draws with.
pub(super) fn pass(buffer: &mut Buffer) {
    let area = *buffer.area();
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let Some(cell) = buffer.cell((x, y)) else { continue };
            if let Some(plain) = plain(cell.symbol()) {
                let style = cell.style();
                buffer.set_string(x, y, plain, style);
            }
        }
    }
}

/// The ASCII for a sign, where it is one of ours.
pub fn plain(symbol: &str) -> Option<&'static str> {
    let mut letters = symbol.chars();
    let (Some(sign), None) = (letters.next(), letters.next()) else { return None };
    Some(match sign {
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '╴' | '╶' | '╸' | '╺' | '–' | '—' | '−' | '·' => {
            "-"
        }
        '═' | '▬' => "=",
        '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋' | '╵' | '╷' | '╹' | '╻' | '▏' | '▕' => {
            "|"
        }
        // How far a time reaches, beside a crosshair of dashes.
        '╌' | '╍' => "~",
        '╱' => "/",
        '╲' => "\\",
        '╳' | '×' | '✗' | '✘' => "x",
        '\u{2500}'..='\u{257f}' => "+",
        '▁' | '▂' => "_",
        '▃' | '▀' => "-",
        '▄' => "=",
        '▅' | '▆' => "*",
        '░' => ".",
        '▒' => ":",
        '▓' => "%",
        '▎' | '▍' | '▌' | '▐' => "|",
        '\u{2580}'..='\u{259f}' => "#",
        '▸' | '▶' | '►' | '▹' | '▷' | '›' | '»' | '→' | '⇒' | '≥' | '⟩' | '❯' => ">",
        '◂' | '◀' | '◄' | '◃' | '◁' | '‹' | '«' | '←' | '⇐' | '≤' | '⟨' | '❮' => "<",
        '▴' | '▵' | '↑' | '⇑' => "^",
        '▾' | '▼' | '▽' | '▿' | '↓' | '⇓' => "v",
        // The signs of values: each another one, or the plane would say nothing.
        '●' => "@",
        '■' => "#",
        '▲' => "^",
        '◆' => "&",
        '○' => "o",
        '□' => "%",
        '△' => "A",
        '◇' => "x",
        '∙' => ",",
        '⋅' => ".",
        '◦' | '◯' | '▫' | '◌' => "o",
        '\u{25a0}'..='\u{25ff}' | '•' | '★' => "*",
        '↔' | '⇄' | '≠' => "#",
        '≈' | '…' | '∼' => "~",
        '⋮' => ":",
        '✓' | '✔' | '†' | '±' => "+",
        '∅' => "0",
        '²' => "2",
        '³' => "3",
        '⁴'..='⁹' => digit(sign),
        '⁺' => "+",
        '↵' | '⏎' => "<",
        '\u{2800}'..='\u{28ff}' => braille(sign),
        _ => return None,
    })
}

/// How many records a mark stands for.
fn digit(sign: char) -> &'static str {
    const DIGITS: [&str; 6] = ["4", "5", "6", "7", "8", "9"];
    let at = u32::from(sign).saturating_sub(u32::from('⁴'));
    DIGITS.get(at as usize).copied().unwrap_or("+")
}

/// A plot of dots: the more of the eight are set, the heavier.
fn braille(sign: char) -> &'static str {
    match (u32::from(sign) & 0xff).count_ones() {
        0 => " ",
        1..=2 => ".",
        3..=5 => ":",
        _ => "#",
    }
}
