//! The log screen on the demo's store: what it shows of each kind of event, what its keys do, and audits.

use gainsay::app::Look;
use gainsay::core::order::{Order, Outcome, Scope, Seen, Withdrawn};
use gainsay::core::policy::{AttributePolicy, Cardinality, Declaration};
use gainsay::core::record::{Attribute, Batch, Epoch, Kind, RecordId};
use gainsay::core::ruling::{PairId, WithdrawReason};
use gainsay::runtime::Desk;
use gainsay::store::{By, OrderError, Store};
use tempfile::TempDir;

use crate::real::demo;
use crate::seat::Seat;
use crate::told::at;

/// A seat at the demo's store, after a morning on which two others have ruled; and a second door to the same store.
pub(crate) struct Morning {
    pub(crate) seat: Seat<Desk>,
    pub(crate) store: Store,
    minute: u32,
    _folder: TempDir,
}

impl Morning {
    pub(crate) fn new(width: u16, height: u16, look: Look) -> Self {
        let (seat, folder) = demo(width, height, look);
        let file = folder.path().join("demo.db");
        let store = Store::open(&file, at("2025-12-01T09:14:02Z")).unwrap();
        let mut morning = Self { seat, store, minute: 20, _folder: folder };
        morning.rule_of_everything();
        morning.seat.now = at("2025-12-01T11:02:00Z");
        morning.seat.press("L");
        morning
    }

    pub(crate) fn order(&mut self, actor: &str, order: &Order) -> Result<Outcome, OrderError> {
        self.minute += 1;
        let now = at(&format!("2025-12-01T{:02}:{:02}:17Z", 9 + self.minute / 60, self.minute % 60));
        self.store.order(order, &By { actor, now }, None)
    }

    fn side(&self, pair: i64, side: usize) -> RecordId {
        let entry = self.store.entry(PairId(pair), at("2025-12-01T10:00:00Z")).unwrap().unwrap();
        entry.records[side].clone()
    }

    fn accept(&mut self, actor: &str, pair: i64, side: usize, reason: &str) {
        let (pair, winner) = (PairId(pair), self.side(pair, side));
        let order = |recency_override| Order::Accept {
            pair,
            winner: winner.clone(),
            recency_override,
            reason: reason.to_owned(),
        };
        if self.order(actor, &order(false)).is_err() {
            self.order(actor, &order(true)).unwrap();
        }
    }

    fn rule_of_everything(&mut self) {
        self.accept("lee", 9, 1, "she said so twice in the call of 12 November, and the contract names Valencia");
        self.accept("lee", 23, 0, "");
        self.order("lee", &Order::LinkSame { pair: PairId(24), reason: "one letter is Cyrillic".to_owned() })
            .unwrap();
        self.order("mika", &Order::Request { pair: PairId(5) }).unwrap();
        let seen = Seen {
            value: "30s".into(),
            epoch: Epoch(9),
            source: Kind::from("config_probe"),
            class: None,
            observer: None,
            evidence: "retry_timeout = 30s in /etc/checkout.toml".to_owned(),
            observed_at: None,
        };
        self.order("mika", &Order::Reobserve { pair: PairId(5), seen }).unwrap();
        let fields = AttributePolicy { cardinality: Some(Cardinality::Many), ..AttributePolicy::default() };
        let declaration = Declaration { attribute: Attribute::from("pet_name"), subject: None, fields };
        self.order("lee", &Order::Declare { declaration }).unwrap();
        let cause = Some("deploy 2025.10.2".to_owned());
        let across = Order::LinkAcrossEpochs { pair: PairId(32), cause, reason: String::new() };
        self.order("lee", &across).unwrap();
        self.accept("lee", 34, 1, "the migration was finished on the 3rd");
        self.order("mika", &Order::Undo { ruling: None }).unwrap();
        self.order("lee", &Order::Defer { pair: PairId(39), until: at("2025-12-24T08:00:00Z") }).unwrap();
        let text = "asked the owner in #search; she will look on Monday".to_owned();
        self.order("mika", &Order::Note { pair: PairId(36), text }).unwrap();
        let both =
            Order::LinkBothTrue { pair: PairId(11), scope: Scope::Slot, reason: "either is fine".to_owned() };
        self.order("mika", &both).unwrap();
        let what = Withdrawn::Batch(Batch::from("warranty_incident"));
        self.order(
            "lee",
            &Order::Withdraw { what, why: WithdrawReason::BadBatch, note: Some("ticket 8812".to_owned()) },
        )
        .unwrap();
        self.accept("lee", 36, 0, "three replicas are enough for now");
        self.overridden();
    }

    /// The first pair on which a reviewer may only overrule.
    fn overridden(&mut self) {
        for pair in [12, 13, 14, 30] {
            for side in [0, 1] {
                let (pair, winner) = (PairId(pair), self.side(pair, side));
                let reason = "the customer showed the receipt; the sync is a day behind".to_owned();
                let order = Order::Accept { pair, winner, recency_override: true, reason };
                if self.order("lee", &order).is_ok() {
                    return;
                }
            }
        }
        panic!("no pair wants an override");
    }

    /// Presses keys, and types what stands behind a `~`.
    pub(crate) fn press(&mut self, keys: &str) -> String {
        for key in keys.split_whitespace() {
            match key.strip_prefix('~') {
                Some(text) => self.seat.write(&text.replace('_', " ")),
                None => self.seat.press(key),
            };
        }
        self.seat.screen()
    }
}

/// Each picture, by the keys that lead to it.
const PICTURES: &[(&str, &str)] = &[
    ("log", ""),
    ("log_found", "/ ~receipt Enter"),
    ("log_nothing", "/ ~nothing_like_it Enter"),
    ("log_whole", "/ ~receipt Enter j Enter"),
    ("log_verified", "V"),
    ("log_facets", "f"),
    ("log_copy", "y"),
    ("log_audit_form", "s"),
    ("log_audit", "s Enter Enter Enter Enter + y - ~it_is_the_other_one Enter y"),
    ("log_audit_blind", "s Enter Enter Enter Right Enter"),
];

#[test]
fn pictures() {
    for (name, keys) in PICTURES {
        for (width, height) in [(120, 40), (80, 24), (50, 30)] {
            let mut morning = Morning::new(width, height, Look::Colour);
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), morning.press(keys));
        }
    }
    let mut plain = Morning::new(120, 40, Look::Plain);
    insta::assert_snapshot!("log_plain_120x40", plain.press(""));
}
