//! The configuration file to start from: every setting as it ships, each with what it does.

use std::collections::BTreeSet;

use serde_json::json;

use crate::app::key::{KEY_NAMES, Key};
use crate::app::keymap::{BINDINGS, Binding, Keymap, Place};
use crate::app::look::{PAINTS, Role};
use crate::app::rebind::{self, name, place_name};

/// The rows of every place, with their keys.
pub(super) fn rows(keymap: &Keymap) -> impl Iterator<Item = (&'static Binding, &[Key])> {
    let mut places: Vec<Place> = Vec::new();
    for binding in BINDINGS.iter().filter(|binding| binding.place != Place::Anywhere) {
        if !places.contains(&binding.place) {
            places.push(binding.place);
        }
    }
    places.insert(0, Place::Anywhere);
    places.into_iter().flat_map(|place| keymap.rows(place))
}

/// The name of a row: with its place where the name alone means rows with other keys too.
fn exact_name(keymap: &Keymap, row: &Binding, keys: &[Key]) -> String {
    let name = name(row);
    let alike = rows(keymap).filter(|(other, _)| rebind::name(other) == name).all(|(_, others)| others == keys);
    if alike { name } else { format!("{}.{name}", place_name(row.place)) }
}

pub(super) fn names(keys: &[Key]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

const OBSERVER: &str = r#"{"attribute": "retry_timeout", "subject": "svc/*", "run": ["cat", "/etc/svc/retry_timeout.json"],
  //  "source": "config_probe", "class": "observation", "timeout": "5s"}"#;

/// The file, with comments.
pub(super) fn starter() -> String {
    let roles = Role::ALL.map(Role::name).join(", ");
    let mut text = format!(
        r#"// The configuration of gainsay, as it ships. Save it as $XDG_CONFIG_HOME/gainsay/config.json
// (~/.config/gainsay/config.json), or name it with --config. What you do not change you may delete.
// It is JSON; from // to the end of a line is a comment.
{{
  // Colours: "auto" asks the terminal for its background; "dark", "light", "terminal" (its own sixteen), "plain" (none).
  "theme": "auto",

  // Named styles of your own, as "good": "bold #5fd7ff on 236".
  // Names: {roles}.
  // In a style: {PAINTS}.
  "styles": {{}},

  // true lets the mouse select, scroll and press, as --mouse does.
  "mouse": false,

  // true draws in ASCII only, as --ascii does.
  "ascii": false,

  // Programs that look at the live world, for `gainsay reobserve PAIR --run` and the key r. One of them would be:
  // {OBSERVER}
  // It prints {{"value": .., "epoch": N}}; {{subject}} and {{attribute}} in an argument stand for those of the slot.
  "observers": [],

  // Commands, each with its keys; [] takes its keys away, and the palette (:) still finds it.
  // A key is {KEY_NAMES}.
  "keys": {{"#
    );
    text.push_str(&keys());
    text.push_str("\n  }\n}\n");
    text
}

/// One line a command, under the place where its keys work.
fn keys() -> String {
    let keymap = Keymap::default();
    let (mut listed, mut place) = (BTreeSet::new(), None);
    let mut lines: Vec<(String, &str)> = Vec::new();
    for (row, keys) in rows(&keymap) {
        let name = exact_name(&keymap, row, keys);
        if !listed.insert(name.clone()) {
            continue;
        }
        let heading = if place.replace(row.place) == Some(row.place) {
            String::new()
        } else {
            format!("\n    // {}\n", place_name(row.place))
        };
        let keys = names(keys).iter().map(|key| json!(key).to_string()).collect::<Vec<_>>().join(", ");
        lines.push((format!("{heading}    {}: [{keys}]", json!(name)), row.help));
    }
    let last = lines.len().saturating_sub(1);
    let line = |(at, (line, help)): (usize, &(String, &str))| {
        let comma = if at == last { "" } else { "," };
        format!("\n{line}{comma}  // {help}")
    };
    lines.iter().enumerate().map(line).collect::<String>().replace("\n\n\n", "\n\n")
}
