//! Templates of CloudFormation: resources by their logical names.
//!
//! Replaced are parameters that have a default, references between resources (by the logical name), maps whose keys are known and texts made of
//! such; what is left is for whoever deploys to know, and stays an expression in brackets. A condition counts where the defaults decide it: what
//! is not made then is left out and counted. Where they do not, what depends on it is read, and that is said.
//!
//! Source: "Intrinsic function reference" and "Condition functions" of the CloudFormation documentation, 2026.
//!
//! Ignores: nested stacks, macros.

use dw_estate::{Doubt, Shape};
use serde_json::{Map, Value, json};

use super::Sink;

/// What is left out because its condition does not hold with the defaults.
const NOT_MADE: &str = "resource whose condition does not hold";

/// Functions within functions.
const DEPTH_MOST: usize = 16;

/// Whether this is such a template.
pub fn is_stack(rest: &Map<String, Value>) -> bool {
    let mut resources = rest.get("Resources").and_then(Value::as_object).into_iter().flatten();
    resources.any(|(_, of)| of["Type"].as_str().is_some_and(|kind| kind.contains("::")))
}

pub fn read(rest: &Map<String, Value>, sink: &mut Sink) {
    let none = Map::new();
    let part = |key: &str| rest.get(key).and_then(Value::as_object).unwrap_or(&none);
    let stack = Stack {
        parameters: part("Parameters"),
        maps: part("Mappings"),
        conditions: part("Conditions"),
        resources: part("Resources"),
    };
    for (name, of) in stack.resources {
        if let Some(condition) = of["Condition"].as_str() {
            match stack.condition(condition, 0) {
                Some(true) => {}
                Some(false) => {
                    sink.into.unread_record(NOT_MADE);
                    continue;
                }
                None => {
                    let (name, text) = (name.clone(), condition.to_string());
                    sink.into.doubt(Doubt::Expression { name, field: "condition", text });
                }
            }
        }
        let properties = stack.replaced(&of["Properties"], 0);
        sink.record(Shape::Template, &json!({ "type": of["Type"], "name": name, "properties": properties }));
    }
}

struct Stack<'a> {
    parameters: &'a Map<String, Value>,
    maps: &'a Map<String, Value>,
    conditions: &'a Map<String, Value>,
    resources: &'a Map<String, Value>,
}

impl Stack<'_> {
    fn replaced(&self, value: &Value, depth: usize) -> Value {
        if depth > DEPTH_MOST {
            return value.clone();
        }
        match value {
            Value::Object(map) => {
                if let Some((function, of)) = map.iter().next().filter(|_| map.len() == 1)
                    && (function == "Ref" || function.starts_with("Fn::"))
                {
                    return self.value(function, of, depth + 1).unwrap_or_else(|| json!(format!("[{function} {of}]")));
                }
                map.iter().map(|(key, value)| (key.clone(), self.replaced(value, depth + 1))).collect()
            }
            Value::Array(list) => list.iter().map(|item| self.replaced(item, depth + 1)).collect(),
            other => other.clone(),
        }
    }

    fn value(&self, function: &str, of: &Value, depth: usize) -> Option<Value> {
        match function {
            "Ref" => self.named(of.as_str()?),
            // An id of a resource is that resource.
            "Fn::GetAtt" => {
                let (name, of) = match of {
                    Value::Array(parts) => (parts.first()?.as_str()?, parts.get(1)?.as_str()?),
                    Value::String(text) => text.split_once('.')?,
                    _ => return None,
                };
                let is_id = matches!(of, "InstanceId" | "VolumeId" | "Id");
                (is_id && self.resources.contains_key(name)).then(|| json!(name))
            }
            "Fn::FindInMap" => {
                let keys: Vec<Value> = of.as_array()?.iter().map(|key| self.replaced(key, depth)).collect();
                let [map, first, second] = &keys[..] else { return None };
                self.maps.get(map.as_str()?)?.get(first.as_str()?)?.get(second.as_str()?).cloned()
            }
            "Fn::Sub" => {
                let text = of.as_str().or_else(|| of.get(0)?.as_str())?;
                let own = |name: &str| Some(self.replaced(of.get(1)?.get(name)?, depth));
                let mut parts = text.split("${");
                let mut found = parts.next()?.to_string();
                for part in parts {
                    let (name, rest) = part.split_once('}')?;
                    let value = own(name).or_else(|| self.named(name))?;
                    found += &shown(&value)?;
                    found += rest;
                }
                Some(json!(found))
            }
            "Fn::If" => {
                let [condition, then, other] = of.as_array()?.as_slice() else { return None };
                let chosen = if self.condition(condition.as_str()?, depth)? { then } else { other };
                Some(self.replaced(chosen, depth))
            }
            "Fn::Join" => {
                let list = self.replaced(of.get(1)?, depth);
                let parts = list.as_array()?.iter().map(shown).collect::<Option<Vec<_>>>()?;
                Some(json!(parts.join(of.get(0)?.as_str()?)))
            }
            _ => None,
        }
    }

    /// Whether a condition holds with the defaults; nothing where they do not decide it.
    fn condition(&self, name: &str, depth: usize) -> Option<bool> {
        self.holds(self.conditions.get(name)?, depth + 1)
    }

    fn holds(&self, of: &Value, depth: usize) -> Option<bool> {
        let (function, of) = of.as_object()?.iter().next().filter(|_| depth <= DEPTH_MOST)?;
        let all = || of.as_array().into_iter().flatten().map(|of| self.holds(of, depth + 1));
        match function.as_str() {
            "Condition" => self.condition(of.as_str()?, depth),
            "Fn::Not" => self.holds(of.get(0)?, depth + 1).map(|holds| !holds),
            // One that is known to decide does, whatever is not known of the others.
            "Fn::And" if all().any(|holds| holds == Some(false)) => Some(false),
            "Fn::Or" if all().any(|holds| holds == Some(true)) => Some(true),
            "Fn::And" => all().all(|holds| holds == Some(true)).then_some(true),
            "Fn::Or" => all().all(|holds| holds == Some(false)).then_some(false),
            "Fn::Equals" => {
                let [a, b] = of.as_array()?.as_slice() else { return None };
                Some(shown(&self.replaced(a, depth))? == shown(&self.replaced(b, depth))?)
            }
            _ => None,
        }
    }

    /// A parameter's default, or the name of a resource.
    fn named(&self, name: &str) -> Option<Value> {
        if name == "AWS::NoValue" {
            return Some(Value::Null);
        }
        let default = self.parameters.get(name).and_then(|of| of.get("Default")).cloned();
        default.or_else(|| self.resources.contains_key(name).then(|| json!(name)))
    }
}

/// A value within a text; nothing for what is an expression.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !(text.starts_with('[') && text.ends_with(']')) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    }
}
