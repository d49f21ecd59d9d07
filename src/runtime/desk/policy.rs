//! The policy: what the store's survey says of attributes and source kinds, in windows; and what a declaration would do.

use crate::app::asks::policy::{
    Answer, AttributeDetail, AttributeOrder, Head, KindDetail, KindLine, Lacks, Line, Question, Spread, Version,
    Writer,
};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::facet::Facet;
use crate::core::policy::{AttributePolicy, Policy};
use crate::core::record::{Attribute, Kind};
use crate::core::time::Instant;
use crate::store::{By, DeclaredVersion, KindSeen, QueueFilter, QueueOrder, Store, Survey, Window};

/// A detail lists no more of one thing than this.
const LISTED: usize = 200;
/// Open pairs that a detail shows.
const FEW: usize = 8;

/// What the desk knows of the policy from the last time it was asked.
#[derive(Default)]
pub(super) struct Surveyed {
    survey: Survey,
    head: Head,
    kinds: Vec<KindLine>,
    /// The attributes with this text in their names, in this order.
    listed: Option<((String, AttributeOrder), Vec<Line>)>,
}

pub(super) fn answer(
    store: &mut Store,
    known: &mut Surveyed,
    by: &By<'_>,
    question: &Question,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    if let Question::Try(declaration) = question {
        let tried = store.try_declaration(declaration, by, &mut |done, of| watch.goes_on(done, of))?;
        return tried.map(|tried| Answer::Tried(Box::new(tried))).ok_or(Failure::Cancelled);
    }
    known.bring_up_to_date(store, watch)?;
    match question {
        Question::Attributes { generation, around, found, order } => {
            let lines = known.listed(found, *order);
            let place = |row: &Line| {
                let exact = lines.iter().position(|line| line.attribute == row.attribute);
                exact.unwrap_or_else(|| lines.partition_point(|line| key(line, *order) < key(row, *order)))
            };
            let window = around.of(lines, place);
            Ok(Answer::Attributes { generation: *generation, window, head: known.head })
        }
        Question::Kinds { generation, around } => {
            let place = |row: &KindLine| known.kinds.iter().position(|line| line.kind == row.kind).unwrap_or(0);
            Ok(Answer::Kinds { generation: *generation, window: around.of(&known.kinds, place) })
        }
        Question::Attribute(attribute) => {
            Ok(Answer::Attribute(Box::new(attribute_detail(store, known, attribute, by.now)?)))
        }
        Question::Kind(kind) => Ok(Answer::Kind(Box::new(kind_detail(known, kind.as_ref())))),
        Question::Try(_) => Err(Failure::Cancelled),
    }
}

impl Surveyed {
    fn bring_up_to_date(&mut self, store: &Store, watch: &dyn Watch) -> Result<(), Failure> {
        let changed = store.survey(&mut self.survey, &mut |done, of| watch.goes_on(done, of))?;
        if !changed.ok_or(Failure::Cancelled)? {
            return Ok(());
        }
        self.listed = None;
        let lines = lines(&self.survey);
        let undeclared = lines.iter().filter(|line| line.is_undeclared());
        self.head = Head {
            version: self.survey.policy.as_ref().map_or(0, |policy| policy.version),
            attributes: lines.len() as u64,
            undeclared: undeclared.clone().count() as u64,
            held: undeclared.map(|line| line.held).sum(),
        };
        let policy = self.survey.policy.as_ref();
        self.kinds = self.survey.kinds.iter().map(|(kind, seen)| kind_line(kind.as_ref(), seen, policy)).collect();
        self.kinds
            .sort_by_cached_key(|line| (line.class.is_some(), std::cmp::Reverse(line.records), line.kind.clone()));
        Ok(())
    }

    /// The attributes in an order; kept, for the next window is asked of the same.
    fn listed(&mut self, found: &str, order: AttributeOrder) -> &[Line] {
        let wanted = (found.to_lowercase(), order);
        if self.listed.as_ref().is_none_or(|(known, _)| *known != wanted) {
            let mut lines = lines(&self.survey);
            lines.retain(|line| line.attribute.as_str().to_lowercase().contains(&wanted.0));
            lines.sort_by(|a, b| key(a, order).cmp(&key(b, order)));
            self.listed = Some((wanted, lines));
        }
        self.listed.as_ref().map_or(&[], |(_, lines)| lines)
    }
}

/// Where an attribute stands in an order.
fn key(line: &Line, order: AttributeOrder) -> (bool, std::cmp::Reverse<u64>, &Attribute) {
    match order {
        AttributeOrder::Held => (!line.is_undeclared(), std::cmp::Reverse(line.held), &line.attribute),
        AttributeOrder::Name => (false, std::cmp::Reverse(0), &line.attribute),
        AttributeOrder::Records => (false, std::cmp::Reverse(line.records), &line.attribute),
    }
}

/// Every attribute that records name or the policy declares.
fn lines(survey: &Survey) -> Vec<Line> {
    let Some(policy) = &survey.policy else { return Vec::new() };
    let mut own: std::collections::BTreeMap<&Attribute, u64> = std::collections::BTreeMap::new();
    for (_, attribute) in policy.slots.keys() {
        *own.entry(attribute).or_default() += 1;
    }
    let line = |attribute: &Attribute| {
        let seen = survey.attributes.get(attribute);
        Line {
            attribute: attribute.clone(),
            fields: policy.attributes.get(attribute).cloned().unwrap_or_default(),
            own: own.get(attribute).copied().unwrap_or_default(),
            records: seen.map_or(0, |seen| seen.records),
            held: seen.map_or(0, |seen| seen.held),
        }
    };
    let unused = policy.attributes.keys().chain(own.keys().copied());
    let unused: std::collections::BTreeSet<&Attribute> =
        unused.filter(|attribute| !survey.attributes.contains_key(*attribute)).collect();
    survey.attributes.keys().chain(unused).map(line).collect()
}

fn kind_line(kind: Option<&Kind>, seen: &KindSeen, policy: Option<&Policy>) -> KindLine {
    let ruled = seen.tallies.iter().map(|(attribute, tally)| (tally.won + tally.lost, attribute));
    let most = ruled.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(a.1)));
    KindLine {
        kind: kind.cloned(),
        class: kind.and_then(|kind| policy?.sources.get(kind).copied()),
        stated: seen.stated.values().sum(),
        records: seen.records,
        lacks: Lacks {
            observed_at: seen.without_observed_at,
            epoch: seen.without_epoch,
            confidence: seen.without_confidence,
            batch: seen.without_batch,
        },
        confidence: Spread {
            stated: seen.records - seen.without_confidence,
            distinct: seen.confidences.len() as u64,
            more: seen.more_confidences,
            commonest: seen.by_frequency().first().copied(),
        },
        tally: seen.tally(),
        ruled_on: seen.tallies.len() as u64,
        most_on: most.map(|(_, attribute)| attribute.clone()),
    }
}

fn attribute_detail(
    store: &Store,
    known: &Surveyed,
    attribute: &Attribute,
    now: Instant,
) -> Result<AttributeDetail, Failure> {
    let policy = known.survey.policy.as_ref();
    let mut versions = store.declarations_of(attribute)?;
    let versions_in_all = versions.len() as u64;
    versions.truncate(LISTED);
    let own: Vec<_> = policy
        .into_iter()
        .flat_map(|policy| &policy.slots)
        .filter(|((_, of), _)| of == attribute)
        .map(|((subject, _), fields)| (subject.clone(), fields.clone()))
        .collect();
    let fields = policy.and_then(|policy| policy.attributes.get(attribute)).cloned().unwrap_or_default();
    let seen = known.survey.attributes.get(attribute).cloned().unwrap_or_default();
    let filter = QueueFilter {
        states: vec![crate::core::pair::PairState::Open, crate::core::pair::PairState::Awaiting],
        attributes: Facet::only(Some(attribute.clone())),
        ..QueueFilter::default()
    };
    let pairs = store.queue(&filter, QueueOrder::Oldest, &Window::Start, FEW, now)?;
    let mut kinds: Vec<Writer> =
        seen.kinds.iter().map(|(kind, many)| writer(known, attribute, &fields, kind.as_ref(), *many)).collect();
    kinds.sort_by_key(|writer| std::cmp::Reverse(writer.records));
    Ok(AttributeDetail {
        line: Line {
            attribute: attribute.clone(),
            fields,
            own: own.len() as u64,
            records: seen.records,
            held: seen.held,
        },
        versions: versions.into_iter().map(version).collect(),
        versions_in_all,
        own: own.into_iter().take(LISTED).collect(),
        kinds,
        pairs,
    })
}

fn version(made: DeclaredVersion) -> Version {
    Version {
        version: made.version,
        at: made.ruling.at,
        actor: made.ruling.actor,
        ruling: made.ruling.id,
        subject: made.declaration.subject,
        fields: made.declaration.fields,
        undone: made.undone,
    }
}

fn writer(
    known: &Surveyed,
    attribute: &Attribute,
    fields: &AttributePolicy,
    kind: Option<&Kind>,
    records: u64,
) -> Writer {
    let class = kind.and_then(|kind| known.survey.policy.as_ref()?.sources.get(kind).copied());
    let order = fields.authority.as_deref().unwrap_or_default();
    let rank = class.and_then(|class| order.iter().position(|listed| *listed == class)).map(|place| place + 1);
    let owns = kind.is_some() && kind == fields.system_of_record.as_ref();
    let seen = known.survey.kinds.get(&kind.cloned());
    let tally = seen.and_then(|seen| seen.tallies.get(attribute)).copied().unwrap_or_default();
    Writer { kind: kind.cloned(), class, rank: if owns { Some(0) } else { rank }, records, tally }
}

fn kind_detail(known: &Surveyed, kind: Option<&Kind>) -> KindDetail {
    let seen = known.survey.kinds.get(&kind.cloned()).cloned().unwrap_or_default();
    let written = known.survey.attributes.iter();
    let written = written.filter_map(|(attribute, by)| Some((attribute, *by.kinds.get(&kind.cloned())?)));
    let mut attributes: Vec<_> = written
        .map(|(attribute, many)| {
            (attribute.clone(), many, seen.tallies.get(attribute).copied().unwrap_or_default())
        })
        .collect();
    attributes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let attributes_in_all = attributes.len() as u64;
    attributes.truncate(LISTED);
    KindDetail {
        line: kind_line(kind, &seen, known.survey.policy.as_ref()),
        confidences: seen.by_frequency().into_iter().take(LISTED).collect(),
        stated: seen.stated.iter().map(|(class, many)| (*class, *many)).collect(),
        attributes,
        attributes_in_all,
    }
}
