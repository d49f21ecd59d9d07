//! `gainsay generate`: records made up for measuring. Not in the help: it serves who builds this program.

use crate::error::{Error, Kind, Result};
use crate::wire::generate::{Generator, Mix};

use super::output::print;

/// Write made-up records as JSON Lines, for measuring: the same seed gives the same bytes
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[command(hide = true)]
pub struct Generate {
    /// How many records
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub records: u64,
    /// Over how many subjects [default: twice as many as are needed]
    #[arg(long, value_name = "M")]
    pub subjects: Option<u64>,
    /// Other seeds give other records of the same mix
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Slots of each story in a block: lone, agreeing, superseding, retracted, hot, or a ground; and `unicode` of 1000
    #[arg(long, value_name = "STORY=SLOTS,..", default_value_t)]
    pub mix: Mix,
}

impl Generate {
    pub fn run(self) -> Result {
        let made = Generator::new(self.records, self.subjects, self.seed, self.mix).map_err(|least| {
            Error::new(Kind::Usage, format!("so many records of this mix need {least} subjects or more"))
                .with_hint(format!("--subjects {least}, or none at all"))
        })?;
        let mut lines = String::new();
        for line in made.lines() {
            lines.push_str(&line);
            lines.push('\n');
            if lines.len() > 1 << 16 {
                print(&lines)?;
                lines.clear();
            }
        }
        print(&lines)
    }
}
