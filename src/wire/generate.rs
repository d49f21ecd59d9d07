//! Records made up for measuring: the same seed gives the same bytes, and what comes of them when judged is stated.
//!
//! A slot tells one *story*: alone, agreeing, superseding … A block holds so many slots of each story as the [`Mix`] says,
//! so the mix is exact in every whole block. Any line can be made without those before it: nothing is held, and the lines
//! come out scattered, so that the records of one slot arrive far from each other and in no order.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};

use crate::core::examine::Ground;
use crate::core::time::Instant;

/// What the records of one slot do to each other under the shipped policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Story {
    /// One record.
    Lone,
    /// Three that say one value.
    Agreeing,
    /// Three values in one epoch, each certainly later than the one before.
    Superseding,
    /// A value, and later its retraction.
    Retracted,
    /// Two values that the core may not rank, for this reason.
    Quarantined(Ground),
    /// One record of a slot that has a share of every block; every two of them say one value.
    Hot,
}

/// The grounds that records alone can give: the others need an alias, an epoch that was opened, a floor of confidence, or a person.
pub const GROUNDS: [Ground; 6] = [
    Ground::MissingProvenance,
    Ground::ImpossibleProvenance,
    Ground::CrossEpoch,
    Ground::CardinalityUndeclared,
    Ground::AuthorityUnknown,
    Ground::OrderUndecidable,
];

/// So many slots of each story in every block, and of a thousand slots so many with letters from all over the world.
///
/// Reads as `lone=550,superseding=60,cross_epoch=10,unicode=50`: what is not named is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    pub slots: Vec<(Story, u64)>,
    pub unicode: u64,
}

/// A set of records to be made.
#[derive(Clone, Debug)]
pub struct Generator {
    records: u64,
    subjects: u64,
    seed: u64,
    mix: Mix,
    /// Of each record in a block: its story, its slot in the block, and its place in the story.
    block: Vec<(Story, u64, u64)>,
    slots_in_block: u64,
    step: u64,
}

impl Story {
    const ALL: [Self; 11] = [
        Self::Lone,
        Self::Agreeing,
        Self::Superseding,
        Self::Retracted,
        Self::Quarantined(GROUNDS[0]),
        Self::Quarantined(GROUNDS[1]),
        Self::Quarantined(GROUNDS[2]),
        Self::Quarantined(GROUNDS[3]),
        Self::Quarantined(GROUNDS[4]),
        Self::Quarantined(GROUNDS[5]),
        Self::Hot,
    ];

    /// Its name in a mix.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lone => "lone",
            Self::Agreeing => "agreeing",
            Self::Superseding => "superseding",
            Self::Retracted => "retracted",
            Self::Quarantined(ground) => ground.name(),
            Self::Hot => "hot",
        }
    }

    /// How many records tell it in one slot.
    pub const fn records(self) -> u64 {
        match self {
            Self::Lone | Self::Hot => 1,
            Self::Agreeing | Self::Superseding => 3,
            Self::Retracted | Self::Quarantined(_) => 2,
        }
    }
}

impl Default for Mix {
    /// Of a thousand records some six hundred are alone, and some forty open a pair.
    fn default() -> Self {
        let quarantined = [10, 4, 10, 8, 4, 6];
        let plain = [(Story::Lone, 560), (Story::Agreeing, 55), (Story::Superseding, 55), (Story::Retracted, 8)];
        let grounds = GROUNDS.into_iter().zip(quarantined);
        let grounds = grounds.map(|(ground, slots)| (Story::Quarantined(ground), slots));
        Self { slots: plain.into_iter().chain(grounds).chain([(Story::Hot, 10)]).collect(), unicode: 50 }
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut mix = Self { slots: Vec::new(), unicode: 0 };
        for part in text.split(',') {
            let (name, count) = part.split_once('=').ok_or_else(|| format!("{part:?}: NAME=SLOTS is expected"))?;
            let count: u64 = count.trim().parse().map_err(|_| format!("{part:?}: a whole number is expected"))?;
            let name = name.trim();
            if name == "unicode" {
                mix.unicode = count;
                continue;
            }
            let names = || Story::ALL.map(Story::name).join(", ");
            let story = Story::ALL.into_iter().find(|story| story.name() == name);
            let story = story.ok_or_else(|| format!("{name:?} is no story: {}, unicode", names()))?;
            mix.slots.push((story, count));
        }
        if mix.slots.iter().all(|(_, count)| *count == 0) {
            return Err("no slot has a story".to_owned());
        }
        Ok(mix)
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (story, count) in &self.slots {
            write!(f, "{}={count},", story.name())?;
        }
        write!(f, "unicode={}", self.unicode)
    }
}

/// Declared for the whole of a life, by the shipped policy: one value, the later one wins.
const DECLARED: [&str; 8] =
    ["home_city", "employer", "preferred_language", "time_zone", "plan_tier", "job_title", "department", "manager"];

/// No policy names them.
const UNDECLARED: [&str; 8] =
    ["pet_name", "shoe_size", "favourite_tea", "parking_spot", "locker", "seat_choice", "ringtone", "gym"];

const WORDS: [&str; 16] = [
    "Lisbon", "Berlin", "Porto", "Utrecht", "Oslo", "Ghent", "Riga", "Turin", "Leeds", "Graz", "Cork", "Lyon",
    "Bergen", "Split", "Malmo", "Brno",
];

const WORLDLY: [&str; 8] = ["München", "東京", "Київ", "القاهرة", "São Paulo", "Đà Nẵng", "🏡 Zürich", "Ἀθῆναι"];

/// So many hot slots share the hot records.
const HOT_SLOTS: u64 = 4;

/// 1 October 2025, in seconds since 1970: observations begin here.
const EPOCH: i64 = 1_759_276_800;

impl Generator {
    /// None where the subjects cannot hold so many slots: says how many can.
    pub fn new(records: u64, subjects: Option<u64>, seed: u64, mix: Mix) -> Result<Self, u64> {
        let mut block = Vec::new();
        let mut slots = 0;
        for (story, count) in &mix.slots {
            for _ in 0..*count {
                block.extend((0..story.records()).map(|place| (*story, slots, place)));
                slots += u64::from(*story != Story::Hot);
            }
        }
        let blocks = records.div_ceil(block.len().max(1) as u64);
        let least = (blocks * slots).div_ceil(DECLARED.len() as u64).max(1);
        let subjects = subjects.unwrap_or(least * 2);
        if subjects < least {
            return Err(least);
        }
        Ok(Self { records, subjects, seed, mix, block, slots_in_block: slots, step: step(records, seed) })
    }

    /// Every record, a line each.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        (0..self.records).map(|line| self.line(line))
    }

    /// One line, counted from 0: a JSON object.
    pub fn line(&self, line: u64) -> String {
        let product = u128::from(line) * u128::from(self.step) + u128::from(self.seed);
        let number = u64::try_from(product % u128::from(self.records.max(1))).unwrap_or_default();
        self.record(number).to_string()
    }

    fn record(&self, number: u64) -> Value {
        let size = self.block.len() as u64;
        let (block, within) = (number / size, usize::try_from(number % size).unwrap_or_default());
        let (story, slot, place) = self.block[within];
        let said = Said { id: number, story, slot: block * self.slots_in_block + slot, place };
        if story == Story::Hot { self.hot(&said) } else { self.told(&said) }
    }

    /// A record of a hot slot: later than the one before in its slot; every two say one value.
    fn hot(&self, said: &Said) -> Value {
        let value = format!("region-{}", said.id / 2);
        let subject = format!("svc/hot-{}", self.chance(said.slot, said.id) % HOT_SLOTS);
        let at = EPOCH + i64::try_from(said.id).unwrap_or_default();
        let mut record = self.plain(said, &subject, "region", &value, at);
        record["source"] = json!({"kind": "tool_output", "channel": "probe"});
        record
    }

    fn told(&self, said: &Said) -> Value {
        let place = usize::try_from(said.slot / self.subjects).unwrap_or_default() % DECLARED.len();
        let worldly = self.chance(said.slot, 1) % 1_000 < self.mix.unicode;
        let word = |nth: u64| {
            let at = usize::try_from(self.chance(said.slot, 2).wrapping_add(nth) % 16).unwrap_or_default();
            if worldly { WORLDLY[at % 8] } else { WORDS[at] }
        };
        let name = if worldly { format!("użytkownik_{}", said.slot % self.subjects) } else { String::new() };
        let subject = if worldly { name } else { format!("user_{}", said.slot % self.subjects) };
        let undeclared = said.story == Story::Quarantined(Ground::CardinalityUndeclared);
        let attribute = if undeclared { UNDECLARED[place] } else { DECLARED[place] };
        let begun = EPOCH + i64::try_from(self.chance(said.slot, 3) % 2_000_000).unwrap_or_default();
        let nth = if matches!(said.story, Story::Agreeing | Story::Retracted) { 0 } else { said.place };
        let later = begun + 86_400 * i64::try_from(said.place).unwrap_or_default();
        let value = format!("{} {}", word(nth), self.chance(said.slot, 4) % 1_000);
        let mut record = self.plain(said, &subject, attribute, &value, later);
        if said.place > 0 {
            self.second(said, &mut record, begun);
        }
        record
    }

    /// What makes a later record of the slot the story that it is.
    fn second(&self, said: &Said, record: &mut Value, begun: i64) {
        match said.story {
            Story::Lone | Story::Agreeing | Story::Superseding | Story::Hot => {}
            Story::Retracted => record["op"] = json!("retract"),
            Story::Quarantined(ground) => match ground {
                Ground::MissingProvenance => {
                    let lost = ["observed_at", "epoch", "source"];
                    let at = usize::try_from(self.chance(said.slot, 5) % 3).unwrap_or_default();
                    record[lost[at]] = Value::Null;
                }
                Ground::ImpossibleProvenance => record["observed_at"] = json!(time(begun + 4_000_000)),
                Ground::CrossEpoch => record["epoch"] = json!(4),
                Ground::CardinalityUndeclared
                | Ground::SubjectUnconfirmed
                | Ground::OutdatedProvenance
                | Ground::LowConfidence
                | Ground::Disputed => {}
                Ground::AuthorityUnknown => record["source"] = json!({"kind": "scraper"}),
                Ground::OrderUndecidable => record["observed_at"] = json!(time(begun)),
            },
        }
    }

    fn plain(&self, said: &Said, subject: &str, attribute: &str, value: &str, at: i64) -> Value {
        json!({
            "id": format!("mem_{:016x}", self.chance(said.id, 0)), "subject_id": subject, "attribute": attribute,
            "value": value, "op": "assert",
            "source": {"kind": "user_utterance", "channel": "chat", "turn_id": format!("t_{}", said.id)},
            "observed_at": time(at), "written_at": time(at + 4), "epoch": 3,
            "confidence": 0.5 + f64::from(u32::try_from(said.id % 50).unwrap_or_default()) / 100.0,
            "evidence": format!("They said that it is {value} now, and that it has been for a while: turn {}.", said.id),
        })
    }

    /// A number that the seed and these two give, spread over all that there are: SplitMix64.
    fn chance(&self, one: u64, two: u64) -> u64 {
        let mut mixed = self.seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ one.wrapping_mul(8).wrapping_add(two);
        mixed = mixed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// One record to be made: its number, and what it is to say.
struct Said {
    id: u64,
    story: Story,
    slot: u64,
    place: u64,
}

fn time(seconds: i64) -> String {
    Instant::from_epoch_number(seconds).map(|at| at.to_string()).unwrap_or_default()
}

/// A step through all the records that meets each once, with neighbours far apart.
fn step(records: u64, seed: u64) -> u64 {
    let golden = u64::try_from(u128::from(records) * 618_033_989 / 1_000_000_000).unwrap_or_default();
    (golden + seed % 97..).find(|step| *step > 0 && common(*step, records) == 1).unwrap_or(1)
}

fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}
