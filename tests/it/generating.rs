//! Records made up for measuring: the same to the byte, and of the mix that they state, when they are judged.

use std::collections::{BTreeMap, BTreeSet};

use gainsay::core::record::Batch;
use gainsay::store::{By, Import, Imported, StoreError};
use gainsay::wire::Defaults;
use gainsay::wire::generate::{GROUNDS, Generator, Mix, Story};
use gainsay::wire::record::records;

use crate::desk::Desk;

fn made(records: u64, seed: u64, mix: &Mix) -> String {
    let made = Generator::new(records, None, seed, mix.clone()).unwrap();
    made.lines().map(|line| line + "\n").collect()
}

fn judged(text: &str) -> (Desk, Imported) {
    let mut desk = Desk::new();
    let batch = Batch::from("made");
    let defaults = Defaults { now: desk.now, batch: batch.clone(), epoch: None, zone: None };
    let read = records(text.as_bytes(), defaults).map(|read| Ok::<_, StoreError>(read.unwrap().1.unwrap()));
    let by = By { actor: "agent", now: desk.now };
    let import = Import { batch, dry_run: false, each: false };
    let done = desk.store.import(&by, &import, read, |clash| panic!("{}", clash.id), |_| {}).unwrap();
    (desk, done)
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_gives_others() {
    let mix = Mix::default();
    assert_eq!(made(2_000, 7, &mix), made(2_000, 7, &mix));
    assert_ne!(made(2_000, 7, &mix), made(2_000, 8, &mix));
}

#[test]
fn any_line_can_be_made_without_those_before_it() {
    let made = Generator::new(3_000, None, 5, Mix::default()).unwrap();
    let all: Vec<String> = made.lines().collect();
    for line in [0, 1, 999, 2_999] {
        assert_eq!(all[line], made.line(line as u64));
    }
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "each record once");
}

#[test]
fn a_mix_reads_as_it_is_written() {
    let mix = Mix::default();
    assert_eq!(mix.to_string().parse::<Mix>(), Ok(mix));
    assert!("lone=1,blue=2".parse::<Mix>().unwrap_err().contains("blue"));
    assert!("lone=0".parse::<Mix>().is_err());
}

#[test]
fn too_few_subjects_are_refused_with_how_many_it_takes() {
    let with = |subjects| Generator::new(1_000, Some(subjects), 1, Mix::default());
    let least = with(2).unwrap_err();
    assert!(least > 2 && with(least).is_ok() && with(least - 1).is_err());
}

#[test]
fn what_comes_of_them_is_the_mix_that_they_state() {
    let mix: Mix = "lone=50,agreeing=10,superseding=12,retracted=5,missing_provenance=6,impossible_provenance=3,\
                    cross_epoch=4,cardinality_undeclared=7,authority_unknown=2,order_undecidable=8,unicode=200"
        .parse()
        .unwrap();
    // Two whole blocks.
    let in_block: u64 = mix.slots.iter().map(|(story, slots)| story.records() * slots).sum();
    let text = made(in_block * 2, 3, &mix);
    assert!(!text.is_ascii(), "some of it is from all over the world");
    let (mut desk, done) = judged(&text);
    let slots: BTreeMap<Story, u64> = mix.slots.iter().copied().collect();
    let told = |names: &[&'static str]| names.iter().filter_map(|name| done.outcomes.get(name)).sum::<u64>();
    assert_eq!(told(&["held"]), 2 * slots.values().sum::<u64>());
    assert_eq!(told(&["agrees"]), 2 * 2 * slots[&Story::Agreeing]);
    let beaten = 2 * slots[&Story::Superseding] + slots[&Story::Retracted];
    assert_eq!(told(&["supersedes", "superseded", "retracts"]), 2 * beaten);
    let mut by_ground: BTreeMap<&str, u64> = BTreeMap::new();
    for entry in desk.open() {
        assert_eq!(entry.grounds.len(), 1, "{entry:?}");
        *by_ground.entry(entry.grounds[0].name()).or_default() += 1;
    }
    let wanted: BTreeMap<&str, u64> =
        GROUNDS.iter().map(|ground| (ground.name(), 2 * slots[&Story::Quarantined(*ground)])).collect();
    assert_eq!(by_ground, wanted);
    assert_eq!(done.pairs_opened, wanted.values().sum::<u64>());
    desk.is_whole();
}

#[test]
fn hot_slots_get_their_share() {
    let mix: Mix = "lone=9,hot=3".parse().unwrap();
    let (mut desk, done) = judged(&made(1_200, 1, &mix));
    assert_eq!(done.added, 1_200);
    assert_eq!(done.outcomes["held"], 900 + 4, "four slots have what is hot");
    assert_eq!(done.pairs_opened, 0);
    desk.is_whole();
}
