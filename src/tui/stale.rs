//! The stale lane: each settled fact that has grown old, with when it was last seen and how long it may stand unseen.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::popup::{self, keys};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::Model;
use crate::app::asks::looks::StaleFact;
use crate::app::keymap::{Command, Common, Marking, Menu};
use crate::app::spell::span;
use crate::app::stale::{MOST, Stale};
use crate::core::text::shown_value;

const WIDTH: u16 = 108;
const AGE: usize = 16;

/// Draws it.
pub(super) fn draw(model: &Model, stale: &Stale, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let Some(facts) = &stale.facts else {
        let lines = vec![Line::from(" looking for facts that nobody has seen for long …")];
        popup::draw(frame, theme, "Stale facts", lines, WIDTH, 0);
        return;
    };
    let title = match facts.len() {
        MOST.. => format!("Stale facts: the {} that nobody has seen for longest", thousands(MOST as u64)),
        many => format!("Stale facts: {}", thousands(many as u64)),
    };
    let mut lines = vec![head(inside, theme)];
    if facts.is_empty() {
        let text =
            " nothing that is settled is older than its policy allows (policy declare --max-age sets an age)";
        lines = vec![Line::styled(fit(text, inside), theme.text)];
    }
    let rows = facts.len().min(usize::from(frame.area().height).saturating_sub(8).max(1));
    let first = stale.at.saturating_sub(rows / 2).min(facts.len().saturating_sub(rows));
    for (at, fact) in facts.iter().enumerate().skip(first).take(rows) {
        let marked = stale.marks.contains(&at);
        lines.push(row(model, fact, (at == stale.at, marked), inside, theme));
    }
    lines.push(Line::default());
    lines.push(last(model, stale, theme));
    popup::draw(frame, theme, &title, lines, WIDTH, 0);
}

/// Cells from which there is room to say how long a fact may stand.
const ROOMY: usize = 64;

/// The widths of the slot and of the value.
const fn widths(inside: usize) -> (usize, usize) {
    let ages = if inside < ROOMY { 1 } else { 2 };
    let rest = inside.saturating_sub(3 + ages * AGE + 3);
    (rest * 3 / 5, rest - rest * 3 / 5)
}

fn head(inside: usize, theme: &Theme) -> Line<'static> {
    let (slot, value) = widths(inside);
    let mut text = format!("   {} {} {}", pad("fact", slot), pad("value", value), pad("last seen", AGE));
    if inside >= ROOMY {
        text.push_str(" may stand");
    }
    Line::styled(text, theme.dim)
}

fn row(
    model: &Model,
    fact: &StaleFact,
    (read, marked): (bool, bool),
    inside: usize,
    theme: &Theme,
) -> Line<'static> {
    let (slot, value) = widths(inside);
    let sign = match (read, marked) {
        (true, true) => "▸■",
        (true, false) => "▸ ",
        (false, true) => " ■",
        (false, false) => "  ",
    };
    let name = pad(&shown(&format!("{} of {}", fact.attribute, fact.subject)), slot);
    let said = fact.value.as_ref().map_or_else(|| "several values".to_owned(), shown_value);
    let ago = pad(&format!("{} ago", span(model.now.since(fact.supported_at))), AGE);
    let plain = if read { theme.selected } else { theme.text };
    let allowed = if inside < ROOMY { String::new() } else { pad(&fact.may_stand, AGE) };
    Line::from(vec![
        Span::styled(format!("{sign} "), plain),
        Span::styled(format!("{name} "), plain),
        Span::styled(format!("{} ", pad(&said, value)), if read { theme.selected } else { theme.strong }),
        Span::styled(format!("{ago} "), if read { theme.selected } else { theme.alarm }),
        Span::styled(allowed, plain),
    ])
}

fn last(model: &Model, stale: &Stale, theme: &Theme) -> Line<'static> {
    let key = |command| model.key(command);
    let [mark, all, look] = [
        Command::Mark(Marking::One),
        Command::Mark(Marking::All),
        Command::Common(Common::OpenMenu(Menu::LookAgain)),
    ]
    .map(key);
    let [history, back] = [Command::OpenHistory, Command::Common(Common::Back)].map(key);
    let what = match stale.marks.len() {
        0 => "look again at this one".to_owned(),
        many => format!("look again at the {many} marked"),
    };
    let none = stale.current().is_none();
    let mut listed = vec![(back.as_str(), "back")];
    if !none {
        listed = vec![
            (look.as_str(), what.as_str()),
            (mark.as_str(), "mark"),
            (all.as_str(), "all"),
            (history.as_str(), "history"),
            (back.as_str(), "back"),
        ];
    }
    keys(&listed, theme)
}
