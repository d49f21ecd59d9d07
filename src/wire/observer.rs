//! Observers as the user's configuration names them (INTERFACE 5), and what they answer. Strict: a key that means
//! nothing is an error that names it.

use std::time::Duration;

use serde_json::Value;

use crate::core::observer::{Observer, PATIENCE};
use crate::core::record::{Epoch, Kind, SourceClass};
use crate::core::time::When;

use super::fault::{Fault, Position};
use super::node::{Node, Shape};
use super::policy::read_length_of_time;
use super::time::when;

const KEYS: &str = "attribute, subject, run, source, class, timeout, env";
const CLASSES: &str = "observation, user, inference or third_party";
/// An observer may not be waited for longer than this.
const LONGEST: Duration = Duration::from_secs(600);
/// The most variables that one may be given.
const MOST_VARIABLES: usize = 8;

/// What an observer saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    pub value: Value,
    pub epoch: Epoch,
    pub evidence: Option<String>,
    /// Absent: when it was run.
    pub observed_at: Option<When>,
}

/// The list of observers.
pub fn observers(node: Node<'_>) -> Result<Vec<Observer>, Fault> {
    node.items()?.into_iter().map(observer).collect()
}

fn observer(node: Node<'_>) -> Result<Observer, Fault> {
    let (mut run, mut source) = (None, None);
    let mut observer = Observer {
        attribute: "*".to_owned(),
        subject: "*".to_owned(),
        run: Vec::new(),
        source: Kind::from(""),
        class: None,
        timeout: PATIENCE,
        environment: Vec::new(),
    };
    for (key, node) in node.fields()? {
        let taken = match &*key {
            "attribute" => node.name().map(|name| observer.attribute = name.into_owned()),
            "subject" => node.name().map(|name| observer.subject = name.into_owned()),
            "run" => arguments(node).map(|arguments| run = Some(arguments)),
            "source" => node.name().map(|name| source = Some(Kind::from(&*name))),
            "class" => class(node).map(|class| observer.class = class),
            "timeout" => timeout(node).map(|timeout| observer.timeout = timeout),
            "env" => variables(node).map(|names| observer.environment = names),
            _ => return Err(node.fault(format!("{key:?} means nothing here"), KEYS)),
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    let missing = |key: &str| node.fault(format!("it lacks {key:?}"), KEYS);
    observer.run = run.ok_or_else(|| missing("run"))?;
    observer.source = source.ok_or_else(|| missing("source"))?;
    Ok(observer)
}

fn arguments(node: Node<'_>) -> Result<Vec<String>, Fault> {
    let arguments: Vec<String> =
        node.items()?.into_iter().map(|item| item.text().map(String::from)).collect::<Result<_, _>>()?;
    match arguments.first() {
        Some(program) if !program.is_empty() => Ok(arguments),
        Some(_) | None => Err(node.fault("it names no program", "a list: the program, then its arguments")),
    }
}

fn variables(node: Node<'_>) -> Result<Vec<String>, Fault> {
    let names: Vec<String> =
        node.items()?.into_iter().map(|item| item.name().map(String::from)).collect::<Result<_, _>>()?;
    if names.len() > MOST_VARIABLES {
        return Err(node.fault(format!("{} variables are named", names.len()), format!("at most {MOST_VARIABLES}")));
    }
    Ok(names)
}

fn class(node: Node<'_>) -> Result<Option<SourceClass>, Fault> {
    let name = node.text()?;
    SourceClass::named(&name).map(Some).ok_or_else(|| node.unlike(CLASSES))
}

fn timeout(node: Node<'_>) -> Result<Duration, Fault> {
    let expected = "a length of time above nothing, at most ten minutes: 5s, 500ms, 1min";
    let length = read_length_of_time(&node.text()?).and_then(|length| u64::try_from(length).ok());
    let length = length.map(Duration::from_nanos).filter(|length| !length.is_zero() && *length <= LONGEST);
    length.ok_or_else(|| node.fault("it is no such length of time", expected))
}

/// What an observer printed: one object with `value` and `epoch`, and where it likes `evidence` and `observed_at`.
pub fn sighting(printed: &[u8]) -> Result<Sighting, Fault> {
    let begins = Position { line: 1, column: 1 };
    let node = Node::new(printed.trim_ascii(), begins)?;
    let (mut value, mut epoch) = (None, None);
    let (mut evidence, mut observed_at) = (None, None);
    for (key, node) in node.fields()? {
        let taken = match &*key {
            "value" if node.shape() == Shape::Null => Err(node.fault("it says nothing", "a value")),
            "value" => node.value().map(|seen| value = Some(seen)),
            "epoch" => node.whole_number().and_then(|number| match number {
                0.. => {
                    epoch = Some(Epoch(number));
                    Ok(())
                }
                _ => Err(node.fault("it is below 0", "a whole number from 0 up")),
            }),
            "evidence" if node.shape() == Shape::Null => Ok(()),
            "evidence" => node.text().map(|text| evidence = Some(text.into_owned())),
            "observed_at" if node.shape() == Shape::Null => Ok(()),
            "observed_at" => when(node, None).map(|at| observed_at = Some(at)),
            // An answer may say more than is asked.
            _ => Ok(()),
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    let missing = |key: &str| node.fault(format!("it lacks {key:?}"), "an object with value and epoch");
    Ok(Sighting {
        value: value.ok_or_else(|| missing("value"))?,
        epoch: epoch.ok_or_else(|| missing("epoch"))?,
        evidence,
        observed_at,
    })
}
