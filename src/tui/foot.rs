//! The last lines: what the last key did, with its ruling and how to undo it; then the keys of this screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::style::Theme;
use super::text::{fit, width};
use crate::app::Model;
use crate::app::keymap::{Command, Looking, Marking, Menu, Narrowing, binding};
use crate::app::model::Tone;
use crate::core::text::reveal;

/// What the last key did, or why it did nothing.
pub(super) fn said(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let cells = usize::from(area.width);
    let line = match (&model.said, &model.pending) {
        (_, Some(_)) => Line::styled(" writing …", theme.dim),
        (Some(said), None) => {
            let undo = if said.tone == Tone::Done && !said.text.starts_with("copied") {
                undo(&said.text, theme)
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

fn undo(text: &str, theme: &Theme) -> Vec<Span<'static>> {
    let (key, does) = if text.starts_with("undone") { ("U", " brings it back") } else { ("u", " undoes it") };
    vec![Span::raw("   "), Span::styled(key, theme.key), Span::styled(does, theme.dim)]
}

/// The keys of this screen, the most needed first, as many as there is room for; the help is always among them.
const SHOWN: [(Command, &str); 16] = [
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

/// Draws as many keys as fit.
pub(super) fn keys(_model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (command, word) in SHOWN {
        let Some(key) = binding(command).and_then(|binding| binding.keys.first()) else { continue };
        let item = [Span::styled(format!(" {key}"), theme.key), Span::styled(format!(" {word} "), theme.dim)];
        if width(&spans) + width(&item) <= usize::from(area.width) {
            spans.extend(item);
        }
    }
    frame.render_widget(Line::from(spans), area);
}
