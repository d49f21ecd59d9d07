//! A program in a pseudo-terminal, with a stopwatch on what comes out of it.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant as Clock};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// After so long without output, a screen stands still.
const STILL: Duration = Duration::from_millis(60);

pub(crate) struct Terminal {
    // Who drops it hangs up.
    _master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    output: Receiver<(Clock, Vec<u8>)>,
    began: Clock,
}

/// What a key caused: when the first byte came, when the last, and how many.
pub(crate) struct Heard {
    pub(crate) first: Duration,
    pub(crate) last: Duration,
    pub(crate) bytes: usize,
}

impl Terminal {
    /// Starts a program in a terminal of 120 by 40 cells.
    pub(crate) fn start(program: &Path, arguments: &[&str], home: &Path) -> Self {
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", home);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keyboard = pair.master.take_writer().unwrap();
        let (sender, output) = channel();
        let began = Clock::now();
        let child = pair.slave.spawn_command(command).unwrap();
        thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(many @ 1..) = reader.read(&mut bytes) {
                if sender.send((Clock::now(), bytes[..many].to_vec())).is_err() {
                    break;
                }
            }
        });
        Self { _master: pair.master, child, keyboard, output, began }
    }

    /// How long it takes until a text is there; what it asks of a terminal is answered.
    pub(crate) fn until(&mut self, text: &str) -> Duration {
        let (mut seen, mut answered) = (Vec::new(), false);
        loop {
            let (at, bytes) = self.output.recv_timeout(Duration::from_secs(30)).unwrap();
            seen.extend(bytes);
            if !answered && holds(&seen, "\x1b[c") {
                answered = true;
                self.keyboard.write_all(b"\x1b[?62c").unwrap();
            }
            if holds(&seen, text) {
                return at - self.began;
            }
        }
    }

    /// Waits until nothing comes any more: how many bytes came till then, and the time of the last.
    pub(crate) fn settle(&self) -> (usize, Option<Clock>) {
        let (mut many, mut last) = (0, None);
        while let Ok((at, bytes)) = self.output.recv_timeout(STILL) {
            many += bytes.len();
            last = Some(at);
        }
        (many, last)
    }

    /// Presses a key, and listens until the screen stands still.
    pub(crate) fn press(&mut self, key: &str) -> Heard {
        let pressed = Clock::now();
        self.keyboard.write_all(key.as_bytes()).unwrap();
        let (first, bytes) = self.output.recv_timeout(Duration::from_secs(10)).unwrap();
        let (more, last) = self.settle();
        Heard { first: first - pressed, last: last.unwrap_or(first) - pressed, bytes: bytes.len() + more }
    }

    /// The most memory that it held, in MiB.
    pub(crate) fn peak(&self) -> f64 {
        crate::import::peak(&self.child.process_id().unwrap().to_string()) as f64 / 1024.0
    }

    /// Quits, and waits for its end.
    pub(crate) fn quit(mut self) {
        self.keyboard.write_all(b"q").unwrap();
        let gone = Clock::now() + Duration::from_secs(5);
        while Clock::now() < gone {
            if self.child.try_wait().unwrap().is_some() {
                return;
            }
            self.settle();
        }
        self.child.kill().unwrap();
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
