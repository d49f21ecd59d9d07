//! A desk: a fresh store in a folder of its own, and the words with which the stories of the store are told.

use gainsay::core::examine::Ground;
use gainsay::core::facet::Facet;
use gainsay::core::order::{Order, Outcome, Seen, Withdrawn};
use gainsay::core::pair::{Entry, PairState};
use gainsay::core::recall::AsOf;
use gainsay::core::record::{Attribute, Batch, Epoch, Kind, Record, RecordId, Subject};
use gainsay::core::ruling::{PairId, WithdrawReason};
use gainsay::core::time::Instant;
use gainsay::store::{
    By, Import, Imported, OrderError, QueueFilter, QueueOrder, Recalled, Store, StoreError, Window,
};
use gainsay::wire::content::content;
use gainsay::wire::record::Incoming;
use serde_json::Value;
use tempfile::TempDir;

use crate::script::{WRITTEN, instant};

/// A store at work.
pub(crate) struct Desk {
    pub(crate) store: Store,
    pub(crate) folder: TempDir,
    pub(crate) now: Instant,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let now = instant(WRITTEN);
        let store = Store::open_or_create(&folder.path().join("store.db"), now).unwrap();
        Self { store, folder, now }
    }

    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("store.db")
    }

    pub(crate) fn at(&mut self, now: &str) -> &mut Self {
        self.now = instant(now);
        self
    }

    /// Imports records as one import.
    pub(crate) fn import(&mut self, records: impl IntoIterator<Item = Record>) -> Imported {
        let incoming = records.into_iter().map(incoming).map(Ok::<_, StoreError>);
        let import = Import { batch: Batch::from("import"), dry_run: false, each: true };
        let by = By { actor: "agent", now: self.now };
        self.store.import(&by, &import, incoming, |clash| panic!("{} is there already", clash.id), |_| {}).unwrap()
    }

    /// Carries out an order as this reviewer.
    pub(crate) fn order(&mut self, actor: &str, order: &Order) -> Result<Outcome, OrderError> {
        self.store.order(order, &By { actor, now: self.now }, None)
    }

    pub(crate) fn accept(&mut self, pair: i64, winner: &str) -> Result<Outcome, OrderError> {
        let (winner, reason) = (RecordId::from(winner), "it was checked".to_owned());
        self.order("reviewer", &Order::Accept { pair: PairId(pair), winner, recency_override: false, reason })
    }

    pub(crate) fn look_again(&mut self, pair: i64, value: &str, epoch: i64) -> Result<Outcome, OrderError> {
        let seen = Seen {
            value: Value::from(value),
            epoch: Epoch(epoch),
            source: Kind::from("config_probe"),
            class: None,
            evidence: format!("it reads {value}"),
            observed_at: None,
            observer: None,
        };
        self.order("reviewer", &Order::Reobserve { pair: PairId(pair), seen })
    }

    pub(crate) fn withdraw_batch(&mut self, batch: &str) -> Result<Outcome, OrderError> {
        let what = Withdrawn::Batch(Batch::from(batch));
        self.order("reviewer", &Order::Withdraw { what, why: WithdrawReason::BadBatch, note: None })
    }

    pub(crate) fn undo(&mut self) -> Result<Outcome, OrderError> {
        self.order("reviewer", &Order::Undo { ruling: None })
    }

    pub(crate) fn open(&self) -> Vec<Entry> {
        let filter = QueueFilter { states: vec![PairState::Open], ..QueueFilter::default() };
        self.store.queue(&filter, QueueOrder::Oldest, &Window::Start, 10_000, self.now).unwrap()
    }

    /// The grounds of each pair of an attribute that is not settled, deferred or not.
    pub(crate) fn unsettled(&self, attribute: &str) -> Vec<Vec<Ground>> {
        let states = vec![PairState::Open, PairState::Awaiting, PairState::Deferred];
        let filter = QueueFilter {
            states,
            attributes: Facet::only(Some(Attribute::from(attribute))),
            ..QueueFilter::default()
        };
        let found = self.store.queue(&filter, QueueOrder::Oldest, &Window::Start, 10_000, self.now).unwrap();
        found.into_iter().map(|entry| entry.grounds).collect()
    }

    /// The grounds of each open pair, by number.
    pub(crate) fn grounds(&self) -> Vec<(i64, Vec<Ground>)> {
        self.open().into_iter().map(|entry| (entry.pair.0, entry.grounds)).collect()
    }

    pub(crate) fn recall(&self, subject: &str, attribute: &str) -> Recalled {
        self.recall_as_of(subject, attribute, AsOf::default())
    }

    pub(crate) fn recall_as_of(&self, subject: &str, attribute: &str, as_of: AsOf) -> Recalled {
        self.store.recall(&Subject::from(subject), &Attribute::from(attribute), as_of, self.now).unwrap()
    }

    /// The store must be whole; what `verify` finds is told.
    pub(crate) fn is_whole(&mut self) {
        let found = self.store.verify(self.now, |_, _| {}).unwrap();
        assert!(found.is_ok(), "{:?}", found.damage);
    }
}

/// A record as if it had come in a file that states when it was written.
pub(crate) fn incoming(record: Record) -> Incoming {
    let content = content(&record, true);
    Incoming {
        record,
        content,
        written_at_stated: true,
        length: 0,
        line: 1,
        many: false,
        left_out: Vec::new(),
        raw: Vec::new(),
    }
}
