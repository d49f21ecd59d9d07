//! The story of a slot in plain sentences, for an incident report: what it answers, each value with where it comes from
//! and what became of it, how the world changed, who ruled, and what is open.
//!
//! A sentence keeps apart what this program says and what records and people said: whoever sets it for a page can make
//! sure that nothing of the latter acts there.

use chrono::Duration;

use super::examine::Ground;
use super::pair::{JudgedRecord, RecordState};
use super::plural::{count, verb};
use super::record::{Epoch, Lack, RecordId};
use super::ruling::{PairId, RequestId, Ruling, RulingId};
use super::settle::Status;
use super::time::{Instant, When};
use super::value::plain;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words of this program.
    Ours(String),
    /// A value, a name, a text that came from outside.
    Theirs(String),
    /// A value that the sentence is about.
    Value(String),
}

/// Pieces in their order, spaces included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<Piece>);

/// Sentences under a title of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    /// Each with the sentences that belong under it.
    pub items: Vec<(Sentence, Vec<Sentence>)>,
}

/// What is told: a slot as it is, or was believed to be.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// The time of belief, where one was asked for.
    pub believed_at: Option<Instant>,
    pub status: Status,
    /// The answer: the values that live.
    pub values: Vec<String>,
    pub speakers: Vec<RecordId>,
    pub rests_on: Vec<RulingId>,
    pub policy: i64,
    /// When it was last seen to hold, where that is longer ago than the policy allows.
    pub stale_since: Option<Instant>,
    pub records: &'a [JudgedRecord],
    /// The winning or newer record, the other, what links them, and by what it won.
    pub edges: Vec<Link<'a>>,
    pub epochs: Vec<(Epoch, When, Option<String>)>,
    pub rulings: Vec<Ruled<'a>>,
    pub open: Vec<Open<'a>>,
}

/// Two records and what links them, by the names that the history gives.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    pub from: &'a RecordId,
    pub to: &'a RecordId,
    pub kind: &'a str,
    pub basis: Option<&'a str>,
}

/// A ruling, with what it decided in words.
#[derive(Clone, Debug)]
pub struct Ruled<'a> {
    pub ruling: &'a Ruling,
    pub what: String,
    pub undone: bool,
}

/// A contradiction that waits for a person.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    pub pair: Option<PairId>,
    pub records: &'a [RecordId; 2],
    pub grounds: &'a [Ground],
    pub requested: Option<RequestId>,
}

impl Sentence {
    fn says(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Ours(text.into()));
        self
    }

    fn names(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Theirs(text.into()));
        self
    }

    fn value(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Value(text.into()));
        self
    }

    /// The sentence as one raw text, values in quotation marks.
    pub fn plain(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Ours(text) | Piece::Theirs(text) => text.clone(),
            Piece::Value(text) => format!("“{text}”"),
        };
        self.0.iter().map(piece).collect()
    }
}

fn says(text: impl Into<String>) -> Sentence {
    Sentence::default().says(text)
}

/// The whole story.
pub fn story(told: &Told<'_>) -> Vec<Section> {
    let sections = [
        Section { title: "What the memory answers", items: vec![(answer(told), why(told))] },
        Section {
            title: "What was said",
            items: told.records.iter().map(|it| (said(it), became(told, it))).collect(),
        },
        Section {
            title: "How the world changed",
            items: epochs(told).into_iter().map(|it| (it, vec![])).collect(),
        },
        Section { title: "Who ruled", items: told.rulings.iter().map(ruled).collect() },
        Section { title: "What is open", items: open(told).into_iter().map(|it| (it, vec![])).collect() },
    ];
    sections.into_iter().filter(|section| !section.items.is_empty()).collect()
}

fn answer(told: &Told<'_>) -> Sentence {
    let begins = match told.believed_at {
        Some(at) => format!("At {} the memory ", moment(at)),
        None => "The memory ".to_owned(),
    };
    let (answers, is) = if told.believed_at.is_some() { ("answered ", "was") } else { ("answers ", "is") };
    if told.values.is_empty() {
        let none = match told.status {
            Status::Contested => {
                format!("nothing: what was said contradicts itself, and nobody {} ruled", has(told))
            }
            Status::Awaiting => "nothing: it waits for another look at the world".to_owned(),
            Status::Settled | Status::Unanchored | Status::Empty => format!("nothing: no value {is} left"),
        };
        return says(begins).says(answers).says(none).says(".");
    }
    let mut sentence = says(begins).says(answers);
    for (at, value) in told.values.iter().enumerate() {
        let between = match at {
            0 => "",
            _ if at + 1 == told.values.len() => " and ",
            _ => ", ",
        };
        sentence = sentence.says(between).value(value);
    }
    sentence.says(match told.status {
        Status::Unanchored => format!(" (it {is} not proven: nothing that says it has whole provenance)."),
        Status::Settled | Status::Contested | Status::Awaiting | Status::Empty => {
            format!(" ({}).", told.status.name())
        }
    })
}

const fn has(told: &Told<'_>) -> &'static str {
    if told.believed_at.is_some() { "had" } else { "has" }
}

fn why(told: &Told<'_>) -> Vec<Sentence> {
    let mut rests = says("It rests on ");
    match told.speakers.as_slice() {
        [] => rests = says("It follows from what is told below"),
        [only] => rests = rests.says("record ").names(only.as_str()),
        [first, others @ ..] => {
            let many = others.len();
            rests = rests
                .says("record ")
                .names(first.as_str())
                .says(format!(", {many} more that {} the same", verb(many as u64, "says", "say")));
        }
    }
    let numbers: Vec<String> = told.rests_on.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [] => {}
        [one] => rests = rests.says(format!(", ruling {one}")),
        several => rests = rests.says(format!(", rulings {}", several.join(", "))),
    }
    let rests = rests.says(format!(" and version {} of the policy.", told.policy));
    let stale = told.stale_since.map(|at| {
        says(format!("It is stale: it was last seen to hold at {}, longer ago than the policy allows.", moment(at)))
    });
    std::iter::once(rests).chain(stale).collect()
}

/// What a record said, from whom, when it was true and when it was written.
fn said(judged: &JudgedRecord) -> Sentence {
    let record = &judged.record;
    let begins = Sentence::default().value(plain(&record.value));
    let begins = begins.says(if record.is_retraction() { " was taken back by " } else { " was said by " });
    let mut sentence = match record.kind() {
        Some(kind) => begins.says("a source of the kind ").names(kind.as_str()),
        None => begins.says("an unknown source"),
    };
    if let Some(class) = judged.class {
        sentence = sentence.says(format!(" ({})", class.name().replace('_', " ")));
    }
    sentence = sentence.says(match record.observed_at {
        Some(at) => format!(", as of {}, ", when(at)),
        None => ", nobody knows as of when, ".to_owned(),
    });
    sentence = sentence.says(format!("written {}", moment(record.written_at)));
    if let Some(lag) = record.observed_at.and_then(|at| lag(at, record.written_at)) {
        sentence = sentence.says(format!(" ({lag})"));
    }
    if let Some(epoch) = record.epoch {
        sentence = sentence.says(format!(", in epoch {epoch}"));
    }
    if let Some(confidence) = record.confidence {
        sentence = sentence.says(format!(", with confidence {confidence}"));
    }
    sentence.says(": record ").names(record.id.as_str()).says(" of batch ").names(record.batch.as_str()).says(".")
}

/// What became of it, and by what.
fn became(told: &Told<'_>, judged: &JudgedRecord) -> Vec<Sentence> {
    let record = &judged.record;
    let mut sentences: Vec<Sentence> = Vec::new();
    let lacks = &judged.lacks;
    if !lacks.is_empty() {
        let names: Vec<&str> = lacks.iter().map(|lack| lacking(*lack)).collect();
        sentences.push(says(format!("It lacks {}: it can win nothing.", names.join(" and "))));
    }
    for link in told.edges.iter().filter(|link| *link.from == record.id) {
        sentences.extend(link_words(told, link));
    }
    sentences.extend(state(told, judged));
    if let Some(evidence) = &record.evidence {
        sentences.push(says("The words it came from: ").value(evidence).says("."));
    }
    sentences
}

const fn lacking(lack: Lack) -> &'static str {
    match lack {
        Lack::Source => "a source",
        Lack::ObservedAt => "a time of observation",
        Lack::Epoch => "an epoch",
        Lack::Possible => "a possible time (it was written before it was observed)",
        Lack::OpenEpoch(_) => "an epoch that was still open when it was observed",
    }
}

fn link_words(told: &Told<'_>, link: &Link<'_>) -> Option<Sentence> {
    let begins = match (link.kind, link.basis) {
        ("supersedes", Some("authority")) => "It superseded, being of a more authoritative source, ",
        ("supersedes", Some("recency")) => "It superseded, being the later of two equally authoritative sources, ",
        ("supersedes", Some(_)) => "It superseded, by a ruling, ",
        ("epoch_change", _) => "It stands on the other side of a change of the world from ",
        ("reobserved", _) => "The world was looked at again with it, after ",
        ("derived_from", _) => "It supplies the provenance that was missing from ",
        ("same", _) => "A person ruled that it says the same as ",
        _ => return None,
    };
    Some(other(told, says(begins), link.to).says("."))
}

/// The other record, with its value where it is known.
fn other(told: &Told<'_>, sentence: Sentence, id: &RecordId) -> Sentence {
    match told.records.iter().find(|it| it.record.id == *id) {
        Some(it) => sentence.value(plain(&it.record.value)).says(" (").names(id.as_str()).says(")"),
        None => sentence.names(id.as_str()),
    }
}

fn state(told: &Told<'_>, judged: &JudgedRecord) -> Option<Sentence> {
    let by = |begins: &str| {
        let by = judged.superseded_by.as_ref();
        by.map_or_else(|| says(format!("{begins}.")), |by| other(told, says(format!("{begins} by ")), by).says("."))
    };
    match judged.state? {
        RecordState::Live => None,
        RecordState::Superseded => Some(by("It was superseded")),
        RecordState::Retracted => Some(by("It was taken back")),
        RecordState::Contested => Some(says("It is party to what is open.")),
        RecordState::History => Some(says("It is history since the world was looked at again.")),
        RecordState::Withdrawn => Some(says("It was withdrawn, and decides nothing.")),
    }
}

fn epochs(told: &Told<'_>) -> Vec<Sentence> {
    if told.epochs.len() < 2 {
        return Vec::new();
    }
    let sentence = |(epoch, first, cause): &(Epoch, When, Option<String>)| {
        let sentence = says(format!("Epoch {epoch} was first observed as of {}", when(*first)));
        match cause {
            Some(cause) => sentence.says("; the cause that was named: ").names(cause).says("."),
            None => sentence.says("."),
        }
    };
    told.epochs.iter().map(sentence).collect()
}

fn ruled(ruled: &Ruled<'_>) -> (Sentence, Vec<Sentence>) {
    let ruling = ruled.ruling;
    let sentence = says(format!("Ruling {}, {}: ", ruling.id, moment(ruling.at)))
        .names(&ruling.actor)
        .says(" ruled: ")
        .names(&ruled.what)
        .says(".");
    let reason = ruling.reason.as_ref().map(|reason| says("The reason given: ").value(reason).says("."));
    let undone = ruled.undone.then(|| says("It was undone, and no longer counts."));
    (sentence, reason.into_iter().chain(undone).collect())
}

fn open(told: &Told<'_>) -> Vec<Sentence> {
    if told.open.is_empty() {
        return vec![says("Nothing is open.")];
    }
    told.open.iter().map(|it| open_pair(told, it)).collect()
}

fn open_pair(told: &Told<'_>, open: &Open<'_>) -> Sentence {
    let begins = match open.pair {
        Some(pair) => format!("Pair {pair}: "),
        None => "A pair that this store never had in its queue: ".to_owned(),
    };
    let [left, right] = open.records;
    let sentence = other(told, other(told, says(begins), left).says(" against "), right);
    let grounds: Vec<&str> = open.grounds.iter().map(|ground| because(*ground)).collect();
    let sentence = sentence.says(format!("; {}.", grounds.join("; ")));
    match open.requested {
        Some(request) => sentence.says(format!(" Another look at the world is asked for (request {request}).")),
        None => sentence,
    }
}

const fn because(ground: Ground) -> &'static str {
    match ground {
        Ground::SubjectUnconfirmed => "nobody confirmed that both are about one subject",
        Ground::MissingProvenance => {
            "one of them does not say where it comes from, when it was true, or in which epoch"
        }
        Ground::ImpossibleProvenance => "one of them says it was observed after it was written",
        Ground::OutdatedProvenance => "one of them names an epoch that was over when it was observed",
        Ground::CrossEpoch => "they were observed in different states of the world",
        Ground::CardinalityUndeclared => "nobody declared whether it has one value or many",
        Ground::AuthorityUnknown => "nobody said how authoritative one of the sources is",
        Ground::OrderUndecidable => "neither is certainly the later one",
        Ground::LowConfidence => "the one that would win is not confident enough",
        Ground::Disputed => "a person disputes what was settled between them",
    }
}

/// How long after it was true it was written, where that is worth a word.
fn lag(observed: When, written: Instant) -> Option<String> {
    let lag = written.since(observed.first());
    let length = |lag: Duration| match lag.num_days() {
        0 => count(lag.num_hours().unsigned_abs(), "hour"),
        1 => "a day".to_owned(),
        days => count(days.unsigned_abs(), "day"),
    };
    if lag >= Duration::hours(2) {
        Some(format!("{} later", length(lag)))
    } else if lag <= Duration::hours(-2) {
        Some(format!("{} before", length(-lag)))
    } else {
        None
    }
}

/// `2025-10-14 09:31:04 UTC`, without what is nought.
pub fn moment(at: Instant) -> String {
    use chrono::Timelike as _;
    let time = at.utc();
    let form = match (time.second(), time.nanosecond()) {
        (0, 0) => "%Y-%m-%d %H:%M UTC",
        _ => "%Y-%m-%d %H:%M:%S UTC",
    };
    time.format(form).to_string()
}

fn when(said: When) -> String {
    match said {
        When::At(at) => moment(at),
        When::Day(_) | When::Month { .. } | When::Year(_) => said.to_string(),
    }
}
