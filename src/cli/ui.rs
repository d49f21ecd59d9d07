//! `gainsay tui` and `gainsay demo`: the terminal UI.

/// Open the terminal UI on the store (what gainsay does without a command)
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub struct Tui {}

/// Open the terminal UI on a throw-away store filled with incidents
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Demo {
    /// Print where the store is and what is in it, and leave it there
    #[arg(long)]
    pub no_tui: bool,
}
