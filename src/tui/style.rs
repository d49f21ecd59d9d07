//! How things look: themes, each a set of named styles. Colour repeats what a word, a sign or a modifier already says,
//! so that the plain theme loses nothing.
//!
//! Where nothing is known of the background only the terminal's own sixteen colours are used, and neither black, white
//! nor yellow as a foreground: one of them vanishes on every background. On a background that is known to be dark or
//! light the colours are ours, each at least 4.5 to 1 against the usual grounds (a test computes it). What is selected
//! is reversed in every theme, for that shows on any ground.

use ratatui::style::{Color, Modifier, Style};

use crate::app::look::{Depth, Hue, Look, Paint, Role};
use crate::app::model::{Setup, Tone};
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

/// The colours of a theme of ours: text on the ground of the terminal, and the head with a ground of its own.
struct Colours {
    dim: Color,
    border: Color,
    key: Color,
    good: Color,
    bad: Color,
    alarm: Color,
    header: (Color, Color),
}

const fn rgb(colour: u32) -> Color {
    let [_, red, green, blue] = colour.to_be_bytes();
    Color::Rgb(red, green, blue)
}

const DARK: Colours = Colours {
    dim: rgb(0xa3_adbd),
    border: rgb(0x93_a0b4),
    key: rgb(0x6f_d3ff),
    good: rgb(0x8f_dc9a),
    bad: rgb(0xff_8f8f),
    alarm: rgb(0xd8_b0ff),
    header: (rgb(0xe6_ebf2), rgb(0x2b_3648)),
};

const LIGHT: Colours = Colours {
    dim: rgb(0x52_5c6b),
    border: rgb(0x5d_6776),
    key: rgb(0x00_5c8a),
    good: rgb(0x17_652b),
    bad: rgb(0xa8_121f),
    alarm: rgb(0x7b_1fa2),
    header: (rgb(0x1f_2937), rgb(0xd5_deea)),
};

const DARK_OF_256: Colours = Colours {
    dim: Color::Indexed(248),
    border: Color::Indexed(247),
    key: Color::Indexed(81),
    good: Color::Indexed(114),
    bad: Color::Indexed(210),
    alarm: Color::Indexed(183),
    header: (Color::Indexed(255), Color::Indexed(238)),
};

const LIGHT_OF_256: Colours = Colours {
    dim: Color::Indexed(240),
    border: Color::Indexed(241),
    key: Color::Indexed(24),
    good: Color::Indexed(22),
    bad: Color::Indexed(124),
    alarm: Color::Indexed(91),
    header: (Color::Indexed(235), Color::Indexed(253)),
};

const fn coloured(colours: Colours) -> Theme {
    Theme {
        text: Style::new(),
        dim: Style::new().fg(colours.dim),
        strong: Style::new().add_modifier(Modifier::BOLD),
        mark: Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)).fg(colours.key),
        title: Style::new().add_modifier(Modifier::BOLD),
        border: Style::new().fg(colours.border),
        key: Style::new().fg(colours.key).add_modifier(Modifier::BOLD),
        good: Style::new().fg(colours.good),
        bad: Style::new().fg(colours.bad).add_modifier(Modifier::BOLD),
        alarm: Style::new().fg(colours.alarm).add_modifier(Modifier::BOLD),
        selected: Style::new().add_modifier(Modifier::REVERSED),
        field: Style::new().add_modifier(Modifier::UNDERLINED),
        header: Style::new().fg(colours.header.0).bg(colours.header.1),
        values: [
            Style::new().fg(colours.key).add_modifier(Modifier::BOLD),
            Style::new().fg(colours.alarm).add_modifier(Modifier::BOLD),
            Style::new().fg(colours.good).add_modifier(Modifier::BOLD),
            Style::new().fg(colours.bad).add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
        ],
    }
}

impl Theme {
    /// The theme of a look.
    pub const fn of(look: Look) -> Self {
        match look {
            Look::Colour | Look::Auto(_) => COLOUR,
            Look::Plain => PLAIN,
            Look::Dark(Depth::True) => coloured(DARK),
            Look::Light(Depth::True) => coloured(LIGHT),
            Look::Dark(Depth::Indexed) => coloured(DARK_OF_256),
            Look::Light(Depth::Indexed) => coloured(LIGHT_OF_256),
        }
    }

    /// The theme of the look, with the styles that the user has chosen instead.
    pub fn in_force(setup: &Setup) -> Self {
        let mut theme = Self::of(setup.look);
        for (role, paint) in &setup.styles {
            *theme.role(*role) = painted(paint, setup.look);
        }
        // Whatever was chosen, what is selected shows on every ground.
        theme.selected = theme.selected.add_modifier(Modifier::REVERSED);
        theme
    }

    const fn role(&mut self, role: Role) -> &mut Style {
        match role {
            Role::Text => &mut self.text,
            Role::Dim => &mut self.dim,
            Role::Strong => &mut self.strong,
            Role::Mark => &mut self.mark,
            Role::Title => &mut self.title,
            Role::Border => &mut self.border,
            Role::Key => &mut self.key,
            Role::Good => &mut self.good,
            Role::Bad => &mut self.bad,
            Role::Alarm => &mut self.alarm,
            Role::Selected => &mut self.selected,
            Role::Field => &mut self.field,
            Role::Header => &mut self.header,
        }
    }

    /// The same frame in false colours: every style of its own, so that a cell says what it is.
    pub(super) const FALSE: Self = {
        const fn only(colour: u8) -> Style {
            Style::new().fg(Color::Indexed(colour))
        }
        Self {
            text: only(1),
            dim: only(2),
            strong: only(3),
            mark: only(4),
            title: only(5),
            border: only(6),
            key: only(7),
            good: only(8),
            bad: only(9),
            alarm: only(10),
            selected: only(11),
            field: only(12),
            header: only(13),
            values: [only(14); 5],
        }
    };

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

/// What was chosen, as far as this look can show it.
fn painted(paint: &Paint, look: Look) -> Style {
    let colour = |hue: Hue| match (look, hue) {
        (Look::Plain, _) => None,
        (_, Hue::Named(at)) => Some(NAMED[usize::from(at) % NAMED.len()]),
        // A terminal of sixteen colours has no others.
        (Look::Colour, Hue::Indexed(_) | Hue::Rgb(..)) => None,
        (
            Look::Dark(Depth::True) | Look::Light(Depth::True) | Look::Auto(Depth::True),
            Hue::Rgb(red, green, blue),
        ) => Some(Color::Rgb(red, green, blue)),
        (Look::Dark(_) | Look::Light(_) | Look::Auto(_), hue) => match hue.indexed() {
            Hue::Indexed(index) => Some(Color::Indexed(index)),
            Hue::Named(_) | Hue::Rgb(..) => None,
        },
    };
    let mut style = Style::new();
    style.fg = paint.foreground.and_then(colour);
    style.bg = paint.background.and_then(colour);
    let modifiers = [
        (paint.bold, Modifier::BOLD),
        (paint.dim, Modifier::DIM),
        (paint.italic, Modifier::ITALIC),
        (paint.underline, Modifier::UNDERLINED),
        (paint.reverse, Modifier::REVERSED),
    ];
    modifiers.into_iter().filter(|(on, _)| *on).fold(style, |style, (_, modifier)| style.add_modifier(modifier))
}

/// The sixteen, as the configuration counts them.
const NAMED: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];
