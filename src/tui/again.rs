//! Looking again at many: which observer would look at how many, the word that starts it, and what came of each.

use ratatui::Frame;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::popup::{self, cursor_at, folded, keys};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::Model;
use crate::app::again::{Again, Stage, Told, counted};
use crate::app::asks::looks::{Came, Look, Served};
use crate::app::keymap::{Command, Common, Marking, Moving};
use crate::app::preview::YES;
use crate::core::order::{Outcome, Target};
use crate::core::text::{reveal, shown_value};

const ASKING: u16 = 80;
const TELLING: u16 = 108;
const COUNTS: usize = 8;
/// Observers that are named.
const NAMED: usize = 5;
/// Lines for the reason of the line that is read.
const DETAIL: usize = 3;

/// Draws it.
pub(super) fn draw(model: &Model, again: &Again, theme: &Theme, frame: &mut Frame<'_>) {
    match &again.stage {
        Stage::Seeking => {
            let lines = vec![
                Line::from(" looking for the observers of each …"),
                Line::default(),
                keys(&[("Esc", "stop, nothing is looked at")], theme),
            ];
            popup::draw(frame, theme, &title(again), lines, ASKING, 0);
        }
        Stage::Asking { served, typed } => asking(again, served, typed, theme, frame),
        Stage::Told(told) => draw_told(model, again, told, theme, frame),
    }
}

fn title(again: &Again) -> String {
    format!("Look again at {}", counted(&again.targets))
}

fn asking(again: &Again, served: &Served, typed: &str, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, ASKING);
    let mut lines = Vec::new();
    let mut programs: Vec<(&str, usize)> = Vec::new();
    for (_, program) in &served.by {
        match programs.iter_mut().find(|(known, _)| known == program) {
            Some((_, many)) => *many += 1,
            None => programs.push((program, 1)),
        }
    }
    for (program, many) in programs.iter().take(NAMED) {
        lines.push(count(*many, &format!("looked at by {}", shown(program)), theme.good, inside, theme));
    }
    let more: usize = programs.iter().skip(NAMED).map(|(_, many)| many).sum();
    if more > 0 {
        lines.push(count(more, "by other observers", theme.good, inside, theme));
    }
    if !served.nobody.is_empty() {
        let told = format!("no observer serves {}", named(&served.nobody));
        lines.push(count(served.nobody.len(), &told, theme.bad, inside, theme));
    }
    if !served.gone.is_empty() {
        let told = format!("settled already: {}", named(&served.gone));
        lines.push(count(served.gone.len(), &told, theme.dim, inside, theme));
    }
    lines.push(Line::default());
    if served.by.is_empty() {
        let text = "Nothing of this can be looked at: name an observer in your configuration (gainsay observers lists \
                    them), or import a record of what is true today.";
        lines.extend(popup::wrapped(text, inside).into_iter().map(|line| line.style(theme.strong)));
        lines.push(keys(&[("Esc", "back, nothing is written")], theme));
        popup::draw(frame, theme, &title(again), lines, ASKING, 0);
        return;
    }
    let text = "A few look at a time, and what each has seen is entered at once. Esc then stops the rest.";
    lines.extend(popup::wrapped(text, inside));
    let (before, word) = (" ▸ Type  ", format!("  then Enter to look {}:  ", times(served.by.len())));
    let at = before.chars().count() + YES.len() + word.chars().count();
    lines.push(Line::from(vec![
        Span::styled(before, theme.text),
        Span::styled(YES, theme.key),
        Span::styled(word, theme.text),
        Span::styled(pad(&reveal(typed), 4), theme.field),
    ]));
    lines.push(keys(&[("Esc", "leaves everything as it is"), ("u", "then takes it all back")], theme));
    let row = lines.len().saturating_sub(2);
    let area = popup::draw(frame, theme, &title(again), lines, ASKING, 0);
    cursor_at(frame, area, at + typed.chars().count(), row);
}

fn times(many: usize) -> String {
    if many == 1 { "once".to_owned() } else { format!("{} times", thousands(many as u64)) }
}

fn count(many: usize, told: &str, style: Style, inside: usize, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{:>COUNTS$}   ", thousands(many as u64)), theme.strong),
        Span::styled(fit(told, inside.saturating_sub(COUNTS + 4)), style),
    ])
}

/// `412, 413 and 5 more`; of slots, their names.
fn named(targets: &[Target]) -> String {
    const FEW: usize = 3;
    let name = |target: &Target| match target {
        Target::Pair(pair) => pair.to_string(),
        Target::Slot(subject, attribute) => shown(&format!("{attribute} of {subject}")),
    };
    let few: Vec<String> = targets.iter().take(FEW).map(name).collect();
    let more = targets.len().saturating_sub(FEW);
    if more > 0 { format!("{} and {} more", few.join(", "), thousands(more as u64)) } else { few.join(", ") }
}

fn draw_told(model: &Model, again: &Again, told: &Told, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, TELLING);
    let sums = told.sums();
    let mut lines = vec![summary(&sums_in_words(sums), theme), Line::default()];
    // The box: its border, two lines above the list, the detail and two lines below it.
    let room = usize::from(frame.area().height).saturating_sub(2 + 2 + DETAIL + 4).max(1);
    let rows = told.looks.len().min(room);
    let first = (told.at + 1).saturating_sub(rows).max(told.at.saturating_sub(rows / 2));
    let first = first.min(told.looks.len().saturating_sub(rows));
    for (at, look) in told.looks.iter().enumerate().skip(first).take(rows) {
        lines.push(row(look, at == told.at, inside, theme));
    }
    lines.push(Line::default());
    lines.extend(detail(told.looks.get(told.at), inside, theme));
    lines.push(Line::default());
    lines.extend(last(model, told, inside, theme));
    let title = format!("Looked again at {}", counted(&again.targets));
    popup::draw(frame, theme, &title, lines, TELLING, 0);
}

fn sums_in_words(sums: crate::app::again::Sums) -> Vec<(&'static str, usize)> {
    let all = [
        ("settled", sums.settled),
        ("still open", sums.open),
        ("failed", sums.failed),
        ("not looked at", sums.not_looked),
    ];
    all.into_iter().filter(|(_, many)| *many > 0).collect()
}

fn summary(sums: &[(&'static str, usize)], theme: &Theme) -> Line<'static> {
    let spans = sums.iter().flat_map(|(word, many)| {
        [
            Span::styled(format!(" {} ", thousands(*many as u64)), theme.strong),
            Span::styled(format!("{word}  "), theme.text),
        ]
    });
    Line::from(spans.collect::<Vec<_>>())
}

const WORDS: usize = 12;

/// One look on one line: how it ended, of what, and what was seen or why not.
fn row(look: &Look, read: bool, inside: usize, theme: &Theme) -> Line<'static> {
    let (word, style) = match look.came {
        Came::Settled(_) | Came::Along => ("settled", theme.good),
        Came::Open(..) => ("still open", theme.alarm),
        Came::Failed(_) => ("FAILED", theme.bad),
        Came::NotLooked => ("not looked", theme.dim),
    };
    let number = look.target.pair().map(|pair| pair.to_string()).unwrap_or_default();
    let slot = shown(&format!("{} of {}", look.attribute, look.subject));
    let slots = (inside.saturating_sub(WORDS + 10) * 2 / 5).max(8);
    let text = format!("{} {} ", pad(&number, 7), pad(&slot, slots));
    let rest = inside.saturating_sub(WORDS + 3 + 8 + slots + 1);
    let (sign, plain) = if read { ("▸", theme.selected) } else { (" ", theme.text) };
    Line::from(vec![
        Span::styled(format!(" {sign}"), plain),
        Span::styled(pad(word, WORDS), style),
        Span::styled(text, plain),
        Span::styled(pad(&came(&look.came), rest), plain),
    ])
}

/// What was seen, or why not, in a line.
fn came(came: &Came) -> String {
    let seen = |outcome: &Outcome| {
        let slot = outcome.slot.as_ref();
        slot.and_then(|slot| slot.value.as_ref()).map(shown_value)
    };
    match came {
        Came::Settled(outcome) => match seen(outcome) {
            Some(value) => format!("{value} (ruling {})", outcome.ruling),
            None => format!("by ruling {}", outcome.ruling),
        },
        Came::Along => "by the same look at this slot".to_owned(),
        Came::Open(_, grounds) => {
            let grounds: Vec<String> = grounds.iter().map(|ground| ground.name().replace('_', " ")).collect();
            let because =
                if grounds.is_empty() { "another pair of the slot".to_owned() } else { grounds.join(", ") };
            format!("what was seen is entered; {because}")
        }
        Came::Failed(why) => shown(why),
        Came::NotLooked => "stopped before it was looked at".to_owned(),
    }
}

/// The line that is read, whole.
fn detail(look: Option<&Look>, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let text = look
        .map(|look| format!("{}: {}", shown(&format!("{} of {}", look.attribute, look.subject)), came(&look.came)));
    let text = text.unwrap_or_default();
    let mut lines: Vec<Line<'static>> = textwrap::wrap(&text, inside.saturating_sub(3).max(4))
        .into_iter()
        .take(DETAIL)
        .map(|line| Line::styled(format!("  {line}"), theme.dim))
        .collect();
    lines.resize(DETAIL, Line::default());
    lines
}

fn last(model: &Model, told: &Told, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let [down, up, back] = [Command::Move(Moving::Down), Command::Move(Moving::Up), Command::Common(Common::Back)]
        .map(|command| model.key(command));
    let move_keys = format!("{down} {up}");
    let mark = model.key(Command::Mark(Marking::One));
    let left = told.left();
    let keeps = match (told.keeps, left) {
        (true, 1) => "the one that is left stays marked".to_owned(),
        (true, many) => format!("the {} that are left stay marked", thousands(many as u64)),
        (false, 1) => "keep a mark on the one that is left".to_owned(),
        (false, many) => format!("keep marks on the {} that are left", thousands(many as u64)),
    };
    let undo = model.key(Common::Undo);
    let mut listed = vec![(back.as_str(), "go on"), (move_keys.as_str(), "read")];
    if told.looks.iter().any(|look| look.outcome().is_some()) {
        listed.push((undo.as_str(), "undo"));
    }
    if left > 0 {
        listed.insert(1, (mark.as_str(), keeps.as_str()));
    }
    folded(&listed, inside, theme)
}
