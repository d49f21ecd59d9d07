//! Runs observers: the one place of the program that starts another. What is run is only what the user's own
//! configuration names: an argument vector without a shell, with a limit on time and on output, in a clean environment
//! and a process group of its own, which is killed as a whole.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::core::observer::{CannotAsk, Observer};
use crate::core::record::{Attribute, Subject};

/// The most bytes that an observer may print.
pub const MOST_OUTPUT: usize = 64 * 1024;
/// How much of what it complains is kept.
const MOST_COMPLAINT: usize = 2 * 1024;
/// Given to every observer, besides what it names.
const ENVIRONMENT: [&str; 3] = ["PATH", "HOME", "LANG"];
/// How often it is looked at whether it has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// Why nothing was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unseen {
    #[error(transparent)]
    CannotAsk(#[from] CannotAsk),
    #[error("`{program}` cannot be run: {why}")]
    CannotRun { program: String, why: String },
    #[error("it took longer than {}: it was stopped, with everything it had started", seconds(*.0))]
    TimedOut(Duration),
    #[error("it printed more than {MOST_OUTPUT} bytes: it was stopped")]
    Flooded,
    /// How it ended, and the beginning of what it wrote to its standard error.
    #[error("it failed ({how}){}", if .complaint.is_empty() { String::new() } else { format!(": {complaint}") })]
    Failed { how: String, complaint: String },
    #[error("cancelled")]
    Cancelled,
}

/// Runs an observer for a slot, and gives what it printed. `wanted` is asked again and again whether it still is.
pub fn look(
    observer: &Observer,
    subject: &Subject,
    attribute: &Attribute,
    variable: &dyn Fn(&str) -> Option<String>,
    wanted: &dyn Fn() -> bool,
) -> Result<Vec<u8>, Unseen> {
    let arguments = observer.arguments(subject, attribute)?;
    let mut running = Running::start(&arguments, observer, variable)?;
    let deadline = Instant::now() + observer.timeout;
    while !running.has_ended()? {
        match () {
            () if !wanted() => return Err(Unseen::Cancelled),
            () if Instant::now() >= deadline => return Err(Unseen::TimedOut(observer.timeout)),
            () => thread::sleep(GLANCE),
        }
    }
    let ended = running.stop()?;
    let output = running.output.whole(deadline).map_err(|_| Unseen::TimedOut(observer.timeout))?;
    if output.len() > MOST_OUTPUT {
        return Err(Unseen::Flooded);
    }
    if ended.success() {
        return Ok(output);
    }
    let complaint = running.complaint.whole(deadline).unwrap_or_default();
    let complaint = String::from_utf8_lossy(&complaint).trim().to_owned();
    Err(Unseen::Failed { how: ended.to_string(), complaint })
}

/// An observer that runs. When this is dropped, its whole process group is gone.
struct Running {
    child: Child,
    stopped: bool,
    output: Pipe,
    complaint: Pipe,
}

impl Running {
    fn start(
        arguments: &[String],
        observer: &Observer,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, Unseen> {
        let (program, rest) =
            arguments.split_first().map_or(("", arguments), |(first, rest)| (first.as_str(), rest));
        let cannot = |why: String| Unseen::CannotRun { program: program.to_owned(), why };
        let names = ENVIRONMENT.into_iter().chain(observer.environment.iter().map(String::as_str));
        let mut child = Command::new(program)
            .args(rest)
            .env_clear()
            .envs(names.filter_map(|name| Some((name, variable(name)?))))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| cannot(error.to_string()))?;
        let no_pipe = || cannot("its output cannot be read".to_owned());
        let (output, complaint) = (child.stdout.take(), child.stderr.take());
        let running = Self {
            output: Pipe::read(output.ok_or_else(no_pipe)?, MOST_OUTPUT),
            complaint: Pipe::read(complaint.ok_or_else(no_pipe)?, MOST_COMPLAINT),
            child,
            stopped: false,
        };
        Ok(running)
    }

    /// Whether it has ended; it is left unreaped, so that its group's number stays its own. One that has printed too
    /// much is not waited for.
    fn has_ended(&mut self) -> Result<bool, Unseen> {
        if self.output.peek().is_some_and(|output| output.len() > MOST_OUTPUT) {
            return Err(Unseen::Flooded);
        }
        let glance = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(self.group()), glance).map_err(|error| failed(&error))?;
        Ok(ended.is_some())
    }

    /// Ends all of it, and says how the observer itself had ended. What it left running in its group holds its output
    /// open: nothing of it outlives the look.
    fn stop(&mut self) -> Result<ExitStatus, Unseen> {
        if !std::mem::replace(&mut self.stopped, true) {
            // Nothing left to kill is what was wanted.
            let _gone = kill_process_group(self.group(), Signal::KILL);
        }
        self.child.wait().map_err(|error| failed(&error))
    }

    /// The group of which it is the first member.
    fn group(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.stop();
    }
}

fn failed(error: &dyn std::fmt::Display) -> Unseen {
    Unseen::Failed { how: error.to_string(), complaint: String::new() }
}

/// What comes out of a pipe, read on a thread of its own: one that is never closed keeps nobody waiting.
struct Pipe {
    comes: Receiver<Vec<u8>>,
    came: Option<Vec<u8>>,
}

impl Pipe {
    /// Reads up to `most` bytes, and one more to tell that there was more.
    fn read(pipe: impl Read + Send + 'static, most: usize) -> Self {
        let (sender, comes) = channel();
        thread::spawn(move || {
            let mut read = Vec::new();
            let _what_came = pipe.take(most as u64 + 1).read_to_end(&mut read);
            let _left = sender.send(read);
        });
        Self { comes, came: None }
    }

    fn peek(&mut self) -> Option<&Vec<u8>> {
        if self.came.is_none() {
            self.came = match self.comes.try_recv() {
                Ok(came) => Some(came),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => Some(Vec::new()),
            };
        }
        self.came.as_ref()
    }

    /// All of it, once the pipe is closed; an error where it is not closed in time.
    fn whole(&mut self, deadline: Instant) -> Result<Vec<u8>, ()> {
        if let Some(came) = self.came.take() {
            return Ok(came);
        }
        // Something may have left the group and hold the pipe: it gets a moment, even at the very end of the time.
        let patience = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(100));
        self.comes.recv_timeout(patience).map_err(|_| ())
    }
}

fn seconds(length: Duration) -> String {
    format!("{} s", length.as_secs_f64())
}
