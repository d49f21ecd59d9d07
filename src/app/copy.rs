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
    // No terminal says whether it took a text: it is shown too, so that it can be selected by hand.
    let text = |what: &str, text: String| vec![Effect::Copy { what: format!("{what}: {text}"), text }];
    match what {
        Copying::Id => text("the id", record.id.to_string()),
        Copying::Value => {
            let value = record.value.as_str().map_or_else(|| record.value.to_string(), str::to_owned);
            text("the value", value)
        }
        Copying::Json => vec![Effect::CopyJson(id)],
        Copying::Line => text("the command", format!("gainsay show {id}")),
    }
}
