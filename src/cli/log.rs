//! `gainsay log`: what happened, event by event.

use std::time::Duration;

pub use crate::core::event::KINDS;
use crate::core::record::Subject;
use crate::core::ruling::{PairId, RulingId};

use crate::error::{Error, Result};
use crate::store::{Event, LogFilter};

use super::context::Context;
use super::output::{Cell, Page, Style, Tone, print, print_json};
use super::parse::{self, Past};
use super::{unknown, words};

/// Show the event log
///
/// With --actor NAME, only what NAME did.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Log {
    /// Only events of this kind
    #[arg(long, value_name = "K", value_parser = KINDS)]
    pub kind: Option<String>,
    /// Only from this time on, or so long ago (2d, 12h)
    #[arg(long, value_name = "T", value_parser = parse::past)]
    pub since: Option<Past>,
    /// Only up to this time, or so long ago
    #[arg(long, value_name = "T", value_parser = parse::past)]
    pub until: Option<Past>,
    /// Only about this subject
    #[arg(long, value_name = "S", value_parser = parse::subject)]
    pub subject: Option<Subject>,
    /// Only about this pair
    #[arg(long, value_name = "PAIR", value_parser = parse::pair)]
    pub pair: Option<PairId>,
    /// Only this ruling, what undid it, and the audits of it
    #[arg(long, value_name = "RULING", value_parser = parse::ruling)]
    pub ruling: Option<RulingId>,
    /// Only this event
    #[arg(long, value_name = "N", value_parser = parse::event)]
    pub event: Option<i64>,
    /// Only where this stands in subject, attribute, actor, reason, batch or record
    #[arg(long, value_name = "TEXT", value_parser = parse::words)]
    pub find: Option<String>,
    /// Go on, and show each event as it is written; Ctrl-c ends it
    #[arg(long)]
    pub follow: bool,
}

/// How often a follower looks whether someone has written.
const PAUSE: Duration = Duration::from_millis(250);

impl Log {
    pub fn run(self, context: &Context) -> Result {
        let store = context.reading()?;
        if let Some(subject) = &self.subject {
            unknown::warn_of_subjects([subject], context)?;
        }
        let mut filter = LogFilter {
            actor: context.actor_named.then(|| context.actor.clone()),
            kind: self.kind,
            since: self.since.map(|since| since.first(context.now)),
            until: self.until.map(|until| until.last(context.now)),
            subject: self.subject,
            pair: self.pair,
            ruling: self.ruling,
            event: self.event,
            text: self.find,
            after: None,
        };
        loop {
            let (seen, mut last) = (store.data_version()?, filter.after);
            store.log(&filter, |event| -> std::result::Result<(), Error> {
                last = Some(event.seq);
                if context.json { print_json(&event.to_json()) } else { print(&line(&event, context.style)) }
            })?;
            if !self.follow {
                return Ok(());
            }
            filter.after = last;
            while store.data_version()? == seen {
                std::thread::sleep(PAUSE);
            }
        }
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
        Cell::plain(words::time(event.at)),
        Cell::padded(Tone::Plain, &event.actor, 12),
        Cell::padded(Tone::Strong, &event.kind, 12),
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
        "import" => {
            let added = words::count(body["added"].as_u64().unwrap_or_default(), "record");
            format!("{added} from {}", text("batch").unwrap_or_default())
        }
        "resolved" => format!(
            "{} over {} by {}",
            text("winner").unwrap_or_default(),
            text("loser").unwrap_or_default(),
            text("basis").unwrap_or_default()
        ),
        "epoch_change" => format!("epoch {} to {}", body["from"], body["to"]),
        "pair_opened" | "pair_changed" => {
            let grounds = body["grounds"].as_array().cloned().unwrap_or_default();
            grounds.iter().filter_map(|ground| ground.as_str()).collect::<Vec<_>>().join(", ")
        }
        "audit" => format!(
            "{} with ruling {}{}",
            text("verdict").unwrap_or_default(),
            body["ruling"],
            text("note").map(|note| format!(": {note}")).unwrap_or_default()
        ),
        "unseen" => match text("record") {
            Some(record) => {
                let because = text("because").unwrap_or_default();
                format!("{record} answers request {}: {because}", body["request"])
            }
            None => text("because").unwrap_or_default(),
        },
        "undo" => format!("of ruling {}", body["decision"]["ruling"]),
        _ => text("reason").unwrap_or_default(),
    }
}
