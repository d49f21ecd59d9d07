//! What the keys of the stale lane do.

use super::super::again;
use super::super::asks::looks::{Question, StaleFact};
use super::super::dialog::Dialog;
use super::super::key::{Code, Key};
use super::super::keymap::{Command, Common, Marking, Menu, Screen};
use super::super::model::Model;
use super::super::msg::Effect;
use super::{MOST, Stale};

/// Opens the lane.
pub(crate) fn open(model: &mut Model) -> Vec<Effect> {
    let number = model.begin_work("looking for stale facts");
    model.dialogs.push(Dialog::Stale(Box::new(Stale { number, ..Stale::default() })));
    vec![Effect::Looks { number, question: Question::Stale(MOST) }]
}

/// What is stale has come.
pub(crate) fn came(model: &mut Model, number: u64, facts: Vec<StaleFact>) {
    for dialog in &mut model.dialogs {
        if let Dialog::Stale(stale) = dialog
            && stale.number == number
        {
            stale.facts = Some(facts.clone());
        }
    }
}

/// A key while it is open.
pub(crate) fn key(model: &mut Model, mut stale: Box<Stale>, key: Key) -> Vec<Effect> {
    let closes = key.code == Code::Esc || key == Key::ctrl('c');
    let command =
        if closes { Some(Command::Common(Common::Back)) } else { model.setup.keymap.command(model.place(), key) };
    let whole = isize::try_from(stale.len()).unwrap_or(isize::MAX);
    match command {
        Some(Command::Common(Common::Back | Common::Quit)) => {
            let unanswered = model.working.take_if(|working| working.number == stale.number);
            return unanswered.map(|working| Effect::Cancel { number: working.number }).into_iter().collect();
        }
        Some(Command::Move(to)) => stale.step(to.in_dialog(whole)),
        Some(Command::Mark(Marking::One)) if !key.held && stale.current().is_some() => {
            let at = stale.at;
            if !stale.marks.remove(&at) {
                stale.marks.insert(at);
            }
            stale.step(1);
        }
        Some(Command::Mark(Marking::All)) if !key.held => stale.mark_all(),
        Some(Command::Common(Common::OpenMenu(Menu::LookAgain))) if !key.held && stale.current().is_some() => {
            let targets = stale.targets();
            model.dialogs.push(Dialog::Stale(stale));
            return again::keys::ask(model, targets);
        }
        Some(Command::OpenHistory) if !key.held => {
            if let Some(fact) = stale.current() {
                model.history.show(fact.subject.clone(), fact.attribute.clone());
                return model.go(Screen::History);
            }
        }
        Some(_) | None => {}
    }
    model.dialogs.push(Dialog::Stale(stale));
    Vec::new()
}
