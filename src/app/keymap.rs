//! The one table of keys. Menus, the help, the palette, the README and the test that no key is bound twice read the
//! same rows.

pub use super::command::{
    ACTIONS, Command, Common, Copying, Deciding, Logging, Looking, Marking, Menu, Moving, Narrowing, Planing,
    Screen, Way, command_of,
};
use super::key::{Code, Key};
use crate::core::examine::Side;

/// Where a key works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// On every screen.
    Anywhere,
    On(Screen),
    In(Menu),
}

/// One row: the keys, what they do, its name for the palette, and one sentence for the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub keys: &'static [Key],
    pub command: Command,
    pub place: Place,
    pub name: &'static str,
    pub help: &'static str,
}

impl Binding {
    /// Whether it does something on a screen: what works everywhere in principle has not everywhere something to work on.
    pub fn works_on(&self, screen: Screen) -> bool {
        match self.place {
            Place::On(own) => own == screen,
            Place::Anywhere => Self::has_use(self.command, screen),
            Place::In(Menu::CopyEvent) => screen == Log,
            Place::In(Menu::Copy) => !matches!(screen, Log | Policy),
            Place::In(Menu::Link | Menu::Identity | Menu::LookAgain | Menu::Withdraw | Menu::Defer) => {
                screen == Triage
            }
        }
    }

    /// The screens on which it does something, by their names.
    pub fn screens(&self) -> String {
        let screens = Screen::ALL.iter().filter(|screen| self.works_on(**screen));
        screens.map(|screen| screen.name()).collect::<Vec<_>>().join(", ")
    }

    fn has_use(command: Command, screen: Screen) -> bool {
        let but = |without: &[Screen]| !without.contains(&screen);
        match command {
            Do::Move(Moving::Next | Moving::Previous) => but(&[History]),
            Do::Look(Looking::FocusNext | Looking::FocusPrevious) => but(&[Batches, Log]),
            Do::Look(Looking::ScrollLeft | Looking::ScrollRight) => but(&[Batches, Log, Policy]),
            Do::Narrow(Narrowing::Find | Narrowing::Clear) => but(&[History]),
            Do::Narrow(Narrowing::Facets) => but(&[History, Batches, Policy]),
            Do::Narrow(Narrowing::Sort) => but(&[History, Log]),
            Do::Common(Common::OpenMenu(_)) => but(&[Policy]),
            Do::Move(_)
            | Do::Look(_)
            | Do::Narrow(_)
            | Do::Mark(_)
            | Do::Copy(_)
            | Do::Decide(_)
            | Do::Skip
            | Do::OpenHistory
            | Do::OpenBatch
            | Do::OpenPair
            | Do::OpenPairs
            | Do::Dispute
            | Do::Plane(_)
            | Do::Log(_)
            | Do::Edit
            | Do::Common(_) => true,
        }
    }
}

const fn row(
    place: Place,
    keys: &'static [Key],
    command: Command,
    name: &'static str,
    help: &'static str,
) -> Binding {
    Binding { keys, command, place, name, help }
}

macro_rules! keys {
    ($($key:expr),+) => { &[$(const { $key }),+] };
}
const fn k(char: char) -> Key {
    Key::char(char)
}
const fn c(code: Code) -> Key {
    Key::new(code)
}
const fn ctrl(char: char) -> Key {
    Key::ctrl(char)
}

use Command as Do;
use Place::{Anywhere, In, On};
use Screen::{Batches, History, Log, Policy, Triage};

/// The table.
#[rustfmt::skip]
pub const BINDINGS: &[Binding] = &[
    row(On(Triage), keys![k('J')], Do::Look(Looking::EvidenceDown), "evidence down", "scroll the evidence down"),
    row(On(Triage), keys![k('K')], Do::Look(Looking::EvidenceUp), "evidence up", "scroll the evidence up"),
    row(On(Triage), keys![k('a')], Do::Decide(Deciding::Accept(Side::Left)), "accept A", "A wins; B is kept and readable, superseded by A"),
    row(On(Triage), keys![k('b')], Do::Decide(Deciding::Accept(Side::Right)), "accept B", "B wins; A is kept and readable, superseded by B"),
    row(On(Triage), keys![k('+'), k('=')], Do::Common(Common::OpenMenu(Menu::Link)), "link", "link the two: one value, both true, or across epochs"),
    row(On(Triage), keys![k('i')], Do::Common(Common::OpenMenu(Menu::Identity)), "identity", "say whether two names are one subject"),
    row(On(Triage), keys![k('r')], Do::Common(Common::OpenMenu(Menu::LookAgain)), "look again", "look at the live world again, or supply what is missing"),
    row(On(Triage), keys![k('w')], Do::Common(Common::OpenMenu(Menu::Withdraw)), "withdraw", "take a record, or its batch, out of contention"),
    row(On(Triage), keys![k('p')], Do::Decide(Deciding::Declare), "declare", "declare this attribute's policy, with what it would change"),
    row(On(Triage), keys![k('s')], Do::Skip, "skip", "go on to the next; nothing is written"),
    row(On(Triage), keys![k('z')], Do::Common(Common::OpenMenu(Menu::Defer)), "defer", "out of the way until a time"),
    row(On(Triage), keys![k('c')], Do::Decide(Deciding::Note), "note", "write a note on this pair; it decides nothing"),
    row(On(Triage), keys![k(' ')], Do::Mark(Marking::One), "mark", "mark this pair: with marks a decision is for all of them"),
    row(On(Triage), keys![k('v')], Do::Mark(Marking::Range), "mark a range", "start a range here; again: mark all up to here"),
    row(On(Triage), keys![k('*')], Do::Mark(Marking::All), "mark all", "mark every pair of the list in force"),
    row(On(Triage), keys![k('W')], Do::Look(Looking::Wrap), "wrap", "wrap the evidence, or leave it on long lines"),
    row(On(Triage), keys![k('e')], Do::Edit, "open in the editor", "the pair and its evidence in $VISUAL or $EDITOR, to read"),
    row(On(Triage), keys![k('B')], Do::Look(Looking::Blind), "blind", "hide finding, confidence and won / lost, for unbiased audits"),
    row(On(Triage), keys![k('R')], Do::Narrow(Narrowing::Awaiting), "requests", "only pairs that wait for another look; again: what is open"),
    row(On(Triage), keys![k('O')], Do::Narrow(Narrowing::Stale), "stale facts", "settled facts that nobody has seen for too long (old ones)"),
    row(On(Triage), keys![k('S')], Do::Narrow(Narrowing::Sentences), "sentences", "sentences in no slot: read one into a slot, and others like it"),
    row(On(Triage), keys![k('x')], Do::OpenBatch, "batch", "the batch of the focused record: what else came with it"),
    row(On(Triage), keys![k('t')], Do::OpenHistory, "history", "the history of this slot, in both times"),
    row(Anywhere, keys![k('j'), c(Code::Down)], Do::Move(Moving::Down), "down", "the next row"),
    row(Anywhere, keys![k('k'), c(Code::Up)], Do::Move(Moving::Up), "up", "the row before"),
    row(Anywhere, keys![k('g'), c(Code::Home)], Do::Move(Moving::First), "first", "the first row"),
    row(Anywhere, keys![k('G'), c(Code::End)], Do::Move(Moving::Last), "last", "the last row"),
    row(Anywhere, keys![ctrl('d')], Do::Move(Moving::HalfDown), "half a page down", "half a page down"),
    row(Anywhere, keys![ctrl('u')], Do::Move(Moving::HalfUp), "half a page up", "half a page up"),
    row(Anywhere, keys![c(Code::PageDown)], Do::Move(Moving::PageDown), "page down", "a page down"),
    row(Anywhere, keys![c(Code::PageUp)], Do::Move(Moving::PageUp), "page up", "a page up"),
    row(Anywhere, keys![k('n')], Do::Move(Moving::Next), "next match", "the next match, or without one the next undecided pair"),
    row(Anywhere, keys![k('N')], Do::Move(Moving::Previous), "previous match", "the match before, or the undecided pair before"),
    row(Anywhere, keys![c(Code::Tab)], Do::Look(Looking::FocusNext), "focus next", "focus: the queue, A, B; the list or the plane"),
    row(Anywhere, keys![c(Code::BackTab)], Do::Look(Looking::FocusPrevious), "focus previous", "focus, the other way round"),
    row(Anywhere, keys![k('h'), c(Code::Left)], Do::Look(Looking::ScrollLeft), "scroll left", "scroll long lines to the left; on the plane: about earlier"),
    row(Anywhere, keys![k('l'), c(Code::Right)], Do::Look(Looking::ScrollRight), "scroll right", "scroll long lines to the right; on the plane: about later"),
    row(Anywhere, keys![k('/')], Do::Narrow(Narrowing::Find), "find", "find in subjects, attributes, values, evidence and reasons, as you type"),
    row(Anywhere, keys![k('f')], Do::Narrow(Narrowing::Facets), "facets", "show only some of a kind, or all but some: ground, attribute, actor, time …"),
    row(Anywhere, keys![k('o')], Do::Narrow(Narrowing::Sort), "order", "change the order of the queue"),
    row(Anywhere, keys![k('F')], Do::Narrow(Narrowing::Clear), "clear the filter", "show all again"),
    row(Anywhere, keys![c(Code::Enter)], Do::Look(Looking::Full), "whole", "the pair or the line on the full screen, evidence and all"),
    row(Anywhere, keys![k('y')], Do::Common(Common::OpenMenu(Menu::Copy)), "copy", "copy the id, the value, JSON, or a command"),
    row(Anywhere, keys![k('1')], Do::Common(Common::Go(Triage)), "triage", "the queue, and the pair that is selected in it"),
    row(Anywhere, keys![k('2')], Do::Common(Common::Go(History)), "history screen", "a slot in both times"),
    row(Anywhere, keys![k('3')], Do::Common(Common::Go(Batches)), "batches", "imports and source batches"),
    row(Anywhere, keys![k('4'), k('L')], Do::Common(Common::Go(Log)), "log", "the event log"),
    row(Anywhere, keys![k('5')], Do::Common(Common::Go(Policy)), "policy", "attributes and source kinds, and what they are declared to be"),
    row(Anywhere, keys![k('u')], Do::Common(Common::Undo), "undo", "undo the last ruling, whenever it was made"),
    row(Anywhere, keys![k('U')], Do::Common(Common::Redo), "redo", "undo the undo"),
    row(Anywhere, keys![k(':'), ctrl('p')], Do::Common(Common::Palette), "all commands", "every command by name"),
    row(Anywhere, keys![k('?'), c(Code::F(1))], Do::Common(Common::Help), "keys", "the keys that work here"),
    row(Anywhere, keys![ctrl('r')], Do::Common(Common::Reload), "reload", "read the store again"),
    row(Anywhere, keys![ctrl('l')], Do::Common(Common::Redraw), "redraw", "draw the screen afresh"),
    row(Anywhere, keys![k('M')], Do::Common(Common::Mouse), "mouse", "let the mouse select, scroll and press; again: leave it to the terminal"),
    row(Anywhere, keys![ctrl('z')], Do::Common(Common::Suspend), "suspend", "back to the shell; fg returns"),
    row(Anywhere, keys![c(Code::Esc)], Do::Common(Common::Back), "back", "one level back; never quits"),
    row(Anywhere, keys![k('q'), ctrl('c')], Do::Common(Common::Quit), "quit", "back, then quit: every ruling is already written"),
    row(In(Menu::Link), keys![k('s')], Do::Decide(Deciding::LinkSame), "link: same", "two spellings of one value: both kept, one claim, for good"),
    row(In(Menu::Link), keys![k('b')], Do::Decide(Deciding::LinkBothTrue), "link: both true", "both values hold at once: declares many, here or everywhere"),
    row(In(Menu::Link), keys![k('e')], Do::Decide(Deciding::LinkAcrossEpochs), "link: across epochs", "both true, each in its epoch; a look at today stays requested"),
    row(In(Menu::Identity), keys![k('1')], Do::Decide(Deciding::OneSubject), "link: one subject", "the two names are one: their slots merge and settle"),
    row(In(Menu::Identity), keys![k('2')], Do::Decide(Deciding::TwoSubjects), "link: two subjects", "the two names are two: never paired again"),
    row(In(Menu::LookAgain), keys![k('r')], Do::Decide(Deciding::RunObserver), "look again: run", "run this attribute's observer now"),
    row(In(Menu::LookAgain), keys![k('v')], Do::Decide(Deciding::EnterSeen), "look again: enter", "enter what you have just seen"),
    row(In(Menu::LookAgain), keys![k('q')], Do::Decide(Deciding::LeaveRequest), "look again: request", "leave a request for the agent to look"),
    row(In(Menu::LookAgain), keys![k('d')], Do::Decide(Deciding::Rederive), "re-derive", "supply the provenance that a record lacks, with its proof"),
    row(In(Menu::Withdraw), keys![k('r')], Do::Decide(Deciding::WithdrawRecord), "withdraw the record", "this record leaves contention; it is kept"),
    row(In(Menu::Withdraw), keys![k('b')], Do::Decide(Deciding::WithdrawBatch), "withdraw the batch", "every record of its batch leaves contention"),
    row(In(Menu::Defer), keys![k('o')], Do::Decide(Deciding::DeferHour), "defer an hour", "back in one hour"),
    row(In(Menu::Defer), keys![k('d')], Do::Decide(Deciding::DeferDay), "defer a day", "back tomorrow at this time"),
    row(In(Menu::Defer), keys![k('w')], Do::Decide(Deciding::DeferWeek), "defer a week", "back in seven days"),
    row(In(Menu::Defer), keys![k('u')], Do::Decide(Deciding::DeferUntil), "defer until …", "until a time that you enter"),
    row(In(Menu::Copy), keys![k('i')], Do::Copy(Copying::Id), "copy the id", "the id of the focused record"),
    row(In(Menu::Copy), keys![k('v')], Do::Copy(Copying::Value), "copy the value", "the value of the focused record, as it is"),
    row(In(Menu::Copy), keys![k('j')], Do::Copy(Copying::Json), "copy JSON", "the pair, or the record, as JSON"),
    row(In(Menu::Copy), keys![k('c')], Do::Copy(Copying::Line), "copy the command", "the command that shows the same"),
    row(On(History), keys![k(',')], Do::Plane(Planing::Earlier), "believed earlier", "believed at: the change before (h l: about; Tab: arrows up and down too)"),
    row(On(History), keys![k('.')], Do::Plane(Planing::Later), "believed later", "believed at: the next change"),
    row(On(History), keys![k('c')], Do::Plane(Planing::Here), "crosshairs here", "the crosshairs go to the selected record, ruling or epoch"),
    row(On(History), keys![k('0')], Do::Plane(Planing::Now), "crosshairs to now", "believed now, about now; the whole plane"),
    row(On(History), keys![k('s')], Do::Plane(Planing::Pace), "pace", "the crosshairs go from change to change, or cell by cell"),
    row(On(History), keys![k('+'), k('=')], Do::Plane(Planing::Nearer), "nearer", "draw half as much time, around the crosshairs"),
    row(On(History), keys![k('-')], Do::Plane(Planing::Farther), "farther", "draw twice as much time"),
    row(On(History), keys![k('p')], Do::OpenPair, "open pair", "the open pair of the selected record, in triage"),
    row(On(History), keys![k('x')], Do::OpenBatch, "batch", "the batch of the selected record"),
    row(On(History), keys![k('!')], Do::Dispute, "dispute", "contest what the core settled: the pair goes back to the queue"),
    row(On(Log), keys![k('x')], Do::OpenBatch, "batch", "the batch that the event is about"),
    row(On(Log), keys![k('t')], Do::OpenHistory, "history", "the history of the slot that the event is about"),
    row(On(Log), keys![k('!')], Do::Dispute, "dispute", "contest what the core settled: the pair goes back to the queue"),
    row(On(Batches), keys![k('t')], Do::OpenHistory, "history", "the history of the selected record's slot"),
    row(On(Batches), keys![k('p')], Do::OpenPair, "its pair", "the open pair of the selected record, in Triage"),
    row(On(Batches), keys![k('P')], Do::OpenPairs, "the batch's pairs", "every open pair of the batch, in Triage"),
    row(On(Batches), keys![k('w')], Do::Decide(Deciding::WithdrawBatch), "withdraw the batch", "every record of the batch leaves contention"),
    row(On(Policy), keys![k('p')], Do::Decide(Deciding::Declare), "declare", "declare the selected attribute, with what it would change"),
    row(On(Policy), keys![k('s')], Do::OpenPairs, "show its pairs", "the open pairs of the selected attribute, on the triage screen"),
    row(On(Log), keys![k('J')], Do::Look(Looking::EvidenceDown), "event down", "scroll the selected event down"),
    row(On(Log), keys![k('K')], Do::Look(Looking::EvidenceUp), "event up", "scroll the selected event up"),
    row(On(Log), keys![k('V')], Do::Log(Logging::Verify), "verify", "check the store: the chain, every record, every slot settled anew"),
    row(On(Log), keys![k('s')], Do::Log(Logging::Sample), "audit a sample", "draw a random sample of a reviewer's rulings"),
    row(On(Log), keys![k('+'), k('=')], Do::Log(Logging::Agree), "agree", "audit: this ruling is right (then y)"),
    row(On(Log), keys![k('-')], Do::Log(Logging::Disagree), "disagree", "audit: this ruling is wrong, with a note"),
    row(On(Log), keys![k('B')], Do::Look(Looking::Blind), "blind", "audit: hide what was ruled until you have said what you would have ruled"),
    row(In(Menu::CopyEvent), keys![k('n')], Do::Copy(Copying::Number), "copy the number", "the number of the event"),
    row(In(Menu::CopyEvent), keys![k('h')], Do::Copy(Copying::Hash), "copy the hash", "the hash of the event, whole"),
    row(In(Menu::CopyEvent), keys![k('j')], Do::Copy(Copying::Event), "copy the event as JSON", "the event, as `log --json` gives it"),
    row(In(Menu::CopyEvent), keys![k('c')], Do::Copy(Copying::LogLine), "copy the log command", "the command that shows this event"),
];

/// The row of a command: its name, its help, and the keys that it ships with.
pub fn binding(command: Command) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.command == command)
}

/// The keys in force: those of the table, where the user has not chosen others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    rows: Vec<(&'static Binding, Vec<Key>)>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self { rows: BINDINGS.iter().map(|binding| (binding, binding.keys.to_vec())).collect() }
    }
}

impl Keymap {
    /// Keys that were checked: `rebind::keymap` is what makes them.
    pub(super) const fn of(rows: Vec<(&'static Binding, Vec<Key>)>) -> Self {
        Self { rows }
    }

    /// What a key does in a place; in a menu only the menu's own keys count. A screen's own key comes before one that
    /// works everywhere.
    pub fn command(&self, place: Place, key: Key) -> Option<Command> {
        let key = key.pressed();
        let at = |place: Place| {
            let here = self.rows.iter().filter(move |(binding, _)| binding.place == place);
            here.into_iter().find(|(_, keys)| keys.contains(&key)).map(|(binding, _)| binding.command)
        };
        at(place).or_else(|| if is_screen(place) { at(Anywhere) } else { None })
    }

    /// The keys of a command, the first of them the one that is shown.
    pub fn keys(&self, command: Command) -> &[Key] {
        self.rows.iter().find(|(binding, _)| binding.command == command).map_or(&[], |(_, keys)| keys)
    }

    /// The keys of a command in a place: those of its own row there, where it has one.
    pub fn keys_in(&self, place: Place, command: Command) -> &[Key] {
        let here = self.rows.iter().find(|(row, _)| row.command == command && row.place == place);
        here.map_or_else(|| self.keys(command), |(_, keys)| keys)
    }

    /// The keys that lead to a command, as they are pressed: `+ s`, `j`.
    pub fn chord(&self, command: Command) -> String {
        let Some(found) = binding(command) else { return String::new() };
        let last = self.keys(command).first().map(ToString::to_string).unwrap_or_default();
        match found.place {
            Place::In(menu) => format!("{} {last}", self.chord(Command::Common(Common::OpenMenu(menu)))),
            Place::Anywhere | Place::On(_) => last,
        }
    }

    /// The keys of a command as a sentence names them: its chord, or, where it has no key, its name in the palette.
    pub fn named(&self, command: Command) -> String {
        let chord = self.chord(command);
        let name = || binding(command).map_or("this", |row| row.name);
        if chord.is_empty() {
            format!("{} {}", self.chord(Command::Common(Common::Palette)), name())
        } else {
            chord
        }
    }

    /// The rows of one place with their keys, in the order in which they are shown.
    pub fn rows(&self, place: Place) -> impl Iterator<Item = (&'static Binding, &[Key])> {
        self.rows
            .iter()
            .filter(move |(binding, _)| binding.place == place)
            .map(|(row, keys)| (*row, keys.as_slice()))
    }
}

const fn is_screen(place: Place) -> bool {
    match place {
        Place::Anywhere | Place::On(_) => true,
        Place::In(_) => false,
    }
}
