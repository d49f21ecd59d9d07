//! `gainsay epochs`: the epochs of a subject, what began them, and that a new one has.

use serde_json::{Value, json};

use crate::core::notice::Notice;
use crate::core::order::Order;
use crate::core::record::{Epoch, Subject};
use crate::core::text::reveal;
use crate::core::time::Instant;
use crate::error::{Error, Kind, Result};
use crate::store::{EpochOf, Store};

use super::answer;
use super::context::Context;
use super::output::{Cell, Page, Style};
use super::{parse, unknown, words};

/// List the epochs of a subject, name what began one, or say that a new one has begun
///
/// A deploy, a changed configuration or a rewritten file starts the next epoch. Once one is opened, a record that was
/// observed afterwards and still names an older one has no provenance: it wins nothing, and where it differs it is
/// quarantined (outdated_provenance) until it is re-derived or the world is looked at again.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[command(group = clap::ArgGroup::new("told").args(["open", "name"]))]
pub struct Epochs {
    /// The subject; to open an epoch or name its cause also a pattern, where * stands for anything: 'svc/*'
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// An epoch has begun [without a number: the one after the latest]
    #[arg(long, value_name = "N", value_parser = parse::epoch, num_args = 0..=1, require_equals = false,
          conflicts_with = "name", allow_negative_numbers = true)]
    pub open: Option<Option<Epoch>>,
    /// Name the cause of this epoch
    #[arg(long, value_name = "N", value_parser = parse::epoch, requires = "cause", allow_negative_numbers = true)]
    pub name: Option<Epoch>,
    /// What began it: the deploy, the change
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true, requires = "told")]
    pub cause: Option<String>,
    /// Since when it holds [default: now]
    #[arg(long, value_name = "TIME", value_parser = parse::first_moment, requires = "open")]
    pub since: Option<Instant>,
    /// Say what it would do, and write nothing
    #[arg(long, requires = "told")]
    pub dry_run: bool,
}

impl Epochs {
    pub fn run(self, context: &Context) -> Result {
        if self.open.is_none() && self.name.is_none() {
            return self.list(context);
        }
        let mut store = if self.dry_run { context.reading()? } else { context.writing()? };
        let epoch = match (self.open, self.name) {
            (Some(Some(epoch)), _) | (_, Some(epoch)) => epoch,
            (Some(None) | None, None) => next(&store, &self.subject, context)?,
        };
        let since = self.open.is_some().then(|| self.since.unwrap_or(context.now));
        let notice = Notice { over: self.subject, epoch, since, cause: self.cause };
        let words = sentence(&notice);
        unknown::warn_of_subjects([&notice.over], context)?;
        let order = Order::Epoch { notice };
        let outcome = if self.dry_run {
            store.preview(&order, &context.by())?
        } else {
            store.order(&order, &context.by(), None)?
        };
        let told = |mut value: Value| {
            value["epoch"] = json!(epoch.0);
            value["since"] = json!(since.map(|since| since.to_string()));
            value
        };
        context.say(
            || told(answer::effects(&outcome, self.dry_run)),
            || words + &answer::render_effects(&outcome, self.dry_run, context.style),
        )
    }

    fn list(self, context: &Context) -> Result {
        let found = context.reading()?.epochs(&self.subject, context.now)?;
        if found.is_empty() && self.subject.as_str().contains('*') {
            let error = Error::new(
                Kind::Usage,
                format!("{} is a pattern, and no subject has it as its name", self.subject),
            );
            return Err(error.with_hint("name one subject; a pattern is for --open and --name"));
        }
        if found.is_empty() {
            unknown::warn_of_subjects([&self.subject], context)?;
        }
        context.say(|| to_json(&self.subject, &found), || render(&self.subject, &found, context.style))
    }
}

/// `epoch 4 of svc/checkout holds since 2025-10-01T12:00:00Z: deploy 2025.10`.
fn sentence(notice: &Notice) -> String {
    let since = notice.since.map(|since| format!(" holds since {}", words::time(since))).unwrap_or_default();
    let cause = notice.cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
    reveal(&format!("epoch {} of {}{since}{cause}", notice.epoch, notice.over)).into_owned() + "\n"
}

/// The epoch after the latest: of several subjects, where all of them are in the same.
fn next(store: &Store, over: &Subject, context: &Context) -> Result<Epoch> {
    let latest = store.latest_epochs(over, context.now)?;
    let number = |hint: &str| {
        let why = match latest.is_empty() {
            true => format!("nothing of {over} is in an epoch yet"),
            false => {
                let few: Vec<String> =
                    latest.iter().take(3).map(|(subject, epoch)| format!("{subject} in {epoch}")).collect();
                format!("the subjects of {over} are in different epochs ({})", few.join(", "))
            }
        };
        Error::new(Kind::Usage, why).with_hint(hint)
    };
    let mut epochs = latest.values();
    match epochs.next() {
        Some(first) if epochs.all(|epoch| epoch == first) => Ok(Epoch(first.0.saturating_add(1))),
        Some(_) | None => Err(number("say which one has begun: --open N")),
    }
}

fn to_json(subject: &Subject, epochs: &[EpochOf]) -> Value {
    let epochs: Vec<Value> = epochs
        .iter()
        .map(|of| {
            let opened = of.opened.as_ref();
            let cause = of.cause.as_ref();
            json!({
                "epoch": of.epoch.0,
                "first_observed_at": of.observed.map(|(first, _)| first.to_string()),
                "last_observed_at": of.observed.map(|(_, last)| last.to_string()),
                "records": of.records,
                "late": of.late,
                "cause": cause.and_then(|said| said.text.clone()),
                "named_by": cause.map(|said| &said.by),
                "named_in": cause.map(|said| said.ruling.0),
                "opened_at": opened.map(|(since, _)| since.to_string()),
                "opened_by": opened.map(|(_, said)| &said.by),
                "opened_in": opened.map(|(_, said)| said.ruling.0),
                "opened_over": opened.map(|(_, said)| said.over.as_str()),
            })
        })
        .collect();
    json!({"subject": subject.as_str(), "epochs": epochs})
}

fn render(subject: &Subject, epochs: &[EpochOf], style: Style) -> String {
    let mut page = Page::new(style);
    if epochs.is_empty() {
        let said = format!("nothing of {subject} is in an epoch, and none was opened for it");
        return page.line([Cell::quiet(said)]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = epochs.iter().map(row).collect();
    page.table(&["epoch", "first seen", "last seen", "records", "opened", "cause", "said by"], &rows);
    let late: u64 = epochs.iter().map(|of| of.late).sum();
    if late > 0 {
        let said = format!(
            "{} observed after the epoch it names was over: without provenance until re-derived, or seen again",
            words::count(late, "record")
        );
        page.paragraph(super::output::Tone::Bad, &said);
    }
    page.text().to_owned()
}

fn row(of: &EpochOf) -> Vec<Cell> {
    let or_none = |text: Option<String>| text.map_or_else(|| Cell::quiet("-"), Cell::plain);
    let late = if of.late > 0 { format!(", {} late", of.late) } else { String::new() };
    let opened = of.opened.as_ref();
    let by = of.cause.as_ref().or(opened.map(|(_, said)| said));
    vec![
        Cell::strong(of.epoch.to_string()),
        or_none(of.observed.map(|(first, _)| words::when(first))),
        or_none(of.observed.map(|(_, last)| words::when(last))),
        Cell::plain(format!("{}{late}", of.records)),
        or_none(opened.map(|(since, _)| words::time(*since))),
        or_none(of.cause.as_ref().and_then(|said| said.text.clone())),
        or_none(by.map(|said| format!("{} (ruling {})", said.by, said.ruling))),
    ]
}
