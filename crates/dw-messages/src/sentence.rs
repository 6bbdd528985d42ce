//! A sentence: the identity of a message, its arguments, and its English.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{Arg, Kind, Language};

/// The message of a sentence whose words came in as text.
const PLAIN: &str = "plain";

/// A sentence as a value: programs go by `id` and `args`, people read `text`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Sentence {
    /// The message, as the catalogues of all languages name it.
    pub id: Cow<'static, str>,
    /// What the sentence is about, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<Cow<'static, str>, Arg>,
    /// The sentence in English.
    pub text: String,
}

impl Sentence {
    /// A sentence of the catalogue; `say!` checks names and types of arguments, this does not.
    pub(crate) fn new(id: &'static str, args: impl IntoIterator<Item = (&'static str, Option<Arg>)>) -> Sentence {
        let args = args.into_iter().filter_map(|(name, arg)| Some((Cow::Borrowed(name), arg?))).collect();
        let mut sentence = Sentence { id: Cow::Borrowed(id), args, text: String::new() };
        sentence.text = Language::english().render(&sentence).unwrap_or_else(|fault| {
            debug_assert!(false, "{fault}");
            sentence.id.to_string()
        });
        if id == PLAIN {
            // Its one argument is the text.
            sentence.args.clear();
        }
        sentence
    }

    /// The sentence that an object of a document is.
    pub(crate) fn of_object(object: &serde_json::Map<String, Value>) -> Result<Sentence, serde_json::Error> {
        object.deserialize_map(Written)
    }

    /// The sentence in a language; in English where that language lacks it.
    pub fn in_language(&self, language: &Language) -> String {
        language.render(self).unwrap_or_else(|_| self.text.clone())
    }
}

/// The English text.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// What documents hold; in those that were written before sentences had an id it is the text alone.
struct Written;

impl<'de> Visitor<'de> for Written {
    type Value = Sentence;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sentence")
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Sentence, E> {
        Ok(crate::Plain { text: text.into() }.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Sentence, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            id: String,
            #[serde(default)]
            args: BTreeMap<String, Value>,
            text: String,
        }
        let Whole { id, args, text } = Whole::deserialize(MapAccessDeserializer::new(map))?;
        // A message that this program does not know is of a later one: its arguments can be anything.
        let declared = crate::catalogue::declared(&id).map_or(&[][..], |declared| declared.args);
        let read = |(name, value): (String, Value)| {
            let kind = declared.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
            let arg = Arg::read(&value, kind)
                .map_err(|why| A::Error::custom(format!("argument `{name}` of `{id}`: {why}")))?;
            Ok((Cow::Owned(name), arg))
        };
        let args = args.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Sentence { id: id.into(), args, text })
    }
}

impl<'de> Deserialize<'de> for Sentence {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sentence, D::Error> {
        from.deserialize_any(Written)
    }
}

/// A message that the program can say, with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// What `say!` takes.
    pub name: &'static str,
    /// Its name in the catalogues.
    pub id: &'static str,
    /// Its arguments: name, what they are, whether they may be left out.
    pub args: &'static [(&'static str, Kind)],
}
