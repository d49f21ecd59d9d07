//! What the copy menu puts into the clipboard.

use super::keymap::Copying;
use super::model::Model;
use super::msg::Effect;

/// Copies something of the pair on the screen.
pub(super) fn copy(model: &mut Model, what: Copying) -> Vec<Effect> {
    model.close_menu();
    let side = model.triage.side();
    let Some(pair) = model.triage.pair() else { return model.hint("no pair is on the screen: nothing to copy") };
    let (id, record) = (pair.entry.pair, &pair.record(side).record);
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

/// Puts a text into the clipboard. No terminal says whether it took it: it is shown too, to be selected by hand.
pub(super) fn text(what: &str, text: String) -> Vec<Effect> {
    vec![Effect::Copy { what: format!("{what}: {text}"), text }]
}

/// A command line: what is not plain is quoted, so that a shell takes each argument as it is.
pub(super) fn command(line: &str, arguments: &[&str]) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_./:@%+,=-".contains(char);
    let mut line = line.to_owned();
    if arguments.iter().any(|argument| argument.starts_with('-')) {
        line.push_str(" --");
    }
    for argument in arguments {
        line.push(' ');
        if !argument.is_empty() && argument.chars().all(plain) {
            line.push_str(argument);
        } else {
            line.push('\'');
            line.push_str(&argument.replace('\'', r"'\''"));
            line.push('\'');
        }
    }
    line
}
