//! Who is who: aliases between the names of subjects.
//!
//! Similar names are not one subject; a confirmed alias is what makes them one.

use std::collections::BTreeMap;

use super::record::Subject;
use super::ruling::{AliasVerdict, Decision, Ruling, RulingId};

/// What is known of the names of subjects, from the alias rulings that count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    /// Each pair of names (the smaller first) with the last word on it.
    aliases: BTreeMap<(Subject, Subject), Alias>,
    /// The canonical name of each name that is not its own.
    canonical: BTreeMap<Subject, Subject>,
}

/// The last word on two names.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// As they were named: the first is the one that the second is an alias of.
    pub names: (Subject, Subject),
    pub verdict: AliasVerdict,
    pub ruling: RulingId,
}

/// Whether two records are confirmed to be about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SameSubject {
    /// One name.
    SameName,
    /// Two names of one subject, by this ruling's alias.
    Alias,
    Unconfirmed,
}

impl Identity {
    /// What the alias rulings say; pass those that count ([`super::ruling::effective`]).
    pub fn new<'a>(rulings: impl IntoIterator<Item = &'a Ruling>) -> Self {
        let mut aliases = BTreeMap::new();
        let mut told: Vec<&Ruling> = rulings.into_iter().collect();
        told.sort_by_key(|ruling| ruling.id);
        for ruling in told {
            if let Decision::Alias { names, verdict } = &ruling.decision {
                let alias = Alias { names: names.clone(), verdict: *verdict, ruling: ruling.id };
                aliases
                    .entry(unordered(&names.0, &names.1))
                    .and_modify(|last: &mut Alias| {
                        // The names keep the order in which they were first told.
                        let names = last.names.clone();
                        *last = Alias { names, ..alias.clone() };
                    })
                    .or_insert(alias);
            }
        }
        let canonical = canonical_names(aliases.values());
        Self { aliases, canonical }
    }

    /// The name under which the subject's slots are kept: of the names joined, the one that the earliest alias puts first.
    pub fn canonical(&self, subject: &Subject) -> Subject {
        self.canonical.get(subject).unwrap_or(subject).clone()
    }

    /// Whether the subject's slots are kept under this name.
    pub fn is_canonical(&self, subject: &Subject) -> bool {
        self.canonical.get(subject).is_none_or(|canonical| canonical == subject)
    }

    /// Whether two names are confirmed to be one subject.
    pub fn same_subject(&self, a: &Subject, b: &Subject) -> SameSubject {
        if a == b {
            return SameSubject::SameName;
        }
        if self.canonical(a) == self.canonical(b) { SameSubject::Alias } else { SameSubject::Unconfirmed }
    }

    /// The last word on two names, in whichever order they are given.
    pub fn alias(&self, a: &Subject, b: &Subject) -> Option<&Alias> {
        self.aliases.get(&unordered(a, b))
    }

    /// Every pair of names on which something was said, by name.
    pub fn aliases(&self) -> impl Iterator<Item = &Alias> {
        self.aliases.values()
    }

    /// The rulings that joined the names of the subject.
    pub fn joins(&self, subject: &Subject) -> Vec<RulingId> {
        let canonical = self.canonical(subject);
        self.aliases
            .values()
            .filter(|alias| alias.verdict == AliasVerdict::Confirmed && self.canonical(&alias.names.0) == canonical)
            .map(|alias| alias.ruling)
            .collect()
    }

    /// A pair of names that was denied to be one subject, and is joined through others.
    pub fn contradiction(&self) -> Option<&Alias> {
        self.aliases.values().find(|alias| {
            alias.verdict == AliasVerdict::Denied
                && self.canonical(&alias.names.0) == self.canonical(&alias.names.1)
        })
    }

    /// Every name of the subject, its canonical one first.
    pub fn names_of(&self, subject: &Subject) -> Vec<Subject> {
        let canonical = self.canonical(subject);
        let others = self.canonical.iter().filter(|(_, root)| **root == canonical).map(|(name, _)| name.clone());
        std::iter::once(canonical.clone()).chain(others).collect()
    }
}

fn unordered(a: &Subject, b: &Subject) -> (Subject, Subject) {
    if a <= b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }
}

/// Joins confirmed names, the earliest alias first: what is joined later takes the earlier group's name.
fn canonical_names<'a>(aliases: impl Iterator<Item = &'a Alias>) -> BTreeMap<Subject, Subject> {
    let mut confirmed: Vec<&Alias> = aliases.filter(|alias| alias.verdict == AliasVerdict::Confirmed).collect();
    confirmed.sort_by_key(|alias| alias.ruling);
    let mut groups: Vec<(Subject, Vec<Subject>)> = Vec::new();
    for Alias { names: (first, second), .. } in confirmed {
        let found = |name: &Subject, groups: &[(Subject, Vec<Subject>)]| {
            groups.iter().position(|(_, members)| members.contains(name))
        };
        match (found(first, &groups), found(second, &groups)) {
            (None, None) => groups.push((first.clone(), vec![first.clone(), second.clone()])),
            (Some(at), None) => groups[at].1.push(second.clone()),
            (None, Some(at)) => groups[at].1.push(first.clone()),
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                let (earlier, later) = (a.min(b), a.max(b));
                let (_, joined) = groups.remove(later);
                groups[earlier].1.extend(joined);
            }
        }
    }
    groups
        .into_iter()
        .flat_map(|(root, members)| members.into_iter().map(move |name| (name, root.clone())))
        .filter(|(name, root)| name != root)
        .collect()
}
