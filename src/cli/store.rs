//! Commands on the store as a whole: `batches`, `requests`, `verify`, `backup`.

use std::path::PathBuf;

use crate::core::record::Batch;

use super::parse;

/// List imports and source batches, or look into one
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Batches {
    /// The batch to look into
    #[arg(value_name = "BATCH", value_parser = parse::batch)]
    pub batch: Option<Batch>,
}

/// List the re-observations that are asked for, for agents and people to answer
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Requests {}

/// Check the store: the hash chain, its integrity, and every slot settled anew
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Verify {}

/// Write a consistent copy of the store, while others may go on writing
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Backup {
    /// The copy; it must not exist yet
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
