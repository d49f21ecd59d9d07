//! One JSON value taken from a reader, whole or as far as it goes.

use std::io::{self, BufRead};

use crate::wire::bytes::{Bytes, Scan};
use crate::wire::elements::LONGEST;
use crate::wire::{Element, Fault, Position};

/// Passes over a byte-order mark.
pub(super) fn skip_mark(reader: &mut impl BufRead) -> io::Result<()> {
    if reader.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
        reader.consume(3);
    }
    Ok(())
}

/// Takes the value that begins here.
pub(super) fn take_value(bytes: &mut Bytes<impl BufRead>) -> io::Result<Element> {
    let at = bytes.at;
    let enclosed = matches!(bytes.peek()?, Some(b'{' | b'[' | b'"'));
    let (mut kept, mut length, mut scan) = (Vec::new(), 0_usize, Scan::default());
    loop {
        let chunk = bytes.chunk()?;
        if chunk.is_empty() {
            break;
        }
        let end = if enclosed {
            chunk.iter().position(|byte| scan.ends_with(*byte)).map(|end| end + 1)
        } else {
            // The first byte is taken whatever it is: the walk goes on.
            let begun = usize::from(length == 0);
            let ends = |byte: &u8| matches!(byte, b',' | b'\n' | b'}' | b']');
            chunk.iter().skip(begun).position(ends).map(|end| end + begun)
        };
        let used = end.unwrap_or(chunk.len());
        length += used;
        if length <= LONGEST {
            kept.extend_from_slice(chunk.get(..used).unwrap_or_default());
        } else {
            kept = Vec::new();
        }
        bytes.step(used);
        if end.is_some() {
            return Ok(whole(at, kept, length));
        }
    }
    if !enclosed {
        return Ok(whole(at, kept, length));
    }
    let message = format!("the file ends inside the object that began at line {}", at.line);
    let fault = Fault::new(bytes.at, message, "the rest of it (was the file cut off?)");
    Ok(Element { at, bytes: kept, fault: Some(fault) })
}

fn whole(at: Position, bytes: Vec<u8>, length: usize) -> Element {
    let fault = (length > LONGEST).then(|| {
        let message = format!("the object is too long: {length} bytes");
        Fault::new(at, message, format!("at most {LONGEST} bytes (8 MiB)"))
    });
    Element { at, bytes, fault }
}
