//! The loop that joins the model, the terminal and the store. The only reader of the clock beside `cli`.
//!
//! One inbox; an input thread that blocks on the terminal, a store thread that carries effects out, a signal thread.
//! The main thread owns the model and the screen: it takes what has come, all of it, and draws once. Nothing wakes it
//! while nothing happens.

mod desk;
mod screen;
mod store;

use std::io;
use std::panic;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::app::geometry::Size;
use crate::app::{Effect, Model, Msg, Port, Setup, update};
use crate::core::time::Instant;
use crate::tui;
pub use desk::Desk;
use screen::Screen;
pub use store::perform;

/// Where the time comes from.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    System,
    /// As if the program had been started then, for replays: it goes on from there.
    From {
        start: Instant,
        since: std::time::Instant,
    },
}

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

/// What wakes the main thread.
enum Wake {
    Msg(Box<Msg>),
    Signal(i32),
    /// A worker thread panicked: nothing more can be done but to say so and leave.
    Died(String),
}

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
pub fn run(setup: Setup, port: Box<dyn Port>, clock: Clock) -> Result<(), RunError> {
    let (inbox, wakes) = channel();
    let mut screen = Screen::open()?;
    let whole = guard_panics(&inbox);
    let ended = drive(setup, port, clock, &mut screen, &inbox, &wakes);
    panic::set_hook(whole);
    // The screen is restored once, here, however the loop ended; only then is anything printed.
    screen.close()?;
    ended
}

fn drive(
    setup: Setup,
    port: Box<dyn Port>,
    clock: Clock,
    screen: &mut Screen,
    inbox: &Sender<Wake>,
    wakes: &Receiver<Wake>,
) -> Result<(), RunError> {
    let (jobs, store) = store::start(port, clock, inbox.clone())?;
    listen(clock, inbox.clone())?;
    watch_signals(inbox.clone())?;
    let (width, height) = screen.size()?;
    let (mut model, first) = Model::start(setup, Size { width, height }, clock.now());
    let ended = Loop { model: &mut model, screen, jobs: &jobs, clock }.turn_until_left(first, wakes);
    // The store finishes what it was given: what was ruled is written before the program ends.
    drop(jobs);
    let _finished = store.join();
    ended
}

struct Loop<'a> {
    model: &'a mut Model,
    screen: &'a mut Screen,
    jobs: &'a Sender<Effect>,
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
                Effect::Page { .. }
                | Effect::Pair(_)
                | Effect::Ids { .. }
                | Effect::CarryOut(_)
                | Effect::Observe(_)
                | Effect::Preview { .. }
                | Effect::Sort { .. }
                | Effect::CopyJson(_) => {
                    // A store that is gone has said so through the panic hook: that message is on its way.
                    let _gone = self.jobs.send(effect);
                }
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

impl Clock {
    /// A clock that begins at an instant and goes on from there.
    pub fn from(start: Instant) -> Self {
        Self::From { start, since: std::time::Instant::now() }
    }

    /// The time.
    pub fn now(self) -> Instant {
        match self {
            Self::System => system_now(),
            Self::From { start, since } => {
                let elapsed = chrono::Duration::from_std(since.elapsed()).unwrap_or_default();
                start.plus(elapsed)
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the runtime is where the clock is read")]
fn system_now() -> Instant {
    Instant::new(chrono::Utc::now())
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
