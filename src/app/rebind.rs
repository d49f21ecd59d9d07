//! Keys that the user has chosen: checked against what must hold of every key, and named where they do not.
//!
//! A command is called by its name in the palette, in lower case with hyphens (`accept-a`, `defer-until`), and where it
//! has keys of its own on one screen or in one menu, by that place too (`batches.withdraw-batch`).

use std::collections::BTreeSet;

use super::key::{Code, Key};
use super::keymap::{BINDINGS, Binding, Command, Common, Keymap, Menu, Place, Screen};

/// What the user wants: a command by its name, and the keys that it is to have instead of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    pub name: String,
    /// None at all: the command has no key any more, and is found in the palette only.
    pub keys: Vec<Key>,
}

/// Why the wishes cannot be granted, and which of them it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misbound {
    /// The place of the wish among the others.
    pub wish: usize,
    /// The place of the key in it; none where it is about the command.
    pub key: Option<usize>,
    pub why: Why,
}

/// What is wrong with a wish.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("no command is called {0:?}")]
    UnknownCommand(String),
    #[error("{key} would do two things {place}: {one} and {other}")]
    Twice { key: Key, place: &'static str, one: String, other: String },
    #[error("{0} cannot be bound: terminals and multiplexers keep it for themselves")]
    Owned(Key),
    #[error("{key} may not do {name}: {key} never writes, so that nothing is ruled by a slip")]
    MayNotDecide { key: Key, name: String },
    #[error("{key} may not do {name}: it is one slip of the Shift key away from {other}, which is {neighbour}")]
    Slip { key: Key, name: String, other: Key, neighbour: String },
    #[error("{0} cannot be a choice of a menu: it closes the menu")]
    ClosesMenus(Key),
    #[error("{0} must have a key")]
    Needed(String),
}

impl Why {
    /// What would be right.
    pub fn expected(&self) -> String {
        match self {
            Self::UnknownCommand(name) => match nearest(name) {
                Some(near) => format!("a command that `gainsay config` lists (did you mean {near}?)"),
                None => "a command that `gainsay config` lists".to_owned(),
            },
            Self::Twice { .. } => "each key once on every screen and in every menu".to_owned(),
            Self::Owned(_) => "any key but Ctrl-h, i, j, m, [, s, q, a, b".to_owned(),
            Self::MayNotDecide { .. } => {
                "no arrow, h, l, Enter, Space, Tab, Backspace, Delete, digit, nor Alt".to_owned()
            }
            Self::Slip { .. } => "a letter that is not the capital of another decision".to_owned(),
            Self::ClosesMenus(_) => "another key".to_owned(),
            Self::Needed(_) => "at least one key".to_owned(),
        }
    }
}

/// The keys that the program ships with, where no wish changes them; or the first wish that cannot be granted.
pub fn keymap(wishes: &[Wish]) -> Result<Keymap, Misbound> {
    let mut rows: Vec<(&'static Binding, Vec<Key>)> =
        BINDINGS.iter().map(|binding| (binding, binding.keys.to_vec())).collect();
    // Which wish a row has its keys from.
    let mut from: Vec<Option<usize>> = vec![None; rows.len()];
    for (at, wish) in wishes.iter().enumerate() {
        let mut known = false;
        for (row, wished) in
            rows.iter_mut().zip(&mut from).filter(|((binding, _), _)| is_called(binding, &wish.name))
        {
            known = true;
            for (key_at, key) in wish.keys.iter().enumerate() {
                let why = alone(row.0, *key).map_or(Ok(()), Err);
                why.map_err(|why| Misbound { wish: at, key: Some(key_at), why })?;
            }
            // A name with its place is more exact than one without, wherever it stands in the file.
            if wished.is_none_or(|before| wishes.get(before).is_some_and(|before| !before.name.contains('.'))) {
                row.1.clone_from(&wish.keys);
                *wished = Some(at);
            }
        }
        if !known {
            return Err(Misbound { wish: at, key: None, why: Why::UnknownCommand(wish.name.clone()) });
        }
        if wish.keys.is_empty() && NEEDED.iter().any(|command| calls(&wish.name, *command)) {
            return Err(Misbound { wish: at, key: None, why: Why::Needed(wish.name.clone()) });
        }
    }
    together(&rows, &from, wishes)?;
    Ok(Keymap::of(rows))
}

/// Without these nobody finds the way out.
const NEEDED: [Command; 3] =
    [Command::Common(Common::Quit), Command::Common(Common::Back), Command::Common(Common::Help)];

fn calls(wish: &str, command: Command) -> bool {
    BINDINGS.iter().any(|binding| binding.command == command && is_called(binding, wish))
}

/// What is wrong with one key for one command, whatever else is bound.
fn alone(binding: &Binding, key: Key) -> Option<Why> {
    if key.ctrl && matches!(key.code, Code::Char('h' | 'i' | 'j' | 'm' | '[' | 's' | 'q' | 'a' | 'b')) {
        return Some(Why::Owned(key));
    }
    let in_menu = matches!(binding.place, Place::In(_));
    if in_menu && (key == Key::new(Code::Esc) || key == Key::ctrl('c')) {
        return Some(Why::ClosesMenus(key));
    }
    let digit = matches!(key.code, Code::Char(char) if char.is_ascii_digit());
    // In a menu a digit may open a form: what is opened asks, and is confirmed by another key.
    let opens = digit && in_menu && !binding.command.writes_at_once();
    let slips = never_writes(key) && !opens;
    (slips && decides(binding.command)).then(|| Why::MayNotDecide { key, name: name(binding) })
}

/// Keys that never write, whatever is bound to them.
fn never_writes(key: Key) -> bool {
    let named = match key.code {
        Code::Char(char) => char.is_ascii_digit() || matches!(char, ' ' | 'h' | 'l') && !key.ctrl,
        Code::F(_) => false,
        Code::Enter
        | Code::Esc
        | Code::Tab
        | Code::BackTab
        | Code::Backspace
        | Code::Delete
        | Code::Up
        | Code::Down
        | Code::Left
        | Code::Right
        | Code::Home
        | Code::End
        | Code::PageUp
        | Code::PageDown => true,
    };
    // A control key next to a decision is as easily hit as its capital.
    named || key.alt || key.ctrl
}

/// Whether a command rules, or opens what does.
fn decides(command: Command) -> bool {
    let opens = matches!(
        command,
        Command::Common(Common::OpenMenu(
            Menu::Link | Menu::Identity | Menu::LookAgain | Menu::Withdraw | Menu::Defer
        ))
    );
    opens || command.writes_at_once() || command.action().is_some() || command == Command::Dispute
}

/// Whether a slip of the Shift key away from it nothing else may decide: undo and its undo are each other's remedy.
fn rules(command: Command) -> bool {
    decides(command) && !matches!(command, Command::Common(Common::Undo | Common::Redo))
}

/// What is wrong with keys beside each other, where one of the two was wished for.
fn together(
    rows: &[(&'static Binding, Vec<Key>)],
    from: &[Option<usize>],
    wishes: &[Wish],
) -> Result<(), Misbound> {
    let each = || rows.iter().zip(from);
    for ((binding, keys), wish) in each() {
        let Some(at) = *wish else { continue };
        for key in keys {
            let here =
                || each().filter(|((other, _), _)| meets(binding.place, other.place) && !is_same(other, binding));
            let misbound = |why| {
                let key = wishes.get(at).and_then(|wish| wish.keys.iter().position(|wished| wished == key));
                Misbound { wish: at, key, why }
            };
            for ((other, others), _) in here() {
                // A screen's own key before one that works everywhere, where the program ships with both, stays.
                let shipped = binding.keys.contains(key) && other.keys.contains(key);
                if others.contains(key) && !shipped {
                    let (one, other_name) = (name(binding), name(other));
                    let place = words(binding.place, other.place);
                    return Err(misbound(Why::Twice { key: *key, place, one, other: other_name }));
                }
            }
            let Some(small) = small_letter(*key).filter(|_| rules(binding.command)) else { continue };
            let neighbour = here().find(|((other, others), _)| others.contains(&small) && rules(other.command));
            if let Some(((other, _), _)) = neighbour {
                let (name, neighbour) = (name(binding), name(other));
                return Err(misbound(Why::Slip { key: *key, name, other: small, neighbour }));
            }
        }
    }
    Ok(())
}

fn is_same(one: &Binding, other: &Binding) -> bool {
    one.command == other.command && one.place == other.place
}

/// Whether keys of both places work at one time.
fn meets(one: Place, other: Place) -> bool {
    match (one, other) {
        (Place::In(one), Place::In(other)) => one == other,
        (Place::In(_), _) | (_, Place::In(_)) => false,
        (Place::Anywhere, _) | (_, Place::Anywhere) => true,
        (Place::On(one), Place::On(other)) => one == other,
    }
}

fn words(one: Place, other: Place) -> &'static str {
    match (one, other) {
        (Place::On(screen), _) | (Place::Anywhere, Place::On(screen)) => match screen {
            Screen::Triage => "on the Triage screen",
            Screen::History => "on the History screen",
            Screen::Batches => "on the Batches screen",
            Screen::Log => "on the Log screen",
            Screen::Policy => "on the Policy screen",
        },
        (Place::In(_), _) | (_, Place::In(_)) => "in one menu",
        (Place::Anywhere, Place::Anywhere) => "on every screen",
    }
}

/// The key without Shift, where it is a capital.
fn small_letter(key: Key) -> Option<Key> {
    let Code::Char(char) = key.code else { return None };
    let mut small = char.to_lowercase();
    match (small.next(), small.next()) {
        (Some(small), None) if small != char => Some(Key { code: Code::Char(small), ..key }),
        _ => None,
    }
}

/// The name by which a configuration calls a command: that of the palette, in lower case with hyphens.
pub fn name(binding: &Binding) -> String {
    let words = binding.name.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
    // An `a` is left out as an article, and stays where it is the record A: at the end.
    let last = binding.name.ends_with(" A");
    let mut words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let many = words.len();
    let mut at = 0;
    words.retain(|word| {
        at += 1;
        !matches!(word.as_str(), "a" | "an" | "the") || last && at == many
    });
    words.join("-")
}

/// The name of a place, before the name of a command that has keys of its own there.
pub const fn place_name(place: Place) -> &'static str {
    match place {
        Place::Anywhere => "anywhere",
        Place::On(Screen::Triage) => "triage",
        Place::On(Screen::History) => "history",
        Place::On(Screen::Batches) => "batches",
        Place::On(Screen::Log) => "log",
        Place::On(Screen::Policy) => "policy",
        Place::In(Menu::Link) => "link",
        Place::In(Menu::Identity) => "identity",
        Place::In(Menu::LookAgain) => "look-again",
        Place::In(Menu::Withdraw) => "withdraw",
        Place::In(Menu::Defer) => "defer",
        Place::In(Menu::Copy) => "copy",
        Place::In(Menu::CopyEvent) => "copy-event",
    }
}

fn is_called(binding: &Binding, wished: &str) -> bool {
    match wished.split_once('.') {
        Some((place, command)) => place == place_name(binding.place) && command == name(binding),
        None => wished == name(binding),
    }
}

/// The known name that is most like a wrong one.
fn nearest(wrong: &str) -> Option<String> {
    let wrong = wrong.to_lowercase();
    let names: BTreeSet<String> = BINDINGS.iter().map(name).collect();
    let likeness = |name: &String| (similar::TextDiff::from_chars(wrong.as_str(), name).ratio() * 1000.0) as u32;
    names
        .into_iter()
        .map(|name| (likeness(&name), name))
        .filter(|(like, _)| *like >= 600)
        .max()
        .map(|(_, name)| name)
}
