//! What the eye does not tell apart: values and names that look the same and are not, and texts that a terminal may
//! show in another order than they are in.

use crate::core::pair::Pair;
use crate::core::text::{Alike, alike, mixes_directions};
use crate::core::value;

/// What is to be said of each side; none where there is nothing to say of either.
pub(super) fn told(pair: &Pair) -> Option<[String; 2]> {
    let values = [&pair.left, &pair.right].map(|side| value::plain(&side.record.value));
    let names = [&pair.left, &pair.right].map(|side| side.record.subject.as_str().to_owned());
    let told = [("", &values), ("name ", &names)].map(|(what, texts)| one(what, texts));
    let sides = [0, 1].map(|at: usize| {
        let said: Vec<&str> =
            told.iter().filter_map(|sides| Some(sides.get(at)?.as_str())).filter(|said| !said.is_empty()).collect();
        said.join("; ")
    });
    if sides.iter().all(String::is_empty) { None } else { Some(sides) }
}

/// What there is to say of two texts, of each for itself.
fn one(what: &str, texts: &[String; 2]) -> [String; 2] {
    let [left, right] = texts;
    let twins = alike(left, right);
    let side = |text: &str, other: &str| {
        let differs = twins.map(|how| format!("{what}{}", describe(how, text, other)));
        let mixed = mixes_directions(text).then(|| format!("{what}mixes directions"));
        [differs, mixed].into_iter().flatten().collect::<Vec<_>>().join("; ")
    };
    [side(left, right), side(right, left)]
}

/// What one of the twins has that the other has not.
fn describe(how: Alike, text: &str, other: &str) -> String {
    match how {
        Alike::Spaces if text.ends_with(char::is_whitespace) => "ends in a space".to_owned(),
        Alike::Spaces if text.starts_with(char::is_whitespace) => "begins with a space".to_owned(),
        Alike::Spaces => {
            let many = text.chars().filter(|char| char.is_whitespace()).count();
            format!("{many} space{} in it", if many == 1 { "" } else { "s" })
        }
        Alike::Form => {
            let apart = text.chars().count() > other.chars().count();
            (if apart { "marks written apart (NFD)" } else { "marks written together (NFC)" }).to_owned()
        }
        Alike::Hidden | Alike::Letters => {
            let own: Vec<String> = text
                .chars()
                .filter(|char| !other.contains(*char))
                .take(3)
                .map(|char| {
                    if how == Alike::Hidden {
                        format!("U+{:04X}", u32::from(char))
                    } else {
                        format!("{char} U+{:04X}", u32::from(char))
                    }
                })
                .collect();
            if own.is_empty() { "nothing hidden".to_owned() } else { format!("has {}", own.join(", ")) }
        }
    }
}
