//! The words of one language: sentences in Fluent's format, labels as pairs of lines ([`crate::Label`]).
//!
//! A language is read when something is first said in it, sentences and labels apart: a program that speaks English reads nothing
//! else, and no labels at all, which stand in the code.
//!
//! Isolation marks around arguments are off (they are invisible characters that would end up in files and greps), and figures are
//! written by [`Style`], not by Fluent.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use unic_langid::LanguageIdentifier;

use super::style::Style;
use super::{Arg, Kind, Label, LimitName, Sentence};

/// The languages of `messages/`, by file name, with their labels.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// All of them, none of them read.
static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let language = |(name, sentences, labels): &(&'static str, &'static str, &'static str)| Language {
        name: (*name).into(),
        style: Style::for_language(name),
        sentences,
        labels,
        bundle: OnceLock::new(),
        by_english: OnceLock::new(),
    };
    FILES.iter().map(language).collect()
});

static ENGLISH: LazyLock<&Language> = LazyLock::new(|| Language::named("en").expect("messages/en.ftl is there"));

type Bundle = FluentBundle<FluentResource>;

/// A catalogue of messages and labels.
pub struct Language {
    name: String,
    style: Style,
    sentences: &'static str,
    labels: &'static str,
    bundle: OnceLock<Bundle>,
    by_english: OnceLock<HashMap<String, String>>,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Language").field(&self.name).finish()
    }
}

/// Reads sentences.
fn bundle_of(name: &str, text: &str, style: Style) -> Result<Bundle, String> {
    let id: LanguageIdentifier =
        name.parse().map_err(|e| format!("language `{name}`: {e}; write it as `de` or `pt-BR`"))?;
    let resource = FluentResource::try_new(text.into()).map_err(|(_, faults)| {
        let faults: Vec<String> = faults
            .iter()
            .map(|fault| {
                let line = text[..fault.pos.start.min(text.len())].matches('\n').count() + 1;
                format!("messages of `{name}`, line {line}: {}", fault.kind)
            })
            .collect();
        faults.join("\n")
    })?;
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(match style {
        Style::English => |value, _| number(value, Style::English),
        Style::Spaced => |value, _| number(value, Style::Spaced),
        Style::Chinese | Style::Japanese => |value, _| number(value, Style::Chinese),
    }));
    bundle.add_resource(resource).map_err(|faults| format!("messages of `{name}`: {faults:?}"))?;
    Ok(bundle)
}

fn number(value: &FluentValue, style: Style) -> Option<String> {
    match value {
        FluentValue::Number(FluentNumber { value, .. }) => Some(style.grouped(*value as u64)),
        _ => None,
    }
}

impl Language {
    /// Reads a catalogue: `name` is the language as in `de` or `pt-BR`, `sentences` is Fluent's format, `labels` are pairs of lines.
    pub fn read(name: &str, sentences: &str, labels: &str) -> Result<Language, String> {
        let style = Style::for_language(name);
        let bundle = bundle_of(name, sentences, style)?;
        let by_english = crate::label::read(labels).map_err(|fault| format!("labels of `{name}`, {fault}"))?;
        let (bundle, by_english) = (bundle.into(), by_english.into());
        Ok(Language { name: name.into(), style, sentences: "", labels: "", bundle, by_english })
    }

    /// English that is two fifths longer, for tests of room.
    #[doc(hidden)]
    pub fn longer() -> Language {
        let english = Language::english();
        let known =
            LANGUAGES.iter().find(|language| !language.labels.is_empty()).map_or("", |language| language.labels);
        let keys = known.lines().filter(|line| !line.starts_with([' ', '#']) && !line.is_empty());
        let labels: String = keys.map(|key| format!("{key}\n  {}\n", crate::longer(key))).collect();
        Language::read("en-XA", &crate::longer(english.sentences), &labels).expect("it is English")
    }

    /// All that the program brings along.
    pub fn all() -> &'static [Language] {
        &LANGUAGES
    }

    /// One of those, by the name of a language or of a locale: `sv`, `ru_RU.UTF-8`, `zh-CN`. A region that has no messages of its own
    /// has those of its language; traditional Chinese has none.
    pub fn named(name: &str) -> Option<&'static Language> {
        let plain = name.split(['.', '@']).next()?.replace('_', "-").to_ascii_lowercase();
        let of = |name: &str| LANGUAGES.iter().find(|language| language.name.eq_ignore_ascii_case(name));
        let mut parts = plain.split('-');
        let primary = parts.next()?;
        let found = of(&plain).or_else(|| of(primary));
        if primary == "zh" && found.is_none() {
            let is_traditional = |part: &str| matches!(part, "hant" | "tw" | "hk" | "mo");
            let rest: Vec<&str> = parts.collect();
            // A script that is named counts for more than a region.
            let traditional = rest.iter().any(|part| is_traditional(part)) && !rest.contains(&"hans");
            return of("zh-Hans").filter(|_| !traditional);
        }
        found
    }

    /// The first of the languages that a browser asks for (`Accept-Language`) that there is; else English.
    pub fn accepted(header: &str) -> &'static Language {
        let names = header.split(',').filter_map(|part| part.split(';').next());
        names.filter_map(|name| Language::named(name.trim())).next().unwrap_or_else(Language::english)
    }

    /// The language that sentences are made in.
    pub fn english() -> &'static Language {
        *ENGLISH
    }

    /// Its name, as in `de`.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn is_english(&self) -> bool {
        self.name == "en"
    }

    fn bundle(&self) -> &Bundle {
        self.bundle.get_or_init(|| {
            bundle_of(&self.name, self.sentences, self.style).expect("tests read every language that the program has")
        })
    }

    fn by_english(&self) -> &HashMap<String, String> {
        self.by_english.get_or_init(|| crate::label::read(self.labels).expect("tests read every label"))
    }

    /// A label, or a word that documents hold, in this language; what it lacks is said in English.
    fn found<'a>(&'a self, english: &'a str) -> &'a str {
        if self.is_english() {
            return english;
        }
        self.by_english().get(english).map_or(english, String::as_str)
    }

    /// A label in this language.
    pub fn label(&self, label: Label) -> &str {
        self.found(label.0)
    }

    /// A label with its places filled; [`text!`](crate::text) names them.
    pub fn fill(&self, label: Label, values: &[(&str, &dyn std::fmt::Display)]) -> String {
        let mut rest = self.label(label);
        let mut out = String::with_capacity(rest.len());
        while let Some((before, place)) = rest.split_once('{') {
            let Some((name, after)) = place.split_once('}') else { break };
            out += before;
            match values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => out += &value.to_string(),
                None => debug_assert!(false, "`{}` is given no `{name}`", label.0),
            }
            rest = after;
        }
        out + rest
    }

    /// A word of a document, such as `met` or `cached`, in this language; one that is no word of ours as it is.
    pub fn word<'a>(&'a self, word: &'a str) -> &'a str {
        self.found(word)
    }

    /// The name of a limit that a document holds, in this language.
    pub fn limit(&self, name: &str) -> String {
        if self.is_english() { name.into() } else { self.limit_name(&LimitName::read(name)) }
    }

    /// The name of a limit in this language, with the volume and the disks that stand about it as they are.
    pub fn limit_name(&self, name: &LimitName) -> String {
        let [place, what, more] = name.parts();
        match self.found(what) {
            _ if self.is_english() => name.to_string(),
            said if place.is_empty() => format!("{said}{more}"),
            said => self.style.limit_of(place, said, more),
        }
    }

    /// A figure that was written in English, such as `3,802.5 IOPS`, with this language's marks.
    pub fn figure(&self, text: &str) -> String {
        let disks = text.strip_suffix(" disks").or_else(|| text.strip_suffix(" disk")).filter(|_| !self.is_english());
        match disks {
            Some(n) => crate::text!(self, "{n} disks", n),
            None => self.style.figure(text),
        }
    }

    /// Names in a row.
    pub fn list<T: AsRef<str>>(&self, names: &[T]) -> String {
        names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(self.style.between_names())
    }

    /// What stands between sentences in a row.
    pub fn between(&self) -> &'static str {
        self.style.between_sentences()
    }

    /// What ends a sentence.
    pub fn stop(&self) -> &'static str {
        self.style.stop()
    }

    /// Says every sentence that a value holds in this language, in its place.
    pub fn say_in(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.say_in(item)),
            Value::Object(map) => {
                map.values_mut().for_each(|part| self.say_in(part));
                let is_sentence = map.get("id").is_some_and(Value::is_string) && map.contains_key("text");
                if is_sentence && let Ok(sentence) = Sentence::of_object(map) {
                    map.insert("text".into(), sentence.in_language(self).into());
                }
            }
            _ => {}
        }
    }

    /// A document with its sentences in this language; its figures, names and identities are as they were. For people only: what
    /// programs read stays in English.
    pub fn told<T: Serialize + DeserializeOwned>(&self, document: T) -> T {
        if self.is_english() {
            return document;
        }
        let Ok(mut value) = serde_json::to_value(&document) else { return document };
        self.say_in(&mut value);
        serde_json::from_value(value).unwrap_or(document)
    }

    /// A sentence in this language, or why it has none.
    pub(crate) fn render(&self, sentence: &Sentence) -> Result<String, String> {
        let id = &*sentence.id;
        if id == "plain" && !self.is_english() && sentence.args.is_empty() {
            // Words of another tool, or a word of ours that stands for a sentence.
            return Ok(self.found(&sentence.text).to_string());
        }
        let bundle = self.bundle();
        let message = bundle.get_message(id).and_then(|message| message.value());
        let pattern = message.ok_or_else(|| format!("no message `{id}` in `{}`", self.name))?;
        let mut args = FluentArgs::with_capacity(sentence.args.len());
        for (name, arg) in &sentence.args {
            args.set(&**name, self.value(arg));
        }
        // A sentence that was left out leaves nothing: without a value Fluent would print the name of the argument.
        for (name, kind) in crate::catalogue::declared(id).map_or(&[][..], |declared| declared.args) {
            if *kind == Kind::Optional && !sentence.args.contains_key(*name) {
                args.set(*name, "");
            }
        }
        let mut faults = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&args), &mut faults);
        if faults.is_empty() {
            Ok(self.style.closed_up(text.into_owned()))
        } else {
            Err(format!("message `{id}` in `{}`: {faults:?}", self.name))
        }
    }

    fn value<'a>(&self, arg: &'a Arg) -> FluentValue<'a> {
        match arg {
            Arg::Count(count) => FluentValue::from(*count),
            Arg::Text(text) => FluentValue::from(text.as_str()),
            Arg::Figure(figure) if self.is_english() => FluentValue::from(figure.text.as_str()),
            Arg::Figure(figure) => FluentValue::from(self.figure(&figure.text)),
            Arg::Limit(_) | Arg::Word(_) | Arg::Sentence(_) | Arg::List(_) => FluentValue::from(self.text(arg)),
        }
    }

    fn text(&self, arg: &Arg) -> String {
        match arg {
            Arg::Count(count) => self.style.grouped(*count),
            Arg::Text(text) => text.clone(),
            Arg::Limit(name) => self.limit_name(name),
            Arg::Word(word) => self.found(word).into(),
            Arg::Figure(figure) => self.figure(&figure.text),
            Arg::Sentence(sentence) => sentence.in_language(self),
            Arg::List(items) => {
                let sentences = items.iter().any(|item| matches!(item, Arg::Sentence(_)));
                let between = if sentences { self.style.between_sentences() } else { self.style.between_names() };
                items.iter().map(|item| self.text(item)).collect::<Vec<_>>().join(between)
            }
        }
    }
}
