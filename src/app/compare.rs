//! Two records, line by line: what stands beside what, and how the two relate. Built once when a pair comes.

use chrono::Duration;
use similar::{ChangeTag, TextDiff};

use super::evidence::Piece;
use super::looks;
use super::spell::{ago, moment, span, when};
use crate::core::examine::{Condition, Detail, Side, State};
use crate::core::pair::{JudgedRecord, Pair, Shared, Tally};
use crate::core::record::Lack;
use crate::core::text::{reveal, shown_value};
use crate::core::time::{Instant, When};

/// One line of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: Name,
    pub sides: [Cell; 2],
    pub relation: Relation,
}

/// What a line is about, in the order in which the lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Value,
    /// What the eye does not tell apart, or a terminal may show in another order.
    Looks,
    Subject,
    /// On what else the two names agree, and on what not.
    Shared,
    /// Kind and class together.
    Source,
    Kind,
    Class,
    From,
    TrueAt,
    WrittenAt,
    Lag,
    Epoch,
    Confidence,
    WonLost,
    State,
}

/// What one record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub pieces: Vec<Piece>,
    /// Shown behind it where there is room: an age, a class.
    pub beside: String,
    /// It lacks this; the words say so.
    pub missing: bool,
}

/// How the left stands to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Same,
    Differs,
    Less,
    Greater,
    /// One or both lack it, or it cannot be.
    Alarm,
    /// Nothing is said of how they relate.
    Silent,
}

/// Written this long after it was observed, a record is a backfill: the trap that the write order sets.
const LATE: Duration = Duration::days(1);

/// Every line that is shown of a pair. Blind, all that could sway an audit is left out.
pub fn rows(pair: &Pair, blind: bool, now: Instant) -> Vec<Row> {
    let sides = [&pair.left, &pair.right];
    let subjects = sides.map(|side| side.record.subject.as_str());
    let mut rows = vec![value(pair)];
    rows.extend(looks::told(pair).map(looks));
    if subjects[0] != subjects[1] {
        rows.push(words(Name::Subject, subjects.map(|subject| Some(subject.to_owned()))));
    }
    rows.extend(shared(pair));
    rows.push(words(Name::Kind, sides.map(|side| side.record.kind().map(ToString::to_string))));
    let class = class(pair);
    rows.push(source(pair, &class));
    rows.push(class);
    rows.push(words(Name::From, sides.map(|side| Some(origin(side)))));
    rows.push(true_at(pair, now));
    rows.push(written_at(pair, now));
    rows.push(lag(pair));
    rows.push(epoch(pair));
    if !blind {
        rows.push(confidence(pair));
        rows.push(tallies(pair.tallies));
    }
    rows.push(words(Name::State, sides.map(|side| Some(became(side)))));
    rows
}

/// Two texts with the words in which they differ marked; two that have little in common are left plain.
pub fn word_marks(left: &str, right: &str) -> [Vec<Piece>; 2] {
    /// Comparing more than this takes longer than a frame.
    const LONGEST: usize = 4_000;
    /// Below this likeness every word would be marked.
    const ALIKE: f32 = 0.35;
    /// So few words are taken in at a glance: marked, they stand out.
    const FEW: usize = 6;
    let whole = |text: &str, marked| vec![Piece { text: text.to_owned(), marked }];
    if left == right {
        return [whole(left, false), whole(right, false)];
    }
    if left.len().max(right.len()) > LONGEST {
        return [whole(left, false), whole(right, false)];
    }
    let diff = TextDiff::from_unicode_words(left, right);
    if diff.ratio() < ALIKE {
        let few = left.split_whitespace().count().max(right.split_whitespace().count()) <= FEW;
        return [whole(left, few), whole(right, few)];
    }
    let mut sides: [Vec<Piece>; 2] = [Vec::new(), Vec::new()];
    for change in diff.iter_all_changes() {
        let piece = |marked| Piece { text: change.value().to_owned(), marked };
        match change.tag() {
            ChangeTag::Equal => {
                sides[0].push(piece(false));
                sides[1].push(piece(false));
            }
            ChangeTag::Delete => sides[0].push(piece(true)),
            ChangeTag::Insert => sides[1].push(piece(true)),
        }
    }
    sides
}

fn value(pair: &Pair) -> Row {
    let [left, right] = [&pair.left, &pair.right].map(|side| shown_value(&side.record.value));
    let same = pair.left.record.key(&pair.rules) == pair.right.record.key(&pair.rules);
    let [a, b] = word_marks(&left, &right);
    let sides = [(a, &pair.left), (b, &pair.right)].map(|(pieces, side)| {
        let beside = if side.record.is_retraction() { "taken back" } else { "" };
        Cell { pieces, beside: beside.to_owned(), missing: false }
    });
    let opposed = pair.left.record.op != pair.right.record.op;
    Row { name: Name::Value, sides, relation: if same && !opposed { Relation::Same } else { Relation::Differs } }
}

/// What the eye does not tell apart, in words.
fn looks(told: [String; 2]) -> Row {
    let cell =
        |said: String| Cell { missing: !said.is_empty(), ..plain(if said.is_empty() { "–" } else { &said }) };
    Row { name: Name::Looks, sides: told.map(cell), relation: Relation::Alarm }
}

/// On what else two names that are in doubt agree, at the left, and on what they differ, at the right.
fn shared(pair: &Pair) -> Option<Row> {
    if pair.shared.is_empty() {
        return None;
    }
    let (same, other): (Vec<&Shared>, Vec<&Shared>) = pair.shared.iter().partition(|it| it.agrees);
    let agree: Vec<String> = same.iter().map(|it| it.attribute.to_string()).collect();
    let differ = other.iter().map(|it| {
        let [left, right] = it.values.each_ref().map(crate::core::value::plain);
        format!("{} ({left} ≠ {right})", it.attribute)
    });
    let differ: Vec<String> = differ.collect();
    let told = |what: &str, on: &[String]| match on.len() {
        0 => format!("{what} on nothing else"),
        many => format!("{what} on {many}: {}", on.join(", ")),
    };
    let relation = if differ.is_empty() { Relation::Same } else { Relation::Differs };
    Some(Row {
        name: Name::Shared,
        sides: [plain(&told("agree", &agree)), plain(&told("differ", &differ))],
        relation,
    })
}

fn words(name: Name, texts: [Option<String>; 2]) -> Row {
    let relation = match &texts {
        [Some(left), Some(right)] if left == right => Relation::Same,
        [Some(_), Some(_)] => Relation::Differs,
        [None, _] | [_, None] => Relation::Alarm,
    };
    Row { name, sides: texts.map(|text| text.map_or_else(missing, |text| plain(&text))), relation }
}

fn class(pair: &Pair) -> Row {
    let ranks = [&pair.left, &pair.right].map(|side| pair.rules.rank(&side.record));
    let sides = [&pair.left, &pair.right].map(|side| {
        let rank = pair.rules.rank(&side.record);
        let owns = rank.is_some_and(|rank| rank.0 == 0);
        let mut cell = match (side.class, owns) {
            (_, true) => plain("system of record"),
            (Some(class), false) => plain(class.name()),
            (None, false) => Cell { missing: true, ..plain("no class") },
        };
        cell.beside = match rank {
            Some(rank) => format!("rank {rank}"),
            None => "no rank here".to_owned(),
        };
        cell
    });
    // The smaller rank is the more authoritative: the open side of the sign points at the one that stands above.
    let relation = match ranks {
        [Some(left), Some(right)] => match left.cmp(&right) {
            std::cmp::Ordering::Less => Relation::Greater,
            std::cmp::Ordering::Equal => Relation::Same,
            std::cmp::Ordering::Greater => Relation::Less,
        },
        [None, _] | [_, None] => Relation::Alarm,
    };
    Row { name: Name::Class, sides, relation }
}

/// Kind, class and rank on one line, for where there is no room for two.
fn source(pair: &Pair, class: &Row) -> Row {
    let kinds = [&pair.left, &pair.right].map(|side| side.record.kind().map(ToString::to_string));
    let row = words(Name::Source, kinds);
    let mut sides = row.sides;
    for (cell, class) in sides.iter_mut().zip(&class.sides) {
        let named: String = class.pieces.iter().map(|piece| piece.text.as_str()).collect();
        cell.beside = format!("{named}, {}", class.beside);
    }
    Row { name: Name::Source, sides, relation: class.relation }
}

fn true_at(pair: &Pair, now: Instant) -> Row {
    let times = [&pair.left, &pair.right].map(|side| side.record.observed_at);
    let impossible = [&pair.left, &pair.right].map(|side| side.record.lacks().contains(&Lack::Possible));
    let mut sides = times.map(|time| time.map_or_else(missing, |time| plain(&when(time))));
    for ((cell, time), impossible) in sides.iter_mut().zip(times).zip(impossible) {
        let age = time.map(|time| ago(time.first(), now)).unwrap_or_default();
        cell.beside = if impossible { "after it was written".to_owned() } else { age };
    }
    let relation = match times {
        [Some(left), Some(right)] if impossible == [false, false] => order(left, right),
        _ => Relation::Alarm,
    };
    Row { name: Name::TrueAt, sides, relation }
}

fn order(left: When, right: When) -> Relation {
    if left.certainly_before(right) {
        Relation::Less
    } else if right.certainly_before(left) {
        Relation::Greater
    } else {
        Relation::Same
    }
}

fn written_at(pair: &Pair, now: Instant) -> Row {
    let times = [&pair.left, &pair.right].map(|side| side.record.written_at);
    let sides = times.map(|time| Cell { beside: ago(time, now), ..plain(&moment(time)) });
    Row { name: Name::WrittenAt, sides, relation: order(When::At(times[0]), When::At(times[1])) }
}

fn lag(pair: &Pair) -> Row {
    let lags = [&pair.left, &pair.right].map(lag_of);
    let sides = lags.map(|lag| match lag {
        Some(lag) if lag < Duration::zero() => plain(&format!("written {} early", span(-lag))),
        Some(lag) if lag >= LATE => {
            Cell { beside: "backfill".to_owned(), ..plain(&format!("written {} late", span(lag))) }
        }
        Some(lag) => plain(&format!("written {} later", span(lag))),
        None => Cell { missing: true, ..plain("not known") },
    });
    let relation = match lags {
        [Some(left), Some(right)] if left < LATE && right < LATE => Relation::Silent,
        [Some(_), Some(_)] | [None, _] | [_, None] => Relation::Alarm,
    };
    Row { name: Name::Lag, sides, relation }
}

/// How long after it was observed a record was written.
pub fn lag_of(side: &JudgedRecord) -> Option<Duration> {
    let observed = side.record.observed_at?;
    let written = side.record.written_at;
    // Within the span that the source named there is no lag to speak of.
    Some(if observed.first() <= written && written <= observed.last() {
        Duration::zero()
    } else if written < observed.first() {
        written.since(observed.first())
    } else {
        written.since(observed.last())
    })
}

fn epoch(pair: &Pair) -> Row {
    let epochs = [&pair.left, &pair.right].map(|side| side.record.epoch);
    let relation = match epochs {
        [Some(left), Some(right)] if left == right => Relation::Same,
        [Some(left), Some(right)] if left < right => Relation::Less,
        [Some(_), Some(_)] => Relation::Greater,
        [None, _] | [_, None] => Relation::Alarm,
    };
    let mut sides = epochs.map(|epoch| epoch.map_or_else(missing, |e| plain(&e.to_string())));
    // What was over when it was observed is no epoch to go by.
    let over = [&pair.left, &pair.right].map(|side| Lack::over(&side.lacks));
    for ((cell, opening), epoch) in sides.iter_mut().zip(over).zip(epochs) {
        let cause = epoch.filter(|_| epochs[0] != epochs[1]).and_then(|epoch| pair.known.cause(epoch));
        let over = opening.map(|it| format!("over: {} holds", it.epoch));
        cell.beside = over.or_else(|| cause.map(brief)).unwrap_or_default();
    }
    let relation = if over == [None, None] { relation } else { Relation::Alarm };
    Row { name: Name::Epoch, sides, relation }
}

/// The beginning of a text that somebody wrote, as it may be shown.
fn brief(text: &str) -> String {
    const MOST: usize = 24;
    let shown = reveal(text);
    if shown.chars().count() <= MOST {
        shown.into_owned()
    } else {
        shown.chars().take(MOST - 1).chain(['…']).collect()
    }
}

fn confidence(pair: &Pair) -> Row {
    let stated = [&pair.left, &pair.right].map(|side| side.record.confidence);
    let relation = match stated {
        [Some(left), Some(right)] if left < right => Relation::Less,
        [Some(left), Some(right)] if left > right => Relation::Greater,
        [Some(_), Some(_)] => Relation::Same,
        [None, _] | [_, None] => Relation::Silent,
    };
    let sides = stated.map(|stated| match stated {
        Some(stated) => Cell { beside: "decides nothing".to_owned(), ..plain(&format!("{stated:.2}")) },
        None => Cell { missing: true, ..plain("not stated") },
    });
    Row { name: Name::Confidence, sides, relation }
}

fn tallies(tallies: [Tally; 2]) -> Row {
    let sides = tallies.map(|Tally { won, lost }| match won + lost {
        0 => plain("never ruled on here"),
        _ => plain(&format!("{won} won, {lost} lost")),
    });
    Row { name: Name::WonLost, sides, relation: Relation::Silent }
}

fn became(side: &JudgedRecord) -> String {
    let state = side.state.map_or("unslotted", crate::core::pair::RecordState::name);
    match &side.superseded_by {
        Some(by) => format!("{state} by {by}"),
        None => state.to_owned(),
    }
}

fn origin(side: &JudgedRecord) -> String {
    let fields = side.record.source.iter().flat_map(|source| &source.fields);
    let told = fields
        .filter(|(name, value)| !["kind", "class", "batch"].contains(&name.as_str()) && !value.is_null())
        .map(|(name, value)| format!("{name} {}", crate::core::value::plain(value)));
    std::iter::once(format!("batch {}", side.record.batch)).chain(told).collect::<Vec<_>>().join(", ")
}

fn plain(text: &str) -> Cell {
    let pieces = vec![Piece { text: reveal(text).into_owned(), marked: false }];
    Cell { pieces, beside: String::new(), missing: false }
}

fn missing() -> Cell {
    Cell { missing: true, ..plain("missing") }
}

/// What the times of a pair say of the order in which it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Written in the order in which the two were true.
    Straight,
    /// Written the other way round: the one written last is the older truth.
    Crossed { late: Side },
    /// A time is missing, or they overlap.
    Unknown,
}

/// Whether the write order lies.
pub fn crossing(pair: &Pair) -> Crossing {
    let later = crate::core::examine::later(&pair.left.record, &pair.right.record);
    let (left, right) = (pair.left.record.written_at, pair.right.record.written_at);
    let written_last = match left.cmp(&right) {
        std::cmp::Ordering::Less => Side::Right,
        std::cmp::Ordering::Greater => Side::Left,
        std::cmp::Ordering::Equal => return Crossing::Unknown,
    };
    match later {
        Some(later) if later == written_last => Crossing::Straight,
        Some(_) => Crossing::Crossed { late: written_last },
        None => Crossing::Unknown,
    }
}

/// The first condition that failed, where one did.
pub fn first_failure(pair: &Pair) -> Option<(Condition, &Detail)> {
    pair.examination
        .checklist
        .iter()
        .find(|check| check.state == State::Failed)
        .map(|check| (check.condition, &check.detail))
}

impl Name {
    /// Whether it stays on one line however long it is, and is scrolled sideways.
    pub const fn is_scrolled(self) -> bool {
        matches!(self, Self::Value | Self::From)
    }

    /// Whether it is of what a record must carry to win.
    pub const fn is_provenance(self) -> bool {
        matches!(self, Self::Source | Self::Kind | Self::TrueAt | Self::Epoch)
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Looks => "looks alike",
            Self::Shared => "both names",
            Self::Subject => "subject",
            Self::Source => "source",
            Self::Kind => "kind",
            Self::Class => "class",
            Self::From => "from",
            Self::TrueAt => "true at",
            Self::WrittenAt => "written at",
            Self::Lag => "lag",
            Self::Epoch => "epoch",
            Self::Confidence => "confidence",
            Self::WonLost => "won / lost",
            Self::State => "state",
        }
    }
}

impl Relation {
    /// Its sign in the gutter.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Same => "=",
            Self::Differs => "≠",
            Self::Less => "<",
            Self::Greater => ">",
            Self::Alarm => "!",
            Self::Silent => " ",
        }
    }
}
