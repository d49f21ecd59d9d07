//! The event log: windows of it, one event whole, the check of the store, audits.

use crate::app::asks::log::{
    Answer, Chain, Check, Draw, Event, Filter, Item, Question, Sample, Saying, Whole, Word,
};
use crate::app::failure::Failure;
use crate::app::list::{Anchor, Around, Window};
use crate::app::port::Watch;
use crate::core::audit::Tally;
use crate::core::record::Subject;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;
use crate::core::value::plain;
use crate::store::{self, By, LogFilter, Said, Store, StoreError, Stretch};

pub(super) fn answer(
    store: &mut Store,
    actor: &str,
    kept: &mut Kept,
    question: &Question,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Page { generation, around, filter, .. } => {
            let window = List { store, filter: log_filter(filter), watch }.window(around, kept)?;
            Ok(Answer::Page { generation: *generation, window, chain: chain(store)? })
        }
        Question::Whole(seq) => Ok(Answer::Whole(whole(store, *seq, now)?.map(Box::new))),
        Question::Verify => {
            let found = store.verify_while(now, |done, of| watch.goes_on(done, of))?.ok_or(Failure::Cancelled)?;
            let check = store.keep_check(&found, &By { actor, now })?;
            Ok(Answer::Verified(Chain { check: Some(checked(check)), ..chain(store)? }))
        }
        Question::Reviewers => Ok(Answer::Reviewers(store.reviewers()?)),
        Question::Sample(draw) => Ok(Answer::Sample(Box::new(sample(store, actor, draw)?))),
        Question::Say(saying) => {
            let audit = store.audit(&said(saying), &By { actor, now })?;
            let tally = tally(store, &audit.reviewer)?;
            Ok(Answer::Said { audit: Box::new(audit), tally })
        }
    }
}

/// What was counted of the log under a filter. Events never change and none goes: what was counted stays counted, and
/// only what came since is counted anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    filter: LogFilter,
    /// Where counting began.
    after: i64,
    /// So many up to this event: of the whole stretch, and of the stretch up to the last anchor.
    total: (i64, u64),
    anchor: (i64, u64),
}

/// So many events are searched at a time, between two looks at whether the search is still wanted.
const CHUNK: i64 = 20_000;

/// The filtered log, of which a window is read.
struct List<'a> {
    store: &'a Store,
    filter: LogFilter,
    watch: &'a dyn Watch,
}

impl List<'_> {
    fn window(&self, around: &Around<Event>, kept: &mut Kept) -> Result<Window<Event>, Failure> {
        let whole = self.store.stretch(&self.filter)?;
        let total = self.total(kept, whole)?;
        let (older, newer) = match &around.anchor {
            Anchor::First => (self.older(whole, around.after + 1)?, Vec::new()),
            Anchor::Last => self.last(whole, around.before)?,
            Anchor::At(event) => {
                let at = event.seq.clamp(whole.after, whole.to);
                let older = self.older(Stretch { to: at, ..whole }, around.after + 1)?;
                if older.is_empty() {
                    // Nothing stands in its place: past the end it is the last.
                    self.last(whole, around.before)?
                } else {
                    (older, self.newer(Stretch { after: at, ..whole }, around.before)?)
                }
            }
        };
        let before = match newer.first() {
            // So many stand before the first row: those that are newer than it.
            Some(first) => total - self.up_to(kept, whole, first.seq)?,
            None => match older.first() {
                Some(first) => total - self.up_to(kept, whole, first.seq)?,
                None => 0,
            },
        };
        let anchor = newer.len();
        let rows = newer.into_iter().chain(older).map(|event| row(self.store, event)).collect::<Result<_, _>>()?;
        Ok(Window { rows, start: before, total, anchor })
    }

    /// The last of the list, which is the oldest event, and those before it.
    fn last(&self, whole: Stretch, before: usize) -> Result<(Vec<store::Event>, Vec<store::Event>), Failure> {
        let mut rows = self.newer(whole, before + 1)?;
        let oldest = rows.pop().into_iter().collect();
        Ok((oldest, rows))
    }

    /// The newest events of a stretch, the newest first.
    fn older(&self, within: Stretch, limit: usize) -> Result<Vec<store::Event>, Failure> {
        let (mut found, mut to) = (Vec::new(), within.to);
        while found.len() < limit && to > within.after {
            let after = self.chunked(to - CHUNK, within.after);
            let stretch = Stretch { after, to };
            found.extend(self.store.log_window(&self.filter, stretch, false, limit - found.len())?);
            to = after;
            self.goes_on(within.to.abs_diff(to), within.len())?;
        }
        Ok(found)
    }

    /// The oldest events of a stretch, the newest first.
    fn newer(&self, within: Stretch, limit: usize) -> Result<Vec<store::Event>, Failure> {
        let (mut found, mut after): (Vec<store::Event>, i64) = (Vec::new(), within.after);
        while found.len() < limit && after < within.to {
            let to = if self.filter.text.is_some() { (after + CHUNK).min(within.to) } else { within.to };
            let stretch = Stretch { after, to };
            let mut rows = self.store.log_window(&self.filter, stretch, true, limit - found.len())?;
            rows.extend(found);
            (found, after) = (rows, to);
            self.goes_on(after.abs_diff(within.after), within.len())?;
        }
        Ok(found)
    }

    /// Only what is searched word by word is searched piece by piece.
    fn chunked(&self, to: i64, least: i64) -> i64 {
        if self.filter.text.is_some() { to.max(least) } else { least }
    }

    fn count(&self, within: Stretch) -> Result<u64, Failure> {
        let (mut counted, mut to) = (0, within.to);
        while to > within.after {
            let after = self.chunked(to - CHUNK, within.after);
            counted += self.store.log_count(&self.filter, Stretch { after, to })?;
            to = after;
            self.goes_on(within.to.abs_diff(to), within.len())?;
        }
        Ok(counted)
    }

    fn goes_on(&self, done: u64, of: u64) -> Result<(), Failure> {
        if self.watch.goes_on(done, of) { Ok(()) } else { Err(Failure::Cancelled) }
    }

    /// How many events the filter shows.
    fn total(&self, kept: &mut Kept, whole: Stretch) -> Result<u64, Failure> {
        if kept.filter != self.filter || kept.after != whole.after || kept.total.0 > whole.to {
            let total = (whole.to, self.count(whole)?);
            *kept = Kept { filter: self.filter.clone(), after: whole.after, total, anchor: total };
        }
        let since = Stretch { after: kept.total.0, to: whole.to };
        kept.total = (whole.to, kept.total.1 + self.count(since)?);
        Ok(kept.total.1)
    }

    /// How many events the filter shows up to one: counted from the anchor before, which is near as a rule.
    fn up_to(&self, kept: &mut Kept, whole: Stretch, seq: i64) -> Result<u64, Failure> {
        let near = |to: i64| seq.abs_diff(to);
        let starts = [kept.anchor, kept.total, (whole.after, 0)];
        let (at, counted) = starts.into_iter().min_by_key(|(at, _)| near(*at)).unwrap_or((whole.after, 0));
        let here = if at <= seq {
            counted + self.count(Stretch { after: at, to: seq })?
        } else {
            counted - self.count(Stretch { after: seq, to: at })?
        };
        kept.anchor = (seq, here);
        Ok(here)
    }
}

fn log_filter(shown: &Filter) -> LogFilter {
    LogFilter {
        actor: shown.actor.clone(),
        kind: shown.kind.clone(),
        since: shown.since,
        until: shown.until,
        subject: shown.subject.as_deref().map(Subject::from),
        pair: shown.pair,
        ruling: shown.ruling,
        text: shown.text.clone(),
        after: None,
        event: None,
    }
}

/// A value in a line of a list is no longer than anybody reads.
const READ: usize = 200;

fn row(store: &Store, event: store::Event) -> Result<Event, StoreError> {
    let ruling = event.ruling.map(RulingId);
    let undone = ruling.map(|ruling| store.undone(ruling)).transpose()?.flatten();
    let named = store.values_named(&event)?.into_iter();
    let named = named.map(|(id, value)| (id.to_string(), plain(&value).chars().take(READ).collect())).collect();
    Ok(Event {
        seq: event.seq,
        at: event.at,
        actor: event.actor,
        kind: event.kind,
        subject: event.subject,
        attribute: event.attribute,
        pair: event.pair.map(PairId),
        ruling,
        body: event.body,
        hash: event.hash,
        undone: undone.map(|undone| undone.ruling),
        named,
    })
}

fn whole(store: &Store, seq: i64, now: Instant) -> Result<Option<Whole>, StoreError> {
    let Some(then) = store.then(seq, now)? else { return Ok(None) };
    let json = then.event.to_json().to_string();
    Ok(Some(Whole {
        follows: then.follows,
        records: then.records,
        many: then.named,
        policy: then.policy,
        undone: then.undone,
        audits: then.audits,
        pair: then.pair,
        about: then.about.map(|about| row(store, about)).transpose()?,
        event: row(store, then.event)?,
        json,
    }))
}

fn chain(store: &Store) -> Result<Chain, StoreError> {
    let (events, head) = store.head()?.unwrap_or_default();
    Ok(Chain { events: events.unsigned_abs(), head, check: store.last_check()?.map(checked) })
}

fn checked(check: store::Check) -> Check {
    let damage = check.damage.into_iter().map(|damage| format!("{}: {}", damage.what, damage.wrong)).collect();
    Check { at: check.at, actor: check.actor, events: check.events, damage }
}

fn sample(store: &Store, auditor: &str, draw: &Draw) -> Result<Sample, Failure> {
    let drawn = store.sample(&draw.reviewer, draw.size, &draw.seed, None)?;
    let mut items = Vec::with_capacity(drawn.rulings.len());
    for ruling in drawn.rulings {
        let Some(event) = store.ruling_event(ruling)? else { continue };
        let mut said = store.audits(Some(ruling))?;
        said.retain(|audit| audit.auditor == auditor);
        items.push(Item { event: row(store, event)?, ruling, said: said.pop() });
    }
    let tally = tally(store, &draw.reviewer)?;
    Ok(Sample { reviewer: drawn.reviewer, drawn: drawn.drawn, of: drawn.of, items, tally })
}

fn tally(store: &Store, reviewer: &str) -> Result<Tally, StoreError> {
    let mut report = store.audit_report(Some(reviewer))?;
    Ok(report.reviewers.remove(reviewer).unwrap_or_default())
}

fn said(saying: &Saying) -> store::Saying {
    store::Saying {
        ruling: saying.ruling,
        said: match &saying.word {
            Word::Seeing(verdict) => Said::Seeing(*verdict),
            Word::Blind(said) => Said::Blind(said.clone()),
        },
        note: saying.note.clone(),
        sample: saying.sample.clone(),
    }
}
