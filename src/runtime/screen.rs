//! The terminal while the program owns it: taken whole, given back whole, once.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Stdout, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base64::Engine as _;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal};

/// Whether the terminal is ours now: whoever sets it back to false restores, so that it is done exactly once.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal, taken.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Batch>>,
    batch: Batch,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn open() -> io::Result<Self> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Err(io::Error::other(
                "standard input and output are no terminal; the commands work without one",
            ));
        }
        take()?;
        let batch = Batch::default();
        let terminal = Terminal::new(CrosstermBackend::new(batch.clone())).inspect_err(|_| restore())?;
        Ok(Self { terminal, batch })
    }

    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        crossterm::terminal::size()
    }

    /// Draws a frame: one write, shown at once by terminals that can.
    pub(super) fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(self.batch, BeginSynchronizedUpdate)?;
        self.terminal.draw(view)?;
        queue!(self.batch, EndSynchronizedUpdate)?;
        self.batch.send()
    }

    /// Forgets what stands on the screen: the next frame is drawn whole.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        let (width, height) = self.size()?;
        self.terminal.resize(Rect::new(0, 0, width, height))
    }

    /// Puts a text into the clipboard through the terminal, which works over SSH (OSC 52).
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        let encoded = base64::engine::general_purpose::STANDARD.encode(text);
        write!(self.batch, "\x1b]52;c;{encoded}\x07")?;
        self.batch.send()
    }

    /// Gives the terminal back for a while.
    pub(super) fn pause(&mut self) -> io::Result<()> {
        restore();
        Ok(())
    }

    /// Takes it again, and draws whole.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        take()?;
        self.forget()
    }

    /// Gives it back for good. What was typed and not read is thrown away: it was not meant for the shell.
    pub(super) fn close(self) -> io::Result<()> {
        restore();
        Ok(())
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide).inspect_err(|_| restore())
}

/// Restores the terminal, if it is ours. It is also what a panic calls: it cannot fail, only do less.
pub(super) fn restore() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    drain();
    let _shown = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _cooked = disable_raw_mode();
}

/// Reads what is still waiting. The input thread may hold the reader: then there is nothing left to read here.
fn drain() {
    while let Ok(true) = crossterm::event::poll(Duration::ZERO) {
        if crossterm::event::read().is_err() {
            return;
        }
    }
}

/// Bytes gathered until they are sent in one write.
#[derive(Clone, Default)]
struct Batch(Rc<RefCell<Vec<u8>>>);

impl Batch {
    fn send(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut *self.0.borrow_mut());
        let mut out: Stdout = io::stdout();
        out.write_all(&bytes)?;
        out.flush()
    }
}

impl Write for Batch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: a frame is sent when it is whole.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
