//! `gainsay erase`: what a subject's records said, replaced by hashes, on demand.

use std::io::{IsTerminal, stderr, stdin};

use crate::core::order::{Order, Outcome, Refusal};
use crate::core::record::Subject;
use crate::core::text::reveal;
use crate::error::{Error, Kind, Result};
use crate::store::{OrderError, Store};

use super::context::Context;
use super::output::{Cell, Page, Style, Tone, note};
use super::words::{count, verb};
use super::{answer, parse, unknown};

/// Replace what a subject's records said by hashes, for good: for privacy law, and for nothing else
///
/// Values, evidence and sources go, under every confirmed name of the subject; the records decide nothing any more, at no
/// time of belief. Ids, times and the log stay, and `verify` still proves both. A withdrawal can be undone; this cannot.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Erase {
    /// Whose records
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// Why, for the log; it stays, so name no private matter
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub reason: String,
    /// Say what it would do, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask: for scripts, which must have asked somebody
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,
}

impl Erase {
    pub fn run(self, context: &Context) -> Result {
        let mut store = context.reading()?;
        if let Some(unknown) = unknown::subject(&store, &self.subject)? {
            return Err(unknown);
        }
        let order = Order::Erase { subject: self.subject.clone(), reason: self.reason };
        let preview = match store.preview(&order, &context.by()) {
            Err(OrderError::Refused(Refusal::Missing { .. })) if !store.attributes(&self.subject)?.is_empty() => {
                return cleaned(&store, self.dry_run, context);
            }
            preview => preview?,
        };
        if self.dry_run {
            return context.say(|| answer::effects(&preview, true), || render_preview(&preview, context.style));
        }
        if !self.yes {
            ask(&self.subject, &preview)?;
        }
        let outcome = store.order(&order, &context.by(), None)?;
        let clean = store.scrub()?;
        context.say(|| answer::effects(&outcome, false), || answer::render(&outcome, context.style))?;
        if !clean {
            note(
                "another process was reading: the side file (-wal) still holds what was erased, until all have closed it\n",
            );
        }
        note("backups and exports that were made before still hold it\n");
        Ok(())
    }
}

const IN_THE_WAY: &str = "another process was in the way: free space of the file, or its side file (-wal), may still \
     hold what was erased; run this again once nobody else uses the store\n";

/// All of it is erased already: there is nothing to do but to clean the file, where it was in use then.
fn cleaned(store: &Store, dry_run: bool, context: &Context) -> Result {
    let clean = !dry_run && store.scrub()?;
    let said =
        if clean { "all of it is erased already; the file was cleaned\n" } else { "all of it is erased already\n" };
    context.say(|| serde_json::json!({"records": 0, "cleaned": clean}), || said.to_owned())?;
    if !clean && !dry_run {
        note(IN_THE_WAY);
    }
    Ok(())
}

/// The warning, the preview, and the name of the subject typed in full.
fn ask(subject: &Subject, preview: &Outcome) -> Result {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return Err(Error::new(Kind::Usage, "an erasure is confirmed by a person, and nobody can be asked here")
            .with_hint("look at it with --dry-run first; then say --yes"));
    }
    note(&render_preview(preview, Style::PLAIN));
    note(&format!("to erase it for good, type the subject ({}): ", reveal(subject.as_str())));
    let mut typed = String::new();
    let read = stdin().read_line(&mut typed);
    read.map_err(|error| Error::new(Kind::Usage, format!("no answer can be read: {error}")))?;
    if typed.trim() == subject.as_str().trim() {
        return Ok(());
    }
    Err(Error::new(Kind::Refused, "that is not its name: nothing was erased"))
}

fn render_preview(preview: &Outcome, style: Style) -> String {
    let mut page = Page::new(style);
    page.line([
        Cell::new(Tone::Bad, "it cannot be undone:"),
        Cell::strong(format!("{} would be erased", count(preview.records, "record"))),
    ]);
    let (closed, opened) = (preview.closed.len() as u64, preview.opened.len() as u64);
    page.line([Cell::plain(format!(
        "{} settled anew, {} {} no longer, {} {}, {opened} {}",
        count(preview.slots, "slot"),
        preview.values_gone,
        verb(preview.values_gone, "answers", "answer"),
        count(closed, "pair"),
        verb(closed, "closes", "close"),
        verb(opened, "opens", "open")
    ))]);
    if preview.resting > 0 {
        page.line([Cell::plain(format!(
            "{} {} on them",
            count(preview.resting, "ruling"),
            verb(preview.resting, "rests", "rest")
        ))]);
    }
    page.paragraph(
        Tone::Quiet,
        "hashes stand for values, evidence and sources; ids, times, the name of the subject, and the reasons and notes of \
         rulings stay in the log. An id that was made from its content (rec_…), and a short value without evidence, can be \
         tested by whoever guesses them. Backups and exports that were made before keep it all",
    );
    page.text().to_owned()
}
