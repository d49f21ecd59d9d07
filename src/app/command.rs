//! What a key may be asked to do, by what it concerns: so each screen names what is its own, and no more.

use crate::core::examine::Side;
use crate::core::permit::Action;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    Move(Moving),
    Look(Looking),
    Mark(Marking),
    Narrow(Narrowing),
    Copy(Copying),
    /// What rules on a pair, or on all that are marked.
    Decide(Deciding),
    /// On to the next, undecided.
    Skip,
    /// The history of the slot that is looked at.
    OpenHistory,
    /// The batch of the record that is looked at.
    OpenBatch,
    /// The open pair of the record that is looked at, in triage.
    OpenPair,
    /// Every open pair of the batch or the attribute that is looked at, in triage.
    OpenPairs,
    /// Contest what the core settled.
    Dispute,
    Plane(Planing),
    Log(Logging),
    /// What is on the screen, to read in the user's editor.
    Edit,
    Common(Common),
}

/// What is done alike on every screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Common {
    Undo,
    Redo,
    OpenMenu(Menu),
    Go(Screen),
    /// Take the mouse, or leave it to the terminal.
    Mouse,
    Palette,
    Help,
    Reload,
    Redraw,
    Suspend,
    Back,
    Quit,
}

/// Where in a list the selection goes, or in a text what is shown of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moving {
    Down,
    Up,
    First,
    Last,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    /// The next match, or the next undecided pair.
    Next,
    Previous,
}

/// What is decided, once the core permits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deciding {
    Accept(Side),
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
    DeferHour,
    DeferDay,
    DeferWeek,
    DeferUntil,
    Note,
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

/// What is done on the plane of both times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Planing {
    /// What was believed before.
    Earlier,
    Later,
    /// From change to change, or cell by cell.
    Pace,
    /// The crosshairs go to the selected line.
    Here,
    /// The crosshairs go to now, and the plane shows all.
    Now,
    Nearer,
    Farther,
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
    /// What waits for another look.
    Awaiting,
    /// Settled facts that have grown old.
    Stale,
    /// Sentences in no slot.
    Sentences,
}

/// What only the log screen does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Logging {
    /// Check the whole store.
    Verify,
    /// Draw a sample of a reviewer's rulings.
    Sample,
    Agree,
    Disagree,
}

/// What is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Copying {
    Id,
    Value,
    Json,
    /// The command line that shows the pair.
    Line,
    /// Of an event: its number, its hash, itself as JSON, the command line that shows it.
    Number,
    Hash,
    Event,
    LogLine,
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
    CopyEvent,
}

/// The screens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Screen {
    #[default]
    Triage,
    History,
    Batches,
    Log,
    Policy,
}

impl Menu {
    pub const ALL: [Self; 7] =
        [Self::Link, Self::Identity, Self::LookAgain, Self::Withdraw, Self::Defer, Self::Copy, Self::CopyEvent];
}

impl Screen {
    pub const ALL: [Self; 5] = [Self::Triage, Self::History, Self::Batches, Self::Log, Self::Policy];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Triage => "Triage",
            Self::History => "History",
            Self::Batches => "Batches",
            Self::Log => "Log",
            Self::Policy => "Policy",
        }
    }
}

/// Where a move leads, counted in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    By(i64),
    First,
    Last,
    /// To the next one, or with -1 to the one before, of those that are looked for.
    Next(i64),
}

impl Moving {
    /// Where it leads, in a list that shows twice `half` rows.
    pub const fn way(self, half: i64) -> Way {
        match self {
            Self::Down => Way::By(1),
            Self::Up => Way::By(-1),
            Self::HalfDown => Way::By(half),
            Self::HalfUp => Way::By(-half),
            Self::PageDown => Way::By(2 * half),
            Self::PageUp => Way::By(-2 * half),
            Self::First => Way::First,
            Self::Last => Way::Last,
            Self::Next => Way::Next(1),
            Self::Previous => Way::Next(-1),
        }
    }

    /// By how many rows it moves in a dialog of `whole` rows, where a page is ten.
    pub const fn in_dialog(self, whole: isize) -> isize {
        const PAGE: isize = 10;
        match self {
            Self::Down => 1,
            Self::Up => -1,
            Self::PageDown | Self::HalfDown => PAGE,
            Self::PageUp | Self::HalfUp => -PAGE,
            Self::First => -whole,
            Self::Last => whole,
            Self::Next | Self::Previous => 0,
        }
    }
}

impl From<Deciding> for Command {
    fn from(what: Deciding) -> Self {
        Self::Decide(what)
    }
}

impl From<Common> for Command {
    fn from(common: Common) -> Self {
        Self::Common(common)
    }
}

impl Command {
    /// Whether holding the key may repeat it: only what moves.
    pub const fn moves(self) -> bool {
        matches!(
            self,
            Self::Move(
                Moving::Down | Moving::Up | Moving::HalfDown | Moving::HalfUp | Moving::PageDown | Moving::PageUp
            ) | Self::Look(
                Looking::ScrollLeft | Looking::ScrollRight | Looking::EvidenceDown | Looking::EvidenceUp
            ) | Self::Plane(Planing::Earlier | Planing::Later)
        )
    }

    /// Whether its key writes without asking anything more.
    pub const fn writes_at_once(self) -> bool {
        matches!(
            self,
            Self::Decide(
                Deciding::Accept(_)
                    | Deciding::LinkSame
                    | Deciding::RunObserver
                    | Deciding::LeaveRequest
                    | Deciding::DeferHour
                    | Deciding::DeferDay
                    | Deciding::DeferWeek
            ) | Self::Common(Common::Undo | Common::Redo)
        )
    }

    /// The action that the core must permit before it is done.
    pub fn action(self) -> Option<Action> {
        ACTIONS.iter().find(|(command, _)| *command == self).map(|(_, action)| *action)
    }
}

/// The commands that rule, and what the core calls them. The first command of an action is the one that is shown.
pub const ACTIONS: &[(Command, Action)] = &[
    (Command::Decide(Deciding::Accept(Side::Left)), Action::Accept(Side::Left)),
    (Command::Decide(Deciding::Accept(Side::Right)), Action::Accept(Side::Right)),
    (Command::Decide(Deciding::LinkSame), Action::LinkSame),
    (Command::Decide(Deciding::LinkBothTrue), Action::LinkBothTrue),
    (Command::Decide(Deciding::LinkAcrossEpochs), Action::LinkAcrossEpochs),
    (Command::Decide(Deciding::OneSubject), Action::LinkOneSubject),
    (Command::Decide(Deciding::TwoSubjects), Action::LinkTwoSubjects),
    (Command::Common(Common::OpenMenu(Menu::LookAgain)), Action::Reobserve),
    (Command::Decide(Deciding::RunObserver), Action::Reobserve),
    (Command::Decide(Deciding::EnterSeen), Action::Reobserve),
    (Command::Decide(Deciding::LeaveRequest), Action::Reobserve),
    (Command::Decide(Deciding::Rederive), Action::Rederive),
    (Command::Common(Common::OpenMenu(Menu::Withdraw)), Action::Withdraw),
    (Command::Decide(Deciding::WithdrawRecord), Action::Withdraw),
    (Command::Decide(Deciding::WithdrawBatch), Action::Withdraw),
    (Command::Decide(Deciding::Declare), Action::Declare),
    (Command::Common(Common::OpenMenu(Menu::Defer)), Action::Defer),
    (Command::Decide(Deciding::DeferHour), Action::Defer),
    (Command::Decide(Deciding::DeferDay), Action::Defer),
    (Command::Decide(Deciding::DeferWeek), Action::Defer),
    (Command::Decide(Deciding::DeferUntil), Action::Defer),
];

/// The command under which an action is shown.
pub fn command_of(action: Action) -> Option<Command> {
    ACTIONS.iter().find(|(_, listed)| *listed == action).map(|(command, _)| *command)
}
