//! What is wrong with the shape of a file, in words of people: key, value, what belongs there, what to write.
//!
//! The libraries that read TOML and JSON name the types of the language this program is written in (``invalid type: integer
//! `800`, expected a string``). This turns their messages into sentences about the file, with the key that stands in its text.
//!
//! Ignores: messages that it does not know; they are kept as they are, behind what the file should be.

use std::ops::Range;

/// What is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: String,
    /// The key that is missing, where one is: readers know better examples.
    pub missing: Option<String>,
    /// The key and the number that stands where a text belongs: readers know which unit it lacks.
    pub number: Option<(String, String)>,
}

impl Shape {
    fn new(what: String, hint: String) -> Shape {
        Shape { what, hint, missing: None, number: None }
    }

    /// The hint where the unit of the number's key is known.
    pub fn with_unit(&self, unit: impl Fn(&str) -> Option<&'static str>) -> Option<String> {
        let (key, number) = self.number.as_ref()?;
        Some(format!("write it in quotes and with its unit, for example `{key} = \"{number} {}\"`", unit(key)?))
    }
}

/// What is wrong with a TOML file, by the place and the message of its reader, and the bytes of it that are meant.
pub fn of_toml(text: &str, span: Option<Range<usize>>, message: &str) -> (Range<usize>, Shape) {
    let span = span.unwrap_or(0..0);
    let value = text.get(span.clone()).filter(|value| !value.is_empty() && !value.contains('\n'));
    let line = text[..span.start.min(text.len())].rsplit('\n').next().unwrap_or_default();
    let before = line.trim_end();
    let key = before.strip_suffix('=').map(|before| {
        let key = before.trim_end().rsplit([' ', '\t', '{', ',', '[']).next().unwrap_or_default();
        key.trim_matches(['"', '\'']).to_string()
    });
    let write = |key: &str, value: &str| format!("{key} = {value}");
    let begin = span.start.min(text.len()) - line.len();
    let full = text.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let shape = header_twice(message, full)
        .or_else(|| header_once(full))
        .or_else(|| carriage_returns(message))
        .or_else(|| shape(message, key.as_deref(), value, write))
        .or_else(|| backslash(full))
        .or_else(|| comma_separated(full, begin))
        .or_else(|| number_otherwise_written(full))
        .or_else(|| otherwise_written(full))
        .unwrap_or_else(|| {
            let what = format!("this is not TOML: {}", message.replace('\n', ", "));
            Shape::new(what, "strings need quotes, tables brackets".into())
        });
    (span, shape)
}

/// Lists of tables in files of ours: what has one of these names and one pair of brackets lacks the other.
const LISTS: [&str; 5] = ["volume", "finding", "price", "timeline", "warm"];

/// `[volume]` a second time: the first was taken for the only one.
fn header_twice(message: &str, line: &str) -> Option<Shape> {
    let header = line.trim().strip_prefix('[')?.split(']').next().filter(|name| !name.starts_with('['))?.trim();
    let last = header.rsplit('.').next().unwrap_or(header);
    if !message.starts_with("duplicate key") || !LISTS.contains(&last) {
        return None;
    }
    let what = format!("`[{header}]` stands here again, and with one pair of brackets there is only one");
    Some(Shape::new(what, format!("write `[[{header}]]`, with two brackets, each time")))
}

/// Tables in files of ours that there is one of.
const TABLES: [&str; 5] = ["plan", "cpu", "memory", "vm", "start"];

/// `[[plan]]`, where there is one plan.
fn header_once(line: &str) -> Option<Shape> {
    let name = line.trim().strip_prefix("[[")?.split(']').next()?.trim();
    let what = format!("`[[{name}]]` begins a list, and there is one `{name}`");
    TABLES.contains(&name).then(|| Shape::new(what, format!("write `[{name}]`, with one pair of brackets")))
}

/// A file of which every reader of TOML sees one line.
fn carriage_returns(message: &str) -> Option<Shape> {
    let is_so = message.starts_with("carriage return must be followed by newline");
    is_so.then(|| Shape::new("lines end with CR only".into(), "save the file with LF line endings".into()))
}

/// The first line of a table, as a spreadsheet saves it.
fn comma_separated(line: &str, begin: usize) -> Option<Shape> {
    let is_so = begin == 0 && line.contains(',') && !line.contains('=') && !line.trim_start().starts_with(['[', '#']);
    let hint = "read a recording with `diskwright observe`; `diskwright init` prints starter files";
    is_so.then(|| Shape::new("this is a line of CSV, but TOML is expected".into(), hint.into()))
}

/// A number as people write it, as TOML has it: `3,000`, `02`, `20%`; `3k` of what has no unit of its own; `2 years` of `years`.
pub fn written_number(key: &str, text: &str, is_rate: bool) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.' | '_')).unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim());
    let mut groups = number.split(',');
    let first = groups.next()?;
    let is_grouped =
        first.len() <= 3 && groups.all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()));
    if !number.starts_with(|c: char| c.is_ascii_digit()) || number.contains(',') && !is_grouped {
        return None;
    }
    let plain = number.replace([',', '_'], "");
    let value: f64 = plain.parse().ok()?;
    let lower = unit.to_ascii_lowercase();
    let scale = match lower.as_str() {
        "" | "%" => None,
        "k" if is_rate => Some(1e3),
        "m" if is_rate => Some(1e6),
        "iops" if is_rate => None,
        _ if lower.is_ascii() && lower.len() > 3 && key.contains(lower.trim_end_matches('s')) => None,
        _ => return None,
    };
    let whole = plain.trim_start_matches('0');
    let whole = if whole.starts_with(|c: char| c.is_ascii_digit()) { whole.to_string() } else { format!("0{whole}") };
    Some(scale.map_or(whole, |scale| (value * scale).to_string()))
}

/// The first number of a line that TOML does not take and people do.
fn number_otherwise_written(line: &str) -> Option<Shape> {
    let line = line.split('#').next()?;
    line.match_indices('=').find_map(|(at, _)| {
        let key = line[..at].trim_end().rsplit([' ', '\t', '{', ',', '[']).next()?.trim_matches(['"', '\'']);
        let rest = line[at + 1..].trim_start();
        // A comma is of the number where three digits follow it, and nothing that is a key.
        let is_end = |(at, c): &(usize, char)| match c {
            ',' => !rest.as_bytes().get(at + 1..at + 4).is_some_and(|group| group.iter().all(u8::is_ascii_digit)),
            other => matches!(other, '}' | ']'),
        };
        let value = rest[..rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at)].trim_end();
        let has_zero = value.len() > 1 && value.starts_with('0') && !value.starts_with("0.");
        let is_taken = || !has_zero && value.replace('_', "").parse::<f64>().is_ok();
        let number = written_number(key, value, line.contains("iops")).filter(|_| !is_taken())?;
        let what = format!("this is not TOML: `{value}` is not how a number is written");
        Some(Shape::new(what, format!("write `{key} = {number}`")))
    })
}

/// A line that is not TOML because of such a path.
fn backslash(line: &str) -> Option<Shape> {
    let (key, value) = line.split_once('=')?;
    let inside = value.trim_start().strip_prefix('"')?.split('"').next()?;
    escaped(key.trim(), &format!("\"{inside}\""))
}

/// A path of Windows in double quotes, in which `\` starts an escape; `value` is it with its quotes.
pub fn escaped(key: &str, value: &str) -> Option<Shape> {
    // Two of them are one.
    if !value.starts_with('"') || !value.replace(r"\\", "").contains('\\') {
        return None;
    }
    let what = format!("`{key} = {value}`: in double quotes `\\` starts an escape");
    Some(Shape::new(what, format!("write it in single quotes: `{key} = '{}'`", value.trim_matches('"'))))
}

/// A line as other languages have it, or word processors.
fn otherwise_written(line: &str) -> Option<Shape> {
    const QUOTES: [char; 7] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}'];
    let line = line.trim();
    let shape = |what: &str, hint: String| Some(Shape::new(format!("this is not TOML: {what}"), hint));
    if let Some(sign) = ["//", ";", "--", "/*"].iter().find(|sign| line.starts_with(**sign)) {
        return shape(&format!("`{sign}` does not start a comment"), "begin it with `#`".into());
    }
    let Some((key, value)) = line.split_once('=') else {
        let (key, value) = line.split_once(':').map(|(key, value)| (key.trim(), value.trim()))?;
        if key.is_empty() || key.contains([' ', '"']) {
            return None;
        }
        return shape("a colon instead of `=`", format!("write `{key} = {value}`"));
    };
    let (key, value) = (key.trim(), value.trim());
    let write = |value: &str| format!("`{key} = {value}`");
    if value.contains(QUOTES) {
        let plain = value.trim_matches(|c| QUOTES.contains(&c) || c == '"');
        return shape("these quotes are not `\"`", format!("write {}", write(&format!("\"{plain}\""))));
    }
    if let Some(whole) = value.strip_suffix([',', ';']).filter(|_| !value.starts_with(['[', '{'])) {
        let sign = &value[whole.len()..];
        return shape(&format!("a line ends without `{sign}`"), format!("write {}", write(whole)));
    }
    let is_bare = value.starts_with(|c: char| c.is_ascii_alphanumeric()) && !value.contains(['"', '\'', '#', '=', ',']);
    if !is_bare {
        return None;
    }
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => shape(&format!("`{value}` is not a TOML value"), format!("write {}", write("true"))),
        "false" | "no" | "off" => shape(&format!("`{value}` is not a TOML value"), format!("write {}", write("false"))),
        _ => shape("a string needs quotes", format!("write {}", write(&format!("\"{value}\"")))),
    }
}

/// The same in one line, with the number of the line.
pub fn line_of_toml(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    let (span, shape) = of_toml(text, span, message);
    let line = crate::line_of(text, span.start);
    format!("line {line}: {}: {}", shape.what, shape.hint)
}

/// What is wrong with a JSON file, by the message of its reader, and its line and column from 1.
pub fn of_json(text: &str, message: &str, (line, column): (usize, usize)) -> Shape {
    let message = message.rsplit_once(" at line ").map_or(message, |(what, _)| what);
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = (start + column).min(text.len());
    let before = text.get(..end).unwrap_or_default();
    // The last key before the place that is not a value itself.
    let key = before.rfind("\":").and_then(|at| before[..at].rsplit('"').next());
    let write = |key: &str, value: &str| format!("\"{key}\": {value}");
    shape(message, key, None, write)
        .unwrap_or_else(|| Shape::new(format!("this is not JSON: {message}"), String::new()))
}

fn shape(message: &str, key: Option<&str>, raw: Option<&str>, write: impl Fn(&str, &str) -> String) -> Option<Shape> {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let shape = |what: String, hint: String| Some(Shape::new(what, hint));
    if message.starts_with("unknown field ") {
        let (found, known) = (quoted.first()?, &quoted[1..]);
        if let Some((what, hint)) = not_modelled(found) {
            return shape(format!("`{found}`: {what}"), hint.into());
        }
        let hint = match crate::nearest(found, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None if known.is_empty() => "remove it".to_string(),
            None => format!("possible here: {}", known.join(", ")),
        };
        return shape(format!("unknown key `{found}`"), hint);
    }
    if message.starts_with("missing field ") {
        let name = quoted.first()?.to_string();
        return Some(Shape {
            missing: Some(name.clone()),
            ..Shape::new(format!("`{name}` is missing"), "write it".into())
        });
    }
    if message.starts_with("unknown variant ") {
        let (found, known) = (quoted.first()?, &quoted[1..]);
        let all = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let hint = match crate::nearest(found, known.iter().copied()) {
            Some(word) => format!("did you mean `{word}`? Possible: {all}"),
            None => format!("write one of {all}"),
        };
        let what = match key {
            Some(key) => format!("`{}` is not one of its values", write(key, &format!("\"{found}\""))),
            None => format!("`{found}` is not an allowed value"),
        };
        return shape(what, hint);
    }
    if message.starts_with("duplicate field ") || message.starts_with("duplicate key") {
        let name = quoted.first().copied().or(raw).or(key)?;
        return shape(format!("`{name}` is written twice"), "keep one of the two".into());
    }
    let kinds = ["invalid type: ", "invalid value: ", "invalid length "];
    let (kind, rest) = kinds.iter().find_map(|kind| Some((*kind, message.strip_prefix(kind)?)))?;
    let (found, expected) = rest.split_once(", expected ")?;
    let found = Found::parse(found, raw);
    // Only tables make a list of tables.
    let belongs = match belongs(expected) {
        list if list == "a list of tables" && found.noun != "a table" => "a list".to_string(),
        other => other,
    };
    let what = match (key, &found.value) {
        _ if kind == "invalid length " => format!("{} values instead of {belongs}", found.noun),
        (Some(key), Some(value)) => {
            let place = write(key, value);
            match found.noun {
                // A number that does not fit is a number nevertheless.
                noun if belongs.starts_with(noun) => format!("`{place}` is out of range"),
                noun => format!("`{place}` is {noun}, but {belongs} is expected"),
            }
        }
        (Some(key), None) => format!("`{key}` is {}, but {belongs} is expected", found.noun),
        (None, Some(value)) => format!("`{value}` is {}, but {belongs} is expected", found.noun),
        (None, None) => format!("{} instead of {belongs}", found.noun),
    };
    let place = |value: &str| key.map_or(value.to_string(), |key| write(key, value));
    let hint = match (belongs.as_str(), found.plain.as_deref()) {
        ("a string", Some(plain)) => format!("write it in quotes: `{}`", place(&format!("\"{plain}\""))),
        (number, Some(plain)) if number.contains("number") && found.noun == "a string" => {
            let key = key.unwrap_or_default();
            let is_whole = number.contains("whole");
            let is_rate = key.contains("iops") || ["p50", "p90", "p95", "p99", "max"].contains(&key);
            let meant = written_number(key, plain, is_rate).filter(|found| !is_whole || !found.contains('.'));
            match meant.or_else(|| plain.parse::<f64>().is_ok_and(|_| !is_whole).then(|| plain.to_string())) {
                Some(plain) => format!("write it without quotes: `{}`", place(&plain)),
                None => format!("write {number}"),
            }
        }
        ("`true` or `false`", _) => format!("write `{}` or `{}`", place("true"), place("false")),
        ("a list", _) if found.value.is_some() => {
            format!("write it in brackets: `{}`", place(&format!("[{}]", found.value.as_deref().unwrap_or_default())))
        }
        ("a list of tables", _) => "write a list of tables: each starts with its name in double brackets".into(),
        (other, _) => format!("write {other}"),
    };
    let is_number = belongs == "a string" && ["a whole number", "a number"].contains(&found.noun);
    let number = key.zip(found.plain).filter(|_| is_number).map(|(key, plain)| (key.to_string(), plain));
    Some(Shape { number, ..Shape::new(what, hint) })
}

/// What a key asks for that the vendor sells and no result here has, and what to write instead.
fn not_modelled(key: &str) -> Option<(&'static str, &'static str)> {
    let plain: String = key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    Some(match plain.as_str() {
        "writeaccelerator" | "writeacceleratorenabled" => (
            "Azure's Write Accelerator is not modelled: its page gives the number of disks and requests per M-series VM, but no latency",
            "leave it out, with `host_cache = \"None\"`: writes then have the disk's own latency, which is higher",
        ),
        "maxshares" | "shares" | "shared" | "shareddisk" => (
            "disks shared by several VMs are not modelled: a scenario is one VM",
            "leave it out: the disk then serves only this VM; subtract the other VMs' load from its limits; its price excludes the charge per \
             further mount",
        ),
        _ => return None,
    })
}

/// What was found: its kind, and the value as it stands there and without quotes.
struct Found {
    noun: &'static str,
    value: Option<String>,
    plain: Option<String>,
}

impl Found {
    fn parse(found: &str, raw: Option<&str>) -> Found {
        let ticks = found.split('`').nth(1).map(str::to_string);
        let quotes =
            found.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map(|(text, _)| text.to_string());
        let noun = match found.split([' ', '`']).next().unwrap_or_default() {
            "integer" => "a whole number",
            "floating" => "a number",
            "boolean" => "`true` or `false`",
            "string" | "character" => "a string",
            "sequence" => "a list",
            "map" => "a table",
            "null" | "unit" | "Option" => "nothing",
            _ if found.parse::<u64>().is_ok() => return Found { noun: "several", value: None, plain: None },
            _ => "something else",
        };
        let value = match noun {
            "a string" => raw.map(str::to_string).or_else(|| quotes.as_ref().map(|text| format!("\"{text}\""))),
            "a list" | "a table" | "nothing" | "something else" => None,
            _ => raw.map(str::to_string).or_else(|| ticks.clone()),
        };
        Found { noun, value, plain: if noun == "a string" { quotes } else { ticks } }
    }
}

/// What belongs there, by the reader's name for it.
fn belongs(expected: &str) -> String {
    match expected {
        "a string" | "str" | "string" | "a borrowed string" => "a string".into(),
        "a boolean" => "`true` or `false`".into(),
        "a sequence" => "a list of tables".into(),
        "a map" => "a table".into(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".into(),
        "u8" => "a whole number from 0 to 255".into(),
        "u16" => "a whole number from 0 to 65,535".into(),
        "u32" => "a whole number from 0 to 4,294,967,295".into(),
        "u64" | "usize" | "u128" => "a whole number from 0 on".into(),
        "f32" | "f64" => "a number".into(),
        other if other.starts_with("struct ") => "a table".into(),
        other if other.starts_with("Vec") || other.contains("sequence") => "a list".into(),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct File {
        name: String,
        #[serde(default)]
        count: u8,
        #[serde(default)]
        share: f64,
        #[serde(default)]
        on: bool,
        #[serde(default)]
        list: Vec<File>,
        #[serde(default)]
        word: Option<Word>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Cold,
        Warm,
    }

    fn toml_of<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str) -> (Range<usize>, Shape) {
        let error = toml::from_str::<T>(text).unwrap_err();
        of_toml(text, error.span(), error.message())
    }

    #[test]
    fn every_kind_of_fault_is_told_in_words_of_the_file() {
        let cases = [
            (
                "name = 800",
                "`name = 800` is a whole number, but a string is expected",
                "write it in quotes: `name = \"800\"`",
            ),
            (
                "name = 1.5",
                "`name = 1.5` is a number, but a string is expected",
                "write it in quotes: `name = \"1.5\"`",
            ),
            ("name = [1]", "`name` is a list, but a string is expected", "write a string"),
            (
                "name = \"x\"\ncount = \"4\"",
                "`count = \"4\"` is a string, but a whole number from 0 to 255 is expected",
                "write it without quotes: `count = 4`",
            ),
            (
                "name = \"x\"\ncount = \"02\"",
                "`count = \"02\"` is a string, but a whole number from 0 to 255 is expected",
                "write it without quotes: `count = 2`",
            ),
            (
                "name = \"x\"\nshare = \"3,000\"",
                "`share = \"3,000\"` is a string, but a number is expected",
                "write it without quotes: `share = 3000`",
            ),
            (
                "name = \"x\"\nshare = \"20%\"",
                "`share = \"20%\"` is a string, but a number is expected",
                "write it without quotes: `share = 20`",
            ),
            ("name = \"x\"\ncount = -1", "`count = -1` is out of range", "write a whole number from 0 to 255"),
            (
                "name = \"x\"\ncount = 1.5",
                "`count = 1.5` is a number, but a whole number from 0 to 255 is expected",
                "write a whole number from 0 to 255",
            ),
            (
                "name = \"x\"\nshare = \"1,5\"",
                "`share = \"1,5\"` is a string, but a number is expected",
                "write a number",
            ),
            (
                "name = \"x\"\non = \"yes\"",
                "`on = \"yes\"` is a string, but `true` or `false` is expected",
                "write `on = true` or `on = false`",
            ),
            (
                "name = \"x\"\nword = \"cool\"",
                "`word = \"cool\"` is not one of its values",
                "did you mean `cold`? Possible: `cold`, `warm`",
            ),
            ("name = \"x\"\ncuont = 1", "unknown key `cuont`", "did you mean `count`?"),
            ("count = 1", "`name` is missing", "write it"),
            (
                "name = \"x\"\nlist = \"y\"",
                "`list = \"y\"` is a string, but a list is expected",
                "write it in brackets: `list = [\"y\"]`",
            ),
            (
                "name = \"x\"\nlist = { name = \"y\" }",
                "`list` is a table, but a list of tables is expected",
                "write a list of tables: each starts with its name in double brackets",
            ),
        ];
        for (text, what, hint) in cases {
            let (span, shape) = toml_of::<File>(text);
            assert_eq!((shape.what.as_str(), shape.hint.as_str()), (what, hint), "{text}");
            assert!(span.end <= text.len());
        }
        let twice = "name = \"x\"\nname = \"y\"";
        let (_, shape) = toml_of::<File>(twice);
        assert!(shape.what.contains("written twice"), "{shape:?}");
        for path in [r"F:\data", r"C:\users\x", r"F:\", r"D:\disk\xyz"] {
            let text = format!("count = 1\nname = \"{path}\"\nshare = 1.0\n");
            let (_, shape) = toml_of::<File>(&text);
            assert_eq!(shape.what, format!(r#"`name = "{path}"`: in double quotes `\` starts an escape"#));
            assert_eq!(shape.hint, format!("write it in single quotes: `name = '{path}'`"));
        }
        let tables = "[vm]\n[volume]\nname = \"a\"\n\n[volume] # the second\nname = \"b\"\n";
        let (_, shape) = toml_of::<toml::Table>(tables);
        assert_eq!(shape.hint, "write `[[volume]]`, with two brackets, each time");
        let list = "count = 1\n[[plan]]\nyears = 2\n";
        #[derive(Debug, Deserialize)]
        #[allow(dead_code)]
        struct Planned {
            count: u8,
            plan: File,
        }
        let (_, shape) = toml_of::<Planned>(list);
        assert_eq!(shape.hint, "write `[plan]`, with one pair of brackets");
        for (text, what) in [("a,b\n1,2\n", "this is a line of CSV"), ("a = 1\rb = 2\r", "lines end with CR only")] {
            let (_, shape) = toml_of::<toml::Table>(text);
            assert!(shape.what.starts_with(what), "{shape:?}");
        }
        let tables = "[vm]\n[vm]\n";
        let (_, shape) = toml_of::<toml::Table>(tables);
        assert_eq!(shape.hint, "keep one of the two");
        let written = [
            ("name = x", "write `name = \"x\"`"),
            ("name = 750 GiB", "write `name = \"750 GiB\"`"),
            ("name = 750GiB", "write `name = \"750GiB\"`"),
            ("name = \u{201c}x\u{201d}", "write `name = \"x\"`"),
            ("name = \"x\",", "write `name = \"x\"`"),
            ("on = yes", "write `on = true`"),
            ("on = False", "write `on = false`"),
            ("name: \"x\"", "write `name = \"x\"`"),
            ("count : 2", "write `count = 2`"),
            ("count = 02", "write `count = 2`"),
            ("count = 2 counts", "write `count = 2`"),
            ("share = 20%", "write `share = 20`"),
            ("iops = { p50 = 3,000, p90 = 4000 }", "write `p50 = 3000`"),
            ("iops = { p50 = 1, p90 = 3k }", "write `p90 = 3000`"),
            ("iops = { p50 = 1, p90 = 0.50, p99 = 007.5 }", "write `p99 = 7.5`"),
            ("throughput = { p50 = 3M }", "strings need quotes, tables brackets"),
            ("// a name", "begin it with `#`"),
            ("; a name", "begin it with `#`"),
            ("name = \"x", "strings need quotes, tables brackets"),
        ];
        for (line, hint) in written {
            let text = format!("count = 1\n{line}\nshare = 1.0\n");
            let (_, shape) = toml_of::<File>(&text);
            assert!(shape.what.starts_with("this is not TOML: "), "{line}: {shape:?}");
            assert_eq!(shape.hint, hint, "{line}");
        }
    }

    #[test]
    fn what_is_sold_and_not_modelled_is_told_from_a_slip_of_the_pen() {
        for (key, what) in [
            ("write_accelerator", Some("Azure's Write Accelerator")),
            ("writeAcceleratorEnabled", Some("Azure's Write Accelerator")),
            ("max_shares", Some("disks shared by several VMs")),
            ("maxShares", Some("disks shared by several VMs")),
            ("mount_point", None),
        ] {
            let shape =
                shape(&format!("unknown field `{key}`, expected one of `name`, `mount`"), None, None, |_, _| {
                    String::new()
                });
            let shape = shape.expect("is known");
            let expected = what.map_or(format!("unknown key `{key}`"), |what| format!("`{key}`: {what}"));
            assert!(shape.what.starts_with(&expected), "{}", shape.what);
            assert_eq!(shape.hint.starts_with("leave it out"), what.is_some(), "{}", shape.hint);
        }
    }

    #[test]
    fn json_has_its_own_way_to_write_a_key() {
        let text = "{\n  \"vm\": \"x\",\n  \"plan\": {\"size\": 800}\n}";
        let message = "invalid type: integer `800`, expected a string at line 3 column 22";
        let shape = of_json(text, message, (3, 22));
        assert_eq!(shape.what, "`\"size\": 800` is a whole number, but a string is expected");
        assert_eq!(shape.hint, "write it in quotes: `\"size\": \"800\"`");
        let shape = of_json(text, "missing field `name` at line 4 column 1", (4, 1));
        assert_eq!(shape.missing.as_deref(), Some("name"));
        assert_eq!(
            of_json("{", "EOF while parsing an object at line 1 column 1", (1, 1)).what,
            "this is not JSON: EOF while parsing an object"
        );
    }
}
