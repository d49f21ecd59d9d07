//! `gainsay man` and `gainsay completions`: made from the same definitions as the help.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::error::{Error, Kind, Result};

use super::Arguments;
use super::output::print;

/// Print the manual page of gainsay, or of one of its commands
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Man {
    /// gainsay import has the page gainsay-import
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// Print a completion script for a shell
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Completions {
    /// The shell to complete for
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

impl Man {
    pub fn run(&self) -> Result {
        print(&self.page()?)
    }

    /// The page as roff.
    pub fn page(&self) -> Result<String> {
        let mut whole = Arguments::command();
        whole.build();
        let command = match &self.command {
            None => whole,
            Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
                Error::new(Kind::Usage, format!("there is no command {name}"))
                    .with_hint("`gainsay help` lists them")
            })?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| Error::internal("the manual page cannot be made").caused_by(&error))?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    }
}

impl Completions {
    pub fn run(&self) -> Result {
        print(&self.script())
    }

    /// The script for the shell.
    pub fn script(&self) -> String {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "gainsay", &mut script);
        String::from_utf8_lossy(&script).into_owned()
    }
}
