//! Text for people, JSON for scripts: everything that leaves through standard output and standard error.
//!
//! A [`Page`] reveals whatever it is given, so that no caller can send an escape sequence from a record to a terminal;
//! the colours are its own, and put on last.

use std::io::{self, IsTerminal, Write};

use serde_json::Value;
use textwrap::core::Word;
use unicode_width::UnicodeWidthStr;

use crate::core::text::{reveal, reveal_lines};
use crate::error::{Error, Kind, Result};

/// Whether to colour: `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    // Said in the option's own help: values with helps of their own would blow the help up.
    #[default]
    Auto,
    Always,
    Never,
}

/// How text is set: with colours or without, and how wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
    /// Columns to wrap at; none where the output is no terminal, and each thing keeps its line for `grep`.
    pub width: Option<usize>,
}

/// What a piece of text means; the colour only repeats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Strong,
    Quiet,
    Good,
    Bad,
    Note,
}

/// A piece of text in one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    text: String,
    tone: Tone,
}

/// Lines being set.
#[derive(Clone, Debug)]
pub struct Page {
    style: Style,
    text: String,
}

const GAP: &str = "  ";
/// No column is squeezed below this while another could give.
const NARROWEST: usize = 7;
/// A longer word than this may be broken like any text.
const LONGEST_WORD: usize = 14;
/// A cell of a list takes no more lines than these.
const MOST_LINES: usize = 3;

impl Style {
    /// Plain text of any width: for files, pipes and tests.
    pub const PLAIN: Self = Self { colour: false, width: None };

    /// The style of standard output.
    pub fn of_stdout(colour: Colour) -> Self {
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
        Self { colour: wants_colour(colour, supports_color::Stream::Stdout), width }
    }

    /// The style of standard error.
    pub fn of_stderr(colour: Colour) -> Self {
        let width = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0));
        Self { colour: wants_colour(colour, supports_color::Stream::Stderr), width }
    }

    fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Strong => "1",
            Tone::Quiet => "2",
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Note => "36",
            Tone::Plain => return text.to_owned(),
        };
        if self.colour && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

fn wants_colour(colour: Colour, stream: supports_color::Stream) -> bool {
    match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => supports_color::on(stream).is_some(),
    }
}

impl Cell {
    pub fn new(tone: Tone, text: impl AsRef<str>) -> Self {
        Self { text: reveal(text.as_ref()).into_owned(), tone }
    }

    /// A text that was revealed already.
    const fn revealed(tone: Tone, text: String) -> Self {
        Self { text, tone }
    }

    /// A text with blanks after it, so that it takes so many cells of the terminal; a longer one stays as it is.
    pub fn padded(tone: Tone, text: &str, width: usize) -> Self {
        let mut cell = Self::new(tone, text);
        cell.text.push_str(&" ".repeat(width.saturating_sub(cell.width())));
        cell
    }

    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::new(Tone::Plain, text)
    }

    pub fn strong(text: impl AsRef<str>) -> Self {
        Self::new(Tone::Strong, text)
    }

    pub fn quiet(text: impl AsRef<str>) -> Self {
        Self::new(Tone::Quiet, text)
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

impl Page {
    pub const fn new(style: Style) -> Self {
        Self { style, text: String::new() }
    }

    /// An empty line between what stands above and what follows.
    pub fn gap(&mut self) -> &mut Self {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self
    }

    /// One line of pieces, a space between them; it is not wrapped.
    pub fn line(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Self {
        let pieces: Vec<String> = cells.into_iter().map(|cell| self.style.paint(cell.tone, &cell.text)).collect();
        self.end_line(&pieces.join(" "))
    }

    /// A text wrapped at the width; its own line breaks stay.
    pub fn paragraph(&mut self, tone: Tone, text: &str) -> &mut Self {
        let (shown, style) = (reveal_lines(text), self.style);
        for line in shown.split('\n').flat_map(|line| wrap(line, style.width)) {
            let painted = style.paint(tone, &line);
            self.end_line(&painted);
        }
        self
    }

    /// Columns as wide as their widest cell; where they do not fit, the widest give way and wrap, and what takes more than
    /// a few lines is clipped. The first column, which names the row, is left whole as long as it can be.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<Cell>]) -> &mut Self {
        self.columns(header, rows, Some(MOST_LINES))
    }

    /// The same, with nothing clipped: for what a person must read to the end.
    pub fn whole_table(&mut self, header: &[&str], rows: &[Vec<Cell>]) -> &mut Self {
        self.columns(header, rows, None)
    }

    fn columns(&mut self, header: &[&str], rows: &[Vec<Cell>], most: Option<usize>) -> &mut Self {
        let header: Vec<Cell> = header.iter().map(Cell::quiet).collect();
        let all: Vec<&Vec<Cell>> =
            header.iter().any(|cell| !cell.text.is_empty()).then_some(&header).into_iter().chain(rows).collect();
        match fitted(&all, self.style.width) {
            Some(widths) => all.into_iter().for_each(|row| self.row(row, &widths, most)),
            None => rows.iter().for_each(|row| self.stacked(&header, row)),
        }
        self
    }

    fn row(&mut self, row: &[Cell], widths: &[usize], most: Option<usize>) {
        let most = most.filter(|_| self.style.width.is_some());
        let set = |(at, (cell, width)): (usize, (&Cell, &usize))| {
            let lines = wrap(&cell.text, Some(*width));
            if at == 0 { lines } else { clipped(lines, most, *width) }
        };
        let wrapped: Vec<Vec<String>> = row.iter().zip(widths).enumerate().map(set).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or_default();
        for at in 0..height {
            let mut line = String::new();
            for ((lines, cell), width) in wrapped.iter().zip(row).zip(widths) {
                let text = lines.get(at).map_or("", String::as_str);
                line.push_str(&self.style.paint(cell.tone, text));
                line.push_str(&" ".repeat(width.saturating_sub(text.width())));
                line.push_str(GAP);
            }
            self.end_line(&line);
        }
    }

    /// A row of a table that is too wide: its cells below each other, each after what its column is called.
    fn stacked(&mut self, header: &[Cell], row: &[Cell]) {
        let named = header.iter().map(Cell::width).max().unwrap_or_default();
        let indent = if named > 0 { named + GAP.len() } else { GAP.len() };
        let room = self.style.width.map(|width| width.saturating_sub(indent).max(NARROWEST));
        let cells = header.iter().zip(row).enumerate().filter(|(_, (_, cell))| !cell.text.is_empty());
        for (at, (name, cell)) in cells {
            // Without names, what stands first heads the others.
            let outdented = named == 0 && at == 0;
            for (number, text) in wrap(&cell.text, room).iter().enumerate() {
                let name = if number == 0 { name.text.as_str() } else { "" };
                let indent = if outdented { 0 } else { indent };
                let line = self.style.paint(Tone::Quiet, name)
                    + &" ".repeat(indent.saturating_sub(name.width()))
                    + &self.style.paint(cell.tone, text);
                self.end_line(&line);
            }
        }
        self.end_line("");
    }

    fn end_line(&mut self, line: &str) -> &mut Self {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
        self
    }

    /// The lines that were set.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn wrap(line: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else { return vec![line.to_owned()] };
    let options = textwrap::Options::new(width.max(1))
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .word_separator(textwrap::WordSeparator::Custom(pieces));
    textwrap::wrap(line, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Where a line may break: between words and, so that no name is broken in the middle of a word of it, after `_`.
fn pieces(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let words = textwrap::WordSeparator::UnicodeBreakProperties.find_words(line);
    Box::new(words.flat_map(|word| {
        let mut pieces: Vec<Word<'_>> = word.word.split_inclusive('_').map(Word::from).collect();
        match pieces.last_mut() {
            Some(last) => last.whitespace = word.whitespace,
            None => pieces.push(word),
        }
        pieces
    }))
}

fn natural_widths(rows: &[&Vec<Cell>]) -> Vec<usize> {
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    (0..columns)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(Cell::width).max().unwrap_or_default())
        .collect()
}

/// The widths that break no word of a column, where its words are short enough to be kept whole.
fn least_widths(rows: &[&Vec<Cell>], columns: usize) -> Vec<usize> {
    let longest = |cell: &Cell| pieces(&cell.text).map(|piece| piece.word.width()).max().unwrap_or_default();
    let of = |at| rows.iter().filter_map(|row| row.get(at)).map(longest).max().unwrap_or_default();
    (0..columns).map(of).map(|least| if least > LONGEST_WORD { NARROWEST } else { least }).collect()
}

/// The widths cut down to the room there is, the widest column first, and words are broken last; none where they cannot
/// be.
fn fitted(rows: &[&Vec<Cell>], room: Option<usize>) -> Option<Vec<usize>> {
    let mut widths = natural_widths(rows);
    let Some(room) = room else { return Some(widths) };
    let room = room.saturating_sub(GAP.len() * widths.len().saturating_sub(1));
    let least = least_widths(rows, widths.len());
    let kept = usize::from(widths.first().is_some_and(|first| *first <= room / 2));
    while widths.iter().sum::<usize>() > room {
        let columns = || widths.iter().zip(&least).map(|(width, least)| (*width, *least)).enumerate().skip(kept);
        let whole = columns().filter(|(_, (width, least))| width > least.max(&NARROWEST));
        let widest = whole.max_by_key(|(_, (width, _))| *width);
        let widest = widest.or_else(|| {
            columns().filter(|(_, (width, _))| *width > NARROWEST).max_by_key(|(_, (width, _))| *width)
        });
        let (at, _) = widest?;
        *widths.get_mut(at)? -= 1;
    }
    Some(widths)
}

/// No more than so many lines; that more was said is seen by `…`.
fn clipped(mut lines: Vec<String>, most: Option<usize>, width: usize) -> Vec<String> {
    if let Some(most) = most.filter(|most| lines.len() > *most) {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while last.width() >= width && last.pop().is_some() {}
            last.push('…');
        }
    }
    lines
}

/// JSON that no terminal acts on: what `serde_json` leaves raw (C1 controls, direction overrides, zero-width characters)
/// is escaped too. The document stays the same.
pub fn json_line(document: &Value) -> String {
    let plain = document.to_string();
    if plain.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return plain;
    }
    let mut escaped = String::with_capacity(plain.len() + 16);
    for character in plain.chars() {
        let mut buffer = [0; 4];
        // Such characters occur only inside texts: outside of them JSON is plain ASCII.
        if matches!(reveal(character.encode_utf8(&mut buffer)), std::borrow::Cow::Owned(_)) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Results, to standard output.
pub fn print(text: &str) -> Result {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Error::unwritten("standard output", &error))
}

/// One JSON document on a line of its own, to standard output.
pub fn print_json(document: &Value) -> Result {
    print(&(json_line(document) + "\n"))
}

/// Messages and progress, to standard error. What cannot be said there cannot be said anywhere.
pub fn note(text: &str) {
    let mut err = io::stderr().lock();
    let _unsaid = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Says an error: to people on standard error and, with `--json`, to scripts on standard output as well.
pub fn complain(error: &Error, style: Style, json: bool) {
    if error.kind == Kind::Unread {
        return;
    }
    if json {
        let _unread = print_json(&error.to_json());
    }
    let mut page = Page::new(style);
    // The error reveals what it says; a second time would show the tokens of the first.
    page.line([Cell::new(Tone::Bad, "error:"), Cell::revealed(Tone::Plain, error.to_string())]);
    for line in error.more() {
        page.line([Cell::revealed(Tone::Note, format!("  {line}"))]);
    }
    note(page.text());
}

/// Says on standard error what may be a slip, where the command goes on all the same.
pub fn warn(error: &Error, colour: Colour) {
    let mut page = Page::new(Style::of_stderr(colour));
    page.line([Cell::new(Tone::Note, "note:"), Cell::revealed(Tone::Plain, error.to_string())]);
    for line in error.more() {
        page.line([Cell::revealed(Tone::Note, format!("  {line}"))]);
    }
    note(page.text());
}

/// Whether standard output is a terminal.
pub fn is_interactive() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}
