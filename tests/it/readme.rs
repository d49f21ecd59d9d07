//! What the README shows is what the program says: each of its shell samples is run, in their order and in one shell,
//! and its answer is held against the one that is printed there.
//!
//! A sample is a fenced `console` block: a line that begins with `$ ` is typed, what follows is the answer. In an answer
//! `…` stands for what differs each time: inside a line for some of it, alone on a line for lines.

use std::fs;
use std::path::Path;
use std::process::Command;

use gainsay::cli::Arguments;
use tempfile::TempDir;

/// A command as it is typed, and the lines that it answers.
struct Sample {
    typed: String,
    answer: Vec<String>,
}

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The fenced blocks, each with its language.
fn blocks(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, Vec<String>)> = None;
    for line in readme.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.to_owned(), Vec::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, lines))) => lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "every fence is closed");
    blocks
}

fn samples(readme: &str) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for (_, lines) in blocks(readme).into_iter().filter(|(language, _)| language == "console") {
        for (at, line) in lines.into_iter().enumerate() {
            match line.strip_prefix("$ ") {
                Some(typed) => samples.push(Sample { typed: typed.to_owned(), answer: Vec::new() }),
                None if at == 0 => panic!("a sample begins with what is typed: {line}"),
                None => samples.last_mut().unwrap().answer.push(line),
            }
        }
    }
    for sample in &mut samples {
        while sample.answer.last().is_some_and(String::is_empty) {
            sample.answer.pop();
        }
    }
    samples
}

/// What stands between the samples' answers in the shell's output.
fn end_of(sample: usize) -> String {
    format!("@@ end of sample {sample}")
}

/// What one shell answers to all that is typed, one after the other.
fn answers(samples: &[Sample]) -> Vec<Vec<String>> {
    let folder = TempDir::new().unwrap();
    let incident = blocks(&readme()).into_iter().find(|(language, _)| language == "json").unwrap().1;
    fs::write(folder.path().join("incident.jsonl"), incident.join("\n") + "\n").unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_gainsay")).parent().unwrap().to_str().unwrap();
    let script: Vec<String> =
        samples.iter().enumerate().map(|(at, sample)| format!("{}\necho '{}'", sample.typed, end_of(at))).collect();
    let out = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{}", script.join("\n"))])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", format!("{binary}:/usr/bin:/bin"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    let mut lines = said.lines();
    let answer = |at| lines.by_ref().take_while(|line| *line != end_of(at)).map(str::to_owned).collect();
    (0..samples.len()).map(answer).collect()
}

/// Whether a line is as shown, where `…` may be anything.
fn is_as_shown(shown: &str, line: &str) -> bool {
    let mut pieces = shown.split('…');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut open = false;
    for piece in pieces {
        open = true;
        match rest.find(piece) {
            // What is shown last must stand last.
            Some(_) if rest.ends_with(piece) && piece.is_empty() => {}
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty() || (open && shown.ends_with('…'))
}

/// Where an answer first is not as it is shown.
fn differs(shown: &[String], lines: &[String]) -> Option<String> {
    match shown.split_first() {
        None if lines.is_empty() => None,
        None => Some(format!("it goes on: {}", lines.join("\n"))),
        Some((first, rest)) if first == "…" => {
            let fits = (0..=lines.len()).any(|skipped| differs(rest, &lines[skipped..]).is_none());
            (!fits).then(|| "nothing after the … is as it is shown".to_owned())
        }
        Some((first, rest)) => match lines.split_first() {
            Some((line, lines)) if is_as_shown(first, line) => differs(rest, lines),
            Some((line, _)) => Some(format!("shown: {first}\nsaid:  {line}")),
            None => Some(format!("shown, and not said: {first}")),
        },
    }
}

#[test]
fn every_sample_is_answered_as_it_is_shown() {
    let samples = samples(&readme());
    assert!(samples.len() >= 8, "the incident is told in samples");
    let answers = answers(&samples);
    for (sample, lines) in samples.iter().zip(&answers) {
        let differs = differs(&sample.answer, lines);
        assert!(differs.is_none(), "$ {}\n{}\n\nall of it:\n{}", sample.typed, differs.unwrap(), lines.join("\n"));
    }
}

#[test]
fn what_is_masked_is_all_that_may_differ() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let same = |shown: &str, said: &str| differs(&lines(shown), &lines(said)).is_none();
    assert!(same("head: …", "head: 12ab"));
    assert!(same("a … c", "a b c"));
    assert!(same("a\n…\nd", "a\nb\nc\nd"));
    assert!(same("a\n…", "a\nb"));
    assert!(!same("a … c", "a b d"));
    assert!(!same("a … c", "a b c d"));
    assert!(!same("a", "a\nb"));
    assert!(!same("a\nb", "a"));
    assert!(!same("a\n…\nd", "a\nb"));
}

#[test]
fn every_configuration_shown_is_one() {
    let folder = TempDir::new().unwrap();
    let shown: Vec<String> = blocks(&readme())
        .into_iter()
        .filter(|(language, lines)| language == "json" && lines.first().is_some_and(|line| line == "{"))
        .map(|(_, lines)| lines.join("\n"))
        .collect();
    assert!(!shown.is_empty(), "the README shows a configuration");
    for text in shown {
        let file = folder.path().join("config.json");
        fs::write(&file, &text).unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_gainsay"))
            .args(["config", "--actor", "dana", "--config"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(out.status.success(), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
    }
}

#[test]
fn every_command_in_its_table_is_one() {
    use clap::CommandFactory as _;
    let readme = readme();
    let table = readme.split("\n## Commands\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let known = Arguments::command();
    let mut named = 0;
    for row in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| `")) {
        let uses = row.split('|').nth(2).unwrap();
        for code in uses.split('`').skip(1).step_by(2).filter(|code| !code.starts_with("--")) {
            let word = code.split(' ').next().unwrap();
            let known = word == "gainsay" || known.get_subcommands().any(|command| command.get_name() == word);
            assert!(known, "{word} in {row}");
            named += 1;
        }
    }
    assert!(named > 20, "{named} commands");
}
