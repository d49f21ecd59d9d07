//! `gainsay log`: what happened, event by event.

use crate::core::record::Subject;
use crate::core::time::Instant;

use crate::error::{Error, Result};
use crate::store::{Event, LogFilter};

use super::context::Context;
use super::output::{Cell, Page, Style, print, print_json};
use super::{json, parse};

/// Show the event log
///
/// With --actor NAME, only what NAME did.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Log {
    /// Only events of this kind
    #[arg(long, value_name = "K", value_parser = KINDS)]
    pub kind: Option<String>,
    /// Only from this time on
    #[arg(long, value_name = "T", value_parser = parse::first_moment)]
    pub since: Option<Instant>,
    /// Only about this subject
    #[arg(long, value_name = "S", value_parser = parse::subject)]
    pub subject: Option<Subject>,
}

/// The kinds of events (INTERFACE 3).
pub const KINDS: [&str; 19] = [
    "created",
    "import",
    "resolved",
    "pair_opened",
    "pair_closed",
    "epoch_change",
    "accept",
    "override",
    "link",
    "request",
    "reobserved",
    "rederive",
    "withdraw",
    "declare",
    "alias",
    "dispute",
    "defer",
    "note",
    "undo",
];

impl Log {
    pub fn run(self, context: &Context) -> Result {
        let filter = LogFilter {
            actor: context.actor_named.then(|| context.actor.clone()),
            kind: self.kind,
            since: self.since,
            subject: self.subject,
            after: None,
        };
        context.reading()?.log(&filter, |event| -> std::result::Result<(), Error> {
            if context.json { print_json(&json::event(&event)) } else { print(&line(&event, context.style)) }
        })
    }
}

/// An event on a line; what its body says more is in `--json`.
fn line(event: &Event, style: Style) -> String {
    let mut page = Page::new(style);
    let slot = event.subject.iter().chain(&event.attribute).cloned().collect::<Vec<_>>().join(" ");
    let numbers = [("pair", event.pair), ("ruling", event.ruling)];
    let numbers = numbers.iter().filter_map(|(name, number)| number.map(|number| format!("{name} {number}")));
    page.line([
        Cell::quiet(format!("{:>6}", event.seq)),
        Cell::plain(event.at.to_string()),
        Cell::plain(format!("{:<12}", event.actor)),
        Cell::strong(format!("{:<12}", event.kind)),
        Cell::plain(slot),
        Cell::quiet(numbers.collect::<Vec<_>>().join(" ")),
        Cell::plain(gist(event)),
    ]);
    page.text().to_owned()
}

/// The part of an event's body that a reader looks for.
fn gist(event: &Event) -> String {
    let body = &event.body;
    let text = |key: &str| body[key].as_str().map(str::to_owned);
    match event.kind.as_str() {
        "import" => format!("{} records from {}", body["added"], text("batch").unwrap_or_default()),
        "resolved" => format!(
            "{} over {} by {}",
            text("winner").unwrap_or_default(),
            text("loser").unwrap_or_default(),
            text("basis").unwrap_or_default()
        ),
        "epoch_change" => format!("epoch {} to {}", body["from"], body["to"]),
        "pair_opened" => {
            let grounds = body["grounds"].as_array().cloned().unwrap_or_default();
            grounds.iter().filter_map(|ground| ground.as_str()).collect::<Vec<_>>().join(", ")
        }
        "undo" => format!("of ruling {}", body["decision"]["ruling"]),
        _ => text("reason").unwrap_or_default(),
    }
}
