//! `gainsay formats`: the shapes of memory that import knows.

use serde_json::json;

use crate::error::{Error, Kind, Result};
use crate::formats::{Format, shipped};

use super::context::Context;
use super::output::{Cell, Page, print};
use super::shape;

/// List the formats that import knows, or show one
///
/// A format is a file that says how a memory's objects become records. `gainsay formats show mcp > mine.json` starts one
/// of your own: name it with --format ./mine.json, or keep it in the folder `formats` beside your configuration, where
/// it is recognised as those that ship are.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Formats {
    #[command(subcommand)]
    pub what: Option<What>,
}

#[derive(Clone, Debug, PartialEq, clap::Subcommand)]
pub enum What {
    /// Every format, with what it is
    List,
    /// The file of one format
    Show {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
    },
}

impl Formats {
    pub fn run(self, context: &Context) -> Result {
        match self.what.unwrap_or(What::List) {
            What::List => list(context),
            What::Show { name } => show(&name, context),
        }
    }
}

fn list(context: &Context) -> Result {
    let own: Vec<String> = shape::own(context)?.into_iter().map(|(path, _)| path.display().to_string()).collect();
    let formats = shape::all(context)?;
    let from = |at: usize| own.get(at).map_or("shipped", String::as_str);
    if context.json {
        let line = |(at, format): (usize, &Format)| {
            json!({"name": format.name, "about": format.about, "from": from(at),
                "kinds": format.kinds.iter().map(|kind| kind.name.as_str()).collect::<Vec<_>>()})
        };
        let all: Vec<_> = formats.iter().enumerate().map(line).collect();
        return super::print_json(&json!(all));
    }
    let rows: Vec<Vec<Cell>> = formats
        .iter()
        .enumerate()
        .map(|(at, format)| {
            vec![
                Cell::strong(&format.name),
                Cell::plain(&format.about),
                Cell::quiet(if at < own.len() { from(at) } else { "" }),
            ]
        })
        .collect();
    let mut page = Page::new(context.style);
    page.table(&["format", "", ""], &rows);
    print(page.text())
}

fn show(name: &str, context: &Context) -> Result {
    if let Some((path, _)) = shape::own(context)?.into_iter().find(|(_, format)| format.name == name) {
        let bytes = std::fs::read(&path).map_err(|error| Error::unreadable(&path, &error))?;
        return print(&String::from_utf8_lossy(&bytes));
    }
    match shipped::file(name) {
        Some(file) => print(file),
        None => {
            Err(Error::new(Kind::Usage, format!("there is no format {name}"))
                .with_hint("`gainsay formats` lists them"))
        }
    }
}
