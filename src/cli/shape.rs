//! In what shape a file comes: which format it is in, said or recognised, and its objects.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Cursor, Read, Seek, Write, stdin};
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use crate::error::{Error, Kind, Result};
use crate::formats;
use crate::formats::ahead::Ahead;
use crate::formats::cut::{Cut, Objects};
use crate::formats::dates::DateOrder;
use crate::formats::recognise::{Carrier, Recognised, Unknown, carrier, recognise};
use crate::formats::said::{self, Saying};
use crate::formats::tally::Tally;
use crate::formats::{Format, Mapping, reading, shipped};
use crate::store::foreign;
use crate::wire::archive;
use crate::wire::record::records;
use crate::wire::{Defaults, Element, Fault, Incoming};

use super::context::Context;
use super::database::{self, Table};
use super::repository::Repository;
use super::words;

/// What is said of a file's shape; what is not said is told by its content.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "The shape of the file")]
pub struct Shape {
    /// The format: a name (gainsay formats lists them) or a file [default: told by the content]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Where a field of the records stands: subject=.user_id, value=.content, attribute.home_city=.City, source.kind=crm
    #[arg(long, value_name = "FIELD=PATH", value_parser = said::read)]
    pub map: Vec<Saying>,
    /// Which comes first in dates like 04/05/2025; where it matters and nobody says, they are errors
    #[arg(long, value_name = "ORDER", value_enum)]
    pub dates: Option<Dates>,
    /// The encoding of a table that is not UTF-8: latin1, windows-1252, shift_jis …
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub encoding: Option<&'static Encoding>,
    /// The table of a SQLite file [default: the one that fits a format]
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// Read a JSON, TOML or YAML file through the history of its git repository: each commit observes each key
    #[arg(long, value_name = "PATH", conflicts_with_all = ["file", "format", "map", "table", "encoding"])]
    pub git_file: Option<PathBuf>,
    /// The keys of the file that are wanted, as in server.port [default: all]
    #[arg(long, value_name = "KEY", requires = "git_file", num_args = 1.., value_parser = key)]
    pub key: Vec<formats::path::Path>,
    /// What it means that the next version of an object no longer says something
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    pub absent: Absent,
}

/// Which comes first in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Dates {
    DayFirst,
    MonthFirst,
}

/// What the absence of something means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Absent {
    /// Nothing: it is told
    #[default]
    Report,
    /// It was taken back
    Retract,
}

fn key(name: &str) -> std::result::Result<formats::path::Path, String> {
    let rooted = if name.starts_with('.') { name.to_owned() } else { format!(".{name}") };
    rooted.parse()
}

fn encoding(name: &str) -> std::result::Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes())
        .ok_or_else(|| "there is no such encoding: names are as in latin1".to_owned())
}

/// A file that was looked at.
pub(super) struct Opened {
    pub(super) format: Format,
    /// Why this format; none where it was said.
    pub(super) because: Option<String>,
    input: Input,
}

/// Where the objects come from.
enum Input {
    Bytes {
        carrier: Carrier,
        head: Vec<u8>,
        file: Option<File>,
    },
    Rows(Table),
    Commits(Repository),
    /// A whole store, as `export` wrote it.
    Export(Vec<u8>, Option<File>),
}

/// One object of a file, and the records that it became, or why none.
pub(super) type Taken = (Element, std::result::Result<Vec<Incoming>, Fault>);

/// So much of a file is looked at to tell its format.
const HEAD: u64 = 256 * 1024;
/// So much where a single object is longer than that.
const LONG_HEAD: u64 = 9 * 1024 * 1024;

impl Shape {
    /// Opens the file, or standard input for `-`, and tells its format.
    pub(super) fn open(&self, path: &Path, context: &Context) -> Result<Opened> {
        if let Some(file) = &self.git_file {
            let repository = Repository::open(file, &self.key)?;
            return Ok(Opened { format: named("git", context)?, because: None, input: Input::Commits(repository) });
        }
        let unreadable = |error| Error::unreadable(path, &error);
        let mut file = match path.as_os_str() == "-" {
            true => None,
            false => Some(File::open(path).map_err(|error| {
                unreadable(error).with_hint("name a file that is there, or - for standard input")
            })?),
        };
        let mut head = Vec::new();
        read_head(file.as_mut(), &mut head, HEAD).map_err(unreadable)?;
        if head.starts_with(archive::BEGINS.as_bytes()) {
            return Ok(Opened {
                format: named("jsonl", context)?,
                because: None,
                input: Input::Export(head, file),
            });
        }
        if head.starts_with(foreign::MAGIC) {
            return self.open_database(path, file.is_some(), context);
        }
        if self.table.is_some() {
            return Err(Error::new(Kind::Usage, "--table belongs to SQLite files, and this is none"));
        }
        let told = match self.tell(&head, context)? {
            Err(unknown) if unknown.objects == 0 && head.len() as u64 >= HEAD => {
                read_head(file.as_mut(), &mut head, LONG_HEAD - HEAD).map_err(unreadable)?;
                self.tell(&head, context)?
            }
            told => told,
        };
        let (format, carrier, because) = told.map_err(|unknown| fits_none(path, &unknown))?;
        let opened = Opened { format, because, input: Input::Bytes { carrier, head, file } };
        if opened.format.looks_ahead() { opened.spooled().map_err(unreadable) } else { Ok(opened) }
    }

    fn open_database(&self, path: &Path, is_file: bool, context: &Context) -> Result<Opened> {
        if !is_file {
            return Err(Error::unreadable_as(path, "a SQLite file cannot come through standard input")
                .with_hint("name the file itself"));
        }
        let said = self.said(context)?;
        let (table, format, because) = database::open(path, self.table.as_deref(), said, &all(context)?)?;
        Ok(Opened { format, because, input: Input::Rows(table) })
    }

    /// The format that was said, by its name or field by field.
    fn said(&self, context: &Context) -> Result<Option<Format>> {
        let Some(name) = &self.format else {
            return Ok((!self.map.is_empty()).then(|| said::format(&self.map)));
        };
        let format = named(name, context)?;
        if format.native && !self.map.is_empty() {
            let said = format!("the records of {name} are read as they are: --map has no place there");
            return Err(Error::new(Kind::Usage, said)
                .with_hint("leave --format out: the mapping alone says what the objects are"));
        }
        Ok(Some(if self.map.is_empty() { format } else { said::over(format, &self.map) }))
    }

    /// The format and the carrier, said or told by the content.
    fn tell(&self, head: &[u8], context: &Context) -> Result<Told> {
        let whole = (head.len() as u64) < HEAD;
        if let Some(format) = self.said(context)? {
            let carrier = self.in_encoding(carrier(head, whole, &format));
            return Ok(Ok((format, carrier, None)));
        }
        Ok(recognise(head, whole, &all(context)?).map(|it| {
            let Recognised { format, carrier, because } = it;
            (format, self.in_encoding(carrier), Some(because))
        }))
    }

    fn in_encoding(&self, carrier: Carrier) -> Carrier {
        match carrier {
            Carrier::Table(mut layout) => {
                layout.encoding = self.encoding.or(layout.encoding);
                Carrier::Table(layout)
            }
            Carrier::Json(_) => carrier,
        }
    }

    pub(super) fn order(&self) -> Option<DateOrder> {
        self.dates.map(|dates| match dates {
            Dates::DayFirst => DateOrder::DayFirst,
            Dates::MonthFirst => DateOrder::MonthFirst,
        })
    }
}

type Told = std::result::Result<(Format, Carrier, Option<String>), Unknown>;

fn read_head(file: Option<&mut File>, head: &mut Vec<u8>, most: u64) -> std::io::Result<usize> {
    match file {
        Some(file) => file.take(most).read_to_end(head),
        None => stdin().lock().take(most).read_to_end(head),
    }
}

/// The user's own formats, then those that ship.
pub(super) fn all(context: &Context) -> Result<Vec<Format>> {
    let mut formats = own(context)?.into_iter().map(|(_, format)| format).collect::<Vec<_>>();
    formats
        .extend(shipped::all().map_err(|fault| Error::internal(format!("a shipped format is broken: {fault}")))?);
    Ok(formats)
}

/// The formats in the folder `formats` beside the configuration, in the order of their names.
pub(super) fn own(context: &Context) -> Result<Vec<(PathBuf, Format)>> {
    let folder = context.config.with_file_name("formats");
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension() == Some(OsStr::new("json")))
        .collect();
    paths.sort();
    paths.into_iter().map(|path| from_file(&path).map(|format| (path, format))).collect()
}

fn from_file(path: &Path) -> Result<Format> {
    let bytes = fs::read(path).map_err(|error| Error::unreadable(path, &error))?;
    reading::read(&bytes).map_err(|fault| Error::in_file(&path.display().to_string(), &fault))
}

/// The format of that name, or in that file.
pub(super) fn named(name: &str, context: &Context) -> Result<Format> {
    if name.contains('/') || Path::new(name).extension() == Some(OsStr::new("json")) {
        return from_file(Path::new(name));
    }
    let formats = all(context)?;
    let known: Vec<String> = formats.iter().map(|format| format.name.clone()).collect();
    formats.into_iter().find(|format| format.name == name).ok_or_else(|| {
        Error::new(Kind::Usage, format!("there is no format {name}")).with_hint(format!(
            "there are {}; a file of your own is named by its path (./{name}.json)",
            known.join(", ")
        ))
    })
}

fn fits_none(path: &Path, unknown: &Unknown) -> Error {
    const ENOUGH: usize = 20;
    let keys: Vec<String> =
        unknown.keys.iter().take(ENOUGH).map(|(key, count)| format!("{key} ({count})")).collect();
    let mut said = format!("it fits no format: {}", unknown.carrier);
    if !keys.is_empty() {
        said.push_str(&format!(
            "; keys seen in {}: {}",
            words::count(unknown.objects as u64, "object"),
            keys.join(", ")
        ));
    }
    if let Some((format, missing)) = &unknown.nearest {
        said.push_str(&format!("; the nearest format is {format}, which asks for {}", missing.join(" and ")));
    }
    Error::unreadable_as(path, said).with_hint(
        "say what its keys mean: --map subject=.KEY --map value=.KEY, or write a format (gainsay formats show NAME)",
    )
}

impl Opened {
    /// The same input in a file that can be read twice.
    fn spooled(mut self) -> std::io::Result<Self> {
        if let Input::Bytes { head, file: file @ None, .. } = &mut self.input {
            let mut spool = tempfile::tempfile()?;
            spool.write_all(head)?;
            std::io::copy(&mut stdin().lock(), &mut spool)?;
            *file = Some(spool);
        }
        Ok(self)
    }

    /// The line of headings that belongs above rejected rows.
    pub(super) fn headings(&self) -> Option<Vec<u8>> {
        match &self.input {
            Input::Bytes { carrier: Carrier::Table(layout), head, .. } => Some(layout.headings(head)),
            Input::Bytes { carrier: Carrier::Json(_), .. }
            | Input::Rows(_)
            | Input::Commits(_)
            | Input::Export(..) => None,
        }
    }

    /// The lines of a whole store, where it is one.
    pub(super) fn export(&self) -> Option<std::io::Result<Box<dyn BufRead>>> {
        match &self.input {
            Input::Export(head, file) => Some(reader(head, file.as_ref())),
            Input::Bytes { .. } | Input::Rows(_) | Input::Commits(_) => None,
        }
    }

    fn objects(&self) -> std::io::Result<Objects<'static>> {
        Ok(match &self.input {
            Input::Bytes { carrier: Carrier::Json(cut), head, file } => {
                cut.objects(reader(head, file.as_ref())?, &self.format)
            }
            Input::Bytes { carrier: Carrier::Table(layout), head, file } => {
                layout.objects(reader(head, file.as_ref())?)
            }
            Input::Rows(table) => table.objects(),
            Input::Commits(repository) => repository.objects(),
            Input::Export(head, file) => Cut::Lines.objects(reader(head, file.as_ref())?, &self.format),
        })
    }

    /// What a first reading finds, where the format needs one.
    pub(super) fn ahead(&self) -> std::io::Result<Ahead> {
        let mut ahead = Ahead::default();
        if self.format.looks_ahead() {
            for object in self.objects()? {
                if let Ok(value) = object?.value {
                    ahead.look(&self.format, &value);
                }
            }
        }
        Ok(ahead)
    }

    /// Every object with its records. Gainsay's own lines are read as they are.
    pub(super) fn taken<'a>(
        &self,
        mapping: Mapping<'a>,
        defaults: &'a Defaults,
        tally: &'a RefCell<Tally>,
    ) -> std::io::Result<Box<dyn Iterator<Item = std::io::Result<Taken>> + 'a>> {
        if let (true, Input::Bytes { head, file, .. }) = (self.format.native, &self.input) {
            let read = records(reader(head, file.as_ref())?, defaults.clone());
            return Ok(Box::new(read.map(|item| item.map(|(element, read)| (element, read.map(|it| vec![it]))))));
        }
        Ok(Box::new(self.objects()?.map(move |object| {
            let object = object?;
            let records =
                object.value.and_then(|value| mapping.records(&object.element, &value, &mut tally.borrow_mut()));
            Ok((object.element, records))
        })))
    }
}

/// The whole input from its beginning.
fn reader(head: &[u8], file: Option<&File>) -> std::io::Result<Box<dyn BufRead>> {
    const BUFFER: usize = 1 << 16;
    let begun = || Cursor::new(head.to_vec());
    let Some(file) = file else { return Ok(Box::new(begun().chain(BufReader::with_capacity(BUFFER, stdin())))) };
    let mut file = file.try_clone()?;
    match file.rewind() {
        Ok(()) => Ok(Box::new(BufReader::with_capacity(BUFFER, file))),
        // What cannot go back (a pipe that was named as a file) goes on from what was read.
        Err(_) => Ok(Box::new(begun().chain(BufReader::with_capacity(BUFFER, file)))),
    }
}
