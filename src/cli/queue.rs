//! `gainsay queue`: what waits for a person.

use std::collections::BTreeMap;

use crate::core::examine::Ground;
use crate::core::facet::Facet;
use crate::core::pair::{Entry, PairState};
use crate::core::record::{Attribute, Batch, Subject};
use crate::core::ruling::PairId;
use crate::core::time::Instant;

use crate::error::{Error, Kind, Result};
use crate::store::{EntryThen, QueueFilter, QueueOrder, Store, Window};
use crate::wire;

use super::context::Context;
use super::output::{Cell, Page, Style, print, print_json};
use super::{json, parse, unknown, words};

/// List quarantined pairs, the longest waiting first
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Queue {
    /// Pairs in these states
    #[arg(long, value_name = "STATE,..", value_delimiter = ',', default_value = "open",
          value_parser = parse::one_of(PairState::ALL.map(PairState::name), PairState::named))]
    pub state: Vec<PairState>,
    /// Only pairs quarantined on this ground
    #[arg(long, value_name = "GROUND", value_parser = parse::one_of(Ground::ALL.map(Ground::name), Ground::named))]
    pub ground: Option<Ground>,
    /// Only pairs of this attribute
    #[arg(long, value_name = "A", value_parser = parse::attribute)]
    pub attribute: Option<Attribute>,
    /// Only pairs of this subject
    #[arg(long, value_name = "S", value_parser = parse::subject)]
    pub subject: Option<Subject>,
    /// Only pairs with a record of this batch
    #[arg(long, value_name = "ID", value_parser = parse::batch)]
    pub batch: Option<Batch>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Go on after this pair
    #[arg(long, value_name = "PAIR", value_parser = parse::pair)]
    pub after: Option<PairId>,
    /// As it was known at this time: what waited then
    #[arg(long, value_name = "T", value_parser = parse::last_moment, conflicts_with = "after")]
    pub believed_at: Option<Instant>,
    /// Only count them, by ground
    #[arg(long, conflicts_with_all = ["limit", "after"])]
    pub count: bool,
}

impl Queue {
    pub fn run(self, context: &Context) -> Result {
        let store = context.reading()?;
        if let Some(at) = self.believed_at {
            return self.then(&store, at, context);
        }
        if let Some(subject) = &self.subject {
            unknown::warn_of_subjects([subject], context)?;
        }
        if let Some(attribute) = &self.attribute {
            unknown::warn_of_attribute(attribute, &store, context)?;
        }
        let filter = QueueFilter {
            states: self.state,
            grounds: Facet::only(self.ground),
            attributes: Facet::only(self.attribute),
            subjects: Facet::only(self.subject),
            batches: Facet::only(self.batch),
            text: None,
        };
        if self.count {
            let (count, by_ground) = store.count(&filter, context.now)?;
            return context
                .say(|| json::counts(count, &by_ground), || render_count(count, &by_ground, context.style));
        }
        let window = match self.after {
            Some(after) => {
                Window::After(store.entry(after, context.now)?.ok_or_else(|| Error::missing("pair", after))?)
            }
            None => Window::Start,
        };
        let limit = self.limit.unwrap_or(usize::MAX);
        let entries = store.queue(&filter, QueueOrder::Oldest, &window, limit, context.now)?;
        if !context.json {
            return print(&render(&entries, context.now, context.style));
        }
        entries.iter().try_for_each(|entry| print_json(&serde_json::Value::Object(wire::json::entry(entry))))
    }
}

impl Queue {
    /// What waited at a time: settled pairs are no part of it.
    fn then(&self, store: &Store, at: Instant, context: &Context) -> Result {
        if self.state.contains(&PairState::Settled) {
            return Err(Error::new(Kind::Usage, "what was settled at a time is not listed")
                .with_hint("`gainsay log --kind pair_closed --until T` tells what was settled by then"));
        }
        let mut entries = store.queue_then(at, self.subject.as_ref(), self.attribute.as_ref())?;
        entries.retain(|entry| {
            self.state.contains(&entry.state)
                && self.ground.is_none_or(|ground| entry.grounds.contains(&ground))
                && self.batch.as_ref().is_none_or(|batch| entry.batches.contains(batch))
        });
        if self.count {
            let mut by_ground: BTreeMap<Ground, u64> = BTreeMap::new();
            for ground in entries.iter().flat_map(|entry| &entry.grounds) {
                *by_ground.entry(*ground).or_default() += 1;
            }
            let (count, by_ground) = (entries.len() as u64, by_ground.into_iter().collect::<Vec<_>>());
            return context
                .say(|| json::counts(count, &by_ground), || render_count(count, &by_ground, context.style));
        }
        entries.truncate(self.limit.unwrap_or(usize::MAX));
        if context.json {
            return entries.iter().try_for_each(|entry| print_json(&json::entry_then(entry)));
        }
        print(&render_then(&entries, at, context.style))
    }
}

fn render_then(entries: &[EntryThen], at: Instant, style: Style) -> String {
    let mut page = Page::new(style);
    if entries.is_empty() {
        return page.line([Cell::quiet("nothing waited then")]).text().to_owned();
    }
    let row = |entry: &EntryThen| {
        let grounds: Vec<&str> = entry.grounds.iter().map(|ground| ground.name()).collect();
        let [left, right] = words::values(entry.values.each_ref());
        vec![
            entry.pair.map_or_else(|| Cell::quiet("none"), |pair| Cell::strong(pair.to_string())),
            Cell::plain(entry.state.name()),
            Cell::plain(entry.subject.as_str()),
            Cell::plain(entry.attribute.as_str()),
            Cell::plain(left),
            Cell::plain(right),
            Cell::plain(grounds.join(" ")),
            Cell::quiet(entry.opened_at.map_or_else(String::new, |opened| words::age(opened, at))),
        ]
    };
    let header = ["pair", "state", "subject", "attribute", "A", "B", "grounds", "opened"];
    page.table(&header, &entries.iter().map(row).collect::<Vec<_>>()).text().to_owned()
}

fn render_count(count: u64, by_ground: &[(Ground, u64)], style: Style) -> String {
    let mut page = Page::new(style);
    page.line([Cell::strong(words::count(count, "pair"))]);
    let row = |(ground, count): &(Ground, u64)| vec![Cell::plain(ground.name()), Cell::plain(count.to_string())];
    let rows: Vec<Vec<Cell>> = by_ground.iter().map(row).collect();
    page.table(&["", ""], &rows).text().to_owned()
}

/// The entries as a table.
pub fn render(entries: &[Entry], now: Instant, style: Style) -> String {
    let mut page = Page::new(style);
    if entries.is_empty() {
        return page.line([Cell::quiet("nothing waits here")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = entries.iter().map(|entry| row(entry, now)).collect();
    let header = ["pair", "state", "subject", "attribute", "A", "B", "grounds", "opened"];
    page.table(&header, &rows).text().to_owned()
}

fn row(entry: &Entry, now: Instant) -> Vec<Cell> {
    let grounds: Vec<&str> = entry.grounds.iter().map(|ground| ground.name()).collect();
    let [left, right] = words::values(entry.values.each_ref());
    vec![
        Cell::strong(entry.pair.to_string()),
        Cell::plain(entry.state.name()),
        Cell::plain(entry.subject.as_str()),
        Cell::plain(entry.attribute.as_str()),
        Cell::plain(left),
        Cell::plain(right),
        Cell::plain(grounds.join(" ")),
        Cell::quiet(words::age(entry.opened_at, now)),
    ]
}
