//! `gainsay tui` and `gainsay demo`: the terminal UI.

use std::path::Path;

use serde_json::json;

use crate::app::Setup;
use crate::error::{Error, Kind, Result};
use crate::runtime::{self, Clock, Desk, Ports};
use crate::store::Store;

use super::config::Settings;
use super::context::Context;
use super::demo;
use super::live::{self, Live};
use super::output::{Cell, Page, Style, is_interactive};
use super::slot;
use super::words::count;

/// Open the terminal UI on the store (what gainsay does without a command)
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub struct Tui {}

/// Open the terminal UI on a throw-away store filled with incidents
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Demo {
    /// Print where the store is and what is in it, and leave it there
    #[arg(long)]
    pub no_tui: bool,
}

impl Tui {
    pub fn run(self, context: &Context) -> Result {
        must_be_a_terminal("gainsay queue")?;
        let settings = Settings::of(context)?;
        open(context, settings, context.reading()?, &name_of(&context.store), Vec::new())
    }
}

/// The screen needs a terminal at both ends; without one, this does the same by lines.
fn must_be_a_terminal(instead: &str) -> Result {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    if is_interactive() && !dumb {
        return Ok(());
    }
    let why = if dumb { "TERM names a terminal that cannot draw" } else { "this is no terminal (it is piped)" };
    Err(Error::new(Kind::Usage, format!("the terminal UI cannot open: {why}"))
        .with_hint(format!("`{instead}` does the same by lines; `gainsay --help` lists every command")))
}

fn name_of(store: &Path) -> String {
    store.file_name().map_or_else(|| store.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn open(context: &Context, settings: Settings, store: Store, name: &str, greeting: Vec<String>) -> Result {
    let setup = Setup {
        store: name.to_owned(),
        actor: context.actor.clone(),
        look: settings.look(context.style.colour),
        read_only: store.is_read_only(),
        keymap: settings.keymap,
        styles: settings.styles,
        ascii: settings.ascii || context.ascii,
        mouse: settings.mouse || context.mouse,
        greeting,
    };
    let clock = if context.now_given { Clock::from(context.now) } else { Clock::System };
    let desk = Desk::new(store, context.actor.clone())?.with(settings.world).by(clock).keeping(slot::kept(context));
    let [long, looking] = [desk.another(context.now)?, desk.another(context.now)?].map(Box::new);
    let ports = Ports { long, looking, quick: Box::new(desk) };
    runtime::run(setup, ports, clock).map_err(|error| Error::internal(error.to_string()))
}

impl Demo {
    pub fn run(self, context: &Context) -> Result {
        let settings = if self.no_tui {
            Settings::default()
        } else {
            must_be_a_terminal("gainsay demo --no-tui")?;
            Settings::of(context)?
        };
        let no_folder =
            |error| Error::new(Kind::Store, format!("no folder for the demo's store can be made: {error}"));
        let folder = tempfile::Builder::new().prefix("gainsay-demo-").tempdir().map_err(no_folder)?;
        let path = folder.path().join("demo.db");
        let told = demo::fill(&path, context.now)?;
        let live = live::make(folder.path())?;
        if !self.no_tui {
            // The demo looks at its own world, whatever else the user looks at.
            let settings = settings.looking_at(Settings::read_from(&live.config)?.world);
            let greeting = live.greeting(&told.watched);
            return open(context, settings, Store::open(&path, context.now)?, "demo", greeting);
        }
        let _kept = folder.keep();
        context.say(
            || {
                json!({
                    "store": path.display().to_string(), "records": told.records, "batches": told.batches,
                    "open": told.open, "config": live.config.display().to_string(),
                    "watched": told.watched.iter().map(|pair| pair.0).collect::<Vec<_>>(),
                })
            },
            || render(&path, &told, &live, context.style),
        )
    }
}

fn render(store: &Path, told: &demo::Told, live: &Live, style: Style) -> String {
    let mut page = Page::new(style);
    let store = format!("gainsay --store {} --config {}", store.display(), live.config.display());
    page.line([
        Cell::strong(count(told.records, "record")),
        Cell::plain(format!("of {}, {} wait for a person", count(told.batches, "batch"), count(told.open, "pair"))),
    ]);
    page.line([Cell::plain(&store)]);
    page.line([Cell::plain(format!("{store} queue"))]);
    page.gap().line([Cell::quiet("two observers look at files that were made with it; to look again:")]);
    for pair in &told.watched {
        page.line([Cell::plain(format!("{store} reobserve {pair} --run"))]);
    }
    for attribute in Live::attributes() {
        page.line([Cell::quiet("change what is seen:"), Cell::plain(live.file(attribute))]);
    }
    page.text().to_owned()
}
