//! Inputs that are nearly valid: valid ones, changed a little by chance; and that whoever reads them stands it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::dice::Dice;

/// What readers stumble over.
const STONES: [&[u8]; 72] = [
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"'",
    b";",
    b"|",
    b"=",
    b"null",
    b"true",
    b"\"\"",
    b"{}",
    b"[]",
    b"[[[[[[[[",
    b"-1",
    b"-0",
    b"0",
    b"1e400",
    b"-1e-400",
    b"1E+3",
    b"0.1",
    b"1e9223372036854775807",
    b"1e-9223372036854775808",
    b"99999999999999999999",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"253402300800",
    b"100000000000",
    b"170141183460469231731687303715884105727",
    b"\\u0000",
    b"\\ud800",
    b"\\udc00",
    b"\\n",
    b"\0",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b"\x1b[31m",
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    "\u{202e}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{85}".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{130}\u{df}".as_bytes(),
    "\u{1f469}\u{200d}\u{1f4bb}".as_bytes(),
    "\u{fdfa}".as_bytes(),
    "\u{2003}".as_bytes(),
    "\u{661}\u{662}".as_bytes(),
    b"$serde_json::private::Number",
    b"$serde_json::private::RawValue",
    b"0000-01-01",
    b"9999-12-31T23:59:60Z",
    b"-12:00",
    b"+25:61",
    b"Z",
    b"2025-02-29",
    b"PT",
    b"P1Y2M",
    b"ns",
    b".",
    b"*",
    b"<<: &a *a",
];

/// No input of these takes longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// So many inputs are waited for at once.
const AT_ONCE: usize = 64;
/// An input that has grown longer is cut.
const MOST: usize = 6_000;

/// Valid inputs, and the chance that changes them.
pub(crate) struct Mangler {
    seeds: Vec<Vec<u8>>,
    dice: Dice,
}

impl Mangler {
    pub(crate) fn new(seeds: impl IntoIterator<Item = impl AsRef<[u8]>>, seed: u64) -> Self {
        let seeds: Vec<Vec<u8>> = seeds.into_iter().map(|it| it.as_ref().to_vec()).collect();
        assert!(!seeds.is_empty());
        Self { seeds, dice: Dice::of(seed) }
    }

    /// The next input: one of the valid ones with one to four changes; the first ones are the valid ones themselves.
    pub(crate) fn input(&mut self, number: usize) -> Vec<u8> {
        if let Some(seed) = self.seeds.get(number) {
            return seed.clone();
        }
        let at = self.dice.below(self.seeds.len());
        let mut bytes = self.seeds[at].clone();
        for _ in 0..=self.dice.below(4) {
            self.change(&mut bytes);
        }
        bytes.truncate(MOST);
        bytes
    }

    fn place(&mut self, bytes: &[u8]) -> usize {
        self.dice.below(bytes.len() + 1)
    }

    /// Two places, the first not behind the other, and near to it more often than not.
    fn span(&mut self, bytes: &[u8]) -> (usize, usize) {
        let from = self.place(bytes);
        let most = if self.dice.below(4) == 0 { bytes.len() } else { 12 };
        (from, (from + self.dice.below(most + 1)).min(bytes.len()))
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let (from, to) = self.span(bytes);
        match self.dice.below(9) {
            0 if from < bytes.len() => bytes[from] ^= 1 << self.dice.below(8),
            1 if from < bytes.len() => bytes[from] = self.dice.number().to_be_bytes()[0],
            2 => drop(bytes.drain(from..to)),
            3 => {
                let again = bytes[from..to].to_vec();
                bytes.splice(from..from, again);
            }
            4 => bytes.truncate(from),
            5 => {
                // What another valid input has, in the place of what this one has.
                let other = self.dice.below(self.seeds.len());
                let other = self.seeds[other].clone();
                let (begin, end) = self.span(&other);
                bytes.splice(from..to, other[begin..end].iter().copied());
            }
            6 => self.renumber(bytes, from),
            _ => {
                let stone = *self.dice.one_of(&STONES);
                let to = if self.dice.below(2) == 0 { from } else { to };
                bytes.splice(from..to, stone.iter().copied());
            }
        }
    }

    /// Another number in the place of the first one after here.
    fn renumber(&mut self, bytes: &mut Vec<u8>, from: usize) {
        let Some(begin) = bytes[from..].iter().position(u8::is_ascii_digit) else { return };
        let begin = from + begin;
        let digits = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let shift = self.dice.below(64);
        let number = (self.dice.number() >> shift).to_string();
        bytes.splice(begin..begin + digits, number.bytes());
    }
}

/// Gives a reader so many inputs in their turn. It fails with the input at which the reader panics, at which what must hold
/// does not, or with which it does not come to an end.
pub(crate) fn stands(mut mangler: Mangler, rounds: usize, reads: impl Fn(&[u8]) + Send + 'static) {
    let current = Arc::new(Mutex::new(Vec::new()));
    let held = Arc::clone(&current);
    let (tell, told) = mpsc::channel();
    let worker = thread::spawn(move || {
        for number in 0..rounds {
            let input = mangler.input(number);
            held.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&input);
            reads(&input);
            if number % AT_ONCE == 0 {
                tell.send(number).unwrap();
            }
        }
    });
    let shown = || current.lock().unwrap_or_else(PoisonError::into_inner).escape_ascii().to_string();
    let mut last = 0;
    let slow = loop {
        match told.recv_timeout(PATIENCE) {
            Ok(number) => last = number,
            Err(RecvTimeoutError::Timeout) => break true,
            Err(RecvTimeoutError::Disconnected) => break false,
        }
    };
    assert!(!slow, "no end of reading, after {last} others: {}", shown());
    assert!(worker.join().is_ok(), "after {last} others: {}", shown());
    assert!(last + AT_ONCE >= rounds, "only {last} of {rounds} were read");
}
