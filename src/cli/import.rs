//! `gainsay import`: records into the store.

use std::path::{Path, PathBuf};

use chrono_tz::Tz;

use crate::core::record::{Batch, Epoch};
use crate::error::{Error, Kind, Result};
use crate::wire::Defaults;

use super::context::Context;
use super::parse;

/// Take records into the store; each is judged as it lands
///
/// Reads JSON Lines, or one JSON array. The file is taken whole or not at all, unless --on-error skip. Importing it
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
    pub fn defaults(&self, context: &Context) -> Defaults {
        let batch = self.batch.clone().unwrap_or_else(|| self.made_batch(context));
        Defaults { now: context.now, batch, epoch: self.epoch, zone: self.tz }
    }

    /// A name that people recognise: what was read, and when.
    fn made_batch(&self, context: &Context) -> Batch {
        let name = self.file.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
        let name = if name == "-" { "stdin".into() } else { name };
        Batch::from(format!("import {name} {}", context.now).as_str())
    }
}
