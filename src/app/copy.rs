//! What the copy menu puts into the clipboard.

use super::dialog::Dialog;
use super::keymap::Command;
use super::model::Model;
use super::msg::Effect;

/// Copies something of the pair on the screen.
pub(super) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    if matches!(model.dialogs.last(), Some(Dialog::Menu(_))) {
        model.dialogs.pop();
    }
    let side = model.triage.side();
    let Some(pair) = model.triage.pair() else { return model.hint("no pair is on the screen: nothing to copy") };
    let (id, record) = (pair.entry.pair, &pair.record(side).record);
    let text = |what: &str, text: String| vec![Effect::Copy { what: what.to_owned(), text }];
    match command {
        Command::CopyId => text("the id", record.id.to_string()),
        Command::CopyValue => {
            let value = record.value.as_str().map_or_else(|| record.value.to_string(), str::to_owned);
            text("the value", value)
        }
        Command::CopyJson => vec![Effect::CopyJson(id)],
        Command::CopyCommand => text("the command", format!("gainsay show {id}")),
        _ => Vec::new(),
    }
}
