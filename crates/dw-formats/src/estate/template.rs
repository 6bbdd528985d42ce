//! Compiled templates: resources whose values are expressions.
//!
//! Replaced are parameters that have a default, or only one value that is allowed, variables, numbers of copies, what is looked up in objects and
//! lists by such, and the functions that names and choices are made of; what is left is for whoever deploys to know, and stays an expression.
//!
//! Source: "Template functions", "Resource iteration" and "Variable iteration" of the documentation of ARM templates.
//!
//! Ignores: files of parameters, templates that are linked, lambdas.

use dw_estate::Shape;
use serde_json::{Map, Value, json};

use super::Sink;

/// Copies of one resource, at most.
const COPIES_MOST: u64 = 10_000;
/// Templates within templates, and variables of variables.
const DEPTH_MOST: usize = 16;

pub fn read(rest: &Map<String, Value>, resources: Vec<Value>, sink: &mut Sink) {
    let defaults = rest.get("parameters").and_then(Value::as_object).into_iter().flatten();
    let parameters = defaults.filter_map(|(name, of)| Some((name.to_lowercase(), default_of(of)?))).collect();
    let scope = Scope { parameters, variables: small(rest.get("variables")), copy: None };
    scope.all(&resources, 0, sink);
}

/// What a parameter is where nobody gives it a value: its default, or the one value that is allowed.
fn default_of(parameter: &Value) -> Option<Value> {
    let only = || match parameter.get("allowedValues")?.as_array()?.as_slice() {
        [one] => Some(one),
        _ => None,
    };
    parameter.get("defaultValue").or_else(only).cloned()
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
            let value = given.map(|value| self.replaced(value, 0)).or_else(|| default_of(of));
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
        let name = name.to_lowercase();
        let one = |place: usize| self.value(arguments.get(place)?, depth + 1);
        let found = match name.as_str() {
            // Of its branches one counts, and the other may be unknown.
            "if" => one(if one(0)?.as_bool()? { 1 } else { 2 })?,
            "and" => json!(self.is_any(arguments, false, depth).map(|is_false| !is_false)?),
            "or" => json!(self.is_any(arguments, true, depth)?),
            "coalesce" => {
                let mut known = (0..arguments.len()).map(one);
                known.find(|value| value.as_ref().is_none_or(|value| !value.is_null()))??
            }
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
                json!(match name.as_bytes()[0] {
                    b'a' => a.checked_add(b)?,
                    b's' => a.checked_sub(b)?,
                    _ => a.checked_mul(b)?,
                })
            }
            "createarray" => Value::Array(all()?),
            "true" => json!(true),
            "false" => json!(false),
            "null" => Value::Null,
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
            name => plain(name, &all()?)?,
        };
        let step = |value: Value, key: &Step| match key {
            Step::Name(name) => entry(&value, name),
            Step::Place(place) => match self.value(place, depth + 1)? {
                Value::String(name) => entry(&value, &name),
                place => value.get(usize::try_from(place.as_u64()?).ok()?).cloned(),
            },
        };
        // One that could not be replaced is unknown.
        path.iter().try_fold(found, step).filter(|value| !is_expression(value))
    }

    /// Whether one of these is what is wanted: known as soon as one is, whatever is not known of the others.
    fn is_any(&self, of: &[Expression], wanted: bool, depth: usize) -> Option<bool> {
        let all = || of.iter().map(|one| self.value(one, depth + 1).and_then(|value| value.as_bool()));
        if all().any(|own| own == Some(wanted)) {
            return Some(true);
        }
        all().all(|own| own.is_some()).then_some(false)
    }

    fn named(&self, from: &Map<String, Value>, arguments: &[Value], depth: usize) -> Option<Value> {
        let name = arguments.first()?.as_str()?.to_lowercase();
        let value = match from.get(&name) {
            Some(found) => self.replaced(found, depth + 1),
            // A variable that is made by copies.
            None => {
                let copies = from.get("copy")?.as_array()?.iter();
                let own = |copy: &&Value| copy["name"].as_str().is_some_and(|own| own.eq_ignore_ascii_case(&name));
                self.copied(copies.clone().find(own)?, depth + 1)
            }
        };
        (!is_expression(&value)).then_some(value)
    }
}

fn is_expression(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with('[') && text.ends_with(']') && !text.starts_with("[["))
}

/// What stands under a name, in whatever case.
fn entry(of: &Value, name: &str) -> Option<Value> {
    let map = of.as_object()?;
    let any_case = || map.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    map.get(name).or_else(any_case).cloned()
}

/// Functions of known values alone.
fn plain(name: &str, of: &[Value]) -> Option<Value> {
    let text = |place: usize| of.get(place)?.as_str();
    let number = |place: usize| of.get(place)?.as_i64();
    let ordered = |is: fn(std::cmp::Ordering) -> bool| {
        let numbers = number(0).zip(number(1)).map(|(a, b)| a.cmp(&b));
        numbers.or_else(|| Some(text(0)?.cmp(text(1)?))).map(|order| json!(is(order)))
    };
    let count = |value: &Value| match value {
        Value::Array(list) => Some(list.len()),
        Value::Object(map) => Some(map.len()),
        Value::String(text) => Some(text.chars().count()),
        Value::Null => Some(0),
        _ => None,
    };
    let end = |is_last: bool| match of.first()? {
        Value::Array(list) => if is_last { list.last() } else { list.first() }.cloned(),
        Value::String(text) => {
            let mut chars = text.chars();
            if is_last { chars.next_back() } else { chars.next() }.map(|c| json!(c.to_string()))
        }
        _ => None,
    };
    Some(match name {
        "equals" => json!(of.first()? == of.get(1)?),
        "not" => json!(!of.first()?.as_bool()?),
        "greater" => ordered(std::cmp::Ordering::is_gt)?,
        "greaterorequals" => ordered(std::cmp::Ordering::is_ge)?,
        "less" => ordered(std::cmp::Ordering::is_lt)?,
        "lessorequals" => ordered(std::cmp::Ordering::is_le)?,
        "bool" => match of.first()? {
            Value::Bool(is) => json!(is),
            Value::String(text) => json!(text.eq_ignore_ascii_case("true")),
            other => json!(other.as_i64()? != 0),
        },
        "length" => json!(count(of.first()?)?),
        "empty" => json!(count(of.first()?)? == 0),
        "contains" => match of.first()? {
            Value::Array(list) => json!(list.contains(of.get(1)?)),
            Value::Object(_) => json!(entry(of.first()?, text(1)?).is_some()),
            Value::String(whole) => json!(whole.contains(text(1)?)),
            _ => return None,
        },
        "first" => end(false)?,
        "last" => end(true)?,
        "toupper" => json!(text(0)?.to_uppercase()),
        "trim" => json!(text(0)?.trim()),
        "replace" => json!(text(0)?.replace(text(1)?, text(2)?)),
        "startswith" => json!(text(0)?.to_lowercase().starts_with(&text(1)?.to_lowercase())),
        "endswith" => json!(text(0)?.to_lowercase().ends_with(&text(1)?.to_lowercase())),
        "substring" => {
            let (from, most) = (
                usize::try_from(number(1)?).ok()?,
                of.get(2).map_or(Some(usize::MAX), |n| usize::try_from(n.as_i64()?).ok())?,
            );
            json!(text(0)?.chars().skip(from).take(most).collect::<String>())
        }
        "split" => text(0)?.split(text(1)?).map(|part| json!(part)).collect(),
        "join" => json!(of.first()?.as_array()?.iter().map(shown).collect::<Option<Vec<_>>>()?.join(text(1)?)),
        "div" => json!(number(0)?.checked_div(number(1)?)?),
        "mod" => json!(number(0)?.checked_rem(number(1)?)?),
        "min" | "max" => {
            let list = of.first()?.as_array().map_or(of, Vec::as_slice);
            let numbers = list.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()?.into_iter();
            json!(if name == "min" { numbers.min()? } else { numbers.max()? })
        }
        "range" => {
            let (from, most) = (number(0)?, u64::try_from(number(1)?).ok()?.min(COPIES_MOST));
            (0..most).map(|n| json!(from.saturating_add_unsigned(n))).collect()
        }
        "createobject" => {
            let pairs = of.chunks(2).map(|pair| Some((pair[0].as_str()?.to_string(), pair.get(1)?.clone())));
            Value::Object(pairs.collect::<Option<Map<_, _>>>()?)
        }
        "union" => match of.first()? {
            Value::Object(_) => {
                let maps = of.iter().map(Value::as_object).collect::<Option<Vec<_>>>()?;
                Value::Object(maps.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect())
            }
            Value::Array(_) => {
                let mut all: Vec<Value> = Vec::new();
                for value in of.iter().map(Value::as_array).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
                    if !all.contains(value) {
                        all.push(value.clone());
                    }
                }
                Value::Array(all)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(_) if is_expression(value) => None,
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
            // `.?name` is nothing where there is no such name.
            if let Some(after) = rest.strip_prefix(".?").or_else(|| rest.strip_prefix('.')) {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                path.push(Step::Name(after[..end].into()));
                *rest = &after[end..];
            } else if let Some(after) = rest.strip_prefix('[') {
                *rest = after.strip_prefix('?').unwrap_or(after);
                path.push(Step::Place(Self::next(rest, depth + 1)?));
                *rest = rest.trim_start().strip_prefix(']')?;
            } else {
                // Functions of a user's own have a point in their name.
                return Some(Expression::Call { name: word.into(), arguments, path });
            }
        }
    }
}
