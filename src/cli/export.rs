//! `gainsay export`: a store as JSON Lines, and such an export brought back by `import`.

use std::io::BufRead;
use std::path::Path;

use serde_json::json;

use crate::error::{Error, Kind, Result};
use crate::formats::giving::Shape;
use crate::store::{Draft, RestoreError, Restored, Store};
use crate::wire::Fault;
use crate::wire::archive::{Header, Line};
use crate::wire::fault::Position;

use super::context::Context;
use super::memory;
use super::meter::Meter;
use super::output::{Cell, Page, Style, Tone, note, print_json};
use super::words;

/// Write everything that is true as JSON Lines: policies, records, rulings, the log
///
/// `gainsay import` brings it back into an empty store: the same answers, and the same log to the hash. Others may go on
/// writing meanwhile; what they write is not in it. With --format, only what holds is written, in the form of an agent's
/// own memory: one value for each slot that holds one, and none where the slot is contested.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Export {
    /// Give an agent its memory back in this format
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: Option<Format>,
    /// With --format: what becomes of a slot in which a pair is open
    #[arg(long, value_name = "WHAT", value_enum, default_value_t, requires = "format")]
    pub contested: Contested,
    /// Of a damaged store: write every line that can still be read, say what cannot, and exit with 5 where that is any
    #[arg(long, conflicts_with = "format")]
    pub readable: bool,
}

/// The memory that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The MCP memory server's file
    Mcp,
    /// What mem0's get_all answers
    Mem0,
    /// Gainsay's own records
    Jsonl,
}

/// What becomes of a contested slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Contested {
    /// It is left out
    #[default]
    Omit,
    /// It is said to be contested, and between what
    Mark,
}

impl Export {
    pub fn run(self, context: &Context) -> Result<u8> {
        if self.readable {
            return save(context);
        }
        if let Some(format) = self.format {
            let shape = match format {
                Format::Mcp => Shape::Mcp,
                Format::Mem0 => Shape::Mem0,
                Format::Jsonl => Shape::Jsonl,
            };
            return memory::give(shape, self.contested == Contested::Mark, context).map(|()| 0);
        }
        context.reading()?.export(written)?;
        Ok(0)
    }
}

fn written(line: Line) -> Result {
    print_json(&line.write().map_err(|error| Error::internal(error.to_string()))?)
}

/// Writes what can still be read, and tells what cannot.
fn save(context: &Context) -> Result<u8> {
    let saved = Store::open_to_save(&context.store)?.save(written)?;
    let mut page = Page::new(Style::of_stderr(context.colour));
    for lost in &saved.lost {
        page.line([Cell::new(Tone::Bad, format!("{}:", lost.what)), Cell::plain(&lost.wrong)]);
    }
    page.line([
        Cell::strong("saved:"),
        Cell::plain(format!(
            "{}, {}, {}, {}",
            words::count(saved.records, "record"),
            words::count(saved.rulings, "ruling"),
            words::count(saved.policies, "policy version"),
            words::count(saved.events, "event")
        )),
    ]);
    page.paragraph(Tone::Note, "the records into a store: jq -c '.record.record // empty' FILE | gainsay import -");
    note(page.text());
    Ok(if saved.lost.is_empty() { 0 } else { Kind::Damaged.exit_code() })
}

/// The longest line that is read: the longest record with all of it escaped, and what stands around it.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Brings an export back, into a store that is made for it or is still empty.
pub(super) fn restore(reader: impl BufRead, file: &Path, dry_run: bool, context: &Context) -> Result {
    let name = file.display().to_string();
    let failed = |error: RestoreError| refused(error, &name);
    let mut meter = Meter::new();
    let lines = Lines { reader, number: 0 }
        .map(|line| line.inspect(|(number, _)| meter.tell(*number, || format!("{number} lines read"))));
    context.may_make()?;
    let restored = if context.store.exists() {
        context.reading()?.restore(&context.by(), lines, dry_run).map_err(failed)?
    } else {
        let mut draft = Draft::begin(&context.store, context.now)?;
        let restored = draft.store().restore(&context.by(), lines, dry_run).map_err(failed)?;
        if !dry_run && !draft.publish()? {
            return Err(Error::new(
                Kind::Store,
                "another process made the store in the meantime; nothing was taken",
            )
            .with_hint("an export can only be brought back into an empty store"));
        }
        restored
    };
    meter.clear();
    context.say(|| to_json(&restored), || render(&restored, dry_run, context))
}

fn refused(error: RestoreError, name: &str) -> Error {
    match error {
        RestoreError::Line(fault) => Error::in_file(name, &fault),
        RestoreError::NotWhole(_) => Error::new(Kind::Input, format!("{name}: {error}"))
            .with_hint("nothing was taken; write the export again, from a store that `gainsay verify` finds whole"),
        RestoreError::NotEmpty => Error::new(Kind::Refused, error.to_string()).with_hint(
            "name a store that is not there yet with --store; to add the records alone: \
             jq -c '.record.record // empty' FILE | gainsay import -",
        ),
        RestoreError::Store(error) => error.into(),
    }
}

/// The keys of an import's answer, and what came back with the records.
fn to_json(restored: &Restored) -> serde_json::Value {
    let Header { policies, records, rulings, events, head, .. } = &restored.header;
    json!({
        "read": records, "added": records, "duplicates": 0, "rejected": 0, "unslotted": restored.unslotted,
        "restored": {"policies": policies, "records": records, "rulings": rulings, "events": events, "head": head},
    })
}

fn render(restored: &Restored, dry_run: bool, context: &Context) -> String {
    let header = &restored.header;
    let mut page = Page::new(context.style);
    if dry_run {
        page.line([Cell::strong("a dry run: nothing was written")]);
    }
    page.line([
        Cell::strong("a whole store brought back:"),
        Cell::plain(format!(
            "{}, {}, {}",
            words::count(header.records, "record"),
            words::count(header.rulings, "ruling"),
            words::count(header.events, "event")
        )),
    ]);
    page.line([Cell::quiet(format!("head of the log: {}", header.head))]);
    page.text().to_owned()
}

/// The lines of an export, each with its number; blank ones are none.
struct Lines<R> {
    reader: R,
    number: u64,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = std::result::Result<(u64, Line), RestoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut text = Vec::new();
            let mut window = std::io::Read::take(&mut self.reader, LONGEST);
            match window.read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) => self.number += 1,
                Err(error) => return Some(Err(RestoreError::Store(error.into()))),
            }
            if text.len() as u64 >= LONGEST {
                let at = Position { line: self.number, column: 1 };
                return Some(Err(Fault::new(at, "the line is too long", "at most 64 MiB").into()));
            }
            if !text.trim_ascii().is_empty() {
                let number = self.number;
                return Some(Line::read(&text, number).map(|line| (number, line)).map_err(Into::into));
            }
        }
    }
}
