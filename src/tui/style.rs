//! How things look: two themes, each a set of named styles. Colour repeats what a word, a sign or a modifier already
//! says, so that the plain theme loses nothing. Only the terminal's own sixteen colours are used, and neither black,
//! white nor yellow as a foreground: one of them vanishes on every background.

use ratatui::style::{Color, Modifier, Style};

use crate::app::Look;
use crate::app::model::Tone;
use crate::core::examine::State;

/// The named styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    pub text: Style,
    /// What is equal, secondary, or not permitted.
    pub dim: Style,
    pub strong: Style,
    /// The words in which two values differ, and the value found in its evidence.
    pub mark: Style,
    pub title: Style,
    pub border: Style,
    pub key: Style,
    pub good: Style,
    pub bad: Style,
    /// What deserves a second look: a backfill, an override, something missing.
    pub alarm: Style,
    pub selected: Style,
    pub field: Style,
    pub header: Style,
    /// The values of a slot, one after another and round again; each has a sign of its own beside it.
    pub values: [Style; 5],
}

const COLOUR: Theme = Theme {
    text: Style::new(),
    dim: Style::new().add_modifier(Modifier::DIM),
    strong: Style::new().add_modifier(Modifier::BOLD),
    mark: Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)).fg(Color::Cyan),
    title: Style::new().add_modifier(Modifier::BOLD),
    border: Style::new().fg(Color::DarkGray),
    key: Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD),
    good: Style::new().fg(Color::Green),
    bad: Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
    alarm: Style::new().fg(Color::Magenta).add_modifier(Modifier::BOLD),
    selected: Style::new().add_modifier(Modifier::REVERSED),
    field: Style::new().add_modifier(Modifier::UNDERLINED),
    header: Style::new().add_modifier(Modifier::REVERSED),
    values: [
        Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD),
        Style::new().fg(Color::Magenta).add_modifier(Modifier::BOLD),
        Style::new().fg(Color::Green).add_modifier(Modifier::BOLD),
        Style::new().fg(Color::Blue).add_modifier(Modifier::BOLD),
        Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
    ],
};

const PLAIN: Theme = Theme {
    text: Style::new(),
    dim: Style::new().add_modifier(Modifier::DIM),
    strong: Style::new().add_modifier(Modifier::BOLD),
    mark: Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
    title: Style::new().add_modifier(Modifier::BOLD),
    border: Style::new().add_modifier(Modifier::DIM),
    key: Style::new().add_modifier(Modifier::BOLD),
    good: Style::new(),
    bad: Style::new().add_modifier(Modifier::BOLD.union(Modifier::REVERSED)),
    alarm: Style::new().add_modifier(Modifier::BOLD),
    selected: Style::new().add_modifier(Modifier::REVERSED),
    field: Style::new().add_modifier(Modifier::UNDERLINED),
    header: Style::new().add_modifier(Modifier::REVERSED),
    values: [Style::new().add_modifier(Modifier::BOLD); 5],
};

impl Theme {
    /// The theme of a look.
    pub const fn of(look: Look) -> Self {
        match look {
            Look::Colour => COLOUR,
            Look::Plain => PLAIN,
        }
    }

    /// How a condition of the checklist is shown.
    pub const fn state(&self, state: State) -> Style {
        match state {
            State::Met => self.good,
            State::Failed => self.bad,
            State::NotApplicable => self.dim,
        }
    }

    /// How what was said is shown.
    pub const fn tone(&self, tone: Tone) -> Style {
        match tone {
            Tone::Hint => self.text,
            Tone::Done => self.good,
            Tone::Trouble => self.bad,
        }
    }
}
