//! `gainsay alias`: which names are one subject.

use crate::core::order::Order;
use crate::core::record::Subject;
use crate::core::ruling::AliasVerdict;

use crate::core::identity;
use crate::error::Result;

use super::context::Context;
use super::output::{Cell, Page, Style, warn};
use super::unknown::subjects;
use super::{json, parse};

/// Say which names are one subject: similar names are not, until someone confirms it
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Alias {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Clone, Debug, PartialEq, clap::Subcommand)]
pub enum Verb {
    /// List what was said of any two names
    List,
    /// Two names may be one subject: their contradictions join the queue
    Propose(Names),
    /// Two names are one subject: their slots merge and settle
    Confirm(Names),
    /// Two names are two subjects: they are never paired again
    Deny(Names),
}

/// Two names; the first is the one under which their slots are kept.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Names {
    /// One name: the one under which their slots are kept
    #[arg(value_name = "A", value_parser = parse::subject)]
    pub first: Subject,
    /// The other name
    #[arg(value_name = "B", value_parser = parse::subject)]
    pub second: Subject,
}

impl Alias {
    pub fn run(self, context: &Context) -> Result {
        if let Some(order) = self.clone().order() {
            // Before it is written: a name that is confirmed has the other's records.
            let names = self.names();
            let unknown = names.map_or(Ok(Vec::new()), |names| subjects([&names.first, &names.second], context))?;
            context.rule(&order)?;
            unknown.iter().for_each(|error| warn(error, context.colour));
            return Ok(());
        }
        let aliases = context.reading()?.aliases()?;
        context.say(|| aliases.iter().map(json::alias).collect(), || render(&aliases, context.style))
    }

    /// The names that something is said of.
    fn names(self) -> Option<Names> {
        match self.verb {
            Verb::List => None,
            Verb::Propose(names) | Verb::Confirm(names) | Verb::Deny(names) => Some(names),
        }
    }

    /// The order; none where the aliases are only to be listed.
    pub fn order(self) -> Option<Order> {
        let (names, verdict) = match self.verb {
            Verb::List => return None,
            Verb::Propose(names) => (names, AliasVerdict::Proposed),
            Verb::Confirm(names) => (names, AliasVerdict::Confirmed),
            Verb::Deny(names) => (names, AliasVerdict::Denied),
        };
        Some(Order::Alias { names: (names.first, names.second), verdict })
    }
}

fn render(aliases: &[identity::Alias], style: Style) -> String {
    let mut page = Page::new(style);
    if aliases.is_empty() {
        return page.line([Cell::quiet("nothing was said of any two names")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = aliases
        .iter()
        .map(|alias| {
            vec![
                Cell::plain(alias.names.0.as_str()),
                Cell::plain(alias.names.1.as_str()),
                Cell::strong(alias.verdict.name()),
                Cell::quiet(format!("ruling {}", alias.ruling)),
            ]
        })
        .collect();
    page.table(&["name", "other name", "one subject?", ""], &rows).text().to_owned()
}
