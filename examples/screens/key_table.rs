//! The table of every key, for the README: from the key map itself, so that no key stands there that does nothing.

use std::fmt::Write as _;

use gainsay::app::Key;
use gainsay::app::dialog::menu_title;
use gainsay::app::keymap::{BINDINGS, Binding, Keymap, Place, Screen};

const BEGINS: &str = "<!-- every key -->\n";
const ENDS: &str = "<!-- /every key -->";

/// The README with the table as it is now, between its two marks; none where a mark is missing.
pub(crate) fn placed(readme: &str) -> Option<String> {
    let (before, rest) = readme.split_once(BEGINS)?;
    let (_, after) = rest.split_once(ENDS)?;
    Some(format!("{before}{BEGINS}\n{}\n{ENDS}{after}", table()))
}

fn table() -> String {
    let keymap = Keymap::default();
    let mut places: Vec<Place> = Vec::new();
    for binding in BINDINGS {
        if !places.contains(&binding.place) {
            places.push(binding.place);
        }
    }
    let mut text = String::from("| where | keys | action | what it does |\n|---|---|---|---|\n");
    for place in places {
        for (binding, keys) in keymap.rows(place) {
            let keys: Vec<String> = keys.iter().map(code).collect();
            let line = [&named(binding), &keys.join(" "), binding.name, &plain(binding.help)].join(" | ");
            let _infallible = writeln!(text, "| {line} |");
        }
    }
    text
}

fn named(binding: &Binding) -> String {
    match binding.place {
        Place::Anywhere if Screen::ALL.iter().all(|screen| binding.works_on(*screen)) => "everywhere".to_owned(),
        Place::Anywhere | Place::On(_) => binding.screens(),
        Place::In(menu) => menu_title(menu).to_owned(),
    }
}

fn code(key: &Key) -> String {
    // A pipe ends a cell even between backticks.
    format!("`{}`", key.to_string().replace('|', "\\|"))
}

fn plain(text: &str) -> String {
    text.replace('|', "\\|")
}
