//! The JSON documents of a file that also holds other text.
//!
//! fio writes warnings, errors of I/Os and progress before, after and, when its two outputs are joined, inside its JSON;
//! with `--status-interval` there are several documents. A document begins with a brace at the beginning of a line.
//!
//! Repaired, because fio itself writes it: a TAB inside a text, `nan` and `inf` as numbers, `fio: ...` lines in between.

use serde_json::{Deserializer, Value};

use dw_error::line_of;
use dw_messages::{Sentence, say};

use super::super::{Wrong, shown, wrong};

/// A document and where it begins.
#[derive(Debug)]
pub struct Document<'a> {
    /// The whole of it.
    pub value: Value,
    /// Its text as the file has it.
    pub text: &'a str,
    /// The line of its first brace.
    pub line: u64,
}

/// What a file is made of.
#[derive(Debug)]
pub struct Documents<'a> {
    /// The documents, in order; never empty.
    pub found: Vec<Document<'a>>,
    /// The lines between them: number and text.
    pub others: Vec<(u64, &'a str)>,
    /// The last document was cut off.
    pub cut: Option<Cut>,
}

/// A document that is not whole.
#[derive(Debug)]
pub struct Cut {
    /// Where, from 1.
    pub line: u64,
    /// What its reader says, and the text there; nothing where the file ends too early.
    damage: Option<(String, String)>,
}

impl Cut {
    /// Why nothing of the file can be read.
    fn wrong(&self) -> Wrong {
        let (what, hint) = match &self.damage {
            None => ("the JSON ends before it is closed".into(), "copy the file again, or let fio finish"),
            Some((reason, near)) => {
                let what = format!("is not valid JSON: {reason} near `{near}`");
                (what, "keep fio's standard output and standard error in separate files (--output=FILE)")
            }
        };
        Wrong { line: self.line, what, hint: hint.into() }
    }

    /// What it means where whole documents come before it.
    pub fn note(&self) -> Sentence {
        match &self.damage {
            None => say!(ResultCutShort),
            Some((reason, near)) => say!(ResultDamaged { reason: reason.as_str(), near: near.as_str() }),
        }
    }
}

/// Where the next document may begin: a brace at the beginning of a line.
pub fn next_brace(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(rest) = text.get(at..) {
        let found = at + rest.find('{')?;
        let before = &text[..found];
        // Documents may stand in a list.
        let in_list = before.trim() == "["
            || before.trim_end().strip_suffix(',').is_some_and(|rest| rest.trim_end().ends_with('}'));
        if before.trim_end_matches([' ', '\t']).ends_with(['\n', '}']) || before.trim().is_empty() || in_list {
            return Some(found);
        }
        at = found + 1;
    }
    None
}

/// Splits a file; an error where no document is whole.
pub fn split(text: &str) -> Result<Documents<'_>, Wrong> {
    let mut out = Documents { found: Vec::new(), others: Vec::new(), cut: None };
    let mut at = 0;
    while let Some(start) = next_brace(text, at) {
        others(text, at, start, &mut out);
        match document(&text[start..]) {
            Ok((value, length)) => {
                out.found.push(Document { value, text: &text[start..start + length], line: line_of(text, start) });
                at = start + length;
            }
            Err(error) => {
                // A brace in a message is not a document; one that goes on like JSON was cut or damaged.
                let begins = text[start + 1..].trim_start();
                if !begins.starts_with('"') {
                    let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
                    others(text, start, end, &mut out);
                    at = end;
                    continue;
                }
                let line = line_of(text, start) + (error.line().max(1) as u64 - 1);
                let near = || text.lines().nth(line as usize - 1).map(shown).unwrap_or_default();
                let damage = (!error.is_eof()).then(|| (reason(&error), near()));
                out.cut = Some(Cut { line, damage });
                at = text.len();
            }
        }
    }
    others(text, at, text.len(), &mut out);
    match (out.found.is_empty(), out.cut.take()) {
        (true, Some(cut)) => Err(cut.wrong()),
        (true, None) => wrong(1, "holds no JSON document", "give the output of fio --output-format=json"),
        (false, cut) => Ok(Documents { cut, ..out }),
    }
}

/// Why, without the place, which is counted from elsewhere.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_string()
}

fn others<'a>(text: &'a str, from: usize, to: usize, out: &mut Documents<'a>) {
    let Some(part) = text.get(from..to) else { return };
    let first = line_of(text, from);
    for (n, line) in part.lines().enumerate() {
        // What parts the documents of a list is no text.
        if !matches!(line.trim(), "" | "[" | "]" | ",") {
            out.others.push((first + n as u64, line.trim()));
        }
    }
}

/// One document at the beginning of a text, and its length in bytes.
fn document(text: &str) -> Result<(Value, usize), serde_json::Error> {
    let parse = |text: &str| {
        let mut stream = Deserializer::from_str(text).into_iter::<Value>();
        let value = stream.next();
        (value, stream.byte_offset())
    };
    match parse(text) {
        (Some(Ok(value)), length) => Ok((value, length)),
        (first, _) => {
            // Repairs keep every length, so that places stay what they are.
            let repaired = repaired(text);
            match parse(&repaired) {
                (Some(Ok(value)), length) => Ok((value, length)),
                (Some(Err(error)), _) => Err(error),
                (None, _) => match first {
                    Some(Err(error)) => Err(error),
                    _ => Err(<serde_json::Error as serde::de::Error>::custom("an empty document")),
                },
            }
        }
    }
}

/// The same text with fio's own faults made good, byte for byte as long.
fn repaired(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        let start = body.trim_start();
        if start.starts_with("fio: ") || start.starts_with("Jobs: ") {
            out.extend(std::iter::repeat_n(' ', body.len()));
        } else {
            let value = body.rsplit_once(" : ").map(|(_, value)| value.trim_end_matches(','));
            match value {
                Some("nan" | "-nan" | "inf" | "-inf") => {
                    let at = body.rfind(" : ").unwrap_or(0);
                    let comma = if body.ends_with(',') { "," } else { "" };
                    let length = body.len() - at - comma.len();
                    // ` : nan` is as long as ` :null`.
                    out.push_str(&body[..at]);
                    let spelled = " :null";
                    out.push_str(spelled);
                    out.extend(std::iter::repeat_n(' ', length - spelled.len()));
                    out.push_str(comma);
                }
                _ => out.extend(body.chars().map(|c| if c == '\t' { ' ' } else { c })),
            }
        }
        out.push_str(&line[body.len()..]);
    }
    out
}
