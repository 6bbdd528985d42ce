//! Templates in YAML, as the values that the same template in JSON has.
//!
//! Short forms are what they are short for: `!Ref X` is `{"Ref": "X"}`, `!Sub T` is `{"Fn::Sub": "T"}`, and so with every function, known here or
//! not. A plain scalar is what YAML's core schema makes of it, but digits that begin with a zero stay a text, as account numbers do.
//!
//! Source: YAML 1.2.2, chapter 10.3; "Template formats" and "Intrinsic function reference" of the CloudFormation documentation, 2026.
//!
//! Ignores: tags of YAML's own types but `!!str`. Aliases and keys that are no texts are refused, as CloudFormation refuses them.

use dw_error::{Error, Result};
use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};
use serde_json::{Map, Number, Value, json};

/// Values within values, as far as the stack of a thread goes for certain.
const DEPTH_MOST: usize = 64;

/// Sections of a template, one of which its first line names; besides these the one with the version, which names the vendor.
const SECTIONS: [&str; 11] = [
    "Conditions",
    "Description",
    "Globals",
    "Hooks",
    "Mappings",
    "Metadata",
    "Outputs",
    "Parameters",
    "Resources",
    "Rules",
    "Transform",
];
const VERSION: &str = "TemplateFormatVersion";

/// Whether a file that begins so is a template in YAML: the first line that says anything opens a section.
pub fn is_template(begin: &[u8]) -> bool {
    let text = String::from_utf8_lossy(begin);
    let says = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['#', '%']) && !line.starts_with("---")
    };
    let Some((key, rest)) = text.lines().find(says).and_then(|line| line.split_once(':')) else { return false };
    let key = key.trim().trim_matches(['"', '\'']);
    (rest.is_empty() || rest.starts_with(char::is_whitespace)) && (SECTIONS.contains(&key) || key.ends_with(VERSION))
}

/// The documents of a text; `name` is what messages call it.
///
/// # Errors
/// Of kind `Input`, with the line, for the first thing that is no YAML, or none that a template may have.
pub fn read(name: &str, text: &str) -> Result<Vec<Value>> {
    let mut reader = Reader { events: Parser::new_from_str(text), name, last: text.lines().count().max(1) };
    let mut documents = Vec::new();
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(documents),
            (Event::DocumentStart(_), _) => {
                let (event, span) = reader.next()?;
                documents.push(reader.value(event, span, 0)?);
            }
            _ => {}
        }
    }
}

struct Reader<'a> {
    events: Parser<'a, StrInput<'a>>,
    name: &'a str,
    /// The last line, at which a file that ends too early is at fault.
    last: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span)> {
        match self.events.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(e)) => Err(Error::input(format!("not valid YAML: {}", e.info()))
                .hint("check the indentation of this line and of those before it; a tab is none")
                .at(self.name, e.marker().line().min(self.last))
                .column(e.marker().col() + 1)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn refuse<T>(&self, span: Span, what: impl Into<String>, hint: &str) -> Result<T> {
        Err(Error::input(what).hint(hint).at(self.name, span.start.line()))
    }

    fn value(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Value> {
        if depth > DEPTH_MOST {
            let what = format!("more than {DEPTH_MOST} levels of lists and maps");
            return self.refuse(span, what, "no template needs so many: check the brackets before this line");
        }
        match event {
            Event::Scalar(text, style, _, tag) => Ok(scalar(&text, style, tag.as_deref())),
            Event::SequenceStart(_, tag) => {
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => return Ok(of_tag(tag.as_deref(), Value::Array(list))),
                        (event, span) => list.push(self.value(event, span, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(_, tag) => {
                let map = self.map(depth)?;
                Ok(of_tag(tag.as_deref(), Value::Object(map)))
            }
            Event::Alias(_) => self.refuse(
                span,
                "an alias (`*name`), which templates cannot have",
                "write what it stands for in its place",
            ),
            _ => self.refuse(span, "a value is missing", "write one, or remove its key"),
        }
    }

    /// What follows the start of a map, with its end.
    fn map(&mut self, depth: usize) -> Result<Map<String, Value>> {
        let mut map = Map::new();
        loop {
            let (key, at) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(map),
                (Event::Scalar(key, ..), at) => (key.into_owned(), at),
                (_, at) => {
                    return self.refuse(at, "a key that is a list, a map or an alias", "write a text before the colon");
                }
            };
            let (event, span) = self.next()?;
            let value = self.value(event, span, depth + 1)?;
            if map.insert(key.clone(), value).is_some() {
                return self.refuse(at, format!("`{key}` is there twice"), "keep one of the two");
            }
        }
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    let value = if style == ScalarStyle::Plain && !is_text { plain(text) } else { json!(text) };
    match tag.and_then(function) {
        // What a function is of stands in quotes or without, which makes no difference.
        Some(function) => json!({ function: text }),
        None => value,
    }
}

fn of_tag(tag: Option<&Tag>, value: Value) -> Value {
    match tag.and_then(function) {
        Some(function) => json!({ function: value }),
        None => value,
    }
}

/// What a short form is short for.
fn function(tag: &Tag) -> Option<String> {
    if tag.handle != "!" {
        return None;
    }
    Some(match tag.suffix.as_str() {
        own @ ("Ref" | "Condition") => own.to_string(),
        other => format!("Fn::{other}"),
    })
}

/// A plain scalar by the core schema.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).unwrap_or_else(|| json!(text)),
    }
}

fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = digits.bytes().all(|b| b.is_ascii_digit());
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || is_whole && digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Some(json!(whole));
    }
    let real = text.parse::<f64>().ok().filter(|_| !is_whole)?;
    Number::from_f64(real).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_what_they_are_short_for() {
        for (yaml, expected) in [
            ("a: !Ref B", json!({"a": {"Ref": "B"}})),
            ("a: !Condition B", json!({"a": {"Condition": "B"}})),
            ("a: !Sub '${B}-c'", json!({"a": {"Fn::Sub": "${B}-c"}})),
            ("a: !GetAtt B.C", json!({"a": {"Fn::GetAtt": "B.C"}})),
            ("a: !FindInMap [M, !Ref K, size]", json!({"a": {"Fn::FindInMap": ["M", {"Ref": "K"}, "size"]}})),
            ("a: !If\n  - C\n  - 1\n  - !Ref D", json!({"a": {"Fn::If": ["C", 1, {"Ref": "D"}]}})),
            ("a: !Sub\n  - '${x}'\n  - x: !Ref B", json!({"a": {"Fn::Sub": ["${x}", {"x": {"Ref": "B"}}]}})),
            ("a: !Select [ 0, !GetAZs '' ]", json!({"a": {"Fn::Select": [0, {"Fn::GetAZs": ""}]}})),
            ("a:\n  Fn::Join: ['-', [x, y]]", json!({"a": {"Fn::Join": ["-", ["x", "y"]]}})),
            ("a: !!str 12", json!({"a": "12"})),
        ] {
            assert_eq!(read("t.yaml", yaml).unwrap(), [expected], "{yaml}");
        }
    }

    #[test]
    fn plain_scalars_are_those_of_the_core_schema() {
        for (text, expected) in [
            ("12", json!(12)),
            ("-3", json!(-3)),
            ("1.5", json!(1.5)),
            ("1e3", json!(1000.0)),
            ("012345678901", json!("012345678901")),
            ("0", json!(0)),
            ("2010-09-09", json!("2010-09-09")),
            ("99999999999999999999", json!("99999999999999999999")),
            ("true", json!(true)),
            ("yes", json!("yes")),
            ("~", Value::Null),
            ("'12'", json!("12")),
            ("gp3 # a comment", json!("gp3")),
            ("\"a\\nb\"", json!("a\nb")),
            ("|\n  a\n  b", json!("a\nb\n")),
        ] {
            let read = read("t.yaml", &format!("a: {text}\n")).unwrap();
            assert_eq!(read, [json!({ "a": expected })], "{text}");
        }
    }

    #[test]
    fn what_is_no_template_is_refused_with_its_line() {
        let deep = format!("a: {}{}", "[".repeat(80), "]".repeat(80));
        for (yaml, line, what) in [
            ("a: 1\nb: [1, 2", 2, "not valid YAML"),
            ("a:\n\tb: 1\n", 2, "not valid YAML"),
            ("a: 1\n\nb: 2\na: 3\n", 4, "`a` is there twice"),
            ("a: &x 1\nb: *x\n", 2, "an alias"),
            ("a: 1\n? [1, 2]\n: 3\n", 2, "a key that is a list"),
            (deep.as_str(), 1, "more than 64 levels"),
        ] {
            let error = read("t.yaml", yaml).unwrap_err();
            let said = format!("{error:?}");
            assert!(said.contains(what), "{yaml}: {said}");
            let place = error.place.as_ref().and_then(|place| place.line);
            assert_eq!(place, Some(line), "{yaml}: {said}");
        }
    }

    #[test]
    fn a_template_shows_by_its_first_section() {
        for (begin, expected) in [
            ("# ours\n---\nResources:\n  A:", true),
            ("AWSTemplateFormatVersion: '2010-09-09'\n", true),
            ("\"Parameters\": \n", true),
            ("Description: a stack, of two\n", true),
            ("name,Resources:\n", false),
            ("apiVersion: v1\nkind: Node\n", false),
            ("NAME  SIZE\nvm1  D4s_v5\n", false),
            ("", false),
        ] {
            assert_eq!(is_template(begin.as_bytes()), expected, "{begin}");
        }
    }
}
