//! The lane of sentences in no slot, and what a reading of one would do.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::popup::{self, keys, wrapped};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::Model;
use crate::app::asks::slotting::{Came, Sentence};
use crate::app::keymap::{Command, Common, Looking};
use crate::app::slotting::{MOST, Slotting, Tried};

const WIDTH: u16 = 108;
const TITLE: &str = "Sentences in no slot";

/// Draws it.
pub(super) fn draw(model: &Model, lane: &Slotting, theme: &Theme, frame: &mut Frame<'_>) {
    match (&lane.tried, &lane.form) {
        (Some(tried), _) => draw_tried(model, tried, theme, frame),
        (None, Some(form)) => super::form::draw(form, None, theme, frame),
        (None, None) => draw_list(model, lane, theme, frame),
    }
}

fn draw_list(model: &Model, lane: &Slotting, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let Some(sentences) = &lane.sentences else {
        popup::draw(frame, theme, TITLE, vec![Line::from(" looking for them …")], WIDTH, 0);
        return;
    };
    let title = match sentences.len() {
        MOST.. => format!("{TITLE}: the first {}", thousands(MOST as u64)),
        many => format!("{TITLE}: {}", thousands(many as u64)),
    };
    let mut lines = Vec::new();
    if sentences.is_empty() {
        lines = wrapped("there is none: whatever came in is in a slot, or was read into one", inside);
    }
    let rows = sentences.len().min(usize::from(frame.area().height).saturating_sub(7).max(1));
    let first = lane.at.saturating_sub(rows / 2).min(sentences.len().saturating_sub(rows));
    for (at, sentence) in sentences.iter().enumerate().skip(first).take(rows) {
        lines.push(row(sentence, at == lane.at, inside, theme));
    }
    lines.push(Line::default());
    let [read, back] = [Command::Look(Looking::Full), Command::Common(Common::Back)].map(|it| model.key(it));
    let mut listed = vec![(back.as_str(), "back")];
    if lane.current().is_some() {
        listed.insert(0, (read.as_str(), "read it into a slot"));
    }
    lines.push(keys(&listed, theme));
    popup::draw(frame, theme, &title, lines, WIDTH, 0);
}

fn row(sentence: &Sentence, selected: bool, inside: usize, theme: &Theme) -> Line<'static> {
    let subject = (inside / 4).min(24);
    let kind = if inside < 70 { 0 } else { 14 };
    let text = inside.saturating_sub(subject + kind + 5);
    let style = |plain| if selected { theme.selected } else { plain };
    let said = pad(&shown(&sentence.text), text);
    Line::from(vec![
        Span::styled(if selected { "▸ " } else { "  " }, style(theme.text)),
        Span::styled(format!("{} ", pad(&shown(&sentence.subject), subject)), style(theme.dim)),
        Span::styled(format!("{said} "), style(theme.strong)),
        Span::styled(pad(&shown(sentence.kind.as_deref().unwrap_or_default()), kind), style(theme.dim)),
    ])
}

fn draw_tried(model: &Model, tried: &Tried, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let reading = &tried.reading;
    let mut lines = wrapped(&format!("{} is {}", reading.attribute, reading.value), inside);
    lines.push(Line::default());
    match &tried.came {
        None => lines.push(Line::styled(computing(model), theme.dim)),
        Some(came) => lines.extend(told(came, inside, theme)),
    }
    lines.push(Line::default());
    lines.push(keys(&[("y", "write it"), ("Esc", "back to the fields, nothing is written yet")], theme));
    popup::draw(frame, theme, "Read a sentence into a slot", lines, WIDTH, 0);
}

fn computing(model: &Model) -> String {
    let progress = model.working.as_ref().and_then(|working| working.progress);
    let far = progress.map(|(done, _)| format!(" {} sentences", thousands(done))).unwrap_or_default();
    format!(" trying it on the sentences …{far}")
}

/// What it would do.
fn told(came: &Came, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(form) = &came.form {
        let others = match came.others {
            0 => "no other sentence".to_owned(),
            1 => "1 other sentence".to_owned(),
            many => format!("{} other sentences", thousands(many)),
        };
        lines.extend(wrapped(&format!("the rule {form} reads {others}"), inside));
        for [subject, sentence, value] in &came.examples {
            let text = format!("   {}: {} → {}", shown(subject), shown(sentence), shown(value));
            lines.push(Line::styled(fit(&text, inside), theme.dim));
        }
    }
    let landed: Vec<String> =
        came.outcomes.iter().map(|(outcome, many)| format!("{} {outcome}", thousands(*many))).collect();
    let pairs = format!(
        "{} · {} opened · {} closed",
        landed.join(", "),
        count(came.pairs_opened),
        thousands(came.pairs_closed)
    );
    lines.extend(wrapped(&pairs, inside).into_iter().map(|line| line.style(theme.strong)));
    lines
}

fn count(pairs: u64) -> String {
    if pairs == 1 { "1 pair".to_owned() } else { format!("{} pairs", thousands(pairs)) }
}
