//! Forms: the fields, then the last look at what will be written.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::input_lines::{Written, written};
use super::popup::{self, Footed, keys, wrapped};
use super::style::Theme;
use super::text::{counted, fit, pad, shown, thousands};
use crate::app::consequence::sentences;
use crate::app::form::{Confirming, EDIT, Entry, Field, Form, Logged, Purpose, Stage};
use crate::app::forms::sentence;
use crate::core::order::{Order, Outcome};
use crate::core::text::{reveal, reveal_lines};

const WIDTH: u16 = 78;
const NAMES: usize = 17;
/// A text of more lines is scrolled in its field.
const MOST_LINES: usize = 6;

/// Draws a form.
pub(super) fn draw(form: &Form, progress: Option<(u64, u64)>, theme: &Theme, frame: &mut Frame<'_>) {
    if form.purpose == Purpose::Declare {
        return super::declare::draw(form, theme, frame);
    }
    let inside = popup::inside(frame, WIDTH);
    let mut lines = wrapped(&form.about, inside);
    lines.push(Line::default());
    match &form.stage {
        Stage::Filling => {
            // The field that is typed in stays in view, with its hint.
            let (mut at, mut keep) = (None, 0);
            for (number, field) in form.fields.iter().enumerate() {
                let focused = number == form.focus;
                let (shown, cursor) = shown_field(field, (focused, form.purpose == Purpose::Facets), inside, theme);
                at = at.or_else(|| cursor.map(|(right, down)| (right, lines.len() + down)));
                lines.extend(shown);
                if focused {
                    keep = lines.len() - 1;
                }
            }
            lines.push(Line::default());
            let mut foot = Vec::new();
            if let Some(error) = &form.error {
                foot.extend(wrapped(error, inside).into_iter().map(|line| line.style(theme.bad)));
            }
            foot.push(filling_keys(form, inside, theme));
            let (area, above) =
                popup::draw_footed(frame, theme, &shown(&form.title), Footed { lines, foot, keep }, WIDTH);
            if let Some((right, down)) = at {
                popup::cursor_at(frame, area, NAMES + 3 + right, down.saturating_sub(above));
            }
        }
        Stage::Saying(_) => {
            let filled = form.fields.iter().filter(|field| !field.value().is_empty());
            lines.extend(filled.flat_map(|field| told(field, inside, theme)));
            lines.push(Line::default());
            let foot = vec![keys(&[("y", "write it"), ("Esc", "to the fields, nothing is written yet")], theme)];
            popup::draw_footed(frame, theme, &shown(&form.title), Footed { lines, foot, keep: 0 }, WIDTH);
        }
        Stage::Confirming(confirming) => {
            lines.extend(
                form.fields
                    .iter()
                    .filter(|field| !field.value().is_empty())
                    .flat_map(|field| told(field, inside, theme)),
            );
            lines.push(Line::default());
            lines.extend(last_look(form, confirming, progress, inside, theme));
            // What it would do comes before what was typed, where not both have room.
            let (keep, foot) = (lines.len(), how_to_write(confirming, inside, theme));
            popup::draw_footed(frame, theme, &shown(&form.title), Footed { lines, foot, keep }, WIDTH);
        }
    }
}

/// A field on as many lines as it has, and its hint on the next; and where in it the cursor is, if it is there.
fn shown_field(
    field: &Field,
    (focused, lists): (bool, bool),
    inside: usize,
    theme: &Theme,
) -> (Vec<Line<'static>>, Option<(usize, usize)>) {
    let room = inside.saturating_sub(NAMES + 5);
    let name = Span::styled(
        format!("{}{}", if focused { " ▸ " } else { "   " }, pad(field.name, NAMES)),
        if focused { theme.strong } else { theme.dim },
    );
    let (values, cursor) = match &field.entry {
        Entry::Text(input) => {
            let most = if field.lines { MOST_LINES } else { 1 };
            let Written { lines, cursor } = written(input, room, most);
            let value = |line: String| Span::styled(pad(&line, room), theme.field);
            (lines.into_iter().map(value).collect(), focused.then_some(cursor))
        }
        Entry::Choice { .. } if focused => {
            let chosen = format!("‹ {} ›", fit(&reveal(field.value()), room.saturating_sub(4)));
            (vec![Span::styled(chosen, theme.selected)], None)
        }
        Entry::Choice { .. } => {
            let chosen = format!("  {}", fit(&reveal(field.value()), room.saturating_sub(2)));
            (vec![Span::styled(chosen, theme.text)], None)
        }
    };
    let hint = if focused {
        offers(field, lists, room).unwrap_or_else(|| fit(&reveal(&field.hint), room))
    } else {
        String::new()
    };
    let mut names = vec![name].into_iter();
    let mut lines: Vec<Line<'static>> = values
        .into_iter()
        .map(|value| {
            let name = names.next().unwrap_or_else(|| Span::raw(" ".repeat(NAMES + 3)));
            Line::from(vec![name, value])
        })
        .collect();
    lines.push(Line::styled(format!("   {}{hint}", pad("", NAMES)), theme.dim));
    (lines, cursor)
}

/// The commonest values that go with what is typed, each with how many have it; as many as there is room for.
fn offers(field: &Field, lists: bool, room: usize) -> Option<String> {
    if field.offers.is_empty() {
        return None;
    }
    let offered = field.offered();
    if offered.is_empty() {
        let none =
            if lists { "none of the commonest: looked for all the same" } else { "none that was used here before" };
        return Some(fit(none, room));
    }
    let mut text = String::from("→ ");
    for (at, (value, many)) in offered.into_iter().enumerate() {
        let next = format!("{}{} {}", if at == 0 { "" } else { " · " }, shown(value), thousands(*many));
        if Span::raw(text.as_str()).width() + Span::raw(next.as_str()).width() > room {
            break;
        }
        text.push_str(&next);
    }
    Some(if text == "→ " { String::new() } else { text })
}

fn filling_keys(form: &Form, inside: usize, theme: &Theme) -> Line<'static> {
    let enter = match (form.focus + 1 < form.fields.len(), form.purpose) {
        (true, _) => "next field",
        (false, Purpose::Facets | Purpose::Log(Logged::Facets)) => "show these",
        (false, Purpose::Log(Logged::Sample)) => "draw them",
        (false, _) if form.marked().is_some() => "what it would do",
        (false, Purpose::WithdrawBatch) => "review, then its name writes",
        (false, _) => "review, then y writes",
    };
    let editor = EDIT.to_string();
    let (lines, offers) = match form.fields.get(form.focus) {
        Some(field) => (field.lines, !field.offers.is_empty()),
        None => (false, false),
    };
    let back = if form.purpose == Purpose::Facets { "back" } else { "back, nothing is written" };
    let mut listed = vec![("Enter", enter), ("Esc", back)];
    let more = [
        (offers, "→", "takes an offer"),
        (lines, editor.as_str(), "editor"),
        (form.fields.len() > 1, "Tab", "fields"),
    ];
    for (_, key, does) in more.into_iter().filter(|(here, ..)| *here) {
        listed.push((key, does));
        // A key of which half is seen says less than none.
        if keys(&listed, theme).width() > inside + 2 {
            listed.pop();
        }
    }
    keys(&listed, theme)
}

/// What was entered, each of its lines on one, and no more of them than the field itself shows.
fn told(field: &Field, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let text = reveal_lines(field.value());
    let many = text.lines().count();
    let line = |(at, line): (usize, &str)| {
        let name = if at == 0 { field.name } else { "" };
        let rest = many.saturating_sub(MOST_LINES);
        let line = if at + 1 == MOST_LINES && rest > 0 {
            format!("… and {} more lines", rest + 1)
        } else {
            line.to_owned()
        };
        Line::from(vec![
            Span::styled(format!("   {}", pad(name, NAMES)), theme.dim),
            Span::styled(fit(&line, inside.saturating_sub(NAMES + 4)), theme.text),
        ])
    };
    text.lines().take(MOST_LINES).enumerate().map(line).collect()
}

/// What will be written, and what it would do.
fn last_look(
    form: &Form,
    confirming: &Confirming,
    progress: Option<(u64, u64)>,
    inside: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = wrapped(&sentence(&confirming.order), inside);
    match &confirming.preview {
        None => lines.push(Line::styled(computing(progress), theme.dim)),
        Some(outcome) => {
            let said = sentences(form, &confirming.order, outcome);
            let told = if said.is_empty() { consequences(&confirming.order, outcome) } else { said };
            lines.extend(told.iter().flat_map(|line| wrapped(line, inside)).map(|line| line.style(theme.strong)));
        }
    }
    lines.push(Line::default());
    lines
}

fn how_to_write(confirming: &Confirming, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    match &confirming.typed {
        None => vec![keys(&[("y", "write it"), ("Esc", "back to the fields")], theme)],
        Some((name, typed)) => vec![
            Line::from(vec![
                Span::raw(" type "),
                Span::styled(name.clone(), theme.strong),
                Span::raw(", then Enter:"),
            ]),
            Line::from(vec![
                Span::raw(" "),
                Span::styled(pad(&reveal(typed), inside.saturating_sub(3)), theme.field),
            ]),
            keys(&[("Esc", "back to the fields, nothing is written")], theme),
        ],
    }
}

fn computing(progress: Option<(u64, u64)>) -> String {
    let far = progress.map(|(done, of)| format!(" {} of {} slots", thousands(done), thousands(of)));
    format!(" computing what it would do …{}", far.unwrap_or_default())
}

/// What an order would do, counted.
fn consequences(order: &Order, outcome: &Outcome) -> Vec<String> {
    if matches!(order, Order::Withdraw { .. }) { withdrawal(outcome) } else { vec![resettled(outcome)] }
}

/// What a withdrawal would do: to records and pairs, to rulings, and to what the agent answers.
fn withdrawal(outcome: &Outcome) -> Vec<String> {
    let gone = if outcome.values_gone == 1 { "vanishes" } else { "vanish" };
    vec![
        format!(
            "{} · {} · {} open · {} on it",
            counted(outcome.records, "row"),
            does(outcome.closed.len() as u64, "pair", "close"),
            thousands(outcome.opened.len() as u64),
            does(outcome.resting, "ruling", "rest")
        ),
        format!(
            "{} again · {} · {} {gone}",
            does(outcome.slots, "slot", "settle"),
            does(outcome.values_changed, "value", "change"),
            thousands(outcome.values_gone)
        ),
    ]
}

fn resettled(outcome: &Outcome) -> String {
    let counted = [
        (outcome.slots > 1).then(|| format!("{} settle again", counted(outcome.slots, "slot"))),
        Some(does(outcome.closed.len() as u64, "pair", "close")),
        Some(format!("{} open", outcome.opened.len())),
        outcome.slot.as_ref().map(|slot| format!("the slot is then {}", slot.status.name())),
    ];
    counted.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// `1 pair closes`, `2 pairs close`.
fn does(many: u64, what: &str, verb: &str) -> String {
    format!("{} {verb}{}", counted(many, what), if many == 1 { "s" } else { "" })
}
