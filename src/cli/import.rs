//! `gainsay import`: records into the store.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use chrono_tz::Tz;

use crate::core::record::{Batch, Epoch};
use crate::error::{Error, Kind, Result};
use crate::formats::Mapping;
use crate::formats::tally::Tally;
use crate::store::{self, Clash, Store};
use crate::wire::record::Incoming;
use crate::wire::{Defaults, Fault, Position};

use super::context::Context;
use super::intake::{LeftOut, Rejects, Seen};
use super::meter::Meter;
use super::shape::{Absent, Opened, Shape, Taken};
use super::summary::Summary;
use super::{export, parse};

/// Take records into the store; each is judged as it lands
///
/// Reads Gainsay's own JSON Lines, the files of other memories (the format is told by the content), and what `gainsay
/// export` wrote (into an empty store). The file is taken whole or not at all, unless --on-error skip. Importing it again
/// adds nothing; a record whose id is already there with other content is an error, for nothing is overwritten.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Import {
    /// The file, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "git_file")]
    pub file: Option<PathBuf>,
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
    #[command(flatten)]
    pub shape: Shape,
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
    /// What is read: the file, or the one whose history is.
    fn path(&self) -> &Path {
        self.shape.git_file.as_deref().or(self.file.as_deref()).unwrap_or(Path::new("-"))
    }

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
        let name = self.path().file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
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
        context.may_make()?;
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
        let mut rejects = Rejects::new(self.rejects()?, self.dry_run)?;
        let defaults = self.defaults(context)?;
        let opened = self.shape.open(self.path(), context)?;
        let unreadable = |error| Error::unreadable(self.path(), &error);
        if let Some(reader) = opened.export().transpose().map_err(unreadable)? {
            self.for_records_only()?;
            return export::restore(reader, self.path(), self.dry_run, context).map(|()| 0);
        }
        rejects.headings = opened.headings();
        let ahead = opened.ahead().map_err(unreadable)?;
        let mapping = Mapping {
            format: &opened.format,
            defaults: &defaults,
            dates: self.shape.order(),
            ahead: &ahead,
            absent_retracts: self.shape.absent == Absent::Retract,
        };
        let tally = RefCell::new(Tally::default());
        let objects = opened.taken(mapping, &defaults, &tally).map_err(unreadable)?;
        let objects = objects.map(|item| item.map_err(unreadable));
        let intake = Intake::new(&self, rejects);
        let import = store::Import { batch: defaults.batch.clone(), dry_run: self.dry_run, each: self.each };
        let mut meter = Meter::new();
        let mut into = Into::open(context)?;
        let done = into.store().import(
            &context.by(),
            &import,
            objects.flat_map(|item| intake.take(item)),
            |clash| intake.clash(clash),
            |read| meter.tell(read, || format!("{read} records read")),
        );
        meter.clear();
        let mut done = done?;
        into.finish(self.dry_run)?;
        self.close(context, &opened, intake, &tally.into_inner(), &mut done, &import.batch)
    }

    /// An export says of itself what these options would supply.
    fn for_records_only(&self) -> Result {
        let given = [
            ("--epoch", self.epoch.is_some()),
            ("--batch", self.batch.is_some()),
            ("--tz", self.tz.is_some()),
            ("--on-error skip", self.on_error == OnError::Skip),
            ("--each", self.each),
            ("--format", self.shape.format.is_some()),
            ("--map", !self.shape.map.is_empty()),
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

    /// Says what came of it.
    fn close(
        &self,
        context: &Context,
        opened: &Opened,
        intake: Intake,
        tally: &Tally,
        done: &mut store::Imported,
        batch: &Batch,
    ) -> Result<u8> {
        let (rejects, seen) = (intake.rejects.into_inner(), intake.seen.into_inner());
        done.read += rejects.unread;
        let mut left_out = intake.left_out.into_inner();
        left_out.extend(&tally.left_out);
        left_out.warn();
        rejects.warn();
        let summary = Summary { done, batch, rejected: rejects.count, dry_run: self.dry_run, seen, opened, tally };
        summary.say(context)?;
        Ok(if rejects.count > 0 { Kind::Input.exit_code() } else { 0 })
    }
}

/// What stands between the objects of a file and the store: rejects, and what is counted on the way.
struct Intake {
    name: String,
    stops: bool,
    rejects: RefCell<Rejects>,
    left_out: RefCell<LeftOut>,
    seen: RefCell<Seen>,
    /// Whether a record must be left out as it came.
    keeps: bool,
}

impl Intake {
    fn new(import: &Import, rejects: Rejects) -> Self {
        Self {
            name: import.path().display().to_string(),
            stops: import.on_error == OnError::Stop,
            keeps: rejects.keeps(),
            rejects: RefCell::new(rejects),
            left_out: RefCell::default(),
            seen: RefCell::default(),
        }
    }

    /// The records of an object; where it gave none for a fault, the end of the import or nothing.
    fn take(&self, item: Result<Taken>) -> Vec<Result<Incoming>> {
        let (element, read) = match item {
            Ok(taken) => taken,
            Err(error) => return vec![Err(error)],
        };
        let mut seen = self.seen.borrow_mut();
        seen.objects += 1;
        match read {
            Ok(records) => {
                for record in &records {
                    self.left_out.borrow_mut().note(record);
                    seen.note(&record.record);
                }
                let raw = if self.keeps { element.bytes } else { Vec::new() };
                records.into_iter().map(|record| Ok(Incoming { raw: raw.clone(), ..record })).collect()
            }
            Err(fault) if self.stops => vec![Err(Error::in_file(&self.name, &fault))],
            Err(fault) => {
                seen.rejected += 1;
                let kept = self.rejects.borrow_mut().keep(&element.bytes, &self.name, &fault);
                kept.err().map(Err).into_iter().collect()
            }
        }
    }

    /// A record whose id is there already with other content.
    fn clash(&self, clash: &Clash) -> Result {
        let Clash { id, line, raw } = clash;
        let at = Position { line: *line, column: 1 };
        let expected = "a new id, or the same content as before";
        let said = format!("record {id} is there already with other content; nothing is overwritten");
        let fault = Fault::new(at, said, expected).about("id");
        if self.stops {
            return Err(Error::in_file(&self.name, &fault));
        }
        self.seen.borrow_mut().rejected += 1;
        self.rejects.borrow_mut().keep_read(raw, &self.name, &fault)
    }
}
