//! `gainsay slot`: sentences into slots, by rules.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::core::record::{Batch, Record};
use crate::error::{Error, Kind, Result};
use crate::formats::by_hand;
use crate::formats::slotting::{self, Rule};
use crate::store::{Clash, Import, Imported, Store};
use crate::wire::Incoming;

use super::context::Context;
use super::meter::Meter;
use super::output::{Cell, Page, Tone, print, print_json};
use super::{parse, words};

/// Turn sentences into slots, by rules
///
/// A record without an attribute is compared with nothing. A rule that reads one out of its sentence makes a new record,
/// which rests on the sentence as its evidence; it is judged as any record is. What no rule reads stays unslotted. Slotting
/// again adds nothing, and a wrong rule is taken back by withdrawing its batch.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Slot {
    /// A file of your own rules, tried before those that ship
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Only this rule (may be given again)
    #[arg(long, value_name = "RULE", value_parser = parse::words)]
    pub rule: Vec<String>,
    /// Say what would come of it, with what each rule would read, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// List what no rule reads
    #[arg(long, conflicts_with_all = ["dry_run", "show_rules"])]
    pub left: bool,
    /// Print the rules that ship, to start a file of your own
    #[arg(long, conflicts_with_all = ["dry_run", "rules", "rule"])]
    pub show_rules: bool,
}

/// So many examples of each rule are shown.
const SHOWN: usize = 5;
/// So many records are read at once.
const PAGE: u32 = 1_000;

/// What one rule read.
#[derive(Default)]
struct Read {
    count: u64,
    examples: Vec<(String, String, String)>,
}

/// What the rules read and what they left.
#[derive(Default)]
struct Seen {
    unslotted: u64,
    by_rule: BTreeMap<String, Read>,
}

impl Slot {
    pub fn run(self, context: &Context) -> Result {
        if self.show_rules {
            return print(slotting::SHIPPED);
        }
        let rules = self.chosen(context)?;
        let reading = context.reading()?;
        if self.left {
            return left(&reading, &rules, context);
        }
        let mut seen = Seen::default();
        let batch = Batch::from(format!("slotting {}", context.now).as_str());
        let import = Import { batch, dry_run: self.dry_run, each: false };
        let mut meter = Meter::new();
        let slotted = Sentences::of(&reading).filter_map(|record| match record {
            Ok(record) => seen.note(&rules, &record).map(Ok),
            Err(error) => Some(Err(error)),
        });
        let clash = |clash: &Clash| {
            Err(Error::internal(format!("the slotted record {} is there already with other content", clash.id)))
        };
        let done = context.writing()?.import(&context.by(), &import, slotted, clash, |read| {
            meter.tell(read, || format!("{read} sentences slotted"));
        });
        meter.clear();
        let done = done?;
        if context.json {
            return print_json(&to_json(&seen, &done, &rules, self.dry_run));
        }
        print(&render(&seen, &done, &rules, self.dry_run, context))
    }

    fn chosen(&self, context: &Context) -> Result<Vec<Rule>> {
        let mut rules = Vec::new();
        if let Some(path) = &self.rules {
            let bytes = std::fs::read(path).map_err(|error| Error::unreadable(path, &error))?;
            let own = slotting::read(&bytes);
            rules.extend(own.map_err(|fault| Error::in_file(&path.display().to_string(), &fault))?);
        }
        let file = kept(context);
        rules.extend(
            by_hand::kept(&file).map_err(|why| Error::new(Kind::Input, format!("{}: {why}", file.display())))?,
        );
        let shipped = slotting::read(slotting::SHIPPED.as_bytes());
        rules.extend(shipped.map_err(|fault| Error::internal(format!("a shipped rule is broken: {fault}")))?);
        if let Some(unknown) = self.rule.iter().find(|name| !rules.iter().any(|rule| rule.name == **name)) {
            let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
            return Err(Error::new(Kind::Usage, format!("there is no rule {unknown}"))
                .with_hint(format!("there are {}", names.join(", "))));
        }
        if !self.rule.is_empty() {
            rules.retain(|rule| self.rule.contains(&rule.name));
        }
        Ok(rules)
    }
}

/// The file in which the rules that a reviewer makes are kept, beside the configuration.
pub(super) fn kept(context: &Context) -> PathBuf {
    context.config.with_file_name("slots.json")
}

impl Seen {
    /// Counts a sentence, and gives what a rule makes of it.
    fn note(&mut self, rules: &[Rule], record: &Record) -> Option<Incoming> {
        self.unslotted += 1;
        let (rule, made) = slotting::slot(rules, record)?;
        let read = self.by_rule.entry(rule.name.clone()).or_default();
        read.count += 1;
        if read.examples.len() < SHOWN {
            let attribute = made.record.attribute.as_ref().map(ToString::to_string).unwrap_or_default();
            read.examples.push((words::value(&record.value), attribute, words::value(&made.record.value)));
        }
        Some(made)
    }

    fn left(&self) -> u64 {
        self.unslotted - self.by_rule.values().map(|read| read.count).sum::<u64>()
    }
}

/// The unslotted records of a store, a page at a time.
struct Sentences<'a> {
    store: &'a Store,
    page: std::vec::IntoIter<Record>,
    reached: i64,
    done: bool,
}

impl<'a> Sentences<'a> {
    fn of(store: &'a Store) -> Self {
        Self { store, page: Vec::new().into_iter(), reached: 0, done: false }
    }
}

impl Iterator for Sentences<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.page.next() {
                return Some(Ok(record));
            }
            if self.done {
                return None;
            }
            match self.store.unslotted(self.reached, PAGE) {
                Ok((page, reached)) => {
                    self.done = reached.is_none();
                    self.reached = reached.unwrap_or(self.reached);
                    self.page = page.into_iter();
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error.into()));
                }
            }
        }
    }
}

/// What no rule reads: a line each.
fn left(store: &Store, rules: &[Rule], context: &Context) -> Result {
    let mut count = 0_u64;
    for record in Sentences::of(store) {
        let record = record?;
        if slotting::slot(rules, &record).is_some() {
            continue;
        }
        count += 1;
        if context.json {
            print_json(
                &json!({"record": record.id.as_str(), "subject": record.subject.as_str(), "value": record.value,
                "kind": record.kind().map(|kind| kind.as_str()), "batch": record.batch.as_str()}),
            )?;
            continue;
        }
        let mut page = Page::new(context.style);
        page.line([Cell::strong(record.subject.as_str()), Cell::plain(words::value(&record.value))]);
        print(page.text())?;
    }
    if context.json {
        return Ok(());
    }
    let mut page = Page::new(context.style);
    page.line([Cell::quiet(format!("{} that no rule reads", words::count(count, "record")))]);
    print(page.text())
}

fn batch_of(rules: &[Rule], name: &str) -> Option<Batch> {
    rules.iter().find(|rule| rule.name == name).map(Rule::batch)
}

fn to_json(seen: &Seen, done: &Imported, rules: &[Rule], dry_run: bool) -> Value {
    let by_rule: Vec<Value> = seen
        .by_rule
        .iter()
        .map(|(name, read)| {
            json!({"rule": name, "read": read.count, "batch": batch_of(rules, name).map(|batch| batch.to_string())})
        })
        .collect();
    json!({
        "unslotted": seen.unslotted, "slotted": done.read, "left": seen.left(), "added": done.added,
        "duplicates": done.duplicates, "slots": done.slots, "outcomes": done.outcomes, "rules": by_rule,
        "pairs_opened": done.pairs_opened, "pairs_closed": done.pairs_closed, "dry_run": dry_run,
    })
}

fn render(seen: &Seen, done: &Imported, rules: &[Rule], dry_run: bool, context: &Context) -> String {
    let mut page = Page::new(context.style);
    if dry_run {
        page.line([Cell::strong("a dry run: nothing was written")]);
        let rows: Vec<Vec<Cell>> = seen
            .by_rule
            .iter()
            .flat_map(|(name, read)| read.examples.iter().map(move |example| (name, example)))
            .map(|(name, (sentence, attribute, value))| {
                vec![Cell::quiet(name), Cell::plain(sentence), Cell::strong(attribute), Cell::strong(value)]
            })
            .collect();
        if !rows.is_empty() {
            page.table(&["rule", "sentence", "attribute", "value"], &rows).gap();
        }
    }
    let rows: Vec<Vec<Cell>> = seen
        .by_rule
        .iter()
        .map(|(name, read)| {
            let batch = batch_of(rules, name).map(|batch| batch.to_string()).unwrap_or_default();
            vec![Cell::plain(name), Cell::strong(read.count.to_string()), Cell::quiet(batch)]
        })
        .collect();
    if !rows.is_empty() {
        page.table(&["rule", "read", "batch"], &rows).gap();
    }
    page.line([
        Cell::strong(format!("{} added", words::count(done.added, "record"))),
        Cell::plain(format!(
            "from {} ({} there already); {} left unslotted",
            words::count(seen.unslotted, "sentence"),
            done.duplicates,
            seen.left()
        )),
    ]);
    let tone = if done.pairs_opened > 0 { Tone::Bad } else { Tone::Good };
    page.line([
        Cell::new(tone, format!("{} opened", words::count(done.pairs_opened, "pair"))),
        Cell::plain(format!("{} closed", done.pairs_closed)),
    ]);
    page.paragraph(
        Tone::Quiet,
        "a wrong rule: gainsay withdraw --batch BATCH --reason misread; what is left: gainsay slot --left",
    );
    page.text().to_owned()
}
