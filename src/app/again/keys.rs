//! What the keys do while many are looked at again, and what follows from what comes back.

use super::super::asks::looks::{Look, Looks, Question, Served};
use super::super::dialog::Dialog;
use super::super::key::{Code, Key};
use super::super::keymap::{Command, Common, Marking, Moving};
use super::super::model::{Model, Pending, Tone, What, rulings};
use super::super::msg::Effect;
use super::super::preview::YES;
use super::super::session::Done;
use super::{Again, Stage, Told, counted};
use crate::core::order::Target;
use crate::core::ruling::RulingId;
use crate::core::time::Instant;

/// Observers are sought for all of them.
pub(crate) fn ask(model: &mut Model, targets: Vec<Target>) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    let number = model.begin_work("looking for observers");
    model.dialogs.push(Dialog::Again(Box::new(Again { number, targets: targets.clone(), stage: Stage::Seeking })));
    vec![Effect::Looks { number, question: Question::Served(targets) }]
}

/// It is known who looks at what.
pub(crate) fn served(model: &mut Model, number: u64, served: &Served) {
    for dialog in &mut model.dialogs {
        if let Dialog::Again(again) = dialog
            && again.number == number
        {
            again.stage = Stage::Asking { served: served.clone(), typed: String::new() };
        }
    }
}

/// A key while it is open.
pub(crate) fn key(model: &mut Model, mut again: Box<Again>, key: Key, now: Instant) -> Vec<Effect> {
    let leaves = key.code == Code::Esc || key == Key::ctrl('c');
    match &mut again.stage {
        Stage::Told(_) => return in_told(model, again, key),
        Stage::Seeking | Stage::Asking { .. } if leaves => {
            model.say(Tone::Hint, "nothing was looked at; the marks stay");
            let unanswered = model.working.take_if(|working| working.number == again.number);
            return unanswered.map(|working| Effect::Cancel { number: working.number }).into_iter().collect();
        }
        Stage::Seeking => {}
        Stage::Asking { served, typed } => match key.code {
            Code::Enter if !key.held && typed.as_str() == YES && !served.by.is_empty() => {
                let targets = served.by.iter().map(|(target, _)| target.clone()).collect();
                return start(model, targets, now);
            }
            Code::Char(char) if !key.ctrl && !key.alt && !key.held && typed.len() < 12 => typed.push(char),
            Code::Backspace => {
                typed.pop();
            }
            Code::Char(_)
            | Code::Enter
            | Code::Esc
            | Code::Tab
            | Code::BackTab
            | Code::Delete
            | Code::Up
            | Code::Down
            | Code::Left
            | Code::Right
            | Code::Home
            | Code::End
            | Code::PageUp
            | Code::PageDown
            | Code::F(_) => {}
        },
    }
    model.dialogs.push(Dialog::Again(again));
    Vec::new()
}

fn start(model: &mut Model, targets: Vec<Target>, now: Instant) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    model.dialogs.clear();
    let what = format!("looking again at {}", counted(&targets));
    model.pending = Some(Pending::new(What::Ruling(what.clone()), None, None, targets.len()));
    model.triage.rule(now);
    model.said = None;
    let number = model.begin_looking(what);
    vec![Effect::Looks { number, question: Question::All(targets) }]
}

/// It is done, or was stopped: what was seen is one thing to undo, and each outcome is listed.
pub(crate) fn looked(model: &mut Model, number: u64, looks: Looks, at: Instant) -> Vec<Effect> {
    (model.now, model.pending) = (at, None);
    let targets: Vec<Target> = looks.iter().map(|look| look.target.clone()).collect();
    let outcomes: Vec<_> = looks.iter().filter_map(Look::outcome).collect();
    let mut numbers: Vec<RulingId> = outcomes.iter().map(|outcome| outcome.ruling).collect();
    numbers.sort_unstable();
    let slots = outcomes.iter().map(|outcome| outcome.slots).sum();
    let what = format!("looking again at {}", counted(&targets));
    if numbers.is_empty() {
        model.say(Tone::Hint, format!("{what}: nothing was written"));
    } else {
        model.say(Tone::Done, format!("{what}: {}", rulings(&numbers)));
        model.session.ruled(Done { rulings: numbers, what, entry: None, slots }, at);
    }
    let told = Told::new(looks);
    mark(model, &told);
    // What is being typed elsewhere is not interrupted: it is read when that is done.
    let stage = Stage::Told(told);
    model.dialogs.insert(0, Dialog::Again(Box::new(Again { number, targets, stage })));
    model.refresh()
}

/// What was looked at loses its mark; what is left keeps it, or not.
fn mark(model: &mut Model, told: &Told) {
    let marks = &mut model.triage.queue.marks;
    for look in &told.looks {
        let Some(pair) = look.target.pair() else { continue };
        if told.keeps && look.is_left() {
            marks.insert(pair);
        } else {
            marks.remove(&pair);
        }
    }
}

fn in_told(model: &mut Model, mut again: Box<Again>, key: Key) -> Vec<Effect> {
    let Stage::Told(told) = &mut again.stage else { return Vec::new() };
    // Whatever is bound: arrows move, and Esc and Ctrl-c go back.
    let fixed = [
        (key.code == Code::Down, Command::Move(Moving::Down)),
        (key.code == Code::Up, Command::Move(Moving::Up)),
        (key.code == Code::Esc || key.code == Code::Char('c') && key.ctrl, Command::Common(Common::Back)),
    ];
    let fixed = fixed.into_iter().find(|(pressed, _)| *pressed).map(|(_, command)| command);
    let whole = isize::try_from(told.looks.len()).unwrap_or(isize::MAX);
    match fixed.or_else(|| model.setup.keymap.command(model.place(), key)) {
        Some(Command::Common(Common::Back | Common::Quit)) => {
            let stay = model.triage.queue.marks.len();
            if stay > 0 {
                model.say(Tone::Hint, format!("{stay} stay marked"));
            }
            return Vec::new();
        }
        Some(Command::Move(to)) => told.step(to.in_dialog(whole)),
        Some(Command::Mark(Marking::One)) if !key.held => {
            told.keeps = !told.keeps;
            mark(model, told);
        }
        Some(_) | None => {}
    }
    model.dialogs.push(Dialog::Again(again));
    Vec::new()
}
