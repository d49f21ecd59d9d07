//! The one table of keys. Menus, the help, the palette, the README and the test that no key is bound twice read the
//! same rows.

use super::key::{Code, Key};
use crate::core::examine::Side;
use crate::core::permit::Action;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    Down,
    Up,
    First,
    Last,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    Next,
    Previous,
    Look(Looking),
    Mark(Marking),
    Narrow(Narrowing),
    Copy(Copying),
    Accept(Side),
    OpenMenu(Menu),
    LinkSame,
    LinkBothTrue,
    LinkAcrossEpochs,
    OneSubject,
    TwoSubjects,
    RunObserver,
    EnterSeen,
    LeaveRequest,
    Rederive,
    WithdrawRecord,
    WithdrawBatch,
    Declare,
    Skip,
    DeferHour,
    DeferDay,
    DeferWeek,
    DeferUntil,
    Note,
    Undo,
    Redo,
    Palette,
    Help,
    Reload,
    Redraw,
    Suspend,
    Back,
    Quit,
}

/// What changes only how the pair is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Looking {
    FocusNext,
    FocusPrevious,
    ScrollLeft,
    ScrollRight,
    EvidenceDown,
    EvidenceUp,
    Full,
    Wrap,
    Blind,
}

/// What is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Marking {
    One,
    Range,
    All,
}

/// What changes which pairs are shown, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Narrowing {
    Find,
    Facets,
    Sort,
    Clear,
}

/// What is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Copying {
    Id,
    Value,
    Json,
    /// The command line that shows the pair.
    Line,
}

/// A short list of choices under one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Menu {
    Link,
    Identity,
    LookAgain,
    Withdraw,
    Defer,
    Copy,
}

/// Where a key works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// On every screen.
    Anywhere,
    Triage,
    In(Menu),
}

/// One row: the keys, what they do, its name for the palette, and one sentence for the help.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    pub keys: &'static [Key],
    pub command: Command,
    pub place: Place,
    pub name: &'static str,
    pub help: &'static str,
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
use Place::{Anywhere, In, Triage};

/// The table.
#[rustfmt::skip]
pub const BINDINGS: &[Binding] = &[
    row(Triage, keys![k('j'), c(Code::Down)], Do::Down, "next pair", "the next pair of the queue"),
    row(Triage, keys![k('k'), c(Code::Up)], Do::Up, "previous pair", "the pair before"),
    row(Triage, keys![k('g'), c(Code::Home)], Do::First, "first pair", "the first pair of the queue"),
    row(Triage, keys![k('G'), c(Code::End)], Do::Last, "last pair", "the last pair of the queue"),
    row(Triage, keys![ctrl('d')], Do::HalfDown, "half a page down", "half a page down the queue"),
    row(Triage, keys![ctrl('u')], Do::HalfUp, "half a page up", "half a page up the queue"),
    row(Triage, keys![c(Code::PageDown)], Do::PageDown, "page down", "a page down the queue"),
    row(Triage, keys![c(Code::PageUp)], Do::PageUp, "page up", "a page up the queue"),
    row(Triage, keys![k('n')], Do::Next, "next match", "the next match, or without one the next undecided pair"),
    row(Triage, keys![k('N')], Do::Previous, "previous match", "the match before, or the undecided pair before"),
    row(Triage, keys![c(Code::Tab)], Do::Look(Looking::FocusNext), "focus next", "focus: the queue, A, B"),
    row(Triage, keys![c(Code::BackTab)], Do::Look(Looking::FocusPrevious), "focus previous", "focus, the other way round"),
    row(Triage, keys![k('h'), c(Code::Left)], Do::Look(Looking::ScrollLeft), "scroll left", "scroll long lines to the left"),
    row(Triage, keys![k('l'), c(Code::Right)], Do::Look(Looking::ScrollRight), "scroll right", "scroll long lines to the right"),
    row(Triage, keys![k('J')], Do::Look(Looking::EvidenceDown), "evidence down", "scroll the evidence down"),
    row(Triage, keys![k('K')], Do::Look(Looking::EvidenceUp), "evidence up", "scroll the evidence up"),
    row(Triage, keys![k('a')], Do::Accept(Side::Left), "accept A", "A wins; B is kept and readable, superseded by A"),
    row(Triage, keys![k('b')], Do::Accept(Side::Right), "accept B", "B wins; A is kept and readable, superseded by B"),
    row(Triage, keys![k('+'), k('=')], Do::OpenMenu(Menu::Link), "link", "link the two: one value, both true, or across epochs"),
    row(Triage, keys![k('i')], Do::OpenMenu(Menu::Identity), "identity", "say whether two names are one subject"),
    row(Triage, keys![k('r')], Do::OpenMenu(Menu::LookAgain), "look again", "look at the live world again, or supply what is missing"),
    row(Triage, keys![k('w')], Do::OpenMenu(Menu::Withdraw), "withdraw", "take a record, or its batch, out of contention"),
    row(Triage, keys![k('p')], Do::Declare, "declare", "declare this attribute's policy, with what it would change"),
    row(Triage, keys![k('s')], Do::Skip, "skip", "go on to the next; nothing is written"),
    row(Triage, keys![k('z')], Do::OpenMenu(Menu::Defer), "defer", "out of the way until a time"),
    row(Triage, keys![k('c')], Do::Note, "note", "write a note on this pair; it decides nothing"),
    row(Triage, keys![k(' ')], Do::Mark(Marking::One), "mark", "mark this pair: with marks a decision is for all of them"),
    row(Triage, keys![k('v')], Do::Mark(Marking::Range), "mark a range", "start a range here; again: mark all up to here"),
    row(Triage, keys![k('*')], Do::Mark(Marking::All), "mark all", "mark every pair of the list in force"),
    row(Triage, keys![k('/')], Do::Narrow(Narrowing::Find), "find", "find by subject, attribute or value, as you type"),
    row(Triage, keys![k('f')], Do::Narrow(Narrowing::Facets), "facets", "show only a ground, an attribute, a subject, a batch, a state"),
    row(Triage, keys![k('o')], Do::Narrow(Narrowing::Sort), "order", "change the order of the queue"),
    row(Triage, keys![k('F')], Do::Narrow(Narrowing::Clear), "clear the filter", "show the whole queue again"),
    row(Triage, keys![c(Code::Enter)], Do::Look(Looking::Full), "whole pair", "the pair on the full screen, evidence and all"),
    row(Triage, keys![k('W')], Do::Look(Looking::Wrap), "wrap", "wrap the evidence, or leave it on long lines"),
    row(Triage, keys![k('y')], Do::OpenMenu(Menu::Copy), "copy", "copy the id, the value, JSON, or a command"),
    row(Triage, keys![k('B')], Do::Look(Looking::Blind), "blind", "hide finding, confidence and won / lost, for unbiased audits"),
    row(Anywhere, keys![k('u')], Do::Undo, "undo", "undo the last ruling, whenever it was made"),
    row(Anywhere, keys![k('U')], Do::Redo, "redo", "undo the undo"),
    row(Anywhere, keys![k(':'), ctrl('p')], Do::Palette, "all commands", "every command by name"),
    row(Anywhere, keys![k('?'), c(Code::F(1))], Do::Help, "keys", "the keys that work here"),
    row(Anywhere, keys![ctrl('r')], Do::Reload, "reload", "read the store again"),
    row(Anywhere, keys![ctrl('l')], Do::Redraw, "redraw", "draw the screen afresh"),
    row(Anywhere, keys![ctrl('z')], Do::Suspend, "suspend", "back to the shell; fg returns"),
    row(Anywhere, keys![c(Code::Esc)], Do::Back, "back", "one level back; never quits"),
    row(Anywhere, keys![k('q'), ctrl('c')], Do::Quit, "quit", "back, then quit: every ruling is already written"),
    row(In(Menu::Link), keys![k('s')], Do::LinkSame, "link: same", "two spellings of one value: both kept, one claim, for good"),
    row(In(Menu::Link), keys![k('b')], Do::LinkBothTrue, "link: both true", "both values hold at once: declares many, here or everywhere"),
    row(In(Menu::Link), keys![k('e')], Do::LinkAcrossEpochs, "link: across epochs", "both true, each in its epoch; a look at today stays requested"),
    row(In(Menu::Identity), keys![k('1')], Do::OneSubject, "link: one subject", "the two names are one: their slots merge and settle"),
    row(In(Menu::Identity), keys![k('2')], Do::TwoSubjects, "link: two subjects", "the two names are two: never paired again"),
    row(In(Menu::LookAgain), keys![k('r')], Do::RunObserver, "look again: run", "run this attribute's observer now"),
    row(In(Menu::LookAgain), keys![k('v')], Do::EnterSeen, "look again: enter", "enter what you have just seen"),
    row(In(Menu::LookAgain), keys![k('q')], Do::LeaveRequest, "look again: request", "leave a request for the agent to look"),
    row(In(Menu::LookAgain), keys![k('d')], Do::Rederive, "re-derive", "supply the provenance that a record lacks, with its proof"),
    row(In(Menu::Withdraw), keys![k('r')], Do::WithdrawRecord, "withdraw the record", "this record leaves contention; it is kept"),
    row(In(Menu::Withdraw), keys![k('b')], Do::WithdrawBatch, "withdraw the batch", "every record of its batch leaves contention"),
    row(In(Menu::Defer), keys![k('o')], Do::DeferHour, "defer an hour", "back in one hour"),
    row(In(Menu::Defer), keys![k('d')], Do::DeferDay, "defer a day", "back tomorrow at this time"),
    row(In(Menu::Defer), keys![k('w')], Do::DeferWeek, "defer a week", "back in seven days"),
    row(In(Menu::Defer), keys![k('u')], Do::DeferUntil, "defer until …", "until a time that you enter"),
    row(In(Menu::Copy), keys![k('i')], Do::Copy(Copying::Id), "copy the id", "the id of the focused record"),
    row(In(Menu::Copy), keys![k('v')], Do::Copy(Copying::Value), "copy the value", "the value of the focused record, as it is"),
    row(In(Menu::Copy), keys![k('j')], Do::Copy(Copying::Json), "copy JSON", "the pair, as `show --json` gives it"),
    row(In(Menu::Copy), keys![k('c')], Do::Copy(Copying::Line), "copy the command", "the command that shows this pair"),
];

/// What a key does in a place; in a menu only the menu's own keys count.
pub fn command(place: Place, key: Key) -> Option<Command> {
    let key = key.pressed();
    let here = |binding: &&Binding| binding.place == place || (is_screen(place) && binding.place == Anywhere);
    BINDINGS.iter().filter(here).find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
}

/// The row of a command.
pub fn binding(command: Command) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.command == command)
}

/// The keys that lead to a command, as they are pressed: `+ s`, `j`.
pub fn chord(command: Command) -> String {
    let Some(found) = binding(command) else { return String::new() };
    let last = found.keys.first().map(ToString::to_string).unwrap_or_default();
    match found.place {
        Place::In(menu) => format!("{} {last}", chord(Command::OpenMenu(menu))),
        Place::Anywhere | Place::Triage => last,
    }
}

/// The rows of one place, in the order in which they are shown.
pub fn rows(place: Place) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |binding| binding.place == place)
}

const fn is_screen(place: Place) -> bool {
    match place {
        Place::Anywhere | Place::Triage => true,
        Place::In(_) => false,
    }
}

impl Command {
    /// Whether holding the key may repeat it: only what moves.
    pub const fn moves(self) -> bool {
        matches!(
            self,
            Self::Down
                | Self::Up
                | Self::HalfDown
                | Self::HalfUp
                | Self::PageDown
                | Self::PageUp
                | Self::Look(Looking::ScrollLeft)
                | Self::Look(Looking::ScrollRight)
                | Self::Look(Looking::EvidenceDown)
                | Self::Look(Looking::EvidenceUp)
        )
    }

    /// Whether its key writes without asking anything more.
    pub const fn writes_at_once(self) -> bool {
        matches!(
            self,
            Self::Accept(_)
                | Self::LinkSame
                | Self::RunObserver
                | Self::LeaveRequest
                | Self::DeferHour
                | Self::DeferDay
                | Self::DeferWeek
                | Self::Undo
                | Self::Redo
        )
    }

    /// The action that the core must permit before it is done.
    pub fn action(self) -> Option<Action> {
        ACTIONS.iter().find(|(command, _)| *command == self).map(|(_, action)| *action)
    }
}

/// The commands that rule, and what the core calls them. The first command of an action is the one that is shown.
pub const ACTIONS: &[(Command, Action)] = &[
    (Do::Accept(Side::Left), Action::Accept(Side::Left)),
    (Do::Accept(Side::Right), Action::Accept(Side::Right)),
    (Do::LinkSame, Action::LinkSame),
    (Do::LinkBothTrue, Action::LinkBothTrue),
    (Do::LinkAcrossEpochs, Action::LinkAcrossEpochs),
    (Do::OneSubject, Action::LinkOneSubject),
    (Do::TwoSubjects, Action::LinkTwoSubjects),
    (Do::OpenMenu(Menu::LookAgain), Action::Reobserve),
    (Do::RunObserver, Action::Reobserve),
    (Do::EnterSeen, Action::Reobserve),
    (Do::LeaveRequest, Action::Reobserve),
    (Do::Rederive, Action::Rederive),
    (Do::OpenMenu(Menu::Withdraw), Action::Withdraw),
    (Do::WithdrawRecord, Action::Withdraw),
    (Do::WithdrawBatch, Action::Withdraw),
    (Do::Declare, Action::Declare),
    (Do::OpenMenu(Menu::Defer), Action::Defer),
    (Do::DeferHour, Action::Defer),
    (Do::DeferDay, Action::Defer),
    (Do::DeferWeek, Action::Defer),
    (Do::DeferUntil, Action::Defer),
];

/// The command under which an action is shown.
pub fn command_of(action: Action) -> Option<Command> {
    ACTIONS.iter().find(|(_, listed)| *listed == action).map(|(command, _)| *command)
}
