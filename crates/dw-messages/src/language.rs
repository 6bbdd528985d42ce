//! The words of one language, read from Fluent's format.
//!
//! Isolation marks around arguments are off (they are invisible characters that would end up in files and greps), and counts
//! are printed with our own digits.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use super::{Arg, Kind, Sentence};

/// The languages of `messages/`, by file name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// All of them, read once.
static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| Language::read(name, text);
    FILES.iter().map(|file| read(file).expect("tests read every language")).collect()
});

static ENGLISH: LazyLock<&Language> = LazyLock::new(|| Language::named("en").expect("messages/en.ftl is there"));

/// A catalogue of messages.
pub struct Language {
    name: String,
    bundle: FluentBundle<FluentResource>,
}

impl Language {
    /// Reads a catalogue: `name` is the language as in `de` or `pt-BR`, `text` is Fluent's format.
    pub fn read(name: &str, text: &str) -> Result<Language, String> {
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
        bundle.set_formatter(Some(|value, _| match value {
            FluentValue::Number(FluentNumber { value, .. }) => Some(grouped(*value as u64)),
            _ => None,
        }));
        bundle.add_resource(resource).map_err(|faults| format!("messages of `{name}`: {faults:?}"))?;
        Ok(Language { name: name.into(), bundle })
    }

    /// All that the program brings along.
    pub fn all() -> &'static [Language] {
        &LANGUAGES
    }

    /// One of those; a region that has no messages of its own (`de-AT`) has those of its language.
    pub fn named(name: &str) -> Option<&'static Language> {
        let of = |name: &str| LANGUAGES.iter().find(|language| language.name.eq_ignore_ascii_case(name));
        of(name).or_else(|| of(name.split(['-', '_']).next()?))
    }

    /// The language that sentences are made in.
    pub fn english() -> &'static Language {
        *ENGLISH
    }

    /// Its name, as in `de`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A sentence in this language, or why it has none.
    pub(crate) fn render(&self, sentence: &Sentence) -> Result<String, String> {
        let id = &*sentence.id;
        let message = self.bundle.get_message(id).and_then(|message| message.value());
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
        let text = self.bundle.format_pattern(pattern, Some(&args), &mut faults);
        if faults.is_empty() {
            Ok(text.into_owned())
        } else {
            Err(format!("message `{id}` in `{}`: {faults:?}", self.name))
        }
    }

    fn value<'a>(&self, arg: &'a Arg) -> FluentValue<'a> {
        match arg {
            Arg::Count(count) => FluentValue::from(*count),
            Arg::Text(text) => FluentValue::from(text.as_str()),
            Arg::Figure(figure) => FluentValue::from(figure.text.as_str()),
            Arg::Sentence(_) | Arg::List(_) => FluentValue::from(self.text(arg)),
        }
    }

    fn text(&self, arg: &Arg) -> String {
        match arg {
            Arg::Count(count) => grouped(*count),
            Arg::Text(text) => text.clone(),
            Arg::Figure(figure) => figure.text.clone(),
            Arg::Sentence(sentence) => sentence.in_language(self),
            Arg::List(items) => {
                let between = if items.iter().any(|item| matches!(item, Arg::Sentence(_))) { "; " } else { ", " };
                items.iter().map(|item| self.text(item)).collect::<Vec<_>>().join(between)
            }
        }
    }
}

/// Thousands apart, as in all our tables.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
