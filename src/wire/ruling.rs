//! Decisions as JSON, both ways: the body of a ruling, as the store keeps it.
//!
//! Strict in both directions: what is written is read back as the same decision, and a body that says more or less
//! than its decision needs is refused (the store is then damaged, or newer than this program).

use serde_json::{Value, json};

use crate::core::notice::Notice;
use crate::core::policy::Declaration;
use crate::core::record::{Attribute, Epoch, RecordId, Subject};
use crate::core::ruling::{AliasVerdict, Between, Decision, RequestId, RulingId, WithdrawReason};

use super::fault::Fault;
use super::node::{Node, Shape};
use super::policy::{read_fields, write_fields};

/// The body of a decision: `{"decision": "accept", "winner": …}`.
pub fn write(decision: &Decision) -> Value {
    match decision {
        Decision::Accept { winner, loser, recency_override } => json!({
            "decision": "accept", "winner": winner.as_str(), "loser": loser.as_str(),
            "recency_override": recency_override,
        }),
        Decision::Same(between) => json!({"decision": "same", "between": pair(between)}),
        Decision::AcrossEpochs { between, from, to, cause } => json!({
            "decision": "across_epochs", "between": pair(between), "from": from.0, "to": to.0, "cause": cause,
        }),
        Decision::Request(between) => json!({"decision": "request", "between": pair(between)}),
        Decision::Reobserve { between, request, record } => json!({
            "decision": "reobserve", "between": pair(between), "request": request.0, "record": record.as_str(),
        }),
        Decision::Rederive { record, from } => {
            json!({"decision": "rederive", "record": record.as_str(), "from": from.as_str()})
        }
        Decision::Withdraw { records, why } => {
            let records: Vec<&str> = records.iter().map(RecordId::as_str).collect();
            json!({"decision": "withdraw", "records": records, "why": why.name()})
        }
        Decision::Erase { subject, records } => {
            let records: Vec<&str> = records.iter().map(RecordId::as_str).collect();
            json!({"decision": "erase", "subject": subject.as_str(), "records": records})
        }
        Decision::Dispute(between) => json!({"decision": "dispute", "between": pair(between)}),
        Decision::Declare(declaration) => {
            json!({"decision": "declare", "declaration": write_declaration(declaration)})
        }
        Decision::Alias { names: (first, second), verdict } => {
            json!({"decision": "alias", "names": [first.as_str(), second.as_str()], "verdict": verdict.name()})
        }
        Decision::Epoch(notice) => json!({
            "decision": "epoch", "over": notice.over.as_str(), "epoch": notice.epoch.0,
            "since": notice.since.map(|since| since.to_string()), "cause": notice.cause,
        }),
        Decision::Defer { until } => json!({"decision": "defer", "until": until.to_string()}),
        Decision::Note(text) => json!({"decision": "note", "text": text}),
        Decision::Undo(ruling) => json!({"decision": "undo", "ruling": ruling.0}),
    }
}

/// The decision in a body that [`write()`] wrote.
pub fn read(text: &str) -> Result<Decision, Fault> {
    let mut body = Body::of(Node::of(text))?;
    let decision = decision(&mut body)?;
    body.end()?;
    Ok(decision)
}

/// A declaration as JSON: `{"attribute": …, "subject": …, "fields": {…}}`.
pub fn write_declaration(declaration: &Declaration) -> Value {
    json!({
        "attribute": declaration.attribute.as_str(),
        "subject": declaration.subject.as_ref().map(Subject::as_str),
        "fields": write_fields(&declaration.fields),
    })
}

fn decision(body: &mut Body<'_>) -> Result<Decision, Fault> {
    let (name, node) = body.word("decision")?;
    Ok(match name.as_str() {
        "accept" => Decision::Accept {
            winner: body.record("winner")?,
            loser: body.record("loser")?,
            recency_override: body.truth("recency_override")?,
        },
        "same" => Decision::Same(body.between()?),
        "across_epochs" => Decision::AcrossEpochs {
            between: body.between()?,
            from: Epoch(body.number("from")?),
            to: Epoch(body.number("to")?),
            cause: body.text_or_null("cause")?,
        },
        "request" => Decision::Request(body.between()?),
        "reobserve" => Decision::Reobserve {
            between: body.between()?,
            request: RequestId(body.number("request")?),
            record: body.record("record")?,
        },
        "rederive" => Decision::Rederive { record: body.record("record")?, from: body.record("from")? },
        "withdraw" => Decision::Withdraw {
            records: body.names("records")?.iter().map(|id| RecordId::from(id.as_str())).collect(),
            why: body.named("why", WithdrawReason::named)?,
        },
        "erase" => Decision::Erase {
            subject: Subject::from(body.word("subject")?.0.as_str()),
            records: body.names("records")?.iter().map(|id| RecordId::from(id.as_str())).collect(),
        },
        "dispute" => Decision::Dispute(body.between()?),
        "declare" => Decision::Declare(declaration(body.take("declaration")?)?),
        "alias" => {
            let [first, second] = body.two("names")?;
            let names = (Subject::from(first.as_str()), Subject::from(second.as_str()));
            Decision::Alias { names, verdict: body.named("verdict", AliasVerdict::named)? }
        }
        "epoch" => Decision::Epoch(Notice {
            over: Subject::from(body.word("over")?.0.as_str()),
            epoch: Epoch(body.number("epoch")?),
            since: body.named_or_null("since", |text| text.parse().ok())?,
            cause: body.text_or_null("cause")?,
        }),
        "defer" => Decision::Defer { until: body.named("until", |text| text.parse().ok())? },
        "note" => Decision::Note(body.word("text")?.0),
        "undo" => Decision::Undo(RulingId(body.number("ruling")?)),
        _ => return Err(node.fault("there is no such decision", "one that this version knows").about("decision")),
    })
}

fn declaration(node: Node<'_>) -> Result<Declaration, Fault> {
    let mut body = Body::of(node)?;
    let declaration = Declaration {
        attribute: Attribute::from(body.word("attribute")?.0.as_str()),
        subject: body.text_or_null("subject")?.map(|name| Subject::from(name.as_str())),
        fields: read_fields(body.take("fields")?)?,
    };
    body.end()?;
    Ok(declaration)
}

fn pair(Between(first, second): &Between) -> [&str; 2] {
    [first.as_str(), second.as_str()]
}

/// The keys of a body that are not yet read.
struct Body<'a> {
    whole: Node<'a>,
    left: Vec<(String, Node<'a>)>,
}

impl<'a> Body<'a> {
    fn of(whole: Node<'a>) -> Result<Self, Fault> {
        let left = whole.fields()?.into_iter().map(|(key, node)| (key.into_owned(), node)).collect();
        Ok(Self { whole, left })
    }

    /// Refuses what nobody asked for.
    fn end(self) -> Result<(), Fault> {
        match self.left.into_iter().next() {
            Some((key, node)) => Err(node.fault("this key means nothing here", "no such key").about(&key)),
            None => Ok(()),
        }
    }

    fn take(&mut self, key: &str) -> Result<Node<'a>, Fault> {
        match self.left.iter().position(|(name, _)| name == key) {
            Some(at) => Ok(self.left.swap_remove(at).1),
            None => Err(self.whole.fault("it is missing", "every key of the decision").about(key)),
        }
    }

    fn read<T>(&mut self, key: &str, read: impl Fn(Node<'a>) -> Result<T, Fault>) -> Result<T, Fault> {
        read(self.take(key)?).map_err(|fault| fault.about(key))
    }

    fn word(&mut self, key: &str) -> Result<(String, Node<'a>), Fault> {
        self.read(key, |node| Ok((node.text()?.into_owned(), node)))
    }

    fn text_or_null(&mut self, key: &str) -> Result<Option<String>, Fault> {
        self.read(
            key,
            |node| {
                if node.shape() == Shape::Null { Ok(None) } else { Ok(Some(node.text()?.into_owned())) }
            },
        )
    }

    fn number(&mut self, key: &str) -> Result<i64, Fault> {
        self.read(key, Node::whole_number)
    }

    fn truth(&mut self, key: &str) -> Result<bool, Fault> {
        self.read(key, |node| node.value()?.as_bool().ok_or_else(|| node.unlike("true or false")))
    }

    fn record(&mut self, key: &str) -> Result<RecordId, Fault> {
        Ok(RecordId::from(self.word(key)?.0.as_str()))
    }

    fn names(&mut self, key: &str) -> Result<Vec<String>, Fault> {
        self.read(key, |node| node.items()?.into_iter().map(|item| Ok(item.text()?.into_owned())).collect())
    }

    fn two(&mut self, key: &str) -> Result<[String; 2], Fault> {
        let whole = self.whole;
        let names = self.names(key)?;
        names.try_into().map_err(|_| whole.fault("they are not two", "two names").about(key))
    }

    fn between(&mut self) -> Result<Between, Fault> {
        let [first, second] = self.two("between")?;
        Ok(Between(RecordId::from(first.as_str()), RecordId::from(second.as_str())))
    }

    fn named_or_null<T>(&mut self, key: &str, named: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Fault> {
        let node = self.take(key)?;
        if node.shape() == Shape::Null {
            Ok(None)
        } else {
            Ok(Some(known(node, &named).map_err(|it| it.about(key))?))
        }
    }

    fn named<T>(&mut self, key: &str, named: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
        self.read(key, |node| known(node, &named))
    }
}

fn known<T>(node: Node<'_>, named: &impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
    let text = node.text()?;
    named(&text).ok_or_else(|| node.fault(format!("{} is none of them", node.brief()), "a known word"))
}
