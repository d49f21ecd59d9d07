//! A lane: records of which at most one value can hold. A slot of cardinality one is one lane; a slot of many has one
//! for each value, in which that value holds or was taken back.
//!
//! Each epoch is ranked by [`super::standing`]; then the epochs are walked in order. Neighbours that differ are a
//! contradiction that no rank decides: the world changed in between.

use std::collections::{BTreeMap, BTreeSet};

use super::contender::{Above, Contender, Fate, Standing, Stretch, Took};
use super::epochs::{Ranked, Stand, Walked, epoch_changes, walk};
use super::examine::{Basis, Ground};
use super::facts::{Facts, Lane};
use super::policy::Cardinality;
use super::record::{Epoch, Record};
use super::ruling::Decision;
use super::slot::{Edge, Live, OpenPair};
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

/// Settles one lane.
pub(super) fn settle(facts: &Facts<'_, '_>, lane: Lane) -> Outlook {
    let mut outlook = Outlook::default();
    let mut epochs: BTreeMap<Epoch, Vec<usize>> = BTreeMap::new();
    let mut unanchored: Vec<usize> = Vec::new();
    for at in lane.records {
        match facts.rules.anchored(facts.records[at]) {
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
    let Walked { current, last_claim, differing } = walk(facts, &contending);
    for (a, b) in differing {
        outlook.pair(facts, a, b);
    }
    let emptied = matches!(&current, Some(Stand::TakenBack(denials)) if denials.emptied_by.is_some());
    let saying = Saying::new(&contending);
    unproven(facts, &unanchored, &saying, current.as_ref(), &mut outlook);
    let speaks = match facts.rules.cardinality {
        // A value of many lives until a retraction retires it; one that only contests it does not.
        Some(Cardinality::Many) => last_claim,
        Some(Cardinality::One) | None => current,
    };
    outlook.live.extend(speaks.and_then(|stand| living(facts, &stand, &contending)));
    outlook.anchored = outlook.live.iter().any(|live| facts.rules.is_anchored(facts.records[live.speaker]));
    // Where a value was taken back, what nobody can date is no newer than it.
    if outlook.live.is_empty() && !emptied {
        outlook.live.extend(unproven_value(facts, &unanchored, &saying));
    }
    outlook
}

fn ranked(facts: &Facts<'_, '_>, epoch: Epoch, records: &[usize]) -> Ranked {
    let contenders = contenders(facts, records);
    let mut standing = match facts.rules.cardinality {
        Some(_) => standing::rank(contenders, &accepts(facts, records)),
        None => undeclared(contenders),
    };
    for stretch in &mut standing.stretches {
        stretch.best = finest(facts, &stretch.members, stretch.best).unwrap_or(stretch.best);
    }
    Ranked { epoch, standing }
}

/// Who speaks for records that agree: the finer speaks, and of the finest the one that is named if it is among them.
fn finest(facts: &Facts<'_, '_>, agreeing: &[usize], best: usize) -> Option<usize> {
    let fineness = |at: usize| facts.classes.precision(facts.classes.of(at));
    let finest = agreeing.iter().map(|at| fineness(*at)).min()?;
    if fineness(best) == finest {
        return Some(best);
    }
    let fine = agreeing.iter().filter(|at| fineness(**at) == finest);
    Some(fine.filter_map(|at| contender(facts, *at)).min_by_key(preference)?.record)
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
        if strength(it) < strength(known) {
            *known = *it;
        }
    }
    let refined = facts.classes.refinements(&best.keys().copied().collect());
    if refined.is_empty() {
        return contenders;
    }
    // A coarser form of a value speaks for the finer one; where several fit, for the one that ranks highest. The finer of
    // the coarse come first: what they say strengthens what the coarser ones then meet.
    let mut refined: Vec<(usize, Vec<usize>)> = refined.into_iter().collect();
    refined.sort_by_key(|(coarse, _)| (facts.classes.precision(*coarse), *coarse));
    let mut home: BTreeMap<usize, usize> = BTreeMap::new();
    for (coarse, finer) in refined {
        let known = finer.into_iter().filter_map(|class| Some((*best.get(&class)?, class)));
        let Some((strongest, class)) = known.min_by_key(|(it, class)| (strength(it), *class)) else {
            continue;
        };
        home.insert(coarse, class);
        let own = best[&coarse];
        if strength(&own) < strength(&strongest) {
            best.insert(class, own);
        }
    }
    for it in &mut contenders {
        it.class = home.get(&it.class).copied().unwrap_or(it.class);
    }
    contenders
}

/// A value is said by those who state it; one that is only taken back comes after.
fn strength(it: &Contender) -> impl Ord + use<> {
    (it.retracts, preference(it))
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
    let speaker = finest(facts, &saying, *best)?;
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
