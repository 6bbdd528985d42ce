//! Compiled templates: resources whose values are expressions.
//!
//! Replaced are parameters that have a default, variables, numbers of copies, and the few functions that names are made of; what is left is
//! for whoever deploys to know, and stays an expression.
//!
//! Source: "Template functions" and "Resource iteration" of the documentation of ARM templates.
//!
//! Ignores: conditions that are no literal, files of parameters, templates that are linked.

use dw_estate::Shape;
use serde_json::{Map, Value, json};

use super::Sink;

/// Copies of one resource, at most.
const COPIES_MOST: u64 = 10_000;
/// Templates within templates, and variables of variables.
const DEPTH_MOST: usize = 16;

pub fn read(rest: &Map<String, Value>, resources: Vec<Value>, sink: &mut Sink) {
    let defaults = rest.get("parameters").and_then(Value::as_object).into_iter().flatten();
    let parameters =
        defaults.filter_map(|(name, of)| Some((name.to_lowercase(), of.get("defaultValue")?.clone()))).collect();
    let scope = Scope { parameters, variables: small(rest.get("variables")), copy: None };
    scope.all(&resources, 0, sink);
}

/// Whether a resource is a template of its own.
fn is_template(kind: &str) -> bool {
    kind.to_ascii_lowercase().ends_with(".resources/deployments")
}

/// An object by its keys in small letters: expressions name them in any case.
fn small(of: Option<&Value>) -> Map<String, Value> {
    let entries = of.and_then(Value::as_object).into_iter().flatten();
    entries.map(|(name, value)| (name.to_lowercase(), value.clone())).collect()
}

#[derive(Clone, Default)]
struct Scope {
    parameters: Map<String, Value>,
    variables: Map<String, Value>,
    copy: Option<u64>,
}

impl Scope {
    fn all(&self, resources: &[Value], depth: usize, sink: &mut Sink) {
        if depth > DEPTH_MOST {
            return;
        }
        for resource in resources {
            let count = self.replaced(&resource["copy"]["count"], 0).as_u64();
            let copies = match resource["copy"].is_object() {
                true => count.unwrap_or(1).min(COPIES_MOST),
                false => 1,
            };
            for number in 0..copies {
                let copy = resource["copy"].is_object().then_some(number).or(self.copy);
                Scope { copy, ..self.clone() }.one(resource, depth, sink);
            }
        }
    }

    fn one(&self, resource: &Value, depth: usize, sink: &mut Sink) {
        let is_left_out = self.replaced(&resource["condition"], 0) == Value::Bool(false);
        if is_left_out || resource["existing"] == Value::Bool(true) {
            return;
        }
        if resource["type"].as_str().is_some_and(is_template) {
            return self.within(resource, depth, sink);
        }
        let nested: Vec<Value> = match &resource["resources"] {
            Value::Array(list) => list.clone(),
            Value::Object(map) => map.values().cloned().collect(),
            _ => Vec::new(),
        };
        self.all(&nested, depth + 1, sink);
        sink.record(Shape::Template, &self.replaced(resource, 0));
    }

    /// A template within a template.
    fn within(&self, resource: &Value, depth: usize, sink: &mut Sink) {
        let properties = &resource["properties"];
        let template = &properties["template"];
        let mut parameters = Map::new();
        for (name, of) in template["parameters"].as_object().into_iter().flatten() {
            let given = properties["parameters"].get(name).and_then(|given| given.get("value"));
            let value = given.map(|value| self.replaced(value, 0)).or_else(|| of.get("defaultValue").cloned());
            parameters.extend(value.map(|value| (name.to_lowercase(), value)));
        }
        let is_inner = properties["expressionEvaluationOptions"]["scope"]
            .as_str()
            .is_some_and(|word| word.eq_ignore_ascii_case("inner"));
        let scope = match is_inner {
            true => Scope { parameters, variables: small(template.get("variables")), copy: None },
            false => self.clone(),
        };
        let list: Vec<Value> = match &template["resources"] {
            Value::Array(list) => list.clone(),
            Value::Object(map) => map.values().cloned().collect(),
            _ => Vec::new(),
        };
        scope.all(&list, depth + 1, sink);
    }

    /// A value with all of its expressions replaced that can be.
    fn replaced(&self, value: &Value, depth: usize) -> Value {
        if depth > DEPTH_MOST {
            return value.clone();
        }
        match value {
            Value::String(text) => match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                Some(inner) if !inner.starts_with('[') => Expression::read(inner)
                    .and_then(|expression| self.value(&expression, depth))
                    .unwrap_or_else(|| value.clone()),
                _ => value.clone(),
            },
            Value::Array(list) => list.iter().map(|item| self.replaced(item, depth + 1)).collect(),
            Value::Object(map) => {
                let mut out: Map<String, Value> = Map::new();
                for (key, value) in map {
                    match (key.as_str(), value) {
                        // Properties that are made by copies.
                        ("copy", Value::Array(copies)) => {
                            for copy in copies {
                                if let Some(name) = copy["name"].as_str() {
                                    out.insert(name.into(), self.copied(copy, depth));
                                }
                            }
                        }
                        _ => drop(out.insert(key.clone(), self.replaced(value, depth + 1))),
                    }
                }
                Value::Object(out)
            }
            other => other.clone(),
        }
    }

    fn copied(&self, copy: &Value, depth: usize) -> Value {
        let count = self.replaced(&copy["count"], 0).as_u64().unwrap_or(0).min(COPIES_MOST);
        let each = |number| Scope { copy: Some(number), ..self.clone() }.replaced(&copy["input"], depth + 1);
        (0..count).map(each).collect()
    }

    fn value(&self, expression: &Expression, depth: usize) -> Option<Value> {
        let Expression::Call { name, arguments, path } = expression else {
            return match expression {
                Expression::Text(text) => Some(json!(text)),
                Expression::Number(number) => Some(json!(number)),
                Expression::Call { .. } => None,
            };
        };
        let all = || arguments.iter().map(|argument| self.value(argument, depth + 1)).collect::<Option<Vec<Value>>>();
        let found = match name.to_lowercase().as_str() {
            "parameters" => self.named(&self.parameters, &all()?, depth)?,
            "variables" => self.named(&self.variables, &all()?, depth)?,
            // The names of inner copies are not told apart.
            "copyindex" => {
                let offset = all()?.iter().find_map(Value::as_u64).unwrap_or(0);
                json!(self.copy? + offset)
            }
            "concat" => json!(all()?.iter().map(shown).collect::<Option<String>>()?),
            "string" => json!(shown(all()?.first()?)?),
            "int" => json!(shown(all()?.first()?)?.parse::<i64>().ok()?),
            "tolower" => json!(all()?.first()?.as_str()?.to_lowercase()),
            "add" | "sub" | "mul" => {
                let both = all()?;
                let [a, b] = &both[..] else { return None };
                let (a, b) = (a.as_i64()?, b.as_i64()?);
                json!(match name.as_bytes()[0] | 0x20 {
                    b'a' => a.checked_add(b)?,
                    b's' => a.checked_sub(b)?,
                    _ => a.checked_mul(b)?,
                })
            }
            "length" => json!(all()?.first()?.as_array()?.len()),
            "createarray" => Value::Array(all()?),
            "true" => json!(true),
            "false" => json!(false),
            "format" => {
                let parts = all()?;
                let (pattern, rest) = parts.split_first()?;
                let mut text = pattern.as_str()?.to_string();
                for (number, part) in rest.iter().enumerate() {
                    text = text.replace(&format!("{{{number}}}"), &shown(part)?);
                }
                json!(text)
            }
            "resourceid" => {
                let parts = all()?;
                let kind = parts.iter().position(|part| part.as_str().is_some_and(|text| text.contains('/')))?;
                let names = parts[kind + 1..].iter().map(shown).collect::<Option<Vec<_>>>()?;
                json!(format!("/{}/{}", parts[kind].as_str()?, names.join("/")))
            }
            _ => return None,
        };
        let step = |value: Value, key: &Step| match key {
            Step::Name(name) => {
                let map = value.as_object()?;
                map.get(name)
                    .or_else(|| map.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value))
                    .cloned()
            }
            Step::Place(place) => value.get(self.value(place, depth + 1)?.as_u64()? as usize).cloned(),
        };
        path.iter().try_fold(found, step)
    }

    fn named(&self, from: &Map<String, Value>, arguments: &[Value], depth: usize) -> Option<Value> {
        let found = from.get(&arguments.first()?.as_str()?.to_lowercase())?;
        let value = self.replaced(found, depth + 1);
        // One that could not be replaced is unknown.
        (!value.as_str().is_some_and(|text| text.starts_with('[') && !text.starts_with("[["))).then_some(value)
    }
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[derive(Debug)]
enum Step {
    Name(String),
    Place(Expression),
}

#[derive(Debug)]
enum Expression {
    Text(String),
    Number(i64),
    Call { name: String, arguments: Vec<Expression>, path: Vec<Step> },
}

impl Expression {
    fn read(text: &str) -> Option<Expression> {
        let mut rest = text;
        let found = Self::next(&mut rest, 0)?;
        rest.trim().is_empty().then_some(found)
    }

    fn next(rest: &mut &str, depth: usize) -> Option<Expression> {
        if depth > DEPTH_MOST {
            return None;
        }
        *rest = rest.trim_start();
        let first = rest.chars().next()?;
        if first == '\'' {
            let mut text = String::new();
            let mut chars = rest.char_indices().skip(1).peekable();
            while let Some((at, c)) = chars.next() {
                match (c, chars.peek()) {
                    ('\'', Some((_, '\''))) => {
                        text.push('\'');
                        chars.next();
                    }
                    ('\'', _) => {
                        *rest = &rest[at + 1..];
                        return Some(Expression::Text(text));
                    }
                    _ => text.push(c),
                }
            }
            return None;
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        *rest = after;
        if let Ok(number) = word.parse() {
            return Some(Expression::Number(number));
        }
        let after = rest.trim_start().strip_prefix('(')?;
        *rest = after;
        let mut arguments = Vec::new();
        loop {
            *rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(')') {
                *rest = after;
                break;
            }
            arguments.push(Self::next(rest, depth + 1)?);
            *rest = rest.trim_start();
            *rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        let mut path = Vec::new();
        loop {
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                path.push(Step::Name(after[..end].into()));
                *rest = &after[end..];
            } else if let Some(after) = rest.strip_prefix('[') {
                *rest = after;
                path.push(Step::Place(Self::next(rest, depth + 1)?));
                *rest = rest.trim_start().strip_prefix(']')?;
            } else {
                // Functions of a user's own have a point in their name.
                return Some(Expression::Call { name: word.into(), arguments, path });
            }
        }
    }
}
