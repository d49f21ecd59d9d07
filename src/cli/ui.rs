//! `gainsay tui` and `gainsay demo`: the terminal UI.

use serde_json::json;

use crate::error::Result;

use super::context::Context;
use super::demo;
use super::output::{Cell, Page, Style};
use super::words::count;

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

impl Tui {
    pub fn run(self, _context: &Context) -> Result {
        Ok(())
    }
}

impl Demo {
    pub fn run(self, context: &Context) -> Result {
        let filled = demo::fill(context)?;
        if self.no_tui {
            let told = filled.keep();
            return context.say(
                || {
                    json!({
                        "store": told.store.display().to_string(), "records": told.records, "batches": told.batches,
                        "open": told.open,
                    })
                },
                || render(&told, context.style),
            );
        }
        Ok(())
    }
}

fn render(told: &demo::Told, style: Style) -> String {
    let mut page = Page::new(style);
    let store = told.store.display();
    page.line([
        Cell::strong(count(told.records, "record")),
        Cell::plain(format!("of {}, {} wait for a person", count(told.batches, "batch"), count(told.open, "pair"))),
    ]);
    page.line([Cell::plain(format!("gainsay --store {store}"))]);
    page.line([Cell::plain(format!("gainsay --store {store} queue"))]);
    page.text().to_owned()
}
