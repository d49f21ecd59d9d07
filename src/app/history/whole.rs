//! A line of the list on the whole screen: every field, the evidence wrapped, the links in words. Laid out when it comes
//! and when the width changes, so that a frame only cuts a slice out of it.

use super::super::asks::history::{Line, RulingLine, Whole};
use super::super::evidence::{self, Piece};
use super::super::spell::{ago, moment, span, when};
use super::words;
use crate::core::epoch::Opening;
use crate::core::pair::RecordState;
use crate::core::record::{Lack, Record};
use crate::core::text::{reveal, shown_value};
use crate::core::time::Instant;

/// Cells of the column of names.
pub const NAMES: u16 = 14;

/// What is shown, laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub title: String,
    /// Lines by which it is scrolled.
    pub down: usize,
    /// Each line with its name; a name stands only where its text begins. Revealed, ready to be drawn.
    pub lines: Vec<(&'static str, Vec<Piece>)>,
    fields: Vec<Field>,
}

/// A field, not yet on lines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: &'static str,
    text: String,
    /// Found in it, it is marked.
    value: Option<String>,
    alarm: bool,
}

impl Shown {
    /// A record.
    pub fn record(whole: &Whole, width: u16, now: Instant) -> Self {
        let title = format!("Record {}", reveal(whole.judged.record.id.as_str()));
        Self::new(title, record(whole, now), width)
    }

    /// A line that is no record: all of it is in the list already.
    pub fn line(line: &Line, width: u16, now: Instant) -> Option<Self> {
        match line {
            Line::Record(_) | Line::Undated { .. } => None,
            Line::Ruling(line) => Some(Self::new(format!("Ruling {}", line.ruling), ruling(line, now), width)),
            Line::Epoch { epoch, first_observed_at, cause, opened } => {
                let opened = opened.as_ref().map(|(since, by)| format!("{}, said {by}", moment(*since)));
                let fields = vec![
                    field("epoch", epoch.to_string()),
                    field("first seen", when(*first_observed_at)),
                    field("opened", opened.unwrap_or_else(|| "nobody has said since when it holds".to_owned())),
                    field("cause", cause.clone().unwrap_or_else(|| "nobody has named it yet".to_owned())),
                    field("means", MEANS.to_owned()),
                ];
                Some(Self::new(format!("Epoch {epoch}"), fields, width))
            }
        }
    }

    fn new(title: String, fields: Vec<Field>, width: u16) -> Self {
        let mut shown = Self { title, down: 0, lines: Vec::new(), fields };
        shown.lay_out(width);
        shown
    }

    /// Breaks the fields into lines for a screen of this width.
    pub fn lay_out(&mut self, width: u16) {
        let room = width.saturating_sub(NAMES + 4).max(8);
        self.lines.clear();
        for field in &self.fields {
            let mut wrapped = evidence::wrap(&field.text, field.value.as_deref().unwrap_or(""), Some(room)).lines;
            if field.alarm {
                wrapped.iter_mut().flatten().for_each(|piece| piece.marked = true);
            }
            let names = std::iter::once(field.name).chain(std::iter::repeat(""));
            self.lines.extend(names.zip(wrapped));
        }
        self.down = self.down.min(self.last());
    }

    /// Scrolls by so many lines.
    pub fn scroll(&mut self, by: i64) {
        let by = isize::try_from(by).unwrap_or(if by < 0 { isize::MIN } else { isize::MAX });
        self.down = self.down.saturating_add_signed(by).min(self.last());
    }

    const fn last(&self) -> usize {
        self.lines.len().saturating_sub(1)
    }
}

const MEANS: &str = "The world changed here: a deploy, a changed configuration, a rewritten file. What was observed \
     before it and what was observed after it may both be right, so neither wins over the other; only a look at the \
     world as it is now settles them.";

fn field(name: &'static str, text: String) -> Field {
    Field { name, text, value: None, alarm: false }
}

fn missing(name: &'static str) -> Field {
    Field { alarm: true, ..field(name, "missing".to_owned()) }
}

fn or_missing(name: &'static str, text: Option<String>) -> Field {
    text.map_or_else(|| missing(name), |text| field(name, text))
}

fn record(whole: &Whole, now: Instant) -> Vec<Field> {
    let (judged, record) = (&whole.judged, &whole.judged.record);
    let value = shown_value(&record.value);
    let said = if record.is_retraction() { format!("{value}   taken back") } else { value.clone() };
    let class = judged.class.map_or("class not known", |class| class.name());
    let mut fields = vec![
        field("value", said),
        field("subject", record.subject.to_string()),
        or_missing("attribute", record.attribute.as_ref().map(ToString::to_string)),
        state(whole),
        or_missing("kind", record.kind().map(|kind| format!("{kind}   {class}"))),
    ];
    fields.extend(source(record));
    fields.push(or_missing(
        "true at",
        record.observed_at.map(|at| format!("{}   {}", when(at), ago(at.first(), now))),
    ));
    let written = record.written_at;
    fields.push(field("written at", format!("{}   {}", moment(written), ago(written, now))));
    fields.extend(lag(record));
    fields.push(field("recorded at", moment(record.recorded_at)));
    fields.push(match Lack::over(&judged.lacks) {
        Some(over) => Field { alarm: true, ..field("epoch", epoch_over(record, over)) },
        None => or_missing("epoch", record.epoch.map(|epoch| epoch.to_string())),
    });
    let confidence = record.confidence.map(|confidence| format!("{confidence:.2}   an order, never a probability"));
    fields.push(field("confidence", confidence.unwrap_or_else(|| "none given".to_owned())));
    fields.push(field("batch", record.batch.to_string()));
    fields.extend(record.answers.map(|request| field("answers", format!("request {request}"))));
    fields.extend(record.derived_from.as_ref().map(|from| field("derived from", from.to_string())));
    for (at, link) in whole.links.iter().enumerate() {
        fields.push(field(if at == 0 { "links" } else { "" }, words::link(link)));
    }
    fields.extend((whole.more_links > 0).then(|| field("", format!("and {} more", whole.more_links))));
    fields.push(match &record.evidence {
        Some(evidence) => Field { value: Some(value), ..field("evidence", evidence.clone()) },
        None => missing("evidence"),
    });
    fields
}

fn epoch_over(record: &Record, over: Opening) -> String {
    let named = record.epoch.map(|epoch| epoch.to_string()).unwrap_or_default();
    format!("{named}   was over when it was observed: epoch {} holds since {}", over.epoch, moment(over.since))
}

fn state(whole: &Whole) -> Field {
    let state = whole.judged.state.map_or("compared with nothing", RecordState::name);
    let by = whole.judged.superseded_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
    let pair = whole.open_pair.map(|pair| format!(", in open pair {pair}")).unwrap_or_default();
    field("state", format!("{state}{by}{pair}"))
}

/// Every other key that came with the source.
fn source(record: &Record) -> Vec<Field> {
    let fields = record.source.iter().flat_map(|source| &source.fields);
    let others = fields.filter(|(key, _)| key.as_str() != "kind" && key.as_str() != "class");
    let texts = others.map(|(key, value)| format!("{key}: {}", crate::core::value::plain(value)));
    texts.enumerate().map(|(at, text)| field(if at == 0 { "source" } else { "" }, text)).collect()
}

fn lag(record: &Record) -> Option<Field> {
    let late = record.observed_at?.lag(record.written_at);
    if record.lacks().contains(&Lack::Possible) {
        let text = format!("observed {} after it was written: that cannot be", span(-late));
        return Some(Field { alarm: true, ..field("lag", text) });
    }
    Some(field("lag", format!("written {} late", span(late.max(chrono::Duration::zero())))))
}

fn ruling(line: &RulingLine, now: Instant) -> Vec<Field> {
    let counts = if line.undone { "no: it was undone" } else { "yes" };
    vec![
        field("ruling", line.ruling.to_string()),
        field("kind", line.kind.clone()),
        field("what", line.what.clone()),
        field("who", line.actor.clone()),
        field("when", format!("{}   {}", moment(line.at), ago(line.at, now))),
        field(
            "why",
            line.reason.clone().filter(|why| !why.is_empty()).unwrap_or_else(|| "no reason given".to_owned()),
        ),
        field("pair", line.pair.map_or_else(|| "on no pair".to_owned(), |pair| pair.to_string())),
        field("counts", counts.to_owned()),
    ]
}
