//! Sentences into slots by hand: tried in a dry run, written by the same import as any other record.

use std::path::Path;

use crate::app::asks::slotting::{Answer, Came, Question, Reading, Sentence};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::record::{Batch, Record};
use crate::core::text::shown_value;
use crate::formats::by_hand;
use crate::formats::slotting::Rule;
use crate::store::{By, Clash, Import, Store};
use crate::wire::Incoming;

/// So many of the other sentences are shown.
const SHOWN: usize = 5;
/// So many records are read at once.
const PAGE: u32 = 1_000;

/// Answers it. Rules are kept in this file, where there is one to keep them in.
pub(super) fn answer(
    store: &mut Store,
    rules: Option<&Path>,
    question: &Question,
    by: &By<'_>,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Left(most) => left(store, *most, watch).map(Answer::Left),
        Question::Try(reading) => read(store, rules, reading, (true, by), watch).map(Answer::Tried),
        Question::Write(reading) => read(store, rules, reading, (false, by), watch).map(Answer::Written),
    }
}

fn left(store: &Store, most: usize, watch: &dyn Watch) -> Result<Vec<Sentence>, Failure> {
    let mut left = Vec::new();
    for record in Unread::of(store, watch).take(most) {
        let record = record?;
        left.push(Sentence {
            record: record.id.clone(),
            subject: record.subject.as_str().to_owned(),
            text: shown_value(&record.value),
            kind: record.kind().map(|kind| kind.as_str().to_owned()),
        });
    }
    Ok(left)
}

fn read(
    store: &mut Store,
    rules: Option<&Path>,
    reading: &Reading,
    (dry_run, by): (bool, &By<'_>),
    watch: &dyn Watch,
) -> Result<Came, Failure> {
    let gone = || Failure::Store("the sentence is not there any more".to_owned());
    let record = store.record(&reading.record, by.now)?.ok_or_else(gone)?.record;
    let sentence = record.value.as_str().ok_or_else(|| Failure::Store("it is no sentence".to_owned()))?;
    let name = match rules.filter(|_| reading.keep) {
        Some(path) => {
            by_hand::free_name(path, &reading.attribute).map_err(|why| Failure::Store(why.to_string()))?
        }
        None => format!("{} by hand", by.actor),
    };
    let (file, rule) = by_hand::rule(
        &name,
        (record.subject.as_str(), sentence),
        (&reading.attribute, &reading.value),
        !reading.keep,
    )
    .map_err(|why| Failure::Store(why.to_string()))?;
    let first =
        rule.slot(&record).ok_or_else(|| Failure::Store("nothing is read out of it like that".to_owned()))?;
    let mut came = Came {
        batch: rule.batch().to_string(),
        form: reading.keep.then(|| file["match"].as_str().unwrap_or_default().to_owned()),
        ..Came::default()
    };
    enter(store, (&rule, reading.keep), (first, &record), (dry_run, by), (&mut came, watch))?;
    if let (false, true, Some(path)) = (dry_run, reading.keep, rules) {
        let kept = by_hand::keep(path, &file);
        came.kept = Some(kept.map(|()| path.display().to_string()).map_err(|why| why.to_string()));
    }
    Ok(came)
}

/// The record that was read, and those that the rule reads out of the other sentences.
fn enter(
    store: &mut Store,
    (rule, all): (&Rule, bool),
    (first, record): (Incoming, &Record),
    (dry_run, by): (bool, &By<'_>),
    (came, watch): (&mut Came, &dyn Watch),
) -> Result<(), Failure> {
    // The others are read beside the import: from a connection of their own.
    let beside = store.again(by.now)?;
    let mut others = 0;
    let mut examples = Vec::new();
    let unread = all.then(|| Unread::of(&beside, watch)).into_iter().flatten();
    let read = unread.filter_map(|other| {
        let other = match other {
            Ok(other) if other.id == record.id => return None,
            Ok(other) => other,
            Err(failure) => return Some(Err(failure)),
        };
        let made = rule.slot(&other)?;
        others += 1;
        if examples.len() < SHOWN {
            let texts =
                [other.subject.as_str().to_owned(), shown_value(&other.value), shown_value(&made.record.value)];
            examples.push(texts);
        }
        Some(Ok(made))
    });
    let import = Import { batch: Batch::from(came.batch.as_str()), dry_run, each: false };
    let clash =
        |clash: &Clash| Err(Failure::Store(format!("the record {} is there already with other content", clash.id)));
    let done = store.import(by, &import, std::iter::once(Ok(first)).chain(read), clash, |_| ())?;
    let mut outcomes: Vec<(String, u64)> =
        done.outcomes.iter().map(|(name, many)| ((*name).to_owned(), *many)).collect();
    outcomes.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    (came.others, came.examples, came.outcomes) = (others, examples, outcomes);
    (came.pairs_opened, came.pairs_closed) = (done.pairs_opened, done.pairs_closed);
    Ok(())
}

/// The sentences out of which nothing was read, a page at a time, as long as they are wanted.
struct Unread<'a> {
    store: &'a Store,
    watch: &'a dyn Watch,
    page: std::vec::IntoIter<Record>,
    reached: i64,
    passed: u64,
    done: bool,
}

impl<'a> Unread<'a> {
    fn of(store: &'a Store, watch: &'a dyn Watch) -> Self {
        Self { store, watch, page: Vec::new().into_iter(), reached: 0, passed: 0, done: false }
    }

    fn next_record(&mut self) -> Result<Option<Record>, Failure> {
        loop {
            for record in self.page.by_ref() {
                self.passed += 1;
                if record.value.is_string() && !self.store.is_read(&record.id)? {
                    return Ok(Some(record));
                }
            }
            if self.done {
                return Ok(None);
            }
            if !self.watch.goes_on(self.passed, 0) {
                return Err(Failure::Cancelled);
            }
            let (page, reached) = self.store.unslotted(self.reached, PAGE)?;
            self.done = reached.is_none();
            self.reached = reached.unwrap_or(self.reached);
            self.page = page.into_iter();
        }
    }
}

impl Iterator for Unread<'_> {
    type Item = Result<Record, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_record();
        self.done |= next.is_err();
        next.transpose()
    }
}
