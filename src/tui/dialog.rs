//! Menus, refusals, notices, the help, the palette, and find.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use tui_input::Input;
use unicode_width::UnicodeWidthStr;

use super::popup::{self, Footed, cursor, folded, keys, wrapped};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::dialog::{Dialog, Refused, menu_title};
use crate::app::keymap::{Binding, Keymap, Menu, Place, Screen, binding};
use crate::app::palette::Palette;
use crate::app::{Key, Model};
use crate::core::permit::Permission;
use crate::core::text::reveal;

/// Draws one dialog over what is there.
pub(super) fn draw(model: &Model, dialog: &Dialog, theme: &Theme, frame: &mut Frame<'_>) {
    match dialog {
        Dialog::Menu(menu) => draw_menu(model, *menu, theme, frame),
        Dialog::Form(form) => {
            super::form::draw(form, model.working.as_ref().and_then(|it| it.progress), theme, frame)
        }
        Dialog::Refused(refused) => draw_refused(model, refused, theme, frame),
        Dialog::Notice { title, lines } => {
            let mut text: Vec<Line<'static>> =
                lines.iter().flat_map(|line| wrapped(line, popup::inside(frame, 76))).collect();
            text.push(Line::default());
            let foot = vec![keys(&[("Esc", "go on")], theme)];
            popup::draw_footed(frame, theme, &shown(title), Footed { lines: text, foot, keep: 0 }, 76);
        }
        Dialog::Help { scroll } => draw_help(model, *scroll, theme, frame),
        Dialog::Palette(palette) => draw_palette(model, palette, theme, frame),
        Dialog::Bulk(bulk) => super::bulk::draw(bulk, theme, frame),
        Dialog::Stale(stale) => super::stale::draw(model, stale, theme, frame),
        Dialog::Slotting(lane) => super::slotting::draw(model, lane, theme, frame),
        Dialog::Again(again) => super::again::draw(model, again, theme, frame),
        Dialog::Find { input, .. } => draw_find(model, input, theme, frame),
    }
}

fn draw_menu(model: &Model, menu: Menu, theme: &Theme, frame: &mut Frame<'_>) {
    const WIDTH: u16 = 78;
    let inside = popup::inside(frame, WIDTH);
    let choices = || model.setup.keymap.rows(Place::In(menu));
    let names = choices().map(|(row, _)| row.name.width()).max().unwrap_or(0);
    let rows: Vec<Vec<Line<'static>>> =
        choices().map(|choice| menu_row(model, choice, (names, inside), theme)).collect();
    let foot = vec![keys(&[("Esc", "back, nothing is written")], theme)];
    // The border, and a line of air. Where the screen is too low, each choice has its first line: all are seen.
    let whole = rows.iter().map(Vec::len).sum::<usize>() + 1 + foot.len() + 2;
    let most = if whole > usize::from(frame.area().height) { 1 } else { usize::MAX };
    let mut lines: Vec<Line<'static>> = rows.into_iter().flat_map(|row| row.into_iter().take(most)).collect();
    if most > 1 {
        lines.push(Line::default());
    }
    let marks = model.triage.queue.marks.len();
    let title =
        if marks == 0 { menu_title(menu).to_owned() } else { format!("{} ({marks} marked)", menu_title(menu)) };
    popup::draw_footed(frame, theme, &title, Footed { lines, foot, keep: 0 }, WIDTH);
}

/// A choice with its key and what it does; refused, with the reason on a line of its own.
fn menu_row(
    model: &Model,
    (row, keys): (&Binding, &[Key]),
    (names, inside): (usize, usize),
    theme: &Theme,
) -> Vec<Line<'static>> {
    const LEAD: usize = 5;
    let column = LEAD + names + 2;
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
    let mut help = textwrap::wrap(row.help, inside.saturating_sub(column + 1).max(8)).into_iter();
    let first = help.next().unwrap_or_default().into_owned();
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{sign} "), style),
        Span::styled(pad(&key, 3), key_style),
        Span::styled(pad(row.name, names + 2), if refused.is_some() { theme.dim } else { theme.strong }),
        Span::styled(first, style),
    ])];
    lines.extend(help.map(|line| Line::styled(format!("{}{line}", " ".repeat(column)), style)));
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
    let foot = folded(&[("Enter", "take that step"), ("Esc", "back, nothing is written")], inside, theme);
    popup::draw_footed(frame, theme, &format!("Not allowed: {name}"), Footed { lines, foot, keep: 0 }, WIDTH);
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
        lines.extend(working(model, place).map(|(row, keys)| help_row(keymap, row, keys, inside, theme)));
    }
    for menu in Menu::ALL {
        let mut rows = working(model, Place::In(menu)).peekable();
        if rows.peek().is_some() {
            lines.push(Line::styled(format!(" {}", menu_title(menu).to_lowercase()), theme.title));
            lines.extend(rows.map(|(row, keys)| help_row(keymap, row, keys, inside, theme)));
        }
    }
    popup::draw(frame, theme, &format!("Keys: {}", popup::scrolls(model)), lines, WIDTH, scroll);
}

/// The rows of a place that do something on the screen that is open.
fn working(model: &Model, place: Place) -> impl Iterator<Item = (&'static Binding, &[Key])> {
    model.setup.keymap.rows(place).filter(|(row, _)| row.works_on(model.screen))
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
        let here = row.works_on(model.screen);
        let help = if here { row.help.to_owned() } else { format!("on {}: {}", row.screens(), row.help) };
        let text = format!(
            "{} {}{}{}",
            if chosen { "▸" } else { " " },
            pad(row.name, 24),
            pad(&model.setup.keymap.chord_of(row), 8),
            fit(&help, inside.saturating_sub(35))
        );
        let plain = if here { theme.text } else { theme.dim };
        lines.push(Line::styled(pad(&text, inside), if chosen { theme.selected } else { plain }));
    }
    while lines.len() <= ROWS {
        lines.push(Line::default());
    }
    let area = popup::draw(frame, theme, &format!("Commands: {} found", found.len()), lines, WIDTH, 0);
    cursor(frame, area, 3, 0, &palette.input);
}

fn draw_find(model: &Model, input: &Input, theme: &Theme, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let Some(bottom) = screen.height.checked_sub(2) else { return };
    let area = Rect { y: bottom, height: 1, ..screen };
    let inside = usize::from(area.width);
    let queue = &model.triage.queue;
    let here = model.screen == Screen::Triage;
    let shown = match () {
        () if !here => String::new(),
        () if queue.finding.is_some() => "  looking …".to_owned(),
        () => format!("  {} of {} open", thousands(queue.list.total()), thousands(queue.counts.open)),
    };
    let known = queue
        .indexing
        .filter(|(_, of)| here && *of > 0)
        .map(|(done, of)| format!(", {} % indexed", done * 100 / of));
    let mut line = entry(" / ", input.value(), inside, theme);
    for part in [
        Span::styled(format!("{shown}{}", known.unwrap_or_default()), theme.strong),
        Span::styled("   Enter keeps it, Esc puts back what was shown", theme.dim),
    ] {
        if line.width() + part.width() <= inside {
            line.push_span(part);
        }
    }
    frame.render_widget(ratatui::widgets::Clear, area);
    frame.render_widget(line, area);
    cursor(frame, area, 3, 0, input);
}

/// What is typed, after a prompt.
fn entry(prompt: &'static str, text: &str, inside: usize, theme: &Theme) -> Line<'static> {
    let text = fit(&reveal(text), inside.saturating_sub(prompt.len() + 1));
    Line::from(vec![Span::styled(prompt, theme.key), Span::styled(format!("{text} "), theme.field)])
}
