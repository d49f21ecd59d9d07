//! What the keys of the lane of sentences do.

use super::super::asks::slotting::{Answer, Came, Question};
use super::super::dialog::Dialog;
use super::super::failure::Failure;
use super::super::form::Step;
use super::super::key::{Code, Key};
use super::super::keymap::{Command, Common, Looking};
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::{MOST, Slotting, Tried, form, reading};

/// Opens the lane.
pub(crate) fn open(model: &mut Model) -> Vec<Effect> {
    let number = model.begin_work("looking for sentences in no slot");
    model.dialogs.push(Dialog::Slotting(Box::new(Slotting { number, ..Slotting::default() })));
    vec![Effect::Slotting { number, question: Question::Left(MOST) }]
}

/// A key while it is open.
pub(crate) fn key(model: &mut Model, mut lane: Box<Slotting>, key: Key) -> Vec<Effect> {
    if lane.tried.is_some() {
        return confirming(model, lane, key);
    }
    if lane.form.is_some() {
        return filling(model, lane, key);
    }
    let closes = key.code == Code::Esc || key == Key::ctrl('c');
    let command =
        if closes { Some(Command::Common(Common::Back)) } else { model.setup.keymap.command(model.place(), key) };
    let whole = isize::try_from(lane.len()).unwrap_or(isize::MAX);
    match command {
        Some(Command::Common(Common::Back | Common::Quit)) => return unwanted(model, lane.number),
        Some(Command::Move(to)) => lane.step(to.in_dialog(whole)),
        Some(Command::Look(Looking::Full)) if !key.held => match (model.cannot_write(), lane.current()) {
            (Some(why), _) => model.say(Tone::Hint, why),
            (None, Some(sentence)) => lane.form = Some(form(sentence)),
            (None, None) => {}
        },
        Some(_) | None => {}
    }
    back(model, lane)
}

fn back(model: &mut Model, lane: Box<Slotting>) -> Vec<Effect> {
    model.dialogs.push(Dialog::Slotting(lane));
    Vec::new()
}

/// Nobody waits for that work any more.
fn unwanted(model: &mut Model, number: u64) -> Vec<Effect> {
    let unanswered = model.working.take_if(|working| working.number == number);
    unanswered.map(|working| Effect::Cancel { number: working.number }).into_iter().collect()
}

fn filling(model: &mut Model, mut lane: Box<Slotting>, key: Key) -> Vec<Effect> {
    let sentence = lane.current().cloned();
    let (Some(mut form), Some(sentence)) = (lane.form.take(), sentence) else { return back(model, lane) };
    let made = match form.key(key) {
        Step::Close => {
            model.say(Tone::Hint, "nothing was written");
            return back(model, lane);
        }
        Step::Stay | Step::Write => None,
        Step::Complete => match reading(&form, &sentence) {
            Ok(reading) => Some(reading),
            Err((field, why)) => {
                form.object(field, why);
                None
            }
        },
    };
    lane.form = Some(form);
    let Some(reading) = made else { return back(model, lane) };
    lane.number = model.begin_work("computing what it would do");
    lane.tried = Some(Tried { reading: reading.clone(), came: None });
    let number = lane.number;
    model.dialogs.push(Dialog::Slotting(lane));
    vec![Effect::Slotting { number, question: Question::Try(reading) }]
}

fn confirming(model: &mut Model, mut lane: Box<Slotting>, key: Key) -> Vec<Effect> {
    if key.code == Code::Esc || key == Key::ctrl('c') {
        lane.tried = None;
        let effects = unwanted(model, lane.number);
        model.dialogs.push(Dialog::Slotting(lane));
        return effects;
    }
    let known = lane.tried.as_ref().filter(|tried| tried.came.is_some()).map(|tried| tried.reading.clone());
    let writes = key == Key::char('y') && !key.held;
    match (known, writes, model.cannot_write()) {
        (_, false, _) => back(model, lane),
        (None, true, _) => {
            model.say(Tone::Hint, "what it would do is still being computed");
            back(model, lane)
        }
        (Some(_), true, Some(why)) => {
            model.say(Tone::Hint, why);
            back(model, lane)
        }
        (Some(reading), true, None) => {
            lane.number = model.begin_work("writing what was read");
            // Asked for once: until the answer has come, there is nothing to confirm.
            lane.tried = Some(Tried { reading: reading.clone(), came: None });
            let number = lane.number;
            model.dialogs.push(Dialog::Slotting(lane));
            vec![Effect::Slotting { number, question: Question::Write(reading) }]
        }
    }
}

/// What was asked has come. An answer that nobody waits for any more is dropped, but never that something was written.
pub(crate) fn answered(model: &mut Model, number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    model.end_work(number);
    let waiting = model.dialogs.iter_mut().rev().find_map(|dialog| {
        let Dialog::Slotting(lane) = dialog else { return None };
        (lane.number == number).then_some(lane)
    });
    match (answer, waiting) {
        (Ok(Answer::Left(sentences)), Some(lane)) => lane.list(sentences),
        (Ok(Answer::Tried(came)), Some(lane)) => {
            if let Some(tried) = &mut lane.tried {
                tried.came = Some(came);
            }
        }
        (Ok(Answer::Left(_) | Answer::Tried(_)), None) => {}
        (Ok(Answer::Written(came)), waiting) => {
            if let Some(lane) = waiting {
                (lane.form, lane.tried) = (None, None);
            }
            return written(model, &came);
        }
        (Err(failure), Some(lane)) => {
            let why = failure.to_string();
            lane.tried = None;
            match &mut lane.form {
                Some(form) => form.error = Some(why),
                None => {
                    model.dialogs.retain(|dialog| !dialog.waits_for(number));
                    model.say(Tone::Trouble, why);
                }
            }
        }
        (Err(failure), None) => model.say(Tone::Trouble, failure.to_string()),
    }
    Vec::new()
}

/// It is written: said with the way back, and what is left is read again, with the queue.
fn written(model: &mut Model, came: &Came) -> Vec<Effect> {
    let sentences = match came.others {
        0 => "1 sentence is read".to_owned(),
        others => format!("{} sentences are read", others + 1),
    };
    let kept = match &came.kept {
        None => String::new(),
        Some(Ok(place)) => format!(", the rule is kept in {place}"),
        Some(Err(why)) => format!(", but the rule is not kept: {why}"),
    };
    let tone = if matches!(came.kept, Some(Err(_))) { Tone::Trouble } else { Tone::Done };
    model.say(tone, format!("{sentences}{kept}; withdrawn with batch {}", came.batch));
    let mut effects = model.refresh();
    let number = model.begin_work("looking for sentences in no slot");
    for dialog in &mut model.dialogs {
        if let Dialog::Slotting(lane) = dialog {
            lane.number = number;
        }
    }
    effects.push(Effect::Slotting { number, question: Question::Left(MOST) });
    effects
}
