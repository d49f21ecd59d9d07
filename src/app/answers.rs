//! What the store answered, and what follows from it.

use super::again;
use super::asks::looks;
use super::bulk::Sorted;
use super::decide;
use super::dialog::{Dialog, Refused};
use super::failure::Failure;
use super::form::{Form, Stage};
use super::keymap::{Command, Common, Menu};
use super::list::{Anchor, Landed};
use super::model::{Model, Overtaken, Pending, Tone, What, Working, rulings};
use super::msg::Effect;
use super::port::{Commonest, Page};
use super::session::Done;
use super::stale;
use super::triage::keys::MOST_MARKS;
use crate::core::examine::Side;
use crate::core::order::{Outcome, Refusal};
use crate::core::pair::Pair;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;

/// How far work is. What is looked for becomes work that is shown, and can be cancelled, once it takes long.
pub(super) fn progress(model: &mut Model, number: u64, progress: (u64, u64)) {
    if model.working.is_none() && model.triage.queue.finding == Some(number) {
        let what = match &model.triage.queue.filter.text {
            Some(text) => format!("finding {text:?}"),
            None => "finding what the filter shows".to_owned(),
        };
        model.working = Some(Working { number, what, progress: None });
    }
    if let Some(looking) = model.looking.as_mut().filter(|looking| looking.number == number) {
        looking.progress = Some(progress);
    }
    if let Some(working) = model.working.as_mut().filter(|working| working.number == number) {
        working.progress = Some(progress);
    }
}

/// A window of the queue.
pub(super) fn page(model: &mut Model, number: u64, generation: u64, answer: Result<Page, Failure>) -> Vec<Effect> {
    model.end_work(number);
    model.triage.queue.finding.take_if(|finding| *finding == number);
    let page = match answer {
        Ok(page) => page,
        Err(failure) => return not_read(model, generation, &failure),
    };
    match model.triage.queue.land(generation, page) {
        Landed::Outdated => Vec::new(),
        Landed::Missed => model.triage.queue.reload(),
        Landed::Moved => {
            // Its pair was asked for together with this window: the answer is told to the reviewer when it comes.
            if let Some(pair) = model.watched.take().filter(|_| model.overtaken.is_none()) {
                model.overtaken = Some((pair, Overtaken::Looking));
            }
            with_refill(model, true)
        }
        Landed::Kept => {
            model.watched = None;
            let absent = model.triage.pair().is_none();
            with_refill(model, absent)
        }
    }
}

/// A window did not come. What was given up for a newer question is of no interest; what the reviewer stopped leaves
/// the list, and the filter, as they were.
fn not_read(model: &mut Model, generation: u64, failure: &Failure) -> Vec<Effect> {
    let queue = &mut model.triage.queue;
    if !queue.list.failed(generation) {
        return Vec::new();
    }
    if *failure != Failure::Cancelled {
        return trouble(model, failure);
    }
    queue.filter = queue.shown.clone();
    model.hint("stopped looking: the list is as it was")
}

fn with_refill(model: &mut Model, ask_pair: bool) -> Vec<Effect> {
    let mut effects = if ask_pair { model.triage.selected() } else { Vec::new() };
    effects.extend(model.triage.queue.refill());
    effects
}

/// A pair whole.
pub(super) fn pair(model: &mut Model, id: PairId, answer: Result<Option<Pair>, Failure>) -> Vec<Effect> {
    let pair = match answer {
        Ok(pair) => pair,
        Err(failure) => return trouble(model, &failure),
    };
    if let Some((_, when)) = model.overtaken.take_if(|(overtaken, _)| *overtaken == id) {
        let title = match when {
            Overtaken::Looking => format!("Pair {id} left the list while you looked at it"),
            Overtaken::Ruling(_) => format!("Pair {id} changed while you looked at it"),
        };
        let mut lines = overtaken(&when, pair.as_ref());
        if put_away(model, id) {
            lines.push("What you were typing is kept for this pair, should it come back.".to_owned());
        }
        model.dialogs.push(Dialog::Notice { title, lines });
    }
    if model.triage.queue.current().is_none_or(|entry| entry.pair != id) {
        return Vec::new();
    }
    let (geometry, now) = (model.geometry(), model.now);
    model.triage.show(pair, geometry, now);
    Vec::new()
}

/// Takes away what lies open on a pair that is no longer what it was: under it stands another. Says whether something
/// was being typed; that is kept as a draft.
fn put_away(model: &mut Model, id: PairId) -> bool {
    model.dialogs.retain(|dialog| !matches!(dialog, Dialog::Menu(_) | Dialog::Refused(_)));
    let on_it = |form: &&mut Box<Form>| form.pair().is_some_and(|pair| pair.entry.pair == id);
    let typed: Vec<Dialog> =
        model.dialogs.extract_if(.., |dialog| dialog.form_mut().filter(on_it).is_some()).collect();
    let any = !typed.is_empty();
    for form in typed.into_iter().filter_map(|mut dialog| dialog.form_mut().cloned()) {
        decide::keep_draft(model, &form);
    }
    any
}

/// Who ruled what, and what the pair is now.
fn overtaken(when: &Overtaken, pair: Option<&Pair>) -> Vec<String> {
    let mut lines = match when {
        Overtaken::Looking => Vec::new(),
        Overtaken::Ruling(what) => vec!["Nothing was written.".to_owned(), what.clone()],
    };
    let Some(pair) = pair else {
        lines.push("The pair is no longer there.".to_owned());
        return lines;
    };
    if let Some(ruled) = &pair.ruled {
        let by = &ruled.by;
        lines.push(format!("{by} ruled: {}, ruling {}, at {}.", &ruled.what, ruled.ruling, ruled.at));
    }
    lines.push(format!("The pair is now {}.", pair.entry.state.name()));
    for (letter, side) in [("A", Side::Left), ("B", Side::Right)] {
        let judged = pair.record(side);
        let state = judged.state.map_or("unslotted", crate::core::pair::RecordState::name);
        lines.push(format!("{letter} {} is {state}.", judged.record.id.as_str()));
    }
    lines
}

/// The numbers of the pairs of the list, to be marked.
pub(super) fn marked(model: &mut Model, number: u64, answer: Result<Vec<PairId>, Failure>) -> Vec<Effect> {
    model.end_work(number);
    let most = MOST_MARKS;
    let mut pairs = match answer {
        Ok(pairs) => pairs,
        Err(failure) => return trouble(model, &failure),
    };
    let more = pairs.len() > most;
    pairs.truncate(most);
    let added = pairs.len();
    model.triage.queue.marks.extend(pairs);
    let many = model.triage.queue.marks.len();
    let rest = if more { format!(", the first {most} of the list: there are more") } else { String::new() };
    let told = if added == many { format!("{many} marked") } else { format!("{added} marked, {many} in all") };
    let back = model.key(Common::Back);
    model.hint(format!("{told}{rest}; a decision is for all of them, {back} takes the marks away"))
}

/// Marked pairs that have left the queue lose their marks, and the reviewer is told.
pub(super) fn settled(model: &mut Model, answer: Result<Vec<PairId>, Failure>) -> Vec<Effect> {
    let gone = match answer {
        Ok(gone) => gone,
        Err(failure) => return trouble(model, &failure),
    };
    let marks = &mut model.triage.queue.marks;
    let lost: Vec<PairId> = gone.into_iter().filter(|pair| marks.remove(pair)).collect();
    let left = marks.len();
    if lost.is_empty() {
        return Vec::new();
    }
    let named: Vec<String> = lost.iter().take(5).map(ToString::to_string).collect();
    let more = if lost.len() > named.len() { " …" } else { "" };
    let pairs = if lost.len() == 1 { "1 marked pair was" } else { &format!("{} marked pairs were", lost.len()) };
    model.hint(format!("{pairs} settled meanwhile ({}{more}): {left} stay marked", named.join(", ")))
}

/// What the queue may be narrowed to: offered in the facets, where these are still open.
pub(super) fn commonest(model: &mut Model, number: u64, answer: Result<Commonest, Failure>) -> Vec<Effect> {
    model.end_work(number);
    let Ok(commonest) = answer else { return Vec::new() };
    if let Some(Dialog::Form(form)) = model.dialogs.last_mut() {
        super::facets::offer(form, commonest);
    }
    Vec::new()
}

/// What came of the orders given last.
pub(super) fn carried_out(
    model: &mut Model,
    number: u64,
    answers: Vec<Result<Outcome, Failure>>,
    at: Instant,
) -> Vec<Effect> {
    model.now = at;
    model.end_work(number);
    let Some(pending) = model.pending.take() else { return model.refresh() };
    let (mut outcomes, mut failures, mut along) = (Vec::new(), Vec::new(), 0);
    for answer in answers {
        match answer {
            Ok(outcome) => outcomes.push(outcome),
            Err(Failure::Refused(Refusal::Along { .. })) => along += 1,
            Err(failure) => failures.push(failure),
        }
    }
    let numbers: Vec<RulingId> = outcomes.iter().flat_map(Outcome::all).collect();
    let mut effects = Vec::new();
    match &pending.what {
        _ if outcomes.is_empty() => {}
        What::Ruling(what) => ruled(model, &pending, (what.clone(), along), &outcomes, numbers, at),
        What::Undo => effects.extend(undid(model, &outcomes, &numbers)),
        What::Redo => effects.extend(redid(model, &outcomes, &numbers)),
    }
    if let Some(failure) = failures.first() {
        failed(model, pending, failure.clone(), failures.len());
    }
    if effects.is_empty() {
        effects = model.refresh();
    }
    effects.extend(model.overtaken.as_ref().map(|(pair, _)| Effect::Pair(*pair)));
    effects
}

fn ruled(
    model: &mut Model,
    pending: &Pending,
    (what, along): (String, usize),
    outcomes: &[Outcome],
    numbers: Vec<RulingId>,
    at: Instant,
) {
    if let Some(form) = &pending.form {
        decide::drop_draft(model, form);
    }
    if pending.orders > 1 || pending.entry.is_none() {
        model.triage.queue.marks.clear();
    }
    let with = match along {
        0 => String::new(),
        1 => ", 1 of them along with another".to_owned(),
        many => format!(", {many} of them along with others"),
    };
    model.say(Tone::Done, format!("{what}: {}{}{with}", rulings(&numbers), effect_of(outcomes)));
    let slots = outcomes.iter().map(|outcome| outcome.slots).sum();
    model.session.ruled(Done { rulings: numbers, what, entry: pending.entry.clone(), slots }, at);
}

/// What became of the pairs, in a few words.
fn effect_of(outcomes: &[Outcome]) -> String {
    let closed: usize = outcomes.iter().map(|outcome| outcome.closed.len()).sum();
    let opened: usize = outcomes.iter().map(|outcome| outcome.opened.len()).sum();
    let state = match outcomes {
        [one] => one.pair_state.map(|state| format!(", now {}", state.name())),
        _ => None,
    };
    let closed = (closed > 1).then(|| format!(", {closed} closed"));
    let opened = (opened > 0).then(|| format!(", {opened} opened"));
    [state, closed, opened].into_iter().flatten().collect()
}

fn undid(model: &mut Model, outcomes: &[Outcome], numbers: &[RulingId]) -> Vec<Effect> {
    let done = model.session.undid();
    let what = match &done {
        Some(done) => format!("{}, {}", rulings(&done.rulings), done.what),
        None => earlier(outcomes),
    };
    model.say(Tone::Done, format!("undone: {what} ({})", rulings(numbers)));
    // Back to where it was done, so that what is restored is seen.
    match done.and_then(|done| done.entry) {
        Some(entry) => model.triage.queue.jump(Anchor::At(entry)),
        None => Vec::new(),
    }
}

/// What was undone, or done again, that this session did not do itself: `ruling 7, accept of pair 3, made earlier`.
fn earlier(outcomes: &[Outcome]) -> String {
    let Some((outcome, undid)) = outcomes.first().and_then(|it| it.undid.as_ref().map(|undid| (it, undid))) else {
        return "your last ruling".to_owned();
    };
    let of = outcome.pair.map(|pair| format!(" of pair {pair}")).unwrap_or_default();
    let more = outcomes.iter().map(|it| it.rulings).sum::<u64>().saturating_sub(1);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("ruling {}, {}{of}{more}, made earlier", undid.at_last, undid.action)
}

fn redid(model: &mut Model, outcomes: &[Outcome], numbers: &[RulingId]) -> Vec<Effect> {
    let what = match model.session.redid() {
        Some(done) => format!("{}, {}", rulings(&done.rulings), done.what),
        None => earlier(outcomes),
    };
    model.say(Tone::Done, format!("done again: {what} ({})", rulings(numbers)));
    Vec::new()
}

/// An order was not carried out: nothing is lost of what was typed, and the reason is shown.
fn failed(model: &mut Model, pending: Pending, failure: Failure, many: usize) {
    if many > 1 || pending.orders > 1 {
        let written = pending.orders.saturating_sub(many);
        let text = if written == 0 {
            format!("nothing was written: {failure}")
        } else {
            format!("{many} of {} were not written, the first because: {failure}", pending.orders)
        };
        return model.say(Tone::Trouble, text);
    }
    match (failure, pending.form) {
        (Failure::Refused(Refusal::Stale { pair, what }), _) => {
            model.say(Tone::Trouble, format!("pair {pair} changed while you looked at it: nothing was written"));
            model.overtaken = Some((pair, Overtaken::Ruling(what)));
        }
        (failure, Some(form)) => reopen(model, form, &failure),
        (Failure::Refused(refusal @ Refusal::NotPermitted { .. }), None) => {
            let (because, nearest) = (refusal.to_string(), Command::Common(Common::OpenMenu(Menu::LookAgain)));
            model.dialogs.push(Dialog::Refused(Refused { command: nearest, because, nearest }));
        }
        (Failure::Cancelled, None) => model.say(Tone::Hint, "stopped: nothing was written"),
        (failure @ (Failure::Refused(_) | Failure::Store(_)), None) => say_whole(model, failure.to_string()),
    }
}

/// A reason that has no room on its line is shown in a box: what an observer complains of may be long.
fn say_whole(model: &mut Model, text: String) {
    if text.chars().count() < usize::from(model.size.width) {
        return model.say(Tone::Trouble, text);
    }
    model.dialogs.push(Dialog::Notice { title: "Nothing was written".to_owned(), lines: vec![text] });
}

fn reopen(model: &mut Model, mut form: Form, failure: &Failure) {
    form.stage = Stage::Filling;
    form.error = Some(failure.to_string());
    model.dialogs.push(Dialog::Form(Box::new(form)));
}

/// What an order would do.
pub(super) fn previewed(model: &mut Model, number: u64, answer: Result<Outcome, Failure>) -> Vec<Effect> {
    model.end_work(number);
    let form = model.dialogs.iter_mut().rev().find_map(Dialog::form_mut);
    let Some(form) = form else { return Vec::new() };
    let Stage::Confirming(confirming) = &mut form.stage else { return Vec::new() };
    if confirming.number != number {
        return Vec::new();
    }
    match answer {
        Ok(outcome) => confirming.preview = Some(outcome),
        Err(failure) => {
            form.stage = Stage::Filling;
            form.error = Some(failure.to_string());
        }
    }
    Vec::new()
}

/// The marked pairs, sorted by what the core says.
pub(super) fn sorted(model: &mut Model, number: u64, answer: Result<Sorted, Failure>) -> Vec<Effect> {
    model.end_work(number);
    let waits = |dialog: &Dialog| matches!(dialog, Dialog::Bulk(bulk) if bulk.number == number);
    match answer {
        Ok(sorted) => {
            if let Some(Dialog::Bulk(bulk)) = model.dialogs.iter_mut().rev().find(|dialog| waits(dialog)) {
                bulk.answer(sorted);
            }
            Vec::new()
        }
        Err(failure) => {
            model.dialogs.retain(|dialog| !waits(dialog));
            match failure {
                Failure::Cancelled => model.hint("stopped: nothing was written; the marks stay"),
                Failure::Refused(_) | Failure::Store(_) => trouble(model, &failure),
            }
        }
    }
}

/// What was asked of looking again. What did not come closes what waited for it.
pub(super) fn looks(
    model: &mut Model,
    number: u64,
    answer: Result<looks::Answer, Failure>,
    at: Instant,
) -> Vec<Effect> {
    model.end_work(number);
    match answer {
        Ok(looks::Answer::Looked(looks)) => return again::keys::looked(model, number, looks, at),
        Ok(looks::Answer::Served(served)) => again::keys::served(model, number, &served),
        Ok(looks::Answer::Stale(facts)) => stale::keys::came(model, number, facts),
        Err(failure) => {
            let before = model.dialogs.len();
            model.dialogs.retain(|dialog| !dialog.waits_for(number));
            if model.dialogs.len() == before {
                // No dialog waited: it is the looks themselves that failed.
                model.pending = None;
            }
            model.say(Tone::Trouble, failure.to_string());
        }
    }
    Vec::new()
}

fn trouble(model: &mut Model, failure: &Failure) -> Vec<Effect> {
    model.say(Tone::Trouble, failure.to_string());
    Vec::new()
}
