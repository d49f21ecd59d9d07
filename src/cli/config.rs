//! The user's configuration, and `gainsay config`, which shows what of it is in force.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::app::key::{KEY_NAMES, Key};
use crate::app::keymap::Keymap;
use crate::app::look::{Depth, Look, PAINTS, Paint, Role};
use crate::app::rebind::{self, Misbound, Wish, name, place_name};
use crate::error::{Error, Kind, Result};
use crate::runtime::world::World;
use crate::wire::Fault;
use crate::wire::config::{Config as File, Placed, read};

use super::context::Context;
use super::output::{Cell, Page, print};
use super::starter::{names, rows, starter};
use super::trust;

/// Show the configuration in force: the file, the keys and the looks
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Config {
    /// Print a configuration file to start from: every setting as it ships, with what it does
    #[arg(long)]
    pub starter: bool,
}

/// What the file chooses, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Whether there is a file.
    pub found: bool,
    pub keymap: Keymap,
    pub theme: Theme,
    pub styles: Vec<(Role, Paint)>,
    /// The styles as they were written.
    written: Vec<(String, String)>,
    pub mouse: bool,
    pub ascii: bool,
    pub world: World,
}

/// Which colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Those for the background that the terminal says it has.
    #[default]
    Auto,
    Dark,
    Light,
    /// The terminal's own sixteen.
    Terminal,
    /// None.
    Plain,
}

impl Theme {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Auto, "auto"),
        (Self::Dark, "dark"),
        (Self::Light, "light"),
        (Self::Terminal, "terminal"),
        (Self::Plain, "plain"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(theme, _)| *theme == self).map_or("auto", |(_, name)| name)
    }
}

impl Settings {
    /// Reads the configuration. A file that is not there is no error unless it was named.
    pub fn of(context: &Context) -> Result<Self> {
        let absent = || fs::metadata(&context.config).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if !context.config_named && absent() {
            return Ok(Self::default());
        }
        Self::read_from(&context.config)
    }

    /// Reads a file that must be there. One that names observers must be the user's own.
    pub fn read_from(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let unreadable = |error| Error { kind: Kind::Usage, ..Error::unreadable(path, &error) };
        let bytes = fs::read(path).map_err(unreadable)?;
        let checked = read(&bytes).and_then(|file| Self::check(&file));
        let settings = checked.map_err(|fault| Error { kind: Kind::Usage, ..Error::in_file(&name, &fault) })?;
        if !settings.world.observers().is_empty() {
            trust::must_be_the_users(path)?;
        }
        Ok(settings)
    }

    /// The same, with other observers.
    #[must_use]
    pub fn looking_at(self, world: World) -> Self {
        Self { world, ..self }
    }

    fn check(file: &File) -> std::result::Result<Self, Fault> {
        Ok(Self {
            found: true,
            keymap: keymap(&file.keys)?,
            theme: file.theme.as_ref().map(theme).transpose()?.unwrap_or_default(),
            styles: file.styles.iter().map(style).collect::<std::result::Result<_, _>>()?,
            written: file.styles.iter().map(|(role, paint)| (role.text.clone(), paint.text.clone())).collect(),
            mouse: file.mouse.unwrap_or_default(),
            ascii: file.ascii.unwrap_or_default(),
            world: World::new(file.observers.clone()),
        })
    }

    /// The look on this terminal.
    pub fn look(&self, colour: bool) -> Look {
        if !colour || self.theme == Theme::Plain {
            return Look::Plain;
        }
        let level = supports_color::on_cached(supports_color::Stream::Stdout);
        let depth = match level {
            Some(level) if level.has_16m => Some(Depth::True),
            Some(level) if level.has_256 => Some(Depth::Indexed),
            Some(_) | None => None,
        };
        match (self.theme, depth) {
            (Theme::Auto, Some(depth)) => Look::Auto(depth),
            (Theme::Dark, Some(depth)) => Look::Dark(depth),
            (Theme::Light, Some(depth)) => Look::Light(depth),
            (Theme::Auto | Theme::Dark | Theme::Light | Theme::Terminal | Theme::Plain, _) => Look::Colour,
        }
    }
}

fn keymap(keys: &[(Placed, Vec<Placed>)]) -> std::result::Result<Keymap, Fault> {
    let about = |command: &Placed| format!("keys.{}", command.text);
    let mut wishes = Vec::new();
    for (command, wished) in keys {
        let key = |placed: &Placed| {
            let read = placed.text.parse::<Key>();
            read.map_err(|error| Fault::new(placed.at, error.to_string(), KEY_NAMES).about(&about(command)))
        };
        let keys = wished.iter().map(key).collect::<std::result::Result<Vec<Key>, Fault>>()?;
        wishes.push(Wish { name: command.text.clone(), keys });
    }
    rebind::keymap(&wishes).map_err(|Misbound { wish, key, why }| {
        let Some((command, wished)) = keys.get(wish) else {
            return Fault::new(crate::wire::Position::START, why.to_string(), why.expected());
        };
        let place = key.and_then(|key| wished.get(key)).unwrap_or(command);
        Fault::new(place.at, why.to_string(), why.expected()).about(&about(command))
    })
}

fn theme(placed: &Placed) -> std::result::Result<Theme, Fault> {
    let found = Theme::ALL.iter().find(|(_, name)| *name == placed.text);
    let wrong = || {
        let known = Theme::ALL.map(|(_, name)| name).join(", ");
        Fault::new(placed.at, format!("no theme is called {:?}", placed.text), known).about("theme")
    };
    found.map(|(theme, _)| *theme).ok_or_else(wrong)
}

fn style((role, paint): &(Placed, Placed)) -> std::result::Result<(Role, Paint), Fault> {
    let known = || Role::ALL.map(Role::name).join(", ");
    let found = Role::named(&role.text).ok_or_else(|| {
        Fault::new(role.at, format!("no style is called {:?}", role.text), known()).about("styles")
    })?;
    let paint = Paint::read(&paint.text).map_err(|word| {
        let fault = Fault::new(paint.at, format!("{word:?} is no part of a style"), PAINTS);
        fault.about(&format!("styles.{}", role.text))
    })?;
    Ok((found, paint))
}

impl Config {
    pub fn run(&self, context: &Context) -> Result {
        // It reads no file: the shell that writes it to one has emptied that file already.
        if self.starter {
            return print(&starter());
        }
        let settings = Settings::of(context)?;
        context.say(|| to_json(context, &settings), || render(context, &settings))
    }
}

fn to_json(context: &Context, settings: &Settings) -> Value {
    let keys = rows(&settings.keymap).map(|(row, keys)| {
        json!({
            "command": name(row), "place": place_name(row.place), "keys": names(keys), "changed": keys != row.keys,
            "does": row.help,
        })
    });
    json!({
        "file": context.config.display().to_string(), "found": settings.found, "theme": settings.theme.name(),
        "mouse": settings.mouse || context.mouse, "ascii": settings.ascii || context.ascii,
        "styles": styles(settings), "keys": keys.collect::<Vec<_>>(),
    })
}

fn styles(settings: &Settings) -> Map<String, Value> {
    settings.written.iter().map(|(role, paint)| (role.clone(), json!(paint))).collect()
}

fn render(context: &Context, settings: &Settings) -> String {
    let mut page = Page::new(context.style);
    let file = context.config.display().to_string();
    let there = if settings.found { "in force" } else { "not there: what ships with gainsay is in force" };
    page.line([Cell::quiet("file   "), Cell::strong(file), Cell::quiet(there)]);
    let switch = |on: bool| if on { "on" } else { "off" };
    page.line([Cell::quiet("theme  "), Cell::plain(settings.theme.name())]);
    for (role, paint) in &settings.written {
        page.line([Cell::quiet("style  "), Cell::plain(role), Cell::plain(paint)]);
    }
    page.line([Cell::quiet("mouse  "), Cell::plain(switch(settings.mouse || context.mouse))]);
    page.line([Cell::quiet("ascii  "), Cell::plain(switch(settings.ascii || context.ascii))]);
    page.gap();
    let table: Vec<Vec<Cell>> = rows(&settings.keymap)
        .map(|(row, keys)| {
            let shown = if keys.is_empty() { "(none)".to_owned() } else { names(keys).join(" ") };
            let changed = keys != row.keys;
            vec![
                Cell::quiet(place_name(row.place)),
                if changed { Cell::strong(name(row)) } else { Cell::plain(name(row)) },
                if changed { Cell::strong(format!("{shown} *")) } else { Cell::plain(shown) },
                Cell::quiet(row.help),
            ]
        })
        .collect();
    page.table(&["where", "command", "keys", "does"], &table);
    page.gap();
    if table_changed(settings) {
        page.line([Cell::quiet("* chosen in the file")]);
    }
    page.line([Cell::quiet("gainsay config --starter prints a file to start from")]);
    page.text().to_owned()
}

fn table_changed(settings: &Settings) -> bool {
    rows(&settings.keymap).any(|(row, keys)| keys != row.keys)
}
