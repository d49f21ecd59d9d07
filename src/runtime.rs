//! The loop that joins the model, the terminal and the store. The only reader of the clock beside `cli`.
//!
//! One inbox; an input thread that blocks on the terminal, a store thread that carries effects out, a signal thread.
//! The main thread owns the model and the screen: it takes what has come, all of it, and draws once. Nothing wakes it
//! while nothing happens.

mod clock;
mod desk;
mod ears;
mod editor;
pub mod looking;
mod screen;
mod signals;
mod store;
mod wake;
pub mod world;

use std::io;
use std::panic;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ratatui::Frame;
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGWINCH};

use crate::app::geometry::Size;
use crate::app::msg::{Errand, Pointed};
use crate::app::{Effect, Look, Model, Msg, Setup, update};
use crate::core::text::reveal_lines;
use crate::tui;
use crate::tui::input::Mouse;
pub use clock::Clock;
pub use desk::Desk;
use ears::Ears;
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

/// A terminal that has not said its background by then is drawn on with its own colours.
const ANSWERS_WITHIN: Duration = Duration::from_millis(100);

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

/// How a frame is drawn.
pub type View = fn(&Model, &mut Frame<'_>);

/// Opens the screen on a store, and returns when the reviewer leaves it. Standard input and output must be a terminal.
pub fn run(setup: Setup, ports: Ports, clock: Clock) -> Result<(), RunError> {
    show(setup, ports, clock, tui::view)
}

/// As [`run`], with another view: for tests of what the terminal is left as when drawing fails.
pub fn show(setup: Setup, ports: Ports, clock: Clock, view: View) -> Result<(), RunError> {
    let (inbox, wakes) = channel();
    let mut screen = Screen::open(setup.mouse)?;
    let whole = guard_panics(&inbox);
    let ended = drive(setup, ports, clock, view, &mut screen, (&inbox, &wakes));
    panic::set_hook(whole);
    // The screen is restored once, here, however the loop ended; only then is anything printed.
    screen.pause();
    match ended {
        // Nobody is there any more to be told.
        Err(RunError::Terminal(error)) if is_gone(&error) => Ok(()),
        ended => ended,
    }
}

/// Whether the terminal is no longer there: its window was closed.
fn is_gone(error: &io::Error) -> bool {
    let said = error.kind() == io::ErrorKind::BrokenPipe
        || error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error());
    // Asked for its size, one that is gone may fail in other words.
    said || !rustix::termios::isatty(rustix::stdio::stdout())
}

fn drive(
    setup: Setup,
    ports: Ports,
    clock: Clock,
    view: View,
    screen: &mut Screen,
    (inbox, wakes): (&Sender<Wake>, &Receiver<Wake>),
) -> Result<(), RunError> {
    let workers = Workers::start(ports, clock, inbox)?;
    signals::watch(inbox.clone())?;
    let ears = Ears::open(clock, inbox.clone())?;
    let (width, height) = screen.size()?;
    let (mut model, first) = Model::start(setup, Size { width, height }, clock.now());
    let (unanswered, continued) = (false, false);
    let mut turns =
        Loop { model: &mut model, screen, workers: &workers, ears: &ears, clock, view, unanswered, continued };
    let ended = turns.turn_until_left(first, wakes);
    turns.await_answer(wakes);
    // From here on no key is read: what is still typed is thrown away with what the terminal holds.
    ears.stop();
    workers.finish();
    ended
}

struct Loop<'a> {
    model: &'a mut Model,
    screen: &'a mut Screen,
    workers: &'a Workers,
    ears: &'a Ears,
    clock: Clock,
    view: View,
    /// The terminal was asked something that it has not answered yet.
    unanswered: bool,
    /// The program was stopped in order, and has gone on: the signal that says so is on its way.
    continued: bool,
}

impl Loop<'_> {
    fn turn_until_left(&mut self, first: Vec<Effect>, wakes: &Receiver<Wake>) -> Result<(), RunError> {
        self.carry_out(first)?;
        if self.meet(wakes)? == Turn::Quit {
            return Ok(());
        }
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

    /// Asks the terminal for its background before the first frame, where the colours hang on it. What else comes
    /// meanwhile is taken as always; an answer that comes later than this is still an answer.
    fn meet(&mut self, wakes: &Receiver<Wake>) -> Result<Turn, RunError> {
        if !matches!(self.model.setup.look, Look::Auto(_)) {
            return Ok(Turn::Draw);
        }
        self.screen.ask_background()?;
        self.unanswered = true;
        let patience = std::time::Instant::now() + ANSWERS_WITHIN;
        while self.unanswered {
            let left = patience.saturating_duration_since(std::time::Instant::now());
            let Ok(wake) = wakes.recv_timeout(left) else { break };
            if self.take(wake)? == Turn::Quit {
                return Ok(Turn::Quit);
            }
        }
        Ok(Turn::Draw)
    }

    /// An answer that is still on its way is waited for a moment, lest it come to the shell.
    fn await_answer(&mut self, wakes: &Receiver<Wake>) {
        let patience = std::time::Instant::now() + ANSWERS_WITHIN;
        while self.unanswered {
            let left = patience.saturating_duration_since(std::time::Instant::now());
            match wakes.recv_timeout(left) {
                Ok(Wake::Answered) | Err(_) => self.unanswered = false,
                Ok(Wake::Msg(_) | Wake::Mouse(_) | Wake::Background(..) | Wake::Signal(_) | Wake::Died(_)) => {}
            }
        }
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
                // After a stop of our own making the screen has been taken already.
                if !std::mem::take(&mut self.continued) {
                    self.screen.resume()?;
                }
                Ok(Turn::Draw)
            }
            // The size is looked at before each frame.
            Wake::Signal(SIGWINCH) => Ok(Turn::Draw),
            Wake::Signal(_) => Ok(Turn::Quit),
            Wake::Mouse(mouse) => self.pointed(mouse),
            Wake::Background(red, green, blue) => {
                self.model.setup.look = self.model.setup.look.on((red, green, blue));
                Ok(Turn::Draw)
            }
            Wake::Answered => {
                self.unanswered = false;
                Ok(Turn::Quiet)
            }
        }
    }

    /// Takes the mouse to what stands where it is. A row is gone to step by step, for headings may lie between.
    fn pointed(&mut self, mouse: Mouse) -> Result<Turn, RunError> {
        let mut turn = Turn::Quiet;
        let mut before: Option<Pointed> = None;
        for _ in 0..self.model.size.height {
            let Some(at) = tui::pointer::at(self.model, mouse) else { break };
            let passed = before.is_some_and(|before| before != at);
            if passed {
                break;
            }
            let effects = update(self.model, Msg::Pointed(at, self.clock.now()));
            turn = turn.and(self.carry_out(effects)?);
            if !matches!(at, Pointed::Row { .. }) {
                break;
            }
            before = Some(at);
        }
        Ok(turn)
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
                Effect::Edit { text, errand } => self.edit(&text, errand)?,
                Effect::Mouse(on) => self.screen.mouse(on)?,
                Effect::Cancel { number } => self.workers.cancel(number),
                Effect::Page { .. }
                | Effect::Pair(_)
                | Effect::Settled(_)
                | Effect::Commonest { .. }
                | Effect::Ids { .. }
                | Effect::CarryOut { .. }
                | Effect::Observe { .. }
                | Effect::Looks { .. }
                | Effect::Slotting { .. }
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
        let view = self.view;
        self.screen.draw(|frame| view(model, frame))?;
        let _none = update(self.model, Msg::Drawn(self.clock.now()));
        Ok(())
    }

    /// Gives the terminal back to the shell until the program is continued.
    fn suspend(&mut self) -> Result<Turn, RunError> {
        self.ears.stop();
        self.screen.pause();
        signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
        self.continued = true;
        self.screen.resume()?;
        self.ears.resume();
        Ok(Turn::Draw)
    }

    /// Gives the terminal to the user's editor, with every key, and takes it again.
    fn edit(&mut self, text: &str, errand: Errand) -> Result<(), RunError> {
        self.ears.stop();
        self.screen.pause();
        let answer = {
            let _editing = signals::Editing::begin();
            editor::edit(text, errand == Errand::Read)
        };
        self.screen.resume()?;
        self.ears.resume();
        let effects = update(self.model, Msg::Edited { errand, answer });
        self.carry_out(effects).map(drop)
    }
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
            let said = reveal_lines(&info.to_string());
            let _ok = io::Write::write_all(&mut io::stderr(), format!("{said}\n").as_bytes());
        } else {
            let _left = inbox.send(Wake::Died(info.to_string()));
        }
    }));
    before
}
