//! The terminal screen on a queue of a million pairs, beside the least program that shows one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gainsay::app::geometry::Size;
use gainsay::app::port::Unwatched;
use gainsay::app::{Key, Model, Msg, Setup, update};
use gainsay::runtime::{Desk, perform};
use gainsay::store::Store;
use gainsay::tui;
use ratatui::Frame;
use ratatui::backend::TestBackend;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::Style;
use ratatui::widgets::{Block, List, ListState, Paragraph, Wrap};
use tempfile::TempDir;

use crate::clock::{Times, median, now, records, rounds};
use crate::filled::fill;
use crate::table::{Bar, Table};
use crate::terminal::{Heard, Terminal};

/// The subject of the first pair.
const FIRST: &str = "user_31";

/// Starts ours, or the bare program.
fn start(ours: bool, store: &Path, home: &Path) -> (Terminal, Duration) {
    let store = store.to_str().unwrap();
    let (program, arguments) = if ours {
        (PathBuf::from(env!("CARGO_BIN_EXE_gainsay")), vec!["--store", store])
    } else {
        (std::env::current_exe().unwrap(), vec!["child", "screen", store])
    };
    let mut terminal = Terminal::start(&program, &arguments, home);
    let took = terminal.until(FIRST);
    terminal.settle();
    (terminal, took)
}

pub(crate) fn measure(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let pairs = i64::try_from(records()).unwrap();
    let [large, small] = [("large.db", pairs), ("small.db", 1_000)].map(|(name, pairs)| {
        let path = folder.path().join(name);
        fill(&path, pairs, now());
        path
    });
    first_screens(table, (&large, &small), folder.path());
    keys(table, &large, folder.path());
    frames(table, &large);
}

fn first_screens(table: &mut Table, (large, small): (&Path, &Path), home: &Path) {
    let mut taken: [Vec<f64>; 3] = Default::default();
    for _ in 0..7 * rounds() {
        for (times, (ours, store)) in taken.iter_mut().zip([(true, large), (true, small), (false, large)]) {
            let (terminal, took) = start(ours, store, home);
            terminal.quit();
            times.push(took.as_secs_f64() * 1e3);
        }
    }
    let [many, few, bare] = taken.map(median);
    let measured = format!("{many:.1} ms; on 1000 pairs {few:.1} ms");
    table.row("3. first usable screen, against that of 1000 pairs", measured, many / few, &Bar::at_most(1.2));
    let measured = format!("{many:.1} ms; bare program {bare:.1} ms");
    table.row("3. first usable screen, against the bare program's", measured, many / bare, &Bar::at_most(5.0));
}

fn keys(table: &mut Table, store: &Path, home: &Path) {
    let press = |terminal: &mut Terminal| -> Vec<Heard> {
        (0..150).map(|time| terminal.press(if time % 3 == 2 { "k" } else { "j" })).collect()
    };
    let (mut bare, _) = start(false, store, home);
    let bare_heard = press(&mut bare);
    bare.quit();
    let (mut ours, _) = start(true, store, home);
    let heard = press(&mut ours);
    let (idle, _) = ours.settle();
    let peak = ours.peak();
    ours.quit();
    let times =
        |heard: &[Heard], which: fn(&Heard) -> Duration| Times::from(heard.iter().map(which).collect::<Vec<_>>());
    let (first, last) = (times(&heard, |it| it.first), times(&heard, |it| it.last));
    let yardstick = times(&bare_heard, |it| it.first);
    let measured = format!(
        "p50 {:.2}, p99 {:.2} ms (all of it: p99 {:.2} ms); bare program p50 {:.2}, p99 {:.2} ms",
        first.ms(50),
        first.ms(99),
        last.ms(99),
        yardstick.ms(50),
        yardstick.ms(99)
    );
    table.row("4. key to screen, 120×40, p99", measured, first.ms(99) / yardstick.ms(99), &Bar::at_most(3.0));
    let mut bytes: Vec<usize> = heard.iter().map(|it| it.bytes).collect();
    bytes.sort_unstable();
    let measured = format!("median {} bytes, most {}", bytes[bytes.len() / 2], bytes[bytes.len() - 1]);
    let kilobytes = bytes[bytes.len() / 2] as f64 / 1e3;
    table.row("4. bytes sent when the selection moves", measured, kilobytes, &Bar::under(3.0, "KB"));
    table.row("4. bytes sent when nothing changes", "", idle as f64, &Bar::under(0.0, "B"));
    table.row("3. memory of the screen", "after 150 keys", peak, &Bar::under(32.0, "MiB"));
}

/// Carries out what a message asks for, and what follows from that.
fn send(model: &mut Model, desk: &mut Desk, first: Vec<gainsay::app::Effect>) {
    let mut waiting = first;
    while let Some(effect) = waiting.pop() {
        if let Some(msg) = perform(desk, effect, now(), &Unwatched) {
            waiting.extend(update(model, msg));
        }
    }
}

fn frames(table: &mut Table, store: &Path) {
    let mut desk = Desk::new(Store::open(store, now()).unwrap(), "measures".to_owned()).unwrap();
    let (mut model, first) = Model::start(Setup::default(), Size { width: 120, height: 40 }, now());
    send(&mut model, &mut desk, first);
    let mut ours = Vec::new();
    let mut terminal = ratatui::Terminal::new(TestBackend::new(120, 40)).unwrap();
    let mut bare_terminal = ratatui::Terminal::new(TestBackend::new(120, 40)).unwrap();
    let mut yardstick = Vec::new();
    for time in 0..600 {
        let effects = update(&mut model, Msg::Key(Key::char(if time % 40 < 20 { 'j' } else { 'k' }), now()));
        send(&mut model, &mut desk, effects);
        ours.push(crate::clock::timed(|| assert!(terminal.draw(|frame| tui::view(&model, frame)).is_ok())));
        yardstick.push(crate::clock::timed(|| assert!(bare_terminal.draw(|frame| plain(frame, time)).is_ok())));
    }
    let (ours, yardstick) = (Times::from(ours), Times::from(yardstick));
    let measured = format!("p50 {:.3} ms; yardstick {:.3} ms", ours.ms(50), yardstick.ms(50));
    table.row("4. drawing a frame, 120×40", measured, ours.ms(50) / yardstick.ms(50), &Bar::at_most(2.0));
}

/// One list of the visible rows, and two bordered, wrapped paragraphs that fill the same screen.
fn plain(frame: &mut Frame<'_>, time: usize) {
    let [left, right] = Layout::horizontal([Constraint::Percentage(40), Constraint::Fill(1)]).areas(frame.area());
    let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(right);
    let rows = (0..left.height)
        .map(|row| format!("user_{} attribute_{}  city {}  cross_epoch", row * 31, row % 23, row * 17));
    let mut selected = ListState::default().with_selected(Some(time % usize::from(left.height)));
    frame.render_stateful_widget(List::new(rows).highlight_style(Style::new().reversed()), left, &mut selected);
    for area in [above, below] {
        let text = format!("They said at {time} that they live in city {} now, and that it is fine. ", time * 13)
            .repeat(18);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }).block(Block::bordered()), area);
    }
}
