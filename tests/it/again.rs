//! Looking again at many: asked for, cancelled, told; one look a slot, one stroke, and what is left stays marked.

use std::fs;
use std::time::Duration;

use gainsay::app::asks::looks::{Answer, Came, Look, Question, StaleFact};
use gainsay::app::port::{Port, Unwatched, Watch};
use gainsay::app::{Effect, Lane, Look as Colours, Msg, update};
use gainsay::core::observer::Observer;
use gainsay::core::order::{Order, Target};
use gainsay::core::record::{Attribute, Kind, Record, Subject};
use gainsay::runtime::Desk as Runs;
use gainsay::runtime::world::World;
use gainsay::store::{By, Store};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::fake::Fake;
use crate::script::{Told, record};
use crate::seat::{Seat, berlin_lisbon, named, tie};

/// A shell script as the observer of every slot.
fn script(text: &str) -> Observer {
    Observer {
        attribute: "*".to_owned(),
        subject: "*".to_owned(),
        run: ["/bin/sh", "-c", text, "observer", "{subject}"].map(str::to_owned).to_vec(),
        source: Kind::from("config_probe"),
        class: None,
        timeout: Duration::from_secs(5),
        environment: Vec::new(),
    }
}

/// Two readings of one service's timeout, a deploy apart.
fn across(subject: &str) -> [Record; 2] {
    let reads = |epoch: i64, value: &str, at: &str| {
        record(subject, "retry_timeout", value)
            .id(&format!("{subject}_{epoch}"))
            .by("config_probe")
            .observed(at)
            .epoch(epoch)
    };
    [reads(4, "30s", "2025-10-01T08:00:00Z"), reads(7, "5s", "2025-10-03T10:00:00Z")]
}

/// A store with such a pair for each subject, and who looks at it.
fn looking(desk: &mut Desk, subjects: &[&str], observer: Observer) -> Runs {
    desk.import(subjects.iter().flat_map(|subject| across(subject)));
    desk.at("2025-12-05T09:00:00Z");
    let store = Store::open(&desk.path(), desk.now).unwrap();
    Runs::new(store, "dana".to_owned()).unwrap().with(World::new(vec![observer]))
}

fn look(runs: &mut Runs, desk: &Desk, targets: &[Target], watch: &dyn Watch) -> Vec<Look> {
    match runs.looks(&Question::All(targets.to_vec()), desk.now, watch).unwrap() {
        Answer::Looked(looks) => looks,
        other @ (Answer::Served(_) | Answer::Stale(_)) => panic!("{other:?}"),
    }
}

fn pairs(desk: &Desk) -> Vec<Target> {
    desk.open().into_iter().map(|entry| Target::Pair(entry.pair)).collect()
}

fn unseen(desk: &Desk) -> u64 {
    let filter = gainsay::store::LogFilter { kind: Some("unseen".to_owned()), ..Default::default() };
    desk.store.log_count(&filter, desk.store.stretch(&filter).unwrap()).unwrap()
}

#[test]
fn each_look_is_entered_by_itself_and_one_undo_takes_all_of_them_back() {
    let mut desk = Desk::new();
    let answers = r#"case "$1" in *bad) echo no such host >&2; exit 3;; *old) e=5;; *) e=8;; esac
        echo "{\"value\": \"5s\", \"epoch\": $e}""#;
    let mut runs = looking(&mut desk, &["a", "b_bad", "c_old", "d"], script(answers));
    let targets = pairs(&desk);
    let looks = look(&mut runs, &desk, &targets, &Unwatched);
    assert_eq!(looks.iter().map(|look| look.target.clone()).collect::<Vec<_>>(), targets, "as they were asked for");
    let told: Vec<String> = looks
        .iter()
        .map(|look| match &look.came {
            Came::Settled(outcome) => format!("{} settled by {}", look.subject, outcome.action),
            Came::Failed(why) => format!("{}: {why}", look.subject),
            other @ (Came::Along | Came::Open(..) | Came::NotLooked) => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(told[0], "a settled by reobserved");
    assert!(told[1].contains("it failed (exit status: 3): no such host; the pair is as it was"), "{told:?}");
    assert!(told[2].contains("it is of epoch 5, and epoch 7 was seen already"), "{told:?}");
    assert_eq!(told[3], "d settled by reobserved");
    assert_eq!((desk.open().len(), unseen(&desk)), (2, 2));
    assert_eq!(desk.recall("a", "retry_timeout").values, [json!("5s")]);
    desk.is_whole();
    let by = By { actor: "dana", now: desk.now };
    desk.store.order(&Order::Undo { ruling: None }, &by, None).unwrap();
    assert_eq!(pairs(&desk), targets);
    desk.is_whole();
}

#[test]
fn one_look_does_for_all_pairs_of_a_slot() {
    let mut desk = Desk::new();
    let counted = desk.folder.path().join("counted");
    let text = format!(r#"echo x >>{}; echo '{{"value": "5s", "epoch": 9}}'"#, counted.display());
    let more = record("svc/a", "retry_timeout", "9s").id("third").by("config_probe").epoch(8);
    desk.import([more.observed("2025-10-04T08:00:00Z")]);
    let mut runs = looking(&mut desk, &["svc/a"], script(&text));
    let targets = pairs(&desk);
    assert_eq!(targets.len(), 2);
    let looks = look(&mut runs, &desk, &targets, &Unwatched);
    assert!(matches!(looks[0].came, Came::Settled(_)) && looks[1].came == Came::Along, "{looks:?}");
    assert_eq!(fs::read_to_string(counted).unwrap().lines().count(), 1);
    desk.is_whole();
}

#[test]
fn what_is_seen_may_leave_something_open_and_says_on_which_grounds() {
    let mut desk = Desk::new();
    // Two readings of the newest epoch that cannot be ranked: what is seen settles the old, and not these.
    let tied = |id: &str, value: &str| {
        let it = record("svc/a", "retry_timeout", value).id(id).by("config_probe").epoch(9);
        it.observed("2026")
    };
    let mut runs = looking(&mut desk, &["svc/a"], script(r#"echo '{"value": "1s", "epoch": 9}'"#));
    desk.at("2026-02-01T00:00:00Z");
    let written = |it: Record| Record { written_at: crate::script::instant("2026-02-01T00:00:00Z"), ..it };
    desk.import([written(tied("x", "5s")), written(tied("y", "6s"))]);
    let targets = pairs(&desk);
    let looks = look(&mut runs, &desk, &targets, &Unwatched);
    let open = |look: &Look| matches!(&look.came, Came::Open(_, grounds) if !grounds.is_empty());
    assert!(looks.iter().any(open), "{looks:?}");
    desk.is_whole();
}

/// Wants no more once so many are done.
struct Until(u64);

impl Watch for Until {
    fn goes_on(&self, done: u64, _of: u64) -> bool {
        done < self.0
    }
}

#[test]
fn what_was_seen_before_the_work_was_stopped_stays_and_the_rest_was_not_looked_at() {
    let mut desk = Desk::new();
    let names: Vec<String> = (0..60).map(|number| format!("svc/{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let slow = script(r#"sleep 0.02; echo '{"value": "5s", "epoch": 8}'"#);
    let mut runs = looking(&mut desk, &names, slow);
    let targets = pairs(&desk);
    let looks = look(&mut runs, &desk, &targets, &Until(10));
    assert_eq!(looks.len(), 60, "each of them is told");
    let settled = looks.iter().filter(|look| matches!(look.came, Came::Settled(_))).count();
    let left: Vec<Target> =
        looks.iter().filter(|look| look.came == Came::NotLooked).map(|look| look.target.clone()).collect();
    assert!((10..30).contains(&settled) && settled + left.len() == 60, "{settled} settled, {} left", left.len());
    assert_eq!(pairs(&desk), left);
    desk.is_whole();
}

#[test]
fn a_stale_fact_is_looked_at_by_the_same_observers() {
    let mut desk = Desk::new();
    desk.import([record("svc/a", "region", "eu").id("r").by("config_probe").observed("2025-01-05").epoch(3)]);
    desk.at("2025-12-05T09:00:00Z");
    let declared = gainsay::core::policy::Declaration {
        attribute: Attribute::from("region"),
        subject: None,
        fields: gainsay::core::policy::AttributePolicy {
            max_age: Some(90 * 86_400 * 1_000_000_000),
            ..Default::default()
        },
    };
    desk.order("dana", &Order::Declare { declaration: declared }).unwrap();
    let store = Store::open(&desk.path(), desk.now).unwrap();
    let says = script(r#"echo '{"value": "us", "epoch": 4}'"#);
    let mut runs = Runs::new(store, "dana".to_owned()).unwrap().with(World::new(vec![says]));
    let Answer::Stale(facts) = runs.looks(&Question::Stale(10), desk.now, &Unwatched).unwrap() else { panic!() };
    assert_eq!((facts.len(), facts[0].may_stand.as_str()), (1, "90d"));
    let target = Target::Slot(Subject::from("svc/a"), Attribute::from("region"));
    let looks = look(&mut runs, &desk, std::slice::from_ref(&target), &Unwatched);
    assert!(matches!(&looks[0].came, Came::Settled(_)), "{looks:?}");
    // The world changed since: what was read before is history, and nothing is contested.
    let recalled = desk.recall("svc/a", "region");
    assert_eq!((recalled.values, recalled.stale), (vec![json!("us")], false));
    assert!(desk.open().is_empty() && desk.store.stale(None, 10, desk.now).unwrap().is_empty());
    desk.is_whole();
    desk.undo().unwrap_err();
    desk.order("dana", &Order::Undo { ruling: None }).unwrap();
    assert_eq!(desk.recall("svc/a", "region").values, [json!("eu")]);
    desk.is_whole();
    // A contested slot is looked at by its pairs.
    let mut contested = looking(&mut desk, &["svc/b"], script(r#"echo '{"value": "5s", "epoch": 8}'"#));
    let target = Target::Slot(Subject::from("svc/b"), Attribute::from("retry_timeout"));
    let looks = look(&mut contested, &desk, &[target], &Unwatched);
    assert!(matches!(&looks[0].came, Came::Failed(why) if why.contains("look again at its pairs")), "{looks:?}");
}

/// A queue of which the observers of the fake serve some.
fn seat() -> Seat {
    let mut held: Vec<(Record, Record)> = (0..7).map(|number| berlin_lisbon(&format!("user_{number}"))).collect();
    held.push(tie("user_90"));
    Seat::new(Fake::new(held))
}

#[test]
fn with_marks_r_r_asks_and_a_typed_yes_runs_and_lists_every_outcome() {
    let mut seat = seat();
    seat.press("* r r");
    let screen = seat.screen();
    for said in ["Look again at 8 pairs", "7   looked at by jq", "1   no observer serves 407", "look 7 times"] {
        assert!(screen.contains(said), "no {said:?} in\n{screen}");
    }
    // Neither a paste nor the key that opened it confirms.
    seat.send(Msg::Paste("yes".to_owned()));
    seat.press("Enter r Backspace");
    assert!(seat.store.log().is_empty());
    seat.write("yes").press("Enter");
    assert_eq!(seat.store.log(), ["reobserve"; 5]);
    let screen = seat.screen();
    for said in
        ["Looked again at 7 pairs", "5 settled", "2 failed", "FAILED", "exit status: 1", "the 2 that are left"]
    {
        assert!(screen.contains(said), "no {said:?} in\n{screen}");
    }
    // What failed stays marked, with what nobody serves; unless it is not wanted.
    let marked = |seat: &Seat| seat.model.triage.queue.marks.iter().map(|pair| pair.0).collect::<Vec<_>>();
    assert_eq!(marked(&seat), [402, 405, 407]);
    seat.press("Space");
    assert_eq!(marked(&seat), [407]);
    seat.press("Space G k Enter");
    assert_eq!(marked(&seat), [402, 405, 407]);
    // What the list tells is undone from the list.
    seat.press("u");
    assert!(seat.model.dialogs.is_empty());
    assert!(seat.said().starts_with("undone: 5 rulings, 17 to 21, looking again at 7 pairs"), "{}", seat.said());
    assert_eq!(seat.store.store().pairs.iter().filter(|held| held.state.name() == "open").count(), 8);
}

#[test]
fn looks_go_on_beside_other_work_and_can_be_stopped_throughout() {
    let mut seat = seat();
    seat.press("* r r").write("yes");
    let press = |seat: &mut Seat, name: &str| {
        let effects = update(&mut seat.model, Msg::Key(named(name), seat.now));
        seat.now = seat.now.plus(chrono::Duration::seconds(1));
        effects
    };
    let begun = press(&mut seat, "Enter");
    let [Effect::Looks { number, question: Question::All(targets) }] = begun.as_slice() else {
        panic!("{begun:?}")
    };
    assert_eq!((targets.len(), begun[0].lane()), (7, Lane::Looking));
    let progress = Msg::Progress { number: *number, done: 3, of: 7 };
    assert!(update(&mut seat.model, progress).is_empty());
    let shown = |seat: &Seat| seat.model.working.as_ref().map(|working| (working.number, working.progress));
    assert_eq!(shown(&seat), Some((*number, Some((3, 7)))));
    // Other long work has the line, and gives it back.
    let counting = press(&mut seat, "f");
    assert!(counting.iter().any(|effect| effect.lane() == Lane::Long), "{counting:?}");
    assert_ne!(shown(&seat), Some((*number, Some((3, 7)))));
    let counted = Msg::Commonest { number: number + 1, answer: Ok(Default::default()) };
    assert!(update(&mut seat.model, counted).is_empty());
    assert_eq!(shown(&seat), Some((*number, Some((3, 7)))));
    // Nothing is decided meanwhile, and a stop stops the looks.
    press(&mut seat, "Esc");
    press(&mut seat, "a");
    assert!(seat.said().starts_with("observers are running"), "{}", seat.said());
    assert_eq!(press(&mut seat, "Esc"), [Effect::Cancel { number: *number }]);
    assert_eq!(shown(&seat), None);
}

#[test]
fn esc_leaves_everything_as_it_is() {
    let mut seat = seat();
    seat.press("* r r Esc");
    assert_eq!((seat.said(), seat.model.triage.queue.marks.len()), ("nothing was looked at; the marks stay", 8));
    assert!(seat.store.log().is_empty() && seat.model.dialogs.is_empty());
}

#[test]
fn where_nobody_looks_nothing_can_be_confirmed() {
    let mut seat = Seat::new(Fake::new(vec![tie("user_1"), tie("user_2")]));
    seat.press("* r r");
    assert!(seat.screen().contains("Nothing of this can be looked at"), "{}", seat.screen());
    seat.write("yes").press("Enter");
    assert!(seat.store.log().is_empty() && !seat.model.dialogs.is_empty());
}

#[test]
fn the_stale_lane_lists_facts_and_looks_again_at_those_that_are_marked() {
    let mut seat = seat();
    let fact = |subject: &str, value: Option<Value>| StaleFact {
        subject: Subject::from(subject),
        attribute: Attribute::from("plan_tier"),
        value,
        supported_at: crate::told::at("2025-01-10T00:00:00Z"),
        may_stand: "90d".to_owned(),
    };
    seat.store.store().stale = vec![fact("user_1", Some(json!("pro"))), fact("user_\u{202e}2", None)];
    seat.press("O");
    let screen = seat.screen();
    for said in ["Stale facts: 2", "plan_tier of user_1", "pro", "several values", "325 d ago", "90d", "<U+202E>"] {
        assert!(screen.contains(said), "no {said:?} in\n{screen}");
    }
    seat.press("r");
    assert!(seat.screen().contains("Look again at 1 stale fact"), "{}", seat.screen());
    seat.press("Esc Space Space r");
    assert!(seat.screen().contains("Look again at 2 stale facts"), "{}", seat.screen());
    seat.press("Esc Esc");
    assert!(seat.model.dialogs.is_empty());
    // The facets offer them among the states.
    seat.press("f");
    assert!(seat.screen().contains("stale"), "{}", seat.screen());
}

#[test]
fn pairs_that_wait_for_a_look_are_one_key_away() {
    let mut seat = seat();
    seat.press("r q R");
    assert_eq!(seat.model.triage.queue.list.total(), 1);
    assert!(seat.screen().contains("showing awaiting"), "{}", seat.screen());
    seat.press("R");
    assert_eq!(seat.model.triage.queue.list.total(), 7);
}

#[test]
fn the_dialogs_fit_every_size() {
    for (width, height) in [(40, 12), (60, 20), (80, 24), (120, 40), (200, 60)] {
        let held = (0..40).map(|number| berlin_lisbon(&format!("user_{number}"))).collect();
        let mut seat = Seat::of_size(Fake::new(held), width, height, Colours::Colour);
        seat.press("* r r");
        assert!(seat.screen().contains("yes"), "{width} by {height}\n{}", seat.screen());
        seat.write("yes").press("Enter");
        seat.press("G");
        let screen = seat.screen();
        assert!(screen.contains("go on") || width < 60, "{width} by {height}\n{screen}");
        assert!(screen.contains("▸settled"), "{width} by {height}\n{screen}");
    }
}
