//! `gainsay import`: records into the store.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

use chrono_tz::Tz;

use crate::core::record::{Batch, Epoch};
use crate::error::{Error, Kind, Result};
use crate::store::{self, Imported, Landed, Store};
use crate::wire::record::{Incoming, records};
use crate::wire::{Defaults, Fault, Position};

use super::context::Context;
use super::intake::{LeftOut, Rejects};
use super::meter::Meter;
use super::output::{Cell, Page, Style, Tone, print, print_json};
use super::{export, json, parse, words};

/// Take records into the store; each is judged as it lands
///
/// Reads JSON Lines, one JSON array, or what `gainsay export` wrote (into an empty store). The file is taken whole or not at all, unless --on-error skip. Importing it
/// again adds nothing; a record whose id is already there with other content is an error, for nothing is overwritten.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Import {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Stamp the records that have no epoch with this one; their source then says so
    #[arg(long, value_name = "N", value_parser = parse::epoch, allow_negative_numbers = true)]
    pub epoch: Option<Epoch>,
    /// The batch of records whose source names none [default: a name made for this import]
    #[arg(long, value_name = "ID", value_parser = parse::batch)]
    pub batch: Option<Batch>,
    /// The zone of times that come without an offset, as in Europe/Lisbon; without it they are errors
    #[arg(long, value_name = "ZONE", value_parser = parse::zone)]
    pub tz: Option<Tz>,
    /// What a bad record does
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    pub on_error: OnError,
    /// With --on-error skip: write the bad records here, byte for byte, each on a line
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
    /// Say of each record what became of it
    #[arg(long)]
    pub each: bool,
    /// Judge everything, say what would come of it, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What a bad record does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OnError {
    /// Take nothing of the file
    #[default]
    Stop,
    /// Take the good ones, then exit with 3
    Skip,
}

impl Import {
    /// Where rejects go; an error where there would be none.
    pub fn rejects(&self) -> Result<Option<&Path>> {
        match (self.on_error, &self.rejects) {
            (OnError::Stop, Some(_)) => Err(Error::new(Kind::Usage, "--rejects belongs to --on-error skip")
                .with_hint("without it the file is taken whole or not at all, and nothing is rejected")),
            (OnError::Stop | OnError::Skip, rejects) => Ok(rejects.as_deref()),
        }
    }

    /// What this import supplies where a record is silent.
    pub fn defaults(&self, context: &Context) -> Result<Defaults> {
        let batch = match &self.batch {
            Some(batch) => batch.clone(),
            None => self.made_batch(context)?,
        };
        Ok(Defaults { now: context.now, batch, epoch: self.epoch, zone: self.tz })
    }

    /// A name that people recognise, and that no other import has: what was read, and when.
    fn made_batch(&self, context: &Context) -> Result<Batch> {
        let name = self.file.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
        let name = if name == "-" { "stdin".into() } else { name };
        let name = format!("import {name} {}", context.now);
        let taken = if context.store.exists() { context.reading()?.batches_like(&name)? } else { 0 };
        Ok(Batch::from(if taken == 0 { name } else { format!("{name} #{}", taken + 1) }.as_str()))
    }
}

/// Where the records go: the store that is there, or one in the making that is published only when they are in it.
enum Into {
    There(Box<Store>),
    Made(Box<store::Draft>),
}

impl Into {
    fn open(context: &Context) -> Result<Self> {
        Ok(if context.store.exists() {
            Self::There(Box::new(context.reading()?))
        } else {
            Self::Made(Box::new(store::Draft::begin(&context.store, context.now)?))
        })
    }

    fn store(&mut self) -> &mut Store {
        match self {
            Self::There(store) => store,
            Self::Made(draft) => draft.store(),
        }
    }

    fn finish(self, dry_run: bool) -> Result {
        if let (Self::Made(draft), false) = (self, dry_run)
            && !draft.publish()?
        {
            return Err(Error::new(
                Kind::Store,
                "another process made the store in the meantime; nothing was taken",
            )
            .with_hint("run the import again"));
        }
        Ok(())
    }
}

impl Import {
    /// Imports; exits with 3 where records were rejected.
    pub fn run(self, context: &Context) -> Result<u8> {
        let name = self.file.display().to_string();
        let mut reader = self.reader()?;
        if export::is_export(&mut reader).map_err(|error| Error::unreadable(&self.file, &error))? {
            self.for_records_only()?;
            return export::restore(reader, &self.file, self.dry_run, context).map(|()| 0);
        }
        let rejects = RefCell::new(Rejects::new(self.rejects()?, self.dry_run)?);
        let defaults = self.defaults(context)?;
        let import = store::Import { batch: defaults.batch.clone(), dry_run: self.dry_run, each: self.each };
        let (stops, left_out) = (self.on_error == OnError::Stop, RefCell::new(LeftOut::default()));
        let raw: RefCell<Vec<u8>> = RefCell::default();
        let incoming = records(reader, defaults).filter_map(|item| {
            let (element, read) = match item {
                Ok(read) => read,
                Err(error) => return Some(Err(Error::unreadable(&self.file, &error))),
            };
            raw.replace(element.bytes.clone());
            match read {
                Ok(record) => {
                    left_out.borrow_mut().note(&record);
                    Some(Ok(record))
                }
                Err(fault) if stops => Some(Err(Error::in_file(&name, &fault))),
                Err(fault) => rejects.borrow_mut().keep(&element.bytes, &name, &fault).err().map(Err),
            }
        });
        let clash = |record: &Incoming| {
            let id = &record.record.id;
            let at = Position { line: record.line, column: 1 };
            let expected = "a new id, or the same content as before";
            let said = format!("record {id} is there already with other content; nothing is overwritten");
            let fault = Fault::new(at, said, expected).about("id");
            if stops {
                Err(Error::in_file(&name, &fault))
            } else {
                rejects.borrow_mut().keep_read(&raw.borrow(), &name, &fault)
            }
        };
        let mut meter = Meter::new();
        let mut into = Into::open(context)?;
        let done = into.store().import(&context.by(), &import, incoming, clash, |read| {
            meter.tell(read, || format!("{read} records read"));
        });
        meter.clear();
        let mut done = done?;
        into.finish(self.dry_run)?;
        let rejected = rejects.into_inner();
        done.read += rejected.unread;
        left_out.into_inner().warn();
        rejected.warn();
        self.report(context, &done, &import.batch, rejected.count)?;
        Ok(if rejected.count > 0 { Kind::Input.exit_code() } else { 0 })
    }

    /// An export says of itself what these options would supply.
    fn for_records_only(&self) -> Result {
        let given = [
            ("--epoch", self.epoch.is_some()),
            ("--batch", self.batch.is_some()),
            ("--tz", self.tz.is_some()),
            ("--on-error skip", self.on_error == OnError::Skip),
            ("--each", self.each),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Error::new(
                Kind::Usage,
                format!("{option} is for records, and this is an export of a whole store"),
            )
            .with_hint("leave it out: an export is brought back as it is, or not at all")),
            None => Ok(()),
        }
    }

    fn reader(&self) -> Result<Box<dyn BufRead>> {
        if self.file.as_os_str() == "-" {
            return Ok(Box::new(BufReader::with_capacity(1 << 16, stdin())));
        }
        let unreadable = |error| {
            Error::unreadable(&self.file, &error).with_hint("name a file that is there, or - for standard input")
        };
        let file = File::open(&self.file).map_err(unreadable)?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
    }

    fn report(&self, context: &Context, done: &Imported, batch: &Batch, rejected: u64) -> Result {
        if context.json {
            done.landings.iter().try_for_each(|landed| print_json(&json::landed(landed)))?;
            return print_json(&json::imported(done, batch, rejected));
        }
        print(&render(done, batch, rejected, self.dry_run, context.style))
    }
}

fn render(done: &Imported, batch: &Batch, rejected: u64, dry_run: bool, style: Style) -> String {
    let mut page = Page::new(style);
    let rows: Vec<Vec<Cell>> = done.landings.iter().map(landing_row).collect();
    if !rows.is_empty() {
        page.table(&["line", "record", "", "pair", ""], &rows).gap();
    }
    if dry_run {
        page.line([Cell::strong("a dry run: nothing was written")]);
    }
    let unslotted = if done.unslotted > 0 { format!(", {} unslotted", done.unslotted) } else { String::new() };
    page.line([
        Cell::strong(format!("{} added", words::count(done.added, "record"))),
        Cell::plain(format!(
            "of {} read ({} there already, {rejected} rejected{unslotted}), batch {batch}",
            done.read, done.duplicates
        )),
    ]);
    let outcomes: Vec<String> = done.outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    if !outcomes.is_empty() {
        page.line([Cell::plain(outcomes.join(", "))]);
    }
    answers(&mut page, done);
    let tone = if done.pairs_opened > 0 { Tone::Bad } else { Tone::Good };
    page.line([
        Cell::new(tone, format!("{} opened", words::count(done.pairs_opened, "pair"))),
        Cell::plain(format!("{} closed", done.pairs_closed)),
        Cell::quiet(if done.pairs_opened > 0 { "(gainsay queue lists them, gainsay opens the UI)" } else { "" }),
    ]);
    page.text().to_owned()
}

/// How many were answers to requests, and why some of them settled nothing.
fn answers(page: &mut Page, done: &Imported) {
    let (settled, short) = done.answers;
    if settled + short == 0 {
        return;
    }
    let tone = if short > 0 { Tone::Bad } else { Tone::Good };
    page.line([
        Cell::plain(format!("{} settled what was asked,", words::count(settled, "answer"))),
        Cell::new(tone, format!("{short} did not")),
    ]);
    for (request, it) in &done.fell_short {
        let told = format!("  {} answers request {request}: {}", it.record, it.why);
        page.line([Cell::plain(told)]);
    }
    let more = short.saturating_sub(done.fell_short.len() as u64);
    if more > 0 {
        page.line([Cell::quiet(format!("  and {more} more (gainsay log --kind unseen)"))]);
    }
}

fn landing_row(landed: &Landed) -> Vec<Cell> {
    let grounds: Vec<&str> = landed.grounds.iter().map(|ground| ground.name()).collect();
    let answers = match &landed.answers {
        None => String::new(),
        Some((request, None)) => format!(" answers request {request}"),
        Some((request, Some(why))) => format!(" answers request {request}, and settles nothing: {why}"),
    };
    let with = landed.with.as_ref().map(|with| format!("with {with} ")).unwrap_or_default();
    vec![
        Cell::quiet(landed.line.to_string()),
        Cell::plain(landed.id.as_str()),
        Cell::strong(landed.outcome.name()),
        Cell::plain(landed.pair.map(|pair| pair.to_string()).unwrap_or_default()),
        Cell::quiet(format!("{with}{}{answers}", grounds.join(", "))),
    ]
}
