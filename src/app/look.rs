//! How the screens look, as data: what the terminal can show, and the named styles that the user may change. `tui` makes
//! the terminal's own styles of it.

/// How it looks, as far as the terminal lets choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// The terminal's own sixteen colours, which its owner has made fit to its background.
    #[default]
    Colour,
    /// Bold, reverse and underline only.
    Plain,
    /// Colours of ours, for a dark background.
    Dark(Depth),
    /// Colours of ours, for a light one.
    Light(Depth),
    /// Dark or light, as soon as the terminal has said which; as [`Look::Colour`] while it has not.
    Auto(Depth),
}

/// How finely a terminal tells colours apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// 256 colours: those from 16 up are the same everywhere.
    Indexed,
    True,
}

/// What a style is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Text,
    Dim,
    Strong,
    Mark,
    Title,
    Border,
    Key,
    Good,
    Bad,
    Alarm,
    Selected,
    Field,
    Header,
}

/// One colour, as it was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hue {
    /// One of the terminal's sixteen, from 0.
    Named(u8),
    Indexed(u8),
    Rgb(u8, u8, u8),
}

/// What a style is to look like, instead of what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    pub foreground: Option<Hue>,
    pub background: Option<Hue>,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub reverse: bool,
}

/// What can stand in a style, for those who got one wrong.
pub const PAINTS: &str = "a colour (red, bright-blue, 0 to 255, #5fd7ff), `on` and another for the background, and any of bold, \
     dim, italic, underline, reverse";

const COLOURS: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

impl Look {
    /// The look on a background of this red, green and blue, where it was left to the terminal.
    #[must_use]
    pub fn on(self, (red, green, blue): (u8, u8, u8)) -> Self {
        let Self::Auto(depth) = self else { return self };
        // In the middle of the scale of lightness black and white read equally well.
        if luminance(red, green, blue) < 0.18 { Self::Dark(depth) } else { Self::Light(depth) }
    }
}

/// The relative luminance of a colour, from 0 to 1, as WCAG has it.
pub fn luminance(red: u8, green: u8, blue: u8) -> f64 {
    let part = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

impl Role {
    pub const ALL: [Self; 13] = [
        Self::Text,
        Self::Dim,
        Self::Strong,
        Self::Mark,
        Self::Title,
        Self::Border,
        Self::Key,
        Self::Good,
        Self::Bad,
        Self::Alarm,
        Self::Selected,
        Self::Field,
        Self::Header,
    ];

    /// As the configuration calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Dim => "dim",
            Self::Strong => "strong",
            Self::Mark => "mark",
            Self::Title => "title",
            Self::Border => "border",
            Self::Key => "key",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Alarm => "alarm",
            Self::Selected => "selected",
            Self::Field => "field",
            Self::Header => "header",
        }
    }

    /// The role of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl Paint {
    /// Reads `bold #5fd7ff on black`; or gives the word that means nothing.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut paint = Self::default();
        let mut behind = false;
        for word in text.split_whitespace() {
            match word.to_ascii_lowercase().as_str() {
                "bold" => paint.bold = true,
                "dim" => paint.dim = true,
                "italic" => paint.italic = true,
                "underline" => paint.underline = true,
                "reverse" => paint.reverse = true,
                "on" => behind = true,
                named => {
                    let hue = Hue::named(named).ok_or_else(|| word.to_owned())?;
                    let place = if behind { &mut paint.background } else { &mut paint.foreground };
                    (*place, behind) = (Some(hue), false);
                }
            }
        }
        if behind { Err("on".to_owned()) } else { Ok(paint) }
    }
}

impl Hue {
    fn named(name: &str) -> Option<Self> {
        if let Some(digits) = name.strip_prefix('#') {
            let all = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let number = u32::from_str_radix(digits, 16).ok().filter(|_| all)?;
            let [_, red, green, blue] = number.to_be_bytes();
            return Some(Self::Rgb(red, green, blue));
        }
        let (bright, plain) = name.strip_prefix("bright-").map_or((0, name), |plain| (8, plain));
        let colour = COLOURS.iter().position(|colour| *colour == plain).and_then(|at| u8::try_from(at).ok());
        colour.map(|at| Self::Named(at + bright)).or_else(|| name.parse().ok().map(Self::Indexed))
    }

    /// The nearest that a terminal of 256 colours has: one of its cube, or of its greys.
    #[must_use]
    pub fn indexed(self) -> Self {
        let Self::Rgb(red, green, blue) = self else { return self };
        let far = |index: &u8| {
            let (r, g, b) = rgb(*index);
            let part = |one: u8, other: u8| u32::from(one.abs_diff(other)).pow(2);
            part(red, r) + part(green, g) + part(blue, b)
        };
        Self::Indexed((16..=255).min_by_key(far).unwrap_or(16))
    }
}

/// The red, green and blue of one of the 256 colours, from 16 up: a cube of six levels, then the greys.
pub const fn rgb(index: u8) -> (u8, u8, u8) {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    if index >= 232 {
        let grey = 8 + 10 * (index - 232);
        return (grey, grey, grey);
    }
    let at = index.saturating_sub(16);
    (LEVELS[at as usize / 36], LEVELS[at as usize / 6 % 6], LEVELS[at as usize % 6])
}
