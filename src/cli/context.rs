//! What every command is told besides its own arguments: the store, who acts, the time, how to speak.

use std::path::PathBuf;
use std::sync::Once;

use chrono::SubsecRound;
use etcetera::BaseStrategy;

use crate::core::order::Order;
use crate::core::time::Instant;
use crate::error::{Error, Kind, Result};
use crate::store::{By, Store};
use crate::wire;

use super::answer;
use super::output::{Colour, Style};
use super::output::{print, print_json, warn};
use super::parse;

/// Options that every command takes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Options everywhere")]
pub struct Global {
    /// The store [default: $XDG_DATA_HOME/gainsay/store.db]
    #[arg(long, global = true, value_name = "FILE", env = "GAINSAY_STORE", hide_env_values = true)]
    pub store: Option<PathBuf>,
    /// Who acts, as the log will name them [default: the login name]
    #[arg(long, global = true, value_name = "NAME", env = "GAINSAY_ACTOR", hide_env_values = true, value_parser = parse::words)]
    pub actor: Option<String>,
    /// Your configuration [default: $XDG_CONFIG_HOME/gainsay/config.json]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Open the store for reading only, and make no file beside it
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Use colours; auto: where the terminal has them and NO_COLOR is not set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Colour,
    /// Let the mouse work in the terminal UI (the terminal's own selection then needs Shift)
    #[arg(long, global = true)]
    pub mouse: bool,
    /// Draw the terminal UI in ASCII only
    #[arg(long, global = true)]
    pub ascii: bool,
    /// The time to take as now, for replays and tests
    #[arg(long, global = true, value_name = "TIME", env = "GAINSAY_NOW", hide = true, value_parser = parse::first_moment)]
    pub now: Option<Instant>,
}

/// What a command runs in.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    pub store: PathBuf,
    pub actor: String,
    /// Whether `--actor` was given, and not only the environment: `log` then shows what this one did.
    pub actor_named: bool,
    pub config: PathBuf,
    /// Whether `--config` was given: a file that was named must be there.
    pub config_named: bool,
    /// Whether the store is only read.
    pub read_only: bool,
    pub json: bool,
    /// How text for standard output is set.
    pub style: Style,
    /// Whether to colour.
    pub colour: Colour,
    pub mouse: bool,
    pub ascii: bool,
    /// The one reading of the clock; everything that happens in a command happens now.
    pub now: Instant,
    /// Whether the time was given, and not read: the terminal UI then goes on from it.
    pub now_given: bool,
}

impl Context {
    /// The context that the options, the environment and the defaults give.
    pub fn new(global: Global, actor_named: bool) -> Result<Self> {
        Ok(Self {
            store: match global.store {
                Some(file) => file,
                None => home()?.data_dir().join("gainsay/store.db"),
            },
            actor: match global.actor {
                Some(name) => name,
                None => login_name()?,
            },
            actor_named,
            config_named: global.config.is_some(),
            config: match global.config {
                Some(file) => file,
                None => home()?.config_dir().join("gainsay/config.json"),
            },
            read_only: global.read_only,
            json: global.json,
            style: Style::of_stdout(global.color),
            colour: global.color,
            mouse: global.mouse,
            ascii: global.ascii,
            now: global.now.unwrap_or_else(read_clock),
            now_given: global.now.is_some(),
        })
    }
}

impl Context {
    /// The store, for a command that only reads: one that is not there is an error.
    pub fn reading(&self) -> Result<Store> {
        let open = if self.read_only { Store::open_to_read } else { Store::open };
        Ok(self.placed(open(&self.store, self.now)?))
    }

    /// The store, for a command that looks at what became of it: whatever its schema is.
    pub fn inspecting(&self) -> Result<Store> {
        let open = if self.read_only { Store::open_as_it_is_to_read } else { Store::open_as_it_is };
        Ok(open(&self.store, self.now)?)
    }

    /// The store, for a command that writes: made where it is not there.
    pub fn writing(&self) -> Result<Store> {
        self.may_make()?;
        if self.read_only {
            return self.reading();
        }
        Ok(self.placed(Store::open_or_create(&self.store, self.now)?))
    }

    /// Says once where a store lies that several machines could use, and may not.
    fn placed(&self, store: Store) -> Store {
        static TOLD: Once = Once::new();
        if let Some(name) = store.on_network() {
            TOLD.call_once(|| {
                let said = format!("{} lies on a network file system ({name})", self.store.display());
                let only =
                    "let one machine use it at a time: locks may not hold there, and what is written may be lost";
                warn(&Error::new(Kind::Store, said).with_hint(only), self.colour);
            });
        }
        store
    }

    /// A store that is not there is not made where it is only to be read.
    pub fn may_make(&self) -> Result {
        if self.read_only && !self.store.exists() {
            return Err(crate::store::StoreError::Missing(self.store.clone()).into());
        }
        Ok(())
    }

    /// Who acts, and when.
    pub fn by(&self) -> By<'_> {
        By { actor: &self.actor, now: self.now }
    }

    /// Carries an order out and says what it did.
    pub fn rule(&self, order: &Order) -> Result {
        // Rulings are about what is there; only what brings something in makes a store.
        let mut store = if order.founds() { self.writing()? } else { self.reading()? };
        let outcome = store.order(order, &self.by(), None)?;
        self.say(|| wire::json::outcome(&outcome), || answer::render(&outcome, self.style))
    }

    /// One answer: JSON for scripts, text for people.
    pub fn say(&self, json: impl FnOnce() -> serde_json::Value, text: impl FnOnce() -> String) -> Result {
        if self.json { print_json(&json()) } else { print(&text()) }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place of the commands that reads the clock")]
fn read_clock() -> Instant {
    // To the millisecond: what is finer tells nobody anything, and lengthens every line.
    Instant::new(chrono::Utc::now().trunc_subsecs(3))
}

fn home() -> Result<impl BaseStrategy> {
    etcetera::choose_base_strategy().map_err(|error| {
        Error::new(Kind::Usage, "there is no home folder to keep a store in")
            .caused_by(&error)
            .with_hint("name the store with --store, and the configuration with --config")
    })
}

fn login_name() -> Result<String> {
    let name = whoami::fallible::username().map_err(|error| {
        Error::new(Kind::Usage, "your login name is not known")
            .caused_by(&error)
            .with_hint("say who acts with --actor")
    })?;
    parse::words(&name)
        .map_err(|_| Error::new(Kind::Usage, "your login name is empty").with_hint("say who acts with --actor"))
}
