//! The user's configuration file: read strictly, with the place of everything that may be wrong in it.
//!
//! What the names in it mean (commands, keys, styles) is said by the floors that have them; here they are texts.

use super::fault::{Fault, Position};
use super::node::{Node, Shape};
use super::observer::observers;
use crate::core::nearest::nearest;
use crate::core::observer::Observer;

/// A text, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub text: String,
    pub at: Position,
}

/// What the file says. What it leaves unsaid is none, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Commands, each with the keys that it is to have.
    pub keys: Vec<(Placed, Vec<Placed>)>,
    pub theme: Option<Placed>,
    /// Named styles, each with what it is to look like.
    pub styles: Vec<(Placed, Placed)>,
    pub mouse: Option<bool>,
    pub ascii: Option<bool>,
    pub observers: Vec<Observer>,
}

/// The keys of the file.
pub const KNOWN: &str = "keys, theme, styles, mouse, ascii, observers";

/// Reads the whole file.
pub fn read(bytes: &[u8]) -> Result<Config, Fault> {
    let bytes = without_comments(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    let whole = Node::new(&bytes, Position::START)?;
    if whole.raw().is_empty() {
        return Err(Fault::new(Position::START, "the file is empty", "an object; {} says nothing"));
    }
    if whole.shape() != Shape::Object {
        // What is no JSON at all is told as that.
        whole.value()?;
        return Err(whole.unlike("an object"));
    }
    let mut config = Config::default();
    for (key, node) in whole.fields()? {
        let taken = match &*key {
            "keys" => keys(node).map(|keys| config.keys = keys),
            "theme" => placed(node).map(|theme| config.theme = Some(theme)),
            "styles" => styles(node).map(|styles| config.styles = styles),
            "mouse" => switch(node).map(|on| config.mouse = Some(on)),
            "ascii" => switch(node).map(|on| config.ascii = Some(on)),
            "observers" => observers(node).map(|observers| config.observers = observers),
            _ => {
                let near = nearest(&key, KNOWN.split(", "));
                let near = near.map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
                Err(Fault::new(node.key_at(), "this key means nothing here", format!("one of {KNOWN}{near}")))
            }
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    Ok(config)
}

/// The same file with blanks in place of its comments (from `//` to the end of the line, outside of texts): what is left
/// stands where it stood.
fn without_comments(bytes: &[u8]) -> Vec<u8> {
    let (mut in_text, mut escaped, mut in_comment) = (false, false, false);
    let mut left = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        in_comment &= *byte != b'\n';
        if !in_text && bytes.get(at..at + 2) == Some(b"//") {
            in_comment = true;
        }
        if in_comment {
            left.push(b' ');
            continue;
        }
        left.push(*byte);
        if *byte == b'"' && !escaped {
            in_text = !in_text;
        }
        escaped = in_text && !escaped && *byte == b'\\';
    }
    left
}

fn keys(node: Node<'_>) -> Result<Vec<(Placed, Vec<Placed>)>, Fault> {
    if node.shape() != Shape::Object {
        return Err(node.unlike("an object: a command, and the list of its keys"));
    }
    let one = |(command, node): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let about = |fault: Fault| fault.about(&format!("keys.{command}"));
        let list = match node.shape() {
            // One key needs no list around it.
            Shape::Text => vec![placed(node).map_err(about)?],
            Shape::List => node.items().and_then(|items| items.into_iter().map(placed).collect()).map_err(about)?,
            Shape::Null | Shape::Bool | Shape::Number | Shape::Object => {
                return Err(about(node.unlike("a list of keys: [\"j\", \"Down\"]")));
            }
        };
        Ok((Placed { text: command.clone().into_owned(), at: node.key_at() }, list))
    };
    node.fields()?.into_iter().map(one).collect()
}

fn styles(node: Node<'_>) -> Result<Vec<(Placed, Placed)>, Fault> {
    if node.shape() != Shape::Object {
        return Err(node.unlike("an object: a named style, and what it is to look like"));
    }
    let one = |(name, node): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let style = placed(node).map_err(|fault| fault.about(&format!("styles.{name}")))?;
        Ok((Placed { text: name.into_owned(), at: node.key_at() }, style))
    };
    node.fields()?.into_iter().map(one).collect()
}

fn placed(node: Node<'_>) -> Result<Placed, Fault> {
    Ok(Placed { text: node.text()?.into_owned(), at: node.at() })
}

fn switch(node: Node<'_>) -> Result<bool, Fault> {
    match node.raw() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(node.unlike("true or false")),
    }
}
