//! A terminal without a window: a pseudo-terminal, with an emulator at the other end. Nothing here waits for a time:
//! every wait is for something to be seen, and fails with the screen as it stands when it never comes.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};

/// What never comes is given up after this long; what comes is not waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program in a terminal of its own.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    window: Arc<(Mutex<Window>, Condvar)>,
}

/// What has come out of the program, and what an emulator made of it.
pub(crate) struct Window {
    emulator: vt100::Parser<Asked>,
    /// Every byte, in order.
    pub(crate) raw: Vec<u8>,
    /// The program and all who had the terminal are gone.
    closed: bool,
}

/// What the program asked of the emulator beside drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) titles: Vec<String>,
    pub(crate) copies: Vec<String>,
    pub(crate) bells: usize,
    pub(crate) unknown: Vec<String>,
}

impl Pty {
    /// Starts a program; no variable of this process is handed on but those that are named.
    pub(crate) fn start(program: &Path, arguments: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(pty_size(size)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        for (name, value) in [("PATH", "/usr/bin:/bin"), ("TERM", "xterm-256color"), ("LANG", "C.UTF-8")] {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let mut child = pair.slave.spawn_command(command).unwrap();
        thread::spawn(move || child.wait());
        let emulator = vt100::Parser::new_with_callbacks(size.1, size.0, 0, Asked::default());
        let window = Arc::new((Mutex::new(Window { emulator, raw: Vec::new(), closed: false }), Condvar::new()));
        let mut output = pair.master.try_clone_reader().unwrap();
        let seen = Arc::clone(&window);
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            while let Ok(many @ 1..) = output.read(&mut bytes) {
                let mut window = seen.0.lock().unwrap();
                window.emulator.process(&bytes[..many]);
                window.raw.extend(&bytes[..many]);
                seen.1.notify_all();
            }
            seen.0.lock().unwrap().closed = true;
            seen.1.notify_all();
        });
        let keyboard = pair.master.take_writer().unwrap();
        Self { master: pair.master, keyboard, window }
    }

    /// Types; an escape is the Esc key.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
        self
    }

    /// Waits until a text stands on the screen.
    pub(crate) fn see(&mut self, text: &str) -> &mut Self {
        self.until(&format!("{text:?} on the screen"), |window| window.text().contains(text))
    }

    /// Waits until a text has gone from the screen.
    pub(crate) fn see_no(&mut self, text: &str) -> &mut Self {
        self.until(&format!("no {text:?} on the screen"), |window| !window.text().contains(text))
    }

    /// Waits until the program and all it started have left the terminal.
    pub(crate) fn ended(&mut self) -> &mut Self {
        self.until("the end of the program", |window| window.closed)
    }

    pub(crate) fn until(&mut self, what: &str, comes: impl Fn(&Window) -> bool) -> &mut Self {
        let (window, told) = &*self.window;
        let waited = told.wait_timeout_while(window.lock().unwrap(), PATIENCE, |window| !comes(window)).unwrap();
        assert!(!waited.1.timed_out(), "waited for {what}; the screen:\n{}", waited.0.text());
        drop(waited);
        self
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, size: (u16, u16)) -> &mut Self {
        self.window().emulator.screen_mut().set_size(size.1, size.0);
        self.master.resize(pty_size(size)).unwrap();
        self
    }

    pub(crate) fn window(&self) -> MutexGuard<'_, Window> {
        self.window.0.lock().unwrap()
    }
}

impl Window {
    pub(crate) fn text(&self) -> String {
        self.emulator.screen().contents()
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.emulator.screen()
    }

    pub(crate) fn asked(&self) -> &Asked {
        self.emulator.callbacks()
    }

    pub(crate) fn holds(&self, bytes: &[u8]) -> bool {
        self.raw.windows(bytes.len()).any(|part| part == bytes)
    }
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl vt100::Callbacks for Asked {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.bells += 1;
    }

    fn visual_bell(&mut self, _: &mut vt100::Screen) {
        self.bells += 1;
    }

    fn set_window_icon_name(&mut self, _: &mut vt100::Screen, name: &[u8]) {
        self.titles.push(String::from_utf8_lossy(name).into_owned());
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.titles.push(String::from_utf8_lossy(title).into_owned());
    }

    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8], data: &[u8]) {
        self.copies.push(String::from_utf8_lossy(data).into_owned());
    }

    fn unhandled_char(&mut self, _: &mut vt100::Screen, char: char) {
        self.unknown.push(format!("character {char:?}"));
    }

    fn unhandled_control(&mut self, _: &mut vt100::Screen, byte: u8) {
        self.unknown.push(format!("control {byte:#x}"));
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, words: &[&[u8]]) {
        // That the background is asked for is no secret.
        if words != [&b"11"[..], &b"?"[..]] {
            self.unknown.push(format!("OSC {words:?}"));
        }
    }
}
