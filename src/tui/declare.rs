//! The form in which a policy is declared: its fields, and below them what they would do, as the core computes it.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::popup::{self, cursor, keys, wrapped};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::declaring::{AS_IS, is_changed, is_idle, now, spelled, without};
use crate::app::form::{Entry, Field, Form, Stage};
use crate::app::forms::sentence;
use crate::app::standing::Standing;
use crate::app::trial::Trial;
use crate::core::settle::Status;
use crate::core::text::{reveal, shown_value};
use crate::core::tried::{Answered, Example, Tried};

const WIDTH: u16 = 84;
const NAMES: usize = 18;
/// Examples that are shown where there is room.
const EXAMPLES: usize = 6;
/// Lines besides the fields, the sentence above them and the examples.
const FIXED: usize = 9;

/// Draws the form.
pub(super) fn draw(form: &Form, theme: &Theme, frame: &mut Frame<'_>) {
    let Some(standing) = form.standing() else { return };
    let (inside, height) = (popup::inside(frame, WIDTH), usize::from(frame.area().height));
    let roomy = height >= form.fields.len() + FIXED + 5;
    let mut lines = if roomy { wrapped(&form.about, inside) } else { Vec::new() };
    if roomy {
        lines.push(Line::default());
    }
    let first = lines.len();
    let filling = form.stage == Stage::Filling;
    if let Stage::Confirming(confirming) = &form.stage {
        lines
            .extend(wrapped(&sentence(&confirming.order), inside).into_iter().map(|line| line.style(theme.strong)));
    }
    let changed =
        form.fields.iter().filter(|field| filling || is_changed(&standing, field) && !is_idle(form, field));
    for (at, field) in changed.enumerate() {
        lines.push(line(form, field, filling && at == form.focus, &standing, inside, theme));
    }
    let focused = form.fields.get(form.focus);
    if filling {
        lines.push(hint(form, focused, inside, theme));
    }
    let examples = height.saturating_sub(first + form.fields.len() + FIXED).min(EXAMPLES);
    lines.push(rule(inside, theme));
    lines.extend(outcome(form.trial.as_ref(), examples, inside, theme));
    lines.push(Line::default());
    lines.push(match form.stage {
        Stage::Filling => keys(&[("Tab", "fields"), ("Enter", "review, then y writes"), ("Esc", "back")], theme),
        Stage::Confirming(_) | Stage::Saying(_) => keys(&[("y", "write it"), ("Esc", "back to the fields")], theme),
    });
    // Where not all of it fits, the line that is being filled in stays in sight.
    let fits = height.saturating_sub(2);
    let scroll = if filling && lines.len() > fits { (first + form.focus + 2).saturating_sub(fits) } else { 0 };
    let area = popup::draw(frame, theme, &shown(&form.title), lines, WIDTH, scroll);
    if let (true, Some(Field { entry: Entry::Text(input), .. })) = (filling, focused) {
        cursor(frame, area, NAMES + 3, (first + form.focus).saturating_sub(scroll), input);
    }
}

/// A field on one line: its name, what it holds, and what is declared now where that is something else.
fn line(
    form: &Form,
    field: &Field,
    focused: bool,
    standing: &Standing,
    inside: usize,
    theme: &Theme,
) -> Line<'static> {
    let (changed, idle) = (is_changed(standing, field), is_idle(form, field));
    let known = now(standing, field.name);
    let room = inside.saturating_sub(NAMES + 4);
    let name = format!("{}{}", if focused { " ▸ " } else { "   " }, pad(field.name, NAMES));
    let mut spans = vec![Span::styled(name, if focused { theme.strong } else { theme.dim })];
    let before = match &known {
        Some(known) if changed => format!("   was {}", reveal(known)),
        None if changed && field.name != "holds for" => "   was undeclared".to_owned(),
        Some(_) | None => String::new(),
    };
    let kept = room.saturating_sub(unicode_width::UnicodeWidthStr::width(before.as_str())).max(room / 2);
    match &field.entry {
        Entry::Text(input) if focused => {
            let skip = input.visual_scroll(kept.saturating_sub(1));
            let text: String = reveal(input.value()).chars().skip(skip).collect();
            let wide = if changed { kept.min(34) } else { kept };
            spans.push(Span::styled(pad(&text, wide), theme.field));
        }
        Entry::Text(_) => {
            let text = if idle || field.value().trim().is_empty() {
                "·".to_owned()
            } else {
                reveal(&spelled(field)).into_owned()
            };
            let style = if changed { theme.strong } else { theme.dim };
            spans.push(Span::styled(fit(&text, kept), style));
        }
        Entry::Choice { .. } => {
            let value = choice(field.value(), known.as_deref(), without(field));
            let style = match (focused, changed) {
                (true, _) => theme.selected,
                (false, true) => theme.strong,
                (false, false) => theme.dim,
            };
            let text = if focused {
                format!("‹ {} ›", fit(&value, kept.saturating_sub(4)))
            } else {
                fit(&value, kept)
            };
            spans.push(Span::styled(text, style));
        }
    }
    spans.push(Span::styled(fit(&before, room.saturating_sub(width_of(&spans[1..]))), theme.dim));
    Line::from(spans)
}

fn width_of(spans: &[Span<'_>]) -> usize {
    super::text::width(spans)
}

/// What is chosen; what stays as it is, with what it is, or what holds where nothing is declared.
fn choice(value: &str, known: Option<&str>, default: Option<&str>) -> String {
    match (value, known) {
        (AS_IS, Some(known)) => format!("{AS_IS}: {known}"),
        (AS_IS, None) => default.map_or_else(|| "undeclared".to_owned(), |held| format!("undeclared: {held}")),
        (value, _) => value.to_owned(),
    }
}

/// What is wrong, else what the field means.
fn hint(form: &Form, field: Option<&Field>, inside: usize, theme: &Theme) -> Line<'static> {
    if let Some(error) = &form.error {
        return Line::styled(fit(&format!("   {}", reveal(error)), inside), theme.bad);
    }
    let Some(field) = field else { return Line::default() };
    let turn = if matches!(field.entry, Entry::Choice { .. }) { "← →  " } else { "" };
    Line::styled(fit(&format!("   {turn}{}", reveal(&field.hint)), inside), theme.dim)
}

fn rule(inside: usize, theme: &Theme) -> Line<'static> {
    const TITLE: &str = " what it would do ";
    let rest = inside.saturating_sub(TITLE.len() + 1);
    Line::from(vec![
        Span::styled("─", theme.border),
        Span::styled(fit(TITLE, inside.saturating_sub(1)), theme.title),
        Span::styled("─".repeat(rest), theme.border),
    ])
}

/// The outcome in always the same number of lines, so that the box stands still while it is computed.
fn outcome(trial: Option<&Trial>, examples: usize, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = match trial {
        None => vec![Line::styled(" change a line to see what it would do", theme.dim)],
        Some(Trial::Incomplete(why)) => vec![Line::styled(fit(&format!(" {}", reveal(why)), inside), theme.dim)],
        Some(Trial::Running { progress, .. }) => vec![running(*progress, inside, theme)],
        Some(Trial::Failed { failure, .. }) => {
            vec![Line::styled(fit(&format!(" {}", reveal(&failure.to_string())), inside), theme.bad)]
        }
        Some(Trial::Done { tried, .. }) => done(tried, examples, inside, theme),
    };
    lines.resize(3 + examples, Line::default());
    lines
}

fn running(progress: Option<(u64, u64)>, inside: usize, theme: &Theme) -> Line<'static> {
    let Some((done, of)) = progress else { return Line::styled(" computing …", theme.dim) };
    let wide = inside.saturating_sub(44).clamp(6, 30);
    let full = usize::try_from(done.min(of)).unwrap_or(0) * wide / usize::try_from(of.max(1)).unwrap_or(1);
    Line::from(vec![
        Span::styled(format!(" {}{}", "█".repeat(full), "░".repeat(wide - full)), theme.good),
        Span::styled(format!(" {} of {}", thousands(done), thousands(of)), theme.strong),
        Span::styled(" slots tried", theme.dim),
    ])
}

fn done(tried: &Tried, examples: usize, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let totals = Line::from(vec![
        Span::styled(format!(" {}", thousands(tried.closed)), theme.strong),
        Span::styled(if tried.closed == 1 { " pair closes, " } else { " pairs close, " }, theme.text),
        Span::styled(thousands(tried.opened), if tried.opened > 0 { theme.alarm } else { theme.strong }),
        Span::styled(if tried.opened == 1 { " opens" } else { " open" }, theme.text),
    ]);
    let changes: Vec<String> = tried
        .changes
        .iter()
        .map(|change| format!("{} {}", thousands(change.slots), between(change.before, change.after)))
        .collect();
    let (changed, of) = (thousands(tried.changed()), slots(tried.slots));
    let answers = match tried.changed() {
        0 => format!(" no slot of {} answers otherwise", thousands(tried.slots)),
        _ => format!(" {changed} of {of} answer otherwise: {}", changes.join(" · ")),
    };
    let mut lines = vec![totals, Line::styled(fit(&answers, inside), theme.text)];
    if tried.open > 0 {
        lines.push(left_open(tried, inside, theme));
    }
    lines.extend(tried.examples.iter().take(examples).map(|example| line_of(example, inside, theme)));
    lines
}

/// What is open then, and why: `2 pairs are open then: authority_unknown`.
fn left_open(tried: &Tried, inside: usize, theme: &Theme) -> Line<'static> {
    let grounds: Vec<&str> = tried.grounds.iter().map(|(ground, _)| ground.name()).collect();
    let are = if tried.open == 1 { "pair is" } else { "pairs are" };
    let text = format!(" {} {are} open then: {}", thousands(tried.open), grounds.join(", "));
    Line::styled(fit(&text, inside), theme.alarm)
}

fn slots(many: u64) -> String {
    if many == 1 { "1 slot".to_owned() } else { format!("{} slots", thousands(many)) }
}

fn between(before: Status, after: Status) -> String {
    if before == after {
        format!("{} with other values", after.name())
    } else {
        format!("{} → {}", before.name(), after.name())
    }
}

/// A slot before and after: `user_31882  contested → 43`.
fn line_of(example: &Example, inside: usize, theme: &Theme) -> Line<'static> {
    let names = (inside / 4).clamp(8, 24);
    let each = inside.saturating_sub(names + 9) / 2;
    Line::from(vec![
        Span::styled(format!("   {}  ", pad(&shown(example.subject.as_str()), names)), theme.dim),
        Span::styled(fit(&told(&example.before), each), theme.text),
        Span::styled(" → ", theme.dim),
        Span::styled(fit(&told(&example.after), each), theme.strong),
    ])
}

/// What a slot answers: its values, or why it has none.
fn told(answered: &Answered) -> String {
    let values: Vec<String> = answered.values.iter().map(shown_value).collect();
    match answered.status {
        Status::Settled => values.join(", "),
        Status::Contested | Status::Awaiting | Status::Unanchored | Status::Empty if values.is_empty() => {
            answered.status.name().to_owned()
        }
        Status::Contested | Status::Awaiting | Status::Unanchored | Status::Empty => {
            format!("{} ({})", values.join(", "), answered.status.name())
        }
    }
}
