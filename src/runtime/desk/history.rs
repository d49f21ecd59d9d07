//! One slot in both times. Its timeline is read once and held until the slot changes, so that every move and every
//! window is a look at what is there.

use crate::app::asks::history::{
    Answer, Believed, Crosshairs, Line, LineId, Linked, Moved, Named, Question, RecordLine, RulingLine, Said, Slot,
    Steps, Whole,
};
use crate::app::failure::Failure;
use crate::app::history::words;
use crate::app::list::{Anchor, Around, Row, Window};
use crate::app::port::Watch;
use crate::core::pair::JudgedRecord;
use crate::core::plane::{self, Spot};
use crate::core::record::RecordId;
use crate::core::ruling::PairId;
use crate::core::time::Instant;
use crate::store::{Item, Recalled, Store, Timeline};
use crate::wire;

/// How much of a list stands in an answer.
const SHOWN: usize = 40;
/// How many links of one record are told.
const LINKS: usize = 8;
/// How many of the slot's values are told apart.
const VALUES: usize = 24;

/// The timeline that was read last.
#[derive(Default)]
pub(super) struct Shelf {
    held: Option<(Named, Timeline)>,
}

impl Shelf {
    /// The timeline of the slot as it is now.
    fn timeline(&mut self, store: &Store, of: &Named, now: Instant) -> Result<&Timeline, Failure> {
        let held = match self.held.take() {
            Some((named, timeline)) if named == *of && store.is_current(&timeline, now)? => Some(timeline),
            Some(_) | None => None,
        };
        let timeline = match held {
            Some(timeline) => timeline,
            None => store.timeline(&of.subject, &of.attribute, now)?,
        };
        Ok(&self.held.insert((of.clone(), timeline)).1)
    }
}

pub(super) fn answer(
    store: &Store,
    shelf: &mut Shelf,
    question: &Question,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    Ok(match question {
        Question::Slot(of) => {
            Answer::Slot { of: of.clone(), slot: Box::new(slot(shelf.timeline(store, of, now)?, now)) }
        }
        Question::Plane { of, frame } => {
            let spots = shelf.timeline(store, of, now)?.spots.iter().copied();
            Answer::Plane { of: of.clone(), frame: *frame, plane: plane::plane(spots, *frame) }
        }
        Question::Lines { of, generation, around } => {
            let story = Story { store, told: shelf.timeline(store, of, now)?, now };
            Answer::Lines { of: of.clone(), generation: *generation, window: story.window(around)? }
        }
        Question::Move { of, number, from, by } => {
            let story = Story { store, told: shelf.timeline(store, of, now)?, now };
            Answer::Moved { of: of.clone(), number: *number, moved: Box::new(story.moved(*from, *by)?) }
        }
        Question::Recall { of, number, at, .. } => {
            // Whoever waits may have gone on meanwhile.
            if !watch.goes_on(0, 1) {
                return Err(Failure::Cancelled);
            }
            let recalled = store.recall(&of.subject, &of.attribute, at.as_of(), now)?;
            Answer::Recalled { of: of.clone(), number: *number, believed: Box::new(believed(recalled, *at)) }
        }
        Question::Record { of, record } => {
            let story = Story { store, told: shelf.timeline(store, of, now)?, now };
            Answer::Record { of: of.clone(), whole: story.whole(record)?.map(Box::new) }
        }
        Question::Json { of, record } => {
            let story = Story { store, told: shelf.timeline(store, of, now)?, now };
            let text = story.judged(record)?.map(|judged| wire::json::judged_record(&judged).to_string());
            Answer::Json { text: text.unwrap_or_default() }
        }
        Question::Pair(pair) => Answer::Pair(entry(store, *pair, now)?),
    })
}

fn entry(store: &Store, pair: PairId, now: Instant) -> Result<Option<Box<crate::core::pair::Entry>>, Failure> {
    Ok(store.pair(pair, now)?.map(|pair| Box::new(pair.entry)))
}

fn slot(told: &Timeline, now: Instant) -> Slot {
    let times = told.spots.iter().flat_map(|spot| [spot.observed.map(|at| at.first()), Some(spot.written)]);
    // What is said to be observed in the future is told beside the plane; it does not stretch it.
    let times = times.flatten().filter(|at| *at <= now);
    let written = told.spots.iter().map(|spot| spot.written);
    Slot {
        subject: told.subject.clone(),
        cardinality: told.rules.cardinality,
        on_change: told.rules.on_change,
        records: told.spots.len() as u64,
        undated: told.spots.iter().filter(|spot| spot.observed.is_none()).count() as u64,
        rulings: told.rulings.len() as u64,
        values: told.values.iter().take(VALUES).cloned().collect(),
        distinct: told.values.len() as u64,
        open_pairs: told.open_pairs(),
        from: times.min().unwrap_or(now),
        to: written.max().map_or(now, |last| last.max(now)),
        now,
    }
}

fn believed(recalled: Recalled, at: Crosshairs) -> Believed {
    let Recalled { status, cardinality, mut values, mut records, rulings, policy, pairs, .. } = recalled;
    let (more_values, more_records) = (more(values.len()), more(records.len()));
    values.truncate(SHOWN);
    records.truncate(SHOWN);
    Believed { at, status, cardinality, values, more_values, records, more_records, rulings, pairs, policy }
}

const fn more(many: usize) -> u64 {
    many.saturating_sub(SHOWN) as u64
}

/// A timeline, with the store that its records are read from.
struct Story<'a> {
    store: &'a Store,
    told: &'a Timeline,
    now: Instant,
}

impl Story<'_> {
    fn moved(&self, from: Crosshairs, by: Steps) -> Result<Moved, Failure> {
        let at = Crosshairs {
            believed_at: plane::step(&self.told.believed, from.believed_at, self.now, by.believed_at),
            about: plane::step(&self.told.observed, from.about, self.now, by.about),
        };
        let spots = &self.told.spots;
        Ok(Moved {
            at,
            last_written: self.said(plane::last_written(spots, at.believed_at))?,
            last_observed: self.said(plane::last_observed(spots, at.believed_at, at.about))?,
        })
    }

    fn said(&self, at: Option<usize>) -> Result<Option<Said>, Failure> {
        let judged = self.store.records_of(self.told, at, self.now)?.pop();
        Ok(judged.map(|JudgedRecord { record, .. }| Said {
            retracts: record.is_retraction(),
            record: record.id,
            value: record.value,
        }))
    }

    /// The window asked for: where the anchor has left the list, what stands at its time.
    fn window(&self, around: &Around<Line>) -> Result<Window<Line>, Failure> {
        let items = &self.told.items;
        let last = items.len().saturating_sub(1);
        let anchor = match &around.anchor {
            Anchor::First => 0,
            Anchor::Last => last,
            Anchor::At(line) => self.place(line).min(last),
        };
        let start = anchor.saturating_sub(around.before);
        let end = anchor.saturating_add(around.after).saturating_add(1).min(items.len());
        let shown = items.get(start..end).unwrap_or_default();
        let places = shown.iter().filter_map(|item| if let Item::Record(at) = item { Some(*at) } else { None });
        let mut records = self.store.records_of(self.told, places, self.now)?.into_iter();
        let rows = shown.iter().filter_map(|item| self.line(*item, &mut records)).collect();
        Ok(Window { rows, start: start as u64, total: items.len() as u64, anchor: anchor - start })
    }

    fn place(&self, line: &Line) -> usize {
        let told = self.told;
        let record = match line.id() {
            LineId::Record(id) => told.place(&id),
            LineId::Ruling(_) | LineId::Epoch(_) | LineId::Undated => None,
        };
        let same = |item: &Item| match (item, line) {
            (Item::Record(at), Line::Record(_)) => Some(*at) == record,
            (Item::Ruling(at), Line::Ruling(ruling)) => told.rulings[*at].ruling.id == ruling.ruling,
            (Item::Epoch(at), Line::Epoch { epoch, .. }) => told.epochs[*at].epoch == *epoch,
            (Item::Undated, Line::Undated { .. }) => true,
            (Item::Record(_) | Item::Ruling(_) | Item::Epoch(_) | Item::Undated, _) => false,
        };
        told.items.iter().position(same).unwrap_or(0)
    }

    fn line(&self, item: Item, records: &mut impl Iterator<Item = JudgedRecord>) -> Option<Line> {
        Some(match item {
            Item::Record(at) => Line::Record(Box::new(self.record_line(at, records.next()?))),
            Item::Ruling(at) => Line::Ruling(Box::new(self.ruling_line(at)?)),
            Item::Epoch(at) => {
                let seen = self.told.epochs.get(at)?;
                let (cause, opened) = (seen.cause.clone(), seen.opened.clone());
                Line::Epoch { epoch: seen.epoch, first_observed_at: seen.first_observed_at, cause, opened }
            }
            Item::Undated => {
                let undated = |spot: &&Spot| spot.observed.is_none();
                Line::Undated { records: self.told.spots.iter().filter(undated).count() as u64 }
            }
        })
    }

    fn record_line(&self, at: usize, judged: JudgedRecord) -> RecordLine {
        let (links, more_links) = self.links(at);
        let record = judged.record;
        RecordLine {
            mark: self.told.spots.get(at).map_or(0, |spot| spot.value),
            retracts: record.is_retraction(),
            kind: record.kind().cloned(),
            lacks: judged.lacks,
            observed_at: record.observed_at,
            written_at: record.written_at,
            epoch: record.epoch,
            id: record.id,
            value: record.value,
            batch: record.batch,
            state: judged.state,
            superseded_by: judged.superseded_by,
            links,
            more_links,
            open_pair: self.told.open_pair(at),
        }
    }

    fn ruling_line(&self, at: usize) -> Option<RulingLine> {
        let seen = self.told.rulings.get(at)?;
        Some(RulingLine {
            ruling: seen.ruling.id,
            at: seen.ruling.at,
            actor: seen.ruling.actor.clone(),
            kind: seen.kind.clone(),
            what: words::decision(&seen.ruling.decision),
            reason: seen.ruling.reason.clone(),
            pair: seen.ruling.pair,
            undone: seen.undone,
        })
    }

    fn links(&self, at: usize) -> (Vec<Linked>, u64) {
        let told = self.told;
        let all = told.links(at);
        let mut linked = Vec::new();
        let mut more = 0;
        for link in all {
            if linked.len() == LINKS {
                more += 1;
                continue;
            }
            let (Some(other), Some(spot)) = (told.ids.get(link.other), told.spots.get(link.other)) else {
                continue;
            };
            let value = told.values.get(spot.value).map(|(value, _)| value.clone()).unwrap_or_default();
            linked.push(Linked { kind: link.kind, from_here: link.from_here, other: other.clone(), value });
        }
        (linked, more)
    }

    fn judged(&self, record: &RecordId) -> Result<Option<JudgedRecord>, Failure> {
        Ok(self.store.records_of(self.told, self.told.place(record), self.now)?.pop())
    }

    fn whole(&self, record: &RecordId) -> Result<Option<Whole>, Failure> {
        let Some(at) = self.told.place(record) else { return Ok(None) };
        let (links, more_links) = self.links(at);
        let open_pair = self.told.open_pair(at);
        Ok(self.judged(record)?.map(|judged| Whole { judged, links, more_links, open_pair }))
    }
}
