//! One epoch of one slot: who stands, who lost to whom, and who cannot be ranked (DESIGN 3.2).
//!
//! The records are swept in the order of time. What stands at each moment is the set that nothing certainly beats:
//! the best rank, and within it what is not certainly earlier than another. Where one value alone stands after another
//! did, a new *stretch* begins: a value that comes back is a claim of its own. The sweep is linear after the sort.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::beaten::{BeatOrder, Draft};
use super::contender::{Above, Contender, Fate, Standing, Stretch, Took};
use super::examine::Basis;
use super::policy::Rank;
use super::time::Instant;

/// Ranks the records of one epoch.
pub(super) fn rank(contenders: Vec<Contender>, above: &[Above]) -> Standing {
    let above = consistent(above, &contenders);
    let contenders = raised(contenders, &above);
    let mut sweep = Sweep::new(&contenders, &above);
    for at in time_order(&contenders) {
        sweep.meet(at);
    }
    sweep.close()
}

fn time_order(contenders: &[Contender]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    // A retraction after the assertions of its moment, so that it meets what it may take back.
    order.sort_by_key(|at| {
        let it = &contenders[*at];
        (it.last, it.first, it.retracts, it.record)
    });
    order
}

/// What the accepts look up of each contender by its record: nothing where nobody accepted anything, as in most slots.
fn by_record<T>(
    contenders: &[Contender],
    above: &[Above],
    what: impl Fn(usize, &Contender) -> T,
) -> HashMap<usize, T> {
    let looked_up = if above.is_empty() { &[] } else { contenders };
    looked_up.iter().enumerate().map(|(at, it)| (it.record, what(at, it))).collect()
}

/// The accepts that hold together: a later one replaces an earlier one on the same two claims, and none closes a circle.
fn consistent(above: &[Above], contenders: &[Contender]) -> Vec<Above> {
    let claim = by_record(contenders, above, |_, it| (it.class, it.retracts));
    let mut newest: Vec<Above> = above.to_vec();
    newest.sort_by_key(|fact| std::cmp::Reverse(fact.ruling));
    let mut kept: Vec<Above> = Vec::new();
    for fact in newest {
        let (Some(winner), Some(loser)) = (claim.get(&fact.winner), claim.get(&fact.loser)) else { continue };
        if contradict(*winner, *loser) && !leads(&kept, &claim, *loser, *winner) {
            kept.push(fact);
        }
    }
    kept.reverse();
    kept
}

/// Whether of two claims only one can stand: two values, or a value and the word that takes it back.
const fn contradict((a, a_retracts): (usize, bool), (b, b_retracts): (usize, bool)) -> bool {
    match (a_retracts, b_retracts) {
        (false, false) => a != b,
        (true, true) => false,
        (true, false) | (false, true) => a == b,
    }
}

/// Whether kept facts already say that `from` stands above `to`.
fn leads(kept: &[Above], claim: &HashMap<usize, (usize, bool)>, from: (usize, bool), to: (usize, bool)) -> bool {
    let mut reached = BTreeSet::from([from]);
    loop {
        let further: Vec<(usize, bool)> = kept
            .iter()
            .filter(|fact| reached.contains(&claim[&fact.winner]))
            .map(|fact| claim[&fact.loser])
            .filter(|claim| !reached.contains(claim))
            .collect();
        if further.is_empty() {
            return reached.contains(&to);
        }
        reached.extend(further);
    }
}

/// Lifts each accepted winner to at least where its loser stands: what the loser beat, it beats.
fn raised(mut contenders: Vec<Contender>, above: &[Above]) -> Vec<Contender> {
    let place = by_record(&contenders, above, |at, _| at);
    // As often as there are facts: a chain of accepts hands its standing upwards.
    for _ in above {
        for fact in above {
            let loser = contenders[place[&fact.loser]];
            let winner = &mut contenders[place[&fact.winner]];
            winner.confident = true;
            let already_above = match (winner.rank, loser.rank) {
                (Some(winner), Some(loser)) => winner < loser,
                (Some(_), None) => true,
                (None, Some(_) | None) => false,
            };
            if !already_above {
                winner.rank = loser.rank.or(winner.rank);
                winner.first = winner.first.max(loser.first);
                winner.last = winner.last.max(loser.last);
            }
        }
    }
    for fact in above {
        let (winner, loser) = (contenders[place[&fact.winner]], contenders[place[&fact.loser]]);
        // Whoever says what the winner says stands with it: an echo of unknown authority reopens nothing.
        let echoes = |it: &&mut Contender| {
            it.rank.is_none()
                && it.class == winner.class
                && it.retracts == winner.retracts
                && it.first <= winner.last.max(loser.last)
        };
        contenders.iter_mut().filter(echoes).for_each(|it| it.rank = winner.rank);
    }
    contenders
}

/// An accept, by places among the contenders.
#[derive(Clone, Copy)]
struct Fact {
    winner: usize,
    loser: usize,
}

/// The state of the sweep at one moment.
struct Sweep<'a> {
    all: &'a [Contender],
    facts: Vec<Fact>,
    /// What nothing beats, by rank; records of unknown rank neither beat nor are beaten.
    levels: BTreeMap<Rank, VecDeque<usize>>,
    unranked: Vec<usize>,
    /// How many of each class nothing beats.
    standing: BTreeMap<usize, usize>,
    /// The best rank that a confident record holds, and the latest beginning among those.
    bar: Option<(Rank, Instant)>,
    /// The class that last stood alone, and the moment from which on it did.
    alone: Option<(usize, Instant)>,
    /// Of each class: the number of its current stretch, and whether it stood alone in it.
    stretch: HashMap<usize, (usize, bool)>,
    placed: BTreeMap<(usize, usize), Vec<usize>>,
    met: Vec<bool>,
    retractions: Vec<usize>,
    /// Who was taken back, by whom.
    taken: HashMap<usize, usize>,
    emptied_by: Option<usize>,
    /// The bar as it stood when the epoch was emptied: it still holds for what does not come certainly later.
    old_bar: Option<(Rank, Instant)>,
}

impl<'a> Sweep<'a> {
    fn new(all: &'a [Contender], above: &'a [Above]) -> Self {
        let place = by_record(all, above, |at, _| at);
        let facts =
            above.iter().map(|fact| Fact { winner: place[&fact.winner], loser: place[&fact.loser] }).collect();
        Self {
            all,
            facts,
            levels: BTreeMap::new(),
            unranked: Vec::new(),
            standing: BTreeMap::new(),
            bar: None,
            alone: None,
            stretch: HashMap::new(),
            placed: BTreeMap::new(),
            met: vec![false; all.len()],
            retractions: Vec::new(),
            taken: HashMap::new(),
            emptied_by: None,
            old_bar: None,
        }
    }

    fn meet(&mut self, at: usize) {
        self.met[at] = true;
        let newly =
            |fact: &&Fact| (fact.winner == at || fact.loser == at) && self.met[fact.winner] && self.met[fact.loser];
        let newly: Vec<Fact> = self.facts.iter().filter(newly).copied().collect();
        for fact in newly {
            self.demote(fact);
        }
        if self.all[at].retracts {
            self.retractions.push(at);
            self.take_back(at);
            return;
        }
        let under = self.demoting(at).map(|fact| fact.winner);
        let taker = under.filter(|winner| self.all[*winner].retracts);
        // What an accepted retraction takes back has stood until then: what it beat stays beaten.
        let stands = (under.is_none() || taker.is_some()) && !self.is_beaten(&self.all[at]);
        // What still stands goes on; only what fell can come back.
        let goes_on = self.standing.contains_key(&self.all[at].class);
        if stands {
            self.admit(at);
        }
        self.place(at, stands && !goes_on);
        if let Some(by) = taker {
            self.taken.insert(at, by);
            if stands {
                self.retire(&[at], by);
            }
        }
    }

    /// Whether a standing record beats this one, or beat it before the epoch was emptied.
    fn is_beaten(&self, it: &Contender) -> bool {
        let under = |bar: Option<(Rank, Instant)>| match (bar, it.rank) {
            (Some((best, latest)), Some(rank)) => best < rank || (best == rank && it.last < latest),
            (Some(_) | None, None) | (None, Some(_)) => false,
        };
        let not_after = |by: usize| self.all[by].last >= it.first;
        under(self.bar) || (self.emptied_by.is_some_and(not_after) && under(self.old_bar))
    }

    /// The accept that puts another claim above this record's.
    fn demoting(&self, at: usize) -> Option<Fact> {
        self.facts
            .iter()
            .find(|fact| self.met[fact.winner] && self.met[fact.loser] && self.covers(**fact, at))
            .copied()
    }

    /// Whether the accept speaks of this record: it says what the loser says, is not later than both, and nothing lifts it
    /// above the winner. What is more authoritative, or of one rank and certainly later, is new evidence.
    fn covers(&self, fact: Fact, at: usize) -> bool {
        let (winner, loser, it) = (&self.all[fact.winner], &self.all[fact.loser], &self.all[at]);
        let says_it = it.class == loser.class && it.retracts == loser.retracts;
        let known = it.first <= winner.last.max(loser.last);
        let stronger = match (it.rank, winner.rank) {
            (Some(mine), Some(theirs)) => mine < theirs || (mine == theirs && it.first > winner.last),
            (Some(_), None) => true,
            (None, Some(_) | None) => false,
        };
        says_it && known && !stronger
    }

    fn demote(&mut self, fact: Fact) {
        let gone: Vec<usize> = self.standing().filter(|at| self.covers(fact, *at)).collect();
        if self.all[fact.winner].retracts {
            self.retire(&gone, fact.winner);
        } else {
            self.drop_all(&gone);
        }
    }

    fn standing(&self) -> impl Iterator<Item = usize> {
        self.levels.values().flatten().chain(&self.unranked).copied()
    }

    fn admit(&mut self, at: usize) {
        let it = self.all[at];
        *self.standing.entry(it.class).or_default() += 1;
        let Some(rank) = it.rank else {
            self.unranked.push(at);
            return;
        };
        self.levels.entry(rank).or_default().push_back(at);
        if !it.confident {
            return;
        }
        match self.bar {
            Some((best, _)) if best < rank => {}
            Some((best, latest)) if best == rank => {
                self.bar = Some((rank, latest.max(it.first)));
                self.drop_earlier(rank);
            }
            Some(_) | None => {
                self.bar = Some((rank, it.first));
                let lower: Vec<Rank> = self.levels.keys().copied().filter(|level| *level > rank).collect();
                for level in lower {
                    for gone in self.levels.remove(&level).unwrap_or_default() {
                        self.uncount(self.all[gone].class);
                    }
                }
                self.drop_earlier(rank);
            }
        }
    }

    /// The level is in the order of its last moments, so what is now certainly earlier stands at its front.
    fn drop_earlier(&mut self, rank: Rank) {
        let Some((_, latest)) = self.bar else { return };
        while let Some(front) = self.levels.get(&rank).and_then(|level| level.front()).copied() {
            if self.all[front].last >= latest {
                return;
            }
            self.levels.get_mut(&rank).and_then(VecDeque::pop_front);
            self.uncount(self.all[front].class);
        }
    }

    fn drop_all(&mut self, gone: &[usize]) {
        if gone.is_empty() {
            return;
        }
        let set: BTreeSet<usize> = gone.iter().copied().collect();
        self.levels.values_mut().for_each(|level| level.retain(|at| !set.contains(at)));
        self.unranked.retain(|at| !set.contains(at));
        for at in gone {
            self.uncount(self.all[*at].class);
        }
    }

    fn uncount(&mut self, class: usize) {
        if let Some(count) = self.standing.get_mut(&class) {
            *count -= 1;
            if *count == 0 {
                self.standing.remove(&class);
            }
        }
    }

    /// Gives the record its stretch, and begins a new one where its value comes back.
    fn place(&mut self, at: usize, rises: bool) {
        let class = self.all[at].class;
        let (mut number, mut led) = self.stretch.get(&class).copied().unwrap_or_default();
        let came_after = |since: Instant| self.all[at].first > since;
        let returns = self.alone.is_none_or(|(sole, since)| sole != class && came_after(since));
        if rises && led && returns {
            (number, led) = (number + 1, false);
        }
        if self.standing.len() == 1
            && let Some(sole) = self.standing.keys().next().copied()
        {
            if self.alone.is_none_or(|(known, _)| known != sole) {
                self.alone = Some((sole, self.all[at].last));
            }
            if sole == class {
                led = true;
            } else {
                self.stretch.entry(sole).or_default().1 = true;
            }
        }
        self.stretch.insert(class, (number, led));
        self.placed.entry((class, number)).or_default().push(at);
    }

    fn take_back(&mut self, at: usize) {
        if self.demoting(at).is_some() {
            return;
        }
        let it = &self.all[at];
        if !self.standing.contains_key(&it.class) {
            return;
        }
        let takes = |other: usize| self.all[other].class == it.class && takes(it, &self.all[other]);
        let gone: Vec<usize> = self.standing().filter(|other| takes(*other)).collect();
        self.retire(&gone, at);
    }

    /// Retires what a retraction takes back; where nothing is left, the epoch is empty from here on.
    fn retire(&mut self, gone: &[usize], by: usize) {
        if gone.is_empty() {
            return;
        }
        self.drop_all(gone);
        self.taken.extend(gone.iter().map(|retired| (*retired, by)));
        if self.standing.is_empty() {
            (self.emptied_by, self.old_bar, self.bar, self.alone) = (Some(by), self.bar, None, None);
        }
    }

    fn close(self) -> Standing {
        let drafts = self.drafts();
        let mut stretches: Vec<Stretch> = Vec::with_capacity(drafts.len());
        let order = BeatOrder::new(self.all, &drafts);
        for (at, draft) in drafts.iter().enumerate() {
            let mut members: Vec<usize> = draft.members.iter().map(|at| self.all[*at].record).collect();
            members.sort_unstable();
            let (class, best) = (draft.class, self.all[draft.best].record);
            stretches.push(Stretch { class, members, best, fate: self.fate(at, &drafts, &order) });
        }
        let holds = self.holds(&stretches);
        let retractions = self
            .retractions
            .iter()
            .map(|at| (self.all[*at], self.took(*at, holds.get(&self.all[*at].class))))
            .collect();
        let stands = stretches.iter().any(|stretch| stretch.fate == Fate::Stands);
        let emptied_by = self.emptied_by.filter(|_| !stands).map(|at| self.all[at].record);
        Standing { stretches, retractions, emptied_by }
    }

    fn drafts(&self) -> Vec<Draft> {
        let current = |class: usize, number: usize| self.stretch.get(&class).is_some_and(|(now, _)| *now == number);
        let up: BTreeSet<usize> = self.standing().collect();
        let draft = |((class, number), members): (&(usize, usize), &Vec<usize>)| {
            let best_of = |fit: &dyn Fn(&usize) -> bool| {
                members.iter().copied().filter(fit).min_by_key(|at| excellence(&self.all[*at]))
            };
            Draft {
                class: *class,
                members: members.clone(),
                best: best_of(&|at| up.contains(at)).or_else(|| best_of(&|_| true)).unwrap_or_default(),
                champion: best_of(&|at| self.all[*at].confident && self.all[*at].rank.is_some()),
                stands: current(*class, *number) && self.standing.contains_key(class),
                taken: members.iter().filter_map(|at| self.taken.get(at)).copied().max(),
            }
        };
        self.placed.iter().map(draft).collect()
    }

    fn fate(&self, at: usize, drafts: &[Draft], order: &BeatOrder) -> Fate {
        let draft = &drafts[at];
        if draft.stands {
            return Fate::Stands;
        }
        if let Some(by) = draft.taken {
            let accepted = |fact: &Fact| fact.winner == by && self.all[fact.loser].class == draft.class;
            let basis = if self.facts.iter().any(accepted) { Basis::Accept } else { Basis::Recency };
            return Fate::TakenBack { by: self.all[by].record, basis };
        }
        if let Some(fact) = self.demoting(draft.best) {
            return Fate::Beaten { by: self.all[fact.winner].record, basis: Basis::Accept };
        }
        let (by, basis) = order.beater(draft, drafts, self.all);
        Fate::Beaten { by: self.all[by].record, basis }
    }

    /// What retractions meet: each value that stands, with the best that was said for it in the epoch.
    fn holds(&self, stretches: &[Stretch]) -> HashMap<usize, Hold> {
        let standing = stretches.iter().filter(|stretch| stretch.fate == Fate::Stands);
        let hold = |stretch: &Stretch| Hold { speaker: stretch.best, rank: None, latest: None };
        let mut holds: HashMap<usize, Hold> = standing.map(|stretch| (stretch.class, hold(stretch))).collect();
        for ((class, _), members) in &self.placed {
            let Some(hold) = holds.get_mut(class) else { continue };
            for it in members.iter().map(|at| &self.all[*at]).filter(|it| it.confident) {
                let Some(rank) = it.rank else { continue };
                hold.rank = Some(hold.rank.map_or(rank, |known| known.min(rank)));
                hold.latest = hold.latest.max(Some(it.first));
            }
        }
        holds
    }

    fn took(&self, at: usize, hold: Option<&Hold>) -> Took {
        let it = &self.all[at];
        let Some(Hold { speaker, rank, latest }) = hold else { return Took::Stands };
        let lost = |basis| Took::Lost { to: *speaker, basis };
        if self.demoting(at).is_some() {
            return lost(Basis::Accept);
        }
        match (it.rank, rank, latest) {
            (Some(mine), Some(theirs), _) if mine > *theirs => lost(Basis::Authority),
            (Some(_), Some(_), Some(latest)) if it.last < *latest => lost(Basis::Recency),
            (Some(_) | None, Some(_) | None, Some(_) | None) => Took::Undecided { against: *speaker },
        }
    }
}

/// A value that stands where it may be taken back.
struct Hold {
    speaker: usize,
    /// Of what is fit to win: the best rank, and the latest beginning.
    rank: Option<Rank>,
    latest: Option<Instant>,
}

/// Whether a retraction takes back this record: at least as authoritative, certainly later, and fit to win.
fn takes(retraction: &Contender, it: &Contender) -> bool {
    let ranked = retraction.rank.zip(it.rank).is_some_and(|(mine, theirs)| mine <= theirs);
    ranked && retraction.confident && it.last < retraction.first
}

/// The smaller, the better a record speaks for its claim: rank, confidence, the latest, then the writing order.
fn excellence(it: &Contender) -> impl Ord + use<> {
    let rank = it.rank.map_or((true, Rank(0)), |rank| (false, rank));
    (rank, !it.confident, std::cmp::Reverse((it.first, it.last)), it.record)
}
