//! What is wrong with a command, in words: its key, its value, what belongs there, and what to write.
//!
//! The rules are those of the JSON Schema that is published ([`Command`]'s own), so that the two cannot differ.
//!
//! Ignores: what the parts of schemas mean that ours do not use.

use std::sync::LazyLock;

use serde_json::Value;

use crate::command::{Command, nearest};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| schemars::schema_for!(Command).to_value());

/// What is wrong, and what to write.
pub(super) type Fault = (String, String);

/// The first fault of an object that is meant to be a command.
pub(super) fn fault(command: &Value) -> Option<Fault> {
    find(&SCHEMA, None, command)
}

fn find(schema: &Value, key: Option<&str>, value: &Value) -> Option<Fault> {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return find(&SCHEMA["$defs"][name], key, value);
    }
    if let Some(either) = schema["anyOf"].as_array() {
        // What may be left out may be null, too.
        return find(either.iter().find(|one| one["type"] != "null").filter(|_| !value.is_null())?, key, value);
    }
    if let Some(kinds) = schema["oneOf"].as_array() {
        return of_one(kinds, key, value);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) if value.is_null() && kinds.iter().any(|kind| kind == "null") => return None,
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null"),
        kind => Some(kind),
    };
    match kind.and_then(Value::as_str) {
        Some("object") => of_object(schema, key, value),
        Some("integer") => of_number(schema, key, value),
        Some("string") if !value.is_string() => {
            let hint = match value {
                Value::Number(_) | Value::Bool(_) => {
                    format!("write it in quotes: `{}`", place(key, &value.to_string().into()))
                }
                _ => "write a string in quotes".to_string(),
            };
            Some(misplaced(key, value, "a string", hint))
        }
        Some("string") => of_words(&[schema], key, value),
        _ => None,
    }
}

/// One of several words, or one of several objects that a key tells apart.
fn of_one(kinds: &[Value], key: Option<&str>, value: &Value) -> Option<Fault> {
    let Some(tag) = kinds.iter().find_map(|kind| {
        let mut keys = kind["properties"].as_object()?.iter();
        keys.find(|(_, rule)| rule.get("const").is_some()).map(|(key, _)| key.as_str())
    }) else {
        return of_words(&kinds.iter().collect::<Vec<_>>(), key, value);
    };
    let Some(object) = value.as_object() else { return of_object(&kinds[0], key, value) };
    let Some(chosen) = object.get(tag) else { return Some(missing(tag)) };
    match kinds.iter().find(|kind| kind["properties"][tag]["const"] == *chosen) {
        Some(kind) => of_object(kind, key, value),
        None => of_words(&kinds.iter().map(|kind| &kind["properties"][tag]).collect::<Vec<_>>(), Some(tag), chosen),
    }
}

fn of_words(rules: &[&Value], key: Option<&str>, value: &Value) -> Option<Fault> {
    let words = rules.iter().flat_map(|rule| {
        let listed = rule["enum"].as_array().into_iter().flatten();
        rule.get("const").into_iter().chain(listed).filter_map(Value::as_str)
    });
    match value.as_str() {
        _ if words.clone().next().is_none() => None,
        Some(word) if words.clone().any(|known| known == word) => None,
        word => {
            let hint = nearest(word.unwrap_or_default(), words);
            Some((format!("`{}` is not one of its values", place(key, value)), hint))
        }
    }
}

fn of_object(schema: &Value, key: Option<&str>, value: &Value) -> Option<Fault> {
    let Some(object) = value.as_object() else {
        return Some(misplaced(key, value, "an object", "write it in braces: `{...}`".into()));
    };
    let known = schema["properties"].as_object()?;
    if let Some(unknown) = object.keys().find(|key| !known.contains_key(*key)) {
        return Some((
            format!("unknown key `{unknown}`"),
            match known.len() {
                0 | 1 => "remove it".into(),
                _ => nearest(unknown, known.keys().map(String::as_str)),
            },
        ));
    }
    let mut required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(name) = required.find(|name| !object.contains_key(*name)) {
        return Some(missing(name));
    }
    object.iter().find_map(|(key, value)| find(&known[key], Some(key), value))
}

fn of_number(schema: &Value, key: Option<&str>, value: &Value) -> Option<Fault> {
    let most = match schema["format"].as_str() {
        Some("uint16") => u64::from(u16::MAX),
        Some("uint32") => u64::from(u32::MAX),
        _ => u64::MAX,
    };
    let range = format!("write a whole number from 0 to {most}");
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|number| number <= most) => None,
        Value::Number(_) => Some((format!("`{}` is out of range", place(key, value)), range)),
        Value::String(text) if text.parse::<u64>().is_ok_and(|number| number <= most) => {
            let number = text.parse::<u64>().unwrap_or_default().into();
            Some(misplaced(key, value, "a number", format!("write it without quotes: `{}`", place(key, &number))))
        }
        _ => Some(misplaced(key, value, "a number", range)),
    }
}

fn missing(name: &str) -> Fault {
    (format!("`{name}` is missing"), "write it".into())
}

fn misplaced(key: Option<&str>, value: &Value, belongs: &str, hint: String) -> Fault {
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "a yes or no",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    (format!("`{}` is {is}, but {belongs} is expected", place(key, value)), hint)
}

fn place(key: Option<&str>, value: &Value) -> String {
    key.map_or(value.to_string(), |key| format!("\"{key}\": {value}"))
}
