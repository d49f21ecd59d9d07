//! What the keys of the log screen do, and what follows from the answers.

use super::super::asks::log::{Answer, Question, Saying};
use super::super::copy;
use super::super::dialog::Dialog;
use super::super::failure::Failure;
use super::super::form::{Confirming, Form, Logged, Purpose, Says, Stage};
use super::super::keymap::{Command, Copying, Logging, Looking, Screen, Way};
use super::super::list::{Anchor, Landed};
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::super::port::Filter as QueueFilter;
use super::drafts::{keep_draft, open_form};
use super::sample::Auditing;
use super::scrolled::{half, lay_out, scroll};
use super::{audits, drafts, forms, narrow, scrolled, words};
use crate::core::pair::PairState;
use crate::core::record::{Attribute, Batch, Subject};
use crate::core::time::Instant;

/// The terminal has another size.
pub(crate) fn resized(model: &mut Model) {
    scrolled::resized(model);
}

/// A form of this screen was left: what was typed is kept.
pub(crate) fn closed(model: &mut Model, form: &Form) -> Vec<Effect> {
    drafts::closed(model, form)
}

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, _now: Instant) -> Option<Vec<Effect>> {
    Some(match command {
        Command::Move(to) => match to.way(half(model)) {
            Way::By(rows) => moved(model, rows),
            Way::First => ended(model, Anchor::First),
            Way::Last => ended(model, Anchor::Last),
            Way::Next(by) => next(model, by),
        },
        Command::Look(Looking::EvidenceDown) => scroll(model, 1),
        Command::Look(Looking::EvidenceUp) => scroll(model, -1),
        Command::Look(Looking::Full) => whole(model),
        Command::Look(Looking::Blind) => audits::blind(model),
        Command::Narrow(to) => return narrow::narrow(model, to),
        Command::Copy(what) => return copy(model, what),
        Command::OpenHistory => open_history(model),
        Command::OpenBatch => open_batch(model),
        Command::Dispute => dispute(model),
        Command::Log(Logging::Verify) => verify(model),
        Command::Log(Logging::Sample) => {
            let number = model.begin_work("counting rulings");
            vec![Effect::Log { number, question: Question::Reviewers }]
        }
        Command::Log(Logging::Agree) => audits::say(model, Says::Agree),
        Command::Log(Logging::Disagree) => audits::say(model, Says::Disagree),
        Command::OpenPair
        | Command::OpenPairs
        | Command::Plane(_)
        | Command::Look(_)
        | Command::Mark(_)
        | Command::Decide(_)
        | Command::Skip
        | Command::Edit
        | Command::Common(_) => return None,
    })
}

/// One level back within the screen; none at its outermost.
pub(crate) fn back(model: &mut Model) -> Option<Vec<Effect>> {
    if std::mem::take(&mut model.log.full) {
        model.log.down = 0;
        lay_out(model);
        return Some(Vec::new());
    }
    let left = model.log.auditing.take()?;
    let effects = model.log.selected();
    let seed = &left.sample.drawn.seed;
    model.say(Tone::Hint, format!("the sample is left; s and the seed {seed} draw it again, with what you said"));
    Some(effects)
}

/// Moves the selection, or on the whole screen the text.
fn moved(model: &mut Model, by: i64) -> Vec<Effect> {
    model.said = None;
    if model.log.full {
        return scroll(model, by);
    }
    if let Some(auditing) = &mut model.log.auditing {
        return if auditing.step(by) { model.log.selected() } else { Vec::new() };
    }
    if !model.log.list.step(by) {
        return Vec::new();
    }
    model.log.at_top = None;
    let mut effects = model.log.selected();
    let refill = model.log.refill();
    effects.extend(narrow::numbered(model, refill));
    effects
}

/// The newest or the oldest; on the whole screen the beginning or the end of the text.
fn ended(model: &mut Model, anchor: Anchor<super::Event>) -> Vec<Effect> {
    let far = if anchor == Anchor::First { i64::MIN / 2 } else { i64::MAX / 2 };
    if model.log.full {
        model.log.down = 0;
        return scroll(model, far.max(0));
    }
    if model.log.auditing.is_some() {
        return moved(model, far);
    }
    let effects = model.log.jump(anchor);
    narrow::numbered(model, effects)
}

/// The next or previous event, or ruling of the sample on which nothing was said; past the end it says so.
fn next(model: &mut Model, by: i64) -> Vec<Effect> {
    let before = model.log.current().map(|event| event.seq);
    let was_full = std::mem::take(&mut model.log.full);
    let effects = moved(model, by);
    model.log.full = was_full;
    if model.log.current().map(|event| event.seq) != before {
        return effects;
    }
    let end = if by > 0 { "the last: there is none after it" } else { "the first: there is none before it" };
    model.hint(format!("this is {end}"))
}

/// Enter: the event on the whole screen; again: its pair, in Triage.
fn whole(model: &mut Model) -> Vec<Effect> {
    if model.log.whole().is_none() {
        return model.hint("no event is on the screen");
    }
    if model.log.full {
        return open_pair(model);
    }
    (model.log.full, model.log.down) = (true, 0);
    lay_out(model);
    Vec::new()
}

fn open_pair(model: &mut Model) -> Vec<Effect> {
    let Some(entry) = model.log.whole().and_then(|whole| whole.pair.clone()) else {
        return model.hint("this event is about no pair; Esc goes back to the list");
    };
    let (pair, state) = (entry.pair, entry.state);
    let filter = QueueFilter { states: vec![state], ..QueueFilter::default() };
    let effects = model.show_pairs(filter, Anchor::At(Box::new(entry)));
    let shown = if state == PairState::Open {
        String::new()
    } else {
        format!("; {} pairs are shown, F shows the open ones", state.name())
    };
    model.say(Tone::Hint, format!("pair {pair}; Esc goes back to the log{shown}"));
    effects
}

fn open_history(model: &mut Model) -> Vec<Effect> {
    let slot = model.log.current().map(|event| (event.subject.clone(), event.attribute.clone()));
    let Some((Some(subject), Some(attribute))) = slot else { return model.hint("this event is about no slot") };
    model.history.show(Subject::from(subject.as_str()), Attribute::from(attribute.as_str()));
    model.go(Screen::History)
}

fn open_batch(model: &mut Model) -> Vec<Effect> {
    let named = model.log.current().and_then(words::batch).map(Batch::from);
    let first = model.log.whole().and_then(|whole| whole.records.first());
    let batch = named.or_else(|| first.map(|then| then.judged.record.batch.clone()));
    let Some(batch) = batch else { return model.hint("this event names no batch") };
    model.batches.wanted = Some(batch);
    model.go(Screen::Batches)
}

/// Contests what the core settled: the reason is asked for, what it would do is shown, `y` writes it.
fn dispute(model: &mut Model) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    let Some(event) = model.log.current() else { return model.hint("no event is selected") };
    let named = event.named.as_slice();
    let ("resolved", [winner, loser]) = (event.kind.as_str(), named) else {
        return model.hint("only what the core settled can be disputed: a `resolved` event");
    };
    let form = forms::dispute((&winner.0, &winner.1), (&loser.0, &loser.1), &words::about(event));
    open_form(model, form)
}

/// Every field of a form of this screen is passed.
pub(crate) fn complete(model: &mut Model, mut form: Form, now: Instant) -> Vec<Effect> {
    let Purpose::Log(purpose) = form.purpose else { return Vec::new() };
    let objection = match purpose {
        Logged::Facets => match forms::filter(&form, &model.log.filter) {
            Ok(filter) => return narrow::show(model, filter),
            Err(objection) => objection,
        },
        Logged::Sample => match forms::draw(&form) {
            Ok((draw, blind)) => {
                model.log.wants_blind = blind;
                let number = model.begin_work("drawing the sample");
                return vec![Effect::Log { number, question: Question::Sample(draw) }];
            }
            Err(objection) => objection,
        },
        Logged::Dispute => match forms::dispute_order(&form) {
            Ok(order) => {
                let number = model.begin_work("computing what it would do");
                let confirming = Confirming { order: order.clone(), number, preview: None, typed: None };
                form.stage = Stage::Confirming(Box::new(confirming));
                model.dialogs.push(Dialog::Form(Box::new(form)));
                return vec![Effect::Preview { number, order }];
            }
            Err(objection) => objection,
        },
        Logged::Says(says) => match audits::spoken(model, &form, says) {
            Ok(saying) => {
                form.stage = Stage::Saying(Box::new(saying));
                return model.open(Dialog::Form(Box::new(form)));
            }
            Err(objection) => objection,
        },
    };
    model.now = now;
    form.object(objection.0, objection.1);
    model.open(Dialog::Form(Box::new(form)))
}

/// `y`: what an auditor says is written.
pub(crate) fn write(model: &mut Model, form: &Form, saying: Saying) -> Vec<Effect> {
    keep_draft(model, form);
    vec![Effect::Log { number: 0, question: Question::Say(saying) }]
}

fn verify(model: &mut Model) -> Vec<Effect> {
    if let Some(working) = &model.working {
        let text = format!("{} is still under way; Esc cancels it", working.what);
        return model.hint(text);
    }
    model.said = None;
    let number = model.begin_work("verifying the store");
    vec![Effect::Log { number, question: Question::Verify }]
}

fn copy(model: &mut Model, what: Copying) -> Option<Vec<Effect>> {
    model.close_menu();
    let Some(event) = model.log.current() else { return Some(model.hint("no event is selected: nothing to copy")) };
    let text = |what: &str, text: String| Some(copy::text(what, text));
    match what {
        Copying::Number => text("the number", event.seq.to_string()),
        Copying::Hash => text("the hash", event.hash.clone()),
        Copying::Event => match model.log.whole() {
            Some(whole) => text("the event as JSON", whole.json.clone()),
            None => Some(model.hint("the event is not on the screen yet")),
        },
        Copying::LogLine => text("the command", format!("gainsay log --event {} --json", event.seq)),
        Copying::Id | Copying::Value | Copying::Json | Copying::Line => None,
    }
}

/// Another text is looked for, as it is typed.
pub(crate) fn find(model: &mut Model, text: &str) -> Vec<Effect> {
    narrow::find(model, text)
}

/// Finding was given up.
pub(crate) fn give_up_finding(model: &mut Model) -> Vec<Effect> {
    narrow::give_up(model)
}

/// An answer has come.
pub(crate) fn answered(model: &mut Model, _number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Page { generation, window, chain }) => {
            model.log.chain = chain;
            let before = model.log.list.current().map(|event| event.seq);
            let landed = model.log.list.land(generation, window);
            landed_on(model, landed, before)
        }
        Ok(Answer::Whole(whole)) => {
            let wanted = model.log.current().map(|event| event.seq);
            if whole.as_ref().is_none_or(|whole| Some(whole.event.seq) == wanted) {
                let (size, now) = (model.size, model.now);
                model.log.show(whole, size, now);
            }
            Vec::new()
        }
        Ok(Answer::Verified(chain)) => verified(model, chain),
        Ok(Answer::Reviewers(reviewers)) => audits::choose_reviewer(model, &reviewers),
        Ok(Answer::Sample(sample)) => {
            let blind = model.log.wants_blind;
            if sample.reviewer == model.setup.actor {
                model.say(
                    Tone::Trouble,
                    "these are your own rulings: the audits are kept, and left out of the rate",
                );
            }
            model.log.auditing = Some(Auditing::new(*sample, blind));
            model.log.full = false;
            model.log.selected()
        }
        Ok(Answer::Said { audit, tally }) => audits::said(model, *audit, tally),
        Err(failure) => {
            model.say(Tone::Trouble, failure.to_string());
            Vec::new()
        }
    }
}

/// The list has come: at the top it stays at the top, and another event that is selected is asked for.
fn landed_on(model: &mut Model, landed: Landed, before: Option<i64>) -> Vec<Effect> {
    let mut effects = match landed {
        Landed::Outdated => return Vec::new(),
        Landed::Missed => {
            let asked = model.log.list.reload();
            let effects = model.log.ask(asked);
            return narrow::numbered(model, effects);
        }
        Landed::Kept | Landed::Moved => model.log.refill(),
    };
    let selected = model.log.list.current().map(|event| event.seq);
    if model.log.at_top.take().is_some_and(|top| Some(top) == selected) && model.log.list.position() > 0 {
        let rows = i64::try_from(model.log.list.position()).unwrap_or(i64::MAX);
        model.log.list.step(-rows);
        if model.log.list.position() > 0 {
            effects = model.log.jump(Anchor::First);
        }
    }
    let now_selected = model.log.list.current().map(|event| event.seq);
    if model.log.auditing.is_none() && (now_selected != before || model.log.whole().is_none()) {
        effects.extend(model.log.selected());
    }
    narrow::numbered(model, effects)
}

/// What `verify` said: in a word where all is well, in a box where it is not.
fn verified(model: &mut Model, chain: super::Chain) -> Vec<Effect> {
    let Some(check) = &chain.check else { return Vec::new() };
    let events = check.events;
    if check.damage.is_empty() {
        model.say(Tone::Hint, format!("verified: {events} events linked, every slot settles as it is stored"));
    } else {
        const SHOWN: usize = 12;
        let many = check.damage.len();
        let mut lines: Vec<String> = check.damage.iter().take(SHOWN).cloned().collect();
        if many > SHOWN {
            lines.push(format!("… and {} more: `gainsay verify` lists them.", many - SHOWN));
        }
        lines.push("Stop writing to this store, keep the file, and restore a backup.".to_owned());
        model.say(Tone::Trouble, "the store is DAMAGED");
        model.dialogs.push(Dialog::Notice { title: "The store is damaged".to_owned(), lines });
    }
    model.log.chain = chain;
    Vec::new()
}
