//! What a sentence can be about.
//!
//! A figure keeps its number next to the text that people read, rounded and with its unit, by the same rules as in the tables;
//! no language changes digits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{LimitName, Sentence};

/// An argument of a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Arg {
    /// How many: languages choose singular and plural by it.
    Count(u64),
    /// A name, a path, a word of a file.
    Text(String),
    /// A sentence within the sentence.
    Sentence(Box<Sentence>),
    /// A measured or computed number.
    Figure(Figure),
    /// The name of a limit; documents hold its English text.
    #[schemars(skip)]
    Limit(LimitName),
    /// A word or a sentence of ours that has a label; documents hold its English text.
    #[schemars(skip)]
    Word(String),
    /// Several.
    List(Vec<Arg>),
}

impl Arg {
    /// An argument as a document has it: of the kind that its message declares, where that is known; else what is wrong with it.
    pub(crate) fn read(value: &Value, wanted: Option<Kind>) -> Result<Arg, String> {
        let wrong = |why: &dyn Fn() -> String| {
            let expected =
                wanted.map_or("a whole number, a text, a figure, a sentence, or a list of these", Kind::expected);
            Err(format!("`{}` is not {expected}{}", shown(value), why()))
        };
        let is_sentence = matches!(wanted, Some(Kind::Sentence | Kind::Optional));
        let read = match value {
            Value::Number(number) => number.as_u64().map(Arg::Count),
            // Documents that were written before this argument was a sentence.
            Value::String(text) if is_sentence => {
                Some(Arg::Sentence(Box::new(crate::say!(Plain { text: text.as_str() }))))
            }
            Value::String(text) => Some(match wanted {
                Some(Kind::Limit) => Arg::Limit(LimitName::read(text)),
                Some(Kind::Word) => Arg::Word(text.clone()),
                _ => Arg::Text(text.clone()),
            }),
            Value::Array(items) => {
                let item = match wanted {
                    Some(Kind::Sentences) => Some(Kind::Sentence),
                    Some(Kind::List) => Some(Kind::Text),
                    Some(Kind::Limits) => Some(Kind::Limit),
                    _ => None,
                };
                let read: Result<Vec<Arg>, String> = items.iter().map(|value| Arg::read(value, item)).collect();
                Some(Arg::List(read.map_err(|why| format!("in a list, {why}"))?))
            }
            Value::Object(map) if map.contains_key("id") || is_sentence => match Sentence::deserialize(value) {
                Ok(sentence) => Some(Arg::Sentence(Box::new(sentence))),
                Err(why) => return wrong(&|| format!(": {why}")),
            },
            Value::Object(_) => match Figure::deserialize(value) {
                Ok(figure) => Some(Arg::Figure(figure)),
                Err(why) => return wrong(&|| format!(": {why}")),
            },
            Value::Null | Value::Bool(_) => None,
        };
        match read {
            Some(arg) if wanted.is_none_or(|kind| arg.is(kind)) => Ok(arg),
            _ => wrong(&String::new),
        }
    }

    /// Whether it is what a message declares.
    fn is(&self, kind: Kind) -> bool {
        let all = |is: fn(&Arg) -> bool| matches!(self, Arg::List(items) if items.iter().all(is));
        match kind {
            Kind::Count => matches!(self, Arg::Count(_)),
            Kind::Text => matches!(self, Arg::Text(_)),
            Kind::Limit => matches!(self, Arg::Limit(_)),
            Kind::Word => matches!(self, Arg::Word(_)),
            Kind::Figure => matches!(self, Arg::Figure(_)),
            Kind::Sentence | Kind::Optional => matches!(self, Arg::Sentence(_)),
            Kind::List => all(|item| matches!(item, Arg::Text(_))),
            Kind::Limits => all(|item| matches!(item, Arg::Limit(_))),
            Kind::Sentences => all(|item| matches!(item, Arg::Sentence(_))),
        }
    }
}

/// A value as an error has it.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// A number that is shown rounded, with its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The number as it is.
    pub value: f64,
    /// What it is counted in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// As people read it.
    pub text: String,
}

impl Figure {
    /// `value` in `unit`, shown as `text`.
    pub fn new(value: f64, unit: &str, text: impl Into<String>) -> Figure {
        Figure { value, unit: unit.into(), text: text.into() }
    }
    /// With so many decimals, and a unit behind it where there is one.
    pub fn decimal(value: f64, decimals: usize, unit: &str) -> Figure {
        let space = if unit.is_empty() { "" } else { " " };
        Figure::new(value, unit, format!("{value:.decimals$}{space}{unit}"))
    }
}

/// How many of something there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(u64);

macro_rules! counts {
    ($($type:ty)*) => {
        $(impl From<$type> for Count {
            fn from(count: $type) -> Count {
                Count(count as u64)
            }
        })*
    };
}
counts! { u16 u32 u64 usize }

/// Names, shown with commas between them.
#[derive(Clone, Debug, PartialEq)]
pub struct List(Vec<Arg>);

/// A word or a sentence of ours that has a label: why something may not be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Word(String);

impl From<String> for Word {
    fn from(word: String) -> Word {
        Word(word)
    }
}

/// Names of limits, shown with commas between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits(Vec<Arg>);

impl FromIterator<LimitName> for Limits {
    fn from_iter<I: IntoIterator<Item = LimitName>>(items: I) -> Limits {
        Limits(items.into_iter().map(Arg::Limit).collect())
    }
}
impl From<Vec<LimitName>> for Limits {
    fn from(items: Vec<LimitName>) -> Limits {
        items.into_iter().collect()
    }
}

/// Sentences in a row, shown with semicolons between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentences(Vec<Arg>);

impl<T: Into<String>> FromIterator<T> for List {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> List {
        List(items.into_iter().map(|item| Arg::Text(item.into())).collect())
    }
}
impl<T: Into<String>> From<Vec<T>> for List {
    fn from(items: Vec<T>) -> List {
        items.into_iter().collect()
    }
}
impl FromIterator<Sentence> for Sentences {
    fn from_iter<I: IntoIterator<Item = Sentence>>(items: I) -> Sentences {
        Sentences(items.into_iter().map(|item| Arg::Sentence(Box::new(item))).collect())
    }
}
impl From<Vec<Sentence>> for Sentences {
    fn from(items: Vec<Sentence>) -> Sentences {
        items.into_iter().collect()
    }
}

/// What a message declares of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Arg::Count`]
    Count,
    /// [`Arg::Text`]
    Text,
    /// [`Arg::Limit`]
    Limit,
    /// [`Arg::Word`]
    Word,
    /// [`Arg::Figure`]
    Figure,
    /// [`Arg::Sentence`]
    Sentence,
    /// A sentence that may be left out: nothing stands in its place.
    Optional,
    /// [`Arg::List`] of names.
    List,
    /// [`Arg::List`] of names of limits.
    Limits,
    /// [`Arg::List`] of sentences.
    Sentences,
}

impl Kind {
    /// What belongs there, in an error.
    const fn expected(self) -> &'static str {
        match self {
            Kind::Count => "a whole number such as 3",
            Kind::Text | Kind::Limit | Kind::Word => "a text",
            Kind::Figure => r#"a figure such as {"value": 1.5, "unit": "ms", "text": "1.5 ms"}"#,
            Kind::Sentence | Kind::Optional => r#"a sentence such as {"id": "plain", "text": "..."}"#,
            Kind::List | Kind::Limits => "a list of texts",
            Kind::Sentences => "a list of sentences",
        }
    }
}

/// A type that a message can declare for an argument.
pub trait Argument {
    /// Which kind it is.
    const KIND: Kind;
    /// As a value of a sentence; `None` = it is left out.
    fn arg(self) -> Option<Arg>;
}

macro_rules! arguments {
    ($($type:ty, $kind:ident, $self:ident => $arg:expr;)*) => {
        $(impl Argument for $type {
            const KIND: Kind = Kind::$kind;
            fn arg($self) -> Option<Arg> { $arg }
        })*
    };
}

arguments! {
    Count, Count, self => Some(Arg::Count(self.0));
    String, Text, self => Some(Arg::Text(self));
    LimitName, Limit, self => Some(Arg::Limit(self));
    Word, Word, self => Some(Arg::Word(self.0));
    Figure, Figure, self => Some(Arg::Figure(self));
    Sentence, Sentence, self => Some(Arg::Sentence(Box::new(self)));
    Option<Sentence>, Optional, self => self.map(|sentence| Arg::Sentence(Box::new(sentence)));
    List, List, self => Some(Arg::List(self.0));
    Limits, Limits, self => Some(Arg::List(self.0));
    Sentences, Sentences, self => Some(Arg::List(self.0));
}
