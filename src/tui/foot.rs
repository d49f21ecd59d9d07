//! The last lines: what the last key did, with its ruling and how to undo it; then the keys of this screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::style::Theme;
use super::text::{fit, thousands, width};
use crate::app::Model;
use crate::app::keymap::{
    Command, Common, Deciding, Logging, Looking, Marking, Menu, Moving, Narrowing, Planing, Screen,
};
use crate::app::model::Tone;
use crate::core::examine::Side;
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
    let (command, does) = if text.starts_with("undone") {
        (Command::Common(Common::Redo), " brings it back")
    } else {
        (Command::Common(Common::Undo), " undoes it")
    };
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
    (Command::Common(Common::Help), "keys"),
    (Command::Move(Moving::Down), ""),
    (Command::Move(Moving::Up), "move"),
    (Command::Common(Common::Undo), "undo"),
    (Command::Common(Common::Quit), "quit"),
    (Command::Look(Looking::Full), "whole"),
    (Command::Narrow(Narrowing::Find), "find"),
    (Command::Narrow(Narrowing::Facets), "facets"),
    (Command::Common(Common::Palette), "all"),
    (Command::Skip, "skip"),
    (Command::Mark(Marking::One), "mark"),
    (Command::Decide(Deciding::Note), "note"),
    (Command::Look(Looking::FocusNext), "focus"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
    (Command::Look(Looking::EvidenceDown), "evidence"),
];

/// The pair on the whole screen.
const WHOLE: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Move(Moving::Down), ""),
    (Command::Move(Moving::Up), "scroll"),
    (Command::Common(Common::Back), "back"),
    (Command::Move(Moving::Next), "next pair"),
    (Command::Move(Moving::Previous), "the one before"),
    (Command::Look(Looking::Wrap), "wrap"),
    (Command::Edit, "editor"),
    (Command::OpenHistory, "history"),
    (Command::OpenBatch, "batch"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
    (Command::Common(Common::Undo), "undo"),
];

/// With marks, what may be done with all of them.
const MARKED: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Common(Common::Back), "unmark"),
    (Command::Decide(Deciding::Accept(Side::Left)), "A for all"),
    (Command::Decide(Deciding::Accept(Side::Right)), "B for all"),
    (Command::Common(Common::OpenMenu(Menu::Link)), "link all"),
    (Command::Common(Common::OpenMenu(Menu::Defer)), "defer all"),
    (Command::Common(Common::OpenMenu(Menu::LookAgain)), "look again"),
    (Command::Common(Common::OpenMenu(Menu::Withdraw)), "withdraw"),
    (Command::Mark(Marking::One), "mark"),
    (Command::Mark(Marking::Range), "range"),
    (Command::Mark(Marking::All), "all"),
    (Command::Decide(Deciding::Note), "note"),
    (Command::Common(Common::Undo), "undo"),
    (Command::Common(Common::Quit), "quit"),
];

const HISTORY: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Common(Common::Back), "back"),
    (Command::Look(Looking::ScrollLeft), ""),
    (Command::Look(Looking::ScrollRight), "about"),
    (Command::Plane(Planing::Earlier), ""),
    (Command::Plane(Planing::Later), "believed"),
    (Command::Plane(Planing::Here), "here"),
    (Command::Plane(Planing::Now), "now"),
    (Command::Dispute, "dispute"),
    (Command::OpenPair, "pair"),
    (Command::Look(Looking::Full), "whole"),
    (Command::OpenBatch, "batch"),
    (Command::Plane(Planing::Nearer), "nearer"),
    (Command::Plane(Planing::Farther), "farther"),
    (Command::Look(Looking::FocusNext), "plane"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
];

const BATCHES: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Look(Looking::Full), "look into"),
    (Command::Common(Common::Back), "back"),
    (Command::Decide(Deciding::WithdrawBatch), "withdraw"),
    (Command::Common(Common::Undo), "undo"),
    (Command::Narrow(Narrowing::Find), "find"),
    (Command::Narrow(Narrowing::Sort), "order"),
    (Command::OpenPairs, "its pairs"),
    (Command::OpenPair, "the pair"),
    (Command::OpenHistory, "history"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
    (Command::Common(Common::Palette), "all"),
    (Command::Common(Common::Quit), "back, quit"),
];

const POLICY: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Move(Moving::Down), "next"),
    (Command::Decide(Deciding::Declare), "declare"),
    (Command::Look(Looking::Full), "whole"),
    (Command::OpenPairs, "its pairs"),
    (Command::Common(Common::Back), "back"),
    (Command::Common(Common::Undo), "undo"),
    (Command::Narrow(Narrowing::Find), "find"),
    (Command::Narrow(Narrowing::Sort), "order"),
    (Command::Look(Looking::FocusNext), "focus"),
];

const LOG: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Move(Moving::Down), "older"),
    (Command::Move(Moving::Up), "newer"),
    (Command::Common(Common::Back), "back"),
    (Command::Look(Looking::Full), "whole"),
    (Command::Narrow(Narrowing::Find), "find"),
    (Command::Narrow(Narrowing::Facets), "facets"),
    (Command::Log(Logging::Sample), "audit"),
    (Command::Log(Logging::Verify), "verify"),
    (Command::OpenHistory, "history"),
    (Command::OpenBatch, "batch"),
    (Command::Dispute, "dispute"),
    (Command::Look(Looking::EvidenceDown), "scroll"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
    (Command::Common(Common::Palette), "all"),
];

/// The selected event on the whole screen.
const EVENT: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Move(Moving::Down), "down"),
    (Command::Move(Moving::Up), "up"),
    (Command::Common(Common::Back), "back"),
    (Command::Move(Moving::Next), "next event"),
    (Command::Move(Moving::Previous), "the one before"),
    (Command::Look(Looking::Full), "its pair"),
    (Command::OpenHistory, "history"),
    (Command::OpenBatch, "batch"),
    (Command::Dispute, "dispute"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
];

/// While a sample is audited.
const AUDIT: &[(Command, &str)] = &[
    (Command::Common(Common::Help), "keys"),
    (Command::Log(Logging::Agree), "agree"),
    (Command::Log(Logging::Disagree), "disagree"),
    (Command::Move(Moving::Down), "next"),
    (Command::Move(Moving::Up), "back"),
    (Command::Common(Common::Back), "leave"),
    (Command::Look(Looking::Blind), "blind"),
    (Command::Look(Looking::Full), "whole"),
    (Command::Look(Looking::EvidenceDown), "scroll"),
    (Command::OpenHistory, "history"),
    (Command::Common(Common::OpenMenu(Menu::Copy)), "copy"),
];

/// Draws as many keys as fit.
pub(super) fn keys(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let marked = !model.triage.queue.marks.is_empty();
    let listed = match model.screen {
        // A dialog says itself what its keys are; those of the screen do not work under it.
        _ if !model.dialogs.is_empty() => &[],
        Screen::Triage if marked => MARKED,
        Screen::Triage if model.triage.full => WHOLE,
        Screen::Log if model.log.auditing.is_some() => AUDIT,
        Screen::Log if model.log.full => EVENT,
        Screen::Triage | Screen::History | Screen::Batches | Screen::Log | Screen::Policy => keys_of(model.screen),
    };
    for &(command, word) in listed {
        let Some(key) = model.setup.keymap.keys_in(model.place(), command).first() else { continue };
        // A key without a word shares that of the next one.
        let word = if word.is_empty() { String::new() } else { format!(" {word} ") };
        let item = [Span::styled(format!(" {key}"), theme.key), Span::styled(word, theme.dim)];
        if width(&spans) + width(&item) <= usize::from(area.width) {
            spans.extend(item);
        }
    }
    frame.render_widget(Line::from(spans), area);
}
