//! What lies over a screen: menus, forms, refusals, previews, help, palette, find.

use tui_input::Input;

use super::again::Again;
use super::form::{Form, Purpose};
use super::keymap::{Command, Deciding, Menu};
use super::palette::Palette;
use super::port::Filter;
use super::preview::Bulk;
use super::slotting::Slotting;
use super::stale::Stale;

/// One dialog.
#[derive(Clone, Debug)]
pub enum Dialog {
    Menu(Menu),
    Form(Box<Form>),
    Refused(Refused),
    /// Something that must be read: it closes with any of Esc, Enter and q.
    Notice {
        title: String,
        lines: Vec<String>,
    },
    Help {
        scroll: usize,
    },
    Palette(Palette),
    Bulk(Box<Bulk>),
    /// Observers for many: asked for, and what they saw.
    Again(Box<Again>),
    /// Settled facts that have grown old.
    Stale(Box<Stale>),
    /// Sentences in no slot.
    Slotting(Box<Slotting>),
    /// Finding as it is typed; Esc puts the filter back as it was.
    Find {
        input: Input,
        before: Box<Filter>,
    },
}

/// An action that the core refuses: why, and the nearest step that it permits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub command: Command,
    pub because: String,
    pub nearest: Command,
}

impl Dialog {
    /// The form, where it is one.
    pub fn form_mut(&mut self) -> Option<&mut Box<Form>> {
        match self {
            Self::Form(form) => Some(form),
            Self::Menu(_)
            | Self::Refused(_)
            | Self::Notice { .. }
            | Self::Help { .. }
            | Self::Palette(_)
            | Self::Bulk(_)
            | Self::Again(_)
            | Self::Stale(_)
            | Self::Slotting(_)
            | Self::Find { .. } => None,
        }
    }

    /// Whether it waits for the answer to this work.
    pub fn waits_for(&self, number: u64) -> bool {
        match self {
            Self::Again(again) => again.number == number,
            Self::Stale(stale) => stale.number == number,
            Self::Slotting(lane) => lane.number == number,
            Self::Bulk(bulk) => bulk.number == number,
            Self::Menu(_)
            | Self::Form(_)
            | Self::Refused(_)
            | Self::Notice { .. }
            | Self::Help { .. }
            | Self::Palette(_)
            | Self::Find { .. } => false,
        }
    }
}

/// The title of a menu.
pub const fn menu_title(menu: Menu) -> &'static str {
    match menu {
        Menu::Link => "Link",
        Menu::Identity => "Identity",
        Menu::LookAgain => "Look again",
        Menu::Withdraw => "Withdraw",
        Menu::Defer => "Defer",
        Menu::Copy | Menu::CopyEvent => "Copy",
    }
}

/// The form behind a decision, where it has one.
pub fn purpose(what: Deciding) -> Option<Purpose> {
    let forms = [
        (Deciding::LinkBothTrue, Purpose::BothTrue),
        (Deciding::LinkAcrossEpochs, Purpose::AcrossEpochs),
        (Deciding::OneSubject, Purpose::OneSubject),
        (Deciding::TwoSubjects, Purpose::TwoSubjects),
        (Deciding::EnterSeen, Purpose::Seen),
        (Deciding::Rederive, Purpose::Rederive),
        (Deciding::WithdrawRecord, Purpose::WithdrawRecord),
        (Deciding::WithdrawBatch, Purpose::WithdrawBatch),
        (Deciding::Declare, Purpose::Declare),
        (Deciding::DeferUntil, Purpose::DeferUntil),
        (Deciding::Note, Purpose::Note),
    ];
    forms.into_iter().find(|(listed, _)| *listed == what).map(|(_, purpose)| purpose)
}
