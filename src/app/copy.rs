//! What the copy menu puts into the clipboard.

use super::dialog::Dialog;
use super::keymap::Copying;
use super::model::Model;
use super::msg::Effect;

/// Copies something of the pair on the screen.
pub(super) fn copy(model: &mut Model, what: Copying) -> Vec<Effect> {
    if matches!(model.dialogs.last(), Some(Dialog::Menu(_))) {
        model.dialogs.pop();
    }
    let side = model.triage.side();
    let Some(pair) = model.triage.pair() else { return model.hint("no pair is on the screen: nothing to copy") };
    let (id, record) = (pair.entry.pair, &pair.record(side).record);
    let text = |what: &str, text: String| vec![Effect::Copy { what: what.to_owned(), text }];
    match what {
        Copying::Id => text("the id", record.id.to_string()),
        Copying::Value => {
            let value = record.value.as_str().map_or_else(|| record.value.to_string(), str::to_owned);
            text("the value", value)
        }
        Copying::Json => vec![Effect::CopyJson(id)],
        Copying::Number | Copying::Hash | Copying::Event | Copying::LogLine => Vec::new(),
        Copying::Line => text("the command", format!("gainsay show {id}")),
    }
}
