//! What an import came to, for people and for scripts.

use serde_json::{Map, Value, json};

use crate::core::record::{Attribute, Batch};
use crate::error::Result;
use crate::formats::tally::{Counted, Tally};
use crate::store::{Imported, Landed};

use super::context::Context;
use super::intake::Seen;
use super::output::{Cell, Page, Style, Tone, print, print_json};
use super::shape::Opened;
use super::{json, words};

/// An import, done or tried.
pub(super) struct Summary<'a> {
    pub(super) done: &'a Imported,
    pub(super) batch: &'a Batch,
    pub(super) rejected: u64,
    pub(super) dry_run: bool,
    pub(super) seen: Seen,
    pub(super) opened: &'a Opened,
    pub(super) tally: &'a Tally,
}

impl Summary<'_> {
    pub(super) fn say(&self, context: &Context) -> Result {
        if context.json {
            self.done.landings.iter().try_for_each(|landed| print_json(&json::landed(landed)))?;
            return print_json(&self.to_json());
        }
        print(&self.render(context.style))
    }

    fn to_json(&self) -> Value {
        let mut said = json::imported(self.done, self.batch, self.rejected);
        let missing: Map<String, Value> =
            self.seen.missing().map(|(name, count)| (name.to_owned(), json!(count))).collect();
        let counted = |counted: &Counted| json!({"count": counted.count, "lines": counted.lines});
        let kinds: Map<String, Value> = self
            .tally
            .kinds
            .iter()
            .map(|(kind, (objects, records))| (kind.clone(), json!({"objects": objects, "records": records})))
            .collect();
        let declared: Vec<&str> = self.done.declared.iter().map(Attribute::as_str).collect();
        let more = json!({
            "slots": self.done.slots, "declared_many": declared, "missing": missing, "dry_run": self.dry_run,
            "format": {"name": self.opened.format.name, "because": self.opened.because},
            "objects": {"read": self.seen.objects, "taken": self.taken(), "rejected": self.seen.rejected},
            "kinds": kinds, "left_out": self.tally.left_out.keys().collect::<Vec<_>>(),
            "gone": counted(&self.tally.gone), "retired_alone": counted(&self.tally.retired_alone()),
        });
        if let (Value::Object(said), Value::Object(more)) = (&mut said, more) {
            said.extend(more);
        }
        said
    }

    fn taken(&self) -> u64 {
        self.seen.objects.saturating_sub(self.seen.rejected)
    }

    fn render(&self, style: Style) -> String {
        let done = self.done;
        let mut page = Page::new(style);
        let rows: Vec<Vec<Cell>> = done.landings.iter().map(landing_row).collect();
        if !rows.is_empty() {
            page.table(&["line", "record", "", "pair", ""], &rows).gap();
        }
        if self.dry_run {
            page.line([Cell::strong("a dry run: nothing was written")]);
        }
        self.of_format(&mut page);
        let unslotted = if done.unslotted > 0 { format!(", {} unslotted", done.unslotted) } else { String::new() };
        page.line([
            Cell::strong(format!("{} added", words::count(done.added, "record"))),
            Cell::plain(format!(
                "of {} read ({} there already, {} rejected{unslotted}), batch {}",
                done.read, done.duplicates, self.rejected, self.batch
            )),
        ]);
        let outcomes: Vec<String> =
            done.outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        if !outcomes.is_empty() {
            page.line([Cell::plain(outcomes.join(", "))]);
        }
        answers(&mut page, done);
        if self.dry_run {
            self.of_provenance(&mut page);
        }
        if !done.declared.is_empty() {
            let names: Vec<&str> = done.declared.iter().map(Attribute::as_str).collect();
            page.paragraph(
                Tone::Note,
                &format!(
                    "declared to hold many values, as relations do until somebody says otherwise: {}",
                    names.join(", ")
                ),
            );
        }
        let tone = if done.pairs_opened > 0 { Tone::Bad } else { Tone::Good };
        page.line([
            Cell::new(tone, format!("{} opened", words::count(done.pairs_opened, "pair"))),
            Cell::plain(format!("{} closed", done.pairs_closed)),
            Cell::quiet(if done.pairs_opened > 0 {
                "(gainsay queue lists them, gainsay opens the UI)"
            } else {
                ""
            }),
        ]);
        page.text().to_owned()
    }

    /// Which format it was, why, and what was met in it; our own lines need no word.
    fn of_format(&self, page: &mut Page) {
        if self.opened.format.native {
            return;
        }
        let because = self.opened.because.as_ref().map(|because| format!("({because})")).unwrap_or_default();
        page.line([Cell::plain("format"), Cell::strong(&self.opened.format.name), Cell::quiet(because)]);
        let kinds: Vec<String> = self
            .tally
            .kinds
            .iter()
            .map(|(kind, (objects, records))| format!("{objects} {kind} → {}", words::count(*records, "record")))
            .collect();
        page.line([Cell::plain(format!(
            "{} read, {} taken, {} rejected{}",
            words::count(self.seen.objects, "object"),
            self.taken(),
            self.seen.rejected,
            if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) }
        ))]);
        let told = |page: &mut Page, counted: &Counted, what: &str| {
            if counted.count > 0 {
                let lines: Vec<String> = counted.lines.iter().map(ToString::to_string).collect();
                let more = if counted.more { " …" } else { "" };
                page.line([
                    Cell::new(Tone::Note, format!("{} {what}", counted.count)),
                    Cell::quiet(format!(
                        "({} {}{more})",
                        if lines.len() == 1 { "line" } else { "lines" },
                        lines.join(", ")
                    )),
                ]);
            }
        };
        told(page, &self.tally.gone, "said no longer by the next version of their object: absence is not denial");
        told(page, &self.tally.retired_alone(), "retired although nothing here disagrees with them");
    }

    /// What would come in, and what it lacks.
    fn of_provenance(&self, page: &mut Page) {
        let missing: Vec<String> =
            self.seen.missing().map(|(name, count)| format!("{count} without {name}")).collect();
        let missing = if missing.is_empty() { "none lacks provenance".to_owned() } else { missing.join(", ") };
        page.line([Cell::plain(format!("{}; {missing}", words::count(self.done.slots, "slot")))]);
    }
}

/// How many were answers to requests, and why some of them settled nothing.
fn answers(page: &mut Page, done: &Imported) {
    let (settled, short) = done.answers;
    if settled + short == 0 {
        return;
    }
    let tone = if short > 0 { Tone::Bad } else { Tone::Good };
    page.line([
        Cell::plain(format!("{} settled what was asked,", words::count(settled, "answer"))),
        Cell::new(tone, format!("{short} did not")),
    ]);
    for (request, it) in &done.fell_short {
        let told = format!("  {} answers request {request}: {}", it.record, it.why);
        page.line([Cell::plain(told)]);
    }
    let more = short.saturating_sub(done.fell_short.len() as u64);
    if more > 0 {
        page.line([Cell::quiet(format!("  and {more} more (gainsay log --kind unseen)"))]);
    }
}

fn landing_row(landed: &Landed) -> Vec<Cell> {
    let grounds: Vec<&str> = landed.grounds.iter().map(|ground| ground.name()).collect();
    let answers = match &landed.answers {
        None => String::new(),
        Some((request, None)) => format!(" answers request {request}"),
        Some((request, Some(why))) => format!(" answers request {request}, and settles nothing: {why}"),
    };
    let with = landed.with.as_ref().map(|with| format!("with {with} ")).unwrap_or_default();
    vec![
        Cell::quiet(landed.line.to_string()),
        Cell::plain(landed.id.as_str()),
        Cell::strong(landed.outcome.name()),
        Cell::plain(landed.pair.map(|pair| pair.to_string()).unwrap_or_default()),
        Cell::quiet(format!("{with}{}{answers}", grounds.join(", "))),
    ]
}
