//! `gainsay recall` and `gainsay history`: what a slot answers, and how it came to.

use crate::core::recall::AsOf;
use crate::core::record::{Attribute, Subject};
use crate::core::time::{Instant, When};

use crate::core::pair::JudgedRecord;
use crate::core::policy::Cardinality;
use crate::core::settle::Status;
use crate::error::Result;
use crate::store::{self, Recalled, RulingSeen};

use super::context::Context;
use super::output::{Cell, Page, Style, Tone, print, print_json, warn};
use super::{json, parse, unknown, words};

/// Ask what holds: one value, or none with the status that says why
///
/// Both times may be asked for: what the memory believed at a moment (--believed-at), about a moment in the world
/// (--about). A day, month or year counts to its end.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Recall {
    /// Whom or what it is about
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// Without it, every attribute of the subject
    #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
    pub attribute: Option<Attribute>,
    /// As it was known at this time
    #[arg(long, value_name = "T", value_parser = parse::last_moment)]
    pub believed_at: Option<Instant>,
    /// About this time in the world
    #[arg(long, value_name = "T", value_parser = parse::when)]
    pub about: Option<When>,
}

/// Show how a slot came to what it answers: records, edges, epochs, rulings
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct History {
    /// Whom or what it is about
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// The attribute
    #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
    pub attribute: Attribute,
    /// As it was known at this time
    #[arg(long, value_name = "T", value_parser = parse::last_moment)]
    pub believed_at: Option<Instant>,
}

impl Recall {
    pub const fn as_of(&self) -> AsOf {
        AsOf { believed_at: self.believed_at, about: self.about }
    }

    pub fn run(self, context: &Context) -> Result {
        let (store, as_of) = (context.reading()?, self.as_of());
        if let Some(attribute) = &self.attribute {
            // Whatever is asked has an answer (`empty`), for agents ask before they tell; a slip is said beside it.
            if let Some(unknown) = unknown::slot(&store, &self.subject, attribute)? {
                warn(&unknown, context.colour);
            }
            let answer = store.recall(&self.subject, attribute, as_of, context.now)?;
            return context
                .say(|| json::recalled(&answer), || render(std::slice::from_ref(&answer), context.style));
        }
        if let Some(unknown) = unknown::subject(&store, &self.subject)? {
            warn(&unknown, context.colour);
        }
        let mut answers = Vec::new();
        for attribute in store.attributes(&self.subject)? {
            answers.push(store.recall(&self.subject, &attribute, as_of, context.now)?);
        }
        if context.json {
            return print_json(&answers.iter().map(json::recalled).collect());
        }
        print(&render(&answers, context.style))
    }
}

impl History {
    pub fn run(self, context: &Context) -> Result {
        let store = context.reading()?;
        if let Some(unknown) = unknown::slot(&store, &self.subject, &self.attribute)? {
            return Err(unknown);
        }
        let history = match self.believed_at {
            Some(at) => store.account(&self.subject, &self.attribute, Some(at))?.history,
            None => store.history(&self.subject, &self.attribute, context.now)?,
        };
        context.say(|| json::history(&history), || render_history(&history, context.style))
    }
}

fn render(answers: &[Recalled], style: Style) -> String {
    let mut page = Page::new(style);
    if answers.is_empty() {
        return page.line([Cell::quiet("nothing is known of it")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = answers.iter().map(answer_row).collect();
    page.table(&["subject", "attribute", "answer", "status", "records", "rests on"], &rows).text().to_owned()
}

fn answer_row(answer: &Recalled) -> Vec<Cell> {
    let tone = match answer.status {
        Status::Settled => Tone::Good,
        Status::Contested | Status::Awaiting => Tone::Bad,
        Status::Unanchored | Status::Empty => Tone::Note,
    };
    let values: Vec<String> = answer.values.iter().map(words::value).collect();
    let none = if answer.cardinality == Some(Cardinality::Many) { "none" } else { "no value" };
    let list = |name: &str, numbers: Vec<String>| {
        const SHOWN: usize = 5;
        let more = numbers.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown: Vec<String> = numbers.into_iter().take(SHOWN).collect();
        if shown.is_empty() { None } else { Some(format!("{name} {}{more}", shown.join(", "))) }
    };
    let rests: Vec<String> = [
        list("ruling", answer.rulings.iter().map(ToString::to_string).collect()),
        list("open pair", answer.pairs.iter().map(ToString::to_string).collect()),
        Some(format!("policy {}", answer.policy)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let records: Vec<&str> = answer.records.iter().map(|id| id.as_str()).collect();
    vec![
        Cell::plain(answer.subject.as_str()),
        Cell::plain(answer.attribute.as_str()),
        if values.is_empty() { Cell::quiet(none) } else { Cell::strong(values.join(", ")) },
        if answer.stale { Cell::new(Tone::Bad, stale(answer)) } else { Cell::new(tone, answer.status.name()) },
        Cell::plain(records.join(", ")),
        Cell::quiet(rests.join("; ")),
    ]
}

/// `settled, stale since it was last seen 2024-03-02T00:00:00Z`.
fn stale(answer: &Recalled) -> String {
    let last = answer.supported_at.map(|at| format!(": last seen {}", words::time(at))).unwrap_or_default();
    format!("{}, stale{last}", answer.status.name())
}

fn render_history(history: &store::History, style: Style) -> String {
    let mut page = Page::new(style);
    if history.records.is_empty() {
        return page.line([Cell::quiet("no record was about it then")]).text().to_owned();
    }
    page.line([Cell::strong(history.subject.as_str()), Cell::strong(history.attribute.as_str())]);
    let records: Vec<Vec<Cell>> = history.records.iter().map(record_row).collect();
    page.table(&["record", "says", "source", "observed", "written", "epoch", "state"], &records);
    for seen in &history.epochs {
        let cause = seen.cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
        let opened = seen
            .opened
            .as_ref()
            .map(|(since, by)| format!(", opened {} by {by}", words::time(*since)))
            .unwrap_or_default();
        let first = words::when(seen.first_observed_at);
        page.line([Cell::quiet(format!("epoch {} first observed {first}{opened}{cause}", seen.epoch))]);
    }
    if !history.edges.is_empty() {
        let edges: Vec<Vec<Cell>> = history
            .edges
            .iter()
            .map(|edge| {
                let basis = edge.basis.as_ref().map(|basis| format!("by {basis}")).unwrap_or_default();
                let kind = edge.kind.replace('_', " ");
                vec![
                    Cell::plain(edge.from.as_str()),
                    Cell::strong(kind),
                    Cell::plain(edge.to.as_str()),
                    Cell::quiet(basis),
                ]
            })
            .collect();
        page.gap().table(&[""; 4], &edges);
    }
    if !history.rulings.is_empty() {
        let rulings: Vec<Vec<Cell>> = history.rulings.iter().map(ruling_row).collect();
        page.gap().table(&["ruling", "when", "who", "what", "why"], &rulings);
    }
    page.text().to_owned()
}

fn record_row(judged: &JudgedRecord) -> Vec<Cell> {
    let record = &judged.record;
    let missing = || Cell::new(Tone::Bad, "missing");
    let or_missing = |text: Option<String>| text.map_or_else(missing, Cell::plain);
    let says = if record.is_retraction() { "not " } else { "" };
    let by = judged.superseded_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
    vec![
        Cell::plain(record.id.as_str()),
        Cell::strong(format!("{says}{}", words::value(&record.value))),
        or_missing(record.kind().map(ToString::to_string)),
        or_missing(record.observed_at.map(words::when)),
        Cell::plain(words::time(record.written_at)),
        or_missing(record.epoch.map(|epoch| epoch.to_string())),
        Cell::plain(judged.state.map_or("", |state| state.name()).to_owned() + &by),
    ]
}

fn ruling_row(seen: &RulingSeen) -> Vec<Cell> {
    let undone = if seen.undone { " (undone)" } else { "" };
    vec![
        Cell::plain(seen.ruling.id.to_string()),
        Cell::plain(words::time(seen.ruling.at)),
        Cell::plain(&seen.ruling.actor),
        Cell::strong(format!("{}{undone}", seen.kind)),
        Cell::quiet(seen.ruling.reason.clone().unwrap_or_default()),
    ]
}
