//! The loop that joins the model, the terminal and the store. The only reader of the clock beside `cli`.
//!
//! One inbox; an input thread that blocks on the terminal, a store thread that carries effects out, a signal thread.
//! The main thread owns the model and the screen: it takes what has come, all of it, and draws once. Nothing wakes it
//! while nothing happens.

mod clock;
mod desk;
pub mod looking;
mod screen;
mod store;
mod wake;
pub mod world;

use std::io;
use std::panic;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::app::geometry::Size;
use crate::app::{Effect, Model, Msg, Setup, update};
use crate::tui;
pub use clock::Clock;
pub use desk::Desk;
use screen::Screen;
use store::Workers;
pub use store::{Ports, perform};
use wake::Wake;

/// Why the screen was left.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
    #[error("a part of the program failed: {0}")]
    Worker(String),
}

/// A frame waits this long for an answer that is on its way: between two pairs nothing flashes.
const PATIENCE: Duration = Duration::from_millis(25);

/// How a turn of the loop ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Quiet,
    /// Something changed that is to be seen.
    Draw,
    Quit,
}

impl Turn {
    /// This turn and what came after it, together.
    const fn and(self, later: Self) -> Self {
        match (self, later) {
            (Self::Quit, _) | (_, Self::Quit) => Self::Quit,
            (Self::Draw, _) | (_, Self::Draw) => Self::Draw,
            (Self::Quiet, Self::Quiet) => Self::Quiet,
        }
    }
}

/// Opens the screen on a store, and returns when the reviewer leaves it. Standard input and output must be a terminal.
pub fn run(setup: Setup, ports: Ports, clock: Clock) -> Result<(), RunError> {
    let (inbox, wakes) = channel();
    let mut screen = Screen::open()?;
    let whole = guard_panics(&inbox);
    let ended = drive(setup, ports, clock, &mut screen, &inbox, &wakes);
    panic::set_hook(whole);
    // The screen is restored once, here, however the loop ended; only then is anything printed.
    screen.close()?;
    ended
}

fn drive(
    setup: Setup,
    ports: Ports,
    clock: Clock,
    screen: &mut Screen,
    inbox: &Sender<Wake>,
    wakes: &Receiver<Wake>,
) -> Result<(), RunError> {
    let workers = Workers::start(ports, clock, inbox)?;
    listen(clock, inbox.clone())?;
    watch_signals(inbox.clone())?;
    let (width, height) = screen.size()?;
    let (mut model, first) = Model::start(setup, Size { width, height }, clock.now());
    let ended = Loop { model: &mut model, screen, workers: &workers, clock }.turn_until_left(first, wakes);
    workers.finish();
    ended
}

struct Loop<'a> {
    model: &'a mut Model,
    screen: &'a mut Screen,
    workers: &'a Workers,
    clock: Clock,
}

impl Loop<'_> {
    fn turn_until_left(&mut self, first: Vec<Effect>, wakes: &Receiver<Wake>) -> Result<(), RunError> {
        self.carry_out(first)?;
        self.draw()?;
        while let Ok(wake) = wakes.recv() {
            let mut turn = self.take(wake)?;
            let patience = std::time::Instant::now() + PATIENCE;
            while turn != Turn::Quit {
                let Some(wake) = self.next(wakes, patience) else { break };
                turn = turn.and(self.take(wake)?);
            }
            match turn {
                Turn::Quit => return Ok(()),
                Turn::Draw => self.draw()?,
                Turn::Quiet => {}
            }
        }
        Ok(())
    }

    /// What else has come; where the model awaits an answer, what comes within a moment too.
    fn next(&self, wakes: &Receiver<Wake>, patience: std::time::Instant) -> Option<Wake> {
        if self.model.awaits() {
            let left = patience.saturating_duration_since(std::time::Instant::now());
            wakes.recv_timeout(left).ok()
        } else {
            wakes.try_recv().ok()
        }
    }

    fn take(&mut self, wake: Wake) -> Result<Turn, RunError> {
        match wake {
            Wake::Msg(msg) => {
                let effects = update(self.model, *msg);
                self.carry_out(effects)
            }
            Wake::Died(text) => Err(RunError::Worker(text)),
            Wake::Signal(SIGTSTP) => self.suspend(),
            Wake::Signal(SIGCONT) => {
                self.screen.resume()?;
                Ok(Turn::Draw)
            }
            Wake::Signal(_) => Ok(Turn::Quit),
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Result<Turn, RunError> {
        for effect in effects {
            match effect {
                Effect::Quit => return Ok(Turn::Quit),
                Effect::Suspend => {
                    self.suspend()?;
                }
                Effect::Redraw => self.screen.forget()?,
                Effect::Copy { what, text } => {
                    self.screen.copy(&text)?;
                    let _none = update(self.model, Msg::Copied { what });
                }
                Effect::Cancel { number } => self.workers.cancel(number),
                Effect::Page { .. }
                | Effect::Pair(_)
                | Effect::Ids { .. }
                | Effect::CarryOut { .. }
                | Effect::Observe { .. }
                | Effect::Preview { .. }
                | Effect::Sort { .. }
                | Effect::History { .. }
                | Effect::Batches { .. }
                | Effect::Log { .. }
                | Effect::Policy { .. }
                | Effect::CopyJson(_) => self.workers.give(effect),
            }
        }
        Ok(Turn::Draw)
    }

    fn draw(&mut self) -> Result<(), RunError> {
        let (width, height) = self.screen.size()?;
        if (Size { width, height }) != self.model.size {
            let effects = update(self.model, Msg::Resized { width, height });
            self.carry_out(effects)?;
        }
        let model = &*self.model;
        self.screen.draw(|frame| tui::view(model, frame))?;
        let _none = update(self.model, Msg::Drawn(self.clock.now()));
        Ok(())
    }

    /// Gives the terminal back to the shell until the program is continued.
    fn suspend(&mut self) -> Result<Turn, RunError> {
        self.screen.pause()?;
        signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
        self.screen.resume()?;
        Ok(Turn::Draw)
    }
}

/// Events of the terminal, as messages. The thread blocks in its read, and ends with the program.
fn listen(clock: Clock, inbox: Sender<Wake>) -> io::Result<()> {
    let listen = move || loop {
        let event = match crossterm::event::read() {
            Ok(event) => event,
            // The terminal is gone: leave, as after a hang-up.
            Err(_gone) => {
                let _left = inbox.send(Wake::Signal(SIGHUP));
                return;
            }
        };
        if let Some(msg) = tui::input::message(event, clock.now())
            && inbox.send(Wake::Msg(Box::new(msg))).is_err()
        {
            return;
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(listen).map(drop)
}

fn watch_signals(inbox: Sender<Wake>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    let watch = move || {
        for signal in signals.forever() {
            if inbox.send(Wake::Signal(signal)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop)
}

type Hook = Box<dyn Fn(&panic::PanicHookInfo<'_>) + Sync + Send + 'static>;

/// A panic on the main thread restores the screen, then reports; one on a worker becomes a message, and the main
/// thread leaves in order. Returns the hook that was there.
fn guard_panics(inbox: &Sender<Wake>) -> Hook {
    let (main, inbox) = (thread::current().id(), inbox.clone());
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == main {
            screen::restore();
            // The default report, for the hook that was there cannot be both called here and given back.
            let _ok = io::Write::write_all(&mut io::stderr(), format!("{info}\n").as_bytes());
        } else {
            let _left = inbox.send(Wake::Died(info.to_string()));
        }
    }));
    before
}
