//! Forms: the fields, then the last look at what will be written.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::popup::{self, cursor, keys, wrapped};
use super::style::Theme;
use super::text::{fit, pad, shown};
use crate::app::form::{Confirming, Entry, Field, Form, Logged, Purpose, Stage};
use crate::app::forms::sentence;
use crate::core::order::{Order, Outcome};
use crate::core::text::reveal;

const WIDTH: u16 = 78;
const NAMES: usize = 17;

/// Draws a form.
pub(super) fn draw(form: &Form, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let mut lines = wrapped(&form.about, inside);
    lines.push(Line::default());
    let first = lines.len();
    match &form.stage {
        Stage::Filling => {
            lines.extend(
                form.fields
                    .iter()
                    .enumerate()
                    .flat_map(|(at, field)| shown_field(field, at == form.focus, inside, theme)),
            );
            lines.push(Line::default());
            if let Some(error) = &form.error {
                lines.extend(wrapped(error, inside).into_iter().map(|line| line.style(theme.bad)));
            }
            lines.push(filling_keys(form, theme));
            let area = popup::draw(frame, theme, &shown(&form.title), lines, WIDTH, 0);
            if let Some(Field { entry: Entry::Text(input), .. }) = form.fields.get(form.focus) {
                cursor(frame, area, NAMES + 3, first + 2 * form.focus, input);
            }
        }
        Stage::Saying(_) => {
            let filled = form.fields.iter().filter(|field| !field.value().is_empty());
            lines.extend(filled.map(|field| told(field, inside, theme)));
            lines.push(Line::default());
            lines.push(keys(&[("y", "write it"), ("Esc", "to the fields, nothing is written yet")], theme));
            popup::draw(frame, theme, &shown(&form.title), lines, WIDTH, 0);
        }
        Stage::Confirming(confirming) => {
            lines.extend(
                form.fields
                    .iter()
                    .filter(|field| !field.value().is_empty())
                    .map(|field| told(field, inside, theme)),
            );
            lines.push(Line::default());
            lines.extend(last_look(confirming, inside, theme));
            popup::draw(frame, theme, &shown(&form.title), lines, WIDTH, 0);
        }
    }
}

/// A field on one line, and its hint on the next.
fn shown_field(field: &Field, focused: bool, inside: usize, theme: &Theme) -> [Line<'static>; 2] {
    let room = inside.saturating_sub(NAMES + 5);
    let name = Span::styled(
        format!("{}{}", if focused { " ▸ " } else { "   " }, pad(field.name, NAMES)),
        if focused { theme.strong } else { theme.dim },
    );
    let value = match &field.entry {
        Entry::Text(input) => {
            let skip = input.visual_scroll(room.saturating_sub(1));
            let text: String = reveal(input.value()).chars().skip(skip).collect();
            Span::styled(pad(&text, room), theme.field)
        }
        Entry::Choice { .. } if focused => {
            Span::styled(format!("‹ {} ›", fit(&reveal(field.value()), room.saturating_sub(4))), theme.selected)
        }
        Entry::Choice { .. } => {
            Span::styled(format!("  {}", fit(&reveal(field.value()), room.saturating_sub(2))), theme.text)
        }
    };
    let hint = if focused {
        offers(field, room).unwrap_or_else(|| fit(&reveal(&field.hint), room))
    } else {
        String::new()
    };
    [Line::from(vec![name, value]), Line::styled(format!("   {}{hint}", pad("", NAMES)), theme.dim)]
}

/// The commonest values that go with what is typed, each with how many have it; as many as there is room for.
fn offers(field: &Field, room: usize) -> Option<String> {
    if field.offers.is_empty() {
        return None;
    }
    let offered = field.offered();
    if offered.is_empty() {
        return Some(fit("none of the commonest: looked for all the same", room));
    }
    let mut text = String::from("→ ");
    for (at, (value, many)) in offered.into_iter().enumerate() {
        let next =
            format!("{}{} {}", if at == 0 { "" } else { " · " }, shown(value), super::text::thousands(*many));
        if Span::raw(text.as_str()).width() + Span::raw(next.as_str()).width() > room {
            break;
        }
        text.push_str(&next);
    }
    Some(if text == "→ " { String::new() } else { text })
}

fn filling_keys(form: &Form, theme: &Theme) -> Line<'static> {
    let enter = match (form.focus + 1 < form.fields.len(), form.purpose) {
        (true, _) => "next field",
        (false, Purpose::Facets | Purpose::Log(Logged::Facets)) => "show these",
        (false, Purpose::Log(Logged::Sample)) => "draw them",
        (false, _) if form.marked().is_some() => "what it would do",
        (false, _) => "review, then y writes",
    };
    let mut listed = vec![("Enter", enter), ("Tab", "fields")];
    if form.purpose == Purpose::Facets {
        listed.extend([("→", "takes an offer"), ("Esc", "back")]);
    } else {
        listed.push(("Esc", "back, nothing is written"));
    }
    keys(&listed, theme)
}

fn told(field: &Field, inside: usize, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("   {}", pad(field.name, NAMES)), theme.dim),
        Span::styled(fit(&reveal(field.value()), inside.saturating_sub(NAMES + 4)), theme.text),
    ])
}

/// What will be written, what it would do, and how to write it.
fn last_look(confirming: &Confirming, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = wrapped(&sentence(&confirming.order), inside);
    lines.push(match &confirming.preview {
        None => Line::styled(" computing what it would do …", theme.dim),
        Some(outcome) => Line::styled(fit(&consequences(&confirming.order, outcome), inside), theme.strong),
    });
    lines.push(Line::default());
    match &confirming.typed {
        None => lines.push(keys(&[("y", "write it"), ("Esc", "back to the fields")], theme)),
        Some((name, typed)) => {
            lines.push(Line::from(vec![
                Span::raw(" type "),
                Span::styled(name.clone(), theme.strong),
                Span::raw(", then Enter:"),
            ]));
            lines.push(Line::from(vec![
                Span::raw(" "),
                Span::styled(pad(&reveal(typed), inside.saturating_sub(3)), theme.field),
            ]));
            lines.push(keys(&[("Esc", "back to the fields, nothing is written")], theme));
        }
    }
    lines
}

/// What an order would do, counted.
fn consequences(order: &Order, outcome: &Outcome) -> String {
    let records = matches!(order, Order::Withdraw { .. }).then(|| count(outcome.records, "record"));
    let counted = [
        records,
        (outcome.slots > 1).then(|| format!("{} settle again", count(outcome.slots, "slot"))),
        Some(format!("{} close", count(outcome.closed.len() as u64, "pair"))),
        Some(format!("{} open", outcome.opened.len())),
        outcome.slot.as_ref().map(|slot| format!("the slot is then {}", slot.status.name())),
    ];
    format!(" {}", counted.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

fn count(many: u64, what: &str) -> String {
    format!("{} {what}{}", super::text::thousands(many), if many == 1 { "" } else { "s" })
}
