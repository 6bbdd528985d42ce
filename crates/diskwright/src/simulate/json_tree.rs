//! JSON as fio 3.33 prints it: two blanks of indentation, ` : ` between key and value, six decimals, keys in order.
//!
//! A general JSON library sorts, dedents or shortens some of that; consumers of fio's output have been seen to compare
//! text, and a page of code is cheaper than teaching the library.

use std::fmt::Write as _;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// A whole number.
    Int(u64),
    /// A number with six decimals.
    Float(f64),
    /// A text.
    Text(String),
    /// True or false.
    Bool(bool),
    /// Nothing.
    Null,
    /// A list.
    List(Vec<Json>),
    /// Keys and values in this order; keys may repeat, as in fio's `job options`.
    Object(Vec<(String, Json)>),
    /// A value that was printed before, for this depth.
    Printed(String),
}

impl Json {
    /// An object of `(key, value)` pairs.
    pub fn object<K: Into<String>>(pairs: impl IntoIterator<Item = (K, Json)>) -> Json {
        Json::Object(pairs.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }
    /// A text.
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }
    /// The document, with a line feed at its end.
    pub fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    /// The value as it stands at a depth, without a line feed.
    pub fn printed(&self, depth: usize) -> Json {
        let mut out = String::new();
        self.write(&mut out, depth);
        Json::Printed(out)
    }

    /// The value that reading it again would give: numbers as they are printed, of keys that repeat the last.
    pub fn value(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Json::Int(n) => (*n).into(),
            Json::Float(x) => as_printed(*x).into(),
            Json::Text(text) => text.as_str().into(),
            Json::Bool(b) => (*b).into(),
            Json::Null => Value::Null,
            Json::List(items) => items.iter().map(Json::value).collect(),
            Json::Object(pairs) => pairs.iter().map(|(key, value)| (key.clone(), value.value())).collect(),
            Json::Printed(text) => serde_json::from_str(text).unwrap_or_default(),
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Json::Printed(text) => out.push_str(text),
            Json::Int(n) => {
                let _ = write!(out, "{n}");
            }
            // JSON has no infinity; fio never prints one either.
            Json::Float(x) if !x.is_finite() => out.push_str("0.000000"),
            Json::Float(x) => {
                let _ = write!(out, "{x:.6}");
            }
            Json::Text(text) => quote(out, text),
            Json::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Json::Null => out.push_str("null"),
            Json::List(items) => {
                block(out, depth, '[', ']', items, |out, item| item.write(out, depth + 1));
            }
            Json::Object(pairs) => block(out, depth, '{', '}', pairs, |out, (key, value)| {
                quote(out, key);
                out.push_str(" : ");
                value.write(out, depth + 1);
            }),
        }
    }
}

/// A number with the six decimals that are printed of it.
fn as_printed(x: f64) -> f64 {
    if x.is_finite() { format!("{x:.6}").parse().unwrap_or(x) } else { 0.0 }
}

fn block<T>(out: &mut String, depth: usize, open: char, close: char, items: &[T], each: impl Fn(&mut String, &T)) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.extend(std::iter::repeat_n("  ", depth + 1));
        each(out, item);
    }
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
    out.push(close);
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        match value {
            serde_json::Value::Null => Json::Null,
            serde_json::Value::Bool(b) => Json::Bool(b),
            serde_json::Value::Number(n) => match n.as_u64() {
                Some(n) => Json::Int(n),
                None => Json::Float(n.as_f64().unwrap_or(0.0)),
            },
            serde_json::Value::String(text) => Json::Text(text),
            serde_json::Value::Array(items) => Json::List(items.into_iter().map(Json::from).collect()),
            serde_json::Value::Object(map) => Json::object(map.into_iter().map(|(k, v)| (k, Json::from(v)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn it_looks_like_fios() {
        let tree = Json::object([
            ("fio version", Json::text("fio-3.33")),
            ("empty", Json::Object(Vec::new())),
            ("jobs", Json::List(vec![Json::object([("iops", Json::Float(2966.796875)), ("n", Json::Int(1))])])),
        ]);
        let expected = "{\n  \"fio version\" : \"fio-3.33\",\n  \"empty\" : {\n  },\n  \"jobs\" : [\n    {\n      \
                        \"iops\" : 2966.796875,\n      \"n\" : 1\n    }\n  ]\n}\n";
        assert_eq!(tree.print(), expected);
    }

    #[test]
    fn a_value_is_what_reading_the_text_gives() {
        let tree = Json::object([
            ("floats", Json::List([0.0, 1.5, 2e-7, 2_966.796_875_4, f64::NAN, -3.0].map(Json::Float).to_vec())),
            ("n", Json::Int(u64::MAX)),
            ("same", Json::text("first")),
            ("null", Json::Null),
            ("same", Json::text("last")),
            ("b", Json::Bool(true)),
        ]);
        assert_eq!(tree.value(), serde_json::from_str::<serde_json::Value>(&tree.print()).unwrap());
    }

    #[test]
    fn every_text_survives() {
        for text in ["a\tb", "quote \" and \\", "\u{1}", "µs", "line\nfeed"] {
            let printed = Json::text(text).print();
            assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), text);
        }
    }
}
