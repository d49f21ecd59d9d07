//! The pictures: a reviewer sits at the demo's store at a fixed time and presses keys; what the terminal would show
//! then is what the picture shows.

use std::collections::VecDeque;
use std::fmt::Write as _;

use anstyle_svg::Term;
use gainsay::app::geometry::Size;
use gainsay::app::port::Unwatched;
use gainsay::app::{Code, Effect, Key, Look, Model, Msg, Setup, update};
use gainsay::cli::demo;
use gainsay::core::time::Instant;
use gainsay::runtime::{Desk, perform};
use gainsay::store::Store;
use gainsay::tui;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Each picture: its name, and the keys that lead to it from the start.
const PICTURES: &[(&str, &str)] = &[
    ("triage", "j"),
    ("refused", "a"),
    ("bulk", "f Tab Tab h o m e _ c i t y Enter Enter Enter Space Space Space Space +  s"),
    ("history", "t"),
    ("batches", "3"),
    ("log", "4"),
    ("policy", "5"),
];
const SIZE: Size = Size { width: 120, height: 40 };
const NOW: &str = "2025-12-01T09:14:02Z";

/// Every picture: the name of its file, and the SVG.
pub(crate) fn pictures() -> Result<Vec<(String, String)>, Box<dyn std::error::Error>> {
    let pictures = PICTURES.iter().map(|(name, keys)| {
        let mut seat = Seat::at_the_demo()?;
        for key in keys.split_whitespace() {
            seat.press(named(key));
        }
        Ok((format!("{name}.svg"), svg(&seat.frame())))
    });
    pictures.collect()
}

/// A reviewer's seat without a terminal.
struct Seat {
    model: Model,
    desk: Desk,
    now: Instant,
    /// The store is gone with its folder.
    _folder: tempfile::TempDir,
}

impl Seat {
    fn at_the_demo() -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::TempDir::new()?;
        let (path, now) = (folder.path().join("demo.db"), NOW.parse()?);
        demo::fill(&path, now).map_err(|error| error.to_string())?;
        let desk = Desk::new(Store::open(&path, now)?, "dana".to_owned())?;
        let setup =
            Setup { store: "demo".to_owned(), actor: "dana".to_owned(), look: Look::Colour, ..Setup::default() };
        let (model, first) = Model::start(setup, SIZE, now);
        let mut seat = Self { model, desk, now, _folder: folder };
        seat.carry_out(first);
        seat.look();
        Ok(seat)
    }

    fn press(&mut self, key: Key) {
        let effects = update(&mut self.model, Msg::Key(key, self.now));
        self.carry_out(effects);
        self.look();
    }

    /// The screen is drawn, and looked at for a second.
    fn look(&mut self) {
        let effects = update(&mut self.model, Msg::Drawn(self.now));
        self.carry_out(effects);
        self.now = self.now.plus(chrono::Duration::seconds(1));
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            if let Some(msg) = perform(&mut self.desk, effect, self.now, &Unwatched) {
                waiting.extend(update(&mut self.model, msg));
            }
        }
    }

    fn frame(&self) -> Buffer {
        let Ok(mut terminal) = Terminal::new(TestBackend::new(SIZE.width, SIZE.height));
        let Ok(_drawn) = terminal.draw(|frame| tui::view(&self.model, frame));
        terminal.backend().buffer().clone()
    }
}

fn named(name: &str) -> Key {
    let code = match name {
        "Enter" => Code::Enter,
        "Esc" => Code::Esc,
        "Tab" => Code::Tab,
        "Space" => Code::Char(' '),
        _ => return name.chars().next().map_or(Key::char(' '), Key::char),
    };
    Key::new(code)
}

/// The cells as a terminal would be sent them, turned into a picture of that terminal.
fn svg(frame: &Buffer) -> String {
    let mut text = String::new();
    for row in frame.content.chunks(usize::from(frame.area.width)) {
        for cell in row {
            let _infallible = write!(text, "\u{1b}[{}m{}", codes(cell), cell.symbol());
        }
        text.push_str("\u{1b}[0m\n");
    }
    let picture = Term::new()
        .palette(PALETTE)
        .fg_color(rgb(0xd8, 0xde, 0xe9))
        .bg_color(rgb(0x12, 0x16, 0x1d))
        .render_svg(&text);
    // A cell stays where it is: no viewer sorts a line anew for the right-to-left letters in it.
    picture.replacen("white-space: pre;", "white-space: pre;\n      unicode-bidi: bidi-override;", 1)
}

const fn rgb(red: u8, green: u8, blue: u8) -> anstyle::Color {
    anstyle::Color::Rgb(anstyle::RgbColor(red, green, blue))
}

/// The sixteen colours of the terminal in the picture; dark, as most people's is.
const PALETTE: anstyle_svg::Palette = anstyle_svg::Palette([
    anstyle::RgbColor(0x12, 0x16, 0x1d),
    anstyle::RgbColor(0xf0, 0x71, 0x78),
    anstyle::RgbColor(0x8f, 0xc9, 0x6b),
    anstyle::RgbColor(0xe6, 0xb4, 0x50),
    anstyle::RgbColor(0x6c, 0xb0, 0xf5),
    anstyle::RgbColor(0xd2, 0x8b, 0xe6),
    anstyle::RgbColor(0x56, 0xc2, 0xc9),
    anstyle::RgbColor(0xd8, 0xde, 0xe9),
    anstyle::RgbColor(0x6b, 0x76, 0x89),
    anstyle::RgbColor(0xff, 0x8f, 0x95),
    anstyle::RgbColor(0xa9, 0xe0, 0x85),
    anstyle::RgbColor(0xf5, 0xcb, 0x74),
    anstyle::RgbColor(0x8c, 0xc4, 0xff),
    anstyle::RgbColor(0xe4, 0xa8, 0xf4),
    anstyle::RgbColor(0x78, 0xd8, 0xde),
    anstyle::RgbColor(0xff, 0xff, 0xff),
]);

/// The parameters of `SGR` for a cell: from nothing, each time.
fn codes(cell: &Cell) -> String {
    let modifiers = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ];
    let set = modifiers.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier));
    let mut codes: Vec<String> =
        std::iter::once(0).chain(set.map(|(_, code)| *code)).map(|code| code.to_string()).collect();
    codes.extend(colour(cell.fg, 30));
    codes.extend(colour(cell.bg, 40));
    codes.join(";")
}

fn colour(colour: Color, base: u8) -> Option<String> {
    let plain = |number: u8| Some((base + number).to_string());
    let bright = |number: u8| Some((base + 60 + number).to_string());
    match colour {
        Color::Reset => None,
        Color::Black => plain(0),
        Color::Red => plain(1),
        Color::Green => plain(2),
        Color::Yellow => plain(3),
        Color::Blue => plain(4),
        Color::Magenta => plain(5),
        Color::Cyan => plain(6),
        Color::Gray => plain(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
        Color::Indexed(number) => Some(format!("{};5;{number}", base + 8)),
        Color::Rgb(red, green, blue) => Some(format!("{};2;{red};{green};{blue}", base + 8)),
    }
}
