//! A reviewer's seat without a terminal: press keys, see the screen, look at what was written.

use gainsay::app::geometry::Size;
use gainsay::app::keymap::Keymap;
use gainsay::app::port::Unwatched;
use gainsay::app::{Code, Effect, Key, Look, Model, Msg, Port, Setup, update};
use gainsay::core::record::Record;
use gainsay::core::time::Instant;
use gainsay::runtime::perform;
use gainsay::tui;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::fake::Fake;
use crate::told::{Told, at, says};

pub(crate) struct Seat<P = Fake> {
    pub(crate) model: Model,
    pub(crate) store: P,
    pub(crate) now: Instant,
    /// Effects that are for the screen, in their order.
    pub(crate) asked: Vec<Effect>,
}

impl<P: Port> Seat<P> {
    pub(crate) fn new(store: P) -> Self {
        Self::of_size(store, 120, 40, Look::Colour)
    }

    pub(crate) fn of_size(store: P, width: u16, height: u16, look: Look) -> Self {
        let setup = Setup {
            store: "prod.db".to_owned(),
            actor: "dana".to_owned(),
            look,
            read_only: false,
            keymap: Keymap::default(),
            ..Setup::default()
        };
        Self::set_up(store, width, height, setup)
    }

    pub(crate) fn set_up(store: P, width: u16, height: u16, setup: Setup) -> Self {
        let now = at("2025-12-01T09:14:02Z");
        let (model, first) = Model::start(setup, Size { width, height }, now);
        let mut desk = Self { model, store, now, asked: Vec::new() };
        desk.perform(first);
        desk.seen();
        desk
    }

    /// Carries effects out, and what follows from them, until nothing does.
    pub(crate) fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = std::collections::VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            match perform(&mut self.store, effect.clone(), self.now, &Unwatched) {
                Some(msg) => waiting.extend(update(&mut self.model, msg)),
                None => self.asked.push(effect),
            }
        }
    }

    pub(crate) fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.model, msg);
        self.perform(effects);
    }

    /// The screen is drawn, and the reviewer looks at it for a second.
    pub(crate) fn seen(&mut self) {
        self.send(Msg::Drawn(self.now));
        self.now = self.now.plus(chrono::Duration::seconds(1));
    }

    /// Presses keys with a look at the screen after each: `j`, `Enter`, `Ctrl-d`, `+`.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.key(named(key));
            self.seen();
        }
        self
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.send(Msg::Key(key, self.now));
    }

    /// Types a text, letter by letter.
    pub(crate) fn write(&mut self, text: &str) -> &mut Self {
        for char in text.chars() {
            self.key(Key::char(char));
            self.seen();
        }
        self
    }

    /// The screen as text.
    pub(crate) fn screen(&self) -> String {
        self.backend().to_string()
    }

    pub(crate) fn backend(&self) -> TestBackend {
        let Size { width, height } = self.model.size;
        let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
        let Ok(_drawn) = terminal.draw(|frame| tui::view(&self.model, frame));
        terminal.backend().clone()
    }

    pub(crate) fn said(&self) -> &str {
        self.model.said.as_ref().map_or("", |said| said.text.as_str())
    }

    /// The number of the pair that is selected.
    pub(crate) fn selected(&self) -> i64 {
        self.model.triage.queue.current().map_or(0, |entry| entry.pair.0)
    }

    pub(crate) fn has_quit(&self) -> bool {
        self.asked.contains(&Effect::Quit)
    }
}

pub(crate) fn named(name: &str) -> Key {
    let code = match name {
        "Enter" => Code::Enter,
        "Esc" => Code::Esc,
        "Tab" => Code::Tab,
        "BackTab" => Code::BackTab,
        "Backspace" => Code::Backspace,
        "Delete" => Code::Delete,
        "Up" => Code::Up,
        "Down" => Code::Down,
        "Left" => Code::Left,
        "Right" => Code::Right,
        "Home" => Code::Home,
        "End" => Code::End,
        "PgUp" => Code::PageUp,
        "PgDn" => Code::PageDown,
        "Space" => Code::Char(' '),
        _ => match name.strip_prefix("Ctrl-") {
            Some(letter) => return Key::ctrl(letter.chars().next().expect("a letter")),
            None => Code::Char(name.chars().next().expect("a key")),
        },
    };
    Key::new(code)
}

/// Berlin, from an import that came two and a half years late, against Lisbon, in the user's own words.
pub(crate) fn berlin_lisbon(user: &str) -> (Record, Record) {
    let berlin = says("mem_4a1f", user, "home_city", "Berlin")
        .by("crm_import")
        .field("record", "0031x9")
        .observed("2023-03-02")
        .written("2025-11-02T04:12:00Z")
        .epoch(4)
        .sure(0.6)
        .because("Salesforce contact field MailingCity")
        .batch("sf_backfill_2025_11");
    let lisbon = says("mem_c93e", user, "home_city", "Lisbon")
        .by("user_utterance")
        .field("turn_id", "t_77120")
        .observed("2025-10-14T09:31:00Z")
        .epoch(7)
        .sure(0.91)
        .because("I moved to Lisbon last month, so update my shipping address.");
    (berlin, lisbon)
}

/// Two statements in one epoch, at one time: a reviewer may accept either.
pub(crate) fn tie(user: &str) -> (Record, Record) {
    let says = |id, value| {
        says(id, user, "employer", value)
            .by("user_utterance")
            .observed("2025-10-14")
            .epoch(7)
            .because("I work at Acme now.")
    };
    (says("mem_e1", "Acme s.r.o."), says("mem_e2", "Acme GmbH"))
}

/// The later record is the less authoritative: it may win only by an override.
pub(crate) fn override_needed(user: &str) -> (Record, Record) {
    let probe =
        says("mem_o1", user, "retry_timeout", "30s").by("config_probe").observed("2025-10-01T10:00:00Z").epoch(7);
    let guess = says("mem_o2", user, "retry_timeout", "45s")
        .by("agent_inference")
        .observed("2025-10-02T10:00:00Z")
        .epoch(7);
    (probe, guess)
}

/// Nothing is known of where one of the two comes from.
pub(crate) fn unanchored(user: &str) -> (Record, Record) {
    let (_, lisbon) = berlin_lisbon(user);
    (says("mem_x1", user, "home_city", "Porto").because("seen in an old profile"), lisbon)
}

/// Nobody has said whether one may have several.
pub(crate) fn undeclared(user: &str) -> (Record, Record) {
    let (shoe, other) = (says("mem_s1", user, "shoe_size", 42), says("mem_s2", user, "shoe_size", 43));
    (
        shoe.by("user_utterance").observed("2025-01").epoch(7).because("size 42, please"),
        other.by("user_utterance").observed("2025-06").epoch(7).because("make that 43"),
    )
}

/// Names that look alike and are not confirmed to be one.
pub(crate) fn two_names(user: &str) -> (Record, Record) {
    let (mut left, right) = tie(user);
    left.subject = gainsay::core::record::Subject::from("acct_7");
    (left, right)
}

/// A queue with something of everything.
pub(crate) fn mixed() -> Fake {
    let mut pairs = vec![berlin_lisbon("user_31882")];
    for number in 0..6 {
        let user = |base: usize| format!("user_{}", base + number);
        pairs.push(tie(&user(31900)));
        pairs.push(berlin_lisbon(&user(32010)));
        pairs.push(unanchored(&user(32100)));
        pairs.push(undeclared(&user(32200)));
        pairs.push(two_names(&user(32300)));
        pairs.push(override_needed(&format!("svc/pay-{number}")));
    }
    Fake::new(pairs)
}
