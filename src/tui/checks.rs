//! The checklist in the core's words, and the finding. Folded: a line of marks, then the first failure in words.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::region::region;
use super::style::Theme;
use super::text::{fit, pad, shown};
use super::{pair as records, time};
use crate::app::Model;
use crate::app::compare::first_failure;
use crate::app::keymap::{Command, Looking};
use crate::app::spell::span;
use crate::core::answer::FellShort;
use crate::core::examine::{Basis, Check, Condition, Finding, Ground, State};
use crate::core::pair::{Pair, PairState, Requested};

/// Draws the whole list where there is room for it, else the folded one.
pub(super) fn draw(model: &Model, pair: &Pair, lines: u16, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let whole = usize::from(lines) > pair.examination.checklist.len();
    let (met, failed) = (count(pair, State::Met), count(pair, State::Failed));
    let mut title = format!(" Checks: {met} of {} met, {failed} failed ", pair.examination.checklist.len());
    if let Some(crossed) = time::brief(pair).filter(|_| !whole) {
        let room = usize::from(area.width).saturating_sub(4);
        let told = [crossed.as_str(), "CROSSED in time", "CROSSED"].map(|words| format!("{title}· {words} "));
        title = told.into_iter().find(|told| told.chars().count() <= room).unwrap_or(title);
    }
    let block = region(theme, Line::styled(records::titled(&title, area), theme.title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let wide = usize::from(inner.width);
    let mut text =
        if whole { list(model, pair, theme, wide) } else { folded(pair, theme, wide, usize::from(lines)) };
    text.push(finding(model, pair, theme, wide));
    frame.render_widget(Text::from(text), inner);
}

fn count(pair: &Pair, state: State) -> usize {
    pair.examination.checklist.iter().filter(|check| check.state == state).count()
}

/// Every condition in the core's words.
pub(super) fn list(model: &Model, pair: &Pair, theme: &Theme, wide: usize) -> Vec<Line<'static>> {
    let line = |(number, check): (usize, &Check)| {
        let hidden = model.triage.blind && check.condition == Condition::Confidence;
        let detail = if hidden { "hidden".to_owned() } else { shown(&check.detail.to_string()) };
        let style = if check.state == State::NotApplicable { theme.dim } else { theme.text };
        Line::from(vec![
            Span::styled(format!(" {} ", number + 1), theme.dim),
            Span::styled(pad(word(check.state), 5), theme.state(check.state)),
            Span::styled(
                pad(check.condition.name(), 12),
                if check.state == State::Failed { theme.strong } else { style },
            ),
            Span::styled(fit(&detail, wide.saturating_sub(20)), style),
        ])
    };
    pair.examination.checklist.iter().enumerate().map(line).collect()
}

fn folded(pair: &Pair, theme: &Theme, wide: usize, lines: usize) -> Vec<Line<'static>> {
    let mut text = if lines >= 3 && wide >= MARKS { marks(pair, theme) } else { Vec::new() };
    let failure = match first_failure(pair) {
        Some((condition, detail)) => Line::from(vec![
            Span::styled(" FAIL ", theme.bad),
            Span::styled(
                fit(&format!("{}: {}", condition.name(), shown(&detail.to_string())), wide.saturating_sub(7)),
                theme.text,
            ),
        ]),
        None => Line::styled(" every condition that applies is met", theme.dim),
    };
    text.push(failure);
    text
}

/// The marks of all conditions take this much; on a narrower screen the title counts them.
const MARKS: usize = 74;

/// `ok subject  FAIL prov  n/a epoch …`
fn marks(pair: &Pair, theme: &Theme) -> Vec<Line<'static>> {
    let marks = pair.examination.checklist.iter().flat_map(|check| {
        let style = if check.state == State::NotApplicable { theme.dim } else { theme.text };
        [
            Span::styled(format!(" {} ", word(check.state)), theme.state(check.state)),
            Span::styled(format!("{} ", brief(check.condition)), style),
        ]
    });
    vec![Line::from(marks.collect::<Vec<_>>())]
}

/// How many lines the folded list takes, the finding not counted.
pub(super) const fn folded_lines(inner: u16) -> u16 {
    if inner as usize >= MARKS { 2 } else { 1 }
}

/// What the core finds, in a line.
pub(super) fn finding(model: &Model, pair: &Pair, theme: &Theme, wide: usize) -> Line<'static> {
    if model.triage.blind {
        let shows = model.key(Command::Look(Looking::Blind));
        return Line::styled(format!(" the finding is hidden: judge for yourself, {shows} shows it"), theme.dim);
    }
    let (word, said) = match &pair.examination.finding {
        _ if pair.entry.state == PairState::Settled => (" SETTLED ", settled(pair)),
        Finding::Quarantine(grounds) => {
            let grounds: Vec<&str> = all_grounds(grounds, &pair.entry.grounds);
            (" QUARANTINE ", format!("no winner may be picked: {}", grounds.join(", ")))
        }
        Finding::Agree => (" AGREE ", "one value, or one refines the other: no contradiction".to_owned()),
        Finding::Coexist => (" COEXIST ", "both values hold".to_owned()),
        Finding::Resolve { winner, basis } => {
            let by = match basis {
                Basis::Authority => "it stands higher in authority",
                Basis::Recency => "equal in authority, and the later one",
                Basis::Accept => "a reviewer's ruling",
            };
            (" RESOLVE ", format!("{} would win: {by}; held because it is disputed", winner.of("A", "B")))
        }
    };
    let (word, said) = match (&pair.request, pair.entry.state) {
        (Some(request), PairState::Awaiting) => (" AWAITING ", awaits(model, pair, request)),
        (Some(_) | None, _) => (word, said),
    };
    let waits = match (pair.entry.state, pair.entry.deferred_until) {
        (PairState::Deferred, Some(until)) => format!("; deferred until {until}"),
        (PairState::Deferred | PairState::Open | PairState::Awaiting | PairState::Settled, _) => String::new(),
    };
    Line::from(vec![
        Span::styled(word, theme.alarm),
        Span::styled(fit(&format!("{said}{waits}"), wide.saturating_sub(word.len() + 1)), theme.text),
    ])
}

/// Who asked for another look, how long ago, and whether anything came of it.
fn awaits(model: &Model, pair: &Pair, request: &Requested) -> String {
    let asked = format!("{} asked for a look {} ago", shown(&request.by), span(model.now.since(request.at)));
    match pair.fell_short.as_slice() {
        [] => format!("{asked} (request {}); nothing has come", request.request),
        [one] => {
            format!("{asked}; {} settled nothing: {}", shown(one.record.as_str()), shown(&one.why.to_string()))
        }
        several => format!("{asked}; {} answers settled nothing", several.len()),
    }
}

/// Each answer that settled nothing, with the reason whole: for the screen that has room for it.
pub(super) fn fell_short(pair: &Pair, theme: &Theme, wide: usize) -> Vec<Line<'static>> {
    let told = |short: &FellShort| shown(&format!("{} settled nothing: {}", short.record, short.why));
    let wrapped = |text: String| {
        let lines = textwrap::wrap(&text, wide.saturating_sub(2).max(8)).into_iter();
        lines.map(|line| Line::styled(format!(" {line}"), theme.text)).collect::<Vec<_>>()
    };
    pair.fell_short.iter().map(told).flat_map(wrapped).collect()
}

fn settled(pair: &Pair) -> String {
    match &pair.ruled {
        Some(ruled) => format!("{} by {}, ruling {}", shown(&ruled.what), shown(&ruled.by), ruled.ruling),
        None => "by the core".to_owned(),
    }
}

/// The grounds of the pair, with those that the finding adds.
fn all_grounds(found: &[Ground], held: &[Ground]) -> Vec<&'static str> {
    let added = found.iter().filter(|ground| !held.contains(ground));
    held.iter().chain(added).map(|ground| ground.name()).collect()
}

const fn word(state: State) -> &'static str {
    match state {
        State::Met => "ok",
        State::Failed => "FAIL",
        State::NotApplicable => "n/a",
    }
}

pub(super) const fn brief(condition: Condition) -> &'static str {
    match condition {
        Condition::Subject => "subject",
        Condition::Provenance => "prov.",
        Condition::Epoch => "epoch",
        Condition::Cardinality => "card.",
        Condition::Authority => "auth.",
        Condition::Order => "order",
        Condition::Confidence => "conf.",
    }
}
