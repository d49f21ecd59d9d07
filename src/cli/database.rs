//! A foreign `SQLite` file as an input: which of its tables is meant, and its rows as objects.

use std::path::Path;
use std::rc::Rc;

use serde_json::Value;

use crate::error::{Error, Kind, Result};
use crate::formats::Format;
use crate::formats::cut::{Object, Objects};
use crate::store::foreign::Foreign;
use crate::wire::{Element, Fault, Position};

/// So many rows are looked at to tell what a table holds.
const ENOUGH: usize = 50;

/// One table of an open file.
#[derive(Clone)]
pub(super) struct Table {
    file: Rc<Foreign>,
    pub(super) name: String,
}

/// The table that is meant, its format, and why.
pub(super) fn open(
    path: &Path,
    table: Option<&str>,
    said: Option<Format>,
    formats: &[Format],
) -> Result<(Table, Format, Option<String>)> {
    let file = Rc::new(Foreign::open(path)?);
    let tables = file.tables()?;
    if let Some(table) = table.filter(|table| !tables.iter().any(|name| name == table)) {
        return Err(Error::new(Kind::Usage, format!("there is no table {table} in {}", path.display()))
            .with_hint(format!("there are {}", tables.join(", "))));
    }
    let named = |name: &String| Table { file: Rc::clone(&file), name: name.clone() };
    let mut keys = Vec::new();
    for name in tables.iter().filter(|name| table.is_none_or(|table| *name == table)) {
        let rows: Vec<Value> = file.rows(name, None, ENOUGH)?.into_iter().filter_map(|(_, row)| row.ok()).collect();
        let fits = |format: &Format| {
            let wanted = table.is_some() || format.tables.contains(name);
            let known = rows.iter().filter(|row| format.kind_of(row).is_some()).count();
            wanted && known * 2 > rows.len()
        };
        match &said {
            Some(format) if table.is_some() || fits(format) => return Ok((named(name), format.clone(), None)),
            None => {
                if let Some(format) = formats.iter().find(|format| fits(format)) {
                    let because = format!("its table {name} is that of {}", format.name);
                    return Ok((named(name), format.clone(), Some(because)));
                }
            }
            Some(_) => {}
        }
        if let Some(row) = rows.first() {
            keys.push(format!("{name} ({})", crate::formats::mapping::keys(row)));
        }
    }
    let seen = if keys.is_empty() { "all its tables are empty".to_owned() } else { keys.join("; ") };
    Err(Error::unreadable_as(path, format!("it is a SQLite file and none of its tables fits a format: {seen}"))
        .with_hint(
            "say which table, and what its columns mean: --table NAME --map subject=.COLUMN --map value=.COLUMN",
        ))
}

impl Table {
    pub(super) fn objects(&self) -> Objects<'static> {
        Box::new(Rows { table: self.clone(), page: Vec::new().into_iter(), last: None, done: false })
    }
}

struct Rows {
    table: Table,
    page: std::vec::IntoIter<(i64, std::result::Result<Value, String>)>,
    last: Option<i64>,
    done: bool,
}

impl Iterator for Rows {
    type Item = std::io::Result<Object>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.len() == 0 && !self.done {
            match self.table.file.rows(&self.table.name, self.last, usize::MAX) {
                Ok(rows) => {
                    self.done = rows.is_empty();
                    self.page = rows.into_iter();
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(std::io::Error::other(error)));
                }
            }
        }
        let (number, row) = self.page.next()?;
        self.last = Some(number);
        let at = Position { line: u64::try_from(number).unwrap_or_default(), column: 1 };
        let bytes = row.as_ref().map(|row| row.to_string().into_bytes()).unwrap_or_default();
        let element = Element { at, bytes, fault: None };
        Some(Ok(Object { element, value: row.map_err(|said| Fault::new(at, said, "a row of UTF-8")) }))
    }
}
