//! Kinds of values that keys have: how each is written in a file, read with its faults, and described.

use std::fmt::Debug;

use dw_units::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_spanned::Spanned;

use crate::Offers;
use crate::plan::{PlanFile, has_known_region};
use crate::read::WishReader;
use crate::write::{amount, in_brackets, percent, quoted};

/// A kind of value; the bounds of one key are in its fields.
pub(crate) trait Kind {
    /// What is wanted.
    type Value: Clone + PartialEq;
    /// What stands in the file; where nothing does, its default.
    type File: Debug + Default;
    /// The type of the keyword in Python.
    const PYTHON: &'static str;

    /// What is wanted where nobody says it.
    fn usual(&self) -> Self::Value;
    /// What is wanted, with each fault told to the reader; whatever it is then is not used.
    fn read(&self, key: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Self::Value;
    /// The value as the file has it.
    fn text(&self, value: &Self::Value) -> String;
    /// The line of the key, where there is something to say.
    fn line(&self, key: &str, value: &Self::Value) -> String {
        if *value == self.usual() { String::new() } else { format!("{key} = {}\n", self.text(value)) }
    }
    /// What the file may have, and what it has in JSON Schema where it says nothing.
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>);
    /// The least and the most that a whole number may be.
    fn range(&self) -> Option<(u32, u32)> {
        None
    }
}

fn optional<T: JsonSchema>(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
    (Option::<T>::json_schema(generator), None)
}

/// A number within bounds.
pub(crate) struct Number {
    pub(crate) usual: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Kind for Number {
    type Value = f64;
    type File = Option<Spanned<f64>>;
    const PYTHON: &'static str = "float";

    fn usual(&self) -> f64 {
        self.usual
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> f64 {
        let Some(written) = written else { return self.usual };
        let (n, Number { from, to, .. }) = (*written.get_ref(), self);
        if !(*from..=*to).contains(&n) {
            let what = format!("`{key} = {n}` is out of range");
            reader.error(written.span(), what, format!("write a number from {from} to {to}"));
        }
        n
    }
    fn text(&self, value: &f64) -> String {
        value.to_string()
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<f64>(generator)
    }
}

/// A number, or a text with its sign: `20`, `"0.5%"`, `"1.3x"`.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum NumberOrText {
    /// As it is.
    Number(f64),
    /// With its sign.
    Text(String),
}

impl<'de> Deserialize<'de> for NumberOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl Visitor<'_> for Written {
            type Value = NumberOrText;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("f64")
            }
            fn visit_f64<E>(self, number: f64) -> Result<NumberOrText, E> {
                Ok(NumberOrText::Number(number))
            }
            fn visit_i64<E>(self, number: i64) -> Result<NumberOrText, E> {
                Ok(NumberOrText::Number(number as f64))
            }
            fn visit_u64<E>(self, number: u64) -> Result<NumberOrText, E> {
                Ok(NumberOrText::Number(number as f64))
            }
            fn visit_str<E>(self, text: &str) -> Result<NumberOrText, E> {
                Ok(NumberOrText::Text(text.to_string()))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

/// A percentage within bounds; below one it needs its sign.
pub(crate) struct Percent {
    pub(crate) usual: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Kind for Percent {
    type Value = f64;
    type File = Option<Spanned<NumberOrText>>;
    const PYTHON: &'static str = "float | str";

    fn usual(&self) -> f64 {
        self.usual
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> f64 {
        let percent = written.as_ref().and_then(|written| reader.percent(key, written, (self.from, self.to)));
        percent.unwrap_or(self.usual)
    }
    fn text(&self, value: &f64) -> String {
        percent(*value, value.to_string())
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<NumberOrText>(generator)
    }
}

/// A whole number within bounds; the usual one may lie outside of them.
pub(crate) struct Count {
    pub(crate) usual: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Count {
    pub(crate) fn read_or(&self, key: &str, written: &Option<Spanned<u32>>, reader: &mut WishReader<'_>) -> u32 {
        let Some(written) = written else { return self.usual };
        let n = *written.get_ref();
        if !(self.from..=self.to).contains(&n) {
            let what = format!("`{key} = {n}` is out of range");
            reader.error(written.span(), what, write_count((self.from, self.to)));
        }
        n
    }
}

/// What to write in place of a count that is out of its range.
pub(crate) fn write_count((from, to): (u32, u32)) -> String {
    format!("write a whole number from {from} to {to}")
}

impl Kind for Count {
    type Value = u32;
    type File = Option<Spanned<u32>>;
    const PYTHON: &'static str = "int";

    fn usual(&self) -> u32 {
        self.usual
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> u32 {
        self.read_or(key, written, reader)
    }
    fn text(&self, value: &u32) -> String {
        value.to_string()
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<u32>(generator)
    }
    fn range(&self) -> Option<(u32, u32)> {
        Some((self.from, self.to))
    }
}

/// A whole number, whatever it is; 0 where nobody says one.
pub(crate) struct AnyCount;

impl Kind for AnyCount {
    type Value = u32;
    type File = u32;
    const PYTHON: &'static str = "int";

    fn usual(&self) -> u32 {
        0
    }
    fn read(&self, _: &str, written: &u32, _: &PlanFile, _: &mut WishReader<'_>) -> u32 {
        *written
    }
    fn text(&self, value: &u32) -> String {
        value.to_string()
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        (u32::json_schema(generator), Some(0.into()))
    }
}

/// True or false; false where nobody says it.
pub(crate) struct Flag;

impl Kind for Flag {
    type Value = bool;
    type File = bool;
    const PYTHON: &'static str = "bool";

    fn usual(&self) -> bool {
        false
    }
    fn read(&self, _: &str, written: &bool, _: &PlanFile, _: &mut WishReader<'_>) -> bool {
        *written
    }
    fn text(&self, value: &bool) -> String {
        value.to_string()
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        (bool::json_schema(generator), Some(false.into()))
    }
}

/// One of a few words, each for a value.
pub(crate) struct Word<T: 'static> {
    pub(crate) usual: T,
    pub(crate) words: &'static [(&'static str, T)],
    /// What else may be done about a word that is none of these.
    pub(crate) or: &'static str,
}

impl<T: Clone + PartialEq> Kind for Word<T> {
    type Value = T;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> T {
        self.usual.clone()
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> T {
        let Some(written) = written else { return self.usual() };
        let words: Vec<&'static str> = self.words.iter().map(|(word, _)| *word).collect();
        let found = reader.word(key, written, &words, self.or);
        let value = found.and_then(|found| self.words.iter().find(|(word, _)| *word == found));
        value.map_or_else(|| self.usual(), |(_, value)| value.clone())
    }
    fn text(&self, value: &T) -> String {
        let word = self.words.iter().find(|(_, of)| of == value).map_or("", |(word, _)| word);
        quoted(word)
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<String>(generator)
    }
}

/// A text that a function judges; none where nobody says one.
pub(crate) struct Text(pub(crate) fn(&Spanned<String>, &PlanFile, &mut WishReader<'_>));

impl Kind for Text {
    type Value = Option<String>;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> Option<String> {
        None
    }
    fn read(&self, _: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Option<String> {
        let written = written.as_ref()?;
        (self.0)(written, plan, reader);
        Some(written.get_ref().clone())
    }
    fn text(&self, value: &Option<String>) -> String {
        quoted(value.as_deref().unwrap_or_default())
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<String>(generator)
    }
}

/// A text that may be a whole number, which is as natural where it is one.
pub(crate) struct TextOrNumber(pub(crate) fn(&Spanned<String>, &PlanFile, &mut WishReader<'_>));

/// A text, or a whole number as one.
#[derive(Debug)]
pub(crate) struct Written(String);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Written;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Written, E> {
                Ok(Written(text.into()))
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Written, E> {
                Ok(Written(number.to_string()))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl Kind for TextOrNumber {
    type Value = Option<String>;
    type File = Option<Spanned<Written>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> Option<String> {
        None
    }
    fn read(&self, key: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Option<String> {
        let text = written.as_ref().map(|written| Spanned::new(written.span(), written.get_ref().0.clone()));
        Text(self.0).read(key, &text, plan, reader)
    }
    fn text(&self, value: &Option<String>) -> String {
        Text(self.0).text(value)
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<String>(generator)
    }
}

/// Patterns of names, each of which must fit something: one that fits nothing is a slip of the hand.
pub(crate) struct Names {
    pub(crate) of: fn(&dyn Offers) -> Vec<&str>,
    /// What to write in place of a name that nothing has.
    pub(crate) hint: fn(&dyn Offers, &str) -> Option<String>,
    /// What is called so.
    pub(crate) what: &'static str,
    /// The option that lists all of them.
    pub(crate) list: &'static str,
}

impl Kind for Names {
    type Value = Vec<String>;
    type File = Vec<Spanned<String>>;
    const PYTHON: &'static str = "list[str]";

    fn usual(&self) -> Vec<String> {
        Vec::new()
    }
    fn read(&self, _: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Vec<String> {
        let names = if written.is_empty() { Vec::new() } else { (self.of)(reader.offers) };
        // Whose names they are the region says: of one that nobody has that alone is wrong.
        let is_placed = has_known_region(plan, reader.offers);
        for pattern in written.iter().filter(|_| is_placed) {
            let asked = pattern.get_ref();
            if !names.iter().any(|name| reader.offers.fits(asked, name)) {
                let meant = if asked.contains('*') { None } else { (self.hint)(reader.offers, asked) };
                let hint = meant.unwrap_or_else(|| {
                    format!("`diskwright catalogue list {}` shows all; `*` matches any characters", self.list)
                });
                reader.error(pattern.span(), format!("no {} is called `{asked}`", self.what), hint);
            }
        }
        written.iter().map(|pattern| pattern.get_ref().clone()).collect()
    }
    fn text(&self, value: &Vec<String>) -> String {
        in_brackets(value.iter().map(|name| quoted(name)))
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        (Vec::<String>::json_schema(generator), Some(Value::Array(Vec::new())))
    }
}

/// Bytes, with their unit; none where nobody says any.
pub(crate) struct Size;

impl Kind for Size {
    type Value = Bytes;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> Bytes {
        Bytes::ZERO
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> Bytes {
        written.as_ref().and_then(|written| reader.quantity(key, written)).unwrap_or(Bytes::ZERO)
    }
    fn text(&self, value: &Bytes) -> String {
        format!("\"{value}\"")
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<String>(generator)
    }
}

/// An amount of money, in millionths of the currency.
pub(crate) struct Amount;

impl Amount {
    pub(crate) fn micros(key: &str, written: &Spanned<f64>, reader: &mut WishReader<'_>) -> Option<u64> {
        let n = *written.get_ref();
        if n > 0.0 && n < 1e12 {
            return Some((n * 1e6).round() as u64);
        }
        let hint = "write an amount above zero, for example `135.17`";
        reader.error(written.span(), format!("`{key} = {n}` is not a price"), hint);
        None
    }
}

impl Kind for Amount {
    type Value = Option<u64>;
    type File = Option<Spanned<f64>>;
    const PYTHON: &'static str = "float";

    fn usual(&self) -> Option<u64> {
        None
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> Option<u64> {
        Amount::micros(key, written.as_ref()?, reader)
    }
    fn text(&self, value: &Option<u64>) -> String {
        amount(value.unwrap_or_default())
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        optional::<f64>(generator)
    }
}

/// What is written even where it is as it is without a word.
pub(crate) struct Always<K>(pub(crate) K);

impl<K: Kind> Kind for Always<K> {
    type Value = K::Value;
    type File = K::File;
    const PYTHON: &'static str = K::PYTHON;

    fn usual(&self) -> K::Value {
        self.0.usual()
    }
    fn read(&self, key: &str, written: &K::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> K::Value {
        self.0.read(key, written, plan, reader)
    }
    fn text(&self, value: &K::Value) -> String {
        self.0.text(value)
    }
    fn line(&self, key: &str, value: &K::Value) -> String {
        format!("{key} = {}\n", self.text(value))
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<Value>) {
        K::schema(generator)
    }
}
