//! Conditions on records: what each holds of, and what is none.

use gainsay::core::select::Condition;

use crate::script::{Told, lisbon, record};

#[test]
fn a_condition_holds_of_what_says_so() {
    let told = lisbon()
        .by("user_utterance")
        .observed("2025-10-14")
        .epoch(3)
        .confidence(0.9)
        .written("2025-10-14T09:31:04Z");
    for (condition, holds) in [
        ("source.kind=user_utterance", true),
        ("source.kind!=user_utterance", false),
        ("source.kind=crm_import", false),
        ("source.channel=", true),
        ("source.channel!=", false),
        ("source.channel!=chat", true),
        ("written_at>=2025-10-14", true),
        ("written_at<=2025-10-14", true),
        ("written_at=2025-10", true),
        ("written_at!=2025-10", false),
        ("written_at>2025-10-14", false),
        ("written_at<2025-10-14", false),
        ("written_at > 2025-10-13", true),
        ("observed_at>=2025-10-14T00:00:00Z", true),
        ("observed_at>=2025-10-14T09:00:00Z", false),
        ("observed_at<=2025-10-14", true),
        ("epoch>=3", true),
        ("epoch<3", false),
        ("epoch=", false),
        ("confidence<=0.9", true),
        ("confidence>0.9", false),
        ("attribute=home_city", true),
        ("value=Lisbon", true),
        ("subject=user_31882", true),
        ("derived_from=", true),
        ("op=assert", true),
    ] {
        let read: Condition = condition.parse().unwrap();
        assert_eq!(read.holds(&told), holds, "{condition}");
    }
    let bare = record("s", "a", "v");
    for (condition, holds) in
        [("epoch>=0", false), ("epoch!=3", true), ("epoch=", true), ("observed_at<2030", false)]
    {
        let read: Condition = condition.parse().unwrap();
        assert_eq!(read.holds(&bare), holds, "{condition}");
    }
}

#[test]
fn what_is_no_condition_says_what_one_is() {
    for (text, wrong) in [
        ("epoch", "a condition is KEY=VALUE"),
        ("knd=1", "there is no key \"knd\"; there are id, subject"),
        ("source.=1", "there is no key \"source.\""),
        ("batch>1", "batch has no order"),
        ("epoch=x", "\"x\" is no number"),
        ("written_at>=2025-10-14T09:00", "has no offset"),
    ] {
        let error = text.parse::<Condition>().unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
}
