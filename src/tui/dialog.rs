//! Menus, refusals, notices, the help, the palette, the preview of a bulk, and find.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use tui_input::Input;

use super::popup::{self, cursor, keys, wrapped};
use super::style::Theme;
use super::text::{fit, pad, shown};
use crate::app::dialog::{Bulk, Dialog, Refused, YES, menu_title};
use crate::app::keymap::{Binding, Command, Keymap, Menu, Place, binding};
use crate::app::palette::Palette;
use crate::app::{Key, Model};
use crate::core::permit::Permission;
use crate::core::ruling::PairId;
use crate::core::text::reveal;

/// Draws one dialog over what is there.
pub(super) fn draw(model: &Model, dialog: &Dialog, theme: &Theme, frame: &mut Frame<'_>) {
    match dialog {
        Dialog::Menu(menu) => draw_menu(model, *menu, theme, frame),
        Dialog::Form(form) => super::form::draw(form, theme, frame),
        Dialog::Refused(refused) => draw_refused(model, refused, theme, frame),
        Dialog::Notice { title, lines } => {
            let mut text: Vec<Line<'static>> =
                lines.iter().flat_map(|line| wrapped(line, popup::inside(frame, 76))).collect();
            text.push(Line::default());
            text.push(keys(&[("Esc", "go on")], theme));
            popup::draw(frame, theme, &shown(title), text, 76, 0);
        }
        Dialog::Help { scroll } => draw_help(model, *scroll, theme, frame),
        Dialog::Palette(palette) => draw_palette(model, palette, theme, frame),
        Dialog::Bulk(bulk) => draw_bulk(model, bulk, theme, frame),
        Dialog::Find { input, .. } => draw_find(input, theme, frame),
    }
}

fn draw_menu(model: &Model, menu: Menu, theme: &Theme, frame: &mut Frame<'_>) {
    const WIDTH: u16 = 78;
    let inside = popup::inside(frame, WIDTH);
    let mut lines = Vec::new();
    for (row, keys) in model.setup.keymap.rows(Place::In(menu)) {
        lines.extend(menu_row(model, row, keys, inside, theme));
    }
    lines.push(Line::default());
    lines.push(keys(&[("Esc", "back, nothing is written")], theme));
    let marks = model.triage.queue.marks.len();
    let title =
        if marks == 0 { menu_title(menu).to_owned() } else { format!("{} ({marks} marked)", menu_title(menu)) };
    popup::draw(frame, theme, &title, lines, WIDTH, 0);
}

/// A choice with its key and what it does; refused, with the reason on a line of its own.
fn menu_row(model: &Model, row: &Binding, keys: &[Key], inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let key = keys.first().map(ToString::to_string).unwrap_or_default();
    let marked = !model.triage.queue.marks.is_empty();
    let permission =
        row.command.action().filter(|_| !marked).and_then(|action| model.triage.pair()?.permission(action));
    let refused = match permission {
        Some(Permission::Refused(because)) => Some(because.to_string()),
        Some(Permission::Permitted | Permission::NeedsRecencyOverride) | None => None,
    };
    let (sign, key_style, style) =
        if refused.is_some() { ("·", theme.dim, theme.dim) } else { (" ", theme.key, theme.text) };
    let mut help = textwrap::wrap(row.help, inside.saturating_sub(28).max(8)).into_iter();
    let first = help.next().unwrap_or_default().into_owned();
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{sign} "), style),
        Span::styled(pad(&key, 3), key_style),
        Span::styled(pad(row.name, 22), if refused.is_some() { theme.dim } else { theme.strong }),
        Span::styled(first, style),
    ])];
    lines.extend(help.map(|line| Line::styled(format!("{}{line}", " ".repeat(27)), style)));
    if let Some(because) = refused {
        let text = format!("refused: {}", reveal(&because));
        let text = textwrap::wrap(&text, inside.saturating_sub(7).max(4)).into_iter();
        lines.extend(text.map(|line| Line::styled(format!("     {line}"), theme.dim)));
    }
    lines
}

fn draw_refused(model: &Model, refused: &Refused, theme: &Theme, frame: &mut Frame<'_>) {
    const WIDTH: u16 = 76;
    let inside = popup::inside(frame, WIDTH);
    let name = binding(refused.command).map_or("this", |row| row.name);
    let mut lines = vec![Line::styled(" The core refuses this:", theme.strong)];
    lines.extend(wrapped(&refused.because, inside));
    lines.push(Line::default());
    let nearest = binding(refused.nearest);
    let help = nearest.map_or("", |row| row.help);
    lines.push(Line::from(vec![
        Span::styled(" nearest step  ", theme.dim),
        Span::styled(model.setup.keymap.chord(refused.nearest), theme.key),
        Span::styled(format!("  {}", nearest.map_or("", |row| row.name)), theme.strong),
    ]));
    lines.extend(wrapped(help, inside));
    lines.push(Line::default());
    lines.push(keys(&[("Enter", "take that step"), ("Esc", "back, nothing is written")], theme));
    popup::draw(frame, theme, &format!("Not allowed: {name}"), lines, WIDTH, 0);
}

fn draw_help(model: &Model, scroll: usize, theme: &Theme, frame: &mut Frame<'_>) {
    const WIDTH: u16 = 104;
    let (inside, keymap) = (popup::inside(frame, WIDTH), &model.setup.keymap);
    let mut lines = Vec::new();
    for place in [model.place(), Place::Anywhere] {
        lines.push(Line::styled(
            if place == Place::Anywhere { " everywhere" } else { " on this screen" },
            theme.title,
        ));
        lines.extend(keymap.rows(place).map(|(row, keys)| help_row(keymap, row, keys, inside, theme)));
    }
    for menu in [Menu::Link, Menu::Identity, Menu::LookAgain, Menu::Withdraw, Menu::Defer, Menu::Copy] {
        lines.push(Line::styled(format!(" {}", menu_title(menu).to_lowercase()), theme.title));
        lines.extend(keymap.rows(Place::In(menu)).map(|(row, keys)| help_row(keymap, row, keys, inside, theme)));
    }
    popup::draw(frame, theme, &format!("Keys: {}", popup::scrolls(model)), lines, WIDTH, scroll);
}

/// The keys, the name where there is room for it, and what they do.
fn help_row(keymap: &Keymap, row: &Binding, keys: &[Key], inside: usize, theme: &Theme) -> Line<'static> {
    let keys = match row.place {
        Place::In(_) => keymap.chord(row.command),
        Place::Anywhere | Place::On(_) => keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    };
    let names = if inside >= 96 { 23 } else { 0 };
    Line::from(vec![
        Span::styled(format!("  {}", pad(&keys, 12)), theme.key),
        Span::styled(pad(row.name, names), theme.text),
        Span::styled(fit(row.help, inside.saturating_sub(14 + names)), theme.dim),
    ])
}

fn draw_palette(model: &Model, palette: &Palette, theme: &Theme, frame: &mut Frame<'_>) {
    const WIDTH: u16 = 84;
    const ROWS: usize = 12;
    let inside = popup::inside(frame, WIDTH);
    let found = palette.found();
    let first = palette.chosen.saturating_sub(ROWS - 1);
    let mut lines = vec![entry(" : ", palette.input.value(), inside, theme)];
    for (at, row) in found.iter().enumerate().skip(first).take(ROWS) {
        let chosen = at == palette.chosen;
        let text = format!(
            "{} {}{}{}",
            if chosen { "▸" } else { " " },
            pad(row.name, 24),
            pad(&model.setup.keymap.chord(row.command), 8),
            fit(row.help, inside.saturating_sub(35))
        );
        lines.push(Line::styled(pad(&text, inside), if chosen { theme.selected } else { theme.text }));
    }
    while lines.len() <= ROWS {
        lines.push(Line::default());
    }
    let area = popup::draw(frame, theme, &format!("Commands: {} found", found.len()), lines, WIDTH, 0);
    cursor(frame, area, 3, 0, &palette.input);
}

fn draw_find(input: &Input, theme: &Theme, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let Some(bottom) = screen.height.checked_sub(2) else { return };
    let area = Rect { y: bottom, height: 1, ..screen };
    let inside = usize::from(area.width);
    let mut line = entry(" / ", input.value(), inside, theme);
    line.push_span(Span::styled("   Enter keeps it, Esc puts back what was shown", theme.dim));
    frame.render_widget(ratatui::widgets::Clear, area);
    frame.render_widget(line, area);
    cursor(frame, area, 3, 0, input);
}

/// What is typed, after a prompt.
fn entry(prompt: &'static str, text: &str, inside: usize, theme: &Theme) -> Line<'static> {
    let text = fit(&reveal(text), inside.saturating_sub(prompt.len() + 1));
    Line::from(vec![Span::styled(prompt, theme.key), Span::styled(format!("{text} "), theme.field)])
}

fn draw_bulk(model: &Model, bulk: &Bulk, theme: &Theme, frame: &mut Frame<'_>) {
    const WIDTH: u16 = 76;
    let inside = popup::inside(frame, WIDTH);
    let Some(sorted) = &bulk.sorted else {
        let lines = vec![Line::from(" asking the core about each of them …"), keys(&[("Esc", "back")], theme)];
        popup::draw(frame, theme, &title(bulk), lines, WIDTH, 0);
        return;
    };
    let count = |name: &str, many: usize, style, words: String| {
        Line::from(vec![
            Span::styled(format!(" {name:<15}"), style),
            Span::styled(format!("{many:>6}   "), theme.strong),
            Span::styled(fit(&words, inside.saturating_sub(26)), theme.text),
        ])
    };
    let mut lines = vec![
        count(
            "allowed",
            sorted.allowed.len(),
            theme.good,
            format!("one ruling each, all undone by one {}", model.key(Command::Undo)),
        ),
        count("needs override", sorted.overrides.len(), theme.alarm, numbers(sorted.overrides.iter().copied())),
        count("refused", sorted.refused.len(), theme.bad, numbers(sorted.refused.iter().map(|(pair, _)| *pair))),
    ];
    if !sorted.gone.is_empty() {
        lines.push(count("gone", sorted.gone.len(), theme.dim, numbers(sorted.gone.iter().copied())));
    }
    let reasons = sorted.refused.iter().take(4);
    lines.extend(
        reasons.map(|(pair, why)| Line::styled(fit(&format!("   {pair}: {}", reveal(why)), inside), theme.dim)),
    );
    lines.push(Line::default());
    let left = bulk.marked - sorted.allowed.len();
    if left > 0 {
        lines.push(Line::styled(
            format!(" the other {left} stay in the queue: each wants a look of its own"),
            theme.dim,
        ));
    }
    if sorted.allowed.is_empty() {
        lines.push(Line::styled(" nothing of this can be written", theme.strong));
    } else {
        lines.push(Line::from(vec![
            Span::raw(" type "),
            Span::styled(YES, theme.key),
            Span::raw(format!(", then Enter, to write {} rulings:  ", sorted.allowed.len())),
            Span::styled(format!("{} ", reveal(&bulk.typed)), theme.field),
        ]));
    }
    lines.push(keys(&[("Esc", "leaves everything as it is")], theme));
    popup::draw(frame, theme, &title(bulk), lines, WIDTH, 0);
}

fn title(bulk: &Bulk) -> String {
    format!("{} for {} marked pairs", bulk.choice.title(), bulk.marked)
}

/// `421, 424, 430`.
fn numbers(pairs: impl Iterator<Item = PairId>) -> String {
    pairs.map(|pair| pair.to_string()).collect::<Vec<_>>().join(", ")
}
