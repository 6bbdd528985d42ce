//! Values of a vendor's record, by their keys.

use serde_json::Value;

/// A record of a vendor, which finds its keys and knows its expressions.
pub trait Keyed<'a>: Copy {
    /// What stands under a key; nothing where it is null.
    fn get(self, key: &str) -> Option<&'a Value>;
    /// Whether a text stands for what only who deploys the record knows.
    fn is_expression(text: &str) -> bool;

    fn list(self, key: &str) -> &'a [Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
    /// A text that stands for itself.
    fn text(self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str().filter(|text| !text.is_empty() && !Self::is_expression(text))
    }
    /// What only who deploys it knows.
    fn expression(self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str().filter(|text| Self::is_expression(text))
    }
    /// A number, which templates may write as a text.
    fn number(self, key: &str) -> Option<u64> {
        match self.get(key)? {
            Value::Number(number) => {
                number.as_u64().or_else(|| number.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64))
            }
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
    fn flag(self, key: &str) -> Option<bool> {
        match self.get(key)? {
            Value::Bool(is) => Some(*is),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }
}

/// Whether a reference of a plan's configuration is to what a module passes on, an output or a variable, whatever that is called.
pub fn is_passed_on(reference: &str) -> bool {
    reference.starts_with("module.") || reference.starts_with("var.")
}
