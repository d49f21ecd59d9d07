//! The least that shows a queue: a list of one keyset page and a status line, and the keys j, k and q.

use std::io::{BufWriter, Read, stdin, stdout};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::Stylize;
use ratatui::widgets::{List, ListState, Paragraph};
use rusqlite::Connection;

/// One page of the queue, as lines.
fn page(store: &str) -> Vec<String> {
    let connection = Connection::open(store).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT p.subject || ' ' || p.attribute || ' ' || l.value || ' ' || r.value FROM pairs p
             JOIN records l ON l.record = p.left_record JOIN records r ON r.record = p.right_record
             WHERE p.state = 'open' AND p.pair > 0 ORDER BY p.pair LIMIT 100",
        )
        .unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

pub(crate) fn screen(store: &str) {
    crossterm::terminal::enable_raw_mode().unwrap();
    let mut terminal = Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, stdout()))).unwrap();
    let lines = page(store);
    let mut selected = ListState::default().with_selected(Some(0));
    loop {
        terminal
            .draw(|frame| {
                let [list, foot] =
                    Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(frame.area());
                let shown = List::new(lines.iter().map(String::as_str))
                    .highlight_style(ratatui::style::Style::new().reversed());
                frame.render_stateful_widget(shown, list, &mut selected);
                frame.render_widget(Paragraph::new(format!("row {:?}", selected.selected())).bold(), foot);
            })
            .unwrap();
        let mut key = [0];
        if stdin().read(&mut key).unwrap() == 0 || key[0] == b'q' {
            break;
        }
        if key[0] == b'j' {
            selected.select_next();
        } else {
            selected.select_previous();
        }
    }
    crossterm::terminal::disable_raw_mode().unwrap();
}
