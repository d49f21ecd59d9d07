//! The thread that listens to the terminal. It reads bytes when there are any, and stops at once when it is told to, so
//! that an editor has the keyboard for itself.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGHUP;

use super::clock::Clock;
use super::wake::Wake;
use crate::app::Msg;
use crate::tui::input::{Decoder, Heard};

/// The thread, as the screen's thread holds it.
pub(super) struct Ears {
    poke: UnixStream,
    stopped: Receiver<()>,
    go_on: Sender<()>,
}

/// A thread that does not answer within this has ended.
const STOPS_WITHIN: Duration = Duration::from_secs(1);

/// What it was woken by.
enum Woken {
    Told,
    Bytes,
    Nothing,
    /// A signal came between: look again.
    Again,
    /// The terminal is gone.
    Gone,
}

impl Ears {
    /// Begins to listen.
    pub(super) fn open(clock: Clock, inbox: Sender<Wake>) -> io::Result<Self> {
        let (poke, poked) = UnixStream::pair()?;
        let (stop, stopped) = channel();
        let (go_on, resumed) = channel();
        let listener = Listener { clock, inbox, poked, stop, resumed };
        thread::Builder::new().name("input".to_owned()).spawn(move || listener.listen())?;
        Ok(Self { poke, stopped, go_on })
    }

    /// Stops listening: when this returns, no byte of the terminal is read any more.
    pub(super) fn stop(&self) {
        if (&self.poke).write_all(&[1]).is_ok() {
            let _ended = self.stopped.recv_timeout(STOPS_WITHIN);
        }
    }

    /// Goes on listening.
    pub(super) fn resume(&self) {
        let _ended = self.go_on.send(());
    }
}

struct Listener {
    clock: Clock,
    inbox: Sender<Wake>,
    poked: UnixStream,
    stop: Sender<()>,
    resumed: Receiver<()>,
}

impl Listener {
    fn listen(mut self) {
        let mut decoder = Decoder::default();
        let mut bytes = [0; 4096];
        loop {
            let heard = match self.wait(decoder.patience()) {
                Woken::Told => match self.rest() {
                    Some(()) => Vec::new(),
                    None => return,
                },
                Woken::Nothing => decoder.settle(),
                Woken::Again => continue,
                Woken::Bytes => match rustix::io::read(rustix::stdio::stdin(), &mut bytes) {
                    Ok(many @ 1..) => decoder.push(bytes.get(..many).unwrap_or_default()),
                    Err(Errno::INTR | Errno::AGAIN) => Vec::new(),
                    Ok(_) | Err(_) => return self.hung_up(),
                },
                Woken::Gone => return self.hung_up(),
            };
            for heard in heard {
                if self.inbox.send(self.wake(heard)).is_err() {
                    return;
                }
            }
        }
    }

    fn wait(&self, patience: Option<Duration>) -> Woken {
        let stdin = rustix::stdio::stdin();
        let mut both = [PollFd::new(&self.poked, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
        let patience = patience.and_then(|patience| Timespec::try_from(patience).ok());
        let woken = match poll(&mut both, patience.as_ref()) {
            Ok(woken) => woken,
            Err(Errno::INTR | Errno::AGAIN) => return Woken::Again,
            Err(_) => return Woken::Gone,
        };
        let [told, input] = both.map(|one| one.revents());
        match woken {
            0 => Woken::Nothing,
            _ if !told.is_empty() => Woken::Told,
            _ if input.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) => Woken::Gone,
            _ => Woken::Bytes,
        }
    }

    /// Says that it has stopped, and waits to be sent on; none at the end of the program.
    fn rest(&mut self) -> Option<()> {
        let mut told = [0; 1];
        self.poked.read_exact(&mut told).ok()?;
        self.stop.send(()).ok()?;
        self.resumed.recv().ok()
    }

    /// The terminal is gone: leave, as after a hang-up.
    fn hung_up(&self) {
        let _left = self.inbox.send(Wake::Signal(SIGHUP));
    }

    fn wake(&self, heard: Heard) -> Wake {
        match heard {
            Heard::Key(key) => Wake::Msg(Box::new(Msg::Key(key, self.clock.now()))),
            Heard::Paste(text) => Wake::Msg(Box::new(Msg::Paste(text))),
            Heard::Mouse(mouse) => Wake::Mouse(mouse),
            Heard::Background(red, green, blue) => Wake::Background(red, green, blue),
            Heard::Attributes => Wake::Answered,
        }
    }
}
