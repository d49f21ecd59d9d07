//! The terminal while the program owns it: taken whole, given back whole, once.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Stdout, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal};
use rustix::termios::{QueueSelector, tcflush};

/// Whether the terminal is ours now: whoever sets it back to false restores, so that it is done exactly once.
static OURS: AtomicBool = AtomicBool::new(false);
/// Whether it reports the mouse to us.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Buttons and the wheel, in the one form that knows every column. Not its movements: nothing here follows them.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";
/// Asks for the colour of the background, then for what every terminal answers: who answers that first has no colour
/// to tell.
const ASK_BACKGROUND: &str = "\x1b]11;?\x07\x1b[c";

/// The terminal, taken.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Batch>>,
    batch: Batch,
}

impl Screen {
    /// Takes the terminal, with or without its mouse.
    pub(super) fn open(mouse: bool) -> io::Result<Self> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Err(io::Error::other(
                "standard input and output are no terminal; the commands work without one",
            ));
        }
        MOUSE.store(mouse, Ordering::SeqCst);
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

    /// Asks the terminal for its background; the answer comes as bytes, like keys.
    pub(super) fn ask_background(&mut self) -> io::Result<()> {
        self.batch.write_all(ASK_BACKGROUND.as_bytes())?;
        self.batch.send()
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub(super) fn mouse(&mut self, on: bool) -> io::Result<()> {
        MOUSE.store(on, Ordering::SeqCst);
        self.batch.write_all(if on { MOUSE_ON } else { MOUSE_OFF }.as_bytes())?;
        self.batch.send()
    }

    /// Gives the terminal back for a while, or for good.
    pub(super) fn pause(&self) {
        restore();
    }

    /// Takes it again, and draws whole. Whoever had it meanwhile may have left it in any state.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        // What it is given back to is what it was before all, whatever the shell has made of it in between.
        if OURS.load(Ordering::SeqCst) {
            disable_raw_mode()?;
        }
        take()?;
        self.forget()
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    let mut bytes = Vec::new();
    queue!(bytes, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide).inspect_err(|_| restore())?;
    if MOUSE.load(Ordering::SeqCst) {
        bytes.extend_from_slice(MOUSE_ON.as_bytes());
    }
    send(&bytes).inspect_err(|_| restore())
}

/// Restores the terminal, if it is ours. It is also what a panic calls: it cannot fail, only do less.
pub(super) fn restore() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    // What was typed and not read was not meant for the shell.
    let _drained = tcflush(rustix::stdio::stdin(), QueueSelector::IFlush);
    let mut bytes = Vec::new();
    if MOUSE.load(Ordering::SeqCst) {
        bytes.extend_from_slice(MOUSE_OFF.as_bytes());
    }
    // A frame that failed half-way may have begun an update that nothing ends.
    let _queued = queue!(bytes, EndSynchronizedUpdate, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _shown = send(&bytes);
    let _cooked = disable_raw_mode();
}

/// One write, so that nothing is seen half done.
fn send(bytes: &[u8]) -> io::Result<()> {
    let mut out: Stdout = io::stdout();
    out.write_all(bytes)?;
    out.flush()
}

/// Bytes gathered until they are sent in one write.
#[derive(Clone, Default)]
struct Batch(Rc<RefCell<Vec<u8>>>);

impl Batch {
    fn send(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut *self.0.borrow_mut());
        send(&bytes)
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
