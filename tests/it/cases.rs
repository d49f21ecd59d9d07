//! The cases in `tests/cases`: small stories told to the program through its command line, each with the answers that
//! it must give. A folder is a case: `case.json` (what it is about, and its steps) and the files that its steps name.
//!
//! A step is `{"run": [ARG, …], "exit": 0, "expect": PATTERN, "stdin"?, "now"?, "actor"?, "stderr_has"?, "save"?}`, run
//! in the case's folder on one fresh store with `--json`; or `{"permute": FILE, "steps": […]}`, the steps once for each
//! order of the file's lines; or `{"write": {NAME: TEXT, …}}`, which changes files of the case. A pattern matches a part
//! of the answer: the keys that it names, a list item by item, a scalar exactly; `$any`, `$len`, `$has`, `$none`, `$set`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use serde_json::{Value, json};
use tempfile::TempDir;

/// No more orders of a file's lines than these are tried.
const MOST_ORDERS: usize = 120;

type Miss = Result<(), String>;

#[test]
fn every_case_is_answered_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases: Vec<PathBuf> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    let failed: Vec<String> = cases.iter().filter_map(|case| failure(case)).collect();
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

fn failure(case: &Path) -> Option<String> {
    let name = case.file_name().unwrap().to_string_lossy().into_owned();
    let told: Value = serde_json::from_str(&fs::read_to_string(case.join("case.json")).unwrap()).expect(&name);
    let about = told["about"].as_str().unwrap_or_default();
    let steps = told["steps"].as_array().expect(&name);
    story(case, steps, None).err().map(|miss| format!("{name} ({about}): {miss}"))
}

/// One story on a store of its own, in a copy of the case's folder.
fn story(case: &Path, steps: &[Value], first: Option<&str>) -> Miss {
    let tmp = TempDir::new().unwrap();
    let folder = tmp.path().join("case");
    copy(case, &folder);
    let mut teller = Teller { folder, store: tmp.path().join("store.db"), values: BTreeMap::new() };
    if let Some(lines) = first {
        teller
            .step(&json!({"run": ["import", "-"], "stdin": lines}))
            .map_err(|miss| format!("the import: {miss}"))?;
    }
    for (at, step) in steps.iter().enumerate() {
        let miss = match (&step["permute"], &step["write"]) {
            (Value::String(file), _) => permuted(case, file, step["steps"].as_array().unwrap()),
            (_, Value::Object(files)) => {
                for (name, text) in files {
                    fs::write(teller.folder.join(name), text.as_str().unwrap()).unwrap();
                }
                Ok(())
            }
            _ => teller.step(step),
        };
        miss.map_err(|miss| format!("step {}: {miss}", at + 1))?;
    }
    Ok(())
}

fn permuted(case: &Path, file: &str, steps: &[Value]) -> Miss {
    let text = fs::read_to_string(case.join(file)).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    for order in orders(lines.len()) {
        let first: String = order.iter().map(|at| format!("{}\n", lines[*at])).collect();
        story(case, steps, Some(&first)).map_err(|miss| format!("in the order {order:?}: {miss}"))?;
    }
    Ok(())
}

/// Orders of so many things, in dictionary order.
fn orders(many: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..many {
        let longer = orders.iter().flat_map(|order: &Vec<usize>| {
            (0..many).filter(|next| !order.contains(next)).map(|next| [order.as_slice(), &[next]].concat())
        });
        orders = longer.take(MOST_ORDERS).collect();
    }
    orders
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target)
        } else {
            let _bytes = fs::copy(source, target).unwrap();
        }
    }
}

struct Teller {
    folder: PathBuf,
    store: PathBuf,
    /// What earlier answers held, for `${name}` in arguments.
    values: BTreeMap<String, String>,
}

impl Teller {
    fn step(&mut self, step: &Value) -> Miss {
        let arguments: Vec<String> =
            step["run"].as_array().unwrap().iter().map(|word| self.filled(word.as_str().unwrap())).collect();
        let out = self.run(step, &arguments);
        let said = format!("`gainsay {}`", arguments.join(" "));
        let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        let exit = step.get("exit").map_or(0, |exit| exit.as_i64().unwrap());
        if out.status.code().map(i64::from) != Some(exit) {
            return Err(format!("{said}: {}, expected {exit}\n{stdout}\n{stderr}", out.status));
        }
        for text in step["stderr_has"].as_array().into_iter().flatten() {
            if !stderr.contains(text.as_str().unwrap()) {
                return Err(format!("{said}: stderr lacks {text}: {stderr}"));
            }
        }
        let Some(expected) = step.get("expect") else { return Ok(()) };
        let answer = answer(&stdout, expected).ok_or_else(|| format!("{said}: not JSON: {stdout}"))?;
        missed(expected, &answer, "answer").map_err(|miss| format!("{said}: {miss}"))?;
        for (name, path) in step["save"].as_object().into_iter().flatten() {
            let value = path.as_array().unwrap().iter().fold(&answer, |at, key| match key.as_u64() {
                Some(place) => &at[usize::try_from(place).unwrap()],
                None => &at[key.as_str().unwrap()],
            });
            self.values.insert(name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        Ok(())
    }

    fn filled(&self, word: &str) -> String {
        self.values.iter().fold(word.to_owned(), |word, (name, value)| word.replace(&format!("${{{name}}}"), value))
    }

    fn run(&self, step: &Value, arguments: &[String]) -> Output {
        let config = self.folder.join("gainsay/config.json");
        let home = if config.exists() { self.folder.clone() } else { self.folder.join("none") };
        let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
        for (name, _) in env::vars().filter(|(name, _)| name.starts_with("GAINSAY_")) {
            command.env_remove(name);
        }
        let mut child = command
            .arg("--store")
            .arg(&self.store)
            .arg("--json")
            .args(arguments)
            .current_dir(&self.folder)
            .env("GAINSAY_NOW", step["now"].as_str().unwrap_or("2025-11-10T12:00:00Z"))
            .env("GAINSAY_ACTOR", step["actor"].as_str().unwrap_or("reviewer"))
            .env("XDG_CONFIG_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = step["stdin"].as_str().unwrap_or_default().to_owned();
        // One that does not read its input ends before all of it is written.
        let _unread = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }
}

/// The answer as one document; lines of JSON are a list, and where a list is expected one document is a list of it.
fn answer(stdout: &str, expected: &Value) -> Option<Value> {
    let lists = expected.is_array() || operator(expected).is_some();
    match serde_json::from_str::<Value>(stdout) {
        Ok(Value::Array(items)) => Some(Value::Array(items)),
        Ok(one) if lists => Some(json!([one])),
        Ok(one) => Some(one),
        Err(_) => {
            let lines = stdout.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| serde_json::from_str(line).ok()).collect::<Option<Vec<Value>>>().map(Value::Array)
        }
    }
}

fn operator(pattern: &Value) -> Option<(&str, &Value)> {
    let fields = pattern.as_object().filter(|fields| fields.len() == 1)?;
    fields.iter().next().filter(|(name, _)| name.starts_with('$')).map(|(name, value)| (name.as_str(), value))
}

/// The first way in which an answer falls short of a pattern.
fn missed(pattern: &Value, got: &Value, at: &str) -> Miss {
    if let Some((name, argument)) = operator(pattern) {
        return operated(name, argument, got, at);
    }
    match (pattern, got) {
        (Value::Object(wanted), Value::Object(fields)) => wanted.iter().try_for_each(|(key, wanted)| {
            let got = fields.get(key).ok_or_else(|| format!("{at}.{key}: absent from {}", brief(got)))?;
            missed(wanted, got, &format!("{at}.{key}"))
        }),
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => wanted
            .iter()
            .zip(items)
            .enumerate()
            .try_for_each(|(place, (wanted, got))| missed(wanted, got, &format!("{at}[{place}]"))),
        _ if pattern == got => Ok(()),
        _ => Err(format!("{at}: {}, expected {pattern}", brief(got))),
    }
}

fn operated(name: &str, argument: &Value, got: &Value, at: &str) -> Miss {
    if name == "$any" {
        return Ok(());
    }
    let items = got.as_array().ok_or_else(|| format!("{at}: {} is no list", brief(got)))?;
    let holds = |pattern: &Value| items.iter().any(|item| missed(pattern, item, at).is_ok());
    let all = |patterns: &Value| match patterns.as_array().unwrap().iter().find(|pattern| !holds(pattern)) {
        Some(pattern) => Err(format!("{at}: nothing in {} is {pattern}", brief(got))),
        None => Ok(()),
    };
    let many = |wanted: u64| match items.len() as u64 == wanted {
        true => Ok(()),
        false => Err(format!("{at}: {} items, expected {wanted}: {}", items.len(), brief(got))),
    };
    match name {
        "$len" => many(argument.as_u64().unwrap()),
        "$has" => all(argument),
        "$none" if holds(argument) => Err(format!("{at}: {argument} must not be there")),
        "$none" => Ok(()),
        "$set" => many(argument.as_array().unwrap().len() as u64).and_then(|()| all(argument)),
        _ => Err(format!("{at}: unknown operator {name}")),
    }
}

fn brief(value: &Value) -> String {
    value.to_string().chars().take(400).collect()
}
