//! Changes of a configuration of infrastructure as a unified diff: an attribute's literal in the place of another.
//!
//! Files are read for where literals stand, and nothing else of them changes: formatting, comments and ends of lines stay. What is no literal (a
//! variable, a call, a template that fills something in) is never replaced, no attribute is added, and a block that stands for several things
//! (`count`, `for_each`) is left alone; each is told.
//!
//! Source: "HCL Native Syntax Specification"; the unified format of GNU diffutils, names of files quoted as git has them.
//!
//! Ignores: modules in other folders, `.tf.json`.

use std::fmt::Write as _;
use std::ops::Range;

use hcl_edit::Span as _;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Block, Body};

use super::quote;

/// A value to be set.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Number(u64),
    Flag(bool),
}

/// Which block.
#[derive(Clone, Debug)]
pub enum Target<'a> {
    /// By its types, and its address (`type.label`) or the literal of its `name`.
    Block { types: &'a [&'a str], address: Option<&'a str>, name: &'a str },
    /// By its types, and an attribute that refers to the id of such a block.
    Referring { types: &'a [&'a str], by: &'a str, to: Box<Target<'a>> },
}

/// An attribute that is to be otherwise.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// As it is called where it cannot be done.
    pub what: String,
    pub target: Target<'a>,
    /// A block within it.
    pub within: Option<&'a str>,
    pub attribute: &'a str,
    pub value: Value,
}

/// A file: its name, its text.
pub type File = (String, String);

/// The diff, and what is not in it, with why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    pub diff: String,
    pub left: Vec<String>,
}

struct Read<'a> {
    file: usize,
    block: &'a Block,
}

/// A text in the place of another.
struct Edit {
    file: usize,
    at: Range<usize>,
    text: String,
}

/// The changes that can be made in these files.
pub fn patch(files: &[File], wanted: &[Wanted]) -> Patch {
    let mut patch = Patch::default();
    let mut bodies: Vec<Option<Body>> = Vec::new();
    for (name, text) in files {
        let body = hcl_edit::parser::parse_body(text);
        if let Err(why) = &body {
            let line = why.location().line();
            patch.left.push(format!("{name}:{line}: the file is not read: {}", why.message()));
        }
        bodies.push(body.ok());
    }
    let all = bodies.iter().enumerate().filter_map(|(file, body)| Some((file, body.as_ref()?)));
    let blocks: Vec<Read> = all
        .flat_map(|(file, body)| body.blocks().map(move |block| Read { file, block }))
        .filter(|read| read.block.has_ident("resource") && read.block.labels.len() == 2)
        .collect();
    let mut edits: Vec<Edit> = Vec::new();
    for one in wanted {
        match edit(files, &blocks, one) {
            Err(why) => patch.left.push(format!("{}: {why}", one.what)),
            Ok(edit) => match edits.iter().find(|other| other.file == edit.file && other.at == edit.at) {
                Some(other) if other.text != edit.text => {
                    patch.left.push(format!("{}: another change sets `{}` to {}", one.what, one.attribute, other.text));
                }
                Some(_) => {}
                None => edits.push(edit),
            },
        }
    }
    for (place, (name, text)) in files.iter().enumerate() {
        let mut own: Vec<&Edit> =
            edits.iter().filter(|edit| edit.file == place && text[edit.at.clone()] != edit.text).collect();
        own.sort_by_key(|edit| std::cmp::Reverse(edit.at.start));
        let mut new = text.clone();
        own.iter().for_each(|edit| new.replace_range(edit.at.clone(), &edit.text));
        patch.diff += &unified(name, text, &new);
    }
    patch
}

fn label(block: &Block, place: usize) -> &str {
    block.labels.get(place).map_or("", |label| label.as_str())
}

fn is_at(block: &Block, address: &str) -> bool {
    address.split_once('.').is_some_and(|(kind, name)| label(block, 0) == kind && label(block, 1) == name)
}

fn literal<'a>(block: &'a Block, attribute: &str) -> Option<&'a str> {
    block.body.get_attribute(attribute)?.value.as_str()
}

/// The one block that is meant.
fn found<'a, 'b>(files: &[File], blocks: &'b [Read<'a>], target: &Target) -> Result<&'b Read<'a>, String> {
    let mut fitting: Vec<&Read> = match target {
        Target::Block { types, address, name } => {
            let is_meant = |block: &Block| match address {
                Some(address) => is_at(block, address),
                None => literal(block, "name") == Some(*name),
            };
            let is_of = |block: &Block| types.contains(&label(block, 0));
            blocks.iter().filter(|read| is_of(read.block) && is_meant(read.block)).collect()
        }
        Target::Referring { types, by, to } => {
            let to = found(files, blocks, to)?;
            let id = format!("{}.{}.id", label(to.block, 0), label(to.block, 1));
            let refers = |read: &&Read| {
                let value = read.block.body.get_attribute(by).and_then(|own| own.value.span());
                let text = value.and_then(|at| files[read.file].1.get(at)).unwrap_or_default().trim();
                text == id || text == format!("\"${{{id}}}\"")
            };
            blocks.iter().filter(|read| types.contains(&label(read.block, 0))).filter(refers).collect()
        }
    };
    let first = fitting.pop().ok_or("no block of it is in these files by a literal name or its address")?;
    if !fitting.is_empty() {
        return Err(format!("{} blocks may be meant", fitting.len() + 1));
    }
    if let Some(several) = ["count", "for_each"].into_iter().find(|key| first.block.body.has_attribute(key)) {
        return Err(format!("its block has `{several}` and stands for several"));
    }
    Ok(first)
}

fn edit(files: &[File], blocks: &[Read], wanted: &Wanted) -> Result<Edit, String> {
    let read = found(files, blocks, &wanted.target)?;
    let body = match wanted.within {
        None => &read.block.body,
        Some(within) => {
            let mut inner = read.block.body.get_blocks(within);
            let first = inner.next().ok_or(format!("its block has no `{within}`"))?;
            if inner.next().is_some() {
                return Err(format!("its block has several `{within}`"));
            }
            &first.body
        }
    };
    let name = wanted.attribute;
    let attribute = body.get_attribute(name).ok_or(format!("its block has no `{name}`"))?;
    let (file, text) = &files[read.file];
    let at = attribute.value.span().ok_or(format!("`{name}` has no place"))?;
    let line = 1 + text[..at.start].matches('\n').count();
    let written = match (&attribute.value, &wanted.value) {
        (Expression::String(_), Value::Text(text)) => quote::hcl(text),
        (Expression::String(_), Value::Number(number)) => format!("\"{number}\""),
        (Expression::String(_), Value::Flag(is)) => format!("\"{is}\""),
        (Expression::Number(_), Value::Number(number)) => number.to_string(),
        (Expression::Bool(_), Value::Flag(is)) => is.to_string(),
        _ => return Err(format!("{file}:{line}: `{name}` is no literal of its own")),
    };
    // What a literal is followed by within its place stays.
    let own = text[at.clone()].trim_end().len();
    Ok(Edit { file: read.file, at: at.start..at.start + own, text: written })
}

/// Lines before and after what changed.
const CONTEXT: usize = 3;

/// What changed between texts of as many lines; nothing where none did.
fn unified(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let changed: Vec<usize> = (0..old.len()).filter(|line| old[*line] != new[*line]).collect();
    let mut out = String::new();
    let mut rest = &changed[..];
    while let [first, ..] = rest {
        // Those whose surroundings touch are told together.
        let together = 1 + rest.windows(2).take_while(|pair| pair[1] - pair[0] <= 2 * CONTEXT).count();
        let (own, later) = rest.split_at(together);
        rest = later;
        let begin = first.saturating_sub(CONTEXT);
        let end = (own[own.len() - 1] + 1 + CONTEXT).min(old.len());
        if out.is_empty() {
            let _ = write!(out, "--- {}\n+++ {}\n", file_name('a', name), file_name('b', name));
        }
        let count = end - begin;
        let _ = writeln!(out, "@@ -{},{count} +{},{count} @@", begin + 1, begin + 1);
        let mut line = begin;
        while line < end {
            // Lines that change one after the other are taken away together, and then added.
            let run = own.iter().filter(|at| **at >= line).enumerate().take_while(|(n, at)| **at == line + n).count();
            for (mark, lines) in [('-', &old), ('+', &new)] {
                lines[line..line + run].iter().for_each(|text| push(&mut out, mark, text));
            }
            line += run;
            if run == 0 {
                push(&mut out, ' ', old[line]);
                line += 1;
            }
        }
    }
    out
}

fn push(out: &mut String, mark: char, line: &str) {
    out.push(mark);
    *out += line;
    if !line.ends_with('\n') {
        *out += "\n\\ No newline at end of file\n";
    }
}

/// A name as git writes it: with a tab behind one that has a blank, and in quotes where it has what would end it.
fn file_name(side: char, name: &str) -> String {
    let path = format!("{side}/{name}");
    if path.chars().any(|c| c.is_control() || c == '"' || c == '\\') {
        let mut out = String::from("\"");
        for byte in path.bytes() {
            match byte {
                b'"' | b'\\' => out.extend(['\\', byte as char]),
                0x20..=0x7e => out.push(byte as char),
                byte => drop(write!(out, "\\{byte:03o}")),
            }
        }
        return out + "\"";
    }
    if path.contains(' ') { path + "\t" } else { path }
}

#[cfg(test)]
mod tests;
