//! The sample that is audited, in the place of the list: what was said of each ruling, and the tally.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::Columns;
use super::list::{time, whole_line};
use crate::app::Model;
use crate::app::asks::log::Item;
use crate::app::log::sample::Auditing;
use crate::app::log::shape::Shape;
use crate::app::log::words;
use crate::core::audit::Verdict;
use crate::tui::region::region;
use crate::tui::style::Theme;
use crate::tui::text::{counted, fit, pad, pad_left, shown};

/// Draws it, with how it was drawn at the foot.
pub(super) fn draw(
    model: &Model,
    auditing: &Auditing,
    shape: Shape,
    theme: &Theme,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let sample = &auditing.sample;
    let at = if sample.items.is_empty() { 0 } else { auditing.at + 1 };
    let title = Line::from(vec![
        Span::styled(format!(" Audit of {} ", fit(&shown(&sample.reviewer), 24)), theme.title),
        Span::styled(format!("{at} of {} ", sample.items.len()), theme.text),
    ]);
    let room = usize::from(area.width).saturating_sub(title.width() + 4);
    let block = region(theme, title).title(tally(auditing, theme, room).right_aligned());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let height = usize::from(inner.height);
    let mut lines = if shape.names { vec![how(auditing, theme, usize::from(inner.width))] } else { Vec::new() };
    if sample.items.is_empty() {
        let nobody = format!(" {} has made no ruling that decides: Esc goes back", shown(&sample.reviewer));
        lines.push(Line::styled(nobody, theme.text));
    }
    let rows = height.saturating_sub(lines.len()).max(1);
    let last = sample.items.len().saturating_sub(rows);
    let first = auditing.at.saturating_sub(rows / 2).min(last);
    let shown = sample.items.iter().enumerate().skip(first).take(rows);
    lines.extend(shown.map(|(at, item)| row(model, auditing, at, item, theme, usize::from(inner.width))));
    frame.render_widget(Text::from(lines), inner);
}

/// How the sample was drawn: what is needed to draw it again.
fn how(auditing: &Auditing, theme: &Theme, width: usize) -> Line<'static> {
    let (sample, drawn) = (&auditing.sample, &auditing.sample.drawn);
    let tally = &sample.tally;
    let all = match tally.rate() {
        Some(rate) => {
            format!(
                "; all audits of {}: {} of {} agree, {:.0} %",
                shown(&sample.reviewer),
                tally.agree,
                tally.audited(),
                rate * 100.0
            )
        }
        None => String::new(),
    };
    let text = format!(
        "  seed {}, drawn from {} up to {}{all}",
        shown(&drawn.seed),
        counted(sample.of, "ruling"),
        drawn.up_to
    );
    Line::styled(fit(&text, width), theme.dim)
}

/// `12 of 20 said · 11 agree · 1 disagree · 92 %`: the longest way of saying it that there is room for.
fn tally(auditing: &Auditing, theme: &Theme, room: usize) -> Line<'static> {
    let progress = auditing.progress();
    let rate = progress.rate().map(|rate| format!("{rate} % agree")).unwrap_or_default();
    let (done, of) = (progress.done(), progress.of);
    let ways = [
        format!(" {done} of {of} said · {} agree · {} disagree · {rate} ", progress.agree, progress.disagree),
        format!(" {done} of {of} said · {rate} "),
        format!(" {done}/{of} {rate} "),
    ];
    let keys = if auditing.blind { "+ says what you would have ruled" } else { "+ agrees, - disagrees" };
    let none = [format!(" none of {of} said yet: {keys} "), format!(" none of {of} said yet ")];
    let ways: Vec<String> = if done == 0 { none.to_vec() } else { ways.to_vec() };
    let style = if progress.disagree > 0 { theme.alarm } else { theme.strong };
    ways.into_iter()
        .find(|way| way.chars().count() <= room)
        .map_or_else(Line::default, |way| Line::styled(way, style))
}

fn row(model: &Model, auditing: &Auditing, at: usize, item: &Item, theme: &Theme, width: usize) -> Line<'static> {
    const SAID: usize = 9;
    const RULING: usize = 7;
    const KIND: usize = 12;
    let (chosen, hidden) = (at == auditing.at, auditing.hides_of(at));
    let event = &item.event;
    let (said, style) = match item.said.as_ref().map(|audit| audit.verdict) {
        Some(Verdict::Agree) => ("agree", theme.good),
        Some(Verdict::Disagree) => ("DISAGREE", theme.bad),
        None => ("·", theme.dim),
    };
    let columns = Columns::of(model.size.width);
    let kind = if hidden { "hidden".to_owned() } else { shown(&event.kind) };
    let changed = if hidden { String::new() } else { shown(&words::changed(event)) };
    let when = match columns {
        Columns::All => time(event.at, "%Y-%m-%d %H:%M  "),
        Columns::Some | Columns::Few => String::new(),
    };
    let fixed = 2 + SAID + RULING + 2 + when.len() + KIND + 1;
    let room = width.saturating_sub(fixed);
    let slot = if columns == Columns::Few { room } else { room.div_ceil(2).min(36) };
    let spans = vec![
        Span::styled(if chosen { "▸ " } else { "  " }, theme.text),
        Span::styled(pad(said, SAID), style),
        Span::styled(format!("{}  ", pad_left(&item.ruling.to_string(), RULING)), theme.text),
        Span::styled(when, theme.dim),
        Span::styled(
            format!("{} ", pad(&kind, KIND)),
            if event.kind == "override" && !hidden { theme.alarm } else { theme.text },
        ),
        Span::styled(pad(&shown(&words::about(event)), slot), theme.text),
        Span::styled(format!(" {}", fit(&changed, room.saturating_sub(slot + 1))), theme.text),
    ];
    whole_line(spans, chosen, theme, width)
}
