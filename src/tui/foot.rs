//! The last lines: what the last key did, with its ruling and how to undo it; then the keys of this screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::style::Theme;
use super::text::{fit, thousands, width};
use crate::app::Model;
use crate::app::keymap::{Command, Looking, Marking, Menu, Narrowing, Screen};
use crate::app::model::Tone;
use crate::core::text::reveal;

/// What the last key did, or why it did nothing.
pub(super) fn said(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let cells = usize::from(area.width);
    let line = match (&model.said, &model.pending) {
        _ if model.working.is_some() => working(model, theme, cells),
        (_, Some(_)) => Line::styled(" writing …", theme.dim),
        (Some(said), None) => {
            let undo = if said.tone == Tone::Done && !said.text.starts_with("copied") {
                undo(model, &said.text, theme)
            } else {
                Vec::new()
            };
            let text = fit(&format!(" {}", reveal(&said.text)), cells.saturating_sub(width(&undo)));
            Line::from([vec![Span::styled(text, theme.tone(said.tone))], undo].concat())
        }
        (None, None) => Line::default(),
    };
    frame.render_widget(line, area);
}

/// Long work: what it is, how far it is, and that it can be cancelled. Before it says how far, it is not worth a word.
fn working(model: &Model, theme: &Theme, cells: usize) -> Line<'static> {
    const BAR: u64 = 24;
    let Some(working) = &model.working else { return Line::default() };
    let Some((done, of)) = working.progress else {
        return Line::styled(fit(&format!(" {} …", working.what), cells), theme.dim);
    };
    let full = usize::try_from(done.min(of) * BAR / of.max(1)).unwrap_or_default();
    let (full, rest) = ("█".repeat(full), "░".repeat(BAR as usize - full));
    Line::from(vec![
        Span::styled(format!(" {} ", working.what), theme.text),
        Span::styled(format!("{full}{rest}"), theme.good),
        Span::styled(format!(" {} of {}", thousands(done), thousands(of)), theme.strong),
        Span::styled("   Esc", theme.key),
        Span::styled(" cancels", theme.dim),
    ])
}

fn undo(model: &Model, text: &str, theme: &Theme) -> Vec<Span<'static>> {
    let (command, does) =
        if text.starts_with("undone") { (Command::Redo, " brings it back") } else { (Command::Undo, " undoes it") };
    let key = model.key(command);
    vec![Span::raw("   "), Span::styled(key, theme.key), Span::styled(does, theme.dim)]
}

/// The keys of each screen, the most needed first, as many as there is room for; the help is always among them.
const fn keys_of(screen: Screen) -> &'static [(Command, &'static str)] {
    match screen {
        Screen::Triage => TRIAGE,
        Screen::History => HISTORY,
        Screen::Batches => BATCHES,
        Screen::Log => LOG,
        Screen::Policy => POLICY,
    }
}

const TRIAGE: &[(Command, &str)] = &[
    (Command::Help, "keys"),
    (Command::Down, "next"),
    (Command::Up, "back"),
    (Command::Undo, "undo"),
    (Command::Quit, "quit"),
    (Command::Skip, "skip"),
    (Command::OpenMenu(Menu::Defer), "defer"),
    (Command::Look(Looking::Full), "whole"),
    (Command::Mark(Marking::One), "mark"),
    (Command::Look(Looking::FocusNext), "focus"),
    (Command::Note, "note"),
    (Command::Narrow(Narrowing::Find), "find"),
    (Command::Narrow(Narrowing::Facets), "facets"),
    (Command::Palette, "all"),
    (Command::OpenMenu(Menu::Copy), "copy"),
    (Command::Look(Looking::EvidenceDown), "evidence"),
];

const HISTORY: &[(Command, &str)] =
    &[(Command::Help, "keys"), (Command::Back, "back"), (Command::Dispute, "dispute")];

const BATCHES: &[(Command, &str)] =
    &[(Command::Help, "keys"), (Command::Back, "back"), (Command::WithdrawBatch, "withdraw")];

const LOG: &[(Command, &str)] = &[(Command::Help, "keys"), (Command::Back, "back"), (Command::Dispute, "dispute")];

const POLICY: &[(Command, &str)] =
    &[(Command::Help, "keys"), (Command::Back, "back"), (Command::Declare, "declare")];

/// Draws as many keys as fit.
pub(super) fn keys(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for &(command, word) in keys_of(model.screen) {
        let Some(key) = model.setup.keymap.keys(command).first() else { continue };
        let item = [Span::styled(format!(" {key}"), theme.key), Span::styled(format!(" {word} "), theme.dim)];
        if width(&spans) + width(&item) <= usize::from(area.width) {
            spans.extend(item);
        }
    }
    frame.render_widget(Line::from(spans), area);
}
