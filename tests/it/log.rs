//! The log screen on the demo's store: what it shows of each kind of event, what its keys do, and audits.

use gainsay::app::{Look, Msg};
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

    /// Another process has written: the screen is told so.
    fn changed(&mut self) {
        self.seat.send(Msg::Changed(self.seat.now));
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
        let mut morning = Morning::new(120, 40, Look::Colour);
        morning.press(keys);
        for (width, height) in [(120, 40), (80, 24), (50, 30)] {
            morning.seat.send(Msg::Resized { width, height });
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), morning.seat.screen());
        }
    }
    let mut plain = Morning::new(120, 40, Look::Plain);
    insta::assert_snapshot!("log_plain_120x40", plain.press(""));
}

fn first(morning: &Morning) -> i64 {
    morning.seat.model.log.list.current().map_or(0, |event| event.seq)
}

/// Something happens in the store, by another process.
fn happens(morning: &mut Morning) {
    let text = "another note".to_owned();
    morning.order("zoe", &Order::Note { pair: PairId(44), text }).unwrap();
    morning.changed();
}

#[test]
fn whoever_stands_at_the_top_stays_there_and_what_is_selected_below_stays_selected() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let top = first(&morning);
    happens(&mut morning);
    assert_eq!(first(&morning), top + 1);
    assert!(morning.seat.screen().contains("another note"));
    morning.press("j j j");
    let chosen = first(&morning);
    happens(&mut morning);
    assert_eq!((first(&morning), morning.seat.model.log.list.position()), (chosen, 4));
}

#[test]
fn moving_while_the_list_is_read_again_wins_over_the_top() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let top = first(&morning);
    let text = "another note".to_owned();
    morning.order("zoe", &Order::Note { pair: PairId(44), text }).unwrap();
    let effects = gainsay::app::update(&mut morning.seat.model, Msg::Changed(morning.seat.now));
    morning.press("j");
    morning.seat.perform(effects);
    assert_eq!(first(&morning), top - 1);
}

#[test]
fn every_kind_is_told_in_words_and_no_size_makes_any_of_them_fail() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let mut kinds = std::collections::BTreeSet::new();
    loop {
        let before = first(&morning);
        let event = morning.seat.model.log.list.current().unwrap().clone();
        let said = gainsay::app::log::words::changed(&event);
        assert!(!said.contains("{\"") || event.kind == "pair_opened", "{}: {said}", event.kind);
        if kinds.insert(event.kind.clone()) {
            for keys in ["", "Enter"] {
                morning.press(keys);
                for (width, height) in
                    [(1, 1), (40, 12), (41, 13), (50, 30), (61, 17), (99, 29), (100, 60), (130, 45)]
                {
                    morning.seat.send(Msg::Resized { width, height });
                    let _screen = morning.seat.backend();
                }
                morning.seat.send(Msg::Resized { width: 120, height: 40 });
            }
            morning.press("Esc");
        }
        morning.press("j");
        if first(&morning) == before {
            break;
        }
    }
    let told: Vec<&str> = kinds.iter().map(String::as_str).collect();
    assert_eq!(
        told,
        [
            "accept",
            "alias",
            "created",
            "declare",
            "defer",
            "epoch_change",
            "import",
            "link",
            "note",
            "override",
            "pair_closed",
            "pair_opened",
            "reobserved",
            "request",
            "resolved",
            "undo",
            "withdraw"
        ]
    );
}

#[test]
fn a_filter_stands_in_the_header_says_what_it_hides_and_is_cleared_by_one_key() {
    for (width, height) in [(120, 40), (80, 24), (50, 30)] {
        let mut morning = Morning::new(width, height, Look::Plain);
        let all = morning.seat.model.log.list.total();
        let screen = morning.press("f ~mika Enter Enter Enter Enter Enter Enter Enter");
        assert!(screen.contains("by mika"), "{screen}");
        let shown = morning.seat.model.log.list.total();
        assert!(shown > 0 && shown < all);
        let screen = morning.press("/ ~nothing_like_it Enter");
        assert!(screen.contains(&format!("hides {all} events")), "{screen}");
        morning.press("F");
        assert_eq!(morning.seat.model.log.list.total(), all);
    }
}

#[test]
fn esc_puts_back_what_was_shown_before_finding() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    morning.press("/ ~owner Enter");
    let found = morning.seat.model.log.list.total();
    assert!(found > 0);
    morning.press("/ ~xyz Esc");
    assert_eq!(morning.seat.model.log.filter.text.as_deref(), Some("owner"));
    assert_eq!(morning.seat.model.log.list.total(), found);
}

#[test]
fn a_wrong_time_in_the_facets_brings_the_form_back_with_what_was_typed() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let screen = morning.press("f ~mika Tab Tab Tab ~yesterday Enter Enter Enter Enter");
    assert!(screen.contains("yesterday") && screen.contains("mika") && screen.contains("is no time"), "{screen}");
}

#[test]
fn verify_says_what_it_found_and_the_next_start_knows_when() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    assert!(morning.seat.screen().contains("never verified (V)"));
    let screen = morning.press("V");
    assert!(screen.contains("verified just now: whole"), "{screen}");
    let check = morning.store.last_check().unwrap().unwrap();
    assert_eq!((check.actor.as_str(), check.damage.len()), ("dana", 0));
    assert!(morning.store.verify(at("2025-12-01T11:00:00Z"), |_, _| {}).unwrap().is_ok());
    happens(&mut morning);
    assert!(morning.seat.screen().contains("1 since"), "{}", morning.seat.screen());
}

#[test]
fn verify_is_cancelled_where_nobody_waits_for_it() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let mut left = 3;
    let found = morning.store.verify_while(at("2025-12-01T11:00:00Z"), |_, _| {
        left -= 1;
        left > 0
    });
    assert_eq!(found.unwrap(), None);
}

#[test]
fn a_pair_of_an_event_opens_in_triage_and_esc_comes_back() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    morning.press("/ ~receipt Enter Enter Enter");
    assert_eq!(morning.seat.selected(), 12);
    assert!(morning.seat.screen().contains("[Triage]"), "{}", morning.seat.screen());
    let screen = morning.press("Esc");
    assert!(screen.contains("[Log]") || screen.contains("4[Log]"), "{screen}");
}

#[test]
fn what_the_core_settled_is_disputed_with_a_reason_and_taken_back_by_u() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    assert!(morning.press("!").contains("only what the core settled"));
    morning.press("f Tab ~ Right Right Right Enter");
    morning.press("Enter Enter Enter Enter Enter Enter");
    assert_eq!(morning.seat.model.log.filter.kind.as_deref(), Some("resolved"));
    morning.press("G");
    let before = morning.store.head().unwrap().unwrap().0;
    let screen = morning.press("! Enter");
    assert!(screen.contains("the reason is needed"), "{screen}");
    let screen = morning.press("~the_older_one_was_misread Enter");
    assert!(screen.contains("1 open") && screen.contains("contested"), "{screen}");
    morning.press("!");
    assert_eq!(morning.store.head().unwrap().unwrap().0, before, "the key that starts does not confirm");
    morning.press("y");
    assert!(morning.seat.said().contains("Dispute"), "{}", morning.seat.said());
    assert!(morning.store.head().unwrap().unwrap().0 > before);
    morning.press("u");
    assert!(morning.seat.said().starts_with("undone"), "{}", morning.seat.said());
}

#[test]
fn a_sample_is_audited_one_by_one_and_the_tally_is_kept() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    morning.press("s Enter Enter Enter Enter");
    let rulings: Vec<i64> = items(&morning).iter().map(|item| item.0).collect();
    assert_eq!(rulings.len(), 9);
    // The key that starts writes nothing when it is pressed again, nor does Enter.
    let before = morning.store.head().unwrap().unwrap().0;
    morning.press("+ + + Enter");
    assert_eq!(morning.store.head().unwrap().unwrap().0, before);
    morning.press("y");
    assert_eq!(morning.store.head().unwrap().unwrap().0, before + 1);
    // To disagree a note is needed.
    let screen = morning.press("- Enter");
    assert!(screen.contains("the note is needed"), "{screen}");
    let screen = morning.press("~it_is_the_other_one Enter y");
    assert!(screen.contains("2 of 9 said · 1 agree · 1 disagree · 50 % agree"), "{screen}");
    let audits = morning.store.audits(None).unwrap();
    assert_eq!(audits.iter().map(|audit| audit.ruling.0).collect::<Vec<_>>(), rulings[..2]);
    assert!(audits.iter().all(|audit| audit.sample.as_ref().unwrap().size == 20));
    // Undo does not see them, the chain holds them, and the same seed brings the same sample back.
    morning.press("u");
    assert!(morning.seat.said().contains("no ruling that could be undone"), "{}", morning.seat.said());
    assert!(morning.store.verify(at("2025-12-01T11:00:00Z"), |_, _| {}).unwrap().is_ok());
    let seed = audits[0].sample.as_ref().unwrap().seed.clone();
    morning.press("Esc s Enter Enter Ctrl-u");
    morning.seat.write(&seed);
    morning.press("Enter Enter");
    let again = items(&morning);
    assert_eq!(again.iter().map(|item| item.0).collect::<Vec<_>>(), rulings);
    assert_eq!(again.iter().filter(|item| item.1).count(), 2);
}

/// The rulings of the sample, and whether the auditor has spoken on each.
fn items(morning: &Morning) -> Vec<(i64, bool)> {
    let auditing = morning.seat.model.log.auditing.as_ref().unwrap();
    auditing.sample.items.iter().map(|item| (item.ruling.0, item.said.is_some())).collect()
}

#[test]
fn blind_nothing_tells_what_was_ruled_until_the_auditor_has_spoken() {
    for (width, height) in [(120, 40), (80, 24), (50, 30)] {
        let mut morning = Morning::new(width, height, Look::Colour);
        morning.press("s Enter Enter Enter Right Enter");
        let at_tie = items(&morning).iter().position(|item| item.0 == 2).unwrap();
        morning.press(&"j ".repeat(at_tie));
        for keys in ["", "Enter", "J J J J J J J J", "Esc"] {
            let screen = morning.press(keys);
            for told in ["accept", "winner", "loser", "twice in the call", "settled", "superseded"] {
                assert!(!screen.contains(told), "{told} after {keys}:\n{screen}");
            }
        }
        // Ruling 2 accepted what was written later: B.
        let screen = morning.press("+ Right Enter ~the_contract Enter y");
        assert!(morning.seat.said().contains("you said accept B, ruled was accept"), "{}", morning.seat.said());
        assert!(screen.contains("accept"), "{screen}");
        let audit = morning.store.audits(None).unwrap().pop().unwrap();
        assert_eq!(audit.blind.unwrap().said, "accept B");
    }
}

#[test]
fn who_audits_himself_is_told_so() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let reason = "spelling".to_owned();
    morning.order("dana", &Order::LinkSame { pair: PairId(26), reason }).unwrap();
    morning.press("s Right Right Right Enter Enter Enter Enter");
    let auditing = morning.seat.model.log.auditing.as_ref().unwrap();
    assert_eq!(auditing.sample.reviewer, "dana");
    assert!(morning.seat.said().contains("your own rulings"), "{}", morning.seat.said());
    let screen = morning.press("+");
    assert!(screen.contains("the audit is kept, and left out of the rate."), "{screen}");
    morning.press("y");
    let report = morning.store.audit_report(Some("dana")).unwrap();
    let tally = &report.reviewers["dana"];
    assert_eq!((tally.own, tally.audited(), tally.rate()), (1, 0, None));
}

#[test]
fn copies_the_number_the_hash_the_event_and_its_command() {
    use gainsay::app::Effect;
    let mut morning = Morning::new(120, 40, Look::Colour);
    let event = morning.store.event(first(&morning)).unwrap().unwrap();
    morning.press("y n y h y j y c");
    let copied: Vec<String> = morning
        .seat
        .asked
        .iter()
        .filter_map(|effect| if let Effect::Copy { text, .. } = effect { Some(text.clone()) } else { None })
        .collect();
    let command = format!("gainsay log --event {} --json", event.seq);
    assert_eq!(copied, [event.seq.to_string(), event.hash.clone(), event.to_json().to_string(), command]);
}

#[test]
fn nothing_is_written_by_keys_that_only_look() {
    let mut morning = Morning::new(120, 40, Look::Colour);
    let before = morning.store.head().unwrap();
    morning.press("s Enter Enter Enter Enter");
    morning.press(
        "j k G g Ctrl-d Ctrl-u n N Enter J K Enter Esc B B Tab Space h l 4 L PgUp PgDn Home End Backspace Delete",
    );
    assert_eq!(morning.store.head().unwrap(), before);
}
