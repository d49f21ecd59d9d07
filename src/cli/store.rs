//! Commands on the store as a whole: `batches`, `requests`, `verify`, `backup`.

use std::path::PathBuf;

use crate::core::batch::Summary;
use crate::core::record::Batch;
use crate::error::{Error, Kind, Result};
use crate::store::{Damage, OpenRequest, Store, Verification};

use super::context::Context;
use super::meter::Meter;
use super::output::{Cell, Page, Style, Tone, print, print_json};
use super::{json, parse, words};

/// List imports and source batches, or look into one
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Batches {
    /// The batch to look into
    #[arg(value_name = "BATCH", value_parser = parse::batch)]
    pub batch: Option<Batch>,
}

/// List the re-observations that are asked for, for agents and people to answer
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Requests {}

/// Check the store: the hash chain, its integrity, and every slot settled anew
///
/// With --head, also that the log goes on from a head that you kept elsewhere: a history that was written anew, or cut
/// before it, cannot pass.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Verify {
    /// The head of the log as it was once, in hexadecimal digits
    #[arg(long, value_name = "HASH", value_parser = parse::hash)]
    pub head: Option<String>,
}

/// Write a consistent copy of the store, while others may go on writing
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Backup {
    /// The copy; it must not exist yet
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl Batches {
    pub fn run(self, context: &Context) -> Result {
        let store = context.reading()?;
        let Some(name) = self.batch else {
            let batches = store.batches()?;
            return context
                .say(|| batches.iter().map(json::batch).collect(), || render_batches(&batches, context.style));
        };
        let detail = store.batch(&name)?.ok_or_else(|| Error::missing("batch", &name))?;
        context.say(
            || json::batch_detail(&detail),
            || {
                let mut text = render_batches(std::slice::from_ref(&detail.summary), context.style);
                let ids: Vec<&str> = detail.records.iter().map(|id| id.as_str()).collect();
                let mut page = Page::new(context.style);
                page.gap().paragraph(Tone::Quiet, &ids.join(" "));
                text.push_str(page.text());
                text
            },
        )
    }
}

fn render_batches(batches: &[Summary], style: Style) -> String {
    let mut page = Page::new(style);
    if batches.is_empty() {
        return page.line([Cell::quiet("nothing was imported yet")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = batches
        .iter()
        .map(|batch| {
            let seconds = |seconds: i64| words::length(chrono::Duration::seconds(seconds));
            let lag = batch.lag.map_or_else(|| "unknown".to_owned(), |lag| seconds(lag.median));
            let tone = if batch.contested > 0 { Tone::Bad } else { Tone::Plain };
            vec![
                Cell::strong(batch.batch.as_str()),
                Cell::plain(batch.records.to_string()),
                Cell::new(tone, batch.contested.to_string()),
                Cell::plain(batch.withdrawn.to_string()),
                Cell::plain(batch.unslotted.to_string()),
                Cell::plain(lag),
                Cell::plain(format!("{} / {}", batch.rulings.won, batch.rulings.lost)),
                Cell::quiet(words::time(batch.recorded_at)),
            ]
        })
        .collect();
    let header =
        ["batch", "records", "contested", "withdrawn", "unslotted", "median lag", "won / lost", "recorded"];
    page.table(&header, &rows).text().to_owned()
}

impl Requests {
    pub fn run(self, context: &Context) -> Result {
        let requests = context.reading()?.requests(context.now)?;
        if context.json {
            return requests.iter().try_for_each(|request| print_json(&json::request(request)));
        }
        print(&render_requests(&requests, context))
    }
}

fn render_requests(requests: &[OpenRequest], context: &Context) -> String {
    let mut page = Page::new(context.style);
    if requests.is_empty() {
        return page.line([Cell::quiet("nobody waits for another look")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = requests
        .iter()
        .map(|request| {
            let [left, right] = words::values(request.values.each_ref());
            vec![
                Cell::strong(request.request.to_string()),
                Cell::plain(request.pair.to_string()),
                Cell::plain(request.subject.as_str()),
                Cell::plain(request.attribute.as_str()),
                Cell::plain(format!("{left} or {right}?")),
                Cell::plain(request.latest_epoch.map_or_else(|| "none".to_owned(), |epoch| epoch.to_string())),
                Cell::quiet(format!("{}, {}", request.by, words::age(request.at, context.now))),
            ]
        })
        .collect();
    page.table(&["request", "pair", "subject", "attribute", "which", "latest epoch", "asked by"], &rows);
    for request in requests {
        for short in &request.fell_short {
            let told = format!("request {}: {} settled nothing: {}", request.request, short.record, short.why);
            page.line([Cell::new(Tone::Note, told)]);
        }
    }
    page.paragraph(
        Tone::Quiet,
        "answer one by importing a record with \"answers\": REQUEST, or with `gainsay reobserve PAIR --value …`",
    );
    page.text().to_owned()
}

impl Verify {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut meter = Meter::new();
        let mut store = context.inspecting()?;
        let found = store.verify(context.now, |done, of| {
            meter.tell(done, || format!("{done} of {of} records, events and slots checked"));
        });
        meter.clear();
        let mut found = found?;
        let kept = self.head.map(|hash| kept_head(&store, hash, &mut found)).transpose()?;
        // For the log screen to say when it was. A store that cannot keep it is verified all the same.
        let _kept = store.keep_check(&found, &context.by());
        let told = |mut answer: serde_json::Value| {
            if let Some((hash, event)) = &kept {
                answer["kept"] = serde_json::json!({"head": hash, "event": event});
            }
            answer
        };
        context.say(|| told(json::verification(&found)), || render_verification(&found, context.style))?;
        Ok(if found.is_ok() { 0 } else { Kind::Damaged.exit_code() })
    }
}

/// The event that bears a hash kept elsewhere; where none does, that is damage.
fn kept_head(store: &Store, hash: String, found: &mut Verification) -> Result<(String, Option<i64>)> {
    let event = store.event_with_hash(&hash)?;
    if event.is_none() {
        found.damage.push(Damage {
            what: "the log".to_owned(),
            wrong: format!("no event has the hash {hash}: it was written anew, or cut before that event"),
        });
        found.beyond_repair += 1;
    }
    Ok((hash, event))
}

fn render_verification(found: &Verification, style: Style) -> String {
    let mut page = Page::new(style);
    let (tone, word) = if found.is_ok() { (Tone::Good, "whole:") } else { (Tone::Bad, "DAMAGED:") };
    page.line([
        Cell::new(tone, word),
        Cell::plain(format!(
            "{}, {}, {} settled anew ({} differ); SQLite says {}",
            words::count(found.events, "event"),
            words::count(found.records, "record"),
            words::count(found.slots, "slot"),
            found.slots_differing,
            found.integrity
        )),
    ]);
    for damage in &found.damage {
        page.line([Cell::new(Tone::Bad, format!("  {}:", damage.what)), Cell::plain(&damage.wrong)]);
    }
    if !found.is_ok() {
        let hint = if found.beyond_repair == 0 {
            "what is true is whole; `gainsay repair` works the rest out anew, after a backup"
        } else {
            "keep this file, stop writing to it, and compare it with a backup"
        };
        page.paragraph(Tone::Note, hint);
    }
    page.line([Cell::quiet(format!("head of the log: {}", found.head))]);
    page.text().to_owned()
}

impl Backup {
    pub fn run(self, context: &Context) -> Result {
        context.reading()?.backup(&self.file)?;
        context.say(
            || serde_json::json!({"backup": self.file.display().to_string()}),
            || {
                let mut page = Page::new(context.style);
                page.line([Cell::plain("written to"), Cell::strong(self.file.display().to_string())]);
                page.text().to_owned()
            },
        )
    }
}
