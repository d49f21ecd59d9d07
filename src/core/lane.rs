//! A lane: records of which at most one value can hold. A slot of cardinality one is one lane; a slot of many has one
//! for each value, in which that value holds or was taken back.
//!
//! Each epoch is ranked by [`super::standing`]; then the epochs are walked in order. Neighbours that differ are a
//! contradiction that no rank decides: the world changed in between.

use std::collections::{BTreeMap, BTreeSet};

use super::contender::{Above, Contender, Fate, Standing, Stretch, Took};
use super::examine::{Basis, Ground};
use super::facts::{Facts, Lane};
use super::policy::Cardinality;
use super::record::{Epoch, Record};
use super::ruling::Decision;
use super::slot::{Edge, EdgeKind, Live, OpenPair};
use super::standing;

/// What a lane comes to.
#[derive(Default)]
pub(super) struct Outlook {
    pub(super) claim: Vec<(usize, usize)>,
    pub(super) beaten: Vec<(usize, usize, Basis)>,
    pub(super) taken_back: Vec<(usize, usize, Basis)>,
    pub(super) epoch_changes: Vec<Edge>,
    pub(super) pairs: Vec<OpenPair>,
    pub(super) live: Vec<Live>,
    /// Whether an anchored claim speaks for the lane.
    pub(super) anchored: bool,
}

/// What stands for an epoch when it is held against its neighbours.
#[derive(Clone)]
enum Stand {
    /// A claim: its value's class and the record that speaks for it.
    Claim { class: usize, best: usize },
    /// Nothing but the word that some values do not hold.
    TakenBack(Denials),
}

/// What is said not to hold.
#[derive(Clone)]
struct Denials {
    /// The class of each value with the record that denies it.
    said: Vec<(usize, usize)>,
    /// The record that took back, or contests, what stood: nothing older holds again.
    emptied_by: Option<usize>,
}

struct Ranked {
    epoch: Epoch,
    standing: Standing,
}

/// Settles one lane.
pub(super) fn settle(facts: &Facts<'_, '_>, lane: Lane) -> Outlook {
    let mut outlook = Outlook::default();
    let mut epochs: BTreeMap<Epoch, Vec<usize>> = BTreeMap::new();
    let mut unanchored: Vec<usize> = Vec::new();
    for at in lane.records {
        match facts.records[at].anchored() {
            Ok(anchored) => epochs.entry(anchored.epoch).or_default().push(at),
            Err(_) if facts.is_history(at) => {}
            Err(_) => unanchored.push(at),
        }
    }
    let whole: Vec<Ranked> = epochs.iter().map(|(epoch, records)| ranked(facts, *epoch, records)).collect();
    outlook.epoch_changes = epoch_changes(facts, &whole);
    let contending = still_contending(facts, &epochs, whole, &mut outlook);
    for ranked in &contending {
        outlook.take(facts, &ranked.standing);
    }
    let Walked { current, last_claim } = walk(facts, &contending, &mut outlook);
    let emptied = matches!(&current, Some(Stand::TakenBack(denials)) if denials.emptied_by.is_some());
    let saying = Saying::new(&contending);
    unproven(facts, &unanchored, &saying, current.as_ref(), &mut outlook);
    let speaks = match facts.rules.cardinality {
        // A value of many lives until a retraction retires it; one that only contests it does not.
        Some(Cardinality::Many) => last_claim,
        Some(Cardinality::One) | None => current,
    };
    outlook.live.extend(speaks.and_then(|stand| living(facts, &stand, &contending)));
    outlook.anchored = outlook.live.iter().any(|live| facts.records[live.speaker].is_anchored());
    // Where a value was taken back, what nobody can date is no newer than it.
    if outlook.live.is_empty() && !emptied {
        outlook.live.extend(unproven_value(facts, &unanchored, &saying));
    }
    outlook
}

fn ranked(facts: &Facts<'_, '_>, epoch: Epoch, records: &[usize]) -> Ranked {
    let contenders = contenders(facts, records);
    let standing = match facts.rules.cardinality {
        Some(_) => standing::rank(contenders, &accepts(facts, records)),
        None => undeclared(contenders),
    };
    Ranked { epoch, standing }
}

/// The epochs without what is history. What history resolved among its own stays linked.
fn still_contending(
    facts: &Facts<'_, '_>,
    epochs: &BTreeMap<Epoch, Vec<usize>>,
    whole: Vec<Ranked>,
    outlook: &mut Outlook,
) -> Vec<Ranked> {
    let mut contending = Vec::new();
    for (ranked_whole, records) in whole.into_iter().zip(epochs.values()) {
        let left: Vec<usize> = records.iter().copied().filter(|at| !facts.is_history(*at)).collect();
        if left.len() == records.len() {
            contending.push(ranked_whole);
            continue;
        }
        for (at, by, basis) in losses(&ranked_whole.standing) {
            if facts.is_history(at) {
                outlook.beaten.push((at, by, basis));
            }
        }
        if !left.is_empty() {
            contending.push(ranked(facts, ranked_whole.epoch, &left));
        }
    }
    contending
}

fn contenders(facts: &Facts<'_, '_>, records: &[usize]) -> Vec<Contender> {
    let mut contenders: Vec<Contender> = records.iter().filter_map(|at| contender(facts, *at)).collect();
    let mut best: BTreeMap<usize, Contender> = BTreeMap::new();
    for it in &contenders {
        let known = best.entry(it.class).or_insert(*it);
        if preference(it) < preference(known) {
            *known = *it;
        }
    }
    let refined = facts.classes.refinements(&best.keys().copied().collect());
    if refined.is_empty() {
        return contenders;
    }
    // A coarser form of a value speaks for the finer one; where several fit, for the one that ranks highest.
    let home: BTreeMap<usize, usize> = refined
        .into_iter()
        .filter_map(|(coarse, finer)| {
            let best = finer.iter().filter_map(|class| best.get(class)).min_by_key(|it| preference(it))?;
            Some((coarse, best.class))
        })
        .collect();
    for it in &mut contenders {
        it.class = home.get(&it.class).copied().unwrap_or(it.class);
    }
    contenders
}

fn preference(it: &Contender) -> impl Ord + use<> {
    (it.rank.is_none(), it.rank, !it.confident, std::cmp::Reverse((it.first, it.last)), it.record)
}

fn contender(facts: &Facts<'_, '_>, at: usize) -> Option<Contender> {
    let record: &Record = facts.records[at];
    let when = record.observed_at?;
    Some(Contender {
        record: at,
        class: facts.classes.of(at),
        retracts: record.is_retraction(),
        rank: facts.rules.rank(record),
        first: when.first(),
        last: when.last(),
        confident: facts.rules.is_confident(record),
    })
}

fn accepts(facts: &Facts<'_, '_>, records: &[usize]) -> Vec<Above> {
    if facts.rulings.is_empty() {
        return Vec::new();
    }
    let present: BTreeSet<usize> = records.iter().copied().collect();
    let here = |id| facts.place.get(id).copied().filter(|at| present.contains(at));
    facts
        .rulings
        .iter()
        .filter_map(|ruling| {
            let Decision::Accept { winner, loser, .. } = &ruling.decision else { return None };
            Some(Above { winner: here(winner)?, loser: here(loser)?, ruling: ruling.id })
        })
        .collect()
}

/// Where nobody has declared how many values it holds, nothing ranks: each value stands.
fn undeclared(contenders: Vec<Contender>) -> Standing {
    let mut members: BTreeMap<usize, Vec<Contender>> = BTreeMap::new();
    for it in contenders.iter().filter(|it| !it.retracts) {
        members.entry(it.class).or_default().push(*it);
    }
    let stretches: Vec<Stretch> = members
        .into_iter()
        .map(|(class, members)| Stretch {
            class,
            best: members.iter().min_by_key(|it| preference(it)).map_or(0, |it| it.record),
            members: members.iter().map(|it| it.record).collect(),
            fate: Fate::Stands,
        })
        .collect();
    let retractions = contenders
        .into_iter()
        .filter(|it| it.retracts)
        .map(|it| {
            let against = stretches.iter().find(|stretch| stretch.class == it.class);
            (it, against.map_or(Took::Stands, |stretch| Took::Undecided { against: stretch.best }))
        })
        .collect();
    Standing { stretches, retractions, emptied_by: None }
}

fn losses(standing: &Standing) -> Vec<(usize, usize, Basis)> {
    let mut losses = Vec::new();
    for stretch in &standing.stretches {
        if let Fate::Beaten { by, basis } = stretch.fate {
            losses.extend(stretch.members.iter().map(|at| (*at, by, basis)));
        }
    }
    for (it, took) in &standing.retractions {
        if let Took::Lost { to, basis } = took {
            losses.push((it.record, *to, *basis));
        }
    }
    losses
}

impl Outlook {
    /// Takes over what one epoch decided, and pairs what it could not.
    fn take(&mut self, facts: &Facts<'_, '_>, standing: &Standing) {
        self.beaten.extend(losses(standing));
        for stretch in &standing.stretches {
            self.claim_of(&stretch.members);
            if let Fate::TakenBack { by, basis } = stretch.fate {
                self.taken_back.extend(stretch.members.iter().map(|at| (*at, by, basis)));
            }
        }
        let mut denials: BTreeMap<usize, Vec<(usize, Took)>> = BTreeMap::new();
        for (it, took) in &standing.retractions {
            denials.entry(it.class).or_default().push((it.record, *took));
        }
        for retractions in denials.values_mut() {
            retractions.sort_by_key(|(at, _)| *at);
            let members: Vec<usize> = retractions.iter().map(|(at, _)| *at).collect();
            self.claim_of(&members);
            let undecided = retractions.iter().find_map(|(at, took)| match took {
                Took::Undecided { against } => Some((*at, *against)),
                Took::Stands | Took::Lost { .. } => None,
            });
            if let Some((at, against)) = undecided {
                self.pair(facts, at, against);
            }
        }
        if let [first, others @ ..] = standing.claims().as_slice() {
            for other in others {
                self.pair(facts, first.best, other.best);
            }
        }
    }

    fn claim_of(&mut self, members: &[usize]) {
        let number = self.claim.last().map_or(0, |(_, number)| number + 1);
        self.claim.extend(members.iter().map(|at| (*at, number)));
    }

    fn pair(&mut self, facts: &Facts<'_, '_>, a: usize, b: usize) {
        let mut grounds = facts.grounds(a, b);
        if grounds.is_empty() {
            // The two that speak can be ordered, but another record of one claim overlaps the other claim.
            grounds.push(Ground::OrderUndecidable);
        }
        self.pairs.push(OpenPair { left: a.min(b), right: a.max(b), grounds, requested: None });
    }
}

fn stand_of(facts: &Facts<'_, '_>, standing: &Standing) -> Option<Stand> {
    if let Some(stretch) = standing.claims().first() {
        return Some(Stand::Claim { class: stretch.class, best: stretch.best });
    }
    let emptied_by = standing.emptied_by;
    let mut said: Vec<(usize, usize)> = standing
        .retractions
        .iter()
        .filter(|(it, took)| *took == Took::Stands && emptied_by.is_none_or(|by| by == it.record))
        // What it takes back, as it says it: a coarse word denies more than the one value it met here.
        .map(|(it, _)| (facts.classes.of(it.record), it.record))
        .collect();
    said.sort_by_key(|(_, record)| *record);
    (!said.is_empty()).then_some(Stand::TakenBack(Denials { said, emptied_by }))
}

impl Denials {
    /// The record that denies a value which stood before: by naming it, or by leaving nothing of what came after it.
    fn of_earlier(&self, facts: &Facts<'_, '_>, class: usize) -> Option<usize> {
        self.of_later(facts, class).or(self.emptied_by)
    }

    /// The record that denies a value which comes after: only by naming it.
    fn of_later(&self, facts: &Facts<'_, '_>, class: usize) -> Option<usize> {
        self.said.iter().find(|(denied, _)| facts.classes.agree(*denied, class)).map(|(_, record)| *record)
    }
}

/// Whether two neighbouring epochs contradict each other: the records that do.
fn contradiction(facts: &Facts<'_, '_>, earlier: &Stand, later: &Stand) -> Option<(usize, usize)> {
    match (earlier, later) {
        (Stand::Claim { class: a, best: first }, Stand::Claim { class: b, best: second }) => {
            (!facts.classes.agree(*a, *b)).then_some((*first, *second))
        }
        (Stand::Claim { class, best }, Stand::TakenBack(denials)) => {
            Some((*best, denials.of_earlier(facts, *class)?))
        }
        (Stand::TakenBack(denials), Stand::Claim { class, best }) => {
            Some((denials.of_later(facts, *class)?, *best))
        }
        (Stand::TakenBack(_), Stand::TakenBack(_)) => None,
    }
}

/// What stands after a later epoch was met: the finer of two that agree, and a denial only where it denies something.
fn carried(facts: &Facts<'_, '_>, earlier: Option<Stand>, later: Stand) -> Stand {
    match (earlier, later) {
        (Some(Stand::Claim { class: a, best }), Stand::Claim { class: b, .. })
            if facts.classes.agree(a, b) && facts.classes.precision(a) < facts.classes.precision(b) =>
        {
            Stand::Claim { class: a, best }
        }
        (Some(Stand::Claim { class, best }), Stand::TakenBack(denials)) => match denials.of_earlier(facts, class) {
            Some(by) => Stand::TakenBack(Denials { emptied_by: Some(by), ..denials }),
            None => Stand::Claim { class, best },
        },
        (Some(Stand::TakenBack(earlier)), Stand::TakenBack(later)) => Stand::TakenBack(Denials {
            said: earlier.said.into_iter().chain(later.said).collect(),
            emptied_by: later.emptied_by.or(earlier.emptied_by),
        }),
        (Some(Stand::Claim { .. } | Stand::TakenBack(_)) | None, later) => later,
    }
}

/// What the walk over the epochs ends with.
#[derive(Default)]
struct Walked {
    current: Option<Stand>,
    /// The last claim that stood in an epoch, whatever a later epoch says of it.
    last_claim: Option<Stand>,
}

/// Walks the epochs in order, pairing neighbours that differ.
fn walk(facts: &Facts<'_, '_>, epochs: &[Ranked], outlook: &mut Outlook) -> Walked {
    let mut walked = Walked::default();
    for later in epochs.iter().filter_map(|ranked| stand_of(facts, &ranked.standing)) {
        if let Some((a, b)) = walked.current.as_ref().and_then(|earlier| contradiction(facts, earlier, &later)) {
            outlook.pair(facts, a, b);
        }
        walked.current = Some(carried(facts, walked.current, later));
        if let Some(claim @ Stand::Claim { .. }) = &walked.current {
            walked.last_claim = Some(claim.clone());
        }
    }
    walked
}

/// Every change between neighbouring epochs, history included: it is told afterwards too.
fn epoch_changes(facts: &Facts<'_, '_>, epochs: &[Ranked]) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut current: Option<(Stand, Epoch)> = None;
    for ranked in epochs {
        let Some(later) = stand_of(facts, &ranked.standing) else { continue };
        let (earlier, from) = match current {
            Some((earlier, from)) => (Some(earlier), Some(from)),
            None => (None, None),
        };
        if let (Some(earlier), Some(from)) = (&earlier, from)
            && let Some((old, new)) = contradiction(facts, earlier, &later)
        {
            edges.push(Edge { from: new, to: old, kind: EdgeKind::EpochChange { from, to: ranked.epoch } });
        }
        current = Some((carried(facts, earlier, later), ranked.epoch));
    }
    edges
}

/// Of each value that anchored records say: the stretch whose fate an unanchored claim of it shares.
struct Saying<'e> {
    by_class: BTreeMap<usize, (&'e Stretch, Epoch)>,
}

impl<'e> Saying<'e> {
    fn new(epochs: &'e [Ranked]) -> Self {
        let mut by_class: BTreeMap<usize, (&Stretch, Epoch)> = BTreeMap::new();
        for Ranked { epoch, standing } in epochs {
            for stretch in &standing.stretches {
                let known = by_class.entry(stretch.class).or_insert((stretch, *epoch));
                if Self::weight(*known) < Self::weight((stretch, *epoch)) {
                    *known = (stretch, *epoch);
                }
            }
        }
        Self { by_class }
    }

    /// What stands says it more than what fell, and of those what was said last.
    fn weight((stretch, epoch): (&Stretch, Epoch)) -> impl Ord + use<> {
        (stretch.fate == Fate::Stands, epoch, stretch.best)
    }

    fn of(&self, facts: &Facts<'_, '_>, class: usize) -> Option<&'e Stretch> {
        let agreeing = facts.classes.agreeing(class).filter_map(|class| self.by_class.get(&class)).copied();
        agreeing.max_by_key(|it| Self::weight(*it)).map(|(stretch, _)| stretch)
    }
}

/// Unanchored claims: one that agrees with an anchored claim shares its fate; one that differs opens a pair.
fn unproven(
    facts: &Facts<'_, '_>,
    unanchored: &[usize],
    saying: &Saying<'_>,
    current: Option<&Stand>,
    outlook: &mut Outlook,
) {
    let mut claims: BTreeMap<(usize, bool), Vec<usize>> = BTreeMap::new();
    for at in unanchored {
        let key = (facts.classes.of(*at), facts.records[*at].is_retraction());
        claims.entry(key).or_default().push(*at);
    }
    let mut claims: Vec<((usize, bool), Vec<usize>)> = claims.into_iter().collect();
    claims.sort_by_key(|(_, members)| members[0]);
    let fixed =
        claims.iter().find(|((_, retracts), _)| !retracts).map(|((class, _), members)| (*class, members[0]));
    for ((class, retracts), members) in &claims {
        outlook.claim_of(members);
        let against_fixed = || {
            let differs = |(said, first): &(usize, usize)| {
                *first != members[0] && facts.classes.agree(*said, *class) == *retracts
            };
            fixed.filter(differs).map(|(_, first)| first)
        };
        let against = match current {
            Some(Stand::Claim { class: standing, best }) => {
                (facts.classes.agree(*standing, *class) == *retracts).then_some(*best)
            }
            Some(Stand::TakenBack(denials)) if *retracts && denials.emptied_by.is_some() => None,
            Some(Stand::TakenBack(denials)) if !retracts => {
                denials.of_earlier(facts, *class).or_else(against_fixed)
            }
            Some(Stand::TakenBack(_)) | None => against_fixed(),
        };
        match (against, saying.of(facts, *class)) {
            (Some(_) | None, Some(stretch)) if !retracts => outlook.share(stretch, members),
            (Some(against), _) => outlook.pair(facts, members[0], against),
            (None, _) => {}
        }
    }
}

impl Outlook {
    fn share(&mut self, stretch: &Stretch, members: &[usize]) {
        match stretch.fate {
            Fate::Stands => {}
            Fate::Beaten { by, basis } => self.beaten.extend(members.iter().map(|at| (*at, by, basis))),
            Fate::TakenBack { by, basis } => self.taken_back.extend(members.iter().map(|at| (*at, by, basis))),
        }
    }
}

/// The value of the claim that stands last, spoken by its finest record and supported by all that agree with it.
fn living(facts: &Facts<'_, '_>, stand: &Stand, epochs: &[Ranked]) -> Option<Live> {
    let Stand::Claim { class, best } = stand else { return None };
    let mut saying: Vec<usize> = epochs
        .iter()
        .flat_map(|ranked| &ranked.standing.stretches)
        .filter(|stretch| stretch.fate == Fate::Stands && facts.classes.agree(stretch.class, *class))
        .flat_map(|stretch| &stretch.members)
        .copied()
        .collect();
    let fineness = |at: usize| facts.classes.precision(facts.classes.of(at));
    let finest = saying.iter().map(|at| fineness(*at)).min()?;
    let speaker = if fineness(*best) == finest {
        *best
    } else {
        let fine = saying.iter().filter(|at| fineness(**at) == finest);
        fine.filter_map(|at| contender(facts, *at)).min_by_key(preference)?.record
    };
    saying.retain(|at| *at != speaker);
    saying.sort_unstable();
    Some(Live { speaker, supporters: saying })
}

/// Where nothing anchored speaks: the one claim there is, not proven.
fn unproven_value(facts: &Facts<'_, '_>, unanchored: &[usize], anchored: &Saying<'_>) -> Option<Live> {
    let said = |at: usize| anchored.of(facts, facts.classes.of(at)).is_some();
    let mut saying: Vec<usize> =
        unanchored.iter().copied().filter(|at| !facts.records[*at].is_retraction() && !said(*at)).collect();
    let fineness = |at: &usize| facts.classes.precision(facts.classes.of(*at));
    let speaker = *saying.iter().min_by_key(|at| (fineness(at), **at))?;
    let class = facts.classes.of(speaker);
    saying.retain(|at| *at != speaker && facts.classes.agree(facts.classes.of(*at), class));
    Some(Live { speaker, supporters: saying })
}
